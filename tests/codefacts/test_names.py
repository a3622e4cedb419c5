"""Names and constants are resolved across supplied files without running them."""

from __future__ import annotations

import pytest

from evreview.codefacts.constants import of
from evreview.codefacts.modules import MAX_CHARS, Module
from evreview.codefacts.names import Definition, External, Imported, Modules
from evreview.core.vocabulary import ABSENT
from tests.codefacts.snippets import modules, source

FILES = {
    "src/app/__init__.py": "from .shop.routes import router as public_router\n",
    "src/app/shop/__init__.py": "from .errors import *\n",
    "src/app/shop/errors.py": "class NotFound(Exception):\n    code = 'not_found'\n",
    "src/app/shop/routes.py": """
        import fastapi as fa
        from fastapi import APIRouter as Router
        from app.shop import errors
        from . import errors as near
        from .. import public_router as again
        import app.shop.errors
        from app.shop import NotFound
        router = Router()
        alias = router
        error = app.shop.errors.NotFound
        """,
}


def shown(found: object) -> str:
    match found:
        case Definition(scope=scope):
            return f"{scope.module.source.path}:{found.qualname}"
        case External(name=name):
            return name
        case Imported(module=Module(name=name)):
            return f"module {name}"
    return str(found)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("fa.FastAPI", "fastapi.FastAPI"),
        ("Router", "fastapi.APIRouter"),
        ("errors", "module src.app.shop.errors"),
        ("near.NotFound", "src/app/shop/errors.py:NotFound"),
        ("again", "src/app/shop/routes.py:router"),
        ("alias", "src/app/shop/routes.py:router"),
        ("error", "src/app/shop/errors.py:NotFound"),
        ("NotFound", "src/app/shop/errors.py:NotFound"),
    ],
)
def test_a_name_leads_to_its_definition(name: str, expected: str) -> None:
    assert shown(modules(FILES).find("app.shop.routes", name)) == expected


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("1", 1),
        ("-2.5", -2.5),
        ("'a' 'b'", "ab"),
        ("f'{PREFIX}/orders'", "/v1/orders"),
        ("f'{PREFIX}/{unknown}'", ABSENT),
        ("PREFIX + '/x'", "/v1/x"),
        ("10 * 1024 ** 2", 10 * 1024**2),
        ("1 << 10", 1024),
        ("9 ** 9 ** 9", ABSENT),
        ("(1, 'a', None)", [1, "a", None]),
        ("{'a': [1], **EXTRA}", {"a": [1], "b": 2}),
        ("Color.RED", "red"),
        ("Color.RED.value", "red"),
        ("Mode.FAST", "fast"),
        ("HTTPStatus.NOT_FOUND", 404),
        ("status.HTTP_409_CONFLICT", 409),
        ("Limits.PAGE", 50),
        ("Settings.PAGE", ABSENT),
        ("CHANGED", ABSENT),
        ("EITHER", ABSENT),
        ("os.environ['X']", ABSENT),
        ("len([1])", ABSENT),
    ],
)
def test_constants_are_what_the_code_states(expression: str, expected: object) -> None:
    text = f"""
        import os
        from enum import Enum, StrEnum, auto
        from http import HTTPStatus
        from typing import Final
        from fastapi import status
        from pydantic_settings import BaseSettings
        PREFIX: Final = "/v1"
        EXTRA = {{"b": 2}}
        CHANGED = 1
        if os.environ:
            EITHER = 1
        else:
            EITHER = 2
        def change():
            global CHANGED
            CHANGED = 2
        class Color(Enum):
            RED = "red"
        class Mode(StrEnum):
            FAST = auto()
        class Limits:
            PAGE = 50
        class Settings(BaseSettings):
            PAGE: int = 50
        value = {expression}
        """
    found = modules(text)
    assert of(found, found.find("app", "value")) == expected


def test_methods_are_found_on_instances_of_supplied_classes() -> None:
    found = modules(
        """
        class Base:
            def load(self): ...
        class Service(Base):
            limit = 5
            def run(self):
                return self.load
        service = Service()
        load = service.load
        limit = service.limit
        """
    )
    assert shown(found.find("app", "load")) == "app.py:Base.load"
    assert found.find("app", "limit") is None


@pytest.mark.parametrize(
    "text",
    [
        "def f(:\n",
        "x = " + "(" * 5000 + ")" * 5000,
        "x = " + "-" * 50_000 + "1",
        "x = " + "+".join("a" * 1 for _ in range(3000)),
        "x = 1\0",
        "a = 1\rb = 2\n",
        "#" * (MAX_CHARS + 1),
    ],
    ids=["syntax", "parentheses", "minus", "sum", "null", "carriage-return", "size"],
)
def test_what_cannot_be_parsed_is_named(text: str) -> None:
    found = Modules([source(text)])
    assert not found.all
    assert [(one.spot.item, bool(one.found), bool(one.advice)) for one in found.unread] == [("EV-1", True, True)]
    assert 1 <= found.unread[0].spot.first <= found.unread[0].spot.last <= text.count("\n") + 1


def test_imports_in_a_circle_end() -> None:
    found = modules({"a.py": "from b import x\n", "b.py": "from a import x\n", "c.py": "from c import *\ny = y\n"})
    assert found.find("a", "x") is None
    assert found.find("c", "y") is None


def test_lists_that_grow_fast_are_no_constant() -> None:
    lines = ["a0 = ['x', 'x']", *(f"a{n} = [{', '.join([f'a{n - 1}'] * 10)}]" for n in range(1, 12))]
    found = modules("\n".join(lines))
    assert of(found, found.find("app", "a11")) is ABSENT
