"""`evreview export`: real reviews in each format, and no security review for a role that may not have it."""

from __future__ import annotations

import json
from pathlib import Path
from shutil import copytree

import pytest
from jsonschema import Draft4Validator, Draft202012Validator

from evreview.app.commands.export import export
from evreview.core.errors import BadInput
from tests.conftest import PROJECT
from tests.golden.editing import Delete, Set, Variant, build
from tests.report.interchange.test_interchange import OSCAL, SARIF

EXAMPLES = PROJECT / "examples"
OWNER = "Release manager"
CASES = [("w1-orders", None, 9), ("w2-orders", None, 12), ("w3-tickets", OWNER, 10)]


@pytest.mark.parametrize(("name", "role", "checks"), CASES)
def test_a_review_is_valid_in_every_format(name: str, role: str | None, checks: int, tmp_path: Path) -> None:
    schemas: dict[str, Draft4Validator | Draft202012Validator] = {"sarif": SARIF, "oscal": OSCAL}
    for form, schema in schemas.items():
        target = tmp_path / form
        assert export(EXAMPLES / name, form, role, target) == 0
        document = json.loads(target.read_text(encoding="utf-8"))
        assert [error.message for error in schema.iter_errors(document)] == []
    target = tmp_path / "checks.jsonl"
    export(EXAMPLES / name, "in-toto", role, target)
    made = [json.loads(line) for line in target.read_text(encoding="utf-8").splitlines()]
    assert 0 < len(made) <= checks
    results = json.loads((tmp_path / "oscal").read_text(encoding="utf-8"))["assessment-results"]["results"][0]
    assert sum(one["methods"] == ["TEST"] for one in results["observations"]) >= len(made)


@pytest.mark.req("W3A-003", "W3S-027")
@pytest.mark.parametrize("form", ["sarif", "oscal", "in-toto", "markdown"])
def test_a_role_that_may_not_have_a_security_review_gets_nothing(
    form: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert export(EXAMPLES / "w3-tickets", form, "Marketing", tmp_path / "out") == 4
    assert capsys.readouterr().out == "" and list(tmp_path.iterdir()) == []


def test_a_security_review_is_given_to_named_roles_only() -> None:
    with pytest.raises(BadInput) as caught:
        export(EXAMPLES / "w3-tickets", "sarif", None, None)
    assert [problem.code for problem in caught.value.problems] == ["recipient-missing"]


UNFINISHED = {
    "rejected": (Set("records/authorization.yaml", "/decision", "rejected"), 3),
    "expired": (Set("review.yaml", "/as_of", "2026-12-19"), 3),
    "W3-F2": (Delete("records/inventory.yaml", "/controls/notes-check/negative_tests"), 3),
    "W3-F4": (Delete("decisions.yaml", "/decisions/0"), 3),
    "no assets": (Delete("records/trust-model.yaml", "/assets"), 4),
}


@pytest.mark.req("W3S-027")
@pytest.mark.parametrize("why", UNFINISHED)
def test_a_review_without_findings_is_no_clean_one(why: str, tmp_path: Path) -> None:
    edit, status = UNFINISHED[why]
    one = Variant(name="one", edits=(edit,), step=0, state="", exit_status=0)
    bundle = build(one, EXAMPLES / "w3-tickets", tmp_path / "bundle")
    for form in ("sarif", "oscal", "in-toto"):
        assert export(bundle, form, OWNER, tmp_path / "out") == status
        assert not (tmp_path / "out").exists()
    assert export(bundle, "markdown", OWNER, tmp_path / "out") == status
    assert (tmp_path / "out").exists() is (why not in ("rejected", "expired"))


def test_export_replaces_no_file_of_others(tmp_path: Path) -> None:
    bundle = tmp_path / "bundle"
    copytree(EXAMPLES / "w3-tickets", bundle)
    before = {path: path.read_bytes() for path in bundle.rglob("*") if path.is_file()}
    for name in ("review.yaml", "service/tickets_service/app.py", "new.sarif"):
        with pytest.raises(BadInput) as caught:
            export(bundle, "sarif", OWNER, bundle / name)
        assert [problem.code for problem in caught.value.problems] == ["output-in-bundle"]
    assert {path: path.read_bytes() for path in bundle.rglob("*") if path.is_file()} == before
    target = tmp_path / "mine.txt"
    target.write_text("mine")
    with pytest.raises(BadInput) as caught:
        export(bundle, "sarif", OWNER, target)
    assert [problem.code for problem in caught.value.problems] == ["output-exists"] and target.read_text() == "mine"
    target.unlink()
    assert [export(bundle, "sarif", OWNER, target) for _ in range(2)] == [0, 0]


def test_an_unknown_format_is_refused() -> None:
    with pytest.raises(BadInput):
        export(EXAMPLES / "w1-orders", "pdf", None, None)


def test_no_secret_of_the_evidence_leaves(capsys: pytest.CaptureFixture[str]) -> None:
    secret = "qV7mZx2Lk9RtB4w" + "Ns8Yc"
    assert secret in (EXAMPLES / "w3-tickets" / "service" / "tickets_service" / "settings.py").read_text()
    for form in ("sarif", "oscal", "in-toto", "markdown"):
        export(EXAMPLES / "w3-tickets", form, OWNER, None)
    assert secret not in capsys.readouterr().out
