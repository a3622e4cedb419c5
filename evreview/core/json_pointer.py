"""JSON pointers: written, read and followed; and on which line of a text they lead.

A pointer here is `/a/b~1c/0`; with `#` before it, it is the place of a problem.
"""

from __future__ import annotations

import json
import re
from array import array
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import Final

from evreview.core.frozen import frozen
from evreview.core.vocabulary import ABSENT, Form, Json

Step = str | int


def pointer(steps: Iterable[Step]) -> str:
    """The steps as a JSON pointer: `("a", "b/c", 0)` becomes `/a/b~1c/0`."""
    return "".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in steps)


def place(steps: Iterable[Step]) -> str:
    """The steps as the place of a problem: `#/a/b`."""
    return f"#{pointer(steps)}"


def steps_of(text: str) -> tuple[str, ...] | None:
    """The steps of a pointer, None when the text is not one."""
    if not text:
        return ()
    if not text.startswith("/"):
        return None
    if "~" not in text:
        return tuple(text[1:].split("/"))
    return tuple(part.replace("~1", "/").replace("~0", "~") for part in text[1:].split("/"))


def follow(value: Json, text: str) -> Form:
    """What stands at a pointer in a document, `ABSENT` when nothing does."""
    steps = steps_of(text)
    if steps is None:
        return ABSENT
    current: Form = value
    for step in steps:
        current = _child(current, step)
        if current is ABSENT:
            return ABSENT
    return current


_DIGITS: Final = frozenset("0123456789")


def _child(value: Form, step: str) -> Form:
    # Documents hold plain dicts; asking for the abstract type first takes four times as long.
    if isinstance(value, (dict, Mapping)):
        return value.get(step, ABSENT)
    if isinstance(value, Sequence) and not isinstance(value, str):
        is_index = bool(step) and _DIGITS.issuperset(step) and (step == "0" or not step.startswith("0"))
        if is_index and len(step) < 10 and int(step) < len(value):
            return value[int(step)]
    return ABSENT


# The line of a place, for messages and locations: it looks only where the pointer leads.
#
# JSON is followed exactly, YAML through its block style; inside flow style, behind an alias or a merge key the line is
# that of the nearest part around it.


_SPACE: Final = re.compile(rb"[ \t\r\n]*")
_WRITTEN: Final = rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"'
_STRING: Final = re.compile(_WRITTEN, re.DOTALL)
_BRACKET: Final = re.compile(rb'(?:[^"{}\[\]]++|' + _WRITTEN + rb")*+([{}\[\]])", re.DOTALL)
"""Up to the next bracket that stands in no string; nothing when a string does not end."""
_ATOM: Final = re.compile(rb"[^,\]}\s]*")
_NOTHING: Final[Mapping[str, int]] = MappingProxyType({})


def json_line(data: bytes, steps: Sequence[str]) -> int | None:
    """The line of the value that the steps lead to in a JSON text; for a member the line of its key."""
    at, shown = _after_space(data, 0), 0
    for step in steps:
        found = json_members(data, at).get(step)
        if found is None:
            return None
        shown, at = found, _value_at(data, found)
    return bisect_left(_line_ends(data), shown if steps else at) + 1


@lru_cache(maxsize=4)
def _line_ends(data: bytes) -> array[int]:
    """Where the lines end: a large text is asked for thousands of its parts."""
    return array("Q", (match.start() for match in re.finditer(b"\n", data)))


@lru_cache(maxsize=4096)
def json_members(data: bytes, at: int) -> Mapping[str, int]:
    """Where each member of the object or list at an offset begins: at its key, or at the item."""
    opening = data[at : at + 1]
    if opening not in (b"{", b"["):
        return _NOTHING
    found: dict[str, int] = {}
    here = _after_space(data, at + 1)
    while here < len(data) and data[here : here + 1] not in (b"}", b"]"):
        name = str(len(found))
        if opening == b"{":
            key = _STRING.match(data, here)
            if key is None:
                return found
            name = json.loads(key.group())
        found[name] = here
        here = _after_space(data, _skip(data, _value_at(data, here) if opening == b"{" else here))
        if data[here : here + 1] == b",":
            here = _after_space(data, here + 1)
    return found


def _after_space(data: bytes, at: int) -> int:
    match = _SPACE.match(data, at)
    return match.end() if match else at


def _value_at(data: bytes, at: int) -> int:
    """Where the value of a member begins, for an item where it begins itself."""
    key = _STRING.match(data, at)
    if key is None:
        return at
    colon = _after_space(data, key.end())
    return _after_space(data, colon + 1) if data[colon : colon + 1] == b":" else at


