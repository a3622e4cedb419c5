"""`evreview execute`: what is refused, what runs, what is kept, and what a violation does."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from evreview.app.cli import app
from evreview.app.commands.execute import Order, execute
from evreview.core.errors import BadInput
from evreview.core.vocabulary import EvidenceId, ExitStatus
from evreview.evidence.bundle_reader import open_bundle
from evreview.evidence.cited_records import records_of
from evreview.evidence.records.review import ExecutionPlan
from evreview.evidence.records.test_runs import TestRun
from evreview.evidence.test_results.read import read_results
from evreview.sandbox import runner as isolation
from evreview.workflows.engine.gates import ACTIVE
from evreview.workflows.engine.retained_runs import read_runs, violated
from evreview.workflows.execution.approval import refusals
from evreview.workflows.w3.authorization import as_authorized
from tests.app.commands.execution_bundle import (
    ACTIONS,
    CHANGES,
    FIXTURE,
    PLAN,
    REVIEWED,
    REVISION,
    approval,
    write_bundle,
)

OTHER = "0" * 40
NOW = datetime(2026, 11, 28, tzinfo=UTC)
MAY_CHANGE = approval("execute-mutating-example")


@pytest.fixture(scope="module")
def isolated() -> None:
    if reason := isolation.available():
        pytest.skip(f"nothing can be isolated here: {reason}")


def contents(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def refused(order: Order, monkeypatch: pytest.MonkeyPatch) -> set[str]:
    monkeypatch.setattr(isolation, "run", lambda sandbox: pytest.fail("something ran"))
    with pytest.raises(BadInput) as error:
        execute(order)
    return {problem.code for problem in error.value.problems}


def at(*paths: str) -> dict[str, Any]:
    """A plan that copies its two files to these paths."""
    return {"files": [{"item": item, "path": path} for item, path in zip(("E2", "E5"), paths, strict=False)]}


LATER = approval(at="2999-01-01T00:00:00+00:00")
REFUSALS: list[tuple[str, str, dict[str, Any]]] = [
    ("nobody answered", "gate-open", {"decisions": []}),
    ("rejected", "gate-rejected", {"decisions": [approval(decision="rejected")]}),
    ("rejected later", "gate-rejected", {"decisions": [approval(), approval(decision="rejected")]}),
    ("answered in the future", "gate-open", {"decisions": [LATER]}),
    ("another plan", "gate-open", {"decisions": [approval(reviewed=["other", *REVIEWED])]}),
    ("target not reviewed", "gate-open", {"decisions": [approval(reviewed=[PLAN, "test data"])]}),
    ("by nobody entitled", "gate-open", {"decisions": [approval(stands_for="release-manager")]}),
    ("by nearly the role", "gate-open", {"decisions": [approval(role="sandbox owner ")]}),
    ("content", "gate-other-plan", {"decisions": [approval(of=f"sha256:{'0' * 64}")]}),
    ("nothing named", "gate-open", {"decisions": [approval(of=None)]}),
    ("by another role", "gate-open", {"decisions": [approval(role="Reviewer")]}),
    (
        "a no, then another role's yes",
        "gate-rejected",
        {"decisions": [approval(decision="rejected", of=None), approval(role="Reviewer")]},
    ),
    (
        "a no of the other owner",
        "gate-rejected",
        {"decisions": [approval(stands_for="security-owner", role="Security owner", decision="rejected"), approval()]},
    ),
    (
        "a no of a role that the review names",
        "gate-open",
        {"decisions": [approval(stands_for="api-owner", role="Reviewer", decision="rejected"), approval()]},
    ),
    (
        "a copied file without digest",
        "gate-unbound-files",
        {"plan": {"files": [{"item": "E2", "path": "service.py", "sha256": None}]}},
    ),
    (
        "a copied file of another content",
        "gate-unbound-files",
        {"plan": {"files": [{"item": "E2", "path": "service.py", "sha256": "0" * 64}]}},
    ),
    ("changes with the plain gate", "gate-open", {"plan": CHANGES}),
    ("another revision", "plan-revision", {"plan": {"revision": OTHER}, "service_revision": OTHER}),
    ("sources of another revision", "plan-item-revision", {"service_revision": OTHER}),
    ("upwards", "plan-file", {"plan": at("../service.py")}),
    ("absolute", "plan-file", {"plan": at("/etc/cron.d/x")}),
    ("a dot", "plan-file", {"plan": at("a/./b")}),
    ("twice", "plan-file", {"plan": at("a", "a")}),
    ("a folder for a file", "plan-file", {"plan": at("a/b", "a")}),
    ("a file for a folder", "plan-file", {"plan": at("a", "a/b")}),
    ("too many files", "plan-files", {"plan": {"files": [{"item": "E2", "path": f"f{n}"} for n in range(401)]}}),
    ("nothing to do", "plan-empty", {"plan": {"examples": []}}),
    ("nobody answers", "plan-no-fixture", {"plan": {"fixture": None}}),
    ("no command", "plan-no-fixture", {"plan": {"fixture": {**FIXTURE, "start": []}}}),
    ("no cleanup", "plan-no-cleanup", {"plan": {"mutating": ["createOrder"]}, "decisions": [MAY_CHANGE]}),
    ("a change unnamed", "plan-mutating", {"plan": {"examples": ["createOrder"]}}),
    ("no operation", "plan-operation", {"plan": {"examples": ["nothing"]}}),
    ("out of scope", "plan-operation", {"plan": {"examples": ["internal"]}}),
    ("two plans", "plan-ambiguous", {"extra_plans": [{"id": "second"}]}),
]


@pytest.mark.req("W2P-004", "W2P-005")
@pytest.mark.parametrize(("code", "made"), [row[1:] for row in REFUSALS], ids=[row[0] for row in REFUSALS])
def test_what_is_refused(code: str, made: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bundle = write_bundle(tmp_path / "b", **{"decisions": [approval()], **made})
    before = contents(bundle)
    assert refused(Order(bundle=bundle), monkeypatch) == {code}
    assert contents(bundle) == before


@pytest.mark.parametrize(
    ("decisions", "told"),
    [([], "has not answered"), ([LATER], LATER["at"]), ([approval(stands_for="release-manager")], "release-manager")],
)
def test_why_no_answer_counts_is_told(
    decisions: list[dict[str, Any]], told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(isolation, "run", lambda sandbox: pytest.fail("something ran"))
    with pytest.raises(BadInput) as error:
        execute(Order(bundle=write_bundle(tmp_path / "b", decisions=decisions)))
    assert [told in problem.found for problem in error.value.problems] == [True]


@pytest.mark.req("W2A-006")
@pytest.mark.parametrize("item", REVIEWED)
def test_each_item_must_have_been_reviewed(item: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reviewed = [PLAN, *(each for each in REVIEWED if each != item)]
    decisions = [approval("execute-mutating-example", reviewed=reviewed)]
    bundle = write_bundle(tmp_path / "b", CHANGES, decisions)
    assert refused(Order(bundle=bundle), monkeypatch) == {"gate-open"}


def test_only_the_security_owner_opens_an_active_test(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bundle = write_bundle(tmp_path / "b", {}, [approval()], workflow="w3")
    assert refused(Order(bundle=bundle), monkeypatch) == {"gate-open"}
    partly = approval(stands_for="security-owner", role="Security owner")
    bundle = write_bundle(tmp_path / "c", {}, [partly], workflow="w3")
    assert refused(Order(bundle=bundle), monkeypatch) == {"gate-open"}


@pytest.mark.parametrize(("given", "code"), [("2026-10-31T23:59:59+00:00", {"gate-open"}), (None, set())])
def test_an_answer_from_before_the_authorization_is_none(
    given: str | None, code: set[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    more = {"at": given} if given else {}
    owner = {"stands_for": "security-owner", "role": "Security owner", "reviewed": [PLAN, *ACTIVE.reviewed]}
    bundle = write_bundle(tmp_path / "b", {}, [approval(**owner, **more)], workflow="w3")
    opened = as_authorized(open_bundle(bundle))
    (plan,) = records_of(opened, ExecutionPlan)
    assert {problem.code for problem in refusals(opened, plan, NOW)} == code


def test_what_the_command_line_gets_wrong(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bundle = write_bundle(tmp_path / "b", {}, [approval()])
    assert refused(Order(bundle=bundle, plan="other"), monkeypatch) == {"plan-unknown"}
    assert refused(Order(bundle=bundle, runtime=tmp_path), monkeypatch) == {"runtime-missing"}
    assert refused(Order(bundle=bundle, output=tmp_path), monkeypatch) == {"folder-not-empty"}
    assert refused(Order(bundle=tmp_path / "none"), monkeypatch) == {"folder-missing"}


def test_a_refusal_on_the_command_line(tmp_path: Path) -> None:
    bundle = write_bundle(tmp_path / "b", {}, [])
    done = CliRunner().invoke(app, ["execute", str(bundle), "--plan", PLAN, "-o", str(tmp_path / "new")])
    assert done.exit_code == ExitStatus.BAD_INPUT
    assert "[gate-open]" in done.stderr
    assert not (tmp_path / "new").exists()


def test_without_a_plan(demo_bundle: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert refused(Order(bundle=demo_bundle), monkeypatch) == {"plan-missing"}


def test_without_a_sandbox_the_check_stays_proposed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    bundle = write_bundle(tmp_path / "b", {}, [approval()])
    before = contents(bundle)
    monkeypatch.setattr(isolation, "available", lambda: "no bubblewrap")
    monkeypatch.setattr(isolation, "run", lambda sandbox: pytest.fail("something ran"))
    assert execute(Order(bundle=bundle)) == ExitStatus.BLOCKED
    assert "no bubblewrap" in capsys.readouterr().err
    assert contents(bundle) == before


@pytest.mark.usefixtures("isolated")
@pytest.mark.req("W2G-005", "W2S-016")
def test_safe_examples_are_sent_and_kept(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bundle = write_bundle(tmp_path / "b", {}, [approval()])
    before = contents(bundle)
    assert execute(Order(bundle=bundle, output=tmp_path / "new")) == ExitStatus.DONE
    assert contents(bundle) == before
    found = open_bundle(tmp_path / "new")
    assert list(found.items) == ["E1", "E2", "E3", "E4", "E5", "E6", "E7"]
    run = found.items[EvidenceId("E7")].record
    assert isinstance(run, TestRun)
    output = found.items[run.output]
    assert (run.output, run.format, run.revision, run.exit_status) == ("E6", "har", REVISION, 0)
    assert (run.isolated, run.produced_by, run.output_sha256) == (True, "evreview execute", output.sha256)
    assert run.contract == f"sha256:{found.items[EvidenceId('E1')].sha256}"
    assert FIXTURE["describes"] in (run.environment or "") and PLAN in (run.command or "")
    (case,) = read_results(output.content.encode()).cases
    (exchange,) = case.exchanges
    assert (exchange.method, exchange.status, exchange.media_type) == ("GET", 200, "application/json")
    assert exchange.body == {"id": exchange.path.rsplit("/", 1)[-1]}
    assert "authorization" in exchange.request_headers and "set-cookie" in exchange.response_headers
    assert "kept-by-nobody" not in output.content and "Bearer" not in output.content


@pytest.mark.usefixtures("isolated")
@pytest.mark.req("W2A-005")
def test_mutating_examples_are_sent_with_their_gate(tmp_path: Path) -> None:
    bundle = write_bundle(tmp_path / "b", CHANGES, [MAY_CHANGE])
    assert execute(Order(bundle=bundle)) == ExitStatus.DONE
    found = open_bundle(bundle)
    cases = read_results(found.items[EvidenceId("E6")].content.encode()).cases
    assert [(each.method, each.status) for case in cases for each in case.exchanges] == [("GET", 200), ("POST", 201)]


@pytest.mark.usefixtures("isolated")
def test_two_runs_are_two_pieces_of_evidence(tmp_path: Path) -> None:
    bundle = write_bundle(tmp_path / "b", {}, [approval()])
    assert [execute(Order(bundle=bundle)), execute(Order(bundle=bundle, plan=PLAN))] == [0, 0]
    found = open_bundle(bundle)
    assert len(found.items) == 9
    assert found.items[EvidenceId("E7")].content.replace("E6", "E8") != ""
    first, second = (read_results(found.items[EvidenceId(name)].content.encode()).cases for name in ("E6", "E8"))
    assert [case.exchanges for case in first] == [case.exchanges for case in second]


VIOLATIONS = [
    ("by address", "__import__('socket').socket().connect_ex(('192.0.2.1', 80))", "192.0.2.1:80"),
    ("by name", "__import__('socket').getaddrinfo('api.example.com', 443)", "api.example.com"),
    ("write", "os.system('echo x > /etc/evil')", "/etc/evil"),
    ("another family", "__import__('socket').socket(40, 1)", "forbidden system call"),
]


@pytest.mark.usefixtures("isolated")
@pytest.mark.req("W3G-005", "W3E-022", "W3E-023", "W3E-024", "W3E-025", "W3E-026")
@pytest.mark.parametrize(("hook", "named"), [row[1:] for row in VIOLATIONS], ids=[row[0] for row in VIOLATIONS])
def test_a_violation_is_kept_and_is_no_executed_check(
    hook: str, named: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bundle = write_bundle(tmp_path / "b", {}, [approval()], hook=hook)
    before = contents(bundle)
    assert execute(Order(bundle=bundle, output=tmp_path / "new")) == ExitStatus.STOPPED
    told = capsys.readouterr().err
    assert "W3-F5" in told and named in told and "security owner" in told
    assert contents(bundle) == before
    found = open_bundle(tmp_path / "new")
    assert list(found.items) == ["E1", "E2", "E3", "E4", "E5", "E6", "E7"]
    run = found.items[EvidenceId("E7")].record
    assert isinstance(run, TestRun)
    assert any(named in each for each in run.violations)
    assert (run.output, run.isolated, run.exit_status, run.asserts) == ("E6", None, None, ())
    assert run.plan == f"sha256:{found.items[EvidenceId('E4')].sha256}"
    assert named in found.items[EvidenceId("E6")].content
    runs, broken = read_runs(found)
    assert (runs, broken) == ((), ())
    assert len(list(violated(found))) == 1


@pytest.mark.usefixtures("isolated")
@pytest.mark.req("W3S-018", "W3E-022", "W3A-001")
def test_a_violation_of_a_security_review_is_evidence_of_it(tmp_path: Path) -> None:
    answer = approval(stands_for="security-owner", role="Security owner", reviewed=[PLAN, *ACTIVE.reviewed])
    command = ["python", "-S", "checks/run.py"]
    plan = {"tests": command, "examples": [], "fixture": None}
    out = "print('checks::read PASSED', flush=True)"
    tests = f"import socket\n{out}\nsocket.socket().connect_ex(('192.0.2.1', 80))\n{out}\n"
    bundle = write_bundle(tmp_path / "b", plan, [answer], workflow="w3", tests=tests)
    assert execute(Order(bundle=bundle)) == ExitStatus.STOPPED
    opened = as_authorized(open_bundle(bundle))
    assert not opened.sealed, "what the planned run left is covered"
    run = opened.items[EvidenceId("E8")].record
    assert isinstance(run, TestRun) and run.violations
    assert "> checks::read PASSED" in opened.items[run.output].content


UNAUTHORIZED = [
    ("over", {"period": {"since": "2026-11-01", "until": "2026-11-21"}}, {}, "#/period/until"),
    ("not permitted", {"active_testing": {"permitted": False}}, {}, "#/active_testing/permitted"),
    ("not written", {"rollback": None}, {}, "#/rollback"),
    ("not planned", {}, {"actions": ACTIONS[:1]}, "#/actions"),
    ("elsewhere", {}, {"plan": {"tests": ["check", "--url=https://tickets.example.com"]}}, "#/tests/1"),
    (
        "elsewhere by setting",
        {},
        {"plan": {"fixture": {**FIXTURE, "environment": {"DB": "db.example.com:5432"}}}},
        "#/fixture/environment/DB",
    ),
    (
        "refused purpose",
        {},
        {"plan": {"cleanup": ["x"], "cleanup_describes": "clears the audit logs"}},
        "#/cleanup_describes",
    ),
]


@pytest.mark.req("W3X-014", "W3A-001", "W3D-001", "W3D-004", "W3P-005", "W3G-002", "W3G-003", "W3G-007")
@pytest.mark.parametrize(
    ("authorization", "more", "place"), [row[1:] for row in UNAUTHORIZED], ids=[row[0] for row in UNAUTHORIZED]
)
def test_without_authorization_nothing_runs(
    authorization: dict[str, Any],
    more: dict[str, Any],
    place: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    answer = approval(stands_for="security-owner", role="Security owner", reviewed=[PLAN, *ACTIVE.reviewed])
    made = {"plan": {}, "workflow": "w3", "authorization": authorization, **more}
    bundle = write_bundle(tmp_path / "b", decisions=[answer], **made)
    monkeypatch.setattr(isolation, "run", lambda sandbox: pytest.fail("something ran"))
    with pytest.raises(BadInput) as caught:
        execute(Order(bundle=bundle))
    assert place in {problem.place for problem in caught.value.problems}


SHORT = [
    ("does not start", {"fixture": {**FIXTURE, "start": ["no-such-program"]}}, "pass"),
    ("ends at once", {"fixture": {**FIXTURE, "start": ["python", "-S", "-c", "raise SystemExit(3)"]}}, "pass"),
    ("never answers", {"fixture": {**FIXTURE, "start": ["sleep", "60"]}, "seconds": 2}, "pass"),
    ("answers too late", {"seconds": 3}, "None if self.path.endswith('none') else __import__('time').sleep(60)"),
    ("breaks the connection", {}, "os._exit(1) if not self.path.endswith('none') else None"),
    ("cleanup fails", {"cleanup": ["false"], "cleanup_describes": "nothing"}, "pass"),
    ("tests are missing", {"tests": ["no-such-program"]}, "pass"),
]


@pytest.mark.usefixtures("isolated")
@pytest.mark.parametrize(("plan", "hook"), [row[1:] for row in SHORT], ids=[row[0] for row in SHORT])
def test_what_does_not_count_as_executed(plan: dict[str, Any], hook: str, tmp_path: Path) -> None:
    bundle = write_bundle(tmp_path / "b", plan, [approval()], hook=hook)
    before = contents(bundle)
    assert execute(Order(bundle=bundle)) == ExitStatus.BLOCKED
    assert contents(bundle) == before


TESTS = """
import http.client, os, sys
connection = http.client.HTTPConnection("127.0.0.1", int(sys.argv[1]))
connection.request("GET", "/v1/orders/abcd")
status = connection.getresponse().status
os.makedirs("out")
case = f'<testcase classname="checks" name="read">{"" if status == 200 else "<failure/>"}</testcase>'
open("out/junit.xml", "w").write(f"<testsuite>{case}</testsuite>")
print(os.environ["MODE"])
print("checks::read PASSED")
raise SystemExit(int(sys.argv[2]))
"""


@pytest.mark.usefixtures("isolated")
@pytest.mark.parametrize(
    ("report", "status", "form"), [("--junitxml=out/junit.xml", 0, "junit"), ("--quiet", 1, "plain")]
)
def test_tests_run_beside_the_fixture(report: str, status: int, form: str, tmp_path: Path) -> None:
    command = ["python", "-S", "checks/run.py", "{port}", str(status), report]
    bundle = write_bundle(tmp_path / "b", {"tests": command, "examples": []}, [approval()], tests=TESTS)
    assert execute(Order(bundle=bundle)) == ExitStatus.DONE
    found = open_bundle(bundle)
    run = found.items[EvidenceId("E7")].record
    assert isinstance(run, TestRun)
    assert (run.format, run.exit_status) == (form, status)
    cases = read_results(found.items[EvidenceId("E6")].content.encode(), run.format).cases
    assert [(case.id, case.outcome) for case in cases] == [("checks::read", "passed")]


@pytest.mark.usefixtures("isolated")
def test_what_the_guard_finds_is_not_kept(tmp_path: Path) -> None:
    secret = "ghp_" + "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5"
    hook = f"return self.answer(200, {{'id': 'abcd', 'token': '{secret[:4]}' + '{secret[4:]}'}})"
    bundle = write_bundle(tmp_path / "b", {}, [approval()], hook=hook)
    assert execute(Order(bundle=bundle)) == ExitStatus.DONE
    kept = b"".join(data for name, data in contents(bundle).items() if name.startswith("runs/"))
    assert secret.encode() not in kept
    entry = json.loads((next(bundle.glob("runs/*.har.json"))).read_text())["log"]["entries"][0]
    assert json.loads(entry["response"]["content"]["text"])["id"] == "abcd"
    assert "sha256:" in entry["response"]["content"]["comment"]
