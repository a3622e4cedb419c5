"""Applications mounted on an application's router or in its list of routes, and which of two routes answers."""

from __future__ import annotations

import pytest

from evreview.codefacts.asgi.fastapi import read_fastapi
from evreview.codefacts.asgi.starlette import read_starlette
from evreview.codefacts.read import read_sources
from tests.codefacts.routes import operations, read
from tests.codefacts.snippets import source

HEAD = """from fastapi import FastAPI, APIRouter
from starlette.applications import Starlette
from starlette.routing import Mount, Route
def plain(request): ...
loans = FastAPI(routes=[Route("/plain", plain)])
@loans.get("/loans")
def mounted(): ...
"""


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("app = FastAPI()\napp.mount('/l', loans)\n", ["/l/loans", "/l/plain"]),
        ("app = FastAPI()\napp.router.mount('/l', loans)\n", ["/l/loans", "/l/plain"]),
        ("app = FastAPI(routes=[Mount('/l', app=loans)])\n", ["/l/loans", "/l/plain"]),
        ("app = FastAPI(routes=[Mount('/l', loans)])\n", ["/l/loans", "/l/plain"]),
        ("R = [Mount('/l/', loans)]\napp = FastAPI(routes=[*R])\n", ["/l/loans", "/l/plain"]),
        ("app = Starlette(routes=[Mount('/v', routes=[Mount('/l', app=loans)])])\n", ["/v/l/loans", "/v/l/plain"]),
    ],
)
def test_mounted_applications(text: str, found: list[str]) -> None:
    facts = [read(reader, HEAD + text) for reader in (read_fastapi, read_starlette)]
    assert [path for one in facts for path in operations(one)] == [f"GET {path}" for path in found]
    assert [one.unread for one in facts] == [(), ()]


OUTER = "@app.get('/l/loans')\ndef outer(): ...\n"
MOUNT = "app.mount('/l', loans)\n"


@pytest.mark.parametrize(
    ("text", "handlers"),
    [
        (f"app = FastAPI()\n{OUTER}{MOUNT}", ["outer", "mounted"]),
        (f"app = FastAPI()\n{MOUNT}{OUTER}", ["mounted", "outer"]),
        (f"app = FastAPI(routes=[Mount('/l', loans)])\n{OUTER}", ["mounted", "outer"]),
        ("r = APIRouter()\n@r.get('/l/loans')\ndef inner(): ...\napp = FastAPI()\n" + OUTER
         + "app.include_router(r)\n", ["outer", "inner"]),
        ("r = APIRouter()\n@r.get('/l/loans')\ndef inner(): ...\napp = FastAPI()\napp.include_router(r)\n" + OUTER,
         ["inner", "outer"]),
        (f"other = FastAPI()\n{OUTER.replace('app', 'other')}app = FastAPI()\n{MOUNT}", ["mounted", "outer"]),
    ],
)  # fmt: skip
def test_the_first_registered_of_two_routes_stands_first(text: str, handlers: list[str]) -> None:
    found = [one.handler for one in read_sources([source(HEAD + text)]).routes if one.path == "/l/loans"]
    assert found == handlers
