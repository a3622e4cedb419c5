"""`.evreview.toml`: what it decides, which one holds, and everything that is wrong with one at once."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from typer.testing import CliRunner, Result

from evreview.app.cli import app
from evreview.app.commands.configuration import read_configuration
from evreview.core.errors import BadInput
from evreview.core.toml_text import parse_toml
from tests.comparison.accepted.test_accept_command import LONG_AGO, TOMORROW, document
from tests.repositories import git

ENTRY = f'reason = "agreed"\nowner = "orders team"\nexpires = {TOMORROW}\n'


def run(*words: object) -> Result:
    return CliRunner().invoke(app, [str(word) for word in words])


def ledger(*words: object) -> dict[str, Any]:
    return dict(json.loads(run("diff", *words, "--format", "json").stdout))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with two contracts, whose one edit breaks requests."""
    monkeypatch.chdir(tmp_path)
    for name, longest in (("old.json", 20), ("new.json", 10)):
        Path(name).write_text(document(longest))
    return tmp_path


def breaking() -> dict[str, Any]:
    (found,) = [row for row in ledger("old.json", "new.json")["rows"] if row["verdict"] == "breaking"]
    return dict(found)


def by_id() -> str:
    return f'[[accept]]\nid = "{breaking()["id"]}"\n{ENTRY}'


def by_rule() -> str:
    row = breaking()
    return f'[[accept]]\nrule = "{row["rule"]}"\noperations = {json.dumps(row["operations"])}\n{ENTRY}'


@pytest.mark.parametrize("entry", [by_id, by_rule])
@pytest.mark.parametrize("shared", [False, True])
def test_an_accepted_row_keeps_its_verdict_and_does_not_count(entry: Any, shared: bool, folder: Path) -> None:
    text = 'fail-on = "breaking"\n' + entry()
    plain = breaking()
    if shared:
        text = "[tool.evreview]\n" + text.replace("[[accept]]", "[[tool.evreview.accept]]")
    (folder / ("pyproject.toml" if shared else ".evreview.toml")).write_text(text)
    done = run("diff", "old.json", "new.json")
    assert done.exit_code == 0, done.output
    assert "orders team" in done.stdout and TOMORROW in done.stdout
    row = breaking()
    acceptance = row.pop("acceptance")
    assert row == plain
    assert (acceptance["state"], acceptance["owner"], acceptance["line"]) == (
        "accepted",
        "orders team",
        3 if shared else 2,
    )


def test_an_expired_entry_counts_again_and_is_named(folder: Path) -> None:
    (folder / ".evreview.toml").write_text('fail-on = "breaking"\n' + by_id().replace(TOMORROW, LONG_AGO))
    done = run("diff", "old.json", "new.json")
    assert done.exit_code == 5 and LONG_AGO in done.stdout and breaking()["acceptance"]["state"] == "expired"


def test_an_entry_that_names_nothing_is_named(folder: Path) -> None:
    rule = f'[[accept]]\nrule = "{breaking()["rule"]}"\noperations = ["GET /none"]\n{ENTRY}'
    (folder / ".evreview.toml").write_text(f'[[accept]]\nid = "D-0123456789ab"\n{ENTRY}{rule}')
    done = run("diff", "old.json", "new.json")
    assert done.stderr.count("accepted-nothing") == 2
    assert ".evreview.toml line 1" in done.stderr and ".evreview.toml line 6" in done.stderr
    assert len(ledger("old.json", "new.json")["acceptance"]["stale"]) == 2


@pytest.mark.parametrize(
    ("words", "status"),
    [((), 5), (("--fail-on", "never"), 0), (("--no-config",), 0), (("--config", "other.toml"), 0), (("--all",), 5)],
)
def test_the_line_goes_before_the_configuration(words: tuple[str, ...], status: int, folder: Path) -> None:
    (folder / ".evreview.toml").write_text('fail-on = "breaking"\n')
    (folder / "other.toml").write_text('fail-on = "never"\n')
    assert run("diff", "old.json", "new.json", *words).exit_code == status


