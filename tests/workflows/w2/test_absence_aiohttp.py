"""Guards around aiohttp handlers are missed only where all that could hold one was read."""

from __future__ import annotations

from typing import Final

import pytest

from tests.workflows.w2.services import judged, rows, undecided

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


@pytest.mark.parametrize(
    ("lines", "bare"),
    [
        ("held = app.middlewares\nheld.append(gate)\n", False),
        ("held = app.middlewares\nheld += [gate]\n", False),
        ("def setup(held): held.append(gate)\nsetup(app.middlewares)\n", False),
        ("def setup(held): held.extend([gate])\nsetup(held=app.middlewares)\n", False),
        ("def lists(): return app.middlewares\nlists().append(gate)\n", False),
        ("hooks = app.on_response_prepare\nhooks.append(gate)\n", False),
        ("print(len(app.middlewares))\n", True),
        ("seen = list(app.middlewares)\n", True),
        ("other = web.Application()\nheld = other.middlewares\nheld.append(gate)\n", True),
    ],
)
def test_who_takes_the_list_of_middleware_away_may_add_to_it(lines: str, bare: bool) -> None:
    found = judged(f"{AIOHTTP}app.router.add_get('/a', a)\n{lines}", "GET /a 200 401")
    assert ({"unguarded GET /a", "error-unsent GET /a 401"} <= set(rows(found))) is bare
    assert ("GET /a authentication" in undecided(found)) is not bare


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


_ERRORS: Final = (
    "E = {'m': web.HTTPNotFound()}\nclass Own(web.HTTPClientError): status_code = 404\n"
    "def need(value, error):\n    if value is None: raise error\n"
)


@pytest.mark.parametrize(
    ("body", "absent"),
    [
        ("if request.query: raise E['m']", False),
        ("if request.query: raise request.app['missing']", False),
        ("need(None, web.HTTPNotFound)", False),
        ("need(None, web.HTTPNotFound())", False),
        ("if request.query: raise Own()", False),
        ("if request.query: raise (KeyError if request.query else web.HTTPNotFound)()", False),
        ("need(None, ValueError)", True),
        ("if request.query: raise ValueError('x')", True),
        ("try: need(None, ValueError)\n    except ValueError as error: raise error", True),
    ],
)
def test_errors_that_aiohttp_handlers_choose_may_be_any(body: str, absent: bool) -> None:
    code = f"{AIOHTTP}{_ERRORS}async def b(request):\n    {body}\n    return web.json_response({{}})\n"
    found = judged(f"{code}app.add_routes([web.get('/b', b)])\n", "GET /b 200 404 free")
    assert ("error-unsent GET /b 404" in rows(found)) is absent
