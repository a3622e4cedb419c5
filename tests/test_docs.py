"""The documentation says what the program does: generated pages are current, commands and links exist."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
from functools import cache
from pathlib import Path

import pytest
from typer.main import get_command

from evreview.app.cli import app
from tests.generated import PAGES, help_text
from tools.site.made import MADE

PROJECT = Path(__file__).resolve().parent.parent
KEPT = sorted([*PROJECT.glob("*.md"), *(PROJECT / "docs").rglob("*.md")])
DOCUMENTS = sorted([*(path.relative_to(PROJECT).as_posix() for path in KEPT), *(f"docs/{name}" for name in MADE)])
COMMANDS = tuple(sorted(get_command(app).commands))  # type: ignore[attr-defined]


@cache
def text_of(name: str) -> str:
    """A page that is kept, or one that the code makes."""
    path = PROJECT / name
    return path.read_text(encoding="utf-8") if path.is_file() else MADE[name.removeprefix("docs/")]()


@pytest.mark.parametrize("name", PAGES)
def test_generated_pages_are_current(name: str) -> None:
    assert (PROJECT / name).read_text(encoding="utf-8") == PAGES[name](), "run: make docs"


@pytest.fixture(scope="module")
def options() -> dict[str, str]:
    """The help text of each command."""
    return {command: help_text(command) for command in COMMANDS}


def shown_commands(text: str) -> list[list[str]]:
    """Every `evreview …` that a code block or a code span shows, in words."""
    blocks = re.findall(r"```\w*\n(.*?)```", text.replace("\\\n", " "), re.S)
    lines = [line for block in blocks for line in block.splitlines()]
    lines += re.findall(r"`(evreview [^`]+)`", text)
    found = [
        line.strip().removeprefix("$ ") for line in lines if line.strip().removeprefix("$ ").startswith("evreview ")
    ]
    return [shlex.split(re.sub(r"\s+#.*", "", line).replace("'", "")) for line in found]


@pytest.mark.parametrize("name", DOCUMENTS)
def test_every_command_shown_exists_with_its_options(name: str, options: dict[str, str]) -> None:
    for words in shown_commands(text_of(name)):
        if words[1].startswith("-"):
            assert words[1] in {"--help", "--version", "--install-completion"}
            continue
        assert words[1] in options, words
        flags = [word for word in words[2:] if word.startswith("-")]
        assert [flag for flag in flags if not re.search(rf"(^|[\s,]){re.escape(flag)}\b", options[words[1]])] == []


def test_the_readme_shows_every_command() -> None:
    text = (PROJECT / "README.md").read_text(encoding="utf-8")
    assert [command for command in COMMANDS if not re.search(rf"\b{command}\b", text)] == []


def local_links(text: str) -> list[str]:
    return [target for target in re.findall(r"\]\(([^)\s]+)\)", text) if "://" not in target]


@pytest.mark.parametrize("name", DOCUMENTS)
def test_links_and_named_files_exist(name: str) -> None:
    text = text_of(name)
    files = [target.partition("#")[0] for target in local_links(text)]
    places = {file: os.path.normpath(Path(name).parent / file) for file in files if file}
    assert [file for file, place in places.items() if place not in DOCUMENTS and not (PROJECT / place).exists()] == []
    named_files = re.findall(r"`((?:evreview|tests|templates|docs|examples|notebooks|bench)/[\w./-]+)`", text)
    there = [file for file in named_files if "/kinds/toy" not in file]  # which a page tells how to make
    assert [file for file in there if file not in DOCUMENTS and not (PROJECT / file).exists()] == []


@pytest.mark.req("ER-004", "SV-002")
def test_no_page_gives_failure_codes_a_wire_status_or_speaks_of_callers() -> None:
    for name in DOCUMENTS:
        text = text_of(name)
        assert not re.search(r"W[123]-F\d[^\n|]{0,40}\b(HTTP )?[45]\d\d\b", text), name
        assert not re.search(r"\b(api key|log in to evreview|authenticate (to|with) evreview)\b", text, re.I), name


@pytest.mark.req("VR-003")
def test_the_base_address_of_contracts_stays_a_placeholder() -> None:
    texts = [path.read_text(encoding="utf-8") for path in (PROJECT / "templates").glob("*.contract.toml")]
    assert texts
    assert all("{contracts_base}" in text for text in texts)


def test_no_page_that_the_code_makes_is_kept() -> None:
    command = ["git", "ls-files", "docs"]
    kept = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=True).stdout.split()
    assert kept
    assert [name for name in kept if name.removeprefix("docs/") in MADE] == []
