"""A contract review moved to another candidate: what is renewed, what still holds, what lapsed, and what is refused."""

from __future__ import annotations

import itertools
from datetime import timedelta
from pathlib import Path

import pytest

from evreview.evidence.bundle_reader import examine_bundle, open_bundle
from evreview.evidence.records.test_runs import ImplementationMapping
from evreview.evidence.renewed_digests import renew_digests
from evreview.workflows.session import Review
from evreview.workflows.session import review as finished
from evreview.workflows.w1.facts import W1Facts
from evreview.workflows.widgets import display_context
from tests.app.commands.test_import_evidence import state
from tests.app.commands.test_new_review import evreview, filled, started
from tests.repositories import CANDIDATE, CODE, RELEASED, git, repository

NEXT = {
    "api/schemas.yaml": CANDIDATE["api/schemas.yaml"].replace("sent, lost]", "sent, lost, held]"),
    "parcels/app.py": CANDIDATE["parcels/app.py"].replace("is not None", "is not False")
    + "\n\ndef listed(parcels):\n    return [shown(each) for each in parcels]\n",
}
"""Another candidate: `STATES` changed as before, `shown` otherwise, and `listed` is new."""
UNDONE = {
    "parcels/app.py": CODE.replace('"sent"]', '"sent", "lost"]'),
    "api/schemas.yaml": RELEASED["api/schemas.yaml"].replace("[new, sent]", "[new, sent, lost]"),
}
"""One that leaves `shown` and the weight as they were released."""


def history(folder: Path) -> Path:
    return repository(folder, (RELEASED, CANDIDATE, NEXT, UNDONE), tags=("v1.0", "v1.1", "v1.2", "v1.3"))


def approved(folder: Path, root: Path) -> Path:
    """A review of v1.1 that the API owner approved."""
    started(folder, root)
    filled(folder)
    evreview("seal", folder)
    status, told = evreview("approve", folder, "ship-breaking-change", "--role", "API owner", "--yes")
    assert status == 0, told
    return folder


def mapped(folder: Path) -> dict[str, bool]:
    found = examine_bundle(folder).draft
    assert found is not None
    record = next(each.record for each in found.items.values() if isinstance(each.record, ImplementationMapping))
    assert isinstance(record, ImplementationMapping)
    return {each.symbol or "": each.reviewed for each in record.mappings}


def test_another_candidate_is_taken_whole_and_only_what_still_holds_stays_reviewed(tmp_path: Path) -> None:
    root = history(tmp_path / "r")
    folder = approved(tmp_path / "review", root)
    decisions = (folder / "decisions.yaml").read_bytes()
    status, told = evreview("update", folder, "--repo", root, "--to", "v1.2")
    assert status == 0, told
    new = git(root, "rev-parse", "v1.2")
    bundle = open_bundle(folder)
    assert bundle.request.implementation_revision == new
    assert bundle.request.title == "api/openapi.yaml, v1.0 to v1.2"
    assert (folder / "contracts/candidate/api/schemas.yaml").read_text() == NEXT["api/schemas.yaml"]
    assert new in bundle.items["E2"].integrity and new in bundle.items["E3"].integrity
    assert mapped(folder) == {"STATES": True, "shown": False, "listed": False}
    assert "1 holds: parcels/app.py STATES" in told
    assert "1 to be reviewed again: parcels/app.py shown" in told
    assert "1 new: parcels/app.py listed" in told
    assert "lapsed     ship-breaking-change by API owner" in told
    assert (folder / "decisions.yaml").read_bytes() == decisions
    assert renew_digests(folder, write=False) == ()


def test_an_entry_without_a_change_is_left_out_and_a_file_that_went_is_gone(tmp_path: Path) -> None:
    root = history(tmp_path / "r")
    folder = approved(tmp_path / "review", root)
    status, told = evreview("update", folder, "--repo", root, "--to", "v1.3")
    assert status == 0 and "1 no longer: parcels/app.py shown" in told, told
    assert mapped(folder) == {"STATES": True}
    assert "1 no longer" in told.split("mapping")[0]


def test_parts_come_and_go_with_the_contract(tmp_path: Path) -> None:
    alone = {
        "api/openapi.yaml": CANDIDATE["api/openapi.yaml"].replace(
            '{$ref: "schemas.yaml#/Parcel"}', "{type: object, required: [id], properties: {id: {type: string}}}"
        ),
        "api/schemas.yaml": None,
    }
    states = (RELEASED, CANDIDATE, alone, {**CANDIDATE, **NEXT})
    root = repository(tmp_path / "r", states, tags=("v1.0", "v1.1", "v1.2", "v1.3"))
    folder = approved(tmp_path / "review", root)
    assert evreview("update", folder, "--repo", root, "--to", "v1.2")[0] == 0
    assert dict(open_bundle(folder).items["E2"].parts) == {}
    assert not (folder / "contracts/candidate/api/schemas.yaml").exists()
    assert evreview("update", folder, "--repo", root, "--to", "v1.3")[0] == 0
    assert set(open_bundle(folder).items["E2"].parts) == {"contracts/candidate/api/schemas.yaml"}


def test_the_same_candidate_changes_nothing(tmp_path: Path) -> None:
    root = history(tmp_path / "r")
    folder = approved(tmp_path / "review", root)
    before = state(folder)
    assert evreview("update", folder, "--repo", root, "--to", "v1.1^{}")[0] == 0
    assert state(folder) == before


def test_marks_may_stand_and_evidence_about_the_older_candidate_is_named(tmp_path: Path) -> None:
    root = history(tmp_path / "r")
    folder = started(tmp_path / "review", root)
    (tmp_path / "results.xml").write_text('<testsuite name="t"><testcase classname="a" name="b"/></testsuite>')
    assert evreview("import", folder, "junit", tmp_path / "results.xml", "--command", "pytest")[0] == 0
    status, told = evreview("update", folder, "--repo", root, "--to", "v1.2")
    assert status == 0 and "imports/junit-E7.yaml (E7)" in told, told


