"""What the bundled reference says: each planted fault, each label, each withheld claim, and nothing invented."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from evreview.core.vocabulary import Concern
from evreview.report.markdown import REASON
from evreview.report.validate import validate_artifact
from evreview.workflows.w2 import step9_deliver_and_reconcile
from evreview.workflows.w2.facts import W2Facts
from tests.golden.editing import Append, Replace
from tests.golden.runs import section, statements, tables
from tests.golden.w2_runs import finished, published, varied, with_dispositions
from tests.golden.w2_variants import CONTRACT, OBSERVED, PLAN, REVISION

REGISTER = "Contract discrepancy register"


def rows(heading: str, column: str, name: str = "demo") -> list[dict[str, str]]:
    """The rows of the section's tables that have a column."""
    found = tables(section(finished(name).artifact, heading))
    return [dict(row) for table in found if table and column in table[0] for row in table]


@pytest.mark.req("W2U-001", "W2S-001", "W2S-025", "PU-003", "W2P-002", "VR-006")
def test_the_demo_is_a_whole_reference() -> None:
    done = finished("demo")
    assert [str(step.state) for step in done.steps] == ["advance"] * 8 + ["remain"]
    assert done.decision.codes == ("W2-F3", "W2-F4", "W2-F2")
    assert done.exit_status == 4
    stated = {row["What"]: row["Value"] for row in rows("Operation", "What")}
    wanted = {
        "one immutable revision",
        "API version",
        "base URL shape",
        "audience",
        "included operations",
        "exclusions",
    }
    assert wanted | {"exclusions"} <= set(stated)
    assert {"discrepancies", "execution", "evidence-matrix", "examples", "criteria"} <= set(done.registers)


@pytest.mark.req("W2S-003", "PU-004")
def test_every_entry_names_version_base_url_and_revision() -> None:
    properties = rows("Operation", "Property")
    for name, value in (("API version", "1.4.0"), ("Base URL shape", "{merchant}"), ("Revision", REVISION[:12])):
        found = [row["Value"] for row in properties if row["Property"] == name]
        assert len(found) == 3 and all(value in each for each in found)


@pytest.mark.req("W2S-007", "W2S-008", "W2D-001", "W2E-010", "W2E-011")
def test_the_planted_faults_are_in_the_register() -> None:
    found = rows(REGISTER, "Discrepancy")
    forms = section(finished("demo").artifact, REGISTER).split("### Exact forms\n")[1]
    kinds = {
        name: kind for names, kind in re.findall(r"\*\* (X-[^:]*): `([^`]+)`", forms) for name in names.split(", ")
    }
    told = {(kinds[row["Discrepancy"][:14]], row["Discrepancy"].partition(": ")[2]) for row in found}
    assert ("body-narrower", "request body application/json quantity of POST /v1/orders") in told
    assert ("response-outside", "errors 404 application/json of GET /v1/orders/{orderId}") in told
    assert {kind for kind, _ in told} >= {"rate-limit-undocumented"}
    (narrow,) = [row for row in found if kinds[row["Discrepancy"][:14]] == "body-narrower"]
    assert "1 to 1000" in narrow["Contract"] and narrow["Implementation"].endswith("1 to 100")
    (exact,) = [line for line in forms.splitlines() if narrow["Discrepancy"][:14] in line]
    assert 'contract `{"maximum":1000,' in exact and 'implementation `{"maximum":100,' in exact
    assert all("Orders API owner" in row["Owner role"] and row["Compatibility impact"] for row in found)
    assert all(row["Disposition"].startswith("open") for row in found)


@pytest.mark.req("W2S-009", "W2D-001", "W2G-009", "W2G-004")
def test_withheld_claims_stand_in_the_register_alone() -> None:
    done = finished("demo")
    rest = done.artifact.replace(section(done.artifact, REGISTER), "")
    for word in ("order_not_found", "Order not found", "REQUESTS_PER_MINUTE", "Retry-After", "`429`"):
        assert word not in rest, word
    (held,) = [row for row in rows("Operation", "Field") if row["Field"] == "`quantity`"]
    assert (held["Type"], held["Required"], "withheld" in held["Allowed values"]) == ("withheld", "withheld", True)
    assert "withheld" in section(done.artifact, "Error response")


