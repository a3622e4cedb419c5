"""An error of Flask is unsent only where nothing that is raised, and nobody before the handler, may answer it."""

from __future__ import annotations

from typing import Any, Final

import pytest

from evreview.core.vocabulary import Json
from tests.workflows.w2.facts import contract_of
from tests.workflows.w2.services import FLASK, judged, judged_by, rows, undecided

HEAD: Final = FLASK + (
    "from flask import abort\nfrom werkzeug.exceptions import HTTPException, NotFound, default_exceptions\n"
    "app = Flask('x')\nE = {'m': NotFound()}\n"
    "def need(value, error):\n    if value is None: raise error\n"
    "def called(error):\n    raise error('x')\n"
    "def told(error: Exception): raise error\n"
    "def make() -> Exception: return NotFound()\n"
    "class Coded(HTTPException):\n    def __init__(self, code):\n        super().__init__()\n        self.code = code\n"
    "class Gone(NotFound): code = 410\n"
    "class Plain(Exception):\n    def __init__(self, code): self.code = code\n"
    "class Kept:\n    error = NotFound\n    def go(self): raise self.error\n"
)
CHOSEN: Final = {
    "one of a dictionary": "if request.args: raise E['m']",
    "one of a dictionary, by what is asked": "raise E[request.method]",
    "one of the settings": "if request.args: raise app.config['M']",
    "one of the settings of the current application": "if request.args: raise current_app.config.get('M')",
    "one of werkzeug's own": "if request.args: raise default_exceptions[404]()",
    "one that werkzeug looks up": "if request.args: raise default_exceptions.get(404)",
    "what a function gives": "if request.args: raise make()",
    "one of two": "if request.args: raise (NotFound if request.args else KeyError)('x')",
    "one of several under a name": (
        "error = NotFound\n    if request.args: error = ValueError\n    if request.args: raise error"
    ),
    "one of a list": "for value, error in [(None, NotFound)]:\n        if value is None: raise error",
    "one with an answer of its own": "if request.args: raise HTTPException(response=jsonify({}))",
    "one with a code of its own": "if request.args: raise Coded(404)",
    "one that nobody gives": "told(E['m'])",
}
SENT: Final = {
    "a class that is given": "need(None, NotFound)",
    "an error that is given": "need(None, error=NotFound('x'))",
    "a class that is given and called": "called(NotFound)",
    "an error that is given as another": "told(NotFound())",
    "a member": "Kept().go()",
}
ABSENT: Final = {
    "another class that is given": "need(None, ValueError)",
    "another error that is given as another": "told(ValueError('x'))",
    "any error": "if request.args: raise Exception('x')",
    "an error with another code": "if request.args: raise Gone()",
    "an error with a code, which Flask does not know": "if request.args: raise Plain(404)",
    "the one that was caught": "try: called(ValueError)\n    except ValueError as error: raise error",
    "the one that was caught, again": "try: called(ValueError)\n    except ValueError: raise",
}


@pytest.mark.parametrize("body", [*CHOSEN.values(), *SENT.values(), *ABSENT.values()])
def test_a_raised_error_that_nobody_can_tell_may_be_any(body: str) -> None:
    code = f"{HEAD}@app.get('/a')\ndef a():\n    {body}\n    return jsonify({{}})\n"
    found = judged(code, "GET /a 200 404")
    assert ("error-unsent GET /a 404" in rows(found)) is (body in ABSENT.values())
    assert ("unguarded GET /a" in rows(found)) is (body not in CHOSEN.values())
    assert ({"GET /a errors", "GET /a authentication"} <= undecided(found)) is (body in CHOSEN.values())


