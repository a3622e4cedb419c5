"""Schema checks behind one protocol: what an instance breaks, whichever validator says so."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol

from evreview.core.vocabulary import Json
from evreview.schema.validators import Unusable, validator

FIRST: Final = "jsonschema-rs"
SECOND: Final = "jsonschema"
"""The names of both validators; the second one is made in `evreview.shapes.second`, which is slow to load."""


@dataclass(frozen=True, slots=True)
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


class FirstCheck:
    """jsonschema-rs."""

    name = FIRST

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
