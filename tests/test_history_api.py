"""`ev.history`: the same judgement as `evreview diff --history`, as a frame."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import evreview as ev
from evreview.app.cli import run_command
from evreview.comparison.ledger import BY_NAME, COLUMNS, HISTORY, columns_of
from evreview.core.vocabulary import CompatibilityLevel, ExitStatus, Json

FIELDS: dict[str, list[Json]] = {
    "v1": [],
    "v2": [{"name": "b", "type": "string", "default": "x"}],
    "v3": [{"name": "b", "type": "string"}],
}
SECRET = "ghp_" + "Zk3vR8tYq2LmN7wX" + "c5Bh9JdF4sPa6GuE1oKi"


@pytest.fixture
def ladder(tmp_path: Path) -> list[Path]:
    """A field comes with a default, which is taken back: only the transitive level breaks."""
    made = []
    for name, fields in FIELDS.items():
        made.append(tmp_path / f"{name}.avsc")
        record = {"type": "record", "name": "E", "fields": [{"name": "a", "type": "string"}, *fields]}
        made[-1].write_text(json.dumps(record))
    return made


@pytest.mark.parametrize("level", [level.value for level in CompatibilityLevel])
def test_the_level_holds_when_the_command_says_so(level: str, ladder: list[Path], tmp_path: Path) -> None:
    told = tmp_path / "told.json"
    words = ["diff", "--history", *map(str, ladder), "--level", level, "--fail-on", "breaking", "--format", "json"]
    status = run_command([*words, "-o", str(told)])
    found = ev.history(ladder, level=level)
    assert status == (ExitStatus.FAIL_ON if found.holds == "no" else ExitStatus.DONE)
    assert json.loads(told.read_text())["levels"] == found.to_dict()["levels"]


def test_the_frame_has_a_row_per_difference_of_a_pair(ladder: list[Path]) -> None:
    found = ev.history(ladder, level="backward-transitive")
    frame = found.frame
    assert list(frame.columns) == [column.name for column in COLUMNS]
    assert {name: str(frame[name].dtype) for name in ("earlier", "later", "verdict")} == {
        "earlier": "int64",
        "later": "int64",
        "verdict": "category",
    }
    assert not frame.duplicated(["earlier", "later", "delta_id"]).any()
    rows = [(pair.earlier, pair.later, row.delta.id) for pair in found.pairs for row in pair.comparison.rows]
    assert list(frame[["earlier", "later", "delta_id"]].itertuples(index=False, name=None)) == rows
    breaks = frame[frame["answers"].str.contains("no")]
    (reason,) = found.standing(CompatibilityLevel.BACKWARD_TRANSITIVE).broken
    assert [(row.earlier, row.later, (row.delta_id,)) for row in breaks.itertuples()] == [(0, 2, reason.rows)]


def test_pairs_that_the_level_does_not_ask_about_answer_nothing(ladder: list[Path]) -> None:
    frame = ev.history(ladder, level="backward").frame
    assert set(frame[frame["later"] - frame["earlier"] > 1]["answers"]) == {""}
    assert set(ev.history(ladder, level="none").frame["answers"]) == {""}


def test_what_one_release_tells_is_redacted_in_every_pair(ladder: list[Path]) -> None:
    record = json.loads(ladder[1].read_text())
    record["fields"][1]["default"] = SECRET
    ladder[1].write_text(json.dumps(record))
    found = ev.history(ladder)
    assert SECRET in found.raw_frame.to_csv() and SECRET not in found.frame.to_csv()
    assert all(SECRET not in pair.comparison.frame.to_csv() for pair in found.pairs)
    assert SECRET not in repr(found) + repr(found.pairs[0].comparison.rows)


def test_releases_without_a_difference_make_an_empty_frame_with_its_columns(ladder: list[Path]) -> None:
    found = ev.history([ladder[0], ladder[0]])
    assert (found.holds, len(found.frame)) == ("yes", 0)
    assert list(found.frame.columns) == [column.name for column in COLUMNS]
    assert {column.name for column in columns_of(HISTORY)} == {"earlier", "later", "answers"} <= set(BY_NAME)


def test_everything_wrong_is_told_at_once(ladder: list[Path], tmp_path: Path) -> None:
    broken = tmp_path / "broken.avsc"
    broken.write_text("{")
    with pytest.raises(ev.BadInput) as caught:
        ev.history([ladder[0], broken, tmp_path / "none.avsc"])
    assert {Path(problem.file).name for problem in caught.value.problems} == {"broken.avsc", "none.avsc"}
    with pytest.raises(ev.BadInput) as caught:
        ev.history(ladder, level="sideways")
    assert [problem.code for problem in caught.value.problems] == ["level-unknown"]
    with pytest.raises(ev.BadInput) as caught:
        ev.diff(broken, tmp_path / "none.avsc")
    assert len(caught.value.problems) == 2


def test_imports_from_elsewhere_are_found(tmp_path: Path) -> None:
    (tmp_path / "deps").mkdir()
    (tmp_path / "deps" / "money.proto").write_text('syntax = "proto3"; message Money { int64 cents = 1; }')
    sides = []
    for at, kind in enumerate(("Money", "Money", "string")):
        sides.append(tmp_path / f"v{at}" / "order.proto")
        sides[-1].parent.mkdir()
        text = f'syntax = "proto3"; import "money.proto"; message Order {{ {kind} total = 1; }}'
        sides[-1].write_text(text)
    found = ev.history(sides, include=[tmp_path / "deps"])
    assert (found.holds, set(found.frame["later"])) == ("no", {2})
    assert ev.diff(sides[0], sides[2], include=[tmp_path / "deps"]).breaking
    with pytest.raises(ev.BadInput):
        ev.diff(sides[0], sides[2])
