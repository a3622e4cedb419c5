"""What the W2 template prints: ready cells and sentences, nothing to compute. Built from the facts, frozen.

Every sentence is labelled, and the material ones cite.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from evreview.core.quoted_text import Text, UserText, counted, joined, listed
from evreview.core.vocabulary import Basis, Concern
from evreview.evidence.item import Bundle, Citation
from evreview.report.escape import SafeMarkdown, cell, cell_words, heading
from evreview.report.statement import Statement, inferred, limited, observed
from evreview.workflows.engine.conclusions import Decision
from evreview.workflows.engine.halt import first_reason
from evreview.workflows.engine.next_actions import first_action
from evreview.workflows.engine.registers import (
    BoundaryRow,
    TableRow,
    boundary_rows,
    checksums,
    cited_ids,
    closing,
    empty,
    evidence_rows,
    gate_rows,
    near,
    printed,
    short_revision,
    step_rows,
)
from evreview.workflows.engine.retained_runs import later_runs, violated
from evreview.workflows.engine.step import StepResult
from evreview.workflows.w2.contract_rows import Entry
from evreview.workflows.w2.examples.client_examples import Held
from evreview.workflows.w2.facts import W2Facts, contract_citation, read_items
from evreview.workflows.w2.matrix.evidence_matrix import RULE
from evreview.workflows.w2.matrix.routes import unread_code
from evreview.workflows.w2.matrix.test_results import doubts
from evreview.workflows.w2.reconcile.publication import disputed_about, waits
from evreview.workflows.w2.scope import uncompared, unlisted, unread_parts
from evreview.workflows.w2.tables import (
    criteria_rows,
    discrepancy_rows,
    exact_forms,
    follow_up_rows,
    gap_rows,
    matrix_reasons,
    proposed_statements,
    report_rows,
    review_rows,
    run_statements,
    trace_rows,
)
from evreview.workflows.w2.view_blocks import cites, executed_words, told, words_or
from evreview.workflows.w2.view_entry import (
    ASPECTS,
    OperationEntry,
    header_words,
    index_rows,
    operation_entries,
)
from evreview.workflows.w2.view_messages import LabelledExample, error_examples, error_rows, example_rows
from evreview.workflows.w2.view_objects import Home, Objects, Printed

# Authentication.


def authentication_rows(bundle: Bundle, facts: W2Facts) -> tuple[TableRow, ...]:
    """What each operation demands, with placeholders in the place of credentials; what several demand is one row."""
    alike: dict[tuple[SafeMarkdown, ...], list[str]] = {}
    for entry in facts.entries:
        for row in _authentication(bundle, facts, entry):
            alike.setdefault(row, []).append(entry.operation.id)
    return tuple((_operations(facts, names), *row) for row, names in alike.items())


def disputed_authentication(facts: W2Facts) -> Iterator[Statement]:
    """What of it is published by the owner's word although sources disagree."""
    found = (each for entry in facts.entries for each in disputed_about(facts, entry, Concern.AUTHENTICATION))
    yield from dict.fromkeys(found)


def _operations(facts: W2Facts, names: Sequence[str]) -> SafeMarkdown:
    """Some of the operations in a cell."""
    if 1 < len(names) == len(facts.entries):
        return cell(f"all {len(names)} operations")
    return cell_words(listed(names))


def _authentication(bundle: Bundle, facts: W2Facts, entry: Entry) -> Iterator[TableRow]:
    auth, blank = entry.authentication, cell("n/a")
    on = auth.citations or contract_citation(facts)
    if not auth.alternatives:
        yield words_or((auth.says or ("not stated",),), ""), blank, blank, cites(bundle, on)
    for alternative in auth.alternatives:
        if not alternative:
            yield cell("no credentials"), blank, blank, cites(bundle, auth.citations)
            continue
        yield (
            words_or(((UserText(use.name), ": ", *use.says) for use in alternative), "none"),
            words_or((listed(use.scopes) for use in alternative if use.scopes), "none"),
            words_or(((UserText(use.placeholder),) for use in alternative if use.placeholder), "none"),
            cites(bundle, (citation for use in alternative for citation in use.citations)),
        )


# Behaviour, limits and side effects over all operations: what the contract states, and what neither side defines.


BOTH: Final = SafeMarkdown(f"{cell(f'{Basis.CONTRACT},')}<br>{cell(str(Basis.IMPLEMENTATION))}")
LONG: Final = 120
"""Characters of one cell; what is longer is a row of its own."""


