"""Each implementation branch and each recorded response matches released, candidate, both or neither."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import orjson
import pytest

from evreview.errors import BadInput
from evreview.evidence.item import Citation
from evreview.evidence.records.execution import ImplementationMapping, Observation, Observations
from evreview.evidence.records.review import Contracts
from evreview.reconcile.har import har_observations, is_har
from evreview.reconcile.locate import find_operation
from evreview.reconcile.observations import claim_of, match_observation
from evreview.reconcile.reconcile import Sides, reconcile
from evreview.reconcile.sources import sources_frame
from evreview.vocab import Aspect, Basis, DeltaId, EvidenceId, Polarity, SourceMatch
from tests.rows import ESTIMATE, ORDER, Spec, bundle, contract, item, row

AT = Citation(EvidenceId("E8"))
REVISION = "d" * 40


def order(nullable: bool, error: str, default: int) -> Any:
    day: dict[str, Any] = {"type": ["string", "null"] if nullable else "string"}
    body = {"type": "object", "required": ["id"], "properties": {"id": {"type": "string"}, "deliveryEstimate": day}}
    responses = {
        "200": {"application/json": {"$ref": "#/components/schemas/Order"}},
        "404": {error: {"type": "object"}},
        "5XX": {"application/json": {"type": "object"}},
    }
    return contract(
        Spec(ORDER, responses, {"query:limit": {"type": "integer", "default": default}}),
        Spec("GET /v1/orders/latest", {"default": {"application/json": {"type": "object"}}}),
        components={"Order": body},
    )


SIDES = Sides(order(False, "application/json", 50), order(True, "application/problem+json", 20))


def seen(**given: Any) -> Observation:
    base = {"id": "o", "operation": "GET /v1/orders/{orderId}", "status": 200, "content_type": "application/json"}
    return Observation.model_validate(base | {"body": {"id": "o1", "deliveryEstimate": "2026-11-24"}} | given)


@pytest.mark.req("W1S-007")
@pytest.mark.parametrize(
    ("given", "match"),
    [
        pytest.param({}, SourceMatch.BOTH, id="both"),
        pytest.param({"body": {"id": "o1", "deliveryEstimate": None}}, SourceMatch.CANDIDATE, id="null"),
        pytest.param({"body": {"deliveryEstimate": "x"}}, SourceMatch.NEITHER, id="required-field-absent"),
        pytest.param({"body": '{"id": "o1", "deliveryEstimate": null}'}, SourceMatch.CANDIDATE, id="body-as-text"),
        pytest.param({"body_recorded": False, "body": None}, SourceMatch.BOTH, id="no-body-kept"),
        pytest.param({"status": 404, "body": {}}, SourceMatch.RELEASED, id="error-type-released"),
        pytest.param(
            {"status": 404, "body": {}, "content_type": "application/problem+json"}, SourceMatch.CANDIDATE, id="problem"
        ),
        pytest.param({"status": 404, "body": {}, "content_type": "text/html"}, SourceMatch.NEITHER, id="html"),
        pytest.param({"content_type": "Application/JSON; charset=utf-8"}, SourceMatch.BOTH, id="parameters"),
        pytest.param({"status": 503, "body": {}}, SourceMatch.BOTH, id="range"),
        pytest.param({"status": 302}, SourceMatch.NEITHER, id="undeclared-status"),
        pytest.param({"operation": "GET /v1/orders/latest", "status": 418, "body": {}}, SourceMatch.BOTH, id="default"),
        pytest.param({"operation": "GET /v1/orders/ord_1"}, SourceMatch.BOTH, id="concrete-path"),
        pytest.param({"operation": "POST /v1/orders/ord_1"}, SourceMatch.NEITHER, id="no-such-operation"),
    ],
)
def test_observations(given: Any, match: SourceMatch) -> None:
    found = match_observation(seen(**given), AT, SIDES, "candidate")
    assert found.match is match
    assert found.basis is Basis.OBSERVED
    assert bool(found.candidate_reasons) is (match in (SourceMatch.RELEASED, SourceMatch.NEITHER))
    assert bool(found.released_reasons) is (match in (SourceMatch.CANDIDATE, SourceMatch.NEITHER))
    assert found.contradicts is (match in (SourceMatch.RELEASED, SourceMatch.NEITHER))


@pytest.mark.parametrize(
    ("headers", "match"),
    [
        ({}, SourceMatch.BOTH),
        ({"X-Rate": "7"}, SourceMatch.BOTH),
        ({"X-Rate": "seven"}, SourceMatch.NEITHER),
        ({"X-Other": "7"}, SourceMatch.NEITHER),
    ],
)
def test_headers(headers: dict[str, str], match: SourceMatch) -> None:
    one = contract(Spec("GET /a", {"200": {}}, headers={"x-rate": {"type": "integer"}}))
    given = seen(operation="GET /a", headers=headers, content_type=None, body=None, body_recorded=False)
    assert match_observation(given, AT, Sides(one, one)).match is match


def test_literal_paths_come_before_templates() -> None:
    found = find_operation(SIDES.released, "GET /v1/orders/latest")
    assert found is not None and found.key == "GET /v1/orders/latest"
    assert find_operation(SIDES.released, "GET /v1/orders/a/b") is None


def test_reasons_repeat_no_value() -> None:
    found = match_observation(seen(body={"id": 5, "deliveryEstimate": "s3cret"}), AT, SIDES)
    assert found.candidate_reasons and "s3cret" not in str(found)


RELEASED_AT = "5980ea2e5c2085289e246196e9ac395de8d8eb03"


@pytest.mark.req("W1D-002")
@pytest.mark.parametrize(
    ("revision", "answers", "claims"),
    [
        (REVISION, None, "candidate"),
        (REVISION.upper(), None, "candidate"),
        (REVISION[:7], None, "candidate"),
        (REVISION[:6], None, "unknown"),
        (RELEASED_AT, None, "released"),
        (RELEASED_AT[:9].upper(), None, "released"),
        ("0" * 40, None, "unknown"),
        ("v1.5.0", None, "unknown"),
        (None, None, "unknown"),
        (None, "candidate", "candidate"),
        ("v1.4.0", "released", "released"),
        (REVISION, "released", "released"),
    ],
)
def test_who_answered(revision: str | None, answers: str | None, claims: str) -> None:
    """As stated, else as the revision tells; whatever else is unknown and never the released side."""
    assert claim_of(seen(revision=revision, answers=answers), REVISION, RELEASED_AT) == claims
    if answers is None:
        assert claim_of(seen(revision=revision), None) == "unknown"


DIFF = """--- a/src/a.py
+++ b/src/a.py
@@ -1,4 +1,4 @@
-LIMIT = 50
+LIMIT = 20
 def handler():
     pass
