"""JUnit XML as the retained output of a run of contract tests, with the record of the run behind it."""

from __future__ import annotations

from collections.abc import Sequence

from evreview.core.errors import BadInput, Problem, bad_input
from evreview.core.quoted_text import counted
from evreview.core.vocabulary import EvidenceId, EvidenceType, Json
from evreview.evidence.files import text_of
from evreview.evidence.imports.junit import read_report
from evreview.evidence.imports.model import KEPT, Imported, KeptFile, Supplied, some
from evreview.evidence.records.test_runs import TestRun
from evreview.evidence.test_results.model import Results


def read(supplied: Supplied) -> Imported:
    """The run as command line and review state it, and the report as it is.

    Raises:
        BadInput: the file is no JUnit report, it has no test case, the review names no revision, or the run is none
            that a reference takes.
    """
    results, options = read_report(supplied), supplied.options
    cases = results.cases
    if not supplied.reviewed.revision:
        advice = "State implementation_revision in review.yaml"
        raise bad_input("revision-missing", "the review names no revision", file=supplied.name, advice=advice)
    asserts: list[Json] = [
        {"test": case.id, "operation": operation, "status": status}
        for case in cases
        for operation, status in supplied.reviewed.asserted(case.id)
    ]
    record: dict[str, Json] = {
        "kind": "test-run",
        "output": KEPT,
        "format": "junit",
        "command": options.command,
        "revision": supplied.reviewed.revision,
        "contract": supplied.reviewed.against or None,
        "environment": options.fixture,
        "isolated": options.isolated,
        "exit_status": options.exit_status,
        "output_sha256": supplied.digest,
        "asserts": asserts,
    }
    if supplied.reviewed.against:
        _require_evidence(supplied, results, asserts)
    told = [
        f"run         {counted(len(cases), 'test case')}, {counted(len(asserts), 'assertion')} read in their source"
    ]
    bare = [case.id for case in cases if not case.assertions and not supplied.reviewed.asserted(case.id)]
    if bare and supplied.reviewed.against:
        told.append(f"no request with a status is read of {some(bare)}")
    return Imported(
        name="imports/run",
        type=EvidenceType.TEST_RECORD,
        record={name: value for name, value in record.items() if value is not None},
        places=[(f"the source of {each['test']}",) for each in asserts if isinstance(each, dict)],
        establishes="Command, revision and environment of the run, as the importer stated them. Not production "
        "behaviour.",
        kept=KeptFile(
            ending=".xml",
            text=text_of(supplied.data, supplied.name),
            type=EvidenceType.TEST_RECORD,
            establishes="How each test of the run ended, as the tool wrote it. Not production behaviour.",
        ),
        told=tuple(told),
    )


def _require_evidence(supplied: Supplied, results: Results, asserts: Sequence[Json]) -> None:
    """Nothing when the first step of a reference takes the run.

    Raises:
        BadInput: with everything for which it would stop.
    """
    run = TestRun(output=EvidenceId("E1"), command=supplied.options.command, isolated=supplied.options.isolated)
    as_of, asserted = supplied.reviewed.as_of, bool(asserts) or any(case.assertions for case in results.cases)
    faults = {
        "run-reaches-out": (
            f"the command names {run.reaches}, which is beyond this machine" if run.reaches else "",
            "Run the tests where they reach nothing outside, and import that report",
        ),
        "run-later": (
            f"the report is of {results.day}, after the review's date {as_of}" if as_of and results.day > as_of else "",
            "Set as_of in review.yaml to that day or a later one",
        ),
        "run-skipped": (
            "every test was skipped" if all(case.outcome == "skipped" for case in results.cases) else "",
            "Import a report of tests that were executed",
        ),
        "run-asserts-nothing": (
            "" if asserted else f"no request with a status is read of {some(case.id for case in results.cases)}",
            "Supply the source of these tests (--tests of `evreview new`), or write the record: "
            "`evreview schema test-run`",
        ),
    }
    problems = [
        Problem(code=code, found=found, file=supplied.name, advice=advice)
        for code, (found, advice) in faults.items()
        if found
    ]
    if problems:
        raise BadInput(problems)
