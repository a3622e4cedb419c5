"""Entries for rows behind which a comparison ends: what comes with the new schema later is not covered."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from evreview.app.cli import app

TEXT: Any = {"type": "string"}
WHOLE: Any = {"type": "integer"}
LIST: Any = {"type": "array", "items": TEXT}


def query(schema: Any, **parts: Any) -> Any:
    operation = {"parameters": [{"name": "q", "in": "query", "schema": schema}], "responses": {}}
    return {"paths": {"/x": {"get": operation}}, **parts}


def body(schema: Any = None, kind: str = "application/json", **parts: Any) -> Any:
    media = {} if schema is None else {"schema": schema}
    return {"paths": {"/x": {"post": {"requestBody": {"content": {kind: media}}, "responses": {}}}}, **parts}


def below(schema: Any) -> Any:
    """An object with a schema three levels down."""
    return {"type": "object", "properties": {"o": {"type": "object", "properties": {"p": schema}}}}


def named(schema: Any, name: str) -> Any:
    return query({"$ref": f"#/components/schemas/{name}"}, components={"schemas": {name: schema}})


def owned(schema: Any = None, *, required: bool = False, **more: Any) -> Any:
    """An object with a member `a`, and with `n` when it has a schema."""
    members = {"a": TEXT} if schema is None else {"a": TEXT, "n": schema}
    return body({"type": "object", "properties": members, **more, **({"required": ["n"]} if required else {})})


NOTHING: Any = {"paths": {"/x": {"get": {"responses": {}}}}}
LOOP: Any = {"type": "object", "properties": {"next": {"$ref": "#/components/schemas/L"}, "n": TEXT}}
# released, what is accepted, what comes later, whether it is covered
CASES: dict[str, tuple[Any, Any, Any, bool]] = {
    "nothing changed": (query(TEXT), query(WHOLE), query(WHOLE), True),
    "a bound comes along": (query(TEXT), query(WHOLE), query({**WHOLE, "minimum": 100}), False),
    "a bound of a form": (
        body({"type": "object", "properties": {"a": TEXT}}, "multipart/form-data"),
        body({"type": "object", "properties": {"a": WHOLE}}, "multipart/form-data"),
        body({"type": "object", "properties": {"a": {**WHOLE, "enum": [1]}}}, "multipart/form-data"),
        False,
    ),
    "a member far below": (body(), body(below({**TEXT, "maxLength": 9})), body(below({**TEXT, "maxLength": 1})), False),
    "other words": (query(TEXT), query(WHOLE), query({**WHOLE, "description": "a number"}), True),
    "another name": (query(TEXT), named(WHOLE, "A"), named(WHOLE, "B"), True),
    "an edit elsewhere": (
        query(TEXT),
        query(WHOLE),
        query(WHOLE, components={"schemas": {"Other": {"type": "string", "maxLength": 3}}}),
        True,
    ),
    "branches for a plain schema": (
        body(TEXT),
        body({"oneOf": [WHOLE, below(TEXT)]}),
        body({"oneOf": [WHOLE, below({**TEXT, "maxLength": 1})]}),
        False,
    ),
    "an added member says more": (
        owned(),
        owned(WHOLE, required=True),
        owned({**WHOLE, "minimum": 9}, required=True),
        False,
    ),
    "a member of an added one": (
        owned(),
        owned(below(below(TEXT)), required=True),
        owned(below(below({**TEXT, "maxLength": 1})), required=True),
        False,
    ),
    "an added member stays": (owned(), owned(TEXT, required=True), owned({**TEXT, "title": "n"}, required=True), True),
    "an added member is named": (
        owned(),
        owned(below(TEXT), required=True),
        {**owned({"$ref": "#/components/schemas/N"}, required=True), "components": {"schemas": {"N": below(TEXT)}}},
        True,
    ),
    "a removed parameter": (query(TEXT), NOTHING, NOTHING, True),
    "a cycle": (query(TEXT), named(LOOP, "L"), named(LOOP, "L"), True),
}


@pytest.mark.parametrize("case", CASES)
def test_an_entry_is_bound_to_what_came_with_its_difference(
    case: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    *sides, covered = CASES[case]
    monkeypatch.chdir(tmp_path)
    for name, side in zip(("old", "new", "later"), sides, strict=True):
        head = {"openapi": "3.0.3", "info": {"title": "t", "version": "1"}}
        Path(f"{name}.json").write_text(json.dumps({**head, **side}), encoding="utf-8")
    run = CliRunner().invoke
    assert run(app, ["diff", "old.json", "new.json", "--format", "accept", "-o", "accept.yaml"]).exit_code == 0
    text = Path("accept.yaml").read_text(encoding="utf-8")
    assert "content: " in text
    filled = text.replace("expires: FILL-IN", "expires: 2999-01-31").replace("FILL-IN", "agreed")
    Path("accept.yaml").write_text(filled, encoding="utf-8")
    words = ["--fail-on", "breaking", "--accept", "accept.yaml"]
    assert run(app, ["diff", "old.json", "new.json", *words]).exit_code == 0
    done = run(app, ["diff", "old.json", "later.json", *words])
    assert done.exit_code == (0 if covered else 5), done.output
    assert ("[accepted-nothing]" in done.output) is not covered


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({**TEXT, "maxLength": 9}, {**TEXT, "maxLength": 3}),
        ({"type": "number"}, WHOLE),
        ({"oneOf": [LIST, WHOLE, below(TEXT)]}, {"oneOf": [LIST, below(TEXT)]}),
    ],
)
def test_a_row_beside_which_others_stand_has_no_content(
    before: Any, after: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, schema in (("old.json", before), ("new.json", after)):
        head = {"openapi": "3.0.3", "info": {"title": "t", "version": "1"}}
        Path(name).write_text(json.dumps({**head, **body(schema)}), encoding="utf-8")
    done = CliRunner().invoke(app, ["diff", "old.json", "new.json", "--format", "accept"])
    assert "id: D-" in done.stdout and "content: " not in done.stdout
