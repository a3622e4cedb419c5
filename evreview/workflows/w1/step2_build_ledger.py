"""Step 2 of W1: build the wire-difference ledger. A restart here always builds it anew."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from evreview.comparison.comparison import Comparison
from evreview.core.quoted_text import UserText
from evreview.core.vocabulary import StepState
from evreview.evidence.item import Bundle
from evreview.evidence.records.review import Note
from evreview.kinds.compare import compare
from evreview.report.statement import Statement, cite, observed
from evreview.workflows.engine.step import NotReached, Outcome
from evreview.workflows.w1.facts import W1Facts, contract_item


def run(bundle: Bundle, facts: W1Facts) -> Outcome[W1Facts]:
    """The ledger of both contracts; remains while a difference or an unread part is unexplained."""
    if facts.released is None or facts.candidate is None:
        raise NotReached("step 2 needs both contracts of step 1")
    comparison = compare(facts.released, facts.candidate)
    unexplained = tuple(_unexplained(bundle, comparison))
    return Outcome(
        state=StepState.REMAIN if unexplained else StepState.ADVANCE,
        facts=replace(facts, comparison=comparison),
        reasons=unexplained,
        tables={"Wire-difference ledger": comparison.raw_frame},
    )


def _unexplained(bundle: Bundle, comparison: Comparison) -> Iterable[Statement]:
    """Noise without a reason, ids that are not unique, and unread parts that no recorded note explains."""
    noted = {entry.subject for entry in bundle.decisions.decisions if isinstance(entry, Note)}
    contracts = cite(*(item.id for side in ("released", "candidate") if (item := contract_item(bundle, side))))
    for noise in comparison.noise:
        if not noise.reason and noise.delta.id not in noted:
            yield observed("This difference has no explanation: ", UserText(noise.delta.address), on=contracts)
    for unread in comparison.unread:
        if str(unread.place) not in noted:
            found = (UserText(str(unread.place)), ": ", UserText(unread.found))
            yield observed("This part was not understood, and no note explains it: ", *found, on=contracts)
    ids = [row.delta.id for row in comparison.rows]
    if len(set(ids)) != len(ids):
        yield observed("Two differences share one identifier.", on=contracts)
