# ruff: noqa: E501  (a row is one source on one line)
"""Guards that can be walked around, that look at nothing, that compare with a constant; and their twins."""

from __future__ import annotations

from tests.workflows.w3.leads.heads import FASTAPI, FLASK, aiohttp, django

_HOOK = FLASK + "from tokens import verify\n@app.before_request\ndef before():\n"
_ROUTE = "@app.get('/x')\ndef x():\n    return ''\n"
_SENT = "request.headers.get('Authorization')"
_CHECK = f"    if not verify({_SENT}):\n        abort(401)\n"
_WRAPPED = "from functools import wraps\ndef signed(view):\n    @wraps(view)\n    def inner(*a, **k):\n{}        return view(*a, **k)\n    return inner\n@app.get('/x')\n@signed\ndef x():\n    return ''\n"
_FAST = FASTAPI + "from tokens import verify\n"
_MIDDLEWARE = (
    _FAST
    + "@app.middleware('http')\nasync def auth(request: Request, call_next):\n{}    return await call_next(request)\n@app.get('/x')\ndef x():\n    return []\n"
)
_DEPENDS = _FAST + "def user({}):\n{}@app.get('/x')\ndef x(u=Depends(user)):\n    return []\n"
_DJANGO = {
    "settings.py": "MIDDLEWARE = ['app.auth.Auth']\n",
    "app/urls.py": django("def report(request):\n    return JsonResponse({})\n"),
}


def _django(body: str) -> dict[str, str]:
    text = "from django.http import HttpResponse\nfrom tokens import verify\nclass Auth:\n    def __init__(self, get_response):\n        self.get_response = get_response\n    def __call__(self, request):\n"
    return {**_DJANGO, "app/auth.py": f"{text}{body}        return self.get_response(request)\n"}


