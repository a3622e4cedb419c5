"""Every variant of the bundled security review ends where its line in `w3_variants` says: every code, gate and end."""

from __future__ import annotations

import pytest

from evreview.report.validate import validate_artifact
from evreview.workflows.engine.journal import entry, resume_point
from evreview.workflows.w3.decision import Unclear
from evreview.workflows.w3.facts import FAILURES
from evreview.workflows.w3.gates import report_digest
from evreview.workflows.w3.model import State
from evreview.workflows.w3.supplied_remediation import NOT_SUPPLIED
from evreview.workflows.w3.workflow import STEPS
from tests.golden.editing import Append, Set, Variant
from tests.golden.runs import section, statements, tables
from tests.golden.w3_runs import accepting, asked, facts, finished, judged, supported, varied, with_acceptance
from tests.golden.w3_variants import (
    ACCEPTANCE,
    ACCEPTED_TERMS,
    BOARD,
    DISCLOSE_ITEMS,
    HEADER,
    MODEL,
    OUTSIDER,
    OWNER,
    PLAN,
    REVISION,
    RUBRIC,
    RUN,
    VARIANTS,
    accepted,
    accepts,
    approval,
    decided,
    supplied,
)

APPROVAL = "Approval and disclosure"
REQUIREMENTS = {
    "demo": ("W3U-001", "W3U-002", "W3D-007", "W3P-001", "W3P-002", "W3P-003", "W3P-004", "W3P-005", "W3I-028"),
    "f1-no-authorization": ("W3S-003", "W3E-001", "W3U-004"),
    "f1-no-period": ("W3S-003", "W3I-005"),
    "f1-no-recipients": ("W3P-004",),
    "f1-expired": ("W3X-014", "W3I-008"),
    "f1-path-not-allowed": ("W3S-002", "W3P-001"),
    "f1-target-not-local": ("W3D-004", "W3P-005", "W3U-005"),
    "untied-revision": ("W3U-007",),
    "no-assets": ("W3S-006", "W3I-014", "W3P-003"),
    "f2-negative-tests-unstated": ("W3S-009", "W3E-008", "W3I-023"),
    "f4-secret-without-handling": ("W3E-016", "W3D-005"),
    "f4-handling-of-other-content": ("W3E-016", "W3D-005"),
    "f1-excerpt-without-path": ("W3S-002", "W3P-001"),
    "f1-file-left-out": ("W3S-002", "W3P-001"),
    "excerpt-of-no-path": ("W3S-002", "W3P-001"),
    "undecided-finding": ("W3E-012", "W3D-007"),
    "no-boundary-at-an-entry-point": ("W3S-011", "W3S-012"),
    "f3-no-safe-verification": ("W3S-015", "W3E-012"),
    "f5-run-left-its-sandbox": ("W3S-018", "W3E-022", "W3G-005"),
    "no-rubric": ("W3S-021", "W3F-018"),
    "no-rollback": ("W3S-024", "W3R-007"),
    "remediation-weakens": ("W3S-023", "W3S-024", "W3D-006"),
    "disclosure-pending": ("W3S-027", "W3A-003"),
    "disclosure-unseen": ("W3A-004",),
    "disclosure-approved-for-nobody-named": ("W3A-004", "W3S-026"),
    "disclosure-denied": ("W3A-003", "W3S-027"),
    "disclosure-approved-for-no-report": ("W3S-026", "W3A-004"),
    "active-approved": ("W3A-001", "W3A-002"),
}
CASES = [pytest.param(each, id=each.name, marks=pytest.mark.req(*REQUIREMENTS[each.name])) for each in VARIANTS]


@pytest.mark.parametrize("variant", CASES)
def test_variant_ends_as_stated(variant: Variant) -> None:
    done = finished(variant.name)
    last = done.steps[-1]
    why = "\n".join(map(str, last.reasons))
    assert (last.number, str(last.state)) == (variant.step, variant.state), why
    assert done.decision.codes == ((variant.code,) if variant.code else ())
    assert done.exit_status == variant.exit_status
    assert [step.number for step in done.steps] == list(range(1, variant.step + 1))
    assert (variant.state == "advance") is not last.reasons or variant.name.startswith("f3")
    if variant.gates is not None:
        frame = done.registers["gates"]
        found = dict(zip(frame["gate"], frame["state"], strict=True))
        assert {gate: found[gate] for gate in variant.gates} == variant.gates
    assert validate_artifact(done.artifact, bundle=done.bundle) == ()
    assert done.redactor.leaks(done.artifact) == ()


