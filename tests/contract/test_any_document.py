"""Whatever the document holds, it is read or refused; real contracts are read."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from evreview.contract.model import Contract, ElementKind
from evreview.core.errors import BadInput
from evreview.kinds.load import read_contract
from tests.contract.texts import contract, every
from tests.kinds.openapi.test_openapi_versions import OPENAPI, SWAGGER

CORPUS = ("openapi2", "openapi3.0", "openapi3.1", "cases/openapi_pairs")
ODD = st.none() | st.booleans() | st.integers() | st.text(max_size=3) | st.just([]) | st.just({}) | st.just([[]])


def check(found: Contract) -> None:
    for element in every(found.root):
        for names in ([(each.kind, each.key) for each in element.children], [each.name for each in element.facets]):
            assert max(Counter(names).values(), default=1) == 1, (element.key, names)
        if element.value is not None:
            assert element.direction is not None
        if element.kind not in (ElementKind.DOCUMENT, ElementKind.SERVER):
            assert element.direction is not None


def spots(node: object, way: tuple[object, ...] = ()) -> list[tuple[object, ...]]:
    found = [way]
    if isinstance(node, dict):
        found += [spot for key in node for spot in spots(node[key], (*way, key))]
    if isinstance(node, list):
        found += [spot for at in range(len(node)) for spot in spots(node[at], (*way, at))]
    return found


def changed(node: object, way: tuple[object, ...], value: object) -> object:
    if not way:
        return value
    step, *rest = way
    copy = dict(node) if isinstance(node, dict) else list(node)
    copy[step] = changed(copy[step], tuple(rest), value)
    return copy


ITEM = {
    "post": {
        "requestBody": {"$ref": "#/components/requestBodies/B"},
        "responses": {
            "200": {
                "description": "",
                "links": {"n": {"operationId": "o"}},
                "headers": {"H": {"schema": {}, "style": "simple"}},
            }
        },
    }
}
ENCODED = {"schema": {}, "encoding": {"f": {"contentType": "x/y", "style": "form", "headers": {"H": {"schema": {}}}}}}
RICH = {
    "openapi": "3.1.0",
    "jsonSchemaDialect": "https://json-schema.org/draft/2020-12/schema",
    "paths": {
        "/a/{x}": {
            "summary": "s",
            "get": {
                "callbacks": {"done": {"{$request.body#/url}": ITEM}},
                "servers": [{"url": "/{v}", "variables": {"v": {"default": "b"}}}],
                "parameters": [{"name": "q", "in": "query", "content": {"a/b": {"schema": {}}}}],
                "security": [{"o": ["x"]}],
                "tags": ["t"],
            },
        }
    },
    "webhooks": {"n": ITEM},
    "components": {
        "requestBodies": {"B": {"content": {"multipart/form-data": ENCODED}}},
        "securitySchemes": {"o": {"type": "openIdConnect", "openIdConnectUrl": "u"}, "m": {"type": "mutualTLS"}},
    },
}
WAYS = [(document, way) for document in (OPENAPI, SWAGGER, RICH) for way in spots(document)]


@settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.sampled_from(WAYS), ODD)
def test_a_document_with_one_odd_part_is_read_or_refused(
    spot: tuple[object, tuple[object, ...]], value: object
) -> None:
    try:
        check(contract(changed(*spot, value)))
    except BadInput as error:
        assert error.problems


@settings(deadline=None)
@given(st.binary(max_size=100))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    try:
        read_contract("f", lambda _: data)
    except BadInput as error:
        assert error.problems


@pytest.mark.req("W1I-001")
@pytest.mark.parametrize("kind", CORPUS)
def test_real_contracts_are_read_without_a_fault(corpus: Path, kind: str) -> None:
    files = sorted(path for side in ("released", "candidate") for path in (corpus / kind).glob(f"*/{side}.*"))
    assert files
    for path in files:
        found = read_contract(path.name, lambda name, folder=path.parent: (folder / name).read_bytes())
        check(found)
        assert found.operations or not found.documents[path.name].get("paths"), path
