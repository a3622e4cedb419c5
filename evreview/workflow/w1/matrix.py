"""The compatibility matrix and the rows around it: unchanged context, noise, and what was not understood."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from evreview.clients.impact import Impact
from evreview.comparison.comparison import Row
from evreview.contract.model import Place
from evreview.core.quoted_text import Subject, Text, listed
from evreview.core.vocabulary import MISSING, Answer, DeltaId, Form, ProofStatus, Realism
from evreview.evidence.item import Bundle, Citation
from evreview.report.escape import Md, cell, cell_code, cell_words, citations, fragments, shorten
from evreview.report.statement import Statement, inferred, limited, observed
from evreview.workflow.w1.citations import read_contracts, row_citations
from evreview.workflow.w1.facts import W1Facts
from evreview.workflows.engine.registers import empty
from evreview.workflows.w1.findings import short

Cells = tuple[Md, ...]


def matrix_rows(bundle: Bundle, facts: W1Facts) -> tuple[Cells, ...]:
    """One row per delta, in the comparison's order, with both directions."""
    by_delta: dict[DeltaId, list[Impact]] = {}
    for impact in facts.impacts:
        by_delta.setdefault(impact.delta_id, []).append(impact)
    rows = tuple(_matrix_row(bundle, facts, row, by_delta.get(row.delta.id, [])) for row in facts.rows)
    why = "the contracts do not differ on the wire" if facts.comparison else "step 2 was not reached"
    return rows or empty(6, why, read_contracts(bundle))


def _matrix_row(bundle: Bundle, facts: W1Facts, row: Row, impacts: list[Impact]) -> Cells:
    delta = row.delta
    others = [name for name in delta.operations if name != delta.operation]
    what: Text = (Subject(delta.id), " ", Subject(f"{delta.aspect} {delta.change}"), " at ", Subject(delta.address))
    what = (*what, "; also reaches ", *listed(others)) if others else what
    return (
        cell_words(what),
        _form(delta.released),
        _form(delta.candidate),
        fragments(_producer(facts, row)),
        fragments(_consumer(facts, row, impacts)),
        citations(row_citations(bundle, facts, row)),
    )


def _form(form: Form) -> Md:
    return cell("(absent)") if form is MISSING else cell_code(short(form, 160))


def _producer(facts: W1Facts, row: Row) -> tuple[Statement, ...]:
    """Both answers and how they are supported; the row's Evidence cell cites the contracts for them."""
    if not facts.classified:
        return (limited("Not classified: step 4 was not reached."),)
    judged = row.judgement
    accepts, emits = judged.accepts_old_requests, judged.emits_old_compatible
    answers = f"accepts old requests: {accepts}; emits old-compatible: {emits}"
    planes = "".join(f"; {plane}: {verdict}" for plane, verdict in judged.planes)
    stated = inferred(f"{judged.verdict}; {answers}{planes}; rule ", Subject(str(judged.rule or "none")))
    decided = facts.by_policy.get(row.delta.id)
    if decided is not None:
        return (stated, observed("The policy says that clients take any status of the class.", on=(decided,)))
    return (stated, _standing(facts, row))


def _standing(facts: W1Facts, row: Row) -> Statement:
    """How the classification is supported: an executed check, a computed proof, or neither."""
    checks = facts.checks.verifies(row.delta.id, "producer") if facts.checks else ()
    if checks:
        return observed("Verified by a retained result.", on=tuple(check.citation for check in checks))
    replayed = facts.checks.replayed(row.delta.id) if facts.checks else ()
    if replayed:
        says = "What both contracts say of a message was replayed; what the service does stays unverified."
        return limited(says, on=tuple(check.citation for check in replayed))
    told = "" if row.proof.realism in (None, Realism.DECLARED) else f" Witness realism: {row.proof.realism}."
    if row.proof.status in (ProofStatus.PROVED, ProofStatus.WITNESSED):
        return limited(f"{row.proof.status} by {row.proof.method}; unverified until a check is retained.{told}")
    return limited(f"Unverified: no retained result and no computed proof.{told}")


def _consumer(facts: W1Facts, row: Row, impacts: list[Impact]) -> tuple[Statement, ...]:
    """The three consumer facts as labelled fragments; unlisted consumers are unknown."""
    if facts.unknown_consumers is None:
        return (limited("Not classified: step 5 was not reached; consumers are unknown."),)
    ran = [impact for impact in impacts if impact.executed != "none"]
    results: Text = _joined([(Subject(impact.client), f" {impact.executed}") for impact in ran]) or ("none retained",)
    unknown = facts.unknown_consumers
    stays_open = unknown.open_for(row.delta.id)
    return (
        observed("Contract-level incompatibility: ", *_incompatible(impacts), on=_declared(impacts)),
        observed("Executed parser result: ", *results, on=tuple(c for impact in ran for c in impact.executed_checks)),
        inferred("Runtime impact: ", *_inferences(impacts)),
        limited(f"Unlisted consumers: {'unknown' if stays_open else 'closed by usage evidence'}."),
    )


def _joined(parts: Iterable[Text]) -> Text:
    """Texts with semicolons between them."""
    found: list[str | Subject] = []
    for part in parts:
        found += ["; ", *part] if found else part
    return tuple(found)


def _incompatible(impacts: list[Impact]) -> Text:
    sure = [impact.client for impact in impacts if impact.contract_incompatible is Answer.YES]
    unsure = [impact.client for impact in impacts if impact.contract_incompatible is Answer.UNKNOWN]
    named = listed(sure) or ("no known client",)
    return (*named, "; unknown for ", *listed(unsure)) if unsure else named


def _declared(impacts: list[Impact]) -> tuple[Citation, ...]:
    return tuple(dict.fromkeys(citation for impact in impacts for citation in impact.citations))


def _inferences(impacts: list[Impact]) -> Text:
    """Each inference once, with the clients that it is about."""
    clients: dict[str, list[str]] = {}
    for impact in impacts:
        clients.setdefault(impact.inferred, []).append(impact.client)
    return _joined([(*listed(names), ": ", why) for why, names in clients.items() if why]) or ("none inferred",)


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
        (cell_words((Subject(shorten(reason, 200)),)), cell(str(count)), cell_code(example[reason] or "the document"))
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
