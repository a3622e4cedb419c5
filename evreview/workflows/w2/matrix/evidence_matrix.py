"""The operation evidence matrix, concern by concern: contract, implementation, tests. And the gaps of operations."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from evreview.codefacts.model import Route, Spot
from evreview.core.quoted_text import Text, plain
from evreview.core.vocabulary import Concern
from evreview.evidence.citation import at_lines
from evreview.evidence.item import Citation
from evreview.schema.validators import Validators
from evreview.workflows.w2.contract_entries import Entries
from evreview.workflows.w2.facts import Cell, Gap, Operation, ReferenceEvidence, Source, Standing
from evreview.workflows.w2.matrix import gap_rules
from evreview.workflows.w2.matrix.concerns import (
    MOST_CITATIONS,
    NOTHING_TO_TEST,
    Known,
    Statement,
    by_code,
    by_contract,
    by_tests,
    inapplicable,
)
from evreview.workflows.w2.matrix.gap_rules import GapFinding, GapRule, Looked
from evreview.workflows.w2.matrix.routes import Matching
from evreview.workflows.w2.matrix.test_results import Coverage

if TYPE_CHECKING:
    from pandas import DataFrame


NOT_JUDGED: Final = (
    "no store into what outlives the call and no call that is known for an effect was found; other calls are not judged"
)
ONLY_LEADS: Final = "only leads suggest it, and nobody judged them"
ELSEWHERE: Final = "a call of what no supplied file holds may answer errors"
REWRITTEN: Final = "a hook changes the status of what the code answers"
UNREAD_CHECKS: Final = "a condition or a function may refuse or change further values, which is not read as a value set"


@dataclass(frozen=True, slots=True)
class _Row:
    """One operation, with everything that its cells are made from."""

    operation: Operation
    known: Known
    route: Route | None
    unanswered: str


class Matrix:
    """Fills the cells; see `matrix`."""

    def __init__(self, evidence: ReferenceEvidence, entries: Entries, matching: Matching, covered: Coverage) -> None:
        self._evidence = evidence
        self._entries = entries
        self._matching = matching
        self._covered = covered

    def cells(self, operation: Operation) -> Iterator[Cell]:
        """The cells of one operation, three for each concern."""
        route = self._matching.route(operation)
        read_whole = route if route is not None and is_whole(route) else None
        row = _Row(
            operation=operation,
            known=Known(self._entries.entry(operation), read_whole),
            route=route,
            unanswered=self._matching.unanswered.get(operation.id, ""),
        )
        for concern in Concern:
            yield from self._concern(row, concern)

    def _concern(self, row: _Row, concern: Concern) -> Iterator[Cell]:
        rule = inapplicable(concern, row.known)
        if rule is not None:
            yield from self._inapplicable(row, concern, rule.why)
            return
        contract, code = self._contract(row, concern), self._code(row, concern)
        yield contract
        yield code
        yield self._tests(row, concern, nothing=contract.standing is code.standing is Standing.ABSENT)

    def _inapplicable(self, row: _Row, concern: Concern, why: str) -> Iterator[Cell]:
        lines = (_lines(row.route.spot),) if row.route is not None else ()
        places = {
            Source.CONTRACT: (self._entries.places.at(row.operation.element.place),),
            Source.IMPLEMENTATION: lines,
            Source.TEST: (),
        }
        for source, on in places.items():
            yield _cell((row, concern, source), Standing.NOT_APPLICABLE, reason=why, citations=on)

    def _contract(self, row: _Row, concern: Concern) -> Cell:
        found = by_contract(row.known.entry, concern)
        if found:
            return _stated((row, concern, Source.CONTRACT), found)
        here = row.operation.element.place
        inside = [each for each in self._evidence.contract.unread if _below(each.place.pointer, here.pointer)]
        if inside:
            where = tuple(self._entries.places.at(each.place) for each in inside)
            reason = "a part of the operation could not be read"
            return _cell((row, concern, Source.CONTRACT), Standing.UNREAD, reason=reason, citations=where)
        return _cell((row, concern, Source.CONTRACT), Standing.ABSENT, citations=(self._entries.places.at(here),))

    def _code(self, row: _Row, concern: Concern) -> Cell:
        route = row.route
        if route is None:
            unread = self._evidence.code.unread
            standing = Standing.UNREAD if unread and self._evidence.code.routes == () else Standing.UNMAPPED
            lines = tuple(_lines(each.spot) for each in unread)
            reason = row.unanswered
            return _cell((row, concern, Source.IMPLEMENTATION), standing, reason=reason, citations=lines)
        found = by_code(route, concern, row.known.entry)
        if found:
            cell = _stated((row, concern, Source.IMPLEMENTATION), found)
            doubt = _doubt(route, concern)
            return replace(cell, standing=Standing.UNREAD, reason=doubt) if doubt else cell
        here = (_lines(route.spot),)
        if route.framework == "declared":
            reason = "the code is known by declared facts only, and none of them says it"
            return _cell((row, concern, Source.IMPLEMENTATION), Standing.UNMAPPED, reason=reason, citations=here)
        if route.unread:
            lines = tuple(_lines(each.spot) for each in route.unread)
            reason = "a part of its code could not be read"
            return _cell((row, concern, Source.IMPLEMENTATION), Standing.UNREAD, reason=reason, citations=lines)
        if concern is Concern.ERRORS and route.elsewhere:
            lines = tuple(_lines(each.spot) for each in route.elsewhere)
            return _cell((row, concern, Source.IMPLEMENTATION), Standing.UNREAD, reason=ELSEWHERE, citations=lines)
        if concern is Concern.SIDE_EFFECTS:
            return _cell((row, concern, Source.IMPLEMENTATION), Standing.UNREAD, reason=NOT_JUDGED, citations=here)
        return _cell((row, concern, Source.IMPLEMENTATION), Standing.ABSENT, citations=here)

    def _tests(self, row: _Row, concern: Concern, *, nothing: bool) -> Cell:
        observed = [each for each in self._covered.of(row.operation.id) if concern in each.concerns]
        found = by_tests(observed, concern)
        if found:
            return _stated((row, concern, Source.TEST), found)
        if nothing:
            return _cell((row, concern, Source.TEST), Standing.NOT_APPLICABLE, reason=NOTHING_TO_TEST)
        if observed:
            lines = tuple(each.citation for each in observed)
            reason = plain(observed[0].why) or "the test shows nothing"
            return _cell((row, concern, Source.TEST), Standing.UNREAD, reason=reason, citations=lines)
        reason = "no retained test is about it" if self._evidence.runs else "no retained test run was supplied"
        return _cell((row, concern, Source.TEST), Standing.UNMAPPED, reason=reason)


def _doubt(route: Route, concern: Concern) -> str:
    """Why what the code says about a concern is not all of it: leads, checks that are not read; "" where it is."""
    certain = {note.certain for note in route.notes if note.concern is concern}
    if concern is Concern.SIDE_EFFECTS and True not in certain:
        return ONLY_LEADS
    if concern in (Concern.SUCCESS, Concern.ERRORS) and route.rewritten:
        return REWRITTEN
    return UNREAD_CHECKS if concern is Concern.VALIDATION and False in certain else ""


def is_whole(route: Route) -> bool:
    """True when a route's silence says something: its code was read, all of it."""
    return route.framework != "declared" and not route.unread


