"""Step 4 of W3: develop bounded abuse cases. Each is a hypothesis."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from evreview.codefacts.model import CodeFacts
from evreview.core.errors import Problem
from evreview.core.quoted_text import UserText, bare, counted, listed
from evreview.core.vocabulary import EvidenceId, StepState
from evreview.evidence.cited_records import records_of
from evreview.evidence.item import Bundle, Citation
from evreview.evidence.records.security import Candidates
from evreview.report.statement import Statement, cite, limited
from evreview.workflows.engine.step import Outcome
from evreview.workflows.w3.abuse_cases.abuse_cases import LeftOut, Uncovered, abuse_cases
from evreview.workflows.w3.abuse_cases.lead_intake import candidate_leads
from evreview.workflows.w3.abuse_cases.sarif_import import sarif_leads
from evreview.workflows.w3.facts import W3Facts, scope_items
from evreview.workflows.w3.leads.catalogue import find_leads
from evreview.workflows.w3.model import Lead
from evreview.workflows.w3.planned_actions import plain_lead
from evreview.workflows.w3.registers import cases_frame, leads_frame


def run(bundle: Bundle, facts: W3Facts) -> Outcome[W3Facts]:
    """Leads and abuse cases; remains while a boundary in reach has neither a case nor a reason for none."""
    leads, problems = _leads(bundle, facts)
    assert facts.trust is not None
    made = abuse_cases(facts.model, facts.trust, facts.stated, leads)
    on = scope_items(bundle, facts)
    known = replace(
        facts,
        leads=leads,
        cases=made.cases,
        left_out=tuple(_left_out(made.left_out)),
        uncovered=tuple(_uncovered_statement(each, on) for each in made.uncovered),
        notes=(*facts.notes, *_refused(problems)),
    )
    tables = {"Leads": leads_frame(leads), "Abuse cases": cases_frame(made.cases)}
    if made.covers:
        return Outcome(state=StepState.ADVANCE, facts=known, tables=tables)
    waiting = tuple(_uncovered_statement(each, on) for each in made.uncovered if not each.reasoned)
    return Outcome(state=StepState.REMAIN, facts=known, reasons=waiting, tables=tables)


def _left_out(cases: tuple[LeftOut, ...]) -> Iterator[Statement]:
    """One sentence per excluded capability, with the cases that need it."""
    grouped: dict[tuple[Citation, ...], list[LeftOut]] = {}
    for each in cases:
        grouped.setdefault(each.citations, []).append(each)
    for on, members in grouped.items():
        kinds = dict.fromkeys(each.case for each in members)
        words = ("Left out, since they need ", members[0].excluded, ": ", *listed(kinds))
        yield limited(*words, f" ({counted(len(members), 'abuse case')}).", on=on)


def _uncovered_statement(each: Uncovered, on: tuple[Citation, ...]) -> Statement:
    where = (" at the boundary ", UserText(each.boundary)) if each.boundary else ()
    return limited("No abuse case", *where, ": ", *bare(each.why), ".", on=each.citations or on)


def _leads(bundle: Bundle, facts: W3Facts) -> tuple[tuple[Lead, ...], tuple[Problem, ...]]:
    code = facts.code or CodeFacts(routes=())
    scanned = sarif_leads(bundle, facts.sources, code)
    stated = candidate_leads(records_of(bundle, Candidates), facts.sources, code)
    every = (*find_leads(facts.sources, code), *scanned.leads, *stated.leads)
    return tuple(map(plain_lead, every)), (*scanned.problems, *stated.problems)


def _refused(problems: tuple[Problem, ...]) -> Iterator[Statement]:
    for each in problems:
        item = cite(EvidenceId(each.file)) if each.file.startswith("E") else ()
        yield limited("A lead can't be taken in: ", UserText(f"{each.place} {each.found}".strip()), ".", on=item)
