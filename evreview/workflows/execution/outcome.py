"""What an executed plan leaves: outputs in formats that are read everywhere, and the record of the run behind each.

Values of credentials are never kept, and everything passes the redactor before it is text of the bundle.
"""

from __future__ import annotations

import base64
import hashlib
import json
import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from evreview.core.errors import bad_input
from evreview.core.json_text import word
from evreview.core.quoted_text import counted
from evreview.core.vocabulary import EvidenceId, Json
from evreview.evidence.item import Bundle
from evreview.evidence.records.reference import RouteTable
from evreview.evidence.records.review import ExecutionPlan, same_revision
from evreview.evidence.records.test_runs import AssertedFact, TestRun
from evreview.evidence.test_results.http_archive import DROPPED_HEADERS
from evreview.redaction.detector import Clean
from evreview.redaction.redactor import Redactor
from evreview.sandbox.model import Denied, Output, Ran, Stopped
from evreview.workflows.execution.plan import PORT, OutgoingMessages

# The helper's report, read. What it says comes from the code under review and is believed in nothing but form.


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceAnswer:
    """What came back on one request; `error` where nothing did.

    Attributes:
        status, reason, headers, body: of the response; the octets as they came.
        cut: True when the body was longer than what is kept.
        error: why there is no response.
    """

    status: int = 0
    reason: str = ""
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes = field(default=b"", repr=False)
    cut: bool = False
    error: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """How a command inside ended, the end of what it wrote, and the file that it left as its result."""

    status: int
    output: str = field(repr=False)
    result: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """A whole report. `ready` is None without a fixture, the commands are None when they did not run."""

    ready: bool | None
    fixture_output: str = field(repr=False)
    answers: tuple[ServiceAnswer, ...]
    tests: Ended | None
    cleanup: Ended | None
    routes: Ended | None = None


def read_report(data: bytes) -> Report | None:
    """The report, None when it is none."""
    try:
        stated = json.loads(data)
    except (ValueError, RecursionError):
        return None
    if not isinstance(stated, dict):
        return None
    fixture = stated.get("fixture")
    exchanges = stated.get("exchanges")
    return Report(
        ready=fixture.get("ready") is True if isinstance(fixture, dict) else None,
        fixture_output=word(fixture.get("output")) if isinstance(fixture, dict) else "",
        answers=tuple(_answer(each) for each in exchanges) if isinstance(exchanges, list) else (),
        tests=_ended(stated.get("tests")),
        cleanup=_ended(stated.get("cleanup")),
        routes=_ended(stated.get("routes")),
    )


def _answer(stated: Json) -> ServiceAnswer:
    if not isinstance(stated, Mapping) or "error" in stated:
        error = stated.get("error") if isinstance(stated, Mapping) else None
        return ServiceAnswer(error=word(error) or "the report says nothing of it")
    status, headers, body = stated.get("status"), stated.get("headers"), stated.get("body")
    if not isinstance(status, int) or not isinstance(headers, list) or not isinstance(body, str):
        return ServiceAnswer(error="the report says nothing of it")
    try:
        octets = base64.b64decode(body, validate=True)
    except ValueError:
        return ServiceAnswer(error="the report's body is not readable")
    pairs = (pair for pair in headers if isinstance(pair, list) and len(pair) == 2)
    return ServiceAnswer(
        status=status,
        reason=word(stated.get("reason")),
        headers=tuple((word(name), word(value)) for name, value in pairs),
        body=octets,
        cut=stated.get("cut") is True,
    )


def _ended(stated: Json) -> Ended | None:
    if not isinstance(stated, Mapping) or not isinstance(status := stated.get("exit"), int):
        return None
    result = stated.get("result")
    return Ended(status=status, output=word(stated.get("output")), result=result if isinstance(result, str) else None)


