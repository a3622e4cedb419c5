"""What checks callers, in the matrix: hooks, guards with a hole, guards that look at nothing, middleware, owners."""

from __future__ import annotations

import pytest

from evreview.codefacts.read import read_sources
from evreview.core.quoted_text import plain
from evreview.core.vocabulary import Area
from evreview.workflows.w3.inventory.routes import InspectedRoutes, read_area
from tests.codefacts.snippets import source
from tests.workflows.w3.inventory.listed import DELETE, READ, SERVICE, cell, cells, control, gaps, standings, taken

MIDDLEWARE = """
@app.middleware("http")
async def gate(request, go):
    if request.url.path not in app.state.open and not request.headers:
        return JSONResponse({}, status_code=401)
    return await go(request)
"""


def test_middleware_that_looks_at_the_path_is_not_believed_of_all_routes() -> None:
    app = SERVICE.replace("@app.get(", f"{MIDDLEWARE}\n@app.get(", 1).replace("who=Depends(principal)", "x: int = 1")
    first = app.splitlines().index("async def gate(request, go):") + 1
    shown = {"item": "E3", "lines": f"{first}-{first + 3}", "quote": "status_code=401"}
    every = taken(control(routes=["*"], source=[shown]), app=app)
    assert {cells(every)["check", READ], cells(every)["check", DELETE]} == {"unknown"}
    assert not every.concludes
    named = taken(control(routes=[READ], source=[shown]), app=app)
    assert (cells(named)["check", READ], cells(named)["authentication", DELETE]) == ("present", "unknown")
    assert "as the inventory states" in plain(cell(named, "check", READ).why)


@pytest.mark.parametrize(
    ("asked", "standings_"),
    [
        ('request.url.path != "/open" and request.headers.get("X-Api-Key") != app.state.key', ("present", "present")),
        ('request.url.path != "/open" and not request.headers', ("unknown", "unknown")),
        ('request.method != "GET" and request.headers.get("X-Api-Key") != app.state.key', ("absent", "present")),
    ],
)
def test_a_path_that_the_route_decides_leaves_the_rest_to_decide(asked: str, standings_: tuple[str, str]) -> None:
    gate = MIDDLEWARE.replace("request.url.path not in app.state.open and not request.headers", asked)
    app = SERVICE.replace("@app.get(", f"{gate}\n@app.get(", 1).replace("who=Depends(principal)", "x: int = 1")
    line = app.splitlines().index("async def gate(request, go):") + 1
    shown = {"item": "E3", "lines": f"{line}-{line + 3}", "quote": "status_code=401"}
    found = cells(taken(control(routes=["*"], source=[shown]), app=app))
    assert (found["check", READ], found["check", DELETE]) == standings_


SEVERAL = """
import logging
from fastapi import APIRouter, FastAPI
log = logging.getLogger("a")
router = APIRouter()
inner, outer = FastAPI(), FastAPI()
@inner.middleware("http")
async def logged(request, go):
    log.info("x")
@outer.middleware("http")
async def silent(request, go): ...
@inner.get("/a")
def a(): ...
@outer.get("/b")
def b(): ...
@router.get("/c")
def c(): ...
inner.include_router(router)
"""


def test_middleware_runs_for_the_routes_of_its_application() -> None:
    sources = [source(SEVERAL)]
    found = standings(Area.LOGGING, sources)
    assert found == {"GET /a": "present", "GET /b": "absent", "GET /c": "present"}


HOOK = """
import tokens
from flask import Flask, abort, g, redirect
app = Flask(__name__)
def admin(function):
    def inner(*given):
        if not g.user:
            abort(403)
        return function(*given)
    return inner
@app.before_request
def load():
    g.user = tokens.verify()
@app.get("/orders/<int:id>")
@admin
def read(id):
    return {}
@admin
@app.delete("/orders/<int:id>")
def delete(id):
    return {}
"""


@pytest.mark.parametrize(
    ("asked", "refused", "standing"),
    [
        ("not g.user", "abort(403)", "present"),
        ("g.get('user') is None", "abort(401)", "present"),
        ("getattr(g, 'user', None) is None", "return {}, 401", "present"),
        ("'user' not in g", "return redirect('/login')", "present"),
        ("not g.flag", "abort(403)", "absent"),
        ("not g.user", "log.info('odd')", "absent"),
        ("g.get('agent') is None", "abort(403)", "absent"),
    ],
)
def test_what_a_hook_sets_and_the_decorator_that_asks_for_it_are_one_check(
    asked: str, refused: str, standing: str
) -> None:
    app = HOOK.replace("not g.user", asked).replace("abort(403)", refused)
    shown = {"item": "E3", "lines": "13", "quote": "tokens.verify()"}
    found = taken(control(routes=["*"], source=[shown]), app=app)
    assert (cells(found)["check", READ], cells(found)["check", DELETE]) == (standing, "absent")
    assert "refuse nobody" in plain(cell(found, "check", DELETE).why)
    assert not [gap for gap in found.gaps if gap.decides and gap.lacks in ("source", "route")]


