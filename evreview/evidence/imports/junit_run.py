"""JUnit XML as the retained output of a run of contract tests, with the record of the run behind it."""

from __future__ import annotations

from evreview.core.errors import bad_input
from evreview.core.quoted_text import counted
from evreview.core.vocabulary import EvidenceType, Json
from evreview.evidence.files import text_of
from evreview.evidence.imports.junit import read_report
from evreview.evidence.imports.model import KEPT, Imported, KeptFile, Supplied, some


def read(supplied: Supplied) -> Imported:
    """The run as command line and review state it, and the report as it is.

    Raises:
        BadInput: the file is no JUnit report, it has no test case, or the review names no revision.
    """
    cases, options = read_report(supplied), supplied.options
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
        "environment": options.fixture or None,
        "isolated": True if options.isolated else None,
        "exit_status": options.exit_status,
        "output_sha256": supplied.digest,
        "asserts": asserts,
    }
    told = [
        f"run         {counted(len(cases), 'test case')}, {counted(len(asserts), 'assertion')} read in their source"
    ]
    bare = [case.id for case in cases if not case.assertions and not supplied.reviewed.asserted(case.id)]
    if bare and supplied.reviewed.against:
        told.append(f"no request with a status is read of {some(bare)}")
    open_ones = [name for name in ("environment", "isolated", "exit_status") if record[name] is None]
    if open_ones:
        told.append(f"not stated  {', '.join(open_ones)}: import with {', '.join(_OPTION[each] for each in open_ones)}")
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


_OPTION = {"environment": "--fixture", "isolated": "--isolated", "exit_status": "--exit-status"}
