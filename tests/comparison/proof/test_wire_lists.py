"""Items of lists that travel as text: where each one that is sent is expected as one item, the list is."""

from __future__ import annotations

from typing import Any

import pytest

from evreview.core.vocabulary import Json, ProofMethod, Verdict
from tests.comparison.proof.test_wire import BOOLEAN, INTEGER, STRING, _document
from tests.pipeline import compared

PLACES = (
    *((kind, style, explode) for kind, style in (("query", "form"), ("cookie", "form")) for explode in (True, False)),
    *(("path", style, explode) for style in ("simple", "label", "matrix") for explode in (True, False)),
    *(("query", style, False) for style in ("spaceDelimited", "pipeDelimited")),
    ("header", "simple", False),
)


def _list(item: Json, **more: Json) -> Json:
    return {"type": "array", "items": item, **more}


def _verdicts(
    place: Any, sender: Json, receiver: Json, *, other: Any = None
) -> set[tuple[Verdict, ProofMethod | None]]:
    sides = []
    for schema, (kind, style, explode) in ((sender, place), (receiver, other or place)):
        sides.append(_document(kind, schema, style=style, explode=explode))
    return {(row.judgement.verdict, row.proof.method) for row in compared(*sides).rows}


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize(
    ("sender", "receiver"),
    [
        (INTEGER, STRING),
        (BOOLEAN, STRING),
        ({"type": "integer", "enum": [1, 2]}, {"type": "string", "enum": ["1", "2", "3"]}),
    ],
)
def test_items_that_are_all_expected(place: Any, sender: Json, receiver: Json) -> None:
    safe = {(Verdict.COMPATIBLE, ProofMethod.ENCODING)}
    said = _verdicts(place, _list(sender, maxItems=3, minItems=1), _list(receiver, maxItems=4))
    assert said <= safe | {(Verdict.COMPATIBLE, ProofMethod.CONTAINMENT)}
    assert said & safe


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize(
    ("sender", "receiver"),
    [
        (_list(STRING), _list(INTEGER)),
        (_list(INTEGER), _list(STRING, minItems=2)),
        (_list(INTEGER), _list(STRING, maxItems=2)),
        (_list(INTEGER), _list({"type": "string", "maxLength": 1})),
        (_list(INTEGER), _list(STRING, uniqueItems=True)),
        (_list({"type": "integer", "enum": [1, 2]}), _list({"type": "string", "enum": ["1"]})),
    ],
)
def test_items_or_numbers_of_them_that_are_not_all_expected(place: Any, sender: Json, receiver: Json) -> None:
    assert Verdict.BREAKING in {verdict for verdict, _ in _verdicts(place, sender, receiver)}


def test_lists_that_are_parted_in_two_usage_paths() -> None:
    found = _verdicts(("query", "form", True), _list(INTEGER), _list(STRING), other=("query", "form", False))
    assert Verdict.BREAKING in {verdict for verdict, _ in found}


def test_texts_that_a_separator_parts() -> None:
    """A text with a point is two items of an exploded label."""
    sender, receiver = _list({"enum": ["0.5", 1]}), _list({"type": "string", "enum": ["0.5", "1"]})
    for place, safe in ((("path", "label", True), False), (("path", "simple", True), True)):
        found = _verdicts(place, sender, receiver)
        assert ({verdict for verdict, _ in found} == {Verdict.COMPATIBLE}) is safe
