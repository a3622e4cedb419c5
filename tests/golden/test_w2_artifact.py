"""What the bundled reference says: each planted fault, each label, each withheld claim, and nothing invented."""

from __future__ import annotations

import hashlib
from dataclasses import replace

import pytest

from evreview.artifacts.validate import validate_artifact
from evreview.prose import plain
from evreview.vocab import Concern
from evreview.widgets.outputs import outputs
from evreview.workflow.w2.delivery import deliver
from evreview.workflow.w2.facts import W2Facts
from tests.golden.editing import Append, Delete, Edit, Replace, Set
from tests.golden.runs import section, statements, tables
from tests.golden.w2_runs import APPROVED, finished, published, varied, with_dispositions
from tests.golden.w2_variants import CONTRACT, HANDLERS, OBSERVED, OBSERVED_RUN, OUTPUT, PLAN, REVISION, RUN, SCOPE

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
    for name, value in (("API version", "1.4.0"), ("Base URL shape", "{merchant}"), ("Revision", REVISION)):
        found = [row["Value"] for row in properties if row["Property"] == name]
        assert len(found) == 3 and all(value in each for each in found)


@pytest.mark.req("W2S-007", "W2S-008", "W2D-001", "W2E-010", "W2E-011")
def test_the_planted_faults_are_in_the_register() -> None:
    found = rows(REGISTER, "Discrepancy")
    told = {(row["Discrepancy"].split("`")[3], row["Discrepancy"].split("`")[5]) for row in found}
    assert ("body-narrower", "POST /v1/orders request body application/json quantity") in told
    assert ("response-outside", "GET /v1/orders/{orderId} errors 404 application/json") in told
    assert {kind for kind, _ in told} >= {"rate-limit-undocumented"}
    (narrow,) = [row for row in found if "body-narrower" in row["Discrepancy"]]
    assert '"maximum":1000' in narrow["Contract"] and '"maximum":100' in narrow["Implementation"]
    assert all("Orders API owner" in row["Owner role"] and row["Compatibility impact"] for row in found)
    assert all(row["Disposition"].startswith("open") for row in found)


@pytest.mark.req("W2S-009", "W2D-001", "W2G-009", "W2G-004")
def test_withheld_claims_stand_in_the_register_alone() -> None:
    done = finished("demo")
    rest = done.artifact.replace(section(done.artifact, REGISTER), "")
    for word in ("order_not_found", "Order not found", "REQUESTS_PER_MINUTE", "Retry-After", "`429`"):
        assert word not in rest, word
    assert "`quantity`" not in section(done.artifact, "Request example")
    assert "withheld" in section(done.artifact, "Error response")


@pytest.mark.req("W2E-012", "W2E-013", "W2S-026", "W2S-023")
def test_the_owners_word_publishes_what_the_contract_says() -> None:
    done = with_dispositions("contract")
    assert (done.steps[-1].number, str(done.steps[-1].state), done.exit_status) == (9, "advance", 0)
    text = published(done)
    assert "order_not_found" in text and "`quantity`" in section(done.artifact, "Request example")
    assert "REQUESTS_PER_MINUTE" not in text
    assert validate_artifact(done.artifact, bundle=done.bundle) == ()


@pytest.mark.req("W2G-009")
def test_a_withheld_discrepancy_is_disposed_of_and_stays_out() -> None:
    done = with_dispositions("withhold")
    assert done.exit_status == 0
    assert "order_not_found" not in published(done)


@pytest.mark.req("W2S-008", "W2G-009")
def test_one_open_discrepancy_keeps_the_reference_from_delivery() -> None:
    done = with_dispositions("contract", 1)
    assert (str(done.steps[-1].state), done.exit_status) == ("remain", 4)


@pytest.mark.req("W2E-014", "W2E-015", "W2E-016", "W2E-017", "W2D-004")
def test_the_untested_response_is_unverified_and_gets_a_test() -> None:
    done = finished("demo")
    errors = section(done.artifact, "Error response")
    assert [text for label, text in statements(errors) if label == "Limitation" and "`409`" in text and "W2-F4" in text]
    asked = [row for row in rows("Follow-up", "Action") if row["Status"] == "proposed"]
    assert any("409" in row["Action"] + row["Exit criterion"] for row in asked)
    assert any(row["Status"] == "proposed" for row in rows("Example execution report", "Check"))


