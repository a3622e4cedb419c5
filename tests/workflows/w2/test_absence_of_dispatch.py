"""Guards that an application has in its own way of running requests are not missed; without one they are."""

from __future__ import annotations

from typing import Final

import pytest

from tests.workflows.w2.services import FLASK, judged, rows

REFUSE: Final = "if 'Authorization' not in request.headers: abort(401)\n"
INNER: Final = "inner = app.dispatch_request\ndef guarded():\n    {0}    return inner()\n"
HEAD: Final = FLASK + "from flask import abort\n"
ROUTE: Final = "@app.get('/a')\ndef a(): return jsonify({})\n"
OWN: Final = (
    "class Api(Flask):\n    def dispatch_request(self):\n        {0}        return super().dispatch_request()\n"
)
FLASKS: Final = {
    "set on the application": ("app = Flask('x')\n", INNER.replace("{0}", REFUSE) + "app.dispatch_request = guarded\n"),
    "set by name": (
        "app = Flask('x')\n", INNER.replace("{0}", REFUSE) + "setattr(app, 'dispatch_request', guarded)\n"),
    "set by a name that is not told": (
        "app = Flask('x')\n", INNER.replace("{0}", REFUSE) + "setattr(app, gone.NAME, guarded)\n"),
    "set on the class": (
        "app = Flask('x')\n", "def guarded(self):\n    " + REFUSE + "    return gone.inner(self)\n"
        "Flask.full_dispatch_request = guarded\n"),
    "set on a class of its own": (
        "class Api(Flask): pass\napp = Api('x')\n", "Api.preprocess_request = gone.guarded\n"),
    "set in a helper": (
        "app = Flask('x')\n", "def wrap(app):\n    inner = app.dispatch_request\n    def guarded():\n        "
        + REFUSE + "        return inner()\n    app.dispatch_request = guarded\nwrap(app)\n"),
    "set to what nobody supplied": ("app = Flask('x')\n", "app.dispatch_request = gone.wrap(app.dispatch_request)\n"),
    "method of its class": (OWN.replace("{0}", REFUSE) + "app = Api('x')\n", ""),
    "method of a mixin": (
        OWN.replace("{0}", REFUSE).replace("Api(Flask)", "Gate")
        + "class Api(Gate, Flask): pass\napp = Api('x')\n", ""),
    "method that its class is given": (
        "def guarded(self):\n    " + REFUSE + "    return super(Api, self).dispatch_request()\n"
        "class Api(Flask): dispatch_request = guarded\napp = Api('x')\n", ""),
    "mixin that nobody supplied": ("class Api(gone.Gate, Flask): pass\napp = Api('x')\n", ""),
    "answer that its class changes": (
        "class Api(Flask):\n    def process_response(self, response):\n"
        "        return response if request.authorization else gone.deny()\napp = Api('x')\n", ""),
}  # fmt: skip
OPEN_FLASKS: Final = {
    "nothing": ("app = Flask('x')\n", ""),
    "a class that adds nothing": ("class Api(Flask): pass\napp = Api('x')\n", ""),
    "a class whose method asks nobody": (OWN.replace("{0}", "print('x')\n") + "app = Api('x')\n", ""),
    "a method of something else": (
        "app = Flask('x')\n", "class Bus: pass\nbus = Bus()\nbus.dispatch_request = gone.run\n"),
    "another name": ("app = Flask('x')\n", "app.dispatched = gone.run\n"),
}  # fmt: skip


@pytest.mark.parametrize("name", [*FLASKS, *OPEN_FLASKS])
def test_what_flask_applications_run_around_requests(name: str) -> None:
    before, after = (FLASKS | OPEN_FLASKS)[name]
    found = judged(f"{HEAD}{before}{ROUTE}{after}", "GET /a 200 401")
    said = {"unguarded GET /a", "error-unsent GET /a 401"} & set(rows(found))
    assert len(said) == (2 if name in OPEN_FLASKS else 0)


WEB: Final = "from aiohttp import web\nimport gone\nasync def a(request): return web.json_response({})\n"
DENY: Final = "if 'Authorization' not in request.headers: raise web.HTTPUnauthorized\n"
HANDLE: Final = (
    "class App(web.Application):\n    async def _handle(self, request):\n        {0}"
    "        return await super()._handle(request)\napp = App()\n"
)
GATE: Final = "@web.middleware\nasync def gate(request, handler):\n    " + DENY + "    return await handler(request)\n"
AIOHTTPS: Final = {
    "method of its class": HANDLE.replace("{0}", DENY),
    "method of a base": HANDLE.replace("{0}", DENY).replace("app = ", "class More(App): pass\napp = ").replace(
        "= App()", "= More()"),
    "set on the application": "app = web.Application()\nasync def guarded(request):\n    " + DENY
    + "    return await inner(request)\ninner = app._handle\napp._handle = guarded\n",
    "set on the class": "async def guarded(self, request):\n    " + DENY
    + "    return await inner(self, request)\ninner = web.Application._handle\nweb.Application._handle = guarded\n"
    "app = web.Application()\n",
    "set to what nobody supplied": "app = web.Application()\napp._handle = gone.wrap(app._handle)\n",
    "set by name": "app = web.Application()\nsetattr(app, '_handle', gone.wrap(app._handle))\n",
    "middlewares of its class": GATE + "class App(web.Application):\n    def __init__(self):\n"
    "        super().__init__(middlewares=[gate])\napp = App()\n",
    "middlewares that its class adds": GATE + "class App(web.Application):\n    def __init__(self):\n"
    "        super().__init__()\n        self.middlewares.append(gate)\napp = App()\n",
    "mixin that nobody supplied": "class App(gone.Gate, web.Application): pass\napp = App()\n",
}  # fmt: skip
OPEN_AIOHTTPS: Final = {
    "nothing": "app = web.Application()\n",
    "a class that adds nothing": "class App(web.Application):\n    def __init__(self):\n        super().__init__()\n"
    "app = App()\n",
    "a method that asks nobody": HANDLE.replace("{0}", "print('x')\n"),
    "another application": "app = web.Application()\nother = web.Application()\nother._handle = gone.run\n",
    "a method of something else": "app = web.Application()\nclass Bus: pass\nbus = Bus()\nbus._handle = gone.run\n",
}


@pytest.mark.parametrize("name", [*AIOHTTPS, *OPEN_AIOHTTPS])
def test_what_aiohttp_applications_run_around_requests(name: str) -> None:
    found = judged(f"{WEB}{(AIOHTTPS | OPEN_AIOHTTPS)[name]}app.router.add_get('/a', a)\n", "GET /a 200 401")
    said = {"unguarded GET /a", "error-unsent GET /a 401"} & set(rows(found))
    assert len(said) == (2 if name in OPEN_AIOHTTPS else 0)
