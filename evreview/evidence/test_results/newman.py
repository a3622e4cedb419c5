"""The JSON report of newman: one case per executed request, with its assertions and its exchange."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from evreview.core.json_text import listed, mapping, word
from evreview.core.vocabulary import Json
from evreview.evidence.test_results.http_archive import Recorded, exchange
from evreview.evidence.test_results.model import (
    MAX_CASES,
    Assertion,
    Case,
    Exchange,
    Outcome,
    Results,
    Unreadable,
    message_of,
    separate,
    status_of,
    where,
    worst,
)

_SCRIPTS: Final = ("prerequestScript", "testScript")
_ADVICE: Final = "retain the report as newman wrote it"
MAX_BODY: Final = 4 * 1024 * 1024
"""Bytes of one response body that are read; newman writes each as a number."""


def read_newman(data: Json) -> Results:
    """Every execution of the run, in order. A script that failed makes its request an error, whatever passed before."""
    run = mapping(mapping(data).get("run"))
    executions = listed(run.get("executions"))
    cases: list[Case] = []
    unread: list[Unreadable] = []
    for number, execution in enumerate(executions[:MAX_CASES]):
        case, faults = _case(mapping(execution), where("run", "executions", number))
        unread.extend(faults)
        cases.extend([case] if case is not None else [])
    if run.get("error"):
        unread.append(
            Unreadable(where("run", "error"), "the run ended with an error", "run the collection again", lost=True)
        )
    unread.extend(_counted(mapping(run.get("stats")), cases))
    return Results(format="newman", cases=separate(cases), unread=tuple(unread))


def _counted(stats: Mapping[str, Json], cases: Sequence[Case]) -> list[Unreadable]:
    """Whether the run states as many requests as stand in it."""
    total = mapping(stats.get("requests")).get("total")
    if type(total) is not int or total == len(cases):
        return []
    found = f"it states {total} requests, {len(cases)} were read"
    return [Unreadable(where("run", "stats", "requests"), found, _ADVICE, lost=True)]


def _case(execution: Mapping[str, Json], locator: str) -> tuple[Case | None, tuple[Unreadable, ...]]:
    name = word(mapping(execution.get("item")).get("name"))
    if not name:
        return None, (Unreadable(locator, "an execution without the name of its request", _ADVICE, lost=True),)
    request = mapping(execution.get("request"))
    sent, unread = exchange(_recorded(request, mapping(execution.get("response"))), locator)
    errors = [mapping(execution.get("requestError")), *_script_errors(execution)]
    assertions = _assertions(execution, sent)
    outcomes = [one.outcome for one in assertions]
    outcome: Outcome = "error" if any(errors) else worst(outcomes) if outcomes else "recorded"
    messages = [word(error.get("message") or error.get("code")) for error in (*errors, *_failures(execution))]
    case = Case(
        id=name,
        what=name,
        outcome=outcome,
        locator=locator,
        message=message_of(*messages),
        assertions=assertions,
        exchanges=(sent,) if sent is not None else (),
    )
    return case, unread


def _script_errors(execution: Mapping[str, Json]) -> list[Mapping[str, Json]]:
    scripts = (mapping(one) for name in _SCRIPTS for one in listed(execution.get(name)))
    return [mapping(script.get("error")) for script in scripts]


def _failures(execution: Mapping[str, Json]) -> list[Mapping[str, Json]]:
    return [mapping(mapping(one).get("error")) for one in listed(execution.get("assertions"))]


def _assertions(execution: Mapping[str, Json], sent: Exchange | None) -> tuple[Assertion, ...]:
    item = mapping(execution.get("item"))
    operation = _operation(mapping(item.get("request")), sent)
    statuses = asserted_statuses(_source(item))
    found: list[Assertion] = []
    for one in map(mapping, listed(execution.get("assertions"))):
        what = word(one.get("assertion"))
        outcome: Outcome = "skipped" if one.get("skipped") is True else "failed" if one.get("error") else "passed"
        found.append(Assertion(operation=operation, outcome=outcome, what=what, status=statuses.get(what)))
    return tuple(found)


def _source(item: Mapping[str, Json]) -> str:
    """The text of the request's own test scripts; those of a folder or of the collection are not looked at."""
    events = (mapping(event) for event in listed(item.get("event")))
    scripts = (mapping(event.get("script")).get("exec") for event in events if event.get("listen") == "test")
    return "\n".join(line for script in scripts for line in (listed(script) or [word(script)]) if isinstance(line, str))


