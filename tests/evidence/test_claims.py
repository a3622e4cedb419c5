"""Which evidence may carry which claim, and what `establishes` takes back."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from evreview.core.vocabulary import EvidenceId, EvidenceType, Integrity
from evreview.evidence.claim_types import CARRIES, SUPPORTS, VOCABULARY, ClaimKind, denial, permits
from evreview.evidence.item import EvidenceItem
from evreview.evidence.records.compatibility import UsageMetrics
from evreview.evidence.typed_reader import BODIES


def item(kind: EvidenceType | str, establishes: str = "What it shows.", **more: Any) -> EvidenceItem:
    return EvidenceItem(
        id=EvidenceId("E1"),
        type=kind,
        content="text",
        integrity="0" * 40,
        establishes=establishes,
        file="",
        sha256="0" * 64,
        integrity_state=Integrity.DECLARED,
        revision="0" * 40,
        **more,
    )


def test_the_table_names_every_kind_of_claim() -> None:
    assert set(SUPPORTS) == set(ClaimKind)
    assert set(VOCABULARY) == set(ClaimKind) - {ClaimKind.STATEMENT}
    assert set(CARRIES) == set(BODIES)
    assert all(types for types in SUPPORTS.values())


@pytest.mark.parametrize("kind", BODIES)
def test_a_body_carries_only_what_its_types_may_support(kind: str) -> None:
    for claim in CARRIES[kind]:
        assert SUPPORTS[claim] & BODIES[kind].types


@pytest.mark.req("C-007")
@pytest.mark.parametrize("claim", list(ClaimKind))
@pytest.mark.parametrize("kind", [*EvidenceType, "interview"])
def test_the_type_decides(kind: EvidenceType | str, claim: ClaimKind) -> None:
    permission = permits(item(kind), claim)
    assert permission.allowed is (claim is ClaimKind.STATEMENT or kind in SUPPORTS[claim])
    assert bool(permission.reason) is not permission.allowed


@pytest.mark.req("C-025")
@pytest.mark.parametrize("establishes", ["The runtime default is 50.", "Everything, defaults included.", "x"])
def test_a_contract_never_proves_a_runtime_default(establishes: str) -> None:
    assert not permits(item(EvidenceType.CONTRACT, establishes), ClaimKind.RUNTIME_DEFAULT)
    assert permits(item(EvidenceType.TEST_RECORD, establishes), ClaimKind.RUNTIME_DEFAULT)


@pytest.mark.req("C-026")
@pytest.mark.parametrize("establishes", ["The error behaviour.", "What the service answers on errors.", "x"])
def test_a_contract_never_proves_error_behaviour(establishes: str) -> None:
    assert not permits(item(EvidenceType.CONTRACT, establishes), ClaimKind.ERROR_BEHAVIOUR)
    assert not permits(item(EvidenceType.CONTRACT, establishes), ClaimKind.OBSERVED)
    assert permits(item(EvidenceType.TEST_RECORD, establishes), ClaimKind.ERROR_BEHAVIOUR)


DENIED = [
    ("Declares parsers. Does not prove executed behaviour.", ClaimKind.EXECUTED_PARSER),
    ("The handler's code; not runtime behaviour.", ClaimKind.RUNTIME_DEFAULT),
    ("The handler's code; not runtime behaviour.", ClaimKind.OBSERVED),
    ("Shows routes. It doesn't show rollback.", ClaimKind.ROLLOUT),
    ("Usage only, nothing about who owns what or its owner.", ClaimKind.OWNERSHIP),
    ("The rules. It cannot establish any severity.", ClaimKind.POLICY_RULE),
    ("No approval is recorded here.", ClaimKind.APPROVAL),
    ("Clients; owners are not recorded.", ClaimKind.OWNERSHIP),
    ("The default is shown, error bodies were not tested.", ClaimKind.ERROR_BEHAVIOUR),
    ("Not the declared contract.", ClaimKind.DECLARED_CONTRACT),
    ("NOT EXECUTED", ClaimKind.EXECUTED_CHECK),
    ("The diff.\n\nNever the implementation as deployed.", ClaimKind.IMPLEMENTATION),
]
GRANTED = [
    ("Shows the runtime default, not its reason.", ClaimKind.RUNTIME_DEFAULT),
    ("Shows not only the default but the error as well.", ClaimKind.ERROR_BEHAVIOUR),
    ("Not production, but the executed check.", ClaimKind.EXECUTED_CHECK),
    ("Does not prove usage. Shows the owner.", ClaimKind.OWNERSHIP),
    ("Declares parser contracts. Does not prove parser execution.", ClaimKind.DECLARED_PARSER),
    ("The default is shown, error bodies were not tested.", ClaimKind.RUNTIME_DEFAULT),
    ("The notification of approval.", ClaimKind.APPROVAL),
]


@pytest.mark.req("C-007")
@pytest.mark.parametrize(("establishes", "claim"), DENIED)
def test_what_establishes_denies_is_not_permitted(establishes: str, claim: ClaimKind) -> None:
    assert denial(establishes, claim)
    assert not permits(item(sorted(SUPPORTS[claim])[0], establishes), claim)
    assert permits(item(sorted(SUPPORTS[claim])[0], establishes), ClaimKind.STATEMENT)


@pytest.mark.req("C-007")
@pytest.mark.parametrize(("establishes", "claim"), GRANTED)
def test_what_establishes_does_not_deny_stays(establishes: str, claim: ClaimKind) -> None:
    assert permits(item(sorted(SUPPORTS[claim])[0], establishes), claim)


@pytest.mark.req("C-007")
def test_a_typed_body_narrows_what_its_item_carries() -> None:
    plain = item(EvidenceType.EXECUTION_AND_APPROVAL)
    counted = replace(plain, record=UsageMetrics())
    assert permits(plain, ClaimKind.APPROVAL) and not permits(counted, ClaimKind.APPROVAL)
    assert permits(counted, ClaimKind.USAGE) and permits(counted, ClaimKind.STATEMENT)
