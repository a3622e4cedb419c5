"""An artifact and the files of its review in one folder: what one says and the other does not is told without a run."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from evreview.app.workbench import outputs
from evreview.report.validate import validate_artifact
from evreview.report.validate_output_files import check_beside
from evreview.report.writer import replace_outputs
from evreview.workflows.session import Review
from tests.golden import runs, w2_runs, w3_runs
from tests.golden.unpermitted import UNPERMITTED
from tests.golden.variants import VARIANTS
from tests.golden.w2_variants import VARIANTS as W2_VARIANTS
from tests.golden.w3_variants import VARIANTS as W3_VARIANTS

EVERY: list[tuple[Callable[[str], Review], str]] = [
    *((runs.finished, each.name) for each in (*VARIANTS, *UNPERMITTED)),
    *((w2_runs.finished, each.name) for each in W2_VARIANTS),
    *((w3_runs.finished, each.name) for each in W3_VARIANTS),
]
W1, W2, W3 = "api-contract-review.md", "api-reference.md", "security-review.md"
DEMOS = {W1: runs.finished, W2: w2_runs.finished, W3: w3_runs.finished}
# The file that is edited, what is replaced, and the code that tells of it once the manifest was made to fit.
EDITS = [
    (W1, W1, "first of 8 under", "first of 7 under", "count-differs"),
    (W1, "review.json", '"who": "Finance integrations owner for', '"who": "Orders API owner for', "beside-differs"),
    (W1, W1, r"(?m)^\| `storefront` \| .*\n", "", "beside-missing"),
    (W1, "registers/client-impact.json", '"client": "storefront"', '"client": "kiosk"', "beside-unknown"),
    (W1, W1, r"`errors.py:8-8`(.*?)\| candidate \|", r"`errors.py:8-8`\1| both |",
     "beside-differs"),
    (W1, W1, r"by more than 0\.5 percentage", "by more than 5.0 percentage", "beside-differs"),
    (W1, W1, "D-64716209a0be, D-94d9a2d69d72, D-4c53e5de3c1e", "D-64716209a0be, D-4c53e5de3c1e", "beside-missing"),
    (W1, W1, r"open until closed by evidence \(policy\)", "closed by evidence (policy)", "beside-differs"),
    (W1, W1, r"\| blocks in-place release \|", "| noted (policy) |", "beside-differs"),
    (W1, "registers/findings.json", '"severity": "High"', '"severity": "Low"', "beside-differs"),
    (W1, "registers/compatibility-matrix.json", '"verdict": "breaking"', '"verdict": "compatible"', "beside-differs"),
    (W1, "registers/gates.json", '"state": "open"', '"state": "approved"', "beside-differs"),
    (W1, "registers/steps.json", '"state": "remain"', '"state": "advance"', "beside-differs"),
    (W1, "review.json", "shipment and removal blocked", "shipment blocked", "beside-differs"),
    (W2, W2, "8 open points keep", "7 open points keep", "count-differs"),
    (W2, W2, r"audience \| `Merchants", "audience | `Everybody, also merchants", "beside-differs"),
    (W2, W2, "Documented values are refused", "Documented values are taken", "beside-differs"),
    (W2, "registers/execution.json", '"result": "passed"', '"result": "failed"', "beside-differs"),
    (W2, "registers/discrepancies.json", '"disposal": "open"', '"disposal": "contract"', "beside-differs"),
    (W2, W2, r"(?m)^\| a discrepancy register \|.*\n", "", "beside-missing"),
    (W3, W3, r"received \| `written`", "received | `oral`", "beside-differs"),
    (W3, W3, r"allowed \| `service/\*\*`, `deploy/\*\*`", "allowed | `service/**`", "beside-differs"),
    (W3, W3, "2026-11-16 to 2026-12-18", "2026-11-16 to 2027-12-18", "beside-differs"),
    (W3, W3, r"approved by \| `Product", "approved by | `Deputy product", "beside-differs"),
    (W3, W3, r"; rollback: `[^`]*`", "", "beside-differs"),
    (W3, W3, r"(?m)^\| clean up \|.*\n", "", "beside-missing"),
    (W3, W3, r"\| `8d2f60c1b7a9` \| run 1", "| `8d2f60c1b7aa` | run 1", "beside-differs"),
    (W3, W3, "48 abuse cases", "47 abuse cases", "count-differs"),
    (W3, "registers/controls.json", '"standing": "absent"', '"standing": "present"', "beside-differs"),
    (W3, "registers/executed.json", '"result": "passed"', '"result": "failed"', "beside-differs"),
    (W3, "registers/findings.json", '"disposition": "blocking"', '"disposition": "open"', "beside-differs"),
    (W3, "registers/proposed.json", '"check": "plan', '"check": "the plan', ""),
]  # fmt: skip


def folder_of(done: Review, place: Path) -> Path:
    """The folder that a run of the review leaves; the artifact's file in it."""
    replace_outputs(place, dict(outputs(done, [], 1)))
    return place / json.loads((place / "review.json").read_text(encoding="utf-8"))["artifact"]


