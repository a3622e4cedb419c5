"""Examples of an entry against the tables of fields printed beside them, as far as these can be read."""

from __future__ import annotations

import html
import json
import math
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from evreview.core.errors import Problem
from evreview.core.frozen import frozen
from evreview.report.markdown import Document, Table, split_row
from evreview.report.output_contract import is_empty_row, violation
from evreview.schema.cross_check_validator import found

_TYPES: Final[Mapping[str, tuple[type, ...]]] = {
    "string": (str,), "integer": (int,), "number": (int, float), "boolean": (bool,), "null": (type(None),),
    "object": (dict,),
}  # fmt: skip
_NUMBER: Final = r"-?\d+(?:\.\d+)?"
_RANGE: Final = re.compile(r"`(?P<low>-?\d+(?:\.\d+)?)` to `(?P<high>-?\d+(?:\.\d+)?)`(?P<unit> \w+)?")
_BOUND: Final = re.compile(rf"(?:at least `(?P<low>{_NUMBER})`|at most `(?P<high>{_NUMBER})`)(?P<unit> \w+)?")
_ONE_OF: Final = re.compile(r"(?:one of|only) (?P<values>`[^`]+`(?:, `[^`]+`)*)")
_MATCHES: Final = re.compile(r"matches `(?P<pattern>[^`]+)`")
_SIZES: Final = {"characters": str, "character": str, "items": list, "item": list}
_ALLOWED: Final = 3
"""Where a table of fields says what values are allowed: behind name, type and need."""
_OF_STATUS: Final = re.compile("the code of the status")
_LISTED: Final = re.compile("array of (?P<each>.+)", re.DOTALL)
_DEPTH: Final = 20
_ITEMS: Final = 100


@frozen
class Example:
    """One fence of an entry: its first line and that line's number, headers, and the body as JSON, None without."""

    first: str
    line: int
    headers: tuple[tuple[str, str], ...]
    body: Any


def examples_in(document: Document, lines: range) -> Iterator[Example]:
    """The fenced examples between two lines."""
    opened = 0
    block: list[str] = []
    for number in lines:
        text = document.lines[number - 1] if number <= len(document.lines) else ""
        if number not in document.literal_lines:
            continue
        if text.startswith("```"):
            if opened and block:
                yield from _examples(block, opened + 1)
            opened, block = (0 if opened else number), []
        elif opened:
            block.append(text)


def _examples(block: list[str], line: int) -> Iterator[Example]:
    """A fence as one example, or as one in each line."""
    bodies = [_json(text) for text in block]
    if len(block) > 1 and all(isinstance(each, dict) for each in bodies):
        yield from (Example(block[at], line + at, (), body) for at, body in enumerate(bodies))
    else:
        yield _example(block, line)


def _example(block: list[str], line: int) -> Example:
    text, first = "\n".join(block), block[0]
    if " HTTP/" not in first and not first.startswith("HTTP/"):
        return Example(first, line, (), _json(text))
    head, _, body = text.partition("\n\n")
    pairs = (each.partition(":") for each in head.split("\n")[1:])
    headers = tuple((name.strip(), value.strip()) for name, sign, value in pairs if sign)
    return Example(first, line, headers, _json(body))


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


class Objects:
    """The tables of fields, by the heading that they stand under; one that stands under several says nothing."""

    def __init__(self, document: Document, header: str, codes: frozenset[str]) -> None:
        self._lines, self._codes = document.lines, codes
        named: dict[str, list[Table]] = {}
        for table in document.tables:
            if table.header == header:
                named.setdefault(table.heading, []).append(table)
        self.named = {name: tables[0] for name, tables in named.items() if len(tables) == 1}

    def problems(self, example: Example, table: Table) -> Iterator[Problem]:
        """Every field of the example's body that its row in the table does not admit."""
        for told in dict.fromkeys(self._members(example.body, table, "", 0)):
            found = f"the example does not fit the table in line {table.line}: {told[:160]}"
            yield violation("said-differently", found, example.line)

    def _members(self, value: Any, table: Table, at: str, depth: int) -> Iterator[str]:
        if not isinstance(value, dict) or depth > _DEPTH:
            return
        for index, row in enumerate(table.rows):
            cells = split_row(self._lines[table.row_line(index) - 1])
            if is_empty_row(row) or not len(row) == len(cells) == len(table.columns) > _ALLOWED:
                continue
            name, needed = row[0].full.strip(), row[2].full.strip()
            where = f"{at}{name}"
            if name not in value and needed == "yes" and not re.search(r"[.\[({]", name):
                yield f"{where} is required"
            elif name in value and needed != "withheld":
                yield from self._field(value[name], row[1].full.strip(), cells[_ALLOWED], where, depth)

    def _field(self, value: Any, kind: str, allowed: str, where: str, depth: int) -> Iterator[str]:
        listed = _LISTED.fullmatch(kind)
        types = [part.split(" (")[0].strip() for part in (listed["each"] if listed else kind).split(" or ")]
        if listed and isinstance(value, list):
            if len(types) == 1 and types[0] in self.named:
                for at, item in enumerate(value[:_ITEMS]):
                    yield from self._members(item, self.named[types[0]], f"{where}[{at}].", depth + 1)
        elif listed or all(part in _TYPES for part in types):
            if listed or not _is_one_of(value, types):
                yield f"{where} is no {kind}"
        elif len(types) == 1 and types[0] in self.named:
            yield from self._members(value, self.named[types[0]], f"{where}.", depth + 1)
        if _OF_STATUS.match(allowed) and self._codes and isinstance(value, str) and value not in self._codes:
            yield f"{where} is one of {', '.join(sorted(self._codes))}"
        if value is not None and not fits(value, allowed):
            yield f"{where} keeps to {allowed}"


def _is_one_of(value: Any, types: list[str]) -> bool:
    own = [part for each in types for part in _TYPES[each]]
    return type(value) in own or (isinstance(value, int) and not isinstance(value, bool) and float in own)


def fits(value: Any, words: str) -> bool:
    """False for a value that what a cell says of its values excludes; words that nobody reads here exclude nothing."""
    told = html.unescape(words.partition("“")[0])
    size: Any = value if isinstance(value, int | float) and not isinstance(value, bool) else None
    for each in _RANGE.finditer(told):
        if not _between(value, size, each["unit"], float(each["low"]), float(each["high"])):
            return False
    for each in _BOUND.finditer(told):
        low, high = float(each["low"] or -math.inf), float(each["high"] or math.inf)
        if not _between(value, size, each["unit"], low, high):
            return False
    if (listed := _ONE_OF.search(told)) and isinstance(value, str):
        return value in re.findall("`([^`]+)`", listed["values"])
    if (pattern := _MATCHES.search(told)) and isinstance(value, str):
        return _matches(pattern["pattern"], value)
    return True


def _between(value: Any, size: Any, unit: str | None, low: float, high: float) -> bool:
    counted = _SIZES.get((unit or "").strip())
    if counted is not None:
        return not isinstance(value, counted) or low <= len(value) <= high
    return bool(unit) or size is None or low <= size <= high


def _matches(pattern: str, value: str) -> bool:
    """False where the expression is read and finds nothing."""
    try:
        return found(pattern, value)
    except (TimeoutError, ValueError, OverflowError, RecursionError):
        return True