-OLD = 1
+TYPE = "application/problem+json"
@@ -20,2 +20,3 @@
 x
+estimate = None
 y
"""
ROWS = [
    row(facts={"required": True}),
    row(f"{ORDER} > query:limit", id=DeltaId("D-2"), aspect=Aspect.DEFAULTS, polarity=Polarity.READ),
]
LIMIT = {
    "path": "src/a.py",
    "lines": "1",
    "quote": "LIMIT = 20",
    "element": f"{ORDER} > query:limit",
    "facet": "default",
    "runtime": 20,
}
TYPE = {
    "path": "src/a.py",
    "lines": "4-4",
    "quote": "application/problem+json",
    "element": f"{ORDER} > response 404 > application/problem+json",
    "facet": "content-type",
    "runtime": "application/problem+json",
}
NULL = {
    "path": "src/a.py",
    "lines": "21",
    "quote": "estimate =  None",
    "element": "deliveryEstimate",
    "facet": "nullable",
    "runtime": True,
}


def run(*mappings: dict[str, Any], diff: str = DIFF, observations: Any = (), extra: Any = ()) -> Any:
    record = ImplementationMapping.model_validate({"diff": "E3", "mappings": mappings})
    items = [
        item("E3", "implementation diff", diff),
        item("E4", "implementation diff", record=record),
        item("E8", "execution and approval record", record=Observations(observations=tuple(observations))),
        *extra,
    ]
    return reconcile(bundle(*items, revision=REVISION), ROWS, SIDES)


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


HAR = {
    "log": {
        "entries": [
            {
                "_revision": REVISION,
                "request": {
                    "method": "get",
                    "url": "https://api.example.test/v1/orders/ord_1?key=hidden",
                    "headers": [{"name": "Authorization", "value": "Bearer hidden"}],
                    "postData": {"text": "hidden"},
                },
                "response": {
                    "status": 200,
                    "headers": [{"name": "Set-Cookie", "value": "hidden"}, {"name": "X-Trace", "value": "1"}],
                    "content": {"mimeType": "application/json", "text": '{"id": "o1", "deliveryEstimate": null}'},
                },
            }
        ]
    }
}


def test_har_is_sanitised_and_matched() -> None:
    text = orjson.dumps(HAR).decode()
    (observation,) = har_observations(HAR, "x.har").observations
    assert "hidden" not in repr(observation) and observation.headers == {"x-trace": "1"}
    assert observation.operation == "GET /v1/orders/ord_1"
    found = run(LIMIT, TYPE, NULL, extra=[item("E9", "test record", text)])
    source = found.sources[-1]
    assert (source.match, source.claims, str(source.citation)) == (
        SourceMatch.CANDIDATE,
        "candidate",
        "E9#/log/entries/0",
    )
    assert is_har(text) and not is_har('{"log": 1}') and not is_har("{") and not is_har("plain")


@pytest.mark.parametrize(
    ("data", "places"),
    [
        ({"log": {"entries": [{}, {"request": {}, "response": {}}]}}, ["#/log/entries/0", "#/log/entries/1"]),
        ({"log": {"entries": {}}}, ["#/log/entries"]),
        ([], ["#/log/entries"]),
    ],
)
def test_bad_har(data: Any, places: list[str]) -> None:
    with pytest.raises(BadInput) as caught:
        har_observations(data, "x.har")
    assert [(problem.code, problem.place) for problem in caught.value.problems] == [("bad-har", one) for one in places]


@pytest.mark.parametrize(
    ("entry", "comment", "claims"),
    [
        pytest.param({"_side": "candidate"}, "", "candidate", id="side"),
        pytest.param({"_revision": REVISION[:12]}, "", "candidate", id="revision"),
        pytest.param({}, f"side: released; revision: {REVISION}", "released", id="comment-side"),
        pytest.param({}, f"Recorded on a laptop\nrevision: {REVISION}", "candidate", id="comment-revision"),
        pytest.param({"_side": "candidate"}, "side: released", "candidate", id="entry-first"),
        pytest.param({}, "staging, yesterday", "unknown", id="nothing-stated"),
    ],
)
def test_the_side_of_a_har_entry(entry: dict[str, Any], comment: str, claims: str) -> None:
    bare = {"request": {"method": "GET", "url": "/a"}, "response": {"status": 200}}
    (seen_,) = har_observations({"log": {"comment": comment, "entries": [bare | entry]}}, "x.har").observations
    assert claim_of(seen_, REVISION) == claims


def test_a_har_side_that_is_none() -> None:
    bare = {"request": {"method": "GET", "url": "/a"}, "response": {"status": 200}, "_side": "both"}
    with pytest.raises(BadInput):
        har_observations({"log": {"entries": [bare]}}, "x.har")


def test_an_encoded_body_is_not_kept() -> None:
    entry = {
        "request": {"method": "GET", "url": "/a"},
        "response": {"status": 200, "content": {"mimeType": "image/png", "text": "AA==", "encoding": "base64"}},
    }
    (observation,) = har_observations({"log": {"entries": [entry]}}, "x.har").observations
    assert (observation.body, observation.body_recorded) == (None, False)


RETAINED = {"revision": REVISION, "command": "pytest -k order", "fixture": "isolated"}
NULL_BODY = {"body": {"id": "o1", "deliveryEstimate": None}}
