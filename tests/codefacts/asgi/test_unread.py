"""What FastAPI code does not tell is named: parts of a route, and routes."""

from __future__ import annotations

import pytest

from tests.codefacts.asgi.routes import APP, facts, only


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("from elsewhere import user\n@app.get('/x')\ndef h(u=Depends(user)): return 1", "elsewhere.user"),
        ("from elsewhere import Order\n@app.get('/x')\ndef h(order: Order): return 1", "order"),
        ("from elsewhere import wrap\n@app.get('/x')\n@wrap\ndef h(): return 1", "elsewhere.wrap"),
        ("O = {}\n@app.get('/x', **O)\ndef h(): return 1", "arguments"),
        ("@app.get('/x')\ndef h(**rest): return 1", "rest"),
        ("import functools as f\n@app.get('/x')\ndef h(u=Depends(f.partial(HEAD, 1))): return 1", "functools.partial"),
        ("from elsewhere import M\napp.add_middleware(M)\n@app.get('/x')\ndef h(): return 1", "elsewhere.M"),
    ],
)
def test_what_no_file_defines_is_named(text: str, word: str) -> None:
    route = only(f"{APP}{text}\n")
    assert [word in one.found for one in route.unread] == [True]
    assert route.parameters == ()


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("import os\n@app.get(os.environ['X'])\ndef h(): return 1", "path"),
        ("from elsewhere import router\napp.include_router(router)", "router"),
        ("r = APIRouter()\napp.include_router(r, prefix=HEAD())", "prefix"),
        ("@app.websocket('/x')\nasync def h(ws): ...", "WebSocket"),
        ("from elsewhere import h\napp.add_api_route('/x', h)", "handler"),
        ("app.mount('/static', static)", "static"),
    ],
)
def test_routes_that_cannot_be_told_are_named(text: str, word: str) -> None:
    found = facts(f"{APP}{text}\n")
    assert found.routes == ()
    assert [word in one.found for one in found.unread] == [True]


def test_a_router_without_application_says_that_its_prefix_is_not_known() -> None:
    route = only("router = APIRouter(prefix='/orders')\n@router.get('/x')\ndef h(): return 1\n")
    assert route.path == "/orders/x"
    assert len(route.unread) == 1


def test_a_prefix_from_settings_is_its_default_and_says_so() -> None:
    text = """
from pydantic_settings import BaseSettings
class Settings(BaseSettings):
    PREFIX: str = "/api"
settings = Settings()
app = FastAPI()
router = APIRouter(prefix="/v1")
@router.get("/x")
def h(): return 1
app.include_router(router, prefix=settings.PREFIX)
"""
    route = only(text)
    assert route.path == "/api/v1/x"
    assert ["setting" in one.found for one in route.unread] == [True]
