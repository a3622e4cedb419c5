"""Forms in which routes are added: read with what stands around them, or undecided with what is missing."""

from __future__ import annotations

from typing import Final

import pytest

from tests.workflows.w2.services import judged, rows, undecided

CHECK: Final = "request.headers.get('x-key') not in stock.TOKENS"
FLASK: Final = (
    "from functools import partial, wraps\nfrom flask import Flask, jsonify, request\nimport gone, stock\n"
    "def deco(view):\n    @wraps(view)\n    def inner(*args, **values):\n"
    f"        if {CHECK}:\n            return jsonify({{}}), 401\n        return view(*args, **values)\n"
    "    return inner\n"
    "def needs(word):\n    return deco\ndef plain(view):\n    view.tag = 1\n    return view\ndef tagged(word):\n"
    "    return plain\ndef either(word):\n    if word:\n        return deco\n    return plain\n"
    "app = Flask('x')\ndef a(): return jsonify({})\ndef b(): return jsonify({})\napp.add_url_rule('/b', view_func=b)\n"
)
STARLETTE: Final = (
    "from functools import wraps\nfrom starlette.applications import Starlette\nimport gone, stock\n"
    "from starlette.responses import JSONResponse\nfrom starlette.routing import Mount, Route, Router\n"
    "async def a(request): return JSONResponse({})\nclass Gate:\n    def __init__(self, app): self.app = app\n"
    "    async def __call__(self, scope, receive, send):\n"
    "        if scope['type'] == 'http' and dict(scope['headers']).get(b'x-key') not in stock.TOKENS:\n"
    "            return await JSONResponse({}, status_code=401)(scope, receive, send)\n"
    "        await self.app(scope, receive, send)\nclass Open:\n    def __init__(self, app): self.app = app\n"
    "    async def __call__(self, scope, receive, send):\n        await self.app(scope, receive, send)\n"
    "def deco(view):\n    @wraps(view)\n    async def inner(request):\n"
    f"        if {CHECK}:\n            return JSONResponse({{}}, status_code=401)\n        return await view(request)\n"
    "    return inner\n"
)
FAST: Final = (
    "from functools import wraps\nfrom fastapi import APIRouter, Depends, FastAPI, HTTPException, Request\n"
    "import gone, stock\ndef deco(view):\n    @wraps(view)\n    async def inner(request: Request):\n"
    f"        if {CHECK}:\n            raise HTTPException(401)\n        return await view(request)\n    return inner\n"
    "def a(request: Request) -> dict: return {}\napp, r = FastAPI(), APIRouter()\n"
    "@app.get('/b')\ndef b() -> dict: return {}\n"
)
ROUTED: Final = "@r.get('/a')\ndef one() -> dict: return {}\n"


def mounted(part: str) -> str:
    inner = "inner = Starlette(routes=[Route('/a', a)])\n" if "inner" in part else ""
    return STARLETTE + inner + f"app = Starlette(routes=[{part}, Route('/b', a)])\n"


GUARDED: Final = {
    "view_func": FLASK + "app.add_url_rule('/a', view_func=deco(a))\n",
    "view_func by place": FLASK + "app.add_url_rule('/a', 'a', deco(a))\n",
    "view_func by name": FLASK + "kept = deco(a)\napp.add_url_rule('/a', view_func=kept)\n",
    "view_func twice": FLASK + "app.add_url_rule('/a', view_func=deco(deco(a)))\n",
    "view_func of a factory": FLASK + "app.add_url_rule('/a', view_func=needs('x')(a))\n",
    "route by hand": FLASK + "app.route('/a')(deco(a))\n",
    "get by hand": FLASK + "kept = app.get('/a')(deco(a))\n",
    "decorator of a factory": FLASK + "@app.get('/a')\n@needs('x')\ndef one(): return jsonify({})\n",
    "mount": mounted("Mount('/', app=Gate(inner))"),
    "mount by place": mounted("Mount('/', Gate(app=inner))"),
    "mount twice": mounted("Mount('/', app=Open(Gate(inner)))"),
    "mount of a router": mounted("Mount('/', app=Gate(Router([Route('/a', a)])))"),
    "endpoint": mounted("Mount('/', routes=[Route('/a', endpoint=deco(a))])"),
    "api route": FAST + "app.add_api_route('/a', deco(a))\n",
    "api route by name": FAST + "kept = deco(a)\napp.add_api_route('/a', kept, methods=['GET'])\n",
    "path operation by hand": FAST + "app.get('/a')(deco(a))\n",
}
UNTOLD: Final = {
    "view_func of another": FLASK + "app.add_url_rule('/a', view_func=gone.deco(a))\n",
    "one of two decorators": FLASK + "app.add_url_rule('/a', view_func=either('x')(a))\n",
    "view in a loop": FLASK + "for p, v in (('/a', deco(a)),):\n    app.add_url_rule(p, view_func=v)\n",
    "lambda": FLASK + "app.add_url_rule('/a', view_func=lambda: a())\n",
    "mount of another": mounted("Mount('/', app=gone.Gate(inner))"),
    "mount that a function makes": STARLETTE + "def make(): return Gate(Router([Route('/a', a)]))\n"
    "app = Starlette(routes=[Mount('/', app=make()), Route('/b', a)])\n",
    "route under a condition": STARLETTE
    + "found = [Route('/b', a)]\nif gone.DEBUG:\n    found.append(Route('/a', a))\n"
    "app = Starlette(routes=found)\n",
    "router under a condition": FAST + ROUTED + "if gone.DEBUG:\n    app.include_router(r)\n",
    "router and": FAST + ROUTED + "gone.DEBUG and app.include_router(r)\n",
    "router under a condition in a function": FAST
    + ROUTED
    + "def setup(app: FastAPI):\n    if gone.DEBUG:\n        app.include_router(r)\n",
    "router or another prefix": FAST
    + ROUTED
    + "if gone.DEBUG:\n    app.include_router(r)\nelse:\n    app.include_router(r, prefix='/v')\n",
    "operation under a condition": FAST + "if gone.DEBUG:\n    @app.get('/a')\n    def one() -> dict: return {}\n",
    "operation of another": FAST + "app.add_api_route('/a', gone.deco(a))\n",
    "blueprint under a condition": FLASK + "from flask import Blueprint\nbp = Blueprint('p', 'p')\n"
    "@bp.get('/a')\ndef one(): return jsonify({})\nif gone.DEBUG:\n    app.register_blueprint(bp)\n",
}
BARE: Final = {
    "decorator that only marks": FLASK + "app.add_url_rule('/a', view_func=tagged('x')(a))\n",
    "middleware that hands on": mounted("Mount('/', app=Open(inner))"),
    "router": FAST + ROUTED + "app.include_router(r)\n",
    "router in a block that always runs": FAST + ROUTED + "try:\n    app.include_router(r)\nfinally:\n    pass\n",
    "by hand": FAST + "app.get('/a')(a)\n",
}  # fmt: skip
CLAIMS: Final = ("unguarded", "operation-unanswered", "error-unsent", "path-differs", "route-undocumented")


