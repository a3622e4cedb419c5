"""Decisions on the address that a caller seems to have."""

from __future__ import annotations

from tests.workflows.w3.leads.heads import FASTAPI, FLASK, aiohttp, django

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
