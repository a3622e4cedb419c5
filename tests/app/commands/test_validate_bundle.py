"""An artifact that was changed by hand is told from the one that its bundle gives, whatever the change keeps."""

from __future__ import annotations

from pathlib import Path

import pytest

from evreview.app.commands.validate import validate
from evreview.core.errors import BadInput, ContractBroken
from tests.conftest import PROJECT
from tests.golden.runs import finished as finished_w1
from tests.golden.w2_runs import finished

EXAMPLES = PROJECT / "examples"
CHANGES = {
    "a disposition that nobody recorded": ("open: publication blocker", "contract stands: publish contract"),
    "an approval that nobody gave": ("| not needed | none asked for |", "| approved | none recorded |"),
    "another digest of the contract": ("79f5c747", "79f5c748"),
    "a count of the verdict": ("8 not disposed of", "0 not disposed of"),
    "a status of the reference": ("| `401` |", "| `403` |"),
    "a limit": ("at most `100`", "at most `500`"),
    "a label": ("Proposed example", "Observed example"),
}


def changed(text: str, old: str, new: str, place: Path) -> Path:
    assert old in text
    place.write_text(text.replace(old, new), encoding="utf-8")
    return place


@pytest.mark.req("VR-001")
@pytest.mark.parametrize(("old", "new"), CHANGES.values(), ids=list(CHANGES))
def test_a_changed_line_is_told(old: str, new: str, tmp_path: Path) -> None:
    text = finished("demo").artifact
    artifact = changed(text, old, new, tmp_path / "a.md")
    with pytest.raises(ContractBroken) as caught:
        validate(artifact, EXAMPLES / "w2-orders")
    first = next(at for at, line in enumerate(text.splitlines(), 1) if old in line)
    assert f"line {first}" in {problem.place for problem in caught.value.problems}


def test_a_line_more_or_less_is_told(tmp_path: Path) -> None:
    lines = finished("demo").artifact.splitlines(keepends=True)
    at = next(number for number, line in enumerate(lines) if "executed; " in line)
    for name, made in (("less", [*lines[:at], *lines[at + 1 :]]), ("more", [*lines[: at + 1], *lines[at:]])):
        artifact = tmp_path / f"{name}.md"
        artifact.write_text("".join(made), encoding="utf-8")
        with pytest.raises(ContractBroken):
            validate(artifact, EXAMPLES / "w2-orders")


def test_an_unchanged_artifact_is_what_its_bundle_gives(tmp_path: Path) -> None:
    for name, artifact in (("w1-orders", finished_w1("demo").artifact), ("w2-orders", finished("demo").artifact)):
        place = tmp_path / f"{name}.md"
        place.write_text(artifact, encoding="utf-8")
        assert validate(place, EXAMPLES / name) == 0


def test_an_artifact_of_another_bundle_is_told(tmp_path: Path) -> None:
    place = tmp_path / "a.md"
    place.write_text(finished("demo").artifact, encoding="utf-8")
    with pytest.raises((ContractBroken, BadInput)):
        validate(place, EXAMPLES / "w1-orders")
