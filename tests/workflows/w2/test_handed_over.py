"""What gets the application, a router or the request unseen may hold what absence denies; what is known to ask nobody
does not."""

from __future__ import annotations

from typing import Final

import pytest

from tests.workflows.w2.services import FAST, FLASK, judged, rows, undecided

ON_APP: Final = "app = FastAPI()\n"
BOTH: Final = "@app.get('/a')\ndef a() -> dict: return {}\n@app.get('/b')\ndef b() -> dict: return {}\n"
ROUTED: Final = "@r.get('/a')\ndef a() -> dict: return {}\n@app.get('/b')\ndef b() -> dict: return {}\n"
ROUTER: Final = f"app, r = FastAPI(), APIRouter()\n{ROUTED}"
VIEWS: Final = (
    "app = Flask('x')\n@app.get('/a')\ndef a(): return jsonify({})\n@app.get('/b')\ndef b(): return jsonify({})\n"
)
OWN: Final = (
    "from fastapi.routing import APIRoute\nclass Own(APIRoute):\n    BODY\n"
    f"app, r = FastAPI(), APIRouter(route_class=Own)\n{ROUTED}app.include_router(r)\n"
)
HANDLER: Final = "def get_route_handler(self): return gone.checked(super().get_route_handler())"

UNTOLD: Final = {
    "a function": FAST + ON_APP + BOTH + "gone.install(app)\n",
    "an imported function": FAST + "from gone import install\n" + ON_APP + BOTH + "install(application=app)\n",
    "an extension": FAST + ON_APP + BOTH + "gone.ext.init_app(app)\n",
    "an object": FAST + ON_APP + BOTH + "kept = gone.Guard(app)\n",
    "in a factory": FAST
    + f"def create():\n    app = FastAPI()\n    gone.install(app)\n    return app\napp = create()\n{BOTH}",
    "in a function that gets it": FAST + f"def wire(it):\n    gone.install(it)\n{ON_APP}{BOTH}wire(app)\n",
    "plugins": FAST + ON_APP + BOTH + "for one in gone.PLUGINS:\n    one.setup(app)\n",
    "a router": FAST + ROUTER + "gone.guard(r)\napp.include_router(r)\n",
    "a lifespan": FAST + "app = FastAPI(lifespan=gone.lifespan)\n" + BOTH,
    "dependencies added": FAST + ROUTER + "r.dependencies.append(Depends(signed))\napp.include_router(r)\n",
    "dependencies added in a loop": FAST + ROUTER
    + "for one in (r,):\n    one.dependencies.append(Depends(signed))\n    app.include_router(one)\n",
    "dependencies extended": FAST + ROUTER + "r.dependencies += [Depends(signed)]\napp.include_router(r)\n",
    "dependencies of the application": FAST + ROUTER
    + "app.router.dependencies.append(Depends(signed))\napp.include_router(r)\n",
    "middleware by hand": FAST + ON_APP + BOTH + "app.user_middleware.insert(0, gone.gate())\n",
    "a class of routes, set": FAST
    + ROUTER.replace("@r.get", "r.route_class = gone.Own\n@r.get", 1) + "app.include_router(r)\n",
    "Flask": FLASK + VIEWS + "gone.install(app)\n",
    "Flask, an extension": FLASK + VIEWS + "gone.ext.init_app(app)\n",
    "Flask, an object": FLASK + VIEWS + "kept = gone.Guard(app)\n",
    "Flask, in a function that gets it": FLASK + f"def wire(it):\n    gone.install(it)\n{VIEWS}wire(app)\n",
}  # fmt: skip
BARE: Final = {
    "a server": FAST + "import uvicorn\n" + ON_APP + BOTH + "if __name__ == '__main__':\n    uvicorn.run(app)\n",
    "an adapter": FAST + "from mangum import Mangum\n" + ON_APP + BOTH + "handler = Mangum(app)\n",
    "a test client": FAST
    + "from fastapi.testclient import TestClient\n" + ON_APP + BOTH + "client = TestClient(app)\n",
    "a function that was read": FAST + f"def mark(app):\n    app.state.marked = 1\n{ON_APP}{BOTH}mark(app)\n",
    "print": FAST + ON_APP + BOTH + "print(app, isinstance(app, FastAPI))\n",
    "a mounted application": FAST + ON_APP + BOTH + "app.mount('/s', FastAPI())\n",
    "a plain class of routes": FAST + OWN.replace("BODY", "pass"),
    "dependencies of something else": FAST + ON_APP + BOTH + "gone.graph.dependencies.append(signed)\n",
    "Flask, storage": FLASK
    + "from flask_sqlalchemy import SQLAlchemy\ndb = SQLAlchemy()\n" + VIEWS + "db.init_app(app)\n",
    "Flask, who is signed in": FLASK
    + "from flask_login import LoginManager\nmanager = LoginManager()\n" + VIEWS + "manager.init_app(app)\n",
    "Flask, CORS": FLASK + "from flask_cors import CORS\n" + VIEWS + "CORS(app)\n",
    "Flask, a server": FLASK + VIEWS + "if __name__ == '__main__':\n    from waitress import serve\n    serve(app)\n",
}  # fmt: skip


