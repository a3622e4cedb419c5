"""The kinds of discrepancy: each is found by its example and not by its near case, through the real readers."""

from __future__ import annotations

import re

import pytest

from evreview.codefacts.declared import declared_facts
from evreview.codefacts.read import read_sources
from evreview.core.vocabulary import ABSENT, Concern, EvidenceId
from evreview.evidence.cited_records import Cited
from evreview.evidence.item import Citation
from evreview.evidence.records.reference import DeclaredCode, DeclaredFact
from evreview.workflows.w2.contract_entries import Entries
from evreview.workflows.w2.discrepancy_kinds import KIND, KINDS
from evreview.workflows.w2.discrepancy_kinds.kind import Breaks, DiscrepancyKind, KindExample
from evreview.workflows.w2.facts import withheld
from evreview.workflows.w2.reconcile.publication import claims
from evreview.workflows.w2.reconcile.reconcile import Reconciled, held_back
from evreview.workflows.w2.scope import operations_of
from tests.codefacts.snippets import source
from tests.workflows.w2.facts import CONTRACT, contract_of, evidence_of, reconciled

IMPORTS = """from typing import Required, TypedDict
from fastapi import BackgroundTasks, Depends, FastAPI, Header, HTTPException, Query, Request, Response, Security
from fastapi.responses import JSONResponse, PlainTextResponse
from fastapi.security import HTTPBearer, OAuth2PasswordBearer, SecurityScopes
from pydantic import BaseModel, ConfigDict, Field
from slowapi import Limiter
from slowapi.util import get_remote_address

app = FastAPI()


"""


def judged(example: KindExample) -> Reconciled:
    """The example, read and reconciled."""
    contract = contract_of(example.paths, example.schemes)
    text = IMPORTS + example.code
    sources = [source(text, "app.py", "E2")]
    read = read_sources(sources)
    stated = declared(example, text)
    more, problems = declared_facts(stated, sources, read.routes)
    assert problems == ()
    routes = (*read.routes, *more.routes)
    return reconciled(evidence_of(contract, *routes, unread=read.unread, seen=example.seen))


def declared(example: KindExample, text: str) -> list[Cited[DeclaredCode]]:
    """What the example declares, quoting the last line of the service."""
    lines = text.rstrip().splitlines()
    facts = [
        DeclaredFact(
            id=f"fact-{at}",
            operation="*",
            concern=concern,
            name=name,
            states=states,
            item=EvidenceId("E2"),
            lines=str(len(lines)),
            quote=lines[-1],
        )
        for at, (concern, name, states) in enumerate(example.declared)
    ]
    return [Cited(DeclaredCode(facts=tuple(facts)), Citation(EvidenceId("E5")))] if facts else []


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.id)
def test_the_example_shows_the_kind(kind: DiscrepancyKind) -> None:
    found = [each for each in judged(kind.example).discrepancies if each.kind == kind.id]
    assert len(found) == 1
    assert found[0].concern in kind.concerns
    assert found[0].citations
    assert any(form is not ABSENT for form in (found[0].contract, found[0].implementation, found[0].observed))


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.id)
def test_the_near_case_does_not(kind: DiscrepancyKind) -> None:
    assert [each.kind for each in judged(kind.counter_example).discrepancies if each.kind == kind.id] == []


def test_ids_are_kebab_case_and_unique() -> None:
    assert len(KIND) == len(KINDS)
    assert [kind.id for kind in KINDS if not re.fullmatch(r"[a-z]+(-[a-z0-9]+)*", kind.id)] == []
    assert {kind.breaks for kind in KINDS} == set(Breaks)


UNSAID = {"body-closed", "path-differs"}
"""What is contradicted is no claim of a reference: that members without a name are taken, how the path is spelled."""


@pytest.mark.req("W2S-009")
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.id)
def test_what_contradicts_the_contract_holds_one_of_its_claims_back(kind: DiscrepancyKind) -> None:
    contract = contract_of(kind.example.paths, kind.example.schemes)
    found = next(each for each in judged(kind.example).discrepancies if each.kind == kind.id)
    entries = Entries(contract, CONTRACT)
    made = [key for operation in operations_of(contract) for key in claims(entries.entry(operation))]
    held = [key for key in made if withheld(key, held_back([found]))]
    assert held or found.contract is ABSENT or kind.id in UNSAID


@pytest.mark.parametrize("name", ["body-narrower", "body-wider", "body-field-required", "body-field-unread"])
def test_a_value_of_a_body_in_doubt_is_no_validation_to_publish(name: str) -> None:
    found = next(each for each in judged(KIND[name].example).discrepancies if each.kind == name)
    place = f"{found.operation} {Concern.VALIDATION} {found.place}".rstrip()
    assert place in found.withholds
    assert f"{found.operation} {found.concern} {found.place}".rstrip() in found.withholds


@pytest.mark.req("W2S-009")
def test_a_statement_that_repeats_a_withheld_parameter_is_withheld() -> None:
    key = {"name": "Idempotency-Key", "in": "header", "required": True, "schema": {"type": "string"}}
    answers = {status: {"description": status} for status in ("200", "422")}
    contract = contract_of({"/orders": {"post": {"parameters": [key], "responses": answers}}})
    code = "@app.post('/orders')\ndef make(idempotency_key: str | None = Header(None)):\n    return None\n"
    read = read_sources([source(IMPORTS + code, "app.py", "E2")])
    found = reconciled(evidence_of(contract, *read.routes, unread=read.unread)).discrepancies
    operation = operations_of(contract)[0]
    (stated,) = [each for each in Entries(contract, CONTRACT).entry(operation).stated if each.name == key["name"]]
    held = [each.kind for each in found if withheld(stated.claim, each.withholds)]
    assert (stated.concern, held) == (Concern.IDEMPOTENCY, ["parameter-optional"])


def test_headers_go_with_their_response() -> None:
    answer = {"description": "made", "headers": {"Location": {"schema": {"type": "string"}}}}
    contract = contract_of({"/orders": {"post": {"responses": {"201": answer}}}})
    code = "@app.post('/orders')\ndef make():\n    return None\n"
    read = read_sources([source(IMPORTS + code, "app.py", "E2")])
    found = reconciled(evidence_of(contract, *read.routes, unread=read.unread)).discrepancies
    (row,) = [each for each in found if each.kind == "success-status-differs"]
    assert "POST /orders headers 201 Location" in row.withholds
