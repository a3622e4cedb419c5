"""Paths of a repository as an authorization writes them: `src/app.py`, `src/*.py`, `src/**` for everything below."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fnmatch import fnmatchcase
from typing import Final

_WILD: Final = re.compile(r"[*?\[]")
_TOKEN: Final = re.compile(r"[^\s,;`'\"()]+")
_BELOW: Final = "**"


def is_plain(path: str) -> bool:
    """True for a relative POSIX path that stays where it starts."""
    steps = path.split("/")
    outside = path.startswith(("/", "~")) or "\\" in path or "://" in path
    return not outside and ".." not in steps and "." not in steps and "" not in steps[:-1] and path != ""


def covers(allowed: str, path: str) -> bool:
    """True when everything that `path` stands for is allowed; both may hold wildcards."""
    return is_plain(path) and _within(_steps(allowed), _steps(path))


def meets(excluded: str, path: str) -> bool:
    """True when `path` may stand for something excluded. A folder's name excludes what is below it."""
    steps = _steps(excluded)
    ours = _steps(path)
    return _overlap(steps, ours) or (steps[-1:] != (_BELOW,) and _overlap((*steps, _BELOW), ours))


def patterns_in(words: str) -> tuple[str, ...]:
    """The paths that a text names: a text of one word, and every word with a slash or a star in it."""
    tokens = _TOKEN.findall(words)
    if len(tokens) == 1 and len(words.split()) == 1:
        return tuple(token for token in tokens if "://" not in token)
    return tuple(token for token in tokens if ("/" in token or "*" in token) and "://" not in token)


def _steps(path: str) -> tuple[str, ...]:
    steps = path.split("/")
    return (*steps[:-1], _BELOW) if steps[-1] == "" and len(steps) > 1 else tuple(steps)


def _within(allowed: Sequence[str], path: Sequence[str]) -> bool:
    if not allowed:
        return not path
    if allowed[0] == _BELOW:
        # At least one step: `src/**` is what lies below `src`, not `src` itself.
        return bool(path) and any(_within(allowed[1:], path[skip:]) for skip in range(1, len(path) + 1))
    return bool(path) and _step_within(allowed[0], path[0]) and _within(allowed[1:], path[1:])


def _step_within(allowed: str, step: str) -> bool:
    if _WILD.search(step):
        return step != _BELOW and allowed in (step, "*")
    return fnmatchcase(step, allowed)


def _overlap(left: Sequence[str], right: Sequence[str]) -> bool:
    if not left or not right:
        return not left and not right
    for one, other in ((left, right), (right, left)):
        if one[0] == _BELOW:
            return any(_overlap(one[1:], other[skip:]) for skip in range(1, len(other) + 1))
    return _steps_meet(left[0], right[0]) and _overlap(left[1:], right[1:])


def _steps_meet(left: str, right: str) -> bool:
    both_wild = _WILD.search(left) and _WILD.search(right)
    return bool(both_wild) or fnmatchcase(left, right) or fnmatchcase(right, left)
