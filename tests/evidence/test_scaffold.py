"""A scaffold explains every field, says what is missing, and is valid once its marks are filled."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path
from typing import Any

import pytest

from evreview.core.errors import BadInput
from evreview.core.vocabulary import EvidenceId
from evreview.evidence.bundle_reader import check_bundle, open_bundle
from evreview.evidence.json_schemas import schemas
from evreview.evidence.scaffold import FILES, new_bundle, scaffold
from evreview.evidence.typed_reader import BODIES, MARK

WORKFLOWS = ["w1", "w2", "w3"]
FILES_OF = {name.lower(): set(files.values()) for name, files in FILES.items() if files}
ANSWERS = {
    "as_of": "2026-11-20", "notice_given": "2026-10-01", "since": "2026-10-01", "until": "2026-10-31",
    "at": "2026-11-20", "released": "E1", "candidate": "E2",
    "adoption_evidence": "E1", "notice_evidence": "E1", "evidence": "E1", "diff": "E3", "status": "200",
    "implementation_revision": "a" * 40, "adopted_path": "explicit version", "notice_days": "30",
    "support_window_days": "180", "uses": "0", "abort_margin_percentage_points": "0.5", "window_minutes": "30",
    "resolution_minutes": "1", "value_percent": "0.2", "severity": "High", "severities": "High", "output": "E5",
    "item": "E2", "items": "E2", "run": "E7", "expires": "2027-01-31",
    "revalidate_on": "2027-01-31", "isolated": "true", "exit_status": "0", "decision": "approved",
    "technique": "static inspection", "techniques": "static inspection", "permitted": "false",
    "form": "written", "when": "2027-01-31", "days": "30", "given": "2026-10-01", "on": "2026-10-01",
    "holds_deployment": "High", "area": "authentication", "backed_by": "assumption", "part": "handler",
}  # fmt: skip
TIMES = dict.fromkeys(("approval.yaml", "authorization.yaml"), "2026-11-20T10:00:00Z")
"""Answers that differ from the table's, by file: there `at` is a time."""


def uncommented(text: str) -> str:
    """The text with every optional field switched on, the nested ones too."""
    while True:
        on = re.sub(r"(?m)^(\s*)#(?=[A-Za-z-]|  )", r"\1", text)
        if on == text:
            return text
        text = on


def filled(text: str, name: str = "") -> str:
    """The text with every mark replaced by an answer of the right type."""
    lines, answers = [], ANSWERS | ({"at": TIMES[name], "contract": "E1"} if name in TIMES else {})
    for line in text.splitlines():
        at_time = line.startswith("  at:") or (name == "adoption.yaml" and re.match(r"[\s-]*at:", line))
        if at_time and name not in TIMES:
            line = line.replace(MARK, "2026-11-20T10:00:00Z")
        key = re.match(r"[\s-]*([a-z0-9_]+):", line)
        lines.append(line.replace(MARK, answers.get(key[1], "x")) if key and "#" not in line.split(":")[0] else line)
    return "\n".join(lines) + "\n"


def fill(root: Path, *, everything: bool) -> None:
    """Do what a user does: fill the marks, put the missing files there, write the digests."""
    for path in sorted(root.glob("*.yaml")):
        if path.name != "decisions.yaml":
            text = path.read_text()
            path.write_text(filled(uncommented(text) if everything else text, path.name))
    review = (root / "review.yaml").read_text()
    if everything:
        review = re.sub(r"(?m)^ +content: x\n|^ +adoption: x\n|^ +gate: ship-breaking-change\n", "", review)
    for name in re.findall(r"(?m)^ +file: (\S+)$", review):
        (root / name).parent.mkdir(exist_ok=True)
        if not (root / name).exists():
            (root / name).write_text("text\n")
    if everything:
        (root / "x").write_text("a part of a split contract")
    digest = ""
    for entry in re.split(r"(?m)(?=^  - id:)", review):
        name = re.search(r"(?m)^ +file: (\S+)$", entry)
        if name and "integrity: x" in entry:
            digest = hashlib.sha256((root / name[1]).read_bytes()).hexdigest()
            review = review.replace(entry, entry.replace("integrity: x", f"integrity: sha256:{digest}"), 1)
    (root / "review.yaml").write_text(review)


@pytest.mark.parametrize("workflow", WORKFLOWS)
@pytest.mark.parametrize("everything", [False, True], ids=["required", "everything"])
def test_a_filled_scaffold_opens(workflow: str, everything: bool, tmp_path: Path) -> None:
    new_bundle(workflow, tmp_path / "new")
    fill(tmp_path / "new", everything=everything)
    bundle = open_bundle(tmp_path / "new").unsealed()
    assert bundle.workflow.lower() == workflow
    if workflow == "w2":
        assert bundle.items[EvidenceId("E7")].record is not None
    if workflow == "w1":
        assert bundle.items[EvidenceId("E5")].record is not None
    if everything and workflow in FILES_OF:
        kinds = {item.record.kind for item in bundle.items.values() if item.record}  # type: ignore[attr-defined]
        assert kinds == FILES_OF[workflow]
        assert bundle.request.plan is not None and bundle.request.removals


@pytest.mark.parametrize("workflow", WORKFLOWS)
def test_a_new_scaffold_says_what_to_fill_in(workflow: str, tmp_path: Path) -> None:
    new_bundle(workflow, tmp_path)
    found = check_bundle(tmp_path)
    others = {"w1": {"file-missing"}, "w2": {"file-missing"}, "w3": set()}
    assert {problem.code for problem in found} == {"not-filled-in"} | others[workflow]
    assert {"#/title", "#/as_of", "#/evidence/0/integrity"} <= {problem.place for problem in found}


def test_every_kind_of_body_is_in_a_scaffold() -> None:
    assert set().union(*FILES_OF.values()) == set(BODIES)


def test_every_field_of_the_models_is_explained() -> None:
    everything = "\n".join(text for workflow in WORKFLOWS for text in scaffold(workflow).values())
    for name, schema in schemas().items():
        nodes: list[Any] = [schema, *schema.get("$defs", {}).values()]  # type: ignore[union-attr]
        if name != "decisions.yaml":
            for node in nodes:
                for field in node.get("properties", {}):
                    assert re.search(rf"(?m)^[\s#-]*{field}:", everything), f"{name}: {field}"


def test_a_scaffold_is_the_same_each_time() -> None:
    assert scaffold("w1") == scaffold("W1")


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("x")
    with pytest.raises(BadInput) as caught:
        new_bundle("w1", tmp_path)
    assert [problem.code for problem in caught.value.problems] == ["folder-not-empty"]
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]
    with pytest.raises(BadInput) as caught:
        new_bundle("w1", tmp_path / "mine.txt" / "x")
    assert [problem.code for problem in caught.value.problems] == ["not-writable"]


def test_an_unknown_workflow(tmp_path: Path) -> None:
    with pytest.raises(BadInput) as caught:
        new_bundle("w4", tmp_path / "x")
    assert [problem.code for problem in caught.value.problems] == ["not-allowed"]
    assert not (tmp_path / "x").exists()
