"""Step 2 of W3: map assets and trust boundaries from entry point to asset."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from evreview.codefacts.declared import declared_facts
from evreview.codefacts.model import CodeFacts, SourceText
from evreview.codefacts.read import read_sources, sources_of
from evreview.core.quoted_text import UserText, bare
from evreview.core.vocabulary import StepState
from evreview.evidence.cited_records import first_of, records_of
from evreview.evidence.item import Bundle
from evreview.evidence.records.reference import DeclaredCode
from evreview.evidence.records.security import TrustModel
from evreview.report.statement import Statement, limited, observed
from evreview.workflows.engine.step import Outcome
from evreview.workflows.w3.access_control.entry_points import entry_routes, stated_methods
from evreview.workflows.w3.excerpts import is_partial
from evreview.workflows.w3.facts import W3Facts, scope_items
from evreview.workflows.w3.model import TrustMap
from evreview.workflows.w3.registers import trust_frames
from evreview.workflows.w3.trust.trust_map import trust_map


def run(bundle: Bundle, facts: W3Facts) -> Outcome[W3Facts]:
    """The trust map; remains while a path of a requested control can't be traced.

    Stops when the conclusion depends on what runs and nothing ties the reviewed revision to it.
    """
    sources = sources_of(bundle)
    model = first_of(bundle, TrustModel)
    code, notes = _read(bundle, sources, model.record if model else None)
    found = trust_map(model, code.routes, bundle, partial=is_partial(code, sources))
    known = replace(facts, model=model, sources=sources, code=code, trust=found, notes=(*facts.notes, *notes))
    tables = {f"Trust {name}": frame for name, frame in trust_frames(found).items()}
    tie = found.deployment
    if tie is not None and tie.stops:
        says = limited("Nothing ties the reviewed revision to what runs: ", *bare(tie.why), ".", on=tie.citations)
        return Outcome(state=StepState.STOP, facts=known, reasons=(says,), tables=tables)
    state = StepState.ADVANCE if found.traceable else StepState.REMAIN
    return Outcome(state=state, facts=known, reasons=tuple(_reasons(bundle, known, found)), tables=tables)


NO_ROUTES: Final = frozenset({"test", "deployment"})
"""What a source is for when it registers no route of the service."""


def _read(
    bundle: Bundle, sources: tuple[SourceText, ...], model: TrustModel | None
) -> tuple[CodeFacts, tuple[Statement, ...]]:
    """Routes and entry functions of the supplied sources, declared facts, and what of these does not hold."""
    inside = [each for each in sources if not NO_ROUTES.issuperset(each.parts)]
    code = read_sources(inside)
    declared, problems = declared_facts(records_of(bundle, DeclaredCode), sources, code.routes)
    routes = (*code.routes, *declared.routes, *stated_methods(model, code), *entry_routes(model, inside))
    joined = CodeFacts(routes=routes, unread=(*code.unread, *declared.unread))
    notes = tuple(
        limited("A declared fact about code does not hold: ", UserText(f"{each.place} {each.found}"), ".")
        for each in problems
    )
    return joined, notes


def _reasons(bundle: Bundle, facts: W3Facts, found: TrustMap) -> Iterator[Statement]:
    on = scope_items(bundle, facts)
    for name in found.missing:
        yield limited(f"The trust model does not state: {name}.", on=on)
    for each in found.gaps:
        if each.decides:
            yield observed(*bare(each.says), ".", on=each.citations or on)
