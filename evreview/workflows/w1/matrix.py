"""The compatibility matrix as people read it: where it breaks, one short row a difference, and the card behind its id.

Cells hold what a reader compares between rows. The rule, both forms whole, all places and all evidence are in the card.
"""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from evreview.comparison.comparison import JudgedRow
from evreview.core.quoted_text import Text, UserText, begin_of, counted, joined, listed, plain, text
from evreview.core.vocabulary import ABSENT, ClientId, DeltaId, Form, ProofStatus, Realism, Tristate, Verdict
from evreview.evidence.citation import on_line
from evreview.evidence.cited_records import records_of
from evreview.evidence.element_mentions import operation_key
from evreview.evidence.item import Bundle, Citation
from evreview.evidence.records.compatibility import ClientInventory
from evreview.evidence.records.test_runs import TestRecord
from evreview.kinds.registry import spec_of
from evreview.report.difference_card import Card, CardPart, PartLabel, card_of
from evreview.report.difference_text import RowContext, RowText, listed_under, names_of, numbers, said, stated
from evreview.report.escape import (
    SafeMarkdown,
    cell,
    cell_code,
    cell_plain,
    cell_words,
    citations,
    fence,
    fragments,
    own_id,
    row_link,
    shorten,
    statement,
)
from evreview.report.statement import Statement, inferred, limited, observed, proposed, recommended
from evreview.report.validate_glance import ALSO, UNDER, UNUSED, counts_under
from evreview.workflows.engine.registers import TableRow, by_line, empty, near
from evreview.workflows.w1.client_outcomes import (
    ClientOutcome,
    DeltaOutcomes,
    delta_outcomes,
    expected_words,
    named,
    outcome_of,
    worst,
)
from evreview.workflows.w1.clients.impact import Impact
from evreview.workflows.w1.facts import W1Facts, contract_citations, read_contracts, row_citations

FOLDED: Final = 200
"""Compatible rows that the Markdown prints one by one; more of them are folded per operation."""


@dataclass(frozen=True, slots=True)
class RowWords:
    """What every row of the ledger says, redacted before it is said.

    Attributes:
        texts, cards: by id.
        groups: the operations, or other elements, that a row is listed under.
        impacts: what the rows mean for known clients, by id.
        names: operations as the contract writes them, by key.
    """

    texts: Mapping[str, RowText]
    cards: Mapping[str, Card]
    groups: Mapping[str, tuple[str, ...]]
    impacts: Mapping[str, tuple[Impact, ...]]
    names: Mapping[str, str]


def row_words(facts: W1Facts) -> RowWords:
    """The words of all rows; without any before step 2."""
    names = names_of(*filter(None, (facts.released, facts.candidate)))
    documents: Any = facts.redactor.apart().clean_json([stated(row, facts.released) for row in facts.rows])
    ordinal = numbers(documents)
    files = tuple(contract.path for contract in (facts.released, facts.candidate) if contract)
    told = {
        str(each["id"]): RowContext(names=names, number=ordinal.get(str(each["id"]), ""), contracts=files)
        for each in documents
    }
    impacts: dict[str, list[Impact]] = defaultdict(list)
    for impact in facts.impacts:
        impacts[impact.delta_id].append(impact)
    return RowWords(
        texts={str(each["id"]): said(each, told[str(each["id"])]) for each in documents},
        cards={str(each["id"]): card_of(each, told[str(each["id"])]) for each in documents},
        groups={str(each["id"]): listed_under(each) for each in documents},
        impacts={name: tuple(found) for name, found in impacts.items()},
        names=names,
    )


_ORDER: Final = (Verdict.BREAKING, Verdict.UNKNOWN, Verdict.COMPATIBLE)


