"""What FastAPI and Starlette code answers, from small snippets."""

from __future__ import annotations

import pytest

from tests.codefacts.asgi.routes import APP, answers, facts, only
from tests.codefacts.asgi.services import HEAD

HANDLERS: list[tuple[str, str, list[tuple[int | None, str]]]] = [
    ("plain value", "def h(): return {}", [(200, "returned")]),
    ("no return", "def h(): pass", [(200, "returned")]),
    ("own response only", "def h(): return JSONResponse({}, status_code=202)", [(202, "returned")]),
    ("raise only", "def h(): raise HTTPException(410)", [(410, "raised")]),
    (
        "either",
        "def h():\n    if HEAD: return Raw(status_code=304)\n    return {}",
        [(200, "returned"), (304, "returned")],
    ),
    ("redirect", "def h(): return RedirectResponse('/x')", [(307, "returned")]),
    ("variable", "def h():\n    made = JSONResponse({}, 203)\n    return made", [(203, "returned")]),
    ("conditional", "def h(): raise HTTPException(404 if HEAD else 403)", [(404, "raised"), (403, "raised")]),
    ("not constant", "def h(): raise HTTPException(status_code=code())", [(None, "raised")]),
    ("constant", "def h(): raise HTTPException(GONE)", [(410, "raised")]),
    (
        "caught",
        "def h():\n    try:\n        raise HTTPException(404)\n    except HTTPException:\n        return {}",
        [(200, "returned")],
    ),
    (
        "raised again",
        "def h():\n    try:\n        raise HTTPException(404)\n    except HTTPException:\n        raise",
        [(404, "raised")],
    ),
    (
        "caught elsewhere",
        "def h():\n    try:\n        raise HTTPException(404)\n    except KeyError:\n        return {}",
        [(200, "returned"), (404, "raised")],
    ),
    ("in a helper", "def h(): return find(1)", [(200, "returned"), (404, "raised")]),
    (
        "in a service",
        "def h():\n    service = Service()\n    return service.load()",
        [(200, "returned"), (409, "raised")],
    ),
    (
        "in a dependency's class",
        "def h(s: Annotated[Service, Depends(Service)]): return s.load()",
        [(200, "returned"), (409, "raised")],
    ),
    ("over an alias", "def h(s: S): return s.load()", [(200, "returned"), (409, "raised")]),
    ("own class", "def h(): raise Missing('x')", [(404, "raised")]),
    ("made by a function", "def h(): raise problem(418)", [(418, "raised")]),
    ("returned by a function", "def h(): return error(451, 'legal')", [(451, "returned")]),
    ("mapped", "def h(): raise Domain()", [(422, "raised")]),
    ("set status", "def h(response: Response):\n    response.status_code = 207\n    return {}", [(207, "returned")]),
    (
        "set sometimes",
        "def h(response: Response):\n    if HEAD:\n        response.status_code = 207\n    return {}",
        [(200, "returned"), (207, "returned")],
    ),
    ("lambda", "def h():\n    later = lambda: fail()\n    return {}", [(200, "returned")]),
    ("nested", "def h():\n    def inner(): raise HTTPException(500)\n    return {}", [(200, "returned")]),
    ("recursion", "def h(): return again(1)", [(200, "returned"), (404, "raised")]),
]

BELOW = """
GONE = 410
def find(key):
    raise HTTPException(404, detail={"code": "no_item", "why": "gone"})
def again(n):
    if n: again(n - 1)
    return find(n)
class Service:
    def load(self):
        self.check()
    def check(self):
        raise HTTPException(status_code=status.HTTP_409_CONFLICT)
S = Annotated[Service, Depends(Service)]
class Missing(HTTPException):
    def __init__(self, what):
        super().__init__(status_code=404, detail=f"no {what}", headers={"X-Why": "x"})
def problem(code):
    return HTTPException(code, "teapot")
def error(code, name):
    return JSONResponse({"code": name}, status_code=code)
class Domain(Exception): ...
@app.exception_handler(Domain)
async def on_domain(request: Request, exc: Domain):
    return JSONResponse(status_code=422, content={"code": "domain", "text": str(exc)})
"""


@pytest.mark.parametrize(("name", "handler", "expected"), HANDLERS, ids=[row[0] for row in HANDLERS])
def test_a_handler_answers_what_it_shows(name: str, handler: str, expected: list[tuple[int | None, str]]) -> None:
    route = only(f"{APP}{BELOW}@app.get('/x')\n{handler}\n")
    assert answers(route) == expected
    assert route.unread == ()


