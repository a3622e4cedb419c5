"""[I/O] One worker: a warm child process that compares pair after pair, ended and renewed when it has to be.

A child of its own holds for the pool of this machine and for a worker of a cluster alike: a pair can be ended at its
limit wherever it hangs, whoever dies takes one known pair with it, and memory comes back.
"""

from __future__ import annotations

import json
import os
import selectors
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, Final

from evreview.app.batch.task import BatchSettings, Task, TaskOutcome, TaskStatus
from evreview.app.batch.work import failed_part, record

TRIES: Final = 3
"""How often a pair may take its process down before it is recorded as lost."""
RENEWED_AFTER: Final = 200
"""Pairs, after which a child is renewed."""
SECONDS_TO_END: Final = 5.0
OUT_OF_TIME: Final = "out-of-time"
LOST: Final = "killed-its-worker"
STOPPED: Final = "stopped"
CHUNK: Final = 65_536


class Ended(Exception):
    """The child is gone; `number` is its exit status, negative for a signal."""

    def __init__(self, number: int) -> None:
        self.number = number
        super().__init__(number)


class TooLong(Exception):
    """The pair took longer than it may."""


class Child:
    """A process that compares pairs, and the pipe to it."""

    def __init__(self, settings: BatchSettings) -> None:
        self.settings = settings
        self.performed = 0
        self.key = ""
        self._left = b""
        words = [sys.executable, "-m", "evreview.app.batch.child"]
        self._process = subprocess.Popen(
            words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, bufsize=0
        )
        self._send(settings.to_json())

    @property
    def number(self) -> int:
        """The process id."""
        return self._process.pid

    def ask(self, task: Task) -> TaskOutcome:
        """What comes of a pair.

        Raises:
            Ended: the process died over it.
            TooLong: it takes too long.
        """
        self.key = ""
        self._send(task.to_json())
        for told in self._lines(time.monotonic() + self.settings.seconds):
            self.key = told.get("key", self.key)
            if "outcome" in told:
                self.performed += 1
                return TaskOutcome.of_json(told["outcome"])
        raise self._ended()

    def _ended(self) -> Ended:
        return Ended(self._process.wait())

    def _send(self, value: Any) -> None:
        assert self._process.stdin is not None
        with suppress(BrokenPipeError):  # reading tells how it ended
            self._process.stdin.write(json.dumps(value).encode() + b"\n")

    def _lines(self, until: float) -> Iterator[dict[str, Any]]:
        """What the child tells, until its pipe ends."""
        assert self._process.stdout is not None
        handle = self._process.stdout.fileno()
        with selectors.DefaultSelector() as waiting:
            waiting.register(handle, selectors.EVENT_READ)
            while True:
                line, found, rest = self._left.partition(b"\n")
                if found:
                    self._left = rest
                    yield json.loads(line)
                    continue
                if not waiting.select(max(0.0, until - time.monotonic())):
                    raise TooLong
                more = os.read(handle, CHUNK)
                if not more:
                    return
                self._left += more

    def close(self) -> None:
        """Let the process end by itself, or end it."""
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with suppress(OSError):
                    pipe.close()
        try:
            self._process.wait(SECONDS_TO_END)
        except subprocess.TimeoutExpired:
            self.kill()

    def kill(self) -> None:
        """End the process now."""
        self._process.kill()
        self._process.wait()


class BatchWorker:
    """Compares pairs one after the other, whatever becomes of its child."""

    def __init__(self, settings: BatchSettings) -> None:
        self.settings = settings
        self.closing = False
        self._child: Child | None = None

    def perform(self, task: Task) -> TaskOutcome:
        """What comes of a pair; it is kept before this returns, unless the store refuses."""
        died = 0
        while True:
            if self.closing:
                return TaskOutcome(status=TaskStatus.UNWRITTEN, code=STOPPED)
            child = self._child = self._child or Child(self.settings)
            fresh = child.performed == 0
            try:
                outcome = child.ask(task)
            except TooLong:
                child.kill()
                return self._stopped(task, child.key)
            except Ended as error:
                self._child = None
                if self.closing:
                    continue
                if error.number == -getattr(signal, "SIGXCPU", 0):
                    return self._stopped(task, child.key)
                died += 1
                if died >= TRIES:
                    found = f"its process ended {died} times, the last time by {_cause(error.number)}"
                    part = failed_part(TaskStatus.LOST, LOST, found, self.settings)
                    return record(task, self.settings, child.key, part)
                continue
            self._renew(outcome)
            if outcome.status is TaskStatus.LIMIT and not outcome.known and not fresh:
                # What is left of other pairs counted too.
                self._end()
                continue
            return outcome

    def _renew(self, outcome: TaskOutcome) -> None:
        """End a child that has done enough, or holds much."""
        assert self._child is not None
        if self._child.performed >= RENEWED_AFTER or outcome.peak > self.settings.megabytes // 2:
            self._end()

    def _end(self) -> None:
        child, self._child = self._child, None
        if child is not None:
            child.close()

    def _stopped(self, task: Task, key: str) -> TaskOutcome:
        self._child = None
        found = f"it takes more than {self.settings.seconds} seconds"
        return record(task, self.settings, key, failed_part(TaskStatus.LIMIT, OUT_OF_TIME, found, self.settings))

    def close(self) -> None:
        """End the child after its pair."""
        self.closing = True
        self._end()

    def kill(self) -> None:
        """End the child now; a pair that it works on is left for another run."""
        self.closing = True
        if self._child is not None:
            self._child.kill()


def _cause(number: int) -> str:
    return signal.Signals(-number).name if number < 0 else f"exit status {number}"
