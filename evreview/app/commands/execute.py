"""`evreview execute`: what a plan of the bundle names, run where it reaches nothing, and kept as new evidence."""

from __future__ import annotations

import re
import shutil
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

from evreview.app.commands.shell import clean, say, shown, warn, working
from evreview.core.errors import BadInput, bad_input
from evreview.core.vocabulary import ExitStatus

if TYPE_CHECKING:
    from evreview.evidence.cited_records import Cited
    from evreview.evidence.item import Bundle
    from evreview.evidence.records.review import ExecutionPlan
    from evreview.sandbox.model import Ran
    from evreview.workflows.execution.outcome import Executed, Report
    from evreview.workflows.execution.plan import OutgoingMessages, Runtime

_LONGEST_NAME: Final = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """What was asked: a bundle, the plan in it, the Python that is shown, and where the result goes."""

    bundle: Path
    plan: str | None = None
    runtime: Path | None = None
    output: Path | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Ready:
    """Everything that was checked before anything runs.

    Attributes:
        contract: digest of the contract that the examples come from, or that the scope names; "" without one.
        unsent: examples that there are none of, with the reason.
    """

    bundle: Bundle
    plan: Cited[ExecutionPlan]
    messages: tuple[OutgoingMessages, ...]
    unsent: tuple[str, ...]
    contract: str
    runtime: Runtime


def execute(order: Order) -> int:
    """Run a plan and retain its result, or its violation; 0 for a result, 3 for a violation, 4 for nothing executed."""
    started = datetime.now(UTC)
    with working(f"executing {shown(order.bundle)}") as tell:
        ready = _ready(order, started)
        reason = _unavailable()
        if reason:
            warn(f"evreview: {reason}. Nothing was executed; the check stays proposed")
            return ExitStatus.BLOCKED
        tell("running the plan in the sandbox")
        ran = _run(ready)
        return _judged(order, ready, ran, started)


def _unavailable() -> str:
    from evreview.sandbox.runner import available

    return available()


def _ready(order: Order, now: datetime) -> _Ready:
    """What is to run, after every check.

    Raises:
        BadInput: everything that forbids it.
    """
    from evreview.evidence.bundle_reader import open_bundle
    from evreview.workflows.execution.approval import refusals, unplanned
    from evreview.workflows.execution.plan import chosen_plan, plan_problems

    if order.output is not None and order.output.is_symlink():
        found, advice = "the folder is a symbolic link", "Name a new folder; no link is followed"
        raise bad_input("output-link", found, file=str(order.output), advice=advice)
    if order.output is not None and order.output.exists():
        found, advice = "there is such a file or folder already", "Name a new folder; nothing is overwritten"
        raise bad_input("folder-not-empty", found, file=str(order.output), advice=advice)
    bundle = authorized(open_bundle(order.bundle), now)
    plan = chosen_plan(bundle, order.plan)
    problems = [*plan_problems(bundle, plan), *unplanned(bundle, plan), *refusals(bundle, plan, now)]
    if problems:
        raise BadInput(problems)
    messages, unsent, contract = _messages(bundle, plan.record)
    if not (messages or plan.record.tests or plan.record.routes):
        raise bad_input("plan-empty", "there is no example to send and no test to run", advice="; ".join(unsent))
    runtime = _runtime(order.runtime)
    return _Ready(bundle=bundle, plan=plan, messages=messages, unsent=unsent, contract=contract, runtime=runtime)


def authorized(bundle: Bundle, now: datetime) -> Bundle:
    """The whole bundle; of a security review only when its authorization covers it today.

    Raises:
        BadInput: it doesn't, or what is read then has problems.
    """
    from evreview.workflows.w3.authorization import authorization_problems

    if not bundle.sealed:
        return bundle
    problems = tuple(authorization_problems(bundle, now.date().isoformat()))
    if problems:
        raise BadInput(problems)
    return bundle.unsealed()


def _runtime(folder: Path | None) -> Runtime:
    from evreview.sandbox import helper as sandbox_helper
    from evreview.sandbox import route_listing
    from evreview.sandbox.host import python_runtime
    from evreview.workflows.execution.plan import Runtime

    python, places = python_runtime(folder)
    helper, asks = (Path(str(module.__file__)).read_bytes() for module in (sandbox_helper, route_listing))
    return Runtime(python=python, shown=places, helper=helper, asks=asks)


