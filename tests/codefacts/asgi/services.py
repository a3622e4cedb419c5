"""Small FastAPI services: files that are read as text here and run by the oracle in a process of its own."""

from __future__ import annotations

from typing import Final

HEAD: Final = """
from typing import Annotated, Literal, Optional, Union
from datetime import date, datetime
from enum import Enum
from uuid import UUID
from fastapi import (APIRouter, BackgroundTasks, Body, Cookie, Depends, FastAPI, File, Form, Header, HTTPException,
    Path, Query, Request, Response, Security, UploadFile, status)
from fastapi.responses import HTMLResponse, JSONResponse, PlainTextResponse, RedirectResponse, Response as Raw
from fastapi.security import (APIKeyCookie, APIKeyHeader, APIKeyQuery, HTTPBasic, HTTPBearer, OAuth2PasswordBearer,
    SecurityScopes)
from pydantic import BaseModel, ConfigDict, Field

class Item(BaseModel):
    name: str = Field(min_length=1)
    price: float = Field(gt=0)
    tags: list[str] = []
    note: Optional[str] = None

class User(BaseModel):
    email: str
    active: bool = True

"""


def one(text: str) -> dict[str, str]:
    """A service of one file, below common imports and models."""
    return {"main.py": HEAD + text}


SERVICES: Final[dict[str, dict[str, str]]] = {
    "query": one(
        """
app = FastAPI()
LIMIT = 100
class Color(str, Enum):
    RED = "red"
    BLUE = "blue"
@app.get("/items")
def items(q: str | None = None, limit: int = Query(10, ge=1, le=LIMIT), tags: list[str] = Query([]),
          color: Color = Color.RED, kind: Literal["a", "b"] = "a", day: date | None = None, needed: int = Query(),
          other: Annotated[str, Query(alias="other-name", min_length=3, pattern="^a")] = "abc", flag: bool = False,
          must: str = Query(...), untyped=None, opt: Optional[int] = None): return []
"""
    ),
    "filter-model": one(
        """
app = FastAPI()
class Filter(BaseModel):
    model_config = ConfigDict(extra="forbid")
    limit: int = Field(100, gt=0, le=100)
    order_by: Literal["created", "updated"] = "created"
    tag: str
@app.get("/items")
def items(filter_query: Annotated[Filter, Query()]): return []
"""
    ),
    "path": one(
        """
app = FastAPI()
@app.get("/items/{item_id}/files/{name:path}")
def read(item_id: UUID, name: str, version: Annotated[int, Path(ge=1)] = 0): return {}
""".replace(", version: Annotated[int, Path(ge=1)] = 0", "")
    ),
    "path-alias": one(
        """
app = FastAPI()
@app.get("/items/{itemId}")
def read(item_id: Annotated[int, Path(alias="itemId", ge=1)], n: int = Query(1, lt=5)): return {}
"""
    ),
    "headers": one(
        """
app = FastAPI()
@app.get("/a")
def a(user_agent: Annotated[str | None, Header()] = None, x_token: str = Header(), raw_name: str =
      Header("x", convert_underscores=False), key: str = Header(alias="Idempotency-Key"),
      ads: str | None = Cookie(None)):
    return {}
"""
    ),
    "body": one(
        """
app = FastAPI()
@app.post("/items", status_code=201)
def create(item: Item) -> Item: return item
@app.put("/items/{id}")
def put(id: int, item: Item | None = None): return item
@app.post("/many")
def many(items: list[Item]): return items
@app.post("/both")
def both(item: Item, user: User, importance: int = Body(gt=0)): return {}
@app.post("/embed")
def embed(item: Annotated[Item, Body(embed=True)]): return {}
@app.post("/scalar")
def scalar(text: str = Body(media_type="application/vnd.x+json")): return {}
@app.patch("/map")
def mapped(values: dict[str, int]): return {}
"""
    ),
    "forms": one(
        """
app = FastAPI()
class Login(BaseModel):
    name: str
    secret: str
@app.post("/login")
def login(username: str = Form(), password: str = Form(min_length=8), hint: str | None = Form(None)): return {}
@app.post("/model")
def model(data: Annotated[Login, Form()]): return {}
"""
    ),
    "depends": one(
        """
def paging(skip: int = 0, limit: int = Query(10, le=50)): return skip
class Common:
    def __init__(self, q: str | None = None, page: int = 1): ...
class Checker:
    def __init__(self, word): self.word = word
    def __call__(self, probe: int, x_probe: str = Header("a")): return probe
checker = Checker("a")
def tenant(x_tenant: str = Header()): return x_tenant
def nested(t: str = Depends(tenant), trace: str | None = Header(None)): return t
def maker(name: str):
    def inner(made: int = 0): return made
    return inner
Paging = Annotated[int, Depends(paging)]
app = FastAPI(dependencies=[Depends(tenant)])
@app.get("/a")
def a(p: Paging, c: Common = Depends(), n=Depends(nested), k: int = Depends(checker),
      m: int = Depends(maker("a"))): return []
@app.get("/b", dependencies=[Depends(paging)])
async def b(c: Annotated[Common, Depends()]): return []
"""
    ),
    "security": one(
        """
bearer = HTTPBearer()
basic = HTTPBasic()
key = APIKeyHeader(name="X-Key")
query_key = APIKeyQuery(name="key")
cookie_key = APIKeyCookie(name="sid")
oauth = OAuth2PasswordBearer(tokenUrl="token", scopes={"read": "r", "write": "w"})
def user(scopes: SecurityScopes, token: str = Depends(oauth)): return token
app = FastAPI()
@app.get("/bearer")
def a(c = Depends(bearer)): return {}
@app.get("/basic")
def b(c = Depends(basic)): return {}
@app.get("/key")
def c(c: str = Security(key)): return {}
@app.get("/query")
def d(c: str = Security(query_key)): return {}
@app.get("/cookie")
def e(c: str = Security(cookie_key)): return {}
@app.get("/oauth")
def f(u = Security(user, scopes=["read"])): return {}
@app.get("/inline")
def g(u = Depends(HTTPBearer())): return {}
@app.get("/open")
def h(): return {}
"""
    ),
    "responses": one(
        """
app = FastAPI()
class Public(BaseModel):
    name: str
    price: float = 1.0
@app.get("/model", response_model=Public)
def model(): return {}
@app.get("/list", response_model=list[Public])
def listed(): return []
@app.get("/annotated")
def annotated() -> Public: return {}
@app.get("/status", status_code=status.HTTP_202_ACCEPTED)
def accepted(): return {}
@app.delete("/none", status_code=204)
def none(): return None
@app.get("/html", response_class=HTMLResponse)
def html(): return "x"
@app.get("/text", response_class=PlainTextResponse)
def text(): return "x"
@app.get("/union")
def union(x: int) -> Public | Item: return {}
@app.get("/raw")
def raw() -> Response: return Response("x", media_type="text/csv")
@app.get("/sparse", response_model=Public, response_model_exclude_unset=True)
def sparse(): return {}
"""
    ),
    "declared": one(
        """
class Problem(BaseModel):
    code: str
app = FastAPI()
@app.get("/a", responses={404: {"model": Problem}, 409: {"description": "x"}})
def a(): return {}
"""
    ),
    "routers": {
        "app/__init__.py": "",
        "main.py": """
from fastapi import Depends, FastAPI
from app.api import api
from app.deps import token
from app import orders
from app.orders import router as orders_router
app = FastAPI()
app.include_router(api, prefix="/v1")
app.include_router(orders_router, prefix="/again", dependencies=[Depends(token)])
for module in (orders,):
    app.include_router(module.extra, prefix="/loop")
def ping(): return {}
app.add_api_route("/ping", ping, methods=["GET", "HEAD"])
sub = FastAPI()
@sub.get("/inner/{x}")
def inner(x: int): return {}
app.mount("/sub", sub)
""",
        "app/deps.py": """
from fastapi import Header
def token(x_token: str = Header()): return x_token
""",
        "app/api.py": """
from fastapi import APIRouter, Depends
from . import orders
from .deps import token
PREFIX = "/api"
api = APIRouter(prefix=f"{PREFIX}", dependencies=[Depends(token)])
api.include_router(orders.router, prefix="/shop")
""",
        "app/orders.py": """
from fastapi import APIRouter
router = APIRouter(prefix="/orders")
extra = APIRouter()
@router.get("/{order_id}")
@router.get("/{order_id}/again")
async def read(order_id: int): return {}
@router.api_route("/x", methods=["PUT", "PATCH"])
async def change(): return {}
@router.get("")
async def listed(limit: int = 10): return []
@extra.get("/extra")
async def more(): return {}
""",
    },
    "factory": one(
        """
def register(app: FastAPI) -> None:
    @app.get("/registered")
    def registered(a: int): return {}
def create_app() -> FastAPI:
    app = FastAPI()
    router = APIRouter(prefix="/made")
    @router.get("/here")
    def here(): return {}
    app.include_router(router)
    register(app)
    return app
app = create_app()
@app.get("/after")
def after(): return {}
"""
    ),
    "uploads": one(
        """
app = FastAPI()
@app.post("/file")
def upload(file: UploadFile, token: str = Form()): return {}
@app.post("/files")
def uploads(files: list[UploadFile], raw: bytes = File()): return {}
"""
    ),
}
