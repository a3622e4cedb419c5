"""Schemes of one form are one, whatever they are called; a name alone makes no two forms one."""

from __future__ import annotations

import pytest

from evreview.core.vocabulary import Json, Verdict
from tests.pipeline import compared

OK: Json = {"200": {"description": "ok"}}
BEARER: Json = {"type": "http", "scheme": "bearer"}
BASIC: Json = {"type": "http", "scheme": "basic"}
PKCE: Json = {"type": "http", "scheme": "Bearer", "bearerFormat": "JWT", "description": "a token"}
COOKIE: Json = {"type": "apiKey", "in": "cookie", "name": "sid"}


def key(name: str) -> Json:
    return {"type": "apiKey", "in": "header", "name": name}


def openid(host: str) -> Json:
    return {"type": "openIdConnect", "openIdConnectUrl": f"https://{host}.test/.well-known"}


def oauth(host: str, *scopes: str, flow: str = "clientCredentials") -> Json:
    address = f"https://{host}.test/token"
    flows: Json = {flow: {"tokenUrl": address, "scopes": dict.fromkeys(scopes or ("read",), "words")}}
    return {"type": "oauth2", "flows": flows}


def document(schemes: dict[str, Json], *demands: Json) -> Json:
    """One operation per demand: a name, several for a choice, or requirements as they are written."""
    paths: dict[str, Json] = {
        f"/p{at}": {"get": {"security": _listed(demand), "responses": OK}} for at, demand in enumerate(demands)
    }
    components: Json = {"securitySchemes": schemes}
    return {"openapi": "3.0.3", "info": {"title": "t", "version": "1"}, "paths": paths, "components": components}


def _listed(demand: Json) -> Json:
    if isinstance(demand, str):
        return [{name: ["read"] if name.startswith("o") else []} for name in demand.split()]
    return demand


def swagger(schemes: dict[str, Json], *demands: Json) -> Json:
    made = document(schemes, *demands)
    assert isinstance(made, dict)
    del made["components"], made["openapi"]
    return {**made, "swagger": "2.0", "securityDefinitions": schemes}


OLD_OAUTH: Json = {"type": "oauth2", "flow": "application", "tokenUrl": "https://a.test/token", "scopes": {"read": "r"}}
OTHER_FLOW: Json = {"type": "oauth2", "flow": "password", "tokenUrl": "https://a.test/token", "scopes": {"read": "r"}}

SAME: list[tuple[Json, Json]] = [
    (document({"a": BEARER, "b": BEARER}, "a", "b"), document({"a": BEARER, "c": BEARER}, "a", "c")),
    (document({"a": BEARER, "b": BEARER}, "a", "b"), document({"x": BEARER, "y": PKCE}, "x", "y")),
    (document({"a": BEARER, "b": BEARER}, "a", "b"), document({"x": BEARER}, "x", "x")),
    (document({"x": BASIC}, "x", "x"), document({"a": BASIC, "b": BASIC}, "a", "b")),
    (document({"a": COOKIE, "b": COOKIE}, "a", "a b"), document({"a": COOKIE, "c": COOKIE}, "a", "c a")),
    (document({"a": key("X-A"), "b": key("x-a")}, "a", "b"), document({"a": key("X-A"), "c": key("X-A")}, "a", "c")),
    (
        document({"oa": oauth("a"), "ob": oauth("a")}, "oa", "ob"),
        document({"oa": oauth("a"), "oc": oauth("a")}, "oa", "oc"),
    ),
    (
        document({"oa": oauth("a"), "ob": oauth("a")}, "oa", "ob"),
        document({"oa": oauth("a"), "ob": oauth("a")}, "ob", "oa"),
    ),
    (
        document({"oa": oauth("a"), "ob": oauth("b")}, "oa", "ob"),
        document({"ox": oauth("a"), "oy": oauth("b")}, "ox", "oy"),
    ),
    (
        document({"oa": oauth("a"), "ob": oauth("b")}, "oa", "ob"),
        document({"ob": oauth("a"), "oa": oauth("b")}, "ob", "oa"),
    ),
    (
        document({"a": openid("a"), "b": openid("b")}, "a", "b"),
        document({"a": openid("a"), "c": openid("b")}, "a", "c"),
    ),
    (
        document({"a": BEARER, "b": BEARER}, [{"a": []}], [{"b": []}]),
        document({"c": BEARER}, [{"c": []}, {"c": []}], "c"),
    ),
    (swagger({"oa": OLD_OAUTH, "ob": OLD_OAUTH}, "oa", "ob"), swagger({"oa": OLD_OAUTH, "oc": OLD_OAUTH}, "oa", "oc")),
    (swagger({"a": {"type": "basic"}, "b": {"type": "basic"}}, "a", "b"), swagger({"c": {"type": "basic"}}, "c", "c")),
    (
        swagger({"oa": OLD_OAUTH, "ob": OLD_OAUTH}, "oa", "ob"),
        document({"oz": oauth("a"), "oc": oauth("a")}, "oz", "oc"),
    ),
    (document({"a": key("X-A"), "u": key("X-A")}, "a"), document({"a": key("X-A"), "v": key("X-A")}, "a")),
]


