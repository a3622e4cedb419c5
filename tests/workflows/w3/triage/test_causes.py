"""One cause is one finding that lists its routes; what differs by route is kept."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from evreview.workflows.w3.model import Candidate, State
from evreview.workflows.w3.triage.triage import by_cause, challenge, ungrouped
from tests.workflows.w3.triage.world import control, path, world

FASTAPI = "from fastapi import Depends, FastAPI, Header, HTTPException\napp = FastAPI()\n\n\n"
FLASK = "from flask import Flask, abort, request\napp = Flask(__name__)\n\n\n"
HELPER = "def read(name):\n    with open('/var/desk/' + name) as file:\n        return file.read()\n\n\n"
GUARD = "def allow(role):\n    if role != 'staff':\n        raise HTTPException(403)\n\n\n"


def routes(form: str, count: int = 3) -> str:
    return "\n\n".join(form.replace("N", str(number)) for number in range(count))


ONE = {
    "a helper": FASTAPI + HELPER + routes('@app.get("/p/N")\ndef pN(name: str):\n    return read(name)\n'),
    "a helper of Flask": FLASK + HELPER
    + routes('@app.get("/p/N")\ndef pN():\n    return read(request.args["name"])\n'),
    "a check in the handler": FASTAPI + GUARD
    + routes('@app.get("/p/N")\ndef pN(x_role: str = Header("")):\n    allow(x_role)\n    return {}\n'),
    "a dependency": FASTAPI
    + "def allow(x_role: str = Header('')):\n    if x_role != 'staff':\n        raise HTTPException(403)\n\n\n"
    + routes('@app.get("/p/N", dependencies=[Depends(allow)])\ndef pN():\n    return {}\n'),
    "one handler of three routes": FASTAPI
    + '@app.get("/p/0")\n@app.get("/p/1")\n@app.get("/p/2")\ndef p(name: str):\n    return open(name).read()\n',
    "a helper in a helper": FASTAPI + HELPER + "def show(name):\n    return read(name)\n\n\n"
    + routes('@app.get("/p/N")\ndef pN(name: str):\n    return show(name)\n'),
}  # fmt: skip
THREE = {
    "the same words in each handler": FASTAPI
    + routes('@app.get("/p/N")\ndef pN(name: str):\n    return open(name).read()\n'),
    "three helpers": FASTAPI
    + routes("def readN(name):\n    return open(name).read()\n\n\n"
             '@app.get("/p/N")\ndef pN(name: str):\n    return readN(name)\n'),
}  # fmt: skip
NAMES = ("GET /p/0", "GET /p/1", "GET /p/2")
KINDS = ("file-by-request", "caller-controlled-decision")


def judged(app: str, reached: Sequence[str] = NAMES) -> list[Candidate]:
    made = world(
        app=app, paths=[path(route=name) for name in reached],
        controls=[control(area="input handling", routes=list(NAMES), source=[])],
    )  # fmt: skip
    found = by_cause(challenge(made), {lead.id: lead for lead in made.leads})
    return [one for one in found if one.kind in KINDS]


@pytest.mark.parametrize("app", ONE.values(), ids=ONE)
def test_one_cause_is_one_candidate_with_its_routes(app: str) -> None:
    (found,) = judged(app)
    assert set(found.routes) == set(NAMES) and len(ungrouped((found,))) == len(NAMES)


@pytest.mark.parametrize("app", THREE.values(), ids=THREE)
def test_the_same_mistake_made_thrice_is_three(app: str) -> None:
    found = judged(app)
    assert sorted(one.routes for one in found) == [(name,) for name in NAMES]


def test_it_is_supported_where_one_route_shows_it_and_says_of_which() -> None:
    (found,) = judged(ONE["a helper"], reached=NAMES[1:])
    assert found.state is State.SUPPORTED
    assert found.routes == (*NAMES[1:], NAMES[0])
    assert [one.route for one in found.alike] == list(NAMES[1:])


def test_its_id_does_not_hang_on_the_number_of_routes() -> None:
    two = FASTAPI + HELPER + routes('@app.get("/p/N")\ndef pN(name: str):\n    return read(name)\n', 2)
    (fewer,), (more,) = judged(two), judged(ONE["a helper"])
    assert fewer.id == more.id and fewer.slice != more.slice
