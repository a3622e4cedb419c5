"""[I/O] Runs a sandbox, watches it, stops it, and says what came out."""

from __future__ import annotations

import contextlib
import hashlib
import os
import selectors
import signal
import subprocess
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import IO, Final

from evreview.core.errors import bad_input
from evreview.core.temporary_folder import TemporaryFolder
from evreview.redaction.redactor import Redactor
from evreview.sandbox.command import Handles, command_line, contents, filter_program
from evreview.sandbox.host import host, machine, missing, versions
from evreview.sandbox.model import Output, Ran, Sandbox, Stopped
from evreview.sandbox.syscall_trace import SyscallWatch

_POLL_SECONDS: Final = 0.05
_MEMORY_EVERY: Final = 0.1
_GRACE_SECONDS: Final = 0.05
"""After the first sign of network access, for the rest of its trace (the name that was asked for) to arrive."""
_DRAIN_SECONDS: Final = 2.0
_CHUNK: Final = 65536
_LITTLE: Final = 8 * 2**20
"""Shared memory of a process that is not worth asking who else maps it."""


@lru_cache(maxsize=1)
def available() -> str:
    """Why nothing can be isolated here, "" when it can; found out by isolating a command that does nothing."""
    reason = missing()
    if reason:
        return reason
    done = _run(Sandbox(argv=("/bin/true",)))
    if done.counts and done.exit_status == 0:
        return ""
    said = (done.trouble or done.stderr.text or done.stopped.value).strip().splitlines()
    return f"bubblewrap does not work here: {said[0] if said else 'no reason given'}"


def run(sandbox: Sandbox) -> Ran:
    """What the sandbox's command came to.

    Raises:
        BadInput: nothing can be isolated here; nothing was started.
    """
    reason = available()
    if reason:
        raise bad_input("isolation-unavailable", reason, advice="Nothing was executed; the check stays proposed")
    return _run(sandbox)


def _run(sandbox: Sandbox) -> Ran:
    with contextlib.ExitStack() as held:
        folder = TemporaryFolder("evreview-")
        trace = held.enter_context(folder) / "trace"
        os.mkfifo(trace, 0o600)
        reader = _held(held, os.open(trace, os.O_RDONLY | os.O_NONBLOCK))
        # An own writer, never written to: without one the pipe would look closed until the watch opens it.
        _held(held, os.open(trace, os.O_WRONLY))
        taken, given = os.pipe() if sandbox.report else (-1, 0)
        files = {place: _in_memory(held, data) for place, data in contents(sandbox).items()}
        rules = _in_memory(held, filter_program(machine()))
        handles = Handles(trace=str(trace), rules=rules, files=files, report=given)
        process = subprocess.Popen(
            command_line(sandbox, host(), handles),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd="/",
            env={"PATH": "/usr/bin:/bin"},
            pass_fds=[rules, *files.values(), *([given] if given else [])],
            start_new_session=True,
        )
        if given:
            os.close(given)
            _held(held, taken)
        streams = {"trace": reader, "out": _number(process.stdout), "err": _number(process.stderr)}
        # The pipe's name is of no use once the watch has opened it, and a killed caller shall leave nothing behind.
        course = _Course(sandbox, process, streams | ({"report": taken} if given else {}), folder.remove)
        try:
            course.follow()
        finally:
            course.end()
            for pipe in (process.stdout, process.stderr):
                if pipe:
                    pipe.close()
        return course.result()


def _held(stack: contextlib.ExitStack, handle: int) -> int:
    stack.callback(os.close, handle)
    return handle


def _in_memory(stack: contextlib.ExitStack, data: bytes) -> int:
    handle = _held(stack, os.memfd_create("evreview"))
    view = memoryview(data)
    while view:
        view = view[os.write(handle, view) :]
    os.lseek(handle, 0, os.SEEK_SET)
    return handle


def _number(stream: IO[bytes] | None) -> int:
    return stream.fileno() if stream else -1


