"""Decisions on the caller's own word that have to be seen."""

from __future__ import annotations

from tests.workflows.w3.leads.heads import AIOHTTP, DRF, FASTAPI, FLASK, aiohttp, django

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
}  # fmt: skip
