"""Objects by id, guards beside guards, and members that only the service sets."""

from __future__ import annotations

from tests.security.leads.heads import AIOHTTP, DJANGO, DRF, FASTAPI, FLASK, aiohttp

STORE = (
    FASTAPI
    + """
from auth import current_user

class Ticket(BaseModel):
    id: int
    owner_id: int
    text: str

TICKETS: dict[int, Ticket] = {}
"""
)
_MODELS = """
from django.db import models

class Ticket(models.Model):
    owner = models.ForeignKey("auth.User", on_delete=models.CASCADE)
    text = models.TextField()
"""

OBJECT_POSITIVE = {
    "fastapi-get": STORE + """
@app.get("/tickets/{ticket_id}")
def ticket(ticket_id: int):
    found = TICKETS.get(ticket_id)
    if found is None:
        raise HTTPException(404)
    return found
""",
    "fastapi-authenticated-only": STORE + """
@app.get("/tickets/{ticket_id}")
def ticket(ticket_id: int, user=Depends(current_user)):
    return TICKETS[ticket_id]
""",
    "fastapi-principal-only-logged": STORE + """
@app.delete("/tickets/{ticket_id}")
def delete(ticket_id: int, user=Depends(current_user)):
    log.info("deleted by %s", user.id)
    TICKETS.pop(ticket_id)
""",
    "fastapi-helper": STORE + """
def load(ticket_id: int) -> Ticket:
    return TICKETS[ticket_id]

@app.get("/tickets/{ticket_id}")
def ticket(ticket_id: int):
    return load(ticket_id)
""",
    "fastapi-sqlalchemy": FASTAPI + """
from sqlalchemy.orm import DeclarativeBase, Mapped

class Base(DeclarativeBase):
    pass

class Ticket(Base):
    id: Mapped[int]
    owner_id: Mapped[int]

@app.get("/tickets/{ticket_id}")
def ticket(ticket_id: int, db=Depends(get_db)):
    return db.get(Ticket, ticket_id)
""",
    "flask-query": FLASK + """
class Ticket:
    owner_id: int

@app.get("/tickets/<int:ticket_id>")
def ticket(ticket_id):
    return jsonify(Ticket.query.get_or_404(ticket_id))
""",
    "flask-argument": FLASK + """
TICKETS = {1: {"id": 1, "owner_id": 7}}

@app.get("/ticket")
def ticket():
    return jsonify(TICKETS[int(request.args["id"])])
""",
    "django": {"models.py": _MODELS, "urls.py": DJANGO + """
from models import Ticket

def ticket(request, pk):
    return JsonResponse({"text": get_object_or_404(Ticket, pk=pk).text})

urlpatterns = [path("tickets/<int:pk>/", ticket)]
"""},
    "drf": {"models.py": _MODELS, "urls.py": DRF + """
from models import Ticket

class TicketView(APIView):
    def get(self, request, pk):
        return Response(Ticket.objects.get(pk=pk).text)

urlpatterns = [path("tickets/<int:pk>/", TicketView.as_view())]
"""},
    "aiohttp": aiohttp("""
TICKETS = {"1": {"owner": "a"}}

async def report(request):
    return web.json_response(TICKETS[request.match_info["id"]])
""", route="/tickets/{id}"),
}  # fmt: skip

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
OBJECT_POSITIVE |= {
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

    "owner-compared": STORE + """
@app.get("/tickets/{ticket_id}")
def ticket(ticket_id: int, user=Depends(current_user)):
    found = TICKETS[ticket_id]
    if found.owner_id != user.id:
        raise HTTPException(404)
    return found
""",
    "owner-in-lookup": STORE + """
@app.get("/tickets/{ticket_id}")
def ticket(ticket_id: int, user=Depends(current_user)):
    return repository.find(ticket_id, owner=user.id)
""",
    "owner-checked-by-helper": STORE + """
@app.get("/tickets/{ticket_id}")
def ticket(ticket_id: int, user=Depends(current_user)):
    found = TICKETS[ticket_id]
    ensure_owner(found, user)
    return found
""",
    "owner-in-dependency": STORE + """
def own_ticket(ticket_id: int, user=Depends(current_user)) -> Ticket:
    found = TICKETS[ticket_id]
    if found.owner_id != user.id:
        raise HTTPException(404)
    return found

@app.get("/tickets/{ticket_id}")
def ticket(found: Annotated[Ticket, Depends(own_ticket)], ticket_id: int):
    return TICKETS[ticket_id]
""",
    "authorized-role": STORE + """
def staff(user=Depends(current_user)):
    if user.role != "staff":
        raise HTTPException(403)
    return user

@app.get("/tickets/{ticket_id}")
def ticket(ticket_id: int, who=Depends(staff)):
    return TICKETS[ticket_id]
""",
    "nobody-owns-it": FASTAPI + """
class Country(BaseModel):
    code: str
    name: str

COUNTRIES: dict[str, Country] = {}

@app.get("/countries/{code}")
def country(code: str):
    return COUNTRIES[code]
""",
    "own-things-only": STORE + """
@app.get("/tickets")
def tickets(user=Depends(current_user)):
    return [one for one in TICKETS.values() if one.owner_id == user.id]
""",
    "of-the-principal": STORE + """
@app.get("/tickets/{ticket_id}")
def ticket(ticket_id: int, user=Depends(current_user)):
    return user.tickets.get(ticket_id)
""",
    "django-filter": {"models.py": _MODELS, "urls.py": DJANGO + """
from models import Ticket

def ticket(request, pk):
    return JsonResponse({"text": get_object_or_404(Ticket, pk=pk, owner=request.user).text})

urlpatterns = [path("tickets/<int:pk>/", ticket)]
"""},
    "django-of-user": {"models.py": _MODELS, "urls.py": DJANGO + """
from models import Ticket

def ticket(request, pk):
    return JsonResponse({"text": request.user.tickets.get(pk=pk).text})

urlpatterns = [path("tickets/<int:pk>/", ticket)]
"""},
    "flask-current-user": FLASK + """
from flask_login import current_user

class Ticket:
    owner_id: int

@app.get("/tickets/<int:ticket_id>")
def ticket(ticket_id):
    return jsonify(Ticket.query.filter_by(id=ticket_id, owner_id=current_user.id).first_or_404())
""",
    "flask-g": FLASK + """
class Ticket:
    owner_id: int

@app.before_request
def who():
    g.user = verify(request.headers.get("Authorization"))

@app.get("/tickets/<int:ticket_id>")
def ticket(ticket_id):
    found = Ticket.query.get_or_404(ticket_id)
    if found.owner_id != g.user.id:
        abort(403)
    return jsonify(found)
""",
}  # fmt: skip