def test_the_nearest_configuration_up_to_the_root_of_the_clone_holds(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / ".evreview.toml").write_text('fail-on = "breaking"\n')
    (folder / "clone" / "api").mkdir(parents=True)
    monkeypatch.chdir(folder / "clone" / "api")
    line = ("diff", "../../old.json", "../../new.json")
    assert run(*line).exit_code == 0
    (folder / "clone" / ".git").mkdir()
    assert run(*line).exit_code == 0
    (folder / "clone" / ".evreview.toml").write_text('fail-on = "breaking"\n')
    (folder / "clone" / "api" / "pyproject.toml").write_text('[tool.other]\nx = "evreview"\n')
    assert run(*line).exit_code == 5
    (folder / "clone" / "api" / "pyproject.toml").write_text('[tool]\nevreview = {fail-on = "never"}\n')
    assert run(*line).exit_code == 0


def test_the_kind_of_a_path_is_known(folder: Path) -> None:
    for name in ("old.json", "new.json"):
        Path(name).write_text(json.dumps({"type": "record", "name": "R", "fields": []}))
    assert ledger("old.json", "new.json")["released"]["kind"] == "avro"
    (folder / ".evreview.toml").write_text('[[contracts]]\nkind = "jsonschema"\npaths = ["*.json"]\n')
    done = run("diff", "old.json", "new.json")
    assert done.exit_code == 2 and "jsonschema" in done.stderr and "[contract-kind-unknown]" in done.stderr
    assert ledger("old.json", "new.json", "--kind", "avro")["released"]["kind"] == "avro"


WRONG = """\
fail_on = "breaking"
kinds = ["openapi", "grapql"]
ignore = ["!", "ok/**", "# nothing"]

[[contracts]]
kind = "avro"
path = ["x"]

[[accept]]
id = "D-1"
reason = '''
[[accept]]
'''
owner = ""
expires = 2027-02-28T00:00:00

[[accept]]
rule = "request-field-removd"
reason = "FILL-IN"
owner = "x"
expires = "soon"
"""
FOUND = [
    ("unknown-key", "/fail_on", 1),
    ("not-allowed", "/kinds/1", 2),
    ("bad-pattern", "/ignore/0", 3),
    ("bad-pattern", "/ignore/2", 3),
    ("missing-field", "/contracts/0/paths", 5),
    ("kind-not-asked", "/contracts/0/kind", 6),
    ("unknown-key", "/contracts/0/path", 7),
    ("bad-value", "/accept/0/id", 10),
    ("empty-value", "/accept/0/owner", 14),
    ("bad-value", "/accept/0/expires", 15),
    ("missing-field", "/accept/1/operations", 17),
    ("unknown-rule", "/accept/1/rule", 18),
    ("not-filled-in", "/accept/1/reason", 19),
    ("bad-value", "/accept/1/expires", 21),
]


def test_the_schema_agrees_with_the_reader(folder: Path) -> None:
    check = jsonschema.Draft202012Validator(json.loads(run("schema", ".evreview.toml").stdout))
    entry = by_id()
    (folder / ".evreview.toml").write_text('fail-on = "breaking"\n' + SETTINGS + entry)
    good = parse_toml((folder / ".evreview.toml").read_bytes(), "")
    assert run("diff", "old.json", "new.json").exit_code == 0 and check.is_valid(good)
    wrong = [
        {"fail_on": "never"},
        {"kinds": ["grapql"]},
        {"contracts": [{"kind": "avro", "paths": []}]},
        {"accept": [{}]},
    ]
    assert [check.is_valid(each) for each in wrong] == [False] * len(wrong)


def problems(text: bytes, file: str = ".evreview.toml") -> list[tuple[str, str, int | None]]:
    with pytest.raises(BadInput) as caught:
        read_configuration(text, file, "")
    return [(each.code, each.place, each.line) for each in caught.value.problems]


def test_everything_that_is_wrong_is_told_at_once_with_its_line() -> None:
    assert problems(WRONG.encode()) == [(code, f"#{place}", line) for code, place, line in FOUND]


def test_a_table_among_others_is_told_with_its_place_in_the_file() -> None:
    text = "[project]\nname = 'x'\n[tool.evreview]\nfial-on = 'never'\n[[tool.evreview.accept]]\nid = 'x'\n"
    found = problems(text.encode(), "main:pyproject.toml")
    assert ("unknown-key", "#/tool/evreview/fial-on", 4) in found
    assert ("bad-value", "#/tool/evreview/accept/0/id", 6) in found
    assert read_configuration(b"[tool.other]\n", "pyproject.toml", "") is None


