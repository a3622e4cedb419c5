"""How the tests of the command line run it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from typer.testing import Result

Cli = Callable[..., Result]
SECRET = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"


def evreview(project: Path, *words: str | Path, **options: Any) -> subprocess.Popen[str]:
    """The command in a process of its own."""
    line = [sys.executable, "-m", "evreview", *map(str, words)]
    given = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | options
    return subprocess.Popen(line, cwd=project, text=True, preexec_fn=listening if os.name != "nt" else None, **given)


def listening() -> None:
    """Signals that would end a process do so again: one that runs in the background or under nohup may ignore them."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)