def worst_first(facts: W1Facts) -> tuple[JudgedRow, ...]:
    """The rows by verdict, those that a retained run shows to fail first; in the ledger's order among equals."""
    failing = {impact.delta_id for impact in facts.impacts if impact.executed == "failed"}
    declared = {impact.delta_id for impact in facts.impacts if impact.contract_incompatible is Tristate.YES}

    def weight(row: JudgedRow) -> tuple[int, bool, bool]:
        found = row.delta.id
        return _ORDER.index(row.judgement.verdict), found not in failing, found not in declared

    return tuple(sorted(facts.rows, key=weight))


# Where it breaks: operation x verdict and client.


_SHOWN: Final = 8
OTHERS: Final = "others"
"""What is listed under nothing of a name."""
_COLUMNS: Final = 3
"""Clients with a column of their own; more share one."""
_TOLD: Final[Mapping[ClientOutcome, str]] = {
    ClientOutcome.FAILS: "**fails** (run)",
    ClientOutcome.MAY_FAIL: "may fail (declared)",
    ClientOutcome.INFERRED: "may fail (inferred)",
    ClientOutcome.PASSES: "passes (run)",
}


@dataclass(frozen=True, slots=True)
class Glance:
    """The table of operations: its header cells and its rows."""

    columns: TableRow
    rows: tuple[TableRow, ...]


def where_it_breaks(bundle: Bundle, facts: W1Facts, words: RowWords) -> Glance | None:
    """Operations by the number of breaking rows, at most eight, the rest summed; None without a classified row."""
    if not facts.rows or not facts.classified:
        return None
    groups = _by_operation(facts, words)
    clients = tuple(dict.fromkeys(row.client for row in facts.clients))
    ordered = list(groups)
    shown, rest = (ordered, []) if len(ordered) <= _SHOWN else (ordered[: _SHOWN - 1], ordered[_SHOWN - 1 :])
    counts = [Verdict.BREAKING, *([Verdict.UNKNOWN] if _count(facts.rows, Verdict.UNKNOWN) else []), Verdict.COMPATIBLE]
    rows = [
        _glance_row(bundle, facts, words, name, tuple(groups[name]), clients, counts)
        for name in shown
    ]  # fmt: skip
    if rest:
        every = tuple({row.delta.id: row for name in rest for row in groups[name]}.values())
        summed = _glance_row(bundle, facts, words, "", every, clients, counts)
        rows.append((cell(f"{len(rest)} more"), *summed[1:]))
    first = "Operation" if any(row.delta.operation for row in facts.rows) else "Element"
    own = tuple(cell_code(client) for client in clients) if len(clients) <= _COLUMNS else (cell("Known clients"),)
    head = (cell(first), *(cell(str(verdict).capitalize()) for verdict in counts), *own, cell("Unlisted"))
    return Glance((*head, cell("Evidence")), tuple(rows))


def _shown_names(facts: W1Facts, words: RowWords) -> tuple[str, ...] | None:
    """The names that the table of operations has a row for, as it prints them; None without a table."""
    if not facts.rows or not facts.classified:
        return None
    every = list(_by_operation(facts, words))
    shown = every if len(every) <= _SHOWN else every[: _SHOWN - 1]
    return tuple(words.names.get(name, name) or OTHERS for name in shown)


def unused(bundle: Bundle, facts: W1Facts, words: RowWords) -> Iterator[Statement]:
    """The operations of the table that each client declares no use of."""
    if not facts.classified:
        return
    known = frozenset(map(operation_key, words.names))
    there = [name for name in _by_operation(facts, words) if name in words.names]
    for client, on in {row.client: row.parser.citation for row in facts.clients}.items():
        names = [words.names[name] for name in there if not _uses(bundle, client, operation_key(name), known)]
        if names:
            yield observed(UserText(client), UNUSED, *listed(names), ".", on=(on_line(bundle, on),))


