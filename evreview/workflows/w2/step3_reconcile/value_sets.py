"""Value sets of the contract and of the code side by side: which value one side admits and the other refuses."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from evreview.contract.model import Contract, Place, SchemaDialect, ValueSet
from evreview.contract.references import Resolver
from evreview.core.json_values import names_in
from evreview.core.vocabulary import Answer, Json, Polarity
from evreview.reference.reconciling.library import Library, shareable
from evreview.schema.subsumption.interned_schema import text_of
from evreview.schema.subsumption.relation import Inclusion, Inclusions
from evreview.schema.to_json_schema import Source, closed, gaps
from evreview.schema.validators import Unusable, validator
from evreview.schema.view import Part, SchemaView, Sub
from evreview.schema.views import Views

_FILE: Final = "code"
_LIBRARIES: Final = 8
DECISION_STEPS: Final = 20_000
"""Questions per decision: where every schema leads to every other, the first one asks five thousand."""
UNREADABLE: Final = "a part of the contract's schema could not be read"


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


class Values:
    """Gives positions of one contract and of code facts; what was read once is kept."""

    def __init__(self, contract: Contract) -> None:
        self._contract = contract
        self._resolver = Resolver(contract.documents)
        self._views: dict[SchemaDialect, Views] = {}
        self._sources: dict[Polarity, Source] = {}
        self._codes: dict[bytes, tuple[Library, Part]] = {}
        self._libraries: list[Library] = []
        self._pairs: dict[tuple[int, int], Pair] = {}

    def of_contract(self, value: ValueSet, polarity: Polarity) -> Position:
        """The position of a value set of the contract in one direction."""
        views = self._views.setdefault(value.dialect, Views(self._resolver, value.dialect))
        source = self._sources.setdefault(polarity, Source(self._contract, polarity))
        return Position(Sub((Part(value.node, value.place),)), views, source)

    def of_code(self, schema: Json, polarity: Polarity) -> Position:
        """The position of a schema that a code fact holds; equal schemas have one position."""
        key = _schema_text(schema)
        if key is None:
            return self._placed(*self._alone(schema), polarity)
        if key not in self._codes:
            self._codes[key] = self._shelved(schema)
        return self._placed(*self._codes[key], polarity)

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
    def _placed(library: Library, part: Part, polarity: Polarity) -> Position:
        return Position(Sub((part,)), library.views, library.source(polarity))


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
            (forth, declared): Inclusions(
                *((one, other) if forth else (other, one)), declared=declared, steps=DECISION_STEPS
            )
            for forth in (True, False)
            for declared in (True, False)
        }

    def within_code(self, left: Json, right: Json, *, declared: bool = True) -> Inclusion:
        """Whether the contract's values of one schema are values of a schema of the code."""
        return self._decide(left, right, forth=True, declared=declared)

    def within_contract(self, left: Json, right: Json, *, declared: bool = True) -> Inclusion:
        """Whether the code's values of one schema are values of a schema of the contract."""
        return self._decide(left, right, forth=False, declared=declared)

    def _decide(self, left: Json, right: Json, *, forth: bool, declared: bool) -> Inclusion:
        self._kept += [left, right]  # the engines tell schemas apart by identity
        if gaps(left) or gaps(right):
            return Inclusion(answer=Answer.UNKNOWN, reason=UNREADABLE)
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
