"""What an answer to a W1 gate is about: the two contracts as supplied, by one digest."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

from evreview.evidence.item import Bundle
from evreview.evidence.records.decisions import Approval
from evreview.findings.statement import Statement, limited, observed
from evreview.prose import Subject
from evreview.workflow.w1.tables import read_contracts


def comparison_digest(bundle: Bundle) -> str:
    """The sha256 over the digests of both contracts, all their files, and the implementation's revision."""
    told = [
        f"{item.sha256} {sorted(item.parts.items())}" for item in (bundle.items[at.id] for at in read_contracts(bundle))
    ]
    told.append(bundle.request.implementation_revision or "")
    return f"sha256:{hashlib.sha256(chr(10).join(told).encode()).hexdigest()}"


def counted(bundle: Bundle) -> tuple[Approval, ...]:
    """The answers that name this comparison or none; one of another comparison has lapsed."""
    about = comparison_digest(bundle)
    return tuple(answer for answer in bundle.decisions.approvals if answer.of in (None, about))


def lapsed(bundle: Bundle, gate: str) -> Iterable[str]:
    """What is told of the answers to a gate that name another comparison, for those without a later one."""
    about = comparison_digest(bundle)
    last = {(answer.role, answer.client): answer for answer in bundle.decisions.approvals if answer.gate == gate}
    for (role, _), answer in last.items():
        if answer.of not in (None, about):
            yield f"{role} answered about another comparison, {answer.of}"


def binding(bundle: Bundle) -> Iterable[Statement]:
    """The digest that an answer names, and that answers which name none are taken at their word."""
    on = read_contracts(bundle)
    yield observed("This comparison has the digest ", Subject(comparison_digest(bundle)),
                   "; an answer to its gates names it under ", Subject("of"), ", and lapses with it.",
                   on=on)  # fmt: skip
    if any(answer.of is None for answer in bundle.decisions.approvals):
        yield limited("An answer that names no comparison is taken at its word: what it saw is not shown.", on=on)
