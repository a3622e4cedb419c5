"""What one GraphQL schema says of a message: a document, the response to it, and what a value left out is read as."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

from graphql import (
    GraphQLEnumType,
    GraphQLError,
    GraphQLList,
    GraphQLNonNull,
    GraphQLSchema,
    GraphQLUnionType,
    Undefined,
    is_composite_type,
    is_interface_type,
    is_non_null_type,
    parse,
    type_from_ast,
    validate,
)
from graphql.language import ast
from graphql.utilities import value_from_ast_untyped

from evreview.comparison.kind_spec import WitnessJudgement
from evreview.core.frozen import frozen
from evreview.core.vocabulary import Json, Tristate

MAX_TOKENS: Final = 10_000
"""Words and signs of a document; those that are made here have a few dozen."""

_INT: Final = 2**31


@frozen(kw_only=True)
class GraphqlMessage:
    """What one client sends or receives.

    Attributes:
        document: the operation, as the client sends it.
        response: the data that comes back, None where the document alone is asked about.
        reads: the argument or input field that the document leaves out, as its schema coordinate
            (`Type.field(argument:)`), and the value that it means; "" where the row is about no default.
        default: that value.
        around: a document that goes the same way and holds nothing of the row; it tells whether the row alone counts.
    """

    document: str
    response: Json = None
    reads: str = ""
    default: Json = None
    around: str = ""

    def to_json(self) -> dict[str, Json]:
        """The message as a witness carries it."""
        told: dict[str, Json] = {"document": self.document}
        if self.response is not None:
            told["response"] = self.response
        if self.reads:
            told |= {"reads": self.reads, "as": self.default}
        return told


def from_json(told: Json) -> GraphqlMessage:
    """The message of a witness.

    Raises:
        ValueError: it is none of GraphQL.
    """
    if not isinstance(told, Mapping) or not isinstance(told.get("document"), str):
        raise ValueError("the witness holds no GraphQL document")
    return GraphqlMessage(
        document=str(told["document"]),
        response=told.get("response"),
        reads=str(told.get("reads") or ""),
        default=told.get("as"),
    )


def told(schema: GraphQLSchema, message: GraphqlMessage) -> WitnessJudgement:
    """Whether a schema takes the message as meant, and why not."""
    found = refusals(schema, message)
    if found:
        return WitnessJudgement(accepted=Tristate.NO, says="; ".join(found))
    if message.reads:
        return WitnessJudgement(
            accepted=Tristate.YES, says=f"{message.reads} left out is read as {_shown(message.default)}"
        )
    if message.response is None:
        return WitnessJudgement(accepted=Tristate.YES, says="the document is valid")
    return WitnessJudgement(accepted=Tristate.YES, says="the document is valid, and the response is one to it")


def refusals(schema: GraphQLSchema, message: GraphqlMessage) -> tuple[str, ...]:
    """Every reason why a schema does not take the message as meant."""
    try:
        document = parse(message.document, max_tokens=MAX_TOKENS)
        errors = validate(schema, document, hide_suggestions=True)
    except GraphQLError as error:
        return (error.message,)
    if errors:
        return tuple(dict.fromkeys(error.message.rstrip(".") for error in errors))
    if message.reads:
        return _misread(schema, message)
    if message.response is None:
        return ()
    return tuple(_Response(schema, document).wrong(message.response))


def _misread(schema: GraphQLSchema, message: GraphqlMessage) -> tuple[str, ...]:
    value = default_at(schema, message.reads)
    if value is Undefined:
        return (f"{message.reads} has no default",)
    same = value == message.default and isinstance(value, bool) is isinstance(message.default, bool)
    return () if same else (f"{message.reads} left out is read as {_shown(value)}",)


def _shown(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False)


def default_at(schema: GraphQLSchema, coordinate: str) -> Any:
    """The default at `Type.field(argument:)`, `Type.field` or `@directive(argument:)`, `Undefined` without one."""
    if coordinate.startswith("@"):
        name, _, argument = coordinate[1:].partition("(")
        directive = next((each for each in schema.directives if each.name == name), None)
        return _default(None if directive is None else directive.args.get(argument.rstrip(":)")))
    owner, _, rest = coordinate.partition(".")
    field, _, argument = rest.partition("(")
    declared = getattr(schema.type_map.get(owner), "fields", {}).get(field)
    if argument and declared is not None:
        declared = declared.args.get(argument.rstrip(":)"))
    return _default(declared)


def _default(declared: Any) -> Any:
    node = getattr(getattr(declared, "ast_node", None), "default_value", None)
    return Undefined if node is None else value_from_ast_untyped(node)


class _Response:
    """The data of a response, held against the types of what its document selects (section Value Completion)."""

    def __init__(self, schema: GraphQLSchema, document: ast.DocumentNode) -> None:
        self._schema = schema
        operation = document.definitions[0]
        self._operation: Any = operation

    def wrong(self, data: Json) -> Iterator[str]:
        """What no server of this schema may send."""
        root = self._schema.get_root_type(self._operation.operation)
        yield from self._object(root, self._operation.selection_set, data, "data")

    def _object(self, expected: Any, selected: Any, value: Json, at: str) -> Iterator[str]:
        if not isinstance(value, Mapping):
            yield f"{at} is no object"
            return
        concrete = value.get("__typename")
        if concrete is not None and str(concrete) not in self._possible(expected):
            yield f"{at} is of the type {concrete}, which is none of {', '.join(sorted(self._possible(expected)))}"
            return
        fields = dict(self._fields(expected, selected, str(concrete or "")))
        yield from (f"{at}.{name} was not asked for" for name in value if name not in fields)
        for name, (kind, below) in fields.items():
            if name not in value:
                yield f"{at}.{name} is missing"
            elif name != "__typename":
                yield from self._value(kind, below, value[name], f"{at}.{name}")

    def _fields(self, expected: Any, selected: Any, concrete: str) -> Iterator[tuple[str, tuple[Any, Any]]]:
        for node in selected.selections:
            if isinstance(node, ast.InlineFragmentNode):
                inside = type_from_ast(self._schema, node.type_condition) if node.type_condition else expected
                if not concrete or concrete in self._possible(inside):
                    yield from self._fields(inside, node.selection_set, concrete)
            elif isinstance(node, ast.FieldNode):
                name = node.name.value
                declared = getattr(expected, "fields", {}).get(name)
                yield name, (declared.type if declared else None, node.selection_set)

    def _possible(self, expected: Any) -> set[str]:
        if isinstance(expected, GraphQLUnionType) or is_interface_type(expected):
            return {member.name for member in self._schema.get_possible_types(expected)}
        return {expected.name}

    def _value(self, kind: Any, selected: Any, value: Json, at: str) -> Iterator[str]:
        if is_non_null_type(kind):
            if value is None:
                yield f"{at} is null, which {kind} excludes"
                return
            kind = kind.of_type
        if value is None:
            return
        if isinstance(kind, GraphQLList):
            if not isinstance(value, list):
                yield f"{at} is no list, which {kind} asks for"
                return
            for index, item in enumerate(value):
                yield from self._value(kind.of_type, selected, item, f"{at}[{index}]")
        elif is_composite_type(kind):
            yield from self._object(kind, selected, value, at)
        elif not is_leaf_value(kind, value):
            yield f"{at} is {_shown(value)}, which {kind} excludes"


def is_leaf_value(kind: Any, value: Json) -> bool:
    """True when an enum or scalar admits a value in a response; a scalar of the schema's own admits anything."""
    if isinstance(kind, GraphQLNonNull):
        kind = kind.of_type
    if isinstance(kind, GraphQLEnumType):
        return isinstance(value, str) and value in kind.values
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    match kind.name:
        case "Int":
            return number and float(value).is_integer() and -_INT <= value < _INT  # type: ignore[arg-type,operator]
        case "Float":
            return number
        case "String" | "ID":
            return isinstance(value, str)
        case "Boolean":
            return isinstance(value, bool)
    return not isinstance(value, (dict, list)) or kind.name not in ("Int", "Float", "String", "ID", "Boolean")
