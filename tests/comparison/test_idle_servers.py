"""Servers of the document count for the operations that take them; where no operation does, they are noise."""

from __future__ import annotations

from typing import Any

import pytest

from evreview.comparison.noise import NoiseReason
from tests.comparison import pairs
from tests.pipeline import compared

DONE: Any = {"responses": {"204": {"description": ""}}}
A, B, V1, V2 = ("https://a.example", "https://b.example", "https://a.example/v1", "https://a.example/v2")


def _made(root: str, own: str, other: str = "", path: str = "", **more: Any) -> pairs.Doc:
    """Two operations on two paths with servers of their own, or without where the text is empty."""
    operations = [{"get": {**DONE, **_servers(server)}} for server in (own, other or own)]
    paths = {key: {**item, **_servers(path)} for key, item in zip(("/x", "/y"), operations, strict=True)}
    return pairs.document(paths, **_servers(root), **more)


def _servers(url: str) -> dict[str, Any]:
    return {"servers": [{"url": url}]} if url and url != "-" else {}


NON_WIRE = {
    "moved to the operations": (_made(V1, ""), _made("", V1)),
    "moved to the paths": (_made(V1, ""), _made("", "", path=V1)),
    "another one for nobody": (_made(A, B), _made(V1, B)),
    "another version for nobody": (_made(V1, B), _made(V2, B)),
    "taken by one side each": (_made(A, "-", A), _made(B, A, A)),
}


@pytest.mark.parametrize("name", NON_WIRE)
def test_servers_of_no_operation_are_noise(name: str) -> None:
    released, candidate = NON_WIRE[name]
    for ledger in (pairs.diff(released, candidate), pairs.diff(candidate, released)):
        assert ledger.deltas == ()
        assert NoiseReason.UNUSED_SERVERS in {noise.reason for noise in ledger.noise}


TOLD = {
    "moved, and another one": (_made(V1, ""), _made("", B)),
    "one operation still takes them": (_made(A, B, "-"), _made(V1, B, "-")),
    "the operation that takes them goes on without": (_made(A, "-", B), _made("", "-", B)),
    "another version for one operation": (_made(V1, B, "-"), _made(V2, B, "-")),
}


@pytest.mark.parametrize("name", TOLD)
def test_servers_that_an_operation_takes_are_rows(name: str) -> None:
    assert pairs.diff(*TOLD[name]).deltas


@pytest.mark.parametrize("place", ["callback", "webhook"])
def test_servers_of_calls_that_go_elsewhere_are_noise(place: str) -> None:
    """A callback goes to the URL of its expression, a webhook to its receiver: OpenAPI 3.1, section 4.8.18."""

    def calling(url: str) -> Any:
        called = {"servers": [{"url": url}], "post": DONE}
        callbacks = {"callbacks": {"c": {"{$request.body#/u}": called}}} if place == "callback" else {}
        paths = {"/x": {"post": {**DONE, **callbacks}}}
        info = {"title": "a", "version": "1"}
        return {"openapi": "3.1.0", "info": info, "paths": paths, "webhooks": {} if callbacks else {"w": called}}

    comparison = compared(calling("https://a"), calling("https://b"))
    assert comparison.rows == ()
    assert [noise.delta.facet for noise in comparison.noise] == ["servers"]


def test_a_relative_url_of_a_scheme_hangs_on_the_servers() -> None:
    flow = {"tokenUrl": "/token", "scopes": {}}
    schemes = {"o": {"type": "oauth2", "flows": {"clientCredentials": flow}}}
    made = [_made(root, B) for root in (A, "https://c.example")]
    for document in made:
        document["components"]["securitySchemes"] = schemes
    assert {delta.aspect for delta in pairs.diff(*made).deltas} == {"servers"}


def test_a_contract_that_is_never_called_keeps_its_rows() -> None:
    assert pairs.diff(pairs.document({}, **_servers(A)), pairs.document({}, **_servers(B))).deltas


def test_swagger_schemes_of_every_operation() -> None:
    def made(root: str, own: str) -> pairs.Doc:
        item = {"get": {**DONE, "schemes": [own]}}
        info = {"title": "t", "version": "1"}
        return {"swagger": "2.0", "info": info, "host": "a.example", "schemes": [root], "paths": {"/x": item}}

    assert pairs.diff(made("http", "https"), made("https", "https")).deltas == ()
    assert pairs.diff(made("http", "https"), made("https", "http")).deltas


@pytest.mark.parametrize(("back", "non_wire"), [("", True), ("{$request.body#/u}", False)])
def test_servers_beside_webhooks_alone_are_noise(back: str, non_wire: bool) -> None:
    def sending(url: str) -> Any:
        called = {"post": DONE | ({"callbacks": {"c": {back: {"post": DONE}}}} if back else {})}
        return {"openapi": "3.1.0", "info": {"title": "a", "version": "1"}, "webhooks": {"w": called}, **_servers(url)}

    comparison = compared(sending(A), sending(B))
    assert (comparison.rows == ()) is non_wire
    assert (NoiseReason.UNUSED_SERVERS in {noise.reason for noise in comparison.noise}) is non_wire