@pytest.mark.req("W2E-012", "W2E-013", "W2S-026", "W2S-023")
def test_the_owners_word_publishes_what_the_contract_says() -> None:
    done = with_dispositions("contract")
    assert (done.steps[-1].number, str(done.steps[-1].state), done.exit_status) == (9, "advance", 0)
    text = published(done)
    assert "order_not_found" in text and "| `quantity` | integer | yes |" in section(done.artifact, "Operation")
    assert "withheld" not in text.partition("### Index")[2].replace("| Withheld |", "")
    assert "REQUESTS_PER_MINUTE" not in text
    assert validate_artifact(done.artifact, bundle=done.bundle) == ()


@pytest.mark.req("W2G-009")
def test_a_withheld_discrepancy_is_disposed_of_and_stays_out() -> None:
    done = with_dispositions("withhold")
    assert done.exit_status == 0
    assert "order_not_found" not in published(done)


@pytest.mark.req("W2E-018", "W2G-009")
def test_what_is_withheld_is_not_denied_beside_it() -> None:
    asked = section(with_dispositions("withhold").artifact, "Operation")
    assert "| `quantity` | withheld | withheld |" in asked and "no further members" not in asked
    assert [text for label, text in statements(asked) if label == "Limitation" and "every request needs" in text]
    assert "no further members" in section(with_dispositions("contract").artifact, "Operation")


@pytest.mark.req("W2G-003", "ER-002", "W2S-021")
def test_internal_members_of_errors_are_in_no_row_and_no_example() -> None:
    done = finished("internal-error-field")
    errors = section(done.artifact, "Error response")
    shown = "\n".join(line for line in published(done).splitlines() if REASON not in line)
    assert "`message`" in errors and "`stackTrace`" not in shown and '"stackTrace"' not in shown
    told = statements(section(done.artifact, "Operation"))
    assert [text for label, text in told if label == "Limitation" and "internals" in text]


@pytest.mark.req("W2S-019", "C-031")
def test_what_the_contract_gives_away_is_told_to_its_owner() -> None:
    address = ".".join(("10", "4", "3", "2"))
    told = varied(
        (Replace(CONTRACT, "  title: Orders API\n", f"  title: Orders API at http://{address}:9000/debug\n"),)
    )
    assert address not in told.artifact
    (action,) = [each for each in told.decision.next_actions if "private endpoint" in str(each)]
    assert [str(each)[:4] for each in action.citations] == ["E1:L"]
    assert "the contract still shows it" in section(told.artifact, "Approval state")


@pytest.mark.req("W2I-020")
def test_a_recording_that_no_run_retains_is_said_to_be_compared_with_nothing() -> None:
    done = varied((Append("review.yaml", "/evidence", OBSERVED),))
    said = [text for label, text in statements(section(done.artifact, "Assumptions and limitations"))
            if label == "Limitation" and "[E12]" in text]  # fmt: skip
    assert [text for text in said if "compared with nothing" in text]
    retained = finished("traffic-pending").artifact
    assert "compared with nothing" not in retained


@pytest.mark.req("W2S-008", "W2G-009")
def test_one_open_discrepancy_keeps_the_reference_from_delivery() -> None:
    done = with_dispositions("contract", 1)
    assert (str(done.steps[-1].state), done.exit_status) == ("remain", 4)


@pytest.mark.req("W2E-014", "W2E-015", "W2E-016", "W2E-017", "W2D-004")
def test_the_untested_response_is_unverified_and_gets_a_test() -> None:
    done = finished("demo")
    told = statements(section(done.artifact, "Operation"))
    assert [text for label, text in told if label == "Limitation" and "`409`" in text and "W2-F4" in text]
    (conflict,) = [row for row in rows("Error response", "Status") if row["Status"] == "`409`"]
    assert "unverified (W2-F4)" in conflict["Body"]
    asked = [row for row in rows("Follow-up", "Action") if row["Status"] == "proposed"]
    assert any("409" in row["Action"] + row["Exit criterion"] for row in asked)
    assert any(row["Status"] == "proposed" for row in rows("Example execution report", "Check"))


