"""A parameter that came with its component: one row, one message that shows it, one entry that accepts it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from evreview.app.cli import app
from evreview.comparison.comparison import JudgedRow
from evreview.core.vocabulary import ProofStatus, Verdict
from evreview.kinds.replay import replay
from evreview.schema.cross_check_validator import CrossCheckValidator
from tests.pipeline import compared

OWED: Any = {"name": "page", "in": "query", "required": True, "schema": {"type": "integer"}}
RENAMED: Any = {**OWED, "name": "side"}
REF: Any = {"$ref": "#/components/parameters/P"}
NAMES = ("/a", "/b", "/c")
REACHED = [f"GET {name}" for name in NAMES]


def document(parameter: Any, *, own: Any = None) -> Any:
    """Three operations with one parameter; the second has one of its own as well."""
    paths: dict[str, Any] = {
        name: {"get": {"parameters": [REF], "responses": {"204": {"description": ""}}}} for name in NAMES
    }
    if own is not None:
        paths["/b"]["get"]["parameters"].append(own)
    parts = {"parameters": {"P": parameter}}
    return {"openapi": "3.0.3", "info": {"title": "t", "version": "1"}, "paths": paths, "components": parts}


def added(released: Any, candidate: Any) -> JudgedRow:
    found = compared(released, candidate)
    (row,) = [row for row in found.rows if row.delta.change.value == "added"]
    assert row.proof.status is ProofStatus.WITNESSED
    assert replay(found.ledger.released, found.ledger.candidate, row.proof.witness, CrossCheckValidator()).confirmed
    return row


@pytest.mark.parametrize("candidate", [RENAMED, {**OWED, "in": "header"}, {**RENAMED, "in": "cookie"}])
def test_one_message_shows_what_all_operations_gain(candidate: Any) -> None:
    row = added(document(OWED), document(candidate))
    assert (row.judgement.verdict, list(row.delta.operations)) == (Verdict.BREAKING, REACHED)


def test_an_operation_that_had_the_new_name_already_is_not_reached() -> None:
    row = added(document(OWED, own=RENAMED), document(RENAMED))
    assert list(row.delta.operations) == ["GET /a", "GET /c"]


def test_operations_that_no_message_reaches_hide_no_witness() -> None:
    never = {"name": "n", "in": "query", "required": True, "schema": {"enum": ["x"], "pattern": "^y", "type": "string"}}

    def made(parameter: Any) -> Any:
        whole = document(parameter)
        hidden = {"parameters": [REF, never], "responses": {"204": {"description": ""}}}
        whole["paths"] |= {f"/{number}": {"get": hidden} for number in range(9)}
        return whole

    assert len(added(made(OWED), made(RENAMED)).delta.operations) == 12


@pytest.fixture
def cli(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    monkeypatch.chdir(tmp_path)
    Path("old.json").write_text(json.dumps(document(OWED)))
    Path("new.json").write_text(json.dumps(document(RENAMED)))
    return lambda *words: CliRunner().invoke(app, list(words))


def test_the_command_of_the_row_confirms_it(cli: Callable[..., Result]) -> None:
    found = json.loads(cli("diff", "old.json", "new.json", "--format", "json").stdout)
    assert [row["operations"] for row in found["rows"]] == [REACHED, REACHED]
    (row,) = [row for row in found["rows"] if row["proof"]["status"] == "witnessed"]
    assert cli("replay", "old.json", "new.json", row["id"]).exit_code == 0


@pytest.mark.parametrize(("listed", "code"), [(REACHED, 0), (None, 0), (REACHED[:2], 5), ([], 5)])
def test_an_entry_accepts_the_row_for_the_operations_that_it_lists(
    cli: Callable[..., Result], listed: list[str] | None, code: int
) -> None:
    rows = json.loads(cli("diff", "old.json", "new.json", "--format", "json").stdout)["rows"]
    about = {"reason": "agreed", "owner": "a team", "expires": "2999-01-31"}
    names = {} if listed is None else {"operations": listed}
    entries = [{"id": row["id"], **about, **names} for row in rows if row["verdict"] == "breaking"]
    Path("accept.yaml").write_text(json.dumps({"accept": entries}, indent=1))
    done = cli("diff", "old.json", "new.json", "--fail-on", "breaking", "--accept", "accept.yaml")
    assert (len(entries), done.exit_code) == (2, code)


def test_the_file_to_fill_in_lists_every_operation(cli: Callable[..., Result]) -> None:
    text = cli("diff", "old.json", "new.json", "--format", "accept").stdout
    listed = [line.partition(": ")[2] for line in text.splitlines() if line.strip().startswith("operations")]
    assert [json.loads(each) for each in listed] == [REACHED, REACHED]