def test_variants_reach_every_failure_and_have_unique_names() -> None:
    assert {each.code for each in VARIANTS} == {"", *FAILURES}
    assert len({each.name for each in VARIANTS}) == len(VARIANTS)


SPEC_RECOVERY = {
    "W3-F1": ("W3E-002", "W3E-003", "W3E-004", "W3E-005", "W3E-006", "W3E-007"),
    "W3-F2": ("W3E-009", "W3E-010", "W3E-011"),
    "W3-F3": ("W3E-013", "W3E-014", "W3E-015"),
    "W3-F4": ("W3E-017", "W3E-018", "W3E-019", "W3E-020", "W3E-021"),
    "W3-F5": ("W3E-023", "W3E-024", "W3E-025", "W3E-026", "W3E-027"),
}
NAMED = {
    "W3-F1": (
        "stop sensitive inspection", "approving role, immutable revision, allowed paths and environment, techniques, "
        "review period, excluded targets and actions, active-test permission, disclosure recipients, stop conditions, "
        "cleanup", "provenance through the approved channel", "immutable identifier or digest",
        "every planned action", "step 1 only when",
    ),
    "W3-F2": ("exact missing route, middleware, deployment or test artifact", "findings unconfirmed", "step 3 after"),
    "W3-F3": ("unconfirmed hypothesis", "bounded local validation plan", "step 6 once approved"),
    "W3-F4": ("stop reading or copying", "redact", "location, type and, if approved,", "notify the security owner",
              "handling instructions are recorded"),
    "W3-F5": ("terminate validation", "sanitized logs", "disposable state", "notify the security owner",
              "corrected, newly approved isolation plan"),
}  # fmt: skip
RECOVERIES = [
    pytest.param(code, place, id=name, marks=pytest.mark.req(name))
    for code, names in SPEC_RECOVERY.items()
    for place, name in enumerate(names)
]


@pytest.mark.parametrize(("code", "place"), RECOVERIES)
def test_each_part_of_a_recovery_is_a_next_action(code: str, place: int) -> None:
    done = finished(next(each.name for each in VARIANTS if each.code == code))
    said = [text for label, text in statements(section(done.artifact, APPROVAL)) if label == "Next action"]
    (whole,) = [text.partition(f"{code}: ")[2] for text in said if f"{code}: " in text]
    own = whole.split("; ")
    assert len(own) == len(SPEC_RECOVERY[code])
    assert NAMED[code][place] in own[place].lower().replace("w3-f", "W3-F")


@pytest.mark.parametrize(("code", "restart"), [("W3-F1", 1), ("W3-F2", 3), ("W3-F3", 6), ("W3-F4", 3), ("W3-F5", 6)])
@pytest.mark.req("W3E-007", "W3E-011", "W3E-015", "W3E-021", "W3E-027")
def test_a_failure_restarts_where_its_recovery_says(code: str, restart: int) -> None:
    assert FAILURES[code].restart == restart
    assert FAILURES[code].stops is (code != "W3-F3")


@pytest.mark.req("W3E-021")
def test_recorded_handling_resumes_at_step_3() -> None:
    stopped = finished("f4-secret-without-handling")
    earlier = entry(stopped.bundle.digest, stopped.steps, stopped.decision.headline, 1)
    assert resume_point(earlier, finished("demo").steps) == 3


@pytest.mark.req("W3S-001", "W3S-004", "W3S-007", "W3S-010", "W3S-013", "W3S-016", "W3S-019", "W3S-022", "W3S-025")
def test_the_step_log_names_every_step_and_its_condition() -> None:
    done = finished("demo")
    (log,) = [rows for rows in tables(section(done.artifact, APPROVAL)) if "Step" in rows[0]]
    assert [(row["Step"], row["Title"], row["Advances when"]) for row in log] == [
        (str(step.number), step.title, step.advance_when) for step in STEPS
    ]
    assert {row["State"] for row in log} == {"advance"}


@pytest.mark.req("W3S-019")
def test_step_7_rates_each_finding_and_gives_it_a_disposition() -> None:
    frame = finished("demo").steps[6].tables["Findings"]
    assert list(zip(frame["severity"], frame["disposition"], frame["state"], strict=True)) == [
        ("High", "blocking", "supported"), *[("Medium", "open", "hypothesis")] * 3,
    ]  # fmt: skip


@pytest.mark.req("W3S-022")
def test_step_8_plans_every_part_of_a_remediation() -> None:
    frame = finished("demo").steps[7].tables["Remediation order"].set_index("finding")
    columns = ["control_change", "owner_role", "positive_tests", "negative_tests", "deployment", "exit_evidence",
               "rollback"]  # fmt: skip
    planned = frame.loc[HEADER, columns]
    assert planned.nunique() == len(columns)
    assert not [text for text in planned if not text or NOT_SUPPLIED in text]