def behaviour_rows(bundle: Bundle, facts: W2Facts) -> tuple[TableRow, ...]:
    """One row per aspect and operation: what the contract states, then what neither contract nor code defines."""
    rows: list[TableRow] = []
    for aspect in ASPECTS:
        for entry in facts.entries:
            found = [(row.says, row.citations) for row in entry.about(aspect)]
            rows += _about(bundle, str(aspect), entry, found)
    for entry in facts.entries:
        rows += _about(
            bundle, "response header", entry, [(header_words(each), each.citations) for each in entry.headers]
        )
    return (*rows, *_absent(bundle, facts))


def _about(
    bundle: Bundle, aspect: str, entry: Entry, found: Sequence[tuple[Text, tuple[Citation, ...]]]
) -> Iterator[TableRow]:
    """One row for all that is said, or one each where that grows too long."""
    lead: Text = (f"{entry.operation.id}: ",)
    whole = joined(dict.fromkeys(says for says, _ in found))
    parts = [(whole, tuple(each for _, on in found for each in on))]
    if len("".join(map(str, (*lead, *whole)))) > LONG:
        parts = list(found)
    for says, on in parts if found else ():
        yield cell(aspect), cell_words((*lead, *says)), cell(str(Basis.CONTRACT)), cites(bundle, on)


def _absent(bundle: Bundle, facts: W2Facts) -> Iterator[TableRow]:
    """What neither contract nor implementation defines, with the operations that it holds for."""
    alike: dict[tuple[Concern, Text], list[tuple[str, tuple[Citation, ...]]]] = {}
    for gap in facts.gaps:
        if RULE[gap.kind].absence:
            alike.setdefault((gap.concern, gap.says), []).append((gap.operation, gap.citations))
    for (concern, says), places in alike.items():
        words = (*says, "; ", *listed(name for name, _ in places))
        on = (each for _, cited in places for each in cited)
        yield cell(str(concern)), cell_words(words), BOTH, cites(bundle, on)


# The sentences, section by section.


def verdict(bundle: Bundle, facts: W2Facts, decision: Decision) -> Iterator[Statement]:
    """At most five lines: the decision, why it stops, what it holds for, what is withheld, what ran, who acts next."""
    on = read_items(bundle, facts)
    yield inferred("Decision: ", decision.headline, ".", on=on)
    yield from (replace(each, citations=near(bundle, each.citations)) for each in first_reason(decision))
    compared = tuple(_compared(facts, on))
    if not (decision.state.is_halted and len(compared) > 1):
        yield _valid(facts, on)
    yield from compared
    yield first_action(decision.next_actions, "Follow-up")


def _valid(facts: W2Facts, on: tuple[Citation, ...]) -> Statement:
    """What the reference is valid for."""
    scope = facts.scope
    if scope is not None and scope.record.revision:
        version = UserText(scope.record.api_version or "unknown")
        revision = UserText(short_revision(scope.record.revision))
        says = (" of API version ", version, ", valid at the one immutable revision ", revision, " only.")
        return observed(counted(len(facts.operations), "operation"), *says, on=(scope.at("/revision"), *on[:1]))
    return limited("No one immutable revision is known for contract, handlers, validators and tests.", on=on)


def _compared(facts: W2Facts, on: tuple[Citation, ...]) -> Iterator[Statement]:
    """How many discrepancies wait, and what was executed."""
    if facts.reconciled or facts.discrepancies:
        waiting = len(facts.open_discrepancies)
        total = len(facts.discrepancies)
        found = "1 discrepancy" if total == 1 else f"{total} discrepancies"
        open_points = f"; {counted(len(facts.points), 'comparison')} not decided" if facts.points else ""
        marked = "; what they touch is marked withheld" if facts.withheld else ""
        yield observed(f"{found}, {waiting} not disposed of{open_points}{marked}.", on=on)
    if facts.report:
        lacks = counted(len(facts.unverified), "documented response")
        failed = sum(row.status == "executed" and row.result in ("failed", "error") for row in facts.report)
        records = tuple(dict.fromkeys(row.citations[-1] for row in facts.report if row.status == "executed"))
        yield observed(f"{executed_words(facts.report)}; {lacks} unverified; {failed} failed.", on=records or on)


def approval_state(
    bundle: Bundle, steps: Sequence[StepResult], facts: W2Facts, decision: Decision
) -> Iterator[Statement]:
    """The decision, the contract's approval, what blocks it, and what people recorded."""
    on = read_items(bundle, facts)
    yield inferred("Decision: ", decision.headline, ".", on=on)
    approval = facts.approval
    if approval is None:
        yield limited("No approval of the contract is recorded.", on=on)
    else:
        stated = approval.record
        yield observed(
            f"The contract was {stated.decision} by ",
            UserText(stated.role),
            f" at {stated.at.isoformat()}.",
            on=(approval.citation,),
        )
    yield from _reasons(facts, decision, steps[-1], on)
    yield from _recorded(bundle, facts, on)


