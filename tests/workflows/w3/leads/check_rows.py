# ruff: noqa: E501  (a row is one source on one line)
"""Checks that keep nothing from its use: they only log, come too late, ask another parameter, or cut a name short."""

from __future__ import annotations

from tests.workflows.w3.leads.heads import FASTAPI, FLASK

_HEAD = "import os, re, logging, sqlite3\nfrom pathlib import Path\nfrom urllib.parse import urlsplit\nfrom flask import redirect, send_file\nlog = logging.getLogger('x')\ndb = sqlite3.connect('x')\nROOT = Path('/srv/files').resolve()\nBASE = '/srv/files'\nHOSTS = {'a.example'}\n"
_FULL = "full = (ROOT / request.args['name']).resolve()"
_ABS = "full = os.path.abspath(os.path.join(BASE, request.args['name']))"
_TO = "to = request.args['next']"
_IN = "if not full.is_relative_to(ROOT): "
_FAST = (
    FASTAPI
    + _HEAD
    + "@app.get('/x')\ndef x(name: str, other: str = ''):\n    full = (ROOT / name).resolve()\n    if not {0}.is_relative_to(ROOT): raise HTTPException(404)\n    return full.read_text()\n"
)


def _flask(*lines: str, before: str = "") -> str:
    body = "".join(f"    {one}\n" for line in lines for one in line.split("\n"))
    return f"{FLASK}{_HEAD}{before}@app.get('/x')\ndef x():\n{body}"


