"""Drafts of the entries that a mapping lacks: added once, at the end, and nothing that stands there is changed."""

from __future__ import annotations

from pathlib import Path

import pytest

from evreview.evidence.bundle_reader import examine_bundle
from evreview.evidence.records.test_runs import ImplementationMapping
from evreview.evidence.renewed_digests import renew_digests
from tests.app.commands.test_import_evidence import state
from tests.app.commands.test_new_review import evreview, started
from tests.repositories import parcels

SHOWN = """\
# mine
kind: implementation-mapping
diff: E3
mappings:
- path: parcels/app.py
  symbol: shown
  element: none
  why: looked at twice
"""
LINES = """\
kind: implementation-mapping
diff: E3
mappings:
  - {path: parcels/app.py, lines: 1-1, quote: STATES, element: none, why: a list}
"""
NONE = "kind: implementation-mapping\ndiff: E3\nmappings: []\n"


def written(folder: Path, text: str) -> Path:
    (folder / "mapping.yaml").write_text(text, encoding="utf-8")
    return folder


def entries(folder: Path) -> list[tuple[str | None, str, bool]]:
    found = examine_bundle(folder).draft
    assert found is not None
    records = [item.record for item in found.items.values() if isinstance(item.record, ImplementationMapping)]
    return [(each.symbol, each.element.rpartition(" > ")[2], each.reviewed) for one in records for each in one.mappings]


@pytest.mark.parametrize(
    ("text", "kept", "added"),
    [
        (SHOWN, [("shown", "none", True)], [("STATES", "state", False)]),
        (LINES, [(None, "none", True)], [("shown", "weight", False)]),
        (NONE, [], [("STATES", "state", False), ("shown", "weight", False)]),
    ],
)
def test_what_is_missing_is_added_and_the_rest_stays(
    tmp_path: Path, text: str, kept: list[object], added: list[object]
) -> None:
    folder = written(started(tmp_path / "review", parcels(tmp_path / "r")), text)
    assert evreview("seal", folder)[0] == 0
    status, told = evreview("map", folder)
    assert status == 0 and f"{len(added)} draft" in told, told
    assert entries(folder) == [*kept, *added]
    assert (folder / "mapping.yaml").read_text().startswith(text.replace(" []\n", ""))
    assert renew_digests(folder, write=False) == ()
    before = state(folder)
    assert evreview("map", folder)[0] == 0 and state(folder) == before


def test_an_edit_that_is_not_sealed_stays_unsealed(tmp_path: Path) -> None:
    folder = written(started(tmp_path / "review", parcels(tmp_path / "r")), SHOWN)
    assert evreview("map", folder)[0] == 0
    assert [each.file for each in renew_digests(folder, write=False)] == ["mapping.yaml"]


def test_a_bundle_without_a_mapping_gets_one(tmp_path: Path) -> None:
    folder = started(tmp_path / "review", parcels(tmp_path / "r"))
    review = folder / "review.yaml"
    text = review.read_text()
    start, end = text.index("  - id: E4"), text.index("  - id: E5")
    review.write_text(text[:start] + text[end:])
    (folder / "mapping.yaml").unlink()
    status, told = evreview("map", folder)
    assert status == 0 and "mapping-E6.yaml" in told, told
    assert [symbol for symbol, _, _ in entries(folder)] == ["STATES", "shown"]


@pytest.mark.parametrize(
    "text", ["{kind: implementation-mapping, diff: E3, mappings: []}\n", SHOWN + "...\n# end\n---\n"]
)
def test_a_mapping_of_another_form_is_left_alone(tmp_path: Path, text: str) -> None:
    folder = written(started(tmp_path / "review", parcels(tmp_path / "r")), text)
    before = state(folder)
    assert evreview("map", folder)[0] == 2 and state(folder) == before
