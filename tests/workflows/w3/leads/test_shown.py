"""What a test of a host, a counted row and a row by its number show: each weakness beside the twin that is none."""

from __future__ import annotations

from typing import Final

import pytest

from tests.workflows.w3.leads.cookie_rows import BOTH, OBJECTS, PLAIN, TOKENS
from tests.workflows.w3.leads.session_rows import SESSIONS
from tests.workflows.w3.leads.signer_rows import NOT_SIGNED, OWN_KEYS, SIGNED
from tests.workflows.w3.leads.sources import leads

_HEAD: Final = (
    "import re, requests, sqlite3\nfrom functools import wraps\nfrom urllib.parse import urlsplit\n"
    "from flask import Flask, request, redirect, abort, g, jsonify\napp = Flask('x')\ndb = sqlite3.connect('x')\n"
)
_HOSTS: Final = (
    _HEAD
    + "DOMAIN = 'example.com'\nHOSTS = {'example.com', 'b.example.com'}\nENDS = ('.example.com',)\n"
    + "BARE = ['example.com']\ndef allowed(url):\n    return urlsplit(url).hostname.endswith('example.com')\n"
    + "def listed(url):\n    return urlsplit(url).hostname in HOSTS\ndef is_safe(url):\n    return True\n"
    + "@app.post('/x')\ndef x():\n    url = request.json['url']\n    host = urlsplit(url).hostname\n"
    + "    if not {0}: abort(400)\n    requests.get(url)\n    return redirect(url)\n"
)
_LOOSE: Final = (
    "host.endswith('example.com')", "host.endswith(DOMAIN)", "urlsplit(url).hostname.endswith('example.com')",
    "urlsplit(url).netloc.endswith(('a.com', '.b.com'))", "any(host.endswith(one) for one in BARE)",
    "url.startswith('https://example.com')", "'example.com' in url", "'example.com' in host", "DOMAIN in url",
    "url.find('example.com') != -1", "url.count('example.com') > 0", "re.search(r'example\\.com', host)",
    "re.match(r'https://example\\.com', url)", "re.match(r'.*example\\.com$', host)", "url.endswith('.example.com')",
    "host.startswith('example.com')", "allowed(url)", "is_safe(url)",
)  # fmt: skip
_STRICT: Final = (
    "host.endswith('.example.com')", "host == 'example.com'", "host in HOSTS", "host in {'example.com'}",
    "(host == 'example.com' or host.endswith('.example.com'))", "host.endswith('.' + DOMAIN)", "host.endswith(ENDS)",
    "any(host.endswith(one) for one in ENDS)", "url.startswith('https://example.com/')", "listed(url)",
    "re.fullmatch(r'([a-z]+\\.)?example\\.com', host)", "re.match(r'https://example\\.com/', url)",
    "re.match(r'^https://example\\.com(/|$)', url)", "urlsplit(url).hostname == DOMAIN", "url in HOSTS",
)  # fmt: skip
_RULES: Final = {"address-by-request", "redirect-by-request"}


@pytest.mark.parametrize("test", _LOOSE)
def test_a_host_that_another_host_passes_is_not_checked(test: str) -> None:
    assert {one.rule for one in leads(_HOSTS.replace("{0}", test))} & _RULES == _RULES


@pytest.mark.parametrize("test", _STRICT)
def test_a_host_that_is_one_of_known_ones_is_checked(test: str) -> None:
    assert {one.rule for one in leads(_HOSTS.replace("{0}", test))} & _RULES == set()