@pytest.mark.parametrize(
    ("raised", "absent"), [("E['m']", False), ("E[request.method]()", False), ("KeyError('m')", True)]
)
def test_an_error_that_a_view_of_django_chooses_may_be_any(raised: str, absent: bool) -> None:
    views = (
        "from django.http import Http404, JsonResponse\nfrom django.views.decorators.http import require_GET\n"
        "E = {'m': Http404}\n@require_GET\ndef a(request):\n"
        f"    if request.GET: raise {raised}\n    return JsonResponse({{}})\n"
    )
    urls = "from django.urls import path\nfrom app import views\nurlpatterns = [path('a', views.a)]\n"
    settings = "ROOT_URLCONF = 'app.urls'\nMIDDLEWARE = []\n"
    files = {"app/views.py": views, "app/urls.py": urls, "app/settings.py": settings}
    assert ("error-unsent GET /a 404" in rows(judged(files, "GET /a 200 404 free"))) is absent


TEXT: Final = {"type": "string"}
WHOLE: Final = {"type": "integer", "minimum": 0}
FLASK_ROUTE: Final = FLASK + "app = Flask('x')\n@app.get('/a/{0}')\ndef a(id): return jsonify({})\n"
AIOHTTP_ROUTE: Final = (
    "from aiohttp import web\nasync def a(request): return web.json_response({})\n"
    "app = web.Application()\napp.add_routes([web.get(r'/a/{0}', a)])\n"
)
STARLETTE_ROUTE: Final = (
    "from starlette.applications import Starlette\nfrom starlette.responses import JSONResponse\n"
    "from starlette.routing import Route\nasync def a(request): return JSONResponse({})\n"
    "app = Starlette(routes=[Route('/a/{0}', a)])\n"
)


@pytest.mark.parametrize(
    ("code", "path", "admitted", "absent"),
    [
        (FLASK_ROUTE, "<int:id>", TEXT, False),
        (FLASK_ROUTE, "<int(min=1):id>", TEXT, False),
        (FLASK_ROUTE, "<int(min=1):id>", WHOLE, False),
        (FLASK_ROUTE, "<int:id>", {"type": "integer"}, False),
        (FLASK_ROUTE, "<any(x, y):id>", TEXT, False),
        (FLASK_ROUTE, "<any(x, y):id>", {"enum": ["x", "y", "z"]}, False),
        (FLASK_ROUTE, "<uuid:id>", TEXT, False),
        (FLASK_ROUTE, "<string(length=2):id>", TEXT, False),
        (FLASK_ROUTE, "<float:id>", TEXT, False),
        (AIOHTTP_ROUTE, r"{id:\d+}", TEXT, False),
        (STARLETTE_ROUTE, "{id:int}", TEXT, False),
        (FLASK_ROUTE, "<id>", TEXT, True),
        (FLASK_ROUTE, "<path:id>", TEXT, True),
        (FLASK_ROUTE, "<int:id>", WHOLE, True),
        (FLASK_ROUTE, "<any(x, y):id>", {"enum": ["x", "y"]}, True),
        (FLASK_ROUTE, "<id>", {"enum": ["x", "y"]}, True),
        (FLASK_ROUTE, "<uuid:id>", {"type": "string", "format": "uuid"}, True),
        (AIOHTTP_ROUTE, "{id}", TEXT, True),
        (STARLETTE_ROUTE, "{id}", TEXT, True),
    ],
)
def test_the_router_may_answer_404_where_a_path_takes_less(code: str, path: str, admitted: Json, absent: bool) -> None:
    found = judged_by(code.replace("{0}", path), contract_of({"/a/{id}": {"get": _operation(admitted)}}))
    assert ("error-unsent GET /a/{id} 404" in rows(found)) is absent
    assert "error-unsent GET /a/{id} 409" in rows(found)
    assert any(each.place == "404" for each in found.undecided) is not absent


def _operation(admitted: Json) -> Any:
    parameter = {"name": "id", "in": "path", "required": True, "schema": admitted}
    responses = {status: {"description": "d"} for status in ("200", "404", "409")}
    return {"parameters": [parameter], "responses": responses}
