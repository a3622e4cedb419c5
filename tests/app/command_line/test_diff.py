"""`evreview diff`: its formats, its exit status, and what it says of contracts that it can't read."""

from __future__ import annotations

import csv
import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.app.command_line.running import SECRET, Cli, evreview


def test_diff_json_is_one_object_as_documented(cli: Cli, pair: tuple[Path, Path]) -> None:
    done = cli("diff", *pair, "--format", "json")
    assert done.exit_code == 0
    found = json.loads(done.stdout)
    assert found["schema"] == "evreview.diff/1"
    assert {"released", "candidate", "summary", "rows", "noise", "unread"} <= set(found)
    assert found["summary"]["breaking"] is True
    (row,) = found["rows"]
    assert set(row) >= {
        "id", "kind", "operation", "address", "role", "aspect", "change", "released", "candidate", "rule",
        "accepts_old_requests", "emits_old_compatible", "verdict", "proof", "locations",
    }  # fmt: skip
    assert (row["aspect"], row["verdict"]) == ("nullability", "breaking")


@pytest.mark.parametrize("form", ["table", "csv", "markdown", "sarif", "github"])
def test_diff_formats_name_the_row(cli: Cli, pair: tuple[Path, Path], form: str) -> None:
    wanted = json.loads(cli("diff", *pair, "--format", "json").stdout)["rows"][0]["id"]
    done = cli("diff", *pair, "--format", form)
    assert done.exit_code == 0
    assert wanted in done.stdout


def test_diff_csv_and_sarif_are_well_formed(cli: Cli, pair: tuple[Path, Path]) -> None:
    assert len(list(csv.DictReader(io.StringIO(cli("diff", *pair, "--format", "csv").stdout)))) == 1
    assert json.loads(cli("diff", *pair, "--format", "sarif").stdout)["version"] == "2.1.0"


@pytest.mark.parametrize(
    ("fail_on", "order", "status"),
    [
        ("breaking", 1, 5),
        ("unproven", 1, 5),
        ("never", 1, 0),
        ("breaking", -1, 0),
        ("unproven", -1, 0),
    ],
)
def test_fail_on(cli: Cli, pair: tuple[Path, Path], fail_on: str, order: int, status: int) -> None:
    assert cli("diff", *pair[::order], "--fail-on", fail_on).exit_code == status


def test_a_file_appears_whole_and_the_status_still_counts(cli: Cli, pair: tuple[Path, Path], tmp_path: Path) -> None:
    done = cli("diff", *pair, "--format", "json", "--fail-on", "breaking", "-o", "out/ledger.json")
    assert done.exit_code == 5
    assert json.loads((tmp_path / "out" / "ledger.json").read_text())["rows"]
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["ledger.json"]


BAD_FILES: dict[str, bytes] = {
    "empty": b"",
    "binary": bytes(range(256)) * 8,
    "truncated": b'{"openapi": "3.0.3", "info": {"title": "T", "ver',
    "not a contract": b"just: text\n",
    "wrong encoding": "openapi: 3.0.3\ninfo: {title: Übung, version: '1'}\npaths: {}\n".encode("latin-1"),
    "alias bomb": b"a: &a [x, x]\nb: &b [*a, *a]\n" + b"".join(
        b"%c: &%c [*%c, *%c, *%c, *%c]\n" % (c, c, c - 1, c - 1, c - 1, c - 1) for c in range(ord("c"), ord("z"))
    ),
    "deep": b'{"openapi":' + b"[" * 200_000 + b"]" * 200_000 + b"}",
    "outside": b'{"openapi":"3.0.3","info":{"title":"T","version":"1"},"paths":{"/a":{"$ref":"/etc/passwd#/x"}}}',
}  # fmt: skip


@pytest.mark.parametrize("name", [name for name in BAD_FILES if name != "outside"])
def test_bad_contracts_give_clear_errors_and_no_file(
    cli: Cli, pair: tuple[Path, Path], tmp_path: Path, name: str
) -> None:
    bad = tmp_path / "bad.yaml"
    bad.write_bytes(BAD_FILES[name])
    done = cli("diff", pair[0], bad, "-o", "ledger.txt")
    assert (done.exit_code, "bad.yaml" in done.stderr, "Traceback" in done.output) == (2, True, False)
    assert not (tmp_path / "ledger.txt").exists()


def test_a_reference_out_of_the_folder_is_never_followed(cli: Cli, pair: tuple[Path, Path], tmp_path: Path) -> None:
    bad = tmp_path / "bad.yaml"
    bad.write_bytes(BAD_FILES["outside"])
    done = cli("diff", pair[0], bad)
    assert done.exit_code in {0, 2}
    assert "root:" not in done.output


def test_a_missing_contract_is_named(cli: Cli, pair: tuple[Path, Path]) -> None:
    done = cli("diff", pair[0], "nowhere.yaml")
    assert done.exit_code == 2
    assert "nowhere.yaml" in done.stderr


@pytest.mark.skipif(os.name == "nt", reason="the system's own limit is another one")
@pytest.mark.parametrize(
    "words", [["diff", "{}", "{}"], ["check", "{}"], ["validate", "{}"]], ids=lambda words: words[0]
)
def test_a_name_that_no_file_can_have_is_bad_input(cli: Cli, words: list[str]) -> None:
    done = cli(*(word.format("x" * 300) for word in words))
    assert (done.exit_code, "fault of evreview" in done.stderr, "xxx" in done.stderr) == (2, False, True)


def test_a_reference_to_a_folder_leads_nowhere(cli: Cli, pair: tuple[Path, Path], tmp_path: Path) -> None:
    (tmp_path / "parts").mkdir()
    document = json.loads(pair[1].read_text())
    document["paths"]["/things"]["get"]["parameters"] = [{"$ref": "parts"}]
    pair[1].write_text(json.dumps(document))
    found = json.loads(cli("diff", *pair, "--format", "json").stdout)
    assert {part["place"].partition("#")[2] for part in found["unread"]} == {"/paths/~1things/get/parameters/0"}


@pytest.mark.req("C-029")
def test_printed_ledgers_hold_no_token(cli: Cli, pair: tuple[Path, Path]) -> None:
    document = json.loads(pair[1].read_text())
    body = document["paths"]["/things"]["get"]["responses"]["200"]["content"]["application/json"]["schema"]
    body["properties"]["name"]["enum"] = [SECRET]
    pair[1].write_text(json.dumps(document))
    for form in ("table", "json", "csv", "markdown", "sarif", "github"):
        assert SECRET not in cli("diff", *pair, "--format", form).output


@pytest.mark.skipif(os.name == "nt", reason="pipes with names are those of Unix")
def test_diff_reads_pipes_and_no_endless_device(project: Path, pair: tuple[Path, Path]) -> None:
    line = f'"{sys.executable}" -m evreview diff <(cat {pair[0]}) <(cat {pair[1]}) --format json'
    done = subprocess.run(["bash", "-c", line], cwd=project, capture_output=True, text=True, check=False)
    assert (done.returncode, len(json.loads(done.stdout)["rows"])) == (0, 1)
    child = evreview(project, "diff", "/dev/zero", pair[1])
    _, err = child.communicate(timeout=30)
    assert (child.returncode, "[file-not-regular]" in err) == (2, True)