@pytest.mark.parametrize(("released", "candidate"), SAME)
@pytest.mark.req("W1L-005")
def test_schemes_of_one_form_are_one(released: Json, candidate: Json) -> None:
    assert compared(released, candidate).rows == ()
    assert compared(candidate, released).rows == ()


OTHER: list[tuple[Json, Json, set[tuple[str, str]]]] = [
    (
        document({"a": BEARER, "b": BEARER}, "a", "b"),
        document({"a": BEARER, "b": key("X-B")}, "a", "b"),
        {("request-security-tightened", "breaking")},
    ),
    (
        document({"a": key("X-A"), "b": key("X-A")}, "a", "b"),
        document({"a": key("X-A"), "b": key("X-B")}, "a", "b"),
        {("request-security-tightened", "breaking")},
    ),
    (
        document({"oa": oauth("a"), "ob": oauth("a")}, "oa", "ob"),
        document({"oa": oauth("a"), "ob": oauth("b")}, "oa", "ob"),
        {("request-security-tightened", "breaking")},
    ),
    (
        document({"oa": oauth("a"), "ob": oauth("b")}, "oa", "ob"),
        document({"oa": oauth("a"), "oc": oauth("c")}, "oa", "oc"),
        {("security-address-changed", "breaking")},
    ),
    (
        document({"oa": oauth("a", "read", "write"), "ob": oauth("b")}, "oa", "ob"),
        document({"ox": oauth("a", "read"), "oy": oauth("b")}, "ox", "oy"),
        {("security-scope-withdrawn", "breaking")},
    ),
    (
        document({"oa": oauth("a"), "ob": oauth("a", flow="password")}, "oa", "oa"),
        document({"oa": oauth("a"), "ob": oauth("a", flow="password")}, "oa", "ob"),
        {("request-security-tightened", "breaking")},
    ),
    (
        document({"a": openid("a"), "b": openid("b")}, "a", "b"),
        document({"a": openid("a"), "b": openid("b")}, "a", "a"),
        {("request-security-tightened", "breaking")},
    ),
    (
        document({"a": BEARER, "b": BEARER}, "a", "b", "a"),
        document({"a": BEARER, "b": BEARER}, "a", "b", "b"),
        {("security-other-scheme-of-one-form", "unknown")},
    ),
    (
        document({"oa": oauth("a"), "ob": oauth("a")}, "oa", [{"ob": ["read"]}]),
        document({"oa": oauth("a"), "oc": oauth("a")}, "oa", [{"oc": ["read", "write"]}]),
        {("request-security-tightened", "breaking")},
    ),
    (
        swagger({"oa": OLD_OAUTH, "ob": OTHER_FLOW}, "oa", "ob"),
        swagger({"oa": OLD_OAUTH, "ob": OTHER_FLOW}, "ob", "ob"),
        {("request-security-tightened", "breaking")},
    ),
]


@pytest.mark.parametrize(("released", "candidate", "told"), OTHER)
@pytest.mark.req("W1L-005")
def test_another_form_is_another_scheme(released: Json, candidate: Json, told: set[tuple[str, str]]) -> None:
    rows = compared(released, candidate).rows
    assert {(str(row.judgement.rule), str(row.judgement.verdict)) for row in rows} == told


def test_a_scheme_more_moves_no_verdict() -> None:
    """What is demanded of the others stays what it was."""
    before = document({"a": BEARER, "b": BEARER}, "a", "b")
    after = document({"a": BEARER, "b": BEARER, "c": BEARER}, "a", "b")
    assert [row.judgement.verdict for row in compared(before, after).rows] == [Verdict.COMPATIBLE]
