"""Checks that somebody unknown gets past, or may; and conditions of both kinds."""

from __future__ import annotations

from typing import Final

from tests.codefacts.check_heads import AIOHTTP, DJANGO, FAST_ROUTE, FASTAPI, FLASK, FLASK_ROUTE

OPEN: Final = {
    "swallow": FASTAPI + """
def dep(token: str = Depends(oauth2)):
    try:
        user = store.verify(token)
        if user is None:
            raise HTTPException(401)
    except Exception:
        user = None
    return user
""" + FAST_ROUTE,
    "anon": FASTAPI + """
def dep(token: str = Depends(oauth2)):
    try:
        user = store.verify(token)
    except store.Bad:
        user = User("anonymous")
    if user is None:
        raise HTTPException(401)
    return user
""" + FAST_ROUTE,
    "onlyexpired": FASTAPI + """
def dep(token: str = Depends(oauth2)):
    try:
        user = jwt.decode(token, settings.KEY, algorithms=["HS256"])
    except jwt.ExpiredSignatureError:
        raise HTTPException(401)
    except jwt.InvalidTokenError:
        return None
    return user
""" + FAST_ROUTE,
    "true": FASTAPI + """
def check(t):
    return True
def dep(token: str = Depends(oauth2)):
    if not check(token):
        raise HTTPException(401)
""" + FAST_ROUTE,
    "len": FASTAPI + """
def check(t):
    return len(t) == 32
def dep(token: str = Depends(oauth2)):
    if not check(token):
        raise HTTPException(401)
""" + FAST_ROUTE,
    "loopbreak": FASTAPI + """
def dep(token: str = Depends(oauth2)):
    for user in store.users():
        if user.token != token:
            break
    else:
        raise HTTPException(401)
    return user
""" + FAST_ROUTE,
    "first": FLASK + """
def guard(f):
    @wraps(f)
    def wrapper(*a, **k):
        if request.headers.get("X-Debug"):
            return f(*a, **k)
        if session.get("user") is None:
            abort(401)
        return f(*a, **k)
    return wrapper
""" + FLASK_ROUTE,
    "time": FLASK + """
import time
def guard(f):
    @wraps(f)
    def wrapper(*a, **k):
        if session.get("user") is None and time.localtime().tm_hour < 8:
            abort(401)
        return f(*a, **k)
    return wrapper
""" + FLASK_ROUTE,
    "count": FLASK + """
@app.before_request
def check():
    if len(request.headers.get("Authorization", "")) != 40:
        abort(401)

@app.get("/notes/<int:n>")

def note(n):
    return store.note(n)
""" ,
    "dj-len": DJANGO + """
def note(request, n):
    if n > 1000 and not request.user.is_authenticated:
        return HttpResponse(status=401)
    return JsonResponse({})
urlpatterns=[path("notes/<int:n>/", note)]
""" ,
    "aio-len": AIOHTTP + """
@web.middleware
async def auth(request, handler):
    user = await store.user_by_token(request.headers.get("Authorization", ""))
    if user is None and request.query.get("v") != "2":
        raise web.HTTPUnauthorized()
    return await handler(request)
async def note(request): return web.json_response({})
app = web.Application(middlewares=[auth])
app.router.add_get("/notes/{n}", note)
""" ,
}  # fmt: skip
"""Somebody unknown gets past them, or may."""

UNKNOWN_CALLER_TOLD: Final = (
    "user is None",
    "not user",
    "not user or n > 5",
    "user is None and True",
    "not (user and user.known)",
    "not store.valid(token)",
    "token not in store.KEYS",
    "token != settings.KEY",
    "not hmac.compare_digest(token, settings.KEY)",
)
"""Conditions of a 401 that hold for everybody unknown."""
UNKNOWN_CALLER_OPEN: Final = (
    "user is None and n > 1000",
    "len(token) < 8",
    "not token.isascii()",
    'token == "x"',
    "user is not None",
    "not user and settings.STRICT",
    'user is None and token.startswith("a")',
    "n > 5",
    "not n",
    '"Bearer" not in token',
    "user and user.blocked",
    "not isinstance(token, str)",
    "user is None and not n",
    "token in store.REVOKED",
    "any(c.isspace() for c in token)",
    'not re.match("[a-z]+", token)',
    "hash(token) % 2",
    "bool(token) is False",
    'user == None and store.flag("x")',
    "not (user or n)",
    "not (user or True)",
    "user is None if n else False",
)
WITHOUT_RIGHT_TOLD: Final = (
    "note.owner != me.id",
    'note.owner_id != me["sub"]',
    "not me.is_admin",
    "note.owner != me.id and not me.is_admin",
    'me.role != "admin"',
    '"admin" not in me.roles',
    "me.id not in note.members",
    "not can_read(me, note)",
    "note.private and note.owner != me.id",
    "not note.public and note.owner != me.id",
    "me.level < 5",
    "not (me.is_admin or note.owner == me.id)",
    'me.role not in ("admin", "staff")',
    'not me.has_permission("notes")',
    'not set(me.roles) & {"a","b"}',
    "owner != me.id",
    "me.id != owner",
)
"""Conditions of a 403 that hold for everybody without the right."""
WITHOUT_RIGHT_OPEN: Final = (
    "note.owner != me and n > 1000",
    "note.owner != owner",
    "n > 3",
    "not n",
    "note.owner == me.id",
    "me.active",
    "not me.active",
    "note.archived and note.owner != me.id",
    "note.owner != me.id and not n",
    "owner != n",
    "me.id == note.owner",
    "me.is_admin",
    "note is None",
    "not note.title",
    "me.level > 5",
    'me.role == "admin"',
    "note.owner != note.owner",
    "me is None",
)
