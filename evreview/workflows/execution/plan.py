"""What a plan asks to run, and why it can't be run as it stands."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from evreview.contract.model import Contract
from evreview.core.errors import BadInput, Problem, bad_input
from evreview.core.vocabulary import Json
from evreview.evidence.cited_records import Cited, first_of, records_of
from evreview.evidence.files import name_problem
from evreview.evidence.item import Bundle
from evreview.evidence.records.reference import PublicationScope
from evreview.evidence.records.review import ExecutionPlan, same_revision
from evreview.sandbox.model import AIDS, WORK, Limits, Sandbox
from evreview.workflows.w2.facts import Example, Operation
from evreview.workflows.w2.scope import operations_in

READ_ONLY: Final = frozenset({"GET", "HEAD"})
EVERY_READ_ONLY: Final = "*"
MOST_FILES: Final = 400
"""Each is handed to the sandbox as an open file."""
_COMMIT: Final = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class Chosen:
    """Operations whose examples are sent: the read-only ones, then those that change state."""

    reading: tuple[Operation, ...] = ()
    changing: tuple[Operation, ...] = ()

    @property
    def every(self) -> tuple[Operation, ...]:
        return self.reading + self.changing


def chosen_plan(bundle: Bundle, name: str | None) -> Cited[ExecutionPlan]:
    """The plan of that id, or the bundle's only one.

    Raises:
        BadInput: there is none, or several and no name.
    """
    plans = records_of(bundle, ExecutionPlan)
    known = ", ".join(plan.record.id for plan in plans)
    if not plans:
        advice = "Supply an execution and approval record with `kind: execution-plan`"
        raise bad_input("plan-missing", "the bundle holds no execution plan", advice=advice)
    wanted = [plan for plan in plans if name in (None, plan.record.id)]
    if not wanted:
        raise bad_input("plan-unknown", f"no plan has the id {name}", advice=f"There are: {known}")
    if len(wanted) > 1:
        raise bad_input("plan-ambiguous", "there are several plans", advice=f"Choose one with --plan: {known}")
    return wanted[0]


def plan_problems(bundle: Bundle, plan: Cited[ExecutionPlan]) -> Iterator[Problem]:
    """Everything that is wrong with a plan itself, before any gate is asked."""
    record, file = plan.record, bundle.items[plan.citation.id].file or str(plan.citation.id)
    if not (record.tests or record.examples or record.mutating or record.routes):
        found = "the plan runs no tests, sends no examples and asks for no routes"
        yield Problem(code="plan-empty", found=found, file=file)
    if (record.examples or record.mutating) and record.fixture is None:
        advice = "Say how the service is started, under `fixture`"
        yield Problem(code="plan-no-fixture", found="nothing answers the examples", file=file, advice=advice)
    if record.fixture is not None and not record.fixture.start:
        yield Problem(
            code="plan-no-fixture", found="the fixture's command is empty", file=file, place="#/fixture/start"
        )
    if record.mutating and not (record.cleanup and record.cleanup_describes):
        advice = "Give the command under `cleanup` and the procedure in words under `cleanup_describes`"
        yield Problem(
            code="plan-no-cleanup", found="operations that change state have no cleanup", file=file, advice=advice
        )
    yield from _files(bundle, record, file)
    yield from _revisions(bundle, record, file)


def _files(bundle: Bundle, plan: ExecutionPlan, file: str) -> Iterator[Problem]:
    seen: set[str] = set()
    if len(plan.files) > MOST_FILES:
        found = f"the plan copies {len(plan.files)} files, more than {MOST_FILES}"
        yield Problem(code="plan-files", found=found, file=file, place="#/files", advice="Name those that are needed")
    for index, entry in enumerate(plan.files):
        at = f"#/files/{index}/path"
        refused = name_problem(entry.path)
        if refused is not None or entry.path.endswith("/") or "." in entry.path.split("/"):
            found = refused.problems[0].found if refused else "the path names no file"
            yield Problem(code="plan-file", found=found, file=file, place=at, advice="Write a relative path")
        parts = entry.path.split("/")
        above = {"/".join(parts[:cut]) for cut in range(1, len(parts) + 1)}
        if above & seen or any(other.startswith(f"{entry.path}/") for other in seen):
            yield Problem(code="plan-file", found=f"`{entry.path}` collides with another path", file=file, place=at)
        seen.add(entry.path)


def _revisions(bundle: Bundle, plan: ExecutionPlan, file: str) -> Iterator[Problem]:
    scope = first_of(bundle, PublicationScope)
    wanted = scope.record.revision if scope else bundle.request.implementation_revision
    if not wanted:
        found = "nothing in the bundle says which revision is reviewed"
        yield Problem(code="plan-revision", found=found, file=file, advice="State it in the publication scope")
    elif not same_revision(plan.revision, wanted):
        found = f"the plan runs {plan.revision}, reviewed is {wanted}"
        yield Problem(code="plan-revision", found=found, file=file, place="#/revision", advice="Plan the reviewed one")
    for index, entry in enumerate(plan.files):
        own = bundle.items[entry.item].revision
        if _COMMIT.fullmatch(own) and not same_revision(own, plan.revision):
            found = f"{entry.item} is of {own}, the plan runs {plan.revision}"
            yield Problem(code="plan-item-revision", found=found, file=file, place=f"#/files/{index}/item")


def chosen_operations(bundle: Bundle, plan: ExecutionPlan, contract: Contract) -> Chosen:
    """The operations whose examples are sent.

    Raises:
        BadInput: a name stands for no operation in scope, or an operation that changes state is not named as one.
    """
    scope = first_of(bundle, PublicationScope)
    included = (scope.record.operations if scope else None) or ()
    excluded = tuple(entry.operation for entry in (scope.record.exclusions if scope else None) or ())
    within, _ = operations_in(contract, included, excluded)
    keys = {operation.id for operation in within}
    changing, problems = _named(contract, plan.mutating, keys)
    plain = tuple(name for name in plan.examples if name != EVERY_READ_ONLY)
    named, more = _named(contract, plain, keys)
    chosen = {operation.id for operation in changing}
    problems += more
    for operation in named:
        if operation.method not in READ_ONLY and operation.id not in chosen:
            found = f"{operation.id} may change state and is not listed under `mutating`"
            problems.append(Problem(code="plan-mutating", found=found, advice="List it there; it needs its own gate"))
    if problems:
        raise BadInput(problems)
    every = EVERY_READ_ONLY in plan.examples
    names = {operation.id for operation in named}
    reading = tuple(
        operation
        for operation in within
        if operation.id not in chosen
        if operation.method in READ_ONLY and (every or operation.id in names)
    )
    return Chosen(reading, tuple(changing))


def _named(contract: Contract, names: Sequence[str], within: set[str]) -> tuple[list[Operation], list[Problem]]:
    problems: list[Problem] = []
    chosen: list[Operation] = []
    for name in names:
        found, _ = operations_in(contract, (name,), ())
        if len(found) == 1 and found[0].id in within:
            chosen.append(found[0])
        else:
            said = f"`{name}` is no operation of the publication scope"
            problems.append(Problem(code="plan-operation", found=said, advice="Name it as the scope does"))
    return chosen, problems


# A plan as a sandbox: the files, the helper inside and what it is told.


PORT: Final = 8080
"""On a loopback that nobody else has."""
_READY_SECONDS: Final = 20
_BODY_BYTES: Final = 262_144
_TEXT_BYTES: Final = 65_536
_RESULT_BYTES: Final = 8 * 1024 * 1024
_TABLE: Final = "/tmp/evreview-routes.json"
"""In the scratch folder of the sandbox."""
_REPORT: Final = re.compile(r"--junit-?xml(?:=(?P<file>.+))?")


@dataclass(frozen=True, slots=True, kw_only=True)
class OutgoingMessages:
    """A request that is sent: its operation, its target with query, header pairs and octets."""

    operation: str
    method: str
    target: str
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Runtime:
    """The interpreter, the folders that are shown for it, and the texts of the helpers; `asks` asks for routes."""

    python: str
    shown: tuple[str, ...]
    helper: bytes
    asks: bytes = b""


def sandbox_of(
    plan: ExecutionPlan, files: Mapping[str, bytes], messages: Sequence[OutgoingMessages], runtime: Runtime
) -> Sandbox:
    """The sandbox in which a plan runs.

    Args:
        plan: what is to run.
        files: what the work folder holds.
        messages: what is sent to the fixture.
        runtime: the Python that is shown.
    """
    return Sandbox(
        argv=(runtime.python, "-I", "-B", f"{AIDS}/inside.py", "{report}"),
        files=files,
        aids={
            "inside.py": runtime.helper,
            "plan.json": json.dumps(told(plan, messages) | asked_routes(plan, runtime)).encode(),
            **({"routes.py": runtime.asks} if plan.routes else {}),
        },
        runtime=runtime.shown,
        limits=replace(Limits(), seconds=float(plan.seconds)),
        report=True,
    )


def told(plan: ExecutionPlan, messages: Sequence[OutgoingMessages]) -> dict[str, Json]:
    """What the helper inside is told, as JSON."""
    fixture = plan.fixture
    environment: dict[str, Json] = dict(_ported(fixture.environment)) if fixture else {}
    tests = [_port(word) for word in plan.tests]
    return {
        "port": PORT,
        "fixture": {
            "start": [_port(word) for word in fixture.start],
            "environment": environment,
            "ready_path": fixture.ready_path,
            "seconds": min(_READY_SECONDS, plan.seconds),
        }
        if fixture
        else None,
        "messages": [_message(message) for message in messages],
        "tests": tests,
        "result": result_path(tests),
        "cleanup": [_port(word) for word in plan.cleanup],
        "environment": environment,
        "body_limit": _BODY_BYTES,
        "text_limit": _TEXT_BYTES,
        "result_limit": _RESULT_BYTES,
    }


def asked_routes(plan: ExecutionPlan, runtime: Runtime) -> dict[str, Json]:
    """What the helper inside is told about the routes that an application is asked for."""
    asked = plan.routes
    if asked is None:
        return {}
    words = [runtime.python, f"{AIDS}/routes.py", asked.framework, asked.application, _TABLE]
    environment: dict[str, Json] = {"PYTHONDONTWRITEBYTECODE": "1", **_ported(asked.environment)}
    return {"routes": list[Json](words), "routes_environment": environment, "routes_result": _TABLE}


def result_path(tests: Sequence[str]) -> str:
    """Where a test command says that it writes its JUnit report, "" when it does not say."""
    for index, word in enumerate(tests):
        found = _REPORT.fullmatch(word)
        name = (found["file"] or "".join(tests[index + 1 : index + 2])) if found else ""
        if name:
            return name if name.startswith("/") else f"{WORK}/{name}"
    return ""


def _message(message: OutgoingMessages) -> dict[str, Json]:
    return {
        "method": message.method,
        "path": message.target,
        "headers": [list(pair) for pair in message.headers],
        "body": base64.b64encode(message.body).decode() if message.body is not None else None,
    }


def _port(word: str) -> str:
    return word.replace("{port}", str(PORT))


def _ported(values: Mapping[str, str]) -> dict[str, str]:
    return {name: _port(value) for name, value in values.items()}


# An example request as the octets that are sent to a fixture.


def outgoing(operation: str, example: Example) -> OutgoingMessages:
    """The request of an example, to the fixture's own origin: the path with its query, the headers, the body."""
    message = example.message
    query = "&".join(f"{name}={value}" for name, value in message.query)
    return OutgoingMessages(
        operation=operation,
        method=message.method,
        target=f"{message.path}?{query}" if query else message.path,
        headers=example.headers,
        body=example.body.encode() if example.body else None,
    )