def test_a_decorator_above_the_route_guards_nothing() -> None:
    shown = {"item": "E3", "lines": "5-10", "quote": "abort(403)"}
    app = HOOK.replace("not g.user", "not g.user.is_admin")
    found = taken(control(area="authorization", routes=["*"], source=[shown]), app=app)
    assert (cells(found)["check", READ], cells(found)["check", DELETE]) == ("present", "absent")
    assert cell(found, "check", DELETE).odd


PIERCED = """
from flask import Flask, abort, current_app, request
app = Flask(__name__)
@app.before_request
def check():
    if request.headers.get("X-Api-Key") != current_app.config["KEY"]:
        abort(401)
@app.get("/orders/<int:id>")
def read(id):
    return {}
@app.delete("/orders/<int:id>")
def delete(id):
    return {}
"""


@pytest.mark.req("W3X-001")
@pytest.mark.parametrize(
    ("asked", "reading", "deleted"),
    [
        ("", "present", "present"),
        # For one of the two routes the branch is never taken; the other is guarded.
        (' and request.method != "DELETE"', "present", "absent"),
        (' and request.method not in ("DELETE", "PUT")', "present", "absent"),
        (' and request.endpoint != "delete"', "present", "absent"),
        (' and request.endpoint == "read"', "present", "absent"),
        (' and request.endpoint != "other"', "present", "present"),
        (' and request.args.get("debug") != "1"', "unknown", "unknown"),
        (' and request.method != current_app.config["FREE"]', "unknown", "unknown"),
        (' and request.endpoint not in current_app.config["FREE"]', "unknown", "unknown"),
    ],
)
@pytest.mark.parametrize("name", ["check", "authentication"])
def test_a_guard_with_a_hole_is_not_present(asked: str, reading: str, deleted: str, name: str) -> None:
    shown = {"item": "E3", "lines": "7", "quote": "abort(401)"}
    listed = control(area="authentication" if name == "check" else "logging", routes=["*"], source=[shown])
    found = cells(taken(listed, stated={"not_in_scope": []}, app=PIERCED.replace('["KEY"]', f'["KEY"]{asked}')))
    assert (found[name, READ], found[name, DELETE]) == (reading, deleted)


SPARED = """
from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse
app = FastAPI()
@app.middleware("http")
async def check(request: Request, call_next):
    if request.method == "GET":
        return await call_next(request)
    if request.headers.get("X-Api-Key") != app.state.key:
        return JSONResponse({}, status_code=401)
    return await call_next(request)
@app.get("/orders/{id}")
def read(id: int):
    return {}
@app.delete("/orders/{id}")
def delete(id: int):
    return {}
"""


@pytest.mark.parametrize(
    ("lines", "quote"),
    [("10", "return JSONResponse({}, status_code=401)"), ("5-11", "return JSONResponse({}, status_code=401)")],
)
def test_middleware_that_lets_a_method_past_is_a_control_of_the_others(lines: str, quote: str) -> None:
    shown = {"item": "E3", "lines": lines, "quote": quote}
    listed = control(area="authentication", routes=["*"], source=[shown])
    found = taken(listed, app=SPARED)
    assert (cells(found)["check", READ], cells(found)["check", DELETE]) == ("absent", "present")
    assert "lets this route past" in plain(cell(found, "check", READ).why)


PRESENCE_ONLY = """
from flask import Flask, abort, request
app = Flask(__name__)
@app.before_request
def check():
    if not request.headers.get("Authorization"):
        abort(401)
@app.get("/orders/<int:id>")
def read(id):
    return {}
@app.delete("/orders/<int:id>")
def delete(id):
    return load(id)
"""


@pytest.mark.req("W3X-001")
@pytest.mark.parametrize("name", ["check", "authentication"])
def test_a_guard_that_looks_at_nothing_is_not_present(name: str) -> None:
    shown = {"item": "E3", "lines": "7", "quote": "abort(401)"}
    listed = control(area="authentication" if name == "check" else "logging", routes=["*"], source=[shown])
    found = taken(listed, stated={"not_in_scope": []}, app=PRESENCE_ONLY)
    assert (cells(found)[name, READ], cells(found)[name, DELETE]) == ("unknown", "unknown")
    assert "only whether credentials are there" in plain(cell(found, name, READ).why)
    checked = PRESENCE_ONLY.replace("load(id)", "load(id, verify(request.headers['Authorization']))")
    found = taken(listed, stated={"not_in_scope": []}, app=checked)
    assert (cells(found)[name, READ], cells(found)[name, DELETE]) == ("unknown", "unknown")
    assert "only whether credentials are there" not in plain(cell(found, name, DELETE).why)


CALLED = """
from functools import wraps
from flask import Flask, abort, request
from tokens import verify
app = Flask(__name__)
def claims():
    if not verify(request.headers.get("Authorization")):
        abort(401)
def signed(view):
    @wraps(view)
    def inner(*a, **k):
        %s
        return view(*a, **k)
    return inner
@app.get("/orders/<int:id>")
@signed
def read(id): return {}
@app.delete("/orders/<int:id>")
@signed
def delete(id): return {}
"""


