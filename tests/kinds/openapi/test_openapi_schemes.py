"""Swagger 2.0: schemes of an operation replace those of the document, with or without a host."""

from __future__ import annotations

import pytest

from evreview.core.vocabulary import Json
from tests.pipeline import compared


def document(schemes: list[str] | None, *, top: list[str] | None = None, host: str = "") -> Json:
    operation: dict[str, Json] = {"responses": {"204": {"description": "done"}}}
    if schemes is not None:
        operation["schemes"] = list[Json](schemes)
    more: dict[str, Json] = {"host": host} if host else {}
    if top is not None:
        more["schemes"] = list[Json](top)
    return {
        "swagger": "2.0",
        "info": {"title": "t", "version": "1"},
        "paths": {"/x": {"post": operation}, "/y": {"get": {"responses": operation["responses"]}}},
        **more,
    }


@pytest.mark.parametrize("host", ["", "a.test"])
@pytest.mark.parametrize("top", [None, ["https", "http"]])
def test_an_operation_that_leaves_a_scheme_refuses_old_requests(host: str, top: list[str] | None) -> None:
    rows = compared(document(["https"], top=top, host=host), document(["http"], top=top, host=host)).rows
    told = [(row.delta.operations, row.judgement.rule, row.judgement.verdict) for row in rows]
    assert told == [
        (("POST /x",), "server-added", "compatible"),
        (("POST /x",), "server-removed", "breaking"),
    ]


def test_the_schemes_of_the_document_written_at_the_operation_are_no_difference() -> None:
    assert compared(document(None, top=["https"]), document(["https"], top=["https"])).rows == ()


def test_a_document_without_a_host_leaves_its_schemes() -> None:
    rows = compared(document(None, top=["https"]), document(None, top=["http"])).rows
    assert [row.judgement.rule for row in rows] == ["server-added", "server-removed"]
