"""Abuse cases: every boundary in reach has one or a reason, nothing needs what is excluded, no payload anywhere."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evreview.core.quoted_text import plain
from evreview.core.vocabulary import Area, EvidenceId
from evreview.evidence.cited_records import Cited
from evreview.evidence.item import Citation
from evreview.evidence.records.security import SecurityInventory, TrustModel
from evreview.redaction.detector import Kind
from evreview.redaction.redactor import Redactor
from evreview.workflows.w3.abuse_cases.abuse_cases import (
    CAPABILITIES,
    TEMPLATES,
    Capability,
    CaseSet,
    Template,
    abuse_cases,
    settled,
)
from evreview.workflows.w3.leads.catalogue import RULES
from evreview.workflows.w3.model import AbuseCase, Lead, State, TrustMap, TrustPath
from tests.workflows.w3.made import candidate
from tests.workflows.w3.triage.world import CONTROL, MODEL, PATH, ROUTE, path

EACH_TEMPLATE = pytest.mark.parametrize("template", TEMPLATES, ids=[one.id for one in TEMPLATES])
EACH_CAPABILITY = pytest.mark.parametrize("capability", CAPABILITIES, ids=[one.id for one in CAPABILITIES])
LEAD = Lead(
    id="L-1", rule="caller-controlled-decision", tool="evreview", area=Area.AUTHORIZATION, says=("x",), spot=None,
    path="app.py", symbol="report", route=ROUTE, citations=(Citation(EvidenceId("E1")),),
)  # fmt: skip


def made(
    *paths: TrustPath, excluded: tuple[str, ...] = (), areas: tuple[str, ...] = (), leads: tuple[Lead, ...] = ()
) -> CaseSet:
    model = TrustModel.model_validate(MODEL | {"excluded_capabilities": list(excluded)})
    controls = [
        CONTROL | {"id": f"C{number}", "area": area, "boundaries": ["edge"]} for number, area in enumerate(areas)
    ]
    inventory = SecurityInventory.model_validate({"controls": controls})
    return abuse_cases(
        Cited(model, Citation(EvidenceId("E3"))),
        TrustMap(paths=paths or (PATH,), backings=(), transitions=(), missing=()),
        Cited(inventory, Citation(EvidenceId("E4"))),
        leads,
    )


def of(found: CaseSet) -> set[str]:
    """The templates behind the cases, by what is tried."""
    by_words = {one.bypass: one.id for one in TEMPLATES}
    return {by_words[plain(case.bypass)] for case in found.cases}


@pytest.mark.req("W3X-007", "W3X-008", "W3X-009", "W3X-010", "W3X-011", "W3S-010")
def test_every_case_states_all_five_and_is_a_hypothesis() -> None:
    found = made(areas=tuple(Area), leads=(LEAD,))
    assert len(found.cases) > 5
    does = {one.bypass: one.consequence for one in TEMPLATES}
    for case in found.cases:
        assert (case.attacker, case.boundary, case.route) == ("outsider", "edge", ROUTE)
        assert all([case.controlled_input, case.preconditions, case.bypass, case.consequence, case.citations])
        assert case.state is State.HYPOTHESIS
        assert plain(case.consequence).startswith(does[plain(case.bypass)]) and "reports" in plain(case.consequence)
    assert len({case.id for case in found.cases}) == len(found.cases)


@EACH_TEMPLATE
@pytest.mark.req("W3G-004")
def test_no_template_holds_anything_that_could_be_sent(template: Template) -> None:
    texts = [template.controlled_input, *template.preconditions, template.bypass, template.consequence]
    assert [found for text in texts for found in Redactor().leaks(text) if found.kind is Kind.EXPLOIT] == []
    assert all(sign not in " ".join(texts) for sign in '<>{}$\\="`|;%')


@pytest.mark.req("W3S-010")
def test_what_needs_an_excluded_capability_is_left_out_and_says_which() -> None:
    words = "knowledge of the key that signs tokens"
    found = made(areas=("authentication",), excluded=(words,))
    assert "credential-of-own-making" not in of(found)
    assert "credential-of-own-making" in of(made(areas=("authentication",)))
    assert [(one.case, str(one.excluded)) for one in found.left_out] == [("credential-of-own-making", words)]
    assert [str(each) for each in found.left_out[0].citations] == ["E3#/excluded_capabilities/0"]


@EACH_CAPABILITY
def test_a_capability_is_told_by_its_words(capability: Capability) -> None:
    assert capability.excluded_by(capability.example)
    assert not capability.excluded_by(capability.counter_example)
    assert any(capability.id in template.needs for template in TEMPLATES) or capability.id == "valid-account"


@pytest.mark.req("W3S-011", "W3S-012")
def test_every_boundary_in_reach_is_covered_or_says_why() -> None:
    found = made(PATH, path(boundaries=("edge", "inner")))
    assert {case.boundary for case in found.cases} == {"edge", "inner"}
    assert found.covers
    lost = made(path(boundaries=()))
    assert not lost.covers
    assert lost.uncovered[0].why


@pytest.mark.req("W3S-011")
def test_an_exclusion_of_every_case_is_a_reason() -> None:
    only_area = ("secrets",)
    found = made(areas=only_area, excluded=("access to the source code",))
    assert found.cases  # one of the secrets' cases needs no source
    assert found.covers


@pytest.mark.parametrize("changes", [{"in_reach": False}, {"in_reach": False, "boundaries": ()}])
def test_what_no_attacker_reaches_has_no_case(changes: dict[str, Any]) -> None:
    found = made(path(**changes))
    assert (found.cases, found.uncovered) == ((), ())


def test_the_areas_are_those_of_the_controls_and_leads_there() -> None:
    assert of(made(areas=("logging",))) == {"unseen"}
    assert of(made(areas=("logging",), leads=(replace(LEAD, area=Area.ERROR_DISCLOSURE, rule="debug-mode-on"),))) == {
        "unseen",
        "provoked-failure",
    }
    assert "without-credentials" in of(made())


def test_another_site_needs_a_lead() -> None:
    everywhere = replace(LEAD, rule="credentials-to-any-origin", route="*")
    assert "from-another-site" not in of(made(areas=("authentication",)))
    assert "from-another-site" in of(made(areas=("authentication",), leads=(everywhere,)))


def test_objects_of_others_need_a_route_that_names_one() -> None:
    assert "another-object" not in of(made(areas=("authorization",)))
    assert "another-object" in of(made(path(route="GET /reports/{id}")))


@pytest.mark.parametrize(
    ("states", "expected"),
    [
        ((State.SUPPORTED, State.REFUTED), State.SUPPORTED),
        ((State.REFUTED,), State.REFUTED),
        ((State.REFUTED, State.HYPOTHESIS), State.HYPOTHESIS),
        ((), State.HYPOTHESIS),
    ],
)
def test_step_five_settles_a_case(states: tuple[State, ...], expected: State) -> None:
    cases = made(leads=(LEAD,)).cases
    found = settled(cases, [candidate(leads=("L-1",), state=state) for state in states])
    assert {case.state for case in found if case.candidates} == {expected}
    assert {case.state for case in found if not case.candidates} == {State.HYPOTHESIS}


KEPT_OUT = {
    "the position is kept out": (("outsider",), State.SUPPORTED, State.HYPOTHESIS),
    "another one is": (("customer",), State.SUPPORTED, State.SUPPORTED),
    "a control refutes it for all": (("outsider",), State.REFUTED, State.REFUTED),
}


@pytest.mark.parametrize("name", KEPT_OUT)
def test_no_case_of_a_position_that_a_guard_keeps_out_is_supported(name: str) -> None:
    kept_out, state, expected = KEPT_OUT[name]
    found = settled(made(leads=(LEAD,)).cases, [candidate(leads=("L-1",), state=state, kept_out=kept_out)])
    assert {(case.attacker, case.state) for case in found if case.candidates} == {("outsider", expected)}


def test_a_lead_stands_behind_what_it_looks_for_only() -> None:
    found = made(path(route="GET /reports/{id}"), leads=(replace(LEAD, route="GET /reports/{id}"),))
    behind = {
        one.id for one in TEMPLATES for case in found.cases if case.candidates and plain(case.bypass) == one.bypass
    }
    assert behind == {"own-word"}
    assert "another-object" in of(found)


def test_every_rule_stands_behind_one_template() -> None:
    named = [rule for template in TEMPLATES for rule in template.rules]
    assert sorted(named) == sorted(rule.id for rule in RULES)


@given(st.permutations([PATH, path(actor="operator"), path(boundaries=("inner",))]))
def test_ids_do_not_depend_on_the_order(paths: list[TrustPath]) -> None:
    def ids(cases: tuple[AbuseCase, ...]) -> set[str]:
        return {case.id for case in cases}

    assert ids(made(*paths).cases) == ids(made(PATH, path(actor="operator"), path(boundaries=("inner",))).cases)
