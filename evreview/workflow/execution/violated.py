"""What a run tried and may not (W3-F5): told, and kept as evidence of its own that counts as no result of anything."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from typing import Final

from evreview.core.quoted_text import counted
from evreview.evidence.item import Bundle
from evreview.evidence.records.review import ExecutionPlan
from evreview.redaction.detector import Clean
from evreview.redaction.redactor import Guard
from evreview.sandbox.model import Output, Ran, Stopped, Tried
from evreview.workflows.execution.outcome import Executed

F5: Final = "W3-F5"
_NETWORK: Final = frozenset({Tried.CONNECT, Tried.SEND, Tried.LOOKUP})
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
    guard = Guard.over((str(item.id), item.content) for item in bundle.items.values())
    found = tuple(str(guard.clean_message(each)) for each in tried(ran))
    return Executed(
        ending=".log.txt",
        output=_log(guard, plan, ran, found),
        establishes=f"What the run of the plan {plan.id} tried and may not, as the watch outside its sandbox saw it. "
        "No result of any check.",
        format="plain",
        command=shlex.join(plan.tests) or f"evreview execute --plan {shlex.quote(plan.id)}",
        status=None,
        violations=found,
    )


def _log(guard: Guard, plan: ExecutionPlan, ran: Ran, found: tuple[str, ...]) -> Clean:
    lines = [
        f"{F5}: the plan {plan.id} was ended ({ran.stopped}); nothing of it counts as executed.",
        *(f"{_MARK}{each}" for each in found),
        "Its work folder was in memory and is gone.",
        *_stream("standard output", ran.stdout),
        *_stream("standard error", ran.stderr),
    ]
    return guard.clean_message("\n".join(lines) + "\n")


def _stream(name: str, output: Output) -> Iterator[str]:
    cut = ", cut" if output.cut else ""
    yield f"{name}, {output.size} bytes{cut}, sha256:{output.sha256} as it came:"
    yield from (f"{_MARK}{line}" for line in output.text.splitlines())