def _by_operation(facts: W1Facts, words: RowWords) -> dict[str, list[JudgedRow]]:
    """The rows of each operation, the operation with the most breaking rows first."""
    groups: dict[str, list[JudgedRow]] = defaultdict(list)
    for row in facts.rows:
        for name in words.groups[row.delta.id]:
            groups[name].append(row)

    def weight(name: str) -> tuple[int, int]:
        return -_count(groups[name], Verdict.BREAKING), -_count(groups[name], Verdict.UNKNOWN)

    return {name: groups[name] for name in sorted(groups, key=weight)}


def met_by_operation(bundle: Bundle, facts: W1Facts, words: RowWords) -> dict[str, dict[ClientId, ClientOutcome]]:
    """What each known client meets in each operation, worst operation first; {} where nothing is classified."""
    clients = tuple(dict.fromkeys(row.client for row in facts.clients))
    groups = _by_operation(facts, words) if facts.classified else {}
    return {
        name: {client: _met(bundle, words, client, name, _telling(rows)) for client in clients}
        for name, rows in groups.items()
    }


def _telling(rows: Sequence[JudgedRow]) -> list[JudgedRow]:
    """The rows that tell what a client meets: those that are not compatible, or all."""
    return [row for row in rows if row.judgement.verdict is not Verdict.COMPATIBLE] or list(rows)


def _count(rows: Iterable[JudgedRow], verdict: Verdict) -> int:
    return sum(row.judgement.verdict is verdict for row in rows)


def _glance_row(  # noqa: PLR0913  one row of the table is made from all of it
    bundle: Bundle,
    facts: W1Facts,
    words: RowWords,
    head: str,
    rows: tuple[JudgedRow, ...],
    clients: tuple[ClientId, ...],
    counts: Sequence[Verdict],
) -> TableRow:
    breaking = _telling(rows)
    met = {client: _met(bundle, words, client, head, breaking) for client in clients}
    unlisted = facts.unknown_consumers
    is_open = unlisted is None or any(unlisted.open_for(row.delta.id) for row in rows)
    cited = contract_citations(bundle, breaking[0])[:1]
    entries = [row.parser.citation for row in facts.clients if met[row.client] not in (*_QUIET, *_RUN)]
    shown = [client for client, outcome in met.items() if outcome in _RUN]
    impacts = [each for row in breaking for each in words.impacts.get(row.delta.id, ()) if each.client in shown]
    runs = dict.fromkeys(on_line(bundle, check) for each in impacts for check in each.executed_checks)
    return (
        cell_code(words.names.get(head, head)) if head else cell(OTHERS),
        *(cell(str(_count(rows, verdict))) for verdict in counts),
        *_client_cells(met),
        cell("unknown" if is_open else "closed by usage"),
        citations(near(bundle, (*cited, *runs, *entries))),
    )


def _met(bundle: Bundle, words: RowWords, client: ClientId, head: str, rows: Sequence[JudgedRow]) -> ClientOutcome:
    """What a client meets in an operation that it declares to use; a run of another operation shows nothing here.

    Evidence that names no operation of the contracts, and rows below an element that is none, can't be told apart so.
    """
    known = frozenset(map(operation_key, words.names))
    operation = operation_key(head) if head in words.names else ""
    if operation and not _uses(bundle, client, operation, known):
        return ClientOutcome.NOT_DECLARED
    found = [each for row in rows for each in words.impacts.get(row.delta.id, ()) if each.client == client]
    outcomes = []
    for each in found:
        outcome, ran = outcome_of(each), _operations_run(bundle, each)
        elsewhere = operation not in ran and ran & set(map(operation_key, words.groups[each.delta_id]))
        outcomes.append(ClientOutcome.INFERRED if outcome is ClientOutcome.FAILS and elsewhere else outcome)
    return worst(outcomes)


def _uses(bundle: Bundle, client: ClientId, operation: str, known: frozenset[str]) -> bool:
    """False where the client declares its uses in operations of the contracts, and this is none of them."""
    entries = [
        each for found in records_of(bundle, ClientInventory) for each in found.record.clients if each.id == client
    ]
    used = {operation_key(use.operation) for each in entries for use in (each.uses or ())}
    declared = all(each.uses is not None for each in entries) and bool(used & known)
    return not declared or operation in used


