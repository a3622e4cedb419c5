"""aiohttp: which operations are answered, and what their handlers and middlewares show."""

from __future__ import annotations

from typing import Any

import pytest

from evreview.codefacts.aiohttp.read import read_aiohttp
from evreview.codefacts.model import Route
from evreview.core.vocabulary import ABSENT, Concern
from tests.codefacts.routes import only, operations, parameters, read, responses

HEAD = "from aiohttp import web\nimport json\n"
PLAIN = HEAD + "async def a(request): return web.json_response({})\n"
APP = PLAIN + "app = web.Application()\n"
JSON, TEXT = "application/json", "text/plain"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("app.add_routes([web.get('/a', a), web.post('/a', a), web.static('/s', 'd')])", ["GET /a", "POST /a"]),
        ("app.router.add_get('/a', a)\napp.router.add_route('PUT', '/b', a)", ["GET /a", "PUT /b"]),
        ("app.add_routes([web.route('DELETE', '/a/{id}', a)])", ["DELETE /a/{id}"]),
        ("routes = [web.get('/a', a)]\napp.add_routes(routes)", ["GET /a"]),
        (
            "t = web.RouteTableDef()\n@t.get('/x')\nasync def x(request): return web.Response()\napp.add_routes(t)",
            ["GET /x"],
        ),
        (
            "t = web.RouteTableDef()\n@t.view('/x')\nclass X(web.View):\n  async def get(self): return web.Response()\n"
            "  async def post(self): return web.Response()\napp.add_routes(t)",
            ["GET /x", "POST /x"],
        ),
        ("sub = web.Application()\nsub.router.add_get('/a', a)\napp.add_subapp('/v1/', sub)", ["GET /v1/a"]),
        ("def setup(app: web.Application):\n  app.router.add_get('/z', a)", ["GET /z"]),
    ],
)
def test_routes(text: str, found: list[str]) -> None:
    facts = read(read_aiohttp, APP + text)
    assert (operations(facts), facts.unread) == (found, ())
    assert not any(route.unread for route in facts.routes)


@pytest.mark.parametrize(
    ("text", "routes"),
    [
        ("app.add_routes(make())", 0),
        ("app.add_routes([one])", 0),
        ("app.router.add_get(path(), a)", 0),
        ("from x import h\napp.router.add_get('/a', h)", 0),
        ("from x import sub\napp.add_subapp('/v1', sub)", 0),
        ("t = web.RouteTableDef()\n@t.get('/x')\nasync def x(request): return web.Response()", 1),
    ],
)
def test_what_is_named_as_unread(text: str, routes: int) -> None:
    facts = read(read_aiohttp, APP + text)
    assert len(facts.routes) == routes
    assert len(facts.unread) + sum(len(route.unread) for route in facts.routes) == 1


def test_path_parameters() -> None:
    route = only(read_aiohttp, APP + r"app.router.add_get(r'/a/{id:\d{1,3}}/{rest}', a)")
    assert route.path == "/a/{id}/{rest}"
    assert [one.schema for one in route.parameters] == [
        {"type": "string", "pattern": r"^(?:\d{1,3})$"},
        {"type": "string"},
    ]


def handler(body: str, before: str = "", app: str = "web.Application()") -> Route:
    inner = "\n".join(f"  {line}" for line in body.splitlines())
    text = f"{HEAD}{before}\nasync def a(request):\n{inner}\napp = {app}\napp.add_routes([web.get('/a', a)])\n"
    return only(read_aiohttp, text)


