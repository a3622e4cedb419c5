"""Value sets of the contract and of the code side by side: which value one side admits and the other refuses."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

from evreview.contract.model import Contract, Place, SchemaDialect, ValueSet
from evreview.contract.references import Resolver
from evreview.core.json_text import names_in
from evreview.core.vocabulary import ABSENT, ClosedVocabulary, Direction, Form, Json, Sentence, Tristate
from evreview.schema.subsumption.interned_schema import text_of
from evreview.schema.subsumption.relation import Subsumption, SubsumptionChecker
from evreview.schema.subsumption.result import UndecidedReason
from evreview.schema.to_json_schema import Source, closed, gaps
from evreview.schema.validators import Unusable, validator
from evreview.schema.view import Part, SchemaView, Sub
from evreview.schema.views import Views
from evreview.schema.wire_text import expected, sent

DECISION_STEPS: Final = 20_000
"""Questions per decision: where every schema leads to every other, the first one asks five thousand."""


@dataclass(frozen=True, slots=True)
class Position:
    """A position in a schema of one side, and everything needed to look at it."""

    sub: Sub
    views: Views
    source: Source

    @property
    def view(self) -> SchemaView:
        """What the position admits, references followed."""
        return self.views.view(self.views.resolve(self.sub))

    @property
    def key(self) -> tuple[int, ...]:
        """The same for the same written nodes."""
        return self.views.resolve(self.sub).key

    @property
    def place(self) -> Place:
        """Where it is written."""
        return self.views.resolve(self.sub).place

    @property
    def schema(self) -> Json:
        """The schema as 2020-12, references kept."""
        made = [self.source.schema(ValueSet(part.place, part.node, self.views.dialect)) for part in self.sub.parts]
        return made[0] if len(made) == 1 else {"allOf": made}

    @property
    def form(self) -> Json:
        """The schema as written, a reference at its top followed."""
        nodes = [part.node for part in self.views.resolve(self.sub).parts]
        return nodes[0] if len(nodes) == 1 else {"allOf": nodes}

    @property
    def whole(self) -> Json:
        """The schema with all that it refers to."""
        return closed(self.schema, self.source.definition)

    def at(self, sub: Sub) -> Position:
        """Another position of the same side."""
        return replace(self, sub=sub)


class PositionFinder:
    """Gives positions of one contract and of code facts; what was read once is kept."""

    def __init__(self, contract: Contract) -> None:
        self._contract = contract
        self._resolver = Resolver(contract.documents)
        self._views: dict[SchemaDialect, Views] = {}
        self._sources: dict[Direction, Source] = {}
        self._codes: dict[bytes, tuple[Library, Part]] = {}
        self._libraries: list[Library] = []
        self._pairs: dict[tuple[int, int], Pair] = {}

    def of_contract(self, value: ValueSet, direction: Direction) -> Position:
        """The position of a value set of the contract in one direction."""
        views = self._views.setdefault(value.dialect, Views(self._resolver, value.dialect))
        source = self._sources.setdefault(direction, Source(self._contract, direction))
        return Position(Sub((Part(value.node, value.place),)), views, source)

    def of_code(self, schema: Json, direction: Direction) -> Position:
        """The position of a schema that a code fact holds; equal schemas have one position."""
        key = _schema_text(schema)
        if key is None:
            return self._placed(*self._alone(schema), direction)
        if key not in self._codes:
            self._codes[key] = self._shelved(schema)
        return self._placed(*self._codes[key], direction)

    def pair(self, contract: Position, code: Position) -> Pair:
        """The two positions side by side, with all that was decided about their sources before."""
        key = (id(contract.source), id(code.source))
        if key not in self._pairs:
            self._pairs[key] = Pair(contract.source, code.source)
        return self._pairs[key]

    def _shelved(self, schema: Json) -> tuple[Library, Part]:
        definitions = shareable(schema)
        if definitions is None:
            return self._alone(schema)
        for library in self._libraries:
            part = library.take(schema, definitions)
            if part is not None:
                return library, part
        if len(self._libraries) == _LIBRARIES:
            return self._alone(schema)
        self._libraries.append(Library(self._contract, f"{_FILE} {len(self._libraries)}"))
        part = self._libraries[-1].take(schema, definitions)
        assert part is not None, "an empty document takes any schema"
        return self._libraries[-1], part

    def _alone(self, schema: Json) -> tuple[Library, Part]:
        library = Library(self._contract, _FILE, (schema,))
        return library, library.only(schema)

    @staticmethod
    def _placed(library: Library, part: Part, direction: Direction) -> Position:
        return Position(Sub((part,)), library.views, library.source(direction))


def _schema_text(schema: Json) -> bytes | None:
    """One text per schema; None for one that has none, whatever it holds."""
    try:
        return text_of(schema)
    except (TypeError, ValueError, RecursionError):
        return None


class Pair:
    """A source of the contract beside one of the code; asks whether the values of one are values of the other."""

    def __init__(self, contract: Source, code: Source) -> None:
        self.sources = contract, code  # kept, so that no other source ever gets their identity
        self._kept: list[Json] = []
        one, other = contract.definition, code.definition
        self._engines = {
            (forth, declared): SubsumptionChecker(
                *((one, other) if forth else (other, one)), declared=declared, steps=DECISION_STEPS
            )
            for forth in (True, False)
            for declared in (True, False)
        }

    def within_code(self, left: Json, right: Json, *, declared: bool = True) -> Subsumption:
        """Whether the contract's values of one schema are values of a schema of the code."""
        return self._decide(left, right, forth=True, declared=declared)

    def within_contract(self, left: Json, right: Json, *, declared: bool = True) -> Subsumption:
        """Whether the code's values of one schema are values of a schema of the contract."""
        return self._decide(left, right, forth=False, declared=declared)

    def _decide(self, left: Json, right: Json, *, forth: bool, declared: bool) -> Subsumption:
        self._kept += [left, right]  # the engines tell schemas apart by identity
        if gaps(left) or gaps(right):
            return Subsumption(answer=Tristate.UNKNOWN, reason=UndecidedReason.CONTRACT_GAP)
        return self._engines[forth, declared].decide(left, right)


