"""What Avro data is written as, and the messages of protocols: what came, what went, what is read otherwise."""

from __future__ import annotations

from typing import Final

from evreview.comparison import delta
from evreview.comparison.rules.rule import Match
from evreview.contract.model import ElementKind
from evreview.core.vocabulary import Change, Json, Role
from evreview.rules.families.avro_parts import NO, READ, SPEC, TAKEN, WRITTEN, Told, one, rule, shown

_EVENT: Final = (ElementKind.OPERATION,)
_ARGUMENT: Final = (ElementKind.ARGUMENT,)
_WIRE: Final = f"{SPEC}, Protocol Wire Format"
_INT: Final = one("int")
_STRING: Final = one("string")
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
    rule(
        Told("event-removed", "A schema that data was written with is gone",
              "Nothing says how the data that was written is read.", f"{SPEC}, Schema Declaration"),
        Match(elements=_EVENT, facets=("",), changes=(Change.REMOVED,), roles=(Role.MESSAGE,)),
        READ,
        (shown(_INT, _EMPTY), shown(_INT, _STRING)),
    ),
    rule(
        Told("event-added", "A schema was added that data is written with",
              "No data was written with it before.", f"{SPEC}, Schema Declaration"),
        Match(elements=_EVENT, facets=("",), changes=(Change.ADDED,), roles=(Role.MESSAGE,)),
        TAKEN,
        (shown(_EMPTY, _INT), shown(_INT, _STRING)),
    ),
)  # fmt: skip

_CALLS: Final = (
    rule(
        Told("message-removed", "A message of the protocol was removed",
              "A released client still sends it.", f"{SPEC}, Protocol Declaration"),
        Match(elements=_EVENT, facets=("",), changes=(Change.REMOVED,)),
        READ,
        (shown(_CALL, _EMPTY), shown(_CALL, _SILENT)),
    ),
    rule(
        Told("message-added", "A message was added to the protocol",
              "No released client sends it.", f"{SPEC}, Protocol Declaration"),
        Match(elements=_EVENT, facets=("",), changes=(Change.ADDED,)),
        TAKEN,
        (shown(_EMPTY, _CALL), shown(_SILENT, _CALL)),
    ),
    rule(
        Told("parameter-added-without-default", "A parameter without a default was added to a message",
              "A released client does not send it: parameters are read like the fields of a record.",
              _WIRE),
        Match(elements=_ARGUMENT, facets=("",), changes=(Change.ADDED,), facts=((delta.REQUIRED, True),)),
        READ,
        (shown(_SILENT, _CALL), shown(_CALL, _SILENT)),
    ),
    rule(
        Told("parameter-added-or-removed", "A parameter with a default was added to a message, or one was removed",
              "The candidate takes its default, or skips what it does not ask for.", _WIRE),
        Match(elements=_ARGUMENT, facets=("",)),
        TAKEN,
        (shown(_CALL, _SILENT), shown(_SILENT, _CALL)),
    ),
    rule(
        Told("parameter-type-changed", "The type of a parameter changed",
              "The candidate reads what released clients send with the former type.", _WIRE),
        Match(elements=_ARGUMENT, facets=("type",)),
        READ,
        (shown(_CALL, _NUMBERED), shown(_CALL, _protocol([_ID], "int"))),
    ),
    rule(
        Told("parameter-default-changed", "The default or the aliases of a parameter changed",
              "Both sides have the parameter, so neither is needed.", _WIRE),
        Match(elements=(ElementKind.ARGUMENT,)),
        TAKEN,
        (shown(_CALL, _OWED), shown(_CALL, _SILENT)),
    ),
    rule(
        Told("answer-changed", "The response or the errors of a message changed",
              "A released client reads what the candidate answers with the former type.",
              _WIRE),
        Match(elements=(ElementKind.REPLY,), facets=("type",)),
        WRITTEN,
        (shown(_CALL, _protocol([_ID], "int")), shown(_CALL, _SILENT)),
    ),
    rule(
        Told("one-way-changed", "A message began or ceased to be one-way",
              "One side waits for an answer that the other does not send.", f"{SPEC}, Protocol Declaration"),
        Match(elements=_EVENT, facets=("one-way",)),
        NO,
        (shown(_protocol([_ID], "null"), _ONE_WAY), shown(_CALL, _SILENT)),
    ),
)  # fmt: skip

RULES: Final = (*_EVENTS, *_CALLS)