@pytest.mark.parametrize(
    "variant", [each for each in VARIANTS if each.name.startswith("f1-")], ids=lambda each: each.name
)
@pytest.mark.req("W3X-013", "W3D-001", "W3S-003")
def test_an_unauthorized_review_tells_nothing_of_its_items(variant: Variant) -> None:
    done = finished(variant.name)
    demo = finished("demo").bundle
    assert done.bundle.sealed and set(done.registers) == {"steps"}
    for item in demo.items.values():
        if item.id != "E1":
            assert item.establishes not in done.artifact and item.sha256 not in done.artifact
            assert item.integrity not in done.artifact
    for words in ("x_desk_role", "proxy_pass", "customer-confidential", "SEC-1", "token-check", "bandit"):
        assert words not in done.artifact


@pytest.mark.req("W3D-004", "W3E-002")
def test_a_plan_beyond_the_scope_is_not_run_and_escalated() -> None:
    said = statements(section(finished("f1-target-not-local").artifact, APPROVAL))
    assert [
        text for label, text in said if label == "Next action" and "escalate" in text and "run the tests again" in text
    ]


@pytest.mark.req("W3D-004")
def test_an_execution_plan_beyond_loopback_is_not_run_and_escalated() -> None:
    done = varied((Set(PLAN, "/tests", ["curl", "https://desk.example.com/v1/tickets"]),))
    said = statements(section(done.artifact, APPROVAL))
    assert [text for label, text in said if label == "Next action" and "escalate" in text]
    assert "not run" in section(done.artifact, "Verification plan")


@pytest.mark.req("W3D-005", "W3E-020", "W3G-011")
def test_the_security_owner_is_notified_by_place_and_kind_only() -> None:
    done = finished("f4-secret-without-handling")
    said = [text for label, text in statements(section(done.artifact, APPROVAL)) if label == "Next action"]
    (notice,) = [text for text in said if "notify" in text and "signed request queue" in text]
    assert "secret" in notice and "E7:L3" in notice
    (values,) = [rows for rows in tables(section(done.artifact, "Assumptions and limitations")) if "Kind" in rows[0]]
    assert {row["Evidence"].split(":")[0] for row in values} == {"E7", "E14"}
    assert "controls" not in done.registers


def test_handling_counts_only_from_the_security_owner() -> None:
    done = varied((Set("decisions.yaml", "/decisions/0/role", "Ticket service owner"),))
    assert done.steps[-1].code == "W3-F4"


@pytest.mark.req("W3E-013", "W3E-014", "W3S-014")
def test_a_suspicion_that_nothing_validates_safely_stays_a_hypothesis_with_a_plan() -> None:
    done = finished("f3-no-safe-verification")
    step = next(step for step in done.steps if step.code == "W3-F3")
    assert (step.number, str(step.state)) == (5, "advance")
    assert len([reason for reason in step.reasons if str(reason.kind) == "Proposed check"]) >= 4
    (finding,) = [each for each in facts(done).findings if each.candidate.kind == "C-1"]
    assert str(finding.candidate.state) == "hypothesis"


@pytest.mark.req("W3E-022", "W3S-017")
def test_results_of_a_run_that_left_its_sandbox_count_for_nothing() -> None:
    done = finished("f5-run-left-its-sandbox")
    assert "executed" in done.registers and len(done.registers["executed"]) == 0
    assert len(done.registers["proposed"]) >= 10


@pytest.mark.req("W3E-027")
def test_a_violation_ends_with_a_corrected_and_newly_approved_plan() -> None:
    approved = next(each for each in VARIANTS if each.name == "active-approved").edits
    left = Set(RUN, "/violations", ["connect 192.0.2.7:443"])
    earlier, same = Set(RUN, "/plan", f"sha256:{'a' * 64}"), finished("demo").bundle.items["E18"].sha256  # type: ignore[index]
    assert varied((left, earlier)).steps[-1].code == "W3-F5"
    assert varied((left, Set(RUN, "/plan", f"sha256:{same}"), *approved)).steps[-1].code == "W3-F5"
    named = [one for one in approved[0].value["reviewed"] if one != f"sha256:{same}"]  # type: ignore[union-attr]
    other = approval("execute-locally", OWNER, "security-owner", named)
    assert varied((left, earlier, other)).steps[-1].code == "W3-F5"  # approved, but not this content
    assert varied((left, earlier, *approved)).steps[-1].number == 9


