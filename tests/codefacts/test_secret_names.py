"""Where the values of secrets come from. Values are invented, and none is kept."""

from __future__ import annotations

import pytest

from evreview.codefacts.logging_and_secrets import secrets_of
from evreview.codefacts.names import Definition
from tests.codefacts.snippets import modules

VALUE = "k7Qp2xV9mZ4tR8wB1nLs"


def origins(text: str) -> dict[str, str]:
    found = modules(text)
    scope = found.scope(found.all[0])
    definitions = [
        Definition(bindings[-1].node, scope, name, bindings[-1].statement)
        for name, bindings in scope.names.items()
        if bindings[-1].node is not None
    ]
    names = [one for definition in definitions for one in secrets_of(found, definition)]
    assert VALUE not in repr(names)
    return {one.name: one.origin for one in names}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"API_KEY = '{VALUE}'", {"API_KEY": "source"}),
        ("import os\nAPI_KEY = os.environ['API_KEY']", {"API_KEY": "environment"}),
        ("import os\nAPI_KEY = os.getenv('API_KEY')", {"API_KEY": "environment"}),
        ("from os import environ\nAPI_KEY = environ.get('API_KEY')", {"API_KEY": "environment"}),
        (f"import os\nAPI_KEY = os.getenv('API_KEY', '{VALUE}')", {"API_KEY": "default in source"}),
        (
            "from pydantic_settings import BaseSettings\nclass S(BaseSettings):\n"
            f"    api_key: str\n    password: str = '{VALUE}'\n    host: str = 'a'\n",
            {"api_key": "environment", "password": "default in source"},
        ),
        (f"NAME = '{VALUE}'", {}),
        ("TOKEN_SECONDS = 900", {}),
        ("TOKEN_URL = '/token'", {}),
        ("from shop import load\nAPI_KEY = load()", {}),
        (f"class S:\n    api_key: str = '{VALUE}'\n", {}),
    ],
)
def test_where_a_secret_comes_from(text: str, expected: dict[str, str]) -> None:
    assert origins(text) == expected
