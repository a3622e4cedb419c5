"""Commands that try to get out. Each row is one attempt, run for real."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from textwrap import indent

import pytest

from evreview.sandbox.model import Denied, SandboxViolation, Stopped
from tests.sandbox import escapes
from tests.sandbox.conftest import Python
from tests.sandbox.escapes import DENIED, FAMILIES, LIMITS, NETWORK, NOTHING_THERE, OTHERS, WRITES


@pytest.mark.req("W3G-005")
@pytest.mark.parametrize(("code", "tried", "target"), [row[1:] for row in NETWORK], ids=[row[0] for row in NETWORK])
def test_network_access_stops_the_run(python: Python, code: str, tried: Denied, target: str) -> None:
    quiet = f"try:\n{indent(code, '  ')}\nexcept OSError: pass\n"
    ran = python(f"import socket, time\n{quiet}time.sleep(15)\nprint('went on')")
    assert ran.stopped is Stopped.NETWORK
    assert (tried, target) in {(found.tried, found.target) for found in ran.attempts}
    assert ran.exit_status is None
    assert "went on" not in ran.stdout.text
    assert not ran.counts


@pytest.mark.parametrize("code", [row[1] for row in NOTHING_THERE], ids=[row[0] for row in NOTHING_THERE])
def test_there_is_nothing_of_the_host_to_reach(python: Python, code: str) -> None:
    name = f"evreview-{os.getpid()}"
    with socket.create_server(("127.0.0.1", 0)) as server, socket.socket(socket.AF_UNIX) as local:
        local.bind(f"\0{name}")
        local.listen()
        known = f"HOST_PORT, HOST_NAME = {server.getsockname()[1]}, {name!r}\n"
        known += f"HOST_PID, HOST_HOME = {os.getpid()}, {str(Path.home())!r}\n"
        ran = python(f"import os, socket\n{known}try:\n  {code}\n  print('could')\nexcept OSError: print('refused')\n")
    assert ran.stdout.text == "refused\n"
    assert ran.attempts == ()


def test_the_page_lists_every_test() -> None:
    here = {name for name in globals() if name.startswith("test_")}
    assert {test for _, _, test in OTHERS} <= here
    rows = len(NETWORK) + len(FAMILIES) + len(NOTHING_THERE) + len(DENIED) + len(WRITES) + len(LIMITS) + len(OTHERS)
    assert escapes.table().count("\n| ") == rows + 2


def test_a_grandchild_is_watched_too(python: Python) -> None:
    code = (
        "import os, socket, time\nif os.fork() == 0:\n  os.setsid()\n  if os.fork() == 0:\n    time.sleep(0.3)\n"
        "    socket.socket().connect(('192.0.2.1', 80))\n  os._exit(0)\ntime.sleep(15)"
    )
    assert python(code).stopped is Stopped.NETWORK


def test_a_thread_is_watched_too(python: Python) -> None:
    code = (
        "import socket, threading, time\n"
        "threading.Thread(target=lambda: socket.socket().connect(('192.0.2.1', 80))).start()\ntime.sleep(15)"
    )
    assert python(code).stopped is Stopped.NETWORK


LOOPBACK = """
import socket, threading
for family, host in ((socket.AF_INET, '127.0.0.1'), (socket.AF_INET6, '::1'), (socket.AF_INET, 'localhost')):
    server = socket.create_server((host, 0), family=family)
    client = socket.create_connection(server.getsockname()[:2], 2)
    client.sendall(b'x')
    assert server.accept()[0].recv(1) == b'x'
print('answered')
"""


def test_loopback_works(python: Python) -> None:
    ran = python(LOOPBACK)
    assert (ran.stdout.text, ran.exit_status, ran.attempts) == ("answered\n", 0, ())
    assert ran.counts


@pytest.mark.parametrize("family", FAMILIES)
def test_sockets_beside_the_network_namespace_kill(python: Python, family: str) -> None:
    ran = python(f"import socket, time\nsocket.socket(socket.{family}, socket.SOCK_STREAM)\nprint('went on')")
    assert ran.stopped is Stopped.FORBIDDEN_CALL
    assert "went on" not in ran.stdout.text
    assert not ran.stayed_inside


@pytest.mark.skipif(os.uname().machine != "x86_64", reason="the call numbers are those of x86_64")
@pytest.mark.parametrize("number", [number for _, number in DENIED], ids=[name for name, _ in DENIED])
def test_calls_that_the_watch_can_not_follow_do_not_exist(python: Python, number: int) -> None:
    load = "import ctypes\nc = ctypes.CDLL(None, use_errno=True)\n"
    ran = python(f"{load}print(c.syscall({number}, 0, 0, 0, 0), ctypes.get_errno())")
    assert ran.stdout.text == "-1 38\n"


def test_new_namespaces_and_privileges_are_refused(python: Python) -> None:
    code = """
