"""The trace's lines: what they say was tried, and what is no attempt."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evreview.sandbox.model import Denied, SandboxViolation, Stopped
from evreview.sandbox.syscall_trace import Destination, SyscallWatch, destinations, looked_up

BEGUN = '1 execve("/usr/bin/bwrap", ["bwrap"], 0x1) = 0\n2 execve("/usr/bin/prlimit", [], 0x1) = 0\n'
FOUR = '{sa_family=AF_INET, sin_port=htons(%d), sin_addr=inet_addr("%s")}, 16'
SIX = (
    "{sa_family=AF_INET6, sin6_port=htons(%d), sin6_flowinfo=htonl(0), "
    'inet_pton(AF_INET6, "%s", &sin6_addr), sin6_scope_id=0}, 28'
)
ASKED = r'"hg\1\0\0\1\0\0\0\0\0\0\3api\7example\3com\0\0\1\0\1"'


def after(*lines: str) -> SyscallWatch:
    watch = SyscallWatch()
    watch.feed((BEGUN + "".join(f"{line}\n" for line in lines)).encode())
    return watch


QUIET = [
    f"2 connect(3<socket:[5]>, {FOUR % (8080, '127.0.0.1')}) = 0",
    f"2 connect(3<socket:[5]>, {FOUR % (8080, '127.9.9.9')}) = 0",
    f"2 connect(3<socket:[5]>, {FOUR % (8080, '0.0.0.0')}) = 0",
    f"2 connect(3<socket:[5]>, {SIX % (80, '::1')}) = 0",
    f"2 connect(3<socket:[5]>, {SIX % (80, '::ffff:127.0.0.1')}) = 0",
    '2 connect(3<socket:[5]>, {sa_family=AF_UNIX, sun_path="/var/run/nscd/socket"}, 110) = -1 ENOENT (No such file)',
    "2 connect(3<socket:[5]>, {sa_family=AF_UNSPEC, sa_data=0x0}, 16) = 0",
    '2 sendto(3<socket:[5]>, "x", 1, 0, NULL, 0) = 1',
    '2 openat(AT_FDCWD</sandbox/work>, "/etc/passwd", O_RDONLY|O_CLOEXEC) = 3</etc/passwd>',
    '2 openat(AT_FDCWD</sandbox/work>, "a", O_WRONLY|O_CREAT, 0666) = 3</sandbox/work/a>',
    '2 openat(5</tmp/x>, "a", O_WRONLY|O_CREAT, 0666) = 3</tmp/x/a>',
    '2 mkdir("/usr", 0777) = -1 EEXIST (File exists)',
    '2 openat(AT_FDCWD</sandbox/work>, "/proc/self/task/7/comm", O_RDWR) = -1 EROFS (Read-only file system)',
    '2 mkdir("here", 0777) = 0',
    '2 bind(3<socket:[5]>, {sa_family=AF_UNIX, sun_path="/tmp/sock"}, 110) = 0',
    '2 bind(3<socket:[5]>, {sa_family=AF_UNIX, sun_path="own.sock"}, 110) = 0',
    '2 bind(3<socket:[5]>, {sa_family=AF_UNIX, sun_path=@"abstract"}, 110) = 0',
    f"2 bind(3<socket:[5]>, {FOUR % (8080, '127.0.0.1')}) = 0",
    '2 symlink("/etc/passwd", "/sandbox/work/link") = 0',
    '2 openat(AT_FDCWD</sandbox/work>, "/dev/null", O_RDWR) = 3</dev/null>',
    "2 --- SIGCHLD {si_signo=SIGCHLD} ---",
    "nothing that a trace says",
    "",
]


@pytest.mark.parametrize("line", QUIET)
def test_what_is_no_attempt(line: str) -> None:
    watch = after(line)
    assert (watch.attempts, watch.stop) == ((), None)


TRIED = [
    (f"2 connect(3<socket:[5]>, {FOUR % (443, '192.0.2.1')}) = -1 ENETUNREACH (x)", Denied.CONNECT, "192.0.2.1:443"),
    (f"2 connect(3<socket:[5]>, {SIX % (443, '2001:db8::5')}) = -1 EX (x)", Denied.CONNECT, "[2001:db8::5]:443"),
    (f"2 connect(3<socket:[5]>, {SIX % (443, '::ffff:8.8.8.8')}) = -1 EX (x)", Denied.CONNECT, "[::ffff:8.8.8.8]:443"),
    (f"2 connect(3<socket:[5]>, {FOUR % (443, '192.0.2.1')} <unfinished ...>", Denied.CONNECT, "192.0.2.1:443"),
    (f'2 sendto(3<socket:[5]>, "x", 1, 0, {FOUR % (9, "192.0.2.1")}) = 1', Denied.SEND, "192.0.2.1:9"),
    (
        f"2 sendmsg(3<socket:[5]>, {{msg_name={FOUR % (9, '192.0.2.1')}, msg_iov=[]}}, 0) = 1",
        Denied.SEND,
        "192.0.2.1:9",
    ),
    (f"2 sendto(3<socket:[5]>, {ASKED}, 33, 0, {FOUR % (53, '127.0.0.1')}) = 33", Denied.LOOKUP, "api.example.com"),
    (f"2 connect(3<socket:[5]>, {FOUR % (53, '127.0.0.1')}) = 0", Denied.LOOKUP, "(a name server)"),
    ('2 openat(AT_FDCWD</x>, "/etc/a", O_WRONLY|O_CREAT, 0666) = -1 EROFS (Read-only)', Denied.WRITE, "/etc/a"),
    ('2 openat(AT_FDCWD</x>, "/no/a", O_RDWR) = -1 ENOENT (No such file)', Denied.WRITE, "/no/a"),
    ('2 openat(AT_FDCWD</etc>, "a", O_RDONLY|O_CREAT, 0666) = -1 EACCES (x)', Denied.WRITE, "/etc/a"),
    ('2 openat2(AT_FDCWD</etc>, "a", {flags=O_WRONLY, resolve=0}, 24) = -1 EX (x)', Denied.WRITE, "/etc/a"),
    ('2 openat(7</sandbox/work>, "../../etc/a", O_WRONLY) = -1 EROFS (x)', Denied.WRITE, "/etc/a"),
    ('2 openat(AT_FDCWD</sandbox/work>, "link", O_WRONLY) = -1 EROFS (x)', Denied.WRITE, "/sandbox/work/link"),
    ('2 openat(AT_FDCWD</x>, "/proc/sys/kernel/x", O_WRONLY) = -1 EACCES (x)', Denied.WRITE, "/proc/sys/kernel/x"),
    ('2 openat(AT_FDCWD</x>, "/proc/self/root/a", O_WRONLY) = -1 EROFS (x)', Denied.WRITE, "/proc/self/root/a"),
    ('2 mkdir("relative", 0777) = -1 EROFS (Read-only file system)', Denied.WRITE, "relative"),
    ('2 creat("/sandbox/workmate", 0666) = -1 EROFS (x)', Denied.WRITE, "/sandbox/workmate"),
    ('2 link("/sandbox/work/a", "/usr/a") = -1 EXDEV (x)', Denied.WRITE, "/usr/a"),
    ('2 unlink("/usr/x) = 0 ") = -1 EROFS (Read-only)', Denied.WRITE, "/usr/x) = 0 "),
    ("2 +++ killed by SIGSYS (core dumped) +++", Denied.FORBIDDEN_CALL, None),
]


@pytest.mark.parametrize(("line", "tried", "target"), TRIED)
def test_what_is_an_attempt(line: str, tried: Denied, target: str | None) -> None:
    (found,) = after(line).attempts
    assert found.tried is tried
    assert target is None or found.target == target


STOPS = [(Denied.CONNECT, Stopped.NETWORK), (Denied.SEND, Stopped.NETWORK), (Denied.LOOKUP, Stopped.NETWORK)]
STOPS += [(Denied.FORBIDDEN_CALL, Stopped.FORBIDDEN_CALL)]


@pytest.mark.parametrize(("tried", "stop"), [*STOPS, (Denied.WRITE, None)])
def test_which_attempts_stop_a_run(tried: Denied, stop: Stopped | None) -> None:
    line = next(line for line, each, _ in TRIED if each is tried)
    assert after(line).stop is stop


def test_a_call_in_halves_is_put_together() -> None:
    watch = after(
        '2 openat(AT_FDCWD</sandbox/work>, "link", O_WRONLY <unfinished ...>',
        "3 <... clone resumed>,  <unfinished ...>",
        "2 <... openat resumed>) = -1 EROFS (Read-only file system)",
        f"2 connect(3<socket:[5]>, {FOUR % (443, '192.0.2.1')} <unfinished ...>",
        "2 <... connect resumed>) = -1 ENETUNREACH (Network is unreachable)",
    )
    assert watch.attempts == (
        SandboxViolation(Denied.CONNECT, "192.0.2.1:443"),
        SandboxViolation(Denied.WRITE, "/sandbox/work/link"),
    )


def test_the_name_is_read_from_the_socket_that_asked() -> None:
    asking = f"2 connect(4<socket:[9]>, {FOUR % (53, '127.0.0.1')}) = 0"
    sent = f"2 sendto(4<socket:[9]>, {ASKED}, 33, MSG_NOSIGNAL, NULL, 0) = 33"
    other = f"2 sendto(4<socket:[8]>, {ASKED}, 33, MSG_NOSIGNAL, NULL, 0) = 33"
    assert SandboxViolation(Denied.LOOKUP, "api.example.com") in after(asking, sent).attempts
    assert after(other).attempts == ()


def test_tasks_are_counted() -> None:
    watch = after(
        "1 clone(child_stack=NULL, flags=CLONE_NEWNS|SIGCHLD) = 12088",
        "2 clone3({flags=CLONE_VM, exit_signal=0}, 88) = 3",
        "2 vfork( <unfinished ...>",
        "4 +++ exited with 0 +++",
        "2 <... vfork resumed>) = 4",
        "2 fork() = -1 EAGAIN (Resource temporarily unavailable)",
        "5 clone(child_stack=NULL, flags=SIGCHLD) = 0",
    )
    assert watch.tasks == 3
    assert not watch.ended
    watch.feed(b"1 +++ exited with 0 +++\n")
    assert watch.ended


def test_building_the_room_is_not_judged() -> None:
    watch = SyscallWatch()
    watch.feed(b'1 execve("/usr/bin/bwrap", [], 0x1) = 0\n1 mkdir("/newroot/usr", 0755) = 0\n')
    assert (watch.attempts, watch.started) == ((), False)
    watch.feed(b'2 execve("/usr/bin/env", [], 0x1) = -1 ENOENT (x)\n2 mkdir("/newroot/usr", 0755) = 0\n')
    assert (watch.attempts, watch.started) == ((), False)


@given(cuts=st.lists(st.integers(0, 400), max_size=6))
def test_the_trace_may_be_cut_anywhere(cuts: list[int]) -> None:
    text = (BEGUN + "\n".join(line for line, _, _ in TRIED) + "\n").encode()
    whole, parts = SyscallWatch(), SyscallWatch()
    whole.feed(text)
    at = 0
    for cut in sorted(cuts):
        parts.feed(text[at:cut])
        at = max(at, cut)
    parts.feed(text[at:])
    assert parts.attempts == whole.attempts


@given(text=st.text())
def test_no_line_is_a_fault(text: str) -> None:
    watch = after(f"2 connect({text}", f"2 openat({text}", text)
    assert len(watch.attempts) <= 200


@pytest.mark.parametrize(
    ("text", "names"),
    [
        (ASKED, ("api.example.com",)),
        (rf"{ASKED} and {ASKED}", ("api.example.com",)),
        (r'"M`\1\0\0\1\0\0\0\0\0\0\3a\x62c\0\0\34\0\1"', ("abc",)),
        (r'"hg\1\0\0\1\0\0\0\0\0\0\3api\7example"', ()),
        (r'"hg\1\0\0\1\0\0\0\0\0\0\377api"', ()),
        ('"short"', ()),
        ("", ()),
    ],
)
def test_names_of_name_server_questions(text: str, names: tuple[str, ...]) -> None:
    assert looked_up(text) == names


@pytest.mark.parametrize("address", ["not an address", "192.0.2.1", "2001:db8::1", "169.254.169.254", "fe80::1%eth0"])
def test_other_hosts_are_no_loopback(address: str) -> None:
    assert not Destination(address, 1).is_loopback


def test_every_address_of_a_line_counts() -> None:
    line = f"sendmmsg(3, [{FOUR % (1, '127.0.0.1')}, {FOUR % (2, '192.0.2.2')}, {SIX % (3, '::1')}])"
    assert [str(found) for found in destinations(line)] == ["127.0.0.1:1", "192.0.2.2:2", "[::1]:3"]
