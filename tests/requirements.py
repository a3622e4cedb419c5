"""`python -m tests.requirements`: which requirements of the checklist have a test, and which have none.

A test claims a requirement with `@pytest.mark.req("W1S-014", ...)`. The marks are read from the syntax trees, so
the report needs no test run.
"""

from __future__ import annotations

import ast
import csv
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path

HERE = Path(__file__).resolve().parent
OWED = ("C", "EV", "AR", "HD", "LT", "SV", "VR", "LM", "ST", "ER", "PU", "W1")
"""Families of which every id must have a test now; W2 and W3 come later."""


def checklist(path: Path = HERE / "checklist.csv") -> Mapping[str, Mapping[str, str]]:
    """The requirements by id, in the checklist's order."""
    with path.open(encoding="utf-8", newline="") as handle:
        return {row["id"]: row for row in csv.DictReader(handle)}


def marked(folder: Path = HERE) -> Mapping[str, tuple[str, ...]]:
    """The places `file:line` of every requirement mark, by requirement id."""
    places: dict[str, list[str]] = defaultdict(list)
    for path in sorted(folder.rglob("test_*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"), filename=str(path))
        for requirement, line in _marks(tree):
            places[requirement].append(f"{path.relative_to(folder.parent).as_posix()}:{line}")
    return {requirement: tuple(found) for requirement, found in places.items()}


def _marks(tree: ast.AST) -> Iterator[tuple[str, int]]:
    for node in ast.walk(tree):
        if not (isinstance(node, ast.Call) and ast.unparse(node.func).endswith("mark.req")):
            continue
        for argument in node.args:
            value = argument.value if isinstance(argument, ast.Starred) else argument
            for part in ast.walk(value):
                if isinstance(part, ast.Constant) and isinstance(part.value, str):
                    yield part.value, node.lineno


def family(requirement: str) -> str:
    """`W1S` of `W1S-014`."""
    return requirement.partition("-")[0]


def is_owed(row: Mapping[str, str]) -> bool:
    """True for a requirement that must have a test now: a shared family, and not one of another workflow's."""
    return family(row["id"]).startswith(OWED) and row["workflow"] in {"all", "W1"}


def report() -> str:
    """Per family how many requirements have a test, then every id without one."""
    rows, places = checklist(), marked()
    families: dict[str, list[str]] = defaultdict(list)
    for requirement in rows:
        families[family(requirement)].append(requirement)
    lines = [f"{name:<4} {sum(one in places for one in ids):>4}/{len(ids)}" for name, ids in families.items()]
    owed = [requirement for requirement, row in rows.items() if is_owed(row)]
    open_ids = [requirement for requirement in rows if requirement not in places]
    lines += [
        "",
        f"all  {len(rows) - len(open_ids):>4}/{len(rows)}",
        f"owed {sum(one in places for one in owed):>4}/{len(owed)} (shared families and W1)",
        "",
        "owed and without a test: " + (", ".join(one for one in owed if one not in places) or "none"),
        "without a test, not owed yet: " + (", ".join(one for one in open_ids if not is_owed(rows[one])) or "none"),
    ]
    return "\n".join(lines)


if __name__ == "__main__":
    sys.stdout.write(report() + "\n")
