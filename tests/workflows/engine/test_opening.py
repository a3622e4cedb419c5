"""A run reads a security review whole only when its authorization passes."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from evreview.evidence import bundle_reader
from evreview.evidence.bundle_reader import open_bundle
from evreview.workflows import session as room
from evreview.workflows.session import Run
from evreview.workflows.w2.workflow import FLOW
from evreview.workflows.w3.authorization import MISSING, REFUSED, as_authorized, authorization_problems


@pytest.fixture
def folder(project: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(project / "examples" / "w3-tickets", tmp_path / "b"))


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def run_of(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """A run with any flow: only what it reads is looked at."""
    started: list[Any] = []
    flow = replace(FLOW, start=lambda load, redactor: started.append(redactor) or FLOW.start(load, redactor))
    monkeypatch.setattr(room, "flow_of", lambda *_: flow)
    return Run(open_bundle(folder))


@pytest.mark.req("W3X-013", "W3S-002")
def test_a_run_of_an_authorized_review_reads_the_rest(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = run_of(folder, monkeypatch)
    assert not run.bundle.sealed
    assert run.redactor.findings


@pytest.mark.req("W3X-013", "W3S-003", "W3D-001")
@pytest.mark.parametrize(("old", "new"), [("cleanup:", "#"), ("decision: approved", "decision: rejected")])
def test_a_run_of_another_reads_nothing(folder: Path, old: str, new: str, monkeypatch: pytest.MonkeyPatch) -> None:
    edit(folder / "records" / "authorization.yaml", old, new)
    monkeypatch.setattr(bundle_reader, "take_in", lambda *_: pytest.fail("something was read"))
    run = run_of(folder, monkeypatch)
    assert run.bundle.sealed
    assert {finding.location for finding in run.redactor.findings} <= {"E1"}


def test_problems_say_where(folder: Path) -> None:
    path = folder / "records" / "authorization.yaml"
    edit(path, "rollback:", "# rollback:")
    edit(path, "'service/**', ", "")
    told = list(authorization_problems(open_bundle(folder)))
    assert {problem.file for problem in told} == {"records/authorization.yaml"}
    assert {(problem.code, problem.place) for problem in told} >= {(MISSING, "#/rollback"), (REFUSED, "#/paths")}
    assert as_authorized(open_bundle(folder)).sealed


@pytest.mark.req("W3X-014")
def test_another_day_may_be_asked_about(folder: Path) -> None:
    bundle = open_bundle(folder)
    assert [problem.place for problem in authorization_problems(bundle, "2026-12-19")] == ["#/period/until"]
    assert not list(authorization_problems(bundle, "2026-12-18"))
