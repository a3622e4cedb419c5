"""What the artifact of the bundled security review says, section by section, and what the validator refuses of it."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from evreview.app.workbench import outputs
from evreview.core.quoted_text import bare, plain
from evreview.core.vocabulary import EvidenceId
from evreview.report.validate import validate_artifact
from evreview.workflows.w3.access_control.units import LeadRule
from evreview.workflows.w3.artifact.overview import control_glance
from evreview.workflows.w3.decision import decide
from evreview.workflows.w3.leads.catalogue import RULES
from evreview.workflows.w3.model import Disposition, Standing, State
from evreview.workflows.w3.workflow import render_w3
from tests.golden.editing import Replace, Set
from tests.golden.runs import section, statements, tables
from tests.golden.w3_runs import facts, finished, varied
from tests.golden.w3_variants import HEADER, OWNER, PLAN_DIGEST, REVISION, RUBRIC, decided

FINDINGS = "Findings"
COLUMNS = ("Severity", "Confidence", "Finding", "Evidence", "Impact", "Recommendation", "Verification", "Disposition")


def rows(heading: str, first: str, name: str = "demo") -> list[dict[str, str]]:
    """The rows of the table below a heading whose first column has that name."""
    found = [table for table in tables(section(finished(name).artifact, heading)) if next(iter(table[0])) == first]
    return [dict(row) for row in found[0]]


@pytest.mark.req(*(f"W3F-{number:03}" for number in range(7, 15)))
def test_every_cell_of_the_finding_register_is_filled() -> None:
    found = rows(FINDINGS, "Severity")
    assert len(found) == 4
    assert [(row, name) for row in found for name in COLUMNS if row[name] in ("", "n/a")] == []
    assert all(re.match(r"E\d", row["Evidence"]) for row in found), "evidence is an item, not a word for none"


@pytest.mark.req("W3P-002")
def test_the_scope_records_the_revision_and_the_files() -> None:
    values = {row["What"]: row["Value"] for row in rows("Scope and threat summary", "What")}
    assert REVISION in values["immutable revision"]
    assert "service/" in values["allowed"]
    assert {row["Evidence"][:2] for row in rows("Traceability", "Control")} >= {"E3", "E5"}


def test_the_verdict_names_what_holds_the_deployment_and_who_acts_next() -> None:
    said = statements(section(finished("demo").artifact, "Scope and threat summary"))[:5]
    assert [label for label, _ in said] == ["Inference", "Inference", "Observation", "Next action", "Limitation"]
    assert said[1][1].startswith(f"`{HEADER}` (High, blocking): ")
    assert said[3][1].startswith("`Ticket service owner`: make the control change") and HEADER in said[3][1]


GLANCE = {"Authentication": "authentication", "Authorization": "authorization", "Input": "input handling",
          "Secrets": "secrets", "Logging": "logging", "Errors": "error disclosure"}  # fmt: skip


def test_controls_at_a_glance_are_the_worst_of_the_inventory() -> None:
    frame = finished("demo").registers["controls"]
    order = [str(each) for each in (Standing.ABSENT, Standing.UNREAD, Standing.UNKNOWN, Standing.PRESENT)]
    against = against_controls()
    assert {each.partition("]")[0] for each in against.values()} == {"[finding", "[hypothesis", "refuted"}
    for row in rows("Scope and threat summary", "Route"):
        route = row["Route"].replace("\\", "")
        for column, area in GLANCE.items():
            there = frame[(frame["route"] == route) & (frame["area"] == area)]["standing"]
            worst = min(there, key=lambda word: order.index(word) if word in order else len(order))
            word, _, challenge = row[column].partition("; ")
            assert word.strip("*") == worst.replace("not applicable", "n/a"), (route, area)
            assert word.startswith("**") is (worst in order[:3])
            assert challenge == against.get((route, area), ""), (route, area)


def against_controls() -> dict[tuple[str, str], str]:
    """What the findings and the refuted candidates say of areas at routes, taken from the registers of the run."""
    found = {}
    for one in facts(finished("demo")).challenged:
        for member in one.members or (one,):
            lead = f"(#{one.id.lower()})"
            told = {State.SUPPORTED: f"[finding]{lead}", State.HYPOTHESIS: f"[hypothesis]{lead}"}
            found[member.route, str(member.area)] = told.get(member.state, "refuted")
    return found


def test_many_routes_are_summed_in_the_last_row() -> None:
    one = facts(finished("demo"))
    assert one.inventory is not None
    cells = [replace(each, route=f"{each.route}/{place}") for place in range(4) for each in one.inventory.cells]
    many = replace(one, inventory=replace(one.inventory, cells=tuple(cells)))
    found = control_glance(finished("demo").bundle, many, ())
    assert len(found) == 8
    assert str(found[-1][0]) == "13 more routes"
    assert str(found[-1][1]) == "1 absent, 12 present"


def test_cells_of_findings_and_claims_are_short_and_cards_hold_the_rest() -> None:
    for row in rows(FINDINGS, "Severity"):
        shown = {name: re.sub(r"\(#[^)]*\)", "", cell) for name, cell in row.items()}
        assert max(len(cell) for name, cell in shown.items() if name != "Impact") <= 130, shown
        parts = shown["Impact"].replace("attacker preconditions: ", "").replace("`", "").split("<br>")
        assert all(len(part.partition(": ")[2]) <= 80 for part in parts)
    done = section(finished("demo").artifact, FINDINGS)
    for each in facts(finished("demo")).findings:
        card = done.partition(f"#### {each.candidate.id.lower()}\n")[2].partition("\n#")[0]
        assert plain(bare(each.candidate.safe_verification)) in card.replace("`", "")
        assert ("Places searched" in card) is bool(each.candidate.challenges)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_each_rule_tells_its_check_in_a_few_words(rule: LeadRule) -> None:
    assert 0 < len(rule.brief) <= 80
    assert "`" not in rule.brief


@pytest.mark.req("W3F-015", "W3F-016", "W3F-017")
def test_impact_keeps_observation_and_inference_apart_and_names_preconditions() -> None:
    for row in rows(FINDINGS, "Severity"):
        observed, inferred = row["Impact"].split("<br>")
        assert observed.startswith("Observation: ") and inferred.startswith("Inference: ")
        (name,) = re.findall(r"S-[0-9a-f]{12}\b(?= \[)", row["Finding"])
        (claim,) = [each for each in rows(FINDINGS, "Finding") if each["Finding"] == name]
        assert claim["Attacker preconditions"]
        card = section(finished("demo").artifact, FINDINGS).split(f"#### {name.lower()}\n")[1].split("####")[0]
        assert [text for label, text in statements(card) if label == "Inference" and "attacker preconditions: " in text]
    (high,) = [row for row in rows(FINDINGS, "Severity") if row["Severity"].startswith("High")]
    assert high["Severity"] == "High (rules/0)"
    quoted = [text for label, text in statements(section(finished("demo").artifact, FINDINGS)) if "`rules/0`" in text]
    assert "without an authenticated principal" in quoted[0]
    assert high["Confidence"].startswith("Medium (")


@pytest.mark.req("W3F-001", "W3F-002", "W3F-003", "W3F-004", "W3F-005")
@pytest.mark.parametrize(
    "column", ["Protected asset", "Control evidence", "Attacker preconditions", "Confidence", "Safe verification"]
)
def test_a_claim_without_one_of_its_parts_breaks_the_contract(column: str) -> None:
    done = finished("demo")
    (row,) = [row for row in rows(FINDINGS, "Finding") if HEADER in row["Finding"] and column in row]
    line = next(one for one in done.artifact.splitlines() if one == "| " + " | ".join(row.values()) + " |")
    broken = "| " + " | ".join(" " if name == column else value for name, value in row.items()) + " |"
    problems = validate_artifact(done.artifact.replace(line, broken), bundle=done.bundle)
    assert "empty-cell" in {problem.code for problem in problems}


@pytest.mark.req("W3F-006")
@pytest.mark.parametrize("word", ["exploitable", "confirmed", "proven"])
def test_a_claim_of_exploitability_breaks_the_contract(word: str) -> None:
    done = finished("demo")
    broken = done.artifact.replace("; supported |", f"; supported, {word} |", 1)
    assert broken != done.artifact
    assert "exploitability-claimed" in {problem.code for problem in validate_artifact(broken, bundle=done.bundle)}


@pytest.mark.req("W3F-007", "W3I-026")
@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("| High (", "| Critical (", "severity-differs"),
        ("| High (", "| Grave (", "severity-unknown"),
        ("without an authenticated principal is High", "without any principal is High", "severity-unquoted"),
        ("| blocking |", "| resolved |", "value-not-allowed"),
        ("| passed |", "| failed |", "executed-result-differs"),
        (f"| {HEADER} | “The route", "| S-ffffffffffff | “The route", "reference-dangling"),
        ("* **Observation:** Run 1: `python -m", "* **Observation:** Run 1: `python3 -m", "executed-record-differs"),
        (f"#### {HEADER.lower()}", "#### s-ffffffffffff", "link-dangling"),
        ("| `T1` | the credentials", "| `T99` | the credentials", "reference-dangling"),
        ("8 paths, 8 traceable", "8 paths, 7 traceable", "count-differs"),
    ],
)
def test_what_the_evidence_does_not_hold_breaks_the_contract(old: str, new: str, code: str) -> None:
    done = finished("demo")
    assert old in done.artifact
    problems = validate_artifact(done.artifact.replace(old, new, 1), bundle=done.bundle)
    assert code in {problem.code for problem in problems}


@pytest.mark.req("W3S-017", "C-017", "W3S-016")
def test_executed_rows_are_what_the_retained_run_holds() -> None:
    found = rows("Executed", "Check")
    assert len(found) == 10
    assert {row["Result"] for row in found} == {"passed"}
    assert all(row["Evidence"].startswith("E12") and "E13" in row["Evidence"] for row in found)
    lost = varied((Set("records/test-run.yaml", "/isolated", False),))
    assert "None recorded" in section(lost.artifact, "Executed")
    assert validate_artifact(lost.artifact, bundle=lost.bundle) == ()


@pytest.mark.req("W3A-001", "W3A-002")
def test_the_active_gate_lists_what_is_reviewed_and_its_plan_stays_proposed() -> None:
    (gate,) = [row for row in rows("Approval and disclosure", "Gate") if "active testing" in row["Gate"]]
    assert gate["To be reviewed"].split(", ") == [
        f"`{PLAN_DIGEST[:19]}`", "`ticket-access-tests`", "isolated target", "revision", "method", "expected traffic",
        "test data", "network boundary", "stop conditions", "cleanup", "rollback evidence",
    ]  # fmt: skip
    assert PLAN_DIGEST[7:] in section(finished("demo").artifact, "Traceability")
    (plan,) = [row for row in rows("Verification plan", "Check") if "ticket-access-tests" in row["Check"]]
    assert "execute-locally" in plan["Missing for execution"]


@pytest.mark.req("C-021", "W3F-005")
def test_every_finding_without_a_retained_result_has_its_check_among_the_proposed_ones() -> None:
    unshown = [each.candidate for each in facts(finished("demo")).findings if not each.candidate.validated]
    assert {str(each.state) for each in unshown} == {"supported", "hypothesis"}
    proposed = [row["Check"][:14] for row in rows("Verification plan", "Check") if row["Check"].startswith("S-")]
    assert sorted(proposed) == sorted(each.id for each in unshown)


@pytest.mark.req("W3S-027")
def test_a_report_for_the_team_alone_claims_no_approval_of_its_disclosure() -> None:
    said = [str(each) for each in statements(section(finished("demo").artifact, "Approval and disclosure"))]
    assert [each for each in said if "Limitation" in each and "no disclosure is approved" in each]
    outside = statements(section(finished("disclosure-pending").artifact, "Approval and disclosure"))
    assert not [each for each in map(str, outside) if "no disclosure is approved" in each and "Nobody" in each]


@pytest.mark.req("W3A-004", "W3A-006")
def test_the_other_gates_list_what_is_reviewed() -> None:
    gates = {row["Gate"]: row["To be reviewed"] for row in rows("Approval and disclosure", "Gate")}
    assert "redacted report, severity rationale, recipients, channel, timing" in gates.values()
    assert "compensating controls, accountable owner, expiry, revalidation date" in gates.values()


@pytest.mark.req("W3D-007")
def test_the_release_manager_holds_the_deployment_while_a_high_finding_is_unresolved() -> None:
    said = statements(section(finished("demo").artifact, "Residual risk and disposition"))
    (hold,) = [text for label, text in said if label == "Next action"]
    assert hold.startswith("`Release manager` holds the deployment") and HEADER in hold
    assert facts(finished("demo")).holding


@pytest.mark.req("W3F-019")
def test_the_register_is_prioritized() -> None:
    words = [row["Disposition"].split(":")[0] for row in rows(FINDINGS, "Severity")]
    order = [str(each) for each in Disposition]
    assert words == sorted(words, key=order.index)
    assert [row["Severity"].split(" ")[0] for row in rows(FINDINGS, "Severity")] == [
        "High",
        "Medium",
        "Medium",
        "Medium",
    ]


@pytest.mark.req("W3D-012", "W3D-008")
def test_the_dispositions_show_state_evidence_and_the_digest_to_name() -> None:
    found = {row["Finding"].strip("`"): row for row in rows("Residual risk and disposition", "Finding")}
    assert set(found) == {each.candidate.id for each in facts(finished("demo")).findings}
    told = re.findall(r"(?m)^(S-[0-9a-f]{12})  ([0-9a-f]{64})$", finished("demo").artifact)
    assert {name: digest[:12] for name, digest in told} == {
        name: row["Judged digest"].strip("`") for name, row in found.items()
    }
    assert found[HEADER]["Holds deployment"] == "yes"


@pytest.mark.req("W3G-012", "W3D-003", "W3S-014", "W3I-028")
def test_a_scanner_alone_makes_no_finding_more_than_a_hypothesis() -> None:
    found = facts(finished("demo"))
    tools = {lead.tool for lead in found.leads}
    assert len(tools) > 1
    (secret,) = [each for each in found.findings if each.candidate.kind == "secret-in-source"]
    assert str(secret.candidate.state) == "hypothesis"
    assert [row for row in rows("Verification plan", "Check") if secret.candidate.id in row["Check"]]


@pytest.mark.req("W3D-002", "W3S-013")
def test_the_control_in_the_wiring_refutes_the_route_without_a_redactor() -> None:
    (row,) = rows(FINDINGS, "Candidate")
    assert "deployment wiring" in row["What refutes it"] or "proxy.conf" in row["What refutes it"]
    assert row["Candidate"].strip("`")[:14] not in {each.candidate.id for each in facts(finished("demo")).findings}


SEEDS = ("AKIA" + "Q3EGRIWJQ5L2ZT7A", "jane.miller@millerlamps.de", "10.20.30.40")


@pytest.mark.req("W3G-004", "W3G-011")
@pytest.mark.parametrize("handled", [False, True])
def test_seeded_values_leave_through_no_door(handled: bool) -> None:
    words = "Medium until it is replaced"
    edit = Replace(RUBRIC, words, f"{words} {' '.join(SEEDS)}")
    of = f"sha256:{varied((edit,)).bundle.items[EvidenceId('E16')].sha256}"
    laid_down = decided(kind="handling", subject="E16", of=of, role=OWNER, instructions="Keep the place only.")
    done = varied((edit, *((laid_down,) if handled else ())))
    assert done.steps[-1].number == (9 if handled else 3)
    files = outputs(done, [], 1)
    assert {name for name, text in files.items() for seed in SEEDS if seed in text} == set()


def test_two_runs_are_byte_identical() -> None:
    done = finished("demo")
    again = render_w3(done.bundle, done.steps, facts(done), decide(done.bundle, done.steps, facts(done)))
    assert done.redactor.clean(again) == done.artifact


def test_an_internal_review_says_so_and_a_named_one_does_not() -> None:
    pending, demo = finished("disclosure-pending"), finished("demo")
    assert (pending.decision.internal, demo.decision.internal) == (True, False)
    assert "Internal: " in section(pending.artifact, "Scope and threat summary")
    assert "Internal: " not in demo.artifact
    assert '"internal": true' in outputs(pending, [], 1)["review.json"]