def test_the_nearest_name_is_advised(folder: Path) -> None:
    (folder / ".evreview.toml").write_text("fial-on = 'never'\n")
    done = run("diff", "old.json", "new.json")
    assert done.exit_code == 2 and "`fail-on`" in done.stderr


@pytest.mark.parametrize(
    ("text", "code", "place"),
    [
        (b"a = \nb = 1", "toml-syntax", "line 1"),
        (b"a = 1\nb = [", "toml-syntax", ""),
        (b"a = 1\na = 2\n", "toml-syntax", "line 2"),
        (b"\xff", "text-encoding", ""),
        (b"a = " + b"[" * 9999, "toml-syntax", ""),
        (b"#" * 2_000_000, "text-too-large", ""),
        (b"accept = 7\n", "wrong-type", "#/accept"),
        (b"contracts = ['x']\n", "wrong-type", "#/contracts/0"),
    ],
)
def test_what_can_not_be_read_is_told(text: bytes, code: str, place: str) -> None:
    assert [each[:2] for each in problems(text)] == [(code, place)]


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("--config", "none.toml"), "file-missing"),
        (("--config", "old.json"), "toml-syntax"),
        (("--config", "pyproject.toml"), "no-configuration"),
        (("--config", ".evreview.toml", "--no-config"), "config-and-none"),
        ((), "two-configurations"),
    ],
)
def test_a_configuration_that_can_not_hold_is_refused(words: tuple[str, ...], code: str, folder: Path) -> None:
    (folder / "pyproject.toml").write_text("" if words else "[tool.evreview]\n")
    (folder / ".evreview.toml").write_text("")
    done = run("diff", "old.json", "new.json", *words)
    assert done.exit_code == 2 and f"[{code}]" in done.stderr, done.output


@pytest.mark.parametrize("name", [".evreview.toml", "pyproject.toml"])
def test_a_configuration_that_is_no_file_is_told_and_not_waited_for(name: str, folder: Path) -> None:
    os.mkfifo(folder / name)
    done = run("diff", "old.json", "new.json")
    assert done.exit_code == 2 and "[file-not-regular]" in done.stderr


def test_an_entry_stands_once_in_the_configuration_and_the_accept_files(folder: Path) -> None:
    (folder / ".evreview.toml").write_text(by_id())
    entry = {"id": breaking()["id"], "reason": "r", "owner": "o", "expires": TOMORROW}
    (folder / "accept.yaml").write_text(json.dumps({"accept": [entry]}))
    done = run("diff", "old.json", "new.json", "--accept", "accept.yaml")
    assert done.exit_code == 2 and "[accepted-twice]" in done.stderr


# Of a branch: the base's configuration decides, what HEAD changes counts once merged.


def commit(root: Path, text: str, *, on: str, name: str = ".evreview.toml") -> None:
    git(root, "checkout", "-q", on)
    (root / name).parent.mkdir(parents=True, exist_ok=True)
    (root / name).write_text(text)
    git(root, "add", "-A")
    git(root, "commit", "-qm", "configured")
    git(root, "checkout", "-q", "main")


def entries_for(rows: list[dict[str, Any]]) -> str:
    return "".join(f'[[accept]]\nid = "{row["id"]}"\n{ENTRY}' for row in rows)


