"""What a name, a property, a script or a line tells: one table per kind of rule, and each rule's own examples."""

from __future__ import annotations

from typing import Any

import pytest

from evreview.core.vocabulary import Concern
from evreview.evidence.test_results.model import PROPERTIES, operation_in, told
from evreview.evidence.test_results.newman import STATUS_RULES, asserted_statuses
from evreview.evidence.test_results.read import LINES, LineRule, read_results
from evreview.evidence.test_results.schemathesis import CHECKS, check_assertions

READ = "GET /v1/orders/{id}"


@pytest.mark.parametrize(
    ("name", "found"),
    [
        (f"test_read[{READ}]", (READ, None)),
        (f"test_read[{READ} 404]", (READ, 404)),
        (f"test_read[{READ} -> 404]", (READ, 404)),
        (f"{READ} 4040", (READ, None)),
        ("widGET /v1/orders", None),
        ("get /v1/orders", None),
        ("test_get_orders_404", None),
        ("POST /v1/orders then GET /v1/orders/{id}", None),
        (f"{READ} 200 and {READ} 404", (READ, None)),
        ("", None),
    ],
)
def test_the_operation_in_a_name(name: str, found: Any) -> None:
    assert operation_in(name) == found


def property_told(*properties: tuple[str, Any], name: str = "test_a") -> Any:
    assertions, unread = told(name, properties, "passed", ":L1")
    return [
        (one.operation, one.status, one.media_type, one.field, one.concern, one.expects) for one in assertions
    ], len(unread)


def test_properties_in_groups() -> None:
    found, unread = property_told(
        ("operation", READ), ("status", "404"), ("media_type", "Application/JSON"), ("expects", '{"code": "gone"}'),
        ("operation", "POST /v1/orders"), ("field", "items[].sku"), ("concern", "validation"), ("owner", "team"),
    )  # fmt: skip
    assert found == [
        (READ, 404, "application/json", "", None, {"code": "gone"}),
        ("POST /v1/orders", None, "", "items[].sku", Concern.VALIDATION, None),
    ]
    assert unread == 0


def test_a_property_goes_before_the_name() -> None:
    assert property_told(("operation", READ), name="test[GET /other]")[0][0][0] == READ
    assert property_told(("status", 404), name=f"test[{READ}]")[0][0][:2] == (READ, 404)


@pytest.mark.parametrize("rule", PROPERTIES, ids=lambda rule: rule.id)
def test_each_property_has_its_example(rule: Any) -> None:
    start = [] if rule.id == "operation" else [("operation", READ)]
    assert property_told(*start, (rule.id, rule.example))[1] == 0
    if rule.id != "expects":
        assert property_told(*start, (rule.id, rule.counter))[1] == 1
    if start:
        assert property_told((rule.id, rule.example)) == ([], 1)


@pytest.mark.parametrize("rule", STATUS_RULES, ids=lambda rule: rule.id)
def test_each_way_to_write_a_status(rule: Any) -> None:
    assert asserted_statuses(f"pm.test('a', () => {{ {rule.example}; }});") == {"a": 404}
    assert asserted_statuses(f"pm.test('a', () => {{ {rule.counter}; }});") == {}


@pytest.mark.parametrize(
    ("script", "found"),
    [
        ("pm.test('a', f); pm.test(\"b\", () => pm.response.to.have.status(201));", {"b": 201}),
        ("// pm.test('a', () => pm.response.to.have.status(200));", {}),
        ("/* x */ pm.test(`it's`, () => pm.response.to.have.status(200));", {"it's": 200}),
        ("pm.test('a', () => { pm.response.to.have.status(200); pm.response.to.have.status(201); });", {}),
        ("pm.response.to.have.status(200);", {}),
        ("pm.test('a" * 3000, {}),
        ("/*" * 50_000, {}),
    ],
)
def test_statuses_of_scripts(script: str, found: dict[str, int]) -> None:
    assert asserted_statuses(script) == found


@pytest.mark.parametrize("rule", LINES, ids=lambda rule: rule.id)
def test_each_line_rule_has_its_example(rule: LineRule) -> None:
    assert len(read_results(rule.example.encode()).cases) == 1
    assert read_results(rule.counter.encode()).cases == ()


@pytest.mark.parametrize(
    ("text", "cases"),
    [
        ("a.py::t PASSED [ 5%]\na.py::t ERROR [ 5%]", [("a.py::t", "error")]),
        ("a.py::t[x PASSED y] FAILED", [("a.py::t[x PASSED y]", "failed")]),
        ("ok 1 - a # SKIP not here\nnot ok 2 - b", [("a", "skipped"), ("b", "failed")]),
        ("not ok 2 - b # TODO later", [("b", "skipped")]),
        ("test_a (m.C.test_a) ... unexpected success", [("test_a (m.C.test_a)", "failed")]),
        ("test_a (m.C.test_a) ... skipped 'why'", [("test_a (m.C.test_a)", "skipped")]),
        ("=== RUN   TestA\n--- FAIL: TestA (0.01s)", [("TestA", "failed")]),
        ("    --- PASS: TestA/x (0.00s)", [("TestA/x", "passed")]),
        ("a.py::t PASSED\r\nb.py::t FAILED\r\n", [("a.py::t", "passed"), ("b.py::t", "failed")]),
    ],
)  # fmt: skip
def test_plain_lines(text: str, cases: list[tuple[str, str]]) -> None:
    assert [(case.id, case.outcome) for case in read_results(text.encode()).cases] == cases


@pytest.mark.parametrize("rule", CHECKS, ids=lambda rule: rule.id)
@pytest.mark.parametrize("mode", ["positive", "negative", ""])
def test_when_the_pass_of_a_check_counts(rule: Any, mode: str) -> None:
    kept = check_assertions([{"name": rule.id, "status": "success"}], READ, mode, None)
    assert bool(kept) is (rule.passes == "always" or rule.passes == mode)
    (failed,) = check_assertions([{"name": rule.id, "status": "FAILURE"}], READ, mode, None)
    assert (failed.outcome, failed.concern) == ("failed", rule.concern)


def test_an_unknown_check_counts_only_when_it_fails() -> None:
    assert check_assertions([{"name": "own", "status": "success"}], READ, "positive", None) == ()
    assert check_assertions([{"name": "own", "status": "failure"}], READ, "positive", None)[0].what == "own"


def test_one_name_twice_counts_with_its_worst_outcome() -> None:
    text = f'<testsuite><testcase name="{READ}"/><testcase name="{READ}"><failure/></testcase></testsuite>'
    (case,) = read_results(text.encode()).cases
    assert (case.outcome, [one.outcome for one in case.assertions]) == ("failed", ["failed"])
