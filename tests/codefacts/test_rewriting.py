"""Hooks that change the status of what the handlers answer are found; others are not."""

from __future__ import annotations

import pytest

from evreview.codefacts.read import read_sources
from tests.codefacts.snippets import sources

FAST = (
    "from fastapi import FastAPI, Response\napp = FastAPI()\n@app.get('/a')\ndef a(): return {{}}\n"
    "@app.middleware('http')\nasync def hook(request, call_next):\n    answer = await call_next(request)\n"
    "    {0}\n    return answer\n"
)
FLASK = (
    "from flask import Flask, make_response\napp = Flask('x')\n@app.get('/a')\ndef a(): return {{}}\n"
    "@app.{1}\ndef hook(answer):\n    {0}\n    return answer\n"
)
CLASS = (
    "from fastapi import FastAPI\nclass Hook:\n    def __init__(self, app): self.app = app\n"
    "    async def __call__(self, scope, receive, send):\n        async def sent(message):\n"
    "            {0}\n            await send(message)\n        await self.app(scope, receive, sent)\n"
    "app = FastAPI()\napp.add_middleware(Hook)\n@app.get('/a')\ndef a(): return {{}}\n"
)
AIOHTTP = (
    "from aiohttp import web\n@web.middleware\nasync def hook(request, handler):\n    answer = await handler(request)\n"
    "    {0}\n    return answer\nasync def a(request): return web.json_response({{}})\n"
    "app = web.Application(middlewares=[hook])\napp.router.add_get('/a', a)\n"
)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (FAST.format("answer.status_code = 200"), 8),
        (FAST.format("answer.status_code += 1"), 8),
        (FAST.format("answer.headers['X-A'] = '1'"), None),
        (FAST.format("seen = answer.status_code"), None),
        (FAST.format("answer = Response(); answer.status_code = 401"), 8),
        (FAST.format("denied = Response()\n    denied.status_code = 401"), None),
        (FAST.format("request.state.status = 1"), None),
        (CLASS.format("message['status'] = 200"), 6),
        (CLASS.format("message['headers'] = []"), None),
        (FLASK.format("answer.status_code = 200", "after_request"), 7),
        (FLASK.format("answer.status_code = 200", "after_app_request"), 7),
        (FLASK.format("return make_response(answer.data)", "after_request"), 7),
        (FLASK.format("return wrapped(answer)", "after_request"), None),
        (FLASK.format("answer.status = '200 OK'", "after_request"), 7),
        (FLASK.format("answer.headers['X-A'] = '1'", "after_request"), None),
        (FLASK.format("answer.status_code = 200", "errorhandler(404)"), None),
        (AIOHTTP.format("answer.set_status(200)"), 5),
        (AIOHTTP.format("answer.headers['X-A'] = '1'"), None),
    ],
)
def test_a_hook_that_changes_the_status(text: str, line: int | None) -> None:
    (route,) = read_sources(sources({"app.py": text})).routes
    assert [one.spot.first for one in route.rewritten] == ([] if line is None else [line])
