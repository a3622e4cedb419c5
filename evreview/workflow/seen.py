"""What an answer to a gate is about: one digest over everything that the gate lists as reviewed."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

from evreview.core.quoted_text import Subject
from evreview.evidence.cited_records import Cited
from evreview.evidence.item import Bundle, Citation, EvidenceItem
from evreview.evidence.records.review import ExecutionPlan
from evreview.report.statement import Statement, observed
from evreview.workflows.engine.gates import Gate, GateState


def digest_of(items: Iterable[EvidenceItem], *told: str) -> str:
    """`sha256:…` over the items with all their files and what is stated of them, and over `told`."""
    lines = [
        f"{item.id} {item.type} {item.sha256} {sorted(item.parts.items())} {item.integrity!r} {item.establishes!r}"
        for item in items
    ]
    return f"sha256:{hashlib.sha256(chr(10).join([*lines, *told]).encode()).hexdigest()}"


def plan_digest(bundle: Bundle, plan: Cited[ExecutionPlan]) -> str:
    """The digest of a plan as supplied, with the digests of the files that it names."""
    return f"sha256:{bundle.items[plan.citation.id].sha256}"


def unbound_files(bundle: Bundle, plan: ExecutionPlan) -> tuple[str, ...]:
    """Why an approval of the plan does not cover the files that it copies, as clauses; none when it does."""
    return tuple(_unbound(bundle, plan))


def _unbound(bundle: Bundle, plan: ExecutionPlan) -> Iterable[str]:
    for entry in plan.files:
        supplied = bundle.items[entry.item].sha256
        if entry.sha256 is None:
            yield f"the plan does not name the digest of {entry.item}, which it copies, so nobody can have approved it"
        elif entry.sha256.removeprefix("sha256:").lower() != supplied:
            yield f"the plan copies another content of {entry.item} than the one supplied, sha256:{supplied}"


def binding(gates: Iterable[Gate], on: tuple[Citation, ...]) -> Iterable[Statement]:
    """The digest that an answer to each gate names; `on` is what the digests are over."""
    for gate in gates:
        if gate.state is not GateState.NOT_NEEDED and gate.about:
            yield observed(f"{gate.spec.title}: an answer names ", Subject(gate.about), " under ", Subject("of"),
                           ", and lapses with it.", on=on)  # fmt: skip
