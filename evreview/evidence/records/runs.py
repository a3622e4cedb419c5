"""One run of tests whose output another item holds: what formats like JUnit leave out."""

from __future__ import annotations

import re
from typing import Literal

from pydantic import JsonValue

from evreview.core.vocabulary import Concern
from evreview.evidence.records.base import EvidenceIdText, Record, Text


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
