"""A scheme that nobody demands changes no demand, however much it looks like the one in use."""

from __future__ import annotations

import pytest

from evreview.core.vocabulary import Json, Verdict
from tests.pipeline import compared

KEY: Json = {"type": "apiKey", "in": "header", "name": "X-K"}
BEARER: Json = {"type": "http", "scheme": "bearer"}
JWT: Json = {"type": "http", "scheme": "bearer", "bearerFormat": "JWT"}


def contract(used: str, **schemes: Json) -> Json:
    return {
        "openapi": "3.0.3",
        "info": {"title": "t", "version": "1"},
        "paths": {"/x": {"post": {"responses": {"200": {"description": "ok"}}}}},
        "security": [{used: []}],
        "components": {"securitySchemes": schemes},
    }


CASES: list[tuple[Json, Json, set[str]]] = [
    (contract("k", k=KEY), contract("k", k=KEY, zz=KEY), {"security-scheme-added"}),
    (contract("k", k=BEARER), contract("k", k=BEARER, zz=JWT), {"security-scheme-added"}),
    (contract("k", k=BEARER, zz=BEARER), contract("k", k=BEARER), {"security-scheme-removed"}),
    (contract("k", k=BEARER, zz=BEARER), contract("zz", zz=BEARER), {"security-scheme-removed"}),
    (contract("k", k=KEY, zz=KEY), contract("k", zz=KEY, k=KEY), set()),
]


@pytest.mark.parametrize(("released", "candidate", "rules"), CASES)
@pytest.mark.req("W1L-005")
def test_an_unused_twin_tightens_nothing(released: Json, candidate: Json, rules: set[str]) -> None:
    rows = compared(released, candidate).rows
    assert {row.judgement.rule for row in rows} == rules
    assert {row.judgement.verdict for row in rows} <= {Verdict.COMPATIBLE}