def test_each_answer_that_lapsed_has_its_own_reason_and_older_checks_fill_no_gate(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seconds = map(timedelta, itertools.repeat(0), itertools.count())
    started_at = display_context.now()
    monkeypatch.setattr(display_context, "now", lambda: started_at + next(seconds))
    root = history(tmp_path / "r")
    folder = started(tmp_path / "review", root)
    filled(folder)
    review = folder / "review.yaml"
    review.write_text(review.read_text().replace("release_manager: API owner", "release_manager: Release manager"))
    (tmp_path / "results.xml").write_text('<testsuite name="t"><testcase classname="a" name="b"/></testsuite>')
    words = ("import", folder, "junit", tmp_path / "results.xml", "--command", "pytest", "--fixture", "here")
    assert evreview(*words)[0] == 0
    evreview("seal", folder)
    for role in ("API owner", "Release manager"):
        told = evreview("approve", folder, "ship-breaking-change", "--role", role, "--yes", "--today")[1]
        assert not any(line.startswith("missing") and role in line for line in told.splitlines())
    status, told = evreview("update", folder, "--repo", root, "--to", "v1.2")
    assert status == 0, told
    lapsed = [line for line in told.splitlines() if line.startswith("lapsed")]
    assert [("API owner" in line, "Release manager" in line) for line in lapsed] == [(True, False), (False, True)]
    filled(folder)
    evreview("seal", folder)
    older = finished(open_bundle(folder))
    assert isinstance(older.facts, W1Facts) and older.facts.checks is not None
    assert [check.id for check in older.facts.checks.elsewhere] == ["a::b"]
    limits = older.artifact.split("## Limitations")[1].split("\n## ")[0]
    assert any("a::b" in line and "E7" in line for line in limits.splitlines())
    assert evreview(*words)[0] == 0
    newer = finished(open_bundle(folder))
    assert faults(older) - faults(newer) == 1 and "a::b" not in newer.artifact.split("## Limitations")[1]


def faults(review: Review) -> int:
    """What keeps the gate before shipping open besides answers that nobody gave."""
    return sum(len(gate.faults) for gate in review.facts.gates if gate.spec.id == "ship-breaking-change")


@pytest.mark.parametrize("workflow", ["w2", "w3"])
def test_only_a_contract_review_moves_and_what_to_do_instead_is_of_the_workflow(tmp_path: Path, workflow: str) -> None:
    evreview("new", workflow, tmp_path / "review")
    status, told = evreview("update", tmp_path / "review", "--to", "v1.2")
    assert status == 2 and "[not-allowed]" in told and f"evreview new {workflow}" in told


def _edited(folder: Path, name: str) -> None:
    (folder / name).write_text((folder / name).read_text() + "\n# later\n")


@pytest.mark.parametrize(
    ("change", "ref", "codes"),
    [
        ("", "nothing", {"ref-unknown"}),
        ("contracts/candidate/api/schemas.yaml", "nothing", {"ref-unknown", "digest-mismatch"}),
        ("policy.yaml", "v1.2", {"digest-mismatch"}),
        ("origin", "v1.2", {"origin-missing"}),
        ("resealed", "v1.2", {"origin-differs"}),
        ("folded", "v1.2", {"not-renewable"}),
        ("w2", "v1.2", {"not-allowed"}),
        ("", "gone", {"file-missing"}),
        ("", "unfinished", {"conflict-markers"}),
        ("", "codeless", {"diff-comes-or-goes"}),
    ],
)
def test_what_keeps_a_review_from_moving_is_told_and_nothing_is_written(
    tmp_path: Path, change: str, ref: str, codes: set[str]
) -> None:
    root = history(tmp_path / "r")
    for tag, files in {
        "gone": {"api/openapi.yaml": None},
        "unfinished": {**RELEASED, "parcels/app.py": f"<<<<<<< a\n{CODE}=======\n>>>>>>> b\n"},
        "codeless": {**CANDIDATE, "parcels/app.py": CODE},
    }.items():
        for name, text in files.items():
            (root / name).unlink(missing_ok=True) if text is None else (root / name).write_text(text)
        git(root, "add", "-A")
        git(root, "commit", "-q", "-m", tag)
        git(root, "tag", tag)
    folder = started(tmp_path / "review", root)
    filled(folder)
    evreview("seal", folder)
    if change == "origin":
        (folder / "origin.yaml").unlink()
    elif change in ("resealed", "folded", "w2"):
        review = folder / "review.yaml"
        text = review.read_text()
        if change == "resealed":
            _edited(folder, "contracts/candidate/api/openapi.yaml")
            text = text.replace(", at commit " + git(root, "rev-parse", "v1.1") + ":api/openapi.yaml", "")
        elif change == "folded":
            text = text.replace('parts: ["contracts/candidate', 'parts: [\n      "contracts/candidate').replace(
                'integrity: "sha256:', 'integrity: >-\n      "sha256:', 0
            )
            text = text.replace("implementation_revision: ", "implementation_revision:\n  ")
        else:
            text = text.replace("workflow: w1", "workflow: w2")
        review.write_text(text)
        if change == "resealed":
            assert evreview("seal", folder)[0] == 0
    elif change:
        _edited(folder, change)
    before = state(folder)
    status, told = evreview("update", folder, "--repo", root, "--to", ref)
    found = {line.rpartition("[")[2].rstrip("]") for line in told.splitlines() if line.endswith("]")}
    assert (status, found) == (2, codes), told
    assert state(folder) == before
