# ruff: noqa: E501  (a row is one source on one line)
"""What stands around a Django view: in lists of URLs, by `method_decorator`, in `dispatch`, by mixins."""

from __future__ import annotations

import pytest

from evreview.codefacts.django.read import read_django
from tests.codefacts.routes import only

HEAD = """from django.contrib.auth.decorators import login_required, permission_required
from django.contrib.auth.mixins import LoginRequiredMixin, PermissionRequiredMixin
from django.http import HttpResponse, JsonResponse
from django.urls import path
from django.utils.decorators import method_decorator
from django.views import View
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET
"""
GET = "  def get(self, request): return JsonResponse({})\n"
FUNCTION = "@require_GET\ndef view(request): return JsonResponse({})\n"
SIGNED_IN, RIGHT = ["authentication"], ["authorization"]
VIEWS = {
    "plain": (f"class V(View):\n{GET}", "V.as_view()", []),
    "around a function": (FUNCTION, "login_required(view)", SIGNED_IN),
    "around a class": (f"class V(View):\n{GET}", "login_required(V.as_view())", SIGNED_IN),
    "two around a function": (FUNCTION, "never_cache(login_required(view))", SIGNED_IN),
    "a right around a function": (FUNCTION, "permission_required('a.b')(view)", RIGHT),
    "a neutral one": (FUNCTION, "never_cache(view)", []),
    "at the class": (f"@method_decorator(login_required, name='dispatch')\nclass V(View):\n{GET}", "V.as_view()", SIGNED_IN),
    "at the class for get": (f"@method_decorator(login_required, name='get')\nclass V(View):\n{GET}", "V.as_view()", SIGNED_IN),
    "at the class for post": (f"@method_decorator(login_required, name='post')\nclass V(View):\n{GET}", "V.as_view()", []),
    "several at the class": (
        f"@method_decorator([never_cache, login_required], name='dispatch')\nclass V(View):\n{GET}", "V.as_view()", SIGNED_IN,
    ),
    "at a base": (
        f"@method_decorator(login_required, name='dispatch')\nclass B(View): pass\nclass V(B):\n{GET}", "V.as_view()", SIGNED_IN,
    ),
    "at dispatch": (
        f"class V(View):\n  @method_decorator(login_required)\n  def dispatch(self, *a): return super().dispatch(*a)\n{GET}",
        "V.as_view()", SIGNED_IN,
    ),
    "at the method": (f"class V(View):\n  @method_decorator(login_required)\n{GET}", "V.as_view()", SIGNED_IN),
    "in dispatch": (
        "class V(View):\n  def dispatch(self, request):\n    if not request.user.is_authenticated:\n"
        f"      return HttpResponse(status=401)\n    return super().dispatch(request)\n{GET}", "V.as_view()", SIGNED_IN,
    ),
    "a mixin": (f"class V(LoginRequiredMixin, View):\n{GET}", "V.as_view()", SIGNED_IN),
    "a mixin behind the view": (f"class V(View, LoginRequiredMixin):\n{GET}", "V.as_view()", []),
    "a mixin for a right": (f"class V(PermissionRequiredMixin, View):\n{GET}", "V.as_view()", RIGHT),
}  # fmt: skip


OWN = "class V({bases}):\n{around}  def dispatch(self, request, *a, **k):\n{body}"
ASKS = "    if not request.user.is_authenticated:\n      return self.handle_no_permission()\n"
ON, PAST = "    return super().dispatch(request, *a, **k)\n", "    return View.dispatch(self, request, *a, **k)\n"
AROUND = "  @method_decorator(login_required)\n"
DISPATCHED = {
    "handed on": ("LoginRequiredMixin, View", "", ON, [False]),
    "handed on with a note": ("LoginRequiredMixin, View", "", "    'as it is'\n" + ON, [False]),
    "decorated and handed on": ("View", AROUND, ON, [False]),
    "decorated": ("View", AROUND, "    self.now = 1\n" + ON, [False]),
    "asked": ("View", "", ASKS + ON, [False]),
    "past the mixin": ("LoginRequiredMixin, View", "", PAST, [True]),
    "past the mixin by name": (
        "LoginRequiredMixin, View",
        "",
        ON.replace("super()", "super(LoginRequiredMixin, self)"),
        [True],
    ),
    "something before": ("LoginRequiredMixin, View", "", "    self.now = 1\n" + ON, [True]),
    "to another method": ("LoginRequiredMixin, View", "", "    return super().get(request)\n", [True]),
    "asked under a condition": ("View", "", "    if store.open():\n      return page()\n" + ASKS + ON, [True]),
}


@pytest.mark.parametrize("name", DISPATCHED)
@pytest.mark.req("W3S-007")
def test_a_dispatch_of_its_own_leaves_open_what_it_may_leave_out(name: str) -> None:
    bases, around, body, open_ = DISPATCHED[name]
    code = OWN.format(bases=bases, around=around, body=body) + GET
    route = only(read_django, f"{HEAD}{code}urlpatterns = [path('a/', V.as_view())]\n")
    assert [bool(guard.unless) for guard in route.guards] == open_


@pytest.mark.parametrize("name", VIEWS)
@pytest.mark.req("W3S-007")
def test_what_stands_around_a_view(name: str) -> None:
    code, view, kinds = VIEWS[name]
    route = only(read_django, f"{HEAD}{code}urlpatterns = [path('a/', {view})]\n")
    assert [guard.kind for guard in route.guards] == kinds
    assert not any("decorator" in one.found for one in route.unread)


def test_what_no_file_defines_is_unread_at_its_route() -> None:
    route = only(read_django, f"{HEAD}from ours import known\n{FUNCTION}urlpatterns = [path('a/', known(view))]\n")
    assert ["decorator" in one.found for one in route.unread] == [True]


@pytest.mark.parametrize(
    ("decorator", "holes"), [("login_required", 1), ("method_decorator(login_required, name='dispatch')", 0)]
)
def test_a_decorator_of_functions_at_a_class_shows_nothing(decorator: str, holes: int) -> None:
    route = only(read_django, f"{HEAD}@{decorator}\nclass V(View):\n{GET}urlpatterns = [path('a/', V.as_view())]\n")
    assert [len(one.unless) for one in route.guards] == [holes]