def matrix(
    evidence: ReferenceEvidence,
    operations: Sequence[Operation],
    entries: Entries,
    matching: Matching,
    covered: Coverage,
) -> tuple[Cell, ...]:
    """One cell per operation, concern and source, in that order.

    Every concern of the vocabulary has its cells: stated with citations, absent where the source was read whole, or
    not applicable, unread or unmapped with the reason.
    """
    made = Matrix(evidence, entries, matching, covered)
    return tuple(cell for operation in operations for cell in made.cells(operation))


def _lines(spot: Spot) -> Citation:
    return at_lines(spot.item, spot.first, spot.last)


def _below(pointer: str, owner: str) -> bool:
    return pointer == owner or pointer.startswith(f"{owner}/")


def _stated(at: tuple[_Row, Concern, Source], found: Sequence[Statement]) -> Cell:
    citations = tuple(citation for each in found for citation in each.citations)
    return _cell(at, Standing.STATED, says=tuple(dict.fromkeys(each.says for each in found)), citations=citations)


def _cell(
    at: tuple[_Row, Concern, Source],
    standing: Standing,
    *,
    says: tuple[Text, ...] = (),
    reason: str = "",
    citations: tuple[Citation, ...] = (),
) -> Cell:
    row, concern, source = at
    return Cell(
        operation=row.operation.id,
        concern=concern,
        source=source,
        standing=standing,
        says=says,
        reason=reason,
        citations=tuple(dict.fromkeys(citations))[:MOST_CITATIONS],
    )


def unmapped_material(cells: Iterable[Cell]) -> tuple[Cell, ...]:
    """The implementation cells that stop step 2: the contract states something, and nothing supplied could say it too.

    A test that is missing stops nothing: the response stays unverified, and a test is asked for.
    """
    kept = tuple(cells)
    contract = {(cell.operation, cell.concern): cell.standing for cell in kept if cell.source is Source.CONTRACT}
    material = (Standing.STATED, Standing.UNREAD)
    return tuple(
        cell
        for cell in kept
        if cell.source is Source.IMPLEMENTATION
        and cell.standing is Standing.UNMAPPED
        and contract.get((cell.operation, cell.concern)) in material
    )


