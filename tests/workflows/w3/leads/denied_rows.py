# ruff: noqa: E501  (a row is one source on one line)
"""Lists of what is turned away, which stop nothing that is on no list, beside lists of what is let in."""

from __future__ import annotations

from tests.workflows.w3.leads.heads import FASTAPI, FLASK

_FETCH = (
    FLASK
    + "import re, requests, settings\nfrom urllib.parse import urlsplit\n%s\n@app.get('/x')\ndef x():\n    url = request.args['url']\n    %s\n    return requests.get(url).text\n"
)
_LEAD = (
    FASTAPI
    + "from fastapi.responses import RedirectResponse\nfrom urllib.parse import urlsplit\n@app.get('/x')\ndef x(to: str = '/'):\n    %s\n    return RedirectResponse(to)\n"
)
_FILE = (
    FLASK
    + "@app.get('/x')\ndef x():\n    name = request.args['name']\n    %s\n    return open('/srv/files/' + name).read()\n"
)


def _fetch(lines: str, before: str = "") -> str:
    return _FETCH % (before, lines)


_HOST = "host = urlsplit(url).hostname\n    "
_ADDRESS, _REDIRECT, _OPENED = "address-by-request", "redirect-by-request", "file-by-request"
DENIED: dict[str, tuple[str, str, str]] = {
    "deny-loop": (_ADDRESS, _fetch("for bad in ('http://127', 'http://localhost'):\n        if url.startswith(bad): abort(400)"), _fetch("for good in ('https://a.example/', 'https://b.example/'):\n        if url.startswith(good): break\n    else: abort(400)")),
    "deny-any": (_ADDRESS, _fetch("if any(url.startswith(bad) for bad in ('http://127.', 'http://10.')): abort(400)"), _fetch("if not any(url.startswith(good) for good in ('https://a.example/',)): abort(400)")),
    "deny-hosts": (_ADDRESS, _fetch(_HOST + "if host in ('localhost', '127.0.0.1'): abort(400)"), _fetch(_HOST + "if host not in ('a.example', 'b.example'): abort(400)")),
    "deny-host-loop": (_ADDRESS, _fetch(_HOST + "for bad in ('localhost', '127.0.0.1'):\n        if host == bad: abort(400)"), _fetch(_HOST + "for good in ('a.example', 'b.example'):\n        if host == good: break\n    else: abort(400)")),
    "deny-host-list": (_ADDRESS, _fetch("for bad in BAD:\n        if bad in url: abort(400)", "BAD = ['localhost', '169.254']"), _fetch(_HOST + "if host not in GOOD: abort(400)", "GOOD = {'a.example'}")),
    "deny-flag": (_ADDRESS, _fetch("good = True\n    for bad in ('http://127.',):\n        if url.startswith(bad): good = False\n    if not good: abort(400)"), _fetch("good = False\n    for one in ('https://a.example/',):\n        if url.startswith(one): good = True\n    if not good: abort(400)")),
    "deny-function": (_ADDRESS, _fetch("if not ok(url): abort(400)", "def ok(url):\n    for bad in ('localhost', '10.'):\n        if bad in url: return False\n    return True"), _fetch("if not ok(url): abort(400)", "def ok(url):\n    for good in ('https://a.example/',):\n        if url.startswith(good): return True\n    return False")),
    "deny-setting": (_ADDRESS, _fetch("if any(bad in url for bad in settings.BLOCKED): abort(400)"), _fetch(_HOST + "if host not in settings.HOSTS: abort(400)")),
    "deny-pattern": (_ADDRESS, _fetch("if re.match(r'https?://(localhost|127)', url): abort(400)"), _fetch("if not re.fullmatch(r'https://a\\.example/.*', url): abort(400)")),
    "scheme-only": (_ADDRESS, _fetch("if urlsplit(url).scheme not in ('http', 'https'): abort(400)"), _fetch("if urlsplit(url).scheme != 'https' or urlsplit(url).hostname != 'a.example': abort(400)")),
    "deny-lead-loop": (_REDIRECT, _LEAD % "for bad in ('http://', 'https://'):\n        if to.startswith(bad): raise HTTPException(400)", _LEAD % "for good in ('/a', '/b'):\n        if to == good: break\n    else: raise HTTPException(400)"),
    "deny-lead-reset": (_REDIRECT, _LEAD % "for bad in ('http:', '//'):\n        if to.startswith(bad): to = '/'", _LEAD % "if urlsplit(to).netloc: to = '/'"),
    "deny-lead-host": (_REDIRECT, _LEAD % "if urlsplit(to).netloc in ('evil.example',): to = '/'", _LEAD % "if urlsplit(to).netloc not in ('', 'a.example'): to = '/'"),
    "deny-file-loop": (_OPENED, _FILE % "for bad in ('/etc', '~'):\n        if bad in name: abort(400)", _FILE % "for bad in ('..', '/'):\n        if bad in name: abort(400)"),
    "deny-file-start": (_OPENED, _FILE % "if name.startswith(('../', '/')): abort(400)", _FILE % "if '..' in name or name.startswith('/'): abort(400)"),
    "deny-file-names": (_OPENED, _FILE % "if name in ('secret.txt', '.env'): abort(404)", _FILE % "if name not in ('a.txt', 'b.txt'): abort(404)"),
    "deny-file-ending": (_OPENED, _FILE % "if any(name.endswith(bad) for bad in ('.py', '.env')): abort(404)", _FILE % "for good in ('a.txt', 'b.txt'):\n        if name == good: break\n    else: abort(404)"),
}  # fmt: skip
