"""The formats of test output that are read: what each tells and what it lacks; and the page that says so."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from evreview.evidence.test_results.model import PROPERTIES, Format
from evreview.evidence.test_results.newman import STATUS_RULES
from evreview.evidence.test_results.read import LINES
from evreview.evidence.test_results.schemathesis import CHECKS


@dataclass(frozen=True, slots=True, kw_only=True)
class FormatNote:
    """One format.

    Attributes:
        tools: what writes it.
        known_by: what in the content tells it.
        case: what one case is, and where its citation points.
        tells: which operations and statuses it tells by itself.
        lacks: what a `test-run` record has to add.
    """

    id: Format
    tools: str
    known_by: str
    case: str
    tells: str
    lacks: str


_WRAPPER: Final = "command, revision, contract, environment, exit status"

FORMATS: Final = (
    FormatNote(
        id="junit",
        tools="pytest `--junitxml`, schemathesis, most other runners",
        known_by="XML whose root is `testsuites` or `testsuite`",
        case="a `testcase`, `classname::name`; lines",
        tells="the operation in a name (`GET /v1/orders/{id}`), and properties",
        lacks=f"{_WRAPPER}; exchanges; what an assertion is about, without properties",
    ),
    FormatNote(
        id="pytest-json",
        tools="pytest-json-report",
        known_by="JSON with `tests`, and `exitcode` or `summary`",
        case="a test, its node id; `#/tests/0`",
        tells="the operation in a node id, `user_properties` and `metadata`",
        lacks=f"{_WRAPPER} as a statement; exchanges",
    ),
    FormatNote(
        id="newman",
        tools="newman `-r json`",
        known_by="JSON with `run.executions`",
        case="an executed request, its name; `#/run/executions/0`",
        tells="the operation of each assertion, `:id` in a path as `{id}`; the status that a test script states",
        lacks=f"{_WRAPPER}",
    ),
    FormatNote(
        id="schemathesis-ndjson",
        tools="schemathesis 4 `--report ndjson`",
        known_by="lines of JSON events, the first `Initialize` or the start of loading",
        case="a generated request, its id; its line",
        tells="operation, status and media type of each check that says something; command, version and seed",
        lacks="revision, contract digest, environment, exit status",
    ),
    FormatNote(
        id="vcr",
        tools="schemathesis `--report vcr`, vcrpy and relatives",
        known_by="YAML or JSON with `http_interactions` or `interactions`",
        case="an interaction; `#/http_interactions/0`",
        tells="method and concrete path; of schemathesis also its checks, command and seed",
        lacks="revision, contract digest, environment, exit status; without checks a verdict",
    ),
    FormatNote(
        id="har",
        tools="browsers, proxies, schemathesis `--report har`",
        known_by="JSON with `log.entries`",
        case="an entry, `entry-0`; `#/log/entries/0`",
        tells="method, concrete path, status, media type; no verdict, so its cases are `recorded`",
        lacks=f"{_WRAPPER}; a verdict",
    ),
    FormatNote(
        id="route-table",
        tools="`evreview execute` with a plan that has `routes`",
        known_by="the record's `format` only",
        case="none: it is an observation, and no case",
        tells="the application's routes, in the `route-table` item beside it",
        lacks="nothing: `execute` writes the record",
    ),
    FormatNote(
        id="plain",
        tools="pytest `-v` and `-rA`, TAP, `unittest -v`, `go test -v`",
        known_by="any other text",
        case="a line that says how a test ended; that line",
        tells="the operation in a name",
        lacks=f"{_WRAPPER}; exchanges; what an assertion is about",
    ),
)


def results_page() -> str:
    """`docs/test-results.md`: the formats and the rules by which they tell something."""
    parts = [_HEAD, _formats(), _OPERATIONS, _properties(), _NEWMAN, _statuses(), _CHECKS, _checks(), _PLAIN, _lines()]
    return "\n".join(parts).rstrip() + "\n"


_HEAD: Final = """# Test results

What evreview takes from the retained output of a test run, format by format. This page is made from the code.
The output itself is one evidence item; a `test-run` record beside it adds what the formats lack
(see [the bundle format](bundle-format.md)).

Three things hold for every format:

- The content decides the format. What can't be read is named with its place; a file of which nothing can be read is
  refused, and so is XML with a document type or entities.
- Names only are taken of headers and query parameters, and of a body only a JSON response body, to be judged and never
  printed. Request bodies, cookies, hosts and header values are not read.
- A case is `passed`, `failed`, `error`, `skipped` or `recorded`. `recorded` is an exchange without any assertion. An
  expected failure counts as skipped. A test that is reported twice counts with its worst outcome.
"""
_OPERATIONS: Final = """
## What tells the operation

A test function's name tells nothing. A name that holds exactly one `METHOD /path` tells the operation, and with a
status right behind it the status: `test_read[GET /v1/orders/{id} 404]`. Properties of a test case (`record_property`
of pytest) tell the rest and go before the name; each `operation` begins an assertion.
"""
_NEWMAN: Final = """
## Statuses in newman's test scripts

Scripts are read as text. A named `pm.test` that states one status in one of these ways asserts it; comments do not.
"""
_CHECKS: Final = """
## Checks of schemathesis

Schemathesis writes a check as passed also where it had nothing to check. So a pass counts always, in cases generated to
be valid (positive) or invalid (negative), or never; a failure always counts. Own checks count when they fail.
"""
_PLAIN: Final = """
## Lines of plain records

All other lines are prose. A plan (`1..4`) or pytest's closing line that states more tests than have a line is named.
"""


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = [head, tuple("---" for _ in head), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)


def _code(text: str) -> str:
    return f"`{text}`" if text else "nothing"


def _formats() -> str:
    head = ("Format", "Written by", "Known by", "One case", "Tells", "Lacks")
    return _table(head, ((_code(f.id), f.tools, f.known_by, f.case, f.tells, f.lacks) for f in FORMATS))


def _properties() -> str:
    rows = ((_code(rule.id), rule.why, _code(rule.example), _code(rule.counter)) for rule in PROPERTIES)
    return _table(("Property", "Says", "Example", "Says nothing"), rows)


def _statuses() -> str:
    rows = ((_code(rule.id), rule.why, _code(rule.example), _code(rule.counter)) for rule in STATUS_RULES)
    return _table(("Rule", "What it is", "States 404", "Does not"), rows)


def _checks() -> str:
    rows = (
        (_code(rule.id), rule.why, rule.passes, rule.concern or "of the response", rule.example, rule.counter)
        for rule in CHECKS
    )
    return _table(("Check", "Says", "A pass counts", "Concern", "Fails", "Does not fail"), rows)


def _lines() -> str:
    rows = ((_code(rule.id), rule.why, _code(rule.example), _code(rule.counter)) for rule in LINES)
    return _table(("Rule", "Why", "Example", "Prose"), rows)
