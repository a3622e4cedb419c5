"""GraphQL: operations, fields, named types, and what clients receive. What they send is in `graphql_inputs`.

Differs that call a change "dangerous" mean: no document is refused, and yet an old client may see something new. Here
the row says what it sees: a value that the released schema excludes breaks, an argument that it may ignore does not.
"""

from __future__ import annotations

from typing import Final

from evreview.comparison.delta import Delta
from evreview.comparison.rules.rule import FormChange, Match, Rule
from evreview.comparison.rules.variance import about_requests, about_responses, stated
from evreview.contract.model import ElementKind
from evreview.core.vocabulary import Aspect, Change, Direction, Role, Verdict
from evreview.kinds.graphql.rules_inputs import DIRECTIVES, INPUTS, edit, query, said, schema, typed

_FIELDS: Final = "5.3.1 Field Selections"
_FRAGMENTS: Final = "5.5.2.3 Fragment Spread Is Possible"
_RESULTS: Final = "6.4.3 Value Completion"
_NULL: Final = "3.12.1 Non-Null, Result Coercion"
_ENUMS: Final = "3.9 Enums"
_OUTPUTS: Final = (ElementKind.FIELD, ElementKind.RESPONSE)
_THING: Final = query("thing: Thing")
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
    stated(
        "graphql-operation-removed",
        Verdict.BREAKING,
        said(
            "A field of the query, mutation or subscription type was removed",
            "Every old document that selects it is refused, as a whole.",
            _FIELDS,
        ),
        Match(elements=(ElementKind.OPERATION,), facets=("",), changes=(Change.REMOVED,), direction=Direction.READ),
        edit(_TWO, query("a: String")),
    ),
    stated(
        "graphql-operation-added",
        Verdict.COMPATIBLE,
        said("A field of the query, mutation or subscription type was added", "No old document selects it.", _FIELDS),
        Match(elements=(ElementKind.OPERATION,), facets=("",), changes=(Change.ADDED,), direction=Direction.READ),
        edit(query("a: String"), _TWO),
    ),
    about_requests(
        "graphql-field-removed",
        Verdict.BREAKING,
        said("A field was removed", "An old document that selects it is refused, as a whole.", _FIELDS),
        _whole(ElementKind.FIELD, Change.REMOVED, Role.RESPONSE),
        edit(schema(_THING, typed("type Thing", "a: Int", "b: Int")), schema(_THING, typed("type Thing", "a: Int"))),
    ),
    about_requests(
        "graphql-field-added",
        Verdict.COMPATIBLE,
        said("A field was added", "A response has only what the document selects; no old one selects it.", _FIELDS),
        _whole(ElementKind.FIELD, Change.ADDED, Role.RESPONSE),
        edit(schema(_THING, typed("type Thing", "a: Int")), schema(_THING, typed("type Thing", "a: Int", "b: Int"))),
    ),
)

_VALUES: Final[tuple[Rule, ...]] = (
    stated(
        "graphql-output-type-changed",
        Verdict.BREAKING,
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
    stated(
        "graphql-output-became-nullable",
        Verdict.BREAKING,
        said(
            "A field, or the items in it, may now be null",
            "The released schema promised a value; an old client may receive null.",
            _NULL,
        ),
        _written("non-null", FormChange.SHRANK),
        edit(query("thing: Int!"), query("thing: Int")),
    ),
    stated(
        "graphql-output-became-non-null",
        Verdict.COMPATIBLE,
        said(
            "A field, or the items in it, are never null now", "Old clients only receive less than they allow.", _NULL
        ),
        _written("non-null", FormChange.GREW),
        edit(query("thing: Int"), query("thing: Int!")),
    ),
    stated(
        "graphql-output-null-moved",
        Verdict.BREAKING,
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
    stated(
        "graphql-type-kind-changed",
        Verdict.BREAKING,
        said(
            "A type became one of another kind",
            "What documents may select of it, or what comes for it, is no longer what it was.",
            "3.4 Types",
        ),
        Match(elements=(ElementKind.TYPE,), facets=("kind",)),
        edit(schema(_THING, typed("interface Thing", "id: ID")), schema(_THING, typed("type Thing", "id: ID"))),
        edit(schema(_THING, "scalar Thing"), schema(_THING, _TIMED)),
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
    stated(
        "graphql-scalar-specification-changed",
        Verdict.UNKNOWN,
        said(
            "A scalar names another specification of its values",
            "The address tells nobody which values it admits, and nothing is fetched.",
            "3.5 Scalars, `@specifiedBy`",
        ),
        Match(facets=("specifiedBy",)),
        edit(schema(_THING, "scalar Thing"), schema(_THING, _TIMED)),
        edit(schema(query("at: String"), "scalar Thing"), schema(_THING, "scalar Thing")),
    ),
)

_MARKS: Final[tuple[Rule, ...]] = (
    stated(
        "graphql-deprecated",
        Verdict.COMPATIBLE,
        said("Something was marked deprecated", "It is announced, and works as before.", "3.13.3 `@deprecated`"),
        Match(facets=("deprecated",), shift=(FormChange.SET,)),
        edit(_TWO, query("a: String", "b: String @deprecated")),
    ),
    stated(
        "graphql-deprecation-taken-back",
        Verdict.COMPATIBLE,
        said("Something is no longer marked deprecated", "It works as before.", "3.13.3 `@deprecated`"),
        Match(facets=("deprecated",), shift=(FormChange.UNSET,)),
        edit(query("a: String", "b: String @deprecated"), _TWO),
    ),
    stated(
        "graphql-applied-directives-changed",
        Verdict.UNKNOWN,
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