def _operation(request: Mapping[str, Json], sent: Exchange | None) -> str:
    """The operation as the collection writes it: `:id` in a path is a parameter; "" without a readable request."""
    if sent is None:
        return ""
    path = listed(mapping(request.get("url")).get("path"))
    parts = [word(part) for part in path]
    whole = all(parts) and not any("{{" in part for part in parts)
    if not whole or not any(re.fullmatch(r":[A-Za-z_]\w*", part) for part in parts):
        return f"{sent.method} {sent.path}"
    return f"{sent.method} /" + "/".join(f"{{{part[1:]}}}" if part.startswith(":") else part for part in parts)


def _recorded(request: Mapping[str, Json], response: Mapping[str, Json]) -> Recorded:
    headers = _headers(response)
    return Recorded(
        method=word(request.get("method")),
        url=_url(request.get("url")),
        request_headers=[name for name, _ in _headers(request)],
        status=status_of(response.get("code")),
        content_type=next((value for name, value in headers if name.lower() == "content-type"), ""),
        response_headers=[name for name, _ in headers],
        body=_body(mapping(response.get("stream"))),
    )


def _url(url: Json) -> str:
    """Path and query of a URL in parts."""
    if isinstance(url, str):
        return url
    parts = mapping(url)
    path = "/" + "/".join(word(part) for part in listed(parts.get("path")))
    names = [word(mapping(one).get("key")) for one in listed(parts.get("query"))]
    return path + ("?" + "&".join(f"{name}=" for name in names if name) if any(names) else "")


def _headers(message: Mapping[str, Json]) -> list[tuple[str, str]]:
    pairs = (mapping(header) for header in listed(message.get("header")))
    return [(name, word(pair.get("value"))) for pair in pairs if (name := word(pair.get("key")))]


def _body(stream: Mapping[str, Json]) -> bytes | None:
    numbers = listed(stream.get("data"))
    if not numbers or len(numbers) > MAX_BODY:
        return None
    try:
        return bytes(numbers)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return None


# Which status a Postman test script asserts. The script is read as text; nothing of it is executed.


MAX_SCRIPT: Final = 200_000
_TEST: Final = re.compile(
    r"""\bpm\.test(?:\.skip)?\(\s*(?P<quote>['"`])(?P<name>(?:\\.|(?!(?P=quote))[^\\\n])*)(?P=quote)"""
)
_COMMENT: Final = re.compile(r"(?m)^[ \t]*//[^\n]*$|/\*[^*]*\*+(?:[^/*][^*]*\*+)*/")


@dataclass(frozen=True, slots=True, kw_only=True)
class StatusRule:
    """One way to write that a response has a status. The pattern's group is the status."""

    id: str
    why: str
    pattern: re.Pattern[str]
    example: str
    counter: str


STATUS_RULES: Final = (
    StatusRule(
        id="has-status",
        why="Chai's assertion on the response",
        pattern=re.compile(r"pm\.response\.to\.have\.status\(\s*([1-5][0-9][0-9])\s*\)"),
        example="pm.response.to.have.status(404)",
        counter="pm.response.to.not.have.status(404)",
    ),
    StatusRule(
        id="code-equals",
        why="the response's code compared with a number",
        pattern=re.compile(
            r"pm\.expect\(\s*pm\.response\.code\s*\)\.to\.(?:be\.)?(?:eql?|equals?)\(\s*([1-5][0-9][0-9])\s*\)"
        ),
        example="pm.expect(pm.response.code).to.eql(404)",
        counter="pm.expect(pm.response.code).to.be.below(500)",
    ),
)


def asserted_statuses(script: str) -> Mapping[str, int]:
    """The status that each named test asserts; a test that asserts none or several is left out."""
    text = _COMMENT.sub("", script[:MAX_SCRIPT])
    tests = list(_TEST.finditer(text))
    found: dict[str, set[str]] = {}
    ends = [*(test.start() for test in tests[1:]), len(text)]
    for test, end in zip(tests, ends, strict=False):
        part = text[test.end() : end]
        statuses = found.setdefault(re.sub(r"\\(.)", r"\1", test["name"]), set())
        statuses.update(match[1] for rule in STATUS_RULES for match in rule.pattern.finditer(part))
    return {name: int(statuses.pop()) for name, statuses in found.items() if len(statuses) == 1}
