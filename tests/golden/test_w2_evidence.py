"""What the bundled reference says when its evidence is another one: each fact follows it, each doubt is told."""

from __future__ import annotations

import hashlib

import pytest

from evreview.app.workbench import outputs
from evreview.core.quoted_text import plain
from evreview.report.validate import validate_artifact
from tests.golden.editing import Append, Delete, Edit, Replace, Set
from tests.golden.runs import section, statements, tables
from tests.golden.w2_runs import APPROVED, finished, published, varied
from tests.golden.w2_variants import CONTRACT, HANDLERS, OBSERVED, OBSERVED_RUN, OUTPUT, REVISION, RUN, SCOPE

REGISTER = "Contract discrepancy register"


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
    assert done.redactor.leaks(done.artifact) == ()


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
    found = {problem.code for problem in validate_artifact(changed, bundle=done.bundle)}
    assert found == {"executed-result-differs", "count-differs"}


RESPONSE_NOTE = "| `note` | string or null | no | at most `200` characters | E1:L127 |"
ORDER_NOTE = "        note: {type: string, nullable: true, maxLength: 200}\n        createdAt"
FACTS: dict[str, tuple[str, tuple[Edit, ...]]] = {
    "a field of a response": (RESPONSE_NOTE, (Replace(CONTRACT, ORDER_NOTE, "        createdAt"),)),
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
    (trace,) = [row for row in tables(section(done.artifact, "Traceability"))[0] if f"{get}: success" in str(row)]
    assert "partly withheld" in str(trace)
    (entry,) = [part for part in done.artifact.split("\n### ") if part.startswith(f"{get}\n")]
    assert "Status `200`. Unverified: no retained contract test covers this response (W2-F4)." in entry


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
    assert lead in section(done.artifact, "Operation")
    assert name not in section(done.artifact, "Behavior, limits, and side effects")
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
    first = section(done.artifact, "Operation").split("\n### ")[2]
    assert f"{note}: `X-" in first and "rate of calls" in first
    assert first.count("query limit`), by the owner's disposition") == 1
    decided = [one for label, one in statements(section(done.artifact, "Approval state")) if "disposition of" in one]
    assert decided and all(label == "Observation" for label, one in statements(done.artifact) if one in decided)
