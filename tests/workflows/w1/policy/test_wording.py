"""Every entry of the vocabulary finds its examples and leaves its counter-examples alone."""

from __future__ import annotations

import pytest

from evreview.workflows.w1.route_words import ROUTE_EXAMPLES, WORDINGS, is_separated, routes_named, spoken_selections

FINDS = [(entry.kind, text) for entry in WORDINGS for text in entry.finds]
LEAVES = [(entry, text) for entry in WORDINGS for text in entry.leaves]
FINE = [
    "/v2 is opened next to /v1; no client uses it yet",
    "storefront requests /v2",
    "Open the new version beside the released one at gateway (separates /v1, /v2).",
    "Each affected client moves when its own owner changes the path that it requests.",
    "Accept null for deliveryEstimate and application/problem+json for 404; then request /v2.",
    "Send the customer id as a string.",
    "Switch by deployment previous route table.",
    "the gateway's previous route table",
]


@pytest.mark.req("W1G-005", "W1M-011")
@pytest.mark.parametrize(("kind", "text"), FINDS)
def test_finds(kind: str, text: str) -> None:
    assert kind in spoken_selections(text)
    assert kind in spoken_selections(text.upper().replace(" ", "\n"))


@pytest.mark.parametrize("text", [text for _, text in LEAVES] + FINE)
def test_leaves(text: str) -> None:
    assert spoken_selections(text) == ()


@pytest.mark.parametrize(("text", "routes"), ROUTE_EXAMPLES)
def test_routes(text: str, routes: tuple[str, ...]) -> None:
    assert routes_named(text) == routes


@pytest.mark.parametrize(
    ("route", "separated", "answer"),
    [
        ("/v2", ["/v1", "/v2"], True),
        ("/V2", ["/v2/"], True),
        ("/v2/orders", ["/v2"], True),
        ("v2", ["/v2"], True),
        ("/v2", ["route prefix /v2"], True),
        ("/v2", ["/v2/*"], True),
        ("/v3", ["/v1", "/v2"], False),
        ("/v22", ["/v2"], False),
        ("/v2", ["/v2/orders"], False),
        ("/v2", [], False),
    ],
)
def test_separated(route: str, separated: list[str], answer: bool) -> None:
    assert is_separated(route, separated) is answer
