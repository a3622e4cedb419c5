"""The pure parts of an execution: gates, the room that a plan asks for, the helper's report."""

from __future__ import annotations

import base64
import json
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evreview.evidence.bundle_reader import open_bundle
from evreview.evidence.records.review import ExecutionPlan
from evreview.evidence.test_results.read import read_results
from evreview.redaction.redactor import Redactor
from evreview.sandbox.model import AIDS, WORK, Denied, Output, Ran, SandboxViolation, Stopped
from evreview.workflows.engine.gates import ACTIVE
from evreview.workflows.execution.approval import refusals
from evreview.workflows.execution.outcome import Ended, Report, read_report, shortcoming, told, violation_log
from evreview.workflows.execution.plan import OutgoingMessages, Runtime, chosen_plan, result_path, sandbox_of
from tests.app.commands.execution_bundle import PLAN, approval, write_bundle

NOW = datetime(2026, 11, 22, tzinfo=UTC)


def open_gates(folder: Path, *decisions: dict[str, Any], workflow: str = "w2", **plan: Any) -> bool:
    bundle = open_bundle(write_bundle(folder, plan, decisions, workflow=workflow)).unsealed()
    return not list(refusals(bundle, chosen_plan(bundle, None), NOW))


def security(*reviewed: str) -> dict[str, Any]:
    return approval(stands_for="security-owner", role="Security owner", reviewed=[PLAN, *reviewed])


@pytest.mark.req("W3A-001")
def test_an_active_test_needs_the_security_owner(tmp_path: Path) -> None:
    assert open_gates(tmp_path / "a", security(*ACTIVE.reviewed), workflow="w3")
    assert not open_gates(tmp_path / "b", approval(reviewed=[PLAN, *ACTIVE.reviewed]), workflow="w3")
    assert not open_gates(tmp_path / "c", workflow="w3")


@pytest.mark.req("W3A-002")
@pytest.mark.parametrize("item", ACTIVE.reviewed)
def test_each_item_of_an_active_test_is_reviewed(item: str, tmp_path: Path) -> None:
    decision = security(*(each for each in ACTIVE.reviewed if each != item))
    assert not open_gates(tmp_path / "a", decision, workflow="w3")


def test_the_digest_that_was_approved_is_the_one_that_runs(tmp_path: Path) -> None:
    bundle = open_bundle(write_bundle(tmp_path / "a"))
    digest = bundle.items[chosen_plan(bundle, None).citation.id].sha256
    stated = approval(reviewed=[PLAN, "isolated target", "test data", f"sha256:{digest}"])
    assert open_gates(tmp_path / "b", stated)


def plan_of(**more: Any) -> ExecutionPlan:
    return ExecutionPlan.model_validate({"id": "p", "revision": "r", "files": [], **more})


def test_the_room_holds_what_the_plan_names() -> None:
    fixture = {"start": ["serve", "{port}"], "describes": "d", "environment": {"AT": "{port}"}}
    plan = plan_of(fixture=fixture, tests=["check", "--port={port}"], seconds=7)
    message = OutgoingMessages(operation="o", method="POST", target="/x?y=1", headers=(("A", "b"),), body=b"\xff")
    runtime = Runtime(python="/py/bin/python", shown=("/py",), helper=b"helper")
    sandbox = sandbox_of(plan, {"a.txt": b"a"}, [message], runtime)
    assert sandbox.argv == ("/py/bin/python", "-I", "-B", f"{AIDS}/inside.py", "{report}")
    assert (sandbox.files, sandbox.runtime, sandbox.limits.seconds, sandbox.report) == (
        {"a.txt": b"a"},
        ("/py",),
        7.0,
        True,
    )
    told = json.loads(sandbox.aids["plan.json"])
    assert told["fixture"]["start"] == ["serve", "8080"]
    assert told["environment"] == {"AT": "8080"}
    assert told["tests"] == ["check", "--port=8080"]
    assert told["messages"] == [
        {"method": "POST", "path": "/x?y=1", "headers": [["A", "b"]], "body": base64.b64encode(b"\xff").decode()}
    ]


@pytest.mark.parametrize(
    ("words", "path"),
    [
        (["pytest", "--junitxml=out/r.xml"], f"{WORK}/out/r.xml"),
        (["pytest", "--junit-xml=r.xml"], f"{WORK}/r.xml"),
        (["pytest", "--junitxml", "r.xml"], f"{WORK}/r.xml"),
        (["pytest", "--junitxml=/tmp/r.xml"], "/tmp/r.xml"),
        (["pytest", "--junitxml"], ""),
        (["pytest"], ""),
        ([], ""),
    ],
)
def test_where_tests_write_their_report(words: list[str], path: str) -> None:
    assert result_path(words) == path


