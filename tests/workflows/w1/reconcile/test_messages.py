"""Recorded messages of event contracts, matched with both contracts."""

from __future__ import annotations

import json
from typing import Any

import pytest

from evreview.contract.model import Contract
from evreview.core.vocabulary import Direction, SourceMatch
from evreview.evidence.item import Citation
from evreview.evidence.records.test_runs import Observation
from evreview.kinds.asyncapi.rules_operations import CANCELLED, PLACED
from evreview.kinds.asyncapi.rules_operations import contract as events
from evreview.kinds.load import read_contract
from evreview.workflows.w1.element_lookup import find_operation
from evreview.workflows.w1.facts import ContractPair
from evreview.workflows.w1.reconcile.observations import match_observation

AT = Citation("E8")
PAID: Any = {"type": "object", "properties": {"id": {"type": "string"}, "at": {}}, "required": ["id", "at"]}
TRACED: Any = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
OPAQUE: Any = {"schemaFormat": "application/raml+yaml;version=1.0", "schema": {}}


def read(*messages: Any) -> Contract:
    document = events(Direction.WRITTEN, *messages)
    return read_contract("events.json", lambda _: json.dumps(document).encode())


def seen(**given: Any) -> Observation:
    base = {"id": "o", "operation": "send orders/eu", "content_type": "application/json", "body": {"id": "1"}}
    return Observation.model_validate(base | given)


SIDES = ContractPair(read(PLACED, CANCELLED), read({**PLACED, "payload": PAID, "headers": TRACED}, CANCELLED))


@pytest.mark.req("W1S-007")
@pytest.mark.parametrize(
    ("given", "match"),
    [
        pytest.param({"message": "placed"}, SourceMatch.RELEASED, id="a-member-is-missing"),
        pytest.param({"message": "placed", "body": {"id": "1", "at": 2}}, SourceMatch.BOTH, id="no-headers-kept"),
        pytest.param(
            {"message": "placed", "body": {"id": "1", "at": 2}, "headers": {"n": "7"}}, SourceMatch.BOTH, id="headers"
        ),
        pytest.param(
            {"message": "placed", "body": {"id": "1", "at": 2}, "headers": {"n": "x"}},
            SourceMatch.RELEASED,
            id="a-header",
        ),
        pytest.param({"body": {"why": "late"}}, SourceMatch.BOTH, id="any-message-that-fits"),
        pytest.param({"body": {"other": 1}}, SourceMatch.NEITHER, id="none-that-fits"),
        pytest.param({"message": "shipped"}, SourceMatch.NEITHER, id="no-such-message"),
        pytest.param({"message": "placed", "content_type": "text/plain"}, SourceMatch.NEITHER, id="content-type"),
        pytest.param({"operation": "send orders/{}", "message": "placed"}, SourceMatch.RELEASED, id="by-its-key"),
        pytest.param({"operation": "receive orders/eu"}, SourceMatch.NEITHER, id="no-such-operation"),
        pytest.param({"message": "placed", "body_recorded": False, "body": None}, SourceMatch.BOTH, id="no-body-kept"),
    ],
)
def test_recorded_messages(given: Any, match: SourceMatch) -> None:
    found = match_observation(seen(**given), AT, SIDES)
    assert found.match is match
    assert bool(found.candidate_reasons) is (match in (SourceMatch.RELEASED, SourceMatch.NEITHER))


def test_a_payload_in_a_language_that_is_not_validated_is_open() -> None:
    one = read({**PLACED, "payload": OPAQUE})
    found = match_observation(seen(message="placed"), AT, ContractPair(one, one))
    assert found.match is SourceMatch.UNKNOWN and found.candidate_reasons


def test_an_address_with_its_variables_filled_in_is_found() -> None:
    found = find_operation(SIDES.released, "send orders/eu")
    assert found is not None and found.key == "send orders/{}"
    assert find_operation(SIDES.released, "send parcels/eu") is None
