"""Step 8: one row per finding that is not closed; what was not supplied is asked for, what weakens is replaced."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final

import pandas as pd

from evreview.core.quoted_text import Subject, Text, bare, plain
from evreview.core.vocabulary import StepState
from evreview.evidence.item import Bundle
from evreview.evidence.records.security import PlannedTest, Remediation
from evreview.report.statement import Statement, limited, observed
from evreview.workflows.engine.step import Outcome
from evreview.workflows.w3.facts import W3Facts
from evreview.workflows.w3.model import Disposition, RemediationRow, SecurityFinding, State
from evreview.workflows.w3.rating.rating import remediations
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
    return (Subject(record.control_change),)


def _given(value: str | None, asked: str) -> Text:
    return (Subject(value),) if value else (NOT_SUPPLIED, Subject(asked))


def _tests(tests: Iterable[PlannedTest], asked: str) -> Text:
    parts: list[str | Subject] = []
    for test in tests:
        parts += [*(["; "] if parts else []), Subject(test.name), ": ", Subject(test.asserts)]
    return tuple(parts) or (NOT_SUPPLIED, Subject(asked))


COLUMNS: Final = (
    *("finding", "control_change", "owner_role", "positive_tests", "negative_tests", "deployment", "exit_evidence"),
    *("rollback", "refused", "complete", "evidence"),
)


def remediation_frame(rows: Iterable[RemediationRow]) -> pd.DataFrame:
    """The remediation order. Key: `finding`. Columns: `COLUMNS`; `refused` says why the supplied change is refused."""
    values = [
        (
            each.finding,
            *map(plain, (each.control_change, each.owner_role, each.positive_tests, each.negative_tests)),
            *map(plain, (each.deployment, each.exit_evidence, each.rollback, each.refused)),
            each.complete,
            ", ".join(map(str, each.citations)),
        )
        for each in rows
    ]
    return pd.DataFrame(values, columns=list(COLUMNS))


# Step 8: design remediation and verification. Remains while a row lacks a field or its change is refused.


def design_remediation(bundle: Bundle, facts: W3Facts) -> Outcome[W3Facts]:
    """The remediation order; existing controls are preserved, and what hides a symptom is refused."""
    plans = remediations(bundle, facts)
    rows = remediate(facts.findings, bundle, plans)
    stray = tuple(
        limited(
            "A remediation names no finding: ", Subject(record.id), " names ", Subject(record.finding), ".", on=(at,)
        )
        for record, at in plans.unjoined(facts.challenged)
    )
    known = replace(facts, remediation=rows, remedied=True, notes=(*facts.notes, *stray))
    waiting = tuple(_waiting(known))
    return Outcome(
        state=StepState.REMAIN if waiting else StepState.ADVANCE,
        facts=known,
        reasons=waiting,
        tables={"Remediation order": remediation_frame(rows)},
    )


def _waiting(facts: W3Facts) -> Iterator[Statement]:
    for row in facts.remediation:
        if row.refused:
            yield observed("The remediation of ", Subject(row.finding), " is refused: ", *bare(row.refused), ".",
                           on=row.citations)  # fmt: skip
        elif not row.complete:
            yield limited("The remediation of ", Subject(row.finding), " is not supplied in full.", on=row.citations)
