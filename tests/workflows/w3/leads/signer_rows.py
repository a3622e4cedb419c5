# ruff: noqa: E501  (a row is one source on one line)
"""Messages whose signature fits, and look-alikes that ask for nothing: only behind the first does no user call."""

from __future__ import annotations

from typing import Final

from tests.workflows.w3.leads.heads import FASTAPI, FLASK

_HEAD: Final = "import hmac, hashlib, json, os, sqlite3, logging\nfrom functools import wraps\nlog = logging.getLogger('x')\ndb = sqlite3.connect('x')\nKEY = os.environ['K'].encode()\nclass Order:\n    id: int\n    owner_id: int\n    text: str\nORDERS: dict[int, Order] = {}\n"
_MAC: Final = "mac = hmac.new(KEY, request.get_data(), hashlib.sha256).hexdigest()"
_SENT: Final = "request.headers.get('X-Signature', '')"
_WORK: Final = "ORDERS[request.get_json()['id']].text = 'paid'"


def _flask(lines: str, before: str = "", mark: str = "") -> str:
    body = "".join(f"    {line}\n" for line in lines.split("\n"))
    return f"{FLASK}{_HEAD}{before}@app.post('/orders/paid')\n{mark}def paid():\n{body}    return ''\n"


def _asked(test: str, then: str = "abort(401)", work: str = _WORK) -> str:
    return _flask(f"{_MAC}\nif {test}: {then}\n{work}")


_FAST: Final = (
    (FASTAPI + _HEAD).replace("{}", "{{}}")
    + "{0}@app.post('/orders/paid')\nasync def paid(request: Request{1}):\n    body = await request.body()\n{2}    event = json.loads(body)\n    ORDERS[event['id']].text = 'paid'\n    return {{}}\n"
)
_FIT: Final = f"not hmac.compare_digest(mac, {_SENT})"
_DEPENDS: Final = "async def signed(request: Request):\n    mac = hmac.new(KEY, await request.body(), 'sha256').hexdigest()\n    if not hmac.compare_digest(mac, request.headers['X-Signature']): raise HTTPException(401)\n"
_HELPER: Final = f"def signed():\n    {_MAC}\n    if {_FIT}: abort(401)\n"
_WRAP: Final = f"def signed(f):\n    @wraps(f)\n    def inner(*a, **k):\n        {_MAC}\n        if {_FIT}: abort(401)\n        return f(*a, **k)\n    return inner\n"
_BEFORE: Final = f"@app.before_request\ndef signed():\n    {_MAC}\n    if {_FIT}: abort(401)\n"
_SOME: Final = f"@app.before_request\ndef signed():\n    if 'X-Signature' in request.headers:\n        {_MAC}\n        if {_FIT}: abort(401)\n"

SIGNED: dict[str, str] = {
    "compare_digest": _asked(_FIT),
    "row": _asked(_FIT, work="db.execute('update invoices set paid=1 where id=?', (request.get_json()['id'],))"),
    "selected row": _asked(_FIT, work="db.execute('select * from invoices where id=?', (request.get_json()['id'],))"),
    "by a name": _flask(f"{_MAC}\nok = hmac.compare_digest(mac, {_SENT})\nif not ok: return '', 401\n{_WORK}"),
    "unequal": _asked(f"mac != {_SENT}"),
    "there and fitting": _asked(f"not {_SENT} or {_FIT}"),
    "within": _flask(f"{_MAC}\nif hmac.compare_digest(mac, {_SENT}):\n    {_WORK}"),
    "otherwise": _flask(f"{_MAC}\nif {_FIT}: log.warning('no')\nelse: {_WORK}"),
    "raised": _asked(_FIT, "raise PermissionError"),
    "helper that refuses": _flask(f"signed()\n{_WORK}", _HELPER),
    "helper that answers": _flask(f"if not fits(): abort(403)\n{_WORK}", f"def fits():\n    {_MAC}\n    return hmac.compare_digest(mac, {_SENT})\n"),
    "decorator": _flask(_WORK, _WRAP, "@signed\n"),
    "before every request": _flask(_WORK, _BEFORE),
    "library": _flask(f"SHOP.verify(request.get_data(), request.headers['X-Signature'])\n{_WORK}", "from nacl.signing import VerifyKey\nSHOP = VerifyKey(KEY)\n"),
    "fastapi": _FAST.format("", "", "    mac = hmac.new(KEY, body, hashlib.sha256).hexdigest()\n    if not hmac.compare_digest(mac, request.headers['X-Signature']): raise HTTPException(401)\n"),
    "fastapi header": _FAST.format("", ", x_signature: str = Header('')", "    mac = hmac.new(KEY, body, hashlib.sha256).hexdigest()\n    if not hmac.compare_digest(mac, x_signature): raise HTTPException(401)\n"),
    "fastapi dependency": _FAST.format(_DEPENDS, ", ok: None = Depends(signed)", ""),
}  # fmt: skip

NOT_SIGNED: dict[str, str] = {
    "another code": _asked(_FIT).replace("request.get_data()", "b'constant'"),
    "only if sent": _flask(f"if 'X-Signature' in request.headers:\n    {_MAC}\n    if {_FIT}: abort(401)\n{_WORK}"),
    "sent and wrong": _asked(f"{_SENT} and {_FIT}"),
    "too late": _flask(f"{_WORK}\n{_MAC}\nif {_FIT}: abort(401)"),
    "behind the other way": _flask(f"{_MAC}\nif hmac.compare_digest(mac, {_SENT}): log.info('ok')\n{_WORK}"),
    "helper not asked": _flask(f"fits()\n{_WORK}", f"def fits():\n    {_MAC}\n    if {_FIT}: return False\n    return True\n"),
    "before some requests": _flask(_WORK, _SOME),
}  # fmt: skip

OWN_KEYS: dict[str, str] = {
    "key by a header": _asked(_FIT).replace("new(KEY,", "new(KEYS[request.headers['X-Shop']],"),
    "key by the body": _asked(_FIT).replace("new(KEY,", "new(key_of(request.get_json()['shop']),"),
}  # fmt: skip