@pytest.mark.req("W2S-004", *(f"W2X-{number:03}" for number in range(1, 11)))
def test_the_matrix_maps_every_concern_of_every_operation() -> None:
    found = rows("Traceability", "Concern")
    assert {(row["Operation"].strip("`"), row["Concern"]) for row in found} == {
        (operation, str(concern))
        for operation in ("GET /v1/orders", "POST /v1/orders", "GET /v1/orders/{orderId}")
        for concern in Concern
    }
    assert all(row[name] for row in found for name in ("Contract", "Implementation", "Test", "Evidence"))


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
    text = section(done.artifact, "Request example")
    assert "Bearer <access-token>" in text
    assert done.guard.leaks(done.artifact) == ()


@pytest.mark.req("W2S-016", "W2S-017", "W2E-006", "W2E-007", "W2E-008", "W2E-009", "W2G-005", "W2U-005", "W2D-002")
def test_every_example_is_executed_or_names_its_prerequisite() -> None:
    report = rows("Example execution report", "Check")
    ran = [row for row in report if row["Status"] == "executed"]
    assert len(ran) == 12
    assert all(REVISION in row["Environment"] and "pytest" in row["Environment"] for row in ran)
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
    assert [one for label, one in statements(text) if label == "Limitation" and "`orderId`" in one]
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


@pytest.mark.req("W2I-021")
def test_a_compatibility_policy_is_taken_in_and_cited() -> None:
    policy = {"id": "E12", "type": "policy", "integrity": REVISION, "establishes": "The rules in force.",
              "content": "kind: policy\npolicy_version: '7'\nsurface: the Orders API\n"}  # fmt: skip
    done = varied((Append("review.yaml", "/evidence", policy),))
    (row,) = [one for table in tables(section(done.artifact, "Operation")) for one in table
              if one.get("What") == "compatibility policy"]  # fmt: skip
    assert "`7`" in row["Value"] and row["Source"] == "[E12]"
    assert validate_artifact(done.artifact, bundle=done.bundle) == ()


SEEDS = ("AKIA" + "Q3EGRIWJQ5L2ZT7A", "jane.miller@millerlamps.de", "10.20.30.40")


@pytest.mark.req("W2G-001")
def test_seeded_values_leave_through_no_door() -> None:
    words = "List orders, newest first"
    seeded = " ".join((words, *SEEDS))
    done = varied((Replace(CONTRACT, words, seeded),))
    files = outputs(done, [], 1)
    assert {name for name, text in files.items() for seed in SEEDS if seed in text} == set()
    assert done.guard.leaks(done.artifact) == ()


@pytest.mark.req("W2O-025", "W2O-026", "W2O-027")
def test_every_entry_says_whether_it_was_executed() -> None:
    found = [row["Value"] for row in rows("Operation", "Property") if row["Property"] == "Execution"]
    assert len(found) == 3
    assert all("executed: " in each and "no network" in each for each in found)
    assert all("request example unexecuted: prerequisite missing: " in each or "left out" in each for each in found)


@pytest.mark.req("W2O-028", "W2O-029", "W2O-030", "W2O-031", "W2O-032")
def test_every_follow_up_names_action_owner_dependency_exit_and_status() -> None:
    found = rows("Follow-up", "Action")
    assert len(found) > 10
    names = ("Action", "Owner role", "Dependency", "Exit criterion", "Status")
    assert all(row[name] not in ("", "n/a") for row in found for name in names)
    assert {row["Status"] for row in found} >= {"open", "proposed", "unexecuted"}


@pytest.mark.req("W2S-027")
@pytest.mark.parametrize("lost", ["entries", "report", "reviews", "matrix", "gates", "reconciled"])
def test_a_criterion_that_is_not_met_stops_the_handoff(lost: str) -> None:
    done = with_dispositions("contract")
    assert isinstance(done.facts, W2Facts)
    empty: object = False if lost == "reconciled" else ()
    outcome = deliver(done.bundle, replace(done.facts, **{lost: empty}))
    assert str(outcome.state) == "stop" and outcome.reasons
    assert str(deliver(done.bundle, done.facts).state) == "advance"


@pytest.mark.req("W2S-016", "C-017")
def test_a_retained_run_of_an_example_makes_it_executed() -> None:
    content = str(OBSERVED["content"]).replace('"status": 429', '"status": 401')
    record = str(OBSERVED_RUN["content"]) + "produced_by: evreview execute\noutput_sha256: '"
    record += f"{hashlib.sha256(content.encode()).hexdigest()}'\n"
    items = (OBSERVED | {"content": content}, OBSERVED_RUN | {"content": record})
    done = varied(tuple(Append("review.yaml", "/evidence", item) for item in items))
    report = [row for table in tables(section(done.artifact, "Example execution report")) for row in table]
    (sent,) = [row for row in report if "request example" in row["Check"] and row["Status"] == "executed"]
    assert "GET /v1/orders/{orderId}" in sent["Check"] and sent["Result"] == "recorded: status 401"
    assert sent["Evidence"].startswith("E12#/log/entries/0")
    assert validate_artifact(done.artifact, bundle=done.bundle) == ()
    changed = done.artifact.replace("recorded: status 401", "passed")
    assert {problem.code for problem in validate_artifact(changed, bundle=done.bundle)} == {"executed-result-differs"}


