"""The style `matrix` writes the name of a path parameter: renamed, the URLs are others. RFC 6570, section 3.2.7."""

from __future__ import annotations

from typing import Any

import pytest

from evreview.core.vocabulary import ProofStatus, Verdict
from evreview.kinds.replay import replay
from evreview.schema.cross_check_validator import CrossCheckValidator
from tests.pipeline import compared

TEXT: Any = {"type": "string"}
VALUES: Any = {
    "text": TEXT,
    "list": {"type": "array", "items": TEXT},
    "object": {"type": "object", "properties": {"a": TEXT}},
}


def _named(name: str, value: str, style: str, *, explode: bool) -> Any:
    parameter = {"name": name, "in": "path", "required": True, "schema": VALUES[value], "style": style}
    operation = {"parameters": [{**parameter, "explode": explode}], "responses": {"204": {"description": ""}}}
    info = {"title": "t", "version": "1"}
    return {"openapi": "3.1.0", "info": info, "paths": {f"/a/{{{name}}}": {"get": operation}}}


@pytest.mark.parametrize("explode", [True, False])
@pytest.mark.parametrize("value", VALUES)
@pytest.mark.parametrize("style", ["simple", "label", "matrix"])
def test_a_path_parameter_renamed(style: str, value: str, explode: bool) -> None:
    found = compared(*(_named(name, value, style, explode=explode) for name in ("x", "y")))
    if style == "matrix" and not (value == "object" and explode):
        (row,) = found.rows
        assert (row.judgement.verdict, row.proof.status) == (Verdict.BREAKING, ProofStatus.WITNESSED)
        assert replay(found.ledger.released, found.ledger.candidate, row.proof.witness, CrossCheckValidator()).confirmed
    else:
        assert found.rows == ()
        assert [noise.delta.facet for noise in found.noise] == ["name"]


def test_a_style_that_changes_with_the_name_is_witnessed() -> None:
    found = compared(_named("x", "text", "label", explode=False), _named("y", "text", "matrix", explode=False))
    assert [(row.judgement.verdict, row.proof.status) for row in found.rows] == [
        (Verdict.BREAKING, ProofStatus.WITNESSED)
    ]
