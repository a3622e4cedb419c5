"""The documentation says what the program does: generated pages are current, commands and links exist."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from typer.main import get_command

from evreview.app.cli import app
from tests.generated import BUILT, PAGES, help_text

PROJECT = Path(__file__).resolve().parent.parent
DOCUMENTS = sorted([*PROJECT.glob("*.md"), *(PROJECT / "docs").glob("*.md")])
COMMANDS = tuple(sorted(get_command(app).commands))  # type: ignore[attr-defined]


def named(path: Path) -> str:
    return path.relative_to(PROJECT).as_posix()


@pytest.mark.parametrize("name", PAGES)
def test_generated_pages_are_current(name: str) -> None:
    assert (PROJECT / name).read_text(encoding="utf-8") == PAGES[name](), "run: make docs"


@pytest.fixture(scope="module")
def options() -> dict[str, str]:
    """The help text of each command."""
    return {command: help_text(command) for command in COMMANDS}


def shown_commands(text: str) -> list[list[str]]:
    """Every `evreview …` that a code block or a code span shows, in words."""
    blocks = re.findall(r"```\w*\n(.*?)```", text, re.S)
    lines = [line for block in blocks for line in block.splitlines()]
    lines += re.findall(r"`(evreview [^`]+)`", text)
    found = [
        line.strip().removeprefix("$ ") for line in lines if line.strip().removeprefix("$ ").startswith("evreview ")
    ]
    return [shlex.split(re.sub(r"\s+#.*", "", line).replace("'", "")) for line in found]


@pytest.mark.parametrize("path", DOCUMENTS, ids=named)
def test_every_command_shown_exists_with_its_options(path: Path, options: dict[str, str]) -> None:
    for words in shown_commands(path.read_text(encoding="utf-8")):
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


def test_the_pages_that_stay_out_of_the_repository_build_with_their_links() -> None:
    pages = {name: make() for name, make in BUILT.items()}
    assert pages
    for name, text in pages.items():
        path = PROJECT / name
        headings = set(re.findall(r"(?m)^## (.+)$", text))
        files, anchors = zip(*(link.partition("#")[::2] for link in local_links(text)), strict=True)
        assert {anchor for anchor in anchors if anchor} == headings
        found = [(path.parent / file).resolve() for file in files if file]
        assert [each for each in found if not each.exists() and named(each) not in pages] == []


@pytest.mark.parametrize("path", DOCUMENTS, ids=named)
def test_links_and_named_files_exist(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    files = [target.partition("#")[0] for target in local_links(text)]
    assert [file for file in files if file and not (path.parent / file).exists()] == []
    named_files = re.findall(r"`((?:evreview|tests|templates|docs|examples|notebooks|bench)/[\w./-]+)`", text)
    there = [name for name in named_files if "/kinds/toy" not in name]  # which a page tells how to make
    assert [name for name in there if not (PROJECT / name).exists()] == []


@pytest.mark.req("ER-004", "SV-002")
def test_no_page_gives_failure_codes_a_wire_status_or_speaks_of_callers() -> None:
    for path in DOCUMENTS:
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"W[123]-F\d[^\n|]{0,40}\b(HTTP )?[45]\d\d\b", text), path
        assert not re.search(r"\b(api key|log in to evreview|authenticate (to|with) evreview)\b", text, re.I), path


@pytest.mark.req("VR-003")
def test_the_base_address_of_contracts_stays_a_placeholder() -> None:
    texts = [path.read_text(encoding="utf-8") for path in (PROJECT / "templates").glob("*.contract.toml")]
    assert texts
    assert all("{contracts_base}" in text for text in texts)
