"""GraphQL: what clients send, what they receive, and how rules are shown."""

from __future__ import annotations

from typing import Final

from evreview.comparison import delta
from evreview.comparison.delta import Delta
from evreview.comparison.rules.rule import Example, FormChange, Match, Rule, Whole
from evreview.comparison.rules.variance import (
    Text,
    about_requests,
    about_responses,
    breaking,
    compatible,
    unknown,
)
from evreview.contract.model import ElementKind
from evreview.core.vocabulary import Aspect, Change, ClosedVocabulary, Direction, Role, Verdict

_SCHEMA: Final = Whole("GraphQL schema", "schema.graphql")

# How the rules are shown: small whole schemas, one edit each, and the same edit backwards.


_EDITION: Final = "GraphQL, September 2025, section"


def said(title: str, why: str, section: str) -> Text:
    """The words of a rule; `section` is the number and name in the standard."""
    return Text(title, why, f"{_EDITION} {section}")


def edit(released: str, candidate: str) -> Example:
    """An edit of a whole schema."""
    return Example(_SCHEMA, released, candidate)


def schema(*definitions: str) -> str:
    """A schema with these definitions."""
    return "\n".join(definitions)


def query(*fields: str) -> str:
    """The query type with these fields."""
    return _typed("type Query", fields)


def typed(name: str, *parts: str) -> str:
    """A type with these fields or values."""
    return _typed(name, parts)


def _typed(head: str, parts: tuple[str, ...]) -> str:
    return "\n".join([f"{head} {{", *(f"  {part}" for part in parts), "}"])


_INPUTS: Final = (ElementKind.ARGUMENT, ElementKind.FIELD)
_DIRECTIVE: Final = (ElementKind.DIRECTIVE,)
_COERCION: Final = "6.4.1 Coercing Field Arguments"
_ARGUMENTS: Final = "5.4 Validation, Arguments"
_USAGES: Final = "5.8.5 All Variable Usages Are Allowed"
_DIRECTIVES: Final = "5.7 Validation, Directives"


class _Facet(ClosedVocabulary):
    IN_SCHEMAS = "locations in schemas"


_ARGUMENTS_THERE: Final = "arguments in schemas"
_THING: Final = "thing(id: ID): String"


def _input(change: Change | None = None, facet: str = "", *shift: FormChange) -> Match:
    changes = () if change is None else (change,)
    return Match(elements=_INPUTS, facets=(facet,), changes=changes, direction=Direction.READ, shift=shift)


def _cached(rest: str) -> str:
    return schema(query("thing: String"), f"directive @cached{rest}")


_REQUIRED: Final = Match(
    elements=_INPUTS, facets=("",), changes=(Change.ADDED,), direction=Direction.READ, facts=((delta.REQUIRED, True),)
)

