"""Each printed command, run by a shell, means the files that were compared, whatever they are called."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest
from typer.testing import CliRunner

from evreview.app.cli import app
from evreview.core.control_characters import visible
from evreview.core.quoted_text import command_line
from evreview.core.vocabulary import Json

NAMES = [
    "a b",
    "a  b ",
    "new\nline",
    "\n::error::forged",
    "##[error]forged",
    "cr\rtab\tx",
    "esc\x1b[31mred",
    "bell\x07 del\x7f c1\x9b31m",
    "q'uo\"te\\n",
    "it's\nboth",
    "-dash",
    "--ledger",
    "\U0001f600\u200d\u2764\ufe0f",
    "rtl\u202egnp",
    "zero\u200bwidth\u3164fill",
    "line\u2028sep\u0085",
    "caf\u00e9\u00a01",
    "$(touch forged)",
    "`touch forged`; touch forged",
    "a|b & c > d",
    "*?[x]{y}~!1",
    "\x0112 digits",
    "#comment",
    "100%25",
]
ECHO = 'evreview() { printf "%s\\0" "$@"; }\n'


def contract(*required: str) -> str:
    properties: Json = {"x": {"type": "string"}, "y": {"type": "string"}}
    schema: Json = {"type": "object", "required": list(required), "properties": properties}
    body: Json = {"required": True, "content": {"application/json": {"schema": schema}}}
    method: Json = {"requestBody": body, "responses": {"200": {"description": "ok"}}}
    return json.dumps({"openapi": "3.0.3", "info": {"title": "t", "version": "1"}, "paths": {"/a": {"post": method}}})


def words_of(command: str) -> list[str]:
    done = subprocess.run(["bash", "-c", ECHO + command], capture_output=True, check=True, timeout=20)
    return done.stdout.decode().split("\0")[:-1]


def from_markdown(told: str) -> str:
    """The command in the code span of its line in the row's card."""
    (line,) = [line for line in told.splitlines() if "evreview replay" in line]
    span = line.partition(": ")[2].strip()
    return re.sub(r"^(`+)( ?)(.*)\2\1$", r"\3", span)


def from_github(told: str) -> str:
    (line,) = [line for line in told.splitlines() if "check with: " in line]
    plain = line.partition("check with: ")[2].replace("%0A", "\n").replace("%0D", "\r").replace("%25", "%")
    return plain.partition("\n")[0]


def from_json(told: str) -> str:
    (row,) = json.loads(told)["rows"]
    return str(row["proof"]["command"])


FORMS = {"markdown": from_markdown, "github": from_github, "json": from_json}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", NAMES)
def test_a_printed_command_means_the_files_compared(
    name: str, form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    files = [f"{name}.json", f"{name}2.json"]
    Path(files[0]).write_text(contract("x"))
    Path(files[1]).write_text(contract("x", "y"))
    done = CliRunner().invoke(app, ["diff", "--format", form, "--", *files])
    assert done.exit_code == 0, done.output
    command = FORMS[form](done.stdout)
    assert command == visible(command) and len(command.splitlines()) == 1
    replay, released, candidate, _ = words_of(command)
    assert [replay, released.removeprefix("./"), candidate.removeprefix("./")] == ["replay", *files]
    assert not released.startswith("-") and not Path("forged").exists()
    assert CliRunner().invoke(app, words_of(command)).exit_code == 0


@pytest.mark.parametrize("name", [*NAMES, "", "\udcff\udcfe1", "'", "\\", "\x00".replace("\x00", "\x1f7")])
def test_a_command_line_is_read_back_as_its_words(name: str) -> None:
    line = command_line(["evreview", name, f"x{name}x"])
    done = subprocess.run(["bash", "-c", ECHO + line], capture_output=True, check=True, timeout=20)
    assert done.stdout.split(b"\0")[:-1] == [each.encode("utf-8", "surrogateescape") for each in (name, f"x{name}x")]
    assert line.isprintable()


@pytest.mark.parametrize("plain", ["a.yaml", "a b.yaml", "caf\u00e9.yaml", "it's", "\U0001f600"])
def test_a_command_line_of_plain_words_stays_as_every_shell_reads_it(plain: str) -> None:
    assert "$'" not in command_line([plain]) and plain.replace("'", "") in command_line([plain]).replace("'\"'\"'", "")
