"""Code that says exactly what the contract says has no discrepancy, whatever the contract."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from evreview.kinds.load import read_named
from evreview.workflows.w2.facts import ReferenceEvidence
from evreview.workflows.w2.reconcile.reconcile import Reconciled, reconcile
from evreview.workflows.w2.scope import operations_of
from tests.workflows.w2.facts import CONTRACT, itself

MOST = 6
"""Operations of one document: the sources of a reference are few, and the documents are large."""
DOCUMENTS = (
    "openapi3.1/blueapi-1.5_1.19/candidate.yaml",
    "openapi3.1/jupyterhub-4.1.6_5.0.0/candidate.yaml",
    "openapi3.0/temporal-openapiv3-1.59_1.62/candidate.yaml",
    "openapi3.0/box-2025-11_2026-06/candidate.json",
    "openapi3.0/pagerduty-2023-01-workflow-triggers/candidate.json",
)
ONE_MEDIA_TYPE = {"body-media-type-unread"}
"""A route reads one media type, a contract may have more."""


def against_itself(path: Path, most: int) -> Reconciled:
    contract, _ = read_named(path)
    operations = operations_of(contract)[:most]
    evidence = ReferenceEvidence(contract=contract, item=CONTRACT, code=itself(contract, operations), runs=())
    return reconcile(evidence, operations, owner_role="API owner")


@pytest.mark.parametrize("name", DOCUMENTS)
def test_a_real_contract_agrees_with_itself(corpus: Path, name: str) -> None:
    found = against_itself(corpus / name, MOST)
    assert [each for each in found.discrepancies if each.kind not in ONE_MEDIA_TYPE] == []


def test_a_contract_where_every_schema_leads_to_every_other_takes_a_second_an_operation(corpus: Path) -> None:
    contract, _ = read_named(corpus / "openapi3.0/stripe-2022-11-15/candidate.yaml")
    operations = operations_of(contract)[:MOST]
    evidence = ReferenceEvidence(contract=contract, item=CONTRACT, code=itself(contract, operations), runs=())
    start = time.process_time()
    found = reconcile(evidence, operations, owner_role="API owner")
    assert time.process_time() - start < len(operations)
    assert found.discrepancies == ()
    assert [each for each in found.undecided if "steps" in each.reason or "compared" in each.reason] == []


def test_the_demo_contract_agrees_with_itself(project: Path) -> None:
    path = next((project / "examples" / "w2-orders" / "contract").glob("*.yaml"))
    found = against_itself(path, 100)
    assert found.discrepancies == ()
    assert [each for each in found.undecided if "steps" in each.reason or "compared" in each.reason] == []
    assert [each for each in found.undecided if "could not be read" in each.reason] == []
