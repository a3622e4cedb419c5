"""Statuses that may come now and could not before: whether the supplied policy says that clients take them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from evreview.comparison.comparison import Comparison, Row
from evreview.comparison.component_identity import STATUS
from evreview.comparison.delta import Delta
from evreview.contract.model import ElementKind
from evreview.core.vocabulary import Answer, Change, DeltaId, Form, Polarity, Verdict
from evreview.evidence.cited_records import Cited
from evreview.evidence.item import Citation
from evreview.evidence.records.compatibility import Policy

CLASSES: Final = ("2XX", "3XX", "4XX", "5XX")
_ERRORS: Final = frozenset({"4XX", "5XX"})


def taken(comparison: Comparison, policy: Cited[Policy] | None) -> tuple[Comparison, Mapping[DeltaId, Citation]]:
    """The comparison, rows about new statuses compatible where the policy says that clients take any of their class.

    The citations are of the policy's sentence, by the ids of the rows that it decided.
    """
    said = policy.record.client_statuses if policy is not None else None
    if policy is None or said is None:
        return comparison, {}
    known = frozenset[str](said.any_of)
    found = {row.delta.id: _compatible(row, said.text) for row in comparison.rows if _is_taken(row, known)}
    if not found:
        return comparison, {}
    rows = tuple(found.get(row.delta.id, row) for row in comparison.rows)
    return replace(comparison, rows=rows), dict.fromkeys(found, policy.at("/client_statuses"))


def _is_taken(row: Row, known: frozenset[str]) -> bool:
    classes = _classes(row.delta)
    return bool(classes) and classes <= known and row.judgement.verdict is not Verdict.COMPATIBLE


def _classes(delta: Delta) -> frozenset[str]:
    """The classes of the statuses that a row adds to what the producer may send, none for any other row."""
    added = delta.change is Change.ADDED and delta.facet == ""
    if delta.element is not ElementKind.RESPONSE or delta.polarity is not Polarity.WRITTEN:
        return frozenset()
    if not added and delta.facet != STATUS:
        return frozenset()
    status = _status(delta.candidate)
    if status == "default":
        return _ERRORS if delta.in_error else frozenset(CLASSES)
    return frozenset({f"{status[:1]}XX"})


def _status(form: Form) -> str:
    """The status of a response's form, which is its key, or holds it."""
    return str(form.get(ElementKind.RESPONSE.value, "") if isinstance(form, Mapping) else form)


def _compatible(row: Row, text: str) -> Row:
    said = f"{row.judgement.why} The policy says that clients take any status of the class: \u201c{text}\u201d"
    judged = replace(row.judgement, verdict=Verdict.COMPATIBLE, emits_old_compatible=Answer.YES, why=said)
    return replace(row, judgement=judged)
