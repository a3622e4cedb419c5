"""Every way out that the tests try, as data: the tests run each, and the page on execution lists them."""

from __future__ import annotations

from evreview.sandbox.model import Denied, Stopped

SENDMMSG = """
import ctypes, struct
c = ctypes.CDLL(None)
s = socket.socket(2, 2)
to = ctypes.create_string_buffer(struct.pack('<H', 2) + struct.pack('>H', 9) + bytes([192, 0, 2, 9]) + bytes(8), 16)
data = ctypes.create_string_buffer(b'x')
part = (ctypes.c_size_t * 2)(ctypes.addressof(data), 1)
head = (ctypes.c_size_t * 8)(ctypes.addressof(to), 16, ctypes.addressof(part), 1, 0, 0, 0, 0)
c.sendmmsg(s.fileno(), ctypes.byref(head), 1, 0)
"""
NETWORK = [
    ("tcp by address", "socket.create_connection(('93.184.216.34', 443), 5)", Denied.CONNECT, "93.184.216.34:443"),
    ("tcp by name", "socket.create_connection(('api.example.com', 443), 5)", Denied.LOOKUP, "api.example.com"),
    ("name alone", "socket.gethostbyname('db.example.org')", Denied.LOOKUP, "db.example.org"),
    ("tcp over ipv6", "socket.socket(10).connect(('2001:db8::1', 80))", Denied.CONNECT, "[2001:db8::1]:80"),
    ("mapped ipv4", "socket.socket(10).connect(('::ffff:192.0.2.7', 80))", Denied.CONNECT, "[::ffff:192.0.2.7]:80"),
    ("udp", "socket.socket(2, 2).sendto(b'x', ('192.0.2.9', 9))", Denied.SEND, "192.0.2.9:9"),
    ("udp by message", "socket.socket(2, 2).sendmsg([b'x'], [], 0, ('192.0.2.9', 9))", Denied.SEND, "192.0.2.9:9"),
    ("udp over ipv6", "socket.socket(10, 2).sendto(b'x', ('2001:db8::9', 9))", Denied.SEND, "[2001:db8::9]:9"),
    ("udp, connected", "socket.socket(2, 2).connect(('192.0.2.9', 9))", Denied.CONNECT, "192.0.2.9:9"),
    ("udp, many at once", SENDMMSG, Denied.SEND, "192.0.2.9:9"),
    ("tcp by fast open", "socket.socket().sendto(b'x', 1 << 29, ('192.0.2.9', 80))", Denied.SEND, "192.0.2.9:80"),
    ("own name server over tcp", "socket.create_connection(('192.0.2.53', 53), 5)", Denied.CONNECT, "192.0.2.53:53"),
    ("multicast", "socket.socket(2, 2).sendto(b'x', ('224.0.0.251', 5353))", Denied.SEND, "224.0.0.251:5353"),
    ("own name server", "socket.socket(2, 2).sendto(b'x' * 20, ('192.0.2.53', 53))", Denied.SEND, "192.0.2.53:53"),
    ("link-local metadata", "socket.socket().connect(('169.254.169.254', 80))", Denied.CONNECT, "169.254.169.254:80"),
    ("private", "socket.socket().connect(('10.0.0.1', 22))", Denied.CONNECT, "10.0.0.1:22"),
    ("broadcast", "socket.socket(2, 2).sendto(b'x', ('255.255.255.255', 7))", Denied.SEND, "255.255.255.255:7"),
]  # fmt: skip
"""Name, Python, what the watch sees, and of what. Each ends the run."""

FAMILIES = ("AF_PACKET", "AF_VSOCK", "AF_ALG")
"""Kinds of socket whose making ends the run."""

NOTHING_THERE = [
    ("a service of this host on its loopback", "socket.create_connection(('127.0.0.1', HOST_PORT), 2)"),
    ("a socket of this host in the file system", "socket.socket(1).connect('/run/docker.sock')"),
    ("an abstract socket of this host", "socket.socket(1).connect('\\0' + HOST_NAME)"),
    ("another host by ping", "socket.socket(2, 2, 1).sendto(b'\\x08' + bytes(7), ('192.0.2.9', 0))"),
    ("another host by raw packets", "socket.socket(2, 3, 1)"),
    ("a process of this host", "os.kill(HOST_PID, 0)"),
    ("the memory of the first process", "open('/proc/1/mem', 'rb').read(1)"),
    ("the keys of the caller", "open(HOST_HOME + '/.ssh/id_ed25519')"),
    ("the terminal of the caller", "open('/dev/tty')"),
    ("the disks of this host", "open('/dev/sda', 'rb')"),
]
"""Name and Python. Each fails: there is nothing to reach."""

DENIED = [
    ("io_uring_setup", 425),
    ("ptrace", 101),
    ("unshare", 272),
    ("setns", 308),
    ("mount", 165),
    ("bpf", 321),
    ("memfd_create", 319),
    ("shmget", 29),
    ("msgget", 68),
]
"""Name and number of system calls that do not exist inside."""

