"""The kernel's own filter: which system calls a sandboxed process can't make, as a classic BPF program.

Two answers. `DENY`: the call fails as on a kernel without it, and programs go on (many probe io_uring). `KILL`: the
process dies at once, which the watch sees; for sockets that a network namespace does not cover.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

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
