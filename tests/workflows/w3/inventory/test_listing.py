"""What an inventory has to list for each control, and how what it lists is checked."""

from __future__ import annotations

from typing import Any

import pytest

from evreview.core.quoted_text import plain
from tests.workflows.w3.bundles import CONFIGURATION, OTHER, RAN, REVISION, SOURCE, item
from tests.workflows.w3.inventory.listed import AT_READ, CONTROL, JUNIT, SERVICE, asked, control, gaps, taken

SHOWN = CONTROL["source"][0]
PASSING = """\
<testsuite name="s" tests="2" failures="0" errors="0" skipped="0">
<testcase classname="tests.test_a" name="test_may"/>
<testcase classname="tests.test_a" name="test_may_not"/>
</testsuite>
"""


@pytest.mark.req("W3S-008")
def test_a_whole_control_lacks_nothing() -> None:
    found = taken(control())
    assert (gaps(found), gaps(found, decides=False)) == ([], [])
    assert found.concludes


@pytest.mark.parametrize(
    ("field", "lacks"),
    [
        pytest.param("source", "source", marks=pytest.mark.req("W3I-019")),
        pytest.param("middleware", "middleware", marks=pytest.mark.req("W3I-020")),
        pytest.param("deployment", "deployment wiring", marks=pytest.mark.req("W3I-021")),
        pytest.param("positive_tests", "positive tests", marks=pytest.mark.req("W3I-022")),
        pytest.param("negative_tests", "negative tests", marks=pytest.mark.req("W3I-023")),
        pytest.param("surrounding", "surrounding files", marks=pytest.mark.req("W3I-024")),
    ],
)
@pytest.mark.req("W3S-008", "W3S-009")
def test_each_missing_list_is_asked_for(field: str, lacks: str) -> None:
    found = taken(control(**{field: None}))
    assert ("check", lacks) in gaps(found)
    assert not found.concludes
    assert asked(found, lacks).citations[0].id == "E2"


@pytest.mark.parametrize(
    ("field", "lacks"),
    [("positive_tests", "positive tests"), ("negative_tests", "negative tests"), ("surrounding", "surrounding files")],
)
def test_an_empty_list_is_an_answer_that_leaves_the_control_unverified(field: str, lacks: str) -> None:
    found = taken(control(**{field: []}))
    assert (gaps(found), gaps(found, decides=False)) == ([], [("check", lacks)])


def test_files_that_could_hold_another_control_are_named() -> None:
    assert "proxy.conf" in plain(asked(taken(control(surrounding=[])), "surrounding files").request)
    quoted = control(surrounding=[], deployment=[{"item": "E5", "lines": "1", "quote": "deny all"}])
    assert "proxy.conf" not in plain(asked(taken(quoted), "surrounding files").request)


@pytest.mark.req("W3I-019")
@pytest.mark.parametrize(
    "wrong",
    [{"quote": "raise HTTPException(403)"}, {"lines": "99"}, {"lines": "1"}, {"item": "E99"}, {"quote": "()"}],
)
@pytest.mark.parametrize("field", ["source", "middleware", "deployment"])
def test_every_quote_is_checked(field: str, wrong: dict[str, Any]) -> None:
    lacks = {"deployment": "deployment wiring"}.get(field, field)
    assert ("check", lacks) in gaps(taken(control(**{field: [SHOWN | wrong]})))


def test_a_quote_that_stands_elsewhere_is_located() -> None:
    found = taken(control(source=[SHOWN | {"lines": "1"}]))
    assert "line 10" in plain(asked(found, "source").request)


@pytest.mark.parametrize(("field", "lacks"), [("source", "source"), ("deployment", "deployment wiring")])
def test_only_fitting_items_show_a_control(field: str, lacks: str) -> None:
    more = [item(9, RAN, "raise HTTPException(401)")]
    excerpt = {"item": "E9", "lines": "1", "quote": "raise HTTPException(401)"}
    assert ("check", lacks) in gaps(taken(control(**{field: [excerpt]}), more=more))


@pytest.mark.req("W3I-019")
def test_code_needs_its_path_in_the_repository() -> None:
    excerpt = {"item": "E9", "lines": "1", "quote": "deny all"}
    stated = control(middleware=[excerpt])
    assert ("check", "middleware") in gaps(taken(stated, more=[item(9, CONFIGURATION, "deny all")]))
    assert gaps(taken(stated, more=[item(9, CONFIGURATION, "deny all", path="deploy/a.conf")])) == []
    assert gaps(taken(control(deployment=[excerpt]), more=[item(9, CONFIGURATION, "deny all")])) == []


@pytest.mark.req("W3I-025")
@pytest.mark.parametrize(
    ("given", "stated"),
    [
        ({"at": OTHER}, {}),
        ({"at": ""}, {}),
        ({}, {"revision": OTHER}),
        ({"run": {"revision": OTHER}}, {}),
        ({"request": {"implementation_revision": OTHER}}, {}),
        ({"request": {"implementation_revision": None}}, {}),
    ],
)
def test_everything_is_of_one_revision(given: dict[str, Any], stated: dict[str, Any]) -> None:
    found = taken(control(), stated=stated, **given)
    assert {lacks for _, lacks in gaps(found)} & {"revision", "positive tests"}
    assert not found.concludes


def test_an_abbreviated_revision_is_the_same() -> None:
    assert gaps(taken(control(), stated={"revision": REVISION[:8]}, run={"revision": REVISION[:9]})) == []


