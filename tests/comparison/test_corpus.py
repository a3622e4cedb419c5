"""Every real pair goes through without a fault, ids unique; the time is printed, not asserted."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from evreview.comparison.delta import FACTS
from evreview.comparison.ledger import Ledger
from evreview.kinds.compare import diff_contracts
from evreview.kinds.load import read_contract

KINDS = ("openapi2", "openapi3.0", "openapi3.1", "cases/openapi_pairs")


def _ledger(folder: Path) -> Ledger:
    files = sorted(path.name for path in folder.iterdir() if path.stem in ("released", "candidate"))
    candidate, released = (read_contract(name, lambda path: (folder / path).read_bytes()) for name in files)
    start = time.perf_counter()
    ledger = diff_contracts(released, candidate)
    print(f"{folder.name}: {len(ledger.deltas)} rows in {time.perf_counter() - start:.2f} s")
    return ledger


@pytest.mark.parametrize("kind", KINDS)
def test_every_pair_has_a_ledger(corpus: Path, kind: str) -> None:
    folders = sorted(path for path in (corpus / kind).iterdir() if path.is_dir())
    assert folders
    for folder in folders:
        ledger = _ledger(folder)
        ids = [row.id for row in ledger.deltas] + [noise.delta.id for noise in ledger.noise]
        assert len(ids) == len(set(ids)), folder.name
        for row in ledger.deltas:
            assert set(row.facts) <= set(FACTS), row
            assert not row.operation or row.operation in row.operations, row
