"""The messages that may show a row of a GraphQL comparison: documents, responses, and values left out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any, Final

from graphql import (
    GraphQLInputObjectType,
    GraphQLNonNull,
    GraphQLSchema,
    Undefined,
    get_named_type,
    is_composite_type,
    is_input_object_type,
)

from evreview.comparison.delta import Delta
from evreview.contract.model import ElementKind
from evreview.core.vocabulary import Aspect, Change, Json
from evreview.kinds.graphql.judge import Message, default_at
from evreview.kinds.graphql.paths import Step, Way, Ways, literal, object_literal, possible, samples
from evreview.proof.kinds.graphql_directives import directive_messages, using
from evreview.proof.kinds.graphql_documents import NAME_ONLY, Documents, response_along
from evreview.proof.kinds.graphql_merges import Merges
from evreview.proof.kinds.graphql_results import fragments, gone_fields

MOST_PLACES: Final = 4
"""Places that are tried where a type stands in many."""


@dataclass(frozen=True, slots=True)
class Spot:
    """What a row is about, by its address: the type and field, or the operation, and the argument or member."""

    owner: str
    field: str = ""
    name: str = ""
    word: str = ""


def spot_of(delta: Delta) -> Spot:
    """The spot of a row."""
    steps = [step.split(" ", 1) for step in delta.address.split(" > ")]
    names = [step[1] if len(step) > 1 else "" for step in steps]
    if steps[0][0] in ("query", "mutation", "subscription"):
        return Spot("", names[0], names[1] if len(names) > 1 else "", steps[0][0])
    if len(names) > 2:
        return Spot(names[0], names[1], names[2])
    if delta.element is ElementKind.FIELD:
        return Spot(names[0], names[1])
    return Spot(names[0], "", names[1] if len(names) > 1 else "")


class Rows:
    """Finds the messages of rows. `released` accepts a document of them, `candidate` sends a response of them."""

    def __init__(self, released: GraphQLSchema, candidate: GraphQLSchema) -> None:
        self.released, self.candidate = released, candidate
        self.ways = Ways(released, candidate)
        self._write = Documents(self.ways)

    def _at(self, way: Way, selection: str, head: str = "", response: Json = None) -> Message:
        """A document that goes a way and selects there, beside one that only goes there."""
        document = self._write.along(way, f"{{ {selection} }}", head=head)
        return Message(document=document, response=response, around=self._write.along(way, NAME_ONLY))

    def messages(self, delta: Delta) -> Iterator[Message]:
        """Messages that may show the row, the simplest first."""
        spot = self._rooted(spot_of(delta))
        finder = self._finder(delta)
        if finder is not None:
            yield from finder(delta, spot)

    def _finder(self, delta: Delta) -> Callable[[Delta, Spot], Iterator[Message]] | None:
        match delta.element:
            case ElementKind.ARGUMENT | ElementKind.DIRECTIVE if delta.address.startswith("directive "):
                return self._directive
            case ElementKind.OPERATION | ElementKind.FIELD if delta.facet == "" and self._is_output(delta):
                return self._selected
            case ElementKind.RESPONSE | ElementKind.FIELD if self._is_output(delta):
                return self._completed
            case ElementKind.ARGUMENT | ElementKind.FIELD:
                return self._sent
            case ElementKind.TYPE:
                return self._type
            case ElementKind.ENUM_VALUE:
                return self._enum_value
            case ElementKind.MEMBER:
                return self._member
        return None

    def _rooted(self, spot: Spot) -> Spot:
        """The spot with the root type of its operation as owner."""
        if not spot.word:
            return spot
        root = next(
            (getattr(schema, f"{spot.word}_type") for schema in (self.released, self.candidate)
             if getattr(schema, f"{spot.word}_type") is not None),
            None,
        )  # fmt: skip
        return Spot("" if root is None else root.name, spot.field, spot.name, spot.word)

    def _is_output(self, delta: Delta) -> bool:
        kind = self.released.type_map.get(spot_of(delta).owner)
        return not is_input_object_type(kind)

    def _way(self, spot: Spot) -> Way | None:
        return Way(spot.word) if spot.word else self.ways.to_type(spot.owner)

    def _step(self, spot: Spot, schema: GraphQLSchema | None = None) -> Step | None:
        declared = _field(schema or self.released, spot.owner, spot.field)
        return None if declared is None else Step(spot.owner, spot.field, get_named_type(declared.type).name)

    def _selected(self, delta: Delta, spot: Spot) -> Iterator[Message]:
        way, step = self._way(spot), self._step(spot)
        if way is not None and step is not None:
            yield self._at(way, self._write.field(step))

    def _completed(self, delta: Delta, spot: Spot) -> Iterator[Message]:
        """For a field whose type or nullability changed: selections of both types, and what comes for the new one."""
        way, step = self._way(spot), self._step(spot)
        new = _field(self.candidate, spot.owner, spot.field)
        if way is None or step is None or new is None:
            return
        old = _field(self.released, spot.owner, spot.field)
        for below in ("", *self._below(old.type, new.type)):
            yield self._at(way, self._write.field(step, below))
        values = _nulls(new.type) if delta.facet == "non-null" else samples(self.candidate, new.type)
        for value in values:
            told = response_along(self.candidate, way, {spot.field: value})
            yield self._at(way, self._write.field(step), response=told)
        if not spot.word:
            yield from self.merged(spot, renamed=False)
            yield from self.merged(spot, renamed=True) if delta.facet == "type" else ()

    def merged(self, spot: Spot, *, renamed: bool) -> Iterator[Message]:
        """Documents that give the field and one of another type one name."""
        merges = Merges(self.released, self.candidate, self.ways, self._write)
        return merges.of(spot.owner, spot.field, renamed=renamed)

    def _below(self, old: Any, new: Any) -> Iterator[str]:
        """Selections within the old type of a field that the new type may not have."""
        one, other = get_named_type(old), get_named_type(new)
        if not is_composite_type(one):
            return
        yield f"{{ ... on {one.name} {NAME_ONLY} }}"
        if is_composite_type(other):
            yield from (f"{{ {self._write.field(self._within(one, name))} }}" for name in gone_fields(one, other))
            inside = fragments(self.released, self.candidate, one, other)
            yield from (f"{{ ... on {name} {NAME_ONLY} }}" for name in inside)

    def _within(self, kind: Any, name: str) -> Step:
        return Step(kind.name, name, get_named_type(kind.fields[name].type).name)

    def _sent(self, delta: Delta, spot: Spot) -> Iterator[Message]:
        """For an argument or input field: given, as null, left out, as a variable of the released type."""
        if delta.facet == "default":
            yield from self._left_out(spot)
        for place in islice(self._places(spot), MOST_PLACES):
            yield from place

    def _places(self, spot: Spot) -> Iterator[Iterator[Message]]:
        argument = _argument(self.released, spot) if spot.name else _field(self.released, spot.owner, spot.field)
        kind = None if argument is None else argument.type
        if spot.name:
            way, step = self._way(spot), self._step(spot)
            if way is not None and step is not None:
                yield self._forms(way, step, lambda text: {} if text is None else {spot.name: text}, kind)
            return
        for way, step, name, inner in self.ways.inputs_of(spot.owner):
            outer = _field(self.released, step.owner, step.field).args[name].type
            yield self._forms(way, step, _nested(outer, (*inner, spot.field), name), kind)
        texts = (None,) if kind is None else (literal(kind), "null", None, "[null]")
        yield chain.from_iterable(self._by_directive(spot.owner, (spot.field,), text) for text in texts)

    def _by_directive(self, wanted: str, more: tuple[str, ...], text: str | None) -> Iterator[Message]:
        """Documents that send a text to a directive that takes values of a type, below some of its fields."""
        for own, name, inner in islice(self.ways.directives_of(wanted), MOST_PLACES):
            given = _nested(own.args[name].type, (*inner, *more), name)(text)
            yield from using(self.released, own, given)

    def _forms(
        self, way: Way, step: Step, put: Callable[[str | None], Mapping[str, str]], kind: Any
    ) -> Iterator[Message]:
        """The ways to send something at one place; `put` gives the arguments that hold a text there, none for None."""
        texts: list[tuple[str | None, str]] = [(None, "")]
        if kind is not None:
            texts = [(literal(kind), ""), ("null", ""), ("$value", f"($value: {kind})"), *texts]
            texts += [("[null]", ""), ("[[null]]", "")]
        for text, head in texts:
            for own in (False, True):
                try:
                    field = self._write.field(step, "", put(text), own=own)
                except ValueError:
                    continue
                yield self._at(way, field, head)

    def _left_out(self, spot: Spot) -> Iterator[Message]:
        """A document that leaves the value out, and what it means by that."""
        where = f"{spot.owner}.{spot.field}({spot.name}:)" if spot.name else f"{spot.owner}.{spot.field}"
        value = default_at(self.released, where)
        if value is Undefined:
            return
        places = [(self._way(spot), self._step(spot), "", ())] if spot.name else self.ways.inputs_of(spot.owner)
        for way, step, name, inner in islice(places, MOST_PLACES):
            if way is None or step is None:
                continue
            given: Mapping[str, str] = {}
            if name:
                outer = _field(self.released, step.owner, step.field).args[name].type
                given = _nested(outer, (*inner, spot.field), name)(None)
            document = self._write.along(way, f"{{ {self._write.field(step, '', given, omit=spot.name)} }}")
            yield Message(document=document, reads=where, default=value)

    def _type(self, delta: Delta, spot: Spot) -> Iterator[Message]:
        if delta.facet == "oneOf":
            yield from self._several(spot)
            return
        if delta.change is Change.ADDED and delta.facet == "":
            for interface in getattr(self.candidate.type_map.get(spot.owner), "interfaces", ()):
                yield from self._may_come(interface.name, spot.owner)
            return
        kind = self.released.type_map.get(spot.owner)
        way = self.ways.to_type(spot.owner)
        if is_composite_type(kind) and way is not None:
            for selection in (NAME_ONLY, f"{{ ... on {spot.owner} {NAME_ONLY} }}"):
                yield Message(document=self._write.along(way, selection))
        for at, step, name, inner in islice(self.ways.inputs_of(spot.owner), MOST_PLACES):
            outer = _field(self.released, step.owner, step.field).args[name].type
            put = _nested(outer, inner, name)
            yield from self._forms(at, step, put, _inner_type(outer, inner))
        if delta.facet == "kind":
            for at, step in islice(self.ways.fields_of(spot.owner), MOST_PLACES):
                yield from self._completed(
                    delta, Spot(step.owner, step.field, "", at.operation if not at.steps else "")
                )

    def _several(self, spot: Spot) -> Iterator[Message]:
        """Documents that give none, or two, of the fields of an input object."""
        kind = self.released.type_map[spot.owner]
        assert isinstance(kind, GraphQLInputObjectType)
        two = dict(islice(((name, literal(field.type)) for name, field in kind.fields.items()), 2))
        for way, step, name, inner in islice(self.ways.inputs_of(spot.owner), MOST_PLACES):
            outer = _field(self.released, step.owner, step.field).args[name].type
            for text in ("{}", object_literal(kind, two)):
                field = self._write.field(step, "", _nested(outer, inner, name)(text))
                yield self._at(way, field)
        for text in ("{}", object_literal(kind, two)):
            yield from self._by_directive(spot.owner, (), text)

    def _enum_value(self, delta: Delta, spot: Spot) -> Iterator[Message]:
        if delta.change is Change.REMOVED:
            for way, step, name, inner in islice(self.ways.inputs_of(spot.owner), MOST_PLACES):
                outer = _field(self.released, step.owner, step.field).args[name].type
                field = self._write.field(step, "", _nested(outer, inner, name)(spot.name))
                yield self._at(way, field)
            yield from self._by_directive(spot.owner, (), spot.name)
            return
        for way, step in islice(self.ways.fields_of(spot.owner), MOST_PLACES):
            new = _field(self.candidate, step.owner, step.field)
            if new is not None:
                value = next(samples(self.candidate, new.type), None)
                told = response_along(self.candidate, way, {step.field: _replaced(value, spot.name)})
                yield self._at(way, self._write.field(step), response=told)

    def _member(self, delta: Delta, spot: Spot) -> Iterator[Message]:
        if delta.change is Change.ADDED:
            came = delta.aspect is Aspect.COMPOSITION
            yield from self._may_come(*((spot.owner, spot.name) if came else (spot.name, spot.owner)))
            return
        for around, inside in ((spot.owner, spot.name), (spot.name, spot.owner)):
            way = self.ways.to_type(around)
            if way is not None:
                yield self._at(way, f"... on {inside} {NAME_ONLY}")

    def _directive(self, delta: Delta, spot: Spot) -> Iterator[Message]:
        return directive_messages(self.released, delta, spot.owner, spot.name)

    def _may_come(self, promised: str, came: str) -> Iterator[Message]:
        """A response in which an object of a new type stands where an interface or union was promised."""
        way = self.ways.to_value(promised)
        names = [came] if came in possible(self.candidate, came) else sorted(possible(self.candidate, came))
        for name in names if way is not None else ():
            told = response_along(self.candidate, way, {"__typename": name})  # type: ignore[arg-type]
            yield Message(document=self._write.along(way, NAME_ONLY), response=told)  # type: ignore[arg-type]


def _field(schema: GraphQLSchema, owner: str, field: str) -> Any:
    return getattr(schema.type_map.get(owner), "fields", {}).get(field)


def _argument(schema: GraphQLSchema, spot: Spot) -> Any:
    declared = _field(schema, spot.owner, spot.field)
    return None if declared is None else declared.args.get(spot.name)


def _inner_type(outer: Any, inner: tuple[str, ...]) -> Any:
    for name in inner:
        outer = get_named_type(outer).fields[name].type
    return outer


def _nested(outer: Any, path: tuple[str, ...], name: str) -> Callable[[str | None], Mapping[str, str]]:
    """What gives the argument `name` with a text at the end of a path of input fields, or without it for None."""

    def put(text: str | None) -> Mapping[str, str]:
        kinds = [get_named_type(outer)]
        for step in path[:-1]:
            kinds.append(get_named_type(kinds[-1].fields[step].type))
        found = text
        for kind, step in reversed(list(zip(kinds, path, strict=False))):
            found = object_literal(kind, {} if found is None else {step: found})
        return {} if found is None else {name: found}

    return put


def _nulls(kind: Any) -> Iterator[Json]:
    """Null at each level of a type that allows it, from outside in."""
    depth = 0
    while kind is not None:
        null = not isinstance(kind, GraphQLNonNull)
        bare = kind if null else kind.of_type
        if null:
            value: Json = None
            for _ in range(depth):
                value = [value]
            yield value
        depth += 1
        kind = getattr(bare, "of_type", None)


def _replaced(sample: Json, leaf: str) -> Json:
    return [_replaced(sample[0], leaf)] if isinstance(sample, list) else leaf
