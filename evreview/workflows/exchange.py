"""A finished review for other tools: its registers in the one shape that the interchange formats are made from."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from evreview.core.vocabulary import StepState, WorkflowId
from evreview.report.interchange import Check, Concluded, Exchange, Item
from evreview.workflows.session import Review
from evreview.workflows.w3.facts import W3Facts
from evreview.workflows.w3.gates import disclosure
from evreview.workflows.w3.model import Disposition

Row = Mapping[str, Any]
CleanText = Callable[[str], str]
RAN: Final = "executed"
_SETTLED: Final = (Disposition.ACCEPTED, Disposition.CLOSED)


def exchanged(review: Review) -> Exchange:
    """The review's evidence, executed checks and findings, redacted; of a sealed bundle its authorization alone."""
    bundle, clean = review.bundle, review.redactor.clean
    of = _OF[bundle.workflow]
    return Exchange(
        workflow=bundle.workflow,
        title=clean(bundle.title),
        day=bundle.request.as_of,
        digest=bundle.digest,
        decision=clean(review.decision.headline),
        items={item.id: item for item in _items(review)},
        checks=tuple(_check(row, clean) for row in _rows(review, of.checks) if row.get("status", RAN) == RAN),
        findings=tuple(of.concluded(row, clean) for row in _rows(review, of.findings)),
    )


def has_concluded(review: Review) -> bool:
    """True when the review came to its findings and was not stopped: a register without rows says something then."""
    stopped = any(step.state is StepState.STOP for step in review.steps)
    return not stopped and _OF[review.bundle.workflow].findings in review.registers


def may_receive(review: Review, role: str) -> bool:
    """True when a role may be given the review: for a security review, by authorization or approved disclosure.

    Nobody while redaction is incomplete; an authorization that did not pass names nobody.
    """
    if review.decision.unredacted:
        return False
    if not isinstance(review.facts, W3Facts):
        return True
    if not review.facts.opened:
        return False
    boundary = disclosure(review.bundle, review.facts)
    return role in boundary.team or (boundary.approved and role in boundary.outside)


def _items(review: Review) -> Iterator[Item]:
    paths = {str(source.item): source.path for source in getattr(review.facts, "sources", ())}
    for item in review.bundle.items.values():
        if not review.bundle.sealed or item.content:
            path = review.redactor.clean(paths.get(str(item.id), item.file))
            yield Item(id=str(item.id), kind=review.redactor.clean(str(item.type)), path=path, sha256=item.sha256)


def _rows(review: Review, name: str) -> Iterator[Row]:
    frame = review.registers.get(name)
    if frame is not None:
        names = [str(name) for name in frame.columns]
        for values in frame.fillna("").itertuples(index=False, name=None):
            yield dict(zip(names, values, strict=True))


def _check(row: Row, clean: CleanText) -> Check:
    def text(*names: str) -> str:
        return clean(str(next((row[name] for name in names if row.get(name)), "")))

    return Check(
        id=text("check"),
        what=text("what", "check"),
        command=text("command"),
        revision=text("revision"),
        environment=text("environment", "fixture"),
        result=text("result"),
        evidence=text("evidence"),
    )


def _of_contract(row: Row, clean: CleanText) -> Concluded:
    return Concluded(
        id=str(row["finding_id"]),
        rule="contract-difference",
        title=clean(row["finding"]),
        evidence=clean(row["evidence"]),
        inferred=clean(row["impact"]),
        recommendation=clean(row["recommendation"]),
        verification=clean(row["verification"]),
        severity=clean(row["severity"]),
        confidence=str(row["confidence"]),
        disposition=clean(row["disposition"]),
        why=clean(row["severity_why"]),
        holds=bool(row["blocks"]),
    )


def _of_reference(row: Row, clean: CleanText) -> Concluded:
    return Concluded(
        id=str(row["id"]),
        rule=str(row["kind"]),
        title=clean(f"{row['kind']} at {row['operation']} {row['concern']} {row['place']}".strip()),
        evidence=clean(row["evidence"]),
        area=str(row["concern"]),
        inferred=clean(row["impact"]),
        disposition=str(row["disposal"]),
        why=clean(row["disposition"]),
        settled=str(row["disposal"]) != "open",
        holds=str(row["disposal"]) == "open",
    )


def _of_security(row: Row, clean: CleanText) -> Concluded:
    return Concluded(
        id=str(row["finding"]),
        rule=clean(row["kind"]),
        title=clean(row["title"]),
        evidence=clean(row["evidence"]),
        area=str(row["area"]),
        observed=clean(row["observed"]),
        inferred=clean(row["inferred"]),
        recommendation=clean(row["recommendation"]),
        verification=clean(row["verification"]),
        severity=clean(row["severity"]),
        confidence=str(row["confidence"]),
        disposition=str(row["disposition"]),
        why=clean(row["disposition_why"]),
        supported=str(row["state"]) == "supported",
        settled=str(row["disposition"]) in _SETTLED,
        holds=bool(row["blocks"]),
    )


@dataclass(frozen=True, slots=True)
class _Registers:
    """Where a workflow keeps its checks and its findings, and how a finding's row is read."""

    checks: str
    findings: str
    concluded: Callable[[Row, CleanText], Concluded]


_OF: Final[Mapping[WorkflowId, _Registers]] = {
    WorkflowId.W1: _Registers("checks", "findings", _of_contract),
    WorkflowId.W2: _Registers("execution", "discrepancies", _of_reference),
    WorkflowId.W3: _Registers("executed", "findings", _of_security),
}
