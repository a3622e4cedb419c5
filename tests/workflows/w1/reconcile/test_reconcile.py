"""Each implementation branch matches released, candidate, both or neither; what no mapping covers is told."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from evreview.core.vocabulary import Basis, SourceMatch
from evreview.evidence.records.review import Contracts
from evreview.evidence.records.test_runs import ImplementationMapping, Observations
from evreview.workflows.w1.facts import sources_frame
from evreview.workflows.w1.reconcile.sources import reconcile
from tests.rows import ESTIMATE, ORDER, bundle, item
from tests.workflows.w1.reconcile.sides import LIMIT, NULL, RELEASED_AT, REVISION, ROWS, SIDES, TYPE, run, seen


@pytest.mark.req("W1I-005", "W1I-007")
def test_everything_mapped() -> None:
    found = run(LIMIT, TYPE, NULL)
    assert (found.unmapped, found.faults, found.uncovered, found.contradictions) == ((), (), (), ())
    assert [source.match for source in found.sources] == [SourceMatch.CANDIDATE] * 3
    assert [source.delta_ids for source in found.sources] == [("D-2",), (), ("D-000000000001",)]
    assert {source.basis for source in found.sources} == {Basis.IMPLEMENTATION}


@pytest.mark.req("W1I-005", "W1I-007")
@pytest.mark.parametrize(
    ("kept", "unmapped", "uncovered"),
    [
        ((LIMIT, TYPE), ["21-21"], ("D-000000000001",)),
        ((TYPE, NULL), ["1-1"], ("D-2",)),
        ((LIMIT, NULL), ["4-4"], ()),
        ((), ["1-1", "4-4", "21-21"], ("D-000000000001", "D-2")),
    ],
)
def test_a_branch_without_mapping_is_reported(kept: Any, unmapped: list[str], uncovered: Any) -> None:
    found = run(*kept)
    assert [hunk.lines for hunk in found.unmapped] == unmapped
    assert found.uncovered == uncovered


@pytest.mark.req("W1I-007")
@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"path": "src/b.py"}, "no-such-file"),
        ({"lines": "12"}, "no-such-lines"),
        ({"lines": "1-40"}, "no-such-lines"),
        ({"lines": "-30"}, "no-such-lines"),
        ({"lines": "first"}, "bad-lines"),
        ({"lines": "4-1"}, "bad-lines"),
        ({"quote": "LIMIT = 21"}, "quote-not-there"),
        ({"lines": "-1"}, "quote-not-there"),
        ({"element": f"{ORDER} > query:nothing"}, "no-such-element"),
        ({"element": "GET /v1/nothing"}, "no-such-element"),
        ({"element": "none"}, "no-reason"),
    ],
)
def test_a_mapping_that_does_not_hold_counts_for_nothing(change: dict[str, Any], code: str) -> None:
    found = run(LIMIT | change, TYPE, NULL)
    assert [fault.code for fault in found.faults] == [code]
    assert [hunk.lines for hunk in found.unmapped] == ["1-1"]
    assert found.uncovered == ("D-2",)


def test_removed_lines_and_branches_without_element() -> None:
    removed = {"path": "src/a.py", "lines": "-4", "quote": "OLD = 1", "element": "none", "why": "never used"}
    found = run(LIMIT, NULL, removed)
    assert found.faults == () and found.unmapped == ()
    assert [(source.match, source.claims) for source in found.sources][-1] == (SourceMatch.UNKNOWN, "released")


def test_a_mapping_of_another_item() -> None:
    other = item(
        "E5", "implementation diff", record=ImplementationMapping.model_validate({"diff": "E9", "mappings": []})
    )
    assert [fault.code for fault in run(LIMIT, TYPE, NULL, extra=[other]).faults] == ["no-such-diff"]


@pytest.mark.req("W1D-002")
@pytest.mark.parametrize(
    ("change", "match"),
    [
        pytest.param({"runtime": 20}, SourceMatch.CANDIDATE, id="as-proposed"),
        pytest.param({"runtime": 50}, SourceMatch.RELEASED, id="as-released"),
        pytest.param({"runtime": 10}, SourceMatch.NEITHER, id="as-neither"),
        pytest.param({"runtime": True}, SourceMatch.NEITHER, id="true-is-not-one"),
        pytest.param({"facet": "ordering"}, SourceMatch.UNKNOWN, id="not-comparable"),
        pytest.param({"facet": None}, SourceMatch.UNKNOWN, id="nothing-stated"),
    ],
)
def test_a_handler_that_contradicts_the_candidate(change: dict[str, Any], match: SourceMatch) -> None:
    found = run(LIMIT | change, TYPE, NULL)
    assert found.sources[0].match is match
    contradicts = match in (SourceMatch.RELEASED, SourceMatch.NEITHER)
    assert bool(found.contradictions) is contradicts


@pytest.mark.parametrize(
    ("facet", "element", "runtime", "match"),
    [
        ("status", f"{ORDER} > response 404", 404, SourceMatch.BOTH),
        ("status", f"{ORDER} > response 404", 409, SourceMatch.NEITHER),
        ("nullable", ESTIMATE, True, SourceMatch.CANDIDATE),
        ("nullable", ESTIMATE, False, SourceMatch.BOTH),
        ("enum", ESTIMATE, ["a", "b"], SourceMatch.BOTH),
        ("enum", ESTIMATE, ["a", None], SourceMatch.CANDIDATE),
        ("required", f"{ORDER} > response 200 > application/json > id", True, SourceMatch.BOTH),
        ("required", f"{ORDER} > response 200 > application/json > id", False, SourceMatch.NEITHER),
        ("required", ESTIMATE, True, SourceMatch.BOTH),
        ("required", f"{ORDER} > query:limit", True, SourceMatch.NEITHER),
        ("default", ESTIMATE, "x", SourceMatch.UNKNOWN),
        ("content-type", f"{ORDER} > response 404", "text/html", SourceMatch.NEITHER),
    ],
)
def test_runtime_facets(facet: str, element: str, runtime: Any, match: SourceMatch) -> None:
    found = run(LIMIT | {"facet": facet, "element": element, "runtime": runtime})
    assert (found.faults, found.sources[0].match) == ((), match)


@pytest.mark.req("W1D-002")
def test_an_observation_of_the_candidate_that_contradicts_it() -> None:
    wrong = {"status": 404, "body": {}, "content_type": "application/json"}
    given = [seen(**wrong, revision=REVISION), seen(**wrong), seen(**wrong, answers="released")]
    found = run(LIMIT, TYPE, NULL, observations=given)
    assert [(source.claims, source.contradicts) for source in found.sources[3:]] == [
        ("candidate", True),
        ("unknown", False),
        ("released", False),
    ]
    assert len(found.contradictions) == 1
    assert found.unplaced == (found.sources[4],) and found.drifts == ()
    assert list(sources_frame(found.sources)["claims"])[3:] == ["candidate", "unknown", "released"]


def test_a_released_deployment_that_drifts_is_no_contradiction() -> None:
    new = {"body": {"id": "o1", "deliveryEstimate": None}}
    broken = {"body": {"id": 5}}
    given = [seen(**one, answers="released") for one in (new, broken, {})]
    found = run(LIMIT, TYPE, NULL, observations=given)
    assert found.drifts == found.sources[3:5] and found.contradictions == () and found.unplaced == ()


def test_the_released_contracts_revision_places_a_response() -> None:
    contracts = {"released": "E1", "candidate": "E2"}
    one = item("E8", "test record", record=Observations(observations=(seen(revision=RELEASED_AT[:8]),)))
    given = bundle(replace(item("E1", "contract artifact"), revision=RELEASED_AT), one)
    request = given.request.model_copy(update={"contracts": Contracts.model_validate(contracts)})
    found = reconcile(replace(given, request=request), ROWS, SIDES)
    assert [source.claims for source in found.sources] == ["released"]


def test_an_observation_speaks_about_the_fields_that_it_holds() -> None:
    found = run(observations=[seen(), seen(body={"id": "o1"}), seen(status=404, body={})])
    assert [source.delta_ids for source in found.sources] == [("D-000000000001",), (), ()]


def test_prose_is_cited_and_not_parsed() -> None:
    found = run(diff="The handler now answers with problem details.")
    assert [fault.code for fault in found.faults] == ["no-such-diff"] and found.unmapped == ()
