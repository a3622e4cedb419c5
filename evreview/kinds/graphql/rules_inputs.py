"""GraphQL: what clients send. Arguments, input fields, defaults, directives in documents; and how rules are shown."""

from __future__ import annotations

from typing import Final

from evreview.comparison import delta
from evreview.comparison.delta import Delta
from evreview.comparison.rules.rule import Example, FormChange, Match, Rule, Whole
from evreview.comparison.rules.variance import Text, about_requests, stated
from evreview.contract.model import ElementKind
from evreview.core.vocabulary import Change, ClosedVocabulary, Direction, Role, Verdict

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


def _only_in_schemas(delta: Delta) -> bool:
    return delta.role is Role.DOCUMENT or delta.facet == _Facet.IN_SCHEMAS


def _cached(rest: str) -> str:
    return schema(query("thing: String"), f"directive @cached{rest}")


_REQUIRED: Final = Match(
    elements=_INPUTS, facets=("",), changes=(Change.ADDED,), direction=Direction.READ, facts=((delta.REQUIRED, True),)
)

INPUTS: Final[tuple[Rule, ...]] = (
    stated(
        "graphql-input-added-required",
        Verdict.BREAKING,
        said(
            "A required argument or input field was added",
            "Every old document leaves it out, and is refused for that.",
            "5.4.3 Required Arguments; 5.6.4 Input Object Required Fields",
        ),
        _REQUIRED,
        edit(query("thing: String"), query("thing(id: ID!): String")),
        edit(query("thing: String"), query("thing(id: ID! = 1): String")),
    ),
    stated(
        "graphql-input-added",
        Verdict.COMPATIBLE,
        said(
            "An optional argument or input field was added",
            "No old document names it, and none has to. What leaving it out means is the server's to keep: the "
            "contract promises nothing about it.",
            _ARGUMENTS,
        ),
        _input(Change.ADDED),
        edit(query("thing: String"), query(_THING)),
    ),
    stated(
        "graphql-input-removed",
        Verdict.BREAKING,
        said(
            "An argument or input field was removed",
            "An old document that names it is refused.",
            "5.4.1 Argument Names",
        ),
        _input(Change.REMOVED),
        edit(query(_THING), query("thing: String")),
    ),
    stated(
        "graphql-input-type-changed",
        Verdict.BREAKING,
        said(
            "The type of an argument or input field changed",
            "A variable of the released type can't stand there any more, even where a literal could.",
            _USAGES,
        ),
        _input(None, "type"),
        edit(query("thing(id: Int): String"), query("thing(id: [Int]): String")),
        edit(query("thing(id: Int): String"), query("thing(id: Int!): String")),
    ),
    stated(
        "graphql-input-became-non-null",
        Verdict.BREAKING,
        said(
            "An argument or input field, or its items, no longer take null",
            "An old document may send null there, or a variable that may be null; without a default it may also "
            "leave the value out. All three are refused.",
            "3.12.1 Non-Null, Input Coercion",
        ),
        _input(None, "non-null", FormChange.GREW),
        edit(query(_THING), query("thing(id: ID!): String")),
    ),
    stated(
        "graphql-input-became-nullable",
        Verdict.COMPATIBLE,
        said(
            "An argument or input field, or its items, now take null",
            "Every value that old documents send stays allowed.",
            _USAGES,
        ),
        _input(None, "non-null", FormChange.SHRANK),
        edit(query("thing(id: ID!): String"), query(_THING)),
    ),
    stated(
        "graphql-input-null-moved",
        Verdict.BREAKING,
        said(
            "Null moved from one level of a list to another",
            "An old document may send null at the level that no longer takes it.",
            "3.12.1 Non-Null, Input Coercion",
        ),
        _input(None, "non-null", FormChange.REPLACED),
        edit(query("thing(ids: [ID]!): String"), query("thing(ids: [ID!]): String")),
        edit(query("thing(ids: [ID]!): String"), query("thing(ids: [ID!]!): String")),
    ),
    stated(
        "graphql-default-added",
        Verdict.UNKNOWN,
        said(
            "A default was added to an argument or input field",
            "The released contract does not say what leaving the value out meant, so nothing tells whether an old "
            "document that does so keeps its meaning.",
            _COERCION,
        ),
        _input(None, "default", FormChange.SET),
        edit(query("thing(limit: Int): String"), query("thing(limit: Int = 10): String")),
    ),
    stated(
        "graphql-default-removed",
        Verdict.BREAKING,
        said(
            "A default of an argument or input field was removed",
            "The released contract said what leaving the value out means; an old document that does so loses that "
            "promise, and is refused where the type takes no null.",
            _COERCION,
        ),
        _input(None, "default", FormChange.UNSET),
        edit(query("thing(limit: Int = 10): String"), query("thing(limit: Int): String")),
    ),
    stated(
        "graphql-default-changed",
        Verdict.BREAKING,
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
    stated(
        "graphql-one-of-demanded",
        Verdict.BREAKING,
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
    stated(
        "graphql-one-of-dropped",
        Verdict.COMPATIBLE,
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
            when=_only_in_schemas,
        ),
        edit(query("thing: String"), _cached(" on OBJECT")),
        edit(query("thing: String"), _cached(" on FIELD")),
    ),
    stated(
        "graphql-directive-removed",
        Verdict.BREAKING,
        said("A directive was removed", "An old document that uses it is refused.", "5.7.1 Directives Are Defined"),
        Match(elements=_DIRECTIVE, facets=("",), changes=(Change.REMOVED,), direction=Direction.READ),
        edit(_cached(" on FIELD"), query("thing: String")),
    ),
    stated(
        "graphql-directive-added",
        Verdict.COMPATIBLE,
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
    stated(
        "graphql-directive-repeatable-removed",
        Verdict.BREAKING,
        said(
            "A directive may no longer be repeated",
            "An old document that repeats it in one place is refused.",
            "5.7.3 Directives Are Unique per Location",
        ),
        Match(elements=_DIRECTIVE, facets=("repeatable",), candidate=(False,), direction=Direction.READ),
        edit(_cached(" repeatable on FIELD"), _cached(" on FIELD")),
    ),
    stated(
        "graphql-directive-repeatable-added",
        Verdict.COMPATIBLE,
        said(
            "A directive may now be repeated", "No old document repeats it.", "5.7.3 Directives Are Unique per Location"
        ),
        Match(elements=_DIRECTIVE, facets=("repeatable",), candidate=(True,), direction=Direction.READ),
        edit(_cached(" on FIELD"), _cached(" repeatable on FIELD")),
    ),
)
