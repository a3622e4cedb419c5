"""What a sandbox holds and allows, what its command tried, and what came out. Values only."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from evreview.core.vocabulary import ClosedVocabulary
from evreview.redaction.detector import Clean

ROOM: Final = "/sandbox"
WORK: Final = f"{ROOM}/work"
"""The work folder as the command sees it; it holds the copied files and is thrown away."""
AIDS: Final = f"{ROOM}/aids"
"""Read-only helpers beside the work folder."""
SCRATCH: Final = "/tmp"
WRITABLE: Final = (WORK, SCRATCH, "/dev")
"""Where a write stays inside. Everything else is read-only or not there."""
_MIB: Final = 1024 * 1024


class Denied(ClosedVocabulary):
    """What a command attempted that it may not do."""

    CONNECT = "connect"
    SEND = "send"
    LOOKUP = "name lookup"
    WRITE = "write outside"
    FORBIDDEN_CALL = "forbidden system call"


class Stopped(ClosedVocabulary):
    """Why a run ended."""

    ENDED = "ended by itself"
    NETWORK = "unexpected network access"
    FORBIDDEN_CALL = "forbidden system call"
    SECONDS = "the time limit"
    TASKS = "the limit of processes and threads"
    MEMORY = "the memory limit"
    OUTPUT = "the output limit"
    UNWATCHED = "the watch was lost"
    NOT_STARTED = "it did not start"


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What a run may use. Each is enforced from outside; the per-process ones by the kernel as well.

    Attributes:
        seconds: of wall-clock time for the whole run; also of CPU time for each process.
        memory: bytes resident in all processes together.
        address_space: bytes of address space of one process.
        tasks: processes and threads at one time, those of the sandbox itself included.
        output: bytes of standard output, and as many of standard error.
        report: bytes that the helper inside may hand out.
        files: bytes that the work folder may hold, and as many the scratch folder; also the largest file.
    """

    seconds: float = 60.0
    memory: int = 1024 * _MIB
    address_space: int = 2048 * _MIB
    tasks: int = 128
    output: int = _MIB
    report: int = 16 * _MIB
    files: int = 128 * _MIB


@dataclass(frozen=True, slots=True, kw_only=True)
class Sandbox:
    """One run, described in full.

    Attributes:
        argv: the command.
        files: content of the work folder by relative POSIX path.
        aids: content of the read-only helpers by name.
        environment: every variable that the command sees.
        runtime: folders of a language runtime that are shown read-only at their own path.
        limits: what it may use.
        report: True when the command gets a pipe for a report; `{report}` in argv stands for its number.
    """

    argv: tuple[str, ...]
    files: Mapping[str, bytes] = field(default_factory=dict, repr=False)
    aids: Mapping[str, bytes] = field(default_factory=dict, repr=False)
    environment: Mapping[str, str] = field(default_factory=dict)
    runtime: tuple[str, ...] = ()
    limits: Limits = Limits()
    report: bool = False


@dataclass(frozen=True, slots=True, order=True)
class SandboxViolation:
    """Something that the command tried and may not do.

    Attributes:
        tried: what it was.
        target: the destination, name, path or call; the subject's words, guarded where it is printed.
        times: how often it was seen before the run ended.
    """

    tried: Denied
    target: str
    times: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Output:
    """One captured stream: guarded text, and the digest of the bytes as they came.

    Attributes:
        text: what may be shown and kept.
        sha256: of the captured bytes.
        size: how many were captured.
        cut: True when there was more than the limit.
    """

    text: Clean
    sha256: str
    size: int
    cut: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Ran:
    """What a run came to. Its duration is not kept: two equal runs give equal values.

    Attributes:
        argv: the command.
        environment: the environment in words.
        exit_status: of the command, 128 and the signal where a signal ended it; None when it was stopped.
        stopped: why it ended.
        attempts: everything that it tried and may not do.
        stdout, stderr: what it wrote.
        report: raw bytes of the helper's report; hostile, to be parsed and guarded by whoever asked for it.
        trouble: what the sandbox itself said when it did not start, guarded.
    """

    argv: tuple[str, ...]
    environment: str
    exit_status: int | None
    stopped: Stopped
    attempts: tuple[SandboxViolation, ...]
    stdout: Output
    stderr: Output
    report: bytes = field(default=b"", repr=False)
    trouble: str = ""

    @property
    def stayed_inside(self) -> bool:
        """True when the command attempted nothing outside the sandbox and was watched to its end."""
        unwatched = (Stopped.UNWATCHED, Stopped.NOT_STARTED, Stopped.NETWORK, Stopped.FORBIDDEN_CALL)
        return not self.attempts and self.stopped not in unwatched

    @property
    def counts(self) -> bool:
        """True when the run may be called executed: it stayed inside and ended by itself."""
        return self.stayed_inside and self.stopped is Stopped.ENDED
