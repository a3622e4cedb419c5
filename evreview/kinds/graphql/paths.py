"""Ways to a place of a GraphQL schema: which fields a document selects to get there, and what it sends on the way."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from functools import cached_property
from itertools import chain
from typing import Any, Final

from graphql import (
    GraphQLEnumType,
    GraphQLInputObjectType,
    GraphQLList,
    GraphQLNonNull,
    GraphQLScalarType,
    GraphQLSchema,
    GraphQLUnionType,
    OperationType,
    get_named_type,
    is_composite_type,
    is_interface_type,
    is_object_type,
)

from evreview.core.frozen import frozen
from evreview.core.vocabulary import Json

MAX_NESTING: Final = 12
"""Input objects within input objects that a value may need."""

_LITERALS: Final[Mapping[str, str]] = {"Int": "1", "Float": "1.5", "Boolean": "true", "ID": '"1"', "String": '"a"'}
_SAMPLES: Final[Mapping[str, tuple[Json, ...]]] = {"Int": (1,), "Float": (1.5,), "Boolean": (True,), "ID": ("1", "a")}


@frozen
class Step:
    """One step of a way: a field of a type, or a fragment on a type when `field` is ""."""

    owner: str
    field: str
    target: str


@frozen
class TypePath:
    """A way from an operation's root type to a type."""

    operation: str
    steps: tuple[Step, ...] = ()

    def to(self, *steps: Step) -> TypePath:
        """The way, some steps on."""
        return TypePath(self.operation, (*self.steps, *steps))


class TypePaths:
    """The shortest ways through the released schema, those that the candidate has as well first."""

    def __init__(self, released: GraphQLSchema, candidate: GraphQLSchema) -> None:
        self.released, self.candidate = released, candidate
        self._common = self._search(common=True)
        self._any = self._search(common=False)
        self._upward = self._search(common=False, upward=True)

    def to_type(self, name: str) -> TypePath | None:
        """A way to an object, interface or union, None when no operation reaches it."""
        return self.to_value(name) or self._upward.get(name)

    def to_value(self, name: str) -> TypePath | None:
        """A way to where values of a type come, by what fields promise and not by the interfaces of what comes."""
        return self._common.get(name) or self._any.get(name)

    def fields_of(self, wanted: str) -> Iterator[tuple[TypePath, Step]]:
        """The fields that are reached and hold values of a type."""
        return ((way, step) for way, step in self._fields.get(wanted, ()))

    def inputs_of(self, wanted: str) -> Iterator[tuple[TypePath, Step, str, tuple[str, ...]]]:
        """The arguments that are reached and take values of a type, each with the input fields on the way to them."""
        for name, inner in self._input_ways(wanted).items():
            for way, step, argument in self._arguments.get(name, ()):
                yield way, step, argument, inner

    def directives_of(self, wanted: str) -> Iterator[tuple[Any, str, tuple[str, ...]]]:
        """The directives and arguments that take values of a type, each with the input fields on the way to them."""
        inner = self._input_ways(wanted)
        for directive in self.released.directives:
            for name, argument in directive.args.items():
                if (found := inner.get(get_named_type(argument.type).name)) is not None:
                    yield directive, name, found

    @cached_property
    def _fields(self) -> Mapping[str, list[tuple[TypePath, Step]]]:
        """The fields that are reached, by the type of their values."""
        found: dict[str, list[tuple[TypePath, Step]]] = {}
        for name, way in {**self._upward, **self._any, **self._common}.items():
            for field, declared in _fields(self.released.type_map.get(name)).items():
                target = get_named_type(declared.type).name
                found.setdefault(target, []).append((way, Step(name, field, target)))
        return found

    @cached_property
    def _arguments(self) -> Mapping[str, list[tuple[TypePath, Step, str]]]:
        """The arguments of fields that are reached, by the type of their values."""
        found: dict[str, list[tuple[TypePath, Step, str]]] = {}
        for reached in self._fields.values():
            for way, step in reached:
                for argument, own in _fields(self.released.type_map[step.owner])[step.field].args.items():
                    found.setdefault(get_named_type(own.type).name, []).append((way, step, argument))
        return found

    @cached_property
    def _above(self) -> Mapping[str, list[tuple[str, str]]]:
        """For each type the input types and fields that hold its values."""
        above: dict[str, list[tuple[str, str]]] = {}
        for name, kind in self.released.type_map.items():
            if isinstance(kind, GraphQLInputObjectType):
                for field, declared in kind.fields.items():
                    above.setdefault(get_named_type(declared.type).name, []).append((name, field))
        return above

    def is_sent(self, wanted: str) -> bool:
        """True when some argument, however deep in it, takes values of a type."""
        taking = set(self._arguments)
        taking |= {get_named_type(one.type).name for each in self.released.directives for one in each.args.values()}
        seen, waiting = {wanted}, [wanted]
        while waiting:
            name = waiting.pop()
            if name in taking:
                return True
            fresh = {owner for owner, _ in self._above.get(name, ())} - seen
            seen |= fresh
            waiting.extend(fresh)
        return False

    def _input_ways(self, wanted: str) -> dict[str, tuple[str, ...]]:
        """For each input type the shortest way of fields from it to the wanted one, the nearest first."""
        found: dict[str, tuple[str, ...]] = {wanted: ()}
        waiting = deque([wanted])
        while waiting:
            name = waiting.popleft()
            for owner, field in self._above.get(name, ()) if len(found[name]) < MAX_NESTING else ():
                if owner not in found:
                    found[owner] = (field, *found[name])
                    waiting.append(owner)
        return found

    def _search(self, *, common: bool, upward: bool = False) -> dict[str, TypePath]:
        found: dict[str, TypePath] = {}
        waiting: deque[str] = deque()
        for word in OperationType:
            root = self.released.get_root_type(word)
            if root is not None and (not common or self._root(word) == root.name):
                found.setdefault(root.name, TypePath(word.value))
                waiting.append(root.name)
        while waiting:
            name = waiting.popleft()
            steps = self._steps(name, common=common)
            for step in chain(steps, self._interfaces(name)) if upward else steps:
                if step.target not in found:
                    found[step.target] = found[name].to(step)
                    waiting.append(step.target)
        return found

    def _interfaces(self, name: str) -> Iterator[Step]:
        """Fragments on what a type implements."""
        for interface in getattr(self.released.type_map[name], "interfaces", ()):
            yield Step(name, "", interface.name)

    def _root(self, word: OperationType) -> str:
        root = self.candidate.get_root_type(word)
        return "" if root is None else root.name

    def _steps(self, name: str, *, common: bool) -> Iterator[Step]:
        kind, other = self.released.type_map[name], self.candidate.type_map.get(name)
        theirs = _fields(other)
        for field, declared in _fields(kind).items():
            target = get_named_type(declared.type)
            same = field in theirs and get_named_type(theirs[field].type).name == target.name
            if is_composite_type(target) and (same or not common):
                yield Step(name, field, target.name)
        members = possible(self.released, name) - {name}
        for member in sorted(members & possible(self.candidate, name) if common else members):
            yield Step(name, "", member)


