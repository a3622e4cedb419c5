"""A decorator of a supplied file is read as what it refuses, whatever an error handler answers instead."""

from __future__ import annotations

import pytest

from evreview.codefacts.flask.read import read_flask
from tests.codefacts.routes import only

HEAD = """from flask import Flask, abort, g, jsonify, redirect
from functools import wraps
from werkzeug.exceptions import Forbidden, Unauthorized, NotFound
app = Flask(__name__)
"""
GATE = """
def gate(fn):
    @wraps(fn)
    def inner(*a, **k):
        if g.user is None:
            %s
        return fn(*a, **k)
    return inner

@app.get("/a")
@gate
def a():
    return {}
"""
HANDLERS = {
    "none": "",
    "of every exception": "@app.errorhandler(Exception)\ndef failed(error):\n    return jsonify(error='x'), 500\n",
    "of the status": "@app.errorhandler(%s)\ndef failed(error):\n    return redirect('/login')\n",
}
REFUSALS = {
    "abort(401)": ("401", ("authentication",)),
    "abort(code=401)": ("401", ("authentication",)),
    "raise Unauthorized()": ("401", ("authentication",)),
    "abort(403)": ("403", ("authorization",)),
    "raise Forbidden()": ("403", ("authorization",)),
    "return jsonify(error='x'), 401": ("401", ("authentication",)),
    "abort(404)": ("404", ("unknown",)),
    "raise NotFound()": ("404", ("unknown",)),
    "return redirect('/login')": ("401", ("authentication",)),
    "return redirect('/prices')": ("401", ("unknown",)),
    "pass": ("401", ()),
}


@pytest.mark.parametrize("handler", HANDLERS)
@pytest.mark.parametrize("refusal", REFUSALS)
def test_a_gate_is_what_it_refuses(refusal: str, handler: str) -> None:
    status, kinds = REFUSALS[refusal]
    answered = HANDLERS[handler].replace("%s", status)
    route = only(read_flask, HEAD + answered + GATE % refusal)
    assert tuple((guard.name, guard.kind) for guard in route.guards) == tuple(("gate", kind) for kind in kinds)
