"""The command line: what each command prints, where, and with which exit status."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner, Result

from evreview.cli import app, join_parameters
from evreview.commands import reviews, shell
from evreview.errors import ContractBroken, EvreviewError, Problem, bad_input

Cli = Callable[..., Result]
SECRET = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"


@pytest.fixture
def cli(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Cli:
    """Runs `evreview` with some words, in an empty folder."""
    monkeypatch.chdir(tmp_path)
    runner = CliRunner()
    return lambda *words: runner.invoke(app, join_parameters([str(word) for word in words]))


@pytest.fixture
def pair(tmp_path: Path) -> tuple[Path, Path]:
    """Two small contracts; the candidate makes a response field nullable."""

    def document(nullable: bool, title: str = "Things") -> str:
        field = {"type": "string"} | ({"nullable": True} if nullable else {})
        body = {"type": "object", "required": ["name"], "properties": {"name": field}}
        answer = {"description": "ok", "content": {"application/json": {"schema": body}}}
        paths = {"/things": {"get": {"responses": {"200": answer}}}}
        return json.dumps({"openapi": "3.0.3", "info": {"title": title, "version": "1"}, "paths": paths})

    released, candidate = tmp_path / "released.json", tmp_path / "candidate.json"
    released.write_text(document(nullable=False))
    candidate.write_text(document(nullable=True))
    return released, candidate


def test_version_and_help(cli: Cli) -> None:
    assert cli("--version").stdout.split()[0] == "evreview"
    assert cli("--help").exit_code == 0


@pytest.mark.parametrize(
    "words", [["no-such-command"], ["diff"], ["diff", "a", "b", "--format", "pdf"], ["new", "w9", "x"]]
)
def test_misuse_is_bad_input(cli: Cli, words: list[str]) -> None:
    done = cli(*words)
    assert done.exit_code == 2
    assert done.stderr
    assert "Traceback" not in done.output


# diff


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


@pytest.mark.req("C-029")
def test_printed_ledgers_hold_no_token(cli: Cli, pair: tuple[Path, Path]) -> None:
    document = json.loads(pair[1].read_text())
    body = document["paths"]["/things"]["get"]["responses"]["200"]["content"]["application/json"]["schema"]
    body["properties"]["name"]["enum"] = [SECRET]
    pair[1].write_text(json.dumps(document))
    for form in ("table", "json", "csv", "markdown", "sarif", "github"):
        assert SECRET not in cli("diff", *pair, "--format", form).output


# bundles


def test_check_accepts_the_demo(cli: Cli, demo_bundle: Path) -> None:
    done = cli("check", demo_bundle)
    assert (done.exit_code, done.stderr) == (0, "")


def test_check_reports_every_problem_at_once(cli: Cli, demo_copy: Path) -> None:
    (demo_copy / "contracts" / "orders-1.5.yaml").write_text("changed: true\n")
    (demo_copy / "clients" / "inventory.yaml").unlink()
    done = cli("check", demo_copy)
    assert done.exit_code == 2
    assert "#/evidence/1/integrity" in done.stderr
    assert "inventory.yaml" in done.stderr
    assert done.stdout == ""


CONTRACT_FAULTS: dict[str, tuple[Callable[[Path], object], int, str]] = {
    "unreadable": (lambda at: (at / "contracts/orders-1.5.yaml").write_text("openapi: [3"), 2, "yaml-syntax"),
    "deep": (lambda at: (at / "contracts/orders-1.5.yaml").write_text("- " * 20_000), 2, "text-too-deep"),
    "no-contract": (lambda at: (at / "contracts/orders-1.5.yaml").write_text("a: 1"), 2, "contract-kind-unknown"),
    "other-type": (lambda at: edit(at, "candidate: E2", "candidate: E3"), 2, "not-a-contract"),
    "same": (lambda at: edit(at, "candidate: E2", "candidate: E1"), 0, "contracts-equal"),
    "unread": (
        lambda at: edit(at, "$ref: ", "$ref: '#/nowhere' # ", "contracts/orders-1.5.yaml"), 0, "contract-unread"
    ),
    "w2": (lambda at: edit(at, "workflow: w1", "workflow: w2"), 2, "scope-not-frozen"),
}  # fmt: skip


def edit(folder: Path, old: str, new: str, name: str = "review.yaml") -> None:
    """One text of a bundle's file, replaced where it first stands."""
    text = (folder / name).read_text()
    assert old in text
    (folder / name).write_text(text.replace(old, new, 1))


