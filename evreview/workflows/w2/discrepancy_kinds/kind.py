"""One kind of discrepancy is one value: what it compares, why it matters, who breaks, and what shows it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from evreview.core.vocabulary import ClosedVocabulary, Concern, Json


class Breaks(ClosedVocabulary):
    """Who is hurt where a client relies on the contract and meets the code."""

    SENDERS = "clients that send what the contract allows"
    READERS = "clients that read answers as the contract describes them"
    CALLERS = "clients that rely on the contract's demands on callers"
    NOBODY = "no client that keeps to the contract"
    UNSHOWN = "not shown by the sources alone"


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """One exchange that a retained test recorded; with `asserts` instead an assertion about a field.

    Attributes:
        status: None for an assertion that tells none.
        outcome: how the assertion ended.
    """

    status: int | None = None
    media_type: str = "application/json"
    body: Json = None
    headers: tuple[str, ...] = ()
    asserts: str = ""
    expects: Json = None
    outcome: Literal["passed", "failed"] = "passed"
    method: str = "GET"
    path: str = "/orders"


@dataclass(frozen=True, slots=True, kw_only=True)
class KindExample:
    """One small contract beside one small service.

    Attributes:
        paths: the contract's `paths`.
        code: the routes of a FastAPI service `app`, its imports left out.
        seen: what a test recorded.
        schemes: the contract's security schemes.
        declared: facts that a reviewer declared about the service's last line: concern, name and what is stated.
    """

    paths: Json
    code: str
    seen: tuple[Seen, ...] = ()
    schemes: Json = None
    declared: tuple[tuple[Concern, str, Json], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class DiscrepancyKind:
    """What one kind of discrepancy says.

    Attributes:
        id: kebab-case, names what was found; never reused.
        concerns: what of an operation it is about.
        compares: what is laid beside what, and when it is shown.
        why: why it matters.
        breaks: who is hurt.
        impact: the compatibility impact in a sentence.
        expands: True where the code or a test shows more than the contract says: publication waits for the API owner.
        example, counter_example: what fires it, and a near case that does not.
    """

    id: str
    concerns: tuple[Concern, ...]
    compares: str
    why: str
    breaks: Breaks
    impact: str
    example: KindExample
    counter_example: KindExample
    expands: bool = False


# Small contracts for the examples of kinds.


TEXT: Final[Json] = {"type": "string"}
NUMBER: Final[Json] = {"type": "integer"}
PLAIN: Final = "@app.get('/orders')\ndef orders():\n    return []\n"
SOME_JSON: Final[Json] = {"description": "some JSON", "content": {"application/json": {}}}
OK: Final[Mapping[str, Json]] = {"200": SOME_JSON}
INVALID: Final[Mapping[str, Json]] = {"422": SOME_JSON}
"""What FastAPI answers by itself to input that may be invalid."""


def paths(method: str = "get", path: str = "/orders", **parts: Json) -> Json:
    """One operation; it answers 200, and 422 where it has input, unless `responses` is given."""
    answers = {**OK, **INVALID} if {"parameters", "requestBody"} & parts.keys() else dict(OK)
    return {path: {method: {"responses": answers, **parts}}}


def parameter(name: str, schema: Json, location: str = "query", *, required: bool = False) -> Json:
    """One parameter."""
    return {"name": name, "in": location, "required": required, "schema": schema}


def body(schema: Json, media_type: str = "application/json", *, required: bool = True) -> Json:
    """A request body with one media type."""
    return {"required": required, "content": {media_type: {"schema": schema}}}


def answer(schema: Json, media_type: str = "application/json", headers: Json = None) -> Json:
    """A response with one media type."""
    said: dict[str, Json] = {"description": "answer", "content": {media_type: {"schema": schema}}}
    return said if headers is None else said | {"headers": headers}


def fields(required: tuple[str, ...] = (), /, **properties: Json) -> Json:
    """An object schema."""
    made: dict[str, Json] = {"type": "object", "properties": properties}
    return {**made, "required": list(required)} if required else made
