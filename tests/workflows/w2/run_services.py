"""Small services whose bundles are whole: every guard is read, every status is tested."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from tests.workflows.w2.whole import ERROR, Whole, answer

JSON: Final = "application/json"
PARCEL: Final = {
    "type": "object", "required": ["id", "grams"], "additionalProperties": False,
    "properties": {"id": {"type": "string"}, "grams": {"type": "integer"}},
}  # fmt: skip
WORDS: Final = {"type": "object", "properties": {"error": {"type": "string"}}, "required": ["error"]}
STOCK: Final = 'TOKENS = {"t"}\nPARCELS = {}\n'
ID: Final = {"name": "id", "in": "path", "required": True, "description": "Its id.",
             "schema": {"type": "string", "minLength": 1}}  # fmt: skip
BEARER: Final = {"type": "http", "scheme": "bearer"}
KEY: Final = {"type": "apiKey", "in": "header", "name": "X-Parcel-Key"}
OAUTH: Final = {"type": "oauth2", "flows": {"password": {"tokenUrl": "token", "scopes": {}}}}


def paths(error: Any, refused: int = 401) -> dict[str, Any]:
    """Two operations with one refusal and one 404."""
    many, refusal = answer({"type": "array", "items": PARCEL}), {str(refused): answer(error)}
    return {
        "/parcels": {"get": {"operationId": "parcels", "summary": "All.", "responses": {"200": many, **refusal}}},
        "/parcels/{id}": {
            "get": {
                "operationId": "parcel", "summary": "One.", "parameters": [ID],
                "responses": {"200": answer(PARCEL), **refusal, "404": answer(error)},
            }
        },
    }  # fmt: skip


def seen(refused: int = 401) -> tuple[tuple[str, int, str], ...]:
    """A passed test of every status."""
    return tuple(
        (operation, status, JSON)
        for operation, statuses in (("GET /parcels", (200, refused)), ("GET /parcels/{id}", (200, refused, 404)))
        for status in statuses
    )


MODELS: Final = "from pydantic import BaseModel\n\n\nclass Parcel(BaseModel):\n    id: str\n    grams: int\n"
FAST: Final = """from typing import Annotated

import stock
from fastapi import APIRouter, Depends, FastAPI, Header, HTTPException, Path, Request
from fastapi.responses import JSONResponse
from fastapi.security import APIKeyHeader, HTTPAuthorizationCredentials, HTTPBearer, OAuth2PasswordBearer
from models import Parcel

{guard}

@router.get("")
def parcels() -> list[Parcel]:
    return list(stock.PARCELS.values())


@router.get("/{{id}}")
def parcel(id: Annotated[str, Path()]) -> Parcel:
    if id not in stock.PARCELS:
        raise HTTPException(404, "no such parcel")
    return stock.PARCELS[id]


app = FastAPI()
app.include_router(router)
{after}"""
_BY_SCHEME: Final = """offered = {made}


def caller(offer: Annotated[{kind}, Depends(offered)]) -> str:
    if offer{part} not in stock.TOKENS:
        raise HTTPException({status}, "unknown")
    return offer{part}


router = APIRouter(prefix="/parcels", dependencies=[Depends(caller)])
"""
_ALONE: Final = 'offered = {made}\nrouter = APIRouter(prefix="/parcels", dependencies=[Depends(offered)])\n'
_BY_HEADER: Final = """def caller(x_parcel_key: Annotated[str | None, Header()] = None) -> None:
    if x_parcel_key is None or x_parcel_key not in stock.TOKENS:
        raise HTTPException(401, "unknown")


router = APIRouter(prefix="/parcels", dependencies=[Depends(caller)])
"""
_MIDDLEWARE: Final = """

@app.middleware("http")
async def caller(request: Request, call_next):
    word, _, token = request.headers.get("Authorization", "").partition(" ")
    if word.lower() != "bearer" or token not in stock.TOKENS:
        return JSONResponse({"detail": "unknown"}, status_code=401)
    return await call_next(request)
"""
_RAW: Final = """

class Gate:
    def __init__(self, app):
        self.app = app

    async def __call__(self, scope, receive, send):
        if scope["type"] == "http" and dict(scope["headers"]).get(b"x-parcel-key", b"").decode() not in stock.TOKENS:
            return await JSONResponse({"detail": "unknown"}, status_code=401)(scope, receive, send)
        await self.app(scope, receive, send)


app.add_middleware(Gate)
"""
_ROUTER: Final = 'router = APIRouter(prefix="/parcels")\n'


def fast(guard: str, after: str = "", scheme: dict[str, Any] = BEARER, refused: int = 401) -> Whole:
    """A FastAPI service behind a guard."""
    sources = {"app.py": FAST.format(guard=guard, after=after), "models.py": MODELS, "stock.py": STOCK}
    return Whole(paths=paths(ERROR, refused), sources=sources, scheme=scheme, seen=seen(refused))


def by_scheme(made: str, kind: str, part: str = "", status: int = 401) -> str:
    """A dependency on a security scheme of FastAPI."""
    return _BY_SCHEME.format(made=made, kind=kind, part=part, status=status)


FLASK: Final = """from functools import wraps

import stock
from flask import Blueprint, Flask, abort, jsonify, request
from flask_httpauth import HTTPTokenAuth

bp = Blueprint("parcels", __name__, url_prefix="/parcels")
{guard}

