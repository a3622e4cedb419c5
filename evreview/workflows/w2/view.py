"""What the contract says of each operation, as blocks: properties, parameters, authentication."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from evreview.codefacts.model import CodeNote, Route
from evreview.contract.citations import cited_place
from evreview.core.quoted_text import Text, UserText, counted, listed
from evreview.core.vocabulary import ABSENT, Basis, Concern
from evreview.evidence.item import Bundle, Citation
from evreview.report.escape import NOTHING, SafeMarkdown, cell, cell_code, cell_words, citations, heading
from evreview.report.statement import Statement, inferred, limited, next_action, observed
from evreview.workflows.engine.conclusions import Decision
from evreview.workflows.engine.registers import (
    TableRow,
    boundary_rows,
    checksums,
    cited_ids,
    closing,
    empty,
    evidence_rows,
    gate_rows,
    printed,
    step_rows,
)
from evreview.workflows.engine.retained_runs import later_runs, violated
from evreview.workflows.engine.step import StepResult
from evreview.workflows.w2.contract_rows import Entry, HeaderRow, ParameterRow, PropertyName
from evreview.workflows.w2.examples.client_examples import Held
from evreview.workflows.w2.facts import W2Facts, claim, contract_citation, read_items, withheld
from evreview.workflows.w2.matrix.evidence_matrix import RULE
from evreview.workflows.w2.matrix.routes import unread_code
from evreview.workflows.w2.matrix.test_results import doubts
from evreview.workflows.w2.reconcile.publication import (
    disputed_about,
    held_words,
    holds_request,
    is_partly_held,
    withholding,
)
from evreview.workflows.w2.scope import agreeing, uncompared, unlisted, unread_parts
from evreview.workflows.w2.tables import (
    criteria_rows,
    discrepancy_rows,
    follow_up_rows,
    gap_rows,
    matrix_rows,
    report_rows,
    review_rows,
    trace_rows,
)
from evreview.workflows.w2.view_messages import (
    Block,
    block,
    error_blocks,
    executed_words,
    form_words,
    joined,
    operation_words,
    piece,
    request_blocks,
    success_blocks,
    words_or,
)

NAMES = {
    PropertyName.OPERATION_ID: "Operation ID",
    PropertyName.VERSION: "API version",
    PropertyName.BASE_URL: "Base URL shape",
}


def operation_blocks(facts: W2Facts) -> tuple[Block, ...]:
    """The properties of each operation, then its parameters."""
    return tuple(
        block(
            entry.operation,
            piece(withholding(facts, entry), rows=_properties(facts, entry)),
            piece(
                disputed_about(facts, entry, Concern.PARAMETERS, Concern.VALIDATION),
                rows=tuple(_parameter(row) for row in entry.parameters) or _no_parameters(facts, entry),
            ),
        )
        for entry in facts.entries
    )


def _properties(facts: W2Facts, entry: Entry) -> Iterator[TableRow]:
    scope = facts.scope
    assert scope is not None
    named = {row.name: row for row in entry.properties}
    identified = named.get(PropertyName.OPERATION_ID)
    place = named.get(PropertyName.PLACE)
    known = identified or place
    value: Text = identified.value if identified else ("none stated; ", UserText(entry.operation.id))
    yield cell("Operation ID"), cell_words(value), citations(known.citations if known else contract_citation(facts))
    if place:
        yield cell("Method and path"), cell_words(place.value), citations(place.citations)
    for name, key, said in (
        (PropertyName.VERSION, "api_version", scope.record.api_version),
        (PropertyName.BASE_URL, "base_url", scope.record.base_url),
    ):
        own = named[name].citations if name in named else ()
        own = _agreeing(facts, entry, own) if name is PropertyName.BASE_URL else own
        yield cell(NAMES[name]), cell_code(said or "unknown"), citations((*own, scope.at(f"/{key}")))
    revision = (UserText(scope.record.revision or ""), ": the one immutable revision of all evidence")
    yield cell("Revision"), cell_words(revision), citations((scope.at("/revision"), *contract_citation(facts)))
    for row in entry.properties:
        if row.name not in (*NAMES, PropertyName.PLACE):
            yield cell(f"{row.name[:1].upper()}{row.name[1:]}"), cell_words(row.value), citations(row.citations)
    state = _execution(facts, entry)
    yield cell("Execution"), cell_words(state[0]), citations(state[1])


def _agreeing(facts: W2Facts, entry: Entry, on: tuple[Citation, ...]) -> tuple[Citation, ...]:
    """The citations of servers without those that the scope's base URL is not of."""
    scope, contract = facts.scope, facts.contract
    if scope is None or contract is None:
        return ()
    same = agreeing(contract, entry.operation, scope.record.base_url or "") or ()
    kept = {cited_place(facts.item.id, contract.root.place.file, each.place) for each in same} if facts.item else set()
    return tuple(each for each in on if "/servers/" not in each.locator or each in kept)


