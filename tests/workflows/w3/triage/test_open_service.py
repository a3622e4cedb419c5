"""A service that asks nobody who calls is a finding where the trust map lets an attacker in, else a hypothesis."""

from __future__ import annotations

from typing import Any

import pytest

from evreview.workflows.w3.model import Reach, State
from tests.workflows.w3.triage.world import control, only, path, world

KIND = "service-without-authentication"
READ, GONE = "GET /customers/{number}", "DELETE /customers/{number}"
APP = """from fastapi import FastAPI
app = FastAPI()
@app.get("/customers/{number}")
def customer(number: int): return store.customer(number)
@app.delete("/customers/{number}")
def remove(number: int): return store.remove(number)
"""
CONTROL = control(area="authentication", routes=["*"], source=[])


def material(**changes: Any) -> Any:
    """The open service behind a proxy that passes everything on."""
    return world(**{"app": APP, "controls": [CONTROL], "paths": [path(route=GONE)]} | changes)


@pytest.mark.req("W3S-013", "W3G-012")
def test_it_is_supported_where_an_assumed_attacker_reaches_it() -> None:
    found = only(material(), KIND)
    assert (found.state, found.reach, found.asset) == (State.SUPPORTED, Reach.SHOWN, "reports")


@pytest.mark.parametrize(
    ("changes", "state"),
    [
        ({"paths": []}, State.HYPOTHESIS),
        ({"paths": [path(route=GONE, in_reach=False)]}, State.HYPOTHESIS),
        ({"controls": [control(area="authentication", routes=["*"], source=[], middleware=None)]}, State.HYPOTHESIS),
        ({"proxy": 'location / {\n  auth_basic "who";\n}\n'}, State.REFUTED),
    ],
)
def test_it_stays_less_without(changes: dict[str, Any], state: State) -> None:
    assert only(material(**changes), KIND).state is state


@pytest.mark.req("W3D-002")
def test_wiring_before_one_of_its_routes_refutes_nothing() -> None:
    proxy = 'location /admin/ {\n  auth_basic "who";\n}\nlocation / {\n  proxy_pass http://app;\n}\n'
    app = APP + '@app.post("/admin/reset")\ndef reset(): return store.reset()\n'
    paths = [path(route="POST /admin/reset"), path(route=GONE)]
    assert only(material(app=app, proxy=proxy, paths=paths), KIND).state is State.SUPPORTED
