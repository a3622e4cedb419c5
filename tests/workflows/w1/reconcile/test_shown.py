"""What a reviewed entry shows of a changed branch, and when its behaviour has to be stated or recorded besides."""

from __future__ import annotations

from typing import Any

import pytest

from tests.workflows.w1.reconcile.sides import LIMIT, NULL, REVISION, TYPE, run, seen


def plain(mapping: dict[str, Any], *left: str) -> dict[str, Any]:
    """An entry that says what its lines implement, and not what they do; or states one half of it only."""
    return {key: value for key, value in mapping.items() if key not in ("facet", "runtime") or key in left}


NOTHING = {"element": "none", "why": "a name only"}
NULL_SEEN = seen(revision=REVISION, body={"id": "o1", "deliveryEstimate": None})


@pytest.mark.parametrize(
    ("mappings", "observations", "at_rest", "at_runtime"),
    [
        pytest.param((LIMIT, TYPE, NULL), (), [], [], id="all-stated"),
        pytest.param((plain(LIMIT), TYPE, plain(NULL)), (), [], ["1", "21"], id="differences-named-only"),
        pytest.param((LIMIT, plain(TYPE), NULL), (), ["4-4"], ["4-4"], id="an-element-both-have-alike"),
        pytest.param((plain(LIMIT, "facet"), TYPE, NULL), (), [], ["1"], id="a-facet-without-behaviour"),
        pytest.param((LIMIT, plain(TYPE, "facet"), NULL), (), ["4-4"], ["4-4"], id="alike-and-a-facet-alone"),
        pytest.param((LIMIT, plain(TYPE) | NOTHING, NULL), (), [], [], id="said-to-concern-nothing"),
        pytest.param((LIMIT, TYPE, plain(NULL)), (NULL_SEEN,), [], [], id="recorded"),
        pytest.param(
            (LIMIT, TYPE, plain(NULL)),
            (seen(answers="candidate", body={"id": "o1", "deliveryEstimate": None}),),
            [],
            ["21"],
            id="recorded-by-word-only",
        ),
    ],
)
def test_what_is_left_to_show(mappings: Any, observations: Any, at_rest: list[str], at_runtime: list[str]) -> None:
    found = run(*mappings, observations=observations)
    assert [branch.lines for branch in found.unshown(runtime=False)] == at_rest
    assert [branch.lines for branch in found.unshown(runtime=True)] == at_runtime
