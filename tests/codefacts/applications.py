"""Small applications of each framework, whose parts are put together where reading alone does not tell."""

from __future__ import annotations

from typing import Final

FASTAPI: Final = """
from fastapi import APIRouter, Depends, FastAPI, HTTPException, Request
from fastapi.security import HTTPBearer


def signed(request: Request):
    if "authorization" not in request.headers:
        raise HTTPException(401)


inner, plain, bearer = APIRouter(), APIRouter(), APIRouter()


@inner.get("/a")
def a() -> dict:
    return {}


@plain.get("/b")
def b() -> dict:
    return {}


@bearer.get("/c")
def c() -> dict:
    return {}


def parts():
    return {"inner": [Depends(signed)], "plain": [], "bearer": [Depends(HTTPBearer())]}


def make() -> FastAPI:
    app = FastAPI(openapi_url=None)
    app.include_router(inner, dependencies=parts()["inner"])
    app.include_router(plain, dependencies=parts()["plain"])
    app.include_router(bearer, dependencies=parts()["bearer"])
    return app
"""
STARLETTE: Final = """
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.responses import JSONResponse
from starlette.routing import Mount, Route


class Gate:
    def __init__(self, app):
        self.app = app

    async def __call__(self, scope, receive, send):
        if b"authorization" not in dict(scope["headers"]):
            return await JSONResponse({}, 401)(scope, receive, send)
        return await self.app(scope, receive, send)


async def a(request):
    return JSONResponse({})


async def b(request):
    return JSONResponse({})


def around(safe):
    return [Middleware(Gate)] * safe


app = Starlette(
    routes=[
        Mount("/in", routes=[Route("/a", a)], middleware=around(1)),
        Mount("/out", routes=[Route("/b", b)], middleware=around(0)),
    ]
)
"""
FLASK: Final = """
from flask import Blueprint, Flask, jsonify, request

inner, plain = Blueprint("inner", __name__), Blueprint("plain", __name__)


@inner.get("/a")
def a():
    return jsonify({})


@plain.get("/b/")
def b():
    return jsonify({})


def deny():
    if "Authorization" not in request.headers:
        return jsonify({}), 401


def make():
    app = Flask(__name__, static_folder=None)
    app.url_map.strict_slashes = not app.config.get("LAX", True)
    for one in (inner, plain):
        app.register_blueprint(one)
    app.before_request_funcs.setdefault("inner", []).append(deny)
    return app
"""
DJANGO: Final = """
from django.http import JsonResponse
from django.urls import include, path
from django.views import View


class A(View):
    def get(self, request, id):
        return JsonResponse({})


urlpatterns = [path("in/", include([path("a/<int:id>", A.as_view())]))]
"""
SETTINGS: Final = """
SECRET_KEY = "synthetic"
ROOT_URLCONF = "urls"
MIDDLEWARE = ["django.middleware.common.CommonMiddleware"]
"""
AIOHTTP: Final = """
from aiohttp import web


@web.middleware
async def gate(request, handler):
    if "Authorization" not in request.headers:
        raise web.HTTPUnauthorized()
    return await handler(request)


async def a(request):
    return web.json_response({})


def make():
    inner = web.Application(middlewares=[gate])
    inner.router.add_get("/a/{id:[0-9]+}", a)
    app = web.Application()
    app.add_subapp("/in", inner)
    return app
"""
Asked = tuple[str, str, dict[str, str], list[tuple[str, str, str, list[str]]]]
ASKED: Final[dict[str, Asked]] = {
    "fastapi": (
        "fastapi", "service:make()", {"service.py": FASTAPI},
        [("GET", "/a", "a", ["signed"]), ("GET", "/b", "b", []), ("GET", "/c", "c", ["HTTPBearer"])],
    ),
    "starlette": (
        "starlette", "service:app", {"service.py": STARLETTE},
        [("GET", "/in/a", "a", ["Gate"]), ("GET", "/out/b", "b", [])],
    ),
    "flask": (
        "flask", "service:make()", {"service.py": FLASK},
        [("GET", "/a", "a", ["deny"]), ("GET", "/b/", "b", [])],
    ),
    "django": (
        "django", "settings", {"urls.py": DJANGO, "settings.py": SETTINGS},
        [("GET", "/in/a/{id}", "A.get", ["CommonMiddleware"])],
    ),
    "aiohttp": (
        "aiohttp", "service:make()", {"service.py": AIOHTTP}, [("GET", "/in/a/{id}", "a", ["gate"])],
    ),
}  # fmt: skip
"""By name: framework, application, files, and each route with its handler and what stands before it."""
