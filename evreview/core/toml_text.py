"""TOML texts as values, and the lines of their parts, which Python's own reader does not tell."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, time
from typing import Any, Final

from evreview.core.errors import bad_input
from evreview.core.vocabulary import Json

MAX_BYTES: Final = 1024 * 1024
_AT: Final = re.compile(r" \(at (?:line (?P<line>\d+), column \d+|end of document)\)$")
_HEADER: Final = re.compile(r"^\s*(?P<list>\[)?\[(?P<name>[^\[\]]+)\]\]?\s*(?:#.*)?$")
_KEY: Final = re.compile(r"""^\s*+(?P<name>(?:[\w-]++|"[^"]*+"|'[^']*+'|\s*+\.\s*+)++)\s*+=""")
_LONG_TEXT: Final = re.compile(r"""\"{3}(?:[^\\]|\\.)*?"{3,5}|'{3}.*?'{3,5}""", re.S)
_PART: Final = re.compile(r"""[\w-]+|"[^"]*"|'[^']*'""")


def parse_toml(data: bytes, file: str) -> dict[str, Json]:
    """The table that a TOML text holds; days and times as their texts.

    Args:
        data: the bytes of the file.
        file: its name for messages.

    Raises:
        BadInput: `text-too-large`, `text-encoding` or `toml-syntax`, with its line.
    """
    if len(data) > MAX_BYTES:
        raise bad_input("text-too-large", f"more than the {MAX_BYTES:,} bytes that are read", file=file)
    try:
        found = tomllib.loads(data.decode("utf-8"))
    except UnicodeDecodeError:
        raise bad_input("text-encoding", "the text is not UTF-8", file=file, advice="Save it as UTF-8") from None
    except RecursionError:
        raise bad_input("toml-syntax", "values are nested too deeply", file=file) from None
    except ValueError as error:
        said = str(error)
        at = _AT.search(said)
        place = f"line {at['line']}" if at and at["line"] else ""
        raise bad_input("toml-syntax", f"this is no TOML: {_AT.sub('', said)}", file=file, place=place) from None
    return {name: _plain(value) for name, value in found.items()}


def _plain(value: Any) -> Json:
    if isinstance(value, Mapping):
        return {str(name): _plain(each) for name, each in value.items()}
    if isinstance(value, list):
        return [_plain(each) for each in value]
    return value.isoformat() if isinstance(value, date | time) else value


def toml_line(text: str, pointer: str) -> int | None:
    """The line on which the part at a JSON pointer begins, or the nearest part around it that has one.

    Args:
        text: one that `parse_toml` reads.
        pointer: `/a/b/0/c`, also with `#` before it.
    """
    steps = [step.replace("~1", "/").replace("~0", "~") for step in pointer.removeprefix("#").split("/")[1:]]
    found: tuple[int, int] | None = None
    for line, path in _written(text):
        depth = len(path)
        if path == steps[:depth] and depth and (found is None or depth > found[0]):
            found = depth, line
    return found[1] if found else None


def _written(text: str) -> Iterator[tuple[int, list[str]]]:
    """Each line that begins a table or a key, with the path of that."""
    table: list[str] = []
    lists: dict[tuple[str, ...], int] = {}
    without_texts = _LONG_TEXT.sub(lambda found: '""' + "\n" * found[0].count("\n"), text)
    for number, line in enumerate(without_texts.split("\n"), 1):
        if header := _HEADER.match(line):
            name = tuple(_parts(header["name"]))
            if header["list"]:
                lists = {each: at for each, at in lists.items() if each == name or each[: len(name)] != name}
                lists[name] = lists.get(name, -1) + 1
            table = list(_numbered(name, lists))
            yield number, table
        elif key := _KEY.match(line):
            yield number, [*table, *_parts(key["name"])]


def _parts(name: str) -> list[str]:
    return [part.strip("\"'") for part in _PART.findall(name)]


def _numbered(name: Sequence[str], lists: Mapping[tuple[str, ...], int]) -> Iterator[str]:
    """The path of a table: behind the name of a list of tables, which of them."""
    for at, part in enumerate(name, 1):
        yield part
        if tuple(name[:at]) in lists:
            yield str(lists[tuple(name[:at])])
