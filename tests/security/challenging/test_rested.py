"""A guard that rests on the suspected word is no other control; one that checks a credential comes first."""

from __future__ import annotations

from evreview.security.model import State
from tests.security.challenging.world import control, only, path, world

APP = """
from fastapi import Depends, FastAPI, HTTPException, Request
from jose import jwt
from settings import KEY
app = FastAPI()


def current(request: Request):
    raw = request.headers.get("Authorization", "")
    try:
        claims = jwt.decode(raw, KEY, algorithms=["HS256"])
    except Exception:
        raise HTTPException(401)
    return User(claims["sub"], request.headers.get("X-Role", claims["role"]))


def require(role):
    def check(user=Depends(current)):
        if user.role != role:
            raise HTTPException(403)
        return user
    return check


@app.get("/internal/report")
def report(user=Depends(require("admin"))):
    return []
""".lstrip()
UNQUOTED = control(source=[])


def test_a_role_guard_over_the_word_does_not_answer_for_it() -> None:
    found = only(world(app=APP, controls=[UNQUOTED], paths=[path(), path(actor="customer")]))
    assert found.state is State.SUPPORTED
    assert found.attacker == ""


def test_an_independent_role_guard_answers_for_it() -> None:
    guard = APP.replace(
        "    def check(user=Depends(current)):\n        if user.role != role:",
        "    def check(request: Request):\n        if rights_of(request.headers.get('Authorization')).role != role:",
    ).replace("user=Depends(require", "who=Depends(current), user=Depends(require")
    assert only(world(app=guard, controls=[UNQUOTED])).state is not State.SUPPORTED
