"""The compatibility matrix as a frame for the eye, and one row of it in full, in the words of the artifact."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import pandas as pd

from evreview.comparison.comparison import JudgedRow
from evreview.core.quoted_text import plain
from evreview.core.vocabulary import Tristate
from evreview.evidence.item import Bundle
from evreview.kinds.registry import spec_of
from evreview.report.difference_text import stated
from evreview.workflows.w1.client_outcomes import ClientOutcome, delta_outcomes, expected_words, outcome_of, worst
from evreview.workflows.w1.clients.impact import Impact
from evreview.workflows.w1.facts import W1Facts, row_citations
from evreview.workflows.w1.matrix import RowWords, met_by_operation, row_words, worst_first
from evreview.workflows.widgets.difference_rows import CAPTION, COLUMNS, FOLDED, KEY, WORST, card_view, cells
from evreview.workflows.widgets.heat_map import HeatLine, HeatMap
from evreview.workflows.widgets.renderables import Clean, DisplayContext, Listing, Renderable
from evreview.workflows.widgets.row_table import LedgerView
from evreview.workflows.widgets.two_sides import DetailView

if TYPE_CHECKING:
    from evreview.workflows.session import Review

FACETS: Final = ("verdict", "operation", "client")
_RUN: Final = "run"
_UNTOUCHED: Final = (ClientOutcome.NO_CONFLICT, ClientOutcome.NOT_DECLARED)


def compatibility_matrix(display: DisplayContext) -> Renderable:
    """The matrix of a W1 review: to search, filter, sort and open where somebody sits, a table elsewhere."""
    facts = display.review.facts
    if not isinstance(facts, W1Facts) or facts.comparison is None:
        return Listing(title="No comparison was made: step 2 was not reached.", headless=display.headless)
    if not facts.rows:
        return Listing(title="The contracts do not differ on the wire: no row.", headless=display.headless)
    words = row_words(facts)
    return LedgerView(
        frame=matrix_frame(facts, words),
        key=KEY,
        columns=COLUMNS,
        facets=FACETS,
        folded=FOLDED,
        heat=client_map(display.review.bundle, facts, words),
        detail=partial(delta_detail, display.review, words, clean=display.clean),
        clean=display.clean,
        name=f"matrix of {display.name}",
        title="Compatibility matrix",
        caption=CAPTION,
        role="matrix",
        headless=display.headless,
    )


def client_map(bundle: Bundle, facts: W1Facts, words: RowWords) -> HeatMap:
    """Operations by known clients, in each square what the client meets there."""
    met = met_by_operation(bundle, facts, words)
    heads = tuple(map(str, next(iter(met.values()), ())))
    names = list(met)
    most = WORST if len(names) <= WORST else WORST - 1
    shown = [(words.names.get(name, name), [name]) for name in names[:most]]
    shown += [(f"{len(names) - most} more", names[most:])] if names[most:] else []
    lines = []
    for label, group in shown:
        told = tuple(str(worst(met[name][client] for name in group)) for client in met[group[0]])
        values = tuple(words.names.get(name, name) for name in group)
        lines.append(HeatLine(label=label, values=values, words=told, looks=told))
    title = "What each client meets in each operation."
    return HeatMap(title=title, facets=("operation", "client"), corner="Operation", heads=heads, lines=tuple(lines))


def matrix_frame(facts: W1Facts, words: RowWords) -> pd.DataFrame:
    """One row per delta, worst first. Key: `delta_id`; `operation` and `client` hold every name, to filter by."""
    made = [_row(facts, row, words) for row in worst_first(facts)]
    return pd.DataFrame(made, columns=[KEY, *(column.name for column in COLUMNS), "operation", "client"])


def _row(facts: W1Facts, row: JudgedRow, words: RowWords) -> tuple[object, ...]:
    spoken, impacts = words.texts[row.delta.id], words.impacts.get(row.delta.id, ())
    found = delta_outcomes(impacts)
    shown = ", ".join(filter(None, (spoken.shown_by, _RUN if found.runs else "")))
    touched = tuple(str(each.client) for each in impacts if outcome_of(each) not in _UNTOUCHED)
    operations = tuple(words.names.get(name, name) for name in words.groups[row.delta.id])
    first = cells(spoken, spec_of(row.delta.kind).operation_word)
    met = "not classified" if facts.unknown_consumers is None else plain(expected_words(found))
    return (*first, met, shown, operations, touched)


def delta_detail(review: Review, words: RowWords, key: str, clean: Clean) -> DetailView:
    """One row in full: both forms, verdict and why, proof, evidence, clients.

    Raises:
        KeyError: there is no such row.
    """
    facts = review.facts
    if not isinstance(facts, W1Facts):
        raise KeyError(key)
    row = next((row for row in facts.rows if row.delta.id == key), None)
    if row is None:
        raise KeyError(key)
    document: Any = facts.redactor.apart().clean_json(stated(row, facts.released))
    beside = tuple((label, clean(value)) for label, value in _beside(review.bundle, facts, row) if value)
    impacts = [each for each in words.impacts.get(row.delta.id, ()) if outcome_of(each) not in _UNTOUCHED]
    clients = tuple((clean(str(each.client)), str(outcome_of(each)), clean(rests_on(each))) for each in impacts)
    return card_view(words.cards[row.delta.id], document, beside=beside, clients=clients)


def rests_on(impact: Impact) -> str:
    """What is declared and what ran, kept apart, with their evidence."""
    told = []
    if impact.contract_incompatible is not Tristate.NO:
        told.append(f"declared: {impact.contract_why}")
    told.append(f"run: {impact.executed}")
    cited = ", ".join(dict.fromkeys(map(str, (*impact.citations, *impact.executed_checks))))
    return "; ".join(told) + (f" ({cited})" if cited else "")


def _beside(bundle: Bundle, facts: W1Facts, row: JudgedRow) -> Iterator[tuple[str, str]]:
    judged = facts.judgements.get(row.delta.id)
    if judged is not None and judged.quoted:
        yield "Severity", str(judged.severity_text)
        yield "Policy", f"“{judged.quoted}” {judged.citation or ''}".strip()
        yield "Closed by", " or ".join(judged.closes_by)
    yield "Evidence", ", ".join(map(str, row_citations(bundle, facts, row))) or "none recorded"