INPUTS: Final[tuple[Rule, ...]] = (
    breaking(
        "graphql-input-added-required",
        said(
            "A required argument or input field was added",
            "Every old document leaves it out, and is refused for that.",
            "5.4.3 Required Arguments; 5.6.4 Input Object Required Fields",
        ),
        _REQUIRED,
        edit(query("thing: String"), query("thing(id: ID!): String")),
        edit(query("thing: String"), query("thing(id: ID! = 1): String")),
    ),
    compatible(
        "graphql-input-added",
        said(
            "An optional argument or input field was added",
            "No old document names it, and none has to. What leaving it out means is the server's to keep: the "
            "contract promises nothing about it.",
            _ARGUMENTS,
        ),
        _input(Change.ADDED),
        edit(query("thing: String"), query(_THING)),
    ),
    breaking(
        "graphql-input-removed",
        said(
            "An argument or input field was removed",
            "An old document that names it is refused.",
            "5.4.1 Argument Names",
        ),
        _input(Change.REMOVED),
        edit(query(_THING), query("thing: String")),
    ),
    breaking(
        "graphql-input-type-changed",
        said(
            "The type of an argument or input field changed",
            "A variable of the released type can't stand there any more, even where a literal could.",
            _USAGES,
        ),
        _input(None, "type"),
        edit(query("thing(id: Int): String"), query("thing(id: [Int]): String")),
        edit(query("thing(id: Int): String"), query("thing(id: Int!): String")),
    ),
    breaking(
        "graphql-input-became-non-null",
        said(
            "An argument or input field, or its items, no longer take null",
            "An old document may send null there, or a variable that may be null; without a default it may also "
            "leave the value out. All three are refused.",
            "3.12.1 Non-Null, Input Coercion",
        ),
        _input(None, "non-null", FormChange.GREW),
        edit(query(_THING), query("thing(id: ID!): String")),
    ),
    compatible(
        "graphql-input-became-nullable",
        said(
            "An argument or input field, or its items, now take null",
            "Every value that old documents send stays allowed.",
            _USAGES,
        ),
        _input(None, "non-null", FormChange.SHRANK),
        edit(query("thing(id: ID!): String"), query(_THING)),
    ),
    breaking(
        "graphql-input-null-moved",
        said(
            "Null moved from one level of a list to another",
            "An old document may send null at the level that no longer takes it.",
            "3.12.1 Non-Null, Input Coercion",
        ),
        _input(None, "non-null", FormChange.REPLACED),
        edit(query("thing(ids: [ID]!): String"), query("thing(ids: [ID!]): String")),
        edit(query("thing(ids: [ID]!): String"), query("thing(ids: [ID!]!): String")),
    ),
    unknown(
        "graphql-default-added",
        said(
            "A default was added to an argument or input field",
            "The released contract does not say what leaving the value out meant, so nothing tells whether an old "
            "document that does so keeps its meaning.",
            _COERCION,
        ),
        _input(None, "default", FormChange.SET),
        edit(query("thing(limit: Int): String"), query("thing(limit: Int = 10): String")),
    ),
    breaking(
        "graphql-default-removed",
        said(
            "A default of an argument or input field was removed",
            "The released contract said what leaving the value out means; an old document that does so loses that "
            "promise, and is refused where the type takes no null.",
            _COERCION,
        ),
        _input(None, "default", FormChange.UNSET),
        edit(query("thing(limit: Int = 10): String"), query("thing(limit: Int): String")),
    ),
    breaking(
        "graphql-default-changed",
        said(
            "A default of an argument or input field changed",
            "An old document that leaves the value out means the released default. The candidate reads another value "
            "there, so it no longer takes that document as what it was, even though it refuses none.",
            _COERCION,
        ),
        _input(None, "default"),
        edit(query("thing(limit: Int = 10): String"), query("thing(limit: Int = 50): String")),
        edit(query("thing(limit: Int = 10): String"), query("thing(limit: Int): String")),
    ),
    breaking(
        "graphql-one-of-demanded",
        said(
            "An input object now takes exactly one of its fields",
            "An old document may give several fields, or none.",
            "3.10.1 OneOf Input Objects",
        ),
        Match(facets=("oneOf",), direction=Direction.READ, shift=(FormChange.SET,)),
        edit(
            schema(query("thing(by: By): String"), typed("input By", "id: ID", "name: String")),
            schema(query("thing(by: By): String"), typed("input By @oneOf", "id: ID", "name: String")),
        ),
    ),
    compatible(
        "graphql-one-of-dropped",
        said(
            "An input object may now have several of its fields, or none",
            "Every old document gives exactly one, which stays allowed.",
            "3.10.1 OneOf Input Objects",
        ),
        Match(facets=("oneOf",), direction=Direction.READ, shift=(FormChange.UNSET,)),
        edit(
            schema(query("thing(by: By): String"), typed("input By @oneOf", "id: ID", "name: String")),
            schema(query("thing(by: By): String"), typed("input By", "id: ID", "name: String")),
        ),
    ),
)

