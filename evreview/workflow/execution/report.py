"""The helper's report, read. What it says comes from the code under review and is believed in nothing but form."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from dataclasses import dataclass, field

from evreview.core.vocabulary import Json


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What came back on one request; `error` where nothing did.

    Attributes:
        status, reason, headers, body: of the response; the octets as they came.
        cut: True when the body was longer than what is kept.
        error: why there is no response.
    """

    status: int = 0
    reason: str = ""
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes = field(default=b"", repr=False)
    cut: bool = False
    error: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """How a command inside ended, the end of what it wrote, and the file that it left as its result."""

    status: int
    output: str = field(repr=False)
    result: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """A whole report. `ready` is None without a fixture, the commands are None when they did not run."""

    ready: bool | None
    fixture_output: str = field(repr=False)
    answers: tuple[Answer, ...]
    tests: Ended | None
    cleanup: Ended | None
    routes: Ended | None = None


def read_report(data: bytes) -> Report | None:
    """The report, None when it is none."""
    try:
        stated = json.loads(data)
    except (ValueError, RecursionError):
        return None
    if not isinstance(stated, dict):
        return None
    fixture = stated.get("fixture")
    exchanges = stated.get("exchanges")
    return Report(
        ready=fixture.get("ready") is True if isinstance(fixture, dict) else None,
        fixture_output=_text(fixture.get("output")) if isinstance(fixture, dict) else "",
        answers=tuple(_answer(each) for each in exchanges) if isinstance(exchanges, list) else (),
        tests=_ended(stated.get("tests")),
        cleanup=_ended(stated.get("cleanup")),
        routes=_ended(stated.get("routes")),
    )


def _answer(stated: Json) -> Answer:
    if not isinstance(stated, Mapping) or "error" in stated:
        error = stated.get("error") if isinstance(stated, Mapping) else None
        return Answer(error=_text(error) or "the report says nothing of it")
    status, headers, body = stated.get("status"), stated.get("headers"), stated.get("body")
    if not isinstance(status, int) or not isinstance(headers, list) or not isinstance(body, str):
        return Answer(error="the report says nothing of it")
    try:
        octets = base64.b64decode(body, validate=True)
    except ValueError:
        return Answer(error="the report's body is not readable")
    pairs = (pair for pair in headers if isinstance(pair, list) and len(pair) == 2)
    return Answer(
        status=status,
        reason=_text(stated.get("reason")),
        headers=tuple((_text(name), _text(value)) for name, value in pairs),
        body=octets,
        cut=stated.get("cut") is True,
    )


def _ended(stated: Json) -> Ended | None:
    if not isinstance(stated, Mapping) or not isinstance(status := stated.get("exit"), int):
        return None
    result = stated.get("result")
    return Ended(status=status, output=_text(stated.get("output")), result=result if isinstance(result, str) else None)


def _text(value: Json) -> str:
    return value if isinstance(value, str) else ""
