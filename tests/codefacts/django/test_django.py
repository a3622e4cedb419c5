"""Django: URL lists, which methods a view answers, and what views read and answer."""

from __future__ import annotations

from typing import Any

import pytest

from evreview.codefacts.django.read import read_django
from evreview.codefacts.model import Route
from evreview.core.vocabulary import ABSENT
from tests.codefacts.routes import only, operations, parameters, read, responses

SETTINGS = 'ROOT_URLCONF = "shop.urls"\n'
VIEWS = """from django.views.decorators.http import require_GET, require_http_methods
from django.http import JsonResponse
from django.views import View
@require_GET
def one(request, **k): return JsonResponse({})
@require_http_methods(["POST", "PUT"])
def two(request): return JsonResponse({})
class Three(View):
  def get(self, request): return JsonResponse({})
  def delete(self, request): return JsonResponse({})
def four(request): return JsonResponse({})
def five(request):
  if request.method == "POST":
    return JsonResponse({}, status=201)
  return JsonResponse({})
"""
HEAD = "from django.urls import path, re_path, include\nfrom . import views\nfrom django.contrib import admin\n"


def files(urls: str, **more: str) -> dict[str, str]:
    plain = {"shop/settings.py": SETTINGS, "shop/urls.py": HEAD + urls, "shop/views.py": VIEWS}
    return plain | {f"shop/{name}.py": text for name, text in more.items()}


@pytest.mark.parametrize(
    ("urls", "found"),
    [
        ("urlpatterns = [path('a/', views.one)]", ["GET /a/"]),
        ("urlpatterns = [path('a/', views.one), path('admin/', admin.site.urls)]", ["GET /a/"]),
        (
            "urlpatterns = [path('a', views.one)]\nurlpatterns += [path('b', views.two)]",
            ["GET /a", "POST /b", "PUT /b"],
        ),
        ("urlpatterns = [path('a', views.Three.as_view())]", ["GET /a", "DELETE /a"]),
        ("rest = [path('b', views.one)]\nurlpatterns = [path('a/', include(rest))]", ["GET /a/b"]),
        ("urlpatterns = [path('a/', include(([path('b', views.one)], 'x')))]", ["GET /a/b"]),
        ("urlpatterns = [path('a/', include('shop.more'))]", ["GET /a/c"]),
        (r"urlpatterns = [re_path(r'^a/(?P<id>\d+)/$', views.one)]", ["GET /a/{id}/"]),
    ],
)
def test_urls(urls: str, found: list[str]) -> None:
    more = "from django.urls import path\nfrom . import views\nurlpatterns = [path('c', views.one)]"
    extra = {"more": more} if "shop.more" in urls else {}
    facts = read(read_django, files(urls, **extra))
    assert (operations(facts), facts.unread) == (found, ())


@pytest.mark.parametrize(
    ("route", "schema", "exact"),
    [
        ("<x>", {"type": "string"}, True),
        ("<int:x>", {"type": "integer", "minimum": 0}, True),
        ("<slug:x>", {"type": "string", "pattern": "^[-a-zA-Z0-9_]+$"}, True),
        ("<uuid:x>", {"type": "string", "format": "uuid"}, True),
        ("<own:x>", {}, False),
    ],
)
def test_converters(route: str, schema: Any, exact: bool) -> None:
    found = only(read_django, files(f"urlpatterns = [path('a/{route}', views.one)]"))
    assert (found.path, found.parameters[0].schema, found.parameters[0].exact) == ("/a/{x}", schema, exact)


@pytest.mark.parametrize(
    ("urls", "routes"),
    [
        ("urlpatterns = [path(make(), views.one)]", 0),
        ("urlpatterns = [path('a', other.view)]", 0),
        ("urlpatterns = [path('a/', include('elsewhere.urls'))]", 0),
        ("urlpatterns = make()", 0),
        (r"urlpatterns = [re_path(r'a|b', views.one)]", 0),
        ("urlpatterns = [path('a', views.four)]", 1),
        ("urlpatterns = [path('a', wrapped(views.one))]", 1),
    ],
)
def test_what_is_named_as_unread(urls: str, routes: int) -> None:
    facts = read(read_django, files(urls))
    assert (len(facts.routes), len(facts.unread) + sum(len(one.unread) for one in facts.routes)) == (routes, 1)