PAST_POSITIVE = {
    "flask-hook": _HOOK + "    if request.args.get('debug') == '1':\n        return None\n" + _CHECK + _ROUTE,
    "flask-hook-presence": _HOOK + "    if 'debug' in request.args:\n        return None\n" + _CHECK + _ROUTE,
    "flask-around": _HOOK + "    if request.args.get('debug') != '1':\n        if not verify(" + _SENT + "):\n            abort(401)\n" + _ROUTE,
    "flask-optional": FLASK + "from tokens import verify\ndef claims():\n" + _CHECK + _WRAPPED.format(f"        if {_SENT}:\n            claims()\n"),
    "flask-decorator": FLASK + "from tokens import verify\n" + _WRAPPED.format("        if request.headers.get('X-Test') == 'yes':\n            return view(*a, **k)\n        if not verify(" + _SENT + "):\n            abort(401)\n"),
    "flask-decorator-skip": FLASK + "from tokens import verify\ndef claims():\n" + _CHECK + _WRAPPED.format("        if not request.headers.get('X-Skip-Auth'):\n            claims()\n"),
    "flask-helper": FLASK + "from tokens import verify\ndef check():\n    if request.args.get('debug') == '1':\n        return\n" + _CHECK + "@app.get('/x')\ndef x():\n    check()\n    return ''\n",
    "flask-handler": FLASK + "from tokens import verify\n@app.get('/x')\ndef x():\n    if request.args.get('preview') == '1':\n        return load()\n" + _CHECK + "    return load()\n",
    "fastapi-middleware": _MIDDLEWARE.format("    if 'debug' in request.query_params:\n        return await call_next(request)\n    if not verify(" + _SENT + "):\n        return JSONResponse({}, status_code=401)\n"),
    "fastapi-middleware-around": _MIDDLEWARE.format("    if request.query_params.get('debug') != '1':\n        if not verify(" + _SENT + "):\n            return JSONResponse({}, status_code=401)\n"),
    "fastapi-dependency": _DEPENDS.format("debug: int = 0, authorization: str = Header('')", "    if debug == 1:\n        return {'role': 'admin'}\n    if not verify(authorization):\n        raise HTTPException(401)\n    return {}\n"),
    "fastapi-beside": _FAST + "@app.get('/x')\ndef x(request: Request, preview: bool = False):\n    if not preview and not verify(" + _SENT + "):\n        raise HTTPException(401)\n    return []\n",
    "aiohttp-middleware": aiohttp("from tokens import verify\n@web.middleware\nasync def auth(request, handler):\n    if request.query.get('debug') == '1':\n        return await handler(request)\n    if not verify(" + _SENT + "):\n        raise web.HTTPUnauthorized()\n    return await handler(request)\nasync def report(request):\n    return web.json_response([])\n").replace("web.Application()", "web.Application(middlewares=[auth])"),
    "django-middleware": _django("        if request.GET.get('debug') == '1':\n            return self.get_response(request)\n        if not verify(request.headers.get('Authorization')):\n            return HttpResponse(status=401)\n"),
}  # fmt: skip
PAST_NEGATIVE = {
    "flask-hook": _HOOK + "    if request.args.get('debug') == '1':\n        g.debug = True\n" + _CHECK + _ROUTE,
    "flask-around": _HOOK + _CHECK + "    if request.args.get('debug') == '1':\n        return None\n" + _ROUTE,
    "flask-optional": FLASK + "from tokens import verify\ndef claims():\n" + _CHECK + _WRAPPED.format(f"        if {_SENT}:\n            claims()\n        else:\n            abort(401)\n"),
    "flask-decorator": FLASK + "from tokens import verify\nfrom settings import KEY\n" + _WRAPPED.format("        if request.headers.get('X-Api-Key') == KEY:\n            return view(*a, **k)\n        if not verify(" + _SENT + "):\n            abort(401)\n"),
    "flask-handler": FLASK + "from tokens import verify\n@app.get('/x')\ndef x():\n" + _CHECK + "    if request.args.get('format') == 'csv':\n        return 'a'\n    if not load():\n        abort(404)\n    return load()\n",
    "flask-page": FLASK + "from tokens import verify\n@app.get('/x')\ndef x():\n    if request.args.get('page') == '0':\n        return {'error': 'no such page'}, 400\n" + _CHECK + "    return load()\n",
    "fastapi-middleware": _MIDDLEWARE.format("    if request.query_params.get('debug') == '1':\n        log.info('debug')\n    if not verify(" + _SENT + "):\n        return JSONResponse({}, status_code=401)\n"),
    "fastapi-preflight": _MIDDLEWARE.format("    if request.method == 'OPTIONS':\n        return await call_next(request)\n    if not verify(" + _SENT + "):\n        return JSONResponse({}, status_code=401)\n"),
    "fastapi-dependency": _DEPENDS.format("debug: int = 0, authorization: str = Header('')", "    if not verify(authorization):\n        raise HTTPException(401)\n    return {'debug': debug == 1}\n"),
    "fastapi-second-credential": _DEPENDS.format("x_api_key: str = Header(''), authorization: str = Header('')", "    if x_api_key:\n        return by_key(x_api_key)\n    if not verify(authorization):\n        raise HTTPException(401)\n    return {}\n"),
    "django-middleware": _django("        if not verify(request.headers.get('Authorization')):\n            return HttpResponse(status=401)\n"),
    "told-as-a-decision": FLASK + "from tokens import verify\n" + _WRAPPED.format("        if request.headers.get('X-Internal-Call'):\n            return view(*a, **k)\n        if not verify(" + _SENT + "):\n            abort(401)\n"),
}  # fmt: skip