_GUARD = """
def signed_in(token: str = Header("")):
    if not check(token):
        raise HTTPException(401)
"""
SIBLING_POSITIVE = {
    "fastapi-route": FASTAPI + _GUARD + """
@app.get("/orders", dependencies=[Depends(signed_in)])
def orders(): return []

@app.get("/orders/all")
def all_orders(): return []
""",
    "fastapi-write": FASTAPI + _GUARD + """
@app.post("/orders", dependencies=[Depends(signed_in)])
def create(): return {}

@app.delete("/orders/{order_id}")
def delete(order_id: int): return {}
""",
    "flask-decorator": FLASK + """
from flask_login import login_required

@app.get("/orders")
@login_required
def orders(): return []

@app.get("/orders/export")
def export(): return []
""",
    "service-wide": FASTAPI + _GUARD + """
@app.get("/orders", dependencies=[Depends(signed_in)])
def orders(): return []

@app.get("/users", dependencies=[Depends(signed_in)])
def users(): return []

@app.get("/internal/figures")
def figures(): return []
""",
}  # fmt: skip

_TWO_BILLS = """
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
    return JSONResponse(await store.bill(request.path_params["bill_id"], owner=request.user.identity))

%s
async def all_bills(request):
    return JSONResponse(await store.bills())

around = [Middleware(AuthenticationMiddleware, backend=TokenBackend())]
app = Starlette(routes=[Route("/bills/{bill_id}", bill), Route("/bills", all_bills)], middleware=around)
"""
SIBLING_POSITIVE["starlette-without-requires"] = _TWO_BILLS % ""

SIBLING_NEGATIVE = {
    "public-words": FASTAPI + _GUARD + """
@app.get("/users", dependencies=[Depends(signed_in)])
def users(): return []

@app.post("/users/login")
def login(): return {}

@app.post("/users/register")
def register(): return {}

@app.get("/health")
def health(): return {}
""",
    "no-guards-at-all": FASTAPI + """
@app.get("/orders")
def orders(): return []

@app.get("/orders/{order_id}")
def order(order_id: int): return {}
""",
    "router-guards-all": FASTAPI + _GUARD + """
from fastapi import APIRouter
router = APIRouter(prefix="/orders", dependencies=[Depends(signed_in)])

@router.get("")
def orders(): return []

@router.get("/all")
def all_orders(): return []

app.include_router(router)
""",
    "middleware-guards-all": FASTAPI + """
@app.middleware("http")
async def signed_in(request: Request, call_next):
    if not check(request.headers.get("Authorization", "")):
        return JSONResponse({}, status_code=401)
    return await call_next(request)

@app.get("/orders")
def orders(): return []

@app.get("/orders/all")
def all_orders(): return []
""",
    "unread-decorator": FLASK + """
from flask_login import login_required
from ours import needs_right

@app.get("/orders")
@login_required
def orders(): return []

@app.get("/orders/all")
@needs_right("orders")
def all_orders(): return []
""",
    "open-reading": FASTAPI + _GUARD + """
@app.get("/articles")
def articles(): return []

@app.put("/articles/{name}", dependencies=[Depends(signed_in)])
def write(name: str): return {}
""",
    "drf-default-of-class": DRF + """
class Open(APIView):
    permission_classes = [permissions.IsAuthenticated]
    def get(self, request): return Response({})
    def post(self, request): return Response({})

urlpatterns = [path("things/", Open.as_view())]
""",
}  # fmt: skip

