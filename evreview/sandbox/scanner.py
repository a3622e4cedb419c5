"""[I/O] Runs a scanner over a copy of the evidence, in a process and folder of its own. It only reads."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from evreview.core.errors import Problem, bad_input
from evreview.core.temporary_folder import TemporaryFolder

SECONDS: Final = 600
BANDIT: Final = "bandit"
SEMGREP: Final = "semgrep"
_REFUSED: Final = re.compile(r"[\x00-\x1f\x7f\\]|^[-/]|(?:^|/)\.\.?(?:/|$)")
"""What no path may hold that is written into a folder and handed to a program."""
_SETTINGS: Final = re.compile(r"(?:^|/)(?:\.bandit|\.semgrepignore|\.gitignore|pyproject\.toml|setup\.cfg)$")
"""Files of the evidence by which a scanner would be told what not to look at."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scan:
    """What is scanned by what.

    Attributes:
        tool: `bandit` or `semgrep`.
        files: the texts by their paths in the repository.
        rules: the file of rules that semgrep is given, None for bandit.
    """

    tool: str
    files: Mapping[str, bytes]
    rules: Path | None = None


def scan(order: Scan) -> bytes:
    """What the scanner wrote: Bandit's JSON, Semgrep's SARIF.

    Raises:
        BadInput: `scanner-missing`, `scanner-rules`, `scan-file-name`, `scan-failed`.
    """
    program = _program(order)
    with TemporaryFolder("evreview-scan-") as room:
        root = room / "texts"
        root.mkdir()
        for name, data in order.files.items():
            _place(root, name, data)
        (room / "none.ini").write_bytes(b"")
        out = room / "out.json"
        status = _run([*program, *_arguments(order, out, room / "none.ini")], root, room)
        if status != 0 or not out.is_file():  # a result that was cut short would read as nothing found
            found = f"{order.tool} ended with status {status}" if status else f"{order.tool} wrote no result"
            advice = "run it by hand to see why" + ("; it may not take the rules" if order.tool == SEMGREP else "")
            raise bad_input("scan-failed", found, advice=advice)
        return _without_place(out.read_bytes(), order.rules)


def texts_of_rules(order: Scan) -> list[bytes]:
    """The files of rules that semgrep is given; [] for bandit, whose rules are for Python."""
    if order.rules is None or not order.rules.exists():
        return []
    named = [order.rules] if order.rules.is_file() else sorted(order.rules.rglob("*"))
    return [one.read_bytes() for one in named if one.is_file() and one.suffix.lower() in (".yaml", ".yml", ".json")]


def _without_place(said: bytes, rules: Path | None) -> bytes:
    """The result with rules under their own names: semgrep puts the folder of this machine before them."""
    if rules is None:
        return said
    whole = rules.resolve()
    folder = ".".join((whole if whole.is_dir() else whole.parent).parts[1:]).encode()
    return re.sub(rb"(?<![\w.])" + re.escape(folder) + rb"\.(?=[\w-])", b"", said) if folder else said


def _program(order: Scan) -> list[str]:
    if order.tool == BANDIT:
        if find_spec("bandit") is None:
            raise bad_input("scanner-missing", "Bandit is not installed", advice="pip install 'evreview[scan]'")
        return [sys.executable, "-I", "-B", "-m", "bandit"]
    found = shutil.which(SEMGREP)
    if found is None:
        advice = "install semgrep so that it is on PATH, or use --with bandit"
        raise bad_input("scanner-missing", "no semgrep is on PATH", advice=advice)
    if order.rules is None or not order.rules.exists():
        advice = "name a file or folder of rules with --rules; none are fetched"
        raise bad_input("scanner-rules", "semgrep needs rules of this machine", advice=advice)
    return [found]


def _arguments(order: Scan, out: Path, none: Path) -> Sequence[str]:
    if order.tool == BANDIT:
        told = ("--quiet", "--exit-zero", "--ignore-nosec", "--ini", str(none))
        return ("--recursive", "--format", "json", "--output", str(out), *told, ".")
    rules = str(order.rules.resolve()) if order.rules is not None else ""
    told = ("--metrics=off", "--disable-version-check", "--disable-nosem", "--no-git-ignore", "--quiet")
    return ("scan", "--config", rules, "--sarif", "--output", str(out), *told, ".")


def _place(root: Path, name: str, data: bytes) -> None:
    if _SETTINGS.search(name):
        return
    if _REFUSED.search(name):
        found = Problem(
            code="scan-file-name", found="the path can't be given to a scanner", file=name, advice="rename it"
        )
        raise bad_input(found.code, found.found, file=found.file, advice=found.advice)
    target = root / name
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(data)


def _run(words: Sequence[str], root: Path, room: Path) -> int:
    """The status with which the scanner ends."""
    kept = {name: os.environ[name] for name in ("PATH", "SYSTEMROOT", "LANG") if name in os.environ}
    try:
        done = subprocess.run(
            list(words), cwd=root, env={**kept, "HOME": str(room), "TMPDIR": str(room)}, stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=SECONDS, check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        raise bad_input("scan-failed", f"it took more than {SECONDS} seconds", advice="scan fewer files") from None
    except OSError as error:
        raise bad_input("scan-failed", f"it can't be started: {error.strerror}") from None
    return done.returncode
