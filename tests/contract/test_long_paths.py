"""A path is repeated in every place below it: what no server has to read is told, not followed."""

from __future__ import annotations

from typing import Any

import pytest

from evreview.contract.model import ElementKind
from evreview.kinds.openapi.reader import MAX_PATH
from tests.pipeline import compared, contract


def _document(path: str, most: int = 10) -> Any:
    limit = {"name": "q", "in": "query", "schema": {"type": "integer", "maximum": most}}
    operation = {"parameters": [limit], "responses": {"200": {"description": ""}}}
    return {"openapi": "3.0.3", "info": {"title": "t", "version": "1"}, "paths": {path: {"get": operation}}}


@pytest.mark.parametrize(("length", "read"), [(MAX_PATH, True), (MAX_PATH + 1, False)])
def test_a_path_is_read_as_long_as_a_server_reads_its_url(length: int, read: bool) -> None:
    path = "/" + "a" * (length - 1)
    found = contract(_document(path))
    assert any(child.kind is ElementKind.OPERATION for child in found.root.children) is read
    told = [] if read else ["/paths"]
    assert [each.place.pointer for each in found.unread if "8,000 characters" in each.found] == told


def test_what_nobody_read_is_no_agreement() -> None:
    long = "/" + "a" * MAX_PATH
    found = compared(_document(long), _document(long, 5))
    assert (found.rows, len(found.ledger.unread)) == ((), 2)
    assert found.to_dict()["summary"]["breaking"] == "unknown"  # type: ignore[index,call-overload]
