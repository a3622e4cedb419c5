"""JupyterLab as a process of its own: its log stays off the terminal, its failure is told by its last line."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections import deque
from pathlib import Path
from typing import Final

from evreview.app.commands.shell import warn
from evreview.commands.stop import Stopped

_OPENS: Final = re.compile(r"file://\S+-open\.html")
_LOG_HEAD: Final = re.compile(r"^\[[A-Z] [^\]]*\]\s*")
_PATIENCE_SECONDS: Final = 15


def open_lab(notebook: Path) -> str | None:
    """None once JupyterLab ended in order, also by Ctrl-C; else the last line that it logged."""
    words = [sys.executable, "-m", "jupyter", "lab", str(notebook)]
    if _is_root():
        warn("evreview: you are root, so JupyterLab is started with --allow-root")
        words.append("--allow-root")
    # In a session of its own, Ctrl-C reaches evreview alone, which then ends JupyterLab without its question.
    child = subprocess.Popen(
        words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        errors="replace", start_new_session=True,
    )  # fmt: skip
    try:
        last = _followed(child)
        return None if child.wait() == 0 else last
    except KeyboardInterrupt as error:
        if isinstance(error, Stopped) and not error.is_ctrl_c:
            raise
        return None
    finally:
        _end(child)


def _followed(child: subprocess.Popen[str]) -> str:
    """The last line of the log; the page that opens the laboratory is told when its line comes by."""
    assert child.stdout is not None
    lines: deque[str] = deque(maxlen=1)
    for line in child.stdout:
        page = _OPENS.search(line)
        if page:
            warn(f"evreview: if no browser opens, open {page[0]}; `jupyter server list` shows the address")
        if line.strip():
            lines.append(_LOG_HEAD.sub("", line.strip()))
    return lines[-1] if lines else "it said nothing"


def _end(child: subprocess.Popen[str]) -> None:
    if child.poll() is None:
        child.terminate()
        try:
            child.wait(_PATIENCE_SECONDS)
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()


def _is_root() -> bool:
    return hasattr(os, "geteuid") and os.geteuid() == 0
