"""A route table closes what reading leaves open about how an application is put together, and nothing else."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from evreview.evidence.cited import Cited
from evreview.evidence.item import Citation
from evreview.evidence.records.routes import RouteTable
from evreview.isolation.routes import READERS, application
from evreview.reference.evidence import ReferenceEvidence
from evreview.reference.operations import operations_of
from evreview.reference.reconcile import Reconciled, reconcile
from evreview.sources.observed_routes import with_tables
from evreview.sources.read import read_sources
from evreview.vocab import EvidenceId
from tests.reference.facts import CONTRACT
from tests.reference.services import contract, rows, undecided
from tests.sources.applications import ASKED
from tests.sources.snippets import sources

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
