"""Names of parameters and keys that addresses escape, or that read like something else."""

from __future__ import annotations

from typing import Any

import pytest

from evreview.contract.model import Contract
from tests.messages.contracts import contract, operation, query
from tests.messages.test_structure import found_in


@pytest.mark.parametrize("name", ["a b", "date[>]", "a > b", "a\\b", "{a}", "\u00c9"])
@pytest.mark.parametrize("location", ["query", "header", "cookie"])
def test_names_that_addresses_escape(name: str, location: str) -> None:
    sides = [query(name=name, **{"in": location}, required=required) for required in (False, True)]
    (carried,) = found_in(*(contract(operation(parameters=[side])) for side in sides))
    assert carried.witness["violation"]["in"].partition(" ")[2].lower() == name.lower()  # type: ignore[index, call-overload]


def keyed(**scheme: Any) -> Contract:
    declared = {"k": {"type": "apiKey", "in": "query", **scheme}}
    return contract(operation(security=[{"k": []}]), components={"securitySchemes": declared})


@pytest.mark.parametrize(
    ("released", "candidate"),
    [("(X)", "Y"), ("Y", "(X)"), ("key (a)", "key (b)"), ("key (a)", "key %28a)"), ("a%25", "a%"), ("x", "x (k)")],
)
def test_names_of_keys_that_read_like_notes(released: str, candidate: str) -> None:
    """Behind ` (` stands, in the key of a scheme, what tells two alike ones apart."""
    found = found_in(keyed(name=released), keyed(name=candidate))
    assert any(each.witness is not None for each in found)
    assert not found_in(keyed(name=released), keyed(name=released))


@pytest.mark.parametrize(("name", "unread"), [("x", False), (None, True), (1, True)])
@pytest.mark.parametrize("location", ["(X", "", "query"])
def test_keys_that_nothing_carries(name: Any, unread: bool, location: str) -> None:
    """A broken contract ends with no fault; a key without a name is told as unread."""
    broken = keyed(name=name, **{"in": location})
    found_in(keyed(name="y"), broken)
    assert any("securitySchemes" in each.place.pointer for each in broken.unread) is unread
