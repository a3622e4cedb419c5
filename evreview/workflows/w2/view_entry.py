"""One whole entry per operation: what it does, how it is called, what answers, how it behaves, what is left out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final

from evreview.codefacts.model import CodeNote, Route
from evreview.contract.citations import cited_place
from evreview.core.quoted_text import Text, UserText, joined, listed
from evreview.core.vocabulary import ABSENT, Concern
from evreview.evidence.item import Bundle, Citation
from evreview.report.escape import (
    NOTHING,
    SafeMarkdown,
    cell,
    cell_code,
    cell_words,
    citations,
    heading,
    heading_link,
    quoted_cell,
)
from evreview.report.statement import Statement, limited, observed
from evreview.workflows.engine.registers import TableRow, short_revision
from evreview.workflows.w2.contract_rows import Entry, HeaderRow, ParameterRow, PropertyName
from evreview.workflows.w2.facts import Discrepancy, Gap, W2Facts, claim, contract_citation, withheld
from evreview.workflows.w2.matrix.evidence_matrix import RULE
from evreview.workflows.w2.reconcile.publication import (
    disputed,
    held_words,
    holds_of,
    holds_request,
    incomplete,
    is_held,
    is_partly_held,
)
from evreview.workflows.w2.scope import agreeing
from evreview.workflows.w2.tables import subject
from evreview.workflows.w2.view_blocks import (
    CHECKED,
    cites,
    ended,
    example_words,
    form_words,
    numbered_runs,
    operation_words,
    told,
)
from evreview.workflows.w2.view_messages import (
    LabelledExample,
    answer_notes,
    answer_rows,
    body_tables,
    is_sent,
    request_shown,
    success_examples,
)
from evreview.workflows.w2.view_objects import Objects, Printed, outermost

ASPECTS: Final = (
    Concern.PAGINATION,
    Concern.LIMITS,
    Concern.IDEMPOTENCY,
    Concern.SIDE_EFFECTS,
    Concern.RATE_LIMITS,
)
NOTED: Final = frozenset({Concern.SIDE_EFFECTS})
"""Concerns whose code notes are printed; a limit that only the code knows never is."""
NAMES: Final = {
    PropertyName.OPERATION_ID: "Operation ID",
    PropertyName.VERSION: "API version",
    PropertyName.BASE_URL: "Base URL shape",
}
_TOLD: Final = frozenset({*NAMES, PropertyName.PLACE, PropertyName.SUMMARY, PropertyName.DESCRIPTION})


@dataclass(frozen=True, slots=True, kw_only=True)
class BodyTable:
    """Sentences, then a table of fields."""

    said: tuple[SafeMarkdown, ...]
    rows: tuple[TableRow, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class OperationEntry:
    """Everything about one operation, in the order in which it is read."""

    heading: SafeMarkdown
    said: tuple[SafeMarkdown, ...]
    request: tuple[LabelledExample, ...]
    parameters: tuple[TableRow, ...]
    body: tuple[BodyTable, ...]
    answers: tuple[TableRow, ...]
    notes: tuple[SafeMarkdown, ...]
    fields: tuple[BodyTable, ...]
    objects: tuple[Printed, ...]
    examples: tuple[LabelledExample, ...]
    behaviour: tuple[SafeMarkdown, ...]
    record: tuple[TableRow, ...]


def operation_entries(bundle: Bundle, facts: W2Facts, objects: Objects) -> tuple[OperationEntry, ...]:
    """The entries of all operations."""
    return tuple(_entry(bundle, facts, entry, objects) for entry in facts.entries)


def _entry(bundle: Bundle, facts: W2Facts, entry: Entry, objects: Objects) -> OperationEntry:
    says = told(bundle, (*_does(entry), *disputed(facts, entry.operation.id)))
    body, notes = tuple(_body(bundle, facts, entry, objects)), told(bundle, answer_notes(facts, entry))
    fields, own = tuple(_fields(bundle, facts, entry, objects)), objects.printed(entry.operation.id)
    first, examples = led(says, request_shown(bundle, facts, entry)), tuple(success_examples(bundle, facts, entry))
    return OperationEntry(
        heading=heading(entry.operation.id),
        said=() if first else says,
        request=first,
        parameters=_parameters(bundle, facts, entry),
        body=body,
        answers=answer_rows(bundle, facts, entry, objects),
        notes=notes if fields or own or not examples else (),
        fields=fields,
        objects=own,
        examples=examples if fields or own else led(notes, examples),
        behaviour=told(bundle, (*_behaviour(entry), *_notes(facts, entry), *_undefined(facts, entry),
                                *withheld_line(facts, entry))),
        record=tuple(_record(bundle, facts, entry)),
    )  # fmt: skip


def led(said: tuple[SafeMarkdown, ...], shown: Iterable[LabelledExample]) -> tuple[LabelledExample, ...]:
    """The examples, sentences before the first in its list: two lists side by side would be one of paragraphs."""
    found = tuple(shown)
    return (replace(found[0], said=(*said, *found[0].said)), *found[1:]) if found else ()


def _does(entry: Entry) -> Iterator[Statement]:
    """What the operation does, as the contract says it."""
    rows = [row for row in entry.properties if row.name in (PropertyName.SUMMARY, PropertyName.DESCRIPTION)]
    if rows:
        on = tuple(each for row in rows for each in row.citations)
        yield observed(*ended(joined(tuple(row.value for row in rows))), on=on)


def does_in_short(entry: Entry) -> SafeMarkdown:
    """What the operation does, in a cell."""
    rows = {row.name: row.value for row in entry.properties}
    found = rows.get(PropertyName.SUMMARY) or rows.get(PropertyName.DESCRIPTION)
    return quoted_cell("".join(map(str, found))) if found else cell("not described")


# Parameters and body.


def _parameters(bundle: Bundle, facts: W2Facts, entry: Entry) -> tuple[TableRow, ...]:
    rows = [_parameter(bundle, row) for row in entry.parameters]
    lead = f"{entry.operation.id} {Concern.PARAMETERS} "
    for key in outermost(facts):
        where, _, name = key.removeprefix(lead).partition(" ")
        if key.startswith(lead) and name:
            held = cell("withheld")
            on = cites(bundle, contract_citation(facts))
            rows.append((cell_code(name), cell(where), held, held, cell(held_words(facts, key)), on))
    return tuple(rows) or _no_parameters(bundle, facts, entry)


def _parameter(bundle: Bundle, row: ParameterRow) -> TableRow:
    said = [each.says for each in row.validation]
    if row.default is not ABSENT:
        said.append(("default ", UserText(form_words(row.default))))
    if row.style:
        said.append(("style ", UserText(row.style)))
    words = [str(cell_words(joined(said)))] if said else []
    words += [str(quoted_cell(row.description))] if row.description else []
    return (
        cell_code(row.name),
        cell(row.location),
        cell_words(row.type),
        cell("yes" if row.required else "no"),
        SafeMarkdown("; ".join(words)) if words else cell("none stated"),
        cites(bundle, row.citations),
    )


def _no_parameters(bundle: Bundle, facts: W2Facts, entry: Entry) -> tuple[TableRow, ...]:
    blank = cell("n/a")
    about = f"{entry.operation.id} {Concern.PARAMETERS}"
    why = held_words(facts, about) if is_partly_held(facts, about) else "the contract defines none"
    on = next((row.citations for row in entry.properties), ())
    return ((cell(f"{NOTHING}: {why}"), blank, blank, blank, blank, cites(bundle, on)),)


def _body(bundle: Bundle, facts: W2Facts, entry: Entry, objects: Objects) -> Iterator[BodyTable]:
    if entry.body is None:
        about = f"{entry.operation.id} {Concern.REQUEST_BODY}"
        if is_partly_held(facts, about):
            says = limited(f"The request body is {held_words(facts, about)}.", on=contract_citation(facts))
            yield BodyTable(said=told(bundle, (says,)), rows=())
        return
    needed = "required" if entry.body.required else "optional"
    for body in entry.body.bodies:
        words = ("The request body, ", UserText(body.media_type or "of no stated media type"), f", is {needed}.")
        says = observed(*words, on=(*entry.body.citations, *body.citations))
        said = told(bundle, (says, *incomplete(facts, body)))
        if objects.is_shared(body):
            shared: TableRow = (cell("(body)"), objects.said(body), cell(f"{'yes' if entry.body.required else 'no'}"),
                                cell("as the object says"), cites(bundle, body.citations))  # fmt: skip
            yield BodyTable(said=said, rows=(shared,))
            continue
        none = (cell(f"{NOTHING}: the contract states no schema"), *(cell("n/a"),) * 3, cites(bundle, body.citations))
        yield BodyTable(said=said, rows=objects.rows(objects.root(body)) or (none,))


def _fields(bundle: Bundle, facts: W2Facts, entry: Entry, objects: Objects) -> Iterator[BodyTable]:
    """The answers that are no object with a name."""
    for name, body in body_tables(entry, objects):
        says = observed("The body of ", UserText(name), " has these fields.", on=body.citations)
        yield BodyTable(said=told(bundle, (says, *incomplete(facts, body))), rows=objects.rows(objects.root(body)))


# Behaviour in sentences.


def _behaviour(entry: Entry) -> Iterator[Statement]:
    for aspect in ASPECTS:
        rows = entry.about(aspect)
        if rows:
            name = str(aspect)
            on = tuple(each for row in rows for each in row.citations)
            says = joined(dict.fromkeys(row.says for row in rows))
            yield observed(f"{name[0].upper()}{name[1:]}: ", *ended(says), on=on)
    for header in entry.headers:
        yield observed("Response header: ", *header_words(header), ".", on=header.citations)


def header_words(header: HeaderRow) -> Text:
    """A response header: its name, status, type and what its values keep to."""
    needed = "required" if header.required else "optional"
    words = (UserText(header.name), " on ", UserText(header.status), ", ", *header.type, f", {needed}")
    said = joined(each.says for each in header.allowed)
    return (*words, "; ", *said) if said else words


def route_of(facts: W2Facts, entry: Entry) -> Route | None:
    """The route that answers an operation, None when none was matched."""
    return facts.matching.route(entry.operation) if facts.matching else None


def _notes(facts: W2Facts, entry: Entry) -> Iterator[Statement]:
    """What only the code shows, labelled; never as a promise of the contract."""
    route = route_of(facts, entry)
    found = [note for note in (route.notes if route else ()) if note.concern in NOTED
             and not withheld(claim(entry.operation.id, note.concern, note.name), facts.withheld)]  # fmt: skip
    if found:
        words = joined([(*_noted(note), note.spot.mark) for note in found])
        on = tuple(each for note in found for each in note.spot.citations)
        yield observed("implementation-derived, not part of the contract: ", *words, ".", on=on)


def _noted(note: CodeNote) -> Text:
    value: Text = () if note.value is ABSENT else (" ", UserText(form_words(note.value)))
    lead = "" if note.certain else "a lead only, "
    return (f"{lead}{note.concern}: ", UserText(note.name), *value)


def _undefined(facts: W2Facts, entry: Entry) -> Iterator[Statement]:
    """What the contract does not define, and what is therefore not inferred (decision rule 6)."""
    found = [gap for gap in facts.gaps if gap.operation == entry.operation.id and is_undefined(gap)]
    if found:
        on = tuple(each for gap in found for each in gap.citations)
        yield limited("Undefined by the contract: ", *joined(map(subject, found)), ".", on=on)


def is_undefined(gap: Gap) -> bool:
    """True for a gap about what a caller may meet, which is stated beside the operation."""
    return (gap.kind.startswith("undefined-") or gap.concern in ASPECTS) and not RULE[gap.kind].absence


# What is withheld: named where the contract has it, else by its concern; never what the sources say of it.


def held_of(facts: W2Facts, operation: str) -> tuple[Discrepancy, ...]:
    """The discrepancies that hold back a claim about an operation, those about what the contract has first."""
    found = [each for each in facts.discrepancies
             if each.operation == operation and is_held(each) and holds_of(each, operation)]  # fmt: skip
    return tuple(sorted(found, key=lambda each: not _declared(facts, each)))


def _declared(facts: W2Facts, each: Discrepancy) -> tuple[Text, ...]:
    """The parts of the contract that a discrepancy withholds, by name."""
    names: dict[Text, None] = {}
    for key in outermost(facts):
        if not withheld(key, each.withholds) or not key.startswith(f"{each.operation} "):
            continue
        rest = key.removeprefix(f"{each.operation} ")
        concern = next((one for one in Concern if rest == one or rest.startswith(f"{one} ")), None)
        place = rest.removeprefix(str(concern)).split()
        if concern in (Concern.SUCCESS, Concern.ERRORS) and place:
            lead = "a field of the body of " if len(place) > 2 else "body of " if len(place) == 2 else ""
            names[(lead, UserText(place[0])) if lead else (UserText(place[0]),)] = None
        elif place:
            names[(UserText(place[-1]),)] = None
        else:
            names[(str(concern or rest),)] = None
    return tuple(names)


def held_names(facts: W2Facts, each: Discrepancy) -> Text:
    """What a discrepancy withholds, named as far as the contract names it."""
    return joined(_declared(facts, each), ", ") or (str(each.concern),)


def withheld_line(facts: W2Facts, entry: Entry) -> Iterator[Statement]:
    """What is left out of an entry, and the discrepancies that it waits for."""
    found = held_of(facts, entry.operation.id)
    if found:
        words = joined([(*held_names(facts, each), " (", UserText(str(each.id)), ")") for each in found], ", ")
        on = tuple(citation for each in found for citation in each.citations)
        yield limited("Withheld, by the contract discrepancy register: ", *words, ".",
                      on=on or contract_citation(facts))  # fmt: skip


def withheld_cell(facts: W2Facts, operation: str) -> SafeMarkdown:
    """What is withheld of an operation, in a cell."""
    names = dict.fromkeys(held_names(facts, each) for each in held_of(facts, operation))
    return cell_words(joined(names, ", ")) if names else cell("nothing")


# The record: the literal table, and how much was executed.


def _record(bundle: Bundle, facts: W2Facts, entry: Entry) -> Iterator[TableRow]:
    scope = facts.scope
    assert scope is not None
    named = {row.name: row for row in entry.properties}
    identified = named.get(PropertyName.OPERATION_ID)
    place = named.get(PropertyName.PLACE)
    value: Text = identified.value if identified else ("none stated; ", UserText(entry.operation.id))
    known = identified or place
    own = known.citations if known else contract_citation(facts)
    yield cell("Operation ID"), cell_words(value), cites(bundle, own)
    if place:
        yield cell("Method and path"), cell_words(place.value), cites(bundle, place.citations)
    for name, key, said in (
        (PropertyName.VERSION, "api_version", scope.record.api_version),
        (PropertyName.BASE_URL, "base_url", scope.record.base_url),
    ):
        on = named[name].citations if name in named else ()
        on = _agreeing(facts, entry, on) if name is PropertyName.BASE_URL else on
        yield cell(NAMES[name]), cell_code(said or "unknown"), cites(bundle, (*on, scope.at(f"/{key}")))
    revision = (UserText(short_revision(scope.record.revision or "")), ": the one immutable revision of all evidence")
    on = (scope.at("/revision"), *contract_citation(facts))
    yield cell("Revision"), cell_words(revision), cites(bundle, on)
    for row in entry.properties:
        if row.name not in _TOLD:
            yield cell(f"{row.name[:1].upper()}{row.name[1:]}"), cell_words(row.value), cites(bundle, row.citations)
    yield _authentication(bundle, facts, entry)
    yield from executed_rows(bundle, facts, entry)


def _authentication(bundle: Bundle, facts: W2Facts, entry: Entry) -> TableRow:
    auth = entry.authentication
    names = dict.fromkeys(use.name for alternative in auth.alternatives for use in alternative)
    on = [each for alternative in auth.alternatives for use in alternative for each in use.citations]
    words: Text = listed(names) or auth.says or ("no credentials",)
    return cell("Authentication"), cell_words(words), cites(bundle, on or auth.citations or contract_citation(facts))


def _agreeing(facts: W2Facts, entry: Entry, on: tuple[Citation, ...]) -> tuple[Citation, ...]:
    """The citations of servers without those that the scope's base URL is not of."""
    scope, contract = facts.scope, facts.contract
    if scope is None or contract is None:
        return ()
    same = agreeing(contract, entry.operation, scope.record.base_url or "") or ()
    kept = {cited_place(facts.item.id, contract.root.place.file, each.place) for each in same} if facts.item else set()
    return tuple(each for each in on if "/servers/" not in each.locator or each in kept)


