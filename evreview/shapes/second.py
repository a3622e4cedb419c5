"""The second opinion: the `jsonschema` package, which shares no code with jsonschema-rs. The only file that uses it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError as BadSchema
from jsonschema.exceptions import ValidationError
from referencing.exceptions import Unresolvable

from evreview.shapes.check import Ask, SchemaError, keyword_of
from evreview.vocab import Json

Path = tuple[str | int, ...]


class SecondCheck:
    """`jsonschema`, asserting the formats that it knows."""

    name = "jsonschema"

    def prepared(self, schema: Json) -> Ask | None:
        """See `evreview.shapes.check.SchemaCheck`."""
        root: Any = schema if isinstance(schema, (Mapping, bool)) else True
        try:
            Draft202012Validator.check_schema(root)
            built = Draft202012Validator(root, format_checker=Draft202012Validator.FORMAT_CHECKER)
            places = _Places(root)
        except (BadSchema, RecursionError, TypeError, ValueError):
            return None

        def ask(instance: Json) -> tuple[SchemaError, ...] | None:
            try:
                return places.all(built.iter_errors(instance))
            except (Unresolvable, ArithmeticError, LookupError, RecursionError, TypeError, ValueError):
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