def _operations_run(bundle: Bundle, impact: Impact) -> frozenset[str]:
    """The operations that the executed checks of an impact name."""
    checks = {
        found.at(f"/checks/{at}"): check
        for found in records_of(bundle, TestRecord)
        for at, check in enumerate(found.record.checks)
    }
    named = (checks[each].operation for each in impact.executed_checks if each in checks)
    return frozenset(operation_key(name) for name in named if name)


_QUIET: Final = (ClientOutcome.NO_CONFLICT, ClientOutcome.NOT_DECLARED)
_RUN: Final = (ClientOutcome.FAILS, ClientOutcome.PASSES)


def _client_cells(met: Mapping[ClientId, ClientOutcome]) -> TableRow:
    if len(met) <= _COLUMNS:
        return tuple(SafeMarkdown(_TOLD[word]) if word in _TOLD else cell(word.value) for word in met.values())
    tally = Counter(met.values())
    told = ", ".join(f"{tally[word]} {word.value}" for word in ClientOutcome if tally[word] and word not in _QUIET)
    return (cell(told or "no conflict declared"),)


# The matrix.


def matrix_rows(bundle: Bundle, facts: W1Facts, words: RowWords) -> tuple[TableRow, ...]:
    """Breaking and unknown rows, worst first; where nothing is classified, every row."""
    material = [row for row in worst_first(facts) if not facts.classified or _is_material(row)]
    rows = tuple(_matrix_row(bundle, facts, row, words) for row in material)
    return rows or empty(6, _no_row(facts), read_contracts(bundle))


def compatible_rows(bundle: Bundle, facts: W1Facts, words: RowWords) -> tuple[TableRow, ...]:
    """The compatible rows; () where nothing is classified or there are too many to print one by one."""
    rows = [row for row in worst_first(facts) if facts.classified and not _is_material(row)]
    return () if len(rows) > FOLDED else tuple(_matrix_row(bundle, facts, row, words) for row in rows)


def folded(facts: W1Facts, words: RowWords) -> tuple[TableRow, ...]:
    """Per operation, how many compatible rows the registers hold; () where the artifact prints each."""
    rows = [row for row in facts.rows if facts.classified and not _is_material(row)]
    if len(rows) <= FOLDED:
        return ()
    counts = Counter(words.groups[row.delta.id][0] for row in rows)
    return tuple(
        (cell_code(words.names.get(name, name) or "the document"), cell(str(counts[name]))) for name in sorted(counts)
    )


def _is_material(row: JudgedRow) -> bool:
    return row.judgement.verdict is not Verdict.COMPATIBLE


def _no_row(facts: W1Facts) -> str:
    if facts.comparison is None:
        return "step 2 was not reached"
    return "no difference breaks or is unknown" if facts.rows else "the contracts do not differ on the wire"


def _matrix_row(bundle: Bundle, facts: W1Facts, row: JudgedRow, words: RowWords) -> TableRow:
    spoken = words.texts[row.delta.id]
    found = delta_outcomes(words.impacts.get(row.delta.id, ()))
    place = plain(spoken.where(spec_of(row.delta.kind).operation_word))
    # Without code font a place may wrap.
    told = SafeMarkdown(f"<br>{cell(place)}" if place else "")
    return (
        SafeMarkdown(f"{row_link(row.delta.id)}<br>{cell_words(spoken.title)}{told}"),
        # Without code font a form may wrap; its card has the code.
        cell_plain(spoken.released),
        cell_plain(spoken.candidate),
        fragments(by_line(bundle, _producer(facts, row))),
        fragments(by_line(bundle, _consumer(facts, row, found))),
        citations(short_evidence(bundle, facts, row, found)),
    )


