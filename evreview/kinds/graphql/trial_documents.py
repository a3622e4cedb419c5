"""The messages that may show a row of a GraphQL comparison: documents, responses, and values left out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import chain, islice
from typing import Any, Final

from graphql import (
    GraphQLEnumType,
    GraphQLInputObjectType,
    GraphQLList,
    GraphQLNonNull,
    GraphQLSchema,
    Undefined,
    get_named_type,
    is_abstract_type,
    is_composite_type,
    is_input_object_type,
    is_leaf_type,
    is_object_type,
)

from evreview.comparison.delta import Delta
from evreview.contract.model import ElementKind
from evreview.core.frozen import frozen
from evreview.core.vocabulary import Aspect, Change, Json
from evreview.kinds.graphql.judge import GraphqlMessage, default_at
from evreview.kinds.graphql.paths import (
    Step,
    TypePath,
    TypePaths,
    is_required,
    literal,
    object_literal,
    possible,
    samples,
)

# Documents that use a directive: once or twice, in each place, with each of its arguments.


_AT: Final[Mapping[str, str]] = {
    "FIELD": "query { __typename @ }",
    "QUERY": "query @ { __typename }",
    "MUTATION": "mutation @ { __typename }",
    "SUBSCRIPTION": "subscription @ { __typename }",
    "INLINE_FRAGMENT": "query { ... @ { __typename } }",
    "FRAGMENT_SPREAD": "query { ...All @ } fragment All on Query { __typename }",
    "FRAGMENT_DEFINITION": "query { ...All } fragment All on Query @ { __typename }",
}


def directive_messages(schema: GraphQLSchema, delta: Delta, name: str, argument: str) -> Iterator[GraphqlMessage]:
    """Documents that use a directive as the released schema declares it.

    Args:
        name: of the directive.
        argument: the argument that the row is about, "" for the directive.
    """
    own = next((each for each in schema.directives if each.name == name), None)
    if own is None or schema.query_type is None:
        return
    reads = _reads(schema, own.name, argument) if delta.facet == "default" else {}
    for document in _documents(schema, own):
        for text, around in _uses(own, delta, argument):
            yield GraphqlMessage(document=document.replace("@", text), around=document.replace("@", around), **reads)


def using(schema: GraphQLSchema, own: Any, given: Mapping[str, str]) -> Iterator[GraphqlMessage]:
    """Documents that use a directive with these arguments, in each place that it may stand."""
    for document in _documents(schema, own):
        yield GraphqlMessage(document=document.replace("@", _used(own, given)))


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


# Documents along a way: selections with what they have to send, and responses to them.


NAME_ONLY = "{ __typename }"


class Documents:
    """Writes documents for the released schema that the candidate takes as well, as far as one thing differs."""

    def __init__(self, ways: TypePaths) -> None:
        self._ways = ways

    def along(self, way: TypePath, selection: str, *, head: str = "") -> str:
        """The document that goes a way and selects there.

        Args:
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
            below: what is selected of it, "" for the least.
            given: arguments with their values as text.
            own: True to send only what the released schema demands, and nothing that only the candidate does.
            omit: the argument that is left out, whoever demands it.
        """
        declared = _step_field(self._ways.released, step)
        theirs = _step_field(self._ways.candidate, step)
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


def _step_field(schema: GraphQLSchema, step: Step) -> Any:
    return getattr(schema.type_map.get(step.owner), "fields", {}).get(step.field)


def response_along(schema: GraphQLSchema, way: TypePath, value: Mapping[str, Json]) -> Json:
    """The response that has `value` at the end of a way, wrapped in the lists that the schema has on it."""
    found: Json = dict(value)
    for step in reversed(way.steps):
        if not step.field:
            both = possible(schema, step.owner) & possible(schema, step.target)
            found = {"__typename": min(both, default=step.target), **(found if isinstance(found, dict) else {})}
            continue
        declared = _step_field(schema, step)
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


# Documents that give fields of two types one name: their values must have one shape, or the document is refused.
#
# Section "Field Selection Merging", SameResponseShape: fields under one name agree in lists, in null, and in their
# enum or scalar. So one of them can't change alone, however harmless the change is for itself.


MOST: Final = 4_000
"""Pairs of fields that are looked at for one row."""
NAME: Final = "value"
"""What fields of different names are called together."""


def same_shape(one: Any, other: Any) -> bool:
    """Whether values of two types may stand under one name of a response."""
    while isinstance(one, (GraphQLNonNull, GraphQLList)) or isinstance(other, (GraphQLNonNull, GraphQLList)):
        if type(one) is not type(other):
            return False
        one, other = one.of_type, other.of_type
    if is_leaf_type(one) or is_leaf_type(other):
        return bool(one.name == other.name)
    return True


@frozen
class Merges:
    """Finds the documents that merge a field with another one, and that a change of it alone makes invalid."""

    released: GraphQLSchema
    candidate: GraphQLSchema
    ways: TypePaths
    write: Documents

    def of(self, owner: str, field: str, *, renamed: bool) -> Iterator[GraphqlMessage]:
        """Documents that the released schema takes and the candidate refuses.

        Args:
            owner: the object type or interface of the field.
            field: the field, whose type changed.
            renamed: True for fields of other names too, which a document has to give one name.
        """
        old, new = _field(self.released, owner, field), _field(self.candidate, owner, field)
        if old is None or new is None:
            return
        pairs = ((around, each) for around in self._around(owner) for each in self._others(around, owner))
        for around, (other, its_field) in islice(pairs, MOST):
            alike = its_field == field
            if alike is not renamed and self._parts(owner, field, other, its_field):
                yield from self._message(around, (owner, field), (other, its_field), "" if alike else f"{NAME}: ")

    def _around(self, owner: str) -> Iterator[str]:
        """The interfaces and unions that are reached and may hold what has the field."""
        own = possible(self.released, owner)
        for name, kind in self.released.type_map.items():
            if is_abstract_type(kind) and own & possible(self.released, name):
                yield name

    def _others(self, around: str, owner: str) -> Iterator[tuple[str, str]]:
        for name in sorted(possible(self.released, around) - possible(self.released, owner)):
            for field in getattr(self.released.type_map[name], "fields", {}):
                yield name, field

    def _parts(self, owner: str, field: str, other: str, its_field: str) -> bool:
        """True when the two fields may stand under one name before, and may not after."""
        if field != its_field and not is_object_type(self.released.type_map[owner]):
            return False
        before = [_field(self.released, *each).type for each in ((owner, field), (other, its_field))]
        theirs = _field(self.candidate, other, its_field)
        after = None if theirs is None else (_field(self.candidate, owner, field).type, theirs.type)
        return after is not None and same_shape(*before) and not same_shape(*after)

    def _message(
        self, around: str, one: tuple[str, str], other: tuple[str, str], name: str
    ) -> Iterator[GraphqlMessage]:
        way = self.ways.to_type(around)
        if way is None:
            return
        try:
            parts = [
                f"... on {owner} {{ {name}{self.write.field(Step(owner, field, ''))} }}"
                for owner, field in (one, other)
            ]
        except ValueError:
            return
        alone = self.write.along(way, f"{{ {parts[1]} }}")
        yield GraphqlMessage(document=self.write.along(way, f"{{ {' '.join(parts)} }}"), around=alone)


# What a field's new type means: whether its values are among the old ones, and what documents can't select now.


_AMONG: Final = {"Int": ("Float",), "ID": ("String",), "String": ("ID",)}
"""By type those of the language whose values hold all of its own in a response (section Scalars, Result Coercion)."""


def among(released: GraphQLSchema, candidate: GraphQLSchema, old: Any, new: Any) -> bool:
    """True when every value that comes for the new type may come for the old one, lists and null left out.

    For objects also: every document that selects something of the old type may select it of the new one.
    """
    one, other = _bare(old), _bare(new)
    while isinstance(one, GraphQLList) and isinstance(other, GraphQLList):
        one, other = _bare(one.of_type), _bare(other.of_type)
    if isinstance(one, GraphQLList) or isinstance(other, GraphQLList):
        return False
    if is_composite_type(one) and is_composite_type(other):
        return not _lost(released, candidate, one, other)
    return _leaf_among(one, other)


def _bare(kind: Any) -> Any:
    return kind.of_type if isinstance(kind, GraphQLNonNull) else kind


def _leaf_among(old: Any, new: Any) -> bool:
    if isinstance(new, GraphQLEnumType):
        return old.name in ("String", "ID") or (isinstance(old, GraphQLEnumType) and set(new.values) <= set(old.values))
    return old.name in _AMONG.get(new.name, ())


def _lost(released: GraphQLSchema, candidate: GraphQLSchema, old: Any, new: Any) -> bool:
    """True when something of the old type is not there, or differs, or may come besides."""
    if not possible(candidate, new.name) <= possible(released, old.name):
        return True
    before, after = getattr(old, "fields", {}), getattr(new, "fields", {})
    if any(name not in after or _signature(before[name]) != _signature(after[name]) for name in before):
        return True
    return any(True for _ in fragments(released, candidate, old, new))


def _signature(field: Any) -> tuple[str, dict[str, str]]:
    return str(field.type), {name: str(one.type) for name, one in field.args.items()}


def fragments(released: GraphQLSchema, candidate: GraphQLSchema, old: Any, new: Any) -> Iterator[str]:
    """The types that a fragment may name within the old type, and not within the new one."""
    own, its = possible(released, old.name), possible(candidate, new.name)
    for name, kind in released.type_map.items():
        if is_composite_type(kind) and own & possible(released, name) and not its & possible(candidate, name):
            yield name


def gone_fields(old: Any, new: Any) -> Iterator[str]:
    """The fields of the old type that the new one has not."""
    kept = getattr(new, "fields", {})
    yield from (name for name in getattr(old, "fields", {}) if name not in kept)


MOST_PLACES: Final = 4
"""Places that are tried where a type stands in many."""


@frozen
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
        self.ways = TypePaths(released, candidate)
        self._write = Documents(self.ways)

    def _at(self, way: TypePath, selection: str, head: str = "", response: Json = None) -> GraphqlMessage:
        """A document that goes a way and selects there, beside one that only goes there."""
        document = self._write.along(way, f"{{ {selection} }}", head=head)
        return GraphqlMessage(document=document, response=response, around=self._write.along(way, NAME_ONLY))

    def messages(self, delta: Delta) -> Iterator[GraphqlMessage]:
        """Messages that may show the row, the simplest first."""
        spot = self._rooted(spot_of(delta))
        finder = self._finder(delta)
        if finder is not None:
            yield from finder(delta, spot)

    def _finder(self, delta: Delta) -> Callable[[Delta, Spot], Iterator[GraphqlMessage]] | None:
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

    def _way(self, spot: Spot) -> TypePath | None:
        return TypePath(spot.word) if spot.word else self.ways.to_type(spot.owner)

    def _step(self, spot: Spot, schema: GraphQLSchema | None = None) -> Step | None:
        declared = _field(schema or self.released, spot.owner, spot.field)
        return None if declared is None else Step(spot.owner, spot.field, get_named_type(declared.type).name)

    def _selected(self, delta: Delta, spot: Spot) -> Iterator[GraphqlMessage]:
        way, step = self._way(spot), self._step(spot)
        if way is not None and step is not None:
            yield self._at(way, self._write.field(step))

    def _completed(self, delta: Delta, spot: Spot) -> Iterator[GraphqlMessage]:
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

    def merged(self, spot: Spot, *, renamed: bool) -> Iterator[GraphqlMessage]:
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

    def _sent(self, delta: Delta, spot: Spot) -> Iterator[GraphqlMessage]:
        """For an argument or input field: given, as null, left out, as a variable of the released type."""
        if delta.facet == "default":
            yield from self._left_out(spot)
        for place in islice(self._places(spot), MOST_PLACES):
            yield from place

    def _places(self, spot: Spot) -> Iterator[Iterator[GraphqlMessage]]:
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

    def _by_directive(self, wanted: str, more: tuple[str, ...], text: str | None) -> Iterator[GraphqlMessage]:
        """Documents that send a text to a directive that takes values of a type, below some of its fields."""
        for own, name, inner in islice(self.ways.directives_of(wanted), MOST_PLACES):
            given = _nested(own.args[name].type, (*inner, *more), name)(text)
            yield from using(self.released, own, given)

    def _forms(
        self, way: TypePath, step: Step, put: Callable[[str | None], Mapping[str, str]], kind: Any
    ) -> Iterator[GraphqlMessage]:
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

    def _left_out(self, spot: Spot) -> Iterator[GraphqlMessage]:
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
            yield GraphqlMessage(document=document, reads=where, default=value)

    def _type(self, delta: Delta, spot: Spot) -> Iterator[GraphqlMessage]:
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
                yield GraphqlMessage(document=self._write.along(way, selection))
        for at, step, name, inner in islice(self.ways.inputs_of(spot.owner), MOST_PLACES):
            outer = _field(self.released, step.owner, step.field).args[name].type
            put = _nested(outer, inner, name)
            yield from self._forms(at, step, put, _inner_type(outer, inner))
        if delta.facet == "kind":
            for at, step in islice(self.ways.fields_of(spot.owner), MOST_PLACES):
                yield from self._completed(
                    delta, Spot(step.owner, step.field, "", at.operation if not at.steps else "")
                )

    def _several(self, spot: Spot) -> Iterator[GraphqlMessage]:
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

    def _enum_value(self, delta: Delta, spot: Spot) -> Iterator[GraphqlMessage]:
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

    def _member(self, delta: Delta, spot: Spot) -> Iterator[GraphqlMessage]:
        if delta.change is Change.ADDED:
            came = delta.aspect is Aspect.COMPOSITION
            yield from self._may_come(*((spot.owner, spot.name) if came else (spot.name, spot.owner)))
            return
        for around, inside in ((spot.owner, spot.name), (spot.name, spot.owner)):
            way = self.ways.to_type(around)
            if way is not None:
                yield self._at(way, f"... on {inside} {NAME_ONLY}")

    def _directive(self, delta: Delta, spot: Spot) -> Iterator[GraphqlMessage]:
        return directive_messages(self.released, delta, spot.owner, spot.name)

    def _may_come(self, promised: str, came: str) -> Iterator[GraphqlMessage]:
        """A response in which an object of a new type stands where an interface or union was promised."""
        way = self.ways.to_value(promised)
        names = [came] if came in possible(self.candidate, came) else sorted(possible(self.candidate, came))
        for name in names if way is not None else ():
            told = response_along(self.candidate, way, {"__typename": name})  # type: ignore[arg-type]
            yield GraphqlMessage(document=self._write.along(way, NAME_ONLY), response=told)  # type: ignore[arg-type]


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
