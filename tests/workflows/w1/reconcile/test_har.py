"""Recorded traffic in HAR files: sanitised, matched with both contracts, and refused where it is none."""

from __future__ import annotations

from typing import Any

import orjson
import pytest

from evreview.core.errors import BadInput
from evreview.core.vocabulary import SourceMatch
from evreview.workflows.w1.reconcile.observations import claim_of, har_observations, is_har
from tests.rows import item
from tests.workflows.w1.reconcile.sides import LIMIT, NULL, REVISION, TYPE, run

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
        pytest.param({}, "side: released", "released", id="comment-side"),
        pytest.param({}, "side: candidate", "candidate", id="comment-side-of-the-candidate"),
        pytest.param({}, f"side: released; revision: {REVISION}", "candidate", id="revision-over-comment"),
        pytest.param({"_side": "released", "_revision": REVISION}, "", "candidate", id="revision-over-side"),
        pytest.param({"_side": "candidate", "_revision": "e" * 40}, "", "unknown", id="revision-of-neither"),
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
