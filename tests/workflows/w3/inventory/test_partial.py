"""A file that no reader reads is named, and the rest is reviewed; only where nothing was read the review stops."""

from __future__ import annotations

import pytest

from evreview.codefacts.model import Part, SourceText
from evreview.codefacts.read import read_sources
from evreview.core.vocabulary import EvidenceId, EvidenceType
from evreview.evidence.item import Bundle
from evreview.evidence.records.security import SecurityInventory
from evreview.workflows.w3.excerpts import is_partial, unread_files
from evreview.workflows.w3.inventory.inventory import take_inventory
from evreview.workflows.w3.model import Inventory
from tests.workflows.w3.bundles import cited
from tests.workflows.w3.made import REVISION, bundle

APP = 'from fastapi import FastAPI\napp = FastAPI()\n\n\n@app.get("/cases")\ndef cases():\n    return []\n'
FOREIGN = {
    "web/app.js": "export const show = (id) => fetch(`/cases/${id}`)\n",
    "web/app.ts": "export function show(id: string): void {}\n",
    "legacy/Export.java": "public class Export {}\n",
    "worker/main.go": "package main\n",
    "lib/desk.rb": "class Desk; end\n",
    "old/app.py": "print 'two'\n",
}


def taken(
    files: dict[str, str], *parts: Part, routes: tuple[str, ...] = ("GET /cases",)
) -> tuple[Inventory, tuple[SourceText, ...]]:
    sources = tuple(
        SourceText(item=EvidenceId(f"E{number}"), path=path, parts=parts or ("handler",), text=text)
        for number, (path, text) in enumerate(files.items(), 1)
    )
    made: Bundle = bundle(
        [(EvidenceType.SOURCE_EXCERPT, text) for text in files.values()], implementation_revision=REVISION
    )
    lists: dict[str, list[str]] = {
        name: [] for name in ("source", "middleware", "deployment", "positive_tests", "negative_tests", "surrounding")
    }
    controls = [
        {"id": area, "area": area, "name": area, "routes": list(routes), **lists}
        for area in ("authentication", "authorization", "input handling")
    ]
    left = [{"area": area, "why": "not asked"} for area in ("secrets", "logging", "error disclosure")]
    record = SecurityInventory.model_validate({"revision": REVISION, "controls": controls, "not_in_scope": left})
    return take_inventory(cited(record), read_sources(sources), sources, made), sources


@pytest.mark.parametrize("path", FOREIGN)
def test_what_no_reader_reads_is_asked_for_and_the_rest_is_concluded(path: str) -> None:
    found, sources = taken({"app.py": APP, path: FOREIGN[path]})
    assert found.concludes and is_partial(read_sources(sources), sources)
    assert any(path in "".join(map(str, gap.request)) for gap in found.gaps)


@pytest.mark.parametrize("path", FOREIGN)
def test_nothing_is_concluded_where_nothing_was_read(path: str) -> None:
    found, sources = taken({path: FOREIGN[path]})
    assert not found.concludes and not is_partial(read_sources(sources), sources)


def test_a_route_that_only_an_unread_file_may_register_stops_nothing() -> None:
    found, _ = taken({"app.py": APP, "web/app.js": FOREIGN["web/app.js"]}, routes=("GET /cases", "GET /other"))
    assert found.concludes and any(gap.lacks == "route" for gap in found.gaps)


def test_a_route_that_no_file_registers_is_asked_for_before_anything_is_concluded() -> None:
    found, _ = taken({"app.py": APP}, routes=("GET /cases", "GET /other"))
    assert not found.concludes


@pytest.mark.parametrize("part", ["deployment", "test", "configuration"])
def test_files_that_are_no_code_of_the_service_leave_nothing_open(part: Part) -> None:
    _, sources = taken({"deploy/app.yaml": "port: 1\n"}, part)
    assert unread_files(read_sources(sources), sources) == ()
