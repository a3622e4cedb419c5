"""A folder whose kind its files do not settle is refused, and what has a kind of its own is not taken for another."""

from __future__ import annotations

import json
from collections.abc import Mapping

import pytest

from evreview.contract.model import Contract
from evreview.core.errors import BadInput
from evreview.core.vocabulary import ContractKind
from evreview.kinds.load import read_contract

FILES = {
    "python": ("pkg/__init__.py", "def f(a: int) -> int: ...\n"),
    "protobuf": ("pkg/x.proto", 'syntax = "proto3";\nmessage M { int32 a = 1; }\n'),
    "graphql": ("x.graphql", "type Query { a: Int }\n"),
    "avro": ("x.avsc", '{"type": "record", "name": "R", "fields": []}'),
}


def folder(files: Mapping[str, str], kind: ContractKind | None = None) -> Contract:
    return read_contract("", lambda name: files[name].encode(), tuple(sorted(files)), kind=kind)


@pytest.mark.parametrize("one", FILES)
@pytest.mark.parametrize("other", FILES)
def test_a_folder_of_two_kinds_asks_which_one_is_meant(one: str, other: str) -> None:
    files = dict([FILES[one], FILES[other]])
    if one == other:
        assert folder(files).kind == one
        return
    with pytest.raises(BadInput) as caught:
        folder(files)
    assert [problem.code for problem in caught.value.problems] == ["contract-kind-ambiguous"]
    assert {one, other} <= set(str(caught.value).replace(",", " ").replace(".", " ").split())
    assert folder(files, ContractKind(one)).kind == one


@pytest.mark.parametrize(
    "schema",
    [
        {"$schema": "http://json-schema.org/draft-07/schema#", "type": "array", "items": [{"type": "string"}]},
        {"$id": "https://example.test/a", "type": "array", "items": [{"type": "string"}]},
    ],
)
def test_a_json_schema_of_an_array_is_no_avro(schema: Mapping[str, object]) -> None:
    found = read_contract("event.json", lambda _: json.dumps(schema).encode())
    assert found.kind is ContractKind.JSON_SCHEMA
