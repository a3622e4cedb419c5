"""Defaults of body fields are read in each framework: what an absent field stands for."""

from __future__ import annotations

import pytest

from evreview.codefacts.read import read_sources
from evreview.core.vocabulary import Json
from tests.codefacts.snippets import source
from tests.codefacts.test_check_leads import DRF, LOAD, MARSHMALLOW, PYDANTIC, ROUTE

LEVEL = "from enum import Enum\nclass Level(Enum):\n    LOW = 'low'\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (PYDANTIC + "class M(BaseModel):\n    level: str = 'low'\n" + ROUTE, "low"),
        (PYDANTIC + "class M(BaseModel):\n    level: str = Field('low', max_length=5)\n" + ROUTE, "low"),
        (PYDANTIC + LEVEL + "class M(BaseModel):\n    level: Level = Level.LOW\n" + ROUTE, "low"),
        (MARSHMALLOW + "class M(Schema):\n    level = fields.Str(load_default='low')\n" + LOAD, "low"),
        (DRF.format("    level = serializers.ChoiceField(choices=['low', 'high'], default='low')"), "low"),
    ],
)
def test_the_default_of_a_field_is_read(text: str, expected: Json) -> None:
    body = read_sources((source(text),)).routes[0].body
    assert body is not None and isinstance(body.schema, dict)
    properties = body.schema["properties"]
    assert isinstance(properties, dict) and properties["level"]["default"] == expected  # type: ignore[index,call-overload]
