"""A notebook as a value: the executed one without what differs from run to run, its failure, its parameters. Pure."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final

from evreview.core.errors import BadInput, EvreviewError, Problem
from evreview.core.vocabulary import Json
from evreview.redaction.redactor import Redactor

Notebook = dict[str, Any]

OF_THE_RUN: Final = ("papermill", "execution", "collapsed", "widgets")
"""What the metadata of a notebook and of its cells says of one run alone."""


def scrubbed(notebook: Mapping[str, Any], parameters: Mapping[str, Any], places: Mapping[str, str]) -> Notebook:
    """The notebook without timestamps, durations, widget state and absolute paths.

    Args:
        notebook: as executed, plain JSON.
        parameters: what the injected cell says from now on.
        places: absolute path -> what stands for it; longer paths are replaced first.
    """
    plain: Notebook = _replaced(json.loads(json.dumps(notebook)), sorted(places.items(), key=_longest_first))
    for name in OF_THE_RUN:
        plain["metadata"].pop(name, None)
    # The interpreter's patch release is the machine's, not the review's.
    plain["metadata"].get("language_info", {}).pop("version", None)
    for cell in plain["cells"]:
        for name in OF_THE_RUN:
            cell["metadata"].pop(name, None)
        if "injected-parameters" in cell["metadata"].get("tags", ()):
            cell["id"] = "injected-parameters"
            cell["source"] = injected(parameters)
    return plain


def injected(parameters: Mapping[str, Any]) -> str:
    """The source of the injected cell."""
    return "\n".join(["# Parameters", *(f"{name} = {value!r}" for name, value in parameters.items())])


def unfinished(notebook: Mapping[str, Any]) -> list[int]:
    """The numbers, from 1, of code cells that did not run to their end; empty for a notebook that ran whole.

    papermill calls a run with `sys.exit(0)` a success and leaves the rest pending; a dead kernel marks every cell as
    completed. The execution count and the absence of an error output say what happened.
    """
    return [place for place, cell in enumerate(notebook["cells"], start=1) if not _finished(cell)]


def _finished(cell: Mapping[str, Any]) -> bool:
    if cell["cell_type"] != "code" or not "".join(cell["source"]).strip():
        return True
    status = cell["metadata"].get("papermill", {}).get("status", "completed")
    failed = any(output["output_type"] == "error" for output in cell["outputs"])
    return status == "completed" and cell["execution_count"] is not None and not failed


def written(notebook: Mapping[str, Any]) -> str:
    """The notebook as the text of an .ipynb file, the same text for the same notebook."""
    return json.dumps(notebook, ensure_ascii=False, indent=1, sort_keys=True) + "\n"


def of_cells(cells: Sequence[tuple[str, str, str]]) -> Notebook:
    """A notebook that has not run.

    Args:
        cells: of each its kind, `code` or `markdown`, its id and its source.
    """
    made: list[Json] = []
    for kind, name, source in cells:
        cell: dict[str, Json] = {"cell_type": kind, "id": name, "metadata": {}, "source": source}
        made.append({**cell, "execution_count": None, "outputs": []} if kind == "code" else cell)
    metadata = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
    return {"cells": made, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}


def _longest_first(pair: tuple[str, str]) -> int:
    return -len(pair[0])


def _replaced(value: Any, places: Sequence[tuple[str, str]]) -> Any:
    if isinstance(value, str):
        for path, stand_in in places:
            value = value.replace(path, stand_in)
        return value
    if isinstance(value, list):
        return [_replaced(part, places) for part in value]
    if isinstance(value, dict):
        return {key: _replaced(part, places) for key, part in value.items()}
    return value


# What a notebook that did not run to its end tells its caller.


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
        lines = Redactor().clean_message(message).splitlines()
        return BadInput(_problem(line) for line in lines if line.strip())
    text = " ".join(Redactor().clean(message).split())
    short = text if len(text) <= _SHORT else f"{text[:_SHORT]}… ({len(text) - _SHORT} more characters)"
    return NotebookFailed(cell, f"{kind}: {short}" if short else kind)


def _problem(line: str) -> Problem:
    match = _CODED.fullmatch(line)
    return Problem(code=match["code"], found=match["found"]) if match else Problem(code="bundle-refused", found=line)


# Which parameters a notebook takes, and which values may be put into it.


NAME: Final = re.compile(r"[a-z_][a-z0-9_]*", re.ASCII)


def checked(parameters: Mapping[str, Json], known: Collection[str], *, file: str) -> dict[str, Json]:
    """The parameters as plain JSON values.

    papermill writes a name into the notebook as code without looking at it, takes names that the notebook does not
    have, and writes what it can't translate as its repr. So all three are refused here.

    Raises:
        BadInput: every name that is badly formed or unknown, every value that is not plain JSON.
    """
    problems = [problem for name, value in parameters.items() for problem in _wrong(name, value, known, file)]
    if problems:
        raise BadInput(problems)
    return dict(parameters)


def _wrong(name: str, value: object, known: Collection[str], file: str) -> list[Problem]:
    if not isinstance(name, str) or not NAME.fullmatch(name):
        advice = "A name is lower-case letters, digits and underscores, and starts with no digit."
        found = f"the parameter name {name!r} is no name"
        return [Problem(code="parameter-name", found=found, file=file, advice=advice)]
    if name not in known:
        advice = f"The notebook takes {', '.join(sorted(known)) or 'no parameter'}."
        return [
            Problem(code="parameter-unknown", found=f"the notebook has no parameter {name}", file=file, advice=advice)
        ]
    if not _plain(value):
        advice = "Give text, a number, true, false, null, or lists and objects of these."
        return [
            Problem(code="parameter-value", found=f"the value of {name} is not plain JSON", file=file, advice=advice)
        ]
    return []


def _plain(value: object) -> bool:
    """True for what JSON can say. Exact types: a subclass may carry a repr that is code."""
    if value is None or type(value) in (str, int, bool):
        return True
    if type(value) is float:
        return value == value and value not in (float("inf"), float("-inf"))
    if type(value) is list:
        return all(_plain(part) for part in value)
    if type(value) is dict:
        return all(type(key) is str and _plain(part) for key, part in value.items())
    return False
