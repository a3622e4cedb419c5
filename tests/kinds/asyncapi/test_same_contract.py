"""One contract in 2.6 and in 3.0 has no difference, and one edit has the same rows in either and across both."""

from __future__ import annotations

import copy
import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

from evreview.comparison.comparison import Comparison
from evreview.contract.model import Contract
from evreview.core.document_text import parse_text
from evreview.core.vocabulary import Json
from evreview.kinds.compare import compare
from evreview.kinds.load import read_contract, read_named
from tests.kinds.asyncapi.documents import Node, documents
from tests.kinds.asyncapi.upgrade import upgraded

CALM = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
SAME = ("slack-rtm-2.6_3.0", "streetlights-kafka-2.6_3.0")


def contract(document: Json) -> Contract:
    return read_contract("events.json", lambda _: json.dumps(document).encode())


def rows(found: Comparison) -> list[str]:
    return [f"{row.delta.address} {row.delta.facet} {row.delta.change} {row.judgement.verdict}" for row in found.rows]


@pytest.mark.parametrize("name", SAME)
def test_the_specifications_own_pairs_have_no_difference(name: str, corpus: Path) -> None:
    pair = [read_named(corpus / "asyncapi" / name / f"{side}.yaml", None)[0] for side in ("released", "candidate")]
    found = compare(*pair)
    assert rows(found) == [] and found.unread == ()


@CALM
@given(documents())
def test_an_upgraded_contract_has_no_difference(document: Node) -> None:
    pair = contract(document), contract(upgraded(document))
    assert [contract.unread for contract in pair] == [(), ()]
    assert rows(compare(*pair, witnesses=False)) == []
    assert rows(compare(*pair[::-1], witnesses=False)) == []


def test_a_real_contract_can_be_upgraded(corpus: Path) -> None:
    for path in sorted((corpus / "asyncapi").glob("*/released.yaml")):
        document = parse_text(path.read_bytes(), path.name)
        assert isinstance(document, dict)
        if str(document["asyncapi"]).startswith("2."):
            assert rows(compare(contract(document), contract(upgraded(document)))) == [], path


def reached(found: Comparison) -> set[tuple[str, ...]]:
    """What differs where, however many rows say it: a trait that is written into its messages is no one edit."""
    return {
        (operation, row.delta.facet, row.delta.change, row.judgement.verdict)
        for row in found.rows
        for operation in row.delta.operations
    }


EDITS = {
    "a required header": lambda d: _traits(d).update(
        headers={"type": "object", "properties": {"k": {"type": "string"}}, "required": ["k"]}
    ),
    "a content type": lambda d: _traits(d).update(contentType="application/xml"),
    "a payload": lambda d: d["components"]["messages"]["placed"].update(payload={"type": "null"}),
    "a key": lambda d: d["components"]["messages"]["placed"].update(bindings={"kafka": {"key": {"type": "integer"}}}),
    "another protocol": lambda d: d["servers"]["two"].update(protocol="mqtts"),
    "no scopes": lambda d: d["components"]["securitySchemes"]["login"]["flows"]["clientCredentials"].update(scopes={}),
    "another server": lambda d: d["servers"]["one"].update(security=[{"login": ["write"]}]),
}  # fmt: skip


def _traits(document: Node) -> Node:
    found: Node = document["components"]["messageTraits"]["t"]
    return found


@pytest.mark.parametrize("edit", EDITS)
@settings(CALM, max_examples=12)
@given(document=documents())
def test_an_edit_has_the_same_rows_in_every_generation(edit: str, document: Node) -> None:
    edited = copy.deepcopy(document)
    EDITS[edit](edited)
    old, new = contract(document), contract(edited)
    old_3, new_3 = contract(upgraded(document)), contract(upgraded(edited))
    wanted = reached(compare(old, new, witnesses=False))
    assert reached(compare(old_3, new_3, witnesses=False)) == wanted
    assert reached(compare(old, new_3, witnesses=False)) == wanted
    assert reached(compare(old_3, new, witnesses=False)) == wanted
