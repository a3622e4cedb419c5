"""Django REST framework: viewsets and routers, serializers, permissions, throttles and pages."""

from __future__ import annotations

import ast
from typing import Any

import pytest

from evreview.codefacts.django.bodies import serializer_at
from evreview.codefacts.django.read import read_django
from evreview.codefacts.model import CodeFacts, Route
from evreview.core.vocabulary import Concern
from tests.codefacts.routes import only, operations, parameters, read, responses
from tests.codefacts.snippets import modules

JSON = "application/json"
HEAD = """from rest_framework import serializers, viewsets, generics, views, permissions, authentication, throttling
from rest_framework.decorators import api_view, action, permission_classes
from rest_framework.response import Response
from rest_framework.exceptions import NotFound, ValidationError, APIException
class Order(serializers.Serializer):
  id = serializers.IntegerField(read_only=True)
  name = serializers.CharField(max_length=9)
"""
OPEN = "  authentication_classes = []\n  permission_classes = []\n"


def facts(code: str, urls: str, settings: str = "") -> CodeFacts:
    start = "from django.urls import path, include\nfrom . import views\n"
    start += "from rest_framework.routers import DefaultRouter, SimpleRouter\n"
    return read(
        read_django,
        {"s/settings.py": f'ROOT_URLCONF = "s.urls"\n{settings}', "s/urls.py": start + urls, "s/views.py": HEAD + code},
    )


def route(code: str, settings: str = "", urls: str = "urlpatterns = [path('a', views.V.as_view())]") -> Route:
    (found,) = facts(code, urls, settings).routes
    return found


ROUTER = "r = DefaultRouter()\nr.register('orders', views.V)\nurlpatterns = [path('v1/', include(r.urls))]"


@pytest.mark.parametrize(
    ("base", "urls", "found"),
    [
        ("ModelViewSet", ROUTER, ["GET /v1/orders/", "POST /v1/orders/", "GET /v1/orders/{pk}/", "PUT /v1/orders/{pk}/",
                                  "PATCH /v1/orders/{pk}/", "DELETE /v1/orders/{pk}/"]),
        ("ReadOnlyModelViewSet", ROUTER.replace("DefaultRouter()", "SimpleRouter(trailing_slash=False)"),
         ["GET /v1/orders", "GET /v1/orders/{pk}"]),
        ("ReadOnlyModelViewSet", "r = SimpleRouter()\nr.register('o', views.V)\nurlpatterns = r.urls",
         ["GET /o/", "GET /o/{pk}/"]),
        ("ModelViewSet", "urlpatterns = [path('o', views.V.as_view({'get': 'list'}))]", ["GET /o"]),
    ],
)  # fmt: skip
def test_viewsets(base: str, urls: str, found: list[str]) -> None:
    one = facts(f"class V(viewsets.{base}):\n  serializer_class = Order\n{OPEN}", urls)
    assert (operations(one), one.unread) == (found, ())
    assert {r.framework for r in one.routes} == {"drf"}


@pytest.mark.parametrize(
    ("base", "found"),
    [
        ("ListAPIView", ["GET /a"]),
        ("ListCreateAPIView", ["GET /a", "POST /a"]),
        ("RetrieveUpdateDestroyAPIView", ["GET /a", "PUT /a", "PATCH /a", "DELETE /a"]),
    ],
)
def test_generic_views(base: str, found: list[str]) -> None:
    one = facts(
        f"class V(generics.{base}):\n  serializer_class = Order\n{OPEN}", "urlpatterns = [path('a', views.V.as_view())]"
    )
    assert operations(one) == found


def test_actions_and_lookups() -> None:
    code = (
        "class V(viewsets.ViewSet):\n  lookup_field = 'key'\n"
        + OPEN
        + "  def list(self, request): return Response([])\n"
        "  @action(detail=True, methods=['post'], url_path='close-it')\n"
        "  def close(self, request, key): return Response({})\n"
    )
    assert operations(facts(code, ROUTER)) == ["GET /v1/orders/", "POST /v1/orders/{key}/close-it/"]


def test_what_the_frameworks_own_actions_read_and_send() -> None:
    code = f"class V(viewsets.ModelViewSet):\n  serializer_class = Order\n{OPEN}"
    by = {one.method + str("{" in one.path): one for one in facts(code, ROUTER).routes}
    made = by["POSTFalse"]
    assert responses(made) == {(201, "returned", JSON), (400, "framework", JSON)}
    assert made.body is not None and isinstance(made.body.schema, dict) and made.body.schema["required"] == ["name"]
    patched = by["PATCHTrue"].body
    assert patched is not None and isinstance(patched.schema, dict) and "required" not in patched.schema
    assert responses(by["DELETETrue"]) == {(204, "returned", ""), (404, "framework", JSON)}
    listed = next(one for one in by["GETFalse"].responses)
    assert isinstance(listed.schema, dict) and listed.schema["type"] == "array"


