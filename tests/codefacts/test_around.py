"""What applications run around their handlers, in the order in which it runs."""

from __future__ import annotations

import pytest

from evreview.codefacts.middleware import around
from tests.codefacts.snippets import modules

FASTAPI = """
    from fastapi import FastAPI, Depends
    from starlette.middleware import Middleware
    from starlette.middleware.base import BaseHTTPMiddleware
    from starlette.middleware.gzip import GZipMiddleware
    class Audit: ...
    def check(): ...
    async def failed(request, error): ...
    app = FastAPI(middleware=[Middleware(Audit), Middleware(GZipMiddleware)], dependencies=[Depends(check)],
                  exception_handlers={404: failed})
    @app.middleware("http")
    async def first(request, call_next): ...
    app.add_middleware(Audit)
    app.add_middleware(BaseHTTPMiddleware, dispatch=failed)
    @app.exception_handler(ValueError)
    async def wrong(request, error): ...
    app.add_exception_handler(Exception, failed)
"""
FLASK = """
    from flask import Flask, Blueprint
    app = Flask(__name__)
    part = Blueprint("part", __name__)
    @part.before_request
    def of_part(): ...
    @app.before_request
    def one(): ...
    @part.before_app_request
    def two(): ...
    @app.errorhandler(Exception)
    def failed(error): ...
    @other.before_request
    def unknown(): ...
"""
DJANGO = {
    "shop/settings.py": 'MIDDLEWARE = ["django.middleware.security.SecurityMiddleware", "shop.audit.Audit", X]\n',
    "shop/audit.py": "class Audit: ...\n",
}
AIOHTTP = """
    from aiohttp import web
    async def one(request, handler): ...
    app = web.Application(middlewares=[one, two])
"""


@pytest.mark.req("W3S-007")
@pytest.mark.parametrize(
    ("files", "expected"),
    [
        (FASTAPI, [
            ("middleware", 1, "failed", "", True), ("middleware", 2, "Audit", "", True),
            ("middleware", 3, "first", "", True), ("middleware", 4, "Audit", "", True),
            ("middleware", 5, "starlette.middleware.gzip.GZipMiddleware", "", False),
            ("dependency", 1, "check", "", True), ("error handler", 0, "wrong", "ValueError", True),
            ("error handler", 0, "failed", "Exception", True), ("error handler", 0, "failed", "404", True),
        ]),
        (FLASK, [
            ("error handler", 0, "failed", "Exception", True), ("before request", 1, "one", "", True),
            ("before request", 2, "two", "", True), ("before request", 3, "of_part", "", True),
        ]),
        (DJANGO, [
            ("middleware", 1, "django.middleware.security.SecurityMiddleware", "", False),
            ("middleware", 2, "shop.audit.Audit", "", True),
        ]),
        (AIOHTTP, [("middleware", 1, "one", "", True), ("middleware", 2, "two", "", False)]),
        ("x = 1\n", []),
    ],
    ids=["fastapi", "flask", "django", "aiohttp", "none"],
)  # fmt: skip
def test_what_runs_around_handlers(files: dict[str, str] | str, expected: list[tuple[object, ...]]) -> None:
    found = around(modules(files))
    assert [(one.kind, one.place, one.name, one.handles, one.definition is not None) for one in found] == expected


def test_what_runs_for_one_blueprint_only_says_so() -> None:
    assert {one.name for one in around(modules(FLASK)) if not one.whole} == {"of_part"}


@pytest.mark.parametrize(
    ("body", "by_path"),
    [
        ("if request.url.path in PUBLIC: return await go(request)", True),
        ("path = request.url.path\n        if path.startswith('/open'): return await go(request)", True),
        ("if request.scope['path'] == '/': return await go(request)", True),
        ("if not request.headers: return None", False),
        ("log.info(request.url.path)", False),
    ],
)
def test_what_looks_at_the_path_is_told_apart(body: str, by_path: bool) -> None:
    text = f"""
        from fastapi import FastAPI
        app = FastAPI()
        @app.middleware("http")
        async def one(request, go):
            {body.replace(chr(10) + "        ", chr(10) + "            ")}
    """
    (found,) = around(modules(text))
    assert found.by_path is by_path