def _messages(bundle: Bundle, plan: ExecutionPlan) -> tuple[tuple[OutgoingMessages, ...], tuple[str, ...], str]:
    """The requests that are sent, why others are not, and the digest of the contract."""
    from evreview.kinds.load import read_contract
    from evreview.workflows.execution.plan import chosen_operations, outgoing
    from evreview.workflows.w2.examples.examples import request_example
    from evreview.workflows.w2.facts import Omitted
    from evreview.workflows.w2.scope import contract_item, scope_of

    item = contract_item(bundle, scope_of(bundle))
    if item is None or not (plan.examples or plan.mutating):
        if plan.examples or plan.mutating:
            raise bad_input("contract-missing", "the examples come from a contract, and the bundle names none")
        return (), (), item.sha256 if item else ""
    contract = read_contract(*bundle.source(item.id))
    messages: list[OutgoingMessages] = []
    unsent: list[str] = []
    for operation in chosen_operations(bundle, plan, contract).every:
        example = request_example(contract, operation.element)
        if isinstance(example, Omitted):
            unsent.append(f"{operation.id}: no example ({example.why}: {example.reason})")
        else:
            messages.append(outgoing(operation.id, example))
    return tuple(messages), tuple(unsent), item.sha256


def _run(ready: _Ready) -> Ran:
    from evreview.sandbox.runner import run
    from evreview.workflows.execution.plan import sandbox_of

    bundle, plan = ready.bundle, ready.plan.record
    files: dict[str, bytes] = {}
    for entry in plan.files:
        name, load, _ = bundle.source(entry.item)
        files[entry.path] = load(name)
    return run(sandbox_of(plan, files, ready.messages, ready.runtime))


def _judged(order: Order, ready: _Ready, ran: Ran, started: datetime) -> int:
    """The exit status, after the result was retained or said why it does not count."""
    from evreview.workflows.execution.outcome import executed, read_report, shortcoming, told, violation_log

    plan = ready.plan.record
    violation = told(ran)
    if violation:
        warn("\n".join(violation))
        _retain(order, ready, ran, (violation_log(ready.bundle, plan, ran),))
        return ExitStatus.STOPPED
    report = read_report(ran.report)
    reason = shortcoming(ran, report, plan)
    if reason or report is None:
        warn(f"evreview: {reason}. Nothing counts as executed; the check stays proposed")
        return ExitStatus.BLOCKED
    kept = tuple(executed(ready.bundle, plan, ready.messages, report, started.isoformat(timespec="seconds")))
    _tell(ready, report)
    if not kept:
        warn("evreview: no request was answered. Nothing counts as executed; the check stays proposed")
        return ExitStatus.BLOCKED
    _retain(order, ready, ran, kept)
    return ExitStatus.DONE


def _tell(ready: _Ready, report: Report) -> None:
    """One line for each example, and how the tests ended."""
    for message, answer in zip(ready.messages, report.answers, strict=False):
        said = f"no response: {answer.error}" if answer.error else str(answer.status)
        say(clean(f"{message.operation}: {said}"))
    for line in ready.unsent:
        say(clean(f"not sent: {line}"))
    if report.tests is not None:
        say(clean(f"tests: exit status {report.tests.status}"))
    if report.routes is not None:
        say(clean(f"routes: exit status {report.routes.status}"))
    if report.cleanup is not None:
        say(clean("cleanup: done"))


def _retain(order: Order, ready: _Ready, ran: Ran, kept: tuple[Executed, ...]) -> None:
    from evreview.evidence.bundle_writer import NewRun, retain_runs
    from evreview.workflows.execution.outcome import Basis, run_record

    plan = ready.plan.record
    basis = Basis(contract=ready.contract, plan=ready.bundle.items[ready.plan.citation.id].sha256)
    name = re.sub(r"[^A-Za-z0-9._-]+", "-", plan.id).strip(".-")[:_LONGEST_NAME] or "plan"
    runs = [
        NewRun(
            name=f"runs/{name}",
            ending=run.ending,
            output=run.output,
            output_establishes=run.establishes,
            record=lambda output, run=run: run_record(run, output, ran, plan, basis),  # type: ignore[misc]
            record_establishes=f"That the plan {plan.id} tried what it may not. No result of any check."
            if run.violations
            else f"Command, revision, environment and exit status of the plan {plan.id} as executed in isolation. Not "
            "production behaviour.",
        )
        for run in kept
    ]
    target = order.bundle
    if order.output is not None:
        from evreview.evidence.bundle_folder import folder_of

        shutil.copytree(folder_of(order.bundle), order.output, symlinks=True)
        target = order.output
    try:
        ids, files = retain_runs(target, runs)
    except BaseException:
        if order.output is not None:
            shutil.rmtree(order.output, ignore_errors=True)
        raise
    say(clean(f"retained as {', '.join(ids)} in {shown(target)}: {', '.join(files)}"))
