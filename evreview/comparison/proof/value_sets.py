"""The value sets of two schema nodes compared in the direction of a message; each comparison is made once."""

from __future__ import annotations

from collections.abc import Iterable

from evreview.contract.model import SchemaDialect, ValueSet
from evreview.core.vocabulary import Answer, Json, Polarity
from evreview.proof.position import Positions
from evreview.schema.subsumption.relation import Inclusion, Inclusions, Told
from evreview.schema.to_json_schema import Source
from evreview.schema.view import Part, Sub

Schemas = tuple[Json, Json]


class Sets:
    """Compares what two contracts admit; the side that sends is the left one."""

    def __init__(self, positions: Positions) -> None:
        self._positions = positions
        self._engines: dict[tuple[Polarity, bool, bool], Inclusions] = {}
        self._joined: dict[tuple[int, ...], tuple[Sub, Json]] = {}
        self._met: dict[tuple[int, int], tuple[Json, Json, Json]] = {}

    def of_nodes(self, pair: tuple[ValueSet, ValueSet], polarity: Polarity) -> Schemas:
        """The schemas of two nodes, released first."""
        sides = self._positions.sides(polarity)
        return sides.released.schema(pair[0]), sides.candidate.schema(pair[1])

    def of_subs(self, pair: tuple[Sub, Sub], polarity: Polarity) -> Schemas:
        """The schemas of two positions, all the nodes that meet there taken together, released first."""
        sides = self._positions.sides(polarity)
        (_, old), (_, new) = self._positions.documents()
        return self._all_of(pair[0], sides.released, old), self._all_of(pair[1], sides.candidate, new)

    def both(self, one: Json, other: Json) -> Json:
        """The schema of the values of two schemas of one side."""
        key = (id(one), id(other))
        if key not in self._met:
            self._met[key] = (one, other, {"allOf": [one, other]})
        return self._met[key][2]

    def _all_of(self, sub: Sub, source: Source, dialect: SchemaDialect) -> Json:
        def converted(part: Part) -> Json:
            return source.schema(ValueSet(part.place, part.node, dialect))

        if len(sub.parts) == 1:
            return converted(sub.parts[0])
        key = (id(source), *sub.key)
        if key not in self._joined:
            self._joined[key] = (sub, {"allOf": [converted(part) for part in sub.parts]})
        return self._joined[key][1]

    def contained(self, schemas: Schemas, polarity: Polarity, *, shared: bool = False) -> Inclusion:
        """The same as `safe`, quicker, and without a value."""
        sent, expected = schemas if polarity is Polarity.READ else schemas[::-1]
        return self._engine(polarity, shared=shared, back=False).contained(sent, expected)

    def safe(self, schemas: Schemas, polarity: Polarity, *, shared: bool = False) -> Inclusion:
        """Whether all that is sent is expected.

        Args:
            schemas: released first.
            polarity: the direction.
            shared: True to take components of one name for the same: what changed inside them has rows of its own.
        """
        sent, expected = schemas if polarity is Polarity.READ else schemas[::-1]
        return self._engine(polarity, shared=shared, back=False).decide(sent, expected)

    def alike(self, schemas: Schemas, polarity: Polarity, *, shared: bool = False) -> bool:
        """True when both schemas are written alike, whatever the order of their keywords."""
        sent, expected = schemas if polarity is Polarity.READ else schemas[::-1]
        return self._engine(polarity, shared=shared, back=False).alike(sent, expected)

    def member(self, schemas: Schemas, polarity: Polarity, name: str) -> Inclusion:
        """Whether every member of a name that is sent is one that is expected."""
        sent, expected = schemas if polarity is Polarity.READ else schemas[::-1]
        return self._engine(polarity, shared=False, back=False).member(sent, expected, name)

    def owed(self, schemas: Schemas, polarity: Polarity, name: str) -> bool:
        """False when neither side demands a member of a name in this direction, in whatever branch."""
        sent, expected = schemas if polarity is Polarity.READ else schemas[::-1]
        return self._engine(polarity, shared=False, back=False).owed(sent, expected, name)

    def mentions(self, schemas: Schemas, polarity: Polarity, holes: Iterable[tuple[str, str]], name: str) -> bool:
        """True when any schema of the sending side may mention a name that looks at the value below some members."""
        sent = schemas[0] if polarity is Polarity.READ else schemas[1]
        found = self._engine(polarity, shared=False, back=False).mentioned(sent, holes)
        return found is None or name in found

    def described(self, schemas: Schemas, polarity: Polarity, holes: Iterable[tuple[str, str]], own: Schemas) -> bool:
        """True when the sending side may describe the value below some members by more than the value's own schema."""
        at = 0 if polarity is Polarity.READ else 1
        return self._engine(polarity, shared=False, back=False).described(schemas[at], holes, own[at])

    def carried(
        self, above: tuple[Schemas, Told], polarity: Polarity, hole: tuple[str, str] | None, own: Schemas
    ) -> Told:
        """What the sending side says of a value below, beside the value's own schema."""
        at = 0 if polarity is Polarity.READ else 1
        engine = self._engine(polarity, shared=False, back=False)
        return engine.carried(above[0][at], above[1], hole, own[at])

    def told(self, told: Told, polarity: Polarity, name: str) -> bool:
        """True when what is told of a value may declare a member of a name."""
        return self._engine(polarity, shared=False, back=False).told(told, name)

    def strays(
        self, polarity: Polarity, sent: Json, expected: Json, value: Json, *, free: bool = False
    ) -> frozenset[tuple[str | int, ...]]:
        """The ways to those members of a value that only the expecting side declares, and nobody sends.

        Args:
            polarity: the direction.
            sent, expected: the schemas of both sides.
            value: what is sent.
            free: True to count the members of objects that say that others may come, or declare none, too.
        """
        return self._engine(polarity, shared=False, back=False).strays(sent, expected, value, free=free)

    def equal(self, schemas: Schemas, polarity: Polarity, *, shared: bool = False) -> bool:
        """True when both schemas surely admit the same, undeclared members counted in."""
        found = self.contained(schemas, polarity, shared=shared)
        if found.answer is not Answer.YES or found.assumed:
            return False
        sent, expected = schemas if polarity is Polarity.READ else schemas[::-1]
        return self._engine(polarity, shared=shared, back=True).contained(expected, sent).answer is Answer.YES

    def _engine(self, polarity: Polarity, *, shared: bool, back: bool) -> Inclusions:
        key = (polarity, shared, back)
        if key not in self._engines:
            sides = self._positions.sides(polarity)
            forth = (polarity is Polarity.READ) is not back
            left, right = (sides.released, sides.candidate) if forth else (sides.candidate, sides.released)
            self._engines[key] = Inclusions(left.definition, right.definition, shared=shared, declared=not back)
        return self._engines[key]
