"""A condition over what a request carries beside its body, before a 401 or 403, is a guard in every framework."""

from __future__ import annotations

import pytest

from evreview.codefacts.model import Route
from evreview.codefacts.read import read_sources
from evreview.core.vocabulary import Concern
from tests.codefacts.snippets import sources

FLASK = (
    "from flask import Flask, abort, request, session\napp = Flask(__name__)\n"
    "def ok():\n    return request.headers.get('X-Api-Key') == KEY\n"
    "def demand():\n    if not ok():\n        abort(401)\n"
    "@app.post('/x')\ndef h():\n    body = request.get_json()\n"
)
STARLETTE = (
    "from starlette.applications import Starlette\nfrom starlette.exceptions import HTTPException\n"
    "from starlette.responses import JSONResponse, PlainTextResponse\nfrom starlette.routing import Route\n"
    "async def h(request):\n    body = await request.json()\n{0}\n    return JSONResponse({{'id': 1}})\n"
    "app = Starlette(routes=[Route('/x', h, methods=['POST'])])\n"
)
AIOHTTP = (
    "from aiohttp import web\nroutes = web.RouteTableDef()\n@routes.post('/x')\nasync def h(request):\n{0}\n"
    "    return web.json_response({{'id': 1}})\napp = web.Application()\napp.add_routes(routes)\n"
)
FASTAPI = (
    "from fastapi import FastAPI, Header, HTTPException\napp = FastAPI()\n"
    "@app.post('/x')\ndef h(x_api_key: str = Header(''), name: str = ''):\n{0}\n    return 1\n"
)
KEY, BEARER = ("authentication", "apiKey header X-Api-Key"), ("authentication", "http bearer")
READ = "request.headers.get('X-Api-Key') != KEY"


def only_route(text: str) -> Route:
    (route,) = read_sources(sources({"app.py": text})).routes
    return route


def guards(route: Route) -> list[tuple[str, str]]:
    return [(guard.kind, guard.scheme) for guard in route.guards]


@pytest.mark.parametrize(
    ("lines", "found"),
    [
        (f"    if {READ}:\n        return {{'code': 'x'}}, 401\n", [KEY]),
        (f"    if {READ}:\n        abort(401)\n", [KEY]),
        (f"    if {READ}:\n        abort(403)\n", [KEY]),
        ("    key = request.headers['X-Api-Key']\n    if key != KEY:\n        return 'no', 401\n", [KEY]),
        ("    if not ok():\n        return 'no', 401\n", [KEY]),
        ("    demand()\n", [KEY]),
        ("    if ok():\n        return {'id': 1}\n    return 'no', 401\n", [KEY]),
        (
            "    _, _, token = request.headers.get('Authorization', '').partition('Bearer ')\n"
            "    if token != KEY:\n        abort(401)\n",
            [BEARER],
        ),
        ("    if request.cookies.get('who') is None:\n        abort(401)\n", [("authentication", "apiKey cookie who")]),
        ("    if 'user' not in session:\n        abort(401)\n", [("authentication", "")]),
        ("    if request.args.get('token') != KEY:\n        abort(401)\n", [("authentication", "apiKey query token")]),
        ("    if request.headers.get('X-Role') != 'a':\n        abort(403)\n", []),
        ("    if request.args.get('name') != 'a':\n        abort(401)\n", []),
        ("    if body['password'] != PASSWORD:\n        return 'no', 401\n", []),
        (f"    if {READ}:\n        return 'no', 404\n", []),
        ("    answer = ask()\n    if answer.headers.get('X-Api-Key') != KEY:\n        abort(409)\n", []),
    ],
)
def test_flask(lines: str, found: list[tuple[str, str]]) -> None:
    assert guards(only_route(f"{FLASK}{lines}    return {{}}\n")) == found


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        (STARLETTE, "return JSONResponse({}, status_code=401)"),
        (STARLETTE, "raise HTTPException(401)"),
        (AIOHTTP, "return web.json_response({}, status=401)"),
        (AIOHTTP, "raise web.HTTPUnauthorized()"),
    ],
)
def test_other_frameworks(text: str, answer: str) -> None:
    assert guards(only_route(text.format(f"    if {READ}:\n        {answer}"))) == [KEY]


def test_arguments_that_stand_for_headers() -> None:
    refusal = "    if x_api_key != KEY:\n        raise HTTPException(401)"
    assert guards(only_route(FASTAPI.format(refusal))) == [("authentication", "apiKey header x-api-key")]
    assert guards(only_route(FASTAPI.format(refusal.replace("x_api_key", "name")))) == []


@pytest.mark.parametrize(("status", "named"), [(400, ["name"]), (422, ["name"]), (409, [])])
def test_a_returned_refusal_is_a_check_too(status: int, named: list[str]) -> None:
    check = f"    if len(body['name']) > 10:\n        return PlainTextResponse('no', status_code={status})"
    notes = only_route(STARLETTE.format(check)).notes
    assert [note.name for note in notes if note.concern is Concern.VALIDATION] == named


def test_a_gate_that_takes_two_schemes_names_both() -> None:
    gate = (
        "@app.before_request\ndef gate():\n"
        "    token = request.headers.get('Authorization', '').removeprefix('Bearer ')\n"
        "    if token != KEY and request.headers.get('X-Api-Key') != KEY:\n        abort(401)\n"
    )
    (guard,) = only_route(f"{FLASK}    return {{}}\n{gate}").guards
    assert (guard.scheme, guard.also) == ("http bearer", ("apiKey header X-Api-Key",))
