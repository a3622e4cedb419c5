"""Where values travel as texts below a position: the members of forms and of objects, the items of lists.

A carrier is named only where nothing but its own schema judges its values on the side that expects them, and only when
no other use of that schema stands in the position: the same component in a nested object may be JSON.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from enum import Enum, StrEnum
from typing import Final

from evreview.comparison.delta import Delta
from evreview.comparison.elements import Root
from evreview.comparison.proof.claim import Questions
from evreview.comparison.proof.position import Leg, ValueSide, direction_of, slot_of
from evreview.comparison.proof.value_sets import Sets, is_plain_object, plain_list, stays_unique
from evreview.comparison.schema_pairs import Link, SchemaPair
from evreview.contract.model import Element, ElementKind
from evreview.core.frozen import frozen
from evreview.core.vocabulary import Direction, Json, Tristate
from evreview.messages.parameter_styles import NotOnWire, text_of
from evreview.messages.value_types import outline, readings
from evreview.schema.subsumption.relation import compare_sets
from evreview.schema.to_json_schema import closed, gaps
from evreview.schema.wire_text import expected, sent

_FORM_MEDIA_TYPES: Final = frozenset({"application/x-www-form-urlencoded", "multipart/form-data"})
_APART: Final[Json] = {"type": "string", "pattern": "^[^,;|& ]+$"}
_NO_POINT: Final[Json] = {"type": "string", "pattern": "^[^.]*$"}


class Listed(Enum):
    """How whoever expects a list takes a text for one."""

    REPEATED = "each item has the name and its own text"
    COMMAS = "commas part the items"
    UNKNOWN = "in none of the known ways"
    NEVER = "a list has no text here"


@frozen
class TextCarrier:
    """A schema pair whose values are one text each.

    Attributes:
        pair: the pair.
        within: the object or list that holds the values, None for whole ones.
        listed: how whoever expects a list takes its text for one.
        signs: what the texts must be not to be parted by the signs between them, nothing where those are escaped.
    """

    pair: SchemaPair
    within: SchemaPair | None = None
    listed: Listed = Listed.NEVER
    signs: tuple[Json, ...] = ()


Both = Callable[[SchemaPair], tuple[Json, Json] | None]
"""The self-contained schemas of who sends and of who expects, None where a part could not be read."""


class TextCarriers:
    """Finds the carriers of rows.

    Args:
        questions: the rows and their uses.
    """

    def __init__(self, questions: Questions) -> None:
        self._questions = questions
        self._reached: dict[int, frozenset[int]] = {}

    def below(self, root: Root, delta: Delta, both: Both) -> list[TextCarrier]:
        """The carriers below a position that show a row; none when any of its uses there is no carrier."""
        standing = self._questions.standings.of(delta)
        if standing is None or not standing.plain or standing.anchors:
            return []
        if self._uses(root.pair, root):
            return []
        legs = list(_legs(root, both))
        shown = [pair for pair in self._questions.usage_paths.pairs(delta) if id(pair) in self._reach(root.pair)]
        first = {id(link) for link, carrier in legs if carrier.within is root.pair}
        second = {id(link) for link, _ in legs} - first
        for user, link in (use for pair in shown for use in self._uses(pair, root)):
            alone = id(link) in second and all(id(above) in first for _, above in self._uses(user, root))
            if not (alone or id(link) in first):
                return []
        return [carrier for _, carrier in legs if carrier.pair in shown]

    def _uses(self, pair: SchemaPair, root: Root) -> list[Leg]:
        """The links to a pair from below a position."""
        reached = self._reach(root.pair)
        return [leg for leg in self._questions.usage_paths.users.get(id(pair), ()) if id(leg[0]) in reached]

    def _reach(self, top: SchemaPair) -> frozenset[int]:
        """The pairs that stand somewhere below one, itself included."""
        if id(top) not in self._reached:
            seen, waiting = {id(top)}, [top]
            while waiting:
                for link in waiting.pop().links:
                    if id(link.target) not in seen:
                        seen.add(id(link.target))
                        waiting.append(link.target)
            self._reached[id(top)] = frozenset(seen)
        return self._reached[id(top)]


def whole(root: Root, *, reads: bool) -> TextCarrier | None:
    """A position whose whole value is one text where it is no list or object, None for any other.

    Args:
        reads: whether the candidate is the side that expects.
    """
    old, new = root.position.released, root.position.candidate
    if not (_is_text(old) and _is_text(new) and _written_alike(old, new)):
        return None
    element = new if reads else old
    style = element.facet("style")
    if _is_plain(element):
        return TextCarrier(root.pair)
    if element.kind is ElementKind.PARAMETER and element.key.startswith(("query:", "cookie:")):
        repeated = element.facet("explode") is not False
        form = Listed.REPEATED if repeated else Listed.COMMAS
        return TextCarrier(root.pair, listed=form if style in (None, "form") else Listed.UNKNOWN)
    return TextCarrier(root.pair, listed=Listed.COMMAS if style in (None, "simple") else Listed.UNKNOWN)


def _legs(root: Root, both: Both) -> Iterator[tuple[Link, TextCarrier]]:
    """The links below a position that lead to carriers, or on to them."""
    old, new = root.position.released, root.position.candidate
    if is_form(old) and is_form(new):
        for link, name in _members(root.pair, both):
            if not (_encoded(old, name) or _encoded(new, name)):
                yield link, TextCarrier(link.target, root.pair, Listed.REPEATED)
                yield from _items(link.target, both, ())
    elif _is_parameter(old) and _is_parameter(new) and _spelled_alike(old, new):
        members, items = _signs(old)
        if members is not None:
            yield from (
                (link, TextCarrier(link.target, root.pair, signs=members)) for link, _ in _members(root.pair, both)
            )
        if items is not None:
            yield from _items(root.pair, both, items)


def _signs(element: Element) -> tuple[tuple[Json, ...] | None, tuple[Json, ...] | None]:
    """What the texts of members and of items must be not to be parted, None where the style writes none of them."""
    style, named = element.facet("style"), element.key.startswith(("query:", "cookie:"))
    if style == "deepObject":
        return (), None
    if named and style in (None, "form") and element.facet("explode") is not False:
        return (), ()
    signs = (_APART, _NO_POINT) if style == "label" else (_APART,)
    return signs, signs


def _members(pair: SchemaPair, both: Both) -> Iterator[tuple[Link, str]]:
    """The links to members of an object of which whoever expects it judges each by its own schema alone."""
    sides = both(pair)
    if sides is None or not is_plain_object(sides[1]):
        return
    for link in pair.links:
        slot = slot_of(link)
        if slot is not None and slot.keyword in ("properties", "additionalProperties"):
            yield link, slot.name


def _items(pair: SchemaPair, both: Both, signs: tuple[Json, ...]) -> Iterator[tuple[Link, TextCarrier]]:
    """The links to the items of a list of which whoever expects it judges each by its own schema alone."""
    sides = both(pair)
    wanted = plain_list(sides[1]) if sides is not None else None
    if sides is None or wanted is None or not stays_unique(plain_list(sides[0]), wanted):
        return
    for link in pair.links:
        slot = slot_of(link)
        if slot is not None and slot.keyword == "items":
            yield link, TextCarrier(link.target, pair, signs=signs)


def unparted(texts: Json, signs: tuple[Json, ...]) -> bool:
    """True when no text is parted by the signs that stand between texts."""
    return all(compare_sets(texts, sign).released_in_candidate is Tristate.YES for sign in signs)


def _is_text(element: Element) -> bool:
    return (_is_parameter(element) or _is_plain(element)) and element.value is not None


def _is_parameter(element: Element) -> bool:
    return element.kind in (ElementKind.PARAMETER, ElementKind.HEADER)


def _is_plain(element: Element) -> bool:
    """True for a body that is one text."""
    return element.kind is ElementKind.MEDIA_TYPE and element.key.partition(";")[0] == "text/plain"


def is_form(element: Element) -> bool:
    """True for a body whose names and values are the members of an object."""
    return element.kind is ElementKind.MEDIA_TYPE and element.key.partition(";")[0] in _FORM_MEDIA_TYPES


def _encoded(element: Element, name: str) -> bool:
    """True for a field of a form with an encoding of its own; any field may be one where the name is not known."""
    found = (child for child in element.children if child.kind is ElementKind.ENCODING)
    return any(name in ("", child.key) for child in found)


def _written_alike(old: Element, new: Element) -> bool:
    """True when a single value is written the same way on both sides; `explode` is about others."""
    styles = {element.facet("style") for element in (old, new)}
    return old.kind is new.kind and old.key == new.key and len(styles) == 1 and "deepObject" not in styles


def _spelled_alike(old: Element, new: Element) -> bool:
    """True when lists and objects are written the same way on both sides."""
    alike = all(old.facet(facet) == new.facet(facet) for facet in ("style", "explode"))
    return alike and old.kind is new.kind and old.key == new.key and old.value is not None and new.value is not None


# Values that travel as text: which of them the other side reads as its own, and values whose texts lie near limits.


_FORM_PREFIXES: Final = ("application/x-www-form-urlencoded", "multipart/")
_BOUNDS: Final = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum")
_LONGEST: Final = 300
_PLAIN: Final[tuple[Json, ...]] = (0.5, True, -1, "a", ["a", "b"], [0, 1])


def travels_as_text(root: Root) -> bool:
    """True for parameters, headers and forms, whose values carry no types."""
    element = root.position.released
    if element.kind is ElementKind.MEDIA_TYPE:
        return element.key.startswith(_FORM_PREFIXES)
    return element.kind in (ElementKind.PARAMETER, ElementKind.HEADER)


def read_alike(value: Json, node: Json, side: ValueSide) -> bool:
    """True when a side reads the text of a value as one that its schema admits, or when the value has none at all."""
    if isinstance(value, list) and len(value) < 2:
        return not value or read_alike(value[0], node, side)
    try:
        text = text_of(value)
    except NotOnWire:
        return False
    form = outline(node, side.source.definition)
    found = readings(text, form)
    if "array" in form.types:
        # As one item, or as several where the style writes them into one text.
        found += [[readings(part, form.item)[0] for part in parts] for parts in ([text], text.split(","))]
    return any(side.evaluator.admits(node, reading) is True for reading in found)


def near_limits(node: Json) -> Iterator[Json]:
    """Values whose texts are longer than a schema's own limit, or its items', or that lie beside its bounds."""
    items = node.get("items") if isinstance(node, dict) else None
    for each in (*_together(node), *_together(items)):
        for near in _near(each):
            yield from (near, [near])
    yield from _PLAIN


def _together(node: Json) -> Iterator[dict[str, Json]]:
    """A schema and the ones that it is read with; the bounds of a format are one."""
    said = node if isinstance(node, dict) else {}
    parts = said.get("allOf")
    yield said
    yield from (part for part in (parts if isinstance(parts, list) else []) if isinstance(part, dict))


def _near(node: dict[str, Json]) -> Iterator[Json]:
    longest = node.get("maxLength")
    if isinstance(longest, int) and 0 <= longest <= _LONGEST:
        yield from (10**longest, "a" * (longest + 1))
    for bound in (node.get(key) for key in _BOUNDS):
        if isinstance(bound, (int, float)):
            for beside in (bound - 1, bound + 1):
                yield from (beside, str(beside))


# Rows about scalars that travel as text: when every text that is sent is expected, the row is safe.
#
# Query, path, header and cookie parameters, response headers, the fields of a form and bodies of plain text carry no
# types: the integer 1 and the string "1" are one text. Compared are the texts of whole positions, whatever the row;
# see `shapes.wire_text`.


_NO_COMMA: Final[Json] = {"type": "string", "pattern": "^[^,]*$"}
_NULL: Final[Json] = {"type": "null"}
_TEXT: Final[Json] = {"type": "string"}
_FILLED: Final[Json] = {"type": "string", "minLength": 1}
_MOST: Final = 50


class TextComparison(StrEnum):
    """What comparing the texts of positions says.

    EXPECTED: every text that is sent. PARTED: a comma in a text may part it into several items. OPEN: all else.
    """

    OPEN = "open"
    EXPECTED = "expected"
    PARTED = "parted"


class WireTexts:
    """Compares the texts of positions; each pair of schemas once."""

    def __init__(self, questions: Questions, sets: Sets) -> None:
        self._questions = questions
        self._sets = sets
        self._carriers = TextCarriers(questions)
        self._known: dict[tuple[int, Direction, bool, Listed], TextComparison] = {}
        self._both_of: dict[tuple[int, Direction], tuple[Json, Json] | None] = {}

    def said(self, delta: Delta) -> TextComparison:
        """What holds in every position that carries the row, where all of them write scalars as text."""
        direction = direction_of(delta)
        roots = self._questions.usage_paths.roots_above(delta) if direction is not None else []
        if direction is None or not 0 < len(roots) <= _MOST:
            return TextComparison.OPEN
        return _weakest({self._at(root, delta, direction) for root in roots})

    def _at(self, root: Root, delta: Delta, direction: Direction) -> TextComparison:
        """What holds in one position: of its whole value as one text, else of the parts of it that are texts."""
        carrier = whole(root, reads=direction is Direction.READ)
        found = (
            self._carried(carrier, direction, segment=_is_segment(root)) if carrier is not None else TextComparison.OPEN
        )
        if found is TextComparison.OPEN and carrier is not None and not _is_owed(root):
            found = self._any_text(carrier, direction)
        if found is not TextComparison.OPEN:
            return found
        parts = self._carriers.below(root, delta, lambda pair: self._both(pair, direction))
        return _weakest({self._carried(part, direction) for part in parts}) if parts else TextComparison.OPEN

    def _any_text(self, carrier: TextCarrier, direction: Direction) -> TextComparison:
        """Whether the side that expects a value reads any text, and so that of null, however it is written."""
        both = self._both(carrier.pair, direction)
        if both is None or carrier.signs or sent(both[0], null=True) is None:
            return TextComparison.OPEN
        return TextComparison.EXPECTED if _read(_TEXT, both[1]) else TextComparison.OPEN

    def _carried(self, carrier: TextCarrier, direction: Direction, *, segment: bool = False) -> TextComparison:
        key = (id(carrier.pair), direction, segment, carrier.listed)
        if key not in self._known:
            both = self._both(carrier.pair, direction)
            self._known[key] = (
                TextComparison.OPEN if both is None else _compared(*both, carrier.listed, segment=segment)
            )
        if self._known[key] is TextComparison.EXPECTED and carrier.signs:
            both = self._both(carrier.pair, direction)
            texts = sent(both[0], null=True) if both is not None else None
            return (
                TextComparison.EXPECTED if texts is not None and unparted(texts, carrier.signs) else TextComparison.OPEN
            )
        return self._known[key]

    def _both(self, pair: SchemaPair, direction: Direction) -> tuple[Json, Json] | None:
        """The schemas of who sends and of who expects, None where a part could not be read."""
        key = (id(pair), direction)
        if key not in self._both_of:
            sides = self._questions.positions.sides(direction)
            old, new = self._sets.of_subs((pair.released, pair.candidate), direction)
            released, candidate = _whole(old, sides.released.definition), _whole(new, sides.candidate.definition)
            known = None if released is None or candidate is None else (released, candidate)
            self._both_of[key] = known if known is None or direction is Direction.READ else known[::-1]
        return self._both_of[key]


def _weakest(told: Collection[TextComparison]) -> TextComparison:
    return next((one for one in (TextComparison.OPEN, TextComparison.PARTED) if one in told), TextComparison.EXPECTED)


def _compared(left: Json, right: Json, listed: Listed, *, segment: bool) -> TextComparison:
    # A list that always holds one item is written as that item is; whether it is parted is asked of lists of more.
    alone = _item(left, alone=True) if listed is not Listed.NEVER else None
    left = left if alone is None else alone
    texts = sent(left, null=_holds(right, _NULL))
    if texts is None:
        return TextComparison.OPEN
    if segment:
        # A segment of a path is never empty: the empty text is not sent, whatever the schema says of it.
        texts = {"allOf": [texts, _FILLED]}
    item = _item(right) if listed in (Listed.REPEATED, Listed.COMMAS) else None
    if item is None:
        return TextComparison.EXPECTED if _read(texts, right) else TextComparison.OPEN
    if not (_holds(item, left) or _read(texts, item)):
        return TextComparison.OPEN
    return TextComparison.EXPECTED if listed is Listed.REPEATED or _holds(_NO_COMMA, texts) else TextComparison.PARTED


def _read(texts: Json, schema: Json) -> bool:
    """True when each of some texts surely stands for a value that a schema admits."""
    read = expected(schema)
    return read is not None and _holds(read, texts)


def _holds(wide: Json, narrow: Json) -> bool:
    return compare_sets(narrow, wide).released_in_candidate is Tristate.YES


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
