"""Step 1 of W3: verify the authorization. Until it passes, no other item is read, echoed or counted."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from evreview.core.quoted_text import Text, UserText, bare, listed
from evreview.core.vocabulary import StepState
from evreview.evidence.cited_records import Cited
from evreview.evidence.item import Bundle
from evreview.evidence.records.security import Authorization
from evreview.report.statement import Statement, limited, observed
from evreview.workflows.engine.registers import BoundaryRow, boundary_frame, judged_for
from evreview.workflows.engine.step import Outcome
from evreview.workflows.w3.authorization import authorization_of, authorize
from evreview.workflows.w3.facts import F1, W3Facts
from evreview.workflows.w3.model import Term


def run(bundle: Bundle, facts: W3Facts) -> Outcome[W3Facts]:
    """The authorization with every planned action compared to it; W3-F1 names what is missing or not covered."""
    record = authorization_of(bundle)
    answer = authorize(bundle.request, record, bundle)
    rows = (judged_for(bundle.request.as_of), *(_rows(bundle, record) if record else ()))
    known = replace(facts, authorization=record, authorized=answer, boundary=rows)
    tables = {"Authorization": boundary_frame(rows)}
    if answer.passed:
        return Outcome(state=StepState.ADVANCE, facts=known, tables=tables)
    return Outcome(state=StepState.STOP, code=F1.code, facts=known, reasons=tuple(_reasons(known)), tables=tables)


def _reasons(facts: W3Facts) -> Iterator[Statement]:
    assert facts.authorized is not None
    on = (facts.authorization.citation,) if facts.authorization else ()
    for what in facts.authorized.missing:
        yield limited(f"The authorization does not state: {what}.", on=on)
    for each in facts.authorized.refusals:
        yield observed("Not covered: ", UserText(each.about), ": ", *bare(each.why), ".", on=each.citations or on)


def _rows(bundle: Bundle, known: Cited[Authorization]) -> Iterator[BoundaryRow]:
    record, item = known.record, bundle.items[known.citation.id]
    yield _row(Term.AUTHORIZATION_RECORD, (UserText(f"sha256:{item.sha256}"), f" ({item.standing})"), known, "")
    stated: tuple[tuple[Term, str, Text], ...] = (
        (Term.APPROVING_ROLE, "approving_role", _one(record.approving_role)),
        (Term.DECISION, "decision", _one(record.decision)),
        (Term.FORM, "form", _one(record.form) or ("not shown",)),
        (Term.RECEIVED_THROUGH, "channel", _one(record.channel)),
        (Term.IMMUTABLE_REVISION, "revision", _one(record.revision)),
        (Term.SYSTEM_OWNED, "owns", _one(record.owns)),
        (Term.ENVIRONMENT, "environment", _one(record.environment)),
        (Term.ALLOWED_PATHS, "paths", _several(record.paths)),
        (Term.ALLOWED_TECHNIQUES, "techniques", _several(record.techniques)),
        (Term.EXCLUDED_TARGETS, "prohibited_targets", _several(record.prohibited_targets)),
        (Term.EXCLUDED_ACTIONS, "prohibited_actions", _several(record.prohibited_actions)),
        (Term.REVIEW_PERIOD, "period", (f"{record.period.since} to {record.period.until}",) if record.period else ()),
        (Term.EXCLUSIONS, "exclusions", _several(record.exclusions) or (("none",) if record.exclusions == () else ())),
        (Term.ACTIVE_TESTING, "active_testing", _active(record)),
        (Term.DISCLOSURE_BOUNDARY, "recipients", _several(record.recipients)),
        (Term.STOP_CONDITIONS, "stop_conditions", _several(record.stop_conditions)),
        (Term.CLEANUP, "cleanup", _one(record.cleanup)),
        (Term.ROLLBACK, "rollback", _one(record.rollback)),
    )
    for what, name, value in stated:
        if value:
            # What the record leaves out has no place in it.
            yield _row(what, value, known, f"/{name}" if name in record.model_fields_set else "")


def _row(what: str, value: Text, known: Cited[Authorization], at: str) -> BoundaryRow:
    return BoundaryRow(what=what, value=value, citations=(known.at(at) if at else known.citation,))


def _one(value: str | None) -> Text:
    return (UserText(value),) if value else ()


def _several(values: tuple[str, ...] | None) -> Text:
    return listed(str(value) for value in values) if values else ()


def _active(record: Authorization) -> Text:
    if record.active_testing is None:
        return ()
    if not record.active_testing.permitted:
        return ("not permitted",)
    where = record.active_testing.environment
    return ("permitted, each plan behind its gate", *((": ", UserText(where)) if where else ()))
