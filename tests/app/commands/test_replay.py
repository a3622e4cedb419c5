"""`evreview replay`: the witness of a row judged once more, and kept as evidence of what two contracts say."""

from __future__ import annotations

import csv
import io
import json
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

import evreview as ev
from evreview.app.cli import app
from evreview.evidence.bundle_reader import check_bundle, open_bundle
from evreview.evidence.records.test_runs import TestRecord

Cli = Callable[..., Result]
CONTRACTS = ("contracts/orders-1.4.yaml", "contracts/orders-1.5.yaml")


@pytest.fixture
def cli(demo_copy: Path, monkeypatch: pytest.MonkeyPatch) -> Cli:
    """Runs `evreview` with some words, in a copy of the bundled review."""
    monkeypatch.chdir(demo_copy)
    runner = CliRunner()
    return lambda *words: runner.invoke(app, [str(word) for word in words])


@pytest.fixture
def ledger(cli: Cli, demo_copy: Path) -> dict[str, Any]:
    """The ledger of the bundle's two contracts, also as the file `ledger.json`."""
    assert cli("diff", *CONTRACTS, "--format", "json", "-o", "ledger.json").exit_code == 0
    found: dict[str, Any] = json.loads((demo_copy / "ledger.json").read_text(encoding="utf-8"))
    return found


def rows(ledger: dict[str, Any], **proof: Any) -> list[dict[str, Any]]:
    return [row for row in ledger["rows"] if proof.items() <= row["proof"].items()]


def row_with(ledger: dict[str, Any], key: str) -> dict[str, Any]:
    """The first witnessed row whose witness has a member."""
    return next(row for row in rows(ledger, status="witnessed") if key in row["proof"]["witness"])


def contents(root: Path) -> dict[str, bytes]:
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in root.rglob("*") if path.is_file()}


def test_every_witness_of_the_demo_is_confirmed(cli: Cli, ledger: dict[str, Any]) -> None:
    witnessed = rows(ledger, status="witnessed")
    assert witnessed
    for row in witnessed:
        done = cli("replay", *CONTRACTS, row["id"])
        assert done.exit_code == 0, done.output
        refusing = row["proof"]["witness"]["refused_by"]
        assert f"{refusing} contract: refuses" in done.stdout


def test_the_row_names_its_command(cli: Cli, ledger: dict[str, Any]) -> None:
    row = row_with(ledger, "message")
    words = row["proof"]["command"].split()
    assert words == ["evreview", "replay", *CONTRACTS, row["id"]]
    assert cli(*words[1:]).exit_code == 0


def test_a_ledger_file_gives_the_same(cli: Cli, ledger: dict[str, Any]) -> None:
    row = row_with(ledger, "message")
    found, again = cli("replay", *CONTRACTS, row["id"]), cli("replay", *CONTRACTS, row["id"], "--ledger", "ledger.json")
    assert found.stdout == again.stdout and again.exit_code == 0


def test_rows_without_a_witness_are_not_confirmed(cli: Cli, ledger: dict[str, Any]) -> None:
    for row in [*rows(ledger, witness={}), *ledger["noise"][:1]]:
        assert cli("replay", *CONTRACTS, row["id"]).exit_code == 4


def edited_ledger(demo_copy: Path, ledger: dict[str, Any], edit: Callable[[dict[str, Any]], None]) -> str:
    """A witnessed row's id; `edited.json` holds the ledger with its witness changed."""
    row = row_with(ledger, "message")
    edit(row["proof"]["witness"])
    (demo_copy / "edited.json").write_text(json.dumps(ledger), encoding="utf-8")
    return str(row["id"])


def test_a_witness_that_does_not_hold_is_not_confirmed(cli: Cli, demo_copy: Path, ledger: dict[str, Any]) -> None:
    def swap(witness: dict[str, Any]) -> None:
        witness["accepted_by"], witness["refused_by"] = witness["refused_by"], witness["accepted_by"]

    row = edited_ledger(demo_copy, ledger, swap)
    done = cli("replay", *CONTRACTS, row, "--ledger", "edited.json", "--retain", ".")
    assert done.exit_code == 4 and "the claim that" in done.stdout
    item = open_bundle(demo_copy).items["E13"]  # type: ignore[index]
    assert isinstance(item.record, TestRecord) and item.record.checks[0].result == "failed"


