"""Which schema pairs admit the same values although their nodes differ: decided by containment both ways.

Rows about values in such a pair, and below the branches of its composition, are no difference of any message.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from evreview.comparison import delta as fact
from evreview.comparison.delta import RawDifference
from evreview.comparison.node_pair import SchemaReaders
from evreview.comparison.noise import NoiseReason
from evreview.comparison.schema_pairs import SchemaPair
from evreview.contract.model import Contract, ValueSet
from evreview.core.vocabulary import ABSENT, Aspect, Direction, Form, Json, Tristate
from evreview.schema.evaluator import Evaluator
from evreview.schema.reader import UNEVALUATED, non_wire_nullable
from evreview.schema.subsumption.relation import compare_sets
from evreview.schema.to_json_schema import Source, gaps, references
from evreview.schema.view import Key, Part, SchemaView, Sub, branch_of

# Members that moved between a schema and the branches that look at the same value: both sides declare them there.


_ALONE: Final = frozenset({"", "if", "then", "else", "not"})
_BRANCHING: Final = frozenset({"$ref", "allOf", "anyOf", "oneOf", "if", "dependentSchemas", "dependencies"})
_MOST: Final = 200


class MovedMembers:
    """Reads which members two positions declare in place, branches included."""

    def __init__(self, old: SchemaReaders, new: SchemaReaders) -> None:
        self._sides = (old, new)
        self._known: tuple[dict[Key, frozenset[str]], dict[Key, frozenset[str]]] = ({}, {})

    def of(self, pair: SchemaPair) -> frozenset[str]:
        """The members that both sides of a pair declare, in itself or in its branches."""
        return self._declared(0, pair.released) & self._declared(1, pair.candidate)

    def explain(self, pair: SchemaPair, at: SchemaPair) -> bool:
        """True when all members that a pair has more or less are declared on both sides of another one, above it."""
        names = {row.name for row in pair.differences if row.aspect is Aspect.FIELDS and not row.reason}
        return not names or names <= self.of(at)

    def _declared(self, side: int, sub: Sub) -> frozenset[str]:
        known = self._known[side]
        if sub.key not in known:
            known[sub.key] = self._read(self._sides[side], sub)
        return known[sub.key]

    def _read(self, side: SchemaReaders, start: Sub) -> frozenset[str]:
        found: set[str] = set()
        waiting, seen = [start], {start.key}
        while waiting and len(seen) < _MOST:
            sub = waiting.pop()
            found |= side.views.view(sub).properties.keys()
            for edge in side.views.edges(sub) if _branches(sub) else ():
                below = side.views.resolve(edge.sub)
                # What `not` refuses is not declared.
                declares = not edge.name and not edge.reverses and in_place(edge.step)
                if declares and below.key not in seen:
                    seen.add(below.key)
                    waiting.append(below)
        return frozenset(found)


def _branches(sub: Sub) -> bool:
    """True for a schema that anything else in place may stand in."""
    return len(sub.parts) > 1 or sub.writes(_BRANCHING)


def moved_below(equal: Iterable[SchemaPair], moved: MovedMembers) -> Mapping[int, frozenset[str]]:
    """By id of each pair in place below one of the `equal` ones: the members that each of these declares twice."""
    found: dict[int, frozenset[str]] = {}
    for top in equal:
        names = moved.of(top)
        for pair in _in_place(top):
            found[id(pair)] = names & found.get(id(pair), names)
    return found


def below_judges(pairs: Iterable[SchemaPair]) -> frozenset[int]:
    """The ids of the pairs in place below one that judges what is left unevaluated."""
    found: set[int] = set()
    for pair in pairs:
        if pair.released.writes(UNEVALUATED) or pair.candidate.writes(UNEVALUATED):
            found.update(id(each) for each in _in_place(pair)[1:])
    return frozenset(found)


def _in_place(top: SchemaPair) -> Sequence[SchemaPair]:
    found = [top]
    seen = {id(top)}
    for pair in found:
        for link in pair.links:
            if link.required is None and in_place(link.step) and id(link.target) not in seen:
                seen.add(id(link.target))
                found.append(link.target)
    return found


def in_place(step: str) -> bool:
    """True for a step, to no field, that stays with the same value."""
    return step in _ALONE or branch_of(step) is not None


_VALUES: Final = frozenset(
    {"type", "nullable", "enum", "schema", "allOf", "anyOf", "oneOf", "not", "if", "contains", "prefixItems", "items"}
    | {
        "patternProperties",
        "propertyNames",
        "dependentSchemas",
        "dependentRequired",
        "additionalProperties",
        "required",
    }
    | {"unevaluatedProperties", "unevaluatedItems", "minLength", "maxLength", "pattern", "multipleOf", "minItems"}
    | {"maxItems", "uniqueItems", "minProperties", "maxProperties", "minContains", "maxContains"}
    | {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "format"}
)
"""Facets of rows that say which values are admitted, and nothing else."""
_DIRECTIONS: Final = (None, Direction.READ, Direction.WRITTEN)
"""What is kept back in one direction (`readOnly`, `writeOnly`) is not owed there: sets may differ in it alone."""
_LARGEST: Final = 4000
_DEEPEST: Final = 4


def about_values(difference: RawDifference) -> bool:
    """True for a difference on the wire that says nothing but which values are admitted."""
    if difference.reason or difference.facet not in _VALUES or difference.aspect is Aspect.FIELDS:
        return False
    if difference.facts.get(fact.WITHOUT_EFFECT) is True:
        return False
    # A branch that came or went with a discriminator says which schema reads a value, too.
    branches = (difference.released, difference.candidate)
    return not any(isinstance(branch, dict) and "discriminator" in branch for branch in branches)


class Equivalence:
    """Compares pairs of positions as wholes, each one once."""

    def __init__(self, released: tuple[Contract, SchemaReaders], candidate: tuple[Contract, SchemaReaders]) -> None:
        self._sides = [
            ({direction: Source(contract, direction) for direction in _DIRECTIONS}, side)
            for contract, side in (released, candidate)
        ]
        self._known: dict[int, bool] = {}
        self.judged: frozenset[int] = frozenset()
        """The ids of the pairs in place below one that judges what is left unevaluated, once `among` was asked."""
        self.moved = MovedMembers(released[1], candidate[1])

    def among(self, pairs: Sequence[SchemaPair]) -> set[int]:
        """The ids of the pairs that admit the same, of those that have rows about values or composed rows below."""
        users = _users(pairs)
        self.judged = below_judges(pairs)
        found: set[int] = set()
        level = self._first(pairs, users)
        for _ in range(_DEEPEST):
            same = {id(pair) for pair in level if self._same(pair)}
            found |= same
            above = [user for pair in level if id(pair) not in same for user in users.get(id(pair), ())]
            level = list({id(pair): pair for pair in above if id(pair) not in self._known}.values())
        return found

    def _first(self, pairs: Sequence[SchemaPair], users: Mapping[int, list[SchemaPair]]) -> list[SchemaPair]:
        """The pairs to ask about: with rows about values, or with members that moved between them and branches."""
        found: dict[int, SchemaPair] = {}
        for pair in pairs:
            if not any(about_values(row) or _about_members(row) for row in pair.differences):
                continue
            # A member more or less hardly ever leaves the values as they are, if it is declared nowhere else.
            around = [pair] if self.moved.explain(pair, pair) else users.get(id(pair), ())
            found.update((id(each), each) for each in around if self.moved.explain(pair, each))
        return list(found.values())

    def _same(self, pair: SchemaPair) -> bool:
        if id(pair) not in self._known:
            # A part that admits the same may leave other members unevaluated: only the whole can tell.
            self._known[id(pair)] = id(pair) not in self.judged and self._decided(pair)
        return self._known[id(pair)]

    def _decided(self, pair: SchemaPair) -> bool:
        wholes = [self._wholes(pair, direction) for direction in _DIRECTIONS]
        # Where nothing is kept back in a direction, its schemas are those of none.
        return all(_admit_the_same(one) for at, one in enumerate(wholes) if at == 0 or one != wholes[0])

    def _wholes(self, pair: SchemaPair, direction: Direction | None) -> list[Json] | None:
        """The schemas of both sides in one direction, None where a part can't be read or is too much."""
        found: list[Json] = []
        for (sources, side), sub in zip(self._sides, (pair.released, pair.candidate), strict=True):
            source = sources[direction]
            schema = _closed(_schema(source, side, sub), source)
            if schema is None or gaps(schema):
                return None
            found.append(schema)
        return found