DIRECTIVES: Final[tuple[Rule, ...]] = (
    about_requests(
        "graphql-directive-location-added",
        Verdict.COMPATIBLE,
        said(
            "A directive may stand in more places of a document",
            "No old document has it there.",
            "5.7.2 Directives Are in Valid Locations",
        ),
        Match(elements=_DIRECTIVE, facets=("locations",), shift=(FormChange.GREW,)),
        edit(_cached(" on FIELD"), _cached(" on FIELD | QUERY")),
    ),
    about_requests(
        "graphql-schema-directive-changed",
        Verdict.COMPATIBLE,
        said(
            "A directive changed where only schemas use it",
            "No document of a client can name it there. Schemas that apply it, federated parts among them, have to "
            "fit its new form.",
            _DIRECTIVES,
        ),
        Match(
            elements=_DIRECTIVE,
            facets=("", "locations", _Facet.IN_SCHEMAS, "repeatable", _ARGUMENTS_THERE),
            when=lambda delta: delta.role is Role.DOCUMENT or delta.facet == _Facet.IN_SCHEMAS,
        ),
        edit(query("thing: String"), _cached(" on OBJECT")),
        edit(query("thing: String"), _cached(" on FIELD")),
    ),
    breaking(
        "graphql-directive-removed",
        said("A directive was removed", "An old document that uses it is refused.", "5.7.1 Directives Are Defined"),
        Match(elements=_DIRECTIVE, facets=("",), changes=(Change.REMOVED,), direction=Direction.READ),
        edit(_cached(" on FIELD"), query("thing: String")),
    ),
    compatible(
        "graphql-directive-added",
        said("A directive was added", "No old document uses it.", _DIRECTIVES),
        Match(elements=_DIRECTIVE, facets=("",), changes=(Change.ADDED,), direction=Direction.READ),
        edit(query("thing: String"), _cached(" on FIELD")),
    ),
    about_requests(
        "graphql-directive-location-removed",
        Verdict.BREAKING,
        said(
            "A directive may no longer stand in some place of a document",
            "An old document that has it there is refused.",
            "5.7.2 Directives Are in Valid Locations",
        ),
        Match(elements=_DIRECTIVE, facets=("locations",)),
        edit(_cached(" on FIELD | QUERY"), _cached(" on FIELD")),
    ),
    breaking(
        "graphql-directive-repeatable-removed",
        said(
            "A directive may no longer be repeated",
            "An old document that repeats it in one place is refused.",
            "5.7.3 Directives Are Unique per Location",
        ),
        Match(elements=_DIRECTIVE, facets=("repeatable",), candidate=(False,), direction=Direction.READ),
        edit(_cached(" repeatable on FIELD"), _cached(" on FIELD")),
    ),
    compatible(
        "graphql-directive-repeatable-added",
        said(
            "A directive may now be repeated", "No old document repeats it.", "5.7.3 Directives Are Unique per Location"
        ),
        Match(elements=_DIRECTIVE, facets=("repeatable",), candidate=(True,), direction=Direction.READ),
        edit(_cached(" on FIELD"), _cached(" repeatable on FIELD")),
    ),
)


# GraphQL: operations, fields, named types, and what clients receive.

_FIELDS: Final = "5.3.1 Field Selections"
_FRAGMENTS: Final = "5.5.2.3 Fragment Spread Is Possible"
_RESULTS: Final = "6.4.3 Value Completion"
_NULL: Final = "3.12.1 Non-Null, Result Coercion"
_ENUMS: Final = "3.9 Enums"
_OUTPUTS: Final = (ElementKind.FIELD, ElementKind.RESPONSE)
_THING_FIELD: Final = query("thing: Thing")
_TWO: Final = query("a: String", "b: String")
_NODE: Final = typed("interface Node", "id: ID")
_PART: Final = typed("type Part implements Node", "id: ID")
_BARE_PART: Final = typed("type Part", "id: ID")
_NODES: Final = query("node: Node", "part: Part")
_SEARCH: Final = query("search: Found", "part: Part")
_ITEM: Final = typed("type Item", "id: ID")


def _whole(element: ElementKind, change: Change, *roles: Role, aspect: Aspect | None = None) -> Match:
    aspects = () if aspect is None else (aspect,)
    return Match(elements=(element,), facets=("",), changes=(change,), roles=roles, aspects=aspects)


def _written(facet: str, *shift: FormChange) -> Match:
    return Match(elements=_OUTPUTS, facets=(facet,), direction=Direction.WRITTEN, shift=shift)


def _is_read(delta: Delta) -> bool:
    return delta.direction is not Direction.WRITTEN


def _is_written(delta: Delta) -> bool:
    return delta.direction is not Direction.READ


def _value(change: Change, *, read: bool) -> Match:
    when = _is_read if read else _is_written
    return Match(elements=(ElementKind.ENUM_VALUE,), facets=("",), changes=(change,), when=when)


_STATUS_IN: Final = query("thing(status: Status): String")
_STATUS_OUT: Final = query("status: Status")
_TIMED: Final = 'scalar Thing @specifiedBy(url: "https://example.test/thing")'
_AUTH: Final = "directive @auth on FIELD_DEFINITION"
_NEW: Final = typed("enum Status", "NEW")
_NEW_PAID: Final = typed("enum Status", "NEW", "PAID")

