# ruff: noqa: E501  (a row is one source on one line)
"""Django REST framework: permissions that ask nothing, owners that the caller names, queries by string; and twins."""

from __future__ import annotations

from tests.workflows.w3.leads.heads import DRF, FASTAPI, FLASK

_HEAD = DRF + (
    "from django.db import connection\nfrom django.db.models.expressions import RawSQL\n"
    "from rest_framework import generics, viewsets\nfrom rest_framework.permissions import AllowAny, BasePermission, IsAuthenticated\n"
    "from rest_framework.routers import DefaultRouter\nfrom app.models import Gadget, Invoice, Widget\n"
)
_GUARDED = "class Guarded(APIView):\n    permission_classes = [IsAuthenticated]\n    def get(self, request): return Response({})\n    def post(self, request): return Response({})\n"
_OPEN = "class Open(APIView):\n{}    def get(self, request): return Response({{}})\n"
_URLS = "urlpatterns = [path('bills/a/', Guarded.as_view()), path('bills/b/', Open.as_view())]\n"


def beside(words: str, classes: str = "") -> str:
    """A view that says these words beside a guarded one."""
    return _HEAD + classes + _GUARDED + _OPEN.format(f"    {words}\n" if words else "") + _URLS


def settled(default: str, words: str = "") -> dict[str, str]:
    """The same with settings."""
    return {"settings.py": f"REST_FRAMEWORK = {{{default}}}\n", "app/views.py": beside(words)}


def viewset(body: str, classes: str = "", base: str = "ModelViewSet") -> str:
    """A viewset with its router."""
    return f"{_HEAD}{classes}class View(viewsets.{base}):\n{body}router = DefaultRouter()\nrouter.register('gadgets', View, basename='g')\nurlpatterns = router.urls\n"


_PERMISSION = "class {}(BasePermission):\n    def {}(self, request, view{}):\n{}"
_OWNER = _PERMISSION.format("IsOwner", "has_object_permission", ", obj", "        return obj.owner == request.user\n")
_NOBODY = _PERMISSION.format("IsOwner", "has_object_permission", ", obj", "        return True\n")
_STEPS = _PERMISSION.format(
    "IsOwner",
    "has_object_permission",
    ", obj",
    "        if obj.public:\n            return True\n        return True\n",
)
_STAFF = "class IsStaff(BasePermission):\n    def has_permission(self, request, view):\n        return request.user.is_staff\n    def has_object_permission(self, request, view, obj):\n        return True\n"
_OWN = "    permission_classes = [IsAuthenticated]\n    def get_queryset(self):\n        return Gadget.objects.filter(owner=self.request.user)\n"
_SIBLING = f"class Own(viewsets.ModelViewSet):\n{_OWN}"
_ALL = "    permission_classes = [IsAuthenticated]\n    def get_queryset(self):\n        return Gadget.objects.filter(done=False)\n"
_SIGNED = "    permission_classes = [IsAuthenticated]\n"


def view(body: str, classes: str = "", verb: str = "get", where: str = "bills/") -> str:
    """An API view for whoever is signed in."""
    return f"{_HEAD}{classes}class View(APIView):\n{_SIGNED}    def {verb}(self, request):\n{body}urlpatterns = [path('{where}', View.as_view())]\n"