class _Course:
    """One run from its start to its end."""

    def __init__(
        self,
        sandbox: Sandbox,
        process: subprocess.Popen[bytes],
        streams: Mapping[str, int],
        once_watched: Callable[[], None],
    ) -> None:
        self.sandbox, self.process = sandbox, process
        self.once_watched = once_watched
        self.watch = SyscallWatch()
        self.kept = {name: bytearray() for name in ("out", "err", "report")}
        self.cut: set[str] = set()
        self.stopped: Stopped | None = None
        self.selector = selectors.DefaultSelector()
        for name, handle in streams.items():
            os.set_blocking(handle, False)
            self.selector.register(handle, selectors.EVENT_READ, name)

    def follow(self) -> None:
        """Read everything that comes until the command ends or has to be stopped."""
        limits = self.sandbox.limits
        until = time.monotonic() + limits.seconds
        weigh, sign = 0.0, 0.0
        while self.process.poll() is None:
            self._read(_POLL_SECONDS)
            now = time.monotonic()
            if self.watch.stop and not sign:
                sign = now + _GRACE_SECONDS
            if now >= weigh and not self.stopped:
                weigh = now + _MEMORY_EVERY
                alive = family(self.process.pid)
                if len(alive) > limits.tasks:
                    self.stopped = Stopped.TASKS
                elif resident(alive) > limits.memory:
                    self.stopped = Stopped.MEMORY
            if sign and now >= sign:
                self.stopped = self.watch.stop
            elif self.watch.tasks > limits.tasks:
                self.stopped = self.stopped or Stopped.TASKS
            elif now >= until:
                self.stopped = self.stopped or Stopped.SECONDS
            if self.stopped:
                return

    def end(self) -> None:
        """Everything of the sandbox gone, and what it had written read."""
        if self.process.poll() is None:
            for pid in reversed(family(self.process.pid)):
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.kill(pid, signal.SIGKILL)
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
        until = time.monotonic() + _DRAIN_SECONDS
        while len(self.selector.get_map()) > 1 and time.monotonic() < until:
            self._read(_POLL_SECONDS)
        self.process.wait()
        while self._read(0):
            pass
        self.selector.close()

    def _read(self, patience: float) -> bool:
        """True when something was read."""
        got = False
        for key, _ in self.selector.select(patience):
            handle, name = key.fd, str(key.data)
            try:
                data = os.read(handle, _CHUNK)
            except BlockingIOError:
                continue
            if not data:
                self.selector.unregister(handle)
                continue
            got = True
            self._traced(data) if name == "trace" else self._keep(name, data)
        return got

    def _traced(self, data: bytes) -> None:
        if not self.watch.pids and not self.watch.ended:
            self.once_watched()
        self.watch.feed(data)

    def _keep(self, name: str, data: bytes) -> None:
        limits = self.sandbox.limits
        room = (limits.report if name == "report" else limits.output) - len(self.kept[name])
        self.kept[name] += data[: max(0, room)]
        if len(data) > room:
            self.cut.add(name)
            self.stopped = self.stopped or Stopped.OUTPUT

    def result(self) -> Ran:
        """What it came to."""
        stopped = self.watch.stop or self.stopped or self._ending()
        ended = stopped is Stopped.ENDED
        trouble = Redactor().clean(bytes(self.kept["err"]).decode("utf-8", "replace"))
        return Ran(
            argv=self.sandbox.argv,
            environment=in_words(self.sandbox),
            exit_status=_status(self.process.returncode) if ended else None,
            stopped=stopped,
            attempts=self.watch.attempts,
            stdout=self._output("out"),
            stderr=self._output("err"),
            report=bytes(self.kept["report"]),
            trouble=trouble if stopped is Stopped.NOT_STARTED else "",
        )

    def _ending(self) -> Stopped:
        if not self.watch.started:
            return Stopped.NOT_STARTED
        return Stopped.ENDED if self.watch.ended else Stopped.UNWATCHED

    def _output(self, name: str) -> Output:
        data = bytes(self.kept[name])
        text = Redactor().clean(data.decode("utf-8", "replace"))
        return Output(text=text, sha256=hashlib.sha256(data).hexdigest(), size=len(data), cut=name in self.cut)


def _status(returned: int) -> int:
    return returned if returned >= 0 else 128 - returned


def in_words(sandbox: Sandbox) -> str:
    """The environment of a run, in words."""
    limits = sandbox.limits
    return (
        f"{versions()}; own network with loopback only; system and runtime read-only, copied work folder, nothing else "
        f"of this host; cleared environment; at most {limits.seconds:g} s, {limits.memory // 2**20} MiB and "
        f"{limits.tasks} processes and threads; every process watched"
    )


def family(pid: int) -> list[int]:
    """A process and everything that descends from it, parents first."""
    found, waiting = [], [pid]
    while waiting:
        one = waiting.pop()
        found.append(one)
        waiting.extend(_children(one))
    return found


def _children(pid: int) -> Iterator[int]:
    with contextlib.suppress(OSError):
        for task in Path(f"/proc/{pid}/task").iterdir():
            with contextlib.suppress(OSError):
                yield from map(int, (task / "children").read_text().split())


def resident(pids: Iterable[int]) -> int:
    """Bytes of memory that processes hold: each one's own, and its share of what they map together."""
    total = 0
    for one in pids:
        held = _sizes(f"/proc/{one}/status")
        shared = held.get("RssShmem", 0)
        if shared > _LITTLE:
            shared = _sizes(f"/proc/{one}/smaps_rollup").get("Pss_Shmem", shared)
        total += held.get("RssAnon", 0) + shared
    return total


def _sizes(file: str) -> dict[str, int]:
    """Every size in bytes that a file of `/proc` tells, nothing when the process is gone or hides."""
    sizes: dict[str, int] = {}
    with contextlib.suppress(OSError):
        for line in Path(file).read_text().splitlines():
            name, _, value = line.partition(":")
            if value.endswith(" kB"):
                sizes[name] = int(value.split()[0]) * 1024
    return sizes
