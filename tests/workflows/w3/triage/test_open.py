"""What the lines themselves leave open, and wiring that is not read: a hypothesis that names what is missing."""

from __future__ import annotations

from dataclasses import replace

import pytest

from evreview.core.quoted_text import plain
from evreview.workflows.w3.model import Reach, State
from tests.workflows.w3.triage.world import APP, control, only, world

LOADS = {
    "what the caller sends": ("request.get_data()", State.SUPPORTED),
    "what the caller sends in a stream": ("io.BytesIO(request.get_data()).read()", State.SUPPORTED),
    "an own cache": ("open('cache.pkl', 'rb').read()", State.HYPOTHESIS),
    "a store by the caller's key": ("redis.get(request.args['key'])", State.HYPOTHESIS),
}


@pytest.mark.parametrize("name", LOADS)
@pytest.mark.req("W3S-014", "W3G-012")
def test_a_load_is_supported_only_of_what_a_caller_sends(name: str) -> None:
    loaded, state = LOADS[name]
    app = f"""
import io, pickle
from flask import Flask, request
from stores import redis
app = Flask(__name__)


@app.get("/internal/report")
def report():
    return pickle.loads({loaded})
""".lstrip()
    found = only(world(app=app, controls=[control(source=[])]), "unsafe-deserialisation")
    assert found.state is state
    assert (found.reach is Reach.SHOWN, bool(found.missing)) == (
        (True, False) if state is State.SUPPORTED else (False, True)
    )


@pytest.mark.req("W3S-014")
def test_what_the_service_calls_unchecked_is_a_hypothesis() -> None:
    app = APP.replace("    return []", '    return requests.get("https://a.example", verify=False).text')
    found = only(world(app=f"import requests\n{app}", controls=[control(source=[])]), "verification-disabled")
    assert (found.state, found.reach) == (State.HYPOTHESIS, Reach.UNKNOWN)
    assert any("between" in plain(each) for each in found.missing)


ENVOY = "http_filters:\n  - name: envoy.filters.http.jwt_authn\n"


@pytest.mark.req("W3D-002")
def test_wiring_of_an_unread_form_is_named() -> None:
    found = only(world(proxy=ENVOY))
    assert (found.state, found.reach) == (State.HYPOTHESIS, Reach.UNKNOWN)
    assert any("deploy/proxy.conf" in plain(each) for each in found.missing)


@pytest.mark.req("W3D-002")
def test_wiring_that_is_mapped_to_nothing_is_searched_too() -> None:
    given = world(proxy=ENVOY)
    sources = tuple(one for one in given.sources if "deployment" not in one.parts)
    found = only(replace(given, sources=sources))
    assert (found.state, found.reach) == (State.HYPOTHESIS, Reach.UNKNOWN)
    assert any("E2" in plain(each) for each in found.missing)


CLAIMS = {
    "options={'verify_exp': False}": State.SUPPORTED,
    "options={'verify_aud': False}": State.HYPOTHESIS,
    "options={'verify_signature': False}": State.SUPPORTED,
}


@pytest.mark.parametrize("left_out", CLAIMS)
@pytest.mark.req("W3S-014")
def test_a_claim_that_matters_only_with_something_else_is_a_hypothesis(left_out: str) -> None:
    app = APP.replace("    return []", f'    return jwt.decode(x_role, KEY, algorithms=["RS256"], {left_out})')
    app = f"import jwt\nfrom settings import KEY\n{app}"
    assert only(world(app=app, controls=[control(source=[])]), "verification-disabled").state is CLAIMS[left_out]
