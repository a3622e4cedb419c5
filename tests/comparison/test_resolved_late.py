"""A reference that is resolved late is not followed: what stands behind it is said to be compared with nothing."""

from __future__ import annotations

from typing import Any

import pytest

from evreview.core.vocabulary import Json
from tests.comparison import pairs


def contract(target: Json, member: Json) -> dict[str, Any]:
    schema = {"type": "object", "properties": {"v": member}}
    body = {"content": {"application/json": {"schema": schema}}}
    return {
        "openapi": "3.1.0",
        "info": {"title": "t", "version": "1"},
        "paths": {"/s": {"post": {"requestBody": body, "responses": {"204": {"description": "ok"}}}}},
        "components": {"schemas": {"X": target}},
    }


@pytest.mark.req("C-047")
@pytest.mark.parametrize("keyword", ["$dynamicRef", "$recursiveRef"])
def test_what_stands_behind_a_late_reference_is_unread(keyword: str) -> None:
    sides = [contract({"$dynamicAnchor": "a", "type": kind}, {keyword: "#a"}) for kind in ("string", "integer")]
    ledger = pairs.diff(*sides)
    assert {unread.place.pointer.rpartition("/")[2] for unread in ledger.unread} == {keyword}
    assert len(ledger.unread) == 2


def test_a_plain_reference_is_followed() -> None:
    sides = [contract({"type": kind}, {"$ref": "#/components/schemas/X"}) for kind in ("string", "integer")]
    ledger = pairs.diff(*sides)
    assert ledger.unread == () and len(ledger.deltas) == 1
