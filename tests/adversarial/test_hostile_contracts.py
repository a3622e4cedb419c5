"""Hostile contracts end soon, with rows or with a limit that is told: never with a traceback, never with silence."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
from collections.abc import Mapping
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

import pytest

from tests.adversarial.cases import FAMILIES, TEXTS
from tests.pace import pace

PROJECT = Path(__file__).resolve().parents[2]
PROCESSOR_SECONDS = 120
"""For a whole batch: a guard against hanging, four times what the slowest one needs."""
MEMORY = 4 * 1024**3
BATCH = 12
EQUIVALENT = frozenset({"huge_enum_to_constants", "names_self", "deepest_names"})
"""Both sides mean the same, so that no row is the right answer: names are texts, whatever is asked of objects."""
UNASKED = frozenset({"not_self", "many_branches_turned"})
"""Only the end is asked for: a schema that is its own negation, and branches that undeclared members tell apart."""
REFUSED = frozenset({*TEXTS, "odd_references", "odd_numbers"})
"""Not contracts that can be read: every problem is told."""


def batches() -> dict[str, tuple[str, ...]]:
    """The cases that share a process, by the batch's name."""
    return {
        f"{family}-{at // BATCH}": tuple(names[at : at + BATCH])
        for family, names in FAMILIES.items()
        for at in range(0, len(names), BATCH)
    }


EACH = [pytest.param(batch, name, id=name) for batch, names in batches().items() for name in names]


def _limited(allowed: int) -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (allowed, allowed))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


@lru_cache
def results(batch: str) -> Mapping[str, Mapping[str, Any]]:
    """How each case of a batch ended; one that hung, and those after it, are missing."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.adversarial.child", *batches()[batch]],
        cwd=PROJECT,
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=partial(_limited, round(PROCESSOR_SECONDS * pace())),
    )
    sys.stdout.write(done.stdout + done.stderr[-2000:])
    return {found["name"]: found for found in map(json.loads, done.stdout.splitlines())}


@pytest.mark.parametrize(("batch", "name"), EACH)
def test_it_ends_and_says_what_it_found(batch: str, name: str) -> None:
    found = results(batch).get(name)
    assert found is not None, "it, or a case before it in its batch, was stopped: too long, or too much memory"
    assert found["status"] in ({0, 2} if name in REFUSED else {0}), found["told"]
    if found["status"] == 2:
        assert "[" in found["told"] and "fault of evreview" not in found["told"]
        return
    summary = found["summary"]
    if name in EQUIVALENT:
        assert summary["breaking"] is False
    elif name not in UNASKED:
        assert summary["rows"] or summary["unread"], "a difference that nobody is told of"
        assert summary["breaking"] is not False
