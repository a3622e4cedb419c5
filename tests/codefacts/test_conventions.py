"""Each convention applies to its example and not to its counter-example."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from evreview.codefacts.guards.framework_conventions import CONVENTIONS
from evreview.codefacts.model import Route
from evreview.codefacts.read import read_sources
from evreview.core.vocabulary import Concern
from tests.codefacts.asgi.services import HEAD
from tests.codefacts.snippets import sources

Probe = Callable[[Route], bool]

HANDLER = "@app.post('/x')\ndef h({0}): return 1"
BODY = "@app.post('/x')\ndef h(session=None, order=None, log=None):\n    {0}"
MODEL = "{0}\n@app.post('/x')\ndef h(body: {1}): return 1"


def says(status: int | None, how: str) -> Probe:
    return lambda route: any((one.status, one.how) == (status, how) for one in route.responses)


def notes(concern: Concern) -> Probe:
    return lambda route: any(note.concern is concern for note in route.notes)


def required(route: Route) -> list[str]:
    assert route.body is not None
    return route.body.schema.get("required", [])  # type: ignore[union-attr, return-value]


PROBES: dict[str, tuple[str, Probe]] = {
    "fastapi-success-status": ("{0}", says(200, "returned")),
    "fastapi-refuses-invalid-input": ("{0}", says(422, "framework")),
    "fastapi-http-exception-body": (BODY, says(404, "raised")),
    "fastapi-scheme-denial": (HANDLER, lambda route: any(one.how == "framework" for one in route.responses)),
    "fastapi-header-underscores": (HANDLER, lambda route: route.parameters[0].name == "x-token"),
    "dependency-that-denies": (
        "current_user = HTTPBearer()\n{0}\n@app.get('/x')\ndef h(d=Depends({1})): return 1",
        lambda route: any(guard.kind == "authorization" for guard in route.guards),
    ),
    "pydantic-version-two": ("class Order(BaseModel):\n    {0}\n" + MODEL[4:], lambda route: "note" in required(route)),
    "pydantic-converts": (MODEL, lambda route: bool(route.body and route.body.coerces)),
    "pydantic-set-drops-repeats": (
        "@app.post('/x')\ndef h() -> {1}: return 1",
        lambda route: "uniqueItems" in str(route.responses[0].schema),
    ),
    "model-sends-only-members": (
        "class Order(BaseModel):\n    note: str = ''\n{0}\ndef h(): return 1",
        lambda route: "required" in str(route.responses[0].schema),
    ),
    "starlette-head-of-get": ("", lambda route: route.method == "GET"),
    "call-that-writes": (BODY, notes(Concern.SIDE_EFFECTS)),
    "store-that-stays": ("ORDERS = {{}}\n" + BODY, notes(Concern.SIDE_EFFECTS)),
    "check-that-is-no-value-set": (BODY, notes(Concern.VALIDATION)),
    "condition-that-is-a-value-set": (
        "@app.post('/x')\ndef h(limit: int = 5):\n    {0}",
        lambda route: "maximum" in str(route.parameters[0].schema),
    ),
    "limit-before-refusal": (BODY, notes(Concern.LIMITS)),
    "handler-that-denies": (
        "@app.post('/x')\ndef h(request: Request, order=None):\n    {0}",
        lambda route: any(guard.scheme == "apiKey header X-Key" for guard in route.guards),
    ),
    "slowapi-limit": ("{0}", notes(Concern.RATE_LIMITS)),
    "page-parameter": ("{0}", notes(Concern.PAGINATION)),
    "idempotency-key": (HANDLER, notes(Concern.IDEMPOTENCY)),
    "flask-refuses-other-bodies": ("", says(415, "framework")),
    "flask-sqlalchemy-or-404": ("", says(404, "raised")),
    "call-outside-the-sources": ("{0}", lambda route: bool(route.elsewhere)),
    "hook-that-changes-statuses": (
        "@app.middleware('http')\nasync def hook(request, call_next):\n    answer = await call_next(request)\n"
        "    {0}\n    return answer\n@app.get('/x')\ndef h(): return 1",
        lambda route: bool(route.rewritten),
    ),
}


def service(id_: str, code: str) -> str:
    wrap = PROBES[id_][0]
    if id_ == "starlette-head-of-get":
        start = "from starlette.applications import Starlette\nfrom starlette.routing import Route\n"
        return f"{start}def list_orders(request): ...\napp = Starlette(routes=[{code}])\n"
    if id_.startswith("flask-"):
        start = "from flask import Flask, jsonify, request\nfrom flask_sqlalchemy import SQLAlchemy\n"
        return f"{start}app = Flask('x')\ndb = SQLAlchemy()\n@app.post('/x')\ndef h():\n    {code}\n"
    if id_ == "slowapi-limit":
        start = "from slowapi import Limiter\nlimiter = Limiter()\n"
        return f"{HEAD}{start}app = FastAPI()\n@app.get('/x')\n{code}\ndef h(): return 1\n"
    name = code.partition("def ")[2].partition("(")[0]
    name = name or code.partition("class ")[2].partition("(")[0] or "Order"
    if id_ == "pydantic-set-drops-repeats":
        name = code.partition(": ")[2]
    return f"{HEAD}app = FastAPI()\n{wrap.format(code, name)}\n"


def test_every_convention_is_probed() -> None:
    assert set(PROBES) == {one.id for one in CONVENTIONS}
    assert len({one.id for one in CONVENTIONS}) == len(CONVENTIONS)


@pytest.mark.parametrize("one", CONVENTIONS, ids=lambda one: one.id)
def test_a_convention_applies_to_its_example_only(one: object) -> None:
    id_, example, counter = one.id, one.example, one.counter_example  # type: ignore[attr-defined]
    probe = PROBES[id_][1]
    (applies,) = read_sources(sources({"main.py": service(id_, example)})).routes
    (not_meant,) = read_sources(sources({"main.py": service(id_, counter)})).routes
    assert (probe(applies), probe(not_meant)) == (True, False)
