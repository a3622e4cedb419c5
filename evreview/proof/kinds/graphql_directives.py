"""Documents that use a directive: once or twice, in each place, with each of its arguments."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from graphql import GraphQLSchema, Undefined, get_named_type, is_composite_type

from evreview.comparison.delta import Delta
from evreview.kinds.graphql.judge import Message, default_at
from evreview.kinds.graphql.paths import is_required, literal

_AT: Final[Mapping[str, str]] = {
    "FIELD": "query { __typename @ }",
    "QUERY": "query @ { __typename }",
    "MUTATION": "mutation @ { __typename }",
    "SUBSCRIPTION": "subscription @ { __typename }",
    "INLINE_FRAGMENT": "query { ... @ { __typename } }",
    "FRAGMENT_SPREAD": "query { ...All @ } fragment All on Query { __typename }",
    "FRAGMENT_DEFINITION": "query { ...All } fragment All on Query @ { __typename }",
}


def directive_messages(schema: GraphQLSchema, delta: Delta, name: str, argument: str) -> Iterator[Message]:
    """Documents that use a directive as the released schema declares it.

    Args:
        schema: the released schema.
        delta: the row about the directive.
        name: of the directive.
        argument: the argument that the row is about, "" for the directive.
    """
    own = next((each for each in schema.directives if each.name == name), None)
    if own is None or schema.query_type is None:
        return
    reads = _reads(schema, own.name, argument) if delta.facet == "default" else {}
    for document in _documents(schema, own):
        for text, around in _uses(own, delta, argument):
            yield Message(document=document.replace("@", text), around=document.replace("@", around), **reads)


def using(schema: GraphQLSchema, own: Any, given: Mapping[str, str]) -> Iterator[Message]:
    """Documents that use a directive with these arguments, in each place that it may stand."""
    for document in _documents(schema, own):
        yield Message(document=document.replace("@", _used(own, given)))


def _documents(schema: GraphQLSchema, own: Any) -> Iterator[str]:
    """A document for each place where a directive may stand, with `@` there."""
    root = schema.query_type
    for location in own.locations if root is not None else ():
        if location.name == "VARIABLE_DEFINITION":
            yield from _with_variable(root)
        elif location.name in _AT:
            yield _AT[location.name].replace("Query", "" if root is None else root.name)


def _with_variable(root: Any) -> Iterator[str]:
    """A document with one variable: the first field of the query type that takes an argument takes it."""
    for name, field in root.fields.items():
        for argument, declared in field.args.items():
            try:
                sent = {each: literal(one.type) for each, one in field.args.items() if is_required(one)}
            except ValueError:
                continue
            texts = ", ".join(f"{each}: {text}" for each, text in {**sent, argument: "$value"}.items())
            below = " { __typename }" if is_composite_type(get_named_type(field.type)) else ""
            yield f"query ($value: {declared.type} @) {{ {name}({texts}){below} }}"
            return


def _uses(own: Any, delta: Delta, argument: str) -> Iterator[tuple[str, str]]:
    """The directive as it may be written, each with what tells whether the row alone counts."""
    once = _used(own, {})
    if delta.facet == "repeatable":
        yield f"{once} {once}", once
    elif not argument or delta.facet == "default":
        yield once, ""
    else:
        declared = own.args.get(argument)
        # Neither a variable of another operation nor a list too much is needed: a literal shows it.
        texts = [literal(declared.type), "null", "[null]", "[[null]]"] if declared is not None else []
        yield from ((_used(own, {argument: text}), "") for text in texts)
        yield once, ""


def _reads(schema: GraphQLSchema, name: str, argument: str) -> dict[str, Any]:
    """What a document means that leaves an argument out."""
    where = f"@{name}({argument}:)"
    value = default_at(schema, where)
    return {} if value is Undefined else {"reads": where, "default": value}


def _used(own: Any, given: Mapping[str, str]) -> str:
    sent = {name: literal(one.type) for name, one in own.args.items() if is_required(one)} | dict(given)
    texts = ", ".join(f"{name}: {text}" for name, text in sent.items())
    return f"@{own.name}({texts})" if texts else f"@{own.name}"
