"""Conditions on who is signed in: a guard where they turn nobody's callers away, unread where they answer otherwise."""

from __future__ import annotations

import ast

import pytest

from evreview.codefacts.guards.denials import asked
from evreview.codefacts.model import Route
from evreview.codefacts.names import Modules
from evreview.codefacts.read import read_sources
from tests.codefacts.snippets import sources

FLASK = """from flask import Flask, abort, redirect, render_template, request, url_for
from flask_login import LoginManager, current_user
import store
app = Flask(__name__)
manager = LoginManager(app)
def demand():
    if not current_user.is_authenticated:
        abort(401)
def tell():
    if not current_user.is_authenticated:
        return redirect('/login')
@app.post('/x')
def h():
"""
DJANGO = """from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpResponse, HttpResponseForbidden, HttpResponseRedirect, JsonResponse
from django.shortcuts import redirect, render
import store
def h(request):
"""
AIOHTTP = """from aiohttp import web
from aiohttp_security import is_anonymous
import store
async def h(request):
{0}
    return web.json_response(store.all())
app = web.Application()
app.router.add_get('/x', h)
"""
NOT, SIGNED, ALL = (
    "    if not current_user.is_authenticated:\n",
    "    if current_user.is_authenticated:\n",
    "    return store.all()\n",
)
NO_USER, USER, JSON = (
    "    if not request.user.is_authenticated:\n",
    "    if request.user.is_authenticated:\n",
    "    return JsonResponse(store.all())\n",
)


def one(files: dict[str, str]) -> Route:
    (route,) = read_sources(sources(files)).routes
    return route


def told(route: Route) -> str:
    """What the route says about callers who are not signed in."""
    if any("not signed in" in each.found for each in route.unread):
        return "own answer"
    kinds = {(guard.kind, bool(guard.unless)) for guard in route.guards}
    return {frozenset(): "open", frozenset({("authentication", False)}): "guard"}.get(frozenset(kinds), "sometimes")


GUARDS = {
    "manager": NOT + "        return app.login_manager.unauthorized()\n" + ALL,
    "own-manager": NOT + "        return manager.unauthorized()\n" + ALL,
    "redirect": NOT + "        return redirect(url_for('login'))\n" + ALL,
    "anonymous": "    if current_user.is_anonymous:\n        return redirect('/login')\n" + ALL,
    "abort": NOT + "        abort(401)\n" + ALL,
    "abort-403": NOT + "        abort(403)\n" + ALL,
    "or-a-right": "    if not current_user.is_authenticated or not current_user.admin:\n        abort(403)\n" + ALL,
    "the-rest-refuses": SIGNED + "        return store.all()\n    return redirect('/login')\n",
    "else": SIGNED + "        return store.all()\n    else:\n        abort(401)\n",
    "either": "    return store.all() if current_user.is_authenticated else redirect('/login')\n",
    "local-name": "    known = current_user.is_authenticated\n    if not known:\n        abort(401)\n" + ALL,
    "called": "    demand()\n" + ALL,
    "after-a-404": "    if not store.has(1):\n        abort(404)\n" + NOT + "        return redirect('/login')\n" + ALL,
}
OPEN = {
    "nothing": ALL,
    "greeting": "    name = current_user.name if current_user.is_authenticated else 'you'\n" + ALL,
    "greeting-in-a-block": "    name = 'you'\n" + SIGNED + "        name = current_user.name\n" + ALL,
    "greeting-then-redirect": SIGNED + "        store.note(1)\n    store.add(1)\n    return redirect('/list')\n",
    "sign-in-page": SIGNED + "        return redirect('/home')\n" + ALL,
    "only-printed": NOT + "        print('odd')\n" + ALL,
    "redirect-that-is-dropped": NOT + "        redirect('/login')\n" + ALL,
    "told-and-not-asked": "    tell()\n" + ALL,
}
OWN = {
    "page": NOT + "        return render_template('login.html')\n" + ALL,
    "less": "    return store.all() if current_user.is_authenticated else store.public()\n",
    "less-afterwards": SIGNED + "        return store.all()\n    return store.public()\n",
}
SOMETIMES = {
    "and-a-word-of-others": "    if not current_user.is_authenticated and request.args:\n        abort(401)\n" + ALL,
    "below-a-word-of-the-caller": "    if request.args.get('x'):\n        demand()\n" + ALL,
    "answered-before": "    if store.cached(1):\n        return store.cached(1)\n" + NOT + "        abort(401)\n" + ALL,
    "swallowed": "    try:\n        demand()\n    except Exception:\n        pass\n" + ALL,
}  # fmt: skip
EACH = [
    *((name, text, "guard") for name, text in GUARDS.items()),
    *((name, text, "open") for name, text in OPEN.items()),
    *((name, text, "own answer") for name, text in OWN.items()),
    *((name, text, "sometimes") for name, text in SOMETIMES.items()),
]


@pytest.mark.req("W3S-007")
@pytest.mark.parametrize(("name", "text", "found"), EACH, ids=[name for name, _, _ in EACH])
def test_flask(name: str, text: str, found: str) -> None:
    assert told(one({"app.py": FLASK + text})) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (NO_USER + "        raise PermissionDenied\n" + JSON, "guard"),
        (NO_USER + "        return HttpResponseForbidden()\n" + JSON, "guard"),
        (NO_USER + "        return HttpResponse(status=401)\n" + JSON, "guard"),
        (NO_USER + "        return redirect('login')\n" + JSON, "guard"),
        (NO_USER + "        return redirect_to_login(request.path)\n" + JSON, "guard"),
        ("    if request.user.is_anonymous:\n        return HttpResponseRedirect('/login')\n" + JSON, "guard"),
        (USER + "        return redirect('home')\n" + JSON, "open"),
        ("    name = 'x' if request.user.is_authenticated else 'y'\n" + JSON, "open"),
        (NO_USER + "        return render(request, 'login.html')\n" + JSON, "own answer"),
    ],
)
def test_django(text: str, found: str) -> None:
    urls = "from django.urls import path\nimport views\nurlpatterns = [path('x', views.h)]\n"
    settings = "ROOT_URLCONF = 'urls'\n"
    assert told(one({"settings.py": settings, "urls.py": urls, "views.py": DJANGO + text})) == found


@pytest.mark.parametrize(
    ("lines", "found"),
    [
        ("    if await is_anonymous(request):\n        raise web.HTTPFound('/login')", "guard"),
        ("    if await is_anonymous(request):\n        raise web.HTTPUnauthorized()", "guard"),
        ("    if await is_anonymous(request):\n        print('odd')", "open"),
    ],
)
def test_aiohttp(lines: str, found: str) -> None:
    assert told(one({"app.py": AIOHTTP.format(lines)})) == found


@pytest.mark.parametrize("name", ["wide", "round"])
def test_calls_are_followed_once(name: str) -> None:
    wide = [f"def f{at}():\n" + f"    f{at + 1}()\n" * 200 for at in range(3)] + ["def f3():\n    pass\n"]
    turning = ["def f0():\n    f1()\n", "def f1():\n    f0()\n"]
    text = "".join(wide if name == "wide" else turning) + FLASK + "    f0()\n" * 200 + ALL
    modules = Modules(sources({"app.py": text}))
    scope = next(at for at, one in modules.statements() if isinstance(one, ast.Return) and at.qualname == "h")
    assert asked(modules, scope).guards == []
