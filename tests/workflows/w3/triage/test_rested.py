"""A guard that rests on the suspected word is no other control; one that checks a credential comes first."""

from __future__ import annotations

from evreview.workflows.w3.model import State
from tests.workflows.w3.triage.world import control, only, path, world

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
BILLS = """
from starlette.applications import Starlette
from starlette.authentication import requires
from starlette.middleware import Middleware
from starlette.middleware.authentication import AuthenticationMiddleware
from starlette.responses import JSONResponse
from starlette.routing import Route
import store


class Backend:
    async def authenticate(self, request):
        return store.credentials(request.headers.get("Authorization"))


@requires(%s)
async def bill(request):
    return JSONResponse(await store.bill(request.path_params["bill_id"]))


around = [Middleware(AuthenticationMiddleware, backend=Backend())]
app = Starlette(routes=[Route("/bills/{bill_id}", bill)], middleware=around)
""".lstrip()
BILL = "GET /bills/{bill_id}"
UNQUOTED = control(source=[])


def test_a_role_guard_over_the_word_does_not_answer_for_it() -> None:
    found = only(world(app=APP, controls=[UNQUOTED], paths=[path(), path(actor="customer")]))
    assert found.state is State.SUPPORTED
    assert found.attacker == "customer"


def test_an_independent_role_guard_answers_for_it() -> None:
    guard = APP.replace(
        "    def check(user=Depends(current)):\n        if user.role != role:",
        "    def check(request: Request):\n        if rights_of(request.headers.get('Authorization')).role != role:",
    ).replace("user=Depends(require", "who=Depends(current), user=Depends(require")
    assert only(world(app=guard, controls=[UNQUOTED])).state is not State.SUPPORTED


def test_being_signed_in_is_no_right_to_an_object() -> None:
    given = world(app=BILLS % '"authenticated"', controls=[control(source=[], routes=[BILL])], paths=[path(route=BILL)])
    assert only(given, "object-without-owner-check").state is not State.REFUTED


def test_an_unasked_caller_is_not_answered_by_middleware_that_notes_who_calls() -> None:
    other = "async def bills(request):\n    return JSONResponse([])\n\n\n"
    app = (BILLS % '"authenticated"').replace("around = ", f"{other}around = ")
    app = app.replace("routes=[", "routes=[Route('/bills', bills), ")
    given = world(app=app, controls=[control(source=[], routes=[BILL])], paths=[path(route="GET /bills")])
    assert only(given, "unguarded-sibling").state is not State.REFUTED