_PAY: Final = _HEAD + "@app.post('/pay')\ndef pay():\n    amount = int(request.json['amount'])\n"
_READ: Final = "db.execute('SELECT balance FROM accounts WHERE id = ?{0}', (g.user,)).fetchone()\n"
_SHORT: Final = "    if row[0] < amount: abort(409)\n"
_SET: Final = (
    "    db.execute('UPDATE accounts SET balance = ? WHERE id = ?', (row[0] - amount, g.user))\n    db.commit()\n"
)
_OBJECT: Final = "acc = db.session.get(Account, g.user{0})\n"
_TAKE: Final = "if acc.balance < amount: abort(409)\n{0}acc.balance -= amount\n{0}db.session.commit()\n"
_IN: Final = "    " + _OBJECT.format("") + "    " + _TAKE.format("    ")
_BELOW: Final = "        " + _OBJECT.format("") + "        " + _TAKE.format("        ")
_COUNTS: Final = {
    "statement": ("    row = " + _READ.format("") + _SHORT + _SET, ["supported"]),
    "statement that subtracts": (
        "    cur = db.cursor()\n    cur.execute('SELECT balance FROM accounts WHERE id = %s', (g.user,))\n"
        "    (balance,) = cur.fetchone()\n    if balance < amount: abort(409)\n"
        "    cur.execute('UPDATE accounts SET balance = balance - %s WHERE id = %s', (amount, g.user))\n",
        ["supported"]),
    "object": (_IN, ["supported"]),
    "object beside a clock": ("    clock.tick()\n" + _IN, ["supported"]),
    "object by a query": (
        "    acc = Account.query.filter_by(id=g.user).first()\n    if amount > acc.balance: abort(409)\n"
        "    acc.balance = acc.balance - amount\n    db.session.commit()\n", ["supported"]),
    "coupon": (
        "    coupon = Coupon.objects.get(code=request.form['code'])\n    if coupon.remaining < 1: abort(409)\n"
        "    coupon.remaining -= 1\n    coupon.save()\n", ["supported"]),
    "in one transaction": ("    with transaction.atomic():\n" + _BELOW, ["hypothesis"]),
    "in memory": (
        "    acc = accounts[g.user]\n    if acc['balance'] < amount: abort(409)\n    acc['balance'] -= amount\n",
        ["hypothesis"]),
    "for update": ("    row = " + _READ.format(" FOR UPDATE") + _SHORT + _SET, []),
    "object for update": ("    " + _OBJECT.format(", with_for_update=True") + "    " + _TAKE.format("    "), []),
    "condition": (
        "    row = " + _READ.format("") + _SHORT + "    db.execute('UPDATE accounts SET balance = balance - ? "
        "WHERE id = ? AND balance >= ?', (amount, g.user, amount))\n", []),
    "as it was read": (
        "    row = " + _READ.format("") + _SHORT + "    db.execute('UPDATE accounts SET balance = ? WHERE id = ? AND "
        "balance = ?', (row[0] - amount, g.user, row[0]))\n", []),
    "serializable": ("    db.execute('SET TRANSACTION ISOLATION LEVEL SERIALIZABLE')\n" + _IN, []),
    "serializable block": ("    with db.begin(isolation_level='SERIALIZABLE'):\n" + _BELOW, []),
    "immediate": ("    db.execute('BEGIN IMMEDIATE')\n    row = " + _READ.format("") + _SHORT + _SET, []),
    "lock": ("    with lock:\n" + _BELOW, []),
}  # fmt: skip


@pytest.mark.parametrize("name", _COUNTS)
def test_a_row_that_is_read_compared_and_written_in_one_function_is_shown(name: str) -> None:
    body, states = _COUNTS[name]
    found = [one for one in leads(_PAY + body) if one.rule == "check-then-act"]
    assert ["hypothesis" if one.lacks else "supported" for one in found] == states


