"""Conditions on method, path, endpoint or settings under which a guard lets callers pass."""

from __future__ import annotations

import pytest

from evreview.codefacts.asgi.fastapi import read_fastapi
from evreview.codefacts.flask.read import read_flask
from tests.codefacts.routes import read

FLASK = (
    "from flask import Flask, abort, request, current_app\nimport settings\napp = Flask('a')\nKEYS = {'k'}\nOPEN = 0\n"
)
ROUTE = "@app.get('/a')\ndef a():\n  return 'a'\n"
KEYED = "request.headers.get('X-Api-Key') not in KEYS"


@pytest.mark.parametrize(
    ("body", "lines"),
    [
        (f"  if {KEYED}:\n    abort(401)\n", []),
        (f"  if request.method == 'DELETE':\n    return None\n  if {KEYED}:\n    abort(401)\n", []),
        (f"  if request.method == 'OPTIONS':\n    return None\n  if {KEYED}:\n    abort(401)\n", []),
        (f"  if request.method in ('OPTIONS', 'DELETE'):\n    return None\n  if {KEYED}:\n    abort(401)\n", []),
        (f"  if request.endpoint == 'a':\n    return None\n  if {KEYED}:\n    abort(401)\n", None),
        (f"  if {KEYED} and request.method != 'DELETE':\n    abort(401)\n", []),
        (f"  where = request.path\n  if where.startswith('/x'):\n    return\n  if {KEYED}:\n    abort(401)\n", [9]),
        (f"  if request.method == 'DELETE':\n    pass\n  elif {KEYED}:\n    abort(401)\n", []),
        (f"  match request.method:\n    case 'GET':\n      return\n  if {KEYED}:\n    abort(401)\n", [8]),
        (f"  if request.remote_addr == '127.0.0.1':\n    return\n  if {KEYED}:\n    abort(401)\n", [8]),
        (f"  if current_app.config['OPEN']:\n    return\n  if {KEYED}:\n    abort(401)\n", [8]),
        (f"  if settings.DEBUG:\n    return\n  if {KEYED}:\n    abort(401)\n", [8]),
        (f"  if OPEN:\n    return\n  if {KEYED}:\n    abort(401)\n", [8]),
        ("  if request.headers.get('X-Api-Key') in KEYS:\n    return\n  abort(401)\n", []),
        ("  if request.headers.get('X-Api-Key') != current_app.config['KEY']:\n    abort(401)\n", []),
        (f"  if request.path == '/a':\n    print(request.path)\n  if {KEYED}:\n    abort(401)\n", []),
        ("  if request.path != '/x':\n    check()\n\ndef check():\n  abort(401)\n", []),
    ],
)
def test_before_request(body: str, lines: list[int] | None) -> None:
    (route,) = read(read_flask, f"{FLASK}@app.before_request\ndef guard():\n{body}{ROUTE}").routes
    # What the route itself decides, here GET /a, is no hole: the guard checks it, or is none of its guards.
    found = [[spot.first for spot in guard.unless] for guard in route.guards]
    assert found == ([] if lines is None else [lines])


@pytest.mark.parametrize(
    ("condition", "lines"),
    [(KEYED, []), (f"{KEYED} and request.method != 'DELETE'", [10]), (f"{KEYED} and request.path != '/'", [10])],
)
def test_decorators(condition: str, lines: list[int]) -> None:
    text = f"def needs(view):\n  from functools import wraps\n  @wraps(view)\n  def inner(*a):\n    if {condition}:\n"
    text += "      abort(401)\n    return view(*a)\n  return inner\n"
    route = ROUTE.replace("def a", "@needs\ndef a")
    (found,) = read(read_flask, FLASK + text + route).routes
    assert [[spot.first for spot in guard.unless] for guard in found.guards] == [lines]


FAST = """from fastapi import Depends, FastAPI, HTTPException, Request
from fastapi.responses import JSONResponse
from fastapi.security import HTTPBearer
app = FastAPI()
"""


@pytest.mark.parametrize(
    ("text", "words", "lines"),
    [
        ("@app.middleware('http')\nasync def m(request, call_next):\n  if request.url.path != '/a' and bad(request):\n"
         "    return JSONResponse({}, 401)\n  return await call_next(request)\n", "", []),
        ("@app.middleware('http')\nasync def m(request, call_next):\n  if bad(request):\n"
         "    return JSONResponse({}, 401)\n  return await call_next(request)\n", "", [[]]),
        ("@app.middleware('http')\nasync def m(request, call_next):\n  answer = await call_next(request)\n"
         "  if bad(request):\n    return JSONResponse({}, 401)\n  return answer\n", "", [[7]]),
        ("@app.middleware('http')\nasync def m(request, call_next):\n  if bad(request):\n"
         "    return JSONResponse({}, 401)\n  answer = await call_next(request)\n  return answer\n", "", [[]]),
        ("def d(request: Request):\n  yield 1\n  if bad(request):\n    raise HTTPException(401)\n",
         "x=Depends(d)", [[6]]),
        ("def d(request: Request):\n  if bad(request):\n    raise HTTPException(401)\n  yield 1\n",
         "x=Depends(d)", [[]]),
        ("def d(request: Request):\n  if bad(request):\n    raise HTTPException(401)\n"
         "app.dependency_overrides[d] = lambda: 1\n", "x=Depends(d)", [[8]]),
        ("def d(request: Request):\n  if request.method == 'GET':\n    return\n  raise HTTPException(401)\n",
         "x=Depends(d)", [[6]]),
        ("b = HTTPBearer(auto_error=False)\ndef d(request: Request, t=Depends(b)):\n  if request.method == 'GET':\n"
         "    return\n  if t is None:\n    raise HTTPException(401)\n", "x=Depends(d)", [[7]]),
        ("b = HTTPBearer()\ndef d(request: Request, t=Depends(b)):\n  if request.method == 'GET':\n"
         "    return\n  if t.credentials != 'k':\n    raise HTTPException(401)\n", "x=Depends(d)", [[7]]),
    ],
)  # fmt: skip
def test_fastapi(text: str, words: str, lines: list[list[int]]) -> None:
    (route,) = read(read_fastapi, f"{FAST}{text}@app.get('/a')\ndef a({words}):\n  return 1\n").routes
    assert [[spot.first for spot in guard.unless] for guard in route.guards] == lines
