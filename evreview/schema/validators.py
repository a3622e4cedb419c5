"""Whether one instance belongs to a value set, by jsonschema-rs. Nothing is ever fetched."""

from __future__ import annotations

from typing import Any

import jsonschema_rs

from evreview.contract.model import Contract, ValueSet
from evreview.core.json_pointer import pointer
from evreview.core.vocabulary import Json, Polarity
from evreview.schema.to_json_schema import standalone

UNUSABLE = "the schema can't be used by the validator"


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
        raise Unusable(f"{UNUSABLE}: {_first_line(error)}") from error


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
        self._built: dict[tuple[str, str, Polarity | None], jsonschema_rs.Draft202012Validator] = {}

    def violations(self, value: ValueSet, instance: Json, polarity: Polarity | None) -> tuple[str, ...]:
        """What `instance` breaks, each as `<pointer>: <keyword>`; empty when it is accepted.

        No value of the instance is repeated: callers print these lines.
        """
        key = (value.place.file, value.place.pointer, polarity)
        try:
            if key not in self._built:
                self._built[key] = validator(standalone(value, self._contract, polarity))
            found = {f"{_pointer(error)}: {error.kind.name}" for error in self._built[key].iter_errors(instance)}
        except Unusable as error:
            return (f": {error}",)
        return tuple(sorted(found))


def violations(value: ValueSet, contract: Contract, instance: Json, polarity: Polarity | None) -> tuple[str, ...]:
    """What `instance` breaks of `value`; empty when it is accepted. For many instances keep a `Validators`."""
    return Validators(contract).violations(value, instance, polarity)


def _pointer(error: jsonschema_rs.ValidationError) -> str:
    return pointer(error.instance_path)


def _first_line(error: Exception) -> str:
    return str(error).partition("\n")[0]
