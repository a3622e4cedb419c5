# ruff: noqa: E501  (a row is one source on one line)
"""Webhooks that read a signature and check it against nothing, each with what would check it."""

from __future__ import annotations

from tests.workflows.w3.leads.heads import FASTAPI, FLASK, aiohttp, django

_FLASK = (
    FLASK
    + "import hashlib, hmac, logging\nlog = logging.getLogger('x')\n@app.post('%s')\ndef take():\n    %s\n    store.paid(request.get_json()['order'])\n    return ''\n"
)
_SIG = "sig = request.headers.get('X-Signature', '')\n    "
_MAC = "mac = hmac.new(KEY, request.get_data(), hashlib.sha256).hexdigest()\n    "
_EQUAL = _SIG + _MAC + "if sig != mac: abort(401)"
_PUSH = (
    FASTAPI
    + "import hashlib, hmac, stripe\n@app.post('%s')\nasync def take(request: Request, x_signature: str = Header('')):\n    body = await request.body()\n    %s\n    event = await request.json()\n    if event['type'] == 'paid': await store.paid(event['order'])\n    return {}\n"
)
_OURS = (
    FLASK
    + "import hmac\n%s\n@app.post('/hooks/pay')\ndef take():\n    verify_signature(request.headers['X-Signature'], request.get_data())\n    store.paid(request.get_json()['order'])\n    return ''\n"
)
_FITS = "def verify_signature(given, body):\n    if not hmac.compare_digest(mac_of(body), given): abort(403)"