def short_evidence(bundle: Bundle, facts: W1Facts, row: JudgedRow, found: DeltaOutcomes) -> tuple[Citation, ...]:
    """Both contracts, then the implementation, what ran and what is declared: the first five, on their lines."""
    return near(bundle, (*row_citations(bundle, facts, row), *found.declarations))


def _producer(facts: W1Facts, row: JudgedRow) -> tuple[Statement, ...]:
    """The verdict with the answers that apply, and how they are supported; the Evidence cell cites for them."""
    if not facts.classified:
        return (limited("Not classified: step 4 was not reached."),)
    judged = row.judgement
    answers = (("old requests accepted", judged.accepts_old_requests), ("old form kept", judged.emits_old_compatible))
    told = "".join(f"; {words}: {answer}" for words, answer in answers if answer is not Tristate.NOT_APPLICABLE)
    planes = "; ".join(f"{plane}: {verdict}" for plane, verdict in judged.planes)
    stated_ = (inferred(f"{judged.verdict}{told}"), *([inferred(planes)] if planes else []))
    decided = facts.by_policy.get(row.delta.id)
    if decided is not None:
        return (*stated_, observed("The policy says that clients take any status of the class.", on=(decided,)))
    return (*stated_, _standing(facts, row))


def _standing(facts: W1Facts, row: JudgedRow) -> Statement:
    """How the classification is supported: an executed check, a computed proof, or neither."""
    checks = facts.checks.verifies(row.delta.id, "producer") if facts.checks else ()
    if checks:
        return observed("verified by a retained result", on=tuple(check.citation for check in checks))
    replayed = facts.checks.replayed(row.delta.id) if facts.checks else ()
    if replayed:
        return limited("both contracts replayed; the service unverified", on=tuple(each.citation for each in replayed))
    told = "" if row.proof.realism in (None, Realism.DECLARED) else f"; witness {row.proof.realism}"
    if row.proof.status in (ProofStatus.PROVED, ProofStatus.WITNESSED):
        return limited(f"{row.proof.status} by {row.proof.method}; unverified{told}")
    return limited(f"rule only; unverified{told}")


def _consumer(facts: W1Facts, row: JudgedRow, found: DeltaOutcomes) -> tuple[Statement, ...]:
    """The three consumer facts as labelled fragments; unlisted consumers are unknown."""
    if facts.unknown_consumers is None:
        return (limited("Not classified: step 5 was not reached; consumers are unknown."),)
    is_open = facts.unknown_consumers.open_for(row.delta.id)
    declared = ("declared: ", *named(found.declared))
    unsure = (observed("unknown for ", *named(found.undeclared)),) if found.undeclared else ()
    ran = _ran(found)
    return (
        *(
            (observed(*declared), *unsure, observed("run: ", *ran, on=found.runs))
            if ran
            else (observed(*declared, "; run: none"), *unsure)
        ),
        inferred(*expected_words(found, found.declared)),
        limited(f"unlisted: {'unknown' if is_open else 'closed by usage'}"),
    )


def _ran(found: DeltaOutcomes) -> Text:
    ran = ((found.failed, "failed"), (found.passed, "passed"))
    return joined((*named(clients), f" {word}") for clients, word in ran if clients)


# What stands around the matrix.


def noise_line(bundle: Bundle, facts: W1Facts) -> Iterator[Statement]:
    """How many differences never reach the wire, by reason."""
    found = facts.comparison.noise if facts.comparison else ()
    if not found:
        return
    reasons = Counter(str(noise.reason) for noise in found)
    told = joined((f"{count} x ", UserText(shorten(reason, 120))) for reason, count in sorted(reasons.items()))
    yield observed(f"{counted(len(found), 'more difference')} never reach the wire: ", *told, ".",
                   on=read_contracts(bundle))  # fmt: skip