def executed_rows(bundle: Bundle, facts: W2Facts, entry: Entry) -> Iterator[TableRow]:
    """Contract tests and request example: executed with run and result, or unexecuted with what is missing."""
    rows = [row for row in facts.report if entry.operation.id in row.operation.split(", ")]
    runs = numbered_runs(facts.report)
    done = [row for row in rows if row.status == "executed"]
    on = tuple(dict.fromkeys(each for row in done for each in row.citations))
    words = joined(operation_words(done, runs)) or ("unexecuted: no retained result",)
    yield cell("Execution"), cell_words(words), citations(on or contract_citation(facts))
    waiting = next((row for row in rows if row.status == "unexecuted" and is_sent(facts, row)), None)
    sent = example_words(done, runs)
    if sent or waiting is not None or holds_request(facts, entry.operation.id):
        state: Text = joined(sent) or ((f"unexecuted: {waiting.result}",) if waiting is not None else
                                       ("left out: it would show what a discrepancy withholds",))  # fmt: skip
        cited = on if sent else waiting.citations if waiting is not None else contract_citation(facts)
        yield cell("Request example"), cell_words(state), cites(bundle, cited)


# The index: one row per operation.


def index_rows(bundle: Bundle, facts: W2Facts) -> tuple[TableRow, ...]:
    """One row per operation: what it does, what answers, what is withheld, how many checks passed."""
    return tuple(_indexed(bundle, facts, entry) for entry in facts.entries)


def _indexed(bundle: Bundle, facts: W2Facts, entry: Entry) -> TableRow:
    name = entry.operation.id
    rows = [row for row in facts.report if name in row.operation.split(", ")
            and row.status == "executed" and row.result in CHECKED]  # fmt: skip
    passed = sum(row.result == "passed" for row in rows)
    on = tuple(each for row in entry.properties[:1] for each in row.citations)
    records = tuple(dict.fromkeys(row.citations[-1] for row in rows))
    return (
        heading_link(name),
        does_in_short(entry),
        cell_words(listed(response.status for response in entry.responses) or ("none",)),
        withheld_cell(facts, name),
        cell(f"{passed} of {len(rows)} passed" if rows else "none"),
        cites(bundle, (*on, *records)),
    )