SIBLING_POSITIVE = {
    "drf-empty-list": beside("permission_classes = []"),
    "drf-empty-tuple": beside("permission_classes = ()"),
    "drf-both-empty": beside("authentication_classes = []\n    permission_classes = []"),
    "drf-default-allows": settled("'DEFAULT_PERMISSION_CLASSES': ['rest_framework.permissions.AllowAny']"),
    "drf-no-default": settled("'PAGE_SIZE': 10"),
    "drf-empty-default": settled("'DEFAULT_PERMISSION_CLASSES': []"),
    "drf-class-that-asks-nothing": beside("permission_classes = [Checked]", _PERMISSION.format("Checked", "has_permission", "", "        return True\n")),
    "drf-class-that-asks-nothing-twice": beside("permission_classes = [Checked]", _PERMISSION.format("Checked", "has_permission", "", "        if request.user:\n            return True\n        return True\n")),
    "drf-either-asks-nothing": beside("permission_classes = [IsAuthenticated | Checked]", _PERMISSION.format("Checked", "has_permission", "", "        return True\n")),
}  # fmt: skip
SIBLING_NEGATIVE = {
    "drf-on-purpose": beside("permission_classes = [AllowAny]"),
    "drf-reading-on-purpose": beside("permission_classes = [permissions.IsAuthenticatedOrReadOnly]"),
    "drf-default-asks": settled("'DEFAULT_PERMISSION_CLASSES': ['rest_framework.permissions.IsAuthenticated']"),
    "drf-default-not-supplied": beside(""),
    "drf-own-class": beside("permission_classes = [Checked]", _PERMISSION.format("Checked", "has_permission", "", "        return bool(request.user and request.user.is_active)\n")),
    "drf-subclass": beside("permission_classes = [Checked]", "class Checked(IsAuthenticated):\n    message = 'sign in'\n"),
    "drf-both-ask": beside("permission_classes = [IsAuthenticated & Checked]", _PERMISSION.format("Checked", "has_permission", "", "        return True\n")),
}  # fmt: skip

OBJECT_POSITIVE = {
    "drf-owner-check-says-yes": viewset("    queryset = Gadget.objects.all()\n    permission_classes = [IsAuthenticated, IsOwner]\n", _NOBODY),
    "drf-owner-check-says-yes-by-steps": viewset("    queryset = Gadget.objects.all()\n    permission_classes = [IsAuthenticated, IsOwner]\n", _STEPS),
    "drf-inherited-permissions": viewset("    pass\n", f"{_NOBODY}class Base(viewsets.ModelViewSet):\n    queryset = Gadget.objects.all()\n    permission_classes = [IsOwner]\n").replace("class View(viewsets.ModelViewSet)", "class View(Base)"),
    "drf-queryset-of-everybody": viewset(_ALL, _SIBLING).replace("urlpatterns", "router.register('own', Own, basename='o')\nurlpatterns"),
    "drf-personal-queryset": viewset("    permission_classes = [IsAuthenticated]\n    def get_queryset(self):\n        return Invoice.objects.filter(done=False)\n"),
    "drf-list-of-everybody": f"{_HEAD}{_SIBLING}class Every(generics.ListAPIView):\n{_SIGNED}    queryset = Gadget.objects.all()\nurlpatterns = [path('own/', Own.as_view({{'get': 'list'}})), path('every/', Every.as_view())]\n",
    "drf-values-of-everybody": view("        return Response(list(Gadget.objects.values()))\n", _SIBLING),
    "drf-values-for-anybody": view("        return Response(list(Gadget.objects.order_by('name').values()))\n", _SIBLING).replace(f"View(APIView):\n{_SIGNED}", "View(APIView):\n    permission_classes = [AllowAny]\n"),
    "drf-owner-of-the-query": viewset("    permission_classes = [IsAuthenticated]\n    def get_queryset(self):\n        return Invoice.objects.filter(owner=self.request.query_params['owner'])\n"),
    "drf-owner-of-the-query-in-a-view": view("        return Response(Invoice.objects.filter(owner_id=request.query_params.get('who')).values())\n"),
    "drf-owner-of-the-body": view("        return Response(Invoice.objects.filter(customer=request.data['customer']).values())\n", verb="post"),
    "flask-owner-of-the-query": FLASK + "from models import Invoice\n@app.get('/invoices')\ndef invoices():\n    return Invoice.query.filter_by(user_id=request.args['user']).all()\n",
}  # fmt: skip
OBJECT_NEGATIVE = {
    "drf-owner-check": viewset("    queryset = Gadget.objects.all()\n    permission_classes = [IsAuthenticated, IsOwner]\n", _OWNER),
    "drf-role-check": viewset("    queryset = Gadget.objects.all()\n    permission_classes = [IsStaff]\n", _STAFF),
    "drf-both-checks": viewset("    queryset = Gadget.objects.all()\n    permission_classes = [IsOwner, IsMember]\n", _NOBODY + _OWNER.replace("IsOwner", "IsMember")),
    "drf-own-queryset": viewset(_OWN, _SIBLING),
    "drf-own-queryset-by-helper": viewset("    permission_classes = [IsAuthenticated]\n    def get_queryset(self):\n        return own(self.request.user)\n", f"{_SIBLING}def own(user):\n    return Gadget.objects.filter(owner=user)\n"),
    "drf-super-queryset": viewset("    permission_classes = [IsAuthenticated]\n    def get_queryset(self):\n        return super().get_queryset().filter(done=False)\n", _SIBLING),
    "drf-nobodys-queryset": viewset("    permission_classes = [IsAuthenticated]\n    def get_queryset(self):\n        return Widget.objects.all()\n", _SIBLING),
    "drf-staff-queryset": viewset("    permission_classes = [permissions.IsAdminUser]\n    def get_queryset(self):\n        return Gadget.objects.all()\n", _SIBLING),
    "drf-count-of-everybody": view("        return Response({'n': Gadget.objects.count()})\n", _SIBLING),
    "drf-own-values": view("        return Response(list(Gadget.objects.filter(owner=request.user).values()))\n", _SIBLING),
    "drf-owner-asked": view("        if request.query_params['owner'] != str(request.user.pk):\n            return Response(status=403)\n        return Response(Invoice.objects.filter(owner=request.query_params['owner']).values())\n"),
    "drf-author-of-articles": view("        return Response(Article.objects.filter(author=request.query_params['author']).values())\n"),
    "drf-token-of-the-body": view("        return Response(Invoice.objects.get(user__token=request.data['token']).pk)\n", verb="post"),
}  # fmt: skip