def legend(facts: W1Facts, on: Sequence[Citation]) -> Iterator[Statement]:
    """What the short words of the matrix mean."""
    if facts.classified:
        yield observed(
            "Breaking first. `declared`: clients whose declared parser contract refuses the candidate form; `run`: "
            "a retained result of a released parser; `unlisted`: consumers that no inventory names.".replace("`", ""),
            on=on,
        )


# Cards: one difference whole.


def difference_cards(bundle: Bundle, facts: W1Facts, words: RowWords) -> tuple[SafeMarkdown, ...]:
    """The card of every row that the matrix prints, under its id."""
    told = _Told(_asked_often(facts), _shown_names(facts, words), words)
    return tuple(_card(bundle, facts, row, words, told) for row in _with_card(facts))


def _with_card(facts: W1Facts) -> tuple[JudgedRow, ...]:
    printed = worst_first(facts)
    if sum(not _is_material(row) for row in printed) > FOLDED and facts.classified:
        return tuple(row for row in printed if _is_material(row))
    return printed


@dataclass(frozen=True, slots=True)
class _Told:
    """What stands above the cards or in one of them already: later cards name it.

    Attributes:
        asked: the sentences of checks that stand above the cards.
        shown: the names in the table of operations, None without one.
        words: what every row says.
        operations, rules: the id of the first card with these operations, with this rule and its reasons.
    """

    asked: Mapping[str, str]
    shown: tuple[str, ...] | None
    words: RowWords
    operations: dict[tuple[str, ...], DeltaId] = field(default_factory=dict)
    rules: dict[Text, DeltaId] = field(default_factory=dict)


_PLACE: Final = "PLACE"


def _asked_often(facts: W1Facts) -> dict[str, str]:
    """What the proposed checks of several cards ask, and of which direction, without the place that each is about."""
    found: dict[str, str] = {}
    counts: Counter[str] = Counter()
    for row in _with_card(facts) if facts.checks else ():
        for check in facts.checks.proposed_for(row.delta.id) if facts.checks else ():
            if check.status == "proposed" and row.delta.address in check.what:
                asked = _without_place(check.what, row)
                found[asked] = str(check.direction)
                counts[asked] += 1
    return {asked: direction for asked, direction in found.items() if counts[asked] > 1}


def _without_place(what: str, row: JudgedRow) -> str:
    return what.replace(row.delta.address, _PLACE, 1)


def cards_lead(facts: W1Facts, on: tuple[Citation, ...]) -> Iterator[Statement]:
    """What all cards share: the command that judges a witness again, and what the proposed checks ask."""
    shown = next((row for row in facts.rows if row.proof.command), None)
    if shown is not None:
        command = shown.proof.command.replace(shown.delta.id, "ID")
        yield recommended("Replay the witness of a row with ", UserText(command), ", ID being the row's.", on=on)
    asked = joined((f"{direction}: ", UserText(what)) for what, direction in _asked_often(facts).items())
    if asked:
        where = f"; {_PLACE} being the row's, in the first that its card names."
        yield proposed("What the proposed checks of the cards ask, ", *asked, where, on=on)


def _card(bundle: Bundle, facts: W1Facts, row: JudgedRow, words: RowWords, told: _Told) -> SafeMarkdown:
    card = words.cards[row.delta.id]
    on = contract_citations(bundle, row)
    lines = [statement(each) for each in _card_statements(bundle, facts, row, words, on, told)]
    body = "\n".join(f"* {line}" for line in lines)
    shown = _value(card)
    block = f"\n\n{fence(shown, 'json')}" if shown and not _in_sentence(shown) else ""
    return SafeMarkdown(f"#### {own_id(row.delta.id.lower())}\n\n{body}{block}\n")


_INLINE: Final = 160
"""Characters of a witness that stands in its sentence; a longer one has a block."""


