"""Schemas of very many branches: only so many of their rows are compared, and the others say so."""

from __future__ import annotations

from typing import Any

import pytest

from evreview.comparison.proof import claim
from evreview.comparison.proof.outcome import ProofReason
from evreview.core.vocabulary import ProofStatus, Verdict
from evreview.schema.subsumption.prover import SubsumptionProver
from tests.comparison.pairs import Doc, document, get, post
from tests.pipeline import compared

WIDE = 120
DECIDED = 4


def objects(name: str, count: int) -> list[Any]:
    """Schemas that demand a member each."""
    text, whole = {"type": "string"}, {"type": "integer"}
    names = [f"{name}{at}" for at in range(count)]
    return [{"type": "object", "required": [each], "properties": {each: text, "k": whole}} for each in names]


def sides(keyword: str, count: int, ask: Any = get) -> tuple[Doc, Doc]:
    old, new = (document({"/a": ask({keyword: objects(name, count)})}, {}, "3.1.0") for name in "ab")
    return old, new


@pytest.mark.parametrize("ask", [get, post])
@pytest.mark.parametrize("keyword", ["anyOf", "allOf"])
def test_rows_beyond_the_limit_are_unknown_and_name_it(monkeypatch: pytest.MonkeyPatch, keyword: str, ask: Any) -> None:
    monkeypatch.setattr(claim, "_MOST", DECIDED * WIDE * WIDE)
    rows = compared(*sides(keyword, WIDE, ask)).rows
    cut = [row for row in rows if row.proof.reason == ProofReason.TOO_WIDE]
    assert len(cut) == len(rows) - DECIDED
    assert {(row.judgement.verdict, row.proof.status) for row in cut} == {(Verdict.UNKNOWN, ProofStatus.UNPROVEN)}
    assert all(
        ProofReason.TOO_WIDE.lower() in row.judgement.why.lower() for row in cut if row.judgement.rule is not None
    )


def test_rows_of_narrower_schemas_are_all_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(claim, "_MOST", 0)
    assert ProofReason.TOO_WIDE not in {row.proof.reason for row in compared(*sides("anyOf", 4)).rows}


def test_many_more_branches_ask_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(claim, "_MOST", DECIDED * WIDE * WIDE)
    counted = [0]
    prove = SubsumptionProver.prove

    def counting(self: SubsumptionProver, *forms: Any) -> Any:
        counted[0] += 1
        return prove(self, *forms)

    monkeypatch.setattr(SubsumptionProver, "prove", counting)
    asked = []
    for count in (WIDE, 2 * WIDE):
        counted[0] = 0
        compared(*sides("anyOf", count))
        asked.append(counted[0])
    assert asked[1] <= 3 * asked[0]