WORD_POSITIVE = {
    "drf-header-in-a-permission": viewset("    queryset = Gadget.objects.all()\n    permission_classes = [IsAuthenticated, IsOwner]\n", _PERMISSION.format("IsOwner", "has_object_permission", ", obj", "        return obj.owner_id == request.headers.get('X-User')\n")),
    "drf-query-in-a-permission": viewset("    queryset = Gadget.objects.all()\n    permission_classes = [IsAuthenticated, IsOwner]\n", _PERMISSION.format("IsOwner", "has_object_permission", ", obj", "        return str(obj.owner_id) == request.query_params['owner']\n")),
    "drf-role-in-a-permission": viewset("    queryset = Gadget.objects.all()\n    permission_classes = [IsStaff]\n", _PERMISSION.format("IsStaff", "has_permission", "", "        return request.headers.get('X-Role') == 'staff'\n")),
    "drf-owner-of-a-header": view("        return Response(Invoice.objects.filter(owner_id=request.headers['X-User']).values())\n"),
    "fastapi-header": FASTAPI + "import store\n@app.get('/x')\ndef x(x_user_id: str = Header()):\n    return store.of(x_user_id)\n",
    "fastapi-header-behind-a-guard": FASTAPI + "import store\nfrom tokens import verify\ndef user(authorization: str = Header('')):\n    if not verify(authorization):\n        raise HTTPException(401)\n@app.get('/x')\ndef x(x_user_id: str = Header(), who=Depends(user)):\n    return store.of(x_user_id)\n",
}  # fmt: skip
WORD_NEGATIVE = {
    "drf-user-in-a-permission": viewset("    queryset = Gadget.objects.all()\n    permission_classes = [IsAuthenticated, IsOwner]\n", _OWNER),
    "drf-method-in-a-permission": viewset("    queryset = Gadget.objects.all()\n    permission_classes = [IsAuthenticated, ReadOnly]\n", _PERMISSION.format("ReadOnly", "has_permission", "", "        return request.method in permissions.SAFE_METHODS\n")),
    "drf-owner-of-the-user": view("        return Response(Invoice.objects.filter(owner=request.user).values())\n"),
    "fastapi-header-logged": FASTAPI + "import store\n@app.get('/x')\ndef x(x_user_id: str = Header()):\n    log.info('%s', x_user_id)\n    return store.all()\n",
    "fastapi-header-compared": FASTAPI + "import store\nfrom auth import current_user\n@app.get('/x')\ndef x(x_user_id: str = Header(), user=Depends(current_user)):\n    if x_user_id != user.id:\n        raise HTTPException(403)\n    return store.of(x_user_id)\n",
    "fastapi-agent": FASTAPI + "import store\n@app.get('/x')\ndef x(user_agent: str = Header()):\n    return store.of(user_agent)\n",
}  # fmt: skip

