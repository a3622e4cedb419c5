"""`python -m tests.requirements`: which requirements of the checklist have a test, and which have none.

A test claims a requirement with `@pytest.mark.req("W1S-014", ...)`. The marks are collected by pytest; nothing runs.
"""

from __future__ import annotations

import contextlib
import csv
import io
import sys
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
OWED = ("C", "EV", "AR", "HD", "LT", "SV", "VR", "LM", "ST", "ER", "PU", "W1", "W2", "W3")
"""Families of which every id must have a test."""
NOT_YET: Mapping[str, str] = {}
"""Owed ids without a test, each with the reason; the list may only shrink."""


def checklist(path: Path = HERE / "checklist.csv") -> Mapping[str, Mapping[str, str]]:
    """The requirements by id, in the checklist's order."""
    with path.open(encoding="utf-8", newline="") as handle:
        return {row["id"]: row for row in csv.DictReader(handle)}


def marked(folder: Path = HERE) -> Mapping[str, tuple[str, ...]]:
    """The tests that claim each requirement, by requirement id, as pytest collects them.

    Collection, not reading: a table of cases puts its marks on its rows, and only pytest knows them.
    """
    collector = _Marks()
    with contextlib.redirect_stdout(io.StringIO()):
        code = pytest.main(["--collect-only", "-q", "-p", "no:cacheprovider", str(folder)], plugins=[collector])
    if code != pytest.ExitCode.OK:
        raise RuntimeError(f"the tests can't be collected: pytest ends with {int(code)}")
    return {requirement: tuple(dict.fromkeys(tests)) for requirement, tests in collector.places.items()}


class _Marks:
    """A pytest plugin that notes the requirement marks of every collected test."""

    def __init__(self) -> None:
        self.places: dict[str, list[str]] = defaultdict(list)

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        for item in items:
            for mark in item.iter_markers("req"):
                for requirement in mark.args:
                    self.places[str(requirement)].append(item.nodeid)


def family(requirement: str) -> str:
    """`W1S` of `W1S-014`."""
    return requirement.partition("-")[0]


def is_owed(row: Mapping[str, str]) -> bool:
    """True for a requirement that must have a test now: of a shared family or of a workflow."""
    return family(row["id"]).startswith(OWED) and row["workflow"] in {"all", "W1", "W2", "W3"}


def report(places: Mapping[str, list[str]]) -> str:
    """Per family how many requirements have a test, then every id without one."""
    rows = checklist()
    families: dict[str, list[str]] = defaultdict(list)
    for requirement in rows:
        families[family(requirement)].append(requirement)
    lines = [f"{name:<4} {sum(one in places for one in ids):>4}/{len(ids)}" for name, ids in families.items()]
    owed = [requirement for requirement, row in rows.items() if is_owed(row)]
    open_ids = [requirement for requirement in rows if requirement not in places]
    lines += [
        "",
        f"all  {len(rows) - len(open_ids):>4}/{len(rows)}",
        f"owed {sum(one in places for one in owed):>4}/{len(owed)} (shared families, W1, W2 and W3)",
        "",
        "owed and without a test: "
        + (", ".join(f"{one} ({NOT_YET.get(one, 'no reason')})" for one in owed if one not in places) or "none"),
        "without a test, not owed yet: " + (", ".join(one for one in open_ids if not is_owed(rows[one])) or "none"),
    ]
    return "\n".join(lines)


if __name__ == "__main__":
    sys.stdout.write(report(marked()) + "\n")