def _admit_the_same(wholes: Sequence[Json] | None) -> bool:
    if wholes is None:
        return False
    released, candidate = wholes
    # What admits nothing at all is a slip of its author; whatever changes in it stays visible.
    same = compare_sets(released, candidate).equal is Tristate.YES
    return same and compare_sets(released, False).released_in_candidate is not Tristate.YES


def _about_members(row: RawDifference) -> bool:
    return row.aspect is Aspect.FIELDS and not row.reason


def _schema(source: Source, side: SchemaReaders, sub: Sub) -> Json:
    def converted(part: Part) -> Json:
        return source.convert(ValueSet(part.place, part.node, side.views.dialect))

    if len(sub.parts) == 1:
        return converted(sub.parts[0])
    return {"allOf": [converted(part) for part in sub.parts]}


def _closed(schema: Json, source: Source) -> Json | None:
    """The schema with the definitions it reaches, None when that is too much to compare quickly."""
    if not isinstance(schema, dict):
        return schema
    size = len(json.dumps(schema))
    found: dict[str, Json] = {}
    waiting = list(references(schema))
    while waiting and size <= _LARGEST:
        name = waiting.pop()
        if name in found:
            continue
        target = source.definition(name)
        found[name] = True if target is None else target
        size += len(json.dumps(found[name]))
        waiting.extend(references(found[name]))
    if size > _LARGEST:
        return None
    return {**schema, "$defs": dict(sorted(found.items()))} if found else schema


