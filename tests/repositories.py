"""Repositories that tests make: a folder with one commit per state of its files, each with a tag."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

CONTRACT = """\
openapi: 3.0.3
info: {title: Parcels, version: "1.0"}
paths:
  /parcels/{id}:
    get:
      operationId: getParcel
      parameters: [{name: id, in: path, required: true, schema: {type: string}}]
      responses:
        "200":
          description: A parcel.
          content:
            application/json:
              schema: {$ref: "schemas.yaml#/Parcel"}
"""
SCHEMAS = """\
Parcel:
  type: object
  required: [id, weight, state]
  properties:
    id: {type: string}
    weight: {type: integer}
    state: {type: string, enum: [new, sent]}
"""
CODE = """\
STATES = ["new", "sent"]


def shown(parcel):
    return {"id": parcel.id, "weight": parcel.weight, "state": parcel.state}
"""
RELEASED = {"api/openapi.yaml": CONTRACT, "api/schemas.yaml": SCHEMAS, "parcels/app.py": CODE}
CANDIDATE = {
    "api/openapi.yaml": CONTRACT.replace('"1.0"', '"1.1"'),
    "api/schemas.yaml": SCHEMAS.replace("[id, weight, state]", "[id, state]").replace(
        "[new, sent]", "[new, sent, lost]"
    ),
    "parcels/app.py": CODE.replace('"sent"]', '"sent", "lost"]').replace(
        '    return {"id": parcel.id, "weight": parcel.weight, "state": parcel.state}',
        '    told = {"id": parcel.id, "state": parcel.state}\n    if parcel.weight is not None:\n'
        '        told["weight"] = parcel.weight\n    return told',
    ),
}
"""A released parcel always has a weight and one of two states; the candidate's need have none, and has a third."""


def git(folder: Path, *words: str) -> str:
    """What git says in a folder, with nothing of the machine's configuration."""
    if shutil.which("git") is None:
        pytest.skip("git is not installed")
    quiet = {"GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull, "HOME": str(folder)}
    day = {"GIT_AUTHOR_DATE": "2026-01-02T03:04:05Z", "GIT_COMMITTER_DATE": "2026-01-02T03:04:05Z"}
    who = ["-c", "user.name=Test", "-c", "user.email=test@example.test", "-c", "protocol.file.allow=always"]
    done = subprocess.run(
        ["git", "-C", str(folder), *who, *words],
        env={**os.environ, **quiet, **day},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.strip()


def repository(
    folder: Path, states: Sequence[Mapping[str, str | None]], *, tags: Sequence[str] = ("v1.0", "v1.1")
) -> Path:
    """A new repository with a commit for each state, which adds to the one before; a file that is None is removed."""
    folder.mkdir(parents=True)
    git(folder, "init", "-q", "-b", "main")
    for tag, state in zip(tags, states, strict=True):
        for name, text in state.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.unlink(missing_ok=True) if text is None else path.write_text(text, encoding="utf-8")
        git(folder, "add", "-A")
        git(folder, "commit", "-q", "--allow-empty", "-m", tag)
        git(folder, "tag", tag)
    return folder


def parcels(folder: Path) -> Path:
    """The repository with both states of the parcel service."""
    return repository(folder, (RELEASED, CANDIDATE))


# A service with its tests, at one revision: what a reference (W2) and a security review (W3) are made from.

SERVICE_CONTRACT = """\
openapi: 3.0.3
info: {title: Parcels, version: "1.0"}
servers: [{url: "https://parcels.example.test"}]
paths:
  /parcels/{id}:
    get:
      operationId: getParcel
      summary: One parcel.
      parameters: [{name: id, in: path, required: true, schema: {type: string}}]
      security: [{token: []}]
      responses:
        "200":
          description: The parcel.
          content:
            application/json:
              schema: {$ref: "schemas.yaml#/Parcel"}
        "401": {description: No valid token.}
        "404": {description: There is no such parcel.}
  /parcels/{id}/label:
    delete:
      operationId: dropLabel
      summary: Drop the label of a parcel.
      parameters: [{name: id, in: path, required: true, schema: {type: string}}]
      security: [{token: []}]
      responses:
        "204": {description: The label is gone.}
        "401": {description: No valid token.}
        "403": {description: The caller is not of the desk.}
components:
  securitySchemes:
    token: {type: http, scheme: bearer}
"""
SERVICE_CODE = """\
from flask import Flask, abort, jsonify

from parcels.guards import desk_only, token_required

app = Flask(__name__)
PARCELS = {}


@app.get("/parcels/<id>")
@token_required
def get_parcel(id):
    if id not in PARCELS:
        abort(404)
    return jsonify({"id": id, "weight": 3, "state": "new"})


@app.delete("/parcels/<id>/label")
@token_required
@desk_only
def drop_label(id):
    return "", 204
"""
GUARDS = """\
from functools import wraps

from flask import abort, g, request


def token_required(view):
    @wraps(view)
    def inner(*args, **given):
        if not request.headers.get("Authorization", "").startswith("Bearer "):
            abort(401)
        return view(*args, **given)

    return inner


def desk_only(view):
    @wraps(view)
    def inner(*args, **given):
        if g.caller.role != "desk":
            abort(403)
        return view(*args, **given)

    return inner
"""
SERVICE_TESTS = """\
from parcels.app import app


def test_a_parcel_is_shown():
    answer = app.test_client().get("/parcels/1")
    assert answer.status_code == 200


def test_a_parcel_needs_a_token():
    answer = app.test_client().get("/parcels/1")
    assert answer.status_code == 401


def test_an_unknown_parcel():
    answer = app.test_client().get("/parcels/none")
    assert answer.status_code == 404


def test_the_desk_drops_a_label():
    answer = app.test_client().delete("/parcels/1/label")
    assert answer.status_code == 204


def test_others_drop_no_label():
    answer = app.test_client().delete("/parcels/1/label")
    assert answer.status_code == 403


def test_nobody_drops_a_label_without_a_token():
    answer = app.test_client().delete("/parcels/1/label")
    assert answer.status_code == 401
"""
SERVICE = {
    "api/openapi.yaml": SERVICE_CONTRACT,
    "api/schemas.yaml": SCHEMAS,
    "parcels/app.py": SERVICE_CODE,
    "parcels/guards.py": GUARDS,
    "tests/test_parcels.py": SERVICE_TESTS,
    "README.md": "# Parcels\n",
}
TEST_NAMES = tuple(line[4:-3] for line in SERVICE_TESTS.splitlines() if line.startswith("def test_"))
JUNIT = (
    '<?xml version="1.0"?>\n<testsuites><testsuite name="pytest" tests="{count}">\n{cases}\n</testsuite></testsuites>\n'
)


def report(names: Sequence[str] = TEST_NAMES) -> str:
    """The report of a run of the service's tests, as pytest writes it; all passed."""
    cases = "\n".join(f'<testcase classname="tests.test_parcels" name="{name}" time="0.01"/>' for name in names)
    return JUNIT.format(count=len(names), cases=cases)


def service(folder: Path, **states: str | None) -> Path:
    """The repository with the service at the tag v1.0; files that differ are given by `__` for `/` in their names."""
    return repository(folder, ({**SERVICE, **states},), tags=("v1.0",))
