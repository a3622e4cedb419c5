"""The specification's example policy judges rows of a real comparison, not made-up ones."""

from __future__ import annotations

import json
from typing import Any

import pytest

from evreview.contract.model import Contract
from evreview.core.vocabulary import DeltaId
from evreview.kinds.compare import compare
from evreview.kinds.load import read_contract
from evreview.workflows.w1.policy.judgement import judge
from tests.rows import specification_policy


class Nobody:
    def open_for(self, delta_id: DeltaId) -> bool:
        return False


def _contract(field: dict[str, Any], required: list[str]) -> Contract:
    schema = {"type": "object", "properties": {"a": field}, **({"required": required} if required else {})}
    document = {
        "openapi": "3.0.3",
        "info": {"title": "Orders", "version": "1"},
        "paths": {
            "/orders": {
                "get": {"responses": {"200": {"description": "", "content": {"application/json": {"schema": schema}}}}}
            }
        },
    }
    return read_contract("openapi.json", lambda _: json.dumps(document).encode())


@pytest.mark.parametrize(
    ("required", "rules"),
    [
        pytest.param(["a"], ("required-response-field-nullable",), id="required"),
        pytest.param([], (), id="optional"),
    ],
)
@pytest.mark.req("W1Y-002")
def test_a_response_field_became_nullable(required: list[str], rules: tuple[str, ...]) -> None:
    text = {"type": "string"}
    found = compare(_contract(text, required), _contract({**text, "nullable": True}, required))
    (row,) = found.rows
    judgement = judge(row, (), Nobody(), specification_policy())
    assert judgement.matched == rules
    assert judgement.classification == ("consumer-breaking" if rules else None)
