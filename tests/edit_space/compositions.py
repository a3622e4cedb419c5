"""A shared component below everything that can stand beside it: one edit of the component or of its neighbour.

A row of a component is judged together with what the uses add. That is where a verdict about the component alone goes
wrong: a neighbour closes the object, describes the rest, demands a member, or chooses a branch by one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import product
from typing import Any, Final
from zlib import crc32

from evreview.contract.model import Contract
from tests.edit_space.forms import LATEST, THREE, Form, Schema
from tests.edit_space.keywords import Forms
from tests.edit_space.nestings import COMPONENT
from tests.edit_space.oracle import Samples, Side
from tests.edit_space.positions import POSITIONS, Position, document
from tests.pipeline import contract

_TEXT: Final = {"type": "string"}
_NUMBER: Final = {"type": "integer"}
_BOTH: Final = {"type": "object", "properties": {"a": _TEXT, "b": _TEXT}}


def _object(**keywords: Any) -> dict[str, Any]:
    return {"type": "object", **keywords}


def _one(**members: Any) -> dict[str, Any]:
    return _object(properties=members)


COMPONENTS: Final[tuple[dict[str, Any], ...]] = (
    _one(a=_TEXT),
    _one(a=_TEXT, b=_TEXT),
    _one(a=_TEXT, b=_NUMBER),
    _one(a=_NUMBER),
    _one(a={"type": "string", "maxLength": 1}),
    _one(),
    _object(properties={"a": _TEXT}, required=["a"]),
    _object(properties={"a": _TEXT}, required=["b"]),
    _object(properties={"a": _TEXT}, additionalProperties=False),
    _object(properties={"a": _TEXT}, additionalProperties=True),
    _object(properties={"a": _TEXT}, additionalProperties=_TEXT),
)
"""What the component can be; every edit leads from the first to another or back."""

NEIGHBOURS: Final[tuple[tuple[str, dict[str, Any], Forms], ...]] = (
    ("nothing", {}, THREE),
    ("a member", {"properties": {"b": _NUMBER}}, THREE),
    ("the same member, narrower", {"properties": {"a": {"enum": ["", "x"]}}}, THREE),
    ("open", {"additionalProperties": True}, THREE),
    ("a map", {"additionalProperties": _TEXT}, THREE),
    ("closed", {"properties": {"a": {}}, "additionalProperties": False}, THREE),
    ("a demand", {"required": ["b"]}, THREE),
    ("members at least", {"minProperties": 1}, THREE),
    ("members at most", {"maxProperties": 1}, THREE),
    ("a member refused", {"not": {"required": ["b"]}}, THREE),
    ("one of two demands", {"anyOf": [{"required": ["a"]}, {"required": ["b"]}]}, THREE),
    (
        "one of two objects",
        {
            "oneOf": [
                _object(properties={"b": _NUMBER}, required=["b"]),
                _object(properties={"c": _TEXT}, required=["c"]),
            ]
        },
        THREE,
    ),
    ("any of two objects", {"anyOf": [_one(b=_NUMBER), _one(c=_TEXT)]}, THREE),
    ("names by expression", {"patternProperties": {"^b": _NUMBER}}, LATEST),
    ("names listed", {"propertyNames": {"enum": ["a", "b"]}}, LATEST),
    ("a condition", {"if": {"required": ["b"]}, "then": {"required": ["a"]}}, LATEST),
    (
        "a condition on a value",
        {"if": {"properties": {"b": _TEXT}, "required": ["b"]}, "then": {"required": ["c"]}},
        LATEST,
    ),
    ("dependent members", {"dependentRequired": {"b": ["a"]}}, LATEST),
    ("a dependent schema", {"dependentSchemas": {"a": {"properties": {"b": _NUMBER}}}}, LATEST),
    ("nothing unevaluated", {"unevaluatedProperties": False}, LATEST),
    ("a member, nothing unevaluated", {"properties": {"b": {}}, "unevaluatedProperties": False}, LATEST),
    ("texts unevaluated", {"unevaluatedProperties": _TEXT}, LATEST),
)
"""What stands beside the component, and the forms that can say it."""

Around = Callable[[Any, dict[str, Any]], Schema]
USES: Final[tuple[tuple[str, Around, Callable[[Any], Any], Forms], ...]] = (
    ("branches of allOf", lambda ref, beside: {"allOf": [ref, _object(**beside)]}, lambda value: value, THREE),
    ("around allOf", lambda ref, beside: _object(allOf=[ref], **beside), lambda value: value, THREE),
    ("beside the reference", lambda ref, beside: {**ref, **beside}, lambda value: value, LATEST),
    ("in a branch", lambda ref, beside: {"oneOf": [{"allOf": [ref, beside]}, _TEXT]}, lambda value: value, THREE),
    (
        "in a member",
        lambda ref, beside: _object(properties={"d": _object(allOf=[ref], **beside)}, required=["d"]),
        lambda value: {"d": value},
        THREE,
    ),
)
"""How both are put together, and how a value of both becomes one of the whole."""

_MEMBERS: Final = ("", "x", "xx", 0, None)
_OBJECTS: Final = tuple(
    {name: value for name, value in zip("abcq", values, strict=True) if value is not ...}
    for values in product((..., *_MEMBERS), (..., *_MEMBERS), (..., "", 0), (..., "", 0))
)
_BODIES: Final = tuple(position for position in POSITIONS if position.name in ("request body", "success response"))


@dataclass(frozen=True)
class Composition:
    """One edit of a composed schema, by positions in the tables above.

    Attributes:
        position, form, use: where and how the component is used.
        component, neighbour: what both are, released and candidate.
    """

    position: Position
    form: Form
    use: int
    component: tuple[int, int]
    neighbour: tuple[int, int]

    @property
    def name(self) -> str:
        """For a report."""
        named = " -> ".join(str(COMPONENTS[at]) for at in dict.fromkeys(self.component))
        beside = " -> ".join(NEIGHBOURS[at][0] for at in dict.fromkeys(self.neighbour))
        return f"{self.where}: {named} beside {beside}"

    @property
    def where(self) -> str:
        """The place, for the tables."""
        return f"{self.form.value} {self.position.name}, {USES[self.use][0]}"

    @property
    def about(self) -> str:
        """What stands beside the component, for the tables."""
        return NEIGHBOURS[max(self.neighbour)][0]

    @property
    def text(self) -> bool:
        """Values of bodies are no texts."""
        return False

    def contracts(self) -> tuple[Contract, Contract]:
        """Both contracts."""
        made = [contract(document(self.position, *self._parts(at))) for at in (0, 1)]
        return made[0], made[1]

    def sides(self) -> tuple[Side, Side]:
        """Who sends and who expects, for the oracle."""
        return self._sides if self.position.read else self._sides[::-1]

    def samples(self) -> Samples:
        """Sampled values of the whole."""
        return _samples(self.use)

    @cached_property
    def _sides(self) -> tuple[Side, Side]:
        released, candidate = (self._side(at) for at in (0, 1))
        return released, candidate

    def _side(self, at: int) -> Side:
        schema, form, named = self._parts(at)
        return Side(schema, named, form, read=self.position.read)

    def _parts(self, at: int) -> tuple[Schema, Form, dict[str, Schema]]:
        around, beside = USES[self.use][1], NEIGHBOURS[self.neighbour[at]][1]
        return around(self.form.named(COMPONENT), beside), self.form, {COMPONENT: COMPONENTS[self.component[at]]}


@cache
def _samples(use: int) -> Samples:
    whole = USES[use][2]
    return Samples((*(whole(each) for each in _OBJECTS), "", "x", 0, None, {}, []))


def compositions(share: int = 1) -> Iterator[Composition]:
    """Every edit of the component, then every edit of its neighbour: all, or the fixed part that 1 in `share` is."""
    yield from (each for each in _all() if share == 1 or crc32(each.name.encode()) % share == 0)


def _all() -> Iterator[Composition]:
    other = range(1, len(COMPONENTS))
    edits = [*((0, at) for at in other), *((at, 0) for at in other), (1, 2), (2, 1)]
    for position, form, use in product(_BODIES, sorted(THREE), range(len(USES))):
        usable = [at for at, (_, _, forms) in enumerate(NEIGHBOURS) if form in forms & USES[use][3]]
        for edit, at in product(edits, usable):
            yield Composition(position, form, use, edit, (at, at))
        for at, component in product(usable[1:], (0, 1)):
            yield Composition(position, form, use, (component, component), (0, at))
            yield Composition(position, form, use, (component, component), (at, 0))
