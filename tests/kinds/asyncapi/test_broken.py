"""Broken documents: whatever is torn out of one or put into it, the answer is a comparison or a named problem."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from evreview.contract.model import Contract
from evreview.core.errors import BadInput
from evreview.kinds.compare import compare
from evreview.kinds.load import read_contract
from tests.kinds.asyncapi.documents import Node, documents
from tests.kinds.asyncapi.upgrade import upgraded

ODD: list[Any] = [
    None, True, 0, -1.5, "", "x", "{a}{b}", [], {}, [1], [None], {"a": None}, ["record"], {"type": "record"},
    {"$ref": "#"}, {"$ref": 1}, {"$ref": "#/channels"}, {"$ref": "#/components/schemas/none"}, {"oneOf": []},
    {"type": ["a"]}, "application/vnd.apache.avro", "application/vnd.google.protobuf", {"format": {}},
]  # fmt: skip


def places(node: Any) -> Iterator[tuple[Any, Any]]:
    """Every member and item of a document, by its owner and key."""
    waiting = [node]
    while waiting:
        owner = waiting.pop()
        items = list(owner.items() if isinstance(owner, dict) else enumerate(owner) if isinstance(owner, list) else ())
        yield from ((owner, key) for key, _ in items)
        waiting += [item for _, item in items]


def read(document: Node) -> Contract:
    return read_contract("events.json", lambda _: json.dumps(document).encode())


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(document=documents(), third=st.booleans(), data=st.data())
def test_a_broken_document_ends_in_a_comparison_or_a_problem(document: Node, third: bool, data: st.DataObject) -> None:
    whole = upgraded(document) if third else document
    broken = copy.deepcopy(whole)
    for _ in range(data.draw(st.integers(1, 3))):
        owner, key = data.draw(st.sampled_from(list(places(broken))))
        if data.draw(st.booleans()):
            owner[key] = copy.deepcopy(data.draw(st.sampled_from(ODD)))
        else:
            del owner[key]
    try:
        pair = read(whole), read(broken)
    except BadInput as error:
        assert all(problem.code and problem.found for problem in error.problems)
        return
    for old, new in (pair, pair[::-1]):
        found = compare(old, new)
        assert len({row.delta.id for row in found.rows}) == len(found.rows)
        json.dumps(found.to_dict())