_PROFILE = (
    FASTAPI
    + """
from auth import current_user

class Profile(BaseModel):
    name: str
    role: str = "user"
"""
)
FIELD_POSITIVE = {
    "whole-model": _PROFILE + """
@app.put("/me")
def change(profile: Profile, user=Depends(current_user)):
    return User(**profile.model_dump())
""",
    "old-pydantic": _PROFILE + """
@app.put("/me")
def change(profile: Profile):
    db.update(**profile.dict())
""",
    "by-name": _PROFILE + """
@app.put("/me")
def change(profile: Profile, user=Depends(current_user)):
    user.role = profile.role
    return user
""",
    "setattr-loop": _PROFILE + """
@app.put("/me")
def change(profile: Profile, user=Depends(current_user)):
    for key, value in profile.model_dump().items():
        setattr(user, key, value)
    return user
""",
    "owner-of-body": FASTAPI + """
class NewTicket(BaseModel):
    title: str
    owner_id: int

@app.post("/tickets")
def create(new: NewTicket):
    return Ticket(title=new.title, owner_id=new.owner_id)
""",
    "flask-json": FLASK + """
@app.put("/me")
def change():
    body = request.get_json()
    row = load()
    row.is_admin = body["is_admin"]
    return jsonify(row)
""",
    "aiohttp-json": aiohttp("""
async def report(request):
    body = await request.json()
    user = load()
    user.role = body["role"]
    return web.json_response({})
""", method="put"),
}  # fmt: skip

_DRF_PROFILE = """
from rest_framework import generics, permissions, serializers
from django.urls import path
from models import Profile

class ProfileSerializer(serializers.ModelSerializer):
%s
    class Meta:
        model = Profile
%s

class ProfileView(generics.RetrieveUpdateAPIView):
    serializer_class = ProfileSerializer
    permission_classes = [permissions.%s]

urlpatterns = [path("api/profile/", ProfileView.as_view())]
"""
_NAMED = '        fields = ["name", "role"]'


def _profile(meta: str = _NAMED, permission: str = "IsAuthenticated", body: str = "") -> str:
    return _DRF_PROFILE % (body, meta, permission)


FIELD_POSITIVE |= {
    "flask-setattr-loop": FLASK + """
@app.put("/me")
def change():
    data = request.get_json()
    for key, value in data.items():
        setattr(g.user, key, value)
    return jsonify(ok=True)
""",
    "flask-own-object-setattr": FLASK + """
@app.put("/orders/<int:order_id>")
def change(order_id):
    order = Order.query.get(order_id)
    if order.user_id != g.user.id:
        abort(404)
    for key, value in request.json.items():
        setattr(order, key, value)
    return jsonify(ok=True)
""",
    "fastapi-dict-body": FASTAPI + """
@app.put("/me")
def change(data: dict, user=Depends(current_user)):
    for key, value in data.items():
        setattr(user, key, value)
    return user
""",
    "flask-account-of-body": FLASK + """
@app.post("/signup")
def sign_up():
    user = User(**request.get_json())
    return jsonify(id=user.id)
""",
    "aiohttp-members-dict": aiohttp("""
async def report(request):
    body = await request.json()
    user = load()
    user.__dict__.update(body)
    return web.json_response({})
""", method="put"),
    "drf-listed": _profile(),
    "drf-all-of-an-account": _profile('        fields = "__all__"'),
    "drf-all-of-a-supplied-model": {"app.py": _profile('        exclude = ["id"]'), "models.py": """
from django.db import models

class Profile(models.Model):
    name = models.TextField()
    is_staff = models.BooleanField()
"""},
    "drf-everybody": _profile(permission="AllowAny"),
}  # fmt: skip