def _reasons(facts: W2Facts, decision: Decision, last: StepResult, on: tuple[Citation, ...]) -> Iterator[Statement]:
    """What blocks the decision: how much, the open discrepancies of one owner together, then everything else."""
    waiting = set(waits(facts.open_discrepancies))
    held = [each for each in decision.reasons if each in waiting]
    if decision.reasons:
        count = len(decision.reasons)
        points = "1 open point keeps" if count == 1 else f"{count} open points keep"
        noun = "discrepancy" if len(held) == 1 else "discrepancies"
        parts = f": {len(held)} open {noun}, {count - len(held)} others" if held else ""
        yield observed(f"{points} step {last.number} from advancing{parts}.", on=on)
    if held:
        owners = dict.fromkeys(each.owner_role for each in facts.open_discrepancies)
        for owner in owners:
            found = [each for each in facts.open_discrepancies if each.owner_role == owner]
            on = tuple(citation for each in found for citation in each.citations)
            names = ", ".join(str(each.id) for each in found)
            yield observed("Publication is blocked until ", UserText(owner), f" disposes of {names}.", on=on)
    yield from (each for each in decision.reasons if each not in waiting)


def _recorded(bundle: Bundle, facts: W2Facts, on: tuple[Citation, ...]) -> Iterator[Statement]:
    for position, entry in enumerate(bundle.decisions.dispositions if facts.reconciled else ()):
        if entry.subject.startswith("X-") and position not in facts.uncounted:
            words = (UserText(entry.subject), " by ", UserText(entry.role), ": ", UserText(entry.decision))
            about = next((each.citations for each in facts.discrepancies if each.id == entry.subject), on)
            says = f", at {entry.at.isoformat()}, about what is cited here."
            yield observed("Recorded disposition of ", *words, says, on=about)


# The sentences of the limitations.


def limitations(bundle: Bundle, facts: W2Facts) -> Iterator[Statement]:
    """What this reference can't say, then what it assumes because the supplier does."""
    on = read_items(bundle, facts)
    yield limited("Valid only at the one revision named; what is deployed is unknown.", on=on)
    yield limited(
        "Error behaviour that the contract does not define is not documented.", on=contract_citation(facts) or on
    )
    for warning in bundle.warnings:
        yield limited(UserText(warning.found))
    yield from facts.undecided
    yield from doubts(facts)
    yield from later_runs(bundle)
    yield from unread_parts(facts.runs)
    yield from violated(bundle)
    yield from uncompared(bundle)
    yield from unlisted(facts)
    yield from unread_code(facts)
    yield from _conversions(facts)
    yield from _client_examples(facts)
    for each in facts.scope.record.exclusions or () if facts.scope else ():
        yield limited("Excluded from this reference: ", UserText(each.operation), ": ", UserText(each.why), ".")
    for exclusion in bundle.request.exclusions:
        yield limited("Excluded from this review: ", UserText(exclusion), ".")
    yield from closing(bundle, facts.redactor)


def _client_examples(facts: W2Facts) -> Iterator[Statement]:
    """What the examples that clients supplied are worth: agreeing with the contract is no proof that anything ran."""
    if not facts.client_examples:
        return
    agreeing = [each for each in facts.client_examples if each.held is Held.ACCEPTED]
    yield inferred(
        f"Client examples that the contract describes in every field: {len(agreeing)} of {len(facts.client_examples)}; "
        "none of them was executed here, and none is printed.",
        on=tuple(each.citation for each in agreeing or facts.client_examples),
    )
    for each in facts.client_examples:
        if each.held is not Held.ACCEPTED:
            whose = (UserText(each.example), " of client ", UserText(each.client))
            yield limited("Example ", *whose, f" is {each.held}: ", *each.why, ".", on=(each.citation,))


# The whole view.


UNREACHED: Final = "step 4 was not reached"


@dataclass(frozen=True, slots=True, kw_only=True)
class W2View:
    """The ready parts of `api-reference.md`, in the order of the template. `none_*` are rows for empty registers."""

    title: SafeMarkdown
    verdict: tuple[SafeMarkdown, ...]
    index: tuple[TableRow, ...]
    operations: tuple[OperationEntry, ...]
    none_properties: tuple[TableRow, ...]
    none_parameters: tuple[TableRow, ...]
    none_answers: tuple[TableRow, ...]
    boundary: tuple[TableRow, ...]
    authentication: tuple[TableRow, ...]
    disputed: tuple[SafeMarkdown, ...]
    examples: tuple[TableRow, ...]
    objects: tuple[Printed, ...]
    none_fields: tuple[TableRow, ...]
    errors: tuple[TableRow, ...]
    error_objects: tuple[Printed, ...]
    error_examples: tuple[LabelledExample, ...]
    behaviour: tuple[TableRow, ...]
    report: tuple[TableRow, ...]
    runs: tuple[SafeMarkdown, ...]
    proposed: tuple[SafeMarkdown, ...]
    discrepancies: tuple[TableRow, ...]
    forms: tuple[SafeMarkdown, ...]
    approval: tuple[SafeMarkdown, ...]
    gates: tuple[TableRow, ...]
    reviews: tuple[TableRow, ...]
    criteria: tuple[TableRow, ...]
    steps: tuple[TableRow, ...]
    follow_up: tuple[TableRow, ...]
    limitations: tuple[SafeMarkdown, ...]
    gaps: tuple[TableRow, ...]
    trace: tuple[TableRow, ...]
    reasons: tuple[SafeMarkdown, ...]
    evidence: tuple[TableRow, ...]
    checksums: SafeMarkdown


