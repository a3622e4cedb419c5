"""Typed bodies of what ran and what was seen: test records and runs, observations, examples, mappings of a diff."""

from __future__ import annotations

import re
from typing import Literal

from pydantic import JsonValue

from evreview.core.vocabulary import Concern
from evreview.evidence.contradictions import failing
from evreview.evidence.item import moves
from evreview.evidence.records.review import EvidenceIdText, Record, Text


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
    """One recorded exchange, redacted before it was supplied."""

    id: Text
    """Usable as a locator."""
    operation: Text
    """`GET /v1/orders/{id}`, of an event contract `send orders.placed`."""
    query: dict[str, str] = {}
    """Query parameters of the request, redacted."""
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


# Examples that the owner of a client supplies: messages that it was written for. Nothing says that they were sent.


class ClientExample(Record):
    """One message of one operation."""

    id: Text
    """Usable as a locator."""
    operation: Text
    """`GET /v1/orders/{id}`, or an operation id."""
    part: Literal["request", "response"] = "response"
    """Whether the client sends or reads it."""
    status: int | None = None
    """Of a response: its status."""
    media_type: Text = "application/json"
    """The content type of the body."""
    body: JsonValue
    """The body as JSON, with invented values."""


class ClientExamples(Record):
    """Content of an evidence item of type `client inventory`: examples for one version of the contract."""

    kind: Literal["client-examples"] = "client-examples"
    client: Text
    """Whose examples they are."""
    contract_version: Text
    """The version of the contract that they were written for; for another one they count for nothing."""
    examples: tuple[ClientExample, ...]
    """The examples."""


# One run of tests whose output another item holds: what formats like JUnit leave out.


class AssertedFact(Record):
    """What one assertion of a test is about."""

    test: Text
    """The test's id as the output names it (a node id, `classname::name`, a request name)."""
    operation: Text
    """The operation, as method and path or operation id."""
    status: int | None = None
    """The response status that it asserts."""
    media_type: Text | None = None
    """The media type that it asserts."""
    field: Text | None = None
    """The field, parameter or header that it asserts, dotted."""
    concern: Concern | None = None
    """The concern, where status and field do not tell."""
    expects: JsonValue = None
    """What it expects, e.g. a body's `code`."""


_LABELS = r"test|local|localhost|internal|invalid|example"
_BEYOND = re.compile(
    r"\b(?:https?|wss?)://(?:[^/@\s]*@)?(?!localhost\b|127\.|0\.0\.0\.0)"
    rf"(?![^/:\s]*\.(?:{_LABELS})(?:[/:\s\'\"]|$))(?P<host>[\w-]+(?:\.[\w-]+)+)",
    re.IGNORECASE,
)
"""A URL of a host with a dot in its name that is neither loopback nor one of a network of its own."""


class TestRun(Record):
    """Content of an evidence item of type `test record`: the run behind a retained output."""

    __test__ = False
    kind: Literal["test-run"] = "test-run"
    output: EvidenceIdText
    """The item that holds the retained output."""
    format: (
        Literal["junit", "pytest-json", "schemathesis-ndjson", "vcr", "har", "newman", "plain", "route-table"] | None
    ) = None
    """Its format; without it the content tells."""
    command: Text | None = None
    """The exact command."""
    revision: Text | None = None
    """The immutable revision of the code that ran."""
    contract: Text | None = None
    """The revision, or `sha256:…`, of the contract that it ran against."""
    environment: Text | None = None
    """The isolated environment."""
    isolated: bool | None = None
    """True when the environment reached nothing outside itself."""
    exit_status: int | None = None
    """The command's exit status."""
    output_sha256: Text | None = None
    """The digest of the retained output when it was written."""
    asserts: tuple[AssertedFact, ...] = ()
    """What the assertions are about, where the output does not say it."""
    from_traffic: bool = False
    """True when the exchanges come from logs or observed traffic; their values need approval before publication."""
    violations: tuple[Text, ...] = ()
    """What the run tried and may not: unexpected network access, a change that was not approved. Its results count for
    nothing then (W3-F5)."""
    plan: Text | None = None
    """`sha256:…` of the execution plan that was run; a corrected plan has another."""
    produced_by: Text | None = None
    """`evreview execute` when this run was made by it."""

    @property
    def reaches(self) -> str:
        """The first host beyond this machine that the command names in a URL, "" for none: no isolated run has one."""
        found = _BEYOND.search(self.command or "")
        return found["host"] if found else ""

    @property
    def is_isolated(self) -> bool:
        """True when the run calls its environment isolated, and its own command does not contradict it."""
        return self.isolated is True and not self.reaches