FIELD_NEGATIVE = {
    "left-out": _PROFILE + """
@app.put("/me")
def change(profile: Profile):
    return User(**profile.model_dump(exclude={"role"}))
""",
    "taken-by-name": _PROFILE + """
@app.put("/me")
def change(profile: Profile):
    return User(name=profile.name)
""",
    "included-only": _PROFILE + """
@app.put("/me")
def change(profile: Profile):
    return User(**profile.model_dump(include={"name"}))
""",
    "overwritten": _PROFILE + """
@app.put("/me")
def change(profile: Profile, user=Depends(current_user)):
    return User(role=user.role, **profile.model_dump())
""",
    "principal-owns": FASTAPI + """
from auth import current_user

class NewTicket(BaseModel):
    title: str

@app.post("/tickets")
def create(new: NewTicket, user=Depends(current_user)):
    return Ticket(title=new.title, owner_id=user.id)
""",
    "staff-only": _PROFILE + """
def staff(user=Depends(current_user)):
    if user.role != "staff":
        raise HTTPException(403)
    return user

@app.put("/users/{user_id}")
def change(user_id: int, profile: Profile, who=Depends(staff)):
    return User(**profile.model_dump())
""",
    "checked-in-handler": _PROFILE + """
@app.put("/me")
def change(profile: Profile, user=Depends(current_user)):
    if profile.role != user.role and not user.is_admin:
        raise HTTPException(403)
    return User(**profile.model_dump())
""",
    "no-such-member": FASTAPI + """
class Profile(BaseModel):
    name: str
    colour: str

@app.put("/me")
def change(profile: Profile):
    return User(**profile.model_dump())
""",
    "constant": FASTAPI + """
class SignUp(BaseModel):
    name: str

@app.post("/signup")
def sign_up(new: SignUp):
    return User(name=new.name, role="user", is_admin=False)
""",
    "principal-of-a-dependency": FASTAPI + """
class User(BaseModel):
    id: str
    role: str

def current(request: Request) -> User:
    claims = verified(request.headers.get("Authorization", ""))
    return User(id=claims["sub"], role=claims["role"])

class NewNote(BaseModel):
    text: str
    colour: str = "blue"

@app.post("/notes")
def make_note(body: NewNote, user: User = Depends(current)):
    return db.insert(owner_id=user.id, **body.model_dump())
""",
    "only-answered": _PROFILE + """
@app.post("/echo")
def echo(profile: Profile):
    return {"name": profile.name, "given": profile.role}
""",
}  # fmt: skip

FIELD_NEGATIVE |= {
    "keys-named": FLASK + """
@app.put("/me")
def change():
    data = request.get_json()
    for key in ("name", "locale"):
        if key in data:
            setattr(g.user, key, data[key])
    return jsonify(ok=True)
""",
    "keys-filtered": FLASK + """
@app.put("/me")
def change():
    for key, value in request.get_json().items():
        if key in ALLOWED:
            setattr(g.user, key, value)
    return jsonify(ok=True)
""",
    "keys-skipped": FLASK + """
@app.put("/me")
def change():
    for key, value in request.get_json().items():
        if key not in ALLOWED:
            continue
        setattr(g.user, key, value)
    return jsonify(ok=True)
""",
    "picked-first": FLASK + """
@app.put("/me")
def change():
    data = {key: value for key, value in request.get_json().items() if key in ALLOWED}
    for key, value in data.items():
        setattr(g.user, key, value)
    return jsonify(ok=True)
""",
    "staff-sets-any": FLASK + """
@app.put("/users/<int:user_id>")
def change(user_id):
    if not g.user.is_admin:
        abort(403)
    user = User.query.get(user_id)
    for key, value in request.get_json().items():
        setattr(user, key, value)
    return jsonify(ok=True)
""",
    "settings-from-schema": FLASK + """
@app.put("/me")
def change():
    data = ProfileSchema().load(request.get_json())
    for key, value in data.items():
        setattr(g.user, key, value)
    return jsonify(ok=True)
""",
    "no-account": FLASK + """
@app.post("/points")
def point():
    return jsonify(Point(**request.get_json()).norm())
""",
    "drf-read-only": _profile(_NAMED + '\n        read_only_fields = ["role"]'),
    "drf-extra": _profile(_NAMED + '\n        extra_kwargs = {"role": {"read_only": True}}'),
    "drf-declared": _profile(body="    role = serializers.CharField(read_only=True)"),
    "drf-method-field": _profile(body="    role = serializers.SerializerMethodField()"),
    "drf-validated": _profile(body="    def validate_role(self, value):\n        return checked(value)"),
    "drf-other-members": _profile('        fields = ["name", "colour"]'),
    "drf-admin": _profile(permission="IsAdminUser"),
    "drf-all-of-a-thing": _profile('        fields = "__all__"').replace("model = Profile", "model = colours.Colour"),
}  # fmt: skip

SIBLING_NEGATIVE["starlette-with-requires"] = _TWO_BILLS % '@requires(["authenticated", "admin"])'
