"""One edit of something that is no value: two contracts, and what an acceptance model of whole messages says."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Any, Final

from tests.edit_space.forms import Form
from tests.edit_space.oracle import Answer, Opinion

DONE: Final = {"200": {"description": "done"}}
SAFE: Final = Opinion(Answer.SAFE)


@dataclass(frozen=True, eq=False)
class Edit:
    """One edit.

    Attributes:
        table: the row of the table that it counts in.
        name: what changes, for a report.
        released, candidate: both contracts.
        opinion: what the model says.
    """

    table: str
    name: str
    released: Mapping[str, Any]
    candidate: Mapping[str, Any]
    opinion: Opinion


def head(form: Form) -> dict[str, Any]:
    """What every contract starts with."""
    info = {"title": "cell", "version": "1"}
    versions = {Form.V20: {"swagger": "2.0"}, Form.V30: {"openapi": "3.0.3"}, Form.V31: {"openapi": "3.1.0"}}
    return {**versions[form], "info": info}


def posting(form: Form, path: str = "/a", **operation: Any) -> dict[str, Any]:
    """A contract with one operation."""
    return {**head(form), "paths": {path: {"post": {"responses": DONE, **operation}}}}


def every_change(
    table: str,
    states: Sequence[Any],
    build: Callable[[Any], Mapping[str, Any]],
    ask: Callable[[Any, Any], Opinion],
) -> Iterator[Edit]:
    """One edit for every ordered pair of states."""
    for released, candidate in permutations(states, 2):
        name = f"{_spelled(released)} -> {_spelled(candidate)}"
        yield Edit(table, name, build(released), build(candidate), ask(released, candidate))


def sent_by(released: Iterable[Any], taken: Callable[[Any], bool]) -> Opinion:
    """The opinion when everything that one side sends has to be taken by the other one."""
    refused = sorted((each for each in released if not taken(each)), key=str)
    return Opinion(Answer.BREAKS, refused[0]) if refused else SAFE


def together(opinions: Mapping[str, Opinion]) -> Opinion:
    """One opinion out of one for each reading, by the name of the choice that it makes."""
    answers = {opinion.answer for opinion in opinions.values()}
    if len(answers) == 1:
        return next(iter(opinions.values()))
    return Opinion(Answer.DEPENDS, choice=" or ".join(opinions))


def _spelled(state: Any) -> str:
    return json.dumps(state, separators=(",", ":"), default=str)[:140]