def test_a_redacted_witness_is_not_judged(cli: Cli, demo_copy: Path, ledger: dict[str, Any]) -> None:
    row = edited_ledger(demo_copy, ledger, lambda witness: witness["message"].update(query="key=[redacted: token]"))
    done = cli("replay", *CONTRACTS, row, "--ledger", "edited.json")
    assert done.exit_code == 2 and "[witness-redacted]" in done.stderr


def test_places_name_the_file_as_the_user_did(cli: Cli, ledger: dict[str, Any]) -> None:
    seen = set()
    for row in rows(ledger, status="witnessed"):
        witness, sides = row["proof"]["witness"], dict(zip(("released", "candidate"), CONTRACTS, strict=True))
        if place := witness.get("violation", {}).get("place"):
            assert place.startswith(f"{sides[witness['refused_by']]}#/")
            assert place in cli("replay", *CONTRACTS, row["id"]).stdout
            seen.add("violation")
        for side, place in witness.get("at", {}).items():
            assert place.startswith(f"{sides[side]}#/")
    assert seen
    lines = csv.DictReader(io.StringIO(cli("diff", *CONTRACTS, "--format", "csv").stdout))
    for line, row in zip(lines, ledger["rows"], strict=True):
        assert (line["released_place"], line["candidate_place"]) == tuple(row["locations"].values())


BAD: dict[str, tuple[Callable[[str], list[str]], set[str]]] = {
    "no such contract": (lambda row: ["gone.yaml", CONTRACTS[1], row], {"file-missing"}),
    "all wrong at once": (
        lambda row: ["gone.yaml", "away.yaml", "D-1", "--ledger", "no.json", "--retain", "nowhere"],
        {"file-missing", "row-id", "folder-missing"},
    ),
    "no id": (lambda row: [*CONTRACTS, "D-xyz"], {"row-id"}),
    "unknown id": (lambda row: [*CONTRACTS, "D-000000000000"], {"row-unknown"}),
    "unknown id in the ledger": (
        lambda row: [*CONTRACTS, "D-000000000000", "--ledger", "ledger.json"],
        {"row-unknown"},
    ),
    "no ledger": (lambda row: [*CONTRACTS, row, "--ledger", "review.yaml"], {"ledger-not-json"}),
    "no ledger but JSON": (lambda row: [*CONTRACTS, row, "--ledger", "other.json"], {"ledger-form"}),
    "a ledger of other contracts": (
        lambda row: [CONTRACTS[1], CONTRACTS[0], row, "--ledger", "ledger.json"],
        {"ledger-other-contracts"},
    ),
    "a bundle of other contracts": (
        lambda row: [CONTRACTS[1], CONTRACTS[0], row, "--retain", "."],
        {"retain-other-contracts"},
    ),
    "no bundle": (lambda row: [*CONTRACTS, row, "--retain", "contracts"], {"file-missing"}),
}


@pytest.mark.parametrize("case", BAD)
def test_wrong_input_is_told_all_at_once(case: str, cli: Cli, demo_copy: Path, ledger: dict[str, Any]) -> None:
    words, codes = BAD[case]
    (demo_copy / "other.json").write_text("[]")
    before = contents(demo_copy)
    done = cli("replay", *words(row_with(ledger, "message")["id"]))
    assert done.exit_code == 2
    told = {line.rpartition("[")[2].rstrip("]") for line in done.stderr.splitlines() if line.endswith("]")}
    assert codes <= told
    assert contents(demo_copy) == before


WRONG_WITNESSES: list[Callable[[dict[str, Any]], None]] = [
    lambda witness: witness.update(message=[]),
    lambda witness: witness["message"].update(status="x"),
    lambda witness: witness["message"].update(body={"xml": "<a/>"}),
    lambda witness: witness.update(accepted_by="nobody"),
]


