"""Conditions that refuse the wrong callers or nobody, each beside one that refuses as it should."""

from __future__ import annotations

import pytest

from evreview.codefacts.asgi.fastapi import read_fastapi
from evreview.codefacts.flask.read import read_flask
from tests.codefacts.routes import only

FAST = (
    "import os, hmac, settings\nfrom fastapi import Depends, FastAPI, Header, HTTPException\napp = FastAPI()\n"
    "KEY = os.environ['KEY']\nSOFT = os.environ.get('SOFT', '')\nHARD = os.getenv('HARD', '')\n"
    "if not HARD:\n  raise RuntimeError('HARD is not set')\nCHECK = False\nREVOKED_KEY = 'x'\n"
    "def ok(key): return key == KEY\ndef soft(key): return key == KEY or True\n"
)
TESTS = {
    "key != KEY": 0,
    "key == KEY": 1,
    "not key == KEY": 0,
    "not key != KEY": 1,
    "key == f'k {KEY}'": 1,
    "key == REVOKED_KEY": 1,
    "key == ''": 1,
    "not hmac.compare_digest(key, KEY)": 0,
    "hmac.compare_digest(key, KEY)": 1,
    "not key or key != KEY": 0,
    "not key or key == KEY": 1,
    "not (key == KEY or True)": 1,
    "not (key == KEY or key == settings.SECOND)": 0,
    "key != KEY and False": 1,
    "key != KEY and key": 1,
    "key != key": 1,
    "CHECK and key != KEY": 1,
    "settings.CHECK and key != KEY": 1,
    "not settings.OPEN_KEYS and key != KEY": 1,
    "key != SOFT": 1,
    "not SOFT or key != SOFT": 0,
    "key != HARD": 0,
    "not hmac.compare_digest(key, SOFT)": 1,
    "not hmac.compare_digest(key, HARD)": 0,
    "not ok(key)": 0,
    "not soft(key)": 1,
}  # fmt: skip


@pytest.mark.parametrize("test", TESTS)
@pytest.mark.parametrize("where", ["handler", "dependency"])
@pytest.mark.req("W3S-007")
def test_a_refusal_under_a_condition(test: str, where: str) -> None:
    body = f"key: str = Header('')):\n  if {test}:\n    raise HTTPException(401)\n"
    text = f"@app.get('/a')\ndef a({body}  return 2\n"
    if where == "dependency":
        text = f"def d({body}@app.get('/a')\ndef a(x=Depends(d)):\n  return 2\n"
    guards = only(read_fastapi, FAST + text).guards
    assert [len(guard.unless) for guard in guards] == [TESTS[test]]


FLASK = "from flask import Flask, abort, redirect, request\nimport settings\napp = Flask('a')\nKEY = settings.KEY\n"
READ = "  key = request.headers.get('X-Key')\n"
BODIES = {
    "  if key == KEY:\n    return 'a'\n  abort(401)\n": 0,
    "  if key != KEY:\n    return 'a'\n  abort(401)\n": 1,
    "  if key != KEY:\n    return problem(401)\n  abort(401)\n": 0,
    "  if key == KEY:\n    pass\n  else:\n    abort(401)\n": 0,
    "  if key != KEY:\n    pass\n  else:\n    abort(401)\n": 1,
    "  if key == KEY:\n    return redirect('/home')\n  abort(401)\n": 0,
}


@pytest.mark.parametrize("body", BODIES)
def test_the_other_branch(body: str) -> None:
    route = only(read_flask, f"{FLASK}@app.get('/a')\ndef a():\n{READ}{body}  return 'a'\n")
    assert [len(guard.unless) for guard in route.guards] == [BODIES[body]]
