"""The control x route matrix: what each cell says, and what stands out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evreview.evidence.cited import first_of
from evreview.evidence.intake import open_bundle
from evreview.evidence.records.controls import SecurityInventory
from evreview.prose import plain
from evreview.security.inventory import frames
from evreview.security.inventory.areas import AREAS, read_area
from evreview.security.inventory.frames import (
    CONTROL_COLUMNS,
    GAP_COLUMNS,
    MIDDLEWARE_COLUMNS,
    TEST_COLUMNS,
    controls_frame,
    gaps_frame,
    middleware_frame,
)
from evreview.security.inventory.neighbours import resource
from evreview.security.inventory.seen import Sights
from evreview.security.inventory.take import take_inventory
from evreview.sources.model import CodeFacts, CodeResponse, Guard, Route, Spot
from evreview.sources.read import read_sources
from evreview.vocab import Area, EvidenceId
from evreview.workflow.w2.inputs import sources_of
from tests.security.bundles import SOURCE, TESTED, bundle_of, item
from tests.security.inventory.listed import (
    DELETE,
    READ,
    SERVICE,
    cell,
    cells,
    control,
    gaps,
    inventory,
    items,
    taken,
)
from tests.sources.snippets import source

AREA_REQS = {
    Area.AUTHENTICATION: "W3X-001", Area.AUTHORIZATION: "W3X-002", Area.INPUT_HANDLING: "W3X-003",
    Area.SECRETS: "W3X-004", Area.LOGGING: "W3X-005", Area.ERROR_DISCLOSURE: "W3X-006",
}  # fmt: skip


def by_area(area: Area) -> Any:
    return pytest.param(area, marks=pytest.mark.req(AREA_REQS[area]), id=area.value)


@pytest.mark.parametrize("area", [by_area(area) for area in Area])
def test_every_area_has_a_cell_for_every_route_or_a_reason(area: Area) -> None:
    found = taken(stated={"not_in_scope": []})
    assert {one.route for one in found.cells if one.area is area} == {READ, DELETE}
    assert (area.value, "source") in gaps(found)
    reasoned = taken(stated={"not_in_scope": [{"area": area, "why": "no such thing"}]})
    assert [(one.route, str(one.standing), plain(one.why)) for one in reasoned.cells if one.area is area] == [
        ("*", "not in scope", "no such thing")
    ]
    assert (area.value, "source") not in gaps(reasoned)


@pytest.mark.parametrize("area", [by_area(area) for area in Area])
def test_a_listed_control_answers_for_its_area(area: Area) -> None:
    excerpt = {"item": "E3", "lines": "17-20", "quote": "def read("}
    found = taken(control(area=area.value, source=[excerpt]))
    assert (area.value, "source") not in gaps(found)
    assert ("check", READ) in cells(found)
    assert (area.value, DELETE) in cells(found)


HEAD = """
    import logging, os
    from fastapi import Depends, FastAPI, HTTPException, Query, Security, Body
    from fastapi.security import HTTPBearer, OAuth2PasswordBearer
    from pydantic import BaseModel
    log = logging.getLogger("a")
    KEY_FROM = os.environ["API_KEY"]
    API_KEY = os.environ["API_KEY"]
    PASSWORD = "k7Qp2xV9mZ4tR8wB1nLs"
    class Model(BaseModel):
        name: str
    def known(): raise HTTPException(401)
    def admin(): raise HTTPException(403)
    def plain_one(): return 1
    scopes = OAuth2PasswordBearer(tokenUrl="t")
    app = FastAPI({app})
    {around}
