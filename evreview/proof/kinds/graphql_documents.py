"""Documents along a way: selections with what they have to send, and responses to them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from graphql import GraphQLList, GraphQLNonNull, GraphQLSchema, get_named_type, is_composite_type

from evreview.core.vocabulary import Json
from evreview.kinds.graphql.paths import Step, Way, Ways, is_required, literal, possible

NAME_ONLY = "{ __typename }"


class Documents:
    """Writes documents for the released schema that the candidate takes as well, as far as one thing differs."""

    def __init__(self, ways: Ways) -> None:
        self._ways = ways

    def along(self, way: Way, selection: str, *, head: str = "") -> str:
        """The document that goes a way and selects there.

        Args:
            way: the way.
            selection: in braces, what is selected at its end.
            head: variables or directives of the operation.
        """
        text = selection
        for step in reversed(way.steps):
            asked = self.field(step, text) if step.field else f"... on {step.target} {text}"
            text = f"{{ __typename {asked} }}" if not step.field else f"{{ {asked} }}"
        return f"{way.operation}{f' {head}' if head else ''} {text}"

    def field(
        self, step: Step, below: str = "", given: Mapping[str, str] | None = None, *, own: bool = False, omit: str = ""
    ) -> str:
        """One field with its arguments: those given, and those that it can't be without.

        Args:
            step: the field.
            below: what is selected of it, "" for the least.
            given: arguments with their values as text.
            own: True to send only what the released schema demands, and nothing that only the candidate does.
            omit: the argument that is left out, whoever demands it.
        """
        declared = _field(self._ways.released, step)
        theirs = _field(self._ways.candidate, step)
        sent = dict(given or {})
        for name, argument in declared.args.items():
            other = None if theirs is None or own else theirs.args.get(name)
            if (
                name != omit
                and name not in sent
                and (is_required(argument) or (other is not None and is_required(other)))
            ):
                sent[name] = literal(argument.type)
        arguments = f"({', '.join(f'{name}: {text}' for name, text in sent.items())})" if sent else ""
        least = NAME_ONLY if is_composite_type(get_named_type(declared.type)) else ""
        return f"{step.field}{arguments}{f' {below or least}' if below or least else ''}"


def _field(schema: GraphQLSchema, step: Step) -> Any:
    return getattr(schema.type_map.get(step.owner), "fields", {}).get(step.field)


def response_along(schema: GraphQLSchema, way: Way, value: Mapping[str, Json]) -> Json:
    """The response that has `value` at the end of a way, wrapped in the lists that the schema has on it."""
    found: Json = dict(value)
    for step in reversed(way.steps):
        if not step.field:
            both = possible(schema, step.owner) & possible(schema, step.target)
            found = {"__typename": min(both, default=step.target), **(found if isinstance(found, dict) else {})}
            continue
        declared = _field(schema, step)
        found = {step.field: _listed(declared.type if declared is not None else None, found)}
    return found


def _listed(kind: Any, value: Json) -> Json:
    """The value in as many lists as the type has."""
    while kind is not None:
        if isinstance(kind, GraphQLNonNull):
            kind = kind.of_type
        elif isinstance(kind, GraphQLList):
            value, kind = [value], kind.of_type
        else:
            break
    return value