def admits(position: Position, schema: Json, value: Json) -> bool | None:
    """Whether a schema of a position's side admits a value; None when no validator can say."""
    whole = closed(schema, position.source.definition, frozenset(names_in(value)).__contains__)
    if gaps(whole):
        return None
    try:
        return bool(validator(whole).is_valid(value))
    except Unusable:
        return None


# One difference between two value sets, and how it is looked for.


class DeviationKind(ClosedVocabulary):
    """How the code's value set deviates from the contract's. The first seven speak of what is read, the rest of sent.

    NARROWER: it refuses what the contract admits. WIDER: it admits what the contract refuses. CLOSED: it refuses every
    member that it does not name. REQUIRED, OPTIONAL: a field has to be there, or need not, other than the contract
    says. UNREAD: nothing reads a field of the contract. UNDOCUMENTED: a field that the contract does not have (both
    directions). OUTSIDE: a value that the contract refuses is sent. ABSENT: a field that the contract promises is
    never sent. UNSENT: one that it mentions is never sent. UNOWED: one that it promises is not always sent. DEFAULT: an
    absent field counts as another value than the contract says.
    """

    NARROWER = "narrower"
    WIDER = "wider"
    CLOSED = "closed"
    REQUIRED = "field-required"
    OPTIONAL = "field-optional"
    UNREAD = "field-unread"
    UNDOCUMENTED = "field-undocumented"
    OUTSIDE = "outside"
    MISSING = "field-missing"
    UNSENT = "field-unsent"
    UNOWED = "field-unowed"
    DEFAULT = "field-default"