def build_view(bundle: Bundle, steps: Sequence[StepResult], facts: W2Facts, decision: Decision) -> W2View:
    """The view of a run, complete also when the run stopped: a stopped run publishes nothing of later steps."""
    read = read_items(bundle, facts)
    objects = Objects(bundle, facts)
    view = W2View(
        title=heading(bundle.title),
        verdict=told(bundle, verdict(bundle, facts, decision)),
        index=index_rows(bundle, facts) or empty(6, UNREACHED, read),
        operations=operation_entries(bundle, facts, objects),
        none_properties=empty(3, UNREACHED, read),
        none_parameters=empty(6, UNREACHED, read),
        none_answers=empty(5, UNREACHED, read),
        boundary=boundary_rows(_in_short(bundle, row) for row in facts.boundary),
        authentication=authentication_rows(bundle, facts) or empty(5, UNREACHED, read),
        disputed=told(bundle, disputed_authentication(facts)),
        examples=tuple(example_rows(bundle, facts)) or empty(5, UNREACHED, read),
        objects=objects.printed(Home.SUCCESS),
        none_fields=empty(5, _no_objects(facts), read),
        errors=error_rows(bundle, facts, objects) or empty(5, _no_errors(facts), read),
        error_objects=objects.printed(Home.ERROR),
        error_examples=tuple(error_examples(bundle, facts)),
        behaviour=behaviour_rows(bundle, facts) or empty(4, _no_behaviour(facts), read),
        report=report_rows(bundle, facts, read),
        runs=told(bundle, run_statements(facts)),
        proposed=told(bundle, proposed_statements(facts)),
        discrepancies=discrepancy_rows(bundle, facts, read),
        forms=printed(exact_forms(bundle, facts)),
        approval=told(bundle, approval_state(bundle, steps, facts, decision)),
        gates=gate_rows(facts.gates),
        reviews=review_rows(bundle, facts),
        criteria=criteria_rows(facts),
        steps=step_rows(steps),
        follow_up=follow_up_rows(decision.next_actions),
        limitations=told(bundle, limitations(bundle, facts)),
        gaps=gap_rows(bundle, facts),
        trace=trace_rows(bundle, facts, decision),
        reasons=told(bundle, matrix_reasons(facts)),
        evidence=(),
        checksums=checksums(bundle),
    )
    return replace(view, evidence=evidence_rows(bundle, cited_ids(view)))


_DIGITS: Final = re.compile(r"(?<![0-9a-f])([0-9a-f]{12})(?:[0-9a-f]{28}|[0-9a-f]{52})(?![0-9a-f])")


def _in_short(bundle: Bundle, row: BoundaryRow) -> BoundaryRow:
    """A fact of the boundary with revisions and digests by their first twelve digits, cited by line."""
    value = [UserText(_DIGITS.sub(r"\1", part.value)) if isinstance(part, UserText) else part for part in row.value]
    return replace(row, value=tuple(value), citations=near(bundle, row.citations))


def _no_objects(facts: W2Facts) -> str:
    return "no success response has an object of a name" if facts.entries else UNREACHED


def _no_errors(facts: W2Facts) -> str:
    return "the contract defines no error response" if facts.entries else UNREACHED


def _no_behaviour(facts: W2Facts) -> str:
    return "the contract states nothing" if facts.entries else UNREACHED


def _conversions(facts: W2Facts) -> Iterator[Statement]:
    """The operations whose code takes more in a body than the types of the contract, because it converts."""
    routes = {each.id: facts.matching.route(each) for each in facts.operations} if facts.matching else {}
    found = {name: route.body for name, route in routes.items() if route is not None and route.body is not None}
    converting = {name: body for name, body in found.items() if body.coerces}
    if converting:
        on = tuple(dict.fromkeys(each for body in converting.values() for each in body.spot.citations))
        words = (
            "Values of other JSON types that convert, a text of digits for a number, are taken too in the body of ",
        )
        yield limited(*words, *listed(converting), "; the reference states the contract's types.", on=on)
