"""The command line of a sandbox: watch, namespaces, folders, limits; and the kernel's filter of system calls. Pure.

What a running command tries, read from its system-call trace line by line.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from ipaddress import IPv6Address, ip_address
from posixpath import isabs, join, normpath
from typing import Final

from evreview.sandbox.model import AIDS, SCRATCH, WORK, WRITABLE, Denied, Sandbox, SandboxViolation, Stopped

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


STARTING: Final = ("clone", "clone3", "fork", "vfork")
SENDING: Final = ("connect", "sendto", "sendmsg", "sendmmsg")
_OPENING: Final = ("open", "openat", "openat2", "creat")
_CHANGING: Final = (
    "unlink", "unlinkat", "rmdir", "mkdir", "mkdirat", "mknod", "mknodat", "rename", "renameat", "renameat2",
    "truncate", "link", "linkat", "symlink", "symlinkat", "chmod", "fchmodat", "fchmodat2", "chown",
    "lchown", "fchownat",
)  # fmt: skip
CALLS: Final = ("execve", "execveat", "bind", *STARTING, *SENDING, *_OPENING, *_CHANGING)
"""The calls that the trace has to show."""

_LINE: Final = re.compile(r"(?P<pid>\d+) +(?P<rest>.*)", re.DOTALL)
_RESUMED: Final = re.compile(r"<\.\.\. \w+ resumed>")
_UNFINISHED: Final = "<unfinished ...>"
_RESULT: Final = re.compile(r"(?P<call>.*)\) += (?P<value>-?\d+|\?)(?:<.*>)?(?: (?P<error>E[A-Z0-9]+))?.*", re.DOTALL)
"""Greedy: a path may hold what looks like a result, the last one is the kernel's."""
_PATHS: Final = re.compile(r'(?:(?:AT_FDCWD|\d+)<(?P<folder>[^>]*)>, )?"(?P<path>(?:[^"\\]|\\.)*)"')
_SOCKET: Final = re.compile(r"^\w+\(\d+<(socket:\[\d+\])")
_BOUND: Final = re.compile(r'sun_path="(?P<path>(?:[^"\\]|\\.)+)"')
_OWN: Final = re.compile(r"/proc/(?:self|thread-self|\d+)/(?:task/\d+/)?comm")
"""The name of a thread of the sandbox itself, which libraries set; it can't be changed and is not reported."""
_WRITES: Final = ("O_WRONLY", "O_RDWR", "O_CREAT", "O_TRUNC")
_MOST_KINDS: Final = 200
_LONGEST: Final = 300


class SyscallWatch:
    """Takes the trace of one sandbox and says what was tried.

    What the sandbox itself does to build the room is not judged; the command starts with the second program that is
    executed. Process numbers are those of the host.

    Attributes:
        tasks: processes and threads alive.
        pids: processes seen and not yet gone.
        ended: True once the first process, the sandbox, was seen to end.
    """

    def __init__(self) -> None:
        self.tasks = 1
        self.pids: dict[int, None] = {}
        self.ended = False
        self._first = 0
        self._executed = 0
        self._halves: dict[int, str] = {}
        self._lookups: set[str] = set()
        self._attempts: dict[tuple[Denied, str], int] = {}
        self._rest = b""

    def feed(self, data: bytes) -> None:
        """Take the next bytes of the trace, cut anywhere."""
        *lines, self._rest = (self._rest + data).split(b"\n")
        for line in lines:
            self._line(line.decode("utf-8", "replace"))

    @property
    def attempts(self) -> tuple[SandboxViolation, ...]:
        """What was tried so far, sorted."""
        return tuple(
            sorted(SandboxViolation(tried, target, times) for (tried, target), times in self._attempts.items())
        )

    @property
    def stop(self) -> Stopped | None:
        """Why the run must be stopped at once, None when it may go on."""
        tried = {tried for tried, _ in self._attempts}
        if tried & {Denied.CONNECT, Denied.SEND, Denied.LOOKUP}:
            return Stopped.NETWORK
        return Stopped.FORBIDDEN_CALL if Denied.FORBIDDEN_CALL in tried else None

    @property
    def started(self) -> bool:
        """True once the command itself, behind the sandbox, was executed."""
        return self._executed > 1

    def _line(self, line: str) -> None:
        found = _LINE.fullmatch(line)
        if not found:
            return
        pid, rest = int(found["pid"]), found["rest"]
        self._first = self._first or pid
        if rest.startswith("+++"):
            self._gone(pid, rest)
            return
        self.pids.setdefault(pid)
        rest = self._whole(pid, rest)
        name = rest.partition("(")[0]
        if name in STARTING and (result := _RESULT.match(rest)) and _succeeded(result):
            self.tasks += 1
        if name.startswith("execve") and (result := _RESULT.match(rest)) and result["value"] == "0":
            self._executed += 1
        if self.started:
            self._judge(name, rest)

    def _gone(self, pid: int, rest: str) -> None:
        self.pids.pop(pid, None)
        self._halves.pop(pid, None)
        self.tasks -= 1
        self.ended = self.ended or pid == self._first
        if "killed by SIGSYS" in rest and self.started:
            self._note(Denied.FORBIDDEN_CALL, "a socket family or a call that the sandbox does not know")

    def _whole(self, pid: int, rest: str) -> str:
        """The call of a line; of a call in two halves, the first half at first and then all of it."""
        resumed = _RESUMED.match(rest)
        if resumed:
            half = self._halves.pop(pid, "")
            # What a first half asked for was judged then; its result matters for the other calls only.
            rest = "" if half.startswith(SENDING) else half + rest[resumed.end() :]
        if rest.endswith(_UNFINISHED):
            rest = self._halves[pid] = rest[: -len(_UNFINISHED)]
        return rest

    def _judge(self, name: str, call: str) -> None:
        if name in SENDING:
            self._sent(name, call)
        elif name == "bind":
            for path in _bound(call):
                self._note(Denied.WRITE, path)
        elif name in _CHANGING or (name in _OPENING and (name == "creat" or any(word in call for word in _WRITES))):
            for path in _outside(name, call):
                self._note(Denied.WRITE, path)

    def _sent(self, name: str, call: str) -> None:
        socket = _SOCKET.match(call)
        asked = destinations(call)
        lookup = any(found.port == LOOKUP_PORT for found in asked)
        if socket and lookup and name == "connect":
            self._lookups.add(socket[1])
        names = looked_up(call) if lookup or (socket and socket[1] in self._lookups) else ()
        for found in names:
            self._note(Denied.LOOKUP, found)
        for destination in asked:
            if not destination.is_loopback:
                self._note(Denied.CONNECT if name == "connect" else Denied.SEND, str(destination))
            elif destination.port == LOOKUP_PORT and not names:
                self._note(Denied.LOOKUP, "(a name server)")

    def _note(self, tried: Denied, target: str) -> None:
        key = (tried, target[:_LONGEST])
        if key in self._attempts or len(self._attempts) < _MOST_KINDS:
            self._attempts[key] = self._attempts.get(key, 0) + 1


