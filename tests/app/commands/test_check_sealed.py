"""`evreview check` on a security review: what is missing is named, and nothing else is looked at before."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from evreview.app.cli import app
from evreview.core.vocabulary import ExitStatus
from evreview.evidence import bundle_reader
from evreview.evidence.records.security import Authorization
from tests.evidence.test_sealed import TRAPS

OTHERS = ("decisions.yaml", "records/trust-model.yaml", "service/tickets_service/tickets.py", "results/junit.xml")


@pytest.fixture
def folder(project: Path, tmp_path: Path) -> Iterator[Path]:
    yield Path(shutil.copytree(project / "examples" / "w3-tickets", tmp_path / "b"))


def without(folder: Path, field: str) -> None:
    path = folder / "records" / "authorization.yaml"
    text = path.read_text()
    lines = [line for line in text.splitlines() if not line.startswith(f"{field}:")]
    assert len(lines) < len(text.splitlines())
    path.write_text("\n".join(lines) + "\n")


def check(folder: Path) -> tuple[int, str]:
    done = CliRunner().invoke(app, ["check", str(folder)])
    # The folder's own name holds the number of this run of the tests, which may be one that no message may tell.
    return done.exit_code, (done.stdout + done.stderr).replace(str(folder.resolve()), "FOLDER")


def test_the_bundled_review_has_no_problem(folder: Path) -> None:
    status, told = check(folder)
    assert status == ExitStatus.DONE
    assert "18 evidence items" in told


@pytest.mark.req("W3X-013", "W3E-002", "W3U-004")
@pytest.mark.parametrize("trap", TRAPS)
def test_an_unauthorized_review_is_not_read(folder: Path, trap: str, monkeypatch: pytest.MonkeyPatch) -> None:
    without(folder, "cleanup")
    status, plain = check(folder)
    for name in OTHERS:
        TRAPS[trap](folder / name)
    monkeypatch.setattr(bundle_reader, "take_in", lambda *_: pytest.fail("something was read"))
    status, told = check(folder)
    assert status == ExitStatus.BAD_INPUT
    assert "cleanup requirements" in told and "trap-word" not in told
    assert not any(name in told for name in OTHERS)
    assert "18" not in told
    readable = [line for line in told.splitlines() if "digest" not in line and "bytes" not in line]
    assert set(readable) - set(plain.splitlines()) <= {line for line in readable if "problem" in line}


TOP = [
    "approving_role",
    "decision",
    "at",
    "channel",
    "revision",
    "owns",
    "environment",
    "paths",
    "techniques",
    "period",
]


@pytest.mark.req("W3E-003")
@pytest.mark.parametrize("field", TOP)
def test_the_missing_field_is_named_with_its_place(folder: Path, field: str) -> None:
    without(folder, field)
    status, told = check(folder)
    assert status == ExitStatus.BAD_INPUT
    assert f"records/authorization.yaml #/{field}" in told
    assert field in Authorization.model_fields


def test_a_new_scaffold_names_what_is_missing(tmp_path: Path) -> None:
    CliRunner().invoke(app, ["new", "w3", str(tmp_path / "new")])
    status, told = check(tmp_path / "new")
    assert status == ExitStatus.BAD_INPUT
    places = {line.split(" #")[1].split(":")[0] for line in told.splitlines() if line.startswith("authorization.yaml")}
    lists = {"paths", "techniques", "prohibited_targets", "prohibited_actions", "exclusions", "recipients"}
    for name in set(Authorization.model_fields) - {"kind", "secret_digests"}:
        at = f"/{name}/0" if name in lists | {"stop_conditions"} else f"/{name}"
        assert any(place.startswith(at) for place in places), name
    for place in ("/implementation_revision", "/roles/security_owner", "/actions/0/id", "/actions/0/paths/0"):
        assert f"#{place}: FILL-IN" in told


REVISION = "8d2f60c1b7a94e35f0c6d81a2b93e7450f6c1ad8"
FILLED = {
    "as_of": "2026-11-22", "since": "2026-11-01", "until": "2026-11-30", "at": "2026-11-02T08:00:00Z",
    "implementation_revision": REVISION, "revision": REVISION, "integrity": REVISION, "permitted": "false",
    "decision": "approved", "form": "written", "technique": "static inspection",
    "techniques": "static inspection",
    "prohibited_actions": "use of real credentials",
    "paths": "service/app.py", "security_owner": "Security owner", "approving_role": "Security owner",
}  # fmt: skip


def test_the_rest_of_a_scaffold_is_named_once_it_is_authorized(tmp_path: Path) -> None:
    folder = tmp_path / "new"
    CliRunner().invoke(app, ["new", "w3", str(folder)])
    for name in ("review.yaml", "authorization.yaml"):
        lines = (folder / name).read_text().splitlines()
        keys = [re.match(r"[\s-]*([a-z0-9_]+):", line) for line in lines]
        filled = [
            line.replace("FILL-IN", FILLED.get(key[1], "words")) if key and "#" not in line else line
            for key, line in zip(keys, lines, strict=True)
        ]
        (folder / name).write_text("\n".join(filled) + "\n")
    status, told = check(folder)
    assert status == ExitStatus.BAD_INPUT
    named = {line.split(" ")[0] for line in told.splitlines() if line.endswith("[not-filled-in]")}
    assert named == {"trust-model.yaml", "sources.yaml", "inventory.yaml"}
    assert "[file-missing]" in told and "source.py" in told
