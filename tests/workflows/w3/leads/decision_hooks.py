"""Decisions in and behind hooks and guards: those to be seen, and those that look alike."""

from __future__ import annotations

from tests.workflows.w3.leads.heads import AIOHTTP, FASTAPI, FLASK, django

HOOKS_POSITIVE = {
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
HOOKS_NEGATIVE = {
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

HOOKS_NEGATIVE["guard-notes-a-right-that-nobody-asks"] = (
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
