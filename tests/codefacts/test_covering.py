"""What stands around handlers, or replaces what a view says, and is not followed: named, and its routes left open."""

from __future__ import annotations

import pytest

from evreview.codefacts.model import Route, SourceText
from evreview.codefacts.read import read_sources

FASTAPI = (
    "from fastapi import FastAPI\nfrom starlette.middleware.cors import CORSMiddleware\nfrom gone import Gone\n"
    "app = FastAPI()\n@app.get('/a')\ndef a(): return 1\n"
)
CLASS = "class M:\n  def __init__(self, app): self.app = app\n  async def __call__(self, scope, receive, send):\n"
ON = "    await self.app(scope, receive, send)\n"
ANSWER = "    await JSONResponse({}, status_code=503)(scope, receive, send)\n"
DJANGO = "from django.urls import path\nfrom django.http import JsonResponse\ndef a(request): return JsonResponse({})\n"
URLS = "urlpatterns = [path('a', a)]\n"
DRF = (
    "from django.urls import path\nfrom rest_framework.views import APIView\nfrom rest_framework import permissions\n"
    "from rest_framework.authentication import TokenAuthentication\nfrom rest_framework.response import Response\n"
    "class Open(permissions.BasePermission):\n  def has_permission(self, request, view):\n    return %s\n"
    "class A(APIView):\n  authentication_classes = [TokenAuthentication]\n  permission_classes = [%s]\n"
    "  def get(self, request): return Response({})\n%s"
    "urlpatterns = [path('a', A.as_view())]\n"
)
STARLETTE = (
    "from starlette.applications import Starlette\nfrom starlette.exceptions import HTTPException\n"
    "from starlette.responses import JSONResponse\nfrom starlette.routing import Route\n"
    "async def check(request):\n  if request.headers.get('X-Api-Key') != 'k':\n    raise HTTPException(401)\n"
    "async def a(request):\n  %s\n  return JSONResponse({})\napp = Starlette(routes=[Route('/a', a)])\n"
)


def only(text: str) -> Route:
    """The one route of a file."""
    (route,) = read_sources([SourceText(item="E1", path="app.py", parts=("handler",), text=text)]).routes
    return route


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (f"{FASTAPI}app.add_middleware(Gone)\n", [7]),
        (f"{FASTAPI}app.add_middleware(CORSMiddleware)\n", []),
        (f"{FASTAPI}{CLASS}{ON}app.add_middleware(M)\n", []),
        (f"{FASTAPI}{CLASS}{ANSWER}{ON}app.add_middleware(M)\n", [12]),
        (f"{FASTAPI}{CLASS}    await send({{'type': 'http.response.start'}})\n{ON}app.add_middleware(M)\n", [12]),
        (f"{FASTAPI}{CLASS}    scope['path'] = '/b'\n{ON}app.add_middleware(M)\n", [12]),
        (f"{FASTAPI}{CLASS}{ANSWER}outer = M(app)\n", [11]),
        (f"{FASTAPI}{CLASS}{ON}outer = M(app)\n", []),
        (f"{FASTAPI}application = Gone(app)\n", [7]),
        (f"{FASTAPI}client = Gone(app)\n", [7]),
        (f"from starlette.testclient import TestClient\n{FASTAPI}client = TestClient(app)\n", []),
        (f"{DJANGO}MIDDLEWARE = ['gone.Gone', 'django.middleware.common.CommonMiddleware']\n{URLS}", [4]),
        (f"{DJANGO}MIDDLEWARE = ['app.M']\n{URLS}class M:\n  def __call__(self, r): return self.get_response(r)\n", []),
        (f"{DJANGO}MIDDLEWARE = ['app.M']\n{URLS}class M:\n  def __call__(self, r): return JsonResponse({{}})\n", [4]),
    ],
)
def test_unfollowed_code_around(text: str, lines: list[int]) -> None:
    route = only(text)
    assert [one.spot.first for one in route.rewritten] == lines
    assert set(route.rewritten) <= set(route.unread)
    assert bool(route.unread) == bool(lines)


@pytest.mark.parametrize(
    ("own", "checks", "statuses"),
    [
        ("", True, False),
        ("  def get_permissions(self): return []\n", False, False),
        ("  def get_authenticators(self): return []\n", False, False),
        ("  def initial(self, request): raise ValueError\n", False, True),
        ("  def dispatch(self, request): return Response({}, status=503)\n", False, True),
    ],
)
def test_methods_that_replace_attributes(own: str, checks: bool, statuses: bool) -> None:
    route = only(DRF % ("True", "permissions.IsAuthenticated", own))
    assert all(not guard.unless for guard in route.guards) == checks
    assert any(one.found.startswith("the method") for one in route.unread) == bool(own)
    assert bool(route.rewritten) == statuses


@pytest.mark.parametrize(("returned", "denies"), [("True", False), ("request.user.is_staff", True)])
def test_a_permission_that_denies_nobody(returned: str, denies: bool) -> None:
    route = only(DRF % (returned, "Open", ""))
    assert (403 in {one.status for one in route.responses}) == denies
    assert bool(route.guards) == denies


@pytest.mark.parametrize(("classes", "named"), [("JSONRenderer", False), ("AdminRenderer", True)])
def test_renderers_that_are_not_json(classes: str, named: bool) -> None:
    head = f"REST_FRAMEWORK = {{'DEFAULT_RENDERER_CLASSES': ['rest_framework.renderers.{classes}']}}\n"
    route = only(head + DRF % ("True", "permissions.IsAuthenticated", ""))
    assert any(one.found.startswith("the renderer") for one in route.unread) == named
    assert {one.media_type for one in route.responses if one.status == 200} == {"" if named else "application/json"}


@pytest.mark.parametrize(("call", "refuses"), [("await check(request)", True), ("check(request)", False)])
def test_a_coroutine_that_nobody_awaits(call: str, refuses: bool) -> None:
    route = only(STARLETTE % call)
    assert (401 in {one.status for one in route.responses}) == refuses
    assert bool(route.guards) == refuses


def test_a_serializer_that_writes_its_own_members() -> None:
    text = (
        "from rest_framework import serializers\nclass S(serializers.Serializer):\n  id = serializers.IntegerField()\n"
        "  def to_representation(self, one): return {}\n"
    )
    view = "  def post(self, request): return Response(S({}).data)\n"
    routes = read_sources(
        [SourceText(item="E1", path="a.py", parts=("handler",), text=text + DRF % ("True", "Open", view))]
    ).routes
    sent = [one for route in routes for one in route.responses if one.models]
    assert [one.schema for one in sent] == [{}]
    named = {one.found for route in routes if route.method == "POST" for one in route.unread}
    assert any("`to_representation`" in found for found in named)