PRESENCE_ONLY_POSITIVE = {
    "flask-hook": FLASK + "@app.before_request\ndef before():\n    if not " + _SENT + ":\n        abort(401)\n" + _ROUTE,
    "flask-form": FLASK + "@app.before_request\ndef before():\n    sent = request.headers.get('Authorization', '')\n    if not sent.startswith('Bearer '):\n        abort(401)\n" + _ROUTE,
    "flask-both": FLASK + "@app.before_request\ndef before():\n    sent = " + _SENT + "\n    if sent is None or not sent.startswith('Bearer '):\n        abort(401)\n" + _ROUTE,
    "flask-decorator": FLASK + _WRAPPED.format("        if 'X-Api-Key' not in request.headers:\n            abort(401)\n"),
    "flask-cookie": FLASK + "@app.before_request\ndef before():\n    if not request.cookies.get('session_token'):\n        abort(401)\n" + _ROUTE,
    "fastapi-middleware": _MIDDLEWARE.format("    if 'Authorization' not in request.headers:\n        return JSONResponse({}, status_code=401)\n"),
    "fastapi-dependency": _DEPENDS.format("x_api_key: str = Header('')", "    if not x_api_key:\n        raise HTTPException(401)\n    return x_api_key\n"),
    "fastapi-stripped": _DEPENDS.format("authorization: str = Header('')", "    if not authorization.startswith('Bearer '):\n        raise HTTPException(401)\n    return authorization[7:]\n"),
    "fastapi-logged": _DEPENDS.format("authorization: str = Header('')", "    if not authorization:\n        raise HTTPException(401)\n    log.info(authorization)\n"),
    "fastapi-scheme": FASTAPI + "from fastapi.security import HTTPBearer\nbearer = HTTPBearer()\n@app.get('/x')\ndef x(sent=Depends(bearer)):\n    return []\n",
    "fastapi-optional-scheme": FASTAPI + "from fastapi.security import HTTPBearer\nbearer = HTTPBearer(auto_error=False)\n@app.get('/x')\ndef x(sent=Depends(bearer)):\n    if sent is None:\n        raise HTTPException(401)\n    return []\n",
    "django-middleware": _django("        if 'Authorization' not in request.headers:\n            return HttpResponse(status=401)\n"),
    "django-meta": _django("        if not request.META.get('HTTP_AUTHORIZATION'):\n            return HttpResponse(status=401)\n"),
    "aiohttp-middleware": aiohttp("@web.middleware\nasync def auth(request, handler):\n    if not request.headers.get('Authorization'):\n        raise web.HTTPUnauthorized()\n    return await handler(request)\nasync def report(request):\n    return web.json_response([])\n").replace("web.Application()", "web.Application(middlewares=[auth])"),
}  # fmt: skip
PRESENCE_ONLY_NEGATIVE = {
    "flask-hook": FLASK + "from tokens import verify\n@app.before_request\ndef before():\n    sent = " + _SENT + "\n    if not sent:\n        abort(401)\n    g.user = verify(sent)\n" + _ROUTE,
    "flask-store": FLASK + "from keys import KEYS\n@app.before_request\ndef before():\n    key = request.headers.get('X-Api-Key')\n    if not key:\n        abort(401)\n    if key not in KEYS:\n        abort(403)\n" + _ROUTE,
    "flask-index": FLASK + "from keys import KEYS\n@app.before_request\ndef before():\n    key = request.headers.get('X-Api-Key')\n    if not key:\n        abort(401)\n    g.user = KEYS[key]\n" + _ROUTE,
    "flask-in-handler": FLASK + "from tokens import verify\n@app.before_request\ndef before():\n    if not " + _SENT + ":\n        abort(401)\n@app.get('/x')\ndef x():\n    return verify(request.headers['Authorization'])\n",
    "flask-request-handed-on": FLASK + "from tokens import verify\n@app.before_request\ndef before():\n    if not " + _SENT + ":\n        abort(401)\n    verify(request)\n" + _ROUTE,
    "no-credential": FLASK + "@app.before_request\ndef before():\n    if not request.headers.get('X-Request-Id'):\n        abort(403)\n" + _ROUTE,
    "form-token": FLASK + "@app.before_request\ndef before():\n    if not request.headers.get('X-CSRF-Token'):\n        abort(403)\n" + _ROUTE,
    "compared": FASTAPI + "import os\nKEY = os.environ['KEY']\ndef user(x_api_key: str = Header('')):\n    if not x_api_key or x_api_key != KEY:\n        raise HTTPException(401)\n@app.get('/x')\ndef x(u=Depends(user)):\n    return []\n",
    "fastapi-returned": _DEPENDS.format("authorization: str = Header('')", "    if not authorization:\n        raise HTTPException(401)\n    return authorization\n").replace("    return []", "    return verify(u)"),
    "fastapi-scheme": _FAST + "from fastapi.security import HTTPBearer\nbearer = HTTPBearer()\n@app.get('/x')\ndef x(sent=Depends(bearer)):\n    return verify(sent.credentials)\n",
    "fastapi-scheme-in-dependency": _FAST + "from fastapi.security import HTTPBearer\nbearer = HTTPBearer()\ndef user(sent=Depends(bearer)):\n    return verify(sent.credentials)\n@app.get('/x')\ndef x(u=Depends(user)):\n    return []\n",
    "fastapi-unread": FASTAPI + "from fastapi.security import HTTPBearer\nfrom elsewhere import user\nbearer = HTTPBearer()\n@app.get('/x', dependencies=[Depends(bearer)])\ndef x(u=Depends(user)):\n    return []\n",
    "django-middleware": _django("        if 'Authorization' not in request.headers:\n            return HttpResponse(status=401)\n        request.user = verify(request.headers['Authorization'])\n"),
}  # fmt: skip

