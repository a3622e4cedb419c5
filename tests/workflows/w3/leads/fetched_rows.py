"""Objects by id that a store gives to a caller who signed in, with and without a check of their owner."""

from __future__ import annotations

from tests.workflows.w3.leads.heads import AIOHTTP, FASTAPI, FLASK

_SIGNED_IN = """
from functools import wraps

def login_required(fn):
    @wraps(fn)
    def inner(*args, **kwargs):
        if g.get("user") is None:
            abort(401)
        return fn(*args, **kwargs)
    return inner
"""
_CURRENT = (
    FASTAPI
    + """
from jose import jwt

def current(request: Request):
    try:
        claims = jwt.decode(request.headers.get("Authorization", ""), KEY, algorithms=["HS256"])
    except Exception:
        raise HTTPException(401)
    return User(claims["sub"], claims["role"])
"""
)
_AUTH = """
import store, tokens

@web.middleware
async def auth(request, handler):
    user = tokens.verify(request.headers.get("Authorization", ""))
    if user is None:
        raise web.HTTPUnauthorized()
    request["user"] = user
    return await handler(request)
"""
_BILLS = """
from starlette.applications import Starlette
from starlette.authentication import requires
from starlette.middleware import Middleware
from starlette.middleware.authentication import AuthenticationMiddleware
from starlette.responses import JSONResponse
from starlette.routing import Route
from backend import TokenBackend
import store

@requires("authenticated")
async def bill(request):
    return JSONResponse(await store.bill(%s))

around = [Middleware(AuthenticationMiddleware, backend=TokenBackend())]
app = Starlette(routes=[Route("/bills/{bill_id}", bill)], middleware=around)
"""
_VIEWS = """
from rest_framework import permissions, viewsets
from rest_framework.routers import DefaultRouter
from django.urls import include, path
from models import Invoice

class InvoiceViewSet(viewsets.ModelViewSet):
    permission_classes = [permissions.IsAuthenticated%s]
    queryset = Invoice.objects.all()
%s
router = DefaultRouter()
router.register("invoices", InvoiceViewSet)
urlpatterns = [path("api/", include(router.urls))]
"""
_NARROWED = """
    def get_queryset(self):
        return Invoice.objects.filter(owner=self.request.user)
"""
_OWNER = """
class IsOwner(permissions.BasePermission):
    def has_object_permission(self, request, view, obj):
        return obj.owner_id == request.user.id

"""
OBJECT_POSITIVE = {
    "statement-beside-one-with-owner": _CURRENT + """
@app.get("/things")
def things(user=Depends(current)):
    return db.query("SELECT * FROM things WHERE owner_id = ?", (user.id,))

@app.get("/things/{thing_id}")
def thing(thing_id: int, user=Depends(current)):
    return db.one("SELECT * FROM things WHERE id = ?", (thing_id,))
""",
    "personal-thing": _CURRENT + """
@app.delete("/notes/{note_id}")
def drop(note_id: int, user=Depends(current)):
    db.delete(db.get_note(note_id))
""",
    "flask-model-not-supplied": FLASK + _SIGNED_IN + """
@app.get("/orders/<int:order_id>")
@login_required
def order(order_id):
    return jsonify(store.Order.query.get_or_404(order_id).as_dict())
""",
    "flask-filtered-elsewhere": FLASK + _SIGNED_IN + """
@app.get("/gadgets")
@login_required
def gadgets():
    return jsonify(store.Gadget.query.filter_by(owner_id=g.user.id).all())

@app.get("/gadgets/<int:gadget_id>")
@login_required
def gadget(gadget_id):
    return jsonify(store.Gadget.query.get_or_404(gadget_id))
""",
    "aiohttp-store": AIOHTTP + _AUTH + """
async def read(request):
    return web.json_response(await store.file(request.match_info["file_id"]))

app = web.Application(middlewares=[auth])
app.router.add_get("/files/{file_id}", read)
""",
    "starlette-store": _BILLS % 'request.path_params["bill_id"]',
    "drf-any-object": _VIEWS % ("", ""),
}  # fmt: skip

OBJECT_NEGATIVE = {
    "statement-with-owner": _CURRENT + """
@app.get("/notes/{note_id}")
def note(note_id: int, user=Depends(current)):
    return db.one("SELECT * FROM notes WHERE id = ? AND owner_id = ?", (note_id, user.id))
""",
    "helper-for-user": _CURRENT + """
@app.delete("/notes/{note_id}")
def drop(note_id: int, user=Depends(current)):
    db.delete(db.get_note_for(user, note_id))
""",
    "nobodys-thing": _CURRENT + """
@app.get("/products/{product_id}")
def product(product_id: int, user=Depends(current)):
    return db.one("SELECT * FROM products WHERE id = ?", (product_id,))
""",
    "other-thing-of-a-personal-route": _CURRENT + """
class Entry(BaseModel):
    product_id: int

@app.post("/carts")
def add(entry: Entry, user=Depends(current)):
    found = db.get_product(entry.product_id)
    return {"name": found.name}
""",
    "role-guard": _CURRENT + """
def require(role):
    def check(user=Depends(current)):
        if user.role != role:
            raise HTTPException(403)
        return user
    return check

@app.get("/notes/{note_id}")
def note(note_id: int, _=Depends(require("admin"))):
    return db.get_note(note_id)
""",
    "guard-of-the-object": _CURRENT + """
def owned(note_id: int, user=Depends(current)):
    if db.owner(note_id) != user.id:
        raise HTTPException(404)

@app.get("/notes/{note_id}", dependencies=[Depends(owned)])
def note(note_id: int):
    return db.get_note(note_id)
""",
    "flask-compared": FLASK + _SIGNED_IN + """
@app.get("/orders/<int:order_id>")
@login_required
def order(order_id):
    found = store.Order.query.get_or_404(order_id)
    if found.user_id != g.user.id and not g.user.is_admin:
        abort(404)
    return jsonify(found.as_dict())
""",
    "aiohttp-asked": AIOHTTP + _AUTH + """
async def read(request):
    found = await store.file(request.match_info["file_id"])
    if found.owner != request["user"].name:
        raise web.HTTPNotFound()
    return web.json_response(found)

app = web.Application(middlewares=[auth])
app.router.add_get("/files/{file_id}", read)
""",
    "starlette-owner": _BILLS % 'request.path_params["bill_id"], owner=request.user.identity',
    "drf-narrowed": _VIEWS % ("", _NARROWED),
    "drf-permission": _VIEWS.replace("class InvoiceViewSet", _OWNER + "class InvoiceViewSet") % (", IsOwner", ""),
    "drf-admin": _VIEWS % (", permissions.IsAdminUser", ""),
}  # fmt: skip
