"""What `diff` and `replay` say of inputs and outputs that can't be, whatever the kind of the contract."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from evreview.app.cli import app
from evreview.kinds.protobuf.compiler import _problems

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"
SIDES = {
    "graphql": ("shop-7", "shop-8"),
    "avro": ("parcels-4", "parcels-5"),
    "protobuf": ("depot-3", "depot-4"),
    "jsonschema": ("payments-1", "payments-2"),
    "python": ("parcels-2", "parcels-3"),
}


def run(*words: object) -> Result:
    return CliRunner().invoke(app, [str(word) for word in words])


@pytest.fixture(params=SIDES)
def sides(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[str, str]:
    """Copies of the folders of an example, in the current folder."""
    contracts = EXAMPLES / f"w1-{request.param}" / "contracts"
    for name in SIDES[request.param]:
        shutil.copytree(contracts / name, tmp_path / name)
    monkeypatch.chdir(tmp_path)
    return SIDES[request.param]


def test_no_file_of_a_contract_is_overwritten(sides: tuple[str, str], tmp_path: Path) -> None:
    held = next(path for path in sorted(Path(sides[0]).rglob("*")) if path.is_file())
    before = held.read_bytes()
    (tmp_path / "link").symlink_to(held)
    for name in (held, "link"):
        done = run("diff", *sides, "-o", name)
        assert (done.exit_code, "[output-is-input]" in done.stderr) == (2, True)
        history = run("diff", "--history", *sides, "-o", name)
        assert (history.exit_code, "[output-is-input]" in history.stderr) == (2, True)
    assert held.read_bytes() == before


def test_the_folder_that_is_no_contract_of_the_kind_is_named(sides: tuple[str, str]) -> None:
    done = run("diff", *sides, "--kind", "openapi")
    assert done.exit_code == 2 and done.stderr.count("[contract-kind-unknown]") == 2
    assert all(f"{side}/: " in done.stderr for side in sides)


@pytest.mark.parametrize("command", ["diff", "replay"])
def test_a_folder_of_imports_has_to_be_one(command: str, tmp_path: Path) -> None:
    side = tmp_path / "a.proto"
    side.write_text('syntax = "proto3"; message A {}')
    words = [command, side, side, *(["D-0123456789ab"] if command == "replay" else [])]
    done = run(*words, "--include", tmp_path / "none", "--include", side)
    assert done.exit_code == 2 and done.stderr.count("[include-missing]") == 2


def test_problems_of_both_sides_are_told_at_once(tmp_path: Path) -> None:
    (tmp_path / "a.graphql").write_text("type Query { a: }")
    (tmp_path / "b.avsc").write_text("{")
    done = run("diff", tmp_path / "a.graphql", tmp_path / "b.avsc")
    assert done.exit_code == 2 and "[graphql-syntax]" in done.stderr and "b.avsc" in done.stderr


def test_a_compiler_that_runs_out_of_memory_is_no_fault_of_the_text() -> None:
    said = "terminate called after throwing an instance of 'std::bad_alloc'\n  what():  std::bad_alloc"
    assert [problem.code for problem in _problems(said, {})] == ["proto-too-costly"]


NAMELESS = """openapi: 3.0.3
info: {title: a, version: "1"}
paths: {/a: {get: {parameters: [{in: query, schema: {type: string}}], responses: {"200": {description: x}}}}}
"""


def test_what_nobody_read_is_placed_and_meets_the_strictest_gate(tmp_path: Path) -> None:
    old, new = tmp_path / "old.yaml", tmp_path / "new.yaml"
    old.write_text(NAMELESS)
    new.write_text(NAMELESS.replace("in: query,", "in: query, required: true,"))
    strict = run("diff", old, new, "--fail-on", "unproven", "--format", "table")
    assert strict.exit_code == 5
    place = "#/paths/~1a/get/parameters/0"
    assert [line.split(": ")[1] for line in strict.stdout.splitlines() if line.startswith("not understood: ")] == [
        f"{side}{place}" for side in (old, new)
    ]
    assert run("diff", old, new, "--fail-on", "breaking").exit_code == 0
    assert run("diff", old, old, "--fail-on", "unproven").exit_code == 0
    told = run("diff", old, new, "--format", "github").stdout
    assert [f"::warning file={side},title=not understood::{place}: " in told for side in (old, new)] == [True, True]


def test_many_unread_places_are_told_in_short(tmp_path: Path) -> None:
    made = tmp_path / "a.graphql"
    made.write_text("type Query {" + "".join(f" a{at}: Int @d{at}" for at in range(30)) + " }")
    lines = [line for line in run("diff", made, made).stdout.splitlines() if line.startswith("not understood")]
    assert len(lines) == 21 and "40 more" in lines[-1]
