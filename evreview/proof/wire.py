"""Rows about scalars that travel as text: when every text that is sent is expected, the row is safe.

Query, path, header and cookie parameters, response headers, the fields of a form and bodies of plain text carry no
types: the integer 1 and the string "1" are one text. Compared are the texts of whole positions, whatever the row; see
`shapes.wire_text`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Final

from evreview.contracts.model import Element, ElementKind
from evreview.ledger.delta import Delta
from evreview.ledger.element_diff import Root
from evreview.ledger.schema_graph import SchemaPair
from evreview.proof.position import direction
from evreview.proof.questions import Questions
from evreview.proof.sets import Sets
from evreview.shapes.containment import compare_sets
from evreview.shapes.json_schema import closed, gaps
from evreview.shapes.wire_text import expected, sent
from evreview.vocab import Answer, Json, Polarity

_FORMS: Final = frozenset({"application/x-www-form-urlencoded", "multipart/form-data"})
_SAID: Final = frozenset({"type", "items", "minItems", "maxItems", "uniqueItems", "$defs", "title", "description"})
_NO_COMMA: Final[Json] = {"type": "string", "pattern": "^[^,]*$"}
_APART: Final[Json] = {"type": "string", "pattern": "^[^,;|& ]+$"}
_NO_POINT: Final[Json] = {"type": "string", "pattern": "^[^.]*$"}
_MANY: Final = 10**9
_REPEATED: Final = "repeated"
_COMMAS: Final = "commas"
_BODY: Final = "body"
_MOST: Final = 50
_DEEPEST: Final = 8


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
        self._known: dict[tuple[int, Polarity, bool, str], Texts] = {}
        self._listed: dict[tuple[int, Polarity, bool], bool] = {}

    def said(self, delta: Delta) -> Texts:
        """What holds in every position that carries the row, where all of them write scalars as text."""
        polarity = direction(delta)
        roots = self._questions.ways.roots_above(delta) if polarity is not None else []
        if polarity is None or not 0 < len(roots) <= _MOST:
            return Texts.OPEN
        found = [(pair, root) for root in roots for pair in self._carrying(root, delta)]
        if len(found) < len(roots):
            return Texts.OPEN
        told = {self._contained(pair, polarity, root) for pair, root in found}
        return next((one for one in (Texts.OPEN, Texts.PARTED) if one in told), Texts.EXPECTED)

    def _carrying(self, root: Root, delta: Delta) -> list[SchemaPair]:
        """The pairs whose values are single texts and that hold the row, none when there is no such pair."""
        old, new = root.position.released, root.position.candidate
        if _is_text(old) and _is_text(new) and _written_alike(old, new):
            return [root.pair]
        standing = self._questions.standings.of(delta)
        if not (_is_form(old) and _is_form(new)) or standing is None or not standing.plain or standing.anchors:
            return []
        shown = {id(pair) for pair in self._questions.ways.pairs(delta)}
        found = [link.target for link in root.pair.links if id(link.target) in shown and link.required is not None]
        return found if len(found) == len(shown) else []

    def _contained(self, pair: SchemaPair, polarity: Polarity, root: Root) -> Texts:
        key = (id(pair), polarity, _in_path(root), _lists(root, polarity))
        if key not in self._known:
            self._known[key] = self._compared(*key[1:], pair=pair)
        if self._known[key] is Texts.OPEN and _lists_alike(root) and self._item_by_item(pair, polarity, _points(root)):
            return Texts.EXPECTED
        return self._known[key]

    def _item_by_item(self, pair: SchemaPair, polarity: Polarity, points: bool) -> bool:
        """True when both sides have plain lists, and the text of each item that is sent is expected as one item."""
        key = (id(pair), polarity, points)
        if key not in self._listed:
            both = self._both(pair, polarity)
            self._listed[key] = both is not None and _all_read(*both, points=points)
        return self._listed[key]

    def _both(self, pair: SchemaPair, polarity: Polarity) -> tuple[Json, Json] | None:
        """The schemas of who sends and of who expects, None where a part could not be read."""
        sides = self._questions.positions.sides(polarity)
        old, new = self._sets.of_subs((pair.released, pair.candidate), polarity)
        released, candidate = _whole(old, sides.released.definition), _whole(new, sides.candidate.definition)
        if released is None or candidate is None:
            return None
        return (released, candidate) if polarity is Polarity.READ else (candidate, released)

    def _compared(self, polarity: Polarity, in_path: bool, lists: str, *, pair: SchemaPair) -> Texts:
        both = self._both(pair, polarity)
        if both is None:
            return Texts.OPEN
        left, right = both
        # A list that always holds one item is written as that item is; whether it is parted is asked of lists of more.
        alone = _item(left, alone=True) if lists != _BODY else None
        left = left if alone is None else alone
        texts = sent(left)
        if texts is None:
            return Texts.OPEN
        if in_path:
            # A segment of a path is never empty: the empty text is not sent, whatever the schema says of it.
            texts = {"allOf": [texts, {"type": "string", "minLength": 1}]}
        item = _item(right) if lists not in ("", _BODY) else None
        if item is None:
            return Texts.EXPECTED if _read(texts, right) else Texts.OPEN
        if not (_holds(item, left) or _read(texts, item)):
            return Texts.OPEN
        return Texts.EXPECTED if lists == _REPEATED or _holds(_NO_COMMA, texts) else Texts.PARTED


def _read(texts: Json, schema: Json) -> bool:
    """True when each of some texts surely stands for a value that a schema admits."""
    read = expected(schema)
    return read is not None and _holds(read, texts)


def _holds(wide: Json, narrow: Json) -> bool:
    return compare_sets(narrow, wide).released_in_candidate is Answer.YES


def _lists(root: Root, polarity: Polarity) -> str:
    """How whoever expects a list takes a text for one: each item has the name and its own text, or commas part them."""
    position = root.position
    element = position.candidate if polarity is Polarity.READ else position.released
    style, exploded = element.facet("style"), element.facet("explode") is not False
    if element.kind is ElementKind.MEDIA_TYPE:
        return _BODY if _is_plain(element) else _REPEATED
    if element.kind is ElementKind.PARAMETER and element.key.startswith(("query:", "cookie:")):
        return "" if style not in (None, "form") else _REPEATED if exploded else _COMMAS
    return _COMMAS if style in (None, "simple") else ""


def _item(schema: Json, *, alone: bool = False) -> Json | None:
    """What a list of one holds, None for a schema that is no plain list or admits none; `alone`: or admits others."""
    found = _list(schema)
    if found is None:
        return None
    item, least, most = found
    if not least <= 1 <= most or (alone and not least == 1 == most):
        return None
    return item


def _list(schema: Json) -> tuple[Json, int, int] | None:
    """What the items of a plain list are, and how many there may be; None for a schema that is none."""
    if not isinstance(schema, Mapping):
        return None
    own = schema.get("$defs")
    found: Json = schema
    definitions: Mapping[str, Json] = own if isinstance(own, Mapping) else {}
    for _ in range(_DEEPEST):
        if not isinstance(found, Mapping) or not isinstance(found.get("$ref"), str) or found.keys() - {"$ref", "$defs"}:
            break
        found = definitions.get(str(found["$ref"]).removeprefix("#/$defs/"))
    if not isinstance(found, Mapping) or found.get("type") != "array" or found.keys() - _SAID:
        return None
    least, most, item = found.get("minItems", 0), found.get("maxItems", _MANY), found.get("items", True)
    if not isinstance(least, int) or not isinstance(most, int):
        return None
    return ({**item, "$defs": dict(definitions)} if isinstance(item, Mapping) else item), least, most


def _all_read(left: Json, right: Json, *, points: bool) -> bool:
    """True when lists that are sent have the items of lists that are expected, as texts that nothing parts."""
    given, wanted = _list(left), _list(right)
    if given is None or wanted is None or (isinstance(right, Mapping) and _asks_uniqueness(right)):
        return False
    texts = sent(given[0])
    if texts is None or not wanted[1] <= given[1] or not given[2] <= wanted[2]:
        return False
    return _holds(_APART, texts) and (not points or _holds(_NO_POINT, texts)) and _read(texts, wanted[0])


def _asks_uniqueness(schema: Mapping[str, Json]) -> bool:
    """True when equal items may be refused: two values may be one text."""
    return "uniqueItems" in schema or "$ref" in schema


def _lists_alike(root: Root) -> bool:
    """True for a parameter or header whose lists are written the same way on both sides."""
    old, new = root.position.released, root.position.candidate
    carries = old.kind in (ElementKind.PARAMETER, ElementKind.HEADER) and _is_text(old) and _is_text(new)
    return carries and _written_alike(old, new) and old.facet("explode") == new.facet("explode")


def _points(root: Root) -> bool:
    """True where points part the items of a list."""
    return root.position.released.facet("style") == "label"


def _in_path(root: Root) -> bool:
    return root.position.released.key.startswith("path:")


def _whole(schema: Json, definition: Callable[[str], Json | None]) -> Json | None:
    found = closed(schema, definition)
    return None if gaps(found) else found


def _is_text(element: Element) -> bool:
    carries = element.kind in (ElementKind.PARAMETER, ElementKind.HEADER) or _is_plain(element)
    return carries and element.value is not None


def _is_plain(element: Element) -> bool:
    """True for a body that is one text."""
    return element.kind is ElementKind.MEDIA_TYPE and element.key.partition(";")[0] == "text/plain"


def _written_alike(old: Element, new: Element) -> bool:
    """True when a single value is written the same way on both sides; `explode` is about others."""
    styles = {element.facet("style") for element in (old, new)}
    return old.kind is new.kind and old.key == new.key and len(styles) == 1 and "deepObject" not in styles


def _is_form(element: Element) -> bool:
    encoded = any(child.kind is ElementKind.ENCODING for child in element.children)
    return element.kind is ElementKind.MEDIA_TYPE and element.key.partition(";")[0] in _FORMS and not encoded