@pytest.mark.req("W2S-004", *(f"W2X-{number:03}" for number in range(1, 11)))
def test_the_matrix_maps_every_concern_of_every_operation() -> None:
    found = rows("Traceability", "Claim group")
    told = [(name, concern) for row in found for name, _, concerns in [row["Claim group"].partition(": ")]
            if name != "Inference" for concern in concerns.split(", ")]  # fmt: skip
    assert len(told) == len(set(told))
    assert set(told) == {
        (operation, str(concern))
        for operation in ("GET /v1/orders", "POST /v1/orders", "GET /v1/orders/{orderId}")
        for concern in Concern
    }
    standing = re.compile(r"contract [a-z ]+, code [a-z ]+, test [a-z ]+$")
    assert all(row["Evidence"] and standing.search(row["Disposition"]) for row in found[:-1])


@pytest.mark.req("W2S-010", "W2S-011")
def test_every_published_claim_maps_to_the_matrix() -> None:
    claims = finished("demo").steps[3].tables["Claims"]
    cells = finished("demo").registers["evidence-matrix"]
    mapped = set(zip(cells["operation"], cells["concern"].astype(str), strict=True))
    named = claims[claims["concern"] != ""]
    assert len(named) > 30
    assert set(zip(named["operation"], named["concern"], strict=True)) <= mapped


@pytest.mark.req("W2S-013", "W2S-014", "W2P-003", "W2O-037")
def test_examples_are_labelled_synthetic_and_valid() -> None:
    done = finished("demo")
    examples = done.registers["examples"]
    assert set(examples["operation"]) <= set(done.registers["operations"]["operation"])
    assert set(examples.loc[examples["omitted"] == "", "label"]) == {"proposed"}
    assert len(examples[(examples["part"] == "request")]) == 3
    assert section(done.artifact, "Operation").count("uthorization: Bearer <access-token>") == 3
    states = [row["State"] for row in rows("Request example", "Example")]
    assert sorted(states) == ["left out", "proposed, unexecuted", "proposed, unexecuted"]
    assert done.redactor.leaks(done.artifact) == ()


@pytest.mark.req("W2S-016", "W2S-017", "W2E-006", "W2E-007", "W2E-008", "W2E-009", "W2G-005", "W2U-005", "W2D-002")
def test_every_example_is_executed_or_names_its_prerequisite() -> None:
    report = rows("Example execution report", "Check")
    ran = [row for row in report if row["Status"] == "executed"]
    assert len(ran) == 12
    assert {row["Environment"] for row in ran} == {"run 1"}
    told = statements(section(finished("demo").artifact, "Example execution report"))
    (run,) = [text for label, text in told if label == "Observation" and text.startswith("Run 1: ")]
    assert REVISION[:12] in run and "pytest" in run and "no network" in run and "exit status 0" in run
    waiting = [row for row in report if row["Status"] == "unexecuted"]
    assert len(waiting) == 2  # the third is left out: it would show what is withheld
    assert all(row["Result"].startswith("prerequisite missing: ") for row in waiting)
    everything = tables(section(with_dispositions("contract").artifact, "Example execution report"))
    (post,) = [
        row for table in everything for row in table if "request example" in row["Check"] and "POST" in row["Check"]
    ]
    assert post["Status"] == "unexecuted" and "execute-mutating-example" in post["Result"]


@pytest.mark.req("W2S-019", "W2S-020")
def test_every_review_check_has_a_disposition() -> None:
    found = {row["Check"]: row["Disposition"] for row in rows("Approval state", "Disposition")}
    assert set(found) == {
        "redaction", "authentication wording", "internal error leakage", "pagination", "idempotency", "rate limits",
        "versioning", "side effects",
    }  # fmt: skip
    assert all(found.values())


@pytest.mark.req("W2S-022", "W2A-002", "W2A-004", "W2A-006")
def test_the_gates_list_what_is_to_be_reviewed() -> None:
    gates = rows("Approval state", "Gate")
    assert {row["State"] for row in gates} == {"not needed"}
    reviewed = {part for row in gates for part in row["To be reviewed"].split(", ")}
    assert {"contract diff", "provenance", "sanitization record", "isolated target", "rollback or cleanup"} <= reviewed


