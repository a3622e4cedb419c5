"""Step 7 of W2: review security and compatibility. Eight checks, each with a disposition; unsafe disclosure stops."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from evreview.core.quoted_text import Text, UserText, counted, listed
from evreview.core.vocabulary import Concern, StepState
from evreview.evidence.item import Bundle, Citation
from evreview.report.statement import Statement, limited
from evreview.workflows.engine.internal_errors import internal_error_fields
from evreview.workflows.engine.step import Outcome
from evreview.workflows.w2.facts import Disposal, Reviewed, W2Facts, contract_citation
from evreview.workflows.w2.registers import reviews_frame
from evreview.workflows.w2.scope import published_secrets


def run(bundle: Bundle, facts: W2Facts) -> Outcome[W2Facts]:
    """The eight checks; stops on internal error fields in a published response or on a private endpoint."""
    reviews = (
        _redaction(facts),
        _authentication(facts),
        _leakage(facts),
        _stated("pagination", Concern.PAGINATION, facts),
        _stated("idempotency", Concern.IDEMPOTENCY, facts),
        _rate_limits(facts),
        _versioning(facts),
        _side_effects(facts),
    )
    refused = tuple(_refused(reviews))
    return Outcome(
        state=StepState.STOP if refused else StepState.ADVANCE,
        facts=replace(facts, reviews=reviews),
        reasons=refused,
        tables={"Security and compatibility review": reviews_frame(reviews)},
    )


DOCUMENTED = "documented as the contract states it"


def _refused(reviews: tuple[Reviewed, ...]) -> Iterator[Statement]:
    for each in reviews:
        if each.stops:
            yield limited(
                f"Unsafe disclosure or undocumented expansion, {each.check}: ", *each.found, on=each.citations
            )


def _redaction(facts: W2Facts) -> Reviewed:
    base = facts.scope.record.base_url or "" if facts.scope else ""
    on = (facts.scope.at("/base_url"),) if facts.scope else ()
    if facts.redactor.leaks(base):
        found: Text = ("the base URL shape is a private endpoint or holds a secret",)
        return Reviewed(check="redaction", found=found, disposition="not published", citations=on, stops=True)
    kinds: dict[str, int] = {}
    for finding in facts.redactor.findings:
        kinds[finding.kind] = kinds.get(finding.kind, 0) + 1
    if not kinds:
        return Reviewed(
            check="redaction", found=("nothing to redact was found",), disposition="none needed", citations=on
        )
    told = ", ".join(counted(number, kind) for kind, number in sorted(kinds.items()))
    where = tuple(on[0] for _, on in published_secrets(facts))
    done = "redacted in every output" + ("; the contract still shows it to its readers" if where else "")
    return Reviewed(check="redaction", found=(told,), disposition=done, citations=where or on)


def _authentication(facts: W2Facts) -> Reviewed:
    open_ones = [entry.operation.id for entry in facts.entries if not entry.authentication.stated]
    on = tuple(dict.fromkeys(each for entry in facts.entries for each in entry.authentication.citations))
    if open_ones:
        found: Text = ("the contract states no security for ", *listed(open_ones))
        return Reviewed(check="authentication wording", found=found, disposition="stated as a limitation",
                        citations=on or contract_citation(facts))  # fmt: skip
    found = ("schemes are named from the contract; credentials are placeholders",)
    return Reviewed(check="authentication wording", found=found, disposition=DOCUMENTED,
                    citations=on or contract_citation(facts))  # fmt: skip


def _leakage(facts: W2Facts) -> Reviewed:
    """Internal names in error bodies of the operations in scope."""
    assert facts.contract is not None and facts.item is not None
    scoped = {operation.element.place for operation in facts.operations}
    kept = tuple(child for child in facts.contract.root.children if child.place in scoped)
    inside = replace(facts.contract, root=replace(facts.contract.root, children=kept))
    fields = internal_error_fields(inside)
    if not fields:
        found: Text = ("no error response in scope declares an internal field",)
        return Reviewed(check="internal error leakage", found=found, disposition="none found",
                        citations=contract_citation(facts))  # fmt: skip
    on = tuple(Citation(facts.item.id, f"#{place.pointer}") for _, place in fields)
    found = ("error responses declare ", *listed(dict.fromkeys(name for name, _ in fields)))
    return Reviewed(check="internal error leakage", found=found, disposition="not published", citations=on, stops=True)


def _stated(check: str, concern: Concern, facts: W2Facts) -> Reviewed:
    rows = [row for entry in facts.entries for row in entry.about(concern)]
    if not rows:
        disposition = "not stated by the contract; nothing is claimed"
        return Reviewed(check=check, found=("the contract defines none",), disposition=disposition,
                        citations=contract_citation(facts))  # fmt: skip
    on = tuple(dict.fromkeys(each for row in rows for each in row.citations))
    told = listed(dict.fromkeys(row.name for row in rows))
    return Reviewed(check=check, found=("the contract states ", *told), disposition=DOCUMENTED, citations=on)


def _rate_limits(facts: W2Facts) -> Reviewed:
    """Absent only when neither contract nor code defines one; known to the code alone it is a discrepancy."""
    only_code = [each for each in facts.discrepancies if each.concern is Concern.RATE_LIMITS]
    if only_code:
        on = tuple(dict.fromkeys(citation for each in only_code for citation in each.citations))
        found: Text = ("sources disagree: ", *listed(each.id for each in only_code))
        state = "disposed of" if all(each.disposal is not Disposal.OPEN for each in only_code) else "withheld"
        return Reviewed(check="rate limits", found=found, disposition=state, citations=on)
    return _stated("rate limits", Concern.RATE_LIMITS, facts)


def _versioning(facts: W2Facts) -> Reviewed:
    assert facts.scope is not None and facts.contract is not None
    version = facts.scope.record.api_version or "unknown"
    on = (facts.scope.at("/api_version"), *contract_citation(facts))
    found: Text = ("the reference is of version ", UserText(version), " at one revision")
    return Reviewed(check="versioning", found=found, disposition="stated per operation", citations=on)


def _side_effects(facts: W2Facts) -> Reviewed:
    """What the contract states, what the code surely does, and what only suggests itself: nobody judged every call."""
    routes = [facts.matching.route(operation) for operation in facts.operations] if facts.matching else []
    notes = [note for route in routes if route for note in route.notes if note.concern is Concern.SIDE_EFFECTS]
    stated = [row for entry in facts.entries for row in entry.about(Concern.SIDE_EFFECTS)]
    sure = sum(note.certain for note in notes)
    shown = [counted(sure, "effect")] * bool(sure) + [counted(len(notes) - sure, "lead")] * (len(notes) > sure)
    code = f"the code shows {' and '.join(shown)}" if shown else "nothing known for one was found in the code"
    on = tuple(dict.fromkeys(each for part in (stated, (note.spot for note in notes)) for one in part
                             for each in one.citations)) or contract_citation(facts)  # fmt: skip
    states = f"the contract states {counted(len(stated), 'effect') if stated else 'none'}"
    disposition = f"{DOCUMENTED}; effects that only the code shows stay implementation-derived notes"
    return Reviewed(
        check="side effects",
        found=(f"{states}; {code}; not every call of it is judged",),
        disposition=disposition if stated or notes else "not stated by the contract; nothing is claimed",
        citations=on,
    )
