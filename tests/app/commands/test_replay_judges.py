"""Who a replay says has confirmed a witness: a second validator where values decide, evreview's own rules elsewhere."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from evreview.app.cli import app
from evreview.core.vocabulary import ContractKind
from evreview.evidence.bundle_reader import open_bundle
from evreview.kinds.registry import spec_of

OWN = "evreview's own rules of messages ("
VALUES = "jsonschema "
READ = ", on the values that evreview's own rules read from the message:"
TEXT = {"type": "string"}
KEY = {"k": {"type": "apiKey", "in": "header", "name": "X-Key"}}


def parameter(schema: dict[str, Any], **facets: Any) -> dict[str, Any]:
    return {"name": "p", "in": "query", "schema": schema, **facets}


def document(*parameters: dict[str, Any], more: tuple[str, ...] = (), **facets: Any) -> dict[str, Any]:
    """A contract of one operation, and one more for each further path."""
    one = {"parameters": [*parameters], "responses": {"204": {"description": "ok"}}, **facets}
    plain = {"responses": {"204": {"description": "ok"}}}
    paths = {"/x": {"get": one}, **{path: {"get": plain} for path in more}}
    return {
        "openapi": "3.0.3",
        "info": {"title": "t", "version": "1"},
        "components": {"securitySchemes": KEY},
        "paths": paths,
    }


def event(schema: dict[str, Any]) -> dict[str, Any]:
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": "https://example.test/e", **schema}


CASES: dict[str, tuple[dict[str, Any], dict[str, Any], str, str]] = {
    "a value": (document(parameter(TEXT)), document(parameter({**TEXT, "maxLength": 1})), VALUES, READ),
    "a value without a message": (event(TEXT), event({**TEXT, "maxLength": 1}), VALUES, ""),
    "an operation": (document(more=("/y",)), document(), OWN, ""),
    "a required parameter": (document(), document(parameter(TEXT, required=True)), OWN, ""),
    "a credential": (document(), document(security=[{"k": []}]), OWN, ""),
    "two readings of one text": (
        document(parameter({"type": "array", "items": TEXT}, explode=False)),
        document(parameter({"type": "array", "items": TEXT})),
        OWN,
        "",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_only_what_the_second_validator_judged_is_confirmed_by_it(
    case: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    *sides, who, how = CASES[case]
    monkeypatch.chdir(tmp_path)
    for name, side in zip(("a.json", "b.json"), sides, strict=True):
        Path(name).write_text(json.dumps(side), encoding="utf-8")
    found = CliRunner().invoke(app, ["diff", "a.json", "b.json", "--format", "json"])
    (row,) = [each for each in json.loads(found.stdout)["rows"] if each["proof"]["status"] == "witnessed"]
    done = CliRunner().invoke(app, ["replay", "a.json", "b.json", row["id"]])
    (line,) = [line for line in done.stdout.splitlines() if line.startswith("confirmed by ")]
    assert done.exit_code == 0 and line.startswith(f"confirmed by {who}")
    assert how in line and (READ in line) == (how == READ)


def test_no_name_or_value_of_a_contract_begins_a_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    hostile = "q\n::error::pwn ##[error]x"
    for name, schema in (("a.json", TEXT), ("b.json", {**TEXT, "enum": [hostile]})):
        side = document({**parameter(schema), "name": hostile})
        Path(name).write_text(json.dumps(side), encoding="utf-8")
    found = CliRunner().invoke(app, ["diff", "a.json", "b.json", "--format", "json"])
    (row,) = json.loads(found.stdout)["rows"]
    done = CliRunner().invoke(app, ["replay", "a.json", "b.json", row["id"]])
    assert done.exit_code == 0 and "error::pwn" in done.stdout
    assert not any(line.lstrip().startswith("::") for line in done.stdout.splitlines())
    assert "##[" not in done.stdout


def test_a_retained_replay_names_who_judged_it(demo_copy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(demo_copy)
    contracts = ("contracts/orders-1.4.yaml", "contracts/orders-1.5.yaml")
    found = CliRunner().invoke(app, ["diff", *contracts, "--format", "json"])
    rows = [each for each in json.loads(found.stdout)["rows"] if "message" in (each["proof"].get("witness") or {})]
    done = CliRunner().invoke(app, ["replay", *contracts, rows[0]["id"], "--retain", "."])
    (line,) = [line for line in done.stdout.splitlines() if line.startswith("confirmed by ")]
    who = line.removeprefix("confirmed by ").partition(":")[0]
    item = open_bundle(demo_copy).items["E13"]  # type: ignore[index]
    assert f"judged by {who}" in item.establishes
    assert f"judged by {who}" in item.record.checks[0].fixture  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("kind", "message", "who"),
    [
        (ContractKind.AVRO, {"bytes": "00"}, "fastavro"),
        (ContractKind.PROTOBUF, {"payload": "00"}, "protobuf"),
        (ContractKind.PROTOBUF, {"call": "/a.B/C"}, ""),
        (ContractKind.PROTOBUF, {"checked": "buf.validate", "payload": "00"}, ""),
        (ContractKind.PYTHON, {"use": "f(1)"}, ""),
    ],
)
def test_no_library_is_named_for_what_it_did_not_judge(kind: ContractKind, message: dict[str, str], who: str) -> None:
    assert spec_of(kind).judge({"message": message}) == who
