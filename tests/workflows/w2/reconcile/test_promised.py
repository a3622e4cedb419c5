"""Repetitions that the contract's words promise to be safe."""

from __future__ import annotations

from typing import Any

import pytest

from evreview.codefacts.model import CodeNote, UnsupportedCode
from evreview.core.vocabulary import Concern
from evreview.workflows.w2.contract_entries import Entries
from evreview.workflows.w2.discrepancy_kinds.kind import TEXT, parameter, paths
from evreview.workflows.w2.facts import withheld
from evreview.workflows.w2.scope import operations_of
from tests.workflows.w2.facts import CONTRACT, LINES, contract_of, evidence_of, reads, reconciled, route

KEYED = "Repeating a request with the same Idempotency-Key creates no second order."
NOTED = CodeNote(concern=Concern.IDEMPOTENCY, name="Idempotency-Key", spot=LINES)
PART = (UnsupportedCode(LINES, "a part"),)
UNKEPT, OPEN = ["idempotency-unkept"], ["idempotency"]


@pytest.mark.parametrize(
    ("method", "says", "code", "kinds", "open_ones"),
    [
        ("post", KEYED, {}, UNKEPT, []),
        ("post", KEYED, {"unread": PART}, [], OPEN),
        ("post", KEYED, {"parameters": (reads("Idempotency-Key", TEXT, "header"),)}, [], []),
        ("post", KEYED, {"notes": (NOTED,)}, [], []),
        ("post", "This operation is idempotent.", {}, [], OPEN),
        ("put", "This operation is idempotent.", {}, [], OPEN),
        ("get", "This operation is idempotent.", {}, [], []),
        ("post", "This operation is not idempotent.", {}, [], []),
        ("post", "It is a non-idempotent call.", {}, [], []),
        ("post", "Creates an order.", {}, [], []),
    ],
)
def test_promises_in_words(
    method: str, says: str, code: dict[str, Any], kinds: list[str], open_ones: list[str]
) -> None:
    contract = contract_of(paths(method, description=says))
    found = reconciled(evidence_of(contract, route(method.upper(), **code)))
    assert [each.kind for each in found.discrepancies if each.kind in UNKEPT] == kinds
    assert [str(each.concern) for each in found.undecided if each.concern is Concern.IDEMPOTENCY] == open_ones


def test_the_sentence_is_held_back() -> None:
    contract = contract_of(paths("post", description=KEYED))
    (row,) = reconciled(evidence_of(contract, route("POST"))).discrepancies
    entry = Entries(contract, CONTRACT).entry(operations_of(contract)[0])
    (stated,) = entry.about(Concern.IDEMPOTENCY)
    assert withheld(stated.claim, row.withholds)


def test_a_documented_key_has_its_row_among_the_parameters() -> None:
    given = [parameter("Idempotency-Key", TEXT, "header")]
    contract = contract_of(paths("post", description=KEYED, parameters=given))
    found = reconciled(evidence_of(contract, route("POST")))
    kinds = [each.kind for each in found.discrepancies]
    assert "parameter-unread" in kinds and "idempotency-unkept" not in kinds
