"""Which recorded words dispose of a discrepancy, and what they do."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest

from evreview.evidence.records.review import Disposition
from evreview.workflows.w2.discrepancy_kinds.kind import paths
from evreview.workflows.w2.facts import Disposal
from evreview.workflows.w2.reconcile.reconcile import Reconciled, held_back
from tests.workflows.w2.facts import contract_of, evidence_of, reconciled, route, sends

EVIDENCE = evidence_of(
    contract_of(paths(responses={"200": {"description": "done"}})),
    route(responses=(sends(200, media_type=""), sends(409, media_type="", how="raised"))),
)
OPEN = reconciled(EVIDENCE).discrepancies[0]


def word(**parts: Any) -> Disposition:
    """A word that counts, but for what `parts` say."""
    said = {
        "subject": OPEN.id,
        "role": "API owner",
        "decision": "the contract stands",
        "publish": "contract",
        "reviewed": ["contract diff"],
        "at": "2026-11-01T12:00:00Z",
        "of": OPEN.digest,
        **parts,
    }
    return Disposition.model_validate(said)


def after(*words: Disposition) -> Reconciled:
    return reconciled(EVIDENCE, *words, as_of="2026-11-20")


@pytest.mark.req("W2S-009")
def test_an_open_discrepancy_holds_its_claims_back() -> None:
    assert OPEN.disposal is Disposal.OPEN
    assert held_back([OPEN]) == {"GET /orders errors 409"}


def test_the_owner_may_publish_the_contracts_claim() -> None:
    found = after(word()).discrepancies[0]
    assert (found.disposal, found.disposition) == (Disposal.PUBLISH_CONTRACT, "the contract stands")
    assert held_back([found]) == frozenset()


def test_the_owner_may_leave_the_claim_out() -> None:
    found = after(word(publish="withhold")).discrepancies[0]
    assert found.disposal is Disposal.WITHHOLD
    assert held_back([found]) == {"GET /orders errors 409"}


@pytest.mark.req("W2S-008")
@pytest.mark.parametrize(
    "parts",
    [
        {"role": "Release manager"},
        {"at": "2026-11-21T00:00:00Z"},
        {"publish": None},
        {"reviewed": []},
        {"of": "0123456789abcdef"},
        {"of": None},
        {"subject": "X-000000000000"},
    ],
    ids=lambda parts: "-".join(f"{name}={value}" for name, value in parts.items()),
)
def test_other_words_count_for_nothing_and_are_listed(parts: dict[str, Any]) -> None:
    found = after(word(**parts))
    assert [each.disposal for each in found.discrepancies] == [Disposal.OPEN]
    assert [(each.position, each.subject) for each in found.refused] == [(0, parts.get("subject", OPEN.id))]
    assert found.refused[0].reason


def test_words_about_other_things_are_none_of_this() -> None:
    assert after(word(subject="D-0123456789ab"), word(subject="F-1")).refused == ()


@pytest.mark.parametrize("turned", [False, True])
def test_the_last_word_counts_whatever_the_order(turned: bool) -> None:
    words = [word(publish="withhold"), word(at="2026-11-02T12:00:00Z")]
    found = after(*(reversed(words) if turned else words))
    assert [each.disposal for each in found.discrepancies] == [Disposal.PUBLISH_CONTRACT]
    assert found.refused == ()


def test_a_refused_word_takes_nothing_back() -> None:
    found = after(word(), word(role="Somebody", publish="withhold", at="2026-11-03T12:00:00Z"))
    assert [each.disposal for each in found.discrepancies] == [Disposal.PUBLISH_CONTRACT]


def test_times_are_compared_as_times() -> None:
    late, early = "2026-11-01T12:00:00+00:00", "2026-11-01T13:00:00+02:00"
    assert datetime.fromisoformat(early) < datetime.fromisoformat(late)
    found = after(word(at=late, publish="withhold"), word(at=early))
    assert [each.disposal for each in found.discrepancies] == [Disposal.WITHHOLD]
