"""A server's variable that lists its values stands for the URLs that another contract writes out."""

from __future__ import annotations

import pytest

from evreview.core.vocabulary import Json
from tests.pipeline import compared

DONE: Json = {"responses": {"204": {"description": "done"}}}
A, B, PLAIN = "https://a.test/v1", "https://b.test/v1", "http://a.test/v1"


def template(url: str, **variables: list[str]) -> Json:
    listed: Json = {
        name: {"default": values[0], "enum": list[Json](values)} if len(values) > 1 else {"default": values[0]}
        for name, values in variables.items()
    }
    return {"url": url, "variables": listed}


def document(*servers: Json, own: bool = False) -> Json:
    listed: Json = {"servers": [{"url": each} if isinstance(each, str) else each for each in servers]}
    operation = {**DONE, **(listed if own else {})}  # type: ignore[dict-item]
    paths: Json = {"/x": {"get": operation}, "/y": {"get": DONE}}
    return {"openapi": "3.0.3", "info": {"title": "t", "version": "1"}, "paths": paths, **({} if own else listed)}  # type: ignore[dict-item]


def swagger(*schemes: str) -> Json:
    host: dict[str, Json] = {"host": "a.test", "basePath": "/v1", "schemes": list[Json](schemes)}
    return {"swagger": "2.0", "info": {"title": "t", "version": "1"}, "paths": {"/x": {"get": DONE}}, **host}


SCHEME = template("{scheme}://a.test/v1", scheme=["https", "http"])
HOST = template("https://{host}.test/v1", host=["a", "b"])
EQUAL: list[tuple[list[Json], list[Json]]] = [
    ([SCHEME], [A, PLAIN]),
    ([SCHEME], [PLAIN, f"{A}/"]),
    ([HOST], [B, A]),
    ([HOST], [template("https://{zone}.test/{release}", zone=["b", "a"], release=["v1", "v1"])]),
    ([template("https://a.test/{v}", v=["v1", "v2"])], [A, "https://a.test/v2"]),
    ([SCHEME, HOST], [A, PLAIN, B]),
    (
        [template("{s}://{host}.test", s=["https", "http"], host=["a"])],
        [template("https://{host}.test", host=["a"]), template("http://{h}.test", h=["a"])],
    ),
    ([template("https://a.test:{port}", port=["443", "8443"])], ["https://a.test", "https://a.test:8443"]),
]


@pytest.mark.parametrize("own", [False, True])
@pytest.mark.parametrize(("released", "candidate"), EQUAL)
def test_equal_sets_of_addresses_are_no_rows(released: list[Json], candidate: list[Json], own: bool) -> None:
    sides = document(*released, own=own), document(*candidate, own=own)
    assert compared(*sides).rows == ()
    assert compared(*reversed(sides)).rows == ()


def test_schemes_of_swagger_are_a_protocol_variable() -> None:
    one: Json = {"/x": {"get": DONE}}
    later = {**document(SCHEME), "paths": one}  # type: ignore[dict-item]
    assert compared(swagger("http", "https"), later).rows == ()


@pytest.mark.parametrize(
    ("released", "candidate", "told"),
    [
        ([SCHEME], [A], [("server-removed", f"server {PLAIN}")]),
        ([A], [SCHEME], [("server-added", f"server {PLAIN}")]),
        ([HOST], [A, PLAIN], [("server-added", f"server {PLAIN}"), ("server-removed", f"server {B}")]),
        (
            [HOST],
            [template("https://{host}.test/v1", host=["a", "c"]), B],
            [("server-added", "server https://c.test/v1")],
        ),
        (
            [HOST],
            [template("https://{host}.test/v1", host=["a", "c"])],
            [("server-variable-value-removed", "server https://{}.test/v1")],
        ),
        (
            [HOST],
            [template("https://{host}.test/v1", host=["a"])],
            [("server-variable-value-added", "server https://{}.test/v1")],
        ),
    ],
)
def test_an_address_more_or_less_is_its_row(
    released: list[Json], candidate: list[Json], told: list[tuple[str, str]]
) -> None:
    rows = compared(document(*released), document(*candidate)).rows
    assert sorted((str(row.judgement.rule), row.delta.address) for row in rows) == told