@dataclass(frozen=True, slots=True, kw_only=True)
class PositionDifference:
    """One difference below a position.

    Attributes:
        path: the field, dotted, `[]` for the items of a list, `*` for members without a name; "" for the whole.
        contract, implementation: both schemas as written, ABSENT where one side has none.
        witness: a value at the place of `judged` that one side admits and the other refuses.
        place: where the contract writes it, None when it does not.
        sides: what the witness was found with, the contract's first; () without a witness.
    """

    way: DeviationKind
    path: str
    contract: Form
    implementation: Form
    witness: Form = ABSENT
    place: Place | None = None
    sides: tuple[Position, Position] | tuple[Json, Json] | tuple[()] = ()

    @property
    def judged(self) -> tuple[Json, ...]:
        """Self-contained schemas that the witness was found with, the contract's first; () without a witness."""
        return tuple(side.whole if isinstance(side, Position) else side for side in self.sides)


class OpenReason(Sentence):
    """Why nothing decided a comparison of contract and code."""

    READ_OTHERWISE = "the code may read the value that differs as one that both sides admit"
    INEXACT = "what the code shows is an outer bound, and may be narrower in fact"
    UNSHOWN = "the code demands the field, and no value that the contract admits without it could be made"
    TOO_DEEP = "nested deeper than is compared field by field"
    TOO_WIDE = "more fields than are compared one by one, or too many that cost too much; the rest was not compared"
    TOO_MANY = "more differences than are listed one by one"


@dataclass(frozen=True, slots=True)
class Open:
    """A comparison that nothing decided."""

    path: str
    reason: OpenReason | UndecidedReason


@dataclass(frozen=True, slots=True, kw_only=True)
class Mode:
    """How values travel.

    Attributes:
        reads: True for what the code reads, False for what it sends.
        exact: True when the code's schema is all that the code checks, not only an outer bound.
        text: True when values travel as text, as in a query string.
        path: True for a part of a path, which is never empty.
    """

    reads: bool
    exact: bool
    text: bool = False
    path: bool = False


# Two value sets compared as wholes, with a value that shows the difference.


_NOT_EMPTY: Final[Json] = {"minLength": 1}
_NOT_NULL: Final[Json] = {"type": ["string", "number", "boolean", "array", "object"]}


def whole_sets(
    pair: Pair, contract: Position, code: Position, mode: Mode
) -> Iterator[tuple[DeviationKind, Json] | Open]:
    """The one way in which the code's set deviates, with its witness, or why that is open; nothing when it doesn't."""
    left = {"allOf": [contract.schema, *_beside(mode)]} if mode.text or mode.path else contract.schema
    found = _read(pair, (left, code), contract, mode) if mode.reads else _sent(pair, contract, code, mode)
    if found is not None:
        yield found


def witnessed(way: DeviationKind, contract: Position, code: Position, witness: Json, path: str) -> PositionDifference:
    """The difference between two whole positions."""
    return PositionDifference(
        way=way,
        path=path,
        contract=contract.form,
        implementation=code.form,
        witness=witness,
        place=contract.place,
        sides=(contract, code),
    )


def _read(
    pair: Pair, sides: tuple[Json, Position], contract: Position, mode: Mode
) -> tuple[DeviationKind, Json] | Open | None:
    left, code = sides
    forth = pair.within_code(left, code.schema)
    if forth.answer is Tristate.NO:
        refused = _refused(code, forth.witness[0], text=mode.text)
        if refused:
            return DeviationKind.NARROWER, forth.witness[0]
        if refused is None or not mode.text:
            return Open("", OpenReason.READ_OTHERWISE)
        return _texts(pair, (left, code), contract, mode)
    wider = _wider(pair, contract, code, mode)
    if wider is None and forth.answer is Tristate.UNKNOWN:
        return Open("", forth.reason)
    return wider


