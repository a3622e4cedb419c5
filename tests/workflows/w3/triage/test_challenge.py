"""A lead is supported only with reach, lines and every place searched; one missing part leaves a hypothesis."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest

from evreview.core.quoted_text import plain
from evreview.core.vocabulary import Area
from evreview.workflows.w3.model import Inventory, InventoryGap, InventoryGapKind, Reach, Standing, State
from evreview.workflows.w3.triage.triage import challenge, local_plan
from tests.workflows.w3.made import REVISION
from tests.workflows.w3.triage.world import APP, CONTROL, PROXY, ROUTE, control, only, path, world

SARIF = {
    "ruleId": "own-role", "message": {"text": "role of a header"},
    "fingerprints": {"matchBasedId/v1": "requires login"},
    "locations": [{"physicalLocation": {"artifactLocation": {"uri": "app.py"}, "region": {"startLine": 7}}}],
}  # fmt: skip
AUTHORIZATION_RULE = {"ruleId": "missing-authorization-check"}
SUSPECTED = {
    "id": "N-1", "area": "authorization", "title": "a header decides who reads reports", "route": ROUTE,
    "shown_by": [{"item": "E1", "lines": "7", "quote": 'x_role != "admin"'}],
    "safe_verification": "send the request without the role in a fixture",
}  # fmt: skip


@pytest.mark.req("W3S-013", "W3F-001", "W3F-002", "W3F-003", "W3F-005")
def test_reach_lines_and_searched_places_support_a_candidate() -> None:
    found = only(world())
    assert (found.state, found.reach) == (State.SUPPORTED, Reach.SHOWN)
    assert (found.asset, found.attacker, found.route, found.control) == ("reports", "outsider", ROUTE, "C-ROLE")
    assert {"E1:L7", "E3#/entry_points/0"} <= {str(citation) for citation in found.citations}
    assert {each.standing for each in found.challenges} == {Standing.ABSENT}
    assert [plain(each.place) for each in found.challenges] == [
        "decorators and dependencies", "middleware", "deployment wiring", "the file deploy/proxy.conf",
    ]  # fmt: skip
    assert found.preconditions
    assert found.safe_verification
    assert found.missing == ()
    assert not found.validated


UNDECIDED: dict[str, dict[str, Any]] = {
    "deployment not stated": {"controls": [control(deployment=None)]},
    "middleware not stated": {"controls": [control(middleware=None)]},
    "surrounding not stated": {"controls": [control(surrounding=None)]},
    "surrounding not searched": {"controls": [control(surrounding=[])]},
    "surrounding not supplied": {"controls": [control(surrounding=[{"path": "gateway.py"}])]},
    "surrounding item missing": {"controls": [control(surrounding=[{"path": "gateway.py", "item": "E99"}])]},
    "other control misquoted": {
        "controls": [
            control(surrounding=[{"path": "p", "item": "E2", "control": {"item": "E2", "lines": "1", "quote": "deny"}}])
        ]
    },
    "no inventory of it": {"controls": [], "proxy": None},
    "no entry point": {"paths": []},
    "way not traced": {"paths": [path(gaps=(("no boundary",),))]},
    "networks are let in": {"proxy": "location /internal/ {\n  allow 10.0.0.0/8;\n  deny all;\n}\n"},
    "the suspected lines as the other control": {
        "controls": [
            control(
                surrounding=[{"path": "p", "item": "E1", "control": {"item": "E1", "lines": "7", "quote": "x_role"}}]
            )
        ]
    },
    "wiring is spoken of and not supplied": {
        "proxy": None,
        "wiring": ["a gateway"],
        "controls": [control(surrounding=[{"path": "app.py", "item": "E1", "says": "nothing"}])],
    },
    "a guard whose effect is not told": {
        "app": APP.replace("import FastAPI", "import Depends, FastAPI").replace(
            '@app.get("/internal/report")',
            "from starlette.responses import RedirectResponse\n\n\ndef gate(t: str = Header('')):\n"
            "    if not check(t):\n        raise HTTPException(418)\n\n\n"
            '@app.get("/internal/report", dependencies=[Depends(gate), Depends(elsewhere)])',
        ),
        "controls": [control(source=[])],
    },
    "the reviewer's word for a line that is no control": {
        "controls": [
            control(
                surrounding=[
                    {"path": "p", "item": "E2", "control": {"item": "E2", "lines": "3", "quote": "proxy_pass"}}
                ]
            )
        ]
    },
    "wiring not tied to a route": {"proxy": PROXY + "---\nkind: NetworkPolicy\n"},
}


@pytest.mark.parametrize("name", UNDECIDED)
@pytest.mark.req("W3D-002", "W3D-003", "W3S-014")
def test_what_was_not_supplied_leaves_a_hypothesis_and_is_asked_for(name: str) -> None:
    found = only(world(**UNDECIDED[name]))
    assert (found.state, found.reach) == (State.HYPOTHESIS, Reach.UNKNOWN)
    assert found.missing
    assert found.safe_verification


@pytest.mark.req("W3D-002")
def test_the_exact_artifact_is_asked_for() -> None:
    found = only(world(controls=[control(surrounding=[{"path": "gateway/auth.py"}])]))
    assert any("gateway/auth.py" in plain(each) for each in found.missing)
    found = only(world(controls=[control(deployment=None)]))
    assert any("deployment wiring" in plain(each) and "C-ROLE" in plain(each) for each in found.missing)


REFUTED: dict[str, dict[str, Any]] = {
    "wiring replaces the header": {
        "proxy": 'location / {\n  proxy_set_header X-Role "";\n  proxy_pass http://app;\n}\n'
    },
    "wiring closes the location": {"proxy": "location /internal/ {\n  deny all;\n}\nlocation / {\n}\n"},
    "another control in a surrounding file": {
        "proxy": "location /internal/ {\n  deny all;\n}\nlocation / {\n}\n",
        "controls": [
            control(
                surrounding=[
                    {"path": "p", "item": "E2", "control": {"item": "E2", "lines": "1-2", "quote": "deny all"}}
                ]
            )
        ],
    },
    "an authorization guard of the route": {
        "app": APP.replace("import FastAPI", "import Depends, FastAPI").replace(
            '@app.get("/internal/report")',
            "def staff(user=Depends(current)):\n    if user.role != 'staff':\n        raise HTTPException(403)\n\n\n"
            '@app.get("/internal/report", dependencies=[Depends(staff)])',
        ),
        "controls": [control(source=[])],
    },
    "a guard that demands a scope": {
        "app": APP.replace("import FastAPI", "import FastAPI, Security").replace(
            '@app.get("/internal/report")',
            "from fastapi.security import OAuth2PasswordBearer, SecurityScopes\n"
            "scheme = OAuth2PasswordBearer(tokenUrl='token')\n\n\n"
            "def scoped(security_scopes: SecurityScopes, token: str = Security(scheme)):\n"
            "    if not allowed(token, security_scopes.scopes):\n        raise HTTPException(401)\n\n\n"
            '@app.get("/internal/report", dependencies=[Security(scoped, scopes=["reports"])])',
        ),
        "controls": [control(source=[])],
    },
    "middleware takes the header away": {
        "app": APP.replace("import FastAPI", "import Request, FastAPI")
        + '\n\n@app.middleware("http")\nasync def clean(request: Request, call_next):\n'
        '    request.scope["headers"] = [one for one in request.scope["headers"] if one[0] != b"x-role"]\n'
        "    return await call_next(request)\n"
    },
}


@pytest.mark.parametrize("name", REFUTED)
@pytest.mark.req("W3X-012", "W3S-013")
def test_a_control_found_elsewhere_refutes(name: str) -> None:
    found = only(world(**REFUTED[name]))
    assert found.state is State.REFUTED
    assert all(each.citations for each in found.challenges if each.standing is Standing.PRESENT)


DEPLOYED = ["wiring replaces the header", "wiring closes the location", "another control in a surrounding file"]


@pytest.mark.parametrize("name", DEPLOYED)
@pytest.mark.req("W3X-012", "W3D-002")
def test_wiring_of_another_revision_refutes_nothing(name: str) -> None:
    other = only(world(runs="1" * 40, **REFUTED[name]))
    assert (other.state, other.reach) == (State.HYPOTHESIS, Reach.UNKNOWN)
    assert any("reviewed" in plain(each) for each in other.missing)
    assert only(world(runs=REVISION[:12], **REFUTED[name])).state is State.REFUTED


def test_a_guard_in_the_code_refutes_whatever_runs_elsewhere() -> None:
    assert only(world(runs="1" * 40, **REFUTED["an authorization guard of the route"])).state is State.REFUTED


@pytest.mark.parametrize(
    "proxy",
    [
        "location /other/ {\n  deny all;\n}\nlocation / {\n}\n",
        "location / {\n  proxy_set_header X-Role $http_x_role;\n}\n",
        "location / {\n  proxy_set_header X-Other '';\n}\n",
        "location / {\n  auth_basic 'who';\n}\n",
        "# location /internal/ { deny all; }\nlocation / {\n}\n",
    ],
)
def test_wiring_that_does_something_else_refutes_nothing(proxy: str) -> None:
    assert only(world(proxy=proxy)).state is State.SUPPORTED


def test_the_guard_that_is_suspected_does_not_refute_itself() -> None:
    app = """