def _execution(facts: W2Facts, entry: Entry) -> tuple[Text, tuple[Citation, ...]]:
    """Contract tests and request example: executed with environment and result, or unexecuted with what is missing."""
    rows = [row for row in facts.report if entry.operation.id in row.operation.split(", ")]
    done = [row for row in rows if row.status == "executed"]
    waiting = next((row for row in rows if row.status == "unexecuted"), None)
    if not rows and not holds_request(facts, entry.operation.id):
        return ("unexecuted: no retained result",), contract_citation(facts)
    told: list[Text] = []
    told += operation_words(done)
    if waiting is not None:
        told.append((f"request example unexecuted: {waiting.result}",))
    elif holds_request(facts, entry.operation.id):
        told.append(("request example left out: it would show what a discrepancy withholds",))
    on = tuple(dict.fromkeys(citation for row in done or rows for citation in row.citations))
    return joined(told), on[:6] or contract_citation(facts)


def _parameter(row: ParameterRow) -> TableRow:
    told = [each.says for each in row.validation]
    if row.default is not ABSENT:
        told.append(("default ", UserText(form_words(row.default))))
    if row.style:
        told.append(("style ", UserText(row.style)))
    if row.description:
        told.append((UserText(row.description),))
    return (
        cell_code(row.name),
        cell(row.location),
        cell_words(row.type),
        cell("yes" if row.required else "no"),
        words_or(told, "none stated"),
        citations(row.citations),
    )


def _no_parameters(facts: W2Facts, entry: Entry) -> tuple[TableRow, ...]:
    blank = cell("n/a")
    claim = f"{entry.operation.id} {Concern.PARAMETERS}"
    why = held_words(facts, claim) if is_partly_held(facts, claim) else "the contract defines none"
    on = next((row.citations for row in entry.properties), ())
    return ((cell(f"{NOTHING}: {why}"), blank, blank, blank, blank, citations(on)),)


def authentication_rows(facts: W2Facts) -> tuple[TableRow, ...]:
    """What each operation demands, with placeholders in the place of credentials."""
    return tuple(row for entry in facts.entries for row in _authentication(facts, entry))


def _authentication(facts: W2Facts, entry: Entry) -> Iterator[TableRow]:
    auth = entry.authentication
    name = cell_code(entry.operation.id)
    noted = [each.text for each in disputed_about(facts, entry, Concern.AUTHENTICATION)]
    if not auth.alternatives:
        on = auth.citations or contract_citation(facts)
        yield name, words_or((auth.says or ("not stated",), *noted), ""), cell("n/a"), cell("n/a"), citations(on)
    for alternative in auth.alternatives:
        if not alternative:
            yield name, words_or((("no credentials",), *noted), ""), cell("n/a"), cell("n/a"), citations(auth.citations)
            continue
        yield (
            name,
            words_or((*((UserText(use.name), ": ", *use.says) for use in alternative), *noted), "none"),
            words_or((listed(use.scopes) for use in alternative if use.scopes), "none"),
            words_or(((UserText(use.placeholder),) for use in alternative if use.placeholder), "none"),
            citations(citation for use in alternative for citation in use.citations),
        )


# Behaviour, limits and side effects: what the contract states, what is absent, and what only the code shows.


ASPECTS: Final = (
    Concern.LIMITS,
    Concern.IDEMPOTENCY,
    Concern.SIDE_EFFECTS,
    Concern.PAGINATION,
    Concern.RATE_LIMITS,
)
NOTED: Final = frozenset({Concern.SIDE_EFFECTS})
"""Concerns whose code notes are printed; a limit that only the code knows never is."""
BOTH: Final = f"{Basis.CONTRACT}, {Basis.IMPLEMENTATION}"


