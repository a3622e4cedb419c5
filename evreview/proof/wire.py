"""Rows about scalars that travel as text: when every text that is sent is expected, the row is safe.

Query, path, header and cookie parameters, response headers, the fields of a form and bodies of plain text carry no
types: the integer 1 and the string "1" are one text. Compared are the texts of whole positions, whatever the row; see
`shapes.wire_text`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from enum import StrEnum
from typing import Final

from evreview.comparison.elements import Root
from evreview.comparison.proof.text_values import Carrier, Carriers, Listed, unparted, whole
from evreview.comparison.proof.value_sets import Sets
from evreview.comparison.schema_pairs import SchemaPair
from evreview.core.vocabulary import Answer, Json, Polarity
from evreview.ledger.delta import Delta
from evreview.proof.plain import plain_list
from evreview.proof.position import direction
from evreview.proof.questions import Questions
from evreview.schema.subsumption.relation import compare_sets
from evreview.schema.to_json_schema import closed, gaps
from evreview.schema.wire_text import expected, sent

_NO_COMMA: Final[Json] = {"type": "string", "pattern": "^[^,]*$"}
_NULL: Final[Json] = {"type": "null"}
_TEXT: Final[Json] = {"type": "string"}
_FILLED: Final[Json] = {"type": "string", "minLength": 1}
_MOST: Final = 50


class Texts(StrEnum):
    """What comparing the texts of positions says."""

    OPEN = "some text is not expected, or nothing is known"
    EXPECTED = "every text that is sent is expected"
    PARTED = "a comma in a text may part it into several items, and no contract says whether it is escaped"


class Wire:
    """Compares the texts of positions; each pair of schemas once."""

    def __init__(self, questions: Questions, sets: Sets) -> None:
        self._questions = questions
        self._sets = sets
        self._carriers = Carriers(questions)
        self._known: dict[tuple[int, Polarity, bool, Listed], Texts] = {}
        self._both_of: dict[tuple[int, Polarity], tuple[Json, Json] | None] = {}

    def said(self, delta: Delta) -> Texts:
        """What holds in every position that carries the row, where all of them write scalars as text."""
        polarity = direction(delta)
        roots = self._questions.ways.roots_above(delta) if polarity is not None else []
        if polarity is None or not 0 < len(roots) <= _MOST:
            return Texts.OPEN
        return _weakest({self._at(root, delta, polarity) for root in roots})

    def _at(self, root: Root, delta: Delta, polarity: Polarity) -> Texts:
        """What holds in one position: of its whole value as one text, else of the parts of it that are texts."""
        carrier = whole(root, reads=polarity is Polarity.READ)
        found = self._carried(carrier, polarity, segment=_is_segment(root)) if carrier is not None else Texts.OPEN
        if found is Texts.OPEN and carrier is not None and not _is_owed(root):
            found = self._any_text(carrier, polarity)
        if found is not Texts.OPEN:
            return found
        parts = self._carriers.below(root, delta, lambda pair: self._both(pair, polarity))
        return _weakest({self._carried(part, polarity) for part in parts}) if parts else Texts.OPEN

    def _any_text(self, carrier: Carrier, polarity: Polarity) -> Texts:
        """Whether the side that expects a value reads any text, and so that of null, however it is written."""
        both = self._both(carrier.pair, polarity)
        if both is None or carrier.signs or sent(both[0], null=True) is None:
            return Texts.OPEN
        return Texts.EXPECTED if _read(_TEXT, both[1]) else Texts.OPEN

    def _carried(self, carrier: Carrier, polarity: Polarity, *, segment: bool = False) -> Texts:
        key = (id(carrier.pair), polarity, segment, carrier.listed)
        if key not in self._known:
            both = self._both(carrier.pair, polarity)
            self._known[key] = Texts.OPEN if both is None else _compared(*both, carrier.listed, segment=segment)
        if self._known[key] is Texts.EXPECTED and carrier.signs:
            both = self._both(carrier.pair, polarity)
            texts = sent(both[0], null=True) if both is not None else None
            return Texts.EXPECTED if texts is not None and unparted(texts, carrier.signs) else Texts.OPEN
        return self._known[key]

    def _both(self, pair: SchemaPair, polarity: Polarity) -> tuple[Json, Json] | None:
        """The schemas of who sends and of who expects, None where a part could not be read."""
        key = (id(pair), polarity)
        if key not in self._both_of:
            sides = self._questions.positions.sides(polarity)
            old, new = self._sets.of_subs((pair.released, pair.candidate), polarity)
            released, candidate = _whole(old, sides.released.definition), _whole(new, sides.candidate.definition)
            known = None if released is None or candidate is None else (released, candidate)
            self._both_of[key] = known if known is None or polarity is Polarity.READ else known[::-1]
        return self._both_of[key]


def _weakest(told: Collection[Texts]) -> Texts:
    return next((one for one in (Texts.OPEN, Texts.PARTED) if one in told), Texts.EXPECTED)


def _compared(left: Json, right: Json, listed: Listed, *, segment: bool) -> Texts:
    # A list that always holds one item is written as that item is; whether it is parted is asked of lists of more.
    alone = _item(left, alone=True) if listed is not Listed.NEVER else None
    left = left if alone is None else alone
    texts = sent(left, null=_holds(right, _NULL))
    if texts is None:
        return Texts.OPEN
    if segment:
        # A segment of a path is never empty: the empty text is not sent, whatever the schema says of it.
        texts = {"allOf": [texts, _FILLED]}
    item = _item(right) if listed in (Listed.REPEATED, Listed.COMMAS) else None
    if item is None:
        return Texts.EXPECTED if _read(texts, right) else Texts.OPEN
    if not (_holds(item, left) or _read(texts, item)):
        return Texts.OPEN
    return Texts.EXPECTED if listed is Listed.REPEATED or _holds(_NO_COMMA, texts) else Texts.PARTED


def _read(texts: Json, schema: Json) -> bool:
    """True when each of some texts surely stands for a value that a schema admits."""
    read = expected(schema)
    return read is not None and _holds(read, texts)


def _holds(wide: Json, narrow: Json) -> bool:
    return compare_sets(narrow, wide).released_in_candidate is Answer.YES


def _item(schema: Json, *, alone: bool = False) -> Json | None:
    """What a list of one holds, None for a schema that is no plain list or admits none; `alone`: or admits others."""
    found = plain_list(schema)
    if found is None or not found.least <= 1 <= found.most or (alone and not found.least == 1 == found.most):
        return None
    return found.item


def _is_owed(root: Root) -> bool:
    """True for a value that some side demands: null may be written by leaving it out, which nobody may do then."""
    return any(each.facet("required") is True for each in (root.position.released, root.position.candidate))


def _is_segment(root: Root) -> bool:
    """True for a variable that is a whole segment of the path, written as it is: no such one is ever empty."""
    element = root.position.released
    location, _, number = element.key.partition(":")
    if location != "path" or not number.isdecimal() or element.facet("style") not in (None, "simple"):
        return False
    segments = root.position.operation.partition(" ")[2].split("/")
    holding = [segment for segment in segments for _ in range(segment.count("{}"))]
    return holding[int(number) : int(number) + 1] == ["{}"]


def _whole(schema: Json, definition: Callable[[str], Json | None]) -> Json | None:
    found = closed(schema, definition)
    return None if gaps(found) else found
