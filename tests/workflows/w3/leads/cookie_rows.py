# ruff: noqa: E501  (a row is one source on one line)
"""Cookies that are unpacked without a check: tokens where who calls or a decision rests on them, and plain ones."""

from __future__ import annotations

from typing import Final

from tests.workflows.w3.leads.heads import FASTAPI, FLASK

_HEAD: Final = "import base64, json, pickle, zlib, yaml\n"
_ROUTE: Final = (
    FLASK
    + _HEAD
    + "@app.get('/x')\ndef x():\n    p = json.loads(base64.b64decode(request.cookies.get('{0}', 'e30=')))\n{1}"
)
_FAST: Final = (
    FASTAPI
    + _HEAD
    + "def {0}({1}: str = Cookie('')):\n    return json.loads(base64.urlsafe_b64decode({1}))\n@app.get('/x')\ndef x(p=Depends({0})):\n    return {2}\n"
)


def _flask(name: str, *lines: str) -> str:
    return _ROUTE.replace("{0}", name).replace("{1}", "".join(f"    {line}\n" for line in lines))


TOKENS: dict[str, str] = {
    "role": _flask("prefs", "return jsonify({'admin': p.get('role') == 'admin'})"),
    "user id": _flask("state", "return jsonify(store.of(p['user_id']))"),
    "refused by it": _flask("prefs", "if p.get('plan') != 'pro': abort(403)", "return 'report'"),
    "refused by a name": _flask("prefs", "plan = p['plan']", "if plan not in ('pro', 'team'): abort(403)", "return 'report'"),
    "noted": _flask("who", "g.user = p", "return 'ok'"),
    "kept in the session": _flask("who", "session['user'] = p['nick']", "return 'ok'"),
    "a principal": _flask("who", "user = p['nick']", "return jsonify(store.of(user))"),
    "a session's id": _flask("session", "return jsonify(store.of(p['id']))"),
    "a session as a whole": _flask("session", "return render(p)"),
    "dependency": _FAST.format("current_user", "who", "store.of(p)"),
    "dependency's member": _FAST.format("unpacked", "state", "store.of(p['user'])"),
}  # fmt: skip
PLAIN: dict[str, str] = {
    "theme": _flask("prefs", "return jsonify({'theme': p.get('theme', 'light')})"),
    "language": _flask("prefs", "lang = p['lang']", "if lang not in ('de', 'en'): lang = 'en'", "return render(lang)"),
    "a session's theme": _flask("session", "return jsonify({'theme': p['theme']})"),
    "unknown theme": _flask("prefs", "if p.get('theme') not in ('light', 'dark'): abort(400)", "return p['theme']"),
    "as a whole": _flask("prefs", "return jsonify(p)"),
    "basket": _flask("basket", "return jsonify([store.price(one) for one in p['items']])"),
    "dependency": _FAST.format("preferences", "prefs", "{'theme': p['theme']}"),
    "beside a session": _flask("prefs", "me = store.session(request.cookies['sid'])", "if me is None: abort(401)", "return jsonify({'theme': p['theme']})"),
}  # fmt: skip
_OBJECT: Final = FLASK + _HEAD + "@app.post('/x')\ndef x():\n    {0}\n    return jsonify({1})\n"
OBJECTS: dict[str, str] = {
    "pickle": _OBJECT.format("p = pickle.loads(base64.b64decode(request.cookies['state']))", "p"),
    "pickle of a session": _OBJECT.format("p = pickle.loads(base64.b64decode(request.cookies['session']))", "p['user']"),
    "over a name": _OBJECT.format("raw = base64.b64decode(request.cookies['session'])\n    p = pickle.loads(raw)", "p['user']"),
    "unpacked twice": _OBJECT.format("p = pickle.loads(zlib.decompress(base64.b64decode(request.cookies['session'])))", "p"),
    "yaml": _OBJECT.format("p = yaml.load(base64.b64decode(request.cookies['session']), Loader=yaml.Loader)", "p['user']"),
    "a header": _OBJECT.format("p = pickle.loads(base64.b64decode(request.headers['Authorization']))", "p"),
}  # fmt: skip
BOTH: Final = _OBJECT.format(
    "p = pickle.loads(base64.b64decode(request.cookies['state']))\n    s = json.loads(base64.b64decode(request.cookies['session']))",
    "s['user']",
)
"""Two cookies, each with a weakness of its own."""
