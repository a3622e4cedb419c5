"""Media types: which declared one a message's belongs to, and which plain one stands for a range."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from evreview.contract.model import Element
from evreview.core.vocabulary import Tristate

FORM: Final = "application/x-www-form-urlencoded"
MULTIPART: Final = "multipart/form-data"
_CHARSET: Final = "charset"
_RANGES: Final = {
    "*": "application/json",
    "*/*": "application/json",
    "application/*": "application/json",
    "text/*": "text/plain",
    "image/*": "image/png",
    "audio/*": "audio/mpeg",
    "video/*": "video/mp4",
    "multipart/*": MULTIPART,
}
_UNWRITTEN: Final = re.compile(
    r".*(?:[/+](?:xml|yaml|x-yaml|cbor|json-seq|x-ndjson|ndjson|jsonl|x-jsonlines|event-stream|stream\+json))"
)
"""Formats whose values nothing here writes."""


def media_type_key(written: str) -> str:
    """The media type in one spelling: lower case, parameters sorted by name, no white space around them."""
    kind, *rest = (part.strip().lower() for part in written.split(";"))
    pairs = sorted(part.partition("=")[::2] for part in rest if part)
    return ";".join([kind, *(f"{name.strip()}={value.strip().strip(chr(34))}" for name, value in pairs)])


@lru_cache(maxsize=4096)
def essence(written: str) -> str:
    """Type and subtype in lower case, without parameters."""
    return written.partition(";")[0].strip().lower()


def parameters(written: str) -> frozenset[str]:
    """The parameters that select a representation; `charset` only says how its text is coded."""
    parts = (part.strip().lower().replace('"', "") for part in written.split(";")[1:])
    return frozenset(part for part in parts if part and part.partition("=")[0].strip() != _CHARSET)


def stands_for(key: str) -> str:
    """The media type that a message of a declared one carries: itself, or a usual one of a range."""
    return _RANGES.get(key, key)


def unusual(key: str) -> tuple[str, ...]:
    """Media types of a range that nobody else is likely to name, JSON first."""
    kind = key.partition("/")[0].replace("*", "")
    return (f"{kind or 'application'}/vnd.example+json", f"{kind or 'text'}/vnd.example")


def admitted_by(content_type: str, stated: str) -> bool:
    """True when a part's media type is one of a comma-separated list of types and ranges."""
    return any(_holds(essence(each), essence(content_type)) for each in stated.split(","))


def declared_for(content_type: str, declared: Sequence[Element]) -> tuple[Element | None, Tristate]:
    """The declared media type that a message's belongs to; unknown where parameters differ.

    OpenAPI 3.0.3, section 4.7.13.1, `content`: "only the most specific key is applicable".
    """
    sent, key = essence(content_type), media_type_key(content_type)
    holding = [element for element in declared if _holds(essence(element.key), sent)]

    def rank(element: Element) -> tuple[bool, int, bool]:
        return element.key != key, essence(element.key).count("*"), "*/*" in element.key

    for element in sorted(holding, key=rank):
        if essence(element.key) != sent or parameters(element.key) == parameters(content_type):
            return element, Tristate.YES
    return None, Tristate.UNKNOWN if holding else Tristate.NO


def _holds(key: str, sent: str) -> bool:
    if key in ("*", "*/*", sent):
        return True
    kind, _, subtype = key.partition("/")
    return subtype == "*" and sent.partition("/")[0] == kind


def is_json(content_type: str) -> bool:
    """True for JSON and everything built on it that is one JSON text."""
    kind = essence(content_type)
    subtype = kind.partition("/")[2]
    return kind in ("application/json", "text/json") or subtype.endswith("+json") or subtype.startswith("json+")


def is_unwritten(content_type: str) -> bool:
    """True for a format that nothing here writes or reads."""
    return _UNWRITTEN.fullmatch(essence(content_type)) is not None


def is_text(content_type: str) -> bool:
    """True for text that is one value, whatever its subtype."""
    return essence(content_type).startswith("text/") and not is_unwritten(content_type)


# Media types that contracts state, held against media types that were seen.


def media_fits(stated: str, seen: str) -> bool:
    """True when a documented media type or range covers one that was seen, parameters aside."""
    kind, _, sub = stated.partition(";")[0].strip().lower().partition("/")
    there, _, other = seen.partition(";")[0].strip().lower().partition("/")
    return kind in ("*", there) and sub in ("*", other)
