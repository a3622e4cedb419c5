"""Absence is claimed only where all that could hold the contrary was read; the real absence beside it still is."""

from __future__ import annotations

from typing import Final, NamedTuple

import pytest

from evreview.sources.read import read_sources
from tests.reference.services import contract, judged, rows, undecided
from tests.sources.snippets import sources

ASYNC: Final = """
class Gate:
    def __init__(self, app): self.app = app
    async def __call__(self, scope, receive, send):
        {0}
"""
DENY: Final = """if b"authorization" not in dict(scope["headers"]):
            return await JSONResponse({}, status_code=401)(scope, receive, send)
        await self.app(scope, receive, send)
"""
STAR: Final = (
    "from starlette.applications import Starlette\nfrom starlette.middleware import Middleware\n"
    "from starlette.responses import JSONResponse\nfrom starlette.routing import Mount, Route, Router\n"
    "from gone import Gone\nasync def a(request): return JSONResponse({})\n"
)
FAST: Final = (
    "from fastapi import APIRouter, Depends, FastAPI, HTTPException, Request\n"
    "from starlette.responses import JSONResponse\nimport gone\n"
    "def signed(request: Request):\n    if 'authorization' not in request.headers:\n        raise HTTPException(401)\n"
)
FLASK: Final = (
    "from functools import wraps\nfrom flask import Blueprint, Flask, current_app, g, jsonify, request\nimport gone\n"
    "def deny():\n    if 'Authorization' not in request.headers:\n        return jsonify({}), 401\n"
)
TWO: Final = ("GET /a 200", "GET /b 200")


class Case(NamedTuple):
    """A service, the contract in short, the operations that surely are unguarded, and those that nobody can tell."""

    code: str
    contract: tuple[str, ...]
    bare: tuple[str, ...]
    untold: tuple[str, ...]


def star(mount: str, gate: str = DENY) -> str:
    return STAR + ASYNC.format(gate) + f"app = Starlette(routes=[{mount}, Route('/b', a)])\n"


def fast(body: str) -> str:
    return FAST + body


def flask(body: str) -> str:
    return FLASK + body + "app.register_blueprint(bp)\n@app.get('/b')\ndef b(): return jsonify({})\n"


BP: Final = "app, bp = Flask('x'), Blueprint('p', 'p')\n@bp.get('/a')\ndef a(): return jsonify({})\n"
ROUTES: Final = "@r.get('/a')\ndef a() -> dict: return {}\n@app.get('/b')\ndef b() -> dict: return {}\n"
CALLS: Final = "app = Flask('x')\n@app.get('/b')\ndef b(): return jsonify({})\n@app.get('/a')\ndef a():\n"
LOOP: Final = "for route in app.routes:\n"
NEED: Final = (
    "def need(view):\n    @wraps(view)\n    def inner(*a, **k):\n"
    "        if 'Authorization' not in request.headers: return jsonify({}), 401\n        return view(*a, **k)\n"
    "    return inner\n"
)
VIEWS: Final = "from flask.views import MethodView\n" + "".join(
    f"class {name}(MethodView):\n    decorators = []\n    def get(self): return jsonify({{}})\n" for name in "AB"
)
VIEW_RULES: Final = "app = Flask('x')\n" + "".join(
    f"app.add_url_rule('/{name.lower()}', view_func={name}.as_view('{name}'))\n" for name in "AB"
)
PROVEN: Final = (
    "from flask import abort\ndef check():\n"
    "    if request.headers.get('Authorization') != gone.TOKEN: abort(401)\ndef nobody(): print('seen')\n"
    "def wrap(test):\n    def deco(view):\n        @wraps(view)\n        def inner(*a, **k):\n            test()\n"
    "            return view(*a, **k)\n        return inner\n    return deco\n"
    "class Needs:\n    def __init__(self, role): self.role = role\n    def __call__(self, view):\n"
    "        @wraps(view)\n        def inner(*a, **k):\n            check()\n            return view(*a, **k)\n"
    "        return inner\n"
    "def around(view, test):\n    @wraps(view)\n    def inner(*a, **k):\n        test()\n"
    "        return view(*a, **k)\n    return inner\n"
)


def decorated(before: str, mark: str) -> str:
    """A service whose `/a` is decorated, by the decorators of `PROVEN` and what stands before."""
    a = f"@app.get('/a')\n{mark}\ndef a(): return jsonify({{}})\n"
    return f"{FLASK}{PROVEN}{before}app = Flask('x')\n{a}@app.get('/b')\ndef b(): return jsonify({{}})\n"


def looking(body: str, before: str = "from gone import user\n") -> str:
    return FLASK + before + CALLS + f"    {body}\n"


