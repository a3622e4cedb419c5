"""What ran and what was seen: test records, recorded observations, and the mapping of a diff to the contract."""

from __future__ import annotations

from typing import Literal

from pydantic import JsonValue

from evreview.evidence.contradictions import failing
from evreview.evidence.integrity import moves
from evreview.evidence.records.base import EvidenceIdText, Record, Text


class CheckResult(Record):
    """One check with its retained result. Without command, revision, fixture and result it is only proposed."""

    id: Text
    """The check's or test's id, usable as a locator."""
    what: Text
    """What it checks."""
    command: Text | None = None
    """The exact command."""
    revision: Text | None = None
    """The immutable revision it ran at."""
    fixture: Text | None = None
    """The fixture or environment."""
    result: Literal["passed", "failed", "error", "skipped"] | None = None
    """The retained result."""
    output: str = ""
    """Retained output; redacted when printed."""
    client: Text | None = None
    """The client whose parser was executed, for a parser check."""
    path: Text | None = None
    """The route or version that the client requested, for a check of its adoption."""
    boundary: Text | None = None
    """The rollback boundary that was returned to, for a check of the rollback."""
    parses: Literal["released", "candidate"] | None = None
    """Which form the parser or the producer was given."""
    operation: Text | None = None
    """The operation it concerns, under any name that a client's use may have for it."""
    field: Text | None = None
    """The field it concerns, dotted."""
    aspect: Text | None = None
    """The aspect it concerns, from the ledger's vocabulary."""
    direction: Literal["producer", "consumer", "contract"] | None = None
    """Which direction it verifies; `contract` when only the two contracts were compared, which verifies neither."""
    deltas: tuple[Text, ...] = ()
    """Delta ids that it verifies, when known."""

    @property
    def contradicted(self) -> str:
        """The line of its own output that says of a passed check that it failed, "" for none."""
        return failing(self.output) if self.result == "passed" else ""

    @property
    def lacking(self) -> tuple[str, ...]:
        """Which of command, revision, fixture and result are not retained; empty for an executed check.

        A skipped check has no result, one that passed while its own output says otherwise has none that is known, and a
        name that moves is no revision.
        """
        result = None if self.result == "skipped" or self.contradicted else self.result
        revision = None if self.revision and moves(self.revision) else self.revision
        named = {"command": self.command, "revision": revision, "fixture": self.fixture, "result": result}
        return tuple(name for name, value in named.items() if not value)


class TestRecord(Record):
    """Content of an evidence item of type `test record`."""

    __test__ = False
    kind: Literal["test-record"] = "test-record"
    checks: tuple[CheckResult, ...]
    """The checks."""


class Observation(Record):
    """One recorded exchange, sanitized before it was supplied."""

    id: Text
    """Usable as a locator."""
    operation: Text
    """`GET /v1/orders/{id}`, of an event contract `send orders.placed`."""
    query: dict[str, str] = {}
    """Query parameters of the request, sanitized."""
    status: int | None = None
    """The response's status; none for a message of an event contract."""
    message: Text | None = None
    """The name of the message, where an event contract has several there."""
    content_type: Text | None = None
    """The content type of the response or message."""
    headers: dict[str, str] = {}
    """Headers of the response or message."""
    body: JsonValue = None
    """The response body as JSON, or as text; the payload of a message."""
    body_recorded: bool = True
    """False when no body was kept."""
    source: Text = "not recorded"
    """What answered: an environment and a revision."""
    command: Text | None = None
    """How it was obtained."""
    revision: Text | None = None
    """The revision that answered; a commit may be abbreviated to 7 or more hex digits."""
    fixture: Text | None = None
    """The fixture or environment."""
    answers: Literal["released", "candidate"] | None = None
    """Which side answered, as the supplier states it. It never outranks `revision`: the request's implementation
    revision is the candidate, the released contract's commit is the released side, any other one is unknown."""


class Observations(Record):
    """Content of an evidence item of type `execution and approval record` or `test record`: recorded responses."""

    kind: Literal["observations"] = "observations"
    observations: tuple[Observation, ...]
    """The recorded responses."""


class DiffMapping(Record):
    """One changed branch of the implementation, tied to the contract element it implements."""

    path: Text
    """The file in the diff."""
    lines: Text | None = None
    """Lines of the new file, `12-20`; of the old file with a minus sign before: `-12-20`. They reach over no more than
    one symbol. Give them with a quote, or `symbol`."""
    quote: Text | None = None
    """Text that stands there."""
    symbol: Text | None = None
    """In place of lines: the function, method, class or assigned name whose changed lines are meant, in both files."""
    reviewed: bool = True
    """False in a draft that nobody has looked at: it counts for nothing."""
    element: Text
    """The ledger address or a suffix of it, or `none` with a reason."""
    runtime: JsonValue = None
    """What the branch does at runtime, e.g. {"default": 50}; compared with both contracts."""
    facet: Text | None = None
    """Which keyword `runtime` states (`default`, `status`, `content-type`, `nullable`, `enum`, `required`)."""
    why: str = ""
    """The reason, for `element: none`."""


class ImplementationMapping(Record):
    """The reviewer's mapping of an implementation diff (a sidecar of the diff item)."""

    kind: Literal["implementation-mapping"] = "implementation-mapping"
    diff: EvidenceIdText
    """The item that holds the diff."""
    mappings: tuple[DiffMapping, ...]
    """One per changed branch."""