_OPERATIONS: Final[tuple[Rule, ...]] = (
    breaking(
        "graphql-operation-removed",
        said(
            "A field of the query, mutation or subscription type was removed",
            "Every old document that selects it is refused, as a whole.",
            _FIELDS,
        ),
        Match(elements=(ElementKind.OPERATION,), facets=("",), changes=(Change.REMOVED,), direction=Direction.READ),
        edit(_TWO, query("a: String")),
    ),
    compatible(
        "graphql-operation-added",
        said("A field of the query, mutation or subscription type was added", "No old document selects it.", _FIELDS),
        Match(elements=(ElementKind.OPERATION,), facets=("",), changes=(Change.ADDED,), direction=Direction.READ),
        edit(query("a: String"), _TWO),
    ),
    about_requests(
        "graphql-field-removed",
        Verdict.BREAKING,
        said("A field was removed", "An old document that selects it is refused, as a whole.", _FIELDS),
        _whole(ElementKind.FIELD, Change.REMOVED, Role.RESPONSE),
        edit(
            schema(_THING_FIELD, typed("type Thing", "a: Int", "b: Int")),
            schema(_THING_FIELD, typed("type Thing", "a: Int")),
        ),
    ),
    about_requests(
        "graphql-field-added",
        Verdict.COMPATIBLE,
        said("A field was added", "A response has only what the document selects; no old one selects it.", _FIELDS),
        _whole(ElementKind.FIELD, Change.ADDED, Role.RESPONSE),
        edit(
            schema(_THING_FIELD, typed("type Thing", "a: Int")),
            schema(_THING_FIELD, typed("type Thing", "a: Int", "b: Int")),
        ),
    ),
)

_VALUES: Final[tuple[Rule, ...]] = (
    breaking(
        "graphql-output-type-changed",
        said(
            "The type of a field changed",
            "An old client may receive a value that the released type excludes, or its document selects what the new "
            "type does not have.",
            _RESULTS,
        ),
        Match(elements=_OUTPUTS, facets=("type",), roles=(Role.RESPONSE,)),
        edit(query("thing: Int"), query("thing: String")),
        edit(query("thing: Int"), query("thing: Int!")),
    ),
    breaking(
        "graphql-output-became-nullable",
        said(
            "A field, or the items in it, may now be null",
            "The released schema promised a value; an old client may receive null.",
            _NULL,
        ),
        _written("non-null", FormChange.SHRANK),
        edit(query("thing: Int!"), query("thing: Int")),
    ),
    compatible(
        "graphql-output-became-non-null",
        said(
            "A field, or the items in it, are never null now", "Old clients only receive less than they allow.", _NULL
        ),
        _written("non-null", FormChange.GREW),
        edit(query("thing: Int"), query("thing: Int!")),
    ),
    breaking(
        "graphql-output-null-moved",
        said(
            "Null moved from one level of a list to another",
            "An old client may receive null at the level that had none.",
            _NULL,
        ),
        _written("non-null", FormChange.REPLACED),
        edit(query("things: [Int]!"), query("things: [Int!]")),
        edit(query("things: [Int]!"), query("things: [Int!]!")),
    ),
    about_requests(
        "graphql-enum-value-removed",
        Verdict.BREAKING,
        said("A value of an enum that clients send was removed", "An old document may send it.", _ENUMS),
        _value(Change.REMOVED, read=True),
        edit(schema(_STATUS_IN, _NEW_PAID), schema(_STATUS_IN, _NEW)),
    ),
    about_responses(
        "graphql-output-enum-value-removed",
        Verdict.COMPATIBLE,
        said(
            "A value of an enum that only responses hold was removed",
            "Old clients still receive only values that they know, and no document can name it.",
            _ENUMS,
        ),
        _value(Change.REMOVED, read=False),
        edit(schema(_STATUS_OUT, _NEW_PAID), schema(_STATUS_OUT, _NEW)),
    ),
    about_responses(
        "graphql-enum-value-added",
        Verdict.BREAKING,
        said(
            "A value was added to an enum that responses hold",
            "No document is refused, yet an old client may receive a value that the released schema excludes.",
            _ENUMS,
        ),
        _value(Change.ADDED, read=False),
        edit(schema(_STATUS_OUT, _NEW), schema(_STATUS_OUT, _NEW_PAID)),
    ),
    about_requests(
        "graphql-input-enum-value-added",
        Verdict.COMPATIBLE,
        said("A value was added to an enum that clients only send", "No old document sends it.", _ENUMS),
        _value(Change.ADDED, read=True),
        edit(schema(_STATUS_IN, _NEW), schema(_STATUS_IN, _NEW_PAID)),
    ),
)

