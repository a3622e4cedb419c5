"""Unguarded neighbours of guarded routes stand out."""

from __future__ import annotations

import pytest

from evreview.core.quoted_text import plain
from evreview.core.vocabulary import Area
from evreview.workflows.w3.inventory.inventory import resource
from tests.workflows.w3.inventory.listed import DELETE, HEAD, READ, cell, control, taken


@pytest.mark.req("W3S-007")
def test_an_unguarded_neighbour_stands_out() -> None:
    found = taken(control(routes=["*"]))
    assert cell(found, "check", DELETE).odd
    assert READ in plain(cell(found, "check", DELETE).why)
    assert not cell(found, "check", READ).odd


GUARDED, OPEN = "x=Depends(known)", ""


@pytest.mark.parametrize(
    ("routes", "odd"),
    [
        ([("get", "/a", GUARDED), ("get", "/a/{id}", OPEN)], {"GET /a/{id}"}),
        ([("get", "/a", GUARDED), ("post", "/a", OPEN)], {"POST /a"}),
        ([("post", "/a", GUARDED), ("get", "/a", OPEN)], set()),
        ([("get", "/a", GUARDED), ("get", "/b", OPEN)], set()),
        ([("get", "/a", GUARDED), ("get", "/b", GUARDED), ("get", "/c", OPEN)], {"GET /c"}),
        ([("get", "/a", GUARDED), ("get", "/b", OPEN), ("get", "/c", OPEN)], set()),
        ([("get", "/a", OPEN), ("get", "/a/{id}", OPEN)], set()),
        ([("get", "/a", GUARDED), ("get", "/a/{id}", "x=Depends(elsewhere)")], set()),
        ([("get", "/a/x", GUARDED), ("get", "/a/y", OPEN)], {"GET /a/y"}),
        ([("get", "/a", GUARDED), ("get", "/health", OPEN), ("post", "/a/login", OPEN)], set()),
    ],
)
def test_which_routes_are_odd(routes: list[tuple[str, str, str]], odd: set[str]) -> None:
    written = "".join(
        f"    @app.{method}('{path}')\n    def f{place}({arguments}): ...\n"
        for place, (method, path, arguments) in enumerate(routes)
    )
    app = (HEAD.format(app="", around="") + written).replace("\n    ", "\n")
    found = taken(stated={"not_in_scope": []}, app=app)
    assert {one.route for one in found.cells if one.odd and one.area is Area.AUTHENTICATION} == odd


@pytest.mark.parametrize(
    ("path", "expected"),
    [("/v1/a", "v1/a"), ("/v1/a/{id}", "v1/a"), ("/v1/a/{id}/b", "v1/a"), ("/{id}", ""), ("/", "")],
)
def test_the_resource_of_a_path(path: str, expected: str) -> None:
    assert resource(path) == expected
