"""Checks that nobody unknown gets past, in ordinary forms."""

from __future__ import annotations

from typing import Final

from tests.codefacts.check_heads import AIOHTTP, DJANGO, FAST_ROUTE, FASTAPI, FLASK, FLASK_ROUTE

CERTAIN: Final = {
    "fa-jwt": FASTAPI + """
def dep(token: str = Depends(oauth2)):
    credentials_exception = HTTPException(status_code=status.HTTP_401_UNAUTHORIZED, detail="no")
    try:
        payload = jwt.decode(token, settings.KEY, algorithms=["HS256"])
        username = payload.get("sub")
        if username is None:
            raise credentials_exception
    except jwt.InvalidTokenError:
        raise credentials_exception
    user = store.get_user(username)
    if user is None:
        raise credentials_exception
    return user
""" + FAST_ROUTE,
    "fa-db": FASTAPI + """
def dep(authorization: Annotated[str | None, Header()] = None, db: Session = Depends(get_db)):
    if not authorization or not authorization.startswith("Bearer "):
        raise HTTPException(401)
    token = authorization.removeprefix("Bearer ")
    row = db.query(User).filter(User.token == token).first()
    if row is None:
        raise HTTPException(status_code=401, detail="no")
    return row
""" + FAST_ROUTE,
    "fa-apikey": FASTAPI + """
def dep(key: str = Security(api_key)):
    if not secrets.compare_digest(key, settings.API_KEY):
        raise HTTPException(401)
""" + FAST_ROUTE,
    "fa-apikey403": FASTAPI + """
async def dep(x_api_key: str = Header()):
    if x_api_key != os.environ["API_KEY"]:
        raise HTTPException(status_code=403)
""" + FAST_ROUTE,
    "fa-keyset": FASTAPI + """
KEYS = set(os.environ["KEYS"].split(","))
async def dep(key: str = Depends(api_key)):
    if key not in KEYS:
        raise HTTPException(401)
    return key
""" + FAST_ROUTE,
    "fa-basic": FASTAPI + """
def dep(c: HTTPBasicCredentials = Depends(basic)):
    ok_user = secrets.compare_digest(c.username.encode(), settings.USER)
    ok_password = secrets.compare_digest(c.password.encode(), settings.PASSWORD)
    if not (ok_user and ok_password):
        raise HTTPException(401, headers={"WWW-Authenticate": "Basic"})
    return c.username
""" + FAST_ROUTE,
    "fa-session": FASTAPI + """
def dep(request: Request):
    user_id = request.session.get("user_id")
    if user_id is None:
        raise HTTPException(401)
    return store.user(user_id)
""" + FAST_ROUTE,
    "fa-cookie": FASTAPI + """
def dep(session_id: str | None = Cookie(None)):
    if session_id is None or session_id not in store.SESSIONS:
        raise HTTPException(401)
    return store.SESSIONS[session_id]
""" + FAST_ROUTE,
    "fa-lookup": FASTAPI + """
TOKENS = {}
def dep(token: str = Depends(oauth2)):
    try:
        return TOKENS[token]
    except KeyError:
        raise HTTPException(401) from None
""" + FAST_ROUTE,
    "fa-loop": FASTAPI + """
def dep(token: str = Depends(oauth2)):
    for user in store.users():
        if hmac.compare_digest(user.token, token):
            return user
    raise HTTPException(401)
""" + FAST_ROUTE,
    "fa-chain": FASTAPI + """
def current(token: str = Depends(oauth2)):
    user = store.by_token(token)
    if not user:
        raise HTTPException(401)
    return user
def dep(user=Depends(current)):
    if user.disabled:
        raise HTTPException(400)
    return user
""" + FAST_ROUTE,
    "fa-scopes": FASTAPI + """
def dep(security_scopes: SecurityScopes, token: str = Depends(oauth2)):
    try:
        payload = jwt.decode(token, settings.KEY, algorithms=["HS256"])
    except jwt.PyJWTError:
        raise HTTPException(401)
    for scope in security_scopes.scopes:
        if scope not in payload["scopes"]:
            raise HTTPException(401)
    return payload
""" + FAST_ROUTE,
    "fa-class": FASTAPI + """
class Needs:
    def __init__(self, role): self.role = role
    def __call__(self, request: Request):
        user = request.state.user
        if user is None:
            raise HTTPException(401)
        if self.role not in user.roles:
            raise HTTPException(403)
        return user
dep = Needs("admin")
""" + FAST_ROUTE,
    "fa-mw": FASTAPI + """
@app.middleware("http")
async def auth(request: Request, call_next):
    if request.method == "OPTIONS":
        return await call_next(request)
    token = request.headers.get("Authorization", "").removeprefix("Bearer ")
    try:
        request.state.user = jwt.decode(token, settings.KEY, algorithms=["HS256"])
    except jwt.PyJWTError:
        return JSONResponse({"detail": "no"}, status_code=401)
    return await call_next(request)
def dep(request: Request): return request.state.user
""" + FAST_ROUTE,
    "fa-helper": FASTAPI + """
def _verify(token):
    claims = store.verify(token)
    if claims is None:
        raise HTTPException(401)
    return claims
def dep(credentials=Depends(bearer)):
    return _verify(credentials.credentials)
""" + FAST_ROUTE,
    "fa-inner": FASTAPI + """
def check(token):
    return hmac.compare_digest(token, settings.TOKEN)
def dep(credentials=Depends(bearer)):
    if not check(credentials.credentials):
        raise HTTPException(401)
""" + FAST_ROUTE,
    "fa-match": FASTAPI + """
def dep(authorization: str = Header("")):
    scheme, _, token = authorization.partition(" ")
    if scheme.lower() != "bearer":
        raise HTTPException(401)
    claims = store.claims(token)
    if claims is None:
        raise HTTPException(401)
    return claims
""" + FAST_ROUTE,
    "fa-exp": FASTAPI + """
import time
def dep(token: str = Depends(oauth2)):
    row = store.tokens.get(token)
    if row is None or row.expires_at < time.time():
        raise HTTPException(401)
    return row.user
""" + FAST_ROUTE,
    "fa-else": FASTAPI + """
def dep(token: str = Depends(oauth2)):
    user = store.find(token)
    if user:
        return user
    else:
        raise HTTPException(401)
""" + FAST_ROUTE,
    "fa-walrus": FASTAPI + """
def dep(token: str = Depends(oauth2)):
    if (user := store.find(token)) is None:
        raise HTTPException(401)
    return user
""" + FAST_ROUTE,
    "fl-login": FLASK + """
@app.get("/notes/<int:n>")
@login_required
def note(n):
    return store.note(n)
""" ,
    "fl-deco": FLASK + """
def guard(f):
    @wraps(f)
    def wrapper(*args, **kwargs):
        if "user_id" not in session:
            return redirect(url_for("login"))
        return f(*args, **kwargs)
    return wrapper
""" + FLASK_ROUTE,
    "fl-deco2": FLASK + """
def guard(f):
    @wraps(f)
    def wrapper(*args, **kwargs):
        header = request.headers.get("Authorization")
        if not header:
            return jsonify({"error": "missing"}), 401
        try:
            token = header.split(" ")[1]
            data = jwt.decode(token, current_app.config["SECRET_KEY"], algorithms=["HS256"])
            g.user = User.query.get(data["id"])
        except Exception:
            return jsonify({"error": "invalid"}), 401
        return f(*args, **kwargs)
    return wrapper
""" + FLASK_ROUTE,
    "fl-deco3": FLASK + """
def guard(f):
    @wraps(f)
    def wrapper(*args, **kwargs):
        if g.user is None:
            abort(401)
        return f(*args, **kwargs)
    return wrapper
@app.before_request
def load():
    g.user = store.user(session.get("id"))
""" + FLASK_ROUTE,
    "fl-before": FLASK + """
@app.before_request
def check():
    token = request.headers.get("X-Api-Key", "")
    if not hmac.compare_digest(token, os.environ["API_KEY"]):
        abort(401)

@app.get("/notes/<int:n>")

def note(n):
    return store.note(n)
""" ,
    "fl-before2": FLASK + """
@app.before_request
def check():
    auth = request.authorization
    if auth is None or not store.check_password(auth.username, auth.password):
        return "no", 401

@app.get("/notes/<int:n>")

def note(n):
    return store.note(n)
""" ,
    "fl-before3": FLASK + """
def user_of(header):
    if header is None: return None
    return store.tokens.get(header)
@app.before_request
def check():
    g.user = user_of(request.headers.get("Authorization"))
    if not g.user:
        return jsonify(error="unauthorized"), 401

@app.get("/notes/<int:n>")

def note(n):
    return store.note(n)
""" ,
    "fl-roles": FLASK + """
def role(name):
    def deco(f):
        @wraps(f)
        def inner(*a, **k):
            if not current_user.is_authenticated:
                return app.login_manager.unauthorized()
            if name not in current_user.roles:
                abort(403)
            return f(*a, **k)
        return inner
    return deco

@app.get("/notes/<int:n>")
@role("admin")
def note(n):
    return store.note(n)
""" ,
    "dj-inline": DJANGO + """
def note(request, n):
    if not request.user.is_authenticated:
        return HttpResponse(status=401)
    return JsonResponse({})

urlpatterns=[path("notes/<int:n>/", note)]
""" ,
    "dj-key": DJANGO + """
from django.conf import settings
def needs_key(view):
    def wrapped(request, *a, **k):
        if request.META.get("HTTP_X_API_KEY") != settings.API_KEY:
            return JsonResponse({}, status=401)
        return view(request, *a, **k)
    return wrapped
@needs_key
def note(request, n): return JsonResponse({})

urlpatterns=[path("notes/<int:n>/", note)]
""" ,
    "aio-mw": AIOHTTP + """
@web.middleware
async def auth(request, handler):
    token = request.headers.get("Authorization", "")
    user = await store.user_by_token(token)
    if user is None:
        raise web.HTTPUnauthorized()
    request["user"] = user
    return await handler(request)

async def note(request):
    return web.json_response({})

app = web.Application(middlewares=[auth])
app.router.add_get("/notes/{n}", note)
""" ,
    "aio-mw2": AIOHTTP + """
@web.middleware
async def auth(request, handler):
    try:
        request["claims"] = jwt.decode(request.headers["Authorization"][7:], os.environ["KEY"], algorithms=["HS256"])
    except (KeyError, jwt.PyJWTError):
        return web.json_response({"error": "no"}, status=401)
    return await handler(request)

async def note(request):
    return web.json_response({})

app = web.Application(middlewares=[auth])
app.router.add_get("/notes/{n}", note)
""" ,
    "aio-handler": AIOHTTP + """
async def note(request):
    user = request.get("user")
    if user is None:
        raise web.HTTPUnauthorized()
    return web.json_response({})

app = web.Application()
app.router.add_get("/notes/{n}", note)
""" ,
    "aio-sess": AIOHTTP + """
from aiohttp_session import get_session

async def note(request):
    session = await get_session(request)
    if "user" not in session:
        raise web.HTTPUnauthorized()
    return web.json_response({})

app = web.Application()
app.router.add_get("/notes/{n}", note)
""" ,
}  # fmt: skip
"""Nobody unknown gets past them."""
