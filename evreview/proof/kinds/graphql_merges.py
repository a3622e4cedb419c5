"""Documents that give fields of two types one name: their values must have one shape, or the document is refused.

Section "Field Selection Merging", SameResponseShape: fields under one name agree in lists, in null, and in their enum
or scalar. So one of them can't change alone, however harmless the change is for itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final

from graphql import GraphQLList, GraphQLNonNull, GraphQLSchema, is_abstract_type, is_leaf_type, is_object_type

from evreview.kinds.graphql.judge import Message
from evreview.kinds.graphql.paths import Step, Ways, possible
from evreview.proof.kinds.graphql_documents import Documents

MOST: Final = 4_000
"""Pairs of fields that are looked at for one row."""
NAME: Final = "value"
"""What fields of different names are called together."""


def same_shape(one: Any, other: Any) -> bool:
    """Whether values of two types may stand under one name of a response."""
    while isinstance(one, (GraphQLNonNull, GraphQLList)) or isinstance(other, (GraphQLNonNull, GraphQLList)):
        if type(one) is not type(other):
            return False
        one, other = one.of_type, other.of_type
    if is_leaf_type(one) or is_leaf_type(other):
        return bool(one.name == other.name)
    return True


@dataclass(frozen=True, slots=True)
class Merges:
    """Finds the documents that merge a field with another one, and that a change of it alone makes invalid."""

    released: GraphQLSchema
    candidate: GraphQLSchema
    ways: Ways
    write: Documents

    def of(self, owner: str, field: str, *, renamed: bool) -> Iterator[Message]:
        """Documents that the released schema takes and the candidate refuses.

        Args:
            owner: the object type or interface of the field.
            field: the field, whose type changed.
            renamed: True for fields of other names too, which a document has to give one name.
        """
        old, new = _field(self.released, owner, field), _field(self.candidate, owner, field)
        if old is None or new is None:
            return
        pairs = ((around, each) for around in self._around(owner) for each in self._others(around, owner))
        for around, (other, its_field) in islice(pairs, MOST):
            alike = its_field == field
            if alike is not renamed and self._parts(owner, field, other, its_field):
                yield from self._message(around, (owner, field), (other, its_field), "" if alike else f"{NAME}: ")

    def _around(self, owner: str) -> Iterator[str]:
        """The interfaces and unions that are reached and may hold what has the field."""
        own = possible(self.released, owner)
        for name, kind in self.released.type_map.items():
            if is_abstract_type(kind) and own & possible(self.released, name):
                yield name

    def _others(self, around: str, owner: str) -> Iterator[tuple[str, str]]:
        for name in sorted(possible(self.released, around) - possible(self.released, owner)):
            for field in getattr(self.released.type_map[name], "fields", {}):
                yield name, field

    def _parts(self, owner: str, field: str, other: str, its_field: str) -> bool:
        """True when the two fields may stand under one name before, and may not after."""
        if field != its_field and not is_object_type(self.released.type_map[owner]):
            return False
        before = [_field(self.released, *each).type for each in ((owner, field), (other, its_field))]
        theirs = _field(self.candidate, other, its_field)
        after = None if theirs is None else (_field(self.candidate, owner, field).type, theirs.type)
        return after is not None and same_shape(*before) and not same_shape(*after)

    def _message(self, around: str, one: tuple[str, str], other: tuple[str, str], name: str) -> Iterator[Message]:
        way = self.ways.to_type(around)
        if way is None:
            return
        try:
            parts = [
                f"... on {owner} {{ {name}{self.write.field(Step(owner, field, ''))} }}"
                for owner, field in (one, other)
            ]
        except ValueError:
            return
        alone = self.write.along(way, f"{{ {parts[1]} }}")
        yield Message(document=self.write.along(way, f"{{ {' '.join(parts)} }}"), around=alone)


def _field(schema: GraphQLSchema, owner: str, field: str) -> Any:
    return getattr(schema.type_map.get(owner), "fields", {}).get(field)