def possible(schema: GraphQLSchema, name: str) -> set[str]:
    """The names of the object types that may come for a type."""
    kind = schema.type_map.get(name)
    if isinstance(kind, GraphQLUnionType) or is_interface_type(kind):
        return {member.name for member in schema.get_possible_types(kind)}
    return {name} if is_object_type(kind) else set()


def _fields(kind: Any) -> Mapping[str, Any]:
    return {} if kind is None or isinstance(kind, GraphQLInputObjectType) else getattr(kind, "fields", {})


def literal(kind: Any, depth: int = 0) -> str:
    """The smallest value that a document may send for a type.

    Raises:
        ValueError: there is none, as for input objects that need themselves.
    """
    if isinstance(kind, GraphQLNonNull):
        return literal(kind.of_type, depth)
    if isinstance(kind, GraphQLList):
        return "[]"
    if isinstance(kind, GraphQLEnumType):
        return str(next(iter(kind.values)))
    if isinstance(kind, GraphQLInputObjectType):
        return object_literal(kind, {}, depth)
    return _LITERALS.get(kind.name, '"a"')


def object_literal(kind: GraphQLInputObjectType, given: Mapping[str, str], depth: int = 0) -> str:
    """An input object with these fields, and those that it can't be without."""
    if depth > MAX_NESTING:
        raise ValueError(f"{kind.name} needs itself")
    parts = dict(given)
    if kind.is_one_of and not parts:
        name, field = next(iter(kind.fields.items()))
        parts[name] = literal(field.type, depth + 1)
    for name, field in kind.fields.items():
        if name not in parts and is_required(field):
            parts[name] = literal(field.type, depth + 1)
    return "{" + ", ".join(f"{name}: {text}" for name, text in parts.items()) + "}"


def is_required(declared: Any) -> bool:
    """True for an argument or input field that can't be left out."""
    return isinstance(declared.type, GraphQLNonNull) and declared.ast_node.default_value is None


def samples(schema: GraphQLSchema, kind: Any) -> Iterator[Json]:
    """Values that a server may send for a type; an object shows nothing but its type."""
    if isinstance(kind, GraphQLNonNull):
        yield from samples(schema, kind.of_type)
    elif isinstance(kind, GraphQLList):
        yield from ([value] for value in samples(schema, kind.of_type))
    elif isinstance(kind, GraphQLEnumType):
        yield from kind.values
    elif isinstance(kind, GraphQLScalarType):
        yield from _SAMPLES.get(kind.name, ("a",))
    else:
        yield from ({"__typename": name} for name in sorted(possible(schema, kind.name)))
