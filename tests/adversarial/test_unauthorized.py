"""A security review that is not authorized ends with W3-F1 and holds no word of anything but the authorization."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from evreview.app.workbench import Workbench
from evreview.core.vocabulary import ExitStatus, StepState
from evreview.evidence import item_reader
from evreview.evidence.bundle_reader import open_bundle
from evreview.report.validate import validate_artifact
from evreview.workflows.session import Run, review
from tests.evidence.test_sealed import TRAPS, bind

AUTHORIZATION = "records/authorization.yaml"


@pytest.fixture
def folder(project: Path, tmp_path: Path) -> Path:
    """The bundled review without one field of its authorization."""
    made = Path(shutil.copytree(project / "examples" / "w3-tickets", tmp_path / "b"))
    path = made / AUTHORIZATION
    path.write_text(path.read_text().replace("cleanup:", "# cleanup:"))
    bind(made)
    return made


def others(folder: Path) -> list[str]:
    """Every file of the bundle but the two that may be read."""
    names = [path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()]
    return [name for name in names if name not in ("review.yaml", "README.md", AUTHORIZATION)]


def written(folder: Path, out: Path) -> dict[str, str]:
    """What a notebook over the bundle writes, and what it shows, with digests masked."""
    bench = Workbench(folder, headless=True)
    shown = [
        bench.to_text(),
        bench.to_html(),
        bench.step(1).to_text(),
        bench.step(9).to_text(),
        bench.gates().to_text(),
    ]
    shown += [bench.artifact().to_text(), bench.register("findings").to_text(), bench.export(out).to_text()]
    files = {path.relative_to(out).as_posix(): path.read_text() for path in out.rglob("*") if path.is_file()}
    texts = {**files, "shown": "\n".join(shown)}
    return {name: re.sub("[0-9a-f]{64}|(?<=bundle )[0-9a-f]{12}", "digest", text) for name, text in texts.items()}


@pytest.mark.req("W3X-013", "W3S-003", "W3E-001", "W3E-002", "W3U-004", "W3D-001")
@pytest.mark.parametrize("trap", TRAPS)
def test_whatever_the_rest_is_the_outcome_is_the_same(folder: Path, tmp_path: Path, trap: str) -> None:
    plain = written(folder, tmp_path / "plain")
    names = others(folder)
    assert len(names) > 15
    for name in names:
        TRAPS[trap](folder / name)
    bind(folder)
    trapped = written(folder, tmp_path / "trapped")
    assert trapped == plain
    assert not any("trap-word" in text for text in trapped.values())
    found = review(open_bundle(folder))
    assert [(step.state, step.code) for step in found.steps] == [(StepState.STOP, "W3-F1")]
    assert found.exit_status == ExitStatus.STOPPED
    assert found.bundle.sealed


LOST = [
    ("a field", "cleanup:", "# cleanup:"),
    ("the period", "until: 2026-12-18", "until: 2026-11-17"),
    ("a path", "'service/**', ", ""),
    ("the answer", "decision: approved", "decision: rejected"),
]


@pytest.mark.req("W3X-013", "W3E-007")
@pytest.mark.parametrize(("old", "new"), [row[1:] for row in LOST], ids=[row[0] for row in LOST])
def test_an_earlier_authorized_run_gives_nothing_away(project: Path, tmp_path: Path, old: str, new: str) -> None:
    folder = Path(shutil.copytree(project / "examples" / "w3-tickets", tmp_path / "b"))
    earlier = Run(open_bundle(folder))
    assert len(earlier.finish().steps) == 9
    path = folder / AUTHORIZATION
    path.write_text(path.read_text().replace(old, new))
    bind(folder)
    run = Run(open_bundle(folder), earlier=earlier)
    found = run.finish()
    assert run.resumed_at == 1
    assert [step.code for step in found.steps] == ["W3-F1"]
    assert found.artifact == review(open_bundle(folder)).artifact
    assert validate_artifact(found.artifact, bundle=found.bundle) == ()


@pytest.mark.req("W3X-013")
def test_only_the_authorization_becomes_text(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real, read = item_reader.text_of, set[str]()
    monkeypatch.setattr(item_reader, "text_of", lambda data, name: read.add(name) or real(data, name))
    review(open_bundle(folder))
    assert read == {AUTHORIZATION}


def test_bytes_that_are_not_the_stated_ones_are_told_without_them(folder: Path, tmp_path: Path) -> None:
    (folder / "service" / "tickets_service" / "tickets.py").write_text("trap-word")
    found = review(open_bundle(folder))
    assert "trap-word" not in found.artifact
    assert any(citation.id == "E5" for step in found.steps for reason in step.reasons for citation in reason.citations)