ORDER_NOTE = "        note: {type: string, nullable: true, maxLength: 200}\n        createdAt"
FACTS: dict[str, tuple[str, tuple[Edit, ...]]] = {
    "a field of a response": ("`items[].note`", (Replace(CONTRACT, ORDER_NOTE, "        createdAt"),)),
    "a value of an enumeration": ("`cancelled`", (Replace(CONTRACT, "shipped, cancelled]", "shipped]"),)),
    "a query parameter": ("`cursor`", (Delete(CONTRACT, "/paths/~1v1~1orders/get/parameters/1"),)),
    "a documented error": ("idempotency_key_reused", (Delete(CONTRACT, "/paths/~1v1~1orders/post/responses/409"),)),
    "a response header": ("`Location`", (Delete(CONTRACT, "/paths/~1v1~1orders/post/responses/201/headers"),)),
    "a limit": ("at most `100` items", (Replace(CONTRACT, "          maxItems: 100\n", ""),)),
    "a pattern": ("ord_[0-9a-z]{8}$`", (
        Replace(CONTRACT, "{type: string, pattern: '^ord_[0-9a-z]{8}$'}", "{type: string}"),
        Replace(CONTRACT, "{type: string, pattern: '^ord_[0-9a-z]{8}$', description", "{type: string, description"),
        Replace(CONTRACT, "{type: string, pattern: '^/v1/orders/ord_[0-9a-z]{8}$'}", "{type: string}"),
    )),
    "a statement about idempotency": ("creates no second order", (
        Replace(CONTRACT, "Repeating a request with the same `Idempotency-Key` creates no second order.", ""),
    )),
    "a side effect": ("reserves stock", (Replace(CONTRACT, " and reserves stock for it", ""),)),
    "a default": ("default `20`", (Replace(CONTRACT, ", default: 20", ""),)),
    "a summary": ("newest first", (Replace(CONTRACT, "List orders, newest first", "List orders"),)),
    "an operation": ("createOrder", (Set(SCOPE, "/operations", ["listOrders", "getOrder"]),)),
    "a security scheme": ("Bearer <access-token>", (Delete(CONTRACT, "/security"),)),
    "the audience": ("Merchants that", (Set(SCOPE, "/audience", "Partners"),)),
    "an executed check": ("executed: 3 of 3", (Delete(RUN, "/output_sha256"),)),
}  # fmt: skip


@pytest.mark.req("W2G-002", "C-044", "PU-004", "W2D-003")
@pytest.mark.parametrize("name", FACTS)
def test_a_fact_that_leaves_the_evidence_leaves_the_reference(name: str) -> None:
    words, edits = FACTS[name]
    assert words in published(finished("demo"))
    assert words not in published(varied(edits))


def test_the_demo_plans_no_mutation() -> None:
    assert "mutating" not in (finished("demo").bundle.load(PLAN)).decode()


@pytest.mark.req("W2E-014", "W2S-009", "W2D-004")
def test_tests_that_fail_or_assert_something_else_are_told_and_verify_nothing() -> None:
    name = 'name="test_get_order_returns_the_order" time="0.012" />'
    done = varied((
        Replace(OUTPUT, name, name.replace(" />", '><failure message="no"/></testcase>')),
        Set(RUN, "/exit_status", 1),
        Set(RUN, "/asserts/17/expects", "no_auth"),
        Set(RUN, "/asserts/4/operation", "nopeOrder"),
    ))  # fmt: skip
    found = done.registers["discrepancies"]
    told = {(row.kind, row.operation, row.place) for row in found.itertuples()}
    get = "GET /v1/orders/{orderId}"
    assert ("observed-test-failed", get, "200 application/json") in told
    assert ("observed-value-outside", get, "401 application/json code") in told
    assert list(done.registers["unmapped-tests"]["evidence"]) == ["E8#/asserts/4"]
    assert "test_list_orders_refuses_a_limit_out_of_range" in section(done.artifact, "Assumptions and limitations")
    (trace,) = [row for row in tables(section(done.artifact, "Traceability"))[0] if f"{get}`: success" in str(row)]
    assert "partly withheld" in str(trace)
    assert "W2-F4" in section(done.artifact, "Success response")


