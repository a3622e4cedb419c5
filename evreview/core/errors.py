"""Failures that a user can cause, as values: what was found, where, and what to do.

A problem never carries a value of the evidence that the redactor has not passed; `redactor` redacts at print time.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from evreview.core.frozen import frozen
from evreview.core.vocabulary import ExitStatus

_BREAKS: Final = re.compile("[\n\v\f\r\x1c-\x1e\x85\u2028\u2029]")


@frozen(kw_only=True)
class Problem:
    """One thing wrong with the input.

    Attributes:
        code: kebab-case id of the kind of problem; tests expect it, never the wording.
        found: what was found.
        file: the file as the user named it, "" where there is none.
        place: a JSON pointer (`#/…`), `line N` or `line N, column M`, "" for the whole file.
        advice: what to do about it.
        line: the line of the place in the file, None when not known.
    """

    code: str
    found: str
    file: str = ""
    place: str = ""
    advice: str = ""
    line: int | None = None

    def __str__(self) -> str:
        line = f"line {self.line}" if self.line is not None else ""
        where = " ".join(part for part in (self.file, line, self.place) if part)
        text = f"{where}: {self.found}" if where else self.found
        return one_line(f"{text}. {self.advice}" if self.advice else text)


def one_line(text: str) -> str:
    """The text with its line breaks spelled out: no text of the evidence begins a line, where builds read commands."""
    return _BREAKS.sub(lambda found: found[0].encode("unicode_escape").decode(), text)


class EvreviewError(Exception):
    """Base of every failure that evreview explains. `exit_status` is what the command line returns."""

    exit_status: int = ExitStatus.FAULT

    def _render_traceback_(self) -> list[str]:
        """What IPython prints instead of a traceback: the problems, one per line."""
        return [str(self)]


class _WithProblems(EvreviewError):
    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems: tuple[Problem, ...] = tuple(problems)
        super().__init__(self.problems)

    def __str__(self) -> str:
        return "\n".join(str(problem) for problem in self.problems)


class BadInput(_WithProblems):
    """The input can't be used; holds every problem found, in reading order."""

    exit_status = ExitStatus.BAD_INPUT


class ContractBroken(_WithProblems):
    """An artifact does not keep its output contract; holds every violation with its line."""

    exit_status = ExitStatus.CONTRACT_BROKEN


def bad_input(code: str, found: str, *, file: str = "", place: str = "", advice: str = "") -> BadInput:
    """A `BadInput` with one problem."""
    return BadInput([Problem(code=code, found=found, file=file, place=place, advice=advice)])