MATRIX_COLUMNS: Final[Mapping[str, str]] = {
    "operation": "the operation, as method and path",
    "concern": "what of the operation the cell is about",
    "source": "where it comes from",
    "standing": "what the source says: stated, absent, not applicable, unread or unmapped",
    "says": "what it states, in short",
    "reason": "why it is not applicable, unread or unmapped",
    "evidence": "what it rests on, citations with commas between them",
}
"""The columns of `matrix_frame`, each with its meaning."""


def matrix_frame(cells: Iterable[Cell]) -> DataFrame:
    """The matrix as a frame.

    Returns:
        A frame with grain one cell, key `operation`, `concern`, `source`, and the columns of `COLUMNS` in that order;
        the closed vocabularies are categoricals with all allowed values.
    """
    import pandas as pd

    rows = [
        {
            "operation": cell.operation,
            "concern": cell.concern.value,
            "source": cell.source.value,
            "standing": cell.standing.value,
            "says": "; ".join(plain(says) for says in cell.says),
            "reason": cell.reason,
            "evidence": ", ".join(map(str, cell.citations)),
        }
        for cell in cells
    ]
    frame = pd.DataFrame(rows, columns=list(MATRIX_COLUMNS)).astype("string")
    for name, kind in (("concern", Concern), ("source", Source), ("standing", Standing)):
        frame[name] = pd.Categorical(frame[name], categories=[word.value for word in kind])
    return frame


# What the evidence lacks, operation by operation: the reference omits it, and says so.


RULES: Final[tuple[GapRule, ...]] = (*gap_rules.REQUEST_GAP_RULES, *gap_rules.RESPONSE_GAP_RULES)
"""Every rule, in the order of the page."""

RULE: Final[Mapping[str, GapRule]] = {rule.id: rule for rule in RULES}


def gaps(operations: Sequence[Operation], entries: Entries, matching: Matching) -> tuple[Gap, ...]:
    """What is lacking of each operation, in the order of operations and rules.

    A gap of an absence rule states that something does not exist; all others state that it is not defined.
    """
    validators = Validators(entries.contract)
    return tuple(gap for operation in operations for gap in _of(operation, entries, matching, validators))


def unusable(found: Iterable[Gap]) -> frozenset[str]:
    """The operations that can't be used by what the contract says of them."""
    return frozenset(gap.operation for gap in found if gap.blocks)


def _of(operation: Operation, entries: Entries, matching: Matching, validators: Validators) -> Iterator[Gap]:
    route = matching.route(operation)
    read_whole = route if route is not None and is_whole(route) else None
    looked = Looked(entry=entries.entry(operation), route=read_whole, entries=entries, validators=validators)
    for rule in RULES:
        for lack in rule.find(looked):
            yield _gap(rule, operation, lack)


def _gap(rule: GapRule, operation: Operation, lack: GapFinding) -> Gap:
    key = "\n".join((rule.id, operation.id, lack.place))
    return Gap(
        id="G-" + hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()[:12],
        kind=rule.id,
        operation=operation.id,
        concern=lack.concern or rule.concern,
        says=lack.says,
        citations=lack.citations,
        blocks=rule.blocks,
    )


GAP_COLUMNS: Final[Mapping[str, str]] = {
    "gap_id": "stable id of the gap",
    "kind": "the rule that found it",
    "operation": "the operation, as method and path",
    "concern": "what of the operation it is about",
    "says": "what is not defined, or stated absent",
    "absence": "true when it is stated absent, because neither contract nor implementation defines it",
    "blocks": "true when the operation can't be used without it",
    "evidence": "where it would stand, citations with commas between them",
}
"""The columns of `gaps_frame`, each with its meaning."""


def gaps_frame(found: Iterable[Gap]) -> DataFrame:
    """The gaps as a frame with grain one gap, key `gap_id`, and the columns of `COLUMNS` in that order."""
    import pandas as pd

    rows = [
        (
            gap.id,
            gap.kind,
            gap.operation,
            gap.concern.value,
            plain(gap.says),
            RULE[gap.kind].absence,
            gap.blocks,
            ", ".join(map(str, gap.citations)),
        )
        for gap in found
    ]
    flags = {"absence": "bool", "blocks": "bool"}
    return pd.DataFrame(rows, columns=list(GAP_COLUMNS)).astype(
        {name: flags.get(name, "string") for name in GAP_COLUMNS}
    )