@pytest.mark.req("W3A-005", "W3A-006", "W3D-010")
def test_an_accepted_finding_needs_both_approvers() -> None:
    both, one = with_acceptance(), with_acceptance(manager=False)
    assert (both.exit_status, one.exit_status) == (0, 4)
    assert "assessed" in both.decision.headline and "held" in one.decision.headline
    (row,) = [row for row in tables(section(both.artifact, "Residual risk and disposition"))[0]
              if HEADER in row["Finding"]]  # fmt: skip
    assert row["Disposition"] == "accepted with an expiry" and "2027-01-31" in row["Why"]
    assert "this review found none of them in `E10`" in row["Why"]
    (gate,) = [row for row in tables(section(one.artifact, APPROVAL))[0] if "accepted reachable" in row["Gate"]]
    assert gate["State"] == "open" and "Release manager" in gate["Missing"]
    assert validate_artifact(both.artifact, bundle=both.bundle) == ()


@pytest.mark.req("W3D-010")
@pytest.mark.parametrize(
    "edit",
    [
        Set("review.yaml", "/as_of", "2026-12-18"),
        Set("decisions.yaml", "/decisions/2/until", "2026-11-21"),
        Set("decisions.yaml", "/decisions/2/of", "0" * 64),
        Set(RUBRIC, "/rules/SEC-1/severity", "Critical"),
        Set(MODEL, "/assets/notes/classification", "top-secret"),
        *(
            Set("review.yaml", "/evidence/E19/content", ACCEPTED_TERMS.replace(old, new))
            for old, new in (("expires: 2027-01-31", "expires: 2999-12-31"), ("on one machine", ""), ("[E10]", "[E1]"))
        ),
    ],
    ids=["in time", "expired", "of another judgement", "graver", "more sensitive", "longer", "other controls",
         "shown by nothing"],
)  # fmt: skip
def test_an_acceptance_counts_while_it_lasts_and_nothing_judged_has_changed(edit: Set) -> None:
    answers = (accepts(accepting(), manager=False), accepts(accepting(), manager=True))
    done = varied((*asked(), *answers, edit))
    assert (done.exit_status == 0) is (edit.pointer == "/as_of")


RETEST = supplied(
    "E19",
    "test record",
    f"kind: test-record\nchecks:\n  - {{id: T-1, what: a customer's header opens nothing, command: pytest -k notes, "
    f"revision: {REVISION}, fixture: in process, result: passed, deltas: [{HEADER}]}}\n",
)
CHANGED = Set("records/inventory.yaml", "/controls/notes-check/surrounding/1/says", "nothing here guards it")
"""Something that the judgement rests on, stated otherwise."""


@pytest.mark.req("W3D-007", "W3E-012")
def test_what_is_missing_reads_no_better_than_what_is_shown() -> None:
    done = finished("undecided-finding")
    assert supported(done).candidate.state is State.HYPOTHESIS
    assert done.decision.headline == Unclear.UNVERIFIED
    assert validate_artifact(done.artifact, bundle=done.bundle) == ()


@pytest.mark.req("W3A-003", "W3A-005")
def test_a_rejection_is_not_undone_by_an_older_approval_written_after_it() -> None:
    late = {"at": "2026-11-21T13:00:00+00:00", "decision": "rejected"}
    refused = approval("accept-reachable-vulnerability", OWNER, "security-owner", [HEADER], **late)
    answers = (accepts(accepting(), manager=False), accepts(accepting(), manager=True))
    assert varied((*asked(), refused, *answers)).exit_status == 4


@pytest.mark.req("W3A-004")
def test_a_disclosure_covers_the_handling_that_it_prints() -> None:
    (one, other) = (
        report_digest(done.bundle, facts(done))
        for done in (finished("demo"), varied((Set("decisions.yaml", "/decisions/0/instructions", "Print it."),)))
    )
    assert one != other


@pytest.mark.req("W3D-011")
def test_a_closed_finding_opens_again_when_what_was_judged_changes() -> None:
    entry_ = {"kind": "disposition", "subject": HEADER, "role": "Product security owner", "decision": "closed",
              "state": "closed by evidence", "evidence": ["E19"], "of": judged()}  # fmt: skip
    closed = (decided(**entry_), *RETEST)
    assert varied(closed).exit_status == 0
    changed = varied((*closed, CHANGED))
    (found,) = [each for each in facts(changed).findings if each.candidate.id == HEADER]
    assert found.blocks and changed.exit_status == 4


@pytest.mark.req("W3U-007")
def test_a_runtime_conclusion_on_the_reviewed_revision_goes_on() -> None:
    assert varied((Set("review.yaml", "/runtime_conclusion", True),)).steps[-1].number == 9


