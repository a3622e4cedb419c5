"""Tests about the tiers: the tables name what there is, and CI leaves no test out."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.tiers import ONE_IN, QUICK, SLOW, is_left_out, is_slow


def test_the_table_names_what_there_is(project: Path) -> None:
    places = {entry.partition("::")[0] for entry in (*SLOW, *QUICK, *ONE_IN)}
    assert [place for place in sorted(places) if not (project / "tests" / place).exists()] == []
    assert [entry for entry in QUICK if not entry.startswith(SLOW)] == []


@pytest.mark.parametrize(
    ("node", "slow"),
    [
        ("tests/rewrites/test_reported.py::test_a_false_alarm_of_others_is_no_row[a]", True),
        ("tests/golden/test_expected.py::test_outputs_are_the_expected_ones[f3-owner-unknown]", True),
        ("tests/golden/test_expected.py::test_outputs_are_the_expected_ones[demo]", False),
        ("tests/comparison/rules/test_catalogue.py::test_ids_are_unique_kebab_case", False),
    ],
)
def test_a_node_is_slow_by_how_it_begins(node: str, slow: bool) -> None:
    assert is_slow(node) is slow


def test_a_generated_space_is_tried_in_part_and_any_other_test_whole() -> None:
    start, share = next(iter(ONE_IN.items()))
    cases = [f"tests/{start}[case {at}]" for at in range(900)]
    tried = [case for case in cases if not is_left_out(case)]
    assert 0.8 < len(tried) * share / len(cases) < 1.2
    assert not is_left_out(f"tests/{start}") and not is_left_out("tests/golden/test_expected.py::test_a[demo]")


def test_quick_and_slow_are_parted_by_the_mark_and_test_runs_both(project: Path) -> None:
    rules = re.findall(
        r"^(quick|test|test-slow):.*\n\t\$\(BIN\)/pytest (.*)$", (project / "Makefile").read_text(), re.M
    )
    wanted = {name: options.partition("$(SHARED)")[2].strip() for name, options in rules}
    assert wanted == {"quick": '-m "not slow"', "test": "", "test-slow": "-m slow"}
