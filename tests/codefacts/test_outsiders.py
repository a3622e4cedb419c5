"""A check counts only where everybody who may not come in is refused on every way, by a condition of a known form."""

from __future__ import annotations

import pytest

from evreview.codefacts.read import read_sources
from evreview.core.vocabulary import Area
from evreview.workflows.w3.inventory.routes import InspectedRoutes, read_area
from tests.codefacts import open_rows as rows
from tests.codefacts.certain_rows import CERTAIN
from tests.codefacts.snippets import source

ASKED = """
def dep(token: str = Depends(oauth2), n: int = 0):
    user = store.find(token)
    if %s:
        raise HTTPException(401)
    return user
"""
OWNED = """
def dep(token: str = Depends(oauth2)):
    user = store.find(token)
    if user is None:
        raise HTTPException(401)
    return user

@app.get("/notes/{note_id}")
def note(note_id: int, n: int = 0, owner: int = 0, me=Depends(dep)):
    note = store.note(note_id)
    if %s:
        raise HTTPException(403)
    return note
"""


def standing(text: str, area: Area) -> str:
    """What the code alone shows of an area on the one route."""
    sources = [source(text)]
    (seen,) = InspectedRoutes(read_sources(sources), sources).all
    return str(read_area(seen, area).standing)


@pytest.mark.parametrize("name", CERTAIN)
@pytest.mark.req("W3S-007")
def test_ordinary_checks_are_present(name: str) -> None:
    assert standing(CERTAIN[name], Area.AUTHENTICATION) == "present"


@pytest.mark.parametrize("name", rows.OPEN)
@pytest.mark.req("W3S-007", "W3X-001")
def test_a_check_that_may_let_somebody_past_is_not_present(name: str) -> None:
    assert standing(rows.OPEN[name], Area.AUTHENTICATION) in ("unknown", "absent")


@pytest.mark.parametrize(
    ("condition", "present"),
    [*((one, True) for one in rows.UNKNOWN_CALLER_TOLD), *((one, False) for one in rows.UNKNOWN_CALLER_OPEN)],
)
def test_the_condition_of_a_401(condition: str, present: bool) -> None:
    text = rows.FASTAPI + ASKED % condition + rows.FAST_ROUTE
    assert (standing(text, Area.AUTHENTICATION) == "present") is present


@pytest.mark.parametrize(
    ("condition", "present"),
    [*((one, True) for one in rows.WITHOUT_RIGHT_TOLD), *((one, False) for one in rows.WITHOUT_RIGHT_OPEN)],
)
@pytest.mark.req("W3S-007")
def test_the_condition_of_a_403(condition: str, present: bool) -> None:
    assert (standing(rows.FASTAPI + OWNED % condition, Area.AUTHORIZATION) == "present") is present


def test_an_open_condition_is_cited() -> None:
    sources = [source(rows.FASTAPI + OWNED % "note.owner != me.id and n > 1000")]
    (seen,) = InspectedRoutes(read_sources(sources), sources).all
    found = read_area(seen, Area.AUTHORIZATION)
    line = sources[0].text.splitlines().index("    if note.owner != me.id and n > 1000:") + 1
    assert f"{sources[0].item}:L{line}" in [str(one) for one in found.citations]


def test_code_that_branches_without_end_is_left_open() -> None:
    body = "".join(f"    if store.flag({one}):\n        n += {one}\n" for one in range(450))
    text = f"def dep(token: str = Depends(oauth2), n: int = 0):\n{body}    if n:\n        raise HTTPException(401)\n"
    assert standing(rows.FASTAPI + text + rows.FAST_ROUTE, Area.AUTHENTICATION) == "unknown"


@pytest.mark.parametrize("depth", [12, 40])
def test_expressions_that_nest_are_read_in_bounded_time(depth: int) -> None:
    given = "token"
    for _ in range(depth):
        given = f"kept.get('k', kept.get({given}, noted(token)))"
    text = (
        f"def noted(x):\n    raise KeyError\ndef dep(token: str = Depends(oauth2)):\n    kept = {{}}\n    if {given}:\n"
    )
    text += "        raise HTTPException(401)\n"
    assert standing(rows.FASTAPI + text + rows.FAST_ROUTE, Area.AUTHENTICATION) == "unknown"