import ctypes, os
c = ctypes.CDLL(None, use_errno=True)
for flag in (0x10000000, 0x40000000, 0x20000000):
    print(c.syscall(56, flag | 17, 0, 0, 0, 0))
status = open('/proc/self/status').read()
print([line.split()[1] for line in status.splitlines() if line.startswith(('CapEff', 'CapBnd', 'NoNewPrivs'))])
for call in (lambda: os.setuid(0), lambda: os.chroot('/tmp'), lambda: os.sethostname('x')):
    try:
        call()
        print('could')
    except (OSError, AttributeError):
        print('refused')
"""
    if os.uname().machine != "x86_64":
        pytest.skip("the call numbers are those of x86_64")
    lines = python(code).stdout.text.splitlines()
    assert lines == ["-1"] * 3 + ["['0000000000000000', '0000000000000000', '1']", "refused", "refused", "refused"]


@pytest.mark.req("W3G-010")
@pytest.mark.parametrize(("code", "path"), [row[1:] for row in WRITES], ids=[row[0] for row in WRITES])
def test_writes_outside_fail_and_are_reported(python: Python, code: str, path: str) -> None:
    quiet = f"import os, socket\ntry:\n  {code}\n  print('could')\nexcept OSError: print('refused')\n"
    ran = python(quiet, files={"kept": b"x"}, aids={"plan.json": b"{}"})
    assert ran.stdout.text == "refused\n"
    assert [found.target for found in ran.attempts] == [path]
    assert {found.tried for found in ran.attempts} == {Denied.WRITE}
    assert not ran.counts


def test_writes_inside_are_free_and_leave_nothing_behind(python: Python, tmp_path: Path) -> None:
    code = """
import os, tempfile
open('new', 'w').write('x'); os.mkdir('folder'); os.rename('new', 'folder/new'); os.symlink('folder', 'link')
open('kept', 'a').write('y'); tempfile.NamedTemporaryFile().write(b'x'); open('/dev/null', 'w').write('x')
open('/dev/shm/x', 'w').write('x'); os.unlink('folder/new')
print(open('kept').read(), os.getcwd())
"""
    ran = python(code, files={"kept": b"x", "deep/er/file.txt": b"z"})
    assert (ran.stdout.text, ran.attempts) == ("xy /sandbox/work\n", ())
    assert not Path("/sandbox").exists()


def test_nothing_of_the_host_is_there(
    python: Python, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, demo_bundle: Path
) -> None:
    monkeypatch.setenv("EVREVIEW_PROBE", "of-the-caller")
    (tmp_path / "other").write_text("of the bundle")
    places = ["/etc/shadow", "/etc/hostname", "/var/log", "/run", "/sys", "/boot", str(tmp_path), str(demo_bundle)]
    code = f"""
import os
print([place for place in {places!r} if os.path.exists(place)])
print([name for name in os.environ if name.startswith(('EVREVIEW', 'CI', 'SSH', 'HTTP'))])
print(sorted(os.listdir('/etc')), os.listdir('/sandbox/work'))
seen = []
for pid in filter(str.isdigit, os.listdir('/proc')):
    seen.append(int(pid))
    try: assert b'of-the-caller' not in open(f'/proc/{{pid}}/environ', 'rb').read()
    except PermissionError: pass
