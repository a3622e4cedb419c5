# ruff: noqa: E501  (a row is one source on one line)
"""Objects by the caller's number behind a session that is only asked whether it holds anybody."""

from __future__ import annotations

from typing import Final

from tests.workflows.w3.leads.heads import FLASK

_HEAD: Final = (
    FLASK
    + "import sqlite3\nfrom flask import redirect\ndb = sqlite3.connect('x')\n{before}@app.get('/{thing}/<int:n>')\ndef show(n):\n{body}"
)
_IN: Final = "if 'user' not in session: abort(401)"
_ORDERS: Final = "ORDERS = {}\n"
_OWNED: Final = "ORDERS = {1: {'id': 1, 'owner': 'kim'}}\n"
_GET: Final = "return jsonify(ORDERS[n])"


def _row(*lines: str, before: str = _ORDERS, thing: str = "orders") -> str:
    body = "".join(f"    {line}\n" for line in lines)
    return _HEAD.replace("{before}", before).replace("{thing}", thing).replace("{body}", body)


def _sql(table: str, where: str = "id = ?", given: str = "(n,)") -> str:
    return f"return jsonify(db.execute('SELECT * FROM {table} WHERE {where}', {given}).fetchone())"


SESSIONS: dict[str, tuple[str, list[str]]] = {
    "orders": (_row(_IN, _GET), ["supported"]),
    "with an owner": (_row(_IN, _GET, before=_OWNED), ["supported"]),
    "nobody there": (_row("if not session.get('user'): abort(401)", _GET), ["supported"]),
    "none there": (_row("if session.get('user') is None: return redirect('/login')", _GET), ["supported"]),
    "by a name": (_row("who = session.get('user')", "if not who: abort(401)", _GET), ["supported"]),
    "parcels": (_row(_IN, "return jsonify(PARCELS[n])", before="PARCELS = {}\n", thing="parcels"), ["hypothesis"]),
    "parcels by get": (_row(_IN, "return jsonify(PARCELS.get(n))", before="PARCELS = dict()\n", thing="parcels"), ["hypothesis"]),
    "row of parcels": (_row(_IN, _sql("parcels"), thing="parcels"), ["hypothesis"]),
    "row of invoices": (_row(_IN, _sql("invoices"), thing="invoices"), ["supported"]),
    "owner asked": (_row(_IN, "if ORDERS[n]['owner'] != session['user']: abort(404)", _GET), []),
    "owner asked by get": (_row(_IN, "one = ORDERS[n]", "if one['owner'] != session.get('user'): abort(403)", "return jsonify(one)"), []),
    "owner in the statement": (_row(_IN, _sql("orders", "id = ? AND owner = ?", "(n, session['user'])")), []),
    "a right": (_row("if not session.get('is_admin'): abort(403)", _GET), []),
    "a role": (_row("if session.get('role') != 'staff': abort(403)", _GET), []),
    "own orders": (_row(_IN, "return jsonify(of(session['user'], n))"), []),
    "products": (_row(_IN, "return jsonify(PRODUCTS[n])", before="PRODUCTS = {}\n", thing="products"), []),
    "constants": (_row(_IN, "return NAMES[n]", before="NAMES = {1: 'one'}\n", thing="names"), []),
    "nobody asked": (_row("return jsonify(PARCELS[n])", before="PARCELS = {}\n", thing="parcels"), []),
}  # fmt: skip
