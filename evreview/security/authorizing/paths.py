"""Paths of a repository as an authorization writes them: `src/app.py`, `src/*.py`, `src/**` for everything below."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from itertools import product
from typing import Final

_WILD: Final = re.compile(r"[*?\[]")
_TOKEN: Final = re.compile(r"[^\s,;`'\"()]+")
_FILE: Final = re.compile(r"[\w-]+(?:\.[\w-]+)*\.[A-Za-z][A-Za-z0-9]{0,7}")
_BELOW: Final = "**"
_MOST_STEPS: Final = 200


def is_plain(path: str) -> bool:
    """True for a relative POSIX path that stays where it starts."""
    steps = path.split("/")
    outside = path.startswith(("/", "~")) or "\\" in path or "://" in path
    return not outside and ".." not in steps and "." not in steps and "" not in steps[:-1] and path != ""


def covers(allowed: str, path: str) -> bool:
    """True when everything that `path` stands for is allowed; both may hold wildcards."""
    return is_plain(path) and not _is_long(allowed, path) and _within(_steps(allowed), _steps(path))


def meets(excluded: str, path: str) -> bool:
    """True when `path` may stand for something excluded. A folder's name excludes what is below it."""
    if _is_long(excluded, path):
        return True
    steps = _steps(excluded)
    ours = _steps(path)
    return _overlap(steps, ours) or (steps[-1:] != (_BELOW,) and _overlap((*steps, _BELOW), ours))


def patterns_in(words: str) -> tuple[str, ...]:
    """The paths that a text names: a text of one word, and every word with a slash, a star or a file's ending.

    A file's name without a folder stands for every file of that name.
    """
    tokens = [token.rstrip(".:!?") for token in _TOKEN.findall(words) if "://" not in token]
    alone = len(tokens) == 1 and len(words.split()) == 1
    named = [token for token in tokens if alone or "/" in token or "*" in token or _FILE.fullmatch(token)]
    anywhere = [f"{_BELOW}/{token}" for token in named if "/" not in token and _FILE.fullmatch(token)]
    return tuple(dict.fromkeys((*named, *anywhere)))


def _is_long(*paths: str) -> bool:
    """True for a path with more steps than anybody has; it covers nothing and meets everything."""
    return any(path.count("/") >= _MOST_STEPS for path in paths)


def _steps(path: str) -> tuple[str, ...]:
    steps = path.split("/")
    return (*steps[:-1], _BELOW) if steps[-1] == "" and len(steps) > 1 else tuple(steps)


def _within(allowed: Sequence[str], path: Sequence[str]) -> bool:
    """Whether the pattern takes the whole path; `**` takes one step or more, so `src/**` is not `src` itself."""
    reached = {0}
    for step in path:
        reached = {after for at in reached for after in _after(allowed, at, step)}
    return len(allowed) in reached


def _after(allowed: Sequence[str], at: int, step: str) -> Iterator[int]:
    if at < len(allowed) and allowed[at] == _BELOW:
        yield from (at, at + 1)
    elif at < len(allowed) and _step_within(allowed[at], step):
        yield at + 1


def _step_within(allowed: str, step: str) -> bool:
    if _WILD.search(step):
        return step != _BELOW and allowed in (step, "*")
    return fnmatchcase(step, allowed)


def _overlap(left: Sequence[str], right: Sequence[str]) -> bool:
    """Whether some path is taken by both patterns."""
    waiting, seen = [(0, 0)], {(0, 0)}
    while waiting:
        one, other = waiting.pop()
        if (one, other) == (len(left), len(right)):
            return True
        if one == len(left) or other == len(right):
            continue
        if _BELOW in (left[one], right[other]) or _steps_meet(left[one], right[other]):
            for pair in product(_next(left, one), _next(right, other)):
                if pair not in seen:
                    seen.add(pair)
                    waiting.append(pair)
    return False


def _next(pattern: Sequence[str], at: int) -> tuple[int, ...]:
    return (at, at + 1) if pattern[at] == _BELOW else (at + 1,)


def _steps_meet(left: str, right: str) -> bool:
    both_wild = _WILD.search(left) and _WILD.search(right)
    return bool(both_wild) or fnmatchcase(left, right) or fnmatchcase(right, left)
