"""Where values travel as texts below a position: the members of forms and of objects, the items of lists.

A carrier is named only where nothing but its own schema judges its values on the side that expects them, and only when
no other use of that schema stands in the position: the same component in a nested object may be JSON.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Final

from evreview.comparison.elements import Root
from evreview.comparison.proof.position import Leg
from evreview.comparison.schema_pairs import Link, SchemaPair
from evreview.contract.model import Element, ElementKind
from evreview.core.vocabulary import Answer, Json
from evreview.ledger.delta import Delta
from evreview.proof.levels import hole_of
from evreview.proof.plain import is_plain_object, plain_list, stays_unique
from evreview.proof.questions import Questions
from evreview.schema.subsumption.relation import compare_sets

_FORM_MEDIA_TYPES: Final = frozenset({"application/x-www-form-urlencoded", "multipart/form-data"})
_APART: Final[Json] = {"type": "string", "pattern": "^[^,;|& ]+$"}
_NO_POINT: Final[Json] = {"type": "string", "pattern": "^[^.]*$"}


class Listed(Enum):
    """How whoever expects a list takes a text for one."""

    REPEATED = "each item has the name and its own text"
    COMMAS = "commas part the items"
    UNKNOWN = "in none of the known ways"
    NEVER = "a list has no text here"


@dataclass(frozen=True, slots=True)
class Carrier:
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


class Carriers:
    """Finds the carriers of rows.

    Args:
        questions: the rows and their uses.
    """

    def __init__(self, questions: Questions) -> None:
        self._questions = questions
        self._reached: dict[int, frozenset[int]] = {}

    def below(self, root: Root, delta: Delta, both: Both) -> list[Carrier]:
        """The carriers below a position that show a row; none when any of its uses there is no carrier."""
        standing = self._questions.standings.of(delta)
        if standing is None or not standing.plain or standing.anchors:
            return []
        if self._uses(root.pair, root):
            return []
        legs = list(_legs(root, both))
        shown = [pair for pair in self._questions.ways.pairs(delta) if id(pair) in self._reach(root.pair)]
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
        return [leg for leg in self._questions.ways.users.get(id(pair), ()) if id(leg[0]) in reached]

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


def whole(root: Root, *, reads: bool) -> Carrier | None:
    """A position whose whole value is one text where it is no list or object, None for any other.

    Args:
        root: the position.
        reads: whether the candidate is the side that expects.
    """
    old, new = root.position.released, root.position.candidate
    if not (_is_text(old) and _is_text(new) and _written_alike(old, new)):
        return None
    element = new if reads else old
    style = element.facet("style")
    if _is_plain(element):
        return Carrier(root.pair)
    if element.kind is ElementKind.PARAMETER and element.key.startswith(("query:", "cookie:")):
        repeated = element.facet("explode") is not False
        form = Listed.REPEATED if repeated else Listed.COMMAS
        return Carrier(root.pair, listed=form if style in (None, "form") else Listed.UNKNOWN)
    return Carrier(root.pair, listed=Listed.COMMAS if style in (None, "simple") else Listed.UNKNOWN)


def _legs(root: Root, both: Both) -> Iterator[tuple[Link, Carrier]]:
    """The links below a position that lead to carriers, or on to them."""
    old, new = root.position.released, root.position.candidate
    if is_form(old) and is_form(new):
        for link, name in _members(root.pair, both):
            if not (_encoded(old, name) or _encoded(new, name)):
                yield link, Carrier(link.target, root.pair, Listed.REPEATED)
                yield from _items(link.target, both, ())
    elif _is_parameter(old) and _is_parameter(new) and _spelled_alike(old, new):
        members, items = _signs(old)
        if members is not None:
            yield from ((link, Carrier(link.target, root.pair, signs=members)) for link, _ in _members(root.pair, both))
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
        hole = hole_of(link)
        if hole is not None and hole.keyword in ("properties", "additionalProperties"):
            yield link, hole.name


def _items(pair: SchemaPair, both: Both, signs: tuple[Json, ...]) -> Iterator[tuple[Link, Carrier]]:
    """The links to the items of a list of which whoever expects it judges each by its own schema alone."""
    sides = both(pair)
    wanted = plain_list(sides[1]) if sides is not None else None
    if sides is None or wanted is None or not stays_unique(plain_list(sides[0]), wanted):
        return
    for link in pair.links:
        hole = hole_of(link)
        if hole is not None and hole.keyword == "items":
            yield link, Carrier(link.target, pair, signs=signs)


def unparted(texts: Json, signs: tuple[Json, ...]) -> bool:
    """True when no text is parted by the signs that stand between texts."""
    return all(compare_sets(texts, sign).released_in_candidate is Answer.YES for sign in signs)


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
