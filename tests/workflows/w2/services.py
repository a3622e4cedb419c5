"""Small services against a contract in short, for tests of what may be claimed of code that is not all there."""

from __future__ import annotations

from typing import Any, Final

from evreview.codefacts.read import read_sources
from evreview.workflows.w2.facts import ReferenceEvidence
from evreview.workflows.w2.reconcile.reconcile import Reconciled, reconcile
from evreview.workflows.w2.scope import operations_of
from tests.codefacts.snippets import sources
from tests.workflows.w2.facts import CONTRACT, contract_of

BEARER = {"token": {"type": "http", "scheme": "bearer"}}


def contract(*lines: str) -> Any:
    """A contract from `GET /a 200 401 ?limit`; every operation demands a token, but those that say `free`."""
    paths: dict[str, Any] = {}
    for line in lines:
        method, path, *words = line.split()
        names = [word[1:-1] for word in path.split("/") if word.startswith("{")]
        parameters = [{"name": name, "in": "path", "required": True, "schema": {"type": "string"}} for name in names]
        parameters += [
            {"name": word[1:], "in": "query", "schema": {"type": "string"}} for word in words if word[0] == "?"
        ]
        bodies = {"application/json": {"schema": {}}}
        responses = {word: {"description": "d", "content": bodies} for word in words if word.isdigit()}
        security: list[Any] = [] if "free" in words else [{"token": []}]
        operation = {"responses": responses, "parameters": parameters, "security": security}
        paths.setdefault(path, {})[method.lower()] = operation
    return contract_of(paths, BEARER)


def judged(files: dict[str, str] | str, *lines: str) -> Reconciled:
    """What is found of the files against the contract in short."""
    return judged_by(files, contract(*lines))


def judged_by(files: dict[str, str] | str, made: Any) -> Reconciled:
    """What is found of the files against a contract."""
    code = read_sources(sources({"app.py": files} if isinstance(files, str) else files))
    evidence = ReferenceEvidence(contract=made, item=CONTRACT, code=code, runs=())
    return reconcile(evidence, operations_of(made), owner_role="API owner")


def rows(found: Reconciled) -> list[str]:
    """Kind, operation and place of each row."""
    return [f"{row.kind} {row.operation} {row.place}".strip() for row in found.discrepancies]


def undecided(found: Reconciled) -> set[str]:
    """Operation and concern of each comparison that nothing decided."""
    return {f"{each.operation} {each.concern}" for each in found.undecided}


FAST: Final = (
    "from fastapi import APIRouter, Depends, FastAPI, HTTPException, Request\n"
    "from starlette.responses import JSONResponse\nimport gone\n"
    "def signed(request: Request):\n    if 'authorization' not in request.headers:\n        raise HTTPException(401)\n"
)
FLASK: Final = (
    "from functools import wraps\nfrom flask import Blueprint, Flask, current_app, g, jsonify, request\nimport gone\n"
    "def deny():\n    if 'Authorization' not in request.headers:\n        return jsonify({}), 401\n"
)