def _texts(
    pair: Pair, sides: tuple[Json, Position], contract: Position, mode: Mode
) -> tuple[DeviationKind, Json] | Open | None:
    """The same for sets of texts: types differ, and what is written may not."""
    left, code = sides
    texts, read = sent(contract.whole), expected(code.whole)
    if texts is None or read is None:
        return Open("", OpenReason.READ_OTHERWISE)
    found = pair.within_code(texts, read)
    if found.answer is Tristate.YES:
        return _wider(pair, contract, code, mode)
    if found.answer is Tristate.NO:
        text = found.witness[0]
        meant = any(admits(contract, left, value) for value in readings(text, text=True))
        if meant and _refused(code, text, text=True):
            return DeviationKind.NARROWER, text
    return Open("", OpenReason.READ_OTHERWISE)


def _wider(pair: Pair, contract: Position, code: Position, mode: Mode) -> tuple[DeviationKind, Json] | Open | None:
    if not mode.exact:
        return None
    left = {"allOf": [code.schema, *_beside(mode)]} if mode.text or mode.path else code.schema
    back = pair.within_contract(left, contract.schema)
    if back.answer is Tristate.NO:
        refused = not mode.text or _refused(contract, back.witness[0], text=True)
        return (DeviationKind.WIDER, back.witness[0]) if refused else None
    return Open("", back.reason) if back.answer is Tristate.UNKNOWN else None


def _sent(pair: Pair, contract: Position, code: Position, mode: Mode) -> tuple[DeviationKind, Json] | Open | None:
    found: Subsumption = pair.within_contract(code.schema, contract.schema)
    if found.answer is Tristate.YES:
        return None
    if found.answer is Tristate.UNKNOWN:
        return Open("", found.reason)
    if mode.exact or pair.within_contract(code.schema, {"not": contract.schema}).answer is Tristate.YES:
        return DeviationKind.OUTSIDE, found.witness[0]
    return Open("", OpenReason.INEXACT)


def _beside(mode: Mode) -> list[Json]:
    """What can't travel at all: null has no text, and no part of a path is empty."""
    return [*([_NOT_NULL] if mode.text else []), *([_NOT_EMPTY] if mode.path else [])]


def _refused(position: Position, value: Json, *, text: bool) -> bool | None:
    """True when a side refuses every reading of a value; None when nobody can say."""
    answers = [admits(position, position.schema, reading) for reading in readings(value, text=text)]
    if any(answers):
        return False
    return None if None in answers else True


# What a reader may take a value for: validators of web frameworks read `"5"` as 5, and a query string has no types.


Leaf = Callable[[Json], Json]

_INTEGER: Final = re.compile(r"\s*[+-]?[0-9]{1,300}\s*")
_NUMBER: Final = re.compile(r"\s*[+-]?([0-9]{1,300}(\.[0-9]{0,300})?|\.[0-9]{1,300})([eE][+-]?[0-9]{1,3})?\s*")
_TRUE: Final = frozenset({"1", "true", "t", "yes", "y", "on"})
_FALSE: Final = frozenset({"0", "false", "f", "no", "n", "off"})


def readings(value: Json, *, text: bool) -> Iterator[Json]:
    """The value, and every other one that it may be read as.

    Args:
        value: as a client means it.
        text: True where it travels as text: then it is read from its text alone.
    """
    ways: list[Leaf] = [_same, _number, _truth, _moment, _day]
    start = _mapped(value, _text_form) if text else value
    for way in ways:
        yield _mapped(start, way)
    if text and not isinstance(start, list):
        for way in ways:
            yield [_mapped(start, way)]


def _mapped(value: Json, leaf: Leaf) -> Json:
    if isinstance(value, dict):
        return {name: _mapped(member, leaf) for name, member in value.items()}
    if isinstance(value, list):
        return [_mapped(member, leaf) for member in value]
    return leaf(value)


def _same(value: Json) -> Json:
    return value


def _text_form(value: Json) -> Json:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value) if isinstance(value, (int, float)) else value


def _number(value: Json) -> Json:
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, str) and _INTEGER.fullmatch(value):
        return int(value)
    return float(value) if isinstance(value, str) and _NUMBER.fullmatch(value) else value