def guards(code: str) -> tuple[set[str], set[str]]:
    """The operations that are called unguarded, and those of which nobody can tell."""
    found = judged(code, "GET /a 200", "GET /b 200")
    return (
        {row.removeprefix("unguarded ") for row in rows(found) if row.startswith("unguarded ")},
        {each.removesuffix(" authentication") for each in undecided(found) if each.endswith(" authentication")},
    )


@pytest.mark.parametrize("code", UNTOLD.values(), ids=list(UNTOLD))
def test_what_gets_the_application_unseen_may_guard_it(code: str) -> None:
    assert guards(code) == (set(), {"GET /a", "GET /b"})


@pytest.mark.parametrize("code", BARE.values(), ids=list(BARE))
def test_what_asks_no_caller_hides_no_absence(code: str) -> None:
    assert guards(code) == ({"GET /a", "GET /b"}, set())


@pytest.mark.parametrize(
    "code", [FAST + OWN.replace("BODY", HANDLER), FAST + OWN.replace("=Own", "=gone.Own").replace("BODY", "pass")]
)
def test_routes_of_a_class_of_their_own_are_untold_and_others_told(code: str) -> None:
    assert guards(code) == ({"GET /b"}, {"GET /a"})


TAKES: Final = {
    "starlette": FAST
    + "app = FastAPI()\n@app.get('/a')\ndef a(request: Request) -> dict:\n    BODY\n    return {'x': 1}\n",
    "flask": FLASK + "app = Flask('x')\n@app.get('/a')\ndef a():\n    BODY\n    return jsonify({})\n",
    "aiohttp": "from aiohttp import web\nasync def a(request):\n    BODY\n    return web.json_response({})\n"
    "app = web.Application()\napp.router.add_get('/a', a)\n",
}
ALL: Final = {"starlette": "request.query_params", "flask": "request.args", "aiohttp": "request.query"}
FORMS: Final = (
    "x = {0}.get('p')", "x = {0}['p']", "x = 'p' in {0}", "x = dict({0}).get('p')", "x = dict({0})['p']",
    "x = {{**{0}}}['p']", "q = {0}\n    x = q.get('p')", "x = [v for k, v in {0}.items() if k == 'p']", "x = str({0})",
)  # fmt: skip
TEXTS: Final = {
    "starlette": (
        "str(request.url)",
        "request.url.query",
        "request.scope['query_string']",
        "request.query_params._dict",
    ),
    "flask": (
        "request.url",
        "request.full_path",
        "request.query_string",
        "request.environ['QUERY_STRING']",
        "str(request.environ)",
        "request.values['p']",
    ),
    "aiohttp": ("request.url", "request.path_qs", "request.query_string", "request.rel_url"),
}
OTHERS: Final = {
    "starlette": (
        "{0}.get('o')",
        "dict({0}).get('o')",
        "request.headers.get('x-q')",
        "request.url.path",
        "request.method",
    ),
    "flask": ("{0}.get('o')", "{0}.to_dict().get('o')", "request.headers.get('x-q')", "request.path", "request.method"),
    "aiohttp": ("{0}.get('o')", "request.headers.get('x-q')", "request.url.path", "request.method"),
}


def unread(framework: str, statement: str) -> bool:
    """Whether `p` of the query is said never to be read."""
    found = judged(TAKES[framework].replace("BODY", statement.format(ALL[framework])), "GET /a 200 ?p free")
    return "parameter-unread GET /a query p" in rows(found)


@pytest.mark.parametrize("framework", TAKES)
def test_a_parameter_that_is_read_in_any_form_is_not_called_unread(framework: str) -> None:
    forms = (*FORMS, *(f"x = {text}" for text in TEXTS[framework]))
    assert [form for form in forms if unread(framework, form)] == []


@pytest.mark.parametrize("framework", TAKES)
def test_a_parameter_that_nothing_reads_is_called_unread(framework: str) -> None:
    assert [form for form in OTHERS[framework] if not unread(framework, f"x = {form}")] == []
