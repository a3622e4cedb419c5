"""The list that many reviews are measured on: as long as asked, the same each time, and every edit a contract."""

from __future__ import annotations

import json
import random
from pathlib import Path

from bench.batch import DEMO, edited, measured, pair_list
from evreview.app.batch.pairs import read_pairs
from evreview.app.batch.work import perform
from evreview.core.yaml_text import read_yaml


def test_a_list_is_as_long_as_asked_and_each_edit_can_be_compared(tmp_path: Path) -> None:
    tasks = read_pairs(pair_list(tmp_path, 60))
    assert (len(tasks), len({task.name for task in tasks})) == (60, 60)
    keys: list[str] = []
    edits = [task for task in tasks if task.name.startswith("edit")][:5]
    found = measured(lambda settings: ((task, perform(task, settings, keys.append)) for task in edits))
    assert (found.done, len(keys)) == (5, 5)


def test_an_edit_is_the_same_for_the_same_seed_and_leaves_the_contract_alone() -> None:
    contract = read_yaml(DEMO.read_text(encoding="utf-8"), DEMO.name)
    before = json.dumps(contract)
    one, same, other = (json.dumps(edited(contract, random.Random(seed))) for seed in (1, 1, 2))
    assert (one == same, one == other, json.dumps(contract) == before) == (True, False, True)
