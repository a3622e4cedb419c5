"""`evreview replay` of a witness that may not be shown whole: it is judged as it is, and the output says so."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from evreview.app.cli import app
from evreview.app.commands.replay import agree, is_redacted
from tests.report.test_ledger_witnesses import edited_body

Cli = Callable[..., Result]
MAIL = "ines.moreau" + "@harbourline.fr"
SIDES = ("released.json", "candidate.json")
HIDDEN = "What is redacted here is not shown; it was judged as it is."


@pytest.fixture
def cli(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Cli:
    """Runs `evreview` with some words, in an empty folder."""
    monkeypatch.chdir(tmp_path)
    runner = CliRunner()
    return lambda *words: runner.invoke(app, [str(word) for word in words])


def breaking_row(cli: Cli, folder: Path, value: str, media_type: str = "application/json") -> dict[str, Any]:
    """The row of an enum that loses a value; both contracts and the ledger are written."""
    schema = {"type": "object", "required": ["a"], "properties": {"a": {"type": "string", "enum": [value, "x"]}}}
    narrow = {**schema, "properties": {"a": {"type": "string", "enum": ["x"]}}}
    for name, each in zip(SIDES, (schema, narrow), strict=True):
        (folder / name).write_text(json.dumps(edited_body(each, media_type)), encoding="utf-8")
    assert cli("diff", *SIDES, "--format", "json", "-o", "ledger.json").exit_code == 0
    (row,) = json.loads((folder / "ledger.json").read_text(encoding="utf-8"))["rows"]
    return dict(row)


@pytest.mark.parametrize("media_type", ["application/json", "application/x-www-form-urlencoded"])
def test_a_value_of_the_contract_that_is_redacted_is_judged_and_said_to_be_hidden(
    cli: Cli, tmp_path: Path, media_type: str
) -> None:
    row = breaking_row(cli, tmp_path, MAIL, media_type)
    assert is_redacted(row["proof"]["witness"])
    for words in ((), ("--ledger", "ledger.json")):
        done = cli("replay", *SIDES, row["id"], *words)
        assert done.exit_code == 0 and HIDDEN in done.stdout and "confirmed by" in done.stdout
        assert MAIL not in done.output and "harbourline" not in done.output
        assert ("The ledger's witness is redacted" in done.stdout) == bool(words)


def test_a_ledger_that_shows_another_message_is_not_judged_by_the_one_that_is_found(cli: Cli, tmp_path: Path) -> None:
    row = breaking_row(cli, tmp_path, MAIL)
    text = (tmp_path / "ledger.json").read_text(encoding="utf-8")
    (tmp_path / "edited.json").write_text(text.replace('"method": "POST"', '"method": "PUT"'), encoding="utf-8")
    done = cli("replay", *SIDES, row["id"], "--ledger", "edited.json")
    assert done.exit_code == 2 and "[witness-redacted]" in done.stderr


@pytest.mark.parametrize("value", ["a\r\nb", "a\u202eb", "\x1b[31mred", "a\u200db"])
@pytest.mark.parametrize("media_type", ["application/json", "application/x-www-form-urlencoded", "multipart/form-data"])
def test_a_message_in_which_something_acts_is_shown_with_its_escape(
    cli: Cli, tmp_path: Path, value: str, media_type: str
) -> None:
    row = breaking_row(cli, tmp_path, value, media_type)
    found, again = (cli("replay", *SIDES, row["id"], *words) for words in ((), ("--ledger", "ledger.json")))
    assert found.exit_code == 0 and found.stdout == again.stdout and HIDDEN not in found.stdout
    assert not any(sign in found.stdout for sign in "\r\u202e\x1b\u200d")
    if media_type == "application/json":
        body = found.stdout[found.stdout.index("{") : found.stdout.rindex("}") + 1]
        assert json.loads(body)["body"]["json"] == {"a": value}


SHOWN: list[tuple[Any, Any, bool]] = [
    ("[redacted: token]", "q7Rx2Lv9tB", True),
    ("[redacted: token]", 482917, True),
    ("[redacted: token]", ["q7Rx2Lv9tB"], False),
    ("a [redacted: token], b [redacted: secret].", "a 1, b 2.", True),
    ("a [redacted: token], b [redacted: secret].", "a 1, c 2.", False),
    ("a[redacted: token]a", "a", False),
    ("[redacted: token]ab[redacted: token]ab", "xab", False),
    ({"[redacted: token]": ["[redacted: secret]", 1]}, {"k": ["v", 1]}, True),
    ({"[redacted: token]": ["[redacted: secret]", 1]}, {"k": ["v", 2]}, False),
    ({"[redacted: token]": 1}, {"k": 1, "l": 2}, False),
    (["[redacted: token]"], ["v", "w"], False),
]


@pytest.mark.parametrize(("stated", "found", "same"), SHOWN)
def test_a_witness_agrees_where_the_ledger_shows_it(stated: Any, found: Any, same: bool) -> None:
    placed = {"at": {"released": "a.yaml#/x"}}
    assert agree({"value": stated, **placed}, {"value": found}) is same
