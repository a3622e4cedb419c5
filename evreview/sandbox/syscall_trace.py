"""What a running command tries, read from its system-call trace line by line."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address
from posixpath import isabs, join, normpath
from typing import Final

from evreview.sandbox.model import WRITABLE, Denied, SandboxViolation, Stopped

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
