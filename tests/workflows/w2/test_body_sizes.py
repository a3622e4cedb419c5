"""Lists of a body that may hold so many items are a limit that the code states."""

from __future__ import annotations

from typing import Any

import pytest

from evreview.core.quoted_text import plain
from evreview.core.vocabulary import Concern, Json
from evreview.workflows.w2.contract_entries import Entries
from evreview.workflows.w2.discrepancy_kinds.kind import body, paths
from evreview.workflows.w2.matrix.concerns import by_code
from evreview.workflows.w2.scope import operations_of
from tests.workflows.w2.facts import CONTRACT, contract_of, route, takes

LIST: Json = {"type": "array", "items": {"type": "string"}}
TOP: Json = {"type": "array", "maxItems": 3, "items": {"$ref": "#/$defs/One"}}


@pytest.mark.parametrize(
    ("schema", "found"),
    [
        ({"properties": {"tags": {**LIST, "maxItems": 5}}}, ["tags"]),
        ({"properties": {"tags": LIST}}, []),
        ({"properties": {"a": {"$ref": "#/$defs/A"}}, "$defs": {"A": {"properties": {"b": TOP}}, "One": {}}}, ["a.b"]),
        ({**TOP, "$defs": {"One": {"properties": {"tags": {"maxItems": 2}}}}}, ["the body", "[].tags"]),
        ({"$ref": "#/$defs/Loop", "$defs": {"Loop": {"properties": {"loop": {"$ref": "#/$defs/Loop"}}}}}, []),
        (True, []),
    ],
)
def test_sizes_of_lists(schema: Any, found: list[str]) -> None:
    contract = contract_of(paths("post", requestBody=body({})))
    entry = Entries(contract, CONTRACT).entry(operations_of(contract)[0])
    said = [plain(each.says) for each in by_code(route("POST", body=takes(schema)), Concern.LIMITS, entry)]
    assert [each.partition(": at most")[0] for each in said] == found