@bp.get("")
{with}def parcels():
    return jsonify([{{"id": one.id, "grams": one.grams}} for one in stock.PARCELS.values()])


@bp.get("/<id>")
{with}def parcel(id):
    one = stock.PARCELS.get(id)
    if one is None:
        return jsonify({{"error": "no such parcel"}}), 404
    return jsonify({{"id": one.id, "grams": one.grams}})


app = Flask(__name__)
app.register_blueprint(bp)
"""
_HOOK: Final = """

@bp.before_request
def caller():
    word, _, token = request.headers.get("Authorization", "").partition(" ")
    if word.lower() != "bearer" or token not in stock.TOKENS:
        return jsonify({"error": "unknown"}), 401
"""
_WRAPPED: Final = """

def asked(view):
    @wraps(view)
    def inner(*args, **values):
        if request.headers.get("X-Parcel-Key") not in stock.TOKENS:
            return jsonify({"error": "unknown"}), 401
        return view(*args, **values)

    return inner

"""
_HTTPAUTH: Final = """
auth = HTTPTokenAuth({0})


@auth.verify_token
def known(token):
    return token if token in stock.TOKENS else None


@auth.error_handler
def refused(status):
    return jsonify({{"error": "unknown"}}), status

"""


def flask(guard: str, around: str = "", scheme: dict[str, Any] = BEARER) -> Whole:
    """A Flask service behind a guard."""
    written = FLASK.format(guard=guard, **{"with": around + "\n" if around else ""})
    return Whole(paths=paths(WORDS), sources={"app.py": written, "stock.py": STOCK}, scheme=scheme, seen=seen())


STARLETTE: Final = """from starlette.applications import Starlette
from starlette.authentication import AuthCredentials, AuthenticationBackend, SimpleUser, requires
from starlette.middleware import Middleware
from starlette.middleware.authentication import AuthenticationMiddleware
from starlette.responses import JSONResponse
from starlette.routing import Route
import stock


class Tokens(AuthenticationBackend):
    async def authenticate(self, conn):
        word, _, token = conn.headers.get("authorization", "").partition(" ")
        if word.lower() != "bearer" or token not in stock.TOKENS:
            return None
        return AuthCredentials(["authenticated"]), SimpleUser(token)


@requires("authenticated"{status})
async def parcels(request):
    return JSONResponse([{{"id": one.id, "grams": one.grams}} for one in stock.PARCELS.values()])


app = Starlette(
    routes=[Route("/parcels", parcels)], middleware=[Middleware(AuthenticationMiddleware, backend=Tokens())]
)
"""


def starlette(status: str = "", refused: int = 403) -> Whole:
    """A Starlette service whose route demands a known caller."""
    text, many = answer({"type": "string"}, "text/plain"), answer({"type": "array", "items": PARCEL})
    responses = {"200": many, str(refused): text}
    tests = (("GET /parcels", 200, JSON), ("GET /parcels", refused, "text/plain"))
    operation = {"operationId": "parcels", "summary": "All.", "responses": responses}
    sources = {"app.py": STARLETTE.format(status=status), "stock.py": STOCK}
    return Whole(paths={"/parcels": {"get": operation}}, sources=sources, seen=tests)


HTTP: Final = by_scheme("HTTPBearer()", "HTTPAuthorizationCredentials", ".credentials")
BY_FRAMEWORK: Final[dict[str, Whole]] = {
    "bearer": fast(HTTP),
    "bearer alone": fast(_ALONE.format(made="HTTPBearer()")),
    "bearer, 403 of versions before": fast(_ALONE.format(made="HTTPBearer()"), refused=403),
    "api key": fast(by_scheme('APIKeyHeader(name="X-Parcel-Key")', "str"), scheme=KEY),
    "Flask-HTTPAuth": flask(_HTTPAUTH.format(""), "@auth.login_required"),
    "Flask-HTTPAuth, key": flask(_HTTPAUTH.format('header="X-Parcel-Key"'), "@auth.login_required", KEY),
}
"""Services whose refusals only the framework knows: without a test of theirs they stay open."""
_LOOKED_UP: Final = """

@app.exception_handler(KeyError)
async def nothing(request: Request, error: KeyError):
    return JSONResponse({"detail": "no such parcel"}, status_code=404)
"""
_RAISING: Final = '    if id not in stock.PARCELS:\n        raise HTTPException(404, "no such parcel")\n'


def looked_up() -> Whole:
    """A FastAPI service whose 404 comes from a failed lookup."""
    made = fast(HTTP, _LOOKED_UP)
    return replace(made, sources=made.sources | {"app.py": made.sources["app.py"].replace(_RAISING, "")})


READ: Final[dict[str, Whole]] = {
    "password bearer": fast(by_scheme('OAuth2PasswordBearer(tokenUrl="token")', "str"), scheme=OAUTH),
    "header": fast(_BY_HEADER, scheme=KEY),
    "middleware function": fast(_ROUTER, _MIDDLEWARE),
    "middleware class": fast(_ROUTER, _RAW, KEY),
    "hook of a blueprint": flask(_HOOK),
    "decorator": flask(_WRAPPED, "@asked", KEY),
    "failed lookup": looked_up(),
    "requires": starlette(),
    "requires with a status": starlette(", status_code=401", 401),
}
"""Services whose refusals the code tells."""