def _succeeded(result: re.Match[str]) -> bool:
    return result["value"].isdigit() and result["value"] != "0"


def _outside(name: str, call: str) -> Iterator[str]:
    """The paths outside the writable folders that a call would change; for a read-only answer, whatever it names."""
    result = _RESULT.match(call)
    if result is None or result["error"] == "EEXIST":
        return
    named = list(_PATHS.finditer(result["call"]))
    if name in _OPENING or name.startswith(("link", "symlink")):
        named = named[-1:]
    for found in named:
        path = _resolved(found)
        if not _OWN.fullmatch(path) and (result["error"] == "EROFS" or (isabs(path) and not is_inside(path, WRITABLE))):
            yield path


def _bound(call: str) -> Iterator[str]:
    """The path outside the writable folders at which a call would make a socket."""
    result, found = _RESULT.match(call), _BOUND.search(call)
    if result is None or found is None or result["error"] in ("EADDRINUSE", "EINVAL"):
        return
    path = normpath(found["path"])
    if result["error"] == "EROFS" or (isabs(path) and not is_inside(path, WRITABLE)):
        yield path


def _resolved(found: re.Match[str]) -> str:
    folder, path = found["folder"] or "", found["path"]
    return normpath(join(folder, path)) if path else normpath(folder or ".")


def is_inside(path: str, folders: Iterable[str]) -> bool:
    """True when the path is one of the folders or lies in one."""
    return any(path == folder or path.startswith(f"{folder}/") for folder in folders)


# Destinations and looked-up names in one line of the trace.


_ADDRESSES: Final = re.compile(
    r'sa_family=AF_INET, sin_port=htons\((?P<port4>\d+)\), sin_addr=inet_addr\("(?P<four>[^"]+)"\)'
    r'|sa_family=AF_INET6, sin6_port=htons\((?P<port6>\d+)\).{0,80}?inet_pton\(AF_INET6, "(?P<six>[^"]+)"'
)
_QUOTED: Final = re.compile(r'"((?:[^"\\]|\\.)*)"')
_ESCAPE: Final = re.compile(r"\\(?:([0-7]{1,3})|x([0-9a-f]{2})|(.))")
_LETTERS: Final = {"n": "\n", "t": "\t", "r": "\r", "v": "\v", "f": "\f", "a": "\a", "b": "\b"}
_HEADER: Final = 12
_LONGEST_LABEL: Final = 63
LOOKUP_PORT: Final = 53


@dataclass(frozen=True, slots=True)
class Destination:
    """An internet address and port that a call names."""

    address: str
    port: int

    @property
    def is_loopback(self) -> bool:
        """True for this host itself. The unspecified address reaches it too."""
        try:
            found = ip_address(self.address.partition("%")[0])
        except ValueError:
            return False
        mapped = found.ipv4_mapped if isinstance(found, IPv6Address) else None
        plain = mapped or found
        return plain.is_loopback or plain.is_unspecified

    def __str__(self) -> str:
        return f"[{self.address}]:{self.port}" if ":" in self.address else f"{self.address}:{self.port}"


def destinations(line: str) -> tuple[Destination, ...]:
    """Every internet address of a line, in order."""
    return tuple(
        Destination(found["four"] or found["six"], int(found["port4"] or found["port6"]))
        for found in _ADDRESSES.finditer(line)
    )


def looked_up(line: str) -> tuple[str, ...]:
    """The names that name-server questions in a line's buffers ask for, each once."""
    names = (_question(_plain(text)) for text in _QUOTED.findall(line))
    return tuple(dict.fromkeys(name for name in names if name))


def _plain(text: str) -> str:
    """A C string as the trace writes it, one character for each byte."""

    def meant(found: re.Match[str]) -> str:
        if found[1] or found[2]:
            return chr(int(found[1], 8) if found[1] else int(found[2], 16))
        return _LETTERS.get(found[3], found[3])

    return _ESCAPE.sub(meant, text)


def _question(packet: str) -> str:
    """The first name that a name-server packet asks for, "" when it is none."""
    labels: list[str] = []
    at = _HEADER
    while at < len(packet):
        length = ord(packet[at])
        if length == 0:
            break
        label = packet[at + 1 : at + 1 + length]
        if length > _LONGEST_LABEL or len(label) < length or not label.isprintable():
            return ""
        labels.append(label)
        at += 1 + length
    return ".".join(labels) if at < len(packet) else ""
