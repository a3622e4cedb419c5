"""The values of a server's variable are a set: OpenAPI's Server Variable Object lists what the address may hold."""

from __future__ import annotations

from typing import Any

import pytest

from tests.comparison import pairs

DONE: Any = {"responses": {"204": {"description": ""}}}


def _openapi(values: list[str]) -> pairs.Doc:
    server = {"url": "https://a.example/{v}", "variables": {"v": {"default": "a", "enum": values}}}
    return pairs.document({"/x": {"get": DONE}}, servers=[server])


def _asyncapi(values: list[str]) -> pairs.Doc:
    server = {"host": "{v}.example", "protocol": "amqp", "variables": {"v": {"default": "a", "enum": values}}}
    return {"asyncapi": "3.0.0", "info": {"title": "t", "version": "1"}, "servers": {"one": server}}


@pytest.mark.req("W1L-018")
@pytest.mark.parametrize("made", [_openapi, _asyncapi])
@pytest.mark.parametrize(
    ("released", "candidate", "grows"),
    [
        (["a", "b"], ["b", "a"], None),
        (["a", "b"], ["a", "b", "a"], None),
        (["a", "b"], ["c", "b", "a"], True),
        (["c", "b", "a"], ["b", "a"], False),
    ],
)
def test_only_values_that_came_or_went_are_a_row(made: Any, released: Any, candidate: Any, grows: bool | None) -> None:
    ledger = pairs.diff(made(released), made(candidate))
    assert len(ledger.deltas) == (0 if grows is None else 1)
    for row in ledger.deltas:
        assert isinstance(row.released, list)
        assert isinstance(row.candidate, list)
        assert (len(row.candidate) > len(row.released)) is grows