def test_errors_carry_their_constants_and_lines() -> None:
    text = f"{APP}{BELOW}@app.get('/x')\ndef h(a: int):\n    if a: raise Missing('a')\n    return find(a)\n"
    lines = (HEAD + text).splitlines()
    found = {response.status: response for response in only(text).responses}
    assert found[404].codes or found[404].headers == ("X-Why",)
    raised = [response for response in only(text).responses if response.how == "raised"]
    assert [(one.codes, one.headers, lines[one.spot.first - 1].strip()) for one in raised] == [
        ((), ("X-Why",), "if a: raise Missing('a')"),
        (("no_item",), (), 'raise HTTPException(404, detail={"code": "no_item", "why": "gone"})'),
    ]
    detail = raised[1].schema["properties"]["detail"]  # type: ignore[index, call-overload]
    assert detail["properties"] == {"code": {"const": "no_item"}, "why": {"const": "gone"}}  # type: ignore[index, call-overload]


def test_a_constant_of_the_call_is_shown_on_the_line_of_the_call() -> None:
    text = f"{APP}{BELOW}@app.get('/x')\ndef h():\n    return error(451, 'legal')\n"
    (response,) = only(text).responses
    assert (HEAD + text).splitlines()[response.spot.first - 1].strip() == "return error(451, 'legal')"
    assert response.codes == ("legal",)


def test_an_exception_without_handler_is_named_as_unread() -> None:
    route = only(f"{APP}class Odd(Exception): ...\n@app.get('/x')\ndef h(): raise Odd()\n")
    assert answers(route) == []
    assert ["Odd" in one.found for one in route.unread] == [True]


INVALID: list[tuple[str, bool]] = [
    ("q: str = ''", False), ("q: str | None = None", False), ("q: str", True), ("q: int = 1", True),
    ("q: str = Query('', max_length=3)", True), ("item: Item", True), ("", False),
]  # fmt: skip


@pytest.mark.parametrize(("parameters", "refuses"), INVALID)
def test_the_framework_refuses_only_what_can_be_invalid(parameters: str, refuses: bool) -> None:
    route = only(f"{APP}@app.post('/x')\ndef h({parameters}): return 1\n")
    assert ((422, "framework") in answers(route)) == refuses


def test_a_validation_handler_takes_the_frameworks_place() -> None:
    text = """
from fastapi.exceptions import RequestValidationError
@app.exception_handler(RequestValidationError)
def bad(request, exc): return JSONResponse({"code": "invalid"}, status_code=400)
@app.get("/x")
def h(a: int): return 1
"""
    assert answers(only(APP + text)) == [(200, "returned"), (400, "framework")]


def test_an_http_exception_handler_gives_the_body() -> None:
    text = """
@app.exception_handler(HTTPException)
def bad(request, exc): return JSONResponse({"code": exc.detail, "kind": "http"}, status_code=exc.status_code)
@app.get("/x")
def h(): raise HTTPException(409, "taken")
"""
    (response,) = only(APP + text).responses
    assert (response.status, response.how, response.codes) == (409, "raised", ("http", "taken"))
    assert set(response.schema["properties"]) == {"code", "kind"}  # type: ignore[index, call-overload, arg-type]


STARLETTE = """
from starlette.applications import Starlette
from starlette.authentication import requires
from starlette.endpoints import HTTPEndpoint
from starlette.exceptions import HTTPException as Failed
from starlette.responses import JSONResponse as Sent, PlainTextResponse
from starlette.routing import Mount, Route, Router
async def home(request): return PlainTextResponse("hi")
async def read(request):
    wanted = request.query_params.get("q", "all")
    if request.headers["x-key"] == "a": raise Failed(403, detail="no")
    data = await request.json()
    return Sent({"id": 1}, status_code=201)
class Users(HTTPEndpoint):
    async def get(self, request): return Sent([])
    async def delete(self, request): return Sent({}, 204)
@requires(["admin"])
async def secret(request): return Sent({})
inner = Router(routes=[Route("/deep", home)])
more = [Route("/secret", secret)]
app = Starlette(routes=[
    Route("/", home),
    Route("/items/{item_id:int}", read, methods=["POST"]),
    Mount("/api", routes=[Route("/users", Users), Mount("/in", app=inner)]),
    *more,
])
"""


def test_starlette_routes_are_read_from_their_lists() -> None:
    routes = {(route.method, route.path): route for route in facts(STARLETTE).routes}
    assert set(routes) == {
        ("GET", "/"), ("POST", "/items/{item_id}"), ("GET", "/api/users"), ("DELETE", "/api/users"),
        ("GET", "/api/in/deep"), ("GET", "/secret"),
    }  # fmt: skip
    item = routes["POST", "/items/{item_id}"]
    assert [(one.location, one.name, one.required, one.default) for one in item.parameters] == [
        ("path", "item_id", True, "(absent)"), ("query", "q", None, "all"), ("header", "x-key", None, "(absent)")
    ]  # fmt: skip
    assert [(one.status, one.how, one.media_type) for one in item.responses] == [
        (201, "returned", "application/json"), (403, "raised", "text/plain")
    ]  # fmt: skip
    assert item.body is not None
    assert item.body.media_type == "application/json"
    assert routes["DELETE", "/api/users"].responses[0].status == 204
    assert routes["GET", "/secret"].guards[0].scopes == ("admin",)
