"""A value that a schema refuses, mended where it says why: owed members added, refused ones taken out or made anew."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from typing import Any, Final

from evreview.core.vocabulary import Json
from evreview.schema.evaluator import Evaluator, Violation

Make = Callable[[Json, str], "tuple[Json] | None"]
_ROUNDS: Final = 8
_TAKEN_OUT: Final = frozenset({"schema", "additionalProperties", "unevaluatedProperties", "not", "maxProperties"})
_ABOVE: Final = 6


class Repair:
    """Mends values by what `evaluator` finds in them; `make` gives a value of a schema for a field of a name."""

    def __init__(self, evaluator: Evaluator, make: Make) -> None:
        self._evaluator = evaluator
        self._make = make

    def repaired(self, schema: Json, value: Json) -> tuple[Json] | None:
        """The value as a 1-tuple once the schema admits it, None when mending does not get there."""
        made = copy.deepcopy(value)
        for _ in range(_ROUNDS):
            found = self._evaluator.violations(schema, made)
            if not found:
                return None if found is None else (made,)
            if not any(self._mended(made, violation) for violation in _plain(found)):
                return None
        return None

    def _mended(self, value: Json, violation: Violation) -> bool:
        """True when something was changed in place."""
        node = violation.trace.node
        if violation.keyword in ("required", "dependentRequired"):
            owner = _at(value, violation.at)
            return isinstance(owner, dict) and self._added(owner, violation)
        if violation.keyword in ("additionalProperties", "unevaluatedProperties") and violation.name:
            owner = _at(value, violation.at)
            return isinstance(owner, dict) and owner.pop(violation.name, None) is not None
        if not violation.at:
            return violation.keyword in _TAKEN_OUT and self._emptied(value)
        owner, step = _at(value, violation.at[:-1]), violation.at[-1]
        if not isinstance(owner, (dict, list)):
            return False
        if violation.keyword in _TAKEN_OUT and isinstance(owner, dict):
            owner.pop(str(step), None)
            return True
        found = self._make(node, str(step))
        if found is None:
            return False
        owner[step] = found[0]  # type: ignore[index]
        return True

    def _emptied(self, value: Json) -> bool:
        """One optional member less; the next round says whether it was owed."""
        if not isinstance(value, dict) or not value:
            return False
        value.pop(next(reversed(value)))
        return True

    def _added(self, owner: dict[str, Json], violation: Violation) -> bool:
        for schema in _said_of(violation):
            found = self._make(schema, violation.name)
            if found is not None:
                owner[violation.name] = found[0]
                return True
        return False


def _plain(found: tuple[Violation, ...]) -> Iterator[Violation]:
    """The violations, those of the branch that comes closest instead of a union's own."""
    for violation in found:
        branches = [branch for branch in violation.branches if branch]
        yield from _plain(min(branches, key=len)) if branches else (violation,)


def _said_of(violation: Violation) -> Iterator[Json]:
    """What the nodes from the demand outwards say of the member that is missing."""
    trace: Any = violation.trace
    for _ in range(_ABOVE):
        if trace is None or trace.at != violation.at:
            break
        node = trace.node if isinstance(trace.node, dict) else {}
        for part in (node, *(each for each in node.get("allOf", ()) if isinstance(each, dict))):
            properties = part.get("properties")
            if isinstance(properties, dict) and violation.name in properties:
                yield properties[violation.name]
        trace = trace.above
    yield True


def _at(value: Any, steps: tuple[str | int, ...]) -> Any:
    for step in steps:
        try:
            value = value[step]
        except (KeyError, IndexError, TypeError):
            return None
    return value
