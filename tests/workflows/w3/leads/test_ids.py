"""Ids of leads survive what changes lines and not code."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evreview.workflows.w3.model import digest_id, plain_path
from tests.workflows.w3.leads.heads import FASTAPI
from tests.workflows.w3.leads.sources import leads

PIECES = (
    """
def helper(x_role: str = Header("")):  # who
    if x_role != "admin":
        raise HTTPException(403)
""",
    """
@app.get("/a")
def a(x_role: str = Header("")):
    # decides
    if x_role != "admin":
        raise HTTPException(403)
    if x_role != "staff":
        raise HTTPException(403)
    return []
""",
    """
@app.get("/b")
def b(name: str):
    try:
        return eval(name)
    except Exception as error:
        raise HTTPException(500, str(error))
""",
    """
@app.get("/c")
def c(request: Request, who=Depends(helper)):
    return request.query_params["q"]
""",
)


def ids(pieces: tuple[str, ...]) -> set[str]:
    return {lead.id for lead in leads(FASTAPI + "".join(pieces))}


BEFORE = ids(PIECES)


@settings(max_examples=25, deadline=None)
@given(st.permutations(PIECES), st.lists(st.integers(0, 6), min_size=4, max_size=4), st.text("abc xyz", max_size=12))
def test_moved_lines_other_comments_and_another_order_keep_ids(
    order: list[str], blanks: list[int], comment: str
) -> None:
    moved = tuple("\n" * count + f"# {comment}\n" + piece for count, piece in zip(blanks, order, strict=True))
    assert ids(tuple(re.sub(r"# (who|decides)", f"# {comment}", piece) for piece in moved)) == BEFORE


def test_every_lead_has_its_own_id() -> None:
    found = leads(FASTAPI + "".join(PIECES))
    assert len({lead.id for lead in found}) == len(found) >= 5
    assert all(re.fullmatch(r"L-[0-9a-f]{12}", lead.id) for lead in found)


@pytest.mark.parametrize(
    ("left", "right"),
    [(("ab", "c"), ("a", "bc")), (("a", ""), ("", "a")), (("a",), ("a", "")), (("1:a",), ("a",))],
)
def test_parts_do_not_run_into_each_other(left: tuple[str, ...], right: tuple[str, ...]) -> None:
    assert digest_id("S", *left) != digest_id("S", *right)


@pytest.mark.parametrize(
    ("path", "plain"), [("./app/x.py", "app/x.py"), ("app\\x.py", "app/x.py"), ("/app//x.py", "app/x.py"), ("", "")]
)
def test_paths_are_spelled_one_way(path: str, plain: str) -> None:
    assert plain_path(path) == plain