_TYPES: Final[tuple[Rule, ...]] = (
    about_requests(
        "graphql-type-removed",
        Verdict.BREAKING,
        said(
            "A type was removed",
            "An old document may name it, in a fragment or for a variable.",
            "5.5.1.2 Fragment Spread Type Existence",
        ),
        _whole(ElementKind.TYPE, Change.REMOVED),
        edit(schema(query("node: Node"), _NODE, _PART), schema(query("node: Node"), _NODE)),
    ),
    about_requests(
        "graphql-type-added",
        Verdict.COMPATIBLE,
        said("A type was added", "No old document names it.", "3.4 Types"),
        _whole(ElementKind.TYPE, Change.ADDED),
        edit(query("a: String"), schema(query("a: String"), _ITEM)),
    ),
    breaking(
        "graphql-type-kind-changed",
        said(
            "A type became one of another kind",
            "What documents may select of it, or what comes for it, is no longer what it was.",
            "3.4 Types",
        ),
        Match(elements=(ElementKind.TYPE,), facets=("kind",)),
        edit(
            schema(_THING_FIELD, typed("interface Thing", "id: ID")),
            schema(_THING_FIELD, typed("type Thing", "id: ID")),
        ),
        edit(schema(_THING_FIELD, "scalar Thing"), schema(_THING_FIELD, _TIMED)),
    ),
    about_requests(
        "graphql-union-member-removed",
        Verdict.BREAKING,
        said(
            "A type was removed from a union",
            "An old document with a fragment on that type is refused, as a whole.",
            _FRAGMENTS,
        ),
        _whole(ElementKind.MEMBER, Change.REMOVED, aspect=Aspect.COMPOSITION),
        edit(
            schema(_SEARCH, _BARE_PART, _ITEM, "union Found = Part | Item"),
            schema(_SEARCH, _BARE_PART, _ITEM, "union Found = Item"),
        ),
    ),
    about_responses(
        "graphql-union-member-added",
        Verdict.BREAKING,
        said(
            "A type was added to a union",
            "No document is refused, yet an old client may receive an object of a type that it does not expect.",
            "3.8 Unions",
        ),
        _whole(ElementKind.MEMBER, Change.ADDED, aspect=Aspect.COMPOSITION),
        edit(
            schema(_SEARCH, _BARE_PART, _ITEM, "union Found = Item"),
            schema(_SEARCH, _BARE_PART, _ITEM, "union Found = Part | Item"),
        ),
    ),
    about_requests(
        "graphql-interface-removed",
        Verdict.BREAKING,
        said(
            "A type no longer implements an interface",
            "An old document with a fragment from one to the other is refused, as a whole.",
            _FRAGMENTS,
        ),
        _whole(ElementKind.MEMBER, Change.REMOVED, aspect=Aspect.INHERITANCE),
        edit(schema(_NODES, _NODE, _PART), schema(_NODES, _NODE, _BARE_PART)),
    ),
    about_responses(
        "graphql-interface-added",
        Verdict.BREAKING,
        said(
            "A type now implements an interface",
            "Where the interface is promised, an old client may receive an object of a type that it does not "
            "expect there.",
            "3.7 Interfaces",
        ),
        _whole(ElementKind.MEMBER, Change.ADDED, aspect=Aspect.INHERITANCE),
        edit(schema(_NODES, _NODE, _BARE_PART), schema(_NODES, _NODE, _PART)),
    ),
    unknown(
        "graphql-scalar-specification-changed",
        said(
            "A scalar names another specification of its values",
            "The address tells nobody which values it admits, and nothing is fetched.",
            "3.5 Scalars, `@specifiedBy`",
        ),
        Match(facets=("specifiedBy",)),
        edit(schema(_THING_FIELD, "scalar Thing"), schema(_THING_FIELD, _TIMED)),
        edit(schema(query("at: String"), "scalar Thing"), schema(_THING_FIELD, "scalar Thing")),
    ),
)

_MARKS: Final[tuple[Rule, ...]] = (
    compatible(
        "graphql-deprecated",
        said("Something was marked deprecated", "It is announced, and works as before.", "3.13.3 `@deprecated`"),
        Match(facets=("deprecated",), shift=(FormChange.SET,)),
        edit(_TWO, query("a: String", "b: String @deprecated")),
    ),
    compatible(
        "graphql-deprecation-taken-back",
        said("Something is no longer marked deprecated", "It works as before.", "3.13.3 `@deprecated`"),
        Match(facets=("deprecated",), shift=(FormChange.UNSET,)),
        edit(query("a: String", "b: String @deprecated"), _TWO),
    ),
    unknown(
        "graphql-applied-directives-changed",
        said(
            "Other directives stand on a definition",
            "Clients never see them, and only the server knows what they make it do: refuse callers, take another "
            "time, or nothing.",
            "3.13 Type System, Directives",
        ),
        Match(facets=("directives",)),
        edit(schema(query("a: String"), _AUTH), schema(query("a: String @auth"), _AUTH)),
        edit(schema(query("a: String"), _AUTH), schema(query("a: String @deprecated"), _AUTH)),
    ),
)

RULES: Final[tuple[Rule, ...]] = (*_OPERATIONS, *_VALUES, *INPUTS, *_TYPES, *DIRECTIVES, *_MARKS)