_MARKED: Final = (
    "def signed(view):\n    @wraps(view)\n    def inner(*a, **k):\n"
    "        if request.headers.get('X-Token') != TOKEN: abort(401)\n        return view(*a, **k)\n    return inner\n"
)
_ROW: Final = "    return jsonify(db.execute('SELECT * FROM {0} WHERE id = ?', (n,)).fetchone())\n"
_SQL: Final = (
    "    sql = 'SELECT * FROM claims WHERE claim_id = %s'\n"
    + "    cur.execute(sql, (n,))\n    return jsonify(cur.fetchone())\n"
)
_ROWS: Final = {
    "invoices of anybody": ("invoices", "", _ROW.format("invoices"), ["hypothesis"]),
    "shipments": ("shipments", "@signed\n", _ROW.format("shipments"), ["hypothesis"]),
    "a kept statement": ("claims", "@signed\n", _SQL, ["hypothesis"]),
    "a statement with a name": (
        "claims", "@signed\n",
        "    return jsonify(db.execute(text('SELECT * FROM claims WHERE id = :id'), {'id': n}).fetchone())\n",
        ["hypothesis"]),
    "a statement put together": (
        "claims", "@signed\n", "    return jsonify(db.execute(f'SELECT * FROM claims WHERE id = {n}').fetchone())\n",
        ["hypothesis"]),
    "a row that goes": (
        "claims", "@signed\n", "    db.execute('DELETE FROM claims WHERE id = ?', (n,))\n    return ''\n",
        ["hypothesis"]),
    "with its owner": (
        "claims", "@signed\n",
        "    return jsonify(db.execute('SELECT * FROM claims WHERE id = ? AND owner_id = ?', (n, g.user)).one())\n",
        []),
    "asked afterwards": (
        "claims", "@signed\n", "    row = db.execute('SELECT * FROM claims WHERE id = ?', (n,)).fetchone()\n"
        "    if row[1] != g.user_id: abort(404)\n    return jsonify(row)\n", []),
    "products": ("products", "@signed\n", _ROW.format("products"), []),
    "countries": ("countries", "", _ROW.format("countries"), []),
    "articles": ("articles", "@signed\n", _ROW.format("articles"), []),
    "gauges of anybody": ("gauges", "", _ROW.format("gauges"), []),
    "a table without an owner": (
        "gauges", "@signed\n",
        "    db.execute('CREATE TABLE gauges (id INTEGER, height REAL)')\n" + _ROW.format("gauges"),
        []),
}  # fmt: skip


@pytest.mark.parametrize("name", _ROWS)
def test_a_row_by_its_number_may_be_somebodys(name: str) -> None:
    thing, mark, body, states = _ROWS[name]
    code = f"{_HEAD}{_MARKED}@app.get('/{thing}/<int:n>')\n{mark}def show(n):\n{body}"
    found = [one for one in leads(code) if one.rule == "object-without-owner-check"]
    assert ["hypothesis" if one.lacks else "supported" for one in found] == states


_SENT: Final = {
    **{name: (code, []) for name, code in SIGNED.items()},
    **{name: (code, ["supported"]) for name, code in NOT_SIGNED.items()},
    **{name: (code, ["hypothesis"]) for name, code in OWN_KEYS.items()},
}


@pytest.mark.parametrize("name", _SENT)
def test_no_user_calls_behind_the_signature_of_another_service(name: str) -> None:
    code, states = _SENT[name]
    found = [one for one in leads(code) if one.rule == "object-without-owner-check"]
    assert ["hypothesis" if one.lacks else "supported" for one in found] == states


_COOKIES: Final = ("verification-disabled", "unsafe-deserialisation")
_HOLDING: Final = {
    **{f"token: {name}": (code, _COOKIES[:1]) for name, code in TOKENS.items()},
    **{f"plain: {name}": (code, ()) for name, code in PLAIN.items()},
    **{f"object: {name}": (code, _COOKIES[1:]) for name, code in OBJECTS.items()},
    "two cookies": (BOTH, _COOKIES),
}


@pytest.mark.parametrize("name", _HOLDING)
def test_a_cookie_is_a_token_where_who_calls_or_a_decision_rests_on_it(name: str) -> None:
    code, rules = _HOLDING[name]
    found = leads(code)
    assert sorted(one.rule for one in found if one.rule in _COOKIES) == sorted(rules)
    assert not any(one.lacks for one in found if one.rule in _COOKIES)


@pytest.mark.parametrize("name", SESSIONS)
def test_a_session_that_holds_somebody_says_not_whose_an_object_is(name: str) -> None:
    code, states = SESSIONS[name]
    found = [one for one in leads(code) if one.rule == "object-without-owner-check"]
    assert ["hypothesis" if one.lacks else "supported" for one in found] == states


@pytest.mark.parametrize("text", ("/srv/files", "10.0.0.7", "kim@example.com", "files"))
def test_a_place_or_an_address_is_no_secret(text: str) -> None:
    assert leads(f"ROOT = {text!r}\nHOST = {text!r}\n", "secret-in-source") == ()
