"""Commands about bundles, artifacts, schemas and rules: what each prints, and with which exit status."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path

import pytest
import typer

from evreview.app.cli import app
from tests.app.command_line.running import Cli


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
    "same": (lambda at: edit(at, "candidate: E2", "candidate: E1"), 2, "contracts-equal"),
    "unread": (
        lambda at: edit(at, "$ref: ", "$ref: '#/nowhere' # ", "contracts/orders-1.5.yaml"), 2, "remains-at-step-2"
    ),
    "w2": (lambda at: edit(at, "workflow: w1", "workflow: w2"), 2, "stops-at-step-1"),
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


def test_rules_lists_every_rule_and_shows_each_in_full(cli: Cli) -> None:
    from evreview.kinds.rule_catalogue import CATALOGUE

    listed = cli("rules").stdout
    assert [rule.id for rule in CATALOGUE if rule.id not in listed] == []
    shown = cli("rules", CATALOGUE[0].id).stdout
    assert CATALOGUE[0].why in shown
    assert "Counter-example" in shown


def test_an_unknown_rule_names_near_ones(cli: Cli) -> None:
    from evreview.kinds.rule_catalogue import CATALOGUE

    done = cli("rules", CATALOGUE[0].id[:-1])
    assert done.exit_code == 2
    assert CATALOGUE[0].id in done.stderr


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


def test_every_command_explains_itself(cli: Cli) -> None:
    group = typer.main.get_command(app)
    for name in group.commands:  # type: ignore[attr-defined]
        assert cli(name, "--help").exit_code == 0
