"""Broken, cut and hostile outputs: a value with a place, or one clear problem; never another exception."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evreview.core.errors import BadInput
from evreview.evidence.test_results.model import Format, Results
from evreview.evidence.test_results.read import read_results

DATA = Path(__file__).parent / "data"
BOMB = """<?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">
<!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;">]><testsuite><testcase name="&c;"/></testsuite>"""
OUTSIDE = '<!DOCTYPE x SYSTEM "file:///etc/passwd"><testsuite><testcase name="a"/></testsuite>'
DEEP = "[" * 200_000

REFUSED = [
    pytest.param(BOMB, None, "results-entities", id="billion-laughs"),
    pytest.param(OUTSIDE, None, "results-entities", id="external-dtd"),
    pytest.param("<a>" * 200 + "</a>" * 200, None, "text-too-deep", id="deep-xml"),
    pytest.param("<html><body/></html>", None, "results-format-unknown", id="html"),
    pytest.param("<testsuite><testcase", None, "results-xml", id="xml-cut-before-a-case"),
    pytest.param("", None, "text-empty", id="empty"),
    pytest.param("\ufeff \n", None, "text-empty", id="blank"),
    pytest.param('{"log": {"entries": ' + DEEP, None, "text-too-deep", id="deep-json"),
    pytest.param('{"tests": [1e999], "summary": {}}', None, "json-syntax", id="endless-number"),
    pytest.param('{"tests": [' + "9" * 5000 + '], "summary": {}}', None, "json-syntax", id="huge-number"),
    pytest.param('{"run": {"executions": [', None, "json-syntax", id="json-cut"),
    pytest.param('{"a": 1}', None, "results-format-unknown", id="other-json"),
    pytest.param("[1, 2]", None, "results-format-unknown", id="a-list"),
    pytest.param('{"log": {"entries": []}}', "newman", "results-format-mismatch", id="another-format"),
    pytest.param('{"a": 1}\n{"b": 2}', "junit", "results-xml", id="json-as-junit"),
    pytest.param("prose", "schemathesis-ndjson", "results-ndjson", id="prose-as-ndjson"),
    pytest.param("interactions:\n- a: [", None, "yaml-syntax", id="yaml-cut"),
    pytest.param("interactions: &a\n- *a\n", None, "yaml-alias-empty", id="yaml-cycle"),
]


@pytest.mark.parametrize(("text", "kind", "code"), REFUSED)
def test_what_is_refused(text: str, kind: Format | None, code: str) -> None:
    with pytest.raises(BadInput) as caught:
        read_results(text.encode(), kind, "out.txt")
    assert [(problem.code, problem.file) for problem in caught.value.problems] == [(code, "out.txt")]


@pytest.mark.parametrize(
    ("data", "code"),
    [
        ("<testsuite/>".encode("utf-16"), "text-encoding"),
        (b'<?xml version="1.0" encoding="latin-1"?><testsuite name="\xe9"/>', "text-encoding"),
        (b"ok 1 - a\x00b", "text-binary"),
        (b"\x89PNG\r\n", "text-encoding"),
    ],
)
def test_other_encodings(data: bytes, code: str) -> None:
    with pytest.raises(BadInput) as caught:
        read_results(data)
    assert [problem.code for problem in caught.value.problems] == [code]


def read(value: Any) -> Results:
    return read_results((value if isinstance(value, str) else json.dumps(value)).encode())


def har(*entries: Any) -> Results:
    return read({"log": {"entries": list(entries)}})


ANSWER = {"request": {"method": "get", "url": "https://h.example/a?b=1&b=2&c="}, "response": {"status": 200}}