def explain(starts: Iterable[SchemaPair], pairs: Sequence[SchemaPair], equal: set[int], moved: MovedMembers) -> None:
    """Gives rows their reason where every way from `starts` leads through one of the `equal` pairs.

    Those about values, and those about members that only moved between an equal pair and its branches.
    """
    open_: set[int] = set()
    stack = [pair for pair in starts if id(pair) not in equal]
    while stack:
        pair = stack.pop()
        if id(pair) in open_:
            continue
        open_.add(id(pair))
        stack += [link.target for link in pair.links if id(link.target) not in equal]
    declared = moved_below([pair for pair in pairs if id(pair) in equal], moved)
    for pair in pairs:
        if id(pair) not in open_:
            names = declared.get(id(pair), frozenset())
            pair.differences = [
                replace(row, reason=NoiseReason.SAME_VALUES)
                if about_values(row) or (_about_members(row) and row.name in names)
                else row
                for row in pair.differences
            ]


# Null that one side admits and the other refuses where both were read as the same.
#
# A view says of null what its own node says. A choice inside a choice, `not` and a condition may say otherwise: there
# the schemas as they are written are asked.


_COMPOSING: Final = frozenset({"allOf", "anyOf", "oneOf", "not", "if", "$ref"})
_TELLING: Final = frozenset({"nullable", "type", "enum", "schema", "allOf", "anyOf", "oneOf", "not", "if"})
"""Facets of rows that say, or may say, whether null is admitted."""


def tell_null(
    pairs: Sequence[SchemaPair], released: tuple[Contract, SchemaReaders], candidate: tuple[Contract, SchemaReaders]
) -> None:
    """Puts a row at each lowest pair of which one side admits null alone, and no row in place tells it."""
    judges = [_Judge(*side) for side in (released, candidate)]
    told = {id(pair) for pair in pairs if any(row.facet in _TELLING and not row.reason for row in pair.differences)}
    users = _users(pairs)
    found: dict[int, tuple[SchemaPair, bool]] = {}
    for pair in pairs:
        if id(pair) in told or pair.selects or not any(sub.writes(_COMPOSING) for sub in _subs(pair)):
            continue
        old, new = (judge.admits_null(sub) for judge, sub in zip(judges, _subs(pair), strict=True))
        if None not in (old, new) and old is not new:
            found[id(pair)] = (pair, old is True)
    above = _above(told | found.keys(), users)
    for key, (pair, null) in found.items():
        if key not in above:
            kept = [row for row in pair.differences if row.reason is not NoiseReason.RESPELLED]
            pair.differences = [*kept, _null_difference(pair, null)]


