"""A flow is one part of its scheme: one row where it comes, goes or is replaced; changes within it have their own."""

from __future__ import annotations

import pytest

from evreview.core.vocabulary import Json
from tests.pipeline import compared


def flow(*scopes: str, **urls: str) -> Json:
    return {"tokenUrl": "https://a.example/t", **urls, "scopes": dict.fromkeys(scopes or ("r", "w"), "")}


def contract(**flows: Json) -> Json:
    return {
        "openapi": "3.0.3",
        "info": {"title": "t", "version": "1"},
        "paths": {"/x": {"post": {"responses": {"204": {"description": "done"}}}}},
        "security": [{"o": ["r"]}],
        "components": {"securitySchemes": {"o": {"type": "oauth2", "flows": flows}}},
    }


CODE = flow(authorizationUrl="https://a.example/a")
CASES: dict[str, tuple[Json, Json, dict[str, str]]] = {
    "replaced": (
        contract(clientCredentials=flow()),
        contract(authorizationCode=CODE),
        {"security-flow-replaced": "breaking"},
    ),
    "replaced beside another": (
        contract(clientCredentials=flow(), implicit=CODE),
        contract(password=flow(), implicit=CODE),
        {"security-flow-replaced": "breaking"},
    ),
    "offered": (
        contract(clientCredentials=flow()),
        contract(clientCredentials=flow(), authorizationCode=CODE),
        {"security-flow-offered": "compatible"},
    ),
    "withdrawn": (
        contract(clientCredentials=flow(), authorizationCode=CODE),
        contract(clientCredentials=flow()),
        {"security-flow-withdrawn": "breaking"},
    ),
    "offered, and a scope withdrawn": (
        contract(clientCredentials=flow()),
        contract(clientCredentials=flow("r"), authorizationCode=CODE),
        {"security-flow-offered": "compatible", "security-scope-withdrawn": "breaking"},
    ),
    "an address within a flow": (
        contract(clientCredentials=flow()),
        contract(clientCredentials=flow(refreshUrl="https://a.example/r")),
        {"security-address-added": "compatible"},
    ),
    "nothing": (contract(clientCredentials=flow("w", "r")), contract(clientCredentials=flow("r", "w")), {}),
}


@pytest.mark.parametrize("name", CASES)
def test_a_flow_is_one_row(name: str) -> None:
    released, candidate, said = CASES[name]
    rows = compared(released, candidate).rows
    assert sorted((str(row.judgement.rule), row.judgement.verdict.value) for row in rows) == sorted(said.items())