SKIPS = '<testcase name="a"><skipped/></testcase><testcase name="b"><skipped/></testcase>'
PARTS = [
    pytest.param('<testsuite tests="3"><testcase name="a"/><testcase name="b"/></testsuite>', 2, [":L1"], id="fewer"),
    pytest.param(
        '<testsuite failures="2"><testcase name="a"><failure/></testcase></testsuite>', 1, [":L1"], id="fewer-failures"
    ),
    *(
        pytest.param(f'<testsuite skipped="{stated}">{cases}</testsuite>', 2, [":L1"] if cut else [], id=name)
        for name, stated, cases, cut in (
            ("skips-denied", 0, SKIPS, True),
            ("skips-fewer", 1, SKIPS, True),
            ("skips-more", 2, '<testcase name="a"/><testcase name="b"><skipped/></testcase>', True),
            ("skips-none-there", 1, '<testcase name="a"/><testcase name="b"/>', True),
            ("skips-told", 1, '<testcase name="a"/><testcase name="b"><skipped/></testcase>', False),
            ("skips-not-told", "", '<testcase name="a"/><testcase name="b"><skipped/></testcase>', False),
            ("skips-not-run", 0, '<testcase name="a"/><testcase name="b" status="notrun"/>', False),
            ("skips-not-run-counted", 1, '<testcase name="a"/><testcase name="b" status="notrun"/>', False),
        )
    ),
    pytest.param('<testsuite errors="1" tests="1"><testcase name="a"><error/></testcase></testsuite>', 1, [], id="all"),
    pytest.param('<testsuite>\n<testcase name="a"/>\n<testcase name="b">\n', 1, [":L4"], id="xml-cut"),
    pytest.param('<testsuite><testcase classname=""/>\n<testcase name="b"/></testsuite>', 1, [":L1"], id="no-name"),
    pytest.param({"tests": [{"nodeid": "a", "outcome": "passed"}, 3], "exitcode": 0}, 1, ["#/tests/1"], id="no-test"),
    pytest.param(
        {"tests": [{"nodeid": "a", "outcome": "passed"}], "summary": {"total": 2}}, 1, ["#/summary"], id="fewer-json"
    ),
    pytest.param(
        {"tests": [], "summary": {}, "collectors": [{"outcome": "failed"}]}, 0, ["#/collectors/0"], id="not-collected"
    ),
    pytest.param({"run": {"executions": [{}], "error": {}}}, 0, ["#/run/executions/0"], id="newman"),
    pytest.param({"run": {"executions": [], "error": {"message": "x"}}}, 0, ["#/run/error"], id="newman-error"),
    pytest.param({"log": {"entries": [ANSWER, {}, 7]}}, 1, ["#/log/entries/1", "#/log/entries/2"], id="har-entries"),
    pytest.param("interactions:\n- request: {method: GET, uri: 'http://[x'}\n", 0, ["#/interactions/0"], id="bad-url"),
    pytest.param("Everything went fine.\nBelieve me.\n", 0, [":L1-L3"], id="prose"),
    pytest.param("1..3\nok 1 - a\nnot ok 2 - b\n", 2, [":L1"], id="tap-plan"),
    pytest.param("ok 1 - a\n" + "x" * 3000 + "\nok 2 - b\n", 2, [":L2"], id="long-line"),
]  # fmt: skip


@pytest.mark.parametrize(("value", "cases", "unread"), PARTS)
def test_what_is_named_as_unread(value: Any, cases: int, unread: list[str]) -> None:
    found = read(value)
    assert (len(found.cases), [one.locator for one in found.unread]) == (cases, unread)


LOST = {"skips-denied", "skips-fewer", "skips-more", "skips-none-there",
        "fewer", "fewer-failures", "xml-cut", "no-name", "no-test", "fewer-json", "not-collected", "newman",
        "newman-error", "prose", "tap-plan"}  # fmt: skip


@pytest.mark.parametrize(("name", "value"), [(str(case.id), case.values[0]) for case in PARTS])
def test_where_a_result_may_be_lost_it_is_said(name: str, value: Any) -> None:
    assert any(one.lost for one in read(value).unread) == (name in LOST)


