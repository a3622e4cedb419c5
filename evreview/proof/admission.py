"""Whether a value set holds a whole value, by the validator."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Final

from evreview.contract.model import ValueSet
from evreview.core.json_values import names_in
from evreview.core.vocabulary import Json
from evreview.schema.to_json_schema import Source, closed, gaps
from evreview.schema.validators import Unusable, accepts, validator

_OFTEN: Final = 12
_FAR: Final = 60
"""Definitions that a schema may reach to be compiled as a whole; smaller parts are cheaper for few values."""
_Key = tuple[str, str]
_Ask = Callable[[Json], bool]


class Admission:
    """Asks the validator about value sets of one source. Only what a value has a member for is looked at."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._asked: Counter[_Key] = Counter()
        self._wholes: dict[_Key, _Ask | None] = {}

    def admits(self, value: ValueSet, instance: Json) -> bool | None:
        """Whether a value set holds an instance; None when that can't be said, or an unread part has a say."""
        whole = self._whole(value)
        if whole is not None:
            return whole(instance)
        names = frozenset(names_in(instance))
        schema = closed(self._source.schema(value), self._source.definition, names.__contains__)
        return None if gaps(schema) else accepts(schema, instance)

    def _whole(self, value: ValueSet) -> _Ask | None:
        """All of a schema, compiled once it was asked about often; None where parts of it serve better."""
        key = (value.place.file, value.place.pointer)
        self._asked[key] += 1
        if self._asked[key] <= _OFTEN:
            return None
        if key not in self._wholes:
            self._wholes[key] = self._compiled(closed(self._source.schema(value), self._source.definition))
        return self._wholes[key]

    def _compiled(self, schema: Json) -> _Ask | None:
        reached = len(schema.get("$defs", ())) if isinstance(schema, dict) else 0
        if reached > _FAR or gaps(schema):
            return None
        try:
            return validator(schema).is_valid
        except Unusable:
            return None
