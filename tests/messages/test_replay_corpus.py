"""Every witness of real contract pairs holds before the second validator, which gets every definition."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from evreview.comparison.comparison import Comparison
from evreview.core.vocabulary import Json, ProofStatus
from evreview.kinds.compare import compare
from evreview.kinds.load import read_named
from evreview.kinds.replay import replay
from evreview.schema.cross_check_validator import CrossCheckValidator

PAIRS = (
    "openapi2/alertmanager-0.23_0.24",
    "openapi2/firecracker-1.13.0_1.14.0",
    "openapi2/jupyter-server-hash",
    "openapi2/rekor-0.12_1.0",
    "openapi3.1/jupyterhub-4.1.6_5.0.0",
)


def compared(folder: Path) -> Comparison:
    released, candidate = (read_named(next(folder.glob(f"{side}.*")))[0] for side in ("released", "candidate"))
    return compare(released, candidate)


def witnesses(comparison: Comparison) -> Iterator[tuple[str, Json]]:
    for row in comparison.breaking:
        if row.proof.status is ProofStatus.WITNESSED:
            yield row.delta.id, row.proof.witness


@pytest.mark.parametrize("pair", PAIRS)
def test_no_witness_is_refuted(pair: str, corpus: Path) -> None:
    comparison = compared(corpus / pair)
    found = dict(witnesses(comparison))
    assert found
    ledger = comparison.ledger
    refuted = [
        row
        for row, witness in found.items()
        if not replay(ledger.released, ledger.candidate, witness, CrossCheckValidator()).confirmed
    ]
    assert refuted == []


@pytest.mark.parametrize("pair", PAIRS)
def test_rows_with_a_witness_say_how_to_replay_it(pair: str, corpus: Path) -> None:
    for row in compared(corpus / pair).breaking:
        command = row.proof.command
        assert (row.proof.status is ProofStatus.WITNESSED) == bool(command)
        assert not command or command.endswith(row.delta.id)
