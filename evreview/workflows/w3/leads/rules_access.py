"""Lead rules about who may do what, what guards are worth, and routes that ask nobody."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from evreview.core.vocabulary import Area
from evreview.workflows.w3.access_control.caller_decisions import (
    address_decisions,
    caller_decisions,
    caller_identities,
    guard_bypasses,
)
from evreview.workflows.w3.access_control.owner_checks import owners_by_word
from evreview.workflows.w3.access_control.route_guards import (
    constant_credentials,
    routes_opened_by_name,
    services_without_authentication,
    unchecked_credentials,
    unguarded_siblings,
)
from evreview.workflows.w3.access_control.units import Hit, LeadRule, RuleInput
from evreview.workflows.w3.leads.mass_assignment import mass_assignments
from evreview.workflows.w3.leads.object_access import unowned_objects
from evreview.workflows.w3.leads.writable_fields import writable_members, writable_privileges


def caller_words(reading: RuleInput) -> Iterator[Hit]:
    """Decisions on what the caller says, principals that are made of it, and owners whom it names."""
    yield from caller_decisions(reading)
    yield from caller_identities(reading)
    yield from owners_by_word(reading)


def members_of_the_caller(reading: RuleInput) -> Iterator[Hit]:
    """Privileged members of the request that are stored, by name, by a loop, by a serializer."""
    yield from writable_privileges(reading)
    yield from mass_assignments(reading)
    yield from writable_members(reading)


_OTHER_GUARDS: Final = frozenset({"authentication", "authorization"})
_FLASK: Final = """
from flask import Flask, abort, request
app = Flask(__name__)
"""
_VERIFYING: Final = """
from flask import Flask, abort, request
from tokens import verify
app = Flask(__name__)
"""
_FAST: Final = """
from fastapi import FastAPI
from pydantic import BaseModel
app = FastAPI()
"""
_TICKETS: Final = """
class Ticket(BaseModel):
    id: int
    owner_id: int

TICKETS: dict[int, Ticket] = {}
"""
_SIGNED_IN: Final = """
from fastapi import Depends, FastAPI, HTTPException
app = FastAPI()

def signed_in(token: str = ""):
    if not token:
        raise HTTPException(401)
"""
_PROFILE: Final = (
    _FAST
    + """
class Profile(BaseModel):
    name: str
    is_admin: bool = False
"""
)
_ORDERS: Final = """
from django.urls import path
from rest_framework.permissions import AllowAny, IsAuthenticated
from rest_framework.views import APIView

class Orders(APIView):
    permission_classes = [IsAuthenticated]
    def get(self, request): ...
"""
_REPORTS: Final = """
@app.get("/reports")
def reports():
    return []
"""

ACCESS: Final = (
    LeadRule(
        id="caller-controlled-decision",
        title="A decision rests on what the caller says of itself, not on a principal that the server knows",
        area=Area.AUTHORIZATION,
        why="Whoever calls can send any header, query, cookie or body; none of them shows who calls, or a right.",
        attacker="can send a request with values of own choice",
        impact="A caller without the right may get what the decision protects.",
        verify="In an isolated fixture with synthetic data, send the request as a principal without the right, once "
        "with and once without the value; both must be refused.",
        compensates=frozenset({"authorization", "header"}),
        brief="isolated fixture, a caller without the right: refused with and without the value",
        look=caller_words,
        example="""
from fastapi import FastAPI, Header, HTTPException
app = FastAPI()

@app.get("/reports")
def reports(x_role: str = Header("")):
    if x_role != "admin":
        raise HTTPException(403)
    return []
""",
        counter_examples=(
            """
from fastapi import Depends, FastAPI, HTTPException
from auth import verified_user
app = FastAPI()

@app.get("/reports")
def reports(user=Depends(verified_user)):
    if user.role != "admin":
        raise HTTPException(403)
    return []
""",
            """
from fastapi import FastAPI, HTTPException, Request
from tokens import verify
app = FastAPI()

@app.middleware("http")
async def principal(request: Request, call_next):
    request.state.user = verify(request.headers.get("Authorization", ""))
    return await call_next(request)

@app.get("/reports")
def reports(request: Request):
    if request.state.user.role != "admin":
        raise HTTPException(403)
    return []
""",
            """
from flask import Flask, g, request
import store
app = Flask(__name__)