def behaviour_blocks(facts: W2Facts) -> tuple[Block, ...]:
    """One block per operation: the table, then implementation notes and what is undefined."""
    return tuple(
        block(
            entry.operation,
            piece(rows=tuple(_rows(facts, entry)) or _none(facts)),
            piece(
                (
                    *disputed_about(facts, entry, *ASPECTS, Concern.HEADERS),
                    *_notes(facts, entry),
                    *_undefined(facts, entry),
                )
            ),
        )
        for entry in facts.entries
    )


def _rows(facts: W2Facts, entry: Entry) -> Iterator[TableRow]:
    """What the contract states, then what neither contract nor implementation defines."""
    for aspect in ASPECTS:
        for row in entry.about(aspect):
            words: Text = (UserText(row.name), ": ", *row.says)
            yield cell(str(aspect)), cell_words(words), cell(str(Basis.CONTRACT)), citations(row.citations)
    for header in entry.headers:
        told = cell_words(_header(header))
        yield cell("response header"), told, cell(str(Basis.CONTRACT)), citations(header.citations)
    for gap in facts.gaps:
        if gap.operation == entry.operation.id and RULE[gap.kind].absence:
            yield cell(str(gap.concern)), cell_words(gap.says), cell(BOTH), citations(gap.citations)


def _none(facts: W2Facts) -> tuple[TableRow, ...]:
    blank = cell("n/a")
    return ((cell(f"{NOTHING}: the contract states nothing"), blank, blank, citations(contract_citation(facts))),)


def _header(header: HeaderRow) -> Text:
    needed = "required" if header.required else "optional"
    words = (UserText(header.name), " on ", UserText(header.status), ", ", *header.type, f", {needed}")
    told = joined(each.says for each in header.allowed)
    return (*words, "; ", *told) if told else words


def route_of(facts: W2Facts, entry: Entry) -> Route | None:
    """The route that answers an operation, None when none was matched."""
    return facts.matching.route(entry.operation) if facts.matching else None


def _notes(facts: W2Facts, entry: Entry) -> Iterator[Statement]:
    """What only the code shows, labelled; never as a promise of the contract."""
    route = route_of(facts, entry)
    for note in route.notes if route else ():
        key = claim(entry.operation.id, note.concern, note.name)
        if note.concern in NOTED and not withheld(key, facts.withheld):
            said = (*_noted(note), f"{note.spot.mark}.")
            yield observed("implementation-derived, not part of the contract: ", *said, on=note.spot.citations)


def _noted(note: CodeNote) -> Text:
    value: Text = () if note.value is ABSENT else (" ", UserText(form_words(note.value)))
    lead = "" if note.certain else "a lead only, "
    return (f"{lead}{note.concern}: ", UserText(note.name), *value)


def _undefined(facts: W2Facts, entry: Entry) -> Iterator[Statement]:
    """What the contract does not define, and what is therefore not inferred (decision rule 6)."""
    for gap in facts.gaps:
        told = gap.kind.startswith("undefined-") or gap.concern in ASPECTS
        if gap.operation == entry.operation.id and told and not RULE[gap.kind].absence:
            yield limited(*gap.says, ".", on=gap.citations)


# The sentences of the W2 artifact, section by section. Every one is labelled, and the material ones cite.


def verdict(bundle: Bundle, steps: Sequence[StepResult], facts: W2Facts, decision: Decision) -> Iterator[Statement]:
    """At most five lines: the decision, what it is valid for, the blockers, what is unverified, what was executed."""
    on = read_items(bundle, facts)
    yield inferred("Decision: ", decision.headline, ".", on=on)
    scope = facts.scope
    if scope is not None and scope.record.revision:
        version = UserText(scope.record.api_version or "unknown")
        says = (" of API version ", version, " at one immutable revision, ", UserText(scope.record.revision))
        yield observed(
            f"{counted(len(facts.operations), 'operation')}", *says, "; no claim is valid at another.", on=on
        )
    else:
        yield limited("No one immutable revision is known for contract, handlers, validators and tests.", on=on)
    if facts.reconciled:
        waiting = len(facts.open_discrepancies)
        total = len(facts.discrepancies)
        found = "1 discrepancy" if total == 1 else f"{total} discrepancies"
        open_points = f"; {counted(len(facts.points), 'comparison')} not decided" if facts.points else ""
        yield observed(f"{found}, {waiting} not disposed of{open_points}.", on=on)
    if facts.report:
        lacks = counted(len(facts.unverified), "documented response")
        yield observed(f"{executed_words(facts.report)}; {lacks} unverified.", on=on)
    if decision.reasons:
        count = len(decision.reasons)
        points = "1 open point keeps" if count == 1 else f"{count} open points keep"
        yield observed(f"{points} step {steps[-1].number} from advancing.", on=on)


