"""A value of a discriminator that names another branch is a difference; another component name is none."""

from __future__ import annotations

import json
from typing import Any

from evreview.core.vocabulary import Aspect
from tests.comparison import pairs

CAT: Any = {"type": "object", "properties": {"kind": {"type": "string"}, "lives": {"type": "integer"}}}
DOG: Any = {"type": "object", "properties": {"kind": {"type": "string"}, "loud": {"type": "boolean"}}}


def _made(cat: str = "Cat", dog: str = "Dog") -> pairs.Doc:
    refs = [{"$ref": f"#/components/schemas/{name}"} for name in ("Cat", "Dog")]
    mapping = {"cat": f"#/components/schemas/{cat}", "dog": f"#/components/schemas/{dog}"}
    schema = {"oneOf": refs, "discriminator": {"propertyName": "kind", "mapping": mapping}}
    return pairs.document({"/a": pairs.post(schema)}, {"Cat": CAT, "Dog": DOG})


def test_two_values_that_change_places_are_one_row() -> None:
    ledger = pairs.diff(_made(), _made("Dog", "Cat"))
    assert [(row.aspect, row.facet, row.change.value) for row in ledger.deltas] == [
        (Aspect.DISCRIMINATORS, "discriminator", "changed")
    ]
    assert isinstance(ledger.deltas[0].released, dict)
    assert set(ledger.deltas[0].released["branches"]) == {"cat", "dog"}


def test_one_value_that_moves_is_a_row() -> None:
    assert [row.facet for row in pairs.diff(_made(), _made("Dog", "Dog")).deltas] == ["discriminator"]


def test_renamed_branches_are_none() -> None:
    renamed = json.loads(json.dumps(_made()).replace("/Cat", "/Feline").replace('"Cat"', '"Feline"'))
    assert pairs.diff(_made(), renamed).deltas == ()
