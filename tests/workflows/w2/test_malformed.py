"""A contract with a part of the wrong kind is read as far as it goes: no fault, and every cell is still there."""

from __future__ import annotations

import copy
import random
from collections.abc import Iterator
from typing import Any

import pytest

from evreview.codefacts.model import CodeFacts
from evreview.core.errors import BadInput
from evreview.core.vocabulary import Concern, EvidenceId
from evreview.workflows.w2.contract_entries import Entries
from evreview.workflows.w2.facts import ReferenceEvidence
from evreview.workflows.w2.matrix.coverage import coverage
from evreview.workflows.w2.matrix.coverage import tests_needed as needed
from evreview.workflows.w2.matrix.evidence_matrix import gaps, matrix
from evreview.workflows.w2.matrix.routes import match_routes
from evreview.workflows.w2.scope import operations_of
from tests.workflows.w2.contracts import read
from tests.workflows.w2.rich import RICH
from tests.workflows.w2.test_entry import SWAGGER

ODD: Any = (
    None,
    7,
    -1.5,
    "",
    "x`y",
    True,
    [],
    {},
    [None],
    {"$ref": "#/nowhere"},
    [[{}]],
    {"type": ["x", 3]},
)
ITEM = EvidenceId("E1")


def places(node: Any, above: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The way to every value below a node."""
    pairs = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    for key, value in pairs:
        yield (*above, key)
        yield from places(value, (*above, key))


def broken(document: dict[str, Any], seed: int) -> dict[str, Any]:
    """The document with one to three values replaced by odd ones."""
    chance, made = random.Random(seed), copy.deepcopy(document)
    for _ in range(chance.randint(1, 3)):
        *above, last = chance.choice([way for way in places(made) if way[0] not in ("openapi", "swagger")])
        node = made
        for step in above:
            node = node[step]
        node[last] = copy.deepcopy(chance.choice(ODD))
    return made


@pytest.mark.parametrize("seed", range(120))
@pytest.mark.parametrize("document", [RICH, SWAGGER], ids=["3.1", "2.0"])
def test_odd_parts_break_nothing(document: dict[str, Any], seed: int) -> None:
    try:
        contract = read(broken(document, seed))
    except BadInput:
        return
    entries, operations = Entries(contract, ITEM), operations_of(contract)
    code = CodeFacts(routes=())
    evidence = ReferenceEvidence(contract=contract, item=ITEM, code=code, runs=())
    matching, covered = match_routes(contract, operations, code), coverage(evidence, operations, entries)
    cells = matrix(evidence, operations, entries, matching, covered)
    assert len(cells) == len(operations) * len(Concern) * 3
    assert all(gap.says for gap in gaps(operations, entries, matching))
    assert all(test.asserts for test in needed(operations, entries, covered))
