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
