"""The table of mutations: each fits the code, and a sample of them is tried."""

from __future__ import annotations

import ast
import csv
import subprocess
import sys
import tomllib
from dataclasses import asdict, fields, replace
from pathlib import Path

import pytest

from tests.mutations import Mutation, Outcome, sample, table
from tests.requirements import checklist

IN_CI = 6
"""How many CI tries; the commit says which."""


def test_every_requirement_has_a_mutation() -> None:
    assert set(checklist()) - {one.requirement for one in table()} == set()


def said(text: str, file: str) -> object:
    """What a file of code or of data says, whatever its layout; a page says its text."""
    if file.endswith(".md"):
        return text
    return tomllib.loads(text) if file.endswith(".toml") else ast.dump(ast.parse(text))


@pytest.mark.parametrize("file", sorted({one.file for one in table()}))
def test_each_mutation_fits_the_code_and_leaves_it_readable(file: str, project: Path) -> None:
    text = (project / file).read_text(encoding="utf-8")
    wrong = []
    for one in (one for one in table() if one.file == file):
        changed = one.made_in(text)
        if changed is None or said(changed, file) == said(text, file):
            wrong.append(one.requirement)
    assert wrong == [], "mend these rows of mutations.csv: the code that they change is written otherwise now"


def test_a_sample_is_another_one_for_another_commit() -> None:
    all_of_them = table()
    one, other = (sample(all_of_them, 20, seed) for seed in ("a", "b"))
    assert len(one) == len(other) == 20 and one != other and sample(all_of_them, 20, "a") == one
    assert set(one) <= set(all_of_them)


def run(project: Path, *options: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "tests.mutations", *options]
    return subprocess.run(command, cwd=project, capture_output=True, text=True, check=False)


@pytest.mark.slow
def test_what_no_test_sees_and_what_fits_no_more_are_told(project: Path, tmp_path: Path) -> None:
    seen = next(one for one in table() if one.requirement == "EV-006")
    idle = replace(seen, find='"""Ids that stand twice', put='"""Ids that stand thrice')
    rows = [seen, idle, replace(seen, requirement="W1Y-001"), replace(seen, find="no such text")]
    with (tmp_path / "table.csv").open("w", encoding="utf-8", newline="") as handle:
        writer = csv.DictWriter(handle, [each.name for each in fields(Mutation)])
        writer.writeheader()
        writer.writerows(map(asdict, rows))
    done = run(project, "--table", str(tmp_path / "table.csv"))
    told = [outcome for line in done.stdout.splitlines() for outcome in Outcome if f": {outcome} (" in line]
    assert (told, done.returncode) == ([Outcome.SURVIVED, Outcome.BROKEN, Outcome.STALE], 1)
    assert done.stdout.splitlines()[-1].startswith("1 of 4 ")


@pytest.mark.slow
def test_a_sample_of_the_mutations_is_seen(project: Path) -> None:
    done = run(project, "--sample", str(IN_CI))
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_text_that_stands_twice_is_no_place_for_a_mutation() -> None:
    one = Mutation(requirement="C-001", file="a.py", find="x", put="y", test="t")
    assert (one.made_in("x x"), one.made_in("z"), one.made_in("x")) == (None, None, "y")
