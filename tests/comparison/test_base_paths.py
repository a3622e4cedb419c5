"""A path of the servers written into the paths, or out of them, gives the same URLs and no row."""

from __future__ import annotations

import pytest

from evreview.comparison.noise import NoiseReason
from tests.comparison import pairs

DONE = {"responses": {"204": {"description": ""}}}


def _made(server: str, *paths: str) -> pairs.Doc:
    return pairs.document({path: {"get": DONE} for path in paths}, servers=[{"url": server}])


@pytest.mark.parametrize(
    ("released", "candidate"),
    [
        (_made("https://a.example/v1", "/x", "/y/{id}"), _made("https://a.example", "/v1/x", "/v1/y/{key}")),
        (_made("https://a.example/api/v1", "/x"), _made("https://a.example/api", "/v1/x")),
        (_made("/v1", "/x"), _made("/", "/v1/x")),
    ],
)
def test_the_same_urls_are_noise(released: pairs.Doc, candidate: pairs.Doc) -> None:
    for ledger in (pairs.diff(released, candidate), pairs.diff(candidate, released)):
        assert ledger.deltas == ()
        assert NoiseReason.SAME_URLS in {noise.reason for noise in ledger.noise}


def test_another_base_path_stays_a_row() -> None:
    ledger = pairs.diff(_made("https://a.example/v1", "/x"), _made("https://a.example/v2", "/x"))
    assert [row.facet for row in ledger.deltas]
    assert NoiseReason.SAME_URLS not in {noise.reason for noise in ledger.noise}


def test_what_changes_beside_the_move_has_the_row_it_has_alone() -> None:
    released = _made("https://a.example/v1", "/x", "/y")
    alone, moved = _made("https://a.example/v1", "/x", "/z"), _made("https://a.example", "/v1/x", "/v1/z")
    found = [{row.id for row in pairs.diff(released, candidate).deltas} for candidate in (alone, moved)]
    assert found[0] == found[1]
    assert len(found[0]) == 2


def test_a_path_outside_the_released_base_path_is_new() -> None:
    released = _made("https://a.example/v1", "/x")
    ledger = pairs.diff(released, _made("https://a.example", "/v1/x", "/health"))
    assert [(row.address, row.change.value) for row in ledger.deltas] == [("GET /health", "added")]
