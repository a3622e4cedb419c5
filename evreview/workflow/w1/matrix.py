"""The compatibility matrix and the rows around it: unchanged context, noise, and what was not understood."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from evreview.artifacts.escape import Md, cell, cell_code, cell_words, citations, fragments, shorten
from evreview.clients.impact import Impact
from evreview.compare import Row
from evreview.contracts.model import Place
from evreview.evidence.item import Bundle, Citation
from evreview.findings.statement import Statement, Subject, Text, inferred, limited, observed
from evreview.vocab import MISSING, Answer, DeltaId, Form, ProofStatus
from evreview.workflow.w1.citations import contract_citations, row_citations
from evreview.workflow.w1.facts import W1Facts
from evreview.workflow.w1.findings import short
from evreview.workflow.w1.tables import empty, read_contracts

Cells = tuple[Md, ...]


def matrix_rows(bundle: Bundle, facts: W1Facts) -> tuple[Cells, ...]:
    """One row per delta, in ledger order, with both directions."""
    by_delta: dict[DeltaId, list[Impact]] = {}
    for impact in facts.impacts:
        by_delta.setdefault(impact.delta_id, []).append(impact)
    rows = tuple(_matrix_row(bundle, facts, row, by_delta.get(row.delta.id, [])) for row in facts.rows)
    why = "the contracts do not differ on the wire" if facts.comparison else "step 2 was not reached"
    return rows or empty(6, why, read_contracts(bundle))


def _matrix_row(bundle: Bundle, facts: W1Facts, row: Row, impacts: list[Impact]) -> Cells:
    delta = row.delta
    what = (Subject(delta.id), " ", Subject(f"{delta.aspect} {delta.change}"), " at ", Subject(delta.address))
    return (
        cell_words(what),
        _form(delta.released),
        _form(delta.candidate),
        fragments(_producer(bundle, facts, row)),
        fragments(_consumer(bundle, facts, row, impacts)),
        citations(row_citations(bundle, facts, row)),
    )


def _form(form: Form) -> Md:
    return cell("(absent)") if form is MISSING else cell_code(short(form, 160))


def _producer(bundle: Bundle, facts: W1Facts, row: Row) -> tuple[Statement, ...]:
    judged, on = row.judgement, contract_citations(bundle, row)
    answers = (
        f"accepts old requests: {judged.accepts_old_requests}; emits old-compatible: {judged.emits_old_compatible}"
    )
    statements = [inferred(f"{judged.verdict}; {answers}; rule ", Subject(str(judged.rule or "none")), on=on)]
    statements.append(_standing(facts, row, on))
    return tuple(statements)


def _standing(facts: W1Facts, row: Row, on: tuple[Citation, ...]) -> Statement:
    """How the classification is supported: an executed check, a computed proof, or neither."""
    checks = facts.checks.executed_for(row.delta.id) if facts.checks else ()
    if checks:
        return observed("Verified by a retained result.", on=tuple(check.citation for check in checks))
    if row.proof.status in (ProofStatus.PROVED, ProofStatus.WITNESSED):
        return limited(f"{row.proof.status} by {row.proof.method}; unverified until a check is retained.", on=on)
    return limited("Unverified: no retained result and no computed proof.", on=on)


def _consumer(bundle: Bundle, facts: W1Facts, row: Row, impacts: list[Impact]) -> tuple[Statement, ...]:
    """The three consumer facts as labelled fragments; unlisted consumers are unknown."""
    on = contract_citations(bundle, row)
    incompatible = [impact.client for impact in impacts if impact.contract_incompatible is Answer.YES]
    open_question = [impact.client for impact in impacts if impact.contract_incompatible is Answer.UNKNOWN]
    contract = observed(
        "Contract-level incompatibility: ", *_names(incompatible, open_question), on=_cited(impacts, on)
    )
    ran = [impact for impact in impacts if impact.executed != "none"]
    results: Text = tuple(part for impact in ran for part in (Subject(impact.client), f" {impact.executed}", "; "))[
        :-1
    ] or ("none retained",)
    parser = observed("Executed parser result: ", *results, on=_executed(ran, on))
    guesses: Text = tuple(part for impact in impacts if impact.inferred for part in (Subject(impact.inferred), "; "))[
        :-1
    ] or ("none inferred",)
    runtime = inferred("Runtime impact: ", *guesses, on=_cited(impacts, on))
    unknown = facts.unknown_consumers
    stays_open = unknown is None or unknown.open_for(row.delta.id)
    last = (
        limited("Unlisted consumers: unknown.")
        if stays_open
        else limited("Unlisted consumers: closed by usage evidence.")
    )
    return (contract, parser, runtime, last)


def _names(incompatible: Iterable[str], unknown: Iterable[str]) -> Text:
    parts: list[str | Subject] = []
    for client in incompatible:
        parts += [Subject(client), ", "]
    named: list[str | Subject] = parts[:-1] or ["no known client"]
    for client in unknown:
        named += ["; unknown for ", Subject(client)]
    return tuple(named)


def _cited(impacts: list[Impact], fallback: tuple[Citation, ...]) -> tuple[Citation, ...]:
    return tuple(dict.fromkeys(citation for impact in impacts for citation in impact.citations)) or fallback


def _executed(impacts: list[Impact], fallback: tuple[Citation, ...]) -> tuple[Citation, ...]:
    return tuple(dict.fromkeys(citation for impact in impacts for citation in impact.executed_checks)) or fallback


def context_rows(bundle: Bundle, facts: W1Facts) -> tuple[Cells, ...]:
    """Unchanged elements that a row needs in order to be read, each once."""
    if facts.comparison is None:
        return ()
    seen: dict[str, Cells] = {}
    for context in facts.comparison.contexts:
        key = f"{context.address} {context.why}"
        if key not in seen:
            seen[key] = (
                cell_code(context.address),
                _form(context.form),
                cell(context.why),
                citations(_place(bundle, context.place)),
            )
    return tuple(seen.values())


def _place(bundle: Bundle, place: Place) -> tuple[Citation, ...]:
    named = bundle.request.contracts
    return (Citation(named.released),) if named else ()


def noise_rows(facts: W1Facts) -> tuple[Cells, ...]:
    """Differences that never reach the wire, counted by reason, with one example each."""
    if facts.comparison is None:
        return ()
    counted = Counter(noise.reason for noise in facts.comparison.noise)
    example = {noise.reason: noise.delta.address for noise in reversed(facts.comparison.noise)}
    return tuple(
        (cell_words((Subject(shorten(reason, 200)),)), cell(str(count)), cell_code(example[reason]))
        for reason, count in sorted(counted.items())
    )


def unread_rows(facts: W1Facts) -> tuple[Cells, ...]:
    """What a reader could not understand."""
    if facts.comparison is None:
        return ()
    return tuple(
        (
            cell_code(str(unread.place)),
            cell_words((Subject(unread.found),)),
            cell_words((Subject(unread.advice or "none"),)),
        )
        for unread in facts.comparison.unread
    )
