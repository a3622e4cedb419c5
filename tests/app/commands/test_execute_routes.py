"""`evreview execute` asks an application for its routes, in the sandbox, and keeps what it says as typed evidence."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from evreview.app.commands.execute import Order, execute
from evreview.core.errors import BadInput
from evreview.core.vocabulary import ExitStatus
from evreview.evidence.bundle_reader import open_bundle
from evreview.evidence.records.reference import FIRST_LINE
from evreview.sandbox import runner as isolation
from evreview.workflows.engine.retained_runs import read_runs
from evreview.workflows.w2.scope import route_tables
from tests.app.commands.execution_bundle import PLAN, REVISION, approval, write_bundle
from tests.codefacts.applications import ASKED

YES = approval(reviewed=[PLAN, "isolated target", "test data"])


@pytest.fixture(scope="module")
def isolated() -> None:
    if reason := isolation.available():
        pytest.skip(f"nothing can be isolated here: {reason}")


def asking(folder: Path, name: str, decisions: list[dict[str, Any]], **more: Any) -> Path:
    """A bundle whose plan asks one of the applications for its routes."""
    framework, application, files, _ = ASKED[name]
    (first, service), *rest = files.items()
    second = rest[0] if rest else ("unused.py", "")
    plan = {
        "files": [{"item": "E2", "path": first}, {"item": "E5", "path": second[0]}],
        "fixture": None,
        "examples": [],
        "routes": {"framework": framework, "application": application},
        **more,
    }
    return write_bundle(folder, plan, decisions, service=service, tests=second[1] or "UNUSED = 1\n")


@pytest.mark.usefixtures("isolated")
@pytest.mark.parametrize("name", ASKED)
def test_an_application_tells_its_routes(name: str, tmp_path: Path) -> None:
    bundle = asking(tmp_path / "b", name, [YES])
    assert execute(Order(bundle=bundle)) is ExitStatus.DONE
    opened = open_bundle(bundle)
    (table,) = route_tables(opened)
    wanted = ASKED[name][3]
    said = [(one.method, one.path, one.handler.name, [each.name for each in one.before]) for one in table.record.routes]
    assert said == wanted
    assert (table.record.framework, table.record.revision) == (ASKED[name][0], REVISION)
    lines = opened.items[table.citation.id].content.splitlines()
    assert [json.loads(lines[FIRST_LINE - 1 + at].rstrip(","))["path"] for at in range(len(wanted))] == [
        path for _, path, _, _ in wanted
    ]
    assert read_runs(opened) == ((), ())  # it is no check of anything


def test_nothing_is_asked_without_an_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(isolation, "run", lambda sandbox: pytest.fail("something ran"))
    with pytest.raises(BadInput) as error:
        execute(Order(bundle=asking(tmp_path / "b", "flask", [])))
    assert {problem.code for problem in error.value.problems} == {"gate-open"}


@pytest.mark.usefixtures("isolated")
@pytest.mark.parametrize("application", ["service:nothing", "gone:app"])
def test_an_application_that_does_not_start_leaves_nothing(application: str, tmp_path: Path) -> None:
    routes = {"framework": "flask", "application": application}
    bundle = asking(tmp_path / "b", "flask", [YES], routes=routes)
    assert execute(Order(bundle=bundle)) is ExitStatus.BLOCKED
    assert route_tables(open_bundle(bundle)) == ()


@pytest.mark.parametrize("application", ["service/app", "service:app; import os", "-c", "service:make(1)"])
def test_only_names_can_be_asked(application: str, tmp_path: Path) -> None:
    bundle = asking(tmp_path / "b", "flask", [YES], routes={"framework": "flask", "application": application})
    with pytest.raises(BadInput):
        open_bundle(bundle)
