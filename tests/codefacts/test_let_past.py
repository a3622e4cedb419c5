"""Ways past a check that the caller chooses, and conditions that look like them."""

from __future__ import annotations

import pytest

from evreview.codefacts.asgi.fastapi import read_fastapi
from evreview.codefacts.flask.read import read_flask
from tests.codefacts.routes import only

HEAD = (
    "from flask import Flask, abort, request\nfrom tokens import verify\nimport settings\n"
    "app = Flask('a')\nWORD = 'x'\n"
)
ROUTE = "@app.get('/a')\ndef a():\n  return 'a'\n"
FAILS = "not verify(request.headers.get('Authorization'))"
CHECK = f"  if {FAILS}:\n    abort(401)\n"
BEFORE = {
    "  if request.args.get('debug') == '1':\n    return\n": [8],
    "  if request.args.get('debug', '').lower() == 'true':\n    return None\n": [8],
    "  if 'debug' in request.args:\n    return\n": [8],
    "  if request.headers.get('X-Internal'):\n    return\n": [8],
    "  if request.headers['X-Test'] == WORD:\n    return\n": [8],
    "  if request.cookies.get('skip') in ('1', 'yes'):\n    return\n": [8],
    "  if bool(request.args.get('preview')):\n    return\n": [8],
    "  mode = request.args.get('mode')\n  if mode == 'test':\n    return\n": [9],
    "  if request.args.get('debug') or request.args.get('d'):\n    return\n": [8],
    "  if request.args.get('debug') and settings.open_for(request):\n    return\n": [],
    "  if request.headers.get('X-Api-Key') == settings.KEY:\n    return\n": [],
    "  if request.headers.get('X-Api-Key') == 'k':\n    return\n": [],
    "  if request.headers.get('X-Role') == settings.ROLE:\n    return\n": [],
    "  if request.args.get('debug') == '1':\n    print('debug')\n": [],
    "  if request.args.get('page') == '0':\n    return 'no such page', 400\n": [],
    "  if request.args.get('page') == '0':\n    abort(400)\n": [],
    "  if not request.args.get('x'):\n    print()\n": [],
    "  if response.headers.get('X-Test') == '1':\n    return\n": [8],
}


@pytest.mark.parametrize("before", BEFORE)
@pytest.mark.req("W3S-007", "W3X-012")
def test_a_way_past_that_the_caller_chooses(before: str) -> None:
    (guard,) = only(read_flask, f"{HEAD}@app.before_request\ndef g():\n  pass\n{before}{CHECK}{ROUTE}").guards
    assert [spot.first for spot in guard.unless] == [line + 1 for line in BEFORE[before]]


WHOLE = {
    "if request.args.get('debug') != '1':\n    if %s:\n      abort(401)": 1,
    "if request.args.get('d') != '1' and %s:\n    abort(401)": 1,
    "if not request.args.get('d') and %s:\n    abort(401)": 1,
    "if not request.headers.get('Authorization') or %s:\n    abort(401)": 0,
    "if request.headers.get('X-Tenant') != 'a':\n    abort(401)": 1,
    "if %s:\n    abort(401)\n  if request.args.get('f') == 'csv':\n    return 'c'": 0,
    "if %s:\n    abort(401)\n  if request.args.get('f') == 'csv':\n"
    "    return 'c'\n  if not rows():\n    abort(404)": 0,
    "if request.args.get('d') == '1':\n    return 'all'\n  if %s:\n    abort(401)": 1,
}  # fmt: skip


@pytest.mark.parametrize("body", WHOLE)
@pytest.mark.parametrize("where", ["handler", "hook"])
def test_a_check_below_or_beside_it(body: str, where: str) -> None:
    written = body.replace("%s", FAILS)
    text = f"@app.get('/a')\ndef a():\n  {written}\n  return 'a'\n"
    if where == "hook":
        text = f"@app.before_request\ndef g():\n  {written}\n{ROUTE}"
    (guard,) = only(read_flask, HEAD + text).guards
    assert len(guard.unless) == WHOLE[body]


FAST = "from fastapi import Depends, FastAPI, Header, HTTPException\nfrom tokens import verify\napp = FastAPI()\n"
ARGUMENTS = {
    "debug: bool = False": 1,
    "debug: str = Header('')": 1,
    "debug=Depends(known)": 0,
    "api_key: str = Header('')": 1,
}


