"""A guard is missed only where all that could hold one was read; the real absence beside it still is."""

from __future__ import annotations

from typing import Final, NamedTuple

import pytest

from tests.workflows.w2.services import FAST, FLASK, judged, rows, undecided

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


_DISPATCH: Final = (
    "if 'authorization' not in dict(self.scope['headers']):\n"
    "            return await JSONResponse({}, 401)(self.scope, self.receive, self.send)\n"
)


@pytest.mark.parametrize(
    ("base", "mark", "bare"),
    [
        ("(HTTPEndpoint):\n    async def dispatch(self):\n        {0}        await super().dispatch()\n", "", False),
        ("(HTTPEndpoint):\n    def __await__(self):\n        {0}        return super().__await__()\n", "", False),
        ("(HTTPEndpoint):\n    def __init__(self, *given): gone.check(*given)\n", "", False),
        ("(gone.Base):\n    pass\n", "", False),
        ("(gone.Mixin, HTTPEndpoint):\n    pass\n", "", False),
        ("(HTTPEndpoint):\n    pass\n", "@gone.guarded\n", False),
        ("(HTTPEndpoint):\n    def helper(self): return 1\n", "", True),
        ("(HTTPEndpoint):\n    pass\n", "", True),
    ],
)
def test_what_the_class_of_a_starlette_endpoint_does_first(base: str, mark: str, bare: bool) -> None:
    code = (
        f"{STAR}import gone\nfrom starlette.endpoints import HTTPEndpoint\nclass Base{base.replace('{0}', _DISPATCH)}"
    )
    code += f"{mark}class A(Base):\n    async def get(self, request): return JSONResponse({{}})\n"
    found = judged(f"{code}app = Starlette(routes=[Route('/a', A)])\n", "GET /a 200 401")
    assert ({"unguarded GET /a", "error-unsent GET /a 401"} <= set(rows(found))) is bare
    assert ("GET /a authentication" in undecided(found)) is not bare
