"""Variables in the addresses of AsyncAPI, apart from the values that they stand for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from evreview.comparison.rules.rule import Match, Rule
from evreview.contract.model import ElementKind
from evreview.core.vocabulary import Change, Json, Polarity, Verdict
from evreview.kinds.asyncapi.alignment import FACET
from evreview.kinds.asyncapi.rules_operations import directed, one
from evreview.rules.families.asyncapi_examples import ADDRESS, PLACED, beside, contract

_PARAMETER: Final = "AsyncAPI 3.0, Parameter Object"


def of_parameters() -> Iterator[Rule]:
    """The rules of where a variable's value stands, and of what one generation can't say of it."""
    text = (
        "a parameter of the address is taken from elsewhere in the message",
        "Address and message disagree about the value.",
        _PARAMETER,
    )
    match = Match(elements=(ElementKind.PARAMETER,), facets=("location",), changes=(Change.CHANGED,))
    forms = tuple({"parameters": {"shop": {"location": f"$message.{part}#/shop"}}} for part in ("header", "payload"))
    yield from directed("parameter-location-changed", Verdict.BREAKING, text, match, ("channel", forms[0], forms[1]))
    text = (
        "the contract begins or ceases to say where a parameter's value stands in the message",
        "Whether messages carry the value there today is not said.",
        _PARAMETER,
    )
    match = Match(elements=(ElementKind.PARAMETER,), facets=("location",))
    yield from directed("parameter-location-stated", Verdict.UNKNOWN, text, match, ("channel", {}, forms[0]))
    yield one(
        "parameter-schema-untold",
        Verdict.UNKNOWN,
        (
            "A parameter has a schema in 2.x, and none in 3.x",
            "Parameters of AsyncAPI 3 are texts, of which it can list some: a type, format or pattern is no longer, or "
            "not yet, told. Whether other addresses are used for that is not said.",
            _PARAMETER,
        ),
        Match(elements=(ElementKind.PARAMETER,), facets=(FACET,)),
        beside(_older({"type": "integer"}), contract(Polarity.READ), _older({"type": "string"})),
    )


def _older(schema: Json) -> Json:
    """The contract that shows the rules, as 2.6 writes it, with a schema for the variable of its address."""
    channel: Json = {"parameters": {"shop": {"schema": schema}}, "publish": {"message": PLACED}}
    info: Json = {"title": "Orders", "version": "1"}
    return {"asyncapi": "2.6.0", "info": info, "channels": {ADDRESS: channel}}