from fastapi import Depends, FastAPI, Header, HTTPException
app = FastAPI()

def admin(x_role: str = Header("")):
    if x_role != "admin":
        raise HTTPException(403)

@app.get("/internal/report", dependencies=[Depends(admin)])
def report():
    return []
""".lstrip()
    found = only(world(app=app, controls=[control(source=[])]))
    assert found.state is State.SUPPORTED


def test_an_authentication_guard_is_no_right() -> None:
    app = APP.replace("import FastAPI", "import Depends, FastAPI").replace(
        "def report(",
        "def signed(t: str = ''):\n    if not check(t):\n        raise HTTPException(401)\n\n\ndef report(",
    )
    app = app.replace('@app.get("/internal/report")\ndef signed', "def signed")
    app = app.replace(
        "\n\ndef report(", '\n\n@app.get("/internal/report", dependencies=[Depends(signed)])\ndef report('
    )
    found = only(world(app=app, controls=[control(source=[])], paths=[path(actor="customer")]))
    assert found.state is State.SUPPORTED


@pytest.mark.req("W3G-012")
def test_a_scanner_alone_never_supports() -> None:
    found = challenge(world(sarif=[SARIF | AUTHORIZATION_RULE], own=False))
    assert [(one.kind, one.state) for one in found] == [("missing-authorization-check", State.HYPOTHESIS)]
    assert found[0].safe_verification
    assert found[0].missing


@pytest.mark.req("W3G-012")
def test_a_scanner_joins_what_the_source_shows() -> None:
    material = world(sarif=[SARIF | AUTHORIZATION_RULE])
    found = only(material)
    assert len(challenge(material)) == 1
    assert len(found.leads) == 2
    assert found.state is State.SUPPORTED
    assert "E6#/runs/0/results/0" in {str(citation) for citation in found.citations}


def test_a_reviewers_quote_supports_where_every_place_was_searched() -> None:
    found = only(world(suspected=[SUSPECTED], own=False), "N-1")
    assert found.state is State.SUPPORTED
    assert plain(found.title) == SUSPECTED["title"]


UNSHOWN: dict[str, dict[str, Any]] = {
    "the control is present there": {"standing": Standing.PRESENT, "suspected": [SUSPECTED]},
    "the control is unread there": {"standing": Standing.UNREAD, "suspected": [SUSPECTED]},
    "lines outside the route's code": {
        "suspected": [SUSPECTED | {"shown_by": [{"item": "E1", "lines": "2", "quote": "app = FastAPI()"}]}]
    },
    "no lines": {"suspected": [SUSPECTED | {"shown_by": []}]},
    "another area": {"suspected": [SUSPECTED | {"area": "input handling"}]},
    "another control": {"suspected": [SUSPECTED | {"control": "C-OTHER"}]},
}


@pytest.mark.parametrize("name", UNSHOWN)
@pytest.mark.req("W3G-012", "W3S-014")
def test_a_reviewers_word_alone_supports_nothing(name: str) -> None:
    found = only(world(own=False, **UNSHOWN[name]), "N-1")
    assert (found.state, found.reach) == (State.HYPOTHESIS, Reach.UNKNOWN)
    assert found.missing


def test_a_borrowed_name_makes_no_rule_of_ours() -> None:
    driver_result = SARIF | {"ruleId": "caller-controlled-decision"}
    found = challenge(world(own=False, sarif=[driver_result], suspected=[SUSPECTED | {"id": "secret-in-source"}]))
    assert {one.kind for one in found} == {"Semgrep:caller-controlled-decision", "reviewer:secret-in-source"}


def test_a_guard_before_it_is_a_precondition_that_only_some_attackers_meet() -> None:
    app = APP.replace("import FastAPI", "import Depends, FastAPI").replace(
        '@app.get("/internal/report")', '@app.get("/internal/report", dependencies=[Depends(signed)])'
    )
    guard = "def signed(t: str = ''):\n    if not check(t):\n        raise HTTPException(401)\n"
    app = app.replace("app = FastAPI()\n", f"app = FastAPI()\n\n\n{guard}")
    found = only(world(app=app, controls=[control(source=[])], paths=[path(), path(actor="customer")]))
    assert (found.attacker, found.kept_out) == ("customer", ("outsider",))
    assert any("signed" in plain(each) for each in found.preconditions)
    assert only(world(paths=[path(), path(actor="customer")])).attacker == "outsider"


def test_a_reviewers_wrong_quote_supports_nothing() -> None:
    wrong = SUSPECTED | {"shown_by": [{"item": "E1", "lines": "2", "quote": 'x_role != "admin"'}]}
    assert only(world(suspected=[wrong], own=False), "N-1").state is State.HYPOTHESIS


@pytest.mark.req("W3S-015", "W3E-012", "W3E-013")
def test_without_a_safe_check_a_suspicion_stays_a_hypothesis() -> None:
    found = only(world(suspected=[SUSPECTED | {"safe_verification": None}], own=False), "N-1")
    assert found.state is State.HYPOTHESIS
    assert found.safe_verification == ()
    assert found.reach is Reach.SHOWN


@pytest.mark.req("W3E-014", "W3E-015")
def test_a_local_plan_is_bounded() -> None:
    steps = [plain(step) for step in local_plan(only(world(suspected=[SUSPECTED], own=False), "N-1"))]
    assert "approval" in steps[0]
    assert any("loopback" in step and "synthetic" in step for step in steps)
    assert any("Stop at the first sign" in step for step in steps)
    assert "step 6" in steps[-1]


def test_a_reviewer_joins_the_lead_on_the_same_lines() -> None:
    found = challenge(world(suspected=[SUSPECTED]))
    assert [one.kind for one in found] == ["caller-controlled-decision"]
    assert "E5#/candidates/0" in {str(citation) for citation in found[0].citations}


def test_only_those_who_are_no_attackers_reach_it() -> None:
    found = only(world(paths=[path(actor="operator", in_reach=False)]))
    assert (found.state, found.reach) == (State.HYPOTHESIS, Reach.REFUTED)


@pytest.mark.req("W3F-006")
def test_no_word_claims_more_than_is_shown() -> None:
    for material in (world(), world(suspected=[SUSPECTED], sarif=[SARIF], own=False), *map_of(UNDECIDED)):
        for one in challenge(material):
            texts = [one.title, one.reach_why, one.impact_observed, one.impact_inferred, one.safe_verification]
            texts += [*one.missing, *one.preconditions, *(each.why for each in one.challenges)]
            assert not re.search(r"exploit|vulnerab|confirmed", " ".join(plain(each) for each in texts).lower())


def map_of(table: dict[str, dict[str, Any]]) -> list[Any]:
    return [world(**changes) for changes in table.values()]


@pytest.mark.req("W3S-013")
def test_observed_and_inferred_are_kept_apart() -> None:
    found = only(world())
    assert "x-role" in plain(found.impact_observed)
    assert "may" in plain(found.impact_inferred)
    assert "may" not in plain(found.impact_observed).split()


CHANGES: dict[str, tuple[dict[str, Any], bool]] = {
    "lines above": ({"app": "# a note\n\n" + APP, "controls": [control(source=[])]}, True),
    "another function": ({"app": APP + "\n\ndef other():\n    return 1\n"}, True),
    "the judged function": ({"app": APP.replace('"admin"', '"boss"')}, False),
    "the wiring": ({"proxy": PROXY + "# changed\n"}, False),
    "what the reviewer says of a file": (
        {"controls": [control(surrounding=[{"path": "deploy/proxy.conf", "item": "E2", "says": "else"}])]},
        False,
    ),
}


@pytest.mark.parametrize("name", CHANGES)
def test_the_slice_changes_with_what_was_judged_only(name: str) -> None:
    changes, same = CHANGES[name]
    base = only(world(controls=changes["controls"])) if name == "lines above" else only(world())
    other = only(world(**changes))
    assert (other.slice == base.slice) is same
    assert other.id == base.id


def test_a_candidate_without_route_is_a_hypothesis() -> None:
    secret = "wJ8rQz5L" + "x2Vn7TbKp4Hs"
    found = only(world(app=f'{APP}\nAPI_SECRET = "{secret}"\n'), "secret-in-source")
    assert (found.state, found.reach) == (State.HYPOTHESIS, Reach.UNKNOWN)
    assert secret not in repr(found)


def test_a_missing_guard_and_a_decision_on_the_callers_word_are_one_weakness() -> None:
    app = APP.replace("import FastAPI", "import Depends, FastAPI") + (
        "\n\ndef signed(t: str = ''):\n    if not check(t):\n        raise HTTPException(401)\n\n\n"
        '@app.get("/internal/other", dependencies=[Depends(signed)])\ndef other():\n    return []\n'
    )
    found = challenge(world(app=app))
    assert [(one.kind, len(one.leads)) for one in found] == [("caller-controlled-decision", 2)]


@pytest.mark.parametrize("lacks", [InventoryGapKind.MIDDLEWARE, InventoryGapKind.DEPLOYMENT])
def test_what_step_three_asks_for_stays_asked_for(lacks: InventoryGapKind) -> None:

    gap = InventoryGap(
        control=CONTROL["id"], area=Area.AUTHORIZATION, lacks=lacks, request=("the lines",), citations=()
    )
    found = only(replace(world(), taken=Inventory(cells=(), gaps=(gap,))))
    assert found.state is State.HYPOTHESIS
    assert any("the lines" in plain(each) for each in found.missing)
