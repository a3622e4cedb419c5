"""Decisions that look alike and rest on what the server knows."""

from __future__ import annotations

from tests.workflows.w3.leads.heads import AIOHTTP, DRF, FASTAPI, FLASK, aiohttp, django

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