def test_a_branch_does_not_accept_its_own_breaks(clone: Path) -> None:
    line = ("diff", "--against", "trunk", "--fail-on", "breaking", "depots")
    found = ledger("--against", "trunk", "depots")
    assert found["configuration"] == {"file": None, "changed_by_head": False}
    text = entries_for(found["contracts"][0]["ledger"]["rows"])
    commit(clone, text + 'fail-on = "never"\n' if not text else 'fail-on = "never"\n' + text, on="main")
    assert run(*line).exit_code == 5
    assert "once merged" in run(*line).stdout
    found = ledger("--against", "trunk", "depots")
    assert found["configuration"] == {"file": None, "changed_by_head": True}
    assert "acceptance" not in found["contracts"][0]["ledger"]
    # Who trusts the branch says so.
    assert run(*line, "--config", "HEAD:.evreview.toml").exit_code == 0
    commit(clone, 'fail-on = "breaking"\n' + text, on="trunk")
    assert run("diff", "--against", "trunk", "depots").exit_code == 0
    found = ledger("--against", "trunk", "depots")
    assert found["configuration"] == {"file": "trunk:.evreview.toml", "changed_by_head": True}
    assert {row["acceptance"]["state"] for row in found["contracts"][0]["ledger"]["rows"]} == {"accepted"}
    assert run("diff", "--against", "trunk", "events/gone.json").exit_code == 5
    assert run("diff", "--against", "trunk", "events/gone.json", "--no-config").exit_code == 0


def test_a_rule_is_accepted_over_all_contracts_and_unused_entries_are_named(clone: Path) -> None:
    rows = ledger("--against", "trunk", "depots")["contracts"][0]["ledger"]["rows"]
    text = "".join(
        f'[[accept]]\nrule = "{row["rule"]}"\noperations = {json.dumps(row["operations"])}\n{ENTRY}' for row in rows
    )
    text += f'[[accept]]\nrule = "{rows[0]["rule"]}"\noperations = ["GET /none"]\n{ENTRY}'
    commit(clone, 'fail-on = "breaking"\n' + text, on="trunk")
    done = run("diff", "--against", "trunk", "depots", "api")
    assert (done.exit_code, done.stderr.count("accepted-nothing")) == (0, 1), done.output
    assert "GET /none" in done.stderr


def test_a_bad_configuration_of_the_branch_is_told_before_it_is_merged(clone: Path) -> None:
    commit(clone, "fial-on = 1\n", on="main")
    done = run("diff", "--against", "trunk")
    assert done.exit_code == 2 and "HEAD:.evreview.toml" in done.stderr


SETTINGS = """\
kinds = ["openapi", "jsonschema", "python"]
ignore = ["values.yaml", "depots/"]

[[contracts]]
kind = "jsonschema"
paths = ["common/*.yaml", "!common/other.yaml"]

[[contracts]]
kind = "python"
paths = ["parcels/"]

[[contracts]]
kind = "jsonschema"
paths = ["none/*.json"]
"""


def test_contracts_are_those_that_the_configuration_of_the_commit_names(clone: Path, tmp_path: Path) -> None:
    commit(clone, SETTINGS, on="main")
    done = run("contracts")
    lines = [line.split() for line in done.stdout.splitlines()[1:]]
    assert [(each[0], each[1]) for each in lines] == [
        ("api/openapi.yaml", "openapi"),
        ("common/schemas.yaml", "jsonschema"),
        ("parcels/", "python"),
    ]
    assert "HEAD:.evreview.toml contracts 2" in done.stdout
    assert done.stderr.count("contracts-nothing") == 1 and "contracts 3" in done.stderr
    assert "proto/" in run("contracts", "--no-config").stdout
    assert "proto/" in run("contracts", "--at", "trunk").stdout
    (tmp_path / "given.toml").write_text('kinds = ["graphql"]\n')
    assert run("contracts", "--config", tmp_path / "given.toml").stdout.splitlines()[1].startswith("schema.graphql")


def test_what_is_named_is_compared_and_what_is_ignored_is_not(clone: Path) -> None:
    commit(clone, SETTINGS, on="trunk")
    (clone / "parcels" / "app.py").write_text("def shown(parcel, wide): ...\n")
    git(clone, "commit", "-qam", "code")
    found = {each["path"]: each["state"] for each in ledger("--against", "trunk")["contracts"]}
    # A file of several schemas is none: what is named is a contract, whatever it says.
    assert found == {"common/schemas.yaml": "unreadable", "parcels/": "changed"}


def test_paths_are_those_of_the_configuration_s_folder(clone: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    commit(clone, 'ignore = ["openapi.yaml"]\n', on="main", name="api/.evreview.toml")
    assert "api/openapi.yaml" in run("contracts").stdout
    monkeypatch.chdir(clone / "api")
    assert "api/openapi.yaml" not in run("contracts").stdout