def approval_state(bundle: Bundle, facts: W2Facts, decision: Decision) -> Iterator[Statement]:
    """The decision, the contract's approval, what blocks it, what people recorded, and the next actions."""
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
    yield from decision.reasons
    if facts.reconciled:
        for position, entry in enumerate(bundle.decisions.dispositions):
            if entry.subject.startswith("X-") and position not in facts.uncounted:
                words = (UserText(entry.subject), " by ", UserText(entry.role), ": ", UserText(entry.decision))
                about = next((each.citations for each in facts.discrepancies if each.id == entry.subject), on)
                says = f", at {entry.at.isoformat()}, about what is cited here."
                yield observed("Recorded disposition of ", *words, says, on=about)
    yield from decision.next_actions
    if not decision.next_actions:
        yield next_action("None.", on=on)


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


# What the W2 template prints: ready cells and sentences, nothing to compute. Built from the facts, frozen.


UNREACHED = "step 4 was not reached"


@dataclass(frozen=True, slots=True, kw_only=True)
class W2View:
    """The ready parts of `api-reference.md`, in the order of the template. `none_*` are rows for empty registers."""

    title: SafeMarkdown
    verdict: tuple[SafeMarkdown, ...]
    boundary: tuple[TableRow, ...]
    operation: tuple[Block, ...]
    none_properties: tuple[TableRow, ...]
    none_parameters: tuple[TableRow, ...]
    authentication: tuple[TableRow, ...]
    request: tuple[Block, ...]
    success: tuple[Block, ...]
    none_fields: tuple[TableRow, ...]
    errors: tuple[Block, ...]
    none_errors: tuple[TableRow, ...]
    behaviour: tuple[Block, ...]
    none_behaviour: tuple[TableRow, ...]
    report: tuple[TableRow, ...]
    discrepancies: tuple[TableRow, ...]
    approval: tuple[SafeMarkdown, ...]
    gates: tuple[TableRow, ...]
    reviews: tuple[TableRow, ...]
    criteria: tuple[TableRow, ...]
    steps: tuple[TableRow, ...]
    follow_up: tuple[TableRow, ...]
    limitations: tuple[SafeMarkdown, ...]
    gaps: tuple[TableRow, ...]
    trace: tuple[TableRow, ...]
    matrix: tuple[TableRow, ...]
    evidence: tuple[TableRow, ...]
    checksums: SafeMarkdown


def build_view(bundle: Bundle, steps: Sequence[StepResult], facts: W2Facts, decision: Decision) -> W2View:
    """The view of a run, complete also when the run stopped: a stopped run publishes nothing of later steps."""
    read = read_items(bundle, facts)
    view = W2View(
        title=heading(bundle.title),
        verdict=printed(verdict(bundle, steps, facts, decision)),
        boundary=boundary_rows(facts.boundary),
        operation=operation_blocks(facts),
        none_properties=empty(3, UNREACHED, read),
        none_parameters=empty(6, UNREACHED, read),
        authentication=authentication_rows(facts) or empty(5, UNREACHED, read),
        request=request_blocks(facts),
        success=success_blocks(facts),
        none_fields=empty(5, UNREACHED, read),
        errors=error_blocks(facts),
        none_errors=empty(5, UNREACHED, read),
        behaviour=behaviour_blocks(facts),
        none_behaviour=empty(4, UNREACHED, read),
        report=report_rows(facts, read),
        discrepancies=discrepancy_rows(facts, read),
        approval=printed(approval_state(bundle, facts, decision)),
        gates=gate_rows(facts.gates),
        reviews=review_rows(facts),
        criteria=criteria_rows(facts),
        steps=step_rows(steps),
        follow_up=follow_up_rows(bundle, steps, facts),
        limitations=printed(limitations(bundle, facts)),
        gaps=gap_rows(facts),
        trace=trace_rows(bundle, facts, decision),
        matrix=matrix_rows(facts),
        evidence=(),
        checksums=checksums(bundle),
    )
    return replace(view, evidence=evidence_rows(bundle, cited_ids(view)))


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
