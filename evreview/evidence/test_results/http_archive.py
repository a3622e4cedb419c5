"""HAR 1.2: entries as exchanges. HAR holds no verdict, so every case is `recorded`."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Mapping
from typing import Final

from evreview.core.vocabulary import Json
from evreview.evidence.test_results.model import Case, Results, Unreadable, latest
from evreview.results.exchanges import Recorded, exchange
from evreview.results.parts import MAX_CASES, listed, mapping, status_of, where, word

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
