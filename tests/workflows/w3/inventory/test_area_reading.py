"""What the code alone shows of each area on a route, and that each area rule counts its example."""

from __future__ import annotations

from typing import Any

import pytest

from evreview.codefacts.read import read_sources
from evreview.core.vocabulary import Area
from evreview.workflows.w3.inventory.routes import AREAS, InspectedRoutes, read_area
from tests.codefacts.snippets import source
from tests.workflows.w3.inventory.listed import HEAD


def reading(route: str, area: Area, app: str = "", around: str = "") -> str:
    """What the code alone shows of an area on one route."""
    text = HEAD.format(app=app, around=around) + "    @app.post('/a')\n    def a" + route
    sources = [source(text)]
    (seen,) = InspectedRoutes(read_sources(sources), sources).all
    return str(read_area(seen, area).standing)


A, Z, N, S = Area.AUTHENTICATION, Area.AUTHORIZATION, Area.INPUT_HANDLING, Area.SECRETS


L, E = Area.LOGGING, Area.ERROR_DISCLOSURE


@pytest.mark.parametrize(
    ("route", "area", "standing"),
    [
        ("(x=Depends(known)): ...", A, "present"),
        ("(x=Depends(HTTPBearer())): ...", A, "present"),
        ("(): raise HTTPException(401)", A, "present"),
        ("(x=Depends(plain_one)): ...", A, "absent"),
        ("(x=Depends(admin)): ...", A, "absent"),
        ("(x=Depends(elsewhere)): ...", A, "unread"),
        ("(x=Depends(admin)): ...", Z, "present"),
        ("(x=Security(scopes, scopes=['w'])): return check(x)", Z, "present"),
        ("(x=Security(scopes, scopes=['w'])): ...", Z, "unknown"),
        ("(x=Depends(known)): ...", Z, "absent"),
        ("(): raise HTTPException(403)", Z, "present"),
        ("(x=Depends(elsewhere)): ...", Z, "unread"),
        ("(): ...", N, "not applicable"),
        ("(body: Model): ...", N, "present"),
        ("(n: int): ...", N, "present"),
        ("(q: str = ''): ...", N, "absent"),
        ("(): return API_KEY", S, "present"),
        ("(): return PASSWORD", S, "absent"),
        ("(): return (API_KEY, PASSWORD)", S, "absent"),
        ("(): return 1", S, "unknown"),
        ("(): log.info('x')", L, "present"),
        ("(): print('x')", L, "absent"),
        ("(x=Depends(elsewhere)): ...", L, "unread"),
        ("(): ...", E, "unknown"),
    ],
)
def test_what_the_code_shows_of_an_area(route: str, area: Area, standing: str) -> None:
    assert reading(route, area) == standing


@pytest.mark.req("W3S-007")
@pytest.mark.parametrize(
    ("around", "area", "standing"),
    [
        ("@app.exception_handler(Exception)\n    def f(request, error): ...", E, "present"),
        ("@app.exception_handler(500)\n    def f(request, error): ...", E, "present"),
        ("@app.exception_handler(ValueError)\n    def f(request, error): ...", E, "unknown"),
        ("@app.middleware('http')\n    def f(request, go): log.info('x')", L, "present"),
        ("app.add_middleware(Other)", A, "unread"),
    ],
)
def test_what_runs_around_a_route_counts(around: str, area: Area, standing: str) -> None:
    assert reading("(): ...", area, around=around) == standing


PRESENCE_ONLY = "def there(key: str = Query('')):\n        if not key: raise HTTPException(401)"


@pytest.mark.req("W3S-007")
@pytest.mark.parametrize(
    ("route", "standing"),
    [
        ("(k=Depends(there)): ...", "unknown"),
        ("(k=Depends(there), x=Depends(known)): ...", "present"),
        ("(x=Depends(known), k=Depends(there)): ...", "present"),
    ],
)
def test_a_guard_on_the_line_of_another_counts_by_itself(route: str, standing: str) -> None:
    assert reading(route, A, around=PRESENCE_ONLY) == standing


IMPORTS = """import logging, os
from fastapi import Depends, FastAPI, Header, HTTPException, Query
log = logging.getLogger("a")
app = FastAPI()
def user(): ...
def sign(key): ...
"""


@pytest.mark.parametrize("rule", AREAS, ids=lambda rule: rule.area.value)
def test_each_area_counts_its_example_and_not_its_counter_example(rule: Any) -> None:
    shown = []
    for code in (rule.example, rule.counter_example):
        sources = [source(IMPORTS + code)]
        (seen,) = InspectedRoutes(read_sources(sources), sources).all
        shown.append(str(read_area(seen, rule.area).standing))
    assert shown[0] == "present"
    assert shown[1] in ("absent", "unknown")
    assert sorted(one.area for one in AREAS) == sorted(Area)
