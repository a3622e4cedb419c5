"""JSON bytes in, plain values out, every digit and key kept or refused; and when two values are one."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Final

import orjson

from evreview.core.errors import BadInput, bad_input
from evreview.core.limits import MAX_DEPTH
from evreview.core.vocabulary import Json

# JSON values by themselves: when two are one and the same, their text, and which names a value holds.

sorted_text: Final[Callable[[Json], str]] = json.JSONEncoder(sort_keys=True).encode
"""One text per value, whatever the order of keys. `json.dumps` would make such an encoder anew for each of them."""


_LINE: Final = 100


def folded_text(value: Json, *, sort_keys: bool = False) -> str:
    """The value as JSON text for people: what fits a line stands on one, brackets stand beside the first and last."""
    return "\n".join(_folded(value, "", sort_keys))


def _folded(value: Json, indent: str, sort_keys: bool) -> list[str]:
    short = json.dumps(value, ensure_ascii=False, sort_keys=sort_keys)
    if len(indent) + len(short) <= _LINE or not isinstance(value, dict | list) or not value:
        return [short]
    opens, closes = "{}" if isinstance(value, dict) else "[]"
    named = list(value.items()) if isinstance(value, dict) else [("", each) for each in value]
    deeper = indent + " "
    parts = []
    for name, each in sorted(named) if sort_keys and opens == "{" else named:
        first, *rest = _folded(each, deeper, sort_keys)
        parts.append([f"{json.dumps(name, ensure_ascii=False)}: {first}" if opens == "{" else first, *rest])
    lines = _filled(parts, deeper)
    lines[0] = opens + lines[0].lstrip(" ")
    lines[-1] += closes
    return lines


def _filled(parts: list[list[str]], indent: str) -> list[str]:
    """Members one after the other, those of one line together while they fit."""
    out: list[str] = []
    open_line = False
    for at, lines in enumerate(parts):
        lines[-1] += "," if at < len(parts) - 1 else ""
        if open_line and len(lines) == 1 and len(out[-1]) + len(lines[0]) < _LINE:
            out[-1] += f" {lines[0]}"
        else:
            out += [indent + lines[0], *lines[1:]]
        open_line = len(lines) == 1
    return out


def same(one: Json, other: Json) -> bool:
    """True for equal JSON values, as JSON Schema compares them."""
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(value, other[name]) for name, value in one.items())
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, (int, float)) and isinstance(other, (int, float)):
        return one == other
    return type(one) is type(other) and one == other


def names_in(instance: Json) -> Iterator[str]:
    """The names of all members in a value, at any depth."""
    stack = [instance]
    while stack:
        node = stack.pop()
        if isinstance(node, dict):
            yield from node
            stack.extend(node.values())
        elif isinstance(node, list):
            stack.extend(node)


def list_or_empty(value: Json) -> list[Json]:
    """A list as it is, an empty one for anything else."""
    return value if isinstance(value, list) else []


def texts_of(value: Json) -> list[str]:
    """The items of a list as texts, none of anything else."""
    return [str(each) for each in list_or_empty(value)]


def mapping(value: object) -> Mapping[str, Json]:
    """The value when it is an object, else an empty one."""
    return value if isinstance(value, Mapping) else {}


def listed(value: object) -> Sequence[Json]:
    """The value when it is a list, else an empty one."""
    return value if isinstance(value, list) else ()


def word(value: object) -> str:
    """The value when it is a string, else ""."""
    return value if isinstance(value, str) else ""


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


# Numbers with more digits than the fast parsers keep: whole ones are read again, fractions are marked as not kept.


_DIGITS: Final = bytes.maketrans(b".123456789", b"0000000000")
_LONG: Final = b"0" * 16
"""Fifteen digits survive in every double, and eighteen in 64 bits."""
_NUMBER: Final = re.compile(rb"-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]{1,3})?(?=[\s,\]}]|\Z)")
_BEFORE: Final = b" \t\r\n:[,"
_BOUNDS: Final = frozenset(
    {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "const", "enum"}
)


class Inexact(float):
    """A number that a schema demands and of which only the nearest double is known; its text tells it from others."""

    __slots__ = ("written",)
    written: str

    def __new__(cls, value: float, written: str) -> Inexact:
        """The double nearest to the number, with the number's text."""
        made = super().__new__(cls, value)
        made.written = written
        return made

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Inexact) and other.written == self.written

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(self.written)

    def __repr__(self) -> str:
        return self.written


def exactly(value: Json, data: bytes, again: Callable[[bytes], Json] | None = None) -> Json:
    """The value with the digits that its text has.

    Args:
        value: what a parser made of the text.
        data: the text; JSON, or YAML.
        again: a slower parser that keeps whole numbers of any size, where the first one does not.

    Returns:
        The value; fractions below a keyword of schemas that a double does not hold are `Inexact`.
    """
    lost: dict[float, str] = {}
    beyond = False
    for text in _long_numbers(data):
        exact = Decimal(text)
        if text.lstrip("-").isdigit():
            beyond = beyond or not -(2**63) <= exact < 2**64
        elif exact != Decimal(repr(float(text))):
            lost[float(text)] = " or ".join(sorted({*lost.get(float(text), text).split(" or "), text}))
    if beyond and again is not None:
        value = again(data)
    return _marked(value, lost) if lost else value


def _long_numbers(data: bytes) -> Iterator[str]:
    """Every number of many digits in a text, and a few that stand in prose."""
    digits = data.translate(_DIGITS)
    end = 0
    while (start := digits.find(_LONG, end)) >= 0:
        end = start + len(_LONG)
        begin = start - 1 if data[start - 1 : start] == b"-" else start
        if begin == 0 or data[begin - 1] in _BEFORE:
            found = _NUMBER.match(data, begin)
            if found is not None:
                yield found.group().decode()
                end = max(end, found.end())
                continue
        while end < len(digits) and digits[end] == _LONG[0]:
            end += 1


def _marked(value: Json, lost: Mapping[float, str]) -> Json:
    """The value, `Inexact` in the place of what its text has more digits for, below keywords of schemas alone."""
    stack = [value]
    while stack:
        node = stack.pop()
        if isinstance(node, dict):
            for key, member in node.items():
                if key in _BOUNDS and isinstance(member, (float, list)):
                    node[key] = _mark(member, lost)
                elif isinstance(member, (dict, list)):
                    stack.append(member)
        elif isinstance(node, list):
            stack += [member for member in node if isinstance(member, (dict, list))]
    return value


def _mark(value: Json, lost: Mapping[float, str]) -> Json:
    if isinstance(value, float) and value in lost:
        return Inexact(value, lost[value])
    return [_mark(member, lost) for member in value] if isinstance(value, list) else value


def whole(value: float) -> int:
    """The whole number that a double stands for: beyond 64 bits the one of its shortest text, as 10^23 for 1e23."""
    return int(value) if abs(value) < 2**64 or isinstance(value, int) else int(Decimal(repr(value)))


def spelled(value: Json) -> Json:
    """The value with the texts of what is `Inexact` in it."""
    if isinstance(value, Inexact):
        return value.written
    if isinstance(value, Mapping):
        return {key: spelled(member) for key, member in value.items()}
    return [spelled(member) for member in value] if isinstance(value, list) else value


def exact_json(data: bytes) -> Json:
    """The value of a JSON text that is known to be one, whole numbers of any size kept."""
    value: Json = json.loads(data)
    return value