@pytest.mark.parametrize("argument", ARGUMENTS)
@pytest.mark.parametrize("where", ["handler", "dependency"])
def test_arguments_of_fastapi(argument: str, where: str) -> None:
    name = argument.partition(":")[0].partition("=")[0]
    body = f"{argument}, authorization: str = Header('')):\n  if {name}:\n    return 1\n"
    body += "  if not verify(authorization):\n    raise HTTPException(401)\n"
    text = f"def known(): return verify('x')\n@app.get('/a')\ndef a({body}  return 2\n"
    if where == "dependency":
        text = f"def known(): return verify('x')\ndef d({body}@app.get('/a')\ndef a(x=Depends(d)):\n  return 2\n"
    guards = only(read_fastapi, FAST + text).guards
    assert {len(guard.unless) for guard in guards} == {ARGUMENTS[argument]}


CALLED = """
def claims():
  if not verify(request.headers.get('Authorization')):
    abort(401)
"""
CALLING = {
    "claims()": 0,
    "if 'debug' not in request.args:\n    claims()": 1,
    "if not request.headers.get('X-Skip'):\n    claims()": 1,
    "if request.headers.get('Authorization'):\n    claims()": 1,
    "if 'Authorization' in request.headers:\n    claims()": 1,
    "if request.headers.get('Authorization'):\n    claims()\n  else:\n    abort(401)": 0,
    "if request.headers.get('Authorization'):\n    claims()\n  if g.user is None:\n    abort(401)": 0,
    "if request.args.get('debug') != '1':\n    claims()\n  if g.user is None:\n    abort(403)": 1,
    "if request.args.get('d') == '1':\n    claims()\n  else:\n    claims()": 0,
    "try:\n    claims()\n  except Exception:\n    g.user = None": 1,
    "try:\n    claims()\n  except Exception:\n    g.user = None\n  if g.user is None:\n    abort(401)": 0,
    "try:\n    claims()\n  except ValueError:\n    g.user = None": 0,
    "try:\n    claims()\n  except Exception:\n    abort(401)": 0,
    "if settings.CHECK:\n    claims()": 1,
    "if os.environ.get('AUTH') == 'on':\n    claims()": 1,
    "if False:\n    claims()": 1,
    "if True:\n    claims()": 0,
    "if settings.LIMIT:\n    count()": None,
}  # fmt: skip


@pytest.mark.parametrize("body", CALLING)
@pytest.mark.req("W3S-007")
def test_a_check_that_is_called(body: str) -> None:
    text = f"from flask import g\nimport os\n{CALLED}\n@app.before_request\ndef before():\n  {body}\n{ROUTE}"
    guards = only(read_flask, HEAD + text).guards
    assert [len(guard.unless) for guard in guards] == ([] if CALLING[body] is None else [CALLING[body]])


@pytest.mark.parametrize(("given", "holes"), [("wrapped", 0), ("view", None)])
def test_a_decorator_that_gives_back_what_it_takes_guards_nothing(given: str, holes: int | None) -> None:
    text = f"def signed(view):\n  def wrapped(*a):\n    if {FAILS}:\n      abort(401)\n    return view(*a)\n"
    route = only(read_flask, f"{HEAD}{text}  return {given}\n@app.get('/a')\n@signed\ndef a():\n  return 'a'\n")
    assert [len(guard.unless) for guard in route.guards] == ([] if holes is None else [holes])


def test_a_check_that_an_argument_asks_for() -> None:
    text = "def user(sent):\n  if not verify(sent):\n    raise HTTPException(401)\n"
    text += "@app.get('/a')\ndef a(full: bool = False, authorization: str = Header('')):\n  if full:\n"
    route = only(read_fastapi, f"{FAST}{text}    user(authorization)\n  return 1\n")
    assert [len(guard.unless) > 0 for guard in route.guards] == [True]


OPTIONAL = {
    "if sent is None:\n    return None": 1,
    "if not sent:\n    return User('anonymous')": 1,
    "if sent is None:\n    return by_cookie(request)": 1,
    "if sent is None:\n    raise HTTPException(401)": 0,
    "if sent == 'x':\n    print(sent)": 0,
}


@pytest.mark.parametrize("first", OPTIONAL)
@pytest.mark.parametrize("asked", ["", "  if who is None:\n    raise HTTPException(401)\n"])
def test_a_dependency_that_lets_in_who_sends_nothing(first: str, asked: str) -> None:
    text = f"def maybe(sent: str = Header(None)):\n  {first}\n  if not verify(sent):\n    raise HTTPException(401)\n"
    route = only(read_fastapi, f"{FAST}{text}@app.get('/a')\ndef a(who=Depends(maybe)):\n{asked}  return 1\n")
    assert [len(guard.unless) for guard in route.guards if guard.name == "maybe"] == [0 if asked else OPTIONAL[first]]