def test_a_list_that_nothing_includes_is_taken_for_the_root_and_says_so() -> None:
    given = files("urlpatterns = [path('a', views.one)]")
    del given["shop/settings.py"]
    facts = read(read_django, given)
    assert (operations(facts), len(facts.unread)) == (["GET /a"], 1)


def test_methods_that_a_view_compares() -> None:
    facts = read(read_django, files("urlpatterns = [path('a', views.five)]"))
    assert operations(facts) == ["POST /a"]
    assert all(route.unread for route in facts.routes)


def view(body: str, before: str = "", decorators: str = "") -> Route:
    inner = "\n".join(f"  {line}" for line in body.splitlines())
    text = (
        "from django.http import *\nfrom django.http import JsonResponse, HttpResponse, HttpResponseNotFound, Http404\n"
        "from django.shortcuts import get_object_or_404, redirect, render\n"
        "from django.core.exceptions import PermissionDenied\nfrom django.views.decorators.http import require_GET\n"
        f"{before}\n@require_GET\n{decorators}\ndef v(request):\n{inner}\n"
    )
    urls = "from django.urls import path\nfrom .views import v\nurlpatterns = [path('a', v)]"
    return only(read_django, {"shop/settings.py": SETTINGS, "shop/urls.py": urls, "shop/views.py": text})


JSON, HTML = "application/json", "text/html"


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("return JsonResponse({'a': 1})", {(200, "returned", JSON)}),
        ("return JsonResponse({'code': 'x'}, status=409)", {(409, "returned", JSON)}),
        ("return HttpResponse('x', status=202, content_type='text/csv')", {(202, "returned", "text/csv")}),
        ("return HttpResponse('x', 'text/csv', 203)", {(203, "returned", HTML)}),
        ("return HttpResponse(status=204)", {(204, "returned", "")}),
        ("return HttpResponseNotFound('x')", {(404, "returned", HTML)}),
        ("return redirect('/b')", {(302, "returned", "")}),
        ("return render(request, 'x.html', status=410)", {(410, "returned", HTML)}),
        ("raise Http404('x')", {(404, "raised", HTML)}),
        ("raise PermissionDenied()", {(403, "raised", HTML)}),
        (
            "o = get_object_or_404(Order, pk=1)\nreturn JsonResponse({})",
            {(404, "raised", HTML), (200, "returned", JSON)},
        ),
        ("return other(request)", {(None, "returned", "")}),
    ],
)
def test_answers(body: str, found: set[Any]) -> None:
    assert responses(view(body)) == found


@pytest.mark.parametrize(
    ("body", "found", "default"),
    [
        ("request.GET.get('x', '5')", ("x", "query", False), "5"),
        ("x = request.GET['x']", ("x", "query", None), ABSENT),
        ("request.headers.get('X-A')", ("X-A", "header", None), ABSENT),
        ("request.META.get('HTTP_X_REQUEST_ID')", ("X-Request-Id", "header", None), ABSENT),
        ("request.COOKIES['x']", ("x", "cookie", None), ABSENT),
        ("below(request)", ("x", "query", None), ABSENT),
    ],
)
def test_parameters(body: str, found: tuple[Any, ...], default: Any) -> None:
    route = view(f"{body}\nreturn JsonResponse({{}})", "def below(r):\n  return r.GET['x']")
    assert parameters(route) == [found] and route.parameters[0].default == default


def test_a_body_and_guards() -> None:
    before = "from django.contrib.auth.decorators import login_required"
    route = view("data = json.loads(request.body)\nreturn JsonResponse({})", before, "@login_required")
    assert route.body is not None and not route.body.exact
    assert [(one.name, one.kind) for one in route.guards] == [("login_required", "authentication")]
    assert (302, "framework", "") in responses(route)


@pytest.mark.parametrize(
    "urls",
    [
        "urlpatterns = urlpatterns",
        "urlpatterns = [path('a/', include('shop.urls'))]",
        "a = [path('x', include(a))]\nurlpatterns = a",
        "urlpatterns = [path(), re_path('(?P<x>((('), path('a', views.one.as_view())]",
        "urlpatterns = [re_path(r'(?P<x>\\\\', views.one)]",
    ],
)
def test_odd_code_ends(urls: str) -> None:
    read(read_django, files(urls))