def _skip(data: bytes, at: int) -> int:
    """Where the value at an offset ends."""
    if data[at : at + 1] not in (b"{", b"["):
        match = _STRING.match(data, at) or _ATOM.match(data, at)
        return max(match.end() if match else at, at + 1)
    depth = 0
    while (token := _BRACKET.match(data, at)) is not None:
        at = token.end()
        depth += 1 if token[1] in (b"{", b"[") else -1
        if depth == 0:
            return at
    return len(data)


_KEY: Final = re.compile(
    r"""(?:[&!][^\s]*[ \t]+)*(?:"(?P<double>(?:[^"\\]|\\.)*)"|'(?P<single>(?:[^']|'')*)'|(?P<plain>[^\s#"'\[{].*?))"""
    r"""[ \t]*:(?=\s|$)[ \t]*(?P<rest>.*)"""
)


_MAX_KEY: Final = 1024
"""YAML allows no longer key in front of a colon."""


@frozen
class _Block:
    """Lines [start, end) of a text. The first begins at column `indent`, what stands before that is not part of it."""

    start: int
    end: int
    indent: int


def yaml_line(text: str, steps: Sequence[str]) -> int | None:
    """The line of the part that the steps lead to in a YAML text, or of the nearest part around it."""
    lines = _split(text)
    block = _block(lines, 0, len(lines))
    if block.start >= len(lines):
        return None
    shown = block.start
    for step in steps:
        found = _parts(text, block).get(step)
        if found is None:
            break
        shown, block = found
    return shown + 1


def yaml_duplicate(text: str, key: str) -> int | None:
    """The line where a block mapping names the key for the second time, None when that can't be told."""
    lines = _split(text)
    waiting = [_block(lines, 0, len(lines))]
    while waiting:
        block = waiting.pop()
        seen = [name for name, _, _ in _members(lines, block)]
        if seen.count(key) > 1:
            return [at for name, at, _ in _members(lines, block) if name == key][1] + 1
        waiting.extend(below for _, _, below in _members(lines, block))
    return None


@lru_cache(maxsize=4)
def _split(text: str) -> tuple[str, ...]:
    return tuple(text.split("\n"))


@lru_cache(maxsize=4096)
def _parts(text: str, block: _Block) -> Mapping[str, tuple[int, _Block]]:
    found: dict[str, tuple[int, _Block]] = {}
    for name, at, below in _members(_split(text), block):
        found.setdefault(name, (at, below))
    return found


def _members(lines: tuple[str, ...], block: _Block) -> list[tuple[str, int, _Block]]:
    """Name, line and content of every member of a block mapping or sequence."""
    if block.start >= block.end:
        return []
    is_list = _is_item(lines[block.start][block.indent :])
    heads = [at for at in range(block.start, block.end) if _is_head(lines, block, at, is_list=is_list)]
    found: list[tuple[str, int, _Block]] = []
    for head, stop in zip(heads, [*heads[1:], block.end], strict=False):
        text = lines[head][block.indent :]
        if is_list:
            rest = text[1:].lstrip(" ")
            column = block.indent + len(text) - len(rest)
            inner = _Block(head, stop, column) if rest else _block(lines, head + 1, stop)
            found.append((str(len(found)), head, inner))
            continue
        key = _KEY.match(text[:_MAX_KEY])
        if key is not None:
            plain = _is_open(key["rest"])
            found.append((_name(key), head, _block(lines, head + 1, stop) if plain else _Block(stop, stop, 0)))
    return found


def _is_head(lines: tuple[str, ...], block: _Block, at: int, *, is_list: bool) -> bool:
    line = lines[at]
    if at != block.start and (line[: block.indent].strip() or len(line) <= block.indent):
        return False
    text = line[block.indent :]
    return not text.startswith((" ", "#", "\r")) and _is_item(text) == is_list and text != ""


def _is_item(text: str) -> bool:
    return text.startswith("- ") or text.rstrip("\r") == "-"


def _is_open(rest: str) -> bool:
    """True when a member's content stands on the lines below: nothing follows the key, or only an anchor or tag."""
    return not re.sub(r"(?:[&!][^\s]*|#.*)\s*", "", rest).strip()


def _block(lines: tuple[str, ...], start: int, end: int) -> _Block:
    """The block that begins with the first line that holds something."""
    for at in range(start, end):
        text = lines[at].strip()
        if text and not text.startswith(("#", "%", "---")):
            return _Block(at, end, len(lines[at]) - len(lines[at].lstrip(" ")))
    return _Block(end, end, 0)


def _name(key: re.Match[str]) -> str:
    if key["double"] is not None:
        try:
            return str(json.loads(f'"{key["double"]}"'))
        except ValueError:
            return key["double"]
    return key["single"].replace("''", "'") if key["single"] is not None else key["plain"]
