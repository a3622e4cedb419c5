"""A route table closes what reading leaves open about how an application is put together, and nothing else."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from evreview.codefacts.observed_routes import with_tables
from evreview.codefacts.read import read_sources
from evreview.core.vocabulary import EvidenceId
from evreview.evidence.cited_records import Cited
from evreview.evidence.item import Citation
from evreview.evidence.records.reference import RouteTable
from evreview.sandbox.route_listing import READERS, application
from evreview.workflows.w2.facts import ReferenceEvidence
from evreview.workflows.w2.reconcile.reconcile import Reconciled, reconcile
from evreview.workflows.w2.scope import operations_of
from tests.codefacts.applications import ASKED
from tests.codefacts.snippets import sources
from tests.workflows.w2.facts import CONTRACT
from tests.workflows.w2.services import contract, rows, undecided

TABLE = EvidenceId("E9")


def told(name: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Cited[RouteTable]:
    """What one of our own applications says, asked in this process."""
    framework, asked, files, _ = ASKED[name]
    for path, text in files.items():
        (folder / path).write_text(text)
    monkeypatch.chdir(folder)
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.delitem(sys.modules, "service", raising=False)
    routes = READERS[framework](application(framework, asked))
    monkeypatch.delitem(sys.modules, "service", raising=False)
    said = {"framework": framework, "application": asked, "revision": "a" * 40, "routes": routes}
    return Cited(RouteTable.model_validate(said), Citation(TABLE))


def judged(name: str, tables: tuple[Any, ...], *lines: str) -> Reconciled:
    files = sources(ASKED[name][2])
    made = contract(*lines)
    code = with_tables(read_sources(files), tables, files)
    evidence = ReferenceEvidence(contract=made, item=CONTRACT, code=code, runs=())
    return reconcile(evidence, operations_of(made), owner_role="API owner")


CASES = [
    ("fastapi", ("GET /a 200 401", "GET /b 200 401", "GET /c 200 401"), "GET /b"),
    ("starlette", ("GET /in/a 200 401", "GET /out/b 200 401"), "GET /out/b"),
    ("flask", ("GET /a 200 401", "GET /b/ 200 401"), "GET /b/"),
]


@pytest.mark.parametrize(("name", "lines", "bare"), CASES)
def test_a_table_decides_who_may_call(
    name: str, lines: tuple[str, ...], bare: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = judged(name, (), *lines)
    assert [row for row in rows(before) if row.startswith("unguarded")] == []
    assert f"{bare} authentication" in undecided(before)
    after = judged(name, (told(name, tmp_path, monkeypatch),), *lines)
    assert [row for row in rows(after) if row.startswith("unguarded")] == [f"unguarded {bare}"]
    assert f"{bare} authentication" not in undecided(after)


@pytest.mark.parametrize(("name", "lines", "bare"), CASES)
def test_what_no_file_defines_stays_open(
    name: str, lines: tuple[str, ...], bare: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = told(name, tmp_path, monkeypatch)
    foreign = {"kind": "middleware", "module": "gone", "name": "Gate"}
    routes = [one.model_dump() | {"before": [foreign]} for one in table.record.routes]
    changed = replace(table, record=RouteTable.model_validate(table.record.model_dump() | {"routes": routes}))
    after = judged(name, (changed,), *lines)
    assert [row for row in rows(after) if row.startswith("unguarded")] == []
    assert f"{bare} authentication" in undecided(after)


def test_a_route_that_only_the_table_shows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = told("fastapi", tmp_path, monkeypatch)
    more = {"method": "PUT", "path": "/a", "handler": {"module": "gone", "name": "put"}}
    routes = [*(one.model_dump() for one in table.record.routes), more]
    changed = replace(table, record=RouteTable.model_validate(table.record.model_dump() | {"routes": routes}))
    found = judged("fastapi", (changed,), "GET /a 200 401")
    row = next(row for row in found.discrepancies if row.kind == "route-undocumented")
    assert (row.place, TABLE in [each.id for each in row.citations]) == ("PUT /a", True)


def test_a_slash_is_decided_by_the_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = ("GET /a 200 401", "GET /b 200 401")
    assert [each for each in judged("flask", (), *lines).undecided if each.place == "path"] != []
    after = judged("flask", (told("flask", tmp_path, monkeypatch),), *lines)
    assert "path-differs GET /b" not in rows(after)
    assert [each for each in after.undecided if each.place == "path"] == []


def observed(
    framework: str, files: dict[str, str], *routes: tuple[str, str, list[dict[str, Any]]]
) -> Cited[RouteTable]:
    """A table of routes: path, handler of `app`, and what stands before it."""
    listed = [
        {"method": "GET", "path": path, "before": before,
         "handler": {"module": "app", "name": name, "file": "app.py" if "app.py" in files else ""}}
        for path, name, before in routes
    ]  # fmt: skip
    said = {"framework": framework, "application": "app:make()", "revision": "a" * 40, "routes": listed}
    return Cited(RouteTable.model_validate(said), Citation(TABLE))


GATE = {"kind": "middleware", "module": "gate", "name": "Gate", "file": "gate.py"}
NOTE = {"kind": "middleware", "module": "gate", "name": "Note", "file": "gate.py"}
GONE = {"kind": "middleware", "module": "gone", "name": "Gate"}
RAW = (
    "from starlette.responses import JSONResponse\nclass Note:\n    def __init__(self, app): self.app = app\n"
    "    async def __call__(self, scope, receive, send): await self.app(scope, receive, send)\n"
    "class Gate:\n    def __init__(self, app): self.app = app\n"
    "    async def __call__(self, scope, receive, send):\n"
    "        if dict(scope['headers']).get(b'authorization') != b'Bearer t':\n"
    "            return await JSONResponse({}, status_code=401)(scope, receive, send)\n"
    "        await self.app(scope, receive, send)\n"
)
HOOKS = (
    "from flask import jsonify, request\ndef Note(): pass\ndef Gate():\n"
    "    if request.headers.get('Authorization') != 'Bearer t': return jsonify({}), 401\n"
)
AROUND = (
    "from aiohttp import web\nasync def Note(request, handler): return await handler(request)\n"
    "async def Gate(request, handler):\n    if request.headers.get('Authorization') != 'Bearer t':\n"
    "        return web.json_response({}, status=401)\n    return await handler(request)\n"
)
ONLY_TOLD = {
    "starlette": ({"app.py": "from starlette.responses import JSONResponse\n"
                             "async def a(request): return JSONResponse({'q': request.query_params.get('q')})\n",
                   "gate.py": RAW}),
    "flask": ({"app.py": "from flask import jsonify, request\ndef a(): return jsonify({'q': request.args.get('q')})\n",
               "gate.py": HOOKS}),
    "aiohttp": ({"app.py": "from aiohttp import web\n"
                           "async def a(request): return web.json_response({'q': request.query.get('q')})\n",
                 "gate.py": AROUND}),
}  # fmt: skip


def asked_of(framework: str, before: list[dict[str, Any]]) -> Reconciled:
    files, made = ONLY_TOLD[framework], contract("GET /a 200 401 ?q ?never")
    given = sources(files)
    code = with_tables(read_sources(given), (observed(framework, files, ("/a", "a", before)),), given)
    evidence = ReferenceEvidence(contract=made, item=CONTRACT, code=code, runs=())
    return reconcile(evidence, operations_of(made), owner_role="API owner")


@pytest.mark.parametrize("framework", ONLY_TOLD)
@pytest.mark.parametrize(
    ("before", "bare", "open_at"),
    [
        ([GATE], False, False),
        ([NOTE, GATE], False, False),
        ([NOTE], True, False),
        ([], True, False),
        ([GONE], False, True),
        ([NOTE, GONE], False, True),
    ],
)
def test_a_handler_that_only_the_table_registers_is_read(
    framework: str, before: list[dict[str, Any]], bare: bool, open_at: bool
) -> None:
    found = asked_of(framework, before)
    assert ("unguarded GET /a" in rows(found)) is bare
    assert ("GET /a authentication" in undecided(found)) is open_at
    unread = [row for row in rows(found) if row.startswith("parameter-unread")]
    assert unread == ([] if open_at else ["parameter-unread GET /a query never"])
