"""Decisions on the caller's own word in every form that Python has for one: all have to be seen."""

from __future__ import annotations

from tests.workflows.w3.leads.heads import DJANGO, FASTAPI, FLASK

FORMS_POSITIVE = {
    "form-walrus": FASTAPI + """
@app.get("/r")
def r(request: Request):
    if (role := request.headers.get("x-role")) != "admin":
        raise HTTPException(403)
    return role
""",
    "form-match": FASTAPI + """
@app.get("/r")
def r(x_role: str = Header("")):
    match x_role:
        case "admin":
            return everything()
        case _:
            raise HTTPException(403)
""",
    "form-methodview": FLASK + """
from flask.views import MethodView
class R(MethodView):
    def get(self):
        if request.headers.get("X-Role") != "admin":
            abort(403)
        return []
app.add_url_rule("/r", view_func=R.as_view("r"))
""",
    "form-cbv-django": DJANGO + """
from django.views import View
class R(View):
    def get(self, request):
        if request.headers.get("X-Role") != "admin":
            raise PermissionDenied
        return JsonResponse({})
urlpatterns=[path("r/", R.as_view())]
""",
    "form-starlette": """
from starlette.applications import Starlette
from starlette.responses import JSONResponse
from starlette.routing import Route
async def r(request):
    if request.headers["x-role"] != "admin":
        return JSONResponse({}, status_code=403)
    return JSONResponse([])
app = Starlette(routes=[Route("/r", r)])
""",
    "form-enum": FASTAPI + """
from enum import Enum
class Role(str, Enum):
    ADMIN = "admin"
    USER = "user"
@app.get("/r")
def r(x_role: Role = Header(Role.USER)):
    if x_role != Role.ADMIN:
        raise HTTPException(403)
    return []
""",
    "form-class-dependency": FASTAPI + """
class RoleChecker:
    def __init__(self, allowed):
        self.allowed = allowed
    def __call__(self, x_role: str = Header("")):
        if x_role not in self.allowed:
            raise HTTPException(403)
@app.get("/r", dependencies=[Depends(RoleChecker(["admin"]))])
def r():
    return []
""",
    "form-middleware-class": FASTAPI + """
from starlette.middleware.base import BaseHTTPMiddleware
class AuthMiddleware(BaseHTTPMiddleware):
    async def dispatch(self, request, call_next):
        if request.headers.get("x-admin") != "1":
            return JSONResponse({}, status_code=403)
        return await call_next(request)
app.add_middleware(AuthMiddleware)
@app.get("/r")
def r(): return []
""",
    "form-try-except": FASTAPI + """
@app.get("/r")
def r(request: Request):
    try:
        role = request.headers["x-role"]
    except KeyError:
        role = "user"
    if role == "admin":
        return everything()
    return []
""",
    "form-ternary": FASTAPI + """
@app.get("/r")
def r(is_admin: bool = False):
    return everything() if is_admin else own()
""",
    "form-assert": FASTAPI + """
@app.get("/r")
def r(x_role: str = Header("")):
    assert x_role == "admin"
    return []
""",
    "form-any-role": FASTAPI + """
@app.get("/r")
def r(x_roles: str = Header("")):
    if "admin" not in x_roles.split(","):
        raise HTTPException(403)
    return []
""",
    "form-pydantic-role": FASTAPI + """
class Me(BaseModel):
    role: str
class Ask(BaseModel):
    me: Me
@app.post("/r")
def r(ask: Ask):
    if ask.me.role == "admin":
        return everything()
    raise HTTPException(403)
""",
    "form-tenant-header": FASTAPI + """
@app.get("/tickets/{ticket_id}")
def r(ticket_id: int, x_tenant_id: str = Header("")):
    found = load(ticket_id)
    if found.tenant_id != x_tenant_id:
        raise HTTPException(404)
    return found
""",
    "form-early-grant": FASTAPI + """
def allowed(request):
    if request.headers.get("X-Internal-Request") == "true":
        return True
    return check(request)
@app.get("/r")
def r(request: Request):
    if not allowed(request):
        raise HTTPException(401)
    return []
""",
    "form-unverified-base64": FASTAPI + """
import base64, json
@app.get("/r")
def r(authorization: str = Header("")):
    claims = json.loads(base64.b64decode(authorization.split(".")[1]))
    if claims["role"] != "admin":
        raise HTTPException(403)
    return []
""",
}  # fmt: skip
