"""Avro: records and their fields, unions, enums, fixed, names, logical types, and the messages of protocols.

`accepts_old_requests` says whether the candidate reads what was written with the released schema (BACKWARD),
`emits_old_compatible` whether the released schema reads what the candidate writes (FORWARD).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final, NamedTuple

from evreview.comparison import delta
from evreview.comparison.delta import Delta
from evreview.comparison.rules.rule import Example, Match, Rule, Whole
from evreview.comparison.rules.variance import Text, stated
from evreview.contract.model import ElementKind
from evreview.core.vocabulary import Change, Form, Json, Role, Tristate, Verdict
from evreview.kinds.avro.parser import CHECKED, Logical, is_known
from evreview.kinds.avro.resolution import PROMOTED

_SCHEMA: Final = Whole("Avro schema", "event.avsc")

# What the families share: their answers in both directions, and how their examples are written.


SPEC: Final = "Avro 1.12 specification"
RESOLUTION: Final = f"{SPEC}, Schema Resolution"


class Wording(NamedTuple):
    """What a rule says: id after `avro-`, title, why, the section that decides."""

    id: str
    title: str
    why: str
    reference: str = RESOLUTION


class ResolutionAnswers(NamedTuple):
    """Whether the candidate reads older data, and whether the released schema reads newer data."""

    back: Tristate
    forth: Tristate

    def rule(self, told: Wording, match: Match, *examples: Example) -> Rule:
        """The rule that answers so; it breaks when one answer is no, and is unknown when one is."""
        verdict = Verdict.COMPATIBLE
        if Tristate.UNKNOWN in self:
            verdict = Verdict.UNKNOWN
        if Tristate.NO in self:
            verdict = Verdict.BREAKING
        text = Text(told.title, told.why, told.reference)
        made = stated(f"avro-{told.id}", verdict, text, match, *examples)
        return replace(made, accepts_old_requests=self.back, emits_old_compatible=self.forth)


YES: Final = ResolutionAnswers(Tristate.YES, Tristate.YES)
NO: Final = ResolutionAnswers(Tristate.NO, Tristate.NO)
BACKWARD: Final = ResolutionAnswers(Tristate.YES, Tristate.NO)
FORWARD: Final = ResolutionAnswers(Tristate.NO, Tristate.YES)
OPEN: Final = ResolutionAnswers(Tristate.UNKNOWN, Tristate.UNKNOWN)
READ: Final = ResolutionAnswers(Tristate.NO, Tristate.NOT_APPLICABLE)
TAKEN: Final = ResolutionAnswers(Tristate.YES, Tristate.NOT_APPLICABLE)
WRITTEN: Final = ResolutionAnswers(Tristate.NOT_APPLICABLE, Tristate.NO)


def record(**fields: Json) -> Json:
    """A record whose fields are given as their type, or as an object with `type`."""
    made = [
        {"name": name, **(said if isinstance(said, dict) and "name" not in said else {"type": said})}
        for name, said in fields.items()
    ]
    return {"type": "record", "name": "Order", "fields": [{"name": "id", "type": "string"}, *made]}


def one(said: Json) -> Json:
    """A record whose field `total` is as said."""
    return record(total=said)


def shown(released: Json, candidate: Json) -> Example:
    """One edit of a whole schema."""
    return Example(_SCHEMA, released, candidate)


_FIELD: Final = (ElementKind.FIELD,)
_TYPE: Final = (ElementKind.TYPE,)
_USES: Final = (ElementKind.FIELD, ElementKind.OPERATION)


def _types(form: Form) -> list[Form]:
    return list(form) if isinstance(form, (list, tuple)) else [form]


def _added_branches(delta: Delta) -> bool:
    old, new = _types(delta.released), _types(delta.candidate)
    return all(one in new for one in old) and len(new) > len(old)


def _removed_branches(delta: Delta) -> bool:
    old, new = _types(delta.released), _types(delta.candidate)
    return all(one in old for one in new) and len(new) < len(old)


def _reordered(delta: Delta) -> bool:
    old, new = _types(delta.released), _types(delta.candidate)
    return len(old) == len(new) and all(one in new for one in old)


def _promoted(delta: Delta) -> bool:
    return str(delta.candidate) in PROMOTED.get(str(delta.released), ())


def _narrowed(delta: Delta) -> bool:
    return str(delta.released) in PROMOTED.get(str(delta.candidate), ())


def _logical(delta: Delta) -> bool:
    return delta.facet.partition(" of ")[0] == "logicalType"


def _name(form: Form) -> str:
    return str(form.get("logicalType") if isinstance(form, Mapping) else form)


def _replaced(delta: Delta) -> bool:
    """True for a logical type where both sides have one that the specification knows."""
    known = all(is_known(Logical(_name(form))) for form in (delta.released, delta.candidate))
    return _logical(delta) and delta.change is Change.CHANGED and known


def _checked(delta: Delta) -> bool:
    """True for a logical type that some values of its type are not of; every fixed of its size is a UUID."""
    named = any(_name(form) in CHECKED for form in (delta.released, delta.candidate))
    return _logical(delta) and delta.element is not ElementKind.TYPE and named


def _decimals(delta: Delta) -> bool:
    """True for two logical types of one name with attributes: decimals alone have any."""
    sides = [form for form in (delta.released, delta.candidate) if isinstance(form, Mapping)]
    return _logical(delta) and len(sides) == 2 and sides[0].get("logicalType") == sides[1].get("logicalType")


_INT: Final = one("int")
_STRING: Final = one("string")
_DEFAULTED: Final = one({"type": "int", "default": 0})
_NULLABLE: Final = one(["null", "int"])
_ENUM: Final[Json] = {"type": "enum", "name": "State", "symbols": ["OPEN", "PAID"]}
_MORE: Final[Json] = {"type": "enum", "name": "State", "symbols": ["OPEN", "PAID", "SENT"]}
_FALLING: Final[Json] = {"type": "enum", "name": "State", "symbols": ["OPEN", "PAID"], "default": "OPEN"}
_KEY: Final[Json] = {"type": "fixed", "name": "Key", "size": 8}
_MARKED: Final = one({"type": {"type": "fixed", "name": "Mark", "size": 8, "aliases": ["Key"]}})
_SPACED: Final = one({"type": {"type": "fixed", "name": "Key", "size": 8, "namespace": "shop"}})
_LONGER: Final[Json] = {"type": "fixed", "name": "Key", "size": 16}
_MILLIS: Final = one({"type": {"type": "long", "logicalType": "timestamp-millis"}})
_MICROS: Final = one({"type": {"type": "long", "logicalType": "timestamp-micros"}})
_LONG: Final = one("long")
_IDENTIFIER: Final = one({"type": {"type": "string", "logicalType": "uuid"}})


def _decimal(precision: int, scale: int) -> Json:
    return one({"type": {"type": "bytes", "logicalType": "decimal", "precision": precision, "scale": scale}})


_FIELDS: Final = (
    FORWARD.rule(
        Wording("field-added-without-default", "A field without a default was added",
              "Data written before has no such field, and a reader that asks for it has nothing to put in its place."),
        Match(elements=_FIELD, facets=("",), changes=(Change.ADDED,), facts=((delta.REQUIRED, True),)),
        shown(record(), _INT), shown(record(), _DEFAULTED),
    ),
    YES.rule(
        Wording("field-added", "A field with a default was added",
              "A reader of older data takes the default, and an older reader skips the field."),
        Match(elements=_FIELD, facets=("",), changes=(Change.ADDED,)),
        shown(record(), _DEFAULTED), shown(record(), _INT),
    ),
    BACKWARD.rule(
        Wording("field-removed-without-default", "A field that had no default was removed",
              "The released schema asks for the field and has no default for data that does not carry it."),
        Match(elements=_FIELD, facets=("",), changes=(Change.REMOVED,), facts=((delta.REQUIRED, True),)),
        shown(_INT, record()), shown(_DEFAULTED, record()),
    ),
    YES.rule(
        Wording("field-removed", "A field that had a default was removed",
              "The candidate skips what older data carries, and the released schema takes its default."),
        Match(elements=_FIELD, facets=("",), changes=(Change.REMOVED,)),
        shown(_DEFAULTED, record()), shown(_INT, record()),
    ),
    BACKWARD.rule(
        Wording("field-renamed", "A field has another name, and an alias leads from the one to the other",
              "Only a reader uses its aliases: the side without the alias has no value for its own name.",
              f"{SPEC}, Aliases"),
        Match(elements=_FIELD, facets=("name",)),
        shown(_INT, record(sum={"type": "int", "aliases": ["total"]})), shown(_INT, record(sum="int")),
    ),
)  # fmt: skip

_TYPES: Final = (
    BACKWARD.rule(
        Wording("type-promoted", "The type is now one that the former is promoted to",
              "A reader promotes what was written with the smaller type. Nothing leads back."),
        Match(elements=_USES, facets=("type",), when=_promoted),
        shown(_INT, one("long")), shown(_INT, _STRING),
    ),
    FORWARD.rule(
        Wording("type-narrowed", "The type was one that the present one is promoted to",
              "The larger type is never read as the smaller one, while the released schema still promotes."),
        Match(elements=_USES, facets=("type",), when=_narrowed),
        shown(one("long"), _INT), shown(_STRING, _INT),
    ),
    YES.rule(
        Wording("union-reordered", "The branches of a union stand in another order",
              "A reader looks for the branch that was written, wherever it stands."),
        Match(elements=_USES, facets=("type",), when=_reordered),
        shown(_NULLABLE, one(["int", "null"])), shown(_NULLABLE, one(["null", "long"])),
    ),
    BACKWARD.rule(
        Wording("union-branch-added", "A union has another branch, or a type became a union",
              "The released schema knows no branch for the new values."),
        Match(elements=_USES, facets=("type",), when=_added_branches),
        shown(_INT, _NULLABLE), shown(_INT, one(["null", "string"])),
    ),
    FORWARD.rule(
        Wording("union-branch-removed", "A branch of a union was removed",
              "Older data may hold the branch, and the candidate has none for it."),
        Match(elements=_USES, facets=("type",), when=_removed_branches),
        shown(_NULLABLE, _INT), shown(_NULLABLE, one(["null", "string"])),
    ),
    NO.rule(
        Wording("type-changed", "The type changed",
              "Neither type is read as the other one."),
        Match(elements=_USES, facets=("type",)),
        shown(_INT, _STRING), shown(_INT, one("long")),
    ),
)  # fmt: skip

_NAMES: Final = (
    BACKWARD.rule(
        Wording("type-renamed", "A named type has another name",
              "Records, enums and fixed are matched by name, and only a reader uses its aliases.",
              f"{SPEC}, Names and Aliases"),
        Match(elements=_TYPE, facets=("name",)),
        shown(one(_KEY), _MARKED), shown(one(_KEY), _SPACED),
    ),
    YES.rule(
        Wording("namespace-changed", "A named type has another namespace",
              "Named types match by their name without the namespace. Libraries that compare full names differ here.",
              f"{SPEC}, Schema Resolution: both have the same (unqualified) name"),
        Match(elements=_TYPE, facets=("namespace",)),
        shown(one(_KEY), _SPACED), shown(one(_KEY), _MARKED),
    ),
    YES.rule(
        Wording("aliases-changed", "The aliases of a type or field changed",
              "An alias matters where names differ, and there the row about the name says what it does. Data of "
              "releases before the released one may need the alias: ask for the history.",
              f"{SPEC}, Aliases"),
        Match(elements=(*_TYPE, *_FIELD), facets=("aliases",)),
        shown(_INT, one({"type": "int", "aliases": ["sum"]})), shown(_INT, _DEFAULTED),
    ),
    YES.rule(
        Wording("default-changed", "A default was added, removed or changed",
              "A default counts for data that lacks the field or symbol, and both of these schemas have it. Data of "
              "releases before the released one may need the default: ask for the history."),
        Match(elements=(*_TYPE, *_FIELD), facets=("default",)),
        shown(_INT, _DEFAULTED), shown(_INT, _NULLABLE),
    ),
)  # fmt: skip

_MEMBERS: Final = (
    BACKWARD.rule(
        Wording("symbol-added", "A symbol was added to an enum",
              "A reader without the symbol refuses it, unless its enum has a default."),
        Match(elements=(ElementKind.ENUM_VALUE,), facets=("",), changes=(Change.ADDED,)),
        shown(one(_ENUM), one(_MORE)), shown(one(_ENUM), one(_FALLING)),
    ),
    FORWARD.rule(
        Wording("symbol-removed", "A symbol was removed from an enum",
              "Older data may hold the symbol, and a reader without it refuses it unless its enum has a default."),
        Match(elements=(ElementKind.ENUM_VALUE,), facets=("",), changes=(Change.REMOVED,)),
        shown(one(_MORE), one(_ENUM)), shown(one(_FALLING), one(_ENUM)),
    ),
    NO.rule(
        Wording("size-changed", "A fixed has another size",
              "Two fixed types match when their sizes are equal."),
        Match(elements=_TYPE, facets=("size",)),
        shown(one(_KEY), one(_LONGER)), shown(one(_KEY), one("bytes")),
    ),
    NO.rule(
        Wording("decimal-changed", "A decimal has another precision or scale",
              "Two decimals match when precision and scale are equal; the bytes alone mean another number.",
              f"{SPEC}, Logical Types, Decimal"),
        Match(when=_decimals),
        shown(_decimal(4, 2), _decimal(4, 3)), shown(_decimal(4, 2), one("bytes")),
    ),
    NO.rule(
        Wording("logical-type-changed", "A logical type became another one",
              "The bytes are read, and mean another value: a number of milliseconds is no number of microseconds.",
              f"{SPEC}, Logical Types"),
        Match(when=_replaced),
        shown(_MILLIS, _MICROS), shown(_MILLIS, _LONG),
    ),
    ResolutionAnswers(Tristate.NO, Tristate.UNKNOWN).rule(
        Wording("checked-logical-type-added", "A logical type was added that not every value is of",
              "Not every text is a UUID, and not every number a time of day: what was written before may be neither.",
              f"{SPEC}, Logical Types"),
        Match(when=_checked, changes=(Change.ADDED,)),
        shown(_STRING, _IDENTIFIER), shown(_LONG, _MILLIS),
    ),
    ResolutionAnswers(Tristate.UNKNOWN, Tristate.NO).rule(
        Wording("checked-logical-type-removed", "A logical type was removed that not every value is of",
              "Not every text is a UUID, and not every number a time of day: what is written now may be neither.",
              f"{SPEC}, Logical Types"),
        Match(when=_checked, changes=(Change.REMOVED,)),
        shown(_IDENTIFIER, _STRING), shown(_MILLIS, _LONG),
    ),
    OPEN.rule(
        Wording("logical-type-added-or-removed", "A logical type was added or removed, or is none of the specification",
              "The bytes are read. Whether code takes the value in its new form is not said by any schema.",
              f"{SPEC}, Logical Types"),
        Match(when=_logical),
        shown(_LONG, _MILLIS), shown(_MILLIS, _MICROS),
    ),
)  # fmt: skip

SCHEMA_RULES: Final = (*_FIELDS, *_TYPES, *_NAMES, *_MEMBERS)


# What data is written as, and the messages of protocols: what came, what went, what is read otherwise.


_EVENT: Final = (ElementKind.OPERATION,)
_ARGUMENT: Final = (ElementKind.ARGUMENT,)
_WIRE: Final = f"{SPEC}, Protocol Wire Format"
_INT_MESSAGE: Final = one("int")
_STRING_MESSAGE: Final = one("string")
_EMPTY: Final[Json] = {"protocol": "Orders", "types": []}


def _protocol(request: list[Json], response: Json, **said: Json) -> Json:
    message: dict[str, Json] = {"request": request, "response": response, **said}
    return {"protocol": "Orders", "types": [], "messages": {"place": message}}


_ID: Final[Json] = {"name": "id", "type": "string"}
_CALL: Final = _protocol([_ID], "string")
_SILENT: Final = _protocol([], "string")
_ONE_WAY: Final = _protocol([_ID], "null", **{"one-way": True})
_NUMBERED: Final = _protocol([{"name": "id", "type": "int"}], "string")
_OWED: Final = _protocol([{"name": "id", "type": "string", "default": ""}], "string")

_EVENTS: Final = (
    READ.rule(
        Wording("event-removed", "A schema that data was written with is gone",
              "Nothing says how the data that was written is read.", f"{SPEC}, Schema Declaration"),
        Match(elements=_EVENT, facets=("",), changes=(Change.REMOVED,), roles=(Role.MESSAGE,)),
        shown(_INT_MESSAGE, _EMPTY), shown(_INT_MESSAGE, _STRING_MESSAGE),
    ),
    TAKEN.rule(
        Wording("event-added", "A schema was added that data is written with",
              "No data was written with it before.", f"{SPEC}, Schema Declaration"),
        Match(elements=_EVENT, facets=("",), changes=(Change.ADDED,), roles=(Role.MESSAGE,)),
        shown(_EMPTY, _INT_MESSAGE), shown(_INT_MESSAGE, _STRING_MESSAGE),
    ),
)  # fmt: skip

_CALLS: Final = (
    READ.rule(
        Wording("message-removed", "A message of the protocol was removed",
              "A released client still sends it.", f"{SPEC}, Protocol Declaration"),
        Match(elements=_EVENT, facets=("",), changes=(Change.REMOVED,)),
        shown(_CALL, _EMPTY), shown(_CALL, _SILENT),
    ),
    TAKEN.rule(
        Wording("message-added", "A message was added to the protocol",
              "No released client sends it.", f"{SPEC}, Protocol Declaration"),
        Match(elements=_EVENT, facets=("",), changes=(Change.ADDED,)),
        shown(_EMPTY, _CALL), shown(_SILENT, _CALL),
    ),
    READ.rule(
        Wording("parameter-added-without-default", "A parameter without a default was added to a message",
              "A released client does not send it: parameters are read like the fields of a record.",
              _WIRE),
        Match(elements=_ARGUMENT, facets=("",), changes=(Change.ADDED,), facts=((delta.REQUIRED, True),)),
        shown(_SILENT, _CALL),
    ),
    TAKEN.rule(
        Wording("parameter-added-or-removed", "A parameter with a default was added to a message, or one was removed",
              "The candidate takes its default, or skips what it does not ask for.", _WIRE),
        Match(elements=_ARGUMENT, facets=("",)),
        shown(_CALL, _SILENT),
    ),
    READ.rule(
        Wording("parameter-type-changed", "The type of a parameter changed",
              "The candidate reads what released clients send with the former type.", _WIRE),
        Match(elements=_ARGUMENT, facets=("type",)),
        shown(_CALL, _NUMBERED), shown(_CALL, _protocol([_ID], "int")),
    ),
    TAKEN.rule(
        Wording("parameter-default-changed", "The default or the aliases of a parameter changed",
              "Both sides have the parameter, so neither is needed.", _WIRE),
        Match(elements=(ElementKind.ARGUMENT,)),
        shown(_CALL, _OWED), shown(_CALL, _SILENT),
    ),
    WRITTEN.rule(
        Wording("answer-changed", "The response or the errors of a message changed",
              "A released client reads what the candidate answers with the former type.",
              _WIRE),
        Match(elements=(ElementKind.REPLY,), facets=("type",)),
        shown(_CALL, _protocol([_ID], "int")), shown(_CALL, _SILENT),
    ),
    NO.rule(
        Wording("one-way-changed", "A message began or ceased to be one-way",
              "One side waits for an answer that the other does not send.", f"{SPEC}, Protocol Declaration"),
        Match(elements=_EVENT, facets=("one-way",)),
        shown(_protocol([_ID], "null"), _ONE_WAY), shown(_CALL, _SILENT),
    ),
)  # fmt: skip

PROTOCOL_RULES: Final = (*_EVENTS, *_CALLS)
