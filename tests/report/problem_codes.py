"""What tests of the validator read of its problems."""

from __future__ import annotations

from evreview.core.errors import Problem


def codes(problems: tuple[Problem, ...]) -> set[str]:
    """The codes of the problems."""
    return {problem.code for problem in problems}


def line_of(text: str, line: str) -> str:
    """The place of a whole line in a text, as problems name it."""
    return f"line {text.split(chr(10)).index(line) + 1}"