def told(artifact: Path) -> set[str]:
    """The codes of what contradicts itself in the folder."""
    text = artifact.read_text(encoding="utf-8")
    return {problem.code for problem in (*validate_artifact(text), *check_beside(artifact, text))}


def edit(path: Path, find: str, put: str, *, sealed: bool) -> None:
    """One edit; with `sealed` the manifest gets the new digest."""
    text, changed = re.subn(find, put, path.read_text(encoding="utf-8"))
    assert changed
    path.write_text(text, encoding="utf-8", newline="")
    if sealed:
        root = path.parent if (path.parent / "manifest.json").exists() else path.parent.parent
        manifest = json.loads((root / "manifest.json").read_text(encoding="utf-8"))
        manifest["files"][path.relative_to(root).as_posix()] = hashlib.sha256(path.read_bytes()).hexdigest()
        (root / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")


@pytest.mark.parametrize(("finished", "name"), EVERY, ids=[name for _, name in EVERY])
def test_what_a_review_writes_agrees(finished: Callable[[str], Review], name: str, tmp_path: Path) -> None:
    artifact = folder_of(finished(name), tmp_path)
    assert list(check_beside(artifact, artifact.read_text(encoding="utf-8"))) == []


@pytest.mark.parametrize("case", EDITS, ids=lambda case: f"{case[1]}-{case[2][:30]}")
def test_a_contradiction_of_two_files_is_told(case: tuple[str, str, str, str, str], tmp_path: Path) -> None:
    name, file, find, put, code = case
    artifact = folder_of(DEMOS[name]("demo"), tmp_path)
    edit(tmp_path / file, find, put, sealed=True)
    assert code in told(artifact) if code else told(artifact) == set()


@pytest.mark.parametrize(
    "file", [W3, "review.json", "registers/steps.json", "registers/steps.csv", "registers/leads.csv"]
)
def test_a_file_that_was_changed_is_named(file: str, tmp_path: Path) -> None:
    artifact = folder_of(w3_runs.finished("demo"), tmp_path)
    edit(tmp_path / file, "(?s)\\A(.*)\\Z", "\\1\n", sealed=False)
    found = [*check_beside(artifact, artifact.read_text(encoding="utf-8"))]
    assert [(each.code, file in each.found) for each in found] == [("beside-changed", True)]


def test_a_file_that_is_gone_is_named(tmp_path: Path) -> None:
    artifact = folder_of(w3_runs.finished("demo"), tmp_path)
    (tmp_path / "registers" / "gates.json").unlink()
    found = [*check_beside(artifact, artifact.read_text(encoding="utf-8"))]
    assert [each.code for each in found] == ["beside-missing"]


@pytest.mark.parametrize("name", DEMOS)
def test_an_artifact_beside_another_review_or_alone_has_only_itself(name: str, tmp_path: Path) -> None:
    other = W2 if name != W2 else W1
    text = DEMOS[name]("demo").artifact
    folder_of(DEMOS[other]("demo"), tmp_path / "other")
    (tmp_path / "alone").mkdir()
    for place in (tmp_path / "other", tmp_path / "alone"):
        (place / name).write_text(text.replace("judged for the day", "judged on the day"), encoding="utf-8")
        assert told(place / name) == set()


@pytest.mark.parametrize("name", [W2, W3])
def test_files_of_ones_own_and_an_edit_of_both_sides_are_no_contradiction(name: str, tmp_path: Path) -> None:
    artifact = folder_of(DEMOS[name]("demo"), tmp_path)
    (tmp_path / "notes.txt").write_text("our own", encoding="utf-8")
    day = re.search(r"judged for the day \| (\S+)", artifact.read_text(encoding="utf-8"))
    assert day
    for file in (artifact, tmp_path / "registers" / "scope.json"):
        edit(file, day[1], "2026-11-19", sealed=True)
    assert told(artifact) == set()