"""


def reading(route: str, area: Area, app: str = "", around: str = "") -> str:
    """What the code alone shows of an area on one route."""
    text = HEAD.format(app=app, around=around) + "    @app.post('/a')\n    def a" + route
    sources = [source(text)]
    (seen,) = Sights(read_sources(sources), sources).all
    return str(read_area(seen, area).standing)


A, Z, N, S = Area.AUTHENTICATION, Area.AUTHORIZATION, Area.INPUT_HANDLING, Area.SECRETS
L, E = Area.LOGGING, Area.ERROR_DISCLOSURE


@pytest.mark.parametrize(
    ("route", "area", "standing"),
    [
        ("(x=Depends(known)): ...", A, "present"),
        ("(x=Depends(HTTPBearer())): ...", A, "present"),
        ("(): raise HTTPException(401)", A, "present"),
        ("(x=Depends(plain_one)): ...", A, "absent"),
        ("(x=Depends(admin)): ...", A, "absent"),
        ("(x=Depends(elsewhere)): ...", A, "unread"),
        ("(x=Depends(admin)): ...", Z, "present"),
        ("(x=Security(scopes, scopes=['w'])): return check(x)", Z, "present"),
        ("(x=Security(scopes, scopes=['w'])): ...", Z, "unknown"),
        ("(x=Depends(known)): ...", Z, "absent"),
        ("(): raise HTTPException(403)", Z, "present"),
        ("(x=Depends(elsewhere)): ...", Z, "unread"),
        ("(): ...", N, "not applicable"),
        ("(body: Model): ...", N, "present"),
        ("(n: int): ...", N, "present"),
        ("(q: str = ''): ...", N, "absent"),
        ("(): return API_KEY", S, "present"),
        ("(): return PASSWORD", S, "absent"),
        ("(): return (API_KEY, PASSWORD)", S, "absent"),
        ("(): return 1", S, "unknown"),
        ("(): log.info('x')", L, "present"),
        ("(): print('x')", L, "absent"),
        ("(x=Depends(elsewhere)): ...", L, "unread"),
        ("(): ...", E, "unknown"),
    ],
)
def test_what_the_code_shows_of_an_area(route: str, area: Area, standing: str) -> None:
    assert reading(route, area) == standing


@pytest.mark.req("W3S-007")
@pytest.mark.parametrize(
    ("around", "area", "standing"),
    [
        ("@app.exception_handler(Exception)\n    def f(request, error): ...", E, "present"),
        ("@app.exception_handler(500)\n    def f(request, error): ...", E, "present"),
        ("@app.exception_handler(ValueError)\n    def f(request, error): ...", E, "unknown"),
        ("@app.middleware('http')\n    def f(request, go): log.info('x')", L, "present"),
        ("app.add_middleware(Other)", A, "unread"),
    ],
)
def test_what_runs_around_a_route_counts(around: str, area: Area, standing: str) -> None:
    assert reading("(): ...", area, around=around) == standing


MIDDLEWARE = """
@app.middleware("http")
async def gate(request, go):
    if request.url.path != "/open" and not request.headers:
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
    found = {one.name: str(read_area(one, L).standing) for one in Sights(read_sources(sources), sources).all}
    assert found == {"GET /a": "present", "GET /b": "absent", "GET /c": "present"}


def test_declared_facts_join_the_route_that_was_read() -> None:
    spot = Spot(EvidenceId("E5"), 1, 1, "proxy.conf", declared=None)
    guard = Guard(name="proxy", kind="authentication", spot=spot)
    declared = Route(method="DELETE", path="/orders/{x}", handler="", framework="declared", spot=spot, guards=(guard,))
    sources = [source(SERVICE, "app.py", "E3")]
    code = read_sources(sources)
    seen = Sights(CodeFacts(routes=(declared, *code.routes)), sources).all
    assert {one.name: str(read_area(one, A).standing) for one in seen} == {READ: "present", DELETE: "present"}


def test_a_route_that_is_registered_twice_is_asked_about() -> None:
    twice = SERVICE + '\n@app.get("/orders/{other}")\ndef again(other: int): ...\n'
    found = taken(control(), app=twice)
    assert ("*", "route") in gaps(found, decides=False)
    assert [one.route for one in found.cells if one.area is Area.AUTHENTICATION] == [READ, DELETE]


def test_routes_that_no_negative_test_asks_are_named() -> None:
    app = SERVICE.replace("def delete(id: int)", "def delete(id: int, who=Depends(principal))")
    found = taken(control(routes=["*"]), app=app)
    (asked,) = [gap for gap in found.gaps if gap.lacks == "negative tests"]
    assert (plain(asked.request), asked.decides) == (f"a negative test of each of {DELETE}", False)
    assert taken(control(routes=["*"], sensitive=False), app=app).gaps == ()


@pytest.mark.parametrize("area", Area)
def test_nothing_is_concluded_about_a_declared_route_without_facts(area: Area) -> None:
    route = Route(method="GET", path="/a", handler="", framework="declared", spot=Spot(EvidenceId("E1"), 1, 1))
    (seen,) = Sights(CodeFacts(routes=(route,)), []).all
    assert str(read_area(seen, area).standing) == "unknown"


IMPORTS = """import logging, os
from fastapi import Depends, FastAPI, Header, HTTPException, Query
log = logging.getLogger("a")
app = FastAPI()
def user(): ...
def sign(key): ...
"""