class _Judge:
    """Asks the schemas of one contract, as they are written, whether they admit null."""

    def __init__(self, contract: Contract, side: SchemaReaders) -> None:
        self._source = Source(contract, None)
        self._evaluator = Evaluator(self._source.definition)
        self._dialect = side.views.dialect

    def admits_null(self, sub: Sub) -> bool | None:
        """None where a part can't be read, or where `nullable` may be meant and has no effect."""
        if any(non_wire_nullable(part.node, self._dialect) for part in sub.parts):
            return None
        values = [ValueSet(part.place, part.node, self._dialect) for part in sub.parts]
        schema: Json = {"allOf": [self._source.schema(value) for value in values]}
        return None if gaps(schema) else self._evaluator.admits(schema, None)


def _subs(pair: SchemaPair) -> tuple[Sub, Sub]:
    return pair.released, pair.candidate


def _null_difference(pair: SchemaPair, null: bool) -> RawDifference:
    return RawDifference(
        aspect=Aspect.NULLABILITY,
        facet="nullable",
        released=null,
        candidate=not null,
        released_place=pair.released.place,
        candidate_place=pair.candidate.place,
    )


def _users(pairs: Iterable[SchemaPair]) -> dict[int, list[SchemaPair]]:
    """The pairs that look at the same value as a pair which they lead to, by its id."""
    users: dict[int, list[SchemaPair]] = {}
    for pair in pairs:
        for link in pair.links:
            if link.required is None and in_place(link.step):
                users.setdefault(id(link.target), []).append(pair)
    return users


def _above(starts: Iterable[int], users: dict[int, list[SchemaPair]]) -> set[int]:
    found: set[int] = set()
    waiting = list(starts)
    while waiting:
        for user in users.get(waiting.pop(), ()):
            if id(user) not in found:
                found.add(id(user))
                waiting.append(id(user))
    return found


# Openness that is written in one version only, below a schema that judges what is left unevaluated.
#
# By itself `additionalProperties: true` says nothing; there it looks at every member, so that none is left to be
# judged (JSON Schema 2020-12 Core, section 11).


_MEMBERS: Final = ("additionalProperties", "unevaluatedProperties")


def tell_openness(pairs: Sequence[SchemaPair], sides: tuple[SchemaReaders, SchemaReaders]) -> None:
    """Puts a row where openness is written on one side only, in the place of the word that both say the same.

    Only below schemas that judge what is left, and that show no such row themselves.
    """
    judged = below_judges(pair for pair in pairs if not any(map(_tells, pair.differences)))
    for pair in pairs:
        if id(pair) in judged and (row := _openness_difference(pair, sides)) is not None:
            kept = [each for each in pair.differences if each.reason is not NoiseReason.RESPELLED]
            pair.differences = [*kept, row]


def _tells(row: RawDifference) -> bool:
    return row.facet in _MEMBERS and not row.reason


def _openness_difference(pair: SchemaPair, sides: tuple[SchemaReaders, SchemaReaders]) -> RawDifference | None:
    subs = (pair.released, pair.candidate)
    views = [side.view(sub) for side, sub in zip(sides, subs, strict=True)]
    written = [[name for name in _MEMBERS if sub.writes(frozenset({name}))] for sub in subs]
    if bool(written[0]) is bool(written[1]) or not all(map(_open, views)):
        return None
    forms: list[Form] = [True if names else ABSENT for names in written]
    return RawDifference(
        aspect=Aspect.CONTENT_MODEL,
        facet=(written[0] or written[1])[0],
        released=forms[0],
        candidate=forms[1],
        released_place=pair.released.place,
        candidate_place=pair.candidate.place,
    )


def _open(view: SchemaView) -> bool:
    return view.may_be("object") and view.additional is True and view.unevaluated_properties is True
