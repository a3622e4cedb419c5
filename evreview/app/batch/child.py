"""[I/O] The process that does task after task, within limits: a line of JSON in, lines of JSON out.

It ends when nobody writes to it any more, however its parent ended; what it was doing is finished first and kept.
"""

from __future__ import annotations

import gc
import json
import os
import signal
import sys
import traceback
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any, TextIO

from evreview.app.batch.task import BatchSettings, ReviewTask, Task, TaskOutcome, TaskStatus, task_of
from evreview.app.batch.work import failed_part, perform, record

MEGABYTE = 1024 * 1024
OUT_OF_MEMORY = "out-of-memory"
FAULT = "fault-of-evreview"
ROAD = ("yaml_rs", "evreview.kinds.compare", "evreview.report.ledger_formats")


def main() -> None:
    """Compare what standard input asks for; the first line says what holds for all pairs."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent ends this process in its own time
    # Whatever prints, prints elsewhere: the pipe carries JSON alone.
    with os.fdopen(os.dup(1), "w", encoding="utf-8") as out:
        os.dup2(2, 1)
        settings = BatchSettings(**json.loads(sys.stdin.readline()))
        limit_memory(settings.megabytes)
        # What is loaded stays: no search for cycles looks at it again.
        gc.freeze()
        for line in sys.stdin:
            limit_time(settings.seconds)
            outcome = _performed(task_of(json.loads(line)), settings, out)
            _tell(out, {"outcome": {**outcome.to_json(), "peak": peak()}})


def _tell(out: TextIO, value: Any) -> None:
    out.write(json.dumps(value) + "\n")
    out.flush()


def _performed(task: Task, settings: BatchSettings, out: TextIO) -> TaskOutcome:
    keys: list[str] = []

    def told(key: str) -> None:
        keys.append(key)
        _tell(out, {"key": key})

    try:
        if isinstance(task, ReviewTask):
            from evreview.app.batch.reviews import review

            return review(task, settings, told)
        return perform(task, settings, told)
    except MemoryError:
        found = f"it needs more than {settings.megabytes} MB"
        return record(task, settings, "".join(keys), failed_part(TaskStatus.LIMIT, OUT_OF_MEMORY, found, settings))
    except Exception as error:
        return record(task, settings, "".join(keys), failed_part(TaskStatus.FAULT, FAULT, fault(error), settings))


def fault(error: BaseException) -> str:
    """Kind and places of a fault of evreview, and no value of anybody's contract."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if "evreview" in Path(frame.filename).parts]
    places = (f"{Path(frame.filename).name}:{frame.lineno}" for frame in frames[-4:])
    return f"{type(error).__name__} at {', '.join(places)}"


def limit_memory(megabytes: int) -> None:
    """From now on the process can have so much more memory; where the system knows no such limit, nothing.

    The libraries of the road are loaded first: one of them reserves a gigabyte of addresses, and uses next to none.
    """
    for module in ROAD:
        import_module(module)
    before = reserved()
    _limited("RLIMIT_AS", lambda _: before + megabytes * MEGABYTE)
    _limited("RLIMIT_CORE", lambda _: 0)


def reserved() -> int:
    """The bytes of addresses that this process has; 0 where the system does not say."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0


def limit_time(seconds: int) -> None:
    """The system ends the process when it computes for longer, also where no parent is left to do so."""
    _limited("RLIMIT_CPU", lambda used: used + seconds + 1)


def _limited(name: str, limit: Callable[[int], int]) -> None:
    if sys.platform == "win32":
        return
    import resource

    usage = resource.getrusage(resource.RUSAGE_SELF)
    number: int = getattr(resource, name)
    hard = resource.getrlimit(number)[1]
    wanted = limit(int(usage.ru_utime + usage.ru_stime))
    resource.setrlimit(number, (wanted if hard < 0 else min(wanted, hard), hard))


def peak() -> int:
    """The most memory that this process has had so far, in MB; 0 where the system does not say."""
    if sys.platform == "win32":
        return 0
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


if __name__ == "__main__":
    main()
