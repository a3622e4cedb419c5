"""Reach names a position that gets past the route's guards; none is shown where no such position is assumed."""

from __future__ import annotations

from dataclasses import replace

import pytest

from evreview.codefacts.model import Guard, Spot
from evreview.core.quoted_text import plain
from evreview.core.vocabulary import EvidenceId
from evreview.workflows.w3.model import Reach, State
from evreview.workflows.w3.triage.triage import is_nameless, passing
from tests.workflows.w3.triage.world import control, only, path, world

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
ELSEWHERE = "return redirect('/prices')"

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


GUARD = Guard(name="gate", kind="authentication", spot=Spot(EvidenceId("E1"), 1, 1))
HOLE = replace(GUARD, name="hole", unless=(GUARD.spot,))
RIGHT_HOLE = replace(HOLE, kind="authorization")
# guards -> through, open, kept out
HOLES: dict[str, tuple[tuple[Guard, ...], tuple[list[str], list[str], tuple[str, ...]]]] = {
    "none": ((), (["outsider", "customer"], [], ())),
    "whole": ((GUARD,), (["customer"], [], ("outsider",))),
    "with a hole": ((HOLE,), (["customer"], ["outsider"], ())),
    "a whole one behind it": ((HOLE, GUARD), (["customer"], [], ("outsider",))),
    "a right with a hole": ((RIGHT_HOLE,), ([], ["outsider", "customer"], ())),
    "a right behind a sign-in": ((GUARD, replace(GUARD, kind="authorization")), ([], ["customer"], ("outsider",))),
}


@pytest.mark.parametrize("name", HOLES)
def test_a_guard_with_a_hole_keeps_nobody_out_for_sure(name: str) -> None:
    guards, expected = HOLES[name]
    found = passing(world(), BOTH, guards)
    told = ([each.actor for each in found.through], [each.actor for each in found.open], found.kept_out)
    assert told == expected


def test_a_guard_with_a_hole_refutes_nothing() -> None:
    decides = "report():\n    if request.headers.get('X-Role') != 'admin':\n        abort(403)\n"
    app = APP.replace("+ request.args", "+ g.x").replace("report():\n", decides)
    material = world(app=app % (RIGHT, ""), controls=[control(source=[])], paths=BOTH)
    assert only(material).state is State.REFUTED
    routes = tuple(
        replace(route, guards=tuple(replace(guard, unless=(guard.spot,)) for guard in route.guards))
        for route in material.code.routes
    )
    assert only(replace(material, code=replace(material.code, routes=routes))).state is State.HYPOTHESIS
