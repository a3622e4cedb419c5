"""Decisions on what the caller says: which the rule matches, and which look like it and are sound."""

from __future__ import annotations

from tests.security.leads.heads import AIOHTTP, DJANGO, DRF, FASTAPI, FLASK, aiohttp, django

POSITIVE = {
    "fastapi-header-annotated": FASTAPI + """
@app.get("/reports")
def report(x_user_role: Annotated[str, Header()] = ""):
    if x_user_role != "admin":
        raise HTTPException(status_code=403)
    return []
""",
    "fastapi-query-switch": FASTAPI + """
@app.get("/reports")
def report(admin: bool = False):
    if admin:
        return everything()
    return own()
""",
    "fastapi-cookie": FASTAPI + """
@app.get("/reports")
def report(role: str = Cookie("user")):
    if role not in ("admin", "staff"):
        raise HTTPException(403)
    return []
""",
    "fastapi-body-member": FASTAPI + """
class Ask(BaseModel):
    is_admin: bool = False

@app.post("/reports")
def report(ask: Ask):
    if not ask.is_admin:
        raise HTTPException(403)
    return []
""",
    "fastapi-request-headers": FASTAPI + """
@app.get("/reports")
async def report(request: Request):
    if request.headers.get("X-Internal") == "1":
        return everything()
    raise HTTPException(403)
""",
    "fastapi-dependency-function": FASTAPI + """
def require_admin(x_role: str = Header("")):
    if x_role != "admin":
        raise HTTPException(403)

@app.get("/reports", dependencies=[Depends(require_admin)])
def report():
    return []
""",
    "fastapi-dependency-returns-role": FASTAPI + """
def role(x_role: str = Header("")):
    return x_role

@app.get("/reports")
def report(current=Depends(role)):
    if current != "admin":
        raise HTTPException(403)
    return []
""",
    "fastapi-helper": FASTAPI + """
def is_admin(request):
    return request.headers.get("X-Role") == "admin"

@app.get("/reports")
def report(request: Request):
    if not is_admin(request):
        raise HTTPException(403)
    return []
""",
    "fastapi-middleware-notes-header": FASTAPI + """
@app.middleware("http")
async def roles(request: Request, call_next):
    request.state.role = request.headers.get("X-Role", "")
    return await call_next(request)

@app.get("/reports")
def report(request: Request):
    if request.state.role != "admin":
        raise HTTPException(403)
    return []
""",
    "fastapi-or-beside-principal": FASTAPI + """
from auth import current_user

@app.get("/reports")
def report(user=Depends(current_user), x_role: str = Header("")):
    if user.role == "admin" or x_role == "admin":
        return everything()
    raise HTTPException(403)
""",
    "fastapi-authenticated-but-role-of-header": FASTAPI + """
from auth import current_user

@app.get("/reports")
def report(user=Depends(current_user), x_role: str = Header("")):
    if user is None or x_role != "admin":
        raise HTTPException(403)
    return []
""",
    "fastapi-identity-header": FASTAPI + """
@app.get("/tickets/{ticket_id}")
def ticket(ticket_id: int, x_user_id: str = Header("")):
    found = load(ticket_id)
    if found.owner_id != x_user_id:
        raise HTTPException(403)
    return found
""",
    "fastapi-local-name": FASTAPI + """
@app.get("/reports")
def report(x_role: str = Header("")):
    allowed = x_role.lower() in {"admin", "operator"}
    if not allowed:
        raise HTTPException(403)
    return []
""",
    "fastapi-constant-list": FASTAPI + """
ADMINS = ("admin", "root")

@app.get("/reports")
def report(request: Request):
    role = request.query_params.get("role", "user")
    if role not in ADMINS:
        return JSONResponse({"detail": "no"}, status_code=403)
    return []
""",
    "fastapi-unverified-claims": FASTAPI + """
import jwt

@app.get("/reports")
def report(authorization: str = Header("")):
    claims = jwt.decode(authorization, options={"verify_signature": False})
    if claims["role"] != "admin":
        raise HTTPException(403)
    return []
""",
    "fastapi-rights-by-role": FASTAPI + """
RIGHTS = load_rights()

@app.delete("/reports/{name}")
def delete(name: str, x_role: str = Header("")):
    if "delete" not in RIGHTS[x_role]:
        raise HTTPException(403)
    return {}
""",
    "flask-query": FLASK + """
@app.get("/reports")
def report():
    if request.args.get("admin") != "true":
        abort(403)
    return []
""",
    "flask-json-member": FLASK + """
@app.post("/reports")
def report():
    body = request.get_json()
    if not body["is_admin"]:
        return jsonify(error="no"), 403
    return []
""",
    "flask-decorator": FLASK + """
from functools import wraps

def admin_only(view):
    @wraps(view)
    def wrapper(*args, **kwargs):
        if request.headers.get("X-Role") != "admin":
            abort(403)
        return view(*args, **kwargs)
    return wrapper

@app.get("/reports")
@admin_only
def report():
    return []
""",
    "flask-before-request": FLASK + """
@app.before_request
def check():
    if request.cookies.get("role") != "admin":
        abort(401)

@app.get("/reports")
def report():
    return []
""",
    "flask-g-from-header": FLASK + """
@app.before_request
def who():
    g.role = request.headers.get("X-Role")

@app.get("/reports")
def report():
    if g.role != "admin":
        abort(403)
    return []
""",
    "flask-form": FLASK + """
@app.post("/reports")
def report():
    if request.form["role"] == "admin":
        return everything()
    return own()
""",
    "django-meta": django("""
def report(request):
    if request.META.get("HTTP_X_ROLE") != "admin":
        return HttpResponseForbidden()
    return JsonResponse({})
"""),
    "django-get": django("""
def report(request):
    if request.GET.get("is_staff") == "1":
        return JsonResponse(everything())
    raise PermissionDenied
"""),
    "django-raise": django("""
def report(request):
    role = request.headers.get("X-Role", "")
    if role != "staff":
        raise PermissionDenied
    return JsonResponse({})
"""),
    "drf-permission": DRF + """
class IsAdmin(permissions.BasePermission):
    def has_permission(self, request, view):
        return request.headers.get("X-Role") == "admin"

class Report(APIView):
    permission_classes = [IsAdmin]

    def get(self, request):
        return Response({})

urlpatterns = [path("reports/", Report.as_view())]
""",
    "aiohttp-header": aiohttp("""
async def report(request):
    if request.headers.get("X-Role") != "admin":
        raise web.HTTPForbidden()
    return web.json_response([])
"""),
    "aiohttp-query": aiohttp("""
async def report(request):
    if request.query.get("admin") == "1":
        return web.json_response(everything())
    return web.json_response([])
"""),
    "aiohttp-json": aiohttp("""
async def report(request):
    body = await request.json()
    if body.get("role") != "admin":
        return web.json_response({}, status=403)
    return web.json_response([])
""", method="post"),
    "aiohttp-middleware": AIOHTTP + """
@web.middleware
async def roles(request, handler):
    if request.headers.get("X-Role") != "admin":
        raise web.HTTPForbidden()
    return await handler(request)

async def report(request):
    return web.json_response([])

app = web.Application(middlewares=[roles])
app.router.add_get("/reports", report)
""",
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

NEGATIVE = {
    "match-of-input": FASTAPI + """
@app.get("/orders")
def orders(kind: str = "all"):
    match kind:
        case "all":
            return everything()
        case "paid":
            return paid()
    raise HTTPException(422)
""",
    "match-of-principal": FASTAPI + """
from auth import current_user

@app.get("/orders")
def orders(user=Depends(current_user)):
    match user.role:
        case "admin":
            return everything()
        case _:
            raise HTTPException(403)
""",
    "assert-of-state": FASTAPI + """
@app.get("/orders")
def orders(limit: int = 10):
    assert limit > 0
    return []
""",
    "webhook-handshake": FLASK + """
@app.get("/webhook")
def webhook():
    if request.args.get("hub.mode") == "subscribe" and request.args.get("hub.verify_token") == VERIFY_TOKEN:
        return request.args["hub.challenge"]
    abort(403)
""",
    "language": FASTAPI + """
@app.get("/page")
def page(accept_language: str = Header("en")):
    if accept_language == "de":
        return german()
    return english()
""",
    "feature-of-settings-by-path": FASTAPI + """
from settings import ENABLED

@app.get("/plugins/{name}")
def plugin(name: str):
    if name not in ENABLED:
        raise HTTPException(404)
    return {}
""",
    "scopes-of-a-verified-token": FASTAPI + """
from fastapi.security import OAuth2PasswordBearer, SecurityScopes
from jose import jwt
scheme = OAuth2PasswordBearer(tokenUrl="token")

def current(security_scopes: SecurityScopes, token: str = Depends(scheme)):
    claims = jwt.decode(token, KEY, algorithms=["HS256"])
    for scope in security_scopes.scopes:
        if scope not in claims["scopes"]:
            raise HTTPException(403)
    return claims

@app.get("/me")
def me(user=Depends(current)):
    return user
""",
    "fastapi-verified-dependency": FASTAPI + """
import jwt

def current_user(authorization: str = Header("")):
    try:
        return jwt.decode(authorization, KEY, algorithms=["RS256"])
    except jwt.InvalidTokenError:
        raise HTTPException(401)

@app.get("/reports")
def report(user=Depends(current_user)):
    if user["role"] != "admin":
        raise HTTPException(403)
    return []
""",
    "fastapi-own-verification": FASTAPI + """
import hmac

def principal(authorization: str = Header("")):
    text, _, signature = authorization.rpartition(".")
    if not hmac.compare_digest(signature, sign(text)):
        raise HTTPException(401)
    return lookup(text)

@app.get("/reports")
def report(who=Depends(principal)):
    if who.role != "admin":
        raise HTTPException(403)
    return []
""",
    "fastapi-presence-of-credentials": FASTAPI + """
@app.get("/reports")
def report(authorization: str = Header("")):
    if not authorization:
        raise HTTPException(401)
    return check(authorization)
""",
    "fastapi-scheme-of-credentials": FASTAPI + """
@app.get("/reports")
def report(authorization: str = Header("")):
    kind, _, token = authorization.partition(" ")
    if kind.lower() != "bearer":
        raise HTTPException(401)
    return check(token)
""",
    "fastapi-key-of-settings": FASTAPI + """
from settings import settings

@app.get("/reports")
def report(x_api_key: str = Header("")):
    if x_api_key != settings.api_key:
        raise HTTPException(401)
    return []
""",
    "fastapi-path-against-principal": FASTAPI + """
from auth import current_user

@app.get("/users/{user_id}")
def user(user_id: int, current_user=Depends(current_user)):
    if user_id != current_user.id:
        raise HTTPException(403)
    return current_user
""",
    "fastapi-switch-with-right": FASTAPI + """
from auth import current_user

@app.get("/reports")
def report(admin: bool = False, user=Depends(current_user)):
    if admin and user.is_admin:
        return everything()
    return own(user)
""",
    "fastapi-switch-refused": FASTAPI + """
from auth import current_user

@app.get("/reports")
def report(admin: bool = False, user=Depends(current_user)):
    if admin and not user.is_admin:
        raise HTTPException(403)
    return own(user)
""",
    "fastapi-input-refused": FASTAPI + """
class NewUser(BaseModel):
    role: str

@app.post("/users")
def create(new: NewUser):
    if new.role == "admin":
        raise HTTPException(403)
    return store(new)
""",
    "fastapi-filter": FASTAPI + """
@app.get("/users")
def users(role: str = "", state: str = "open"):
    if role:
        return by_role(role)
    if state == "open":
        return open_ones()
    return []
""",
    "fastapi-validation": FASTAPI + """
@app.get("/orders")
def orders(limit: int = 10, kind: str = "all"):
    if limit > 100 or kind not in ("all", "paid"):
        raise HTTPException(422)
    return []
""",
    "fastapi-content-type": FASTAPI + """
@app.post("/upload")
async def upload(request: Request):
    if request.headers.get("Content-Type") != "text/csv":
        raise HTTPException(415)
    return {}
""",
    "fastapi-form-forgery-token": FASTAPI + """
@app.post("/pay")
async def pay(request: Request, x_csrf_token: str = Header("")):
    if x_csrf_token != request.cookies.get("csrf"):
        raise HTTPException(403)
    return {}
""",
    "fastapi-object-state": FASTAPI + """
@app.post("/tickets/{ticket_id}/close")
def close(ticket_id: int):
    found = load(ticket_id)
    if found.state != "open":
        raise HTTPException(403)
    return {}
""",
    "fastapi-owner-check": FASTAPI + """
from auth import principal

@app.get("/tickets/{ticket_id}")
def ticket(ticket_id: int, who=Depends(principal)):
    ticket = load(ticket_id)
    if ticket.owner_id != who.id and who.role != "staff":
        raise HTTPException(404)
    return ticket
""",
    "fastapi-session-of-lookup": FASTAPI + """
def session(request: Request):
    found = SESSIONS.find(request.cookies.get("session_id", ""))
    if found is None:
        raise HTTPException(401)
    return found

@app.get("/reports")
def report(current=Depends(session)):
    if current.role != "admin":
        raise HTTPException(403)
    return []
""",
    "fastapi-overwritten-name": FASTAPI + """
from auth import verified

@app.get("/reports")
def report(role: str = Header("")):
    role = verified().role
    if role != "admin":
        raise HTTPException(403)
    return []
""",
    "fastapi-settings-switch": FASTAPI + """
from settings import settings

@app.get("/debug")
def debug():
    if not settings.internal:
        raise HTTPException(403)
    return {}
""",
    "fastapi-webhook-signature": FASTAPI + """
import hmac

@app.post("/hooks/pay")
async def hook(request: Request):
    body = await request.body()
    if not hmac.compare_digest(sign(body), request.headers.get("X-Signature", "")):
        raise HTTPException(403)
    return {}
""",
    "fastapi-cached-answer": FASTAPI + """
@app.get("/pictures/{name}")
def picture(name: str, if_none_match: str = Header("")):
    if if_none_match == "abc":
        return JSONResponse({}, status_code=304)
    return {}
""",
    "flask-login": FLASK + """
from flask_login import current_user, login_required

@app.get("/reports")
@login_required
def report():
    if current_user.role != "admin":
        abort(403)
    return []
""",
    "flask-session": FLASK + """
@app.get("/reports")
def report():
    if session.get("role") != "admin":
        abort(403)
    return []
""",
    "flask-g-user": FLASK + """
@app.before_request
def who():
    g.user = verify(request.headers.get("Authorization", ""))
    if g.user is None:
        abort(401)

@app.get("/reports")
def report():
    if g.user.role != "admin":
        abort(403)
    return []
""",
    "flask-jwt": FLASK + """
from flask_jwt_extended import get_jwt, jwt_required

@app.get("/reports")
@jwt_required()
def report():
    if get_jwt()["role"] != "admin":
        abort(403)
    return []
""",
    "flask-login-form": FLASK + """
@app.post("/login")
def login():
    user = authenticate(request.form["username"], request.form["password"])
    if user is None:
        abort(401)
    return jsonify(token=issue(user))
""",
    "flask-not-found": FLASK + """
@app.get("/pages/<name>")
def page(name):
    if name not in ("about", "terms"):
        abort(404)
    return name
""",
    "django-user": django("""
def report(request):
    if not request.user.is_staff:
        raise PermissionDenied
    return JsonResponse({})
"""),
    "django-owner": django("""
def report(request):
    found = get_object_or_404(Report, pk=request.GET["id"])
    if found.owner_id != request.user.id:
        raise PermissionDenied
    return JsonResponse({})
"""),
    "django-method": django("""
def report(request):
    if request.method != "POST":
        return HttpResponseForbidden()
    return JsonResponse({})
"""),
    "django-session": django("""
def report(request):
    if request.session.get("role") != "admin":
        raise PermissionDenied
    return JsonResponse({})
"""),
    "drf-permission": DRF + """
class IsAdmin(permissions.BasePermission):
    def has_permission(self, request, view):
        return request.user.role == "admin"

class Report(APIView):
    permission_classes = [IsAdmin]

    def get(self, request):
        return Response({})

urlpatterns = [path("reports/", Report.as_view())]
""",
    "aiohttp-user": aiohttp("""
async def report(request):
    if request["user"].role != "admin":
        raise web.HTTPForbidden()
    return web.json_response([])
"""),
    "aiohttp-middleware": AIOHTTP + """
@web.middleware
async def who(request, handler):
    request["user"] = verify(request.headers.get("Authorization", ""))
    return await handler(request)

async def report(request):
    if request["user"].role != "admin":
        raise web.HTTPForbidden()
    return web.json_response([])

app = web.Application(middlewares=[who])
app.router.add_get("/reports", report)
""",
}  # fmt: skip

ADDRESS_POSITIVE = {
    "fastapi-peer": FASTAPI + """
@app.get("/internal")
def internal(request: Request):
    if request.client.host not in ("127.0.0.1", "10.0.0.5"):
        raise HTTPException(403)
    return {}
""",
    "fastapi-forwarded": FASTAPI + """
@app.get("/internal")
def internal(x_forwarded_for: str = Header("")):
    if not x_forwarded_for.startswith("10."):
        raise HTTPException(403)
    return {}
""",
    "fastapi-network": FASTAPI + """
import ipaddress
NET = ipaddress.ip_network("10.0.0.0/8")

@app.get("/internal")
def internal(request: Request):
    if ipaddress.ip_address(request.headers["X-Real-IP"]) not in NET:
        raise HTTPException(403)
    return {}
""",
    "flask-remote": FLASK + """
@app.get("/internal")
def internal():
    if request.remote_addr == "127.0.0.1":
        return everything()
    abort(403)
""",
    "django-remote": django("""
def report(request):
    if request.META["REMOTE_ADDR"] not in ALLOWED:
        raise PermissionDenied
    return JsonResponse({})
"""),
    "aiohttp-remote": aiohttp("""
async def report(request):
    if request.remote not in ALLOWED:
        raise web.HTTPForbidden()
    return web.json_response([])
"""),
}  # fmt: skip

ADDRESS_NEGATIVE = {
    "rate": FASTAPI + """
@app.get("/orders")
def orders(request: Request):
    if COUNTS[request.client.host] > 100:
        raise HTTPException(429)
    return []
""",
    "blocked": FLASK + """
@app.get("/orders")
def orders():
    if request.remote_addr in BLOCKED:
        abort(403)
    return []
""",
    "logged": FLASK + """
@app.get("/orders")
def orders():
    log.info("from %s", request.headers.get("X-Forwarded-For"))
    return []
""",
    "missing": FASTAPI + """
@app.get("/orders")
def orders(request: Request):
    if request.client is None:
        raise HTTPException(403)
    return []
""",
}  # fmt: skip

POSITIVE |= {
    "flask-hook-header-user": FLASK + """
@app.before_request
def load_user():
    g.user = store.user_by_name(request.headers.get("X-User"))
""",
    "flask-hook-over-a-variable": FLASK + """
@app.before_request
def load_user():
    name = request.headers.get("X-Remote-User", "")
    g.current_user = store.find(name)
""",
    "flask-hook-cookie-user": FLASK + """
@app.before_request
def load_user():
    g.user = store.find(request.cookies.get("user_id"))
""",
    "aiohttp-middleware-header-user": AIOHTTP + """
@web.middleware
async def auth(request, handler):
    user = await store.user(request.headers.get("X-User"))
    if user is None:
        raise web.HTTPUnauthorized()
    request["user"] = user
    return await handler(request)

app = web.Application(middlewares=[auth])
""",
    "fastapi-middleware-state": FASTAPI + """
@app.middleware("http")
async def principal(request: Request, call_next):
    request.state.user = await store.user(request.headers.get("X-Account"))
    return await call_next(request)
""",
    "fastapi-guard-header-user": FASTAPI + """
def current(x_user: str = Header()):
    return store.user(x_user)

@app.get("/reports")
def report(user=Depends(current)):
    return store.reports(user.id)
""",
    "fastapi-guard-role-of-header": FASTAPI + """
from jose import jwt

class User:
    def __init__(self, id, role):
        self.role = role

def current(request: Request):
    claims = jwt.decode(request.headers.get("Authorization", ""), KEY, algorithms=["HS256"])
    return User(claims["sub"], request.headers.get("X-Role", claims["role"]))

def require(role):
    def check(user: User = Depends(current)):
        if user.role != role:
            raise HTTPException(403)
        return user
    return check

@app.get("/reports")
def report(user=Depends(require("admin"))):
    return []
""",
    "django-middleware-header-user": django("""
class UserMiddleware:
    def __call__(self, request):
        request.user = User.objects.get(name=request.META.get("HTTP_X_USER"))
        return self.get_response(request)

def report(request):
    return JsonResponse({})
"""),
    "handler-own-variable": FLASK + """
@app.get("/reports")
def report():
    user = store.user(request.headers.get("X-User-Id"))
    return jsonify(store.reports(user))
""",
}  # fmt: skip
NEGATIVE |= {
    "hook-verifies-token": FLASK + """
@app.before_request
def load_user():
    g.user = tokens.verify(request.headers.get("Authorization", ""))
    g.user_agent = request.headers.get("User-Agent")
    g.request_id = request.headers.get("X-Request-Id")
""",
    "hook-user-and-password": FLASK + """
@app.before_request
def load_user():
    found = store.user(request.headers.get("X-User"))
    if not found.fits(request.headers.get("X-Password")):
        abort(401)
    g.user = found
""",
    "hook-session-cookie": FLASK + """
@app.before_request
def load_user():
    g.user = store.by_session(request.cookies.get("session_id"))
""",
    "hook-signed-header": FLASK + """
@app.before_request
def load_user():
    g.user = gateway.user(request.headers.get("X-User"), request.headers.get("X-Signature"))
""",
    "handler-looks-somebody-up": FLASK + """
@app.get("/people")
def people():
    user = store.user(request.args["user"])
    return jsonify(name=user.name)
""",
    "guard-of-claims": FASTAPI + """
from jose import jwt

def current(request: Request):
    claims = jwt.decode(request.headers.get("Authorization", ""), KEY, algorithms=["HS256"])
    return User(claims["sub"], claims["role"], request.headers.get("Accept-Language"))

@app.get("/reports")
def report(user=Depends(current)):
    return []
""",
}  # fmt: skip

NEGATIVE["guard-notes-a-right-that-nobody-asks"] = (
    FASTAPI
    + """
def current(request: Request):
    claims = verified(request.headers.get("Authorization", ""))
    return Caller(claims["sub"], request.headers.get("X-Role", "none"))

@app.get("/notes")
def notes(user=Depends(current)):
    return store.notes(user.id)
"""
)
