"""`evreview diff --accept`: accepted rows stay in sight and don't fail a build; expired and stale ones are told."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from evreview.app.cli import app

Cli = Callable[..., Result]
TOMORROW = (datetime.now(UTC).date() + timedelta(days=1)).isoformat()
LONG_AGO = "2020-01-31"


def document(longest: int) -> str:
    body = {"type": "object", "properties": {"a": {"type": "string", "maxLength": longest}, "b": {"type": "string"}}}
    content = {"application/json": {"schema": body}}
    operation = {"requestBody": {"content": content}, "responses": {"200": {"description": "", "content": content}}}
    return json.dumps(
        {"openapi": "3.1.0", "info": {"title": "t", "version": "1"}, "paths": {"/x": {"post": operation}}}
    )


@pytest.fixture
def cli(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Cli:
    """Runs `evreview diff` in a folder with two contracts, whose one edit breaks requests."""
    monkeypatch.chdir(tmp_path)
    for name, longest in (("old.json", 20), ("new.json", 10), ("newer.json", 9)):
        Path(name).write_text(document(longest))
    return lambda *words, new="new.json": CliRunner().invoke(app, ["diff", "old.json", new, *words])


def rows(cli: Cli, *words: str) -> list[dict[str, Any]]:
    return list(json.loads(cli("--format", "json", *words).stdout)["rows"])


@pytest.fixture
def breaking(cli: Cli) -> str:
    """The id of the breaking row."""
    (found,) = [row["id"] for row in rows(cli) if row["verdict"] == "breaking"]
    return str(found)


def accept(*ids: str, expires: str = TOMORROW, file: str = "accept.yaml") -> None:
    entries = [{"id": each, "reason": "agreed in May", "owner": "orders team", "expires": expires} for each in ids]
    Path(file).write_text(json.dumps({"accept": entries}, indent=1))


def test_an_accepted_row_does_not_fail_and_stays_in_sight(cli: Cli, breaking: str) -> None:
    assert cli("--fail-on", "breaking").exit_code == 5
    accept(breaking)
    done = cli("--fail-on", "breaking", "--accept", "accept.yaml", "--format", "json")
    found = json.loads(done.stdout)
    assert done.exit_code == 0
    assert not done.stderr
    (row,) = [row for row in found["rows"] if row["id"] == breaking]
    assert row["verdict"] == "breaking"
    assert {key: row["acceptance"][key] for key in ("state", "reason", "owner", "expires", "source")} == {
        "state": "accepted",
        "reason": "agreed in May",
        "owner": "orders team",
        "expires": TOMORROW,
        "source": "accept.yaml",
    }
    assert found["summary"]["breaking"] is True
    assert found["summary"]["acceptance"] == {"accepted": 1, "expired": 0, "stale": 0}


def test_without_an_accept_file_the_object_is_as_before_and_with_one_only_members_are_added(
    cli: Cli, breaking: str
) -> None:
    plain = json.loads(cli("--format", "json").stdout)
    accept(breaking)
    more = json.loads(cli("--format", "json", "--accept", "accept.yaml").stdout)
    assert "acceptance" not in plain
    assert more.pop("acceptance")["accepted"] == 1
    assert more["summary"].pop("acceptance")
    assert [row.pop("acceptance") is None for row in more["rows"]].count(False) == 1
    assert more == plain


def test_an_expired_entry_fires_again_and_says_so(cli: Cli, breaking: str) -> None:
    accept(breaking, expires=LONG_AGO)
    done = cli("--fail-on", "breaking", "--accept", "accept.yaml", "--format", "json")
    assert done.exit_code == 5
    (row,) = [row for row in json.loads(done.stdout)["rows"] if row["id"] == breaking]
    assert row["acceptance"]["state"] == "expired"


@pytest.mark.parametrize("form", ["table", "csv", "markdown", "sarif", "github"])
@pytest.mark.parametrize("expires", [TOMORROW, LONG_AGO])
def test_every_format_tells_state_owner_and_day(cli: Cli, breaking: str, form: str, expires: str) -> None:
    accept(breaking, expires=expires)
    text = cli("--accept", "accept.yaml", "--format", form).stdout
    assert breaking in text
    assert ("accepted" if expires == TOMORROW else "expired") in text
    assert "orders team" in text
    assert "agreed in May" in text
    assert expires in text


def test_sarif_suppresses_what_is_accepted_and_every_result_says_so(cli: Cli, breaking: str) -> None:
    accept(breaking)
    (run,) = json.loads(cli("--accept", "accept.yaml", "--format", "sarif").stdout)["runs"]
    found = {result["partialFingerprints"]["deltaId/v1"]: result["suppressions"] for result in run["results"]}
    (kept,) = found.pop(breaking)
    assert (kept["kind"], kept["status"], kept["justification"]) == ("external", "accepted", "agreed in May")
    assert all(others == [] for others in found.values())
    accept(breaking, expires=LONG_AGO)
    (run,) = json.loads(cli("--accept", "accept.yaml", "--format", "sarif").stdout)["runs"]
    assert all(result["suppressions"] == [] for result in run["results"])
    (run,) = json.loads(cli("--format", "sarif").stdout)["runs"]
    assert all("suppressions" not in result for result in run["results"])


@pytest.mark.parametrize(("expires", "level"), [(TOMORROW, "::notice "), (LONG_AGO, "::error ")])
def test_an_annotation_of_an_accepted_row_is_a_notice(cli: Cli, breaking: str, expires: str, level: str) -> None:
    accept(breaking, expires=expires)
    lines = cli("--accept", "accept.yaml", "--format", "github").stdout.splitlines()
    assert [line.startswith(level) for line in lines if breaking in line] == [True]


@pytest.mark.parametrize("form", ["table", "json", "markdown", "github"])
def test_an_entry_that_accepts_nothing_is_listed(cli: Cli, form: str) -> None:
    accept("D-000000000000")
    assert "D-000000000000" in cli("--accept", "accept.yaml", "--format", form).stdout


def test_csv_has_the_columns_at_the_end(cli: Cli, breaking: str) -> None:
    accept(breaking)
    found = list(csv.DictReader(io.StringIO(cli("--accept", "accept.yaml", "--format", "csv").stdout)))
    assert list(found[0])[-4:] == ["acceptance", "acceptance_reason", "acceptance_owner", "acceptance_expires"]
    assert {row["acceptance"] for row in found if row["delta_id"] == breaking} == {"accepted"}


def test_a_changed_difference_is_not_covered_and_the_entry_is_told(cli: Cli, breaking: str) -> None:
    accept(breaking)
    done = cli("--fail-on", "breaking", "--accept", "accept.yaml", "--format", "json", new="newer.json")
    assert done.exit_code == 5
    assert [entry["id"] for entry in json.loads(done.stdout)["acceptance"]["stale"]] == [breaking]
    assert breaking in done.stderr
    assert "accepted-nothing" in done.stderr


def test_wrong_files_are_bad_input_each_with_file_and_line(cli: Cli) -> None:
    Path("a.yaml").write_text("accept:\n  - id: nothing\n    owner: me\n    expires: 2027-01-31\n")
    done = cli("--accept", "a.yaml", "--accept", "nowhere.yaml")
    assert done.exit_code == 2
    assert not done.stdout
    Path("b.yaml").write_text("accept: []\nmore: 1\n")
    done = cli("--accept", "a.yaml", "--accept", "b.yaml")
    told = done.stderr.splitlines()
    assert [line.split(": ")[0] for line in told if "[" in line] == [
        "a.yaml line 2 #/accept/0/id",
        told[1].split(": ")[0],
        "b.yaml line 2 #/more",
    ]
    assert told[1].startswith("a.yaml") and "#/accept/0/reason" in told[1]


def test_the_skeleton_names_what_fails_and_is_refused_until_it_is_filled_in(cli: Cli, breaking: str) -> None:
    done = cli("--format", "accept", "-o", "accept.yaml")
    assert done.exit_code == 0
    text = Path("accept.yaml").read_text()
    assert text.count("  - id: ") == 1
    refused = cli("--accept", "accept.yaml")
    assert refused.exit_code == 2
    assert refused.stderr.count("[not-filled-in]") == 3
    filled = text.replace("expires: FILL-IN", f"expires: {TOMORROW}").replace(": FILL-IN", ": because")
    Path("accept.yaml").write_text(filled)
    assert cli("--accept", "accept.yaml", "--fail-on", "breaking").exit_code == 0
    again = cli("--accept", "accept.yaml", "--format", "accept").stdout
    assert "accept: []" in again


def test_the_skeleton_tells_where_an_expired_entry_stands(cli: Cli, breaking: str) -> None:
    accept(breaking, expires=LONG_AGO)
    text = cli("--accept", "accept.yaml", "--format", "accept").stdout
    assert [line for line in text.splitlines() if breaking in line] == [
        f"# {breaking} expired: renew it in accept.yaml line 3"
    ]


def test_what_an_entry_says_passes_the_guard(cli: Cli, breaking: str) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    Path("accept.yaml").write_text(
        json.dumps({"accept": [{"id": breaking, "reason": secret, "owner": secret, "expires": TOMORROW}]})
    )
    for form in ("table", "json", "csv", "markdown", "sarif", "github"):
        assert secret not in cli("--accept", "accept.yaml", "--format", form).output
