"""Checks that are not read as value sets are open points, and the matrix says so."""

from __future__ import annotations

import pytest

from evreview.codefacts.model import CodeNote
from evreview.codefacts.schema_reading import check
from evreview.core.vocabulary import Concern
from evreview.workflows.w2.contract_entries import Entries
from evreview.workflows.w2.discrepancy_kinds.kind import TEXT, parameter, paths
from evreview.workflows.w2.facts import Source, Standing
from evreview.workflows.w2.matrix.coverage import coverage
from evreview.workflows.w2.matrix.evidence_matrix import matrix
from evreview.workflows.w2.matrix.routes import match_routes
from evreview.workflows.w2.reconcile.requests import CHECKED
from evreview.workflows.w2.scope import operations_of
from tests.workflows.w2.facts import CONTRACT, LINES, contract_of, evidence_of, reads, reconciled, route, sends, takes

BODY = {"content": {"application/json": {"schema": {"type": "object", "properties": {"label": TEXT}}}}}
POST = paths("post", requestBody=BODY, parameters=[parameter("X-Kind", TEXT, "header")])
READS = {
    "body": takes({"type": "object", "properties": {"label": TEXT}}),
    "parameters": (reads("X-Kind", TEXT, "header"),),
}


@pytest.mark.req("W2S-008")
@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("label", (Concern.REQUEST_BODY, "application/json label")),
        ("x_kind", (Concern.VALIDATION, "header x-kind")),
        ("", (Concern.REQUEST_BODY, "application/json")),
    ],
)
def test_a_check_is_open_where_it_looks(name: str, expected: tuple[Concern, str]) -> None:
    code = route("POST", notes=(check(name, LINES, "strip"),), responses=(sends(200, media_type=""),), **READS)
    found = reconciled(evidence_of(contract_of(POST), code))
    assert expected in [(each.concern, each.place) for each in found.undecided if each.reason == CHECKED]


@pytest.mark.parametrize(
    ("notes", "expected"), [((), Standing.STATED), ((check("label", LINES, "strip"),), Standing.UNREAD)]
)
def test_the_matrix_does_not_call_unread_checks_stated(notes: tuple[CodeNote, ...], expected: Standing) -> None:
    code = route("POST", notes=notes, responses=(sends(200, media_type=""),), **READS)
    evidence = evidence_of(contract_of(POST), code)
    contract, operations = evidence.contract, operations_of(evidence.contract)
    entries = Entries(contract, CONTRACT)
    covered = coverage(evidence, operations, entries)
    cells = matrix(evidence, operations, entries, match_routes(contract, operations, evidence.code), covered)
    (cell,) = [each for each in cells if each.concern is Concern.VALIDATION and each.source is Source.IMPLEMENTATION]
    assert cell.standing is expected
