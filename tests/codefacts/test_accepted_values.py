"""Schemas against what marshmallow 4.4 and Django REST framework 3.18 really accepted, value by value.

The two files hold, per field, one digit for each value: 1 where the library took it.
"""

from __future__ import annotations

import ast
import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from evreview.codefacts.django.bodies import serializer_at
from evreview.codefacts.marshmallow import schema_at
from tests.codefacts.snippets import modules

DATA = Path(__file__).parent / "data"
MEASURED = {name: json.loads((DATA / name).read_text(encoding="utf-8")) for name in (
    "marshmallow-accepts.json", "serializers-accept.json",
)}  # fmt: skip
CASES = [(name, field) for name, measured in MEASURED.items() for field in measured["accepts"]]


@pytest.mark.parametrize(("name", "field"), CASES)
def test_a_schema_never_says_more_than_the_library_does(name: str, field: str) -> None:
    measured = MEASURED[name]
    found = modules(f"{measured['start']}{field}\n")
    scope, cls = found.scope(found.all[0]), ast.Name(id="S", ctx=ast.Load())
    shape: Any = (schema_at if name.startswith("m") else serializer_at)(found, scope, cls, True)
    validator = jsonschema.Draft202012Validator(shape.schema)
    wrong = []
    for value, digit in zip(measured["values"], measured["accepts"][field], strict=True):
        took, says = digit == "1", validator.is_valid({"x": value})
        if took != says and not (took and shape.coerces) and not (says and not shape.exact):
            wrong.append(value)
    assert wrong == []