@pytest.mark.parametrize("name", CONTRACT_FAULTS)
def test_check_finds_what_a_run_would_stop_on(cli: Cli, demo_copy: Path, name: str) -> None:
    break_it, status, code = CONTRACT_FAULTS[name]
    break_it(demo_copy)
    now = hashlib.sha256((demo_copy / "contracts/orders-1.5.yaml").read_bytes()).hexdigest()
    edit(demo_copy, "bf04d6c6aad8d8e42fbf9c7a0f2fbf89e06b289a9a92e5758cf4c4880d72ac92", now)
    done = cli("check", demo_copy)
    assert f"[{code}]" in done.stderr
    assert done.exit_code == status


def test_check_doubts_a_decision_about_an_item_that_is_not_there(cli: Cli, demo_copy: Path) -> None:
    note = "kind: note, role: API owner, at: '2026-11-19T09:00:00+00:00', text: seen"
    (demo_copy / "decisions.yaml").write_text(
        f"decisions:\n- {{subject: E99, {note}}}\n- {{subject: E1, {note}}}\n- {{subject: the rollout, {note}}}\n"
    )
    done = cli("check", demo_copy)
    assert (done.exit_code, done.stderr.count("[unknown-subject]")) == (0, 1)


def test_check_of_no_bundle(cli: Cli) -> None:
    done = cli("check", "nowhere")
    assert (done.exit_code, "nowhere" in done.stderr) == (2, True)


@pytest.mark.parametrize("workflow", ["w1"])
def test_new_writes_a_bundle_once(cli: Cli, workflow: str, tmp_path: Path) -> None:
    assert cli("new", workflow, "mine").exit_code == 0
    written = (tmp_path / "mine" / "review.yaml").read_text()
    assert "#" in written
    again = cli("new", workflow, "mine")
    assert again.exit_code == 2
    assert (tmp_path / "mine" / "review.yaml").read_text() == written


def test_schema_prints_json_schemas(cli: Cli) -> None:
    schemas = json.loads(cli("schema").stdout)
    one = next(iter(schemas))
    assert json.loads(cli("schema", one).stdout) == schemas[one]
    assert cli("schema", "no-such-schema").exit_code == 2


# rules


def test_rules_lists_every_rule_and_shows_each_in_full(cli: Cli) -> None:
    from evreview.rules.catalogue import CATALOGUE

    listed = cli("rules").stdout
    assert [rule.id for rule in CATALOGUE if rule.id not in listed] == []
    shown = cli("rules", CATALOGUE[0].id).stdout
    assert CATALOGUE[0].why in shown
    assert "Counter-example" in shown


def test_an_unknown_rule_names_near_ones(cli: Cli) -> None:
    from evreview.rules.catalogue import CATALOGUE

    done = cli("rules", CATALOGUE[0].id[:-1])
    assert done.exit_code == 2
    assert CATALOGUE[0].id in done.stderr


# validate


@pytest.mark.req("VR-001")
def test_validate_reports_each_violation_with_its_line(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# T\n\n## Scope\n")
    done = cli("validate", "a.md")
    assert done.exit_code == 6
    assert "a.md" in done.stderr or "line" in done.stderr
    assert len(done.stderr.splitlines()) > 5


@pytest.mark.parametrize("content", [None, b"\xff\xfe\x00binary"])
def test_validate_of_what_is_no_artifact(cli: Cli, tmp_path: Path, content: bytes | None) -> None:
    if content is not None:
        (tmp_path / "a.md").write_bytes(content)
    done = cli("validate", "a.md")
    assert (done.exit_code, "a.md" in done.stderr) == (2, True)


# the shell


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (bad_input("some-code", "a thing", file="f"), 2),
        (ContractBroken([Problem(code="a-code", found="a thing", place="line 3")]), 6),
        (EvreviewError("it"), 1),
        (KeyboardInterrupt(), 130),
        (PermissionError(13, "no", "f"), 2),
        (KeyError("customer 4711"), 1),
    ],
)
def test_each_failure_has_its_status(error: BaseException, status: int, capsys: pytest.CaptureFixture[str]) -> None:
    def fails() -> int:
        raise error

    assert shell.status_of(fails) == status
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err
    assert "4711" not in printed.err
    assert "Traceback" not in printed.err


