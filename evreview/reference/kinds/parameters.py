"""Kinds of discrepancy about parameters."""

from __future__ import annotations

from typing import Final

from evreview.core.vocabulary import Concern, Json
from evreview.reference.kinds.small import NUMBER, TEXT, parameter, paths
from evreview.workflows.w2.discrepancy_kinds.kind import Breaks, DiscrepancyKind, KindExample

_OF = (Concern.PARAMETERS,)


def _limit(schema: Json, *, required: bool = False) -> Json:
    return paths(parameters=[parameter("limit", schema, required=required)])


def _code(arguments: str) -> str:
    return f"@app.get('/orders')\ndef orders({arguments}):\n    return []\n"


KINDS: Final = (
    DiscrepancyKind(
        id="parameter-undocumented",
        concerns=_OF,
        compares="the parameters that the code reads with those that the contract has; credentials of a declared "
        "security scheme are none",
        why="The code offers something that nobody promised, and that may leave without notice.",
        breaks=Breaks.NOBODY,
        impact="No documented request changes its meaning; whoever uses the parameter relies on something unpublished.",
        expands=True,
        example=KindExample(paths=_limit(NUMBER), code=_code("limit: int | None = None, colour: str | None = None")),
        counter_example=KindExample(paths=_limit(NUMBER), code=_code("limit: int | None = None")),
    ),
    DiscrepancyKind(
        id="parameter-required-undocumented",
        concerns=_OF,
        compares="the parameters that the code demands with those that the contract has",
        why="A request that keeps to the contract lacks the parameter and is refused.",
        breaks=Breaks.SENDERS,
        impact="Every documented request is refused.",
        expands=True,
        example=KindExample(paths=_limit(NUMBER), code=_code("colour: str, limit: int | None = None")),
        counter_example=KindExample(paths=_limit(NUMBER), code=_code("limit: int | None = None, colour: str = 'red'")),
    ),
    DiscrepancyKind(
        id="parameter-unread",
        concerns=_OF,
        compares="the parameters of the contract with those that the code reads, where every source was read",
        why="A client that sends the parameter is not heard.",
        breaks=Breaks.SENDERS,
        impact="Requests with the parameter are answered as if it were absent, without an error.",
        example=KindExample(paths=_limit(NUMBER), code=_code("")),
        counter_example=KindExample(paths=_limit(NUMBER), code=_code("limit: int | None = None")),
    ),
    DiscrepancyKind(
        id="parameter-elsewhere",
        concerns=_OF,
        compares="where the contract and the code expect a parameter of one name",
        why="A value that is sent where the contract says is not found.",
        breaks=Breaks.SENDERS,
        impact="Requests carry the parameter where the code does not look.",
        example=KindExample(
            paths=paths(parameters=[parameter("colour", TEXT, "header")]), code=_code("colour: str | None = None")
        ),
        counter_example=KindExample(
            paths=paths(parameters=[parameter("colour", TEXT, "header")]),
            code=_code("colour: str | None = Header(None)"),
        ),
    ),
    DiscrepancyKind(
        id="parameter-required",
        concerns=_OF,
        compares="whether the code demands a parameter that the contract leaves optional",
        why="A request that keeps to the contract may lack the parameter and is then refused.",
        breaks=Breaks.SENDERS,
        impact="Documented requests without the parameter are refused.",
        example=KindExample(paths=_limit(NUMBER), code=_code("limit: int")),
        counter_example=KindExample(paths=_limit(NUMBER, required=True), code=_code("limit: int")),
    ),
    DiscrepancyKind(
        id="parameter-optional",
        concerns=_OF,
        compares="whether the code does without a parameter that the contract demands",
        why="The contract is stricter than what runs; the error that it implies never comes.",
        breaks=Breaks.NOBODY,
        impact="Documented requests work; requests without the parameter are answered instead of refused.",
        example=KindExample(paths=_limit(NUMBER, required=True), code=_code("limit: int | None = None")),
        counter_example=KindExample(paths=_limit(NUMBER), code=_code("limit: int | None = None")),
    ),
    DiscrepancyKind(
        id="parameter-narrower",
        concerns=(Concern.VALIDATION,),
        compares="the values of a parameter that the contract admits with those that the code admits, as texts on the "
        "wire: a value that every reading of the code refuses is the witness",
        why="A client that trusts the documented range is refused.",
        breaks=Breaks.SENDERS,
        impact="Documented values are refused.",
        example=KindExample(
            paths=_limit({"type": "integer", "maximum": 500}), code=_code("limit: int = Query(20, le=100)")
        ),
        counter_example=KindExample(
            paths=_limit({"type": "integer", "maximum": 100}), code=_code("limit: int = Query(20, le=100)")
        ),
    ),
    DiscrepancyKind(
        id="parameter-wider",
        concerns=(Concern.VALIDATION,),
        compares="the same the other way round, where the code shows everything that it checks: a value that the "
        "contract refuses and the code takes is the witness",
        why="What the contract calls invalid is answered; what happens then is nowhere stated.",
        breaks=Breaks.NOBODY,
        impact="Documented requests work; undocumented values are taken as well.",
        example=KindExample(
            paths=_limit({"type": "integer", "maximum": 100}), code=_code("limit: int = Query(20, le=500)")
        ),
        counter_example=KindExample(
            paths=_limit({"type": "integer", "maximum": 500}), code=_code("limit: int = Query(20, le=500)")
        ),
    ),
    DiscrepancyKind(
        id="parameter-default-differs",
        concerns=_OF,
        compares="the default that the contract states with the one that the code takes",
        why="A client that leaves the parameter out gets something other than documented, without an error.",
        breaks=Breaks.SENDERS,
        impact="Requests without the parameter are answered by another value than documented.",
        example=KindExample(paths=_limit({"type": "integer", "default": 10}), code=_code("limit: int = 20")),
        counter_example=KindExample(paths=_limit({"type": "integer", "default": 20}), code=_code("limit: int = 20")),
    ),
    DiscrepancyKind(
        id="parameter-default-undocumented",
        concerns=_OF,
        compares="a default that the code takes where the contract states none; null is no default",
        why="What an absent parameter means is decided, and nobody promised it.",
        breaks=Breaks.NOBODY,
        impact="Documented requests work; the meaning of an absent parameter may change without notice.",
        expands=True,
        example=KindExample(paths=_limit(NUMBER), code=_code("limit: int = 20")),
        counter_example=KindExample(paths=_limit(NUMBER), code=_code("limit: int | None = None")),
    ),
)
