"""Real contract pairs: no faults, and what their owners call breaking is a breaking row or explained here."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from evreview.comparison.comparison import Comparison, JudgedRow
from evreview.contract.model import Contract, ElementKind, ValueSet
from evreview.core.vocabulary import Direction, Json, ProofStatus
from evreview.schema.to_json_schema import Source, closed
from tests.adjudications import ADJUDICATED
from tests.agreement import compared, disagrees, survey

VALUES = (ElementKind.SCHEMA, ElementKind.PROPERTY)

# A form carries an object only: no message shows that the candidate asks for one.
KINDS = ("openapi2", "openapi3.0", "openapi3.1")
OPTIONAL = "the field was optional: the contract never promised it; clients known to use it are judged one by one"
OPEN = "the candidate object is open: a request that still carries the field is accepted"

# pair -> start of what the owner wrote -> (rule, part of the address), or the reason why no row breaks
DOCUMENTED: dict[str, dict[str, tuple[str, str] | str]] = {
    "alertmanager-0.23_0.24": {"Add the /api/v2 prefix": ("server-removed", "server /")},
    "jupyter-server-hash": {"md5 replaced by hash": ("response-required-field-removed", "md5")},
    "kubernetes-1.31_1.32": {
        "flowcontrol.apiserver": ("operation-removed", "flowcontrol.apiserver.k8s.io/v1beta3/flowschemas")
    },
    "rekor-0.12_1.0": {
        "remove /api/v1/version": ("operation-removed", "GET /api/v1/version"),
        "Add bounds on number": ("request-max-items-added", "log/entries/retrieve"),
    },
    "box-2025-11_2026-06": {
        "fix: Fix Metadata Taxonomy": "neither revision has both paths: the released one has no taxonomies at all",
        "fix: correct enum value": ("request-enum-value-removed", "legal_hold_policy_assignments"),
        "fix: typo in content_types": ("request-enum-value-removed", "content_types"),
        "fix: Mark id field": ("request-field-became-required", "ai_agent"),
    },
    "box-legal-hold-enum": {"correct enum value": ("request-enum-value-removed", "legal_hold_policy_assignments")},
    "pagerduty-2023-01-workflow-triggers": {
        "Update `GET /incident_workflows/triggers`": ("request-parameter-removed", "triggers > query page_token"),
        "Update `GET /incident_workflows/actions`": ("request-parameter-removed", "actions > query page_token"),
        "Remove `IncidentWorkflowAction.invoke_url`": OPTIONAL,
        "Rename `IncidentWorkflowActionInput.default": OPTIONAL,
        "Rename `ActionInvocation.Inputs[].serialized": OPTIONAL,
        "Remove `IncidentWorkflowTrigger.workflow_id`": OPTIONAL,
        "Update `IncidentWorkflowTrigger.workflow`": OPTIONAL,
    },
    "stripe-2022-11-15": {
        "Remove support for `tos_shown_and_accepted` on `Checkout.SessionCreate": OPEN,
        "Remove `Orders` resource": ("operation-removed", "/v1/orders"),
        "Remove `SKU` resource": ("operation-removed", "/v1/skus"),
        "Remove deprecated `Checkout.SessionCreateParams": "no such field in the released document",
        "Remove `charges` field": OPTIONAL,
        "Remove deprecated `amount` field": "no such field in the released document",
        "Remove support for `tos_shown_and_accepted` on `Checkout.Session.": "no such field in the released document",
    },
    "discord-2026-02-invites": {
        "Get Channel Invites returns a partial": ("response-required-field-removed", "roles[]"),
        "Get Target Users returns a standardized CSV": "the content of the file is prose in both documents",
    },
}


def pairs(corpus: Path) -> list[Path]:
    return sorted(folder for kind in KINDS for folder in (corpus / kind).iterdir())


def pruned(value: ValueSet, contract: Contract, direction: Direction | None, instance: Json) -> Json:
    """The schema of a value set without the members that the instance does not name."""
    source = Source(contract, direction)
    text = json.dumps(instance)
    return closed(source.schema(value), source.definition, lambda name: json.dumps(name) in text)


@pytest.fixture(scope="module")
def comparisons(corpus: Path) -> dict[str, tuple[dict[str, object], Comparison]]:
    found = {}
    for folder in pairs(corpus):
        meta = json.loads((folder / "meta.json").read_text(encoding="utf-8"))
        found[folder.name] = (meta, compared(folder / meta["released"]["file"], folder / meta["candidate"]["file"]))
    return found


def addresses(row: JudgedRow) -> list[str]:
    """Where a row stands in each operation that it reaches; a row of a shared component has the first one's address."""
    below = row.delta.address.removeprefix(row.delta.operation)
    return [row.delta.address, *(operation + below for operation in row.delta.operations)]


