"""The elements of a GraphQL schema: operations with their arguments, named types with their parts, directives."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from graphql import print_ast
from graphql.language import ast
from graphql.utilities import value_from_ast_untyped

from evreview.contract.model import Element, ElementKind, Facet
from evreview.core.frozen import frozen
from evreview.core.vocabulary import Aspect, Direction, Json, Role
from evreview.kinds.graphql.reader import EXECUTABLE, ROOTS, Definitions, bare, place_of

# How the named types are used: for input, for output or both, and by which operations.


@frozen
class TypeUse:
    """The use of one type: `direction` is None for one that is read and written; `operations` reach it."""

    direction: Direction | None
    operations: tuple[str, ...]


def uses_of(found: Definitions) -> Mapping[str, TypeUse]:
    """The use of each type by name."""
    inputs = {bare(part.type) for node in found.types.values() for part in _inputs(node)}
    outputs = {bare(field.type) for node in found.types.values() for field in _outputs(node)}
    outputs |= {member.name.value for node in found.types.values() for member in getattr(node, "types", None) or ()}
    inputs |= {bare(part.type) for node in found.directives.values() for part in node.arguments or ()}
    reached = _reached(found)
    return {
        name: TypeUse(_direction(node, name in inputs, name in outputs), reached.get(name, ()))
        for name, node in found.types.items()
    }


def _direction(node: Any, read: bool, written: bool) -> Direction | None:
    if isinstance(node, ast.InputObjectTypeDefinitionNode):
        return Direction.READ
    if not isinstance(node, (ast.EnumTypeDefinitionNode, ast.ScalarTypeDefinitionNode)):
        return Direction.WRITTEN
    if read == written:
        return None
    return Direction.READ if read else Direction.WRITTEN


def _inputs(node: Any) -> Iterator[Any]:
    if isinstance(node, ast.InputObjectTypeDefinitionNode):
        yield from node.fields or ()
    for field in _outputs(node):
        yield from field.arguments or ()


def _outputs(node: Any) -> Iterable[Any]:
    return () if isinstance(node, ast.InputObjectTypeDefinitionNode) else getattr(node, "fields", None) or ()


def _reached(found: Definitions) -> dict[str, tuple[str, ...]]:
    """The operations that reach each type; a root type is reached by all its operations, and opens no others.

    Types that lead to each other are reached by the same operations, so that each group is looked at once.
    """
    below = _below(found)
    for root in found.roots.values():
        below[root] = set()
    names: list[str] = []
    starts: dict[str, int] = {}
    for word in (word for word in ROOTS if word in found.roots):
        for field in found.types[found.roots[word]].fields or ():
            for name in (found.roots[word], *_of_field(field)):
                starts[name] = starts.get(name, 0) | 1 << len(names)
            names.append(f"{word} {field.name.value}")
    for name in _in_documents(found, below):
        starts[name] = (1 << len(names)) - 1
    masks = _spread(starts, below)
    told = {mask: tuple(sorted(names[at] for at in _bits(mask))) for mask in set(masks.values())}
    return {name: told[mask] for name, mask in masks.items()}


def _spread(starts: Mapping[str, int], below: Mapping[str, set[str]]) -> dict[str, int]:
    """The marks of each type: its own, and those of all types that lead to it."""
    groups = list(reversed(list(_groups(below))))
    home = {name: at for at, group in enumerate(groups) for name in group}
    marks = [0] * len(groups)
    for name, mark in starts.items():
        if name in home:
            marks[home[name]] |= mark
    for at, group in enumerate(groups):
        for other in {home[target] for name in group for target in below[name] if target in home}:
            marks[other] |= marks[at]
    return {name: marks[at] for name, at in home.items()}


def _bits(mask: int) -> Iterator[int]:
    return (at for at, bit in enumerate(reversed(f"{mask:b}")) if bit == "1")


def _groups(below: Mapping[str, set[str]]) -> Iterator[list[str]]:
    """The types that lead to each other, together; each group after those that it leads to (Tarjan's algorithm)."""
    number: dict[str, int] = {}
    low: dict[str, int] = {}
    open_: list[str] = []
    waiting: set[str] = set()
    for start in below:
        if start in number:
            continue
        number[start] = low[start] = len(number)
        open_.append(start)
        waiting.add(start)
        path = [(start, iter(sorted(below[start] & below.keys())))]
        while path:
            name, targets = path[-1]
            target = next(targets, None)
            if target is None:
                path.pop()
                if path:
                    low[path[-1][0]] = min(low[path[-1][0]], low[name])
                if low[name] == number[name]:
                    group = _closed(open_, name)
                    waiting -= set(group)
                    yield group
            elif target not in number:
                number[target] = low[target] = len(number)
                open_.append(target)
                waiting.add(target)
                path.append((target, iter(sorted(below[target] & below.keys()))))
            elif target in waiting:
                low[name] = min(low[name], number[target])


def _closed(open_: list[str], name: str) -> list[str]:
    """The names from the end of a list down to `name`, taken out of it."""
    group = [open_.pop()]
    while group[-1] != name:
        group.append(open_.pop())
    return group


def _in_documents(found: Definitions, below: Mapping[str, set[str]]) -> set[str]:
    """The types of what directives take in documents, which may stand beside any operation."""
    used = [node for node in found.directives.values() if EXECUTABLE & {place.value for place in node.locations}]
    waiting = [bare(part.type) for node in used for part in node.arguments or ()]
    seen: set[str] = set()
    while waiting:
        name = waiting.pop()
        if name not in seen:
            seen.add(name)
            waiting.extend(below.get(name, ()))
    return seen


def _below(found: Definitions) -> dict[str, set[str]]:
    """The types that each type leads to: of its fields and their arguments, its members, and who implements it."""
    below: dict[str, set[str]] = {}
    for name, node in found.types.items():
        below.setdefault(name, set()).update(bare(part.type) for part in _inputs(node))
        for field in _outputs(node):
            below[name].update(_of_field(field))
        below[name].update(member.name.value for member in getattr(node, "types", None) or ())
        for interface in getattr(node, "interfaces", None) or ():
            below[name].add(interface.name.value)
            below.setdefault(interface.name.value, set()).add(name)
    return below


def _of_field(field: Any) -> list[str]:
    return [bare(field.type), *(bare(part.type) for part in field.arguments or ())]


_NO_REASON: Final = "No longer supported"
"""The reason of `@deprecated` without one (section `@deprecated`)."""
SCHEMA_ARGUMENTS: Final = "arguments in schemas"
_SPECIFIED: Final = frozenset({"deprecated", "specifiedBy", "oneOf"})
KINDS: Final = {
    "object_type_definition": "object",
    "interface_type_definition": "interface",
    "union_type_definition": "union",
    "enum_type_definition": "enum",
    "scalar_type_definition": "scalar",
    "input_object_type_definition": "input object",
}


@frozen
class ValueDirection:
    """Which way the values of an element go, None for both."""

    direction: Direction | None
    operations: tuple[str, ...] = ()

    @property
    def role(self) -> Role:
        """The message that the element belongs to."""
        if self.direction is None:
            return Role.MESSAGE
        return Role.REQUEST if self.direction is Direction.READ else Role.RESPONSE


def elements(found: Definitions) -> tuple[Element, ...]:
    """The children of the document: operations, then types, then directives."""
    uses = uses_of(found)
    operations = [
        _operation(word, field)
        for word in ROOTS
        if word in found.roots
        for field in (found.types[found.roots[word]].fields or ())
    ]
    types = [_type(node, uses[name], root=name in found.roots.values()) for name, node in found.types.items()]
    return (*operations, *types, *(_directive(node) for node in found.directives.values()))


def _operation(word: str, node: Any) -> Element:
    asked = ValueDirection(Direction.READ)
    answer = Element(
        kind=ElementKind.RESPONSE,
        key="",
        name="response",
        aspect=Aspect.FIELDS,
        place=place_of(node),
        role=Role.RESPONSE,
        direction=Direction.WRITTEN,
        facets=tuple(_typed(node.type)),
    )
    return Element(
        kind=ElementKind.OPERATION,
        key=f"{word} {node.name.value}",
        name=f"{word} {node.name.value}",
        aspect=Aspect.METHODS,
        place=place_of(node),
        role=Role.REQUEST,
        direction=Direction.READ,
        facets=tuple(_marks(node)),
        children=(*_arguments(node, asked), answer),
    )


def _type(node: Any, use: TypeUse, *, root: bool) -> Element:
    way = ValueDirection(use.direction, use.operations)
    name = node.name.value
    return Element(
        kind=ElementKind.TYPE,
        key=name,
        name=name,
        aspect=Aspect.TYPES,
        place=place_of(node),
        role=way.role,
        direction=way.direction,
        facets=(Facet("kind", Aspect.TYPES, KINDS[node.kind]), *_type_facets(node), *_marks(node)),
        children=tuple(_parts(node, way, root=root)),
        operations=way.operations,
    )


def _type_facets(node: Any) -> Iterator[Facet]:
    applied = {each.name.value: each for each in node.directives or ()}
    if "oneOf" in applied:
        yield Facet("oneOf", Aspect.CONTENT_MODEL, True)
    if "specifiedBy" in applied:
        yield Facet("specifiedBy", Aspect.FORMATS, _argument_of(applied["specifiedBy"], "url"))


def _parts(node: Any, way: ValueDirection, *, root: bool) -> Iterator[Element]:
    """What stands in a type; the fields of a root type are operations, and stand below no type."""
    for member in getattr(node, "types", None) or ():
        yield _member(member, way, Aspect.COMPOSITION)
    for interface in getattr(node, "interfaces", None) or ():
        yield _member(interface, way, Aspect.INHERITANCE)
    for value in getattr(node, "values", None) or ():
        yield _named(ElementKind.ENUM_VALUE, value, way, Aspect.ENUMS)
    if isinstance(node, ast.InputObjectTypeDefinitionNode):
        yield from (_input(ElementKind.FIELD, field, way, Aspect.FIELDS) for field in node.fields or ())
    elif not root:
        yield from (_output(field, way) for field in getattr(node, "fields", None) or ())


def _member(node: Any, way: ValueDirection, aspect: Aspect) -> Element:
    name = node.name.value
    return Element(
        kind=ElementKind.MEMBER,
        key=name,
        name=name,
        aspect=aspect,
        place=place_of(node),
        role=way.role,
        direction=way.direction,
        operations=way.operations,
    )


def _named(kind: ElementKind, node: Any, way: ValueDirection, aspect: Aspect, more: tuple[Facet, ...] = ()) -> Element:
    return Element(
        kind=kind,
        key=node.name.value,
        name=node.name.value,
        aspect=aspect,
        place=place_of(node),
        role=way.role,
        direction=way.direction,
        facets=(*more, *_marks(node)),
        operations=way.operations,
    )


def _output(node: Any, way: ValueDirection) -> Element:
    field = _named(ElementKind.FIELD, node, way, Aspect.FIELDS, tuple(_typed(node.type)))
    return replace(field, children=tuple(_arguments(node, ValueDirection(Direction.READ, way.operations))))


def _arguments(node: Any, way: ValueDirection) -> Iterator[Element]:
    return (_input(ElementKind.ARGUMENT, one, way, Aspect.PARAMETERS) for one in node.arguments or ())


def _input(kind: ElementKind, node: Any, way: ValueDirection, aspect: Aspect) -> Element:
    default = node.default_value
    more = list(_typed(node.type))
    if default is not None:
        more.append(Facet("default", Aspect.DEFAULTS, _value(default, node.type)))
    required = isinstance(node.type, ast.NonNullTypeNode) and default is None
    return replace(_named(kind, node, way, aspect, tuple(more)), required=required)


def _directive(node: ast.DirectiveDefinitionNode) -> Element:
    places = [location.value for location in node.locations]
    sent = sorted(set(places) & EXECUTABLE)
    way = ValueDirection(Direction.READ) if sent else ValueDirection(None)
    return Element(
        kind=ElementKind.DIRECTIVE,
        key=node.name.value,
        name=f"@{node.name.value}",
        aspect=Aspect.DECORATION,
        place=place_of(node),
        role=way.role if sent else Role.DOCUMENT,
        direction=way.direction,
        facets=(
            Facet("locations", Aspect.DECORATION, list[Json](sent)),
            Facet("locations in schemas", Aspect.DECORATION, list[Json](sorted(set(places) - EXECUTABLE))),
            Facet("repeatable", Aspect.CARDINALITY, node.repeatable),
            *([] if sent else _arguments_in_schemas(node)),
            *_marks(node),
        ),
        children=tuple(_arguments(node, way)) if sent else (),
    )


def _arguments_in_schemas(node: ast.DirectiveDefinitionNode) -> Iterator[Facet]:
    """The arguments of a directive that only schemas apply, as one property: no document gives them."""
    found: dict[str, Json] = {}
    for one in node.arguments or ():
        default = {} if one.default_value is None else {"default": _value(one.default_value, one.type)}
        marks = {facet.name: facet.value for facet in _marks(one) if facet.on_wire}
        found[one.name.value] = {"type": print_ast(one.type), **default, **marks}
    if found:
        yield Facet(SCHEMA_ARGUMENTS, Aspect.PARAMETERS, found)


def _typed(node: ast.TypeNode) -> Iterator[Facet]:
    """The type without its exclamation marks, and the places, from outside in, where null can't stand."""
    yield Facet("type", Aspect.TYPES, print_ast(node).replace("!", ""))
    yield Facet("non-null", Aspect.NULLABILITY, list[Json](_non_null(node)))


def _non_null(node: ast.TypeNode) -> Iterator[str]:
    level = "value"
    while True:
        if isinstance(node, ast.NonNullTypeNode):
            yield level
            node = node.type
        if not isinstance(node, ast.ListTypeNode):
            return
        level = "items" if level == "value" else f"items of {level}"
        node = node.type


def _value(node: ast.ValueNode, expected: ast.TypeNode) -> Json:
    """A default as JSON; one value where a list is expected is the list of it (section Input Coercion of lists)."""
    bare_type = expected.type if isinstance(expected, ast.NonNullTypeNode) else expected
    if isinstance(bare_type, ast.ListTypeNode) and not isinstance(node, (ast.ListValueNode, ast.NullValueNode)):
        return [_value(node, bare_type.type)]
    value: Json = value_from_ast_untyped(node)
    return value


def schema_marks(found: Definitions) -> Iterator[Facet]:
    """What stands beside the schema itself: directives, such as the links of a federated part, and the text."""
    applied = sorted(print_ast(each) for node in found.schemas for each in node.directives or ())
    if applied:
        yield Facet("directives", Aspect.DECORATION, list[Json](applied))
    for node in found.schemas:
        if getattr(node, "description", None) is not None:
            yield Facet("description", Aspect.ANNOTATIONS, node.description.value, False)


def _marks(node: Any) -> Iterator[Facet]:
    """What is said beside the type: deprecation, other directives, and the text for people."""
    applied = {each.name.value: each for each in node.directives or ()}
    if "deprecated" in applied:
        yield Facet("deprecated", Aspect.DEPRECATION, True)
        yield Facet("reason", Aspect.ANNOTATIONS, _argument_of(applied["deprecated"], "reason") or _NO_REASON, False)
    others = sorted(print_ast(each) for each in node.directives or () if each.name.value not in _SPECIFIED)
    if others:
        yield Facet("directives", Aspect.DECORATION, list[Json](others))
    if getattr(node, "description", None) is not None:
        yield Facet("description", Aspect.ANNOTATIONS, node.description.value, False)


def _argument_of(node: ast.DirectiveNode, name: str) -> Json:
    for argument in node.arguments or ():
        if argument.name.value == name:
            value: Json = value_from_ast_untyped(argument.value)
            return value
    return None
