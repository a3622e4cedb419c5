"""The answer of a GraphQL server to an introspection query, as the definitions of the schema that it tells of.

An answer tells names, types, defaults, deprecations and the definitions of directives; where else directives stand it
does not tell. Each definition knows the JSON pointer that it was read from.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from graphql import (
    DirectiveLocation,
    GraphQLError,
    Source,
    parse_const_value,
    specified_directives,
    specified_scalar_types,
)
from graphql.language import Location, Token, TokenKind, ast

from evreview.contract.model import Place, UnsupportedConstruct
from evreview.core.document_text import parse_text
from evreview.core.errors import BadInput, Problem
from evreview.core.vocabulary import Json

HOLDS: Final = re.compile(r'[\ufeff\s]*\{\s*(?:"|\}|$)')
"""What JSON opens with and no definition does."""
ROOTS: Final = {"query": "queryType", "mutation": "mutationType", "subscription": "subscriptionType"}
MOST_PROBLEMS: Final = 50

_NAME: Final = re.compile(r"[_A-Za-z]\w*", re.ASCII)
_OWN: Final = frozenset(str(scalar) for scalar in specified_scalar_types)
_OWN_DIRECTIVES: Final = frozenset(directive.name for directive in specified_directives)
_PLACES: Final = frozenset(location.name for location in DirectiveLocation)
_ASK: Final = "ask the server again, with the whole introspection query"


class Pointed(Location):
    """The location of a definition that stands at a JSON pointer."""

    __slots__ = ("place",)

    def __init__(self, source: Source, pointer: str) -> None:
        start = Token(TokenKind.SOF, 0, 0, 1, 1)
        super().__init__(start, start, source)
        self.place = Place(source.name, pointer)


def schema_in(root: Json) -> tuple[Mapping[str, Json], str] | None:
    """The `__schema` of an answer and its pointer; the whole response or its `data` alone. None when it has none."""
    data = root.get("data") if isinstance(root, dict) else None
    for holder, pointer in ((root, ""), (data, "/data")):
        found = holder.get("__schema") if isinstance(holder, dict) else None
        if isinstance(found, dict) and isinstance(found.get("types"), list):
            return found, f"{pointer}/__schema"
    return None


def definitions_in(name: str, text: str) -> tuple[tuple[ast.DefinitionNode, ...], tuple[UnsupportedConstruct, ...]]:
    """The definitions that an answer tells of, and what it leaves open.

    Raises:
        BadInput: every problem: it is no JSON, `graphql-introspection`.
    """
    found = schema_in(parse_text(text.encode(), name))
    answer = _Answer(name)
    if found is None:
        answer.wrong("", "this is JSON and no answer to an introspection query")
    nodes = tuple(answer.schema(*found)) if found is not None else ()
    if answer.problems:
        raise BadInput(answer.problems)
    return nodes, tuple(answer.unread.values())


class _Answer:
    """Makes the definitions of one answer, and collects what is wrong with it."""

    def __init__(self, name: str) -> None:
        self._source = Source("", name)
        self.problems: list[Problem] = []
        self.unread: dict[str, UnsupportedConstruct] = {}

    def wrong(self, pointer: str, found: str) -> None:
        """One more problem."""
        if len(self.problems) < MOST_PROBLEMS:
            where = f"#{pointer}" if pointer else ""
            problem = Problem(
                code="graphql-introspection", found=found, file=self._source.name, place=where, advice=_ASK
            )
            self.problems.append(problem)

    def schema(self, told: Mapping[str, Json], pointer: str) -> Iterator[ast.DefinitionNode]:
        """The definitions of a whole answer."""
        yield self._schema_definition(told, pointer)
        for at, kind in self._each(told, "types", pointer):
            if (name := kind.get("name")) not in _OWN and not str(name).startswith("__"):
                node = self._type(kind, at)
                if node is not None:
                    yield node
        for at, directive in self._each(told, "directives", pointer):
            if directive.get("name") not in _OWN_DIRECTIVES:
                yield self._directive(directive, at)

    def _schema_definition(self, told: Mapping[str, Json], pointer: str) -> ast.SchemaDefinitionNode:
        operations = []
        for word, key in ROOTS.items():
            root = told.get(key)
            if isinstance(root, dict):
                named = self._named(root, f"{pointer}/{key}")
                operation = ast.OperationType(word)
                loc = self._at(f"{pointer}/{key}")
                operations.append(ast.OperationTypeDefinitionNode(operation=operation, type=named, loc=loc))
        return ast.SchemaDefinitionNode(operation_types=tuple(operations), directives=(), loc=self._at(pointer))

    def _type(self, told: Mapping[str, Json], pointer: str) -> ast.DefinitionNode | None:
        make = _KINDS.get(str(told.get("kind")))
        if make is None:
            self.wrong(f"{pointer}/kind", f"there is no kind of type {told.get('kind')!r:.40}")
            return None
        return make(self, told, pointer)

    def _own(self, told: Mapping[str, Json], pointer: str, *marks: ast.DirectiveNode) -> dict[str, Any]:
        """What every definition has: name, text for people, place and marks."""
        text = told.get("description")
        described = ast.StringValueNode(value=text, block=True) if isinstance(text, str) else None
        own: dict[str, Any] = {"name": self._name(told, pointer), "description": described, "loc": self._at(pointer)}
        return own | {"directives": (*marks, *self._deprecated(told))}

    def _deprecated(self, told: Mapping[str, Json]) -> Iterator[ast.DirectiveNode]:
        if told.get("isDeprecated") is True:
            reason = told.get("deprecationReason")
            yield _mark("deprecated", "reason", reason) if isinstance(reason, str) else _mark("deprecated")

    def scalar(self, told: Mapping[str, Json], pointer: str) -> ast.DefinitionNode:
        url = told.get("specifiedByURL", told.get("specifiedByUrl"))
        if "specifiedByURL" not in told and "specifiedByUrl" not in told:
            self._open(pointer, "specifiedByURL", "which specification a scalar has")
        marks = [_mark("specifiedBy", "url", url)] if isinstance(url, str) else []
        return ast.ScalarTypeDefinitionNode(**self._own(told, pointer, *marks))

    def object(self, told: Mapping[str, Json], pointer: str) -> ast.DefinitionNode:
        return ast.ObjectTypeDefinitionNode(**self._own(told, pointer), **self._composed(told, pointer))

    def interface(self, told: Mapping[str, Json], pointer: str) -> ast.DefinitionNode:
        return ast.InterfaceTypeDefinitionNode(**self._own(told, pointer), **self._composed(told, pointer))

    def _composed(self, told: Mapping[str, Json], pointer: str) -> dict[str, Any]:
        fields = tuple(self._field(field, at) for at, field in self._each(told, "fields", pointer))
        interfaces = self._each(told, "interfaces", pointer, optional=True)
        return {"fields": fields, "interfaces": tuple(self._named(each, at) for at, each in interfaces)}

    def union(self, told: Mapping[str, Json], pointer: str) -> ast.DefinitionNode:
        members = tuple(self._named(each, at) for at, each in self._each(told, "possibleTypes", pointer))
        return ast.UnionTypeDefinitionNode(**self._own(told, pointer), types=members)

    def enum(self, told: Mapping[str, Json], pointer: str) -> ast.DefinitionNode:
        values = self._each(told, "enumValues", pointer)
        made = tuple(ast.EnumValueDefinitionNode(**self._own(value, at)) for at, value in values)
        return ast.EnumTypeDefinitionNode(**self._own(told, pointer), values=made)

    def input_object(self, told: Mapping[str, Json], pointer: str) -> ast.DefinitionNode:
        if "isOneOf" not in told:
            self._open(pointer, "isOneOf", "whether an input object takes exactly one of its fields")
        marks = [_mark("oneOf")] if told.get("isOneOf") is True else []
        fields = tuple(self._input(field, at) for at, field in self._each(told, "inputFields", pointer))
        return ast.InputObjectTypeDefinitionNode(**self._own(told, pointer, *marks), fields=fields)

    def _field(self, told: Mapping[str, Json], pointer: str) -> ast.FieldDefinitionNode:
        arguments = tuple(self._input(each, at) for at, each in self._each(told, "args", pointer))
        kind = self._reference(told, pointer)
        return ast.FieldDefinitionNode(**self._own(told, pointer), arguments=arguments, type=kind)

    def _input(self, told: Mapping[str, Json], pointer: str) -> ast.InputValueDefinitionNode:
        kind, default = self._reference(told, pointer), self._default(told, pointer)
        return ast.InputValueDefinitionNode(**self._own(told, pointer), type=kind, default_value=default)

    def _default(self, told: Mapping[str, Json], pointer: str) -> ast.ConstValueNode | None:
        written = told.get("defaultValue")
        if written is None:
            return None
        try:
            return parse_const_value(str(written), no_location=True)
        except (GraphQLError, RecursionError):
            self.wrong(f"{pointer}/defaultValue", "the default is no value of GraphQL")
            return None

    def _directive(self, told: Mapping[str, Json], pointer: str) -> ast.DirectiveDefinitionNode:
        if "isRepeatable" not in told:
            self._open(pointer, "isRepeatable", "whether a directive may be repeated")
        given = told.get("locations")
        places = [each for each in given if each in _PLACES] if isinstance(given, list) else []
        if not isinstance(given, list) or len(places) != len(given):
            self.wrong(f"{pointer}/locations", "the places of the directive are not those of the language")
        return ast.DirectiveDefinitionNode(
            **self._own(told, pointer),
            arguments=tuple(self._input(each, at) for at, each in self._each(told, "args", pointer)),
            repeatable=told.get("isRepeatable") is True,
            locations=tuple(ast.NameNode(value=str(place)) for place in places),
        )

    def _reference(self, told: Mapping[str, Json], pointer: str) -> ast.TypeNode:
        """The type that a field, argument or input field refers to."""
        wrappers: list[str] = []
        at, kind = f"{pointer}/type", told.get("type")
        while isinstance(kind, dict) and kind.get("kind") in ("LIST", "NON_NULL"):
            wrappers.append(str(kind["kind"]))
            at, kind = f"{at}/ofType", kind.get("ofType")
        if not isinstance(kind, dict):
            self.wrong(at, "the type is cut off: the query asked for fewer levels of lists than there are")
            kind = {"name": "Int"}
        found: ast.TypeNode = self._named(kind, at)
        for wrapper in reversed(wrappers):
            if wrapper == "LIST":
                found = ast.ListTypeNode(type=found)
            elif isinstance(found, ast.NonNullTypeNode):
                self.wrong(at, "the type is twice without null")
            else:
                found = ast.NonNullTypeNode(type=found)  # type: ignore[arg-type]
        return found

    def _named(self, told: Mapping[str, Json], pointer: str) -> ast.NamedTypeNode:
        return ast.NamedTypeNode(name=self._name(told, pointer), loc=self._at(pointer))

    def _name(self, told: Mapping[str, Json], pointer: str) -> ast.NameNode:
        name = told.get("name")
        if not isinstance(name, str) or not _NAME.fullmatch(name):
            self.wrong(f"{pointer}/name", "there is no name here, as GraphQL has them")
            name = "_"
        return ast.NameNode(value=name, loc=self._at(pointer))

    def _each(
        self, told: Mapping[str, Json], key: str, pointer: str, *, optional: bool = False
    ) -> Iterator[tuple[str, dict[str, Json]]]:
        """The objects of a list with their pointers."""
        found = told.get(key)
        if found is None and optional:
            return
        if not isinstance(found, list):
            self.wrong(pointer, f"`{key}` is missing, or no list")
            return
        for index, each in enumerate(found):
            if isinstance(each, dict):
                yield f"{pointer}/{key}/{index}", each
            else:
                self.wrong(f"{pointer}/{key}/{index}", "an object is expected here")

    def _open(self, pointer: str, key: str, what: str) -> None:
        found = f"the answer does not tell {what}: the query did not ask for `{key}`"
        self.unread.setdefault(key, UnsupportedConstruct(Place(self._source.name, pointer), found, _ASK))

    def _at(self, pointer: str) -> Pointed:
        return Pointed(self._source, pointer)


_KINDS: Final[Mapping[str, Callable[[_Answer, Mapping[str, Json], str], ast.DefinitionNode]]] = {
    "SCALAR": _Answer.scalar,
    "OBJECT": _Answer.object,
    "INTERFACE": _Answer.interface,
    "UNION": _Answer.union,
    "ENUM": _Answer.enum,
    "INPUT_OBJECT": _Answer.input_object,
}


def _mark(name: str, argument: str = "", value: str = "") -> ast.DirectiveNode:
    own = ast.NameNode(value=name)
    if not argument:
        return ast.DirectiveNode(name=own, arguments=())
    given = ast.ConstArgumentNode(name=ast.NameNode(value=argument), value=ast.StringValueNode(value=value))
    return ast.DirectiveNode(name=own, arguments=(given,))