@pytest.mark.req("W3E-015")
def test_an_answered_gate_resumes_at_step_6() -> None:
    waiting = finished("f3-no-safe-verification")
    earlier = entry(waiting.bundle.digest, waiting.steps, waiting.decision.headline, 1)
    edits = next(each for each in VARIANTS if each.name == "f3-no-safe-verification").edits
    approved = next(each for each in VARIANTS if each.name == "active-approved").edits
    assert resume_point(earlier, varied((*edits, *approved)).steps) == 6


def test_words_on_findings_that_there_are_not_are_told() -> None:
    nowhere = decided(kind="disposition", subject="S-000000000000", role="anybody", decision="open", state="open")
    done = varied((nowhere, Set("records/remediation.yaml", "/remediations/R-2/finding", "S-111111111111")))
    said = section(done.artifact, "Assumptions and limitations")
    assert "S-000000000000" in said and "S-111111111111" in said


def test_a_refused_disclosure_keeps_the_review_inside() -> None:
    assert finished("disclosure-denied").decision.internal


@pytest.mark.req("W3S-026", "W3A-003", "W3A-004")
def test_an_approved_disclosure_lasts_until_the_report_changes() -> None:
    digest = report_digest(finished("demo").bundle, facts(finished("demo")))
    named = [BOARD, digest, *DISCLOSE_ITEMS]
    approved = approval("disclose-outside-team", OWNER, "security-owner", named, at="2026-11-22T19:00:00+00:00")
    done = varied((OUTSIDER, approved))
    assert (str(done.steps[-1].state), done.decision.internal) == ("advance", False)
    assert validate_artifact(done.artifact, bundle=done.bundle) == ()
    for edit in (CHANGED, Set(MODEL, "/assets/0/name", "tickets")):
        changed = varied((OUTSIDER, approved, edit))
        assert (str(changed.steps[-1].state), changed.decision.internal) == ("remain", True)
    assert "answered without naming sha256:" in "".join(map(str, changed.steps[-1].reasons))


@pytest.mark.parametrize(
    ("at", "told"),
    [
        ("2026-11-21T10:00:00+00:00", "the run in E12 of 2026-11-22T18:02"),
        ("2026-11-22T18:02:03+00:00", "the run in E12 of 2026-11-22T18:02"),
        ("2026-11-22T18:30:00+01:00", "the run in E12 of 2026-11-22T18:02"),
        ("2026-11-19T10:00:00+00:00", "the disposition of"),
        ("2026-11-22T18:02:04+00:00", ""),
        ("2026-11-22T20:00:00+01:00", ""),
    ],
)
def test_a_disclosure_approved_before_what_the_report_tells_does_not_count(at: str, told: str) -> None:
    other = Append("decisions.yaml", "/decisions", {"kind": "disposition", "subject": "S-10310fc777db", "role": OWNER,
                   "decision": "looked at", "at": "2026-11-20T09:00:00+00:00"})  # fmt: skip
    before = varied((other,))
    named = [BOARD, report_digest(before.bundle, facts(before)), *DISCLOSE_ITEMS]
    done = varied((OUTSIDER, other, approval("disclose-outside-team", OWNER, "security-owner", named, at=at)))
    reasons = "".join(map(str, done.steps[-1].reasons))
    assert (str(done.steps[-1].state), done.decision.internal) == (("remain", True) if told else ("advance", False))
    assert told in reasons


def test_an_acceptance_approved_before_it_was_recorded_does_not_count() -> None:
    found = []
    for at in ("2026-11-21T10:00:00+00:00", "2026-11-21T10:00:01+00:00"):
        recorded = (accepted(judged(), at=at), *ACCEPTANCE)
        digest = supported(varied(recorded)).accepting
        done = varied((*recorded, accepts(digest, manager=False), accepts(digest, manager=True)))
        gates = done.registers["gates"].set_index("gate")
        found.append(tuple(gates.loc["accept-reachable-vulnerability", ["state", "missing"]]))
    assert found[0] == ("approved", "")
    assert found[1][0] == "open" and "without having seen what came later" in found[1][1]


def test_an_answer_from_before_the_authorization_counts_for_nothing() -> None:
    digest = report_digest(finished("demo").bundle, facts(finished("demo")))
    named = [BOARD, digest, *DISCLOSE_ITEMS]
    early = approval("disclose-outside-team", OWNER, "security-owner", named, at="2026-11-15T10:00:00+00:00")
    done = varied((OUTSIDER, early))
    assert "before the review was authorized" in "".join(map(str, done.steps[-1].reasons))
