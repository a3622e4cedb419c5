"""What a contract imports from elsewhere: named with `--include`, or listed as a part in a bundle."""

from __future__ import annotations

import json
import re
import shlex
import shutil
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from evreview.app.cli import app

EXAMPLE = Path(__file__).resolve().parents[3] / "examples" / "w1-protobuf"
SIDES = ("contracts/depot-3", "contracts/depot-4")
ENTRY = "depot/v1/parcels.proto"
MONEY = 'syntax = "proto3";\npackage common;\nmessage Money { int64 cents = 1; }\n'
IMPORTS = 'package depot.v1;\nimport "common/money.proto";\nmessage Fee { common.Money amount = 1; }'


def run(*words: object) -> Result:
    return CliRunner().invoke(app, [str(word) for word in words])


@pytest.fixture
def bundle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The example, its contracts importing a file of another folder."""
    folder = shutil.copytree(EXAMPLE, tmp_path / "bundle")
    (folder / "deps" / "common").mkdir(parents=True)
    (folder / "deps" / "common" / "money.proto").write_text(MONEY)
    for side in SIDES:
        entry = folder / side / ENTRY
        entry.write_text(entry.read_text().replace("package depot.v1;", IMPORTS))
    review = folder / "review.yaml"
    text = review.read_text().replace("events.proto]", "events.proto, deps/common/money.proto]")
    review.write_text(re.sub(r"sha256:[0-9a-f]+, at commit", "as stated, at commit", text))
    monkeypatch.chdir(folder)
    return folder


def ledger(*words: object) -> dict[str, Any]:
    done = run("diff", *words, "--format", "json", "-o", "ledger.json")
    assert done.exit_code == 0, done.output
    return dict(json.loads(Path("ledger.json").read_text()))


@pytest.mark.parametrize("ends", ["", f"/{ENTRY}"], ids=["folder", "file"])
def test_the_command_of_a_row_replays_it(bundle: Path, ends: str) -> None:
    found = ledger(*(side + ends for side in SIDES), "--include", "deps", "--kind", "protobuf")
    commands = [row["proof"]["command"] for row in found["rows"] if row["proof"]["status"] == "witnessed"]
    assert len(commands) > 2
    for command in commands[:2]:
        words = shlex.split(command)
        assert words[-4:] == ["--kind", "protobuf", "--include", "deps"]
        done = run(*words[1:])
        assert done.exit_code == 0 and "\nconfirmed by" in done.output, done.output


def test_without_the_folder_a_replay_names_every_import(bundle: Path) -> None:
    done = run("replay", *SIDES, "D-0123456789ab")
    assert done.exit_code == 2 and done.output.count("proto-import-missing") == 2
    assert "--include" in done.output and "parts" in done.output


def test_a_bundle_lists_what_its_contract_imports(bundle: Path) -> None:
    assert run("check", bundle).exit_code == 0
    found = ledger(*SIDES, "--include", "deps")
    row = next(row for row in found["rows"] if row["proof"]["status"] == "witnessed")
    done = run("replay", *SIDES, row["id"], "--include", "deps", "--retain", bundle)
    assert done.exit_code == 0 and "\nretained as E12" in done.output, done.output
    (kept,) = (bundle / "replays").glob("*.yaml")
    assert json.loads(kept.read_text())["checks"][0]["command"].endswith(f"{row['id']} --include deps")
    (bundle / "review.yaml").write_text((bundle / "review.yaml").read_text().replace(", deps/common/money.proto", ""))
    told = run("check", bundle)
    assert told.exit_code == 2 and told.output.count("proto-import-missing") == 2
