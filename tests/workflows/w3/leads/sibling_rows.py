"""Routes without a guard beside guarded ones, and their look-alikes."""

from __future__ import annotations

from tests.workflows.w3.leads.heads import DRF, FASTAPI, FLASK

_GUARD = """
def signed_in(token: str = Header("")):
    if not check(token):
        raise HTTPException(401)
"""
SIBLING_POSITIVE = {
    "fastapi-route": FASTAPI + _GUARD + """
@app.get("/orders", dependencies=[Depends(signed_in)])
def orders(): return []

@app.get("/orders/all")
def all_orders(): return []
""",
    "fastapi-write": FASTAPI + _GUARD + """
@app.post("/orders", dependencies=[Depends(signed_in)])
def create(): return {}

@app.delete("/orders/{order_id}")
def delete(order_id: int): return {}
""",
    "flask-decorator": FLASK + """
from flask_login import login_required

@app.get("/orders")
@login_required
def orders(): return []

@app.get("/orders/export")
def export(): return []
""",
    "service-wide": FASTAPI + _GUARD + """
@app.get("/orders", dependencies=[Depends(signed_in)])
def orders(): return []

@app.get("/users", dependencies=[Depends(signed_in)])
def users(): return []

@app.get("/internal/figures")
def figures(): return []
""",
}  # fmt: skip

_TWO_BILLS = """
from starlette.applications import Starlette
from starlette.authentication import requires
from starlette.middleware import Middleware
from starlette.middleware.authentication import AuthenticationMiddleware
from starlette.responses import JSONResponse
from starlette.routing import Route
from backend import TokenBackend
import store

@requires("authenticated")
async def bill(request):
    return JSONResponse(await store.bill(request.path_params["bill_id"], owner=request.user.identity))

%s
async def all_bills(request):
    return JSONResponse(await store.bills())

around = [Middleware(AuthenticationMiddleware, backend=TokenBackend())]
app = Starlette(routes=[Route("/bills/{bill_id}", bill), Route("/bills", all_bills)], middleware=around)
"""
SIBLING_POSITIVE["starlette-without-requires"] = _TWO_BILLS % ""

SIBLING_NEGATIVE = {
    "public-words": FASTAPI + _GUARD + """
@app.get("/users", dependencies=[Depends(signed_in)])
def users(): return []

@app.post("/users/login")
def login(): return {}

@app.post("/users/register")
def register(): return {}

@app.get("/health")
def health(): return {}
""",
    "no-guards-at-all": FASTAPI + """
@app.get("/orders")
def orders(): return []

@app.get("/orders/{order_id}")
def order(order_id: int): return {}
""",
    "router-guards-all": FASTAPI + _GUARD + """
from fastapi import APIRouter
router = APIRouter(prefix="/orders", dependencies=[Depends(signed_in)])

@router.get("")
def orders(): return []

@router.get("/all")
def all_orders(): return []

app.include_router(router)
""",
    "middleware-guards-all": FASTAPI + """
@app.middleware("http")
async def signed_in(request: Request, call_next):
    if not check(request.headers.get("Authorization", "")):
        return JSONResponse({}, status_code=401)
    return await call_next(request)

@app.get("/orders")
def orders(): return []

@app.get("/orders/all")
def all_orders(): return []
""",
    "unread-decorator": FLASK + """
from flask_login import login_required
from ours import needs_right

@app.get("/orders")
@login_required
def orders(): return []

@app.get("/orders/all")
@needs_right("orders")
def all_orders(): return []
""",
    "open-reading": FASTAPI + _GUARD + """
@app.get("/articles")
def articles(): return []

@app.put("/articles/{name}", dependencies=[Depends(signed_in)])
def write(name: str): return {}
""",
    "drf-default-of-class": DRF + """
class Open(APIView):
    permission_classes = [permissions.IsAuthenticated]
    def get(self, request): return Response({})
    def post(self, request): return Response({})

urlpatterns = [path("things/", Open.as_view())]
""",
}  # fmt: skip
SIBLING_NEGATIVE["starlette-with-requires"] = _TWO_BILLS % '@requires(["authenticated", "admin"])'
_CLAIMS = """
def claims():
    if not check(request.headers.get("Authorization")):
        abort(401)
    return 1
"""
SIBLING_NEGATIVE |= {
    "fastapi-called-in-the-handler": FASTAPI + _GUARD + """
@app.get("/orders", dependencies=[Depends(signed_in)])
def orders(): return []

@app.get("/orders/own")
def own(authorization: str = Header("")):
    who = signed_in(authorization)
    return store.of(who)
""",
    "flask-called-in-the-handler": FLASK + _CLAIMS + """
from flask_login import login_required
@app.get("/orders")
@login_required
def orders(): return []

@app.get("/orders/own")
def own():
    who = claims()
    return store.of(who)
""",
    "flask-asked-in-the-handler": FLASK + """
from flask_login import current_user, login_required
@app.get("/orders")
@login_required
def orders(): return []

@app.get("/orders/own")
def own():
    if not current_user.is_authenticated:
        return app.login_manager.unauthorized()
    return store.of(current_user.id)
""",
    "aiohttp-called-in-the-handler": """
from aiohttp import web
from aiohttp_security import check_authorized
from tokens import verify
def who(request):
    if not verify(request.headers.get("Authorization")):
        raise web.HTTPUnauthorized()
async def orders(request):
    await check_authorized(request)
    return web.json_response([])
async def own(request):
    who(request)
    return web.json_response([])
app = web.Application()
app.router.add_get("/orders", orders)
app.router.add_get("/orders/own", own)
""",
}  # fmt: skip

_OWN = (
    FLASK
    + """
from flask_login import LoginManager, current_user, login_required
manager = LoginManager(app)
@app.get("/orders")
@login_required
def orders(): return []

@app.get("/orders/own")
def own():
"""
)
SIBLING_POSITIVE |= {
    "flask-greeting": _OWN + """
    name = current_user.name if current_user.is_authenticated else "you"
    return store.all(name)
""",
    "flask-sends-others-home": _OWN + """
    if current_user.is_authenticated:
        return redirect("/home")
    return store.all()
""",
    "flask-only-printed": _OWN + """
    if not current_user.is_authenticated:
        print("odd")
    return store.all()
""",
}  # fmt: skip
SIBLING_NEGATIVE |= {
    "flask-sent-to-sign-in": _OWN + """
    if not current_user.is_authenticated:
        return redirect(url_for("login"))
    return store.of(current_user.id)
""",
    "flask-rest-sent-to-sign-in": _OWN + """
    if current_user.is_authenticated:
        return store.of(current_user.id)
    return manager.unauthorized()
""",
    "flask-own-page": _OWN + """
    if not current_user.is_authenticated:
        return render_template("sign-in.html")
    return store.of(current_user.id)
""",
    "aiohttp-permission-in-the-handler": """
from aiohttp import web
from aiohttp_security import check_authorized, check_permission
async def orders(request):
    await check_authorized(request)
    return web.json_response([])
async def own(request):
    await check_permission(request, "read")
    return web.json_response([])
app = web.Application()
app.router.add_get("/orders", orders)
app.router.add_get("/orders/own", own)
""",
}  # fmt: skip
