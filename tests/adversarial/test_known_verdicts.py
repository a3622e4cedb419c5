"""A member that narrows is never proved harmless because a choice, a condition or a negation hides who declares it."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from evreview.core.vocabulary import Role, Verdict
from evreview.kinds.compare import compare
from evreview.kinds.load import read_contract
from tests.adversarial.inputs import Document, api, both, object_of, text

Schema = Callable[[int], Document]
HIDDEN: dict[str, Schema] = {
    "oneOf": lambda longest: {"oneOf": [object_of(leaf=text(longest)), {"type": "integer"}]},
    "anyOf twice": lambda longest: {
        "allOf": [{"anyOf": [object_of(**{name: text(longest + way)}) for way in (0, 1)]} for name in ("a", "b")]
    },
    "then": lambda longest: {"type": "object", "if": {"required": ["k"]}, "then": object_of(leaf=text(longest))},
    "else": lambda longest: {"type": "object", "if": {"required": ["k"]}, "else": object_of(leaf=text(longest))},
    "dependentSchemas": lambda longest: {"type": "object", "dependentSchemas": {"k": object_of(leaf=text(longest))}},
    "not not": lambda longest: {"type": "object", "not": {"not": object_of(leaf=text(longest))}},
    "oneOf of required": lambda longest: {
        "oneOf": [{**object_of(**{name: text(longest)}), "required": [name]} for name in ("a", "b")]
    },
    "items": lambda longest: {"type": "array", "items": {"oneOf": [object_of(leaf=text(longest)), {"type": "null"}]}},
}


@pytest.mark.parametrize("name", HIDDEN)
def test_a_narrowing_request_is_not_called_compatible(name: str) -> None:
    sides = [json.dumps(side).encode() for side in both(lambda longest: api(HIDDEN[name](longest)))]
    found = compare(*(read_contract("api.json", lambda _, data=data: data) for data in sides))
    requests = [row for row in found.rows if row.delta.role is Role.REQUEST]
    assert requests
    assert Verdict.COMPATIBLE not in {row.judgement.verdict for row in requests}