@app.before_request
def load_user():
    g.user = store.user_with(request.headers.get("X-User"), request.headers.get("X-Password"))
    g.agent = request.headers.get("User-Agent")
""",
        ),
    ),
    LeadRule(
        id="client-address-decision",
        title="A decision rests on the caller's network address",
        area=Area.AUTHENTICATION,
        why="An address is no principal: others share it, and headers that name one can be written by anybody.",
        attacker="can call from such an address, or can send a header that names one",
        impact="A caller on an allowed network may act without a principal.",
        verify="In an isolated fixture, call without credentials from the loopback address with and without the "
        "header; both must be refused.",
        compensates=frozenset({"authorization", "authentication", "address"}),
        brief="isolated fixture, from loopback, no credentials: refused, header or not",
        look=address_decisions,
        example=_FLASK
        + """
@app.get("/reports")
def reports():
    if not request.headers.get("X-Forwarded-For", "").startswith("10."):
        abort(403)
    return []
""",
        counter_examples=(
            _FLASK
            + """
@app.get("/reports")
def reports():
    if len(recent(request.remote_addr)) > 100:
        abort(429)
    return []
""",
        ),
    ),
    LeadRule(
        id="object-without-owner-check",
        title="An object is fetched by an id of the caller's choice without asking whose it is",
        area=Area.AUTHORIZATION,
        why="Ids can be guessed or seen; a right to one object is none to another.",
        attacker="can send a request with another object's id",
        impact="A caller may read or change another's object.",
        verify="In an isolated fixture with two synthetic owners, fetch the first one's object as the second; it must "
        "be refused or not be found.",
        compensates=frozenset({"authorization"}),
        brief="isolated fixture, two owners: the second one does not get the first one's object",
        look=unowned_objects,
        example=_FAST
        + _TICKETS
        + """
@app.get("/tickets/{ticket_id}")
def ticket(ticket_id: int):
    return TICKETS[ticket_id]
""",
        counter_examples=(
            """
from fastapi import Depends, FastAPI, HTTPException
from pydantic import BaseModel
from auth import current_user
app = FastAPI()

class Ticket(BaseModel):
    id: int
    owner_id: int

TICKETS: dict[int, Ticket] = {}

@app.get("/tickets/{ticket_id}")
def ticket(ticket_id: int, principal=Depends(current_user)):
    found = TICKETS[ticket_id]
    if found.owner_id != principal.id:
        raise HTTPException(404)
    return found
""",
            """
from django.urls import path
from rest_framework import generics
from rest_framework.permissions import BasePermission, IsAuthenticated
from shop.models import Invoice

class IsOwner(BasePermission):
    def has_object_permission(self, request, view, obj):
        return obj.owner == request.user

class OneInvoice(generics.RetrieveAPIView):
    queryset = Invoice.objects.all()
    permission_classes = [IsAuthenticated, IsOwner]

urlpatterns = [path("invoices/<int:pk>/", OneInvoice.as_view())]
""",
            _FAST
            + """
class Product(BaseModel):
    id: int
    name: str

PRODUCTS: dict[int, Product] = {}

@app.get("/products/{product_id}")
def product(product_id: int):
    return PRODUCTS[product_id]
""",
        ),
    ),
    LeadRule(
        id="unguarded-sibling",
        title="A route has no guard, though routes beside it have one",
        area=Area.AUTHENTICATION,
        why="A guard that neighbours have is often forgotten, not left out.",
        attacker="can send a request without credentials",
        impact="A caller without credentials may reach what the neighbours protect.",
        verify="In an isolated fixture with synthetic data, call the route without credentials; it must be refused as "
        "its neighbours refuse.",
        compensates=frozenset({"authorization", "authentication", "network"}),
        brief="isolated fixture, no credentials: refused as its neighbours refuse",
        look=unguarded_siblings,
        example=_SIGNED_IN
        + """
@app.get("/orders", dependencies=[Depends(signed_in)])
def orders(): return []

@app.get("/orders/export")
def export(): return []
""",
        counter_examples=(
            _ORDERS
            + """
class Prices(APIView):
    permission_classes = [AllowAny]
    def get(self, request): ...

urlpatterns = [path("orders/", Orders.as_view()), path("orders/prices/", Prices.as_view())]
""",
            _SIGNED_IN
            + """
