"""Which parameters a notebook takes, and which values may be put into it. Pure."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Final

from evreview.core.errors import BadInput, Problem
from evreview.core.vocabulary import Json

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
