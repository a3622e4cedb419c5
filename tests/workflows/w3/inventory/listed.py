"""A small service, its tests, and an inventory that lists every control with everything that belongs to it."""

from __future__ import annotations

from typing import Any

from evreview.codefacts.model import CodeFacts, SourceText
from evreview.codefacts.read import read_sources
from evreview.core.vocabulary import Area
from evreview.evidence.cited_records import Cited
from evreview.evidence.item import EvidenceItem
from evreview.evidence.records.reference import SourceMap
from evreview.evidence.records.security import SecurityInventory
from evreview.evidence.records.test_runs import TestRun
from evreview.workflows.w3.inventory.inventory import take_inventory
from evreview.workflows.w3.inventory.routes import InspectedRoutes, read_area
from evreview.workflows.w3.model import ControlCell, Inventory, InventoryGap
from tests.workflows.w3.bundles import CONFIGURATION, RAN, REVISION, SOURCE, TESTED, bundle_of, cited, item, source_of

SERVICE = """\
import logging, os
from fastapi import Depends, FastAPI, HTTPException
from fastapi.responses import JSONResponse
API_KEY = os.environ["API_KEY"]
log = logging.getLogger("a")
app = FastAPI()

def principal(token: str = ""):
    if token != API_KEY:
        raise HTTPException(401)

@app.exception_handler(Exception)
async def failed(request, error):
    log.error("failed")
    return JSONResponse({"detail": "failed"}, status_code=500)

@app.get("/orders/{id}")
def read(id: int, who=Depends(principal)):
    log.info("read")
    return {}

@app.delete("/orders/{id}")
def delete(id: int):
    return {}
"""
HEAD = """
    import logging, os
    from fastapi import Depends, FastAPI, HTTPException, Query, Security, Body
    from fastapi.security import HTTPBearer, OAuth2PasswordBearer
    from pydantic import BaseModel
    log = logging.getLogger("a")
    KEY_FROM = os.environ["API_KEY"]
    API_KEY = os.environ["API_KEY"]
    PASSWORD = "k7Qp2xV9mZ4tR8wB1nLs"
    class Model(BaseModel):
        name: str
    def known(): raise HTTPException(401)
    def admin(): raise HTTPException(403)
    def plain_one(): return 1
    scopes = OAuth2PasswordBearer(tokenUrl="t")
    app = FastAPI({app})
    {around}
"""
"""What a route of one area stands below, four blanks in."""
TESTS = """\
def test_may(client):
    assert client.get("/orders/1").status_code == 200
def test_may_not(client):
    assert client.get("/orders/1").status_code == 401
def test_elsewhere(client):
    assert client.get("/health").status_code == 401
def test_silent(client):
    client.get("/orders/1")
"""
JUNIT = """\
<testsuite name="s" tests="4" failures="1" errors="0" skipped="1">
<testcase classname="tests.test_a" name="test_may"/>
<testcase classname="tests.test_a" name="test_may_not"/>
<testcase classname="tests.test_a" name="test_elsewhere"><failure message="m"/></testcase>
<testcase classname="tests.test_a" name="test_silent"><skipped/></testcase>
</testsuite>
"""
READ, DELETE = "GET /orders/{id}", "DELETE /orders/{id}"
MAP = SourceMap.model_validate(
    {
        "sources": [
            {"item": "E3", "path": "app.py", "part": "handler"},
            {"item": "E4", "path": "tests/test_a.py", "part": "test"},
            {"item": "E5", "path": "proxy.conf", "part": "deployment"},
        ]
    }
)
RUN: dict[str, Any] = {"output": "E7", "format": "junit", "revision": REVISION, "command": "pytest"}
AT_READ = {"item": "E4", "test": "tests/test_a.py::test_may", "run": "E7"}
CONTROL: dict[str, Any] = {
    "id": "check", "area": "authentication", "name": "the check", "routes": [READ],
    "source": [{"item": "E3", "lines": "8-10", "quote": "raise HTTPException(401)"}],
    "middleware": [], "deployment": [],
    "positive_tests": [AT_READ],
    "negative_tests": [AT_READ | {"test": "tests/test_a.py::test_may_not"}],
    "surrounding": [{"path": "proxy.conf", "item": "E5"}],
}  # fmt: skip
OTHERS = [area for area in Area if area is not Area.AUTHENTICATION]


def items(**given: Any) -> list[EvidenceItem]:
    """The service's items; `app`, `tests`, `run` and `junit` replace one, `at` is a revision of the first."""
    return [
        item(3, SOURCE, given.get("app", SERVICE), revision=given.get("at", REVISION)),
        item(4, TESTED, given.get("tests", TESTS)),
        item(5, CONFIGURATION, given.get("proxy", "deny all;\n")),
        item(6, SOURCE, MAP),
        item(7, RAN, given.get("junit", JUNIT), revision=""),
        item(8, RAN, TestRun.model_validate(RUN | given.get("run", {})), revision=""),
        *given.get("more", ()),
    ]


def inventory(*controls: dict[str, Any], **given: Any) -> Cited[SecurityInventory]:
    """An inventory of these controls; the other areas are not in scope."""
    named = {control["area"] for control in controls}
    left_out = [{"area": area, "why": "small"} for area in Area if area not in named]
    return cited(SecurityInventory.model_validate({"controls": controls, "not_in_scope": left_out} | given))


def control(**given: Any) -> dict[str, Any]:
    """`CONTROL` with some members replaced; a member that is None is left out."""
    return {key: value for key, value in (CONTROL | given).items() if value is not None}


def taken(*controls: dict[str, Any], stated: dict[str, Any] | None = None, **given: Any) -> Inventory:
    """The inventory of these controls over the service."""
    bundle = bundle_of(item(2, TESTED, "inventory"), *items(**given), **given.get("request", {}))
    return take_inventory(inventory(*controls, **(stated or {})), *code_of(bundle.items, **given), bundle)


def code_of(found: Any, **given: Any) -> tuple[Any, list[SourceText]]:
    """What the sources show, and the sources."""
    parts = {"E3": ("app.py", "handler"), "E4": ("tests/test_a.py", "test"), "E5": ("proxy.conf", "deployment")}
    sources = [source_of(found[name], path, part) for name, (path, part) in parts.items()]  # type: ignore[arg-type]
    return given.get("code") or read_sources(sources), sources


def gaps(found: Inventory, *, decides: bool = True) -> list[tuple[str, str]]:
    """Control and what it lacks, of each gap that decides or does not."""
    return [(gap.control, gap.lacks) for gap in found.gaps if gap.decides is decides]


def cells(found: Inventory) -> dict[tuple[str, str], str]:
    """Every cell's standing."""
    return {(cell.control, cell.route): str(cell.standing) for cell in found.cells}


def cell(found: Inventory, name: str, route: str) -> ControlCell:
    """One cell."""
    return next(one for one in found.cells if (one.control, one.route) == (name, route))


def asked(found: Inventory, lacks: str) -> InventoryGap:
    """The first gap that lacks something."""
    return next(gap for gap in found.gaps if gap.lacks == lacks)


def standings(area: Area, sources: list[SourceText], code: CodeFacts | None = None) -> dict[str, str]:
    """What the code alone shows of an area, by route."""
    seen = InspectedRoutes(code or read_sources(sources), sources).all
    return {one.name: str(read_area(one, area).standing) for one in seen}