@pytest.mark.req("W2S-026")
def test_every_completion_criterion_names_its_section() -> None:
    found = rows("Approval state", "Criterion")
    assert len(found) == 12 and {row["Met"] for row in found} == {"yes"}


@pytest.mark.req("W2O-035", "W2O-036", "ER-003", "W2D-006")
def test_what_nothing_defines_is_stated_absent_and_undefined_input_is_not_inferred() -> None:
    text = section(finished("demo").artifact, "Behavior, limits, and side effects")
    absent = [row for table in tables(text) for row in table if "implementation-derived" in row["Basis"]]
    assert {row["Aspect"] for row in absent} >= {"pagination"}
    told = statements(section(finished("demo").artifact, "Operation"))
    undefined = [one for label, one in told if label == "Limitation" and "Undefined by the contract" in one]
    assert [one for one in undefined if "`orderId`" in one]
    assert "`422`" not in section(finished("demo").artifact, "Error response")


@pytest.mark.req("W2O-033", "W2D-003")
def test_a_limit_of_the_code_alone_is_no_limit_of_the_reference() -> None:
    assert "600" not in published(finished("demo"))
    assert any("600" in row["Implementation"] for row in rows(REGISTER, "Discrepancy"))


@pytest.mark.req("W2A-003", "W2G-001")
def test_an_observed_example_shows_the_shape_and_no_value_of_the_traffic() -> None:
    assert set(finished("traffic-pending").registers["examples"]["label"]) == {"proposed", ""}
    done = finished("traffic-approved")
    assert "Observed example" in section(done.artifact, "Error response")
    for name in ("traffic-pending", "traffic-approved"):
        assert "Miller" not in finished(name).artifact and "4711" not in finished(name).artifact


@pytest.mark.req("W2I-020", "W2D-003")
def test_an_observed_error_alone_makes_no_error_row() -> None:
    done = finished("expansion-approved")
    assert "`429`" not in section(done.artifact, "Error response")
    assert "429" in section(done.artifact, REGISTER)


@pytest.mark.req("W2O-025", "W2O-026", "W2O-027")
def test_every_entry_says_whether_it_was_executed() -> None:
    found = [row["Value"] for row in rows("Operation", "Property") if row["Property"] == "Execution"]
    assert found == [f"executed: {count} of {count} retained checks passed, run 1" for count in (5, 4, 3)]
    sent = [row["Value"] for row in rows("Operation", "Property") if row["Property"] == "Request example"]
    assert len(sent) == 3
    assert all(each.startswith("unexecuted: prerequisite missing: ") or "left out" in each for each in sent)


@pytest.mark.req("W2O-028", "W2O-029", "W2O-030", "W2O-031", "W2O-032")
def test_every_follow_up_names_action_owner_dependency_exit_and_status() -> None:
    found = rows("Follow-up", "Action")
    assert len(found) == 9
    names = ("Action", "Owner role", "Dependency", "Exit criterion", "Status")
    assert all(row[name] not in ("", "n/a") for row in found for name in names)
    assert {row["Status"] for row in found} >= {"open", "proposed", "unexecuted"}


@pytest.mark.req("W2S-027")
@pytest.mark.parametrize("lost", ["entries", "report", "reviews", "matrix", "gates", "reconciled"])
def test_a_criterion_that_is_not_met_stops_the_handoff(lost: str) -> None:
    done = with_dispositions("contract")
    assert isinstance(done.facts, W2Facts)
    empty: object = False if lost == "reconciled" else ()
    outcome = step9_deliver_and_reconcile.run(done.bundle, replace(done.facts, **{lost: empty}))
    assert str(outcome.state) == "stop" and outcome.reasons
    assert str(step9_deliver_and_reconcile.run(done.bundle, done.facts).state) == "advance"


def test_the_demo_plans_no_mutation() -> None:
    assert "mutating" not in (finished("demo").bundle.load(PLAN)).decode()
