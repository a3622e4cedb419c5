"""JUnit XML as checks: one for each test case and operation, as the case's properties or its name tell it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from evreview.core.errors import BadInput, bad_input
from evreview.core.quoted_text import counted
from evreview.core.vocabulary import EvidenceType, Json
from evreview.evidence.files import text_of
from evreview.evidence.imports.model import Imported, KeptFile, Supplied, some, wrong_format
from evreview.evidence.test_results.model import Case, Results
from evreview.evidence.test_results.read import read_results

_PREFIX: Final = "evreview."
_TOLD: Final = ("client", "operation", "field", "aspect", "parses", "direction")
"""Fields of a check that a property may tell, with the prefix before its name."""


_ENDS: Final = ("passed", "failed", "error", "skipped")


def read(supplied: Supplied) -> Imported:
    """The checks, and the report as it is.

    Raises:
        BadInput: the file is no JUnit report, or it has no test case.
    """
    cases = read_report(supplied).cases
    found = [(check, case.locator) for case in cases for check in _checks(case, supplied)]
    checks: list[Json] = [check for check, _ in found]
    said = f"the report with sha256:{supplied.digest}"
    kept = KeptFile(
        ending=".xml",
        text=text_of(supplied.data, supplied.name),
        type=EvidenceType.EXECUTION_AND_APPROVAL,
        establishes="A test report as the tool wrote it. The checks beside it say what is read of it.",
    )
    return Imported(
        name="imports/junit",
        type=EvidenceType.TEST_RECORD,
        record={"kind": "test-record", "checks": checks},
        places=[(f"{supplied.name}{place}",) for _, place in found],
        establishes=f"How each test case of {said} ended. Command and revision are as the importer stated them.",
        kept=kept,
        told=tuple(_told(cases, [check for check, _ in found], supplied)),
    )


def read_report(supplied: Supplied) -> Results:
    """A report with all its test cases.

    Raises:
        BadInput: the file is no JUnit report, a result may be lost in it, or it has no test case.
    """
    if not supplied.data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<"):
        raise wrong_format(supplied, "JUnit report", "Name the XML that the test tool wrote")
    results = read_results(supplied.data, "junit", supplied.name)
    lost = [each for each in results.unread if each.lost]
    if lost:
        raise BadInput([
            problem
            for each in lost
            for problem in bad_input(
                "results-incomplete", each.found, file=supplied.name, place=each.locator.lstrip(":"), advice=each.advice
            ).problems
        ])  # fmt: skip
    if not results.cases:
        raise bad_input("import-empty", "the report has no test case", file=supplied.name, advice="Run the tests first")
    return results


def _checks(case: Case, supplied: Supplied) -> Iterator[dict[str, Json]]:
    """A check for each operation that a case tells, one without an operation where it tells none."""
    options = supplied.options
    groups = _groups(case)
    for at, group in enumerate(groups):
        check: dict[str, Json] = {
            "id": case.id if at == 0 else f"{case.id} #{at + 1}",
            "what": case.what or case.id,
            "command": options.command,
            "revision": supplied.reviewed.revision or None,
            "fixture": options.fixture or None,
            "result": case.outcome if case.outcome != "recorded" else None,
            "output": case.message,
            "client": options.client or None,
            "parses": options.side,
            **group,
        }
        yield {name: value for name, value in check.items() if value not in (None, "")}


def _groups(case: Case) -> list[dict[str, Json]]:
    """What the properties tell, each operation beginning anew; what stands before the first holds for all."""
    shared: dict[str, Json] = {}
    groups: list[dict[str, Json]] = []
    for name, value in case.properties:
        key, text = name.removeprefix(_PREFIX), str(value).strip()
        if not name.startswith(_PREFIX) or key not in _TOLD or not text:
            continue
        if key == "operation":
            groups.append({key: text})
        else:
            (groups[-1] if groups else shared)[key] = text
    if not groups:
        groups = [
            {"operation": one.operation, **({"field": one.field} if one.field else {})} for one in case.assertions
        ]
    return [{**shared, **group} for group in groups] or [shared]


def _told(cases: tuple[Case, ...], checks: list[dict[str, Json]], supplied: Supplied) -> Iterator[str]:
    ends = [
        f"{sum(case.outcome == each for case in cases)} {each}" for each in ("passed", "failed", "error", "skipped")
    ]
    yield f"checks      {counted(len(checks), 'check')} of {counted(len(cases), 'test case')}: {', '.join(ends)}"
    bare = [str(check["id"]) for check in checks if "operation" not in check]
    if bare:
        yield f"no operation is told by {some(bare)}; set the property {_PREFIX}operation"
    lookup = supplied.reviewed.operation
    named = dict.fromkeys(str(check["operation"]) for check in checks if "operation" in check)
    unknown = [each for each in named if " " in each and lookup(each) is None]
    if unknown:
        yield f"neither contract has {some(unknown)}"
    lacking = [name for name in ("revision", "fixture") if any(name not in check for check in checks)]
    if lacking:
        yield f"not executed checks yet: {' and '.join(lacking)} not stated; {_ADVICE[lacking[0]]}"


_ADVICE: Final = {
    "revision": "state implementation_revision in review.yaml and import again",
    "fixture": "import with --fixture",
}