def test_an_error_code_in_doubt_is_withheld_and_not_called_unstated() -> None:
    done = varied((Replace(HANDLERS, '"idempotency_key_reused"', '"key_reused"'),))
    listed = [row for table in tables(section(done.artifact, "Error response")) for row in table]
    (conflict,) = [row for row in listed if "`409`" in str(row)]
    assert "withheld" in dict(conflict)["Code"] and "idempotency_key_reused" not in str(conflict)


POP = Replace(HANDLERS, "return ORDERS[order_id]", "return ORDERS.pop(order_id)")
SEND = Replace(HANDLERS, "return ORDERS[order_id]", 'send_mail("ops", order_id)\n    return ORDERS[order_id]')


@pytest.mark.req("W2G-004")
@pytest.mark.parametrize(("edit", "name"), [(POP, "ORDERS.pop"), (SEND, "send_mail")], ids=["store", "call"])
def test_an_effect_that_the_code_suggests_is_a_labelled_lead(edit: Replace, name: str) -> None:
    done = varied((edit,))
    frame = done.registers["evidence-matrix"]
    of = (frame["operation"] == "GET /v1/orders/{orderId}") & (frame["concern"] == "side effects")
    (cell,) = frame[of & (frame["source"] == "implementation")].to_dict("records")
    assert (cell["standing"], name in cell["says"]) == ("unread", True)
    lead = f"implementation-derived, not part of the contract: a lead only, side effects: `{name}`"
    assert lead in section(done.artifact, "Behavior, limits, and side effects")
    (review,) = [each for each in done.facts.reviews if each.check == "side effects"]
    assert "shows 0" not in plain(review.found) and "lead" in plain(review.found)


BARE = Replace(
    HANDLERS, '    response.headers["Location"] = f"/v1/orders/{name}"\n    return order\n', "    return order\n"
)


@pytest.mark.req("W2S-007")
def test_a_required_header_that_one_branch_leaves_out_is_a_discrepancy() -> None:
    found = varied((BARE,)).registers["discrepancies"]
    (row,) = found[found["kind"] == "header-sometimes-unset"].to_dict("records")
    assert (row["operation"], row["place"]) == ("POST /v1/orders", "201 Location")


WORD = {
    "kind": "disposition", "role": "Orders API owner", "at": "2026-11-18T10:00:00+00:00", "publish": "contract",
    "decision": "publish: contract", "reviewed": ["the discrepancy register"],
}  # fmt: skip
MOVED = Replace(HANDLERS, 'APIRouter(prefix="/v1"', 'APIRouter(prefix="/v2"')


@pytest.mark.req("W2S-005", "W2S-006")
def test_an_api_that_moved_stops_and_names_what_it_answers_instead() -> None:
    done = varied((MOVED,))
    assert (done.steps[-1].number, str(done.steps[-1].state)) == (2, "stop")
    assert any("GET /v2/orders" in plain(each.text) for each in done.decision.reasons)
    found = done.registers["discrepancies"]
    assert set(found["kind"]) == {"operation-unanswered"} and len(found) == 3
    assert "GET /v2/orders" in section(done.artifact, REGISTER)


@pytest.mark.req("W2S-009")
def test_what_the_owner_publishes_in_dispute_says_so_where_it_stands() -> None:
    edits: tuple[Edit, ...] = (
        Replace(HANDLERS, "Query(ge=1, le=100)", "Query(ge=1, le=50)"),
        Replace(CONTRACT, "scheme: bearer}", "scheme: basic}"),
    )
    said = [
        Append("decisions.yaml", "/decisions", {**WORD, "subject": row["id"], "of": row["digest"]})
        for row in varied(edits).registers["discrepancies"].to_dict("records")
    ]
    done = varied((*edits, *said, APPROVED))
    note = "Published as the contract says, though sources disagree"
    assert note in section(done.artifact, "Authentication")
    behaviour = section(done.artifact, "Behavior, limits, and side effects")
    assert f"{note}: `X-" in behaviour and "rate of calls" in behaviour
    first = section(done.artifact, "Operation").split("### ")[2]
    assert first.count("query limit`), by the owner's disposition") == 2  # of the operation, and at its parameters
    decided = [one for label, one in statements(section(done.artifact, "Approval state")) if "disposition of" in one]
    assert decided and all(label == "Observation" for label, one in statements(done.artifact) if one in decided)
