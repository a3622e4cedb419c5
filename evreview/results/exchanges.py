"""One recorded request and response, sanitised while it is read.

Kept: method, path, status, media type, names of query parameters and headers, and the response body when it is JSON.
Request bodies, cookies, hosts and every value of a header or a query parameter are never taken over.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final
from urllib.parse import parse_qsl, urlsplit

from evreview.core.errors import BadInput
from evreview.core.json_text import read_json
from evreview.core.vocabulary import Json
from evreview.evidence.test_results.model import Exchange, Unreadable

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
        request_headers=_names(recorded.request_headers),
        response_headers=_names(recorded.response_headers),
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


def _names(names: Iterable[str]) -> tuple[str, ...]:
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