WRITES = [
    ("home", "open('/root/.bashrc', 'a')", "/root/.bashrc"),
    ("a home", "open('/home/somebody/.profile', 'w')", "/home/somebody/.profile"),
    ("etc", "open('/etc/passwd', 'a')", "/etc/passwd"),
    ("new in etc", "open('/etc/cron.d', 'w')", "/etc/cron.d"),
    ("system", "os.mkdir('/usr/lib/evil')", "/usr/lib/evil"),
    ("root folder", "os.mkdir('/evil')", "/evil"),
    ("remove", "os.unlink('/usr/bin/env')", "/usr/bin/env"),
    ("rename", "os.rename('kept', '/opt/kept')", "/opt/kept"),
    ("upwards", "open('../../etc/hosts', 'w')", "/etc/hosts"),
    ("through a link", "os.symlink('/etc/hosts', 'out'); open('out', 'w')", "/sandbox/work/out"),
    ("through a linked folder", "os.symlink('/usr', 'sys'); os.mkdir('sys/evil')", "sys/evil"),
    ("hard link", "os.link('kept', '/var/kept')", "/var/kept"),
    ("mode", "os.chmod('/usr/bin/env', 0o777)", "/usr/bin/env"),
    ("helpers", "open('/sandbox/aids/plan.json', 'w')", "/sandbox/aids/plan.json"),
    ("kernel settings", "open('/proc/sys/kernel/core_pattern', 'w')", "/proc/sys/kernel/core_pattern"),
    ("kernel keys", "open('/proc/sysrq-trigger', 'w')", "/proc/sysrq-trigger"),
    ("around by proc", "open('/proc/self/root/usr/evil', 'w')", "/proc/self/root/usr/evil"),
    ("device folder", "open('/dev/kept', 'w')", "/dev/kept"),
    ("a socket's place", "socket.socket(1).bind('/usr/sock')", "/usr/sock"),
    ("another process's settings", "open('/proc/1/oom_score_adj', 'w').write('0')", "/proc/1/oom_score_adj"),
]
"""Name, Python, and the path that is reported. Each fails."""

HIDING = "import os, time\nif os.fork(): time.sleep(30)\nwhile True:\n  if os.fork(): os._exit(0)\n  os.fork()"
THREADS = "import threading, time\nwhile True: threading.Thread(target=time.sleep, args=(9,)).start()"
MANY = "import os, time\nfor _ in range(4): os.fork()\nx = b'x' * 90_000_000\ntime.sleep(9)"
SHARED = (
    "import mmap, os, time\nfor _ in range(3): os.fork()\nkept = mmap.mmap(-1, 200 * 2**20)\n"
    "for n in range(200): kept.write(b'x' * 2**20)\ntime.sleep(9)"
)
LIMITS = [
    ("fork bomb", "import os\nwhile True: os.fork()", {Stopped.TASKS}),
    ("fork bomb that hides", HIDING, {Stopped.TASKS}),
    ("threads", THREADS, {Stopped.TASKS}),
    ("memory hog", "kept = []\nwhile True: kept.append(bytes(10**6) + b'x')", {Stopped.MEMORY}),
    ("memory of many", MANY, {Stopped.MEMORY}),
    ("shared memory", SHARED, {Stopped.MEMORY}),
    ("output flood", "while True: print('x' * 10_000)", {Stopped.OUTPUT}),
    ("error flood", "import sys\nwhile True: sys.stderr.write('x' * 10_000)", {Stopped.OUTPUT}),
    ("never ends", "while True: pass", {Stopped.SECONDS}),
    ("sleeps", "import time; time.sleep(100)", {Stopped.SECONDS}),
    ("ignores signals", "import signal, time; signal.signal(15, signal.SIG_IGN); time.sleep(100)", {Stopped.SECONDS}),
]  # fmt: skip
"""Name, Python, and the limit that ends the run."""

OTHERS = (
    ("a grandchild in a session of its own that connects", "the run is ended", "test_a_grandchild_is_watched_too"),
    ("a thread that connects", "the run is ended", "test_a_thread_is_watched_too"),
    (
        "new namespaces, other users, another root",
        "refused, without any privilege",
        "test_new_namespaces_and_privileges_are_refused",
    ),
    (
        "reading the caller's environment, files and processes",
        "nothing of them is there",
        "test_nothing_of_the_host_is_there",
    ),
    ("using inherited handles", "there are none", "test_only_the_report_is_inherited"),
    ("a child that outlives its parent", "it ends with the run", "test_a_child_does_not_outlive_the_run"),
    ("ignoring every signal", "all end with the run", "test_nothing_is_left_after_a_stop"),
    ("outliving a caller that is killed", "all end", "test_nothing_is_left_when_the_caller_is_killed"),
    ("filling work folder, scratch folder or shared memory", "no space", "test_files_are_bounded"),
)
"""What is tried, what happens, and the test that shows it."""


def table() -> str:
    """Every attempt with what happens, as a Markdown table."""
    rows = [(f"network: {name}", "the run is ended") for name, *_ in NETWORK]
    rows += [(f"a socket of the kind {name}", "the run is ended") for name in FAMILIES]
    rows += [(f"reaching {name}", "nothing there") for name, _ in NOTHING_THERE]
    rows += [(f"the system call {name}", "does not exist") for name, _ in DENIED]
    rows += [(f"writing: {name}", f"fails, `{path}` is reported") for name, _, path in WRITES]
    rows += [(name, f"ended by {' or '.join(sorted(why))}") for name, _, why in LIMITS]
    rows += [(name, outcome) for name, outcome, _ in OTHERS]
    lines = [f"| {name} | {outcome} |" for name, outcome in rows]
    return "\n".join(["", "| Tried | What happens |", "| --- | --- |", *lines, ""])