def _in_sentence(shown: str) -> str:
    """The value as it stands in its sentence, on one line; "" for one that needs a block."""
    try:
        json.loads(shown if "\n" in shown else "0")
    except ValueError:
        return ""
    # No text of JSON holds a line end, so each stands between members.
    line = re.sub(r"\n\s*", " ", re.sub(r"(?<=[\[{])\n\s*|\n\s*(?=[\]}])", "", shown))
    return line if len(line) <= _INLINE else ""


def _value(card: Card) -> str:
    """The message or value that shows a row, as JSON text; "" without one."""
    shown = (part.code for part in card.parts if part.label in (PartLabel.MESSAGE, PartLabel.VALUE) and part.code)
    return next(shown, "")


def _card_statements(  # noqa: PLR0913  one card is made from all of it
    bundle: Bundle, facts: W1Facts, row: JudgedRow, words: RowWords, on: tuple[Citation, ...], told: _Told
) -> Iterator[Statement]:
    card, mapped = words.cards[row.delta.id], facts.implementation.get(row.delta.id, ())
    parts = {part.label: part for part in card.parts}
    yield observed(*card.row.title, ", at ", *_place(card, row, told), ". Released: ",
                   *_form(parts[PartLabel.RELEASED]), "; candidate: ", *_form(parts[PartLabel.CANDIDATE]), ".",
                   on=(*on, *(on_line(bundle, each) for each in mapped)))  # fmt: skip
    on = tuple(Citation(each.id) for each in on)
    if facts.classified:
        yield inferred(*_rule(card, row, told), on=on)
    impacts = [each for each in words.impacts.get(row.delta.id, ()) if outcome_of(each) not in _QUIET]
    yield from by_line(bundle, _client_lines(impacts))
    planned = facts.checks.proposed_for(row.delta.id) if facts.checks else ()
    asked = [
        (UserText(each.id), *(() if _without_place(each.what, row) in told.asked else (": ", UserText(each.what))))
        for each in planned
        if each.status == "proposed"
    ]
    if asked:
        yield proposed(*joined(asked), ".", on=on)


def _rule(card: Card, row: JudgedRow, told: _Told) -> Text:
    """The rule that speaks, why, and how it is shown; where an earlier card says all of it, that card."""
    rule = ("Rule ", UserText(card.rule)) if card.rule else ("No rule speaks",)
    whole = text(*rule, ": ", *_words(row.judgement.why), *_shown(card, row))
    first = told.rules.setdefault(whole, row.delta.id)
    return whole if first == row.delta.id or _value(card) else text(*rule, ", as for ", UserText(first), ".")


def _place(card: Card, row: JudgedRow, told: _Told) -> Text:
    """Where a row stands: inside which operations, each named once, or its whole address."""
    parts = {part.label: part for part in card.parts}
    operations = list(card.row.operations) if len(card.row.operations) > 1 else []
    where = plain(parts[PartLabel.WHERE].lines[0])
    inside = next((where.removeprefix(f"{name} > ") for name in operations if where.startswith(f"{name} > ")), "")
    own = [told.words.names.get(name, name) or OTHERS for name in told.words.groups[row.delta.id]]
    derived = counts_under(inside or where, operations, told.shown or ())
    under = (UNDER, *listed(own)) if told.shown is not None and set(derived) != set(own) else ()
    if not operations:
        return (UserText(where), *under)
    first = told.operations.setdefault(tuple(operations), row.delta.id)
    noun = counted(len(operations), spec_of(row.delta.kind).operation_word)
    same: Text = (f"the {noun} of ", UserText(first)) if first != row.delta.id else listed(operations)
    if where in operations and first == row.delta.id:
        return (UserText(where), ALSO, *listed([name for name in operations if name != where]), *under)
    return (UserText(inside or where), " of " if inside else "; it reaches ", *same, *under)


