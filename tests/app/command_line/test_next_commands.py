"""The commands that `evreview diff` prints run as printed, whatever the files are called."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.app.command_line.running import Cli
from tests.app.command_line.test_printed_commands import contract, words_of

NAMES = ["plain", "a b", "-dash", "it's", "new\nline", "$(touch forged)", "x" * 90, "a#b"]


def commands(body: str) -> list[str]:
    """The commands behind `next:`, lines that go on joined."""
    lines = body.partition("\nnext:  ")[2].partition("\n\n")[0].replace("\\\n", "")
    return [line.strip() for line in lines.splitlines() if line.strip()]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("options", [(), ("--all",), ("--show",)], ids=["list", "all", "card"])
def test_each_printed_command_runs(name: str, options: tuple[str, ...], cli: Cli) -> None:
    files = [f"{name}.json", f"{name}2.json"]
    Path(files[0]).write_text(contract("x"))
    Path(files[1]).write_text(contract("x", "y"))
    first = cli("diff", "--", *files)
    assert first.exit_code == 0, first.output
    if options == ("--show",):
        options = ("--show", re.findall(r"D-[0-9a-f]{12}", first.stdout)[0])
    printed = commands(cli("diff", *options, "--", *files).stdout)
    assert 1 <= len(printed) <= 4
    for command in printed:
        done = cli(*words_of(command))
        assert done.exit_code == 0, (command, done.output)
    assert not Path("forged").exists()


@pytest.mark.parametrize(
    "options", [("--no-witnesses",), ("--kind", "openapi"), ("--accept", "known differences.yaml")]
)
def test_printed_commands_keep_what_the_rows_rest_on(
    options: tuple[str, ...], cli: Cli, pair: tuple[Path, Path]
) -> None:
    Path("known differences.yaml").write_text("accept: []\n")
    printed = commands(cli("diff", *pair, *options).stdout)
    assert printed
    for command in printed:
        done = cli(*words_of(command))
        assert done.exit_code == 0, (command, done.output)
    assert options[0] in words_of(printed[0])


def test_the_card_of_the_first_row_is_the_first_command(cli: Cli, pair: tuple[Path, Path]) -> None:
    (command, *_) = commands(cli("diff", *pair).stdout)
    (name,) = re.findall(r"D-[0-9a-f]{12}", command)
    assert cli(*words_of(command)).stdout.startswith(name)


@pytest.mark.parametrize("words", [("--show", "D-0123456789ab"), ("--all",), ("--noise",), ("--verdict", "unknown")])
@pytest.mark.parametrize("form", ["json", "table", "markdown"])
def test_only_text_chooses_rows(words: tuple[str, ...], form: str, cli: Cli, pair: tuple[Path, Path]) -> None:
    assert cli("diff", *pair, *words, "--format", form).exit_code == 2


def test_an_unknown_row_is_bad_input(cli: Cli, pair: tuple[Path, Path]) -> None:
    done = cli("diff", *pair, "--show", "D-000000000000")
    assert (done.exit_code, "row-unknown" in done.stderr, done.stdout) == (2, True, "")


def test_a_met_condition_is_told_last(cli: Cli, pair: tuple[Path, Path]) -> None:
    done = cli("diff", *pair, "--fail-on", "breaking")
    assert done.exit_code == 5 and "exit 5" in done.stdout.splitlines()[-1]


@pytest.mark.skipif(not hasattr(os, "openpty"), reason="no terminal to open here")
@pytest.mark.parametrize(("no_colour", "coloured"), [("", True), ("1", False)])
def test_a_terminal_gets_colour_unless_it_is_refused(no_colour: str, coloured: bool, pair: tuple[Path, Path]) -> None:
    main, side = os.openpty()
    environment = {**os.environ, "NO_COLOR": no_colour, "COLUMNS": "120"}
    line = [sys.executable, "-m", "evreview", "diff", *map(str, pair)]
    done = subprocess.run(line, stdout=side, stderr=subprocess.DEVNULL, env=environment, check=True, timeout=120)
    os.close(side)
    shown = os.read(main, 100_000)
    os.close(main)
    assert done.returncode == 0 and (b"\x1b[" in shown) is coloured