def test_every_row_is_judged_and_every_proof_given(
    comparisons: dict[str, tuple[dict[str, object], Comparison]],
) -> None:
    for name, (_, comparison) in comparisons.items():
        made = comparison.to_dict()
        assert made["rows"], name
        assert len({row.delta.id for row in comparison.rows}) == len(comparison.rows)
        assert [row.delta.address for row in comparison.rows if row.judgement.rule is None] == [], name


def test_what_owners_call_breaking_is_a_breaking_row(
    comparisons: dict[str, tuple[dict[str, object], Comparison]],
) -> None:
    met = set()
    for name, (meta, comparison) in comparisons.items():
        for change in meta["documented_changes"]:  # type: ignore[attr-defined]
            if change["breaking"] is not True:
                continue
            start, expected = next(item for item in DOCUMENTED[name].items() if str(change["what"]).startswith(item[0]))
            met.add((name, start))
            if isinstance(expected, tuple):
                rule, part = expected
                rows = [row.judgement.rule for row in comparison.breaking if any(part in at for at in addresses(row))]
                assert rule in rows, (name, start)
    assert met == {(name, start) for name, listed in DOCUMENTED.items() for start in listed}


def test_rows_about_values_are_decided(comparisons: dict[str, tuple[dict[str, object], Comparison]]) -> None:
    rows = [row for _, comparison in comparisons.values() for row in comparison.rows]
    counts = Counter(row.proof.status.value for row in rows)
    decided = counts["proved"] + counts["witnessed"]
    assert decided / (decided + counts["unproven"]) >= 0.95


def test_breaking_rows_about_values_are_witnessed(
    comparisons: dict[str, tuple[dict[str, object], Comparison]],
) -> None:
    left = [
        f"{name} {row.delta.address}"
        for name, (_, comparison) in comparisons.items()
        for row in comparison.breaking
        if row.proof.status is ProofStatus.UNPROVEN and row.delta.element in VALUES
    ]
    assert left == []


def test_no_witness_is_refuted(comparisons: dict[str, tuple[dict[str, object], Comparison]]) -> None:
    """The second validator judges every value as its witness says."""
    checked = 0
    for name, (_, comparison) in comparisons.items():
        for row in comparison.rows:
            found = row.proof.found
            if found is None:
                continue
            sides = (
                (comparison.ledger.released, found.root.position.released),
                (
                    comparison.ledger.candidate,
                    found.root.position.candidate,
                ),
            )
            sent = found.root.position.released.direction is Direction.READ
            for (contract, element), expected in zip(sides, (sent, not sent), strict=True):
                assert element.value is not None
                schema = pruned(element.value, contract, element.direction, found.value)
                assert Draft202012Validator(schema).is_valid(found.value) is expected, (name, row.delta.address)
            checked += 1
    assert checked


def test_every_disagreement_with_the_peer_is_adjudicated(corpus: Path) -> None:
    found = survey(corpus)
    open_cases = {name for name, (level, answer) in found.items() if disagrees(level, answer)}
    assert open_cases == set(ADJUDICATED)
