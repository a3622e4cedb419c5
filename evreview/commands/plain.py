"""`evreview diff` without the command-line library, which takes as long to load as a large contract takes to read.

Only a line that is surely right is taken here. Help, abbreviations and every mistake are left to `evreview.app.cli`, which
stays the description of all commands; a test compares both over generated lines.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from evreview.app.commands.diff import DIFF_FORMS, FAIL_ON, KINDS, Question, diff
from evreview.app.commands.shell import prepare_streams, status_of
from evreview.commands.stop import stop_in_order
from evreview.core.vocabulary import ContractKind

VALUED: Final = frozenset({"--kind", "--format", "--fail-on", "--accept", "--output", "-o"})
FLAGS: Final = frozenset({"--no-witnesses"})
_REPEATED: Final = "--accept"


@dataclass(slots=True)
class _Line:
    """The words of a command line by what they are."""

    paths: list[str] = field(default_factory=list)
    values: dict[str, list[str]] = field(default_factory=dict)
    flags: set[str] = field(default_factory=set)

    def one(self, name: str, default: str) -> str:
        return self.values.get(name, [default])[0]


def plain_question(words: Sequence[str]) -> tuple[Question, Path | None] | None:
    """The question and the output file of a `diff` line, None when the library has to look at it.

    Args:
        words: the command line behind `evreview`.
    """
    line = _line(words[1:]) if words[:1] == ["diff"] else None
    if line is None or len(line.paths) != 2:
        return None
    form, fail_on = line.one("--format", "table"), line.one("--fail-on", "never")
    kind = line.one("--kind", "")
    if form not in DIFF_FORMS or fail_on not in FAIL_ON or kind not in ("", *KINDS):
        return None
    output = line.one("--output", "")
    asked = Question(
        released=Path(line.paths[0]),
        candidate=Path(line.paths[1]),
        kind=ContractKind(kind) if kind else None,
        form=form,
        fail_on=fail_on,
        accept=tuple(Path(file) for file in line.values.get(_REPEATED, ())),
        witnesses="--no-witnesses" not in line.flags,
    )
    return asked, Path(output) if output else None


def run_plainly(asked: Question, output: Path | None) -> int:
    """The exit status of a `diff` line that `plain_question` took."""
    prepare_streams()
    stop_in_order()
    return status_of(lambda: diff(asked, output))


def _line(words: Sequence[str]) -> _Line | None:
    """The words sorted out, None for anything out of the ordinary."""
    line = _Line()
    rest = list(words)
    while rest:
        word = rest.pop(0)
        name, sign, value = word.partition("=")
        if not word.startswith("-"):
            line.paths.append(word)
        elif word in FLAGS:
            line.flags.add(word)
        elif name in VALUED and (sign or rest) and not (sign and name == "-o"):
            given = value if sign else rest.pop(0)
            known = line.values.setdefault("--output" if name == "-o" else name, [])
            if not given or given.startswith("-") or (known and name != _REPEATED):
                return None
            known.append(given)
        else:
            return None
    return line if all(line.paths) else None