MADE_BY: Final = "evreview execute"
_NOT_STARTED: Final = (126, 127)
_UNKEPT: Final = "(not kept)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Executed:
    """One retained output and what its record says.

    Attributes:
        ending: of the output's file name.
        output: the guarded text.
        establishes: what the output proves and what it does not.
        format: of the output, as the record names it.
        command: what ran.
        status: its exit status, None for a run that was ended or that tried what it may not.
        asserts: what the assertions are about, taken over from a record of the same revision.
        violations: what the run tried and may not; its output is a log then, and no result of anything.
    """

    ending: str
    output: Clean
    establishes: str
    format: str
    command: str
    status: int | None
    asserts: tuple[AssertedFact, ...] = ()
    violations: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Basis:
    """Digests of what a run rests on: the contract that was read, "" when none was, and the plan."""

    contract: str
    plan: str


def shortcoming(ran: Ran, report: Report | None, plan: ExecutionPlan) -> str:
    """Why a run that stayed inside is no executed one, "" when it is."""
    if ran.stopped is Stopped.NOT_STARTED:
        return f"the sandbox did not start: {_last_line(ran.trouble)}"
    if not ran.counts:
        return f"the run was ended by {ran.stopped}"
    if report is None:
        return "the helper inside the sandbox gave no report"
    if report.ready is False:
        return f"the fixture never answered: {_last_line(report.fixture_output)}"
    if plan.tests and (report.tests is None or report.tests.status in _NOT_STARTED):
        return f"the tests did not start: {_last_line(report.tests.output) if report.tests else ''}"
    if plan.routes and (report.routes is None or report.routes.status != 0 or not report.routes.result):
        return f"the application gave no routes: {_last_line(report.routes.output) if report.routes else ''}"
    if plan.cleanup and (report.cleanup is None or report.cleanup.status != 0):
        return f"the cleanup failed: {_last_line(report.cleanup.output) if report.cleanup else ''}"
    return ""


def _last_line(text: str) -> str:
    return next((line.strip() for line in reversed(text.splitlines()) if line.strip()), "(no output)")


def executed(
    bundle: Bundle, plan: ExecutionPlan, sent: Sequence[OutgoingMessages], report: Report, at: str
) -> Iterator[Executed]:
    """What is kept of a run: the exchanges as HAR, the tests' own report or output.

    Args:
        bundle: in which other records say what the tests assert.
        plan: what was planned.
        sent: the requests, in the order of the report's answers.
        report: what the helper inside says.
        at: when the run was started, ISO.
    """
    pairs = [(message, got) for message, got in zip(sent, report.answers, strict=False) if not got.error]
    if pairs:
        yield Executed(
            ending=".har.json",
            output=_har(pairs, at),
            establishes=f"What the fixture of the plan {plan.id} answered to synthetic requests, in isolation. Not "
            "production behaviour, and nothing about requests that were not sent.",
            format="har",
            command=f"evreview execute --plan {shlex.quote(plan.id)}",
            status=0,
        )
    if report.tests is not None:
        text = report.tests.result or report.tests.output
        yield Executed(
            ending=".junit.xml" if report.tests.result else ".txt",
            output=Redactor().clean(text or "(no output)"),
            establishes=f"How the tests of the plan {plan.id} ended, in isolation. Not production behaviour.",
            format="junit" if report.tests.result else "plain",
            command=shlex.join(plan.tests),
            status=report.tests.status,
            asserts=_asserts(bundle, plan),
        )
    if plan.routes is not None and report.routes is not None:
        yield Executed(
            ending=".routes.json",
            output=route_table(plan, report.routes),
            establishes=f"The routes that {plan.routes.application} has, with what stands before each, as the "
            f"application itself said in isolation under the plan {plan.id}. Not production's configuration.",
            format="route-table",
            command=f"evreview execute --plan {shlex.quote(plan.id)}",
            status=report.routes.status,
        )


def route_table(plan: ExecutionPlan, ended: Ended) -> Clean:
    """The table that the application printed as a typed record, each route on a line of its own.

    Raises:
        BadInput: it is no table.
    """
    try:
        said = json.loads(ended.result or "")
        routes = said.pop("routes")
        head: dict[str, Json] = {"kind": "route-table", **said, "revision": plan.revision}
        lines = ",\n".join(json.dumps(route, ensure_ascii=False) for route in routes)
        text = f'{json.dumps(head, ensure_ascii=False)[:-1]}, "routes": [\n{lines}\n]}}\n'
        RouteTable.model_validate_json(text)
    except (ValueError, RecursionError, KeyError, TypeError, AttributeError):
        found = "what the application said is no route table"
        raise bad_input("routes-unreadable", found, advice=_last_line(ended.output)) from None
    return _still_json(Redactor().clean(text))


