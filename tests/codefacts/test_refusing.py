"""Lines that refuse, and lines that do not."""

from __future__ import annotations

import pytest

from evreview.codefacts.guards.denials import DenialFinder
from evreview.codefacts.names import ReachableDefinitions
from tests.codefacts.snippets import modules

CODE = """\
from fastapi import HTTPException
def check(user):
    if not user:
        raise HTTPException(401)
def load(request):
    request.user = verify(request)
def read(user):
    check(user)
    if user.odd:
        log(user)
    if user.gone:
        return JSONResponse({}, status_code=403)
    return {}
def sent(user):
    return JSONResponse({}, status_code=201)
def moved(user):
    return redirect("/login")
"""


@pytest.mark.parametrize(
    ("first", "last", "refuses"),
    [
        (2, 2, True), (3, 3, True), (4, 4, True), (6, 6, False), (5, 6, False), (8, 8, True), (10, 10, False),
        (9, 10, False), (11, 11, True), (13, 13, True), (15, 15, False), (17, 17, True), (1, 1, False), (99, 99, False),
    ],
)  # fmt: skip
def test_which_lines_refuse(first: int, last: int, refuses: bool) -> None:
    found = modules(CODE)
    assert DenialFinder(found, ReachableDefinitions(found)).at(found.all[0].source.item, first, last) is refuses


@pytest.mark.parametrize(
    ("handler", "refuses"),
    [
        ("except Exception:\n        return Guest()", False),
        ("except:\n        return None", False),
        ("except (KeyError, HTTPException):\n        return None", False),
        ("except KeyError:\n        return None", True),
        ("except Exception:\n        raise HTTPException(401)", True),
        ("except Exception:\n        return JSONResponse({}, status_code=401)", True),
        ("except Exception:\n        abort(401)", True),
        ("finally:\n        close()", True),
    ],
)
@pytest.mark.parametrize("refused", ["raise HTTPException(401)", "abort(401)"])
def test_what_is_caught_refuses_nobody(handler: str, refuses: bool, refused: str) -> None:
    code = f"def check(sent):\n    try:\n        if not sent:\n            {refused}\n    {handler}\n"
    found = modules(code)
    asked = DenialFinder(found, ReachableDefinitions(found))
    item = found.all[0].source.item
    assert asked.at(item, 1, 1) is refuses


def test_lines_of_an_unknown_item_refuse_nothing() -> None:
    found = modules(CODE)
    assert not DenialFinder(found, ReachableDefinitions(found)).at("E99", 3, 3)