@pytest.mark.parametrize(
    ("field", "schema", "exact"),
    [
        ("CharField(max_length=9)", {"type": "string", "minLength": 1, "maxLength": 9}, False),
        ("CharField(allow_blank=True, trim_whitespace=False)", {"type": "string"}, True),
        ("IntegerField(min_value=1, max_value=5)", {"type": "integer", "minimum": 1, "maximum": 5}, True),
        ("BooleanField(default=False)", {"type": "boolean", "default": False}, True),
        ("ChoiceField(choices=[('a', 'A'), ('b', 'B')])", {"enum": ["a", "b"]}, True),
        ("ChoiceField(choices=make())", {}, False),
        ("IntegerField(allow_null=True)", {"anyOf": [{"type": "integer"}, {"type": "null"}]}, True),
        ("ListField(child=serializers.IntegerField(), max_length=3)",
         {"type": "array", "items": {"type": "integer"}, "maxItems": 3}, True),
        ("UUIDField()", {"type": "string", "format": "uuid"}, False),
        ("IntegerField(validators=[even])", {"type": "integer"}, False),
        ("PrimaryKeyRelatedField(queryset=x)", {}, False),
    ],
)  # fmt: skip
def test_serializer_fields(field: str, schema: Any, exact: bool) -> None:
    found = modules(f"{HEAD}class S(serializers.Serializer):\n  x = serializers.{field}\n")
    shape = serializer_at(found, found.scope(found.all[0]), ast.Name(id="S", ctx=ast.Load()), True)
    assert shape is not None
    assert (shape.schema["properties"], shape.exact) == ({"x": schema}, exact)


def test_what_is_taken_and_what_is_sent() -> None:
    text = HEAD + (
        "class S(serializers.Serializer):\n  a = serializers.CharField(write_only=True)\n"
        "  b = serializers.IntegerField(read_only=True)\n  c = Order(many=True, required=False)\n"
        "  d = serializers.SerializerMethodField()\n"
    )
    found = modules(text)
    scope, name = found.scope(found.all[0]), ast.Name(id="S", ctx=ast.Load())
    taken, sent = serializer_at(found, scope, name, True), serializer_at(found, scope, name, False)
    assert taken is not None and sent is not None
    assert (sorted(taken.schema["properties"]), taken.schema["required"]) == (["a", "c"], ["a"])  # type: ignore[arg-type]
    assert sorted(sent.schema["properties"]) == ["b", "c", "d"] and not sent.exact  # type: ignore[arg-type]
    assert sent.schema["additionalProperties"] is False and "additionalProperties" not in taken.schema


def test_members_of_a_model_are_named_but_not_told() -> None:
    text = HEAD + (
        "class S(serializers.ModelSerializer):\n  x = serializers.IntegerField()\n"
        "  class Meta:\n    model = M\n    fields = ('x', 'y')\n"
    )
    found = modules(text)
    shape = serializer_at(found, found.scope(found.all[0]), ast.Name(id="S", ctx=ast.Load()), True)
    assert shape is not None
    assert (shape.schema["properties"], shape.exact, len(shape.unread)) == (
        {"x": {"type": "integer"}, "y": {}},
        False,
        1,
    )


GET = "class V(views.APIView):\n%s  def get(self, request): return Response({})\n"
TOKEN = "  authentication_classes = [authentication.TokenAuthentication]\n"


@pytest.mark.parametrize(
    ("words", "settings", "guards", "statuses"),
    [
        (OPEN, "", [], set()),
        (TOKEN + "  permission_classes = [permissions.AllowAny]\n", "", [], set()),
        (TOKEN + "  permission_classes = [permissions.IsAuthenticated]\n", "",
         [("authentication", "http token"), ("authentication", "")], {401}),
        ("  authentication_classes = [authentication.SessionAuthentication]\n"
         "  permission_classes = [permissions.IsAdminUser]\n", "",
         [("authentication", "apiKey cookie sessionid"), ("authorization", "")], {403}),
        (TOKEN + "  permission_classes = [permissions.IsAuthenticatedOrReadOnly]\n", "", [], set()),
        ("", "REST_FRAMEWORK = {'DEFAULT_PERMISSION_CLASSES': ['rest_framework.permissions.IsAuthenticated'],"
             "'DEFAULT_AUTHENTICATION_CLASSES': ['rest_framework_simplejwt.authentication.JWTAuthentication']}",
         [("authentication", "http bearer"), ("authentication", "")], {401}),
        ("", "REST_FRAMEWORK = {}", [], set()),
    ],
)  # fmt: skip
def test_permissions(words: str, settings: str, guards: list[Any], statuses: set[int]) -> None:
    found = route(GET % words, settings)
    assert [(one.kind, one.scheme) for one in found.guards] == guards
    assert {status for status, how, _ in responses(found) if how == "framework"} == statuses
    assert found.unread == ()


@pytest.mark.parametrize(
    ("words", "before", "expected"),
    [
        (TOKEN + "  permission_classes = [permissions.AllowAny]\n", "", True),
        (TOKEN + "  permission_classes = [permissions.AllowAny]\n", "@elsewhere\n", False),
        (TOKEN + "  permission_classes = [permissions.IsAuthenticated]\n", "", False),
    ],
)
def test_what_lets_everyone_in_is_told_with_its_lines(words: str, before: str, expected: bool) -> None:
    assert (route(before + GET % words).public is not None) is expected