DEALT: Final = "def guarded(role):\n    def deco(view): return around(view, {0})\n    return deco\n"
CASES: Final[dict[str, Case]] = {
    "member of an object that nobody supplied": Case(
        looking("return jsonify({'x': user.name})"), TWO, ("GET /b",), ("GET /a",)),
    "member of it, looked at in passing": Case(
        looking("user.id\n    return jsonify({})"), TWO, ("GET /b",), ("GET /a",)),
    "such an object as a text": Case(looking("return jsonify({'x': f'{user}'})"), TWO, ("GET /b",), ("GET /a",)),
    "such an object as a condition": Case(
        looking("return jsonify({}) if user else jsonify([])"), TWO, ("GET /b",), ("GET /a",)),
    "item of such an object": Case(looking("return jsonify({'x': user['id']})"), TWO, ("GET /b",), ("GET /a",)),
    "object of a module that nobody supplied": Case(
        looking("return jsonify({'x': gone.user.name})"), TWO, ("GET /b",), ("GET /a",)),
    "object of a neighbour that nobody supplied": Case(
        looking("return jsonify({'x': user.name})", "from .auth import user\n"), TWO, ("GET /b",), ("GET /a",)),
    "such an object in a helper": Case(
        looking("return jsonify({'x': name()})", "from gone import user\ndef name(): return user.name\n"),
        TWO, ("GET /b",), ("GET /a",)),
    "such an object in a handler of FastAPI": Case(
        fast("from gone import user\napp = FastAPI()\n@app.get('/a')\ndef a() -> dict: return {'x': user.name}\n"
             "@app.get('/b')\ndef b() -> dict: return {}\n"), TWO, ("GET /b",), ("GET /a",)),
    "text of the standard library": Case(looking("return json.dumps({})", "import json\n"), TWO,
                                         ("GET /a", "GET /b"), ()),
    "setting of the system": Case(looking("return jsonify({'x': os.environ['X']})", "import os\n"), TWO,
                                  ("GET /a", "GET /b"), ()),
    "constant that nobody supplied": Case(looking("return jsonify({'x': limits.MAX, 'y': TOP[0]})",
                                                  "from gone import TOP, limits\n"), TWO, ("GET /a", "GET /b"), ()),
    "member of a class that nobody supplied": Case(looking("return jsonify({'x': Color.red.value})",
                                                           "from gone import Color\n"), TWO, ("GET /a", "GET /b"), ()),
    "object of a library that is known": Case(looking("return jsonify({'x': current_user.id})",
                                                      "from flask_login import current_user\n"), TWO,
                                              ("GET /a", "GET /b"), ()),
    "decorator of a factory": Case(decorated("", "@wrap(check)"), TWO, ("GET /b",), ()),
    "decorator of a factory of a factory": Case(
        decorated("def guarded(role): return wrap(check)\n", "@guarded('x')"), TWO, ("GET /b",), ()),
    "decorator of a factory, kept": Case(decorated("admin = wrap(check)\n", "@admin"), TWO, ("GET /b",), ()),
    "decorator made and handed back": Case(
        decorated("def guarded(role):\n    made = wrap(check)\n    return made\n", "@guarded('x')"), TWO,
        ("GET /b",), ()),
    "decorator that gives on what it decorates": Case(
        decorated(DEALT.format("check"), "@guarded('x')"), TWO, ("GET /b",), ()),
    "decorator that is an object": Case(decorated("", "@Needs('x')"), TWO, ("GET /b",), ()),
    "decorator of a partial": Case(
        decorated("from functools import partial\n", "@partial(around, test=check)"), TWO, ("GET /b",), ()),
    "decorator with a short function": Case(decorated("", "@wrap(lambda: check())"), TWO, ("GET /b",), ()),
    "decorator of a factory that asks nobody": Case(
        decorated("def noted(role): return wrap(nobody)\n", "@noted('x')"), TWO, ("GET /a", "GET /b"), ()),
    "decorator that gives on to what asks nobody": Case(
        decorated(DEALT.format("nobody"), "@guarded('x')"), TWO, ("GET /a", "GET /b"), ()),
    "decorator with a short function that asks nobody": Case(
        decorated("", "@wrap(lambda: nobody())"), TWO, ("GET /a", "GET /b"), ()),
    "decorator of a factory that gets what nobody supplied": Case(
        decorated("def guarded(role): return wrap(gone.check)\n", "@guarded('x')"), TWO, ("GET /b",), ("GET /a",)),
    "decorator of a factory of FastAPI": Case(
        fast("from functools import wraps\ndef wrap(test):\n    def deco(view):\n        @wraps(view)\n"
             "        def inner(*a, **k):\n            test()\n            return view(*a, **k)\n"
             "        return inner\n    return deco\ndef check():\n"
             "    if gone.who() != 1: raise HTTPException(401)\ndef guarded(): return wrap(check)\n"
             "app = FastAPI()\n@app.get('/a')\n@guarded()\ndef a() -> dict: return {}\n"
             "@app.get('/b')\ndef b() -> dict: return {}\n"), TWO, ("GET /b",), ()),
    "mount with middleware of its own": Case(
        star("Mount('/', routes=[Route('/a', a)], middleware=[Middleware(Gate)])"), TWO, ("GET /b",), ()
    ),
    "router with middleware": Case(
        star("Mount('/', app=Router(routes=[Route('/a', a)], middleware=[Middleware(Gate)]))"), TWO, ("GET /b",), ()
    ),
    "route with middleware": Case(star("Route('/a', a, middleware=[Middleware(Gate)])"), TWO, ("GET /b",), ()),
    "route with middleware that nobody supplied": Case(
        star("Route('/a', a, middleware=[Middleware(Gone)])"), TWO, ("GET /b",), ("GET /a",)
    ),
    "middleware for start-up alone": Case(
        star(
            "Route('/a', a, middleware=[Middleware(Gate)])",
            "if scope['type'] != 'http':\n            await send({'type': 'websocket.close'})\n            return\n"
            "        await self.app(scope, receive, send)\n",
        ),
        TWO, ("GET /a", "GET /b"), (),
    ),
    "middleware that sends by itself": Case(
        star(
            "Route('/a', a, middleware=[Middleware(Gate)])",
            "if b'authorization' not in dict(scope['headers']):\n"
            "            await send({'type': 'http.response.start', 'status': 401, 'headers': []})\n"
            "            return\n"
            "        await self.app(scope, receive, send)\n",
        ),
        TWO, ("GET /b",), (),
    ),
    "middleware for sockets in a name": Case(
        star(
            "Route('/a', a, middleware=[Middleware(Gate)])",
            "kind = scope['type']\n        if kind in ('websocket', 'lifespan'):\n"
            "            return await JSONResponse({}, 401)(scope, receive, send)\n"
            "        await self.app(scope, receive, send)\n",
        ),
        TWO, ("GET /a", "GET /b"), (),
    ),
    "dependencies extended": Case(
        fast("app, r = FastAPI(), APIRouter()\n" + ROUTES
             + "deps = []\ndeps.extend([Depends(signed)])\napp.include_router(r, dependencies=deps)\n"),
        TWO, ("GET /b",), (),
    ),
    "dependencies joined": Case(
        fast("app, r = FastAPI(), APIRouter()\n" + ROUTES
             + "deps = [Depends(signed)]\napp.include_router(r, dependencies=[*deps] + [])\n"),
        TWO, ("GET /b",), (),
    ),
    "dependencies under a condition": Case(
        fast("app, r = FastAPI(), APIRouter()\n" + ROUTES
             + "deps = []\nif gone.SAFE:\n    deps.append(Depends(signed))\n"
             "app.include_router(r, dependencies=deps)\n"),
        TWO, ("GET /b",), ("GET /a",),
    ),
    "dependencies that a caller gives": Case(
        fast("app, r = FastAPI(), APIRouter()\n" + ROUTES
             + "def join(deps):\n    app.include_router(r, dependencies=deps)\njoin([Depends(signed)])\n"),
        TWO, ("GET /b",), (),
    ),
    "dependencies that nobody tells": Case(
        fast("app, r = FastAPI(), APIRouter()\n" + ROUTES + "app.include_router(r, dependencies=gone.all())\n"),
        TWO, ("GET /b",), ("GET /a",),
    ),
    "middleware of a mounted application": Case(
        fast("app, r = FastAPI(), FastAPI()\n" + ROUTES.replace("/a", "/x")
             + "@r.middleware('http')\nasync def gate(request: Request, call_next):\n"
             "    if 'authorization' not in request.headers:\n        return JSONResponse({}, 401)\n"
             "    return await call_next(request)\napp.mount('/in', r)\n"),
        ("GET /in/x 200", "GET /b 200"), ("GET /b",), (),
    ),
    "middleware function with free paths": Case(
        fast("app = r = FastAPI()\n" + ROUTES + "FREE = {'/b'}\n"
             "@app.middleware('http')\nasync def gate(request: Request, call_next):\n"
             "    if request.url.path in FREE:\n        return await call_next(request)\n"
             "    if 'authorization' not in request.headers:\n        return JSONResponse({}, 401)\n"
             "    return await call_next(request)\n"),
        TWO, ("GET /b",), (),
    ),
    "hook of a blueprint, by a call": Case(flask(BP + "bp.before_request(deny)\n"), TWO, ("GET /b",), ()),
    "hook of a blueprint around a blueprint": Case(
        flask(
            "app, outer, inner = Flask('x'), Blueprint('o', 'o'), Blueprint('i', 'i')\nbp = outer\n"
            "@inner.get('/a')\ndef a(): return jsonify({})\nouter.register_blueprint(inner)\n"
            "outer.before_request(deny)\n"
        ),
        TWO, ("GET /b",), (),
    ),
    "hook for every route, of a blueprint": Case(flask(BP + "bp.before_app_request(deny)\n"), TWO, (), ()),
    "hook that nobody supplied": Case(flask(BP + "bp.before_request(gone.check)\n"), TWO, ("GET /b",), ("GET /a",)),
    "hook with a free endpoint": Case(
        flask(BP + "@app.before_request\ndef gate():\n    if request.endpoint in ('b', 'static'):\n        return\n"
              "    if 'Authorization' not in request.headers:\n        return jsonify({}), 401\n"),
        TWO, ("GET /b",), (),
    ),
    "hook with a free start of paths": Case(
        flask(BP + "@app.before_request\ndef gate():\n    if not request.path.startswith('/b'):\n"
              "        return deny()\n"),
        TWO, ("GET /b",), (),
    ),
    "hook in a factory": Case(
        flask(BP + "def secure(target):\n    @target.before_request\n    def gate(): return deny()\nsecure(bp)\n"),
        TWO, ("GET /b",), (),
    ),
    "object of the application": Case(
        FLASK + CALLS + "    return jsonify(current_app.store.find())\n", TWO, ("GET /b",), ("GET /a",)
    ),
    "object of the request's own": Case(FLASK + CALLS + "    g.access.need()\n    return jsonify({})\n", TWO,
                                        ("GET /b",), ("GET /a",)),
    "extension": Case(FLASK + CALLS + "    current_app.extensions['acl'].need()\n    return jsonify({})\n", TWO,
                      ("GET /b",), ("GET /a",)),
    "set by a function": Case(
        FLASK + "STORE = None\ndef start(store):\n    global STORE\n    STORE = store\n" + CALLS
        + "    return jsonify(STORE.find())\n",
        TWO, ("GET /b",), ("GET /a",),
    ),
    "argument of a factory": Case(
        FLASK + "def make(store):\n    app = Flask('x')\n    @app.get('/a')\n"
        "    def a(): return jsonify(store.find())\n"
        "    @app.get('/b')\n    def b(): return jsonify({})\n    return app\n",
        TWO, ("GET /b",), ("GET /a",),
    ),
    "plain data": Case(
        FLASK + CALLS + "    found = {'x': [1]}\n    for key, value in found.items():\n"
        "        value.append(key.upper())\n"
        "    return jsonify(found.get('x'))\n",
        TWO, ("GET /a", "GET /b"), (),
    ),
    "a library that asks nobody": Case(
        FLASK + "import redis\nstore = redis.Redis()\n" + CALLS + "    return jsonify(store.get('x'))\n",
        TWO, ("GET /a", "GET /b"), (),
    ),
    "view wrapped where it is registered, by a base": Case(
        FLASK + "from flask.views import MethodView\nclass Safe(MethodView):\n"
        "    def dispatch_request(self, **values):\n        if 'Authorization' not in request.headers:\n"
        "            return jsonify({}), 401\n        return super().dispatch_request(**values)\n"
        "class A(Safe):\n    def get(self): return jsonify({})\n"
        "class B(MethodView):\n    def get(self): return jsonify({})\n"
        "app = Flask('x')\napp.add_url_rule('/a', view_func=A.as_view('a'))\n"
        "app.add_url_rule('/b', view_func=B.as_view('b'))\n",
        TWO, ("GET /b",), (),
    ),
    "a base that nobody supplied": Case(
        FLASK + "from flask.views import MethodView\nclass A(gone.View):\n    def get(self): return jsonify({})\n"
        "class B(MethodView):\n    def get(self): return jsonify({})\napp = Flask('x')\n"
        "app.add_url_rule('/a', view_func=A.as_view('a'))\napp.add_url_rule('/b', view_func=B.as_view('b'))\n",
        TWO, ("GET /b",), ("GET /a",),
    ),
    "decorators given to a class later": Case(
        FLASK + VIEWS + "A.decorators = [gone.need]\n" + VIEW_RULES, TWO, ("GET /b",), ("GET /a",),
    ),
    "decorators joined to those of a class": Case(
        FLASK + VIEWS + "A.decorators.append(gone.need)\n" + VIEW_RULES, TWO, ("GET /b",), ("GET /a",),
    ),
    "decorators of a base": Case(
        FLASK + NEED + "from flask.views import MethodView\nclass Base(MethodView):\n    decorators = [need]\n"
        "class A(Base):\n    def get(self): return jsonify({})\n"
        "class B(MethodView):\n    def get(self): return jsonify({})\n" + VIEW_RULES, TWO, ("GET /b",), (),
    ),
    "decorators that nobody can tell": Case(
        FLASK + "from flask.views import MethodView\nclass A(MethodView):\n    decorators = gone.LIST\n"
        "    def get(self): return jsonify({})\n"
        "class B(MethodView):\n    def get(self): return jsonify({})\n" + VIEW_RULES, TWO, ("GET /b",), ("GET /a",),
    ),
    "preprocessor of a blueprint": Case(
        flask(BP + "from flask import abort\n@bp.url_value_preprocessor\ndef pull(endpoint, values):\n"
              "    if 'Authorization' not in request.headers: abort(401)\n"), TWO, ("GET /b",), (),
    ),
    "preprocessor that nobody supplied": Case(
        flask(BP + "bp.url_value_preprocessor(gone.pull)\n"), TWO, ("GET /b",), ("GET /a",),
    ),
    "preprocessor for every route": Case(
        flask(BP + "bp.app_url_value_preprocessor(gone.pull)\n"), TWO, (), ("GET /a", "GET /b"),
    ),
    "preprocessor that looks at nothing": Case(
        flask(BP + "@bp.url_value_preprocessor\ndef pull(endpoint, values): g.part = 1\n"), TWO,
        ("GET /a", "GET /b"), (),
    ),
    "class of the application": Case(
        FLASK + "class App(Flask):\n    def full_dispatch_request(self):\n"
        "        if 'Authorization' not in request.headers: return jsonify({}), 401\n"
        "        return super().full_dispatch_request()\n"
        "app = App('x')\n@app.get('/a')\ndef a(): return jsonify({})\n@app.get('/b')\ndef b(): return jsonify({})\n",
        TWO, (), (),
    ),
    "class of the application that asks nobody": Case(
        FLASK + "class App(Flask):\n    def make_response(self, rv): return super().make_response(rv)\n"
        "app = App('x')\n@app.get('/a')\ndef a(): return jsonify({})\n@app.get('/b')\ndef b(): return jsonify({})\n",
        TWO, ("GET /a", "GET /b"), (),
    ),
    "routes changed in a loop": Case(
        fast("r = app = FastAPI()\n" + ROUTES + LOOP + "    route.dependencies.append(Depends(signed))\n"),
        TWO, (), ("GET /a", "GET /b"),
    ),
    "routes handed on in a loop": Case(
        fast("r = app = FastAPI()\n" + ROUTES + "for route in app.router.routes:\n    gone.protect(route)\n"),
        TWO, (), ("GET /a", "GET /b"),
    ),
    "routes only looked at in a loop": Case(
        fast("r = app = FastAPI()\n" + ROUTES + "for route in app.routes:\n    print(route.path)\n"),
        TWO, ("GET /a", "GET /b"), (),
    ),
    "dependency replaced": Case(
        fast("def nobody(): return None\napp = FastAPI()\n@app.get('/a')\ndef a(w=Depends(nobody)) -> dict: return {}\n"
             "@app.get('/b')\ndef b() -> dict: return {}\napp.dependency_overrides[nobody] = gone.who\n"),
        TWO, ("GET /b",), ("GET /a",),
    ),
    "hook below a decorator of a library": Case(
        flask(BP + "from flask_login import login_required\n@app.before_request\n@login_required\ndef gate(): pass\n"),
        TWO, (), (),
    ),
    "hook above a decorator": Case(
        flask(BP + "@gone.need\n@app.before_request\ndef gate(): pass\n"), TWO, ("GET /a", "GET /b"), (),
    ),
    "hook below a decorator that nobody supplied": Case(
        flask(BP + "@app.before_request\n@gone.need\ndef gate(): pass\n"), TWO, (), ("GET /a", "GET /b"),
    ),
    "guard in a context": Case(
        FLASK + "from contextlib import contextmanager\nfrom flask import abort\n@contextmanager\ndef signed():\n"
        "    if 'Authorization' not in request.headers: abort(401)\n    yield\n" + CALLS
        + "    with signed(): return jsonify({})\n", TWO, ("GET /b",), ("GET /a",),
    ),
    "guard that the handler calls": Case(
        fast("app = FastAPI()\n@app.get('/a')\ndef a(request: Request) -> dict:\n    signed(request)\n    return {}\n"
             "@app.get('/b')\ndef b() -> dict: return {}\n"), TWO, ("GET /b",), ("GET /a",),
    ),
    "router of a class of its own": Case(
        fast("class R(APIRouter):\n    def __init__(self): super().__init__(dependencies=[Depends(signed)])\n"
             "app, r = FastAPI(), R()\n" + ROUTES + "app.include_router(r)\n"), TWO, ("GET /b",), ("GET /a",),
    ),
    "router of a class that adds nothing": Case(
        fast("class R(APIRouter):\n    def names(self): return [one.name for one in self.routes]\n"
             "app, r = FastAPI(), R()\n" + ROUTES + "app.include_router(r)\n"), TWO, ("GET /a", "GET /b"), (),
    ),
    "application of a class of its own": Case(
        fast("class App(FastAPI):\n    def build_middleware_stack(self):\n"
             "        return gone.Gate(super().build_middleware_stack())\n"
             "r = app = App()\n" + ROUTES), TWO, (), ("GET /a", "GET /b"),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_unguarded_is_said_of_what_surely_is(name: str) -> None:
    case = CASES[name]
    found = judged(case.code, *case.contract)
    assert [row for row in rows(found) if row.startswith("unguarded")] == [f"unguarded {each}" for each in case.bare]
    assert {each for each in case.untold if f"{each} authentication" not in undecided(found)} == set()


ABORT: Final = FLASK + (
    "import functools\nfrom flask import abort, appcontext_pushed, request_started, signals\n"
    "from werkzeug.local import LocalProxy\nfrom werkzeug.routing import BaseConverter, IntegerConverter\n"
    "def check(*a, **k): abort(401) if 'Authorization' not in request.headers else None\n"
    "def nobody(*a, **k): return 'x'\napp = Flask('x')\n"
)
A: Final = "@app.get('/a')\ndef a(): return jsonify({})\n"
ITEM: Final = "@app.get('/a/<{0}:key>')\ndef a(key): return jsonify({{}})\n"
PROXY: Final = "@app.get('/a')\ndef a(): return jsonify({'x': str(current)})\n"
CONVERTER: Final = "class Signed(BaseConverter):\n    def to_python(self, value):\n        {0}\n        return value\n"
API: Final = (
    FAST + "api, other = FastAPI(), {}\nDENY = JSONResponse({}, 401)\n@api.get('/a')\ndef a() -> dict: return {}\n"
)
ASGI: Final = "async def app(scope, receive, send):\n    "
UNLESS: Final = "if b'authorization' not in dict(scope['headers']):\n        "
ASIDE: Final = {
    "signal": (ABORT + A + "request_started.connect(check, app)\n", False),
    "signal of a module": (ABORT + A + "signals.request_started.connect(check)\n", False),
    "signal of one application": (
        ABORT + A + "@request_started.connect_via(app)\ndef gate(s, **k):\n    check()\n", False),
    "signal by a decorator": (ABORT + A + "@request_started.connect\ndef gate(s, **k):\n    check()\n", False),
    "signal of the context": (ABORT + A + "appcontext_pushed.connect(check, app)\n", False),
    "signal to what nobody supplied": (ABORT + A + "request_started.connect(gone.check, app)\n", False),
    "signal that refuses nobody": (ABORT + A + "request_started.connect(nobody, app)\n", True),
    "signal whose receiver returns an answer": (ABORT + A + "request_started.connect(deny, app)\n", True),
    "converter": (
        ABORT + CONVERTER.format("check()") + "app.url_map.converters['signed'] = Signed\n" + ITEM.format("signed"),
        False),
    "converter by an update": (
        ABORT + CONVERTER.format("check()") + "app.url_map.converters.update(signed=Signed)\n" + ITEM.format("signed"),
        False),
    "converter in a table": (
        ABORT + CONVERTER.format("check()") + "app.url_map.converters.update({'signed': Signed})\n"
        + ITEM.format("signed"), False),
    "converter of a base": (
        ABORT + CONVERTER.format("check()") + "class Own(Signed): pass\napp.url_map.converters['own'] = Own\n"
        + ITEM.format("own"), False),
    "converter in place of a known one": (
        ABORT + CONVERTER.format("check()") + "app.url_map.converters['int'] = Signed\n" + ITEM.format("int"), False),
    "converter that nobody supplied": (
        ABORT + "app.url_map.converters['own'] = gone.Own\n" + ITEM.format("own"), False),
    "converter that asks what nobody supplied": (
        ABORT + CONVERTER.format("gone.check()") + "app.url_map.converters['own'] = Signed\n" + ITEM.format("own"),
        False),
    "converter that looks at the path": (
        ABORT + CONVERTER.format("value = value.lower()") + "app.url_map.converters['own'] = Signed\n"
        + ITEM.format("own"), True),
    "converter of another route": (
        ABORT + CONVERTER.format("check()") + "app.url_map.converters['own'] = Signed\n" + ITEM.format("int"), True),
    "proxy": (ABORT + "current = LocalProxy(check)\n" + PROXY, False),
    "proxy by a lambda": (ABORT + "current = LocalProxy(lambda: check())\n" + PROXY, False),
    "proxy in a helper": (
        ABORT + "current = LocalProxy(check)\ndef name(): return str(current)\n"
        + PROXY.replace("str(current)", "name()"), False),
    "proxy of what nobody supplied": (ABORT + "current = LocalProxy(gone.user)\n" + PROXY, False),
    "proxy that refuses nobody": (ABORT + "current = LocalProxy(nobody)\n" + PROXY, True),
    "proxy that nobody looks at": (ABORT + "current = LocalProxy(check)\n" + A, True),
    "answer replaced by a tuple": (
        ABORT + A + "@app.after_request\ndef late(response):\n"
        "    if 'Authorization' not in request.headers: return jsonify({}), 401\n    return response\n", False),
    "answer replaced by a call": (
        ABORT + A + "@app.after_request\ndef late(response):\n    return deny() or response\n", False),
    "answer replaced under a name": (
        ABORT + A + "@app.after_request\ndef late(response):\n    from flask import make_response\n"
        "    other = make_response(jsonify({}), 401)\n"
        "    return response if 'Authorization' in request.headers else other\n", False),
    "answer replaced in a blueprint": (
        ABORT + "bp = Blueprint('p', 'p')\napp.register_blueprint(bp)\n" + A.replace("app", "bp")
        + "@bp.after_request\ndef late(answer):\n"
        "    if 'Authorization' not in request.headers: return jsonify({}), 401\n    return answer\n", False),
    "status of the answer set": (
        ABORT + A + "@app.after_request\ndef late(response):\n"
        "    if 'Authorization' not in request.headers: response.status_code = 401\n    return response\n", False),
    "answer replaced by what nobody supplied": (ABORT + A + "app.after_request(gone.late)\n", False),
    "answer handed on": (
        ABORT + A + "@app.after_request\ndef late(response):\n    response.headers['x'] = '1'\n"
        "    return response\n", True),
    "ASGI function": (API + ASGI + UNLESS + "return await JSONResponse({}, 401)(scope, receive, send)\n"
                      "    return await api(scope, receive, send)\n", False),
    "ASGI function with a kept answer": (
        API + ASGI + UNLESS + "await DENY(scope, receive, send)\n    else: await api(scope, receive, send)\n", False),
    "ASGI function that chooses": (
        API + ASGI + "await (api if b'authorization' in dict(scope['headers']) else DENY)(scope, receive, send)\n",
        False),
    "ASGI function that sends": (
        API + ASGI + UNLESS + "await send({'type': 'http.response.start', 'status': 401, 'headers': []})\n"
        "        return\n    await api(scope, receive, send)\n", False),
    "ASGI function in a factory": (
        API + "def make(inner):\n    async def gate(scope, receive, send):\n"
        "        if b'authorization' not in dict(scope['headers']): return await DENY(scope, receive, send)\n"
        "        await inner(scope, receive, send)\n    return gate\napp = make(api)\n", False),
    "ASGI class around a name": (
        API + "class Gate:\n    async def __call__(self, scope, receive, send):\n"
        "        if b'authorization' not in dict(scope['headers']): return await DENY(scope, receive, send)\n"
        "        await api(scope, receive, send)\napp = Gate()\n", False),
    "ASGI function that only hands on": (API + ASGI + "await api(scope, receive, send)\n", True),
    "ASGI function that answers at start-up": (
        API + ASGI + "if scope['type'] == 'lifespan':\n        await send({'type': 'lifespan.startup.complete'})\n"
        "        return\n    await api(scope, receive, send)\n", True),
    "WSGI function": (
        ABORT + A + "def application(environ, start_response):\n    if 'HTTP_AUTHORIZATION' not in environ:\n"
        "        start_response('401 Unauthorized', [])\n        return [b'']\n"
        "    return app(environ, start_response)\n", False),
    "WSGI function around its inner call": (
        ABORT + A + "def application(environ, start_response):\n    if 'HTTP_AUTHORIZATION' not in environ:\n"
        "        return gone.deny(environ, start_response)\n"
        "    return app.wsgi_app(environ, start_response)\n", False),
    "WSGI function that only hands on": (
        ABORT + A + "def application(environ, start_response):\n    return app(environ, start_response)\n", True),
}  # fmt: skip


@pytest.mark.parametrize("name", ASIDE)
def test_what_answers_401_aside_of_the_handler_is_seen(name: str) -> None:
    code, absent = ASIDE[name]
    path = "/a/{key}" if "<" in code else "/a"
    found = judged(code, f"GET {path} 200 401")
    said = {f"unguarded GET {path}", f"error-unsent GET {path} 401"} & set(rows(found))
    assert len(said) == (2 if absent else 0)


@pytest.mark.parametrize(
    ("body", "read", "open_at"),
    [
        ("return jsonify(find(**request.args))", ["limit"], []),
        ("return jsonify(find(**request.args.to_dict()))", ["limit"], []),
        ("return jsonify(find(**dict(request.args)))", ["limit"], []),
        ("args = request.args.to_dict()\n    return jsonify(args.get('limit'))", ["limit"], []),
        ("args = request.args\n    return jsonify(args['limit'])", ["limit"], []),
        ("return jsonify(take(request.args))", ["limit"], []),
        ("return jsonify(asked(request))", ["limit"], []),
        ("return jsonify(Filter(args=request.args).limit)", ["limit"], []),
        ("return jsonify(gone.find(**request.args))", ["limit", "never"], ["limit", "never"]),
        ("return jsonify({k: v for k, v in request.args.items()})", ["limit", "never"], ["limit", "never"]),
        ("return jsonify([request.args.get(one) for one in g.names])", ["limit", "never"], ["limit", "never"]),
        ("g.args = request.args\n    return jsonify({})", ["limit", "never"], ["limit", "never"]),
        ("gone.note(request)\n    return jsonify({})", ["limit", "never"], ["limit", "never"]),
        ("return jsonify(gone.find())", ["limit", "never"], ["limit", "never"]),
        ("return jsonify(gone.Parser().parse_args())", ["limit", "never"], ["limit", "never"]),
        ("gone.seen(3)\n    return jsonify(request.args.get('limit'))", ["limit", "never"], ["never"]),
        ("return jsonify(request.values.get('limit'))", ["limit"], []),
        ("return jsonify(request.values['limit'])", ["limit"], []),
        ("d = dict(request.args)\n    return jsonify(d.pop('limit', None))", ["limit"], []),
        ("import math\n    return jsonify(math.sqrt(4))", [], []),
        ("import redis\n    return jsonify(redis.Redis().get('a'))", [], []),
        ("return jsonify({'any': bool(request.args)})", [], []),
        ("return jsonify({})", [], []),
    ],
)
def test_unread_is_said_of_what_nobody_reads(body: str, read: list[str], open_at: list[str]) -> None:
    code = (
        FLASK + "def find(limit=1): return limit\ndef take(args): return args.get('limit')\n"
        "def asked(req): return req.args.get('limit')\n"
        "class Filter:\n    def __init__(self, args): self.limit = args['limit']\n"
        f"app = Flask('x')\n@app.get('/a')\ndef a():\n    {body}\n"
    )
    found = judged(code, "GET /a 200 400 free ?limit ?never")
    said = [row.rpartition(" ")[2] for row in rows(found) if row.startswith("parameter-unread")]
    assert said == [name for name in ("limit", "never") if name not in read]
    held = ("handed on", "not constant", "may read")
    assert [
        each.place.split()[-1]
        for each in found.undecided
        if each.concern == "parameters" and any(words in each.reason for words in held)
    ] == open_at


@pytest.mark.parametrize(
    ("body", "read"),
    [
        ("return find(**request.query_params)", ["limit"]),
        ("return take(request.query_params)", ["limit"]),
        ("return gone.find(request.query_params)", ["limit", "never"]),
        ("return read(request)", ["limit"]),
        ("args = request.query_params\n    return {'l': args['limit']}", ["limit"]),
        ("return gone.find(request)", ["limit", "never"]),
        ("return {'a': request.method}", []),
    ],
)
def test_unread_of_starlette_requests(body: str, read: list[str]) -> None:
    code = FAST + (
        "def find(limit='1'): return {'l': limit}\ndef read(asked): return take(asked.query_params)\n"
        "def take(args): return {'l': args.get('limit')}\n"
        f"app = FastAPI()\n@app.get('/a')\ndef a(request: Request) -> dict:\n    {body}\n"
    )
    found = judged(code, "GET /a 200 422 free ?limit ?never")
    said = [row.rpartition(" ")[2] for row in rows(found) if row.startswith("parameter-unread")]
    assert said == [name for name in ("limit", "never") if name not in read]


WEB: Final = (
    "import functools\nfrom aiohttp import web\nimport gone\nr = web.RouteTableDef()\n{0}"
    "@r.get('/b')\nasync def b(request): return web.json_response({{}})\napp = web.Application()\napp.add_routes(r)\n"
)
GIVEN: Final = "@route('/a')\ndef a(): return {}\n"
OVER: Final = {
    "a helper that returns the decorator": "def route(path): return app.get(path)\n" + GIVEN,
    "a helper with more": "def route(path):\n    full = '/x' + path\n    return app.get(full)\n" + GIVEN,
    "another name": "route = app.get\n" + GIVEN,
    "a lambda": "route = lambda path: app.get(path)\n" + GIVEN,
    "a part of a call": "route = functools.partial(app.get)\n" + GIVEN,
    "a kept decorator": "index = app.get('/a')\n@index\ndef a(): return {}\n",
    "a decorator in a decorator": "@gone.both(app.get('/a'))\ndef a(): return {}\n",
    "a class": "class R:\n    def get(self, path): return app.get(path)\nroute = R().get\n" + GIVEN,
}
PLAIN_ONES: Final = {
    "a dictionary": "KEPT = {}\ndef name(path): return KEPT.get(path)\n@gone.mark\ndef a(): return {}\n",
    "a route of its own": "@app.get('/c')\ndef c(): return {}\n",
    "the handler of a decorator": "def c(): return {}\napp.get('/c')(c)\n",
    "a decorator of the files": "def mark(f): return f\n@mark\ndef a(): return {}\n",
}


@pytest.mark.parametrize(
    ("framework", "name"),
    [
        (framework, name)
        for framework in ("fastapi", "flask", "aiohttp")
        for name in (*OVER, *PLAIN_ONES)
        if (framework, name) != ("aiohttp", "the handler of a decorator")  # a form that its reader does not take
    ],
)
def test_a_route_that_a_helper_registers_is_not_unanswered(framework: str, name: str) -> None:
    body = OVER.get(name) or PLAIN_ONES[name]
    if framework == "aiohttp":
        code = WEB.format(body.replace("app.", "r.").replace("def a()", "async def a(request)"))
    else:
        made = {"fastapi": FAST + "app = FastAPI()\n", "flask": FLASK + "app = Flask('x')\n"}[framework]
        code = made + "import functools\n" + body + "@app.get('/b')\ndef b(): return {}\n"
    found = judged(code, "GET /a 200 free", "GET /b 200 free")
    assert ("operation-unanswered GET /a" in rows(found)) is (name in PLAIN_ONES)


INDEX: Final = "@{0}.route('/a/'{1})\ndef a(): return jsonify({{}})\n"


@pytest.mark.parametrize(
    ("code", "differs"),
    [
        ("app = Flask('x')\napp.url_map.strict_slashes = False\n" + INDEX.format("app", ""), False),
        ("app = Flask('x')\n" + INDEX.format("app", ", strict_slashes=False"), False),
        ("app = Flask('x')\n" + INDEX.format("app", ""), True),
        ("app = Flask('x')\n" + INDEX.format("app", "") + "app.url_map.strict_slashes = False\n", True),
        ("app = Flask('x')\napp.url_map.strict_slashes = False\n" + INDEX.format("app", ", strict_slashes=True"), True),
        ("app = Flask('x')\napp.url_map.strict_slashes = gone.STRICT\n" + INDEX.format("app", ""), None),
        ("def make():\n    app = Flask('x')\n    app.url_map.strict_slashes = False\n    app.register_blueprint(bp)\n"
         "    return app\nbp = Blueprint('p', 'p')\n" + INDEX.format("bp", ""), False),
        ("def make():\n    app = Flask('x')\n    app.register_blueprint(bp)\n    app.url_map.strict_slashes = False\n"
         "    return app\nbp = Blueprint('p', 'p')\n" + INDEX.format("bp", ""), True),
    ],
)  # fmt: skip
def test_a_path_differs_where_slashes_count(code: str, differs: bool | None) -> None:
    found = judged(FLASK + code, "GET /a 200 free")
    assert ("path-differs GET /a" in rows(found)) is (differs is True)
    assert any(each.place == "path" for each in found.undecided) is (differs is None)


def test_handlers_of_one_route_are_rows_of_their_own() -> None:
    code = (
        FAST
        + "app = FastAPI()\n"
        + "".join(
            f"@app.put('/a/{{{name}}}')\ndef {name}({name}: str) -> dict: return {{}}\n"
            for name in ("one", "two", "one")
        )
    )
    found = judged(code + "@app.get('/a')\ndef a() -> dict: return {}\n", "GET /a 200 free")
    ids = [row.id for row in found.discrepancies if row.kind == "route-undocumented"]
    assert len(ids) == len(set(ids)) == 3


def test_what_a_route_is_exempt_from_is_not_said_of_it() -> None:
    gate = (
        "@app.before_request\ndef gate():\n    if {0}:\n        return None\n"
        "    if 'Authorization' not in request.headers:\n        return jsonify({{}}), 401\n"
    )
    for test in ("request.endpoint == 'b'", "request.path == '/b'", "'b' == request.endpoint", "request.path in FREE"):
        code = (
            FLASK
            + "FREE = frozenset({'/b'})\napp = Flask('x')\n"
            + gate.format(test)
            + ("@app.get('/a')\ndef a(): return jsonify({})\n@app.get('/b')\ndef b(): return jsonify({})\n")
        )
        found = judged(code, "GET /a 200 401", "GET /b 200 free")
        assert [row for row in rows(found) if not row.startswith("framework")] == []
        assert "GET /b authentication" not in undecided(found)


_MATCHED: Final = {
    "the mapping": ("match {0}:\n        case {{'x': x}}: return OK\n        case _: return OK", ["never"], []),
    "one or another": ("match {0}:\n        case {{'x': 'a'}} | {{'x': 'b'}}: return OK\n        case _: return OK",
                       ["never"], []),
    "one of a pair": ("match ({0}, 1):\n        case ({{'x': x}}, 1): return OK\n        case _: return OK",
                      ["never"], []),
    "under a name": ("q = {0}\n    match q:\n        case {{'x': x}}: return OK\n        case _: return OK",
                     ["never"], []),
    "one value": ("match {0}.get('x'):\n        case 'a': return OK\n        case _: return OK", ["never"], []),
    "nothing": ("match {0}:\n        case _: return OK", ["never", "x"], []),
    "with the rest": ("match {0}:\n        case {{'x': x, **rest}}: gone.f(rest)\n        case _: return OK",
                      [], ["never"]),
    "all of it": ("match {0}:\n        case every: return gone.f(every)", [], ["never"]),
}  # fmt: skip
_FRAMES: Final = {
    "request.args": FLASK + "OK = 'yes'\napp = Flask('x')\n@app.get('/a')\ndef a():\n    {0}\n",
    "request.query_params": FAST
    + "OK = {}\napp = FastAPI()\n@app.get('/a')\ndef a(request: Request) -> dict:\n    {0}\n",
    "request.query": "from aiohttp import web\nimport gone\nasync def a(request):\n    {0}\n"
    "    return web.json_response({})\n"
    "app = web.Application()\napp.add_routes([web.get('/a', a)])\n",
}


@pytest.mark.parametrize("held", _FRAMES)
@pytest.mark.parametrize("name", _MATCHED)
def test_what_patterns_ask_for_is_read(name: str, held: str) -> None:
    body, unread, open_at = _MATCHED[name]
    said = body.format(held).replace("return OK", "pass" if held == "request.query" else "return OK")
    found = judged(_FRAMES[held].replace("{0}", said), "GET /a 200 422 free ?x ?never")
    assert sorted(row.rpartition(" ")[2] for row in rows(found) if row.startswith("parameter-unread")) == unread
    assert {each.place for each in found.undecided if each.place.endswith("never")} == {
        f"query {one}" for one in open_at
    }


_WORD: Final = {
    "a middleware that keeps it": (
        "from starlette.middleware.base import BaseHTTPMiddleware\nclass M(BaseHTTPMiddleware):\n"
        "    async def dispatch(self, request, call_next):\n"
        "        request.state.limit = request.query_params.get('limit')\n        return await call_next(request)\n"
        "app = FastAPI()\napp.add_middleware(M)\n",
        "request.state.limit", ["never"], [],
    ),
    "a middleware function that keeps it": (
        "app = FastAPI()\n@app.middleware('http')\nasync def m(request, call_next):\n"
        "    request.state.limit = request.query_params['limit']\n    return await call_next(request)\n",
        "request.state.limit", ["never"], [],
    ),
    "a middleware that hands it all on": (
        "app = FastAPI()\n@app.middleware('http')\nasync def m(request, call_next):\n"
        "    request.state.asked = gone.parse(request.query_params)\n    return await call_next(request)\n",
        "request.state.asked", [], ["limit", "never"],
    ),
    "a middleware that looks at headers": (
        "app = FastAPI()\n@app.middleware('http')\nasync def m(request, call_next):\n"
        "    request.state.id = request.headers.get('x-id')\n    return await call_next(request)\n",
        "request.state.id", ["limit", "never"], [],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", _WORD)
def test_what_is_read_around_a_handler_is_read(name: str) -> None:
    before, given, unread, open_at = _WORD[name]
    code = f"{FAST}{before}@app.get('/a')\ndef a(request: Request) -> dict:\n    return {{'x': {given}}}\n"
    found = judged(code, "GET /a 200 422 free ?limit ?never")
    assert [row.rpartition(" ")[2] for row in rows(found) if row.startswith("parameter-unread")] == unread
    assert [each.place.split()[-1] for each in found.undecided if each.concern == "parameters"] == open_at


@pytest.mark.parametrize(("extra", "unread"), [("allow", []), ("ignore", ["never"]), ("forbid", ["never"])])
def test_a_model_that_keeps_what_it_does_not_name_may_read_it(extra: str, unread: list[str]) -> None:
    code = (
        f"{FAST}from typing import Annotated\nfrom fastapi import Query\nfrom pydantic import BaseModel, ConfigDict\n"
        f"class F(BaseModel):\n    model_config = ConfigDict(extra='{extra}')\n    limit: int = 1\n"
        "app = FastAPI()\n@app.get('/a')\ndef a(f: Annotated[F, Query()]) -> dict: return {}\n"
    )
    found = judged(code, "GET /a 200 422 free ?limit ?never")
    assert [row.rpartition(" ")[2] for row in rows(found) if row.startswith("parameter-unread")] == unread


@pytest.mark.parametrize(("body", "unread"), [("return jsonify(gone.take())", False), ("return jsonify({})", True)])
def test_a_body_that_unsupplied_code_may_read_is_not_unread(body: str, unread: bool) -> None:
    made = contract("POST /a 200 free")
    operation = made.operations[0]
    code = read_sources(sources({"app.py": f"{FLASK}app = Flask('x')\n@app.post('/a')\ndef a():\n    {body}\n"}))
    assert operation.key == "POST /a"
    opened = {one.location for route in code.routes for one in route.open_inputs}
    assert ("body" in opened) is not unread


GET: Final = "from django.views.decorators.http import require_GET\n"
VIEW: Final = (
    "from django.http import JsonResponse\nfrom django.views import View\n"
    + GET
    + "".join(f"@require_GET\ndef {name}(request): return JsonResponse({{}})\n" for name in "ab")
)
URLS: Final = "from django.urls import path\nfrom app import views\n"
PLAIN: Final = URLS + "urlpatterns = [path('a', views.a), path('b', views.b)]\n"
CLASS: Final = URLS + "urlpatterns = [path('a', views.A.as_view()), path('b', views.b)]\n"
COMMON: Final = "['django.middleware.common.CommonMiddleware']\n"
SET: Final = "ROOT_URLCONF = 'app.urls'\n"
LOGIN: Final = "django.contrib.auth.middleware.LoginRequiredMiddleware"
BOTH: Final = ("GET /a", "GET /b")
DJANGO: Final = {
    "settings that are all there": (VIEW, PLAIN, "MIDDLEWARE = " + COMMON, BOTH, ()),
    "settings joined to a name": (VIEW, PLAIN, f"ALL = {COMMON}MIDDLEWARE = ALL + []\n", BOTH, ()),
    "settings joined to what nobody supplied": (VIEW, PLAIN, "from gone import ALL\nMIDDLEWARE = [*ALL]\n", (), BOTH),
    "settings extended": (VIEW, PLAIN, "from gone import MORE\nMIDDLEWARE = []\nMIDDLEWARE += MORE\n", (), BOTH),
    "middleware by a setting": (VIEW, PLAIN, "import os\nMIDDLEWARE = [os.environ['GATE']]\n", (), BOTH),
    "middleware that nobody supplied": (VIEW, PLAIN, "MIDDLEWARE = ['gone.Gate']\n", (), BOTH),
    "middleware that signs in": (VIEW, PLAIN, f"MIDDLEWARE = ['{LOGIN}']\n", (), ()),
    "middleware that signs in, but here": (
        VIEW.replace("@require_GET\ndef b", "@require_GET\n@login_not_required\ndef b")
        .replace(GET, GET + "from django.contrib.auth.decorators import login_not_required\n"),
        PLAIN, f"MIDDLEWARE = ['{LOGIN}']\n", ("GET /b",), ()),
    "base that nobody supplied": (
        VIEW + "from gone import Mixin\nclass A(Mixin, View):\n    def get(self, request): return JsonResponse({})\n",
        CLASS, "MIDDLEWARE = []\n", ("GET /b",), ("GET /a",)),
    "base of the framework": (
        VIEW + "class A(View):\n    def get(self, request): return JsonResponse({})\n",
        CLASS, "MIDDLEWARE = []\n", BOTH, ()),
}  # fmt: skip


@pytest.mark.parametrize("name", DJANGO)
def test_unguarded_views_of_django(name: str) -> None:
    views, urls, settings, bare, untold = DJANGO[name]
    found = judged({"app/views.py": views, "app/urls.py": urls, "app/settings.py": SET + settings}, *TWO)
    assert [row for row in rows(found) if row.startswith("unguarded")] == [f"unguarded {each}" for each in bare]
    assert {each for each in untold if f"{each} authentication" not in undecided(found)} == set()


AIOHTTP: Final = (
    "from aiohttp import web\nimport aiohttp_cors, gone\nasync def a(request): return web.json_response({})\n"
    "@web.middleware\nasync def gate(request, handler):\n"
    "    if 'Authorization' not in request.headers: raise web.HTTPUnauthorized()\n    return await handler(request)\n"
    "@web.middleware\nasync def note(request, handler): return await handler(request)\napp = web.Application()\n"
)


@pytest.mark.parametrize(
    ("line", "bare", "untold"),
    [
        ("", True, False),
        ("app.middlewares.append(note)", True, False),
        ("app.middlewares.append(gate)", False, False),
        ("app.middlewares.append(gone.gate)", False, True),
        ("app.middlewares.insert(0, gone.gate)", False, True),
        ("app.middlewares.extend([note, gone.gate])", False, True),
        ("app.middlewares += [gone.gate]", False, True),
        ("gone.setup(app)", False, True),
        ("gone.setup(app.router)", False, True),
        ("aiohttp_cors.setup(app)", True, False),
    ],
)
def test_middleware_that_aiohttp_gets_later(line: str, bare: bool, untold: bool) -> None:
    found = judged(f"{AIOHTTP}app.add_routes([web.get('/a', a)])\n{line}\n", "GET /a 200")
    assert ("unguarded GET /a" in rows(found)) is bare
    if untold:
        assert "GET /a authentication" in undecided(found)


DISPATCHED: Final = "from werkzeug.middleware.dispatcher import DispatcherMiddleware\n"


@pytest.mark.parametrize(
    ("mounts", "answered"),
    [
        ("{'/v1': app}", "/v1/a"),
        ("{'/v1': app.wsgi_app}", "/v1/a"),
        ("MOUNTS", "/v2/a"),
        ("gone.MOUNTS", ""),
        ("{gone.PREFIX: app}", ""),
    ],
)
def test_where_a_mounted_application_answers(mounts: str, answered: str) -> None:
    code = (
        f"{FLASK}{DISPATCHED}app = Flask('x')\n@app.get('/a')\ndef a(): return jsonify({{}})\n"
        f"root, MOUNTS = Flask('r'), {{'/v2': app}}\nroot.wsgi_app = DispatcherMiddleware(root.wsgi_app, {mounts})\n"
    )
    for path in ("/v1/a", "/v2/a", "/v3/a"):
        said = [row for row in rows(judged(code, f"GET {path} 200 free")) if row.startswith("operation-unanswered")]
        assert bool(said) is (answered not in ("", path)), path


SENT: Final = "from fastapi import Response\nclass E(Exception): pass\napp = FastAPI()\n"


@pytest.mark.parametrize(
    ("before", "body", "unsent"),
    [
        ("def dep(response: Response): response.status_code = 202\n", "(d=Depends(dep)) -> dict: return {}", False),
        ("", "(response: Response) -> dict:\n    gone.mark(response)\n    return {}", False),
        ("", "(response: Response) -> dict:\n    response.status_code = 202\n    return {}", False),
        ("def dep(response: Response): gone.mark(response)\n", "(d=Depends(dep)) -> dict: return {}", False),
        ("def dep(response: Response): response.headers['x'] = '1'\n", "(d=Depends(dep)) -> dict: return {}", True),
        ("", "(response: Response) -> dict: return {}", True),
    ],
)
def test_a_status_that_code_may_set_is_not_unsent(before: str, body: str, unsent: bool) -> None:
    code = f"{FAST}{SENT}{before}@app.get('/a')\ndef a{body}\n"
    said = [row for row in rows(judged(code, "GET /a 200 202 422 free")) if row.startswith("success-unsent GET /a 202")]
    assert bool(said) is unsent


_HELPERS: Final = {
    "append": ("def setup(app): app.middlewares.append({0})\n", "setup(app)\n"),
    "extend": ("def setup(target): target.middlewares.extend([{0}])\n", "setup(target=app)\n"),
    "insert": ("def setup(app): app.middlewares.insert(0, {0})\n", "setup(app)\n"),
    "+=": ("def setup(app):\n    app.middlewares += [{0}]\n", "setup(app)\n"),
    "a helper in a helper": ("def one(a): a.middlewares.append({0})\ndef setup(app): one(app)\n", "setup(app)\n"),
    "an annotation": ("def setup(app: web.Application): app.middlewares.append({0})\n", "setup(app)\n"),
    "a hook": ("def setup(app): app.on_response_prepare.append({0})\n", "setup(app)\n"),
    "several calls": ("def setup(app): app.middlewares.append({0})\n", "setup(web.Application())\nsetup(app)\n"),
    "by a list of helpers": ("def setup(app): app.middlewares.append({0})\n", "for one in [setup]: one(app)\n"),
}


@pytest.mark.parametrize("name", _HELPERS)
def test_middleware_that_a_helper_adds_in_aiohttp(name: str) -> None:
    helper, call = _HELPERS[name]
    routes = "app.router.add_get('/a', a)\n"
    found = judged(AIOHTTP + helper.format("gate") + routes + call, "GET /a 200 401")
    assert not [row for row in rows(found) if row.startswith(("unguarded", "error-unsent"))]
    if name != "by a list of helpers":  # nobody can tell whom such a helper gets
        plain = judged(AIOHTTP + helper.format("note") + routes + call, "GET /a 200 401")
        assert "unguarded GET /a" in rows(plain)


def test_middleware_of_another_module_and_of_a_factory_in_aiohttp() -> None:
    head = "from aiohttp import web\nimport mw\nasync def a(request): return web.json_response({})\n"
    made = f"{head}def make():\n    app = web.Application()\n    app.router.add_get('/a', a)\n"
    made += "    mw.setup(app)\n    return app\n"
    given = f"{head}app = web.Application(middlewares=mw.middlewares())\napp.router.add_get('/a', a)\n"
    gates = AIOHTTP.replace("app = web.Application()\n", "").replace("aiohttp_cors, gone", "json")
    helpers = "def setup(target): target.middlewares.append({0})\n", "def middlewares(): return [{0}]\n"
    for code, tail in zip((made, given), helpers, strict=True):
        for gate in ("gate", "note"):
            found = judged({"app.py": code, "mw.py": gates + tail.format(gate)}, "GET /a 200 401")
            assert ("unguarded GET /a" in rows(found)) is (gate == "note")


_REFUSE: Final = "if 'Authorization' not in self.request.headers: raise web.HTTPUnauthorized()\n"


@pytest.mark.parametrize(
    ("base", "bare"),
    [
        ("(web.View):\n    async def _iter(self):\n        {0}        return await super()._iter()\n", False),
        ("(web.View):\n    def __init__(self, request):\n        super().__init__(request)\n        {0}", False),
        ("(web.View):\n    async def check(self):\n        {0}    async def _iter(self):\n        await self.check()\n"
         "        return await super()._iter()\n", False),
        ("(gone.Base):\n    pass\n", False),
        ("(gone.Mixin, web.View):\n    pass\n", False),
        ("(web.View):\n    async def _iter(self):\n        print('x')\n        return await super()._iter()\n", True),
        ("(web.View):\n    pass\n", True),
    ],
)  # fmt: skip
def test_what_the_base_of_an_aiohttp_view_does_first(base: str, bare: bool) -> None:
    code = f"{AIOHTTP}class Base{base.format(_REFUSE)}class A(Base, web.View):\n"
    code += "    async def get(self): return web.json_response({})\napp.router.add_view('/a', A)\n"
    found = judged(code, "GET /a 200 401")
    assert ("unguarded GET /a" in rows(found)) is bare
