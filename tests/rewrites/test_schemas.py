"""Schemas that admit the same values give noise and no row, in every position and both directions."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from tests import pipeline

TABLE: dict[str, Any] = yaml.safe_load((Path(__file__).parent / "schemas.yaml").read_text(encoding="utf-8"))
VERSIONS = {3.0: "3.0.3", 3.1: "3.1.0"}


def _json(schema: Any) -> dict[str, Any]:
    return {"content": {"application/json": {"schema": schema}}}


def _answer(schema: Any) -> dict[str, Any]:
    return {"responses": {"200": {"description": "", **_json(schema)}}}


_DONE = {"responses": {"204": {"description": ""}}}
POSITIONS: dict[str, Any] = {
    "body": lambda schema: {"requestBody": _json(schema), **_DONE},
    "response": _answer,
    "field of a response": lambda schema: _answer({"type": "object", "properties": {"p": schema}}),
    "item of a body": lambda schema: {"requestBody": _json({"type": "array", "items": schema}), **_DONE},
    "other members of a body": lambda schema: {
        "requestBody": _json({"type": "object", "additionalProperties": schema}),
        **_DONE,
    },
    "branch of a body": lambda schema: {
        "requestBody": _json({"anyOf": [schema, {"type": "array", "items": {}}]}),
        **_DONE,
    },
    "query parameter": lambda schema: {"parameters": [{"name": "q", "in": "query", "schema": schema}], **_DONE},
    "parameter with content": lambda schema: {"parameters": [{"name": "q", "in": "query", **_json(schema)}], **_DONE},
    "response header": lambda schema: {
        "responses": {"200": {"description": "", "headers": {"X-A": {"schema": schema}}}}
    },
    "error": lambda schema: {**_DONE, "responses": {"400": {"description": "", **_json(schema)}}},
}


def document(schema: Any, dialect: float, position: str) -> dict[str, Any]:
    return {
        "openapi": VERSIONS[dialect],
        "info": {"title": "t", "version": "1"},
        "paths": {"/a": {"post": POSITIONS[position](schema)}},
        "components": {"schemas": TABLE["shared"]},
    }


def _cases() -> list[Any]:
    cases = []
    for row in TABLE["pairs"]:
        marks = [pytest.mark.xfail(reason=row["open"], strict=False)] if "open" in row else []
        for position in POSITIONS:
            if position not in row.get("not in", ()):
                cases.append(pytest.param(row, position, id=f"{row['name']}, {position}", marks=marks))
    return cases


@pytest.mark.parametrize(("row", "position"), _cases())
def test_a_rewrite_is_noise_with_its_reason(row: dict[str, Any], position: str) -> None:
    dialects = row["dialect"] if isinstance(row["dialect"], list) else [row["dialect"]] * 2
    left, right = (
        document(row[side], dialect, position) for side, dialect in zip(("left", "right"), dialects, strict=True)
    )
    for released, candidate in ((left, right), (right, left)):
        comparison = pipeline.compared(released, candidate)
        assert [(found.delta.facet, found.judgement.verdict.value) for found in comparison.rows] == []
        assert comparison.unread == ()
        assert comparison.noise
        assert all(noise.reason for noise in comparison.noise)


def test_the_names_of_the_table_are_unique() -> None:
    names = [row["name"] for row in TABLE["pairs"]]
    assert len(names) == len(set(names))
