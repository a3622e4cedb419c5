"""Witnesses carry what the sender's contract shows, as far as both contracts judge them as before."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

import evreview
from evreview.core.vocabulary import Json

_REQUIRED = ["name", "since", "kind"]
_MEMBERS: dict[str, Any] = {
    "name": {"type": "string", "example": "Rex"},
    "since": {"type": "string", "format": "date"},
    "kind": {"type": "string", "enum": ["dog", "cat"], "example": "cat"},
    "age": {"type": "integer", "example": 7},
    "notes": {"type": "array", "items": {"type": "string", "example": "calm"}},
}


def _contract(members: dict[str, Any], tmp: Path, name: str, **more: Any) -> Path:
    media = {"schema": {"$ref": "#/components/schemas/Pet"}, **more.get("media", {})}
    operation = {
        "operationId": "createPet",
        "parameters": [
            {"name": "pet", "in": "path", "required": True, "schema": {"type": "string"}, **more.get("pet", {})},
            {"name": "tag", "in": "query", "required": True, "schema": {"type": "string"}, "example": "puppy"},
        ],
        "requestBody": {"required": True, "content": {"application/json": media}},
        "responses": {"200": {"description": "ok"}},
    }
    document = {
        "openapi": "3.0.3",
        "info": {"title": "Pets", "version": "1.0.0"},
        "paths": {
            "/pets/{pet}": {"post": operation},
            "/pets/mine": {"get": {"responses": {"200": {"description": ""}}}},
        },
        "components": {"schemas": {"Pet": {"type": "object", "required": _REQUIRED, "properties": members}}},
    }
    path = tmp / f"{name}.yaml"
    path.write_text(yaml.safe_dump(document, sort_keys=False), encoding="utf-8")
    return path


def _witness(tmp: Path, change: dict[str, Any], **more: Any) -> Json:
    released = _contract(_MEMBERS, tmp, "released", **more)
    candidate = _contract({**_MEMBERS, **change}, tmp, "candidate", **more)
    rows = evreview.diff(released, candidate).rows
    assert [row.judgement.verdict.value for row in rows] == ["breaking"]
    return rows[0].proof.witness


# What changes, and what the body of the witness is.
CASES: list[tuple[str, dict[str, Any], dict[str, Any], Json]] = [
    (
        "the row's own member",
        {"age": {"type": "integer", "maximum": 5}},
        {},
        {"since": "2024-01-31", "kind": "dog", "name": "Rex", "age": 7},
    ),
    (
        "its example holds on both sides",
        {"age": {"type": "integer", "maximum": 9}},
        {},
        {"since": "2024-01-31", "kind": "dog", "name": "Rex", "age": 10},
    ),
    (
        "the example of the media type, whole",
        {"age": {"type": "integer", "maximum": 5}},
        {"media": {"example": {"name": "Milo", "kind": "cat", "since": "2024-05-01", "age": 12, "notes": ["shy"]}}},
        {"name": "Milo", "kind": "cat", "since": "2024-05-01", "age": 12, "notes": ["shy"]},
    ),
    (
        "an example that its own contract refuses lends what fits",
        {"age": {"type": "integer", "maximum": 5}},
        {"media": {"examples": {"one": {"value": {"name": "Milo", "kind": "fish", "age": "twelve"}}}}},
        {"since": "2024-01-31", "kind": "dog", "name": "Milo", "age": 7},
    ),
    (
        "items",
        {"notes": {"type": "array", "items": {"type": "string", "maxLength": 3}}},
        {},
        {"since": "2024-01-31", "kind": "dog", "name": "Rex", "notes": ["calm"]},
    ),
]


@pytest.mark.parametrize(("change", "more", "body"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_the_body_is_what_the_contract_shows(
    tmp_path: Path, change: dict[str, Any], more: dict[str, Any], body: Json
) -> None:
    message = _witness(tmp_path, change, **more)["message"]
    assert message["body"]["json"] == body
    assert message["query"] == "tag=puppy"


@pytest.mark.parametrize(("shown", "path"), [("rex-7", "/pets/rex-7"), ("mine", "/pets/a")])
def test_no_example_leads_to_another_path(tmp_path: Path, shown: str, path: str) -> None:
    message = _witness(tmp_path, {"age": {"type": "integer", "maximum": 5}}, pet={"example": shown})["message"]
    assert message["path"] == path


@pytest.mark.parametrize("secret", ["kim.doe@mail-host.org", "AKIAIOSFODNN7EXAMPL3", "Bearer c2VjcmV0LXRva2VuLTEyMzQ1"])
def test_what_the_guard_withholds_is_no_part_of_a_message(tmp_path: Path, secret: str) -> None:
    name = {"type": "string", "example": secret}
    released = _contract({**_MEMBERS, "name": name}, tmp_path, "released")
    candidate = _contract({**_MEMBERS, "name": name, "age": {"type": "integer", "maximum": 5}}, tmp_path, "candidate")
    (row,) = evreview.diff(released, candidate).rows
    assert row.proof.witness["message"]["body"]["json"]["name"] == "a"


def test_a_parameter_s_example_is_held_back_by_the_parameter_s_name(tmp_path: Path) -> None:
    def contract(name: str, kind: str) -> Path:
        path = tmp_path / f"{name}.yaml"
        parameters = [
            {
                "name": "api_key",
                "in": "query",
                "required": True,
                "schema": {"type": "string"},
                "example": "Zk3vR8tYq2LmN7w",
            },
            {"name": "n", "in": "query", "required": True, "schema": {"type": kind}},
        ]
        operation = {"parameters": parameters, "responses": {"200": {"description": "ok"}}}
        document = {"openapi": "3.0.3", "info": {"title": "t", "version": "1"}, "paths": {"/a": {"get": operation}}}
        path.write_text(yaml.safe_dump(document), encoding="utf-8")
        return path

    (row,) = evreview.diff(contract("released", "string"), contract("candidate", "integer")).rows
    assert "Zk3v" not in str(row.proof.witness) and "api_key=a" in row.proof.witness["message"]["query"]


@pytest.mark.parametrize("opened", [{}, {"additionalProperties": True}])
@pytest.mark.parametrize(("example", "realism"), [({"a": "v", "note": "hi"}, "declared"), ({"a": "v"}, "letter only")])
def test_what_an_example_carries_is_sent(
    tmp_path: Path, opened: dict[str, Any], example: dict[str, Any], realism: str
) -> None:
    def contract(name: str, **rest: Any) -> Path:
        path = tmp_path / f"{name}.yaml"
        schema = {"type": "object", "properties": {"a": {"type": "string"}}, "example": example, **rest}
        body = {"content": {"application/json": {"schema": schema}}}
        operation = {"requestBody": body, "responses": {"200": {"description": "ok"}}}
        document = {"openapi": "3.0.3", "info": {"title": "t", "version": "1"}, "paths": {"/a": {"post": operation}}}
        path.write_text(yaml.safe_dump(document), encoding="utf-8")
        return path

    (row,) = evreview.diff(contract("released", **opened), contract("candidate", additionalProperties=False)).rows
    assert row.proof.realism == realism
    assert (row.proof.witness["value"] == example) is (realism == "declared")


def test_a_long_example_is_not_copied_into_a_witness(tmp_path: Path) -> None:
    name = {"type": "string", "example": "long " * 40_000}
    released = _contract({**_MEMBERS, "name": name}, tmp_path, "released")
    candidate = _contract({**_MEMBERS, "name": name, "age": {"type": "integer", "maximum": 5}}, tmp_path, "candidate")
    (row,) = evreview.diff(released, candidate).rows
    assert row.proof.witness["message"]["body"]["json"]["name"] == "a"


def test_a_kind_may_be_named_by_its_word(tmp_path: Path) -> None:
    released = _contract(_MEMBERS, tmp_path, "released")
    assert evreview.diff(released, released, kind="openapi").rows == ()
    with pytest.raises(evreview.BadInput) as told:
        evreview.diff(released, released, kind="open-api")
    assert [problem.code for problem in told.value.problems] == ["kind-unknown"]
