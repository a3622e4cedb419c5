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

from evreview.core.errors import BadInput, Problem, bad_input
from evreview.core.vocabulary import Json
from evreview.evidence.records.test_runs import Observation, Observations
from evreview.evidence.test_results.http_archive import har_content, har_entries, har_headers
from evreview.evidence.test_results.model import mapping

CUSTOM_FIELDS: Final = ("_side", "_revision", "_fixture", "_command", "_source")
"""What an entry may say of itself beside the standard fields."""


def is_har(text: str) -> bool:
    """True when the text is a JSON object with `log.entries`."""
    if not text.lstrip().startswith("{") or '"log"' not in text:
        return False
    try:
        data = orjson.loads(text)
    except orjson.JSONDecodeError:
        return False
    return "entries" in mapping(mapping(data).get("log"))


def har_observations(data: Json, file: str) -> Observations:
    """The responses of a HAR document, `entry-0` onwards.

    An entry may carry `_side` (released or candidate), `_revision`, `_fixture`, `_command` and `_source` beside the
    standard fields: which side and revision answered, where, and how it was obtained. The same names stand for all
    entries in `log.comment`, as `side: candidate; revision: 1f2e3d4; fixture: ...`; an entry's own field comes first.

    Raises:
        BadInput: `bad-har` for every entry without method, URL or status, or with another side.
    """
    entries = har_entries(data)
    if not isinstance(entries, list):
        raise bad_input("bad-har", "log.entries is no list", file=file, place="#/log/entries")
    shared = _commented(mapping(mapping(data).get("log")).get("comment"))
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


def _observation(place: int, entry: Mapping[str, Json]) -> Observation:
    request, response = _mapping(entry["request"]), _mapping(entry["response"])
    content_type, body, recorded = _body(response)
    return Observation(
        id=f"entry-{place}",
        operation=f"{str(request['method']).upper()} {urlsplit(str(request['url'])).path or '/'}",
        status=int(str(response["status"])),
        content_type=content_type or None,
        headers=dict(har_headers(response)),
        body=body,
        body_recorded=recorded,
        source=str(entry.get("_source") or "HAR recording"),
        command=_text(entry.get("_command")),
        revision=_text(entry.get("_revision")),
        fixture=_text(entry.get("_fixture")),
        answers=_side(entry.get("_side")),
    )


def _commented(comment: object) -> dict[str, Json]:
    """What the log's comment says of all its entries, under the names that an entry would use."""
    parts = (part.partition(":") for part in re.split(r"[;\n]", comment if isinstance(comment, str) else ""))
    found = {f"_{name.strip().lower()}": value.strip() for name, _, value in parts}
    return {name: found[name] for name in CUSTOM_FIELDS if found.get(name)}


def _side(value: object) -> Literal["released", "candidate"] | None:
    if value is None or value == "released" or value == "candidate":
        return value
    raise ValueError("a side is released or candidate")


def _body(response: Mapping[str, Json]) -> tuple[str, Json, bool]:
    """Content type and body, and whether the body was kept; encoded bodies are not decoded and count as not kept."""
    content_type, text = har_content(response)
    if not isinstance(text, str):
        return content_type, None, False
    if "json" not in content_type.lower():
        return content_type, text, True
    try:
        parsed: Json = orjson.loads(text)
    except orjson.JSONDecodeError:
        return content_type, text, True
    return content_type, parsed, True


def _mapping(value: Json) -> Mapping[str, Json]:
    if not isinstance(value, Mapping):
        raise TypeError("a mapping is needed")
    return value


def _text(value: object) -> str | None:
    return value if isinstance(value, str) and value else None