def _client_lines(impacts: Sequence[Impact]) -> Iterator[Statement]:
    """What declarations say of it, clients of one answer together; then what ran."""
    for answer, head in ((Tristate.YES, "does not admit it"), (Tristate.UNKNOWN, "leaves it unknown")):
        said_ = [each for each in impacts if each.contract_incompatible is answer]
        told = joined((UserText(each.client), ": ", UserText(each.contract_why)) for each in said_)
        if told:
            cited = tuple(dict.fromkeys(each for impact in said_ for each in impact.citations[:1]))
            yield observed(f"What is declared {head}: ", *told, ".", on=cited)
    for impact in impacts:
        if impact.executed != "none":
            yield observed("run: ", UserText(impact.client), f" {impact.executed}.", on=impact.executed_checks)


def _shown(card: Card, row: JudgedRow) -> Text:
    """How the classification is shown: the witness, a proof, or the rule alone."""
    told = next((part for part in card.parts if part.label is PartLabel.MESSAGE), None)
    shown = next((part for part in card.parts if part.label is PartLabel.SHOWN_BY), None)
    value = _in_sentence(_value(card))
    inline = ("; ", UserText(value)) if value else ()
    if told is not None and told.lines:
        found = row.proof.found
        more = " It is refused for more reasons than this row." if found is not None and not found.alone else ""
        return (f" Witness by {row.proof.method}: ", *joined(map(_as_user, told.lines)), *inline, ".", more)
    if shown is None:
        return ()
    why = row.proof.reason or plain(shown.lines[0])
    proved = row.proof.status in (ProofStatus.PROVED, ProofStatus.WITNESSED)
    head = f"{str(row.proof.status).capitalize()} by {row.proof.method}" if proved else "Not proved"
    return (f" {head}: ", UserText(why), *inline, ".")


def _as_user(line: Text) -> Text:
    return tuple(part if isinstance(part, UserText) else UserText(part) for part in line if str(part).strip())


def _form(part: CardPart) -> Text:
    """A form in words, and as JSON where that says more."""
    shown = (UserText(" ".join(part.code.split())),) if part.code else part.lines[0]
    return text(*(UserText(shorten(each.value, 300)) if isinstance(each, UserText) else each for each in shown))


def _words(why: str) -> Text:
    parts = why.rstrip(".").split("`")
    return text(*(UserText(part) if index % 2 else part for index, part in enumerate(parts) if part), ".")


# Unchanged context and what was not understood.


def context_rows(bundle: Bundle, facts: W1Facts) -> tuple[TableRow, ...]:
    """Unchanged elements that a row needs in order to be read, each once."""
    named_ = bundle.request.contracts
    on = (Citation(named_.released),) if named_ else ()
    seen: dict[tuple[str, str], TableRow] = {}
    for context in facts.comparison.contexts if facts.comparison else ():
        seen.setdefault(
            (context.address, str(context.why)),
            (cell_code(context.address), _shortly(context.form), cell(context.why), citations(on)),
        )
    return tuple(seen.values())


_FORM: Final = 120
"""Characters of a form that a cell shows."""


def _shortly(form: Form) -> SafeMarkdown:
    if form is ABSENT:
        return cell("absent")
    value = form if isinstance(form, str) else json.dumps(form, sort_keys=True, ensure_ascii=False)
    cut = len(value) > _FORM
    return cell_code(f"{begin_of(value, _FORM)}… ({len(value)} characters)" if cut else value)


def unread_rows(facts: W1Facts) -> tuple[TableRow, ...]:
    """What a reader could not understand."""
    return tuple(
        (
            cell_code(str(unread.place)),
            cell_words((UserText(unread.found),)),
            cell_words((UserText(unread.advice or "none"),)),
        )
        for unread in (facts.comparison.unread if facts.comparison else ())
    )


def row_title(words: RowWords, found: DeltaId | None) -> Text:
    """The title of a row, for whoever names it elsewhere; () for no row."""
    spoken = words.texts.get(found or "")
    return spoken.title if spoken else ()
