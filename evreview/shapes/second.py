"""The second opinion: the `jsonschema` package, which shares no code with jsonschema-rs. The only file that uses it.

Its expressions are those of `re`; here they are read as ECMA-262 says, see `second_patterns`. `unevaluatedProperties`
beside `patternProperties` still asks `re`, and says nothing where that knows an expression not.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from jsonschema import Draft202012Validator, FormatChecker
from jsonschema.exceptions import SchemaError as BadSchema
from jsonschema.exceptions import ValidationError
from jsonschema.validators import extend
from referencing.exceptions import Unresolvable

from evreview.core.vocabulary import Json
from evreview.schema.second_validator import found
from evreview.shapes.check import SECOND, Ask, SchemaError, keyword_of

Path = tuple[str | int, ...]
_ANY_FORMAT = FormatChecker(())
"""A schema is not refused for an expression that `re` does not know."""


def _pattern(validator: Any, pattern: str, instance: Any, _schema: Any) -> Iterator[ValidationError]:
    if validator.is_type(instance, "string") and not found(pattern, instance):
        yield ValidationError(f"{instance!r} does not match {pattern!r}")


def _pattern_properties(validator: Any, patterns: Any, instance: Any, _schema: Any) -> Iterator[ValidationError]:
    if not validator.is_type(instance, "object"):
        return
    for pattern, subschema in patterns.items():
        for name, member in instance.items():
            if found(pattern, name):
                yield from validator.descend(member, subschema, path=name, schema_path=pattern)


def _additional_properties(validator: Any, rest: Any, instance: Any, schema: Any) -> Iterator[ValidationError]:
    if not validator.is_type(instance, "object"):
        return
    named, patterns = schema.get("properties", {}), schema.get("patternProperties", {})
    extras = [name for name in instance if name not in named and not any(found(each, name) for each in patterns)]
    if validator.is_type(rest, "object"):
        for name in extras:
            yield from validator.descend(instance[name], rest, path=name)
    elif rest is False and extras:
        yield ValidationError(f"additional properties are not allowed: {', '.join(sorted(extras))}")


_Validator: Any = extend(  # type: ignore[no-untyped-call]
    Draft202012Validator,
    {
        "pattern": _pattern,
        "patternProperties": _pattern_properties,
        "additionalProperties": _additional_properties,
    },
)


def is_schema(value: Json) -> bool:
    """True for a well-formed JSON Schema of draft 2020-12."""
    return SecondCheck().prepared(value) is not None


class SecondCheck:
    """`jsonschema`, asserting the formats that it knows."""

    name = SECOND

    def __init__(self, *, checked: bool = False) -> None:
        """`checked`: somebody else has found the schemas well-formed; what an instance breaks is asked all the same."""
        self._checked = checked

    def prepared(self, schema: Json) -> Ask | None:
        """See `evreview.shapes.check.SchemaCheck`."""
        root: Any = schema if isinstance(schema, (Mapping, bool)) else True
        try:
            if not self._checked:
                Draft202012Validator.check_schema(root, format_checker=_ANY_FORMAT)
            built = _Validator(root, format_checker=Draft202012Validator.FORMAT_CHECKER)
            places = _Places(root)
        except (BadSchema, RecursionError, TypeError, ValueError):
            return None

        def ask(instance: Json) -> tuple[SchemaError, ...] | None:
            try:
                return places.all(built.iter_errors(instance))
            except (Unresolvable, ArithmeticError, LookupError, RecursionError, TypeError, ValueError):
                return None
            except (TimeoutError, re.error):
                return None

        return ask


class _Places:
    """Where the nodes of one schema stand; `jsonschema` leaves references out of the paths that it tells."""

    def __init__(self, root: Any) -> None:
        self._root = root
        self._paths: dict[int, Path] = {}
        waiting: list[tuple[Any, Path]] = [(root, ())]
        while waiting:
            node, path = waiting.pop()
            if isinstance(node, (dict, list)):
                self._paths.setdefault(id(node), path)
                members = node.items() if isinstance(node, dict) else enumerate(node)
                waiting.extend((member, (*path, key)) for key, member in members)

    def all(self, errors: Iterable[ValidationError]) -> tuple[SchemaError, ...]:
        """The errors in a fixed order."""
        found = (self._error(error) for error in errors)
        return tuple(sorted(found, key=lambda error: (str(error.at), str(error.path))))

    def _error(self, error: ValidationError) -> SchemaError:
        path = self._path(error)
        return SchemaError(path, tuple(error.absolute_path), keyword_of(path), self.all(error.context or ()))

    def _path(self, error: ValidationError) -> Path:
        if isinstance(error.schema, dict) and id(error.schema) in self._paths:
            return (*self._paths[id(error.schema)], str(error.validator))
        return self._walked(tuple(error.absolute_schema_path))

    def _walked(self, steps: Path) -> Path:
        """The path of a `false`, which has no identity: references are followed where nothing else leads on."""
        path: list[str | int] = []
        node: Any = self._root
        for step in steps:
            while isinstance(node, dict) and step not in node and isinstance(node.get("$ref"), str):
                path = ["$defs", node["$ref"].removeprefix("#/$defs/")]
                node = self._root["$defs"][path[1]]
            path.append(step)
            node = node[step] if node is not None else None
        return tuple(path)