CONSTANT_POSITIVE = {
    "flask-hook": FLASK + "@app.before_request\ndef before():\n    if " + _SENT + " != 'Bearer letmein':\n        abort(401)\n" + _ROUTE,
    "flask-digest": FLASK + "import hmac\n@app.before_request\ndef before():\n    if not hmac.compare_digest(request.headers.get('X-Api-Key', ''), 'letmein'):\n        abort(401)\n" + _ROUTE,
    "flask-list": FLASK + "@app.before_request\ndef before():\n    if request.headers.get('X-Api-Key') not in ('one', 'two'):\n        abort(401)\n" + _ROUTE,
    "fastapi-module": FASTAPI + "WORD = 'let' + 'mein'\ndef user(x_api_key: str = Header('')):\n    if x_api_key != WORD:\n        raise HTTPException(401)\n@app.get('/x')\ndef x(u=Depends(user)):\n    return []\n",
    "fastapi-grants": FASTAPI + "@app.get('/x')\ndef x(password: str):\n    if password == 'letmein':\n        return []\n    raise HTTPException(403)\n",
}  # fmt: skip
CONSTANT_POSITIVE |= {
    "empty-setting": FASTAPI + "import os\nKEY = os.environ.get('ADMIN_KEY', '')\ndef user(x_api_key: str = Header('')):\n    if x_api_key != KEY:\n        raise HTTPException(401)\n@app.get('/x')\ndef x(u=Depends(user)):\n    return []\n",
}  # fmt: skip
CONSTANT_NEGATIVE = {
    "empty-setting-refused": FASTAPI + "import os\nKEY = os.environ.get('ADMIN_KEY', '')\ndef user(x_api_key: str = Header('')):\n    if not KEY or x_api_key != KEY:\n        raise HTTPException(401)\n@app.get('/x')\ndef x(u=Depends(user)):\n    return []\n",
    "environment": FLASK + "import os\n@app.before_request\ndef before():\n    if " + _SENT + " != os.environ['KEY']:\n        abort(401)\n" + _ROUTE,
    "settings": FLASK + "from settings import KEY\n@app.before_request\ndef before():\n    if request.headers.get('X-Api-Key') != KEY:\n        abort(401)\n" + _ROUTE,
    "default": FLASK + "import os\nKEY = os.getenv('KEY', 'local')\n@app.before_request\ndef before():\n    if request.headers.get('X-Api-Key') != KEY:\n        abort(401)\n" + _ROUTE,
    "scheme": FLASK + "from tokens import verify\n@app.before_request\ndef before():\n    kind, _, sent = request.headers.get('Authorization', '').partition(' ')\n    if kind.lower() != 'bearer' or not verify(sent):\n        abort(401)\n" + _ROUTE,
    "empty": FLASK + "from tokens import verify\n@app.before_request\ndef before():\n    if " + _SENT + " == '' or not verify(" + _SENT + "):\n        abort(401)\n" + _ROUTE,
    "kind-of-token": FLASK + "@app.before_request\ndef before():\n    if request.headers.get('X-Token-Type') != 'access':\n        abort(401)\n" + _ROUTE,
    "no-refusal": FLASK + "@app.get('/x')\ndef x():\n    if request.args.get('key') == 'name':\n        return by_name()\n    return ''\n",
}  # fmt: skip
