"""The code blocks of the pages below `docs`: what each language means, and how it is run.

| Block | What happens |
| --- | --- |
| `sh` | each line is a command; it may end with an outcome (0, 4, 5), not with a refusal or a fault |
| `console` | what follows `$ ` is a command; the lines below it are what it prints, `…` for what is left out |
| `python` | runs after the blocks of Python before it on the page |
| `yaml`, `json`, `toml`, `csv` | is parsed; a name behind the language makes it a file for the commands below it |
| `text` | is not run, and holds no command |

Blocks without a language, or with another one, are refused.
"""

from __future__ import annotations

import csv
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from markdown_it import MarkdownIt

from evreview.core.document_text import parse_text

LANGUAGES: Final = frozenset({"sh", "console", "python", "yaml", "json", "toml", "csv", "text"})
NOT_RUN: Final = {
    "pip ": "installs from a network",
    "make ": "takes minutes; CI runs `make test`",
    "docker ": "needs a container runtime",
    "evreview lab(?!.* --no-server)": "serves until it is stopped",
    r"evreview (batch|portfolio) .*(s3|tcp)://": "needs a store or a scheduler elsewhere",
    "evreview execute ": "needs an approved plan and a sandbox; tests/app/commands/test_execute.py runs it",
}
"""How commands begin that are shown and not run, and why."""
COMMANDS: Final = re.compile(r"(?m)^\s*(\$ |evreview |git |make |pip |python3? |cd |cp |sed )")
LINE: Final = re.compile(r"(?:.*\\\n)*.*")
"""One command, which goes on after a backslash at the end of a line."""
OUTCOMES: Final = frozenset({0, 4, 5})
"""Done; incomplete or blocked; `--fail-on` is met."""


@dataclass(frozen=True, slots=True)
class Block:
    """One code block: its line on the page, its language, the file that it makes (or ""), what it holds."""

    line: int
    language: str
    file: str
    text: str


@dataclass(frozen=True, slots=True)
class Command:
    """One command, and what it shall print; None where the page shows nothing of it."""

    words: str
    prints: str | None

    @property
    def skipped(self) -> bool:
        """True where it is shown and not run."""
        return any(re.match(start, self.words) for start in NOT_RUN)


def blocks(text: str) -> Iterator[Block]:
    """The code blocks of a page, in lists and quotations too."""
    for token in MarkdownIt().parse(text):
        if token.type in ("fence", "code_block"):
            words = token.info.split()
            first = (token.map or [0])[0] + 1
            yield Block(first, words[0] if words else "", words[1] if words[1:] else "", token.content)


def commands(block: Block) -> Iterator[Command]:
    """The commands of a block of `sh` or `console`; a line that ends with a backslash goes on."""
    if block.language == "sh":
        lines = block.text.replace("\\\n", " ").splitlines()
        yield from (Command(line.strip(), None) for line in lines if line.strip())
        return
    for part in re.split(r"(?m)^\$ ", block.text)[1:]:
        words = LINE.match(part)[0]  # type: ignore[index]
        yield Command(words.replace("\\\n", " ").strip(), part[len(words) :].strip("\n") or None)


def faults(block: Block) -> Iterator[str]:
    """What a block breaks of the rules that need no run."""
    if block.language not in LANGUAGES:
        yield f"line {block.line}: a block is one of {', '.join(sorted(LANGUAGES))}, not {block.language!r}"
    if block.language == "text" and COMMANDS.search(block.text):
        yield f"line {block.line}: a command is no text: `sh`, or `console` with what it prints"
    if block.language == "console" and not block.text.startswith("$ "):
        yield f"line {block.line}: a block of `console` begins with `$ ` and a command"


class Reader:
    """Somebody who follows a page in a folder, block by block."""

    def __init__(self, folder: Path, environment: dict[str, str]) -> None:
        self.folder, self.environment = folder, environment
        self.python = ""
        self.ran = 0

    def follow(self, block: Block) -> Iterator[str]:
        """What does not happen as the page says."""
        if block.language in ("sh", "console"):
            for command in commands(block):
                yield from (f"line {block.line}: {fault}" for fault in self._run(command))
        elif block.language == "python":
            self.python += block.text
            done = self._call([sys.executable, "-c", self.python])
            self.ran += 1
            if done.returncode:
                yield f"line {block.line}: {done.stderr}"
        elif block.language != "text":
            self.ran += 1
            _parse(block)
            if block.file:
                path = self.folder / block.file
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(block.text, encoding="utf-8")

    def _run(self, command: Command) -> Iterator[str]:
        if command.skipped:
            return
        self.ran += 1
        if command.words.startswith("cd "):
            self.folder /= command.words.removeprefix("cd ")
            return
        done = self._call(["bash", "-c", command.words])
        if done.returncode not in OUTCOMES:
            yield f"{command.words}: status {done.returncode}\n{done.stderr}{done.stdout}"
        elif not any(_fits(command.prints, said) for said in (done.stdout, done.stdout + done.stderr)):
            yield f"{command.words}: prints\n{done.stdout}{done.stderr}"

    def _call(self, words: list[str]) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            words, cwd=self.folder, env=self.environment, capture_output=True, text=True, check=False, timeout=300
        )


def _parse(block: Block) -> None:
    """Raise what is wrong with data."""
    if block.language == "toml":
        tomllib.loads(block.text)
    elif block.language == "csv":
        head, *rows = csv.reader(block.text.splitlines())
        assert all(len(row) == len(head) for row in rows), block.text
    else:
        parse_text(block.text.encode(), f"line {block.line}")


def _fits(shown: str | None, printed: str) -> bool:
    """Whether a text is what the page shows of it; `…` stands for anything, and so does nothing."""
    if shown is None:
        return True
    wanted = r"(?s:.*)".join(re.escape(part.strip()) for part in shown.split("…"))
    return re.fullmatch(wanted, "\n".join(line.rstrip() for line in printed.strip().splitlines())) is not None


def environment(home: Path) -> dict[str, str]:
    """The variables of a reader: this installation's commands first, and nothing of the machine's git."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("GIT_", "PYTEST_"))}
    who = {f"GIT_{role}_{what}": said for role in ("AUTHOR", "COMMITTER")
           for what, said in (("NAME", "Reader"), ("EMAIL", "reader@example.test"))}  # fmt: skip
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    own = {"HOME": str(home), "PATH": path, "GIT_CONFIG_NOSYSTEM": "1", "TERM": "dumb"}
    return {**kept, **who, **own}