ANSWERS = [
    {},
    {"status": "200", "headers": [], "body": ""},
    {"status": 200, "headers": {}, "body": ""},
    {"status": 200, "headers": [], "body": "not base64"},
    "text",
    None,
]


@pytest.mark.parametrize("stated", ANSWERS, ids=repr)
def test_an_answer_that_is_none(stated: Any) -> None:
    report = read_report(json.dumps({"exchanges": [stated]}).encode())
    assert report is not None
    assert report.answers[0].error


@pytest.mark.parametrize("data", [b"", b"[]", b"nothing", b"\xff", b"[" * 100_000, b"1", b"null"])
def test_what_is_no_report(data: bytes) -> None:
    assert read_report(data) is None


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["ready", "exit", "status", "headers", "body", "output"]), inner, max_size=4)
    ),
    max_leaves=12,
)


@given(st.dictionaries(st.sampled_from(["fixture", "exchanges", "tests", "cleanup"]), VALUES))
def test_no_report_is_a_fault(stated: dict[str, Any]) -> None:
    report = read_report(json.dumps(stated).encode())
    assert report is not None
    assert all(answer.error or answer.status is not None for answer in report.answers)


def ran(stopped: Stopped, *attempts: SandboxViolation, trouble: str = "") -> Ran:
    nothing = Output(text=Redactor().clean(""), sha256="", size=0)
    status = 0 if stopped is Stopped.ENDED else None
    return Ran(
        argv=("x",),
        environment="e",
        exit_status=status,
        stopped=stopped,
        attempts=attempts,
        stdout=nothing,
        stderr=nothing,
        trouble=trouble,
    )


GOOD = Report(ready=True, fixture_output="", answers=(), tests=None, cleanup=None)
ENDED_1 = Ended(status=1, output="no\n")


def test_what_a_run_tried_is_a_violation_and_a_limit_is_none() -> None:
    wrote = SandboxViolation(Denied.WRITE, "/etc/x", 2)
    assert any("/etc/x" in line for line in told(ran(Stopped.ENDED, wrote)))
    assert all("W3-F5" in told(ran(why, wrote))[0] for why in Stopped)
    assert told(ran(Stopped.UNWATCHED))
    for why in (Stopped.ENDED, Stopped.SECONDS, Stopped.MEMORY, Stopped.TASKS, Stopped.OUTPUT, Stopped.NOT_STARTED):
        assert told(ran(why)) == ()


@pytest.mark.req("W3E-024")
def test_the_log_of_a_violation_is_sanitized_and_no_result(tmp_path: Path) -> None:
    secret = "hunter2-" + "kept-by-nobody"
    bundle = open_bundle(write_bundle(tmp_path / "b", tests=f"password = '{secret}'\n"))
    attempts = (
        SandboxViolation(Denied.CONNECT, f"{secret}.example.com:443"),
        SandboxViolation(Denied.WRITE, "/etc/evil", 2),
    )
    found = ran(Stopped.NETWORK, *attempts)
    text = f"checks::read PASSED\nok 1 - x\n{secret}\n"
    found = replace(found, stdout=Output(text=Redactor().clean(text), sha256="0" * 64, size=len(text)))
    log = violation_log(bundle, plan_of(tests=["check"]), found)
    assert secret not in log.output + "".join(log.violations)
    assert "/etc/evil" in log.output and "checks::read" in log.output and "0" * 64 in log.output
    assert len(log.violations) == 2 and log.status is None
    assert read_results(log.output.encode(), "plain").cases == ()


@pytest.mark.parametrize("why", [why for why in Stopped if why is not Stopped.ENDED])
def test_a_run_that_was_ended_does_not_count(why: Stopped) -> None:
    assert shortcoming(ran(why, trouble="why"), GOOD, plan_of())


@pytest.mark.parametrize(
    ("report", "plan"),
    [
        (None, {}),
        (replace(GOOD, ready=False), {}),
        (GOOD, {"tests": ["x"]}),
        (replace(GOOD, tests=Ended(status=127, output="")), {"tests": ["x"]}),
        (GOOD, {"cleanup": ["x"]}),
        (replace(GOOD, cleanup=ENDED_1), {"cleanup": ["x"]}),
    ],
)
def test_a_run_without_its_result_does_not_count(report: Report | None, plan: dict[str, Any]) -> None:
    assert shortcoming(ran(Stopped.ENDED), report, plan_of(**plan))


def test_failing_tests_are_a_result() -> None:
    assert shortcoming(ran(Stopped.ENDED), replace(GOOD, tests=ENDED_1), plan_of(tests=["x"])) == ""