@pytest.mark.parametrize("edit", WRONG_WITNESSES)
def test_a_witness_in_another_form_is_bad_input(
    edit: Callable[[dict[str, Any]], None], cli: Cli, demo_copy: Path, ledger: dict[str, Any]
) -> None:
    row = edited_ledger(demo_copy, ledger, edit)
    done = cli("replay", *CONTRACTS, row, "--ledger", "edited.json")
    assert done.exit_code == 2 and "[witness-form]" in done.stderr


@pytest.mark.req("C-016", "C-017", "C-018", "C-019", "C-020", "W1S-016")
def test_a_retained_replay_is_listed_as_executed(cli: Cli, demo_copy: Path, ledger: dict[str, Any]) -> None:
    row, before = row_with(ledger, "message"), contents(demo_copy)
    assert cli("replay", *CONTRACTS, row["id"], "--retain", ".").exit_code == 0
    assert check_bundle(demo_copy) == () and cli("check", ".").exit_code == 0
    after = contents(demo_copy)
    assert {name: after[name] for name in before if name != "review.yaml"} == {
        name: data for name, data in before.items() if name != "review.yaml"
    }
    review = ev.review(ev.open_bundle(demo_copy))
    executed = review.artifact.partition("\n## Executed\n")[2].partition("\n## ")[0]
    [line] = [line for line in executed.splitlines() if "E13" in line]
    assert f"evreview replay {' '.join(CONTRACTS)} {row['id']}" in line
    assert "passed" in line


@pytest.mark.req("C-022", "W1S-017")
def test_a_retained_replay_verifies_no_direction(cli: Cli, demo_copy: Path, ledger: dict[str, Any]) -> None:
    """Only the contracts were asked: what the producer and the parsers do stays unverified."""
    row = row_with(ledger, "message")
    before = ev.review(ev.open_bundle(demo_copy))
    assert cli("replay", *CONTRACTS, row["id"], "--retain", ".").exit_code == 0
    after = ev.review(ev.open_bundle(demo_copy))
    tables = [step.tables["Checks"] for review in (before, after) for step in review.steps if "Checks" in step.tables]
    old, new = (frame[frame["status"] == "proposed"]["check"].tolist() for frame in tables)
    assert old == new
    assert [finding.id for finding in before.findings] == [finding.id for finding in after.findings]


def test_a_printed_command_runs_as_it_stands(cli: Cli, demo_copy: Path) -> None:
    for name, contract in zip(("re leased.yaml", "-candidate.yaml"), CONTRACTS, strict=True):
        (demo_copy / name).write_bytes((demo_copy / contract).read_bytes())
    done = cli("diff", "--format", "json", "--", "re leased.yaml", "-candidate.yaml")
    command = row_with(json.loads(done.stdout), "message")["proof"]["command"]
    assert cli(*shlex.split(command)[1:]).exit_code == 0


def test_a_replay_is_kept_once(cli: Cli, demo_copy: Path, ledger: dict[str, Any]) -> None:
    words = ["replay", *CONTRACTS, row_with(ledger, "message")["id"], "--retain", "."]
    assert cli(*words).exit_code == 0
    before = contents(demo_copy)
    again = cli(*words)
    assert again.exit_code == 0 and "already retained as E13" in again.stdout
    assert contents(demo_copy) == before


def test_a_message_that_would_be_redacted_is_not_kept(cli: Cli, demo_copy: Path, ledger: dict[str, Any]) -> None:
    token = "ghp_" + "abcdefghijklmnopqrstuvwxyz0123456789"

    def spoil(witness: dict[str, Any]) -> None:
        witness["message"]["path"] = f"/{token}"

    row = edited_ledger(demo_copy, ledger, spoil)
    before = contents(demo_copy)
    done = cli("replay", *CONTRACTS, row, "--ledger", "edited.json", "--retain", ".")
    assert done.exit_code == 2 and "[retain-redacted]" in done.stderr
    assert token not in done.output
    assert contents(demo_copy) == before
