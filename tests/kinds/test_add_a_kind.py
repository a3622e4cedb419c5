"""`docs/add-a-kind.md` is true: what it writes, put where it says, is a kind from the file to the command line."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[2]
PAGE = (PROJECT / "docs" / "add-a-kind.md").read_text(encoding="utf-8")
FILES = re.findall(r"`(evreview/[\w/]+\.py)`:\s+```python\n(.*?)```", PAGE, re.DOTALL)
EDITS = re.findall(r"```diff\n(.*?)```", PAGE, re.DOTALL)
EDITED = ("evreview/core/vocabulary.py", "evreview/kinds/registry.py")
"""Nothing else of the package changes."""
OLD, NEW = "toy 1\ncall orders\ncall refunds\n", "toy 2\ncall orders\ncall returns\nshout\n"


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package with the kind of the page: links to what stays, and the files that the page writes or edits."""
    made: Path = tmp_path_factory.mktemp("kind")
    _linked(PROJECT / "evreview", made / "evreview")
    for name, text in FILES:
        (made / name).parent.mkdir(exist_ok=True)
        (made / name).write_text(text, encoding="utf-8")
    for name in EDITED:
        text = (PROJECT / name).read_text(encoding="utf-8")
        for before, after in map(_sides, EDITS):
            text = text.replace(before, after)
        (made / name).unlink()
        (made / name).write_text(text, encoding="utf-8")
    (made / "old.toy").write_text(OLD, encoding="utf-8")
    (made / "new.toy").write_text(NEW, encoding="utf-8")
    return made


def _linked(source: Path, target: Path) -> None:
    """A folder of links; folders that hold a file which is edited are made, and linked below."""
    target.mkdir()
    for each in source.iterdir():
        holds = each.is_dir() and any((PROJECT / name).is_relative_to(each) for name in EDITED)
        if holds:
            _linked(each, target / each.name)
        elif each.name != "__pycache__":
            (target / each.name).symlink_to(each)


def _sides(edit: str) -> tuple[str, str]:
    lines = edit.splitlines()
    before, after = ("\n".join(line[1:] for line in lines if line[0] != sign) for sign in "+-")
    return before, after


def run(home: Path, *words: str) -> subprocess.CompletedProcess[str]:
    told = {**os.environ, "PYTHONPATH": str(home)}
    command = [sys.executable, "-m", "evreview", *words]
    return subprocess.run(command, cwd=home, env=told, capture_output=True, text=True, check=False)


def test_each_edit_of_the_page_fits_one_file_once() -> None:
    sources = [(PROJECT / name).read_text(encoding="utf-8") for name in EDITED]
    assert [sum(source.count(_sides(edit)[0]) for source in sources) for edit in EDITS] == [1, 1, 1]
    assert len(FILES) == 4


def test_a_toy_goes_through_reader_ledger_rule_and_proof(home: Path) -> None:
    done = run(home, "diff", "old.toy", "new.toy", "--format", "json")
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    rows = {row["operation"]: row for row in told["rows"]}
    assert {key: (row["kind"], row["rule"], row["verdict"]) for key, row in rows.items()} == {
        "refunds": ("toy", "toy-call-removed", "breaking"),
        "returns": ("toy", "toy-call-added", "compatible"),
    }
    assert rows["refunds"]["proof"]["status"] == "witnessed"
    assert [item["place"] for item in told["unread"]] == ["new.toy#L4"]
    again = run(home, "replay", "old.toy", "new.toy", rows["refunds"]["id"])
    assert (again.returncode, "confirmed by" in again.stdout) == (0, True)
    assert run(home, "diff", "old.toy", "old.toy", "--kind", "toy", "--format", "json").returncode == 0


def test_the_rules_of_a_toy_say_what_their_examples_show(home: Path) -> None:
    script = """
from evreview.comparison.rules.example import pair
from evreview.core.vocabulary import ContractKind
from evreview.kinds.compare import diff_contracts
from evreview.kinds.load import read_contract
from evreview.kinds.registry import spec_of

spec = spec_of(ContractKind("toy"))
for rule in spec.rules():
    for example, fires in ((rule.example, True), (rule.counter_example, False)):
        sides = [read_contract(name, lambda _, data=data: data) for name, data in pair(example)]
        assert (rule.id in {spec.classify(delta).rule for delta in diff_contracts(*sides).deltas}) is fires
"""
    told = {**os.environ, "PYTHONPATH": str(home)}
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=home, env=told, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    listed = run(home, "rules", "--kind", "toy").stdout
    assert "toy-call-removed" in listed and "2 rules" in listed