@pytest.mark.parametrize("rule", AREAS, ids=lambda rule: rule.area.value)
def test_each_area_counts_its_example_and_not_its_counter_example(rule: Any) -> None:
    shown = []
    for code in (rule.example, rule.counter_example):
        sources = [source(IMPORTS + code)]
        (seen,) = Sights(read_sources(sources), sources).all
        shown.append(str(read_area(seen, rule.area).standing))
    assert shown[0] == "present"
    assert shown[1] in ("absent", "unknown")
    assert sorted(one.area for one in AREAS) == sorted(Area)


LINES = {"item": "E3", "lines": "8-10", "quote": "def principal("}
DENY = {"item": "E5", "lines": "1", "quote": "deny all;"}


@pytest.mark.parametrize(
    ("stated", "read", "deleted"),
    [
        ({"source": [LINES]}, "present", "absent"),
        ({"source": [LINES], "deployment": [DENY]}, "present", "present"),
        ({"source": [], "deployment": [DENY]}, "present", "present"),
        ({"source": []}, "absent", "absent"),
        ({"source": [LINES | {"quote": "def other("}]}, "unknown", "unknown"),
        ({"source": None}, "unknown", "unknown"),
        ({"source": [], "middleware": [{"item": "E3", "lines": "12-15", "quote": "failed"}]}, "present", "present"),
    ],
)
def test_a_control_stands_where_its_lines_belong_to_the_route(stated: dict[str, Any], read: str, deleted: str) -> None:
    found = cells(taken(control(routes=["*"], **stated)))
    assert (found["check", READ], found["check", DELETE]) == (read, deleted)


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
    found = taken(control(area="authorization", routes=["*"], source=[shown]), app=HOOK)
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
    ("asked", "standing"),
    [
        ("", "present"),
        (' and request.method != "DELETE"', "unknown"),
        (' and request.endpoint != "delete"', "unknown"),
        (' and request.args.get("debug") != "1"', "unknown"),
    ],
)
@pytest.mark.parametrize("name", ["check", "authentication"])
def test_a_guard_with_a_hole_is_not_present(asked: str, standing: str, name: str) -> None:
    shown = {"item": "E3", "lines": "7", "quote": "abort(401)"}
    listed = control(area="authentication" if name == "check" else "logging", routes=["*"], source=[shown])
    found = cells(taken(listed, stated={"not_in_scope": []}, app=PIERCED.replace('["KEY"]', f'["KEY"]{asked}')))
    assert (found[name, READ], found[name, DELETE]) == (standing, standing)


