"""`doctor` names what a command needs and has not, and nothing else."""

from __future__ import annotations

import tomllib

import pytest

from evreview.app.commands import doctor
from tests.conftest import PROJECT


def stated() -> dict[str, set[str]]:
    """The packages of each extra in pyproject.toml, extras in extras not followed."""
    extras = tomllib.loads((PROJECT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    return {
        extra: {line.split(">")[0].split("=")[0] for line in lines if not line.startswith("evreview[")}
        for extra, lines in extras.items()
    }


def test_every_extra_that_a_command_needs_is_told_with_its_packages() -> None:
    of_a_checkout = {"docs", "test"}  # make docs, make test: no command needs them
    assert set(doctor.EXTRAS) == set(stated()) - of_a_checkout
    for extra in doctor.EXTRAS:
        assert stated()[extra] <= set(doctor._packages(extra))
    assert stated()["run"] <= set(doctor._packages("lab"))


def test_what_is_missing_is_named_with_its_commands_and_the_way_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "_is_installed", lambda name: name != "bandit")
    monkeypatch.setattr(doctor.shutil, "which", lambda name, path=None: None)
    found = {need.what: need for need in doctor.needs()}
    assert {what for what, need in found.items() if need.missing} >= {"extra `scan`", "git", "semgrep", "sandbox"}
    assert found["extra `run`"].missing == "" and found["extra `scan`"].missing == "bandit"
    assert found["extra `scan`"].advice == "pip install 'evreview[scan]'"


def test_it_ends_well_whatever_is_missing(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "_is_installed", lambda name: False)
    assert doctor.doctor() == 0
    assert capsys.readouterr().out.count("missing: ") >= len(doctor.EXTRAS)
