"""What a notebook that did not run to its end tells its caller. Pure."""

from __future__ import annotations

import re
from typing import Final

from evreview.core.errors import BadInput, EvreviewError, Problem
from evreview.redaction.redactor import Guard

REFUSED: Final = "InputRefused"
"""The class name under which a cell reports that the input is bad; see `widgets.workbench`."""
_SHORT: Final = 500
_CODED: Final = re.compile(r"(?P<found>.*) \[(?P<code>[a-z0-9]+(?:-[a-z0-9]+)*)\]")


class NotebookFailed(EvreviewError):
    """A notebook that did not run whole: which cell, and a short redacted message instead of a traceback."""

    def __init__(self, cell: int, message: str) -> None:
        self.cell = cell
        self.message = message
        super().__init__(cell, message)

    def __str__(self) -> str:
        where = f"cell {self.cell} of the notebook" if self.cell else "the notebook"
        return f"{where} did not run to its end: {self.message}"


def failure(cell: int, kind: str, message: str) -> EvreviewError:
    """The failure of a cell: the problems of the input when it says that the input is bad, else `NotebookFailed`."""
    if kind == REFUSED:
        lines = Guard().clean_message(message).splitlines()
        return BadInput(_problem(line) for line in lines if line.strip())
    text = " ".join(Guard().clean(message).split())
    short = text if len(text) <= _SHORT else f"{text[:_SHORT]}… ({len(text) - _SHORT} more characters)"
    return NotebookFailed(cell, f"{kind}: {short}" if short else kind)


def _problem(line: str) -> Problem:
    match = _CODED.fullmatch(line)
    return Problem(code=match["code"], found=match["found"]) if match else Problem(code="bundle-refused", found=line)
