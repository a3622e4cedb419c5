"""Limits, rate limits, idempotency, side effects and pagination that the code shows and the contract does not state.

Leads, which only suggest something, never make a deviation.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Final

from evreview.contracts.model import Element, ElementKind
from evreview.reference.claims import claim
from evreview.reference.reconciling.deviation import Deviation, Found, Matched
from evreview.reference.reconciling.headers import is_rate_limiting
from evreview.reference.reconciling.parameters import names
from evreview.reference.reconciling.statuses import LIMIT_STATUSES
from evreview.sources.model import CodeNote
from evreview.vocab import MISSING, Concern, Form, Json

BOTH: Final = "both sides state something about it, in terms that can't be compared"
SAFE_METHODS: Final = frozenset({"GET", "HEAD", "OPTIONS", "TRACE"})
_KINDS: Final[Mapping[Concern, str]] = {
    Concern.LIMITS: "limit-undocumented",
    Concern.RATE_LIMITS: "rate-limit-undocumented",
    Concern.IDEMPOTENCY: "idempotency-undocumented",
    Concern.SIDE_EFFECTS: "side-effect-undocumented",
    Concern.PAGINATION: "pagination-undocumented",
}
_PAGING: Final = re.compile(
    r"page|page[-_]?(size|token|number)|per[-_]?page|limit|offset|cursor|after|before|skip|take"
)
_IDEMPOTENT: Final = re.compile(r"(x-)?idempotency-?key|if-match|if-none-match")


def notes(matched: Matched) -> Found:
    """Every deviation in what the code does beside reading and answering."""
    for note in matched.route.notes:
        if not note.certain or note.concern not in _KINDS:
            continue
        if note.concern is Concern.SIDE_EFFECTS and matched.operation.method in SAFE_METHODS:
            yield _row("side-effect-on-safe-method", matched, note)
        elif note.name.lower() in names(matched):
            continue  # a parameter: what differs has its row there
        elif _STATED[note.concern](matched):
            yield matched.undecided(note.concern, (note.name,), BOTH, note.spot)
        else:
            yield _row(_KINDS[note.concern], matched, note)


def _row(kind: str, matched: Matched, note: CodeNote) -> Deviation:
    said: dict[str, Json] = {"name": note.name}
    sent = [code for code in matched.route.responses if LIMIT_STATUSES.get(code.status or 0) is note.concern]
    form: Form = note.name if note.value is MISSING else said | {"value": note.value}
    return Deviation(
        kind=kind,
        operation=matched.operation.id,
        concern=note.concern,
        place=(note.name,),
        contract=MISSING,
        implementation=form,
        citations=matched.cited(None, note.spot, *(code.spot for code in sent)),
        withholds=frozenset(
            {
                claim(matched.operation.id, note.concern, note.name),
                *(claim(matched.operation.id, Concern.ERRORS, code.status or 0) for code in sent),
            }
        ),
    )


def _headers(matched: Matched) -> list[Element]:
    return [
        child for response in matched.children(ElementKind.RESPONSE) for child in response.children
        if child.kind is ElementKind.HEADER
    ]  # fmt: skip


def _stated_parameters(matched: Matched) -> list[str]:
    return [element.name.lower() for element in matched.children(ElementKind.PARAMETER)]


def _answers(matched: Matched, status: str) -> bool:
    return any(response.key == status for response in matched.children(ElementKind.RESPONSE))


def _limits(matched: Matched) -> bool:
    return _answers(matched, "413")


def _rates(matched: Matched) -> bool:
    return _answers(matched, "429") or any(is_rate_limiting(header.name) for header in _headers(matched))


def _idempotency(matched: Matched) -> bool:
    return any(_IDEMPOTENT.fullmatch(name) for name in _stated_parameters(matched))


def _effects(matched: Matched) -> bool:
    return bool(matched.children(ElementKind.CALLBACK))


def _pages(matched: Matched) -> bool:
    return any(_PAGING.fullmatch(name) for name in _stated_parameters(matched)) or any(
        header.key == "link" for header in _headers(matched)
    )


_STATED: Final[Mapping[Concern, Callable[[Matched], bool]]] = {
    Concern.LIMITS: _limits,
    Concern.RATE_LIMITS: _rates,
    Concern.IDEMPOTENCY: _idempotency,
    Concern.SIDE_EFFECTS: _effects,
    Concern.PAGINATION: _pages,
}