_HOOK = "unsigned-webhook"
HOOKS: dict[str, tuple[str, str, str]] = {
    "only-read": (_HOOK, _FLASK % ("/hooks/pay", _SIG + "pass"), _FLASK % ("/hooks/pay", _EQUAL)),
    "only-logged": (_HOOK, _FLASK % ("/hooks/pay", _SIG + "log.info('signed with %s', sig)"), _FLASK % ("/hooks/pay", _SIG + "log.info('signed')\n    verify(sig, request.get_data())")),
    "only-there": (_HOOK, _FLASK % ("/hooks/pay", _SIG + "if not sig: abort(401)"), _FLASK % ("/hooks/pay", _SIG + "if not sig or not fits(sig): abort(401)")),
    "only-named-in-headers": (_HOOK, _FLASK % ("/hooks/pay", "if 'X-Signature' not in request.headers: abort(401)"), _FLASK % ("/hooks/pay", "if request.headers['X-Token'] != TOKEN: abort(401)")),
    "mac-never-compared": (_HOOK, _FLASK % ("/hooks/pay", _SIG + _MAC + "log.debug(mac)"), _FLASK % ("/hooks/pay", _SIG + _MAC + "ok = hmac.compare_digest(mac, sig)\n    if not ok: abort(400)")),
    "comparison-unread": (_HOOK, _FLASK % ("/hooks/pay", _SIG + _MAC + "ok = mac == sig"), _FLASK % ("/hooks/pay", _SIG + _MAC + "ok = mac == sig\n    if not ok: return '', 400")),
    "comparison-thrown-away": (_HOOK, _FLASK % ("/hooks/pay", _SIG + _MAC + "mac == sig"), _FLASK % ("/hooks/pay", _SIG + _MAC + "assert mac == sig")),
    "comparison-only-told": (_HOOK, _FLASK % ("/hooks/pay", _SIG + _MAC + "if mac != sig: log.warning('bad signature')"), _FLASK % ("/hooks/pay", _SIG + _MAC + "if mac != sig:\n        log.warning('bad signature')\n        abort(401)")),
    "outcome-only-told": (_HOOK, _FLASK % ("/hooks/pay", _SIG + _MAC + "ok = hmac.compare_digest(mac, sig)\n    if not ok: log.warning('bad signature')"), _FLASK % ("/hooks/pay", _SIG + _MAC + "ok = hmac.compare_digest(mac, sig)\n    if not ok: raise PermissionError")),
    "named-and-empty": (_HOOK, _OURS % "def verify_signature(given, body):\n    return True", _OURS % _FITS),
    "named-and-only-there": (_HOOK, _OURS % "def verify_signature(given, body):\n    if not given: abort(403)", _OURS % "def verify_signature(given, body):\n    KEY.verify(given, body)"),
    "declared-fastapi": (_HOOK, _PUSH % ("/webhooks/shop", "pass"), _PUSH % ("/webhooks/shop", "if not hmac.compare_digest(hmac.new(KEY, body, 'sha256').hexdigest(), x_signature): raise HTTPException(401)")),
    "django-meta": (_HOOK, django("import hmac\n@require_POST\ndef hook(request):\n    sig = request.META.get('HTTP_X_SIGNATURE')\n    handle(request.body)\n    return JsonResponse({})\n", view="hook", route="hooks/pay").replace("import path", "import path\nfrom django.views.decorators.http import require_POST"), django("import hmac\n@require_POST\ndef hook(request):\n    sig = request.META.get('HTTP_X_SIGNATURE')\n    if not hmac.compare_digest(sig, mac(request.body)): raise PermissionDenied\n    handle(request.body)\n    return JsonResponse({})\n", view="hook", route="hooks/pay").replace("import path", "import path\nfrom django.views.decorators.http import require_POST")),
    "aiohttp-event-kept": (_HOOK, aiohttp("async def hook(request):\n    event = await request.json()\n    event['signature'] = request.headers['X-Hub-Signature-256']\n    queue.append(event)\n    return web.Response()\n", view="hook", method="post", route="/hook"), aiohttp("async def hook(request):\n    event = await request.json()\n    if request.headers['X-Hub-Signature-256'] != await mac(request): raise web.HTTPForbidden()\n    queue.append(event)\n    return web.Response()\n", view="hook", method="post", route="/hook")),
    "sdk": (_HOOK, _PUSH % ("/hooks/stripe", "log.info(request.headers['Stripe-Signature'])"), _PUSH % ("/hooks/stripe", "stripe.Webhook.construct_event(body, request.headers['Stripe-Signature'], KEY)")),
    # no route of that name: a header in which a sender signs
    "push-declared": (_HOOK, _PUSH % ("/payments/events", "pass"), _PUSH % ("/payments/events", "verify(body, x_signature)")),
    "push-read": (_HOOK, _FLASK % ("/payments", _SIG + "pass"), _FLASK % ("/payments", _EQUAL)),
    "push-hub": (_HOOK, _FLASK % ("/builds", "log.info(request.headers['X-Hub-Signature-256'])"), _FLASK % ("/builds", "if request.headers['X-Hub-Signature-256'] != mac(request.data): abort(403)")),
    "handed-on": (_HOOK, _FLASK % ("/hooks/pay", _SIG + "inbox.put(sig, request.get_data())"), _FLASK % ("/hooks/pay", _SIG + "inbox.check(sig, request.get_data())")),
}  # fmt: skip

QUESTIONS = ("push-declared", "push-read", "push-hub", "handed-on")
"""The rows whose flawed source is a question, not a supported suspicion."""

NO_HOOKS: dict[str, str] = {
    "no header of a signature": _FLASK % ("/payments", "pass"),
    "asked with another header": _FLASK % ("/payments", "log.info(request.headers['X-Request-Id'])"),
    "a body with a signature member": _FLASK % ("/contracts", "store.signed(request.get_json()['signature'])"),
    "what is raised names it": _FLASK % ("/hooks/pay", "try:\n        client.parse(request.data, request.headers)\n    except SignatureError:\n        abort(400)"),
    "what refuses names it": _FLASK % ("/hooks/pay", "if not fits(request):\n        abort(400, 'bad signature')"),
    "a table of tokens": _FLASK % ("/hooks/pay", "shop = SHOPS[request.headers['X-Token']]"),
}  # fmt: skip
