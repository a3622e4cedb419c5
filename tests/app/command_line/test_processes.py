"""The command in a process of its own: streams that are closed or full, and signals."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.app.command_line.running import SECRET, evreview, listening


@pytest.mark.parametrize(
    "words", [["diff", "a", "b", "--format", SECRET], [SECRET], ["diff", f"--{SECRET}"], ["new", SECRET, "x"]]
)
def test_a_wrong_command_line_is_told_without_its_secrets(project: Path, words: list[str]) -> None:
    child = evreview(project, *words)
    out, err = child.communicate()
    assert (child.returncode, out, SECRET in err) == (2, "", False)
    assert "Usage:" in err


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
@pytest.mark.parametrize("words", [["rules"], ["--version"], ["--help"]])
def test_a_full_disk_is_one_line(project: Path, words: list[str]) -> None:
    with Path("/dev/full").open("w") as full:
        child = evreview(project, *words, stdout=full)
        _, err = child.communicate()
    assert (child.returncode, err.count("\n")) == (2, 1)


@pytest.mark.skipif(os.name == "nt", reason="streams are closed by a shell")
@pytest.mark.parametrize(("closed", "status", "lines"), [(">&-", 2, 1), ("2>&-", 0, 0)])
def test_a_closed_stream_is_no_fault(project: Path, closed: str, status: int, lines: int) -> None:
    line = f'"{sys.executable}" -m evreview rules {closed}'
    done = subprocess.run(["sh", "-c", line], cwd=project, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr.count("\n")) == (status, lines)


SIGNALS = [signal.SIGINT, *([signal.SIGTERM, signal.SIGHUP] if os.name != "nt" else [])]

SLOW_IMPORT = """
import sys, time
class Slow:
    def find_spec(self, name, path=None, target=None):
        if name == "typer":
            print("loading", flush=True)
            time.sleep(20)
sys.meta_path.insert(0, Slow())
from evreview.__main__ import main
main()
"""


@pytest.mark.skipif(os.name == "nt", reason="these signals are those of Unix")
@pytest.mark.parametrize("number", SIGNALS)
def test_a_signal_while_evreview_loads_is_one_line(project: Path, number: signal.Signals) -> None:
    line = [sys.executable, "-c", SLOW_IMPORT, "rules"]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    child = subprocess.Popen(line, cwd=project, text=True, preexec_fn=listening, **pipes)
    assert child.stdout is not None
    assert child.stdout.readline() == "loading\n"
    child.send_signal(number)
    _, err = child.communicate(timeout=30)
    assert (child.returncode, err) == (128 + number, "evreview: interrupted; nothing was written\n")


DROPPING = """
import os, sys, time
from evreview.app.commands import shell

class Dropping:
    def __del__(self):
        os.kill(os.getpid(), int(sys.argv[1]))

def work():
    Dropping()
    time.sleep(20)

shell.end_at_once()
shell.stop_in_order()
sys.exit(shell.status_of(work))
"""


@pytest.mark.skipif(os.name == "nt", reason="these signals are those of Unix")
@pytest.mark.parametrize("number", SIGNALS)
def test_a_signal_in_a_destructor_is_not_lost(project: Path, number: signal.Signals) -> None:
    line = [sys.executable, "-c", DROPPING, str(int(number))]
    done = subprocess.run(
        line, cwd=project, capture_output=True, text=True, preexec_fn=listening, timeout=30, check=False
    )
    assert (done.returncode, done.stderr) == (128 + number, "evreview: interrupted; nothing was written\n")


@pytest.mark.skipif(os.name == "nt", reason="these signals are those of Unix")
@pytest.mark.parametrize("number", SIGNALS)
@pytest.mark.parametrize("sign", ["*", "*/kernel.json"], ids=["folder", "kernel"])
def test_a_signal_leaves_nothing_behind(project: Path, tmp_path: Path, number: signal.Signals, sign: str) -> None:
    kept = tmp_path / "tmp"
    kept.mkdir()
    settings = os.environ | {"TMPDIR": str(kept), "JUPYTER_RUNTIME_DIR": str(tmp_path / "runtime")}
    child = evreview(project, "run", "examples/w1-orders", "-o", tmp_path / "out", env=settings)
    until = time.monotonic() + 30
    while not list(kept.glob(sign)) and time.monotonic() < until:
        time.sleep(0.02)
    child.send_signal(number)
    out, err = child.communicate(timeout=30)
    assert (child.returncode, out) == (128 + number, "")
    assert [line for line in err.splitlines() if ": running the review" not in line] == [
        "evreview: interrupted; nothing was written"
    ]
    assert [*kept.iterdir(), *(tmp_path / "runtime").glob("*"), *tmp_path.glob("out/*")] == []