@pytest.mark.parametrize(
    ("body", "found", "headers"),
    [
        ("return web.json_response({'a': 1})", (200, "returned", JSON), ()),
        ("return web.json_response({'a': 1}, status=201, headers={'X-A': 'b'})", (201, "returned", JSON), ("X-A",)),
        ("return web.Response(text='x', status=202)", (202, "returned", TEXT), ()),
        ("return web.Response(text='x', content_type='text/csv')", (200, "returned", "text/csv"), ()),
        ("return web.Response(status=204)", (204, "returned", ""), ()),
        ("return web.Response(body=b'x')", (200, "returned", "application/octet-stream"), ()),
        ("return web.HTTPNotFound()", (404, "returned", TEXT), ()),
        ("raise web.HTTPConflict(text='taken')", (409, "raised", TEXT), ()),
        (
            "raise web.HTTPNotFound(text=json.dumps({'code': 'nf'}), content_type='application/json')",
            (404, "raised", JSON),
            (),
        ),
        ("find()", (410, "raised", TEXT), ()),
        ("raise Own()", (403, "raised", TEXT), ()),
        ("return other(request)", (None, "returned", ""), ()),
    ],
)
def test_answers(body: str, found: tuple[Any, ...], headers: tuple[str, ...]) -> None:
    before = "def find():\n  raise web.HTTPGone()\nclass Own(web.HTTPForbidden): pass"
    route = handler(body, before)
    assert responses(route) == {found}
    assert route.responses[0].headers == headers


def test_codes_and_bodies() -> None:
    route = handler("raise web.HTTPNotFound(text=json.dumps({'code': 'nf'}), content_type='application/json')")
    assert route.responses[0].codes == ("nf",)
    assert route.responses[0].schema == {
        "type": "object", "properties": {"code": {"const": "nf"}}, "required": ["code"], "additionalProperties": False,
    }  # fmt: skip
    assert handler("raise web.HTTPConflict(text='taken')").responses[0].codes == ()


@pytest.mark.parametrize(
    ("body", "found", "default"),
    [
        ("request.query.get('x', '5')", ("x", "query", False), "5"),
        ("x = request.query['x']", ("x", "query", None), ABSENT),
        ("x = request.rel_url.query.get('x')", ("x", "query", None), ABSENT),
        ("if 'X-A' in request.headers:\n  pass", ("X-A", "header", None), ABSENT),
        ("request.cookies.get('x')", ("x", "cookie", None), ABSENT),
        ("below(request)", ("x", "query", None), ABSENT),
        ("below(r=request)", ("x", "query", None), ABSENT),
    ],
)
def test_parameters(body: str, found: tuple[Any, ...], default: Any) -> None:
    route = handler(f"{body}\nreturn web.Response()", "def below(r):\n  return r.query['x']")
    assert parameters(route) == [found]
    assert (route.parameters[0].default, route.parameters[0].schema) == (default, {})


def test_a_body_and_what_looks_like_one() -> None:
    body = handler("data = await request.json()\nreturn web.Response()").body
    assert body is not None and (body.media_type, body.required, body.exact) == (JSON, None, False)
    assert handler("data = await client.json()\nreturn web.Response()").body is None


GATE = """@web.middleware
async def gate(request, handler):
  if not request.headers.get('Authorization', '').startswith('Bearer '):
    raise web.HTTPUnauthorized()
  return await handler(request)
"""


def test_middlewares_and_limits() -> None:
    app = "web.Application(middlewares=[gate], client_max_size=2 * 1024)"
    route = handler("await db.execute()\nreturn web.json_response({})", GATE, app)
    assert [(one.name, one.kind, one.scheme) for one in route.guards] == [("gate", "authentication", "http bearer")]
    assert responses(route) == {(401, "raised", TEXT), (200, "returned", JSON)}
    assert [(one.concern, one.value) for one in route.notes] == [(Concern.LIMITS, 2048)]
    assert route.unread == () and route.parameters == ()


@pytest.mark.parametrize("app", ["web.Application(middlewares=made())", "web.Application(middlewares=[unknown])"])
def test_middlewares_that_are_not_told(app: str) -> None:
    assert len(handler("return web.Response()", "", app).unread) == 1


def test_the_middlewares_of_outer_apps_count() -> None:
    text = PLAIN + GATE + (
        "app = web.Application(middlewares=[gate])\nsub = web.Application()\n"
        "sub.router.add_get('/a', a)\napp.add_subapp('/v1', sub)"
    )  # fmt: skip
    assert [one.kind for one in only(read_aiohttp, text).guards] == ["authentication"]