@pytest.mark.parametrize(
    ("surrounding", "decides"),
    [
        pytest.param({"path": "gateway.py"}, False, marks=pytest.mark.req("W3D-002")),
        ({"path": "gateway.py", "item": "E5"}, True),
        ({"path": "gateway.py", "item": "E99"}, True),
        ({"path": "proxy.conf", "item": "E5", "control": {"item": "E5", "lines": "1", "quote": "allow"}}, True),
        ({"path": "proxy.conf", "item": "E5", "control": {"item": "E5", "lines": "1", "quote": "deny all"}}, None),
        ({"path": "proxy.conf", "item": "E5"}, None),
    ],
)
def test_surrounding_files_are_supplied_and_named_right(surrounding: dict[str, Any], decides: bool | None) -> None:
    found = taken(control(surrounding=[surrounding]))
    expected = [] if decides is None else [("check", "surrounding files")]
    assert gaps(found, decides=decides is not False) == expected


@pytest.mark.req("W3D-002")
def test_a_file_that_was_not_supplied_is_asked_for_by_name() -> None:
    found = taken(control(surrounding=[{"path": "gateway.py"}]))
    assert "gateway.py" in plain(asked(found, "surrounding files").request)
    assert "reachability is unknown" in plain(asked(found, "surrounding files").request)


def listing(name: str, *, negative: bool = False, **more: Any) -> dict[str, Any]:
    return control(**{"negative_tests" if negative else "positive_tests": [AT_READ | {"test": name} | more]})


@pytest.mark.parametrize(
    ("stated", "lacks", "decides"),
    [
        (listing("test_gone"), "positive tests", True),
        (listing("test_gone", negative=True), "negative tests", True),
        (listing("test_may", negative=True), "negative tests", True),
        (listing("test_may_not"), "positive tests", True),
        (listing("test_elsewhere"), "positive tests", True),
        (listing("test_silent"), "positive tests", False),
        (listing("test_may", run=None), "positive tests", False),
        (listing("test_may", run="E5"), "positive tests", True),
        (listing("test_may", item="E99"), "positive tests", True),
    ],
)
def test_a_test_that_does_not_fit_is_asked_for(stated: dict[str, Any], lacks: str, decides: bool) -> None:
    assert ("check", lacks) in gaps(taken(stated), decides=decides)


@pytest.mark.parametrize(
    ("test", "shown", "asserts", "outcome"),
    [
        (AT_READ, "syntax tree", (("GET /orders/{id}", 200),), "passed"),
        (AT_READ | {"run": "E8"}, "syntax tree", (("GET /orders/{id}", 200),), "passed"),
        (AT_READ | {"run": None}, "syntax tree", (("GET /orders/{id}", 200),), ""),
        ({"item": "E7", "test": "tests.test_a::test_may_not"}, "retained result", (), "passed"),
        ({"item": "E8", "test": "tests.test_a::test_elsewhere"}, "retained result", (), "failed"),
        ({"item": "E8", "test": "tests.test_a::test_silent"}, "retained result", (), "skipped"),
        ({"item": "E7", "test": "tests.test_a::test_gone"}, "", (), ""),
        ({"item": "E9", "test": "itRefuses"}, "text", (), ""),
        ({"item": "E9", "test": "itRef"}, "", (), ""),
    ],
)
def test_how_a_test_was_found(test: dict[str, Any], shown: str, asserts: Any, outcome: str) -> None:
    more = [item(9, SOURCE, "describe\n  itRefuses()\n")]
    found = taken(control(positive_tests=[test], negative_tests=[]), more=more)
    assert [(row.shown, row.asserts, row.outcome) for row in found.tests] == [(shown, asserts, outcome)]


def test_what_a_run_says_that_a_test_asserts_counts() -> None:
    run = {"asserts": [{"test": "test_silent", "operation": "GET /orders/{id}", "status": 401}]}
    found = taken(control(positive_tests=[], negative_tests=[AT_READ | {"test": "test_silent"}]), run=run)
    assert found.tests[0].asserts == (("GET /orders/{id}", 401),)
    assert ("check", "negative tests") not in gaps(found)


@pytest.mark.parametrize(
    ("run", "junit"),
    [
        ({"revision": None}, JUNIT),
        ({"violations": ["it reached out"]}, JUNIT),
        ({"exit_status": 1}, PASSING),
    ],
)
def test_a_doubtful_run_verifies_nothing(run: dict[str, Any], junit: str) -> None:
    found = taken(control(), run=run, junit=junit)
    assert {row.outcome for row in found.tests} == {""}
    assert {("check", "positive tests"), ("check", "negative tests")} <= set(gaps(found, decides=False))


@pytest.mark.parametrize(("run", "junit"), [({"exit_status": 1}, JUNIT), ({"exit_status": 0}, PASSING)])
def test_an_exit_status_that_fits_leaves_the_results(run: dict[str, Any], junit: str) -> None:
    assert {row.outcome for row in taken(control(), run=run, junit=junit).tests} == {"passed"}


def test_a_python_test_that_is_only_mentioned_is_not_there() -> None:
    named = "# test_named\n" + SERVICE
    found = taken(control(positive_tests=[{"item": "E9", "test": "test_named"}]),
                  more=[item(9, SOURCE, named, file="tests/x.py")])  # fmt: skip
    assert ("check", "positive tests") in gaps(found)
