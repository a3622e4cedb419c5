"""Outputs of real tools: which cases they hold, how those ended, where they stand and what they tell."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from evreview.core.vocabulary import Concern, EvidenceId
from evreview.evidence.citation import resolve
from evreview.evidence.item import Citation
from evreview.evidence.test_results.model import Results
from evreview.evidence.test_results.read import read_results
from tests.rows import bundle, item

DATA = Path(__file__).parent / "data"
READ, NEW = "GET /v1/orders/{id}", "POST /v1/orders"

CASES: dict[str, tuple[str, list[tuple[str, str, str]]]] = {
    "pytest.junit.xml": (
        "junit",
        [
            (f"test_o::test_get[{READ}]", "passed", ":L1"),
            ("test_o::test_fail", "failed", ":L1-L12"),
            ("test_o::test_skip", "skipped", ":L12"),
            ("test_o::test_xf", "skipped", ":L12"),
            ("test_o::test_xp", "passed", ":L12"),
            ("test_o::test_err", "error", ":L12-L17"),
            ("test_o::test_end", "error", ":L17-L23"),
            ("test_o.TestK::test_in", "passed", ":L23"),
        ],
    ),
    "pytest.json": (
        "pytest-json",
        [
            (f"test_o.py::test_get[{READ}]", "passed", "#/tests/0"),
            ("test_o.py::test_fail", "failed", "#/tests/1"),
            ("test_o.py::test_skip", "skipped", "#/tests/2"),
            ("test_o.py::test_xf", "skipped", "#/tests/3"),
            ("test_o.py::test_xp", "passed", "#/tests/4"),
            ("test_o.py::test_err", "error", "#/tests/5"),
            ("test_o.py::test_end", "error", "#/tests/6"),
            ("test_o.py::TestK::test_in", "passed", "#/tests/7"),
        ],
    ),
    "pytest-verbose.txt": (
        "plain",
        [
            (f"test_o.py::test_get[{READ}]", "passed", ":L7"),
            ("test_o.py::test_fail", "failed", ":L8"),
            ("test_o.py::test_skip", "skipped", ":L9"),
            ("test_o.py::test_xf", "skipped", ":L10"),
            ("test_o.py::test_xp", "passed", ":L11"),
            ("test_o.py::test_err", "error", ":L12"),
            ("test_o.py::test_end", "error", ":L14"),
            ("test_o.py::TestK::test_in", "passed", ":L15"),
        ],
    ),
    "schemathesis.junit.xml": ("junit", [(NEW, "passed", ":L4"), (READ, "failed", ":L5-L51")]),
    "schemathesis.ndjson": ("schemathesis-ndjson", [("E0gE4s", "passed", ":L18"), ("XPidRg", "failed", ":L20")]),
    "schemathesis.vcr.yaml": (
        "vcr",
        [("E0gE4s", "passed", "#/http_interactions/0"), ("XPidRg", "failed", "#/http_interactions/1")],
    ),
    "schemathesis.har.json": (
        "har",
        [("entry-0", "recorded", "#/log/entries/0"), ("entry-1", "recorded", "#/log/entries/1")],
    ),
    "newman.json": (
        "newman",
        [
            ("read an order", "failed", "#/run/executions/0"),
            ("no order", "error", "#/run/executions/1"),
            ("nobody", "error", "#/run/executions/2"),
        ],
    ),
}


def sample(name: str) -> Results:
    return read_results((DATA / name).read_bytes())


@pytest.mark.parametrize("name", CASES)
def test_cases_of_real_outputs(name: str) -> None:
    found = sample(name)
    assert (found.format, [(case.id, case.outcome, case.locator) for case in found.cases]) == CASES[name]
    assert found.unread == ()


@pytest.mark.parametrize("name", CASES)
def test_every_locator_resolves_and_shows_its_case(name: str) -> None:
    cited = bundle(item("E9", "test record", (DATA / name).read_text(encoding="utf-8")))
    for case in sample(name).cases:
        shown = resolve(cited, Citation(EvidenceId("E9"), case.locator))
        telling = case.exchanges[0].path if case.id.startswith("entry-") else case.id.rpartition("::")[2]
        assert shown is not None and telling in shown


@pytest.mark.parametrize("name", CASES)
def test_nothing_of_a_credential_is_taken_over(name: str) -> None:
    found = repr(sample(name))
    assert "SYNTHETIC-TOKEN" not in found and "Bearer" not in found and "127.0.0.1:8766/v1" not in found


@pytest.mark.parametrize("name", ["schemathesis.ndjson", "schemathesis.vcr.yaml"])
def test_schemathesis_tells_command_tool_and_seed(name: str) -> None:
    found = sample(name)
    assert found.command.startswith("st run http") and found.seed == "7" and found.tool.endswith(" 4.32.5")


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("schemathesis.ndjson", READ),
        ("schemathesis.vcr.yaml", "GET /v1/orders/0"),
        ("newman.json", "GET /v1/orders/zzz"),
    ],
)
def test_an_exchange_and_what_is_asserted_about_it(name: str, path: str) -> None:
    case = sample(name).cases[1]
    (seen,) = case.exchanges
    assert (seen.status, seen.media_type, seen.body, seen.body_recorded) == (
        404, "application/json", {"error": "gone"}, True,
    )  # fmt: skip
    assert {one.operation for one in case.assertions} == {path}
    assert "error" not in repr(seen).replace("error'", "") and "gone" not in repr(seen)


def test_a_vacuous_pass_of_schemathesis_says_nothing() -> None:
    good, bad = sample("schemathesis.ndjson").cases
    assert [(one.what, one.outcome, one.concern) for one in bad.assertions] == [
        ("not_a_server_error", "passed", None),
        ("status_code_conformance", "passed", None),
        ("content_type_conformance", "passed", None),
        ("response_schema_conformance", "failed", None),
        ("positive_data_acceptance", "passed", Concern.VALIDATION),
    ]
    assert {one.status for one in bad.assertions} == {404} and {one.status for one in good.assertions} == {201}
    assert bad.message == 'response_schema_conformance: "id" is a required property'


def test_newman_assertions_with_the_status_that_their_script_states() -> None:
    read, gone, nobody = sample("newman.json").cases
    assert [(one.operation, one.outcome, one.what, one.status) for one in read.assertions] == [
        (READ, "passed", "answers 200", 200),
        (READ, "passed", "names it", None),
        (READ, "failed", "wrong", None),
        (READ, "skipped", "later", None),
    ]
    assert read.exchanges[0].query == ("x",) and "authorization" in read.exchanges[0].request_headers
    assert "undefinedFunction" in gone.message and "ECONNREFUSED" in nobody.message
    assert nobody.exchanges[0].status is None


@pytest.mark.parametrize("name", ["pytest.junit.xml", "pytest.json"])
def test_properties_tell_operation_and_status(name: str) -> None:
    first, *others = sample(name).cases
    assert [(one.operation, one.status, one.outcome) for one in first.assertions] == [(READ, 404, "passed")]
    assert not any(case.assertions for case in others)
    assert "(removed)" in others[0].message and "Bearer" not in others[0].message


def test_this_pytest_writes_what_is_read(tmp_path: Path) -> None:
    (tmp_path / "test_a.py").write_text("def test_good(): pass\ndef test_bad(): assert 0\n", encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--junitxml=out.xml", "test_a.py"]
    bare = os.environ | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    subprocess.run(command, cwd=tmp_path, capture_output=True, check=False, env=bare)
    found = read_results((tmp_path / "out.xml").read_bytes())
    assert [(case.id, case.outcome) for case in found.cases] == [
        ("test_a::test_good", "passed"),
        ("test_a::test_bad", "failed"),
    ]
