"""Outputs and run records added to a bundle: all of them or none."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from evreview.core.errors import BadInput
from evreview.core.vocabulary import EvidenceId
from evreview.evidence.bundle_reader import open_bundle
from evreview.evidence.bundle_writer import NewRun, retain_runs
from evreview.evidence.records.test_runs import TestRun


def new_run(name: str = "runs/plan", text: str = "checks::read PASSED\n", **more: str) -> NewRun:
    return NewRun(
        name=name,
        ending=".txt",
        output=text,
        output_establishes="How it ended.",
        record=lambda output: json.dumps({"kind": "test-run", "output": output, "revision": "r", **more}),
        record_establishes="What ran.",
    )


def contents(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_each_run_is_two_items_and_names_its_output(demo_copy: Path) -> None:
    before = open_bundle(demo_copy)
    kept = contents(demo_copy)
    ids, files = retain_runs(demo_copy, [new_run(), new_run(name="runs/other", text="other\n")])
    after = open_bundle(demo_copy)
    first = len(before.items) + 1
    assert ids == tuple(f"E{number}" for number in range(first, first + 4))
    assert list(after.items) == [*before.items, *ids]
    outputs = [after.items[EvidenceId(ids[at])].record for at in (1, 3)]
    assert [record.output for record in outputs if isinstance(record, TestRun)] == [ids[0], ids[2]]
    assert after.items[ids[2]].content == "other\n"
    now = contents(demo_copy)
    assert set(now) - set(kept) == set(files)
    assert {name for name in kept if kept[name] != now[name]} == {"review.yaml"}
    assert now["review.yaml"].startswith(kept["review.yaml"][: kept["review.yaml"].index(b"evidence:")])


def in_the_way(folder: Path) -> None:
    number = len(open_bundle(folder).items) + 4
    (folder / "runs").mkdir()
    (folder / "runs" / f"plan-E{number}.yaml").write_text("mine")


def a_link_outside(folder: Path) -> None:
    (folder.parent / "elsewhere").mkdir()
    (folder / "runs").symlink_to(folder.parent / "elsewhere")


def broken(folder: Path) -> None:
    text = (folder / "review.yaml").read_text()
    (folder / "review.yaml").write_text(text.replace("evidence:", "evidense:", 1))


WRONG: list[tuple[Callable[[Path], None], NewRun]] = [
    (in_the_way, new_run()),
    (a_link_outside, new_run()),
    (broken, new_run()),
    (lambda folder: None, new_run(unknown="key")),
    (lambda folder: None, new_run(text="\x00")),
]


@pytest.mark.parametrize(("spoil", "run"), WRONG, ids=["in the way", "link", "broken", "bad record", "binary"])
def test_when_anything_is_wrong_nothing_is_written(spoil: Callable[[Path], None], run: NewRun, demo_copy: Path) -> None:
    spoil(demo_copy)
    before = contents(demo_copy.parent)
    with pytest.raises(BadInput):
        retain_runs(demo_copy, [new_run(name="runs/first"), run])
    assert contents(demo_copy.parent) == before