@pytest.mark.parametrize("keep", [1, 5, 12, 18, 22])
def test_a_cut_event_stream_keeps_what_stands_before(keep: int) -> None:
    lines = (DATA / "schemathesis.ndjson").read_text(encoding="utf-8").splitlines()
    found = read("\n".join([*lines[:keep], lines[keep][: len(lines[keep]) // 2]]))
    assert len(found.cases) == (keep >= 18) + (keep >= 20)
    assert [one.locator for one in found.unread] == [f":L{keep + 1}"] * 2


def test_a_body_that_is_no_json_is_named_and_not_kept() -> None:
    content = {"mimeType": "application/json", "text": "{"}
    found = har({**ANSWER, "response": {"status": 200, "content": content}})
    assert [one.locator for one in found.unread] == ["#/log/entries/0"]
    assert not found.cases[0].exchanges[0].body_recorded


@pytest.mark.parametrize(
    ("content", "kept"),
    [
        ({"mimeType": "application/json", "text": "[" * 200 + "]" * 200}, True),
        ({"mimeType": "application/json", "text": "[" * 300 + "]" * 300}, False),
        ({"mimeType": "application/problem+json; charset=utf-8", "text": "{}"}, True),
        ({"mimeType": "application/json", "text": "e30=", "encoding": "base64"}, True),
        ({"mimeType": "application/json", "text": "e30", "encoding": "gzip"}, False),
        ({"mimeType": "text/html", "text": "{}"}, False),
        ({"mimeType": "application/json"}, False),
    ],
)
def test_which_bodies_are_kept(content: dict[str, str], kept: bool) -> None:
    (case,) = har({**ANSWER, "response": {"status": 200, "content": content}}).cases
    assert case.exchanges[0].body_recorded is kept


@pytest.mark.parametrize("status", [0, 99, 600, "200x", -1, 10**30, None, True, "２００", 404.0])
def test_a_status_that_is_none(status: Any) -> None:
    assert har({**ANSWER, "response": {"status": status}}).cases[0].exchanges[0].status is None


def test_names_only_of_query_and_headers() -> None:
    entry = json.loads(json.dumps(ANSWER))
    entry["request"]["headers"] = [{"name": "Authorization", "value": "Bearer hidden"}]
    entry["response"]["headers"] = [{"name": "Set-Cookie", "value": "hidden"}, {"name": "X-A", "value": "hidden"}]
    (seen,) = har(entry).cases[0].exchanges
    assert (seen.method, seen.path, seen.query) == ("GET", "/a", ("b", "c"))
    assert (seen.request_headers, seen.response_headers) == (("authorization",), ("set-cookie", "x-a"))
    assert "hidden" not in repr(seen)


@pytest.mark.parametrize("name", sorted(path.name for path in DATA.iterdir() if path.suffix != ".md"))
@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_any_damage_is_a_value_or_a_problem(name: str, data: st.DataObject) -> None:
    raw = bytearray((DATA / name).read_bytes())
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(raw) - 1))
        end = at + data.draw(st.integers(0, 40))
        raw[at:end] = data.draw(
            st.sampled_from([b"", b"{", b"]", b"<", b"&x;", b"\xe2\x80\xa8", b"\n", b'"', b"9" * 40])
        )
    try:
        read_results(bytes(raw))
    except BadInput as problem:
        assert problem.problems


@pytest.mark.parametrize(
    ("ends", "summary", "lost"),
    [
        (("PASSED", "PASSED"), "1 failed, 1 passed in 0.10s", True),
        (("PASSED", "PASSED"), "2 passed, 1 error in 0.10s", True),
        (("PASSED", "FAILED"), "2 failed in 0.10s", True),
        (("PASSED", "SKIPPED"), "1 failed, 1 skipped in 0.10s", True),
        (("PASSED", "ERROR"), "1 passed, 2 errors in 0.10s", True),
        (("PASSED", "FAILED"), "1 failed, 1 passed in 0.10s", False),
        (("PASSED", "ERROR"), "1 passed, 1 error in 0.10s", False),
        (("PASSED", "SKIPPED"), "1 passed, 1 skipped in 0.10s", False),
        (("PASSED", "PASSED"), "2 passed, 3 warnings in 0.10s", False),
    ],
)
def test_a_closing_line_with_more_failures_than_stand_there(ends: tuple[str, ...], summary: str, lost: bool) -> None:
    lines = [f"tests/test_orders.py::test_{at} {end}" for at, end in enumerate(ends)]
    found = read_results("\n".join([*lines, f"=== {summary} ==="]).encode(), "plain")
    assert [part.lost for part in found.unread] == ([True] if lost else [])
