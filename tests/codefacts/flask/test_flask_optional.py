"""A decorator or call that is told to let callers without credentials pass is no guard."""

from __future__ import annotations

import pytest

from evreview.codefacts.aiohttp.read import read_aiohttp
from evreview.codefacts.control_flow import events_of
from evreview.codefacts.flask.read import read_flask
from evreview.codefacts.guards.framework_conventions import CALLS, CallRule, called_guards
from evreview.codefacts.names import Definition
from tests.codefacts.routes import only
from tests.codefacts.snippets import modules

HEAD = """from flask import Flask, abort, current_app
from flask_httpauth import HTTPTokenAuth
from flask_jwt_extended import get_jwt_identity, jwt_optional, jwt_required, verify_jwt_in_request
app = Flask(__name__)
auth = HTTPTokenAuth()
OPEN, CLOSED = True, False
"""
DECORATED = {
    "@jwt_required()": [("authentication", 0)],
    "@jwt_required(optional=False)": [("authentication", 0)],
    "@jwt_required(optional=CLOSED)": [("authentication", 0)],
    "@jwt_required(optional=True)": [],
    "@jwt_required(True)": [],
    "@jwt_required(optional=OPEN)": [],
    "@jwt_required(optional=current_app.config['OPEN'])": [("authentication", 1)],
    "@jwt_optional": [],
    "@auth.login_required": [("authentication", 0)],
    "@auth.login_required(role='a')": [("authentication", 0)],
    "@auth.login_required(optional=True)": [],
}
CALLED = {
    "verify_jwt_in_request()": [("authentication", 0)],
    "verify_jwt_in_request(optional=True)": [],
    "if current_app.config['OPEN']: verify_jwt_in_request()": [("authentication", 1)],
    "try: verify_jwt_in_request()\n    except Exception: pass": [],
    "try: verify_jwt_in_request()\n    except Exception: return {}, 401": [("authentication", 0)],
}


@pytest.mark.parametrize("decorator", DECORATED)
@pytest.mark.req("W3S-007")
def test_an_optional_decorator_is_no_guard(decorator: str) -> None:
    route = only(read_flask, f"{HEAD}@app.get('/a')\n{decorator}\ndef a():\n    return {{}}\n")
    assert [(guard.kind, len(guard.unless)) for guard in route.guards] == DECORATED[decorator]
    assert route.unread == ()


@pytest.mark.parametrize("called", CALLED)
@pytest.mark.parametrize(
    "where",
    [
        "@app.get('/a')\ndef a():\n    {}\n    return {{}}\n",
        "@app.before_request\ndef before():\n    {}\n@app.get('/a')\ndef a():\n    return {{}}\n",
    ],
)
def test_a_call_that_refuses_is_a_guard(called: str, where: str) -> None:
    route = only(read_flask, HEAD + where.format(called))
    assert [(guard.kind, len(guard.unless)) for guard in route.guards[:1]] == CALLED[called]


def test_a_check_of_the_identity_makes_up_for_it() -> None:
    text = (
        HEAD + "@app.get('/a')\n@jwt_required(optional=True)\ndef a():\n    if get_jwt_identity() is None: abort(401)\n"
    )
    route = only(read_flask, text + "    return {}\n")
    assert {one.status for one in route.responses} >= {401}


@pytest.mark.parametrize("rule", CALLS, ids=lambda rule: rule.id)
def test_each_rule_knows_its_example(rule: CallRule) -> None:
    for text, count in ((rule.example, 1), (rule.counter, 0)):
        name = text.removeprefix("await ").partition("(")[0]
        found = modules(f"from {rule.package} import {name}\nasync def f(request):\n    {text}\n")
        (function,) = [one for _, one in found.statements() if getattr(one, "name", "") == "f"]
        events = events_of(found, Definition(function, found.scope(found.all[0]), "f", function))
        assert len(list(called_guards(found, events))) == count


def test_aiohttp_security_is_read_in_the_handler() -> None:
    text = "from aiohttp import web\nfrom aiohttp_security import check_permission\nasync def a(request):\n"
    text += "    await check_permission(request, 'read')\n    return web.json_response({})\n"
    route = only(read_aiohttp, text + "app = web.Application()\napp.router.add_get('/a', a)\n")
    assert [guard.kind for guard in route.guards] == ["authorization"]