def _truth(value: Json) -> Json:
    word = str(value).strip().lower() if isinstance(value, (str, int, float)) else ""
    return True if word in _TRUE else False if word in _FALSE else value


def _moment(value: Json) -> Json:
    return "1970-01-01T00:00:00Z" if _is_number(value) else value


def _day(value: Json) -> Json:
    return "1970-01-01" if _is_number(value) else value


def _is_number(value: Json) -> bool:
    """True for a number, and for its text: dates are read from both."""
    number = _number(value)
    return isinstance(number, (int, float)) and not isinstance(value, bool)


# Schemas of the code that share their definitions stand in one document, so that each is read and judged once.


_REF: Final = "#/$defs/"
_NAMING: Final = frozenset({"$id", "$anchor", "$dynamicRef", "$dynamicAnchor", "$recursiveRef", "discriminator"})
"""Keywords that may reach beyond the references of a schema."""
_DIALECT: Final = SchemaDialect.DRAFT_2020_12


class Library:
    """One document of schemas, and what was read of it.

    Args:
        contract: whose settings hold for the code's schemas too.
        file: the name of the document.
        alone: the only schema in it; () for a document that takes several.
    """

    def __init__(self, contract: Contract, file: str, alone: tuple[Json, ...] = ()) -> None:
        self._file = file
        self._definitions: dict[str, Json] = {}
        self._texts: dict[str, bytes] = {}
        self._schemas: list[Json] = []
        shared: Json = {"$defs": self._definitions, "schemas": self._schemas}
        documents: Mapping[str, Json] = {file: alone[0] if alone else shared}
        self._holder = replace(contract, discriminates=False, documents=documents, unread=())
        self._sources: dict[Direction, Source] = {}
        self.views = Views(Resolver(documents), _DIALECT)

    def source(self, direction: Direction) -> Source:
        """The document's value sets in one direction."""
        if direction not in self._sources:
            self._sources[direction] = Source(self._holder, direction)
        return self._sources[direction]

    def only(self, schema: Json) -> Part:
        """The one schema of the document."""
        return Part(_start(schema), Place(self._file, ""))

    def take(self, schema: Json, definitions: Mapping[str, bytes]) -> Part | None:
        """The schema's place in the document; None when a name means something else there already."""
        if any(self._texts.get(name, text) != text for name, text in definitions.items()):
            return None
        self._texts.update(definitions)
        for name, node in _definitions(schema).items():
            self._definitions.setdefault(name, node)
        self._schemas.append(schema)
        return Part(_start(schema), Place(self._file, "").child("schemas", len(self._schemas) - 1))


def shareable(schema: Json) -> Mapping[str, bytes] | None:
    """The texts of a schema's definitions by name; None for one that other documents than its own would change."""
    definitions = _definitions(schema)
    for node in _nodes(schema):
        ref = node.get("$ref")
        named = isinstance(ref, str) and ref.startswith(_REF) and ref.removeprefix(_REF) in definitions
        if (ref is not None and not named) or not _NAMING.isdisjoint(node):
            return None
    return {name: text_of(node) for name, node in definitions.items()}


def _definitions(schema: Json) -> Mapping[str, Json]:
    found = schema.get("$defs") if isinstance(schema, Mapping) else None
    return found if isinstance(found, Mapping) else {}


def _start(schema: Json) -> Json:
    """A reference that stands alone has nothing beside it."""
    alone = isinstance(schema, Mapping) and schema.keys() == {"$ref", "$defs"}
    return {"$ref": schema["$ref"]} if alone and isinstance(schema, Mapping) else schema


def _nodes(schema: Json) -> Iterator[Mapping[str, Json]]:
    waiting: list[Json] = [schema]
    while waiting:
        node = waiting.pop()
        if isinstance(node, Mapping):
            yield node
            waiting += node.values()
        elif isinstance(node, list):
            waiting += node


_FILE: Final = "code"
_LIBRARIES: Final = 8
