"""[I/O] Asks git for the bytes of a file at a commit. Never fetches, never runs hooks or filters of the repository."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Final

from evreview.core.errors import Problem
from evreview.core.vocabulary import Integrity
from evreview.evidence.item import Reference

_SECONDS: Final = 10
_SAFE: Final = (
    "--no-replace-objects",
    "--no-optional-locks",
    "-c",
    "core.fsmonitor=false",
    "-c",
    "core.hooksPath=/dev/null",
    "-c",
    "protocol.allow=never",
)


def verify_at_commit(repository: Path, reference: Reference, path: str, data: bytes) -> Integrity | Problem:
    """VERIFIED when the file at the named commit has these bytes, DECLARED when git can't tell, else the problem.

    Args:
        repository: a local clone.
        reference: names the commit, and possibly the path.
        path: the item's file, used when the reference names no path.
        data: the content's bytes.
    """
    name = reference.path or path
    if not name or "\n" in name or name.startswith("/") or ".." in name.split("/"):
        return Integrity.DECLARED
    listed = _git(repository, ["cat-file", "--batch-check"], f"{reference.commit}^{{commit}}:{name}\n".encode())
    words = listed.split() if listed else []
    if len(words) != 3 or words[1] != b"blob":
        return Integrity.DECLARED
    same = int(words[2]) == len(data) and _git(repository, ["cat-file", "blob", words[0].decode()], b"") == data
    if same:
        return Integrity.VERIFIED
    return Problem(
        code="commit-mismatch",
        found=f"the content differs from `{name}` at commit {reference.commit}",
        advice="Supply the file as it is at that commit, or name the commit it comes from",
    )


def _git(repository: Path, arguments: list[str], given: bytes) -> bytes | None:
    """Standard output of one git command, None when it fails."""
    environment = {
        "PATH": os.environ.get("PATH", os.defpath),
        "HOME": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_TERMINAL_PROMPT": "0",
        "LC_ALL": "C",
    }
    try:
        done = subprocess.run(
            ["git", "-C", str(repository), *_SAFE, *arguments],
            input=given,
            capture_output=True,
            env=environment,
            timeout=_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout if done.returncode == 0 else None