def claimed(code: str) -> set[str]:
    found = judged(code, "GET /a 200 401", "GET /b 200 401")
    return {row for row in rows(found) if row.startswith(CLAIMS)}


@pytest.mark.parametrize("name", GUARDED)
def test_a_guard_around_what_is_added_is_read(name: str) -> None:
    assert claimed(GUARDED[name]) == {"unguarded GET /b", "error-unsent GET /b 401"}


@pytest.mark.parametrize("name", UNTOLD)
def test_what_is_not_told_is_undecided(name: str) -> None:
    assert not {row for row in claimed(UNTOLD[name]) if "GET /a" in row}
    found = undecided(judged(UNTOLD[name], "GET /a 200 401", "GET /b 200 401"))
    assert found & {"GET /a authentication", "GET /a success responses"}


@pytest.mark.parametrize("name", BARE)
def test_what_stands_bare_is_unguarded(name: str) -> None:
    assert {"unguarded GET /a", "unguarded GET /b"} <= claimed(BARE[name])


HANDLED: Final = {
    "fast": "from fastapi import FastAPI, Request\nfrom fastapi.responses import JSONResponse\nimport gone\n"
    "app, DATA = FastAPI(), {}\n@app.exception_handler(KeyError)\nasync def none(request: Request, error: KeyError):\n"
    "    return JSONResponse({}, status_code=404)\ndef find(id): return DATA[id]\n@app.get('/b')\n"
    "def b() -> dict: return {}\n@app.get('/a/{id}')\ndef a(id: str) -> dict:\n    ",
    "flask": "from flask import Flask, jsonify as dict\nimport gone\napp, DATA = Flask('x'), {}\n"
    "@app.errorhandler(LookupError)\ndef none(error):\n    return dict({}), 404\ndef find(id): return DATA[id]\n"
    "@app.get('/b')\ndef b(): return dict({})\n@app.get('/a/<id>')\ndef a(id):\n    ",
}


@pytest.mark.parametrize("framework", HANDLED)
@pytest.mark.parametrize(
    ("body", "open_at"),
    [
        ("return dict(DATA[id])", True),
        ("return dict(DATA.pop(id))", True),
        ("return dict(find(id))", True),
        ("found = [DATA[one] for one in (id,)]\n    return dict(found[0])", True),
        ("return dict(gone.find(id))", True),
        ("return dict(DATA.get(id, {}))", False),
        ("return dict({'x': {}}['x'])", False),
        ("try:\n        return dict(DATA[id])\n    except KeyError:\n        return dict({})", False),
    ],
)
def test_a_lookup_may_reach_the_handler_of_its_error(framework: str, body: str, open_at: bool) -> None:
    found = judged(HANDLED[framework] + body + "\n", "GET /a/{id} 200 404 free", "GET /b 200 404 free")
    said = [row for row in rows(found) if row.startswith("error-unsent")]
    assert said == [*([] if open_at else ["error-unsent GET /a/{id} 404"]), "error-unsent GET /b 404"]
    assert ("GET /a/{id} errors" in undecided(found)) is open_at
