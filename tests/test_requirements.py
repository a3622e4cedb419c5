"""The report on requirements: no test claims a requirement that does not exist."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.requirements import checklist, family, is_owed, marked


def test_no_mark_names_an_unknown_requirement() -> None:
    known = checklist()
    unknown = {requirement: places for requirement, places in marked().items() if requirement not in known}
    assert unknown == {}


def test_every_owed_requirement_has_a_test() -> None:
    covered = marked()
    assert [one for one, row in checklist().items() if is_owed(row) and one not in covered] == []


def test_marks_are_read_from_decorators_and_lists(tmp_path: Path) -> None:
    folder = tmp_path / "tests"
    folder.mkdir()
    (folder / "test_it.py").write_text(
        'import pytest\n\npytestmark = pytest.mark.req("C-001")\n\n'
        '@pytest.mark.req("C-002", *["C-003"])\ndef test_it():\n    pytest.mark.other("C-004")\n'
    )
    assert marked(folder) == {
        "C-001": ("tests/test_it.py:3",),
        "C-002": ("tests/test_it.py:5",),
        "C-003": ("tests/test_it.py:5",),
    }


def test_the_report_counts_each_family(project: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.requirements"], cwd=project, capture_output=True, text=True, check=True
    )
    total = sum(1 for one in checklist() if family(one) == "W1S")
    assert any(line.startswith("W1S") and line.endswith(f"/{total}") for line in done.stdout.splitlines())
