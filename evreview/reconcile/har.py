"""Recorded responses in HAR form, sanitised while they are read.

Kept: method, path, status, response headers without credentials, content type and response body. Request bodies,
query strings, cookies, hosts, server addresses and timings are never taken over.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final, Literal
from urllib.parse import urlsplit

import orjson

from evreview.errors import BadInput, Problem, bad_input
from evreview.evidence.records.execution import Observation, Observations
from evreview.vocab import Json

CUSTOM_FIELDS: Final = ("_side", "_revision", "_fixture", "_command", "_source")
"""What an entry may say of itself beside the standard fields."""

DROPPED_HEADERS: Final = frozenset(
    {
        "authorization",
        "cookie",
        "proxy-authenticate",
        "proxy-authorization",
        "set-cookie",
        "set-cookie2",
        "www-authenticate",
        "x-api-key",
        "x-auth-token",
        "x-csrf-token",
    }
)
"""Response headers that may carry credentials or identify a person's session."""


def is_har(text: str) -> bool:
    """True when the text is a JSON object with `log.entries`."""
    if not text.lstrip().startswith("{") or '"log"' not in text:
        return False
    try:
        data = orjson.loads(text)
    except orjson.JSONDecodeError:
        return False
    log = data.get("log") if isinstance(data, dict) else None
    return isinstance(log, dict) and "entries" in log


def har_observations(data: Json, file: str) -> Observations:
    """The responses of a HAR document, `entry-0` onwards.

    An entry may carry `_side` (released or candidate), `_revision`, `_fixture`, `_command` and `_source` beside the
    standard fields: which side and revision answered, where, and how it was obtained. The same names stand for all
    entries in `log.comment`, as `side: candidate; revision: 1f2e3d4; fixture: ...`; an entry's own field comes first.

    Raises:
        BadInput: `bad-har` for every entry without method, URL or status, or with another side.
    """
    log = data.get("log") if isinstance(data, Mapping) else None
    entries = log.get("entries") if isinstance(log, Mapping) else None
    if not isinstance(entries, list):
        raise bad_input("bad-har", "log.entries is no list", file=file, place="#/log/entries")
    shared = _commented(log.get("comment") if isinstance(log, Mapping) else None)
    observations: list[Observation] = []
    problems: list[Problem] = []
    for place, entry in enumerate(entries):
        try:
            observations.append(_observation(place, {**shared, **entry}))
        except (KeyError, TypeError, ValueError, AttributeError):
            found = (
                "the entry lacks a readable request method, request URL or response status, "
                "or its side is neither released nor candidate"
            )
            problems.append(Problem(code="bad-har", found=found, file=file, place=f"#/log/entries/{place}"))
    if problems:
        raise BadInput(problems)
    return Observations(observations=tuple(observations))


def _observation(place: int, entry: Mapping[str, object]) -> Observation:
    request, response = _mapping(entry["request"]), _mapping(entry["response"])
    content = _mapping(response.get("content") or {})
    content_type = content.get("mimeType") or None
    body, recorded = _body(content, str(content_type or ""))
    return Observation(
        id=f"entry-{place}",
        operation=f"{str(request['method']).upper()} {urlsplit(str(request['url'])).path or '/'}",
        status=int(str(response["status"])),
        content_type=str(content_type) if content_type else None,
        headers=_headers(response.get("headers")),
        body=body,
        body_recorded=recorded,
        source=str(entry.get("_source") or "HAR recording"),
        command=_text(entry.get("_command")),
        revision=_text(entry.get("_revision")),
        fixture=_text(entry.get("_fixture")),
        answers=_side(entry.get("_side")),
    )


def _commented(comment: object) -> dict[str, object]:
    """What the log's comment says of all its entries, under the names that an entry would use."""
    parts = (part.partition(":") for part in re.split(r"[;\n]", comment if isinstance(comment, str) else ""))
    found = {f"_{name.strip().lower()}": value.strip() for name, _, value in parts}
    return {name: found[name] for name in CUSTOM_FIELDS if found.get(name)}


def _side(value: object) -> Literal["released", "candidate"] | None:
    if value is None or value == "released" or value == "candidate":
        return value
    raise ValueError("a side is released or candidate")


def _body(content: Mapping[str, object], content_type: str) -> tuple[Json, bool]:
    """The body and whether it was kept; encoded bodies are not decoded and count as not kept."""
    text = content.get("text")
    if not isinstance(text, str) or content.get("encoding"):
        return None, False
    if "json" not in content_type.lower():
        return text, True
    try:
        parsed: Json = orjson.loads(text)
    except orjson.JSONDecodeError:
        return text, True
    return parsed, True


def _headers(listed: object) -> dict[str, str]:
    pairs = (
        (str(header["name"]).lower(), str(header["value"]))
        for header in (listed if isinstance(listed, list) else ())
        if isinstance(header, Mapping) and "name" in header and "value" in header
    )
    return {name: value for name, value in pairs if name not in DROPPED_HEADERS}


def _mapping(value: object) -> Mapping[str, object]:
    if not isinstance(value, Mapping):
        raise TypeError("a mapping is needed")
    return value


def _text(value: object) -> str | None:
    return value if isinstance(value, str) and value else None
