"""The command line of a sandbox: watch, namespaces, the few folders that are shown, the limits. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from evreview.sandbox.model import AIDS, SCRATCH, WORK, Sandbox
from evreview.sandbox.syscall_trace import CALLS

TOOLS: Final = ("bwrap", "strace", "prlimit", "setpriv")
"""The programs that a sandbox is made of."""
USER: Final = 65534
LOOKUP_FILES: Final[Mapping[str, bytes]] = {
    "/etc/passwd": b"sandbox:x:65534:65534::/sandbox/work:/bin/sh\n",
    "/etc/group": b"sandbox:x:65534:\n",
    "/etc/hosts": b"127.0.0.1 localhost sandbox\n::1 localhost\n",
    "/etc/nsswitch.conf": b"passwd: files\ngroup: files\nhosts: files dns\n",
    "/etc/resolv.conf": b"nameserver 127.0.0.1\noptions timeout:1 attempts:1\n",
}
"""All that stands in `/etc`. Names are asked of loopback, where nobody answers and the watch sees the question."""
ENVIRONMENT: Final[Mapping[str, str]] = {
    "HOME": WORK,
    "LANG": "C.UTF-8",
    "PATH": "/usr/bin:/bin",
    "PYTHONDONTWRITEBYTECODE": "1",
    "PYTHONHASHSEED": "0",
    "PYTHONNOUSERSITE": "1",
    "PYTHONUNBUFFERED": "1",
    "TMPDIR": SCRATCH,
    "TZ": "UTC",
}
"""What every command sees; nothing of the caller's environment comes along."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Host:
    """What of this host a sandbox is built from.

    Attributes:
        tools: the place of each program of `TOOLS`.
        shown: folders and files that are shown read-only at their own path.
        links: links of the root folder, as target and place.
    """

    tools: Mapping[str, str]
    shown: tuple[str, ...]
    links: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Handles:
    """Open files that the sandbox reads its content from, by number.

    Attributes:
        trace: the pipe that the watch writes to, by path.
        rules: the system-call filter.
        files: the content of each file by its path in the sandbox.
        report: the pipe for the command's report, 0 when there is none.
    """

    trace: str
    rules: int
    files: Mapping[str, int] = field(default_factory=dict)
    report: int = 0


def contents(sandbox: Sandbox) -> dict[str, bytes]:
    """Every file that the sandbox starts with, by its path there."""
    return {
        **LOOKUP_FILES,
        **{f"{AIDS}/{name}": data for name, data in sandbox.aids.items()},
        **{f"{WORK}/{name}": data for name, data in sandbox.files.items()},
    }


def environment(sandbox: Sandbox) -> dict[str, str]:
    """Every variable that the command sees."""
    path = ":".join([*(f"{folder}/bin" for folder in sandbox.runtime), ENVIRONMENT["PATH"]])
    return {**ENVIRONMENT, "PATH": path, **sandbox.environment}


def command_line(sandbox: Sandbox, host: Host, handles: Handles) -> list[str]:
    """The words that start the sandbox.

    The watch stands outside, where the command can neither see nor stop it. Ending the first process of the sandbox
    ends every process in it, however often it forked.
    """
    argv = [word.replace("{report}", str(handles.report)) for word in sandbox.argv]
    return [
        *(host.tools["setpriv"], "--pdeathsig", "KILL"),
        *_watch(host, handles),
        *_room(sandbox, host, handles),
        *_limits(sandbox, host),
        *argv,
    ]


def _watch(host: Host, handles: Handles) -> list[str]:
    calls = ",".join(f"?{name}" for name in CALLS)
    settings = ["-f", "-q", "--seccomp-bpf", "-y", "-s", "300", "-e", f"trace={calls}"]
    return [host.tools["strace"], *settings, "-o", handles.trace]


def _room(sandbox: Sandbox, host: Host, handles: Handles) -> list[str]:
    size = str(sandbox.limits.files)
    words = [host.tools["bwrap"], "--unshare-all", "--unshare-user", "--disable-userns", "--hostname", "sandbox"]
    words += ["--uid", str(USER), "--gid", str(USER), "--cap-drop", "ALL", "--die-with-parent", "--new-session"]
    words += ["--clearenv", "--proc", "/proc", "--dev", "/dev", "--size", size, "--tmpfs", "/dev/shm"]
    words += ["--size", size, "--tmpfs", SCRATCH, "--size", size, "--tmpfs", WORK]
    for place in host.shown:
        words += ["--ro-bind", place, place]
    for target, place in host.links:
        words += ["--symlink", target, place]
    for place in sandbox.runtime:
        words += ["--ro-bind", place, place]
    for place, handle in handles.files.items():
        own = place.startswith(f"{WORK}/")
        words += ["--perms", "0644" if own else "0444", "--file" if own else "--ro-bind-data", str(handle), place]
    for name, value in environment(sandbox).items():
        words += ["--setenv", name, value]
    return [
        *words,
        "--remount-ro",
        "/proc",
        "--remount-ro",
        "/dev",
        "--remount-ro",
        "/",
        "--seccomp",
        str(handles.rules),
        "--chdir",
        WORK,
        "--",
    ]


def _limits(sandbox: Sandbox, host: Host) -> list[str]:
    """Limits of each process. The sums over all of them are kept by the watch.

    The kernel's own limit of processes is of no use: it does not hold for root, and on older kernels it counts
    everything that the user runs.
    """
    limits = sandbox.limits
    each = {
        "as": limits.address_space,
        "cpu": max(1, int(limits.seconds)),
        "fsize": limits.files,
        "nofile": 1024,
        "core": 0,
        "memlock": 0,
        "msgqueue": 0,
    }
    return [host.tools["prlimit"], *(f"--{name}={value}" for name, value in each.items()), "--"]