print(max(seen) < 10, os.getuid(), os.getppid() < 10, open('/proc/net/dev').read().count(':'))
"""
    ran = python(code, files={"one.txt": b""})
    there, variables, listed, rest = ran.stdout.text.splitlines()
    assert (there, variables) == ("[]", "[]")
    known = ["group", "hosts", "ld.so.cache", "nsswitch.conf", "passwd", "resolv.conf"]
    assert listed in {f"{known} ['one.txt']", f"{[name for name in known if name != 'ld.so.cache']} ['one.txt']"}
    assert rest == "True 65534 True 1"


def test_only_the_report_is_inherited(python: Python) -> None:
    ran = python("import os\nprint(sorted(map(int, os.listdir('/proc/self/fd')))[:-1])")
    assert ran.stdout.text == "[0, 1, 2]\n"


def test_a_child_does_not_outlive_the_run(python: Python) -> None:
    mark = f"mark-{os.getpid()}-{time.monotonic_ns()}"
    code = (
        "import os, sys, time\nif os.fork() == 0:\n  os.setsid()\n"
        "  for handle in (0, 1, 2): os.close(handle)\n"
        f"  os.execv(sys.executable, [sys.executable, '-c', 'import time; time.sleep(60)', '{mark}'])\n"
        "time.sleep(0.5)"
    )
    ran = python(code)
    assert ran.stopped is Stopped.ENDED
    time.sleep(0.1)
    assert _running(mark) == []


def test_nothing_is_left_after_a_stop(python: Python) -> None:
    mark = f"mark-{os.getpid()}-{time.monotonic_ns()}"
    code = (
        "import os, signal, sys, time\nfor number in range(1, 30):\n"
        "  try: signal.signal(number, signal.SIG_IGN)\n  except (OSError, ValueError): pass\n"
        f"os.fork()\nos.execv(sys.executable, [sys.executable, '-c', 'import time; time.sleep(60)', '{mark}'])"
    )
    ran = python(code, seconds=1.5)
    assert ran.stopped is Stopped.SECONDS
    time.sleep(0.1)
    assert _running(mark) == []


def test_nothing_is_left_when_the_caller_is_killed(python: Python, tmp_path: Path) -> None:
    mark = f"mark-{os.getpid()}-{time.monotonic_ns()}"
    code = (
        "from evreview.sandbox.host import python_runtime\n"
        "from evreview.sandbox.model import Sandbox\n"
        "from evreview.sandbox.runner import run\n"
        "program, shown = python_runtime()\n"
        f"run(Sandbox(argv=(program, '-S', '-c', 'import time; time.sleep(60)', '{mark}'), runtime=shown))\n"
    )
    caller = subprocess.Popen([sys.executable, "-c", code])
    wait_for(lambda: any(line.count(" ") < 8 and "isolation" not in line for line in _running(mark)))
    caller.kill()
    caller.wait()
    wait_for(lambda: not _running(mark))


def wait_for(happened: Callable[[], bool], seconds: float = 15) -> None:
    until = time.monotonic() + seconds
    while not happened():
        assert time.monotonic() < until
        time.sleep(0.05)


def _running(mark: str) -> list[str]:
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                line = (folder / "cmdline").read_text().replace("\0", " ")
            except OSError:
                continue
            if mark in line and "bash" not in line:
                found.append(line)
    return found


@pytest.mark.parametrize(("code", "why"), [row[1:] for row in LIMITS], ids=[row[0] for row in LIMITS])
def test_limits_stop_the_run(python: Python, code: str, why: set[Stopped]) -> None:
    started = time.monotonic()
    # Forked processes seem to hold their shared pages each: many would reach the memory limit of the other rows first.
    memory = 1024 if Stopped.TASKS in why else 256
    ran = python(code, seconds=2 if Stopped.SECONDS in why else 30, memory=memory)
    assert ran.stopped in why
    assert ran.exit_status is None
    assert time.monotonic() - started < 20
    assert len(ran.stdout.text) <= 2**20 and len(ran.stderr.text) <= 2**20
    assert not ran.counts


def test_files_are_bounded(python: Python) -> None:
    code = (
        "import signal\nsignal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "for place in ('/sandbox/work/big', '/tmp/big', '/dev/shm/big'):\n"
        "  try:\n    for n in range(9):\n      with open(f'{place}{n}', 'wb') as out:\n"
        "        for _ in range(64): out.write(bytes(2**20))\n    print('could')\n"
        "  except OSError as error: print(error.errno)\n"
    )
    assert python(code).stdout.text.splitlines() == ["28", "28", "28"]


def test_what_was_tried_is_counted_and_bounded(python: Python) -> None:
    ran = python("import os\nfor n in range(1000):\n  try: os.mkdir(f'/usr/evil{n % 500}')\n  except OSError: pass")
    assert len(ran.attempts) == 200
    assert ran.attempts[0] == SandboxViolation(Denied.WRITE, "/usr/evil0", 2)
