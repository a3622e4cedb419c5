"""Servers that every operation names by itself are the contract's: one row, however many operations there are."""

from __future__ import annotations

from typing import Any

import pytest

from tests.comparison.pairs import diff

DONE: Any = {"responses": {"200": {"description": ""}}}
PATHS = ("/a", "/b", "/c")
A, B = {"servers": [{"url": "https://a.example"}]}, {"servers": [{"url": "https://b.example"}]}


def _document(own: Any, **more: Any) -> Any:
    """Operations with servers of their own, by path."""
    info = {"title": "t", "version": "1"}
    paths = {path: {"get": {**DONE, **own.get(path, {})}} for path in PATHS}
    return {"openapi": "3.0.3", "info": info, "paths": paths, **more}


def _swagger(**more: Any) -> Any:
    paths = {path: {"get": {**DONE, **more}} for path in PATHS}
    return {"swagger": "2.0", "info": {"title": "t", "version": "1"}, "paths": paths}


EVERY_A: Any = dict.fromkeys(PATHS, A)


@pytest.mark.parametrize(
    ("released", "candidate", "servers"),
    [
        (_document(EVERY_A), _document(dict.fromkeys(PATHS, B)), {"https://a.example", "https://b.example"}),
        (_document(EVERY_A), _document({}, **B), {"https://a.example", "https://b.example"}),
        (_swagger(schemes=["https"]), _document({}), {"https://{}", "/"}),
    ],
)
def test_servers_of_all_operations_are_one_row_each(released: Any, candidate: Any, servers: set[str]) -> None:
    for old, new in ((released, candidate), (candidate, released)):
        rows = diff(old, new).deltas
        assert sorted(row.address for row in rows) == sorted(f"server {server}" for server in servers)
        assert all(len(row.operations) == len(PATHS) for row in rows)


@pytest.mark.parametrize("own", [{"/a": B, "/b": A, "/c": A}, {"/a": B, "/b": B, "/c": A}])
def test_servers_of_some_operations_stay_rows_of_theirs(own: Any) -> None:
    rows = diff(_document(EVERY_A), _document(own)).deltas
    assert rows
    assert all(row.operation and len(row.operations) == 1 for row in rows)