SQL_POSITIVE = {
    "drf-extra-where": view("        return Response(Invoice.objects.extra(where=[\"name = '%s'\" % request.query_params['n']]))\n"),
    "drf-extra-named": view("        where = f\"name = '{request.query_params['n']}'\"\n        return Response(Invoice.objects.filter(a=1).extra(where=[where]))\n"),
    "drf-extra-select": view("        return Response(Invoice.objects.extra(select={'n': 'select count(*) from t where n = ' + request.GET['n']}))\n"),
    "drf-extra-order": view("        return Response(Invoice.objects.extra(order_by=[request.query_params['by']]))\n"),
    "drf-raw": view("        return Response(Invoice.objects.raw(\"SELECT * FROM i WHERE n = '%s'\" % request.data['n']))\n", verb="post"),
    "drf-raw-sql": view("        return Response(Invoice.objects.annotate(v=RawSQL(f\"select x from y where n = {request.query_params['n']}\", [])))\n"),
    "drf-cursor": view("        with connection.cursor() as c:\n            c.execute('DELETE FROM i WHERE n = %s' % request.data['n'])\n        return Response({})\n", verb="delete"),
}  # fmt: skip
SQL_NEGATIVE = {
    "drf-extra-bound": view("        return Response(Invoice.objects.extra(where=['name = %s'], params=[request.query_params['n']]))\n"),
    "drf-extra-number": view("        return Response(Invoice.objects.extra(where=['n = %d' % int(request.query_params['n'])]))\n"),
    "drf-extra-constant": view("        return Response(Invoice.objects.extra(select={'n': 'select count(*) from t'}))\n"),
    "drf-raw-bound": view("        return Response(Invoice.objects.raw('SELECT * FROM i WHERE n = %s', [request.query_params['n']]))\n"),
    "drf-raw-sql-bound": view("        return Response(Invoice.objects.annotate(v=RawSQL('select x from y where n = %s', [request.query_params['n']])))\n"),
    "other-extra": FLASK + "@app.get('/x')\ndef x():\n    return log.extra(request.args['where'])\n",
}  # fmt: skip

_MODEL = "from django.db import models\nfrom django.contrib.auth.models import User\nfrom rest_framework import serializers\nclass Paper(models.Model):\n    owner = models.ForeignKey({}, on_delete=models.CASCADE)\n    body = models.TextField()\n"
_SERIALIZER = "class PaperSerializer(serializers.ModelSerializer):\n    class Meta:\n        model = Paper\n        fields = {}\n{}"
_PAPERS = "    permission_classes = [IsAuthenticated]\n    queryset = Paper.objects.all()\n    serializer_class = PaperSerializer\n{}"


def papers(to: str = "User", fields: str = "'__all__'", more: str = "", methods: str = "") -> str:
    """A viewset whose serializer may take the owner from the request."""
    return viewset(_PAPERS.format(methods), _MODEL.format(to) + _SERIALIZER.format(fields, more))


FIELD_POSITIVE = {
    "drf-owner": papers(),
    "drf-owner-by-name": papers("'auth.User'"),
    "drf-owner-by-setting": papers("settings.AUTH_USER_MODEL"),
    "drf-owner-listed": papers(fields="['owner', 'body']"),
}  # fmt: skip
FIELD_NEGATIVE = {
    "drf-owner-read-only": papers(more="        read_only_fields = ['owner']\n"),
    "drf-owner-not-listed": papers(fields="['body']"),
    "drf-owner-set": papers(methods="    def perform_create(self, serializer):\n        serializer.save(owner=self.request.user)\n"),
    "drf-owner-of-another-kind": papers("'garden.Bed'"),
}  # fmt: skip
