"""Whether one instance belongs to a value set, by jsonschema-rs; and a protocol for validators. Nothing is fetched."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, Protocol

import jsonschema_rs

from evreview.contract.model import Contract, ValueSet
from evreview.core.frozen import frozen
from evreview.core.json_pointer import pointer
from evreview.core.vocabulary import Direction, Json
from evreview.schema.to_json_schema import standalone


class Unusable(ValueError):
    """The schema itself is not one that a validator can be built from."""


def validator(schema: Json) -> jsonschema_rs.Draft202012Validator:
    """A validator of `schema` that asserts the formats it knows.

    Raises:
        Unusable: the schema is not valid JSON Schema, or a pattern in it can't be compiled.
    """
    try:
        return jsonschema_rs.Draft202012Validator(_root(schema), validate_formats=True, offline=True)
    except (ValueError, jsonschema_rs.ReferencingError) as error:
        raise Unusable(_first_line(error)) from error


def _root(schema: Json) -> dict[str, Any] | bool:
    return schema if isinstance(schema, (dict, bool)) else True


def accepts(schema: Json, instance: Json) -> bool | None:
    """Whether `schema` admits `instance`; None when the validator can't say."""
    try:
        return validator(schema).is_valid(instance)
    except Unusable:
        return None


class Validators:
    """The validators of one contract, built when first asked for, one per value set and direction."""

    def __init__(self, contract: Contract) -> None:
        self._contract = contract
        self._built: dict[tuple[str, str, Direction | None], jsonschema_rs.Draft202012Validator] = {}

    def violations(self, value: ValueSet, instance: Json, direction: Direction | None) -> tuple[str, ...] | None:
        """What `instance` breaks, each as `<pointer>: <keyword>`; empty when it is accepted, None for no validator.

        No value of the instance is repeated: callers print these lines.
        """
        key = (value.place.file, value.place.pointer, direction)
        try:
            if key not in self._built:
                self._built[key] = validator(standalone(value, self._contract, direction))
            found = {f"{_pointer(error)}: {error.kind.name}" for error in self._built[key].iter_errors(instance)}
        except Unusable:
            return None
        return tuple(sorted(found))


def violations(
    value: ValueSet, contract: Contract, instance: Json, direction: Direction | None
) -> tuple[str, ...] | None:
    """What `instance` breaks of `value`, as `Validators` says it; keep one for many instances."""
    return Validators(contract).violations(value, instance, direction)


def _pointer(error: jsonschema_rs.ValidationError) -> str:
    return pointer(error.instance_path)


def _first_line(error: Exception) -> str:
    return str(error).partition("\n")[0]


# Schema checks behind one protocol: what an instance breaks, whichever validator says so.


PRIMARY: Final = "jsonschema-rs"
CROSS_CHECK: Final = "jsonschema"
"""The names of both validators; the second one is made in `evreview.schema.cross_check_validator`, slow to load."""


@frozen
class SchemaError:
    """One keyword that an instance breaks.

    Attributes:
        path: of the keyword in the self-contained schema, starting at `$defs` once a reference was followed.
        at: of the instance's part.
        keyword: last step of the path that is a keyword.
        context: for `anyOf` and `oneOf`, what each branch said.
    """

    path: tuple[str | int, ...]
    at: tuple[str | int, ...]
    keyword: str
    context: tuple[SchemaError, ...] = ()


Ask = Callable[[Json], tuple[SchemaError, ...] | None]
"""What an instance breaks, in a fixed order; None when the validator can't say."""


class SchemaCheck(Protocol):
    """A validator of self-contained 2020-12 schemas."""

    name: str

    def prepared(self, schema: Json) -> Ask | None:
        """The schema made ready for many instances; None when the validator can't use it."""


class PrimaryValidator:
    """jsonschema-rs."""

    name = PRIMARY

    def prepared(self, schema: Json) -> Ask | None:
        """See `SchemaCheck`."""
        try:
            built = validator(schema)
        except Unusable:
            return None

        def ask(instance: Json) -> tuple[SchemaError, ...] | None:
            try:
                if built.is_valid(instance):
                    return ()
                return tuple(_error(error) for error in built.iter_errors(instance))
            except ValueError:
                return None

        return ask


def _error(error: Any) -> SchemaError:
    """An error of jsonschema-rs; its schema path starts anew at every definition."""
    path = tuple(error.schema_path)
    context: Sequence[Sequence[Any]] = getattr(error.kind, "context", None) or ()
    below = tuple(_error(inner) for branch in context for inner in branch)
    return SchemaError(path, tuple(error.instance_path), keyword_of(path), below)


def keyword_of(path: Sequence[str | int]) -> str:
    """The keyword that a schema path ends at."""
    return next((str(step) for step in reversed(path) if isinstance(step, str)), "")