def test_a_fault_names_the_place_in_evreview(capsys: pytest.CaptureFixture[str]) -> None:
    shell.status_of(lambda: shell.working("x").__enter__(1))  # type: ignore[call-arg]
    assert "fault of evreview" in capsys.readouterr().err


def test_problems_are_printed_with_code_file_place_and_advice(capsys: pytest.CaptureFixture[str]) -> None:
    def fails() -> int:
        raise bad_input("odd-thing", "this is odd", file="a.yaml", place="#/x", advice="Make it even")

    shell.status_of(fails)
    err = capsys.readouterr().err
    assert [part for part in ("odd-thing", "this is odd", "a.yaml", "#/x", "Make it even") if part not in err] == []


def test_a_reader_that_goes_away_is_no_fault(project: Path) -> None:
    child = subprocess.Popen(
        [sys.executable, "-m", "evreview", "rules"], cwd=project, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert child.stdout is not None
    child.stdout.close()
    _, err = child.communicate()
    assert (child.returncode, b"Traceback" in err) == (shell.BROKEN_PIPE, False)


def test_a_terminal_without_the_characters_gets_escapes(project: Path) -> None:
    words = [sys.executable, "-m", "evreview", "check", "nowhere-ü"]
    settings = os.environ | {"PYTHONIOENCODING": "ascii"}
    done = subprocess.run(words, cwd=project, env=settings, capture_output=True, text=True, check=False)
    assert (done.returncode, "nowhere-\\xfc" in done.stderr) == (2, True)


def run_watched(project: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """One command in a process that reports what it imported and refuses every socket."""
    code = (
        "import sys\n"
        "def watch(event, args):\n"
        "    if event in ('socket.bind', 'socket.connect', 'socket.getaddrinfo'):\n"
        "        raise RuntimeError('network: ' + event)\n"
        "sys.addaudithook(watch)\n"
        "from evreview.__main__ import main\n"
        "try:\n"
        "    main()\n"
        "finally:\n"
        "    sys.stderr.write('IMPORTED ' + ' '.join(sorted(m for m in sys.modules if '.' not in m)))\n"
    )
    return subprocess.run(
        [sys.executable, "-c", code, *words], cwd=project, capture_output=True, text=True, check=False
    )


@pytest.mark.req("SV-001")
@pytest.mark.parametrize(
    ("words", "absent"),
    [
        (["--version"], {"pandas", "papermill", "IPython", "jinja2", "jsonschema_rs"}),
        (["diff", "{released}", "{candidate}"], {"papermill", "IPython", "ipywidgets", "nbconvert", "jinja2"}),
        (["check", "examples/w1-orders"], {"pandas", "papermill", "IPython", "nbconvert"}),
        (["rules"], {"papermill", "IPython", "nbconvert"}),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else "",
)
def test_commands_import_little_and_open_no_socket(
    project: Path, pair: tuple[Path, Path], words: list[str], absent: set[str]
) -> None:
    filled = [word.format(released=pair[0], candidate=pair[1]) for word in words]
    done = run_watched(project, *filled)
    assert done.returncode == 0, done.stderr
    imported = set(done.stderr.rpartition("IMPORTED ")[2].split())
    assert imported & absent == set()


# run and lab


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (["run", "b", "-p", "limit", "3"], ["run", "b", "-p", "limit=3"]),
        (["run", "b", "-p", "a", "1", "-p", "b", "x y"], ["run", "b", "-p", "a=1", "-p", "b=x y"]),
        (["run", "b", "-p", "a=1", "-o", "out"], ["run", "b", "-p", "a=1", "-o", "out"]),
        (["run", "--", "-p", "a", "1"], ["run", "--", "-p", "a", "1"]),
        (["run", "b", "-p", "a"], ["run", "b", "-p", "a"]),
    ],
)
def test_parameters_are_pairs(given: list[str], expected: list[str]) -> None:
    assert join_parameters(given) == expected


@pytest.mark.parametrize(
    ("word", "value"),
    [
        ("a=1", 1),
        ("a=true", True),
        ("a=007", "007"),
        ("a=NaN", "NaN"),
        ("a=x=y", "x=y"),
        ("a=", ""),
        ('a=["b"]', ["b"]),
    ],
)
def test_parameter_values(word: str, value: object) -> None:
    assert reviews.parameter(word) == ("a", value)


def test_a_parameter_without_a_value_is_bad_input(cli: Cli, demo_bundle: Path) -> None:
    assert cli("run", demo_bundle, "-p", "alone").exit_code == 2


@pytest.mark.parametrize(("words", "extra"), [(["demo"], "run"), (["run", "b"], "run"), (["lab"], "lab")])
def test_without_its_extra_a_command_says_what_to_install(
    cli: Cli, monkeypatch: pytest.MonkeyPatch, words: list[str], extra: str
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    done = cli(*words)
    assert done.exit_code == 2
    assert f'pip install "evreview[{extra}]"' in done.stderr


def test_run_of_a_bad_bundle_writes_nothing(cli: Cli, tmp_path: Path) -> None:
    assert cli("run", "nowhere", "-o", "out").exit_code == 2
    assert not (tmp_path / "out").exists()


def test_lab_opens_a_copy_with_the_bundle_set(
    cli: Cli, demo_copy: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[Path] = []
    monkeypatch.setattr("evreview.commands.reviews.open_lab", started.append)
    assert cli("lab", demo_copy).exit_code == 0
    copy = tmp_path / "evreview-lab" / "w1-orders.ipynb"
    assert started == [copy.relative_to(tmp_path)]
    sources = ["".join(cell["source"]) for cell in json.loads(copy.read_text())["cells"]]
    assert any(f"bundle = {json.dumps(str(demo_copy))}" in source for source in sources)


@pytest.mark.parametrize("case", [(True, 0), (True, 1), (False, 1)], ids=str)
def test_jupyter_is_quiet_until_it_fails(
    cli: Cli, demo_copy: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, case: tuple[bool, int]
) -> None:
    root, status = case
    stand_in = tmp_path / "python"
    page = "file:///run/jpserver-1-open.html"
    stand_in.write_text(
        f"#!/bin/sh\necho \"$@\" > words\necho '[I 10:00 LabApp] loading'\necho ' {page}'\n"
        f"echo '[C 10:00 LabApp] no port is free'\nexit {status}\n"
    )
    stand_in.chmod(0o755)
    monkeypatch.setattr("evreview.commands.jupyter.sys.executable", str(stand_in))
    monkeypatch.setattr("evreview.commands.jupyter._is_root", lambda: root)
    done = cli("lab", demo_copy)
    assert done.exit_code == (2 if status else 0)
    assert ("no port is free" in done.stderr, "loading" in done.output, page in done.stderr) == (
        bool(status),
        False,
        True,
    )
    assert ("--allow-root" in (tmp_path / "words").read_text().split()) is root
    assert ("--allow-root" in done.stderr) is root


def test_a_folder_that_takes_no_output_is_noticed_before_the_run(
    cli: Cli, demo_bundle: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("evreview.notebook.run", lambda *_, **__: pytest.fail("the kernel was started"))
    (tmp_path / "file").write_text("")
    done = cli("run", demo_bundle, "-o", "file/out")
    assert (done.exit_code, "not-writable" in done.stderr) == (2, True)


@pytest.mark.skipif(os.name == "nt", reason="pipes with names are those of Unix")
def test_diff_reads_pipes_and_no_endless_device(project: Path, pair: tuple[Path, Path]) -> None:
    line = f'"{sys.executable}" -m evreview diff <(cat {pair[0]}) <(cat {pair[1]}) --format json'
    done = subprocess.run(["bash", "-c", line], cwd=project, capture_output=True, text=True, check=False)
    assert (done.returncode, len(json.loads(done.stdout)["rows"])) == (0, 1)
    child = evreview(project, "diff", "/dev/zero", pair[1])
    _, err = child.communicate(timeout=30)
    assert (child.returncode, "[file-not-regular]" in err) == (2, True)


# signals and streams, in processes of their own


def evreview(project: Path, *words: str | Path, **options: Any) -> subprocess.Popen[str]:
    line = [sys.executable, "-m", "evreview", *map(str, words)]
    given = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | options
    return subprocess.Popen(line, cwd=project, text=True, **given)


@pytest.mark.parametrize(
    "words", [["diff", "a", "b", "--format", SECRET], [SECRET], ["diff", f"--{SECRET}"], ["new", SECRET, "x"]]
)
def test_a_wrong_command_line_is_told_without_its_secrets(project: Path, words: list[str]) -> None:
    child = evreview(project, *words)
    out, err = child.communicate()
    assert (child.returncode, out, SECRET in err) == (2, "", False)
    assert "Usage:" in err


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
@pytest.mark.parametrize("words", [["rules"], ["--version"], ["--help"]])
def test_a_full_disk_is_one_line(project: Path, words: list[str]) -> None:
    with Path("/dev/full").open("w") as full:
        child = evreview(project, *words, stdout=full)
        _, err = child.communicate()
    assert (child.returncode, err.count("\n")) == (2, 1)


@pytest.mark.skipif(os.name == "nt", reason="streams are closed by a shell")
@pytest.mark.parametrize(("closed", "status", "lines"), [(">&-", 2, 1), ("2>&-", 0, 0)])
def test_a_closed_stream_is_no_fault(project: Path, closed: str, status: int, lines: int) -> None:
    line = f'"{sys.executable}" -m evreview rules {closed}'
    done = subprocess.run(["sh", "-c", line], cwd=project, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr.count("\n")) == (status, lines)


SIGNALS = [signal.SIGINT, *([signal.SIGTERM, signal.SIGHUP] if os.name != "nt" else [])]
SLOW_IMPORT = """
import sys, time
class Slow:
    def find_spec(self, name, path=None, target=None):
        if name == "typer":
            print("loading", flush=True)
            time.sleep(20)
sys.meta_path.insert(0, Slow())
from evreview.__main__ import main
main()
"""


@pytest.mark.skipif(os.name == "nt", reason="these signals are those of Unix")
@pytest.mark.parametrize("number", SIGNALS)
def test_a_signal_while_evreview_loads_is_one_line(project: Path, number: signal.Signals) -> None:
    line = [sys.executable, "-c", SLOW_IMPORT, "rules"]
    child = subprocess.Popen(line, cwd=project, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert child.stdout is not None
    assert child.stdout.readline() == "loading\n"
    child.send_signal(number)
    _, err = child.communicate(timeout=30)
    assert (child.returncode, err) == (128 + number, "evreview: interrupted; nothing was written\n")


@pytest.mark.skipif(os.name == "nt", reason="these signals are those of Unix")
@pytest.mark.parametrize("number", SIGNALS)
@pytest.mark.parametrize("sign", ["*", "*/kernel.json"], ids=["folder", "kernel"])
def test_a_signal_leaves_nothing_behind(project: Path, tmp_path: Path, number: signal.Signals, sign: str) -> None:
    kept = tmp_path / "tmp"
    kept.mkdir()
    settings = os.environ | {"TMPDIR": str(kept), "JUPYTER_RUNTIME_DIR": str(tmp_path / "runtime")}
    child = evreview(project, "run", "examples/w1-orders", "-o", tmp_path / "out", env=settings)
    until = time.monotonic() + 30
    while not list(kept.glob(sign)) and time.monotonic() < until:
        time.sleep(0.02)
    child.send_signal(number)
    out, err = child.communicate(timeout=30)
    assert (child.returncode, out) == (128 + number, "")
    assert [line for line in err.splitlines() if ": running the review" not in line] == [
        "evreview: interrupted; nothing was written"
    ]
    assert [*kept.iterdir(), *(tmp_path / "runtime").glob("*"), *tmp_path.glob("out/*")] == []


def test_every_command_explains_itself(cli: Cli) -> None:
    group = typer.main.get_command(app)
    for name in group.commands:  # type: ignore[attr-defined]
        assert cli(name, "--help").exit_code == 0
