"""An answer lapses with anything that its gate lists as reviewed, and with nothing else: every file in turn."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest

from evreview.app.api import open_bundle
from evreview.workflows.session import review
from tests.golden import runs, w2_runs
from tests.golden.editing import Variant, build
from tests.golden.gate_variants import GATES
from tests.golden.w2_variants import VARIANTS as W2_VARIANTS
from tests.sealing import about

SHIP, REMOVE = "ship-breaking-change", "remove-deprecated"
EXPANDED, TRAFFIC, MUTATING = "publish-expanded-behaviour", "publish-observed-example", "execute-mutating-example"
BOTH: Final = frozenset({SHIP, REMOVE})
W1: Final = {
    "contracts/orders-1.4.yaml": BOTH,
    "contracts/orders-1.5.yaml": BOTH,
    "implementation/orders-service.diff": {SHIP},
    "implementation/mapping.yaml": {SHIP},
    "observations/recorded-responses.yaml": {SHIP},
    "clients/inventory.yaml": BOTH,
    "policy/compatibility-policy.yaml": BOTH,
    "checks/contract-checks.yaml": {SHIP},
    "rollout/gateway.yaml": BOTH,
    "records/rollback-drill.md": BOTH,
    "records/deprecation-notice.md": {REMOVE},
    "usage/legacy-reference.yaml": {REMOVE},
    "NOTES.txt": set(),
}
"""Which approved gates open again when a file of the approved review has one line more."""
PUBLISHING: Final = frozenset({EXPANDED, TRAFFIC})
COPIED: Final = PUBLISHING | {MUTATING}
W2: Final = {
    "contract/orders.yaml": PUBLISHING,
    "service/orders_service/handlers.py": COPIED,
    "service/orders_service/validators.py": COPIED,
    "service/orders_service/guards.py": COPIED,
    "service/contract_tests/test_orders_contract.py": COPIED,
    "records/sources.yaml": PUBLISHING,
    "records/test-run.yaml": PUBLISHING,
    "records/scope.yaml": PUBLISHING,
    "records/approval.yaml": PUBLISHING,
    "results/junit.xml": PUBLISHING,
    "records/execution-plan.yaml": {MUTATING},
    "NOTES.txt": set(),
}


def lapsed(variant: Variant, demo: Path, folder: Path, edit: Callable[[Path], None]) -> set[str]:
    """The gates whose answers are about something else after an edit."""
    build(variant, demo, folder)
    before = about(open_bundle(folder))
    edit(folder)
    after = about(open_bundle(folder))
    return {gate for gate, digest in before.items() if digest != after[gate]}


def states(folder: Path) -> dict[str, str]:
    return {gate.spec.id: gate.state for gate in review(open_bundle(folder)).facts.gates}


def one_line_more(name: str) -> Callable[[Path], None]:
    def edit(folder: Path) -> None:
        path = folder / name
        old = path.read_bytes() if path.exists() else b""
        path.write_bytes(old + b"\n")
        _renew(folder, old, old + b"\n")

    return edit


def _renew(folder: Path, old: bytes, new: bytes) -> None:
    """The new digest wherever the old one stands, and in what names a file that it stands in; answers stay."""
    pair = [hashlib.sha256(data).hexdigest() for data in (old, new)]
    for path in folder.rglob("*.yaml") if old else ():
        before = path.read_bytes()
        after = before.replace(pair[0].encode(), pair[1].encode())
        if path.name != "decisions.yaml" and after != before:
            path.write_bytes(after)
            _renew(folder, before, after)


def request(old: str, new: str) -> Callable[[Path], None]:
    def edit(folder: Path) -> None:
        path = folder / "review.yaml"
        text = path.read_text(encoding="utf-8")
        assert text.count(old) == 1
        path.write_text(text.replace(old, new), encoding="utf-8")

    return edit


APPROVED = next(variant for variant in GATES if variant.name == "everything-approved")


def test_the_table_names_every_file_that_is_evidence(tmp_path: Path) -> None:
    folder = build(APPROVED, runs.DEMO, tmp_path / "bundle")
    named = {str(item.file) for item in open_bundle(folder).items.values() if item.file}
    assert named <= set(W1)


@pytest.mark.parametrize("name", W1)
def test_an_approval_lapses_with_the_files_that_it_reviewed(name: str, tmp_path: Path) -> None:
    assert lapsed(APPROVED, runs.DEMO, tmp_path / "bundle", one_line_more(name)) == set(W1[name])


ASKED: Final = {
    "another surface": ("the public Orders API, every route under /v1", "the Orders API, every route", BOTH),
    "another path of the plan": ("explicit version", "additive transition", BOTH),
    "another rollback": ("the gateway's previous route table", "the previous build", BOTH),
    "an assumption": (
        "The recorded environments run the same",
        "The recorded environments mostly run the same",
        {SHIP},
    ),
    "an exclusion": ("the warehouse's internal events", "the internal events", {SHIP}),
    "another title": ("Orders API 1.4 to 1.5", "Orders API, autumn", set()),
    "another day": ('"as_of": "2026-11-20"', '"as_of": "2026-11-21"', set()),
}


@pytest.mark.parametrize(("old", "new", "gates"), ASKED.values(), ids=list(ASKED))
def test_an_approval_lapses_with_what_the_request_says(old: str, new: str, gates: set[str], tmp_path: Path) -> None:
    assert lapsed(APPROVED, runs.DEMO, tmp_path / "bundle", request(old, new)) == gates


@pytest.mark.parametrize("file", W2)
def test_an_answer_about_a_reference_lapses_with_the_files_that_it_is_about(file: str, tmp_path: Path) -> None:
    variant = next(each for each in W2_VARIANTS if each.name == "mutation-approved")
    assert lapsed(variant, w2_runs.DEMO, tmp_path / "bundle", one_line_more(file)) == set(W2[file])


ENDS: Final = (
    ("everything-approved", SHIP, "checks/contract-checks.yaml"),
    ("everything-approved", REMOVE, "usage/legacy-reference.yaml"),
    ("expansion-approved", EXPANDED, "results/junit.xml"),
    ("traffic-approved", TRAFFIC, "records/sources.yaml"),
    ("mutation-approved", MUTATING, "service/orders_service/handlers.py"),
)


@pytest.mark.parametrize(("name", "gate", "file"), ENDS, ids=[row[1] for row in ENDS])
def test_a_gate_is_open_again_when_its_answer_has_lapsed(name: str, gate: str, file: str, tmp_path: Path) -> None:
    variant = next(each for each in (*GATES, *W2_VARIANTS) if each.name == name)
    folder = build(variant, runs.DEMO if variant in GATES else w2_runs.DEMO, tmp_path / "bundle")
    assert states(folder)[gate] == "approved"
    one_line_more(file)(folder)
    assert states(folder)[gate] == "open"
