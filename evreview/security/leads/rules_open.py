"""Lead rules about routes that ask nobody who calls."""

from __future__ import annotations

from typing import Final

from evreview.core.vocabulary import Area
from evreview.security.leads.open_service import routes_opened_by_name, services_without_authentication
from evreview.workflows.w3.access_control.rule import LeadRule

_OTHER_GUARDS: Final = frozenset({"authentication", "authorization"})

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
