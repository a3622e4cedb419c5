"""HAR 1.2 as cases, each `recorded` since HAR holds no verdict; and a recorded exchange of any format, sanitised."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final
from urllib.parse import parse_qsl, urlsplit

from evreview.core.errors import BadInput
from evreview.core.json_text import listed, mapping, read_json, word
from evreview.core.vocabulary import Json
from evreview.evidence.test_results.model import (
    MAX_CASES,
    Case,
    Exchange,
    Results,
    Unreadable,
    latest,
    status_of,
    where,
)


def read_har(data: Json) -> Results:
    """Every entry as a case with one exchange, `entry-0` onwards."""
    cases: list[Case] = []
    unread: list[Unreadable] = []
    entries = listed(har_entries(data))
    for number, entry in enumerate(entries[:MAX_CASES]):
        locator = where("log", "entries", number)
        found, faults = exchange(_recorded(mapping(entry)), locator)
        unread.extend(faults)
        if found is None:
            continue
        what = f"{found.method} {found.path}"
        cases.append(Case(id=f"entry-{number}", what=what, outcome="recorded", locator=locator, exchanges=(found,)))
    if len(entries) > MAX_CASES:
        unread.append(Unreadable(where("log", "entries"), f"only the first {MAX_CASES} entries were read", lost=True))
    creator = mapping(mapping(mapping(data).get("log")).get("creator"))
    tool = " ".join(part for part in (word(creator.get("name")), word(creator.get("version"))) if part)
    started = latest(word(mapping(entry).get("startedDateTime")) for entry in entries)
    return Results(format="har", cases=tuple(cases), tool=tool, started=started, unread=tuple(unread))


def _recorded(entry: Mapping[str, Json]) -> Recorded:
    request, response = mapping(entry.get("request")), mapping(entry.get("response"))
    kind, body = har_content(response)
    return Recorded(
        method=word(request.get("method")),
        url=word(request.get("url")),
        request_headers=_header_names(request),
        status=status_of(response.get("status")),
        content_type=kind,
        response_headers=_header_names(response),
        body=body,
    )


def _header_names(message: Mapping[str, Json]) -> list[str]:
    """Names of headers; that an Authorization was sent is worth knowing, its value is not."""
    return [name for header in listed(message.get("headers")) if (name := word(mapping(header).get("name")))]


# Parts of a HAR document, also for readers that keep more of it.


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


def har_entries(data: Json) -> Json:
    """What stands at `log.entries`, None where nothing does."""
    return mapping(mapping(data).get("log")).get("entries")


def har_headers(message: Mapping[str, Json]) -> tuple[tuple[str, str], ...]:
    """Names in lower case and values of a request's or response's headers, those with credentials left out."""
    pairs = (mapping(header) for header in listed(message.get("headers")))
    named = ((word(pair.get("name")).lower(), str(pair.get("value", ""))) for pair in pairs)
    return tuple((name, value) for name, value in named if name and name not in DROPPED_HEADERS)


def har_content(response: Mapping[str, Json]) -> tuple[str, str | bytes | None]:
    """Content type and body of a response; base64 is decoded, any other encoding counts as not kept."""
    content = mapping(response.get("content"))
    kind, text = word(content.get("mimeType")), content.get("text")
    if not isinstance(text, str):
        return kind, None
    encoding = content.get("encoding")
    if not encoding:
        return kind, text
    return kind, decoded(text) if encoding == "base64" else None


def decoded(text: str) -> bytes | None:
    """What a base64 text stands for, None when it is none."""
    try:
        return b64decode(text, validate=True)
    except ValueError:
        return None


# One recorded request and response, sanitised while it is read.
#
# Kept: method, path, status, media type, names of query parameters and headers, and the response body when it is JSON.
# Request bodies, cookies, hosts and every value of a header or a query parameter are never taken over.


MAX_QUERY: Final = 200
"""Query parameters that are read of one request."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Recorded:
    """What a format holds of one exchange, before it is sanitised. `body` is the response's, None when not kept."""

    method: str
    url: str
    request_headers: Iterable[str] = ()
    status: int | None = None
    content_type: str = ""
    response_headers: Iterable[str] = ()
    body: str | bytes | None = None


Read = tuple[Exchange | None, tuple[Unreadable, ...]]


def exchange(recorded: Recorded, locator: str) -> Read:
    """The exchange, None without a readable method and URL; and what of it could not be read."""
    try:
        path, query = split_url(recorded.url)
    except ValueError:
        path, query = "", ()
    if not recorded.method.isalpha() or not path:
        return None, (Unreadable(locator, "no readable method and URL"),)
    body, kept, unread = _body(recorded, locator)
    found = Exchange(
        method=recorded.method.upper(),
        path=path,
        status=recorded.status,
        locator=locator,
        media_type=media_type(recorded.content_type),
        query=query,
        request_headers=_lowered_names(recorded.request_headers),
        response_headers=_lowered_names(recorded.response_headers),
        body=body,
        body_recorded=kept,
    )
    return found, unread


def split_url(url: str) -> tuple[str, tuple[str, ...]]:
    """The path of a URL and the names of its query parameters.

    Raises:
        ValueError: it is no URL.
    """
    parts = urlsplit(url)
    if not url or not (parts.path.startswith("/") or parts.netloc):
        raise ValueError("neither a host nor a path")
    pairs = parse_qsl(parts.query, keep_blank_values=True, max_num_fields=MAX_QUERY)
    return parts.path or "/", tuple(dict.fromkeys(name for name, _ in pairs))


def media_type(content_type: str) -> str:
    """A content type without its parameters, in lower case."""
    return content_type.partition(";")[0].strip().lower()


def _lowered_names(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name.lower() for name in names))


def _body(recorded: Recorded, locator: str) -> tuple[Json, bool, tuple[Unreadable, ...]]:
    kind = media_type(recorded.content_type)
    if recorded.body is None or not recorded.body or not ("json" in kind or not kind):
        return None, False, ()
    try:
        raw = recorded.body.encode("utf-8") if isinstance(recorded.body, str) else recorded.body
        return read_json(raw, ""), True, ()
    except (BadInput, UnicodeEncodeError):
        unread = (Unreadable(locator, "the response body is declared as JSON and is none"),) if kind else ()
        return None, False, unread