@app.get("/orders", dependencies=[Depends(signed_in)])
def orders(): return []

@app.get("/health")
def health(): return {}
""",
            _SIGNED_IN
            + """
@app.post("/articles", dependencies=[Depends(signed_in)])
def write(): return {}

@app.get("/articles")
def articles(): return []
""",
        ),
    ),
    LeadRule(
        id="privilege-field-writable",
        title="A member that only the service should set is taken from the request",
        area=Area.AUTHORIZATION,
        why="Whoever may change a record of their own could give themselves a role or another's identity with it.",
        attacker="can send a request that changes a record of their own",
        impact="A caller may give themselves a right.",
        verify="In an isolated fixture with a synthetic account, send the member with another value; the stored record "
        "must not change in it.",
        compensates=frozenset({"authorization"}),
        brief="isolated fixture, the member sent: the stored record does not change in it",
        look=members_of_the_caller,
        example=_PROFILE
        + """
@app.put("/me")
def change(profile: Profile):
    return store.update(**profile.model_dump())
""",
        counter_examples=(
            _PROFILE
            + """
@app.put("/me")
def change(profile: Profile):
    return store.update(**profile.model_dump(exclude={"is_admin"}))
""",
            """
from fastapi import Depends, FastAPI
from pydantic import BaseModel
from auth import current_user
app = FastAPI()

class NewTicket(BaseModel):
    title: str

@app.post("/tickets")
def create(new: NewTicket, principal=Depends(current_user)):
    return Ticket(title=new.title, owner_id=principal.id)
""",
        ),
    ),
)
"""Rules about rights."""


# What guards are worth: those that can be walked around, and that look at nothing.


GUARDS: Final = (
    LeadRule(
        id="way-past-a-guard",
        title="A guard does not check callers who send a certain value",
        area=Area.AUTHENTICATION,
        why="A switch for development, or a header of the inside, can be sent by whoever calls.",
        attacker="can send a request with values of own choice",
        impact="A caller may get past the guard without credentials.",
        verify="In an isolated fixture with synthetic data, call the route without credentials, once with and once "
        "without the value; both must be refused.",
        compensates=_OTHER_GUARDS | {"header"},
        brief="isolated fixture, no credentials: refused with and without the value",
        look=guard_bypasses,
        example=_VERIFYING
        + """
@app.before_request
def signed_in():
    if request.args.get("debug") == "1":
        return
    if not verify(request.headers.get("Authorization")):
        abort(401)
"""
        + _REPORTS,
        counter_examples=(
            _VERIFYING
            + """
@app.before_request
def signed_in():
    if request.args.get("debug") == "1":
        app.logger.info("a call with debug")
    if not verify(request.headers.get("Authorization")):
        abort(401)
"""
            + _REPORTS,
            _VERIFYING
            + """
@app.get("/reports")
def reports():
    if not verify(request.headers.get("Authorization")):
        abort(401)
    if request.args.get("format") == "csv":
        return "a,b"
    if not known():
        abort(404)
    return []
""",
        ),
    ),
    LeadRule(
        id="credential-not-checked",
        title="A guard asks only whether credentials are there",
        area=Area.AUTHENTICATION,
        why="Any text in the header is let in where nothing looks at what it says.",
        attacker="can send a request with a header of own choice",
        impact="A caller without valid credentials may pass for somebody who is signed in.",
        verify="In an isolated fixture with synthetic data, send the request with a made-up credential; it must be "
        "refused.",
        compensates=_OTHER_GUARDS,
        brief="isolated fixture, a made-up credential: refused",
        look=unchecked_credentials,
        example="""
from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse
app = FastAPI()

@app.middleware("http")
async def signed_in(request: Request, call_next):
    if "Authorization" not in request.headers:
        return JSONResponse({}, status_code=401)
    return await call_next(request)
"""
        + _REPORTS,
        counter_examples=(
            """
from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse
from tokens import verify
app = FastAPI()

@app.middleware("http")
async def signed_in(request: Request, call_next):
    if "Authorization" not in request.headers:
        return JSONResponse({}, status_code=401)
    request.state.user = verify(request.headers["Authorization"])
    return await call_next(request)
"""
            + _REPORTS,
            """
