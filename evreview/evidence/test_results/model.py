"""What a retained test output says: cases, how they ended, and the exchanges that it recorded."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Literal

from evreview.core.vocabulary import Concern, Json
from evreview.evidence.cited_records import Cited
from evreview.evidence.item import Citation
from evreview.evidence.records.runs import TestRun

Outcome = Literal["passed", "failed", "error", "skipped", "recorded"]
"""How a case ended. `recorded`: an exchange took place and the output asserts nothing about it (HAR, VCR)."""
Format = Literal["junit", "pytest-json", "schemathesis-ndjson", "vcr", "har", "newman", "plain", "route-table"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """One recorded request and response: names and shapes, never values of headers.

    Attributes:
        method, path: of the request; the path without scheme, host and query.
        status: of the response, None when there was none.
        media_type: of the response, without parameters, "" when not recorded.
        query, request_headers, response_headers: names only, lower case for headers.
        body: the response body when the format records one and it is JSON; judged, never printed.
        body_recorded: False when no body was kept.
        locator: where it stands in the output, as a citation's locator (`#/log/entries/3`, `:L12`).
    """

    method: str
    path: str
    status: int | None
    locator: str
    media_type: str = ""
    query: tuple[str, ...] = ()
    request_headers: tuple[str, ...] = ()
    response_headers: tuple[str, ...] = ()
    body: Json = field(default=None, repr=False)
    body_recorded: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Assertion:
    """What one assertion is about, as far as output or wrapper tell. "" and None mean not told.

    Attributes:
        operation: `GET /v1/orders/{id}` or an operation id.
        outcome: of this assertion, or of its case when the format has no finer one.
        expects: what it expects, as stated.
    """

    operation: str
    outcome: Outcome
    what: str = ""
    status: int | None = None
    media_type: str = ""
    field: str = ""
    concern: Concern | None = None
    expects: Json = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One test case.

    Attributes:
        id: as the output names it; unique within the output.
        what: its name or description.
        outcome: how it ended.
        message: why it failed, as recorded; untrusted.
        locator: where it stands in the output.
        assertions, exchanges: what it says about operations.
    """

    id: str
    what: str
    outcome: Outcome
    locator: str
    message: str = ""
    assertions: tuple[Assertion, ...] = ()
    exchanges: tuple[Exchange, ...] = ()


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A part of an output that could not be read: where, what was found, what to do.

    `lost`: how a case ended may stand there and be lost, a failure as well as a success.
    """

    locator: str
    found: str
    advice: str = ""
    lost: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Results:
    """One retained output. `command`, `tool`, `seed` and `started` (as written) are "" where the format holds none."""

    format: Format
    cases: tuple[Case, ...]
    command: str = ""
    tool: str = ""
    seed: str = ""
    started: str = ""
    unread: tuple[Unreadable, ...] = ()

    @property
    def day(self) -> str:
        """The UTC day on which it started, "" when it names none; without a zone the day as it stands."""
        try:
            moment = datetime.fromisoformat(self.started.strip())
            return (moment.astimezone(UTC) if moment.tzinfo else moment).date().isoformat()
        except (ValueError, OverflowError):
            return ""


def latest(moments: Iterable[str]) -> str:
    """The last of several moments as written, "" for none; unreadable ones only when nothing else is there."""
    known = [each for each in moments if each.strip()]
    return max(known, key=lambda each: (Results(format="plain", cases=(), started=each).day, each), default="")


@dataclass(frozen=True, slots=True, kw_only=True)
class RetainedRun:
    """One run: its wrapper, and its output as read."""

    record: Cited[TestRun]
    results: Results

    def at(self, locator: str) -> Citation:
        """A citation of a place in the retained output."""
        return Citation(self.record.record.output, locator)