HOLLOW = """
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
    found = taken(listed, stated={"not_in_scope": []}, app=HOLLOW)
    assert (cells(found)[name, READ], cells(found)[name, DELETE]) == ("unknown", "unknown")
    assert "only whether credentials are there" in plain(cell(found, name, READ).why)
    checked = HOLLOW.replace("load(id)", "load(id, verify(request.headers['Authorization']))")
    found = taken(listed, stated={"not_in_scope": []}, app=checked)
    assert (cells(found)[name, READ], cells(found)[name, DELETE]) == ("unknown", "present")


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
    found = {one.name: str(read_area(one, Z).standing) for one in Sights(read_sources(sources), sources).all}
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
    found = {one.name: str(read_area(one, A).standing) for one in Sights(read_sources(sources), sources).all}
    assert found == {"GET /bills/{id}": "present", "GET /bills": "absent"}


def test_without_its_backend_it_is_not_known_whom_middleware_refuses() -> None:
    start, end = STARLETTE.index("class Backend"), STARLETTE.index("@requires")
    sources = [source(STARLETTE[:start] + "from elsewhere import Backend\n" + STARLETTE[end:])]
    found = {one.name: str(read_area(one, A).standing) for one in Sights(read_sources(sources), sources).all}
    assert found == {"GET /bills/{id}": "present", "GET /bills": "unknown"}


def test_a_refusal_whose_reason_is_not_told_is_what_the_inventory_says() -> None:
    app = HOOK + "@app.errorhandler(Exception)\ndef failed(error): return {}, 500\n"
    shown = {"item": "E3", "lines": "13", "quote": "tokens.verify()"}
    found = taken(control(routes=["*"], source=[shown]), app=app)
    assert (cells(found)["check", READ], cells(found)["check", DELETE]) == ("present", "absent")
    assert "as the inventory states" in plain(cell(found, "check", READ).why)


def test_a_control_that_is_absent_where_it_shall_stand_is_asked_about() -> None:
    found = taken(control(routes=["*"]))
    assert ("check", "control") in gaps(found, decides=False)
    assert ("check", "control") not in gaps(taken(control()), decides=False)
    assert ("check", "control") not in gaps(taken(control(routes=["*"], sensitive=False)), decides=False)


def test_only_the_lines_of_the_quote_count() -> None:
    whole = {"item": "E3", "lines": "1-24", "quote": "raise HTTPException(401)"}
    found = cells(taken(control(routes=["*"], source=[whole])))
    assert (found["check", READ], found["check", DELETE]) == ("present", "absent")


@pytest.mark.parametrize(
    ("area", "lines", "quote", "expected"),
    [
        ("secrets", "4", "API_KEY", ("present", "not applicable")),
        ("logging", "19", "log.info", ("present", "absent")),
        ("error disclosure", "12-15", "failed", ("present", "present")),
        ("input handling", "18", "id: int", ("present", "absent")),
    ],
)
def test_other_areas(area: str, lines: str, quote: str, expected: tuple[str, str]) -> None:
    stated = control(area=area, routes=["*"], source=[{"item": "E3", "lines": lines, "quote": quote}])
    found = cells(taken(stated))
    assert (found["check", READ], found["check", DELETE]) == expected


@pytest.mark.req("W3S-007")
def test_an_unguarded_neighbour_stands_out() -> None:
    found = taken(control(routes=["*"]))
    assert cell(found, "check", DELETE).odd
    assert READ in plain(cell(found, "check", DELETE).why)
    assert not cell(found, "check", READ).odd


GUARDED, OPEN = "x=Depends(known)", ""


@pytest.mark.parametrize(
    ("routes", "odd"),
    [
        ([("get", "/a", GUARDED), ("get", "/a/{id}", OPEN)], {"GET /a/{id}"}),
        ([("get", "/a", GUARDED), ("post", "/a", OPEN)], {"POST /a"}),
        ([("post", "/a", GUARDED), ("get", "/a", OPEN)], set()),
        ([("get", "/a", GUARDED), ("get", "/b", OPEN)], set()),
        ([("get", "/a", GUARDED), ("get", "/b", GUARDED), ("get", "/c", OPEN)], {"GET /c"}),
        ([("get", "/a", GUARDED), ("get", "/b", OPEN), ("get", "/c", OPEN)], set()),
        ([("get", "/a", OPEN), ("get", "/a/{id}", OPEN)], set()),
        ([("get", "/a", GUARDED), ("get", "/a/{id}", "x=Depends(elsewhere)")], set()),
    ],
)
def test_which_routes_are_odd(routes: list[tuple[str, str, str]], odd: set[str]) -> None:
    written = "".join(
        f"    @app.{method}('{path}')\n    def f{place}({arguments}): ...\n"
        for place, (method, path, arguments) in enumerate(routes)
    )
    app = (HEAD.format(app="", around="") + written).replace("\n    ", "\n")
    found = taken(stated={"not_in_scope": []}, app=app)
    assert {one.route for one in found.cells if one.odd and one.area is Area.AUTHENTICATION} == odd


@pytest.mark.parametrize(
    ("path", "expected"),
    [("/v1/a", "v1/a"), ("/v1/a/{id}", "v1/a"), ("/v1/a/{id}/b", "v1/a"), ("/{id}", ""), ("/", "")],
)
def test_the_resource_of_a_path(path: str, expected: str) -> None:
    assert resource(path) == expected


def test_a_route_that_no_code_registers_is_asked_for() -> None:
    found = taken(control(routes=["GET /gone"]))
    assert cells(found)["check", "GET /gone"] == "unknown"
    assert ("check", "route") in gaps(found)


def test_without_routes_nothing_can_be_concluded() -> None:
    found = taken(control(routes=["*"]), code=CodeFacts(routes=()))
    assert {("*", "route"), ("check", "route")} <= set(gaps(found))


@pytest.mark.req("W3S-009")
def test_without_an_inventory_every_area_is_a_gap() -> None:
    bundle = bundle_of(*items())
    sources = [source(SERVICE, "app.py", "E3")]
    found = take_inventory(None, read_sources(sources), sources, bundle)
    assert {area for area, lacks in gaps(found) if lacks == "source"} == {area.value for area in Area}
    assert not found.concludes


def test_what_could_not_be_read_keeps_a_control_open() -> None:
    app = SERVICE.replace("def delete(id: int)", "def delete(id: int, who=Depends(elsewhere))")
    found = taken(control(routes=["*"]), app=app)
    assert cells(found)["check", DELETE] == "unread"
    assert ("check", "source") in gaps(found)


def test_lines_of_another_language_hold_where_the_route_shows_a_check() -> None:
    go = item(9, SOURCE, "func principal(w, r) {\n", path="guard.go")
    stated = control(routes=["*"], source=[{"item": "E9", "lines": "1", "quote": "func principal"}])
    found = taken(stated, more=[go])
    assert (cells(found)["check", READ], cells(found)["check", DELETE]) == ("present", "unknown")
    assert "as the inventory states" in plain(cell(found, "check", READ).why)


GO = """func auth(next Handler) Handler {
	if !verify(r) { http.Error(w, "", 401) }
}
mux.Handle("GET /orders", auth(orders))
mux.Handle("GET /report", report)
mux.Handle("GET /export", export)
"""


def go_route(path: str, line: int, **parts: Any) -> Route:
    spot = Spot(EvidenceId("E3"), line, line, "main.go", declared=None)
    return Route(method="GET", path=path, handler="", framework="declared", spot=spot, **parts)


@pytest.mark.parametrize(
    ("area", "guarded", "standing", "decides"),
    [
        ("authentication", {"guards": "authentication"}, ["present", "unknown", "unknown"], True),
        ("authentication", {"responses": 401}, ["present", "unknown", "unknown"], True),
        ("authentication", {}, ["unknown"] * 3, True),
        ("authorization", {"guards": "authentication"}, ["unknown"] * 3, True),
        ("authorization", {"responses": 403}, ["present", "unknown", "unknown"], True),
        ("logging", {}, ["unknown"] * 3, False),
        ("error disclosure", {}, ["unknown"] * 3, False),
    ],
)
def test_a_declared_fact_ties_a_control_of_another_language_to_a_route(
    area: str, guarded: dict[str, Any], standing: list[str], decides: bool
) -> None:
    spot = Spot(EvidenceId("E3"), 4, 4, "main.go")
    parts: dict[str, Any] = {}
    if "guards" in guarded:
        parts["guards"] = (Guard(name="auth", kind=guarded["guards"], spot=spot),)
    if "responses" in guarded:
        parts["responses"] = (CodeResponse(status=guarded["responses"], how="raised", spot=spot),)
    routes = (go_route("/orders", 4, **parts), go_route("/report", 5), go_route("/export", 6))
    stated = control(area=area, routes=["*"], source=[{"item": "E3", "lines": "2", "quote": "if !verify(r)"}])
    bundle = bundle_of(item(2, TESTED, "inventory"), *items(app=GO))
    found = take_inventory(inventory(stated), CodeFacts(routes=routes), [], bundle)
    assert [cells(found)["check", f"GET {path}"] for path in ("/orders", "/report", "/export")] == standing
    assert (("check", "route") in gaps(found)) is decides
    odd = {one.route for one in found.cells if one.odd}
    assert odd == ({"GET /report", "GET /export"} if standing[0] == "present" else set())


def test_a_quoted_line_of_its_registration_ties_a_control_to_a_route() -> None:
    routes = (go_route("/orders", 4), go_route("/report", 5))
    shown = [{"item": "E3", "lines": "2", "quote": "if !verify(r)"}, {"item": "E3", "lines": "4", "quote": "auth("}]
    bundle = bundle_of(item(2, TESTED, "inventory"), *items(app=GO))
    found = take_inventory(inventory(control(routes=["*"], source=shown)), CodeFacts(routes=routes), [], bundle)
    assert (cells(found)["check", "GET /orders"], cells(found)["check", "GET /report"]) == ("present", "unknown")
    (asked,) = [gap for gap in found.gaps if gap.lacks == "route"]
    assert "GET /report" in plain(asked.request) and "declare a fact about its authentication" in plain(asked.request)


def test_an_area_with_a_control_and_a_reason_is_asked_about() -> None:
    both = [{"area": "authentication", "why": "x"}]
    assert ("authentication", "scope") in gaps(taken(control(), stated={"not_in_scope": both}), decides=False)


@pytest.mark.req("W3S-008")
def test_the_matrix_of_the_bundled_review(project: Path) -> None:
    opened = open_bundle(project / "examples" / "w3-tickets").unsealed()
    sources = sources_of(opened)
    found = take_inventory(first_of(opened, SecurityInventory), read_sources(sources), sources, opened)
    notes, figures, close = (
        "GET /v1/tickets/{ticket_id}/notes", "GET /internal/figures", "DELETE /v1/tickets/{ticket_id}",
    )  # fmt: skip
    shown = cells(found)
    assert gaps(found) == []
    assert shown["token-check", notes] == "absent"
    assert [(one.control, one.route) for one in found.cells if one.odd] == [("token-check", notes)]
    assert shown["notes-check", notes] == "present"
    assert shown["staff-check", close] == "present"
    assert shown["inner-location", figures] == "present"
    assert shown["authentication", figures] == "absent"
    assert shown["token-key-storage", close] == "absent"
    assert ("staff-check", "negative tests") in gaps(found, decides=False)
    assert {row.outcome for row in found.tests} == {"passed"}
    assert [(row.name, row.place, row.area) for row in found.middleware] == [
        ("access_log", 1, Area.LOGGING), ("failed", 0, Area.ERROR_DISCLOSURE),
    ]  # fmt: skip


def test_frames_have_their_columns() -> None:
    found = taken(control(positive_tests=None))
    for frame, columns, rows in (
        (controls_frame(found.cells), CONTROL_COLUMNS, found.cells),
        (gaps_frame(found.gaps), GAP_COLUMNS, found.gaps),
        (middleware_frame(found.middleware), MIDDLEWARE_COLUMNS, found.middleware),
        (frames.tests_frame(found.tests), TEST_COLUMNS, found.tests),
    ):
        assert list(frame.columns) == list(columns)
        assert len(frame) == len(rows) > 0


def test_keys_of_the_matrix_are_unique() -> None:
    found = taken(control(), control(id="second", routes=["*"]), control(id="third", area="logging"))
    keys = [(one.control, one.route) for one in found.cells]
    assert len(keys) == len(set(keys))


def test_two_controls_with_one_id_are_asked_about() -> None:
    found = taken(control(), control(name="second"))
    assert ("check", "id") in gaps(found)
    keys = [(one.control, one.route) for one in found.cells]
    assert len(keys) == len(set(keys))


WORDS = st.sampled_from(["E3", "E5", "E7", "E99"])
EXCERPTS = st.builds(
    lambda item_, lines, quote: {"item": item_, "lines": lines, "quote": quote},
    WORDS,
    st.sampled_from(["1", "8-10", "1-24", "99", "x", "0", "2-1"]),
    st.sampled_from(["raise HTTPException(401)", "deny all", "[E1]", "`x`|", "app", "\n\n#"]),
)
TESTS = st.builds(
    lambda item_, test, run: {"item": item_, "test": test, "run": run},
    st.sampled_from(["E4", "E7", "E8", "E5", "E99"]),
    st.sampled_from(["test_may", "tests/test_a.py::test_may_not", "a::[", "(", "test_silent"]),
    st.sampled_from([None, "E7", "E8", "E3"]),
)
CONTROLS = st.builds(
    lambda **given: {key: value for key, value in given.items() if value is not None},
    id=st.sampled_from(["check", "authentication", "*", "[E1] | `x`"]),
    area=st.sampled_from([area.value for area in Area]),
    name=st.just("n"),
    routes=st.lists(st.sampled_from(["*", READ, DELETE, "GET /gone", "nonsense", "GET /`x`|{id}"]), max_size=3),
    sensitive=st.booleans(),
    **{name: st.none() | st.lists(EXCERPTS, max_size=2) for name in ("source", "middleware", "deployment")},
    **{name: st.none() | st.lists(TESTS, max_size=2) for name in ("positive_tests", "negative_tests")},
    surrounding=st.none() | st.just([{"path": "x.py"}]),
)


@settings(max_examples=40, deadline=None)
@given(st.lists(CONTROLS, max_size=3))
def test_any_inventory_gives_a_matrix_with_reasons(controls: list[dict[str, Any]]) -> None:
    found = taken(*controls)
    keys = [(one.control, one.route) for one in found.cells]
    assert len(keys) == len(set(keys))
    assert all(one.why and one.citations for one in found.cells)
    assert all(gap.request and gap.citations for gap in found.gaps)
    listed = {one["id"] for one in controls}
    open_ones = {one.control for one in found.cells if str(one.standing) in ("unknown", "unread")} & listed
    assert open_ones <= {gap.control for gap in found.gaps if gap.decides} | {area.value for area in Area}


def test_hostile_words_of_an_inventory_stay_words() -> None:
    stated = control(id="[E1] | x", routes=["GET /`x`|{id}"], name="\n# h")
    found = taken(stated)
    assert all(not isinstance(part, str) or "`" not in part for gap in found.gaps for part in gap.request)
