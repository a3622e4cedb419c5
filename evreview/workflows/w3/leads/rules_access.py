"""Lead rules about who may do what."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from evreview.core.vocabulary import Area
from evreview.workflows.w3.access_control.caller_decisions import address_decisions, caller_decisions, caller_identities
from evreview.workflows.w3.access_control.owner_checks import owners_by_word
from evreview.workflows.w3.access_control.rule import Hit, LeadRule
from evreview.workflows.w3.access_control.sibling_routes import unguarded_siblings
from evreview.workflows.w3.access_control.units import RuleInput
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
        look=address_decisions,
        example="""
from flask import Flask, abort, request
app = Flask(__name__)

@app.get("/reports")
def reports():
    if not request.headers.get("X-Forwarded-For", "").startswith("10."):
        abort(403)
    return []
""",
        counter_examples=(
            """
from flask import Flask, abort, request
app = Flask(__name__)

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
        look=unowned_objects,
        example="""
from fastapi import FastAPI
from pydantic import BaseModel
app = FastAPI()

class Ticket(BaseModel):
    id: int
    owner_id: int

TICKETS: dict[int, Ticket] = {}

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
            """
from fastapi import FastAPI
from pydantic import BaseModel
app = FastAPI()

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
        look=unguarded_siblings,
        example="""
from fastapi import Depends, FastAPI, HTTPException
app = FastAPI()

def signed_in(token: str = ""):
    if not token:
        raise HTTPException(401)

@app.get("/orders", dependencies=[Depends(signed_in)])
def orders(): return []

@app.get("/orders/export")
def export(): return []
""",
        counter_examples=(
            """
from django.urls import path
from rest_framework.permissions import AllowAny, IsAuthenticated
from rest_framework.views import APIView

class Orders(APIView):
    permission_classes = [IsAuthenticated]
    def get(self, request): ...

class Prices(APIView):
    permission_classes = [AllowAny]
    def get(self, request): ...

urlpatterns = [path("orders/", Orders.as_view()), path("orders/prices/", Prices.as_view())]
""",
            """
from fastapi import Depends, FastAPI, HTTPException
app = FastAPI()

def signed_in(token: str = ""):
    if not token:
        raise HTTPException(401)

@app.get("/orders", dependencies=[Depends(signed_in)])
def orders(): return []

@app.get("/health")
def health(): return {}
""",
            """
from fastapi import Depends, FastAPI, HTTPException
app = FastAPI()

def signed_in(token: str = ""):
    if not token:
        raise HTTPException(401)

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
        look=members_of_the_caller,
        example="""
from fastapi import FastAPI
from pydantic import BaseModel
app = FastAPI()

class Profile(BaseModel):
    name: str
    is_admin: bool = False

@app.put("/me")
def change(profile: Profile):
    return store.update(**profile.model_dump())
""",
        counter_examples=(
            """
from fastapi import FastAPI
from pydantic import BaseModel
app = FastAPI()

class Profile(BaseModel):
    name: str
    is_admin: bool = False

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