from fastapi import Depends, FastAPI, Header, HTTPException
from tokens import verify
app = FastAPI()

def token(authorization: str = Header("")):
    if not authorization.startswith("Bearer "):
        raise HTTPException(401)
    return authorization[7:]

@app.get("/reports")
def reports(token: str = Depends(token)):
    return verify(token).reports
""",
        ),
    ),
    LeadRule(
        id="constant-credential",
        title="A guard lets in whoever sends a constant of the source",
        area=Area.AUTHENTICATION,
        why="Whoever can read the source, its history or a build knows the constant, and it can't be replaced alone.",
        attacker="can read the source, its history or what is built from it",
        impact="Whoever knows the constant may pass for somebody who is signed in.",
        verify="Ask the constant's owner whether it is in use, and have it replaced; nobody tries it. In an isolated "
        "fixture that sets another value, the constant must be refused.",
        compensates=_OTHER_GUARDS,
        brief="ask its owner, nobody tries it; isolated fixture, another value set: refused",
        look=constant_credentials,
        example=_FLASK
        + """
@app.before_request
def signed_in():
    if request.headers.get("Authorization") != "Bearer letmein":
        abort(401)
"""
        + _REPORTS,
        counter_examples=(
            """
import hmac
import os
from flask import Flask, abort, request
app = Flask(__name__)
KEY = os.environ["API_KEY"]

@app.before_request
def signed_in():
    if not hmac.compare_digest(request.headers.get("X-Api-Key", ""), KEY):
        abort(401)
"""
            + _REPORTS,
            _VERIFYING
            + """
@app.before_request
def signed_in():
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not verify(token):
        abort(401)
"""
            + _REPORTS,
        ),
    ),
)
"""Rules about what guards are worth."""
GUARD_RULES: Final = frozenset(rule.id for rule in GUARDS)
"""Those of which the suspected guard itself is no other control."""


# Routes that ask nobody who calls.


OPEN: Final = (
    LeadRule(
        id="service-without-authentication",
        title="No route of the service asks who calls",
        area=Area.AUTHENTICATION,
        why="A service that changes things or tells of people, and lets in whoever reaches it, rests on its network.",
        attacker="can send a request without credentials",
        impact="Whoever reaches the service may read and change what its routes give.",
        verify="Read what stands before the service. In an isolated fixture with synthetic data, call a route without "
        "credentials; it must be refused.",
        compensates=_OTHER_GUARDS,
        brief="read what stands before; isolated fixture, no credentials: refused",
        look=services_without_authentication,
        example="""
from fastapi import FastAPI
app = FastAPI()

@app.get("/customers/{number}")
def customer(number: int): return store.customer(number)

@app.delete("/customers/{number}")
def remove(number: int): return store.remove(number)
""",
        counter_examples=(
            """
from fastapi import FastAPI
app = FastAPI()

@app.get("/rates")
def rates(): return store.rates()

@app.get("/health")
def health(): return {}
""",
            """
from fastapi import FastAPI
from ours import SignedIn
app = FastAPI()
app.add_middleware(SignedIn)

@app.delete("/customers/{number}")
def remove(number: int): return store.remove(number)
""",
        ),
    ),
    LeadRule(
        id="route-opened-by-name",
        title="A route is opened to everybody, though routes beside it ask who calls",
        area=Area.AUTHENTICATION,
        why="What is opened while a service is built often stays open.",
        attacker="can send a request without credentials",
        impact="A caller without credentials may reach what the neighbours protect.",
        verify="Ask who decided that everybody may use the route. In an isolated fixture with synthetic data, read "
        "what a call without credentials gets.",
        compensates=_OTHER_GUARDS,
        brief="ask who decided it; isolated fixture: what a call without credentials gets",
        look=routes_opened_by_name,
        example=_ORDERS
        + """
class Exports(APIView):
    permission_classes = [AllowAny]
    def get(self, request): ...

urlpatterns = [path("orders/", Orders.as_view()), path("orders/export/", Exports.as_view())]
""",
        counter_examples=(
            _ORDERS
            + """
class Login(APIView):
    permission_classes = [AllowAny]
    def post(self, request): ...

urlpatterns = [path("orders/", Orders.as_view()), path("login/", Login.as_view())]
""",
        ),
    ),
)
"""Rules about routes without a guard in the whole service, or opened by name."""
