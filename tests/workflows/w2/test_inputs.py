"""Step 1 and what a recording beside complete contract tests is: no required input and no executed check."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from evreview.workflows.engine.retained_runs import later_runs, read_runs
from evreview.workflows.w2.scope import missing_inputs, unread_parts
from tests.golden.editing import Append, Delete, Edit, Replace
from tests.golden.w2_runs import finished, varied
from tests.golden.w2_variants import CONTRACT, HANDLERS, OBSERVED, OBSERVED_RUN, OUTPUT, RUN, SCOPE
from tests.workflows.w2.test_step8_obtain_approvals import bundle

BARE = "kind: test-run\noutput: E12\nformat: har\nfrom_traffic: true\n"


def recording(content: str = BARE) -> tuple[Edit, ...]:
    run: dict[str, Any] = OBSERVED_RUN | {"content": content}
    return (Append("review.yaml", "/evidence", OBSERVED), Append("review.yaml", "/evidence", run))


def missing(place: Path, *edits: Edit) -> list[str]:
    opened = bundle(place, *edits)
    return [str(each) for each in missing_inputs(opened, read_runs(opened)[0])]


@pytest.mark.req("W2I-011")
def test_a_recording_beside_a_complete_run_blocks_nothing(tmp_path: Path) -> None:
    assert missing(tmp_path, *recording()) == []


def test_a_recording_beside_an_incomplete_run_does_not_replace_it(tmp_path: Path) -> None:
    found = missing(tmp_path, *recording(), Delete(RUN, "/command"))
    assert any("exact command" in each and "E8" in each for each in found)
    assert any("relevant assertions" in each and "E13" in each for each in found)


def test_a_recording_whose_assertions_are_declared_is_held_to_all(tmp_path: Path) -> None:
    asserts = "asserts: [{test: entry-0, operation: getOrder}]\n"
    assert any("E13" in each for each in missing(tmp_path, *recording(BARE + asserts)))


def test_a_recorded_exchange_is_no_executed_check() -> None:
    content = str(OBSERVED["content"]).replace('"status": 429', '"status": 401')
    elsewhere = content.replace("/v1/orders/ord_00000001", "/v1/other")
    run = str(OBSERVED_RUN["content"]).split("asserts:")[0]
    items = (OBSERVED | {"content": elsewhere}, OBSERVED_RUN | {"content": run})
    done = varied(tuple(Append("review.yaml", "/evidence", item) for item in items))
    rows = done.registers["execution"]
    assert list(rows[rows["check"] == "entry-0"]["status"]) == ["recorded"]
    before = finished("demo")
    assert (done.exit_status, done.steps[-1].number) == (before.exit_status, before.steps[-1].number)
    told = [line for line in done.artifact.splitlines() if "retained checks executed" in line]
    assert told and told == [line for line in before.artifact.splitlines() if "retained checks executed" in line]
    assert "verify nothing" in done.artifact and "entry-0" in done.artifact


def test_a_source_that_does_not_parse_is_named_with_its_line() -> None:
    done = varied((Replace(HANDLERS, "router = APIRouter(", "router = = APIRouter("),))
    assert done.steps[-1].number == 2
    lines = done.bundle.items["E2"].content.splitlines()
    at = next(number for number, line in enumerate(lines, 1) if "= =" in line)
    assert any(f"E2:L{at}" in str(reason) for reason in done.steps[-1].reasons)


CUT = Replace(OUTPUT, "</testsuite>\n</testsuites>", '<testcase name="bad & name"/></testsuite></testsuites>')
MORE = Replace(OUTPUT, 'failures="0"', 'failures="7"')


@pytest.mark.req("W2I-011")
@pytest.mark.parametrize("edit", [CUT, MORE], ids=["broken", "contradicts-itself"])
def test_an_output_in_which_results_are_lost_is_no_contract_test_evidence(edit: Edit) -> None:
    done = varied((edit,))
    assert (done.exit_status, done.steps[-1].number) == (3, 1)
    assert any("E7:L" in str(reason) for reason in done.steps[-1].reasons)


def test_a_part_that_loses_no_result_is_named_and_blocks_nothing(tmp_path: Path) -> None:
    told = '<properties><property name="status" value="soon"/></properties></testcase>'
    named = Replace(OUTPUT, '"test_get_order_needs_a_token" time="0.005" />', f'"test_get_order_needs_a_token">{told}')
    opened = bundle(tmp_path, named)
    runs, _ = read_runs(opened)
    assert [str(each.citations[0]) for each in unread_parts(runs)] == ["E7:L15"]
    assert list(missing_inputs(opened, runs)) == []


@pytest.mark.parametrize(
    ("written", "later"),
    [
        ("2026-11-24T00:30:00+02:00", False),
        ("2026-11-24T00:30:00+00:00", True),
        ("2026-11-24T00:30:00", True),
        ("2026-11-23T23:59:59Z", False),
        ("0001-01-01T00:00:00+14:00", False),
        ("yesterday", False),
        ("", False),
    ],
)
def test_a_run_dated_after_the_review_is_noticed(tmp_path: Path, written: str, later: bool) -> None:
    dated = Replace(OUTPUT, 'timestamp="2026-11-22T15:10:19.446848+00:00"', f'timestamp="{written}"')
    opened = bundle(tmp_path, dated)
    runs, _ = read_runs(opened)
    assert [str(citation) for each in later_runs(opened) for citation in each.citations] == (
        ["E8", "E7"] if later else []
    )
    assert (len(runs), bool(list(missing_inputs(opened, runs)))) == ((0, True) if later else (1, False))


def test_a_recording_has_the_date_of_its_first_entry(tmp_path: Path) -> None:
    content = str(OBSERVED["content"]).replace('{"request":', '{"startedDateTime": "2026-12-01T09:00:00Z", "request":')
    items = (OBSERVED | {"content": content}, OBSERVED_RUN)
    opened = bundle(tmp_path, *(Append("review.yaml", "/evidence", item) for item in items))
    assert [str(each.citations[0]) for each in later_runs(opened)] == ["E13"]
    runs, _ = read_runs(opened)
    assert [str(run.record.citation) for run in runs] == ["E8"]
    assert list(missing_inputs(opened, runs)) == []


def test_what_the_scope_leaves_open_is_named() -> None:
    done = varied((Delete(SCOPE, "/exclusions/0"),))
    told = [line for line in done.artifact.splitlines() if "neither includes nor excludes" in line]
    assert len(told) == 1 and "DELETE /v1/orders/{orderId}" in told[0]
    assert not any("neither includes nor excludes" in line for line in finished("demo").artifact.splitlines())


def test_an_identifier_of_several_operations_is_called_ambiguous() -> None:
    done = varied((Replace(CONTRACT, "operationId: createOrder", "operationId: getOrder"),))
    (told,) = [str(each) for each in done.steps[0].reasons if "ambiguous" in str(each)]
    assert "POST /v1/orders" in told and "GET /v1/orders/{orderId}" in told


@pytest.mark.parametrize("path", ["../../etc/passwd", "/srv/handlers.py"])
def test_a_source_path_that_leaves_the_repository_is_refused(path: str) -> None:
    done = varied((Replace("records/sources.yaml", "orders_service/handlers.py", path),))
    assert done.steps[-1].number == 1 and any("E5#/sources/0/path" in str(each) for each in done.steps[-1].reasons)
