"""One row per finding that is not closed; what was not supplied is asked for, what weakens is replaced."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from evreview.core.quoted_text import Text, UserText
from evreview.evidence.item import Bundle
from evreview.evidence.records.security import PlannedTest, Remediation
from evreview.workflows.w3.model import Disposition, RemediationRow, SecurityFinding, State
from evreview.workflows.w3.supplied_remediation import DESIGNS, Plans, Supplied

NOT_SUPPLIED: Final = "not supplied; requested from "


def remediate(findings: Sequence[SecurityFinding], bundle: Bundle, plans: Plans) -> tuple[RemediationRow, ...]:
    """The remediation order, in the findings' order.

    A finding that is closed needs none. A hypothesis is verified before anything is changed, so it has a row only where
    a remediation for it is supplied.
    """
    rows = ((each, plans.of(each.candidate)) for each in findings if each.disposition is not Disposition.CLOSED)
    return tuple(
        _row(finding, supplied, bundle)
        for finding, supplied in rows
        if supplied is not None or finding.candidate.state is State.SUPPORTED
    )


def _row(finding: SecurityFinding, supplied: Supplied | None, bundle: Bundle) -> RemediationRow:
    record = supplied.record if supplied else None
    refused = supplied.refused if supplied else ()
    kept = None if refused else record  # tests, rollback and exit of a refused change don't fit ours
    owner = (record.owner_role if record else None) or ""
    asked = owner or bundle.request.roles.security_owner or "the security owner"
    fields = {
        "deployment": kept.deployment_dependency if kept else None,
        "exit_evidence": kept.exit_evidence if kept else None,
        "rollback": kept.rollback if kept else None,
    }
    tests = (kept.positive_tests, kept.negative_tests) if kept else ((), ())
    on = (*finding.candidate.citations, *((supplied.citation,) if supplied else ()))
    return RemediationRow(
        finding=finding.candidate.id,
        control_change=_change(finding, record, refused),
        owner_role=_given(owner, asked),
        refused=refused,
        complete=bool(kept and owner and all(fields.values()) and all(tests)),
        citations=tuple(dict.fromkeys(on)),
        positive_tests=_tests(tests[0], asked),
        negative_tests=_tests(tests[1], asked),
        **{name: _given(value, asked) for name, value in fields.items()},
    )


def _change(finding: SecurityFinding, record: Remediation | None, refused: Text) -> Text:
    if record is None:
        return ("no change is supplied; proposed: ", *finding.recommendation)
    if refused:
        return ("in place of the refused change: ", DESIGNS[finding.candidate.area])
    return (UserText(record.control_change),)


def _given(value: str | None, asked: str) -> Text:
    return (UserText(value),) if value else (NOT_SUPPLIED, UserText(asked))


def _tests(tests: Iterable[PlannedTest], asked: str) -> Text:
    parts: list[str | UserText] = []
    for test in tests:
        parts += [*(["; "] if parts else []), UserText(test.name), ": ", UserText(test.asserts)]
    return tuple(parts) or (NOT_SUPPLIED, UserText(asked))