@pytest.mark.req("W3S-007")
@pytest.mark.parametrize(
    ("called", "standing", "asked"),
    [
        ("claims()", "present", False),
        ("if request.args.get('debug') != '1': claims()", "unknown", False),
        ("if request.headers.get('Authorization'): claims()", "unknown", False),
        ("if request.method == 'POST': claims()", "unknown", True),
        ("if False: claims()", "unknown", True),
    ],
)
def test_lines_that_a_guard_calls_only_sometimes_are_not_present(called: str, standing: str, asked: bool) -> None:
    app = CALLED % called
    line = app.splitlines().index("        abort(401)") + 1
    shown = {"item": "E3", "lines": str(line), "quote": "abort(401)"}
    found = taken(control(routes=["*"], source=[shown]), app=app)
    assert (cells(found)["check", READ], cells(found)["check", DELETE]) == (standing, standing)
    # What the code shows to be open is for the leads to tell; what it leaves open is asked for.
    assert (("check", "route") in gaps(found)) is asked


DROPPED = """
from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse
app = FastAPI()
@app.middleware("http")
async def check(request: Request, call_next):
    if not verify(request.headers.get("Authorization")):
        %sJSONResponse({}, status_code=401)
    return await call_next(request)
@app.get("/orders/{id}")
def read(id: int): return {}
@app.delete("/orders/{id}")
def delete(id: int): return {}
"""


@pytest.mark.parametrize(("word", "standing"), [("return ", "present"), ("", "absent")])
def test_an_answer_that_is_dropped_refuses_nobody(word: str, standing: str) -> None:
    shown = {"item": "E3", "lines": "6-8", "quote": "JSONResponse({}, status_code=401)"}
    found = cells(taken(control(routes=["*"], source=[shown]), app=DROPPED % word))
    assert (found["check", READ], found["check", DELETE]) == (standing, standing)


OWNED = """
from fastapi import Depends, FastAPI, HTTPException
from auth import current_user
import store
app = FastAPI()
def own(id: int, user=Depends(current_user)):
    order = store.order(id)
    if order is None or order.owner_id != user.id:
        raise HTTPException(404)
    return order
@app.get("/orders/{id}")
def read(order=Depends(own)): return order
@app.delete("/orders/{id}")
def delete(id: int, user=Depends(current_user)): return %s
"""


@pytest.mark.parametrize(
    ("gives", "standing"),
    [
        ("Order.objects.filter(id=id, owner=user).delete()", "present"),
        ("store.fetch('select 1 from orders where id = ? and owner_id = ?', (id, user.id))", "present"),
        ("store.delete(id)", "absent"),
        ("store.log(owner=user)", "absent"),
    ],
)
@pytest.mark.req("W3X-002")
def test_asking_whose_an_object_is_decides_what_a_caller_may(gives: str, standing: str) -> None:
    sources = [source(OWNED.replace("from auth import current_user", "def current_user(): return 1") % gives)]
    found = {
        one.name: str(read_area(one, Area.AUTHORIZATION).standing)
        for one in InspectedRoutes(read_sources(sources), sources).all
    }
    assert found == {READ: "present", DELETE: standing}


STARLETTE = """
from starlette.applications import Starlette
from starlette.authentication import AuthenticationBackend, requires
from starlette.middleware.authentication import AuthenticationMiddleware
from starlette.responses import JSONResponse
from starlette.routing import Route
class Backend(AuthenticationBackend):
    async def authenticate(self, conn):
        if "Authorization" not in conn.headers:
            return
@requires("authenticated")
async def one(request): return JSONResponse({})
async def two(request): return JSONResponse({})
app = Starlette(routes=[Route("/bills/{id}", one), Route("/bills", two)])
app.add_middleware(AuthenticationMiddleware, backend=Backend())
"""


def test_finding_out_who_calls_refuses_nobody() -> None:
    sources = [source(STARLETTE)]
    found = {
        one.name: str(read_area(one, Area.AUTHENTICATION).standing)
        for one in InspectedRoutes(read_sources(sources), sources).all
    }
    assert found == {"GET /bills/{id}": "present", "GET /bills": "absent"}


def test_without_its_backend_it_is_not_known_whom_middleware_refuses() -> None:
    start, end = STARLETTE.index("class Backend"), STARLETTE.index("@requires")
    sources = [source(STARLETTE[:start] + "from elsewhere import Backend\n" + STARLETTE[end:])]
    found = {
        one.name: str(read_area(one, Area.AUTHENTICATION).standing)
        for one in InspectedRoutes(read_sources(sources), sources).all
    }
    assert found == {"GET /bills/{id}": "present", "GET /bills": "unknown"}


def test_a_refusal_whose_reason_is_not_told_is_what_the_inventory_says() -> None:
    app = HOOK + "@app.errorhandler(Exception)\ndef failed(error): return {}, 500\n"
    shown = {"item": "E3", "lines": "13", "quote": "tokens.verify()"}
    found = taken(control(routes=["*"], source=[shown]), app=app)
    assert (cells(found)["check", READ], cells(found)["check", DELETE]) == ("present", "absent")
    assert "as the inventory states" in plain(cell(found, "check", READ).why)