_READ, _GO = "return full.read_text()", "return redirect(to)"
_FILE, _REDIRECT, _SQL = "file-by-request", "redirect-by-request", "sql-by-string"
CHECKS: dict[str, tuple[str, str, str]] = {
    # only told
    "file-only-logged": (_FILE, _flask(_FULL, _IN + "log.warning('odd')", _READ), _flask(_FULL, _IN + "\n    log.warning('odd')\n    abort(404)", _READ)),
    "file-outcome-only-logged": (_FILE, _flask(_FULL, "ok = full.is_relative_to(ROOT)", "if not ok: log.warning('odd')", _READ), _flask(_FULL, "ok = full.is_relative_to(ROOT)", "if not ok: abort(404)", _READ)),
    "file-outcome-unread": (_FILE, _flask(_FULL, "ok = full.is_relative_to(ROOT)", _READ), _flask(_FULL, "ok = full.is_relative_to(ROOT)", "return full.read_text() if ok else ''")),
    "file-outcome-thrown-away": (_FILE, _flask(_FULL, "full.is_relative_to(ROOT)", _READ), _flask(_FULL, "full.relative_to(ROOT)", _READ)),
    "file-caught": (_FILE, _flask(_FULL, "try: full.relative_to(ROOT)\nexcept ValueError: log.warning('odd')", _READ), _flask(_FULL, "try: full.relative_to(ROOT)\nexcept ValueError: abort(404)", _READ)),
    "file-passed": (_FILE, _flask(_FULL, _IN + "pass", _READ), _flask(_FULL, _IN + "return ''", _READ)),
    "redirect-only-logged": (_REDIRECT, _flask(_TO, "if urlsplit(to).netloc not in HOSTS: log.warning('odd')", _GO), _flask(_TO, "if urlsplit(to).netloc not in HOSTS: to = '/'", _GO)),
    "redirect-netloc-only-logged": (_REDIRECT, _flask(_TO, "if urlsplit(to).netloc: log.warning('odd')", _GO), _flask(_TO, "if urlsplit(to).netloc: abort(400)", _GO)),
    "redirect-scheme": (_REDIRECT, _flask(_TO, "if urlsplit(to).scheme not in ('http', 'https', ''): abort(400)", _GO), _flask(_TO, "if urlsplit(to).scheme or urlsplit(to).netloc: abort(400)", _GO)),
    "sql-only-logged": (_SQL, _flask("by = request.args['by']", "if by not in ('id', 'name'): log.warning('odd')", "return jsonify(db.execute(f'SELECT * FROM t ORDER BY {by}').fetchall())"), _flask("by = request.args['by']", "if by not in ('id', 'name'): abort(400)", "return jsonify(db.execute(f'SELECT * FROM t ORDER BY {by}').fetchall())")),
    # another parameter
    "file-other-parameter": (_FILE, _flask(_FULL, "if '..' in request.args['other']: abort(404)", _READ), _flask(_FULL, "if '..' in request.args['name']: abort(404)", _READ)),
    "file-other-get": (_FILE, _flask("args = request.args", "full = ROOT / args['name']", "if '..' in args.get('other', ''): abort(404)", _READ), _flask("args = request.args", "full = ROOT / args['name']", "if '..' in args.get('name', ''): abort(404)", _READ)),
    "file-other-fastapi": (_FILE, _FAST.replace("{0}", "Path(other)"), _FAST.replace("{0}", "full")),
    "redirect-other": (_REDIRECT, _flask(_TO, "if urlsplit(request.args['from']).netloc not in HOSTS: abort(400)", _GO), _flask(_TO, "if urlsplit(request.args['next']).netloc not in HOSTS: abort(400)", _GO)),
    # after the use
    "file-late": (_FILE, _flask(_FULL, "text = full.read_text()", _IN + "abort(404)", "return text"), _flask(_FULL, _IN + "abort(404)", "text = full.read_text()", "return text")),
    "file-late-removed": (_FILE, _flask(_FULL, "os.remove(full)", _IN + "abort(404)", "return ''"), _flask(_FULL, _IN + "abort(404)", "os.remove(full)", "return ''")),
    "file-late-function": (_FILE, _flask(_FULL, "text = full.read_text()", "check(full)", "return text"), _flask(_FULL, "check(full)", "text = full.read_text()", "return text")),
    "sql-late": (_SQL, _flask("by = request.args['by']", "rows = db.execute(f'SELECT * FROM t ORDER BY {by}').fetchall()", "if by not in ('id', 'name'): abort(400)", "return jsonify(rows)"), _flask("by = request.args['by']", "if by not in ('id', 'name'): abort(400)", "rows = db.execute(f'SELECT * FROM t ORDER BY {by}').fetchall()", "return jsonify(rows)")),
    # no separator
    "file-beside": (_FILE, _flask(_ABS, "if not full.startswith(BASE): abort(404)", "return open(full).read()"), _flask(_ABS, "if not full.startswith(BASE + os.sep): abort(404)", "return open(full).read()")),
    "file-beside-text": (_FILE, _flask(_ABS, "if not full.startswith('/srv/files'): abort(404)", "return send_file(full)"), _flask(_ABS, "if not full.startswith('/srv/files/'): abort(404)", "return send_file(full)")),
    "file-beside-real": (_FILE, _flask("base = os.path.realpath('files')", "full = os.path.realpath(os.path.join(base, request.args['name']))", "if not full.startswith(base): abort(404)", "return open(full).read()"), _flask("base = os.path.realpath('files')", "full = os.path.realpath(os.path.join(base, request.args['name']))", "if not full.startswith(os.path.join(base, '')): abort(404)", "return open(full).read()")),
    "file-beside-path": (_FILE, _flask(_FULL, "if not str(full).startswith(str(ROOT)): abort(404)", _READ), _flask(_FULL, "if not str(full).startswith(f'{ROOT}/'): abort(404)", _READ)),
    "file-beside-or-equal": (_FILE, _flask(_ABS, "if not full.startswith(BASE): abort(404)", "if os.path.isdir(full): abort(404)", "return open(full).read()"), _flask(_ABS, "if os.path.commonpath([full, BASE]) != BASE: abort(404)", "return open(full).read()")),
    "file-beside-list": (_FILE, _flask(_ABS, "if not full.startswith(('/srv/a', '/srv/b')): abort(404)", "return open(full).read()"), _flask(_ABS, "if not full.startswith(('/srv/a/', '/srv/b/')): abort(404)", "return open(full).read()")),
}  # fmt: skip
BESIDE = tuple(name for name in CHECKS if name.startswith("file-beside"))
"""The rows whose flawed source needs a folder beside the one meant: a question."""