def _asserts(bundle: Bundle, plan: ExecutionPlan) -> tuple[AssertedFact, ...]:
    """What a record of the same revision says that the same command's assertions are about."""
    for item in bundle.items.values():
        known = item.record
        if not isinstance(known, TestRun) or not known.asserts or not same_revision(known.revision, plan.revision):
            continue
        if known.command in (shlex.join(plan.tests), " ".join(plan.tests)):
            return known.asserts
    return ()


def _har(pairs: Iterable[tuple[OutgoingMessages, ServiceAnswer]], at: str) -> Clean:
    entries: list[Json] = [{"startedDateTime": at, **_entry(sent, got)} for sent, got in pairs]
    log: dict[str, Json] = {"version": "1.2", "creator": {"name": MADE_BY, "version": "1"}, "entries": entries}
    return _still_json(Redactor().clean(json.dumps({"log": log}, indent=2, ensure_ascii=False) + "\n"))


def _still_json(text: Clean) -> Clean:
    """The text, when what was redacted left it readable.

    Raises:
        BadInput: it did not.
    """
    try:
        json.loads(text)
    except ValueError:
        found = "what has to be redacted of the output can't be taken out without breaking it"
        raise bad_input("retain-redacted", found, advice="Have the fixture answer with synthetic values") from None
    return text


def _entry(sent: OutgoingMessages, got: ServiceAnswer) -> dict[str, Json]:
    kind = next((value for name, value in got.headers if name.lower() == "content-type"), "")
    return {
        "comment": f"{sent.operation}: synthetic request, local fixture",
        "request": {
            "method": sent.method,
            "url": f"http://localhost:{PORT}{sent.target}",
            "httpVersion": "HTTP/1.1",
            "headers": _headers(sent.headers),
            "queryString": [],
            "cookies": [],
            "headersSize": -1,
            "bodySize": len(sent.body or b""),
        },
        "response": {
            "status": got.status,
            "statusText": Redactor().clean(got.reason),
            "httpVersion": "HTTP/1.1",
            "headers": _headers(got.headers),
            "cookies": [],
            "content": {"size": len(got.body), "mimeType": Redactor().clean(kind), **_content(got)},
            "redirectURL": "",
            "headersSize": -1,
            "bodySize": len(got.body),
        },
        "cache": {},
        "timings": {"send": 0, "wait": 0, "receive": 0},
        "time": 0,
    }


def _headers(pairs: Iterable[tuple[str, str]]) -> list[Json]:
    kept = (
        (name, _UNKEPT if name.lower() in DROPPED_HEADERS else str(Redactor().clean(value))) for name, value in pairs
    )
    return [{"name": str(Redactor().clean(name)), "value": value} for name, value in kept]


def _content(got: ServiceAnswer) -> dict[str, Json]:
    """The body as text, guarded member by member where it is JSON; other octets are not kept, only their digest."""
    digest = f"sha256:{hashlib.sha256(got.body).hexdigest()}"
    try:
        text = got.body.decode()
    except UnicodeDecodeError:
        return {"comment": f"not text, {digest}"}
    if got.cut:
        return {"comment": f"longer than what is kept, its beginning {digest}"}
    try:
        value = json.loads(text)
        shown = json.dumps(Redactor().clean_json(value), ensure_ascii=False)
        told = text if json.loads(shown) == value else shown
    except (ValueError, RecursionError):
        told = Redactor().clean(text)
    return {"text": told} if told == text else {"text": told, "comment": f"redacted; as it came {digest}"}


