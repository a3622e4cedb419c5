"""The report on requirements: no test claims an unknown one, and what is owed is claimed or said to be open."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

import pytest

from tests.requirements import NOT_YET, checklist, family, is_owed, report

SHOW = """
import json, sys
from pathlib import Path
from tests.requirements import marked
print(json.dumps(marked(Path(sys.argv[1]))))
"""


@lru_cache
def collected(project: Path, folder: Path) -> Mapping[str, list[str]]:
    """The marks below a folder, collected by a pytest of its own: this one is busy."""
    done = subprocess.run(
        [sys.executable, "-c", SHOW, str(folder)], cwd=project, capture_output=True, text=True, check=True
    )
    found: Mapping[str, list[str]] = json.loads(done.stdout)
    return found


def test_no_mark_names_an_unknown_requirement(project: Path) -> None:
    known = checklist()
    assert [one for one in collected(project, project / "tests") if one not in known] == []


def test_every_owed_requirement_has_a_test_or_a_reason(project: Path) -> None:
    covered = collected(project, project / "tests")
    missing = {one for one, row in checklist().items() if is_owed(row) and one not in covered}
    assert missing == set(NOT_YET)


def test_marks_of_modules_decorators_and_table_rows_count(project: Path, tmp_path: Path) -> None:
    (tmp_path / "test_it.py").write_text(
        'import pytest\n\npytestmark = pytest.mark.req("C-001")\n\n'
        '@pytest.mark.req("C-002", *["C-003"])\ndef test_it():\n    pass\n\n'
        '@pytest.mark.parametrize("n", [pytest.param(1, marks=pytest.mark.req(f"C-{4:03}")), 2])\n'
        "def test_rows(n):\n    pass\n"
    )
    found = collected(project, tmp_path)
    assert {one: len(tests) for one, tests in found.items()} == {"C-001": 3, "C-002": 1, "C-003": 1, "C-004": 1}


def test_the_report_counts_each_family(project: Path) -> None:
    told = report(collected(project, project / "tests"))
    total = sum(1 for one in checklist() if family(one) == "W1S")
    assert any(line.startswith("W1S") and line.endswith(f"/{total}") for line in told.splitlines())


@pytest.mark.parametrize("one", sorted(NOT_YET))
def test_what_is_put_off_is_owed_and_has_a_reason(one: str) -> None:
    assert is_owed(checklist()[one])
    assert len(NOT_YET[one]) > 20
