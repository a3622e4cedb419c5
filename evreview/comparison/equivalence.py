"""Which schema pairs admit the same values although their nodes differ: decided by containment both ways.

Rows about values in such a pair, and below the branches of its composition, are no difference of any message.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from evreview.comparison import delta as fact
from evreview.comparison.noise import SAME_VALUES
from evreview.comparison.schema_pairs import SchemaPair
from evreview.contract.model import Contract, ValueSet
from evreview.core.vocabulary import Answer, Aspect, Json, Polarity
from evreview.ledger.difference import Difference
from evreview.ledger.moved_members import MovedMembers, below_judges, in_place, moved_below
from evreview.ledger.node_pair import Side
from evreview.schema.subsumption.relation import compare_sets
from evreview.schema.to_json_schema import Source, gaps, references
from evreview.schema.view import Part, Sub

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
_DIRECTIONS: Final = (None, Polarity.READ, Polarity.WRITTEN)
"""What is kept back in one direction (`readOnly`, `writeOnly`) is not owed there: sets may differ in it alone."""
_LARGEST: Final = 4000
_DEEPEST: Final = 4


def about_values(difference: Difference) -> bool:
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

    def __init__(self, released: tuple[Contract, Side], candidate: tuple[Contract, Side]) -> None:
        self._sides = [
            ({polarity: Source(contract, polarity) for polarity in _DIRECTIONS}, side)
            for contract, side in (released, candidate)
        ]
        self._known: dict[int, bool] = {}
        self.judged: frozenset[int] = frozenset()
        """The ids of the pairs in place below one that judges what is left unevaluated, once `among` was asked."""
        self.moved = MovedMembers(released[1], candidate[1])

    def among(self, pairs: Sequence[SchemaPair]) -> set[int]:
        """The ids of the pairs that admit the same, of those that have rows about values or composed rows below."""
        users = _composing(pairs)
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
        wholes = [self._wholes(pair, polarity) for polarity in _DIRECTIONS]
        # Where nothing is kept back in a direction, its schemas are those of none.
        return all(_admit_the_same(one) for at, one in enumerate(wholes) if at == 0 or one != wholes[0])

    def _wholes(self, pair: SchemaPair, polarity: Polarity | None) -> list[Json] | None:
        """The schemas of both sides in one direction, None where a part can't be read or is too much."""
        found: list[Json] = []
        for (sources, side), sub in zip(self._sides, (pair.released, pair.candidate), strict=True):
            source = sources[polarity]
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
    same = compare_sets(released, candidate).equal is Answer.YES
    return same and compare_sets(released, False).released_in_candidate is not Answer.YES


def _about_members(row: Difference) -> bool:
    return row.aspect is Aspect.FIELDS and not row.reason


def _composing(pairs: Iterable[SchemaPair]) -> Mapping[int, list[SchemaPair]]:
    """The pairs that lead to a pair by a branch, by its id."""
    users: dict[int, list[SchemaPair]] = {}
    for pair in pairs:
        for link in pair.links:
            if link.required is None and in_place(link.step):
                users.setdefault(id(link.target), []).append(pair)
    return users


def _schema(source: Source, side: Side, sub: Sub) -> Json:
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
                replace(row, reason=SAME_VALUES)
                if about_values(row) or (_about_members(row) and row.name in names)
                else row
                for row in pair.differences
            ]
