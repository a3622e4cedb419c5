"""Path templates of contracts and of code in one spelling: parameters without names, types and patterns."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

_COLON = re.compile(r"(?<=/):[A-Za-z_]\w*")
_ANGLES = re.compile(r"<[^<>/]*(?:/[^<>]*)?>")


@lru_cache(maxsize=8192)
def spelled(path: str) -> str:
    """The template with `{}` for each parameter: `{id}`, `{id:int}`, `{id:[0-9]{3}}`, `<int:id>` and `:id` alike."""
    braced = "".join(_without_names(_ANGLES.sub("{}", path)))
    return _COLON.sub("{}", braced)


def _without_names(path: str) -> Iterator[str]:
    """The parts of a path, whatever stands in balanced braces left out; braces that never close are literal."""
    depth, start = 0, 0
    for at, sign in enumerate(path):
        if sign == "{":
            if depth == 0:
                yield path[start:at]
                start = at
            depth += 1
        elif sign == "}" and depth:
            depth -= 1
            if depth == 0:
                yield "{}"
                start = at + 1
    yield path[start:]


def same_path(one: str, other: str) -> bool:
    """True when two templates match the same paths, as far as their spelling tells."""
    return spelled(one) == spelled(other)


def without_slash(path: str) -> str:
    """The path without a slash at its end."""
    return path.rstrip("/") or "/"
