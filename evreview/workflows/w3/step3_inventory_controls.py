"""Step 3 of W3: inventory controls and attack surfaces."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from evreview.codefacts.model import CodeFacts
from evreview.core.quoted_text import UserText, bare
from evreview.core.vocabulary import StepState
from evreview.evidence.cited_records import first_of
from evreview.evidence.item import Bundle
from evreview.evidence.records.security import SecurityInventory
from evreview.report.statement import Statement, limited
from evreview.workflows.engine.step import Outcome
from evreview.workflows.w3.facts import F2, F4, W3Facts, scope_items
from evreview.workflows.w3.inventory.inventory import take_inventory
from evreview.workflows.w3.inventory.listing import sensitive_frame, sensitive_values, unhandled
from evreview.workflows.w3.model import Inventory
from evreview.workflows.w3.registers import controls_frame, gaps_frame


def run(bundle: Bundle, facts: W3Facts) -> Outcome[W3Facts]:
    """The control x route matrix; W3-F4 stops on unhandled sensitive values, W3-F2 on a control without conclusion."""
    found = replace(facts, sensitive=sensitive_values(bundle, facts))
    tables = {"Sensitive values": sensitive_frame(found.sensitive)}
    waiting = tuple(unhandled(found))
    if waiting:
        return Outcome(state=StepState.STOP, code=F4.code, facts=found, reasons=waiting, tables=tables)
    stated = first_of(bundle, SecurityInventory)
    taken = take_inventory(stated, found.code or CodeFacts(routes=()), found.sources, bundle)
    known = replace(found, stated=stated, inventory=taken)
    tables |= {"Controls": controls_frame(taken.cells), "Inventory gaps": gaps_frame(taken.gaps)}
    reasons = tuple(_reasons(bundle, known, taken))
    if not taken.concludes:
        return Outcome(state=StepState.STOP, code=F2.code, facts=known, reasons=reasons, tables=tables)
    return Outcome(state=StepState.ADVANCE, facts=known, tables=tables)


def _reasons(bundle: Bundle, facts: W3Facts, taken: Inventory) -> Iterator[Statement]:
    on = scope_items(bundle, facts)
    for each in taken.gaps:
        if each.decides:
            words = (UserText(each.control), f" lacks {each.lacks}; requested: ")
            yield limited(*words, *bare(each.request), ".", on=each.citations or on)