def test_defaults_without_settings_are_unread() -> None:
    assert len(route(GET % "").unread) == 2


def test_a_permission_of_its_own_is_no_authentication() -> None:
    code = "class Own(permissions.BasePermission): pass\n" + GET % (TOKEN + "  permission_classes = [Own]\n")
    found = route(code)
    assert [one.kind for one in found.guards] == ["authentication", "unknown"]


def test_throttles_and_pages() -> None:
    settings = (
        "REST_FRAMEWORK = {'DEFAULT_THROTTLE_RATES': {'user': '9/day'}, 'PAGE_SIZE': 50,"
        "'DEFAULT_PAGINATION_CLASS': 'rest_framework.pagination.LimitOffsetPagination'}"
    )
    throttled = "  throttle_classes = [throttling.UserRateThrottle]\n"
    code = f"class V(generics.ListAPIView):\n  serializer_class = Order\n{throttled}{OPEN}"
    found = route(code, settings)
    assert [(one.concern, one.name, one.value) for one in found.notes] == [
        (Concern.RATE_LIMITS, "throttling.UserRateThrottle", "9/day"),
        (Concern.PAGINATION, "LimitOffsetPagination", 50),
    ]
    assert parameters(found) == [("limit", "query", False), ("offset", "query", False)]
    assert (429, "framework", JSON) in responses(found)


def test_function_views_with_exceptions() -> None:
    code = (
        "class Gone(APIException):\n  status_code = 410\n"
        "@api_view(['GET'])\n@permission_classes([permissions.AllowAny])\n"
        "def v(request):\n  if request.query_params.get('x'):\n    raise NotFound('no order')\n  raise Gone()\n"
    )
    found = route(code, "REST_FRAMEWORK = {}", "urlpatterns = [path('a', views.v)]")
    assert responses(found) == {(404, "raised", JSON), (410, "raised", JSON)}
    assert found.responses[0].codes == () and parameters(found) == [("x", "query", None)]


def test_serializers_in_own_methods() -> None:
    code = (
        f"class V(views.APIView):\n{OPEN}  def post(self, request):\n    s = Order(data=request.data)\n"
        "    s.is_valid(raise_exception=True)\n    return Response(Order(s.save()).data, status=201)\n"
    )
    found = route(code)
    assert found.body is not None and isinstance(found.body.schema, dict) and found.body.schema["required"] == ["name"]
    assert responses(found) == {(400, "raised", JSON), (201, "returned", JSON)}
    sent = next(one for one in found.responses if one.status == 201)
    assert isinstance(sent.schema, dict) and sent.schema["required"] == ["id", "name"] and len(sent.models) == 1


def test_only_one_reader_sees_each_framework() -> None:
    assert only(read_django, {"s/settings.py": 'ROOT_URLCONF = "s.urls"', "s/urls.py": (
        "from django.urls import path\nfrom django.views.decorators.http import require_GET\n"
        "from django.http import JsonResponse\n@require_GET\ndef v(request): return JsonResponse({})\n"
        "urlpatterns = [path('a', v)]"
    )}).framework == "django"  # fmt: skip


GUARDED = "  authentication_classes = [authentication.TokenAuthentication]\n"
GUARDED += "  permission_classes = [permissions.IsAuthenticated]\n"


@pytest.mark.parametrize(
    ("words", "guards", "public"),
    [
        ("", ["TokenAuthentication", "IsAuthenticated"], False),
        ("permission_classes=[permissions.AllowAny], authentication_classes=[]", [], True),
        ("permission_classes=[permissions.AllowAny]", [], True),
        ("permission_classes=()", [], True),
        ("permission_classes=OPEN", [], True),
        ("permission_classes=[permissions.IsAdminUser]", ["TokenAuthentication", "IsAdminUser"], False),
        ("authentication_classes=[authentication.BasicAuthentication]", ["BasicAuthentication", "IsAuthenticated"],
         False),
    ],
)  # fmt: skip
def test_classes_of_an_action(words: str, guards: list[str], public: bool) -> None:
    code = f"OPEN = [permissions.AllowAny]\nclass V(viewsets.ViewSet):\n{GUARDED}"
    code += (
        f"  @action(detail=True, methods=['post'], {words})\n  def free(self, request, pk):\n    return Response()\n"
    )
    (found,) = facts(code, ROUTER).routes
    assert [each.name.rpartition(".")[2] for each in found.guards] == guards
    assert (found.public is not None) is public


def test_classes_of_an_action_that_cannot_be_told() -> None:
    code = f"class V(viewsets.ViewSet):\n{GUARDED}  @action(detail=True, permission_classes=made())\n"
    (found,) = facts(code + "  def free(self, request, pk):\n    return Response()\n", ROUTER).routes
    assert "the permission classes that hold by default" in [one.found for one in found.unread]
