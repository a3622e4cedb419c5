"""Lead rules about guards that can be walked around, and that look at nothing."""

from __future__ import annotations

from typing import Final

from evreview.core.vocabulary import Area
from evreview.workflows.w3.access_control.caller_decisions import guard_bypasses
from evreview.workflows.w3.access_control.presence_only_guards import constant_credentials, unchecked_credentials
from evreview.workflows.w3.access_control.rule import LeadRule
from evreview.workflows.w3.access_control.sibling_routes import routes_opened_by_name, services_without_authentication

_OTHER_GUARDS: Final = frozenset({"authentication", "authorization"})

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
        look=guard_bypasses,
        example="""
from flask import Flask, abort, request
from tokens import verify
app = Flask(__name__)

@app.before_request
def signed_in():
    if request.args.get("debug") == "1":
        return
    if not verify(request.headers.get("Authorization")):
        abort(401)

@app.get("/reports")
def reports():
    return []
""",
        counter_examples=(
            """
from flask import Flask, abort, request
from tokens import verify
app = Flask(__name__)

@app.before_request
def signed_in():
    if request.args.get("debug") == "1":
        app.logger.info("a call with debug")
    if not verify(request.headers.get("Authorization")):
        abort(401)

@app.get("/reports")
def reports():
    return []
""",
            """
from flask import Flask, abort, request
from tokens import verify
app = Flask(__name__)

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

@app.get("/reports")
def reports():
    return []
""",
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

@app.get("/reports")
def reports():
    return []
""",
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
        look=constant_credentials,
        example="""
from flask import Flask, abort, request
app = Flask(__name__)

@app.before_request
def signed_in():
    if request.headers.get("Authorization") != "Bearer letmein":
        abort(401)

@app.get("/reports")
def reports():
    return []
""",
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

@app.get("/reports")
def reports():
    return []
""",
            """
from flask import Flask, abort, request
from tokens import verify
app = Flask(__name__)

@app.before_request
def signed_in():
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not verify(token):
        abort(401)

@app.get("/reports")
def reports():
    return []
""",
        ),
    ),
)
"""Rules about what guards are worth."""
GUARD_RULES: Final = frozenset(rule.id for rule in GUARDS)
"""Those of which the suspected guard itself is no other control."""


# Lead rules about routes that ask nobody who calls.


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
        look=routes_opened_by_name,
        example="""
from django.urls import path
from rest_framework.permissions import AllowAny, IsAuthenticated
from rest_framework.views import APIView

class Orders(APIView):
    permission_classes = [IsAuthenticated]
    def get(self, request): ...

class Exports(APIView):
    permission_classes = [AllowAny]
    def get(self, request): ...

urlpatterns = [path("orders/", Orders.as_view()), path("orders/export/", Exports.as_view())]
""",
        counter_examples=(
            """
from django.urls import path
from rest_framework.permissions import AllowAny, IsAuthenticated
from rest_framework.views import APIView

class Orders(APIView):
    permission_classes = [IsAuthenticated]
    def get(self, request): ...

class Login(APIView):
    permission_classes = [AllowAny]
    def post(self, request): ...

urlpatterns = [path("orders/", Orders.as_view()), path("login/", Login.as_view())]
""",
        ),
    ),
)
"""Rules about routes without a guard in the whole service, or opened by name."""
