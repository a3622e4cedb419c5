"""The command line of a sandbox: watch, namespaces, folders, limits; and the kernel's filter of system calls. Pure."""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
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


# Which system calls a sandboxed process can't make, as a classic BPF program.
#
# Two answers. `DENY`: the call fails as on a kernel without it, and programs go on (many probe io_uring). `KILL`: the
# process dies at once, which the watch sees; for sockets that a network namespace does not cover.


_LOAD: Final = 0x20
_JUMP_EQUAL: Final = 0x15
_JUMP_AT_LEAST: Final = 0x35
_RETURN: Final = 0x06
_NUMBER, _ARCHITECTURE, _FIRST_ARGUMENT = 0, 4, 16
ALLOW: Final = 0x7FFF0000
KILL: Final = 0x80000000
DENY: Final = 0x00050000 | 38
"""Fails with ENOSYS."""
_X32: Final = 0x40000000

FAMILIES: Final = (0, 1, 2, 10, 16)
"""Socket families that the network namespace confines: unspecified, unix, inet, inet6, netlink."""


@dataclass(frozen=True, slots=True)
class Machine:
    """Numbers of one processor architecture: its audit id and the calls that matter here.

    Denied is what the watch can't follow, what reaches past the namespaces, and memory that no process maps.
    """

    audit: int
    socket: int
    denied: Mapping[str, int]


_EVERYWHERE: Final = {
    "io_uring_setup": 425,
    "io_uring_enter": 426,
    "io_uring_register": 427,
    "pidfd_getfd": 438,
    "memfd_secret": 447,
}
MACHINES: Final[Mapping[str, Machine]] = {
    "x86_64": Machine(
        audit=0xC000003E,
        socket=41,
        denied={
            **_EVERYWHERE,
            "ptrace": 101,
            "unshare": 272,
            "setns": 308,
            "mount": 165,
            "umount2": 166,
            "pivot_root": 155,
            "add_key": 248,
            "request_key": 249,
            "keyctl": 250,
            "perf_event_open": 298,
            "process_vm_readv": 310,
            "process_vm_writev": 311,
            "bpf": 321,
            "userfaultfd": 323,
            "memfd_create": 319,
            "shmget": 29,
            "semget": 64,
            "msgget": 68,
        },
    ),
    "aarch64": Machine(
        audit=0xC00000B7,
        socket=198,
        denied={
            **_EVERYWHERE,
            "ptrace": 117,
            "unshare": 97,
            "setns": 268,
            "mount": 40,
            "umount2": 39,
            "pivot_root": 41,
            "add_key": 217,
            "request_key": 218,
            "keyctl": 219,
            "perf_event_open": 241,
            "process_vm_readv": 270,
            "process_vm_writev": 271,
            "bpf": 280,
            "userfaultfd": 282,
            "memfd_create": 279,
            "shmget": 194,
            "semget": 190,
            "msgget": 186,
        },
    ),
}
"""The architectures that the filter is written for. On another one nothing is executed."""


def filter_program(machine: Machine) -> bytes:
    """The program as the kernel loads it. A call of another architecture's table kills the process."""
    denied = sorted(machine.denied.values())
    rows = [
        (_LOAD, 0, 0, _ARCHITECTURE),
        (_JUMP_EQUAL, 1, 0, machine.audit),
        (_RETURN, 0, 0, KILL),
        (_LOAD, 0, 0, _NUMBER),
        (_JUMP_AT_LEAST, 0, 1, _X32),
        (_RETURN, 0, 0, KILL),
        *_each(denied, DENY),
        (_JUMP_EQUAL, 1, 0, machine.socket),
        (_RETURN, 0, 0, ALLOW),
        (_LOAD, 0, 0, _FIRST_ARGUMENT),
        *_each(FAMILIES, ALLOW),
        (_RETURN, 0, 0, KILL),
    ]
    return b"".join(struct.pack("=HBBI", *row) for row in rows)


def _each(values: Sequence[int], answer: int) -> list[tuple[int, int, int, int]]:
    """Two instructions a value: when it is the one loaded, the answer."""
    return [row for value in values for row in ((_JUMP_EQUAL, 0, 1, value), (_RETURN, 0, 0, answer))]
