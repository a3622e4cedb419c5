"""Media types and headers of messages: which a documented one covers, and which any message may have."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final


def media_base(media_type: str) -> str:
    """A media type without its parameters, in lower case."""
    return media_type.partition(";")[0].strip().lower()


def covers(stated: str, media_type: str) -> bool:
    """True when a media type or range of the contract stands for a media type."""
    stated, media_type = media_base(stated), media_base(media_type)
    kind = media_type.partition("/")[0]
    return stated in (media_type, "*/*", f"{kind}/*")


def is_json(media_type: str) -> bool:
    """True for JSON and its kin."""
    base = media_base(media_type)
    return base == "application/json" or base.endswith("+json")


def first_covering(stated: Iterable[str], media_type: str) -> str | None:
    """The most exact of the stated media types that stands for one; for "" the only JSON one."""
    every = list(stated)
    if not media_type:
        known = [each for each in every if is_json(each)]
        return known[0] if len(known) == 1 else None
    fitting = [each for each in every if covers(each, media_type)]
    return min(fitting, key=lambda each: each.count("*"), default=None)


ANYWAY: Final = frozenset({
    "accept-ranges", "access-control-allow-origin", "age", "allow", "connection", "content-encoding",
    "content-language", "content-length", "content-type", "date", "keep-alive", "server", "trailer",
    "transfer-encoding", "vary", "via", "www-authenticate",
})  # fmt: skip
"""Headers that servers and the HTTP standard bring along, documented or not."""
