"""JSON bytes in, plain values out. The fast road; `text` decides when a text takes it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Final

import orjson

from evreview.core.errors import BadInput, bad_input
from evreview.core.json_text import exact_json, exactly
from evreview.core.limits import MAX_DEPTH
from evreview.core.vocabulary import Json

_KEY_END: Final = re.compile(rb'"[ \t\r\n]*:')


def read_json(data: bytes, file: str) -> Json:
    """The value that a JSON text holds.

    Raises:
        BadInput: `json-syntax`, `text-too-deep` or `duplicate-key`.
    """
    try:
        value: Json = orjson.loads(data)
    except orjson.JSONDecodeError as error:
        raise _syntax(error, data, file) from None
    except RecursionError:
        raise _too_deep(file) from None
    if _written_back(value, data, file):
        return value
    _refuse_duplicates(value, data, file)
    return exactly(value, data, exact_json)


def _syntax(error: orjson.JSONDecodeError, data: bytes, file: str) -> BadInput:
    if "depth limit" in error.msg or "recursion" in error.msg.lower():
        return _too_deep(file)
    cut = error.pos >= len(data.rstrip()) - 1
    found = "the JSON text ends too early" if cut else f"not JSON: {error.msg}"
    advice = "check that the file is complete" if cut else "correct the syntax at this place"
    return bad_input("json-syntax", found, file=file, place=f"line {error.lineno}, column {error.colno}", advice=advice)


def _too_deep(file: str) -> BadInput:
    return bad_input(
        "text-too-deep",
        f"nested deeper than {MAX_DEPTH} levels",
        file=file,
        advice="no contract needs this; check where the file comes from",
    )


def _written_back(value: Json, data: bytes, file: str) -> bool:
    """True when writing the value out again gives the same bytes: no key and no digit was lost."""
    text = data.strip()
    try:
        return orjson.dumps(value, option=orjson.OPT_INDENT_2) == text or orjson.dumps(value) == text
    except orjson.JSONEncodeError:
        raise _too_deep(file) from None


def _refuse_duplicates(value: Json, data: bytes, file: str) -> None:
    """Nothing when no object names a key twice.

    orjson keeps the last of two equal keys without a word. An equal count of keys proves that there are none; only
    when that fails, the slow exact parser looks.
    """
    # The pattern also matches inside strings, so this can only be too many, never too few.
    if sum(1 for _ in _KEY_END.finditer(data)) == _count_keys(value):
        return
    key = _first_duplicate(data)
    if key is not None:
        raise _duplicate(key, data, file)


def _count_keys(value: Json) -> int:
    count = 0
    stack = [value]
    while stack:
        node = stack.pop()
        if type(node) is dict:
            count += len(node)
            stack.extend(node.values())
        elif type(node) is list:
            stack.extend(node)
    return count


class _Duplicate(Exception):
    """Carries the key out of the parser's hook."""


def _unique_pairs(pairs: list[tuple[str, object]]) -> dict[str, object]:
    members = dict(pairs)
    if len(members) != len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise _Duplicate(key)
            seen.add(key)
    return members


def _first_duplicate(data: bytes) -> str | None:
    try:
        json.loads(data, object_pairs_hook=_unique_pairs)
    except _Duplicate as found:
        return str(found.args[0])
    return None


def _duplicate(key: str, data: bytes, file: str) -> BadInput:
    line = next((number for name, number in _second_keys(data) if name == key), None)
    return bad_input(
        "duplicate-key",
        f"the key {json.dumps(key, ensure_ascii=False)} stands twice in one object",
        file=file,
        place=f"line {line}" if line else "",
        advice="keep one of the two",
    )


def _second_keys(data: bytes) -> Iterator[tuple[str, int]]:
    """(key, line) of every key that its object already has."""
    objects: list[set[str]] = []
    for match in re.finditer(rb'[{}]|"(?:[^"\\]|\\.)*"(?:[ \t\r\n]*:)?', data, re.DOTALL):
        token = match.group()
        if token == b"{":
            objects.append(set())
        elif token == b"}":
            objects.pop()
        elif token.endswith(b":") and objects:
            name = json.loads(token[: token.rindex(b'"') + 1])
            if name in objects[-1]:
                yield name, data.count(b"\n", 0, match.start()) + 1
            objects[-1].add(name)
