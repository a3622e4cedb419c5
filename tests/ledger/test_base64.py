"""`format: byte` and `contentEncoding: base64` are one thing in two versions of the format."""

from __future__ import annotations

from typing import Any

import pytest

from evreview.compare import compare
from evreview.ledger.noise import BASE64
from evreview.vocab import Json, Verdict
from tests.pipeline import contract

BYTE: Json = {"type": "string", "format": "byte"}
ENCODED: Json = {"type": "string", "contentEncoding": "base64"}


def document(version: str, schema: Any, *, sent: bool = True) -> Json:
    content = {"application/json": {"schema": {"type": "object", "required": ["a"], "properties": {"a": schema}}}}
    body: Any = {"requestBody": {"content": content}} if sent else {}
    answer: Any = {"description": "x", **({} if sent else {"content": content})}
    return {
        "openapi": version,
        "info": {"title": "t", "version": "1"},
        "paths": {"/a": {"post": {**body, "responses": {"200": answer}}}},
    }


@pytest.mark.parametrize("sent", [True, False])
@pytest.mark.parametrize(
    ("released", "candidate"),
    [
        (("3.0.3", BYTE), ("3.1.0", ENCODED)),
        (("3.1.0", ENCODED), ("3.0.3", BYTE)),
        (("3.1.0", BYTE), ("3.1.0", ENCODED)),
        (("3.0.3", BYTE), ("3.1.0", {**ENCODED, "format": "byte"})),  # type: ignore[dict-item]
        (("3.0.3", BYTE), ("3.1.0", {"type": "string", "contentEncoding": "BASE64"})),
    ],
)
def test_two_spellings_are_noise(released: tuple[str, Json], candidate: tuple[str, Json], sent: bool) -> None:
    found = compare(contract(document(*released, sent=sent)), contract(document(*candidate, sent=sent)))
    assert found.rows == ()
    assert BASE64 in {noise.reason for noise in found.noise}


@pytest.mark.parametrize(
    ("candidate", "verdicts"),
    [
        ({"type": "string", "contentEncoding": "base16"}, {Verdict.BREAKING, Verdict.COMPATIBLE}),
        ({"type": "string"}, {Verdict.COMPATIBLE}),
        ({**ENCODED, "maxLength": 4}, {Verdict.BREAKING}),  # type: ignore[dict-item]
        ({**ENCODED, "format": "uuid"}, {Verdict.BREAKING}),  # type: ignore[dict-item]
    ],
)
def test_another_meaning_is_none(candidate: Json, verdicts: set[Verdict]) -> None:
    found = compare(contract(document("3.0.3", BYTE)), contract(document("3.1.0", candidate)))
    assert {row.judgement.verdict for row in found.rows} == verdicts
