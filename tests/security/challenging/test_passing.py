"""Reach names a position that gets past the route's guards; none is shown where no such position is assumed."""

from __future__ import annotations

import pytest

from evreview.prose import plain
from evreview.security.challenging.passing import is_nameless
from evreview.security.model import Reach, State
from tests.security.challenging.world import control, only, path, world

APP = """
from functools import wraps
from flask import Flask, request, g, abort, jsonify, redirect
import store
app = Flask(__name__)


def gate(fn):
    @wraps(fn)
    def inner(*a, **k):
        if g.get("user") is None:
            %s
        return fn(*a, **k)
    return inner


@app.get("/internal/report")
@gate
def report():
    return jsonify(store.db.execute("SELECT id FROM t WHERE a = '" + request.args["q"] + "'").fetchall())


%s
""".lstrip()
CATCH_ALL = """@app.errorhandler(Exception)
def failed(error):
    return jsonify(error="internal"), 500
"""
BOTH = (path(), path(actor="customer"))
SIGN_IN = "abort(401)"
RIGHT = "abort(403)"
ELSEWHERE = "return redirect('/login')"

# refusal, rest, paths -> state, reach, attacker, kept out
PASSING = {
    "a sign-in": (SIGN_IN, "", BOTH, (State.SUPPORTED, Reach.SHOWN, "customer", ("outsider",))),
    "a sign-in that an error handler answers": (
        SIGN_IN, CATCH_ALL, BOTH, (State.SUPPORTED, Reach.SHOWN, "customer", ("outsider",)),
    ),
    "a sign-in, nobody has credentials": (
        SIGN_IN, "", (path(),), (State.HYPOTHESIS, Reach.UNKNOWN, "", ("outsider",)),
    ),
    "a right": (RIGHT, "", BOTH, (State.HYPOTHESIS, Reach.UNKNOWN, "", ("outsider",))),
    "sent elsewhere": (ELSEWHERE, "", BOTH, (State.HYPOTHESIS, Reach.UNKNOWN, "", ())),
    "refuses nobody": ("pass", "", BOTH, (State.SUPPORTED, Reach.SHOWN, "outsider", ())),
}  # fmt: skip


@pytest.mark.parametrize("name", PASSING)
@pytest.mark.req("W3S-013", "W3F-002")
def test_an_attacker_gets_past_the_guards_or_reach_is_not_shown(name: str) -> None:
    refusal, rest, paths, expected = PASSING[name]
    found = only(world(app=APP % (refusal, rest), controls=[control(source=[])], paths=paths), "sql-by-string")
    assert (found.state, found.reach, found.attacker, found.kept_out) == expected
    assert (found.reach is Reach.SHOWN) or any("gate" in plain(each) for each in found.missing)


def test_no_sign_in_is_a_control_of_what_a_text_holds() -> None:
    for refusal in (SIGN_IN, RIGHT, ELSEWHERE):
        found = only(world(app=APP % (refusal, ""), controls=[control(source=[])], paths=BOTH), "sql-by-string")
        assert str(found.challenges[0].standing) == "absent"


ACTORS = {
    "outsider": True, "anonymous-user": True, "visitor": True, "customer": False, "agent": False,
    "anyone-with-token": False, "anyone-without-token": True,
}  # fmt: skip


@pytest.mark.parametrize("actor", ACTORS)
def test_who_has_no_credentials_by_name(actor: str) -> None:
    assert is_nameless(world(), actor) is ACTORS[actor]


def test_the_models_words_count_where_they_are_written() -> None:
    assert is_nameless(world(), "outsider")
    assert not is_nameless(world(), "operator")
