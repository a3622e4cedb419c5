"""Access logs of one JSON object a line as counts of operations in a period: no address, path or token is kept."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import UTC, date, datetime
from enum import StrEnum
from functools import lru_cache
from typing import Final
from urllib.parse import urlsplit

from evreview.core.errors import BadInput, bad_input
from evreview.core.json_text import mapping, read_json, word
from evreview.core.vocabulary import EvidenceType, Json
from evreview.evidence.files import text_of
from evreview.evidence.imports.model import Imported, Supplied, some, wrong_format

_METHODS: Final = ("method", "request_method", "httpMethod", "http_method", "requestMethod", "RequestMethod", "verb")
_PATHS: Final = (
    "path", "uri", "request_uri", "request_path", "requestPath", "RequestPath", "url", "requestUrl", "target",
)  # fmt: skip
_TIMES: Final = (
    "time", "timestamp", "@timestamp", "time_iso8601", "ts", "start_time", "started_at", "StartUTC", "requestTime",
    "time_local", "datetime", "date",
)  # fmt: skip
_NESTED: Final = ("request", "httpRequest", "http", "req")
"""Members below which some gateways put what they say of the request."""


class UncountedLine(StrEnum):
    """Why lines count for no operation."""

    NO_REQUEST = "lines that are no request"
    NO_TIME = "lines without a time"
    OTHER_DAY = "lines of another day"
    NO_OPERATION = "lines of no operation"


LeftLines = Counter[UncountedLine]
_LINE: Final = re.compile(r"([A-Za-z]+) (\S+)(?: HTTP/[0-9.]+)?")
_CLF: Final = "%d/%b/%Y:%H:%M:%S %z"
_MILLISECONDS: Final = 100_000_000_000
"""A number of seconds this large lies in the year 5138: it counts milliseconds."""
_NUMBERS: Final = 20
"""Numbers of unread lines that are remembered to be named."""


def read(supplied: Supplied) -> Imported:
    """How often each operation stands in the log, on the days from `since` to `until`.

    Raises:
        BadInput: the period ends before it begins, the file is no such log, or no line counts.
    """
    since, until = supplied.options.since, supplied.options.until
    assert since is not None and until is not None
    if until < since:
        raise bad_input("bad-period", f"the period ends on {until}, before it begins", advice="Correct the days")
    uses: Counter[str] = Counter()
    left_out: LeftLines = Counter()
    unread: list[str] = []
    days: set[date] = set()
    lookup = lru_cache(maxsize=100_000)(supplied.reviewed.operation)
    for number, line in _lines(supplied):
        found = _request(line)
        if found is None:
            left_out[UncountedLine.NO_REQUEST] += 1
            unread += [str(number)] if len(unread) < _NUMBERS else []
            continue
        method, path, day = found
        operation = lookup(f"{method} {path}")
        if day is None or not since <= day <= until:
            left_out[UncountedLine.OTHER_DAY if day else UncountedLine.NO_TIME] += 1
        elif operation is None:
            left_out[UncountedLine.NO_OPERATION] += 1
        else:
            uses[operation] += 1
            days.add(day)
    if not uses and set(left_out) <= {UncountedLine.NO_REQUEST}:
        raise wrong_format(supplied, "log of requests", "Name a file with a JSON object a line: method, path and time")
    if not uses:
        told = ", ".join(f"{count} {what}" for what, count in left_out.items())
        raise bad_input("import-empty", f"no line counts: {told}", file=supplied.name, advice="Correct the period")
    return _imported(supplied, uses, tuple(_told(supplied, uses, left_out, unread, (min(days), max(days)))))


def _imported(supplied: Supplied, uses: Mapping[str, int], told: tuple[str, ...]) -> Imported:
    since, until = supplied.options.since, supplied.options.until
    counts: list[Json] = [
        {"element": operation, "since": str(since), "until": str(until), "uses": count}
        for operation, count in sorted(uses.items())
    ]
    return Imported(
        name="imports/gateway-log",
        type=EvidenceType.EXECUTION_AND_APPROVAL,
        record={"kind": "usage-metrics", "counts": counts},
        places=[(f"{supplied.name}: {each['uses']} lines",) for each in counts if isinstance(each, dict)],
        establishes=f"How often operations stand in the log with sha256:{supplied.digest}. Not that the log is "
        "complete, and nothing of an operation that it does not name.",
        told=told,
    )


def _lines(supplied: Supplied) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(text_of(supplied.data, supplied.name).split("\n"), 1):
        if line.strip():
            yield number, line


def _request(line: str) -> tuple[str, str, date | None] | None:
    """Method, path and UTC day of a line, None where it names no request."""
    try:
        entry = mapping(read_json(line.encode(), ""))
    except (BadInput, UnicodeEncodeError):
        return None
    parts = [entry, *(mapping(entry.get(name)) for name in _NESTED)]
    method, target = _first(parts, _METHODS), _first(parts, _PATHS)
    if not (method and target):
        written = next((found for name in _NESTED if (found := _LINE.fullmatch(word(entry.get(name)).strip()))), None)
        if written is None:
            return None
        method, target = written[1], written[2]
    try:
        path = urlsplit(target).path
    except ValueError:
        return None
    if not method.isalpha() or not path.startswith("/"):
        return None
    return method.upper(), path, _day(parts)


def _first(parts: list[Mapping[str, Json]], names: tuple[str, ...]) -> str:
    return next((found for part in parts for name in names if (found := word(part.get(name)).strip())), "")


def _day(parts: list[Mapping[str, Json]]) -> date | None:
    """The UTC day of a line, None where none can be told; a time without a zone tells none."""
    values = (part[name] for part in parts for name in _TIMES if part.get(name) not in (None, ""))
    for value in values:
        moment = _moment(value)
        if moment is not None and moment.tzinfo is not None:
            return moment.astimezone(UTC).date()
    return None


def _moment(value: Json) -> datetime | None:
    try:
        if isinstance(value, int | float) and not isinstance(value, bool):
            return datetime.fromtimestamp(value / 1000 if value > _MILLISECONDS else value, UTC)
        text = word(value).strip()
        return datetime.strptime(text, _CLF) if ":" in text[:12] and "/" in text else datetime.fromisoformat(text)
    except (ValueError, OverflowError, OSError):
        return None


def _told(
    supplied: Supplied,
    uses: Mapping[str, int],
    left_out: Counter[UncountedLine],
    unread: list[str],
    days: tuple[date, date],
) -> Iterator[str]:
    for operation, count in sorted(uses.items()):
        yield f"uses        {operation}: {count}"
    options = supplied.options
    yield f"period      {options.since} to {options.until}; the lines counted are of {days[0]} to {days[1]}"
    for what, count in sorted(left_out.items()):
        yield f"left out    {count} {what}" + (f": {some(unread)}" if what is UncountedLine.NO_REQUEST else "")
    unused = [each for each in supplied.reviewed.operations if each not in uses]
    if unused:
        yield f"no line of {some(unused)}: that they are not used is not said"
