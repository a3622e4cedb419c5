"""The compatibility matrix as a frame for the eye, and one row of it in full. Joins what the steps found, by delta."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Final

import pandas as pd

from evreview.comparison.delta import Delta
from evreview.core.vocabulary import DeltaId
from evreview.evidence.element_mentions import names_type
from evreview.workflows.w1.facts import W1Facts, row_citations
from evreview.workflows.widgets.renderables import Clean, DisplayContext, Listing, Renderable
from evreview.workflows.widgets.row_table import LedgerView
from evreview.workflows.widgets.table import Column, json_of
from evreview.workflows.widgets.two_sides import DetailView, written

if TYPE_CHECKING:
    from evreview.comparison.comparison import JudgedRow
    from evreview.evidence.item import Bundle
    from evreview.workflows.session import Review
    from evreview.workflows.w1.clients.impact import Impact

KEY: Final = "delta_id"
COLUMNS: Final = (
    Column("verdict", "Verdict", 13, "badge"),
    Column("operation", "Operation", 18, "code"),
    Column("aspect", "Aspect", 14),
    Column("change", "Change", 11),
    Column("where", "Where", 28, "code"),
    Column("released", "Released", 14, "code"),
    Column("candidate", "Candidate", 14, "code"),
    Column("clients", "Clients", 14),
    Column("proof", "Proof", 11),
)
FACETS: Final = ("verdict", "aspect", "operation", "clients")
_NO_CLIENT: Final = "none known"


def compatibility_matrix(display: DisplayContext) -> Renderable:
    """The matrix of a W1 review: to search, filter, sort and open where somebody sits, a table elsewhere."""
    facts = display.review.facts
    if not isinstance(facts, W1Facts) or facts.comparison is None:
        return Listing(title="No comparison was made: step 2 was not reached.", headless=display.headless)
    return LedgerView(
        frame=matrix_frame(facts),
        key=KEY,
        columns=COLUMNS,
        facets=FACETS,
        detail=partial(delta_detail, display.review, clean=display.clean),
        clean=display.clean,
        name=f"matrix of {display.name}",
        title="Compatibility matrix",
        headless=display.headless,
    )


def matrix_frame(facts: W1Facts) -> pd.DataFrame:
    """One row per delta, in ledger order. Key: `delta_id`. Columns: those of `COLUMNS`.

    `clients` lists the known clients that the contracts alone make incompatible, or where that is unknown.
    """
    touched = touched_clients(facts.impacts)
    return pd.DataFrame(
        [_cells(row, touched.get(row.delta.id, ())) for row in facts.rows],
        columns=[KEY, *(column.name for column in COLUMNS)],
    )


def touched_clients(impacts: Iterable[Impact]) -> Mapping[DeltaId, tuple[Impact, ...]]:
    """The impacts by delta, without those that say that a client is not touched."""
    found: dict[DeltaId, tuple[Impact, ...]] = {}
    for impact in impacts:
        if impact.contract_incompatible in ("yes", "unknown") or impact.executed == "failed":
            found[impact.delta_id] = (*found.get(impact.delta_id, ()), impact)
    return found


def _cells(row: JudgedRow, touched: Iterable[Impact]) -> tuple[object, ...]:
    delta = row.delta
    inside = str(delta.address).removeprefix(delta.operation).lstrip(" >") if delta.operation else str(delta.address)
    return (
        str(delta.id),
        str(row.judgement.verdict),
        delta.operation or _reaching(delta),
        str(delta.aspect),
        str(delta.change),
        _inside_out(inside or str(delta.address)),
        json_of(delta.released),
        json_of(delta.candidate),
        ", ".join(dict.fromkeys(str(impact.client) for impact in touched)) or _NO_CLIENT,
        str(row.proof.status),
    )


def _reaching(delta: Delta) -> str:
    """The operation that a named type is reached by, or how many; a document's own parts belong to none."""
    if not names_type(str(delta.address)) or not delta.operations:
        return "(document)"
    return delta.operations[0] if len(delta.operations) == 1 else f"{len(delta.operations)} operations"


def _inside_out(address: str) -> str:
    """The address with its last part first, which is what a narrow column still shows."""
    *outer, last = address.split(" > ")
    return f"{last} in {' > '.join(outer)}" if outer else last


def delta_detail(review: Review, key: str, clean: Clean) -> DetailView:
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
    fields = [(label, clean(value)) for label, value in _fields(review.bundle, facts, row) if value]
    touched = touched_clients(facts.impacts).get(row.delta.id, ())
    return DetailView(
        key=key,
        title=clean(str(row.delta.address)),
        verdict=str(row.judgement.verdict),
        why=clean(row.judgement.why),
        released=clean(written(row.delta.released)),
        candidate=clean(written(row.delta.candidate)),
        fields=tuple(fields),
        clients=tuple((clean(str(impact.client)), clean(impact_line(impact))) for impact in touched),
    )


def impact_line(impact: Impact) -> str:
    """The three consumer facts, kept apart, and what they rest on."""
    cited = ", ".join(dict.fromkeys(map(str, (*impact.citations, *impact.executed_checks))))
    parts = [
        f"contract-level incompatibility: {impact.contract_incompatible}",
        f"executed parser result: {impact.executed}",
        f"inferred runtime impact: {impact.inferred or 'none inferred'}",
        f"evidence: {cited or 'none recorded'}",
    ]
    return "; ".join(parts)


def _fields(bundle: Bundle, facts: W1Facts, row: JudgedRow) -> list[tuple[str, str]]:
    delta, judged, proof = row.delta, row.judgement, row.proof
    places = [str(place) for place in (delta.released_place, delta.candidate_place) if place]
    evidence = ", ".join(map(str, row_citations(bundle, facts, row)))
    return [
        ("Rule", str(judged.rule or "none matches")),
        ("Accepts old requests", str(judged.accepts_old_requests)),
        ("Emits old-compatible", str(judged.emits_old_compatible)),
        ("By plane", ", ".join(f"{plane}: {verdict}" for plane, verdict in judged.planes)),
        ("Proof", f"{proof.status} by {proof.method}" + (f": {proof.reason}" if proof.reason else "")),
        ("Witness", "" if proof.witness is None else written(proof.witness)),
        ("Witness realism", str(proof.realism or "")),
        ("Aspect", f"{delta.aspect}, {delta.change}" + (f" ({delta.facet})" if delta.facet else "")),
        ("Operations", ", ".join(delta.operations)),
        ("Written at", " and ".join(places)),
        ("Evidence", evidence or "none recorded"),
    ]