def run_record(run: Executed, output: EvidenceId, ran: Ran, plan: ExecutionPlan, basis: Basis) -> str:
    """The body of the run's own item, as JSON.

    Args:
        run: what is kept.
        output: the item that holds it.
        ran: what the sandbox says.
        plan: what was planned.
        basis: what the run rests on.
    """
    fixture = plan.fixture
    described = f"{fixture.describes}, started by `{shlex.join(fixture.start)}`; " if fixture else ""
    ended: dict[str, Json] = {"violations": list(run.violations)} if run.violations else {"isolated": True}
    record: dict[str, Json] = {
        "kind": "test-run",
        "output": output,
        "format": run.format,
        "command": run.command,
        "revision": plan.revision,
        **({"contract": f"sha256:{basis.contract}"} if basis.contract else {}),
        "environment": f"{described}{ran.environment}",
        **ended,
        **({"exit_status": run.status} if run.status is not None else {}),
        "output_sha256": hashlib.sha256(run.output.encode()).hexdigest(),
        "asserts": [fact.model_dump(mode="json", exclude_defaults=True) for fact in run.asserts],
        "plan": f"sha256:{basis.plan}",
        "produced_by": MADE_BY,
    }
    # Of a violation the paths are the point; they stay unless the evidence holds them.
    clean = Redactor().clean_message if run.violations else Redactor().clean
    return _still_json(clean(json.dumps(record, indent=2, ensure_ascii=False) + "\n"))


# What a run tried and may not (W3-F5): told, and kept as evidence of its own that counts as no result of anything.


F5: Final = "W3-F5"
_NETWORK: Final = frozenset({Denied.CONNECT, Denied.SEND, Denied.LOOKUP})
_MARK: Final = "> "
"""Before each line that the run wrote: nothing in the log is read as the result of a test."""


def tried(ran: Ran) -> tuple[str, ...]:
    """What the run tried and may not, one text each, none when it stayed inside or never began."""
    found = tuple(f"{each.tried}: {each.target} ({counted(each.times, 'time')})" for each in ran.attempts)
    if ran.stopped is Stopped.UNWATCHED:
        return (*found, f"{ran.stopped}, so nobody can say that the run stayed inside")
    return found


def told(ran: Ran) -> tuple[str, ...]:
    """The violation for whoever started the run, one line each, none when there was none."""
    found = tried(ran)
    if not found:
        return ()
    if ran.stopped is Stopped.UNWATCHED:
        what = "nobody watched the run to its end"
    elif any(attempt.tried in _NETWORK for attempt in ran.attempts):
        what = "unexpected network access"
    else:
        what = "an attempt to change what was not approved"
    return (
        f"{F5}: {what}; the result of the run does not count as executed",
        *(f"  {each}" for each in found),
        "The run was ended and its work folder is gone. Tell the security owner through the approved channel",
        "Correct the plan or the code, have the isolation plan approved anew, and execute again (step 6)",
    )


def violation_log(bundle: Bundle, plan: ExecutionPlan, ran: Ran) -> Executed:
    """What is kept of a run that tried what it may not: a log without anything that the bundle holds as a secret."""
    redactor = Redactor.over((str(item.id), item.content) for item in bundle.items.values())
    found = tuple(str(redactor.clean_message(each)) for each in tried(ran))
    return Executed(
        ending=".log.txt",
        output=_log(redactor, plan, ran, found),
        establishes=f"What the run of the plan {plan.id} tried and may not, as the watch outside its sandbox saw it. "
        "No result of any check.",
        format="plain",
        command=shlex.join(plan.tests) or f"evreview execute --plan {shlex.quote(plan.id)}",
        status=None,
        violations=found,
    )


def _log(redactor: Redactor, plan: ExecutionPlan, ran: Ran, found: tuple[str, ...]) -> Clean:
    lines = [
        f"{F5}: the plan {plan.id} was ended ({ran.stopped}); nothing of it counts as executed.",
        *(f"{_MARK}{each}" for each in found),
        "Its work folder was in memory and is gone.",
        *_stream("standard output", ran.stdout),
        *_stream("standard error", ran.stderr),
    ]
    return redactor.clean_message("\n".join(lines) + "\n")


def _stream(name: str, output: Output) -> Iterator[str]:
    cut = ", cut" if output.cut else ""
    yield f"{name}, {output.size} bytes{cut}, sha256:{output.sha256} as it came:"
    yield from (f"{_MARK}{line}" for line in output.text.splitlines())
