"""A property that is named like a mail address or a token: the artifact names neither, and still validates."""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path

import pytest

from evreview.app.api import open_bundle, review
from evreview.app.workbench import outputs
from evreview.report.markdown import parse_document
from evreview.report.validate import validate_artifact

EXAMPLE = Path(__file__).parents[2] / "examples" / "w1-orders"
NAMES = {
    "mail address": "alice.smith" + "@bigcorp.com",
    "token": "gh" + "p_Zk3vR8tYq2LmN7wXc5Bh9JdF4sGp6TaUe1Ki",
    "private address": "10." + "83.4.17",
}


@pytest.mark.req("C-029", "C-030", "C-033")
@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES)
def test_the_citations_of_a_redacted_property_still_resolve(name: str, tmp_path: Path) -> None:
    folder = tmp_path / "bundle"
    shutil.copytree(EXAMPLE, folder)
    entry = folder / "review.yaml"
    for path in sorted((folder / "contracts").glob("*.yaml")):
        old = path.read_bytes()
        kind = "string" if "1.4" in path.name else "integer"
        lines = f"        {name}:\n          type: {kind}\n        currency:\n"
        new = old.replace(b"        currency:\n", lines.encode(), 1)
        assert new != old
        path.write_bytes(new)
        digests = [hashlib.sha256(data).hexdigest() for data in (old, new)]
        entry.write_text(entry.read_text(encoding="utf-8").replace(*digests), encoding="utf-8")
    bundle = open_bundle(folder)
    made = review(bundle)
    assert made.ledger is not None and any(name in row.delta.address for row in made.ledger.rows)
    files = outputs(made, (), 1)
    assert [file for file, text in files.items() if name in text] == []
    assert parse_document(made.artifact).tables
    assert "[redacted: " in made.artifact
    before = {(problem.code, problem.found) for problem in validate_artifact(review(open_bundle(EXAMPLE)).artifact)}
    for found in (
        validate_artifact(made.artifact),
        validate_artifact(made.artifact, bundle=bundle, redactor=made.redactor),
    ):
        assert [problem for problem in found if (problem.code, problem.found) not in before] == []
