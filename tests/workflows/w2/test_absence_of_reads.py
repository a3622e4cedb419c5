"""Reads, routes, paths and statuses are missed only where all that could hold them was read."""

from __future__ import annotations

from typing import Any, Final

import pytest

from evreview.codefacts.read import read_sources
from tests.codefacts.snippets import sources
from tests.workflows.w2.facts import contract_of
from tests.workflows.w2.services import FAST, FLASK, contract, judged, judged_by, rows


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


@pytest.mark.parametrize(
    ("body", "unread", "open_at"),
    [
        ("return jsonify(request.environ['HTTP_X_TRACE'])", ["X-Org"], []),
        ("return jsonify(request.environ.get('HTTP_X_TRACE'))", ["X-Org"], []),
        ("return jsonify(request.environ.get('HTTP_X_TRACE', 'none'))", ["X-Org"], []),
        ("return jsonify({'x': 'HTTP_X_TRACE' in request.environ})", ["X-Org"], []),
        ("env = request.environ\n    return jsonify(env['HTTP_X_TRACE'])", ["X-Org"], []),
        ("return jsonify(of(request.environ))", ["X-Org"], []),
        ("return jsonify(asked(request))", ["X-Org"], []),
        ("return jsonify(request.environ[NAME])", ["X-Org"], []),
        ("return jsonify(dict(request.environ)['HTTP_X_TRACE'])", ["X-Org"], []),
        ("return jsonify(request.environ[g.name])", [], ["X-Org", "X-Trace", "limit"]),
        ("return jsonify({k: v for k, v in request.environ.items()})", [], ["X-Org", "X-Trace", "limit"]),
        ("return jsonify(gone.trace(request.environ))", [], ["X-Org", "X-Trace", "limit"]),
        ("return jsonify(request.environ['QUERY_STRING'])", ["X-Org", "X-Trace"], ["limit"]),
        ("return jsonify(request.environ['REMOTE_ADDR'])", ["X-Org", "X-Trace"], []),
        ("return jsonify(request.environ.get('PATH_INFO'))", ["X-Org", "X-Trace"], []),
        ("return jsonify(os.environ['HTTP_X_TRACE'])", ["X-Org", "X-Trace"], []),
    ],
)
def test_headers_read_of_the_environment_of_wsgi_are_read(body: str, unread: list[str], open_at: list[str]) -> None:
    code = (
        f"{FLASK}import os\nNAME = 'HTTP_X_TRACE'\ndef of(env): return env['HTTP_X_TRACE']\n"
        "def asked(req): return req.environ.get('HTTP_X_TRACE')\n"
        f"app = Flask('x')\n@app.get('/a')\ndef a():\n    {body}\n"
    )
    found = judged_by(code, headed("X-Trace", "X-Org"))
    said = [row.rpartition(" ")[2] for row in rows(found) if row.startswith("parameter-unread")]
    assert sorted(said) == sorted([*unread, *([] if "limit" in open_at else ["limit"])])
    told = {each.place for each in found.undecided if "is not told" in each.reason or "not constant" in each.reason}
    assert {one.rpartition(" ")[2].lower() for one in told} == {one.lower() for one in open_at}
    assert not [row for row in rows(found) if row.startswith("parameter-undocumented")]


def headed(*names: str) -> Any:
    """A contract of `GET /a` with these headers and the query parameter `limit`."""
    parameters = [{"name": name, "in": "header", "schema": {"type": "string"}} for name in names]
    parameters.append({"name": "limit", "in": "query", "schema": {"type": "string"}})
    return contract_of({"/a": {"get": {"parameters": parameters, "responses": {"200": {"description": "d"}}}}})
