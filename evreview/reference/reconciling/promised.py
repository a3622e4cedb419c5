"""Repetitions that the contract's words promise to be safe, beside code in which nothing recognises a repetition."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from evreview.contract.model import Place
from evreview.core.vocabulary import MISSING, Concern
from evreview.reference.claims import claim
from evreview.workflows.w2.step3_reconcile.deviation import Deviation, Found, Matched
from evreview.workflows.w2.step3_reconcile.limits import SAFE_METHODS
from evreview.workflows.w2.step3_reconcile.requests import documented_keys
from evreview.workflows.w2.step3_reconcile.stated_limits import IDEMPOTENCY_KEY, written

NOT_JUDGED: Final = "the words promise that a call may be repeated, and whether the code keeps that is not shown"
NOT_WHOLE: Final = "not every part of the code was read, so nobody knows whether it reads the key that the words name"
_NAMED: Final = re.compile(r"\b(?:x-)?idempoten(?:cy|t)-key\b", re.IGNORECASE)
_DENIED: Final = re.compile(
    r"\bnon-?\s?idempoten|\b(?:not|no|never|without|isn.t|aren.t)\b(?:\s+\w+){0,3}\s+(?:idempoten|safe)", re.IGNORECASE
)


def promised(matched: Matched) -> Found:
    """What is promised about repetitions in words alone; a documented key has its rows among the parameters."""
    if matched.operation.method in SAFE_METHODS or _recognises(matched):
        return
    for place, name, text in _promises(matched):
        keys = {found.lower() for found in _NAMED.findall(text)}
        if not keys:
            yield matched.undecided(Concern.IDEMPOTENCY, (name,), NOT_JUDGED, matched.route.spot)
        elif not matched.whole:
            yield matched.undecided(Concern.IDEMPOTENCY, (name,), NOT_WHOLE, matched.route.spot)
        elif not keys & {each for _, each in documented_keys(matched)}:
            yield _row(matched, sorted(keys)[0], text, place)


def _recognises(matched: Matched) -> bool:
    """True when the code looks for a key of repetitions, by whatever name it has."""
    route = matched.route
    noted = any(note.concern is Concern.IDEMPOTENCY and note.certain for note in route.notes)
    return noted or any(IDEMPOTENCY_KEY.fullmatch(each.name) for each in route.parameters)


def _promises(matched: Matched) -> Iterator[tuple[Place, str, str]]:
    """The sentences and extensions that promise something; one that denies it promises nothing."""
    for place, name, text in written(matched, Concern.IDEMPOTENCY):
        if not _DENIED.search(text):
            yield place, name, text


def _row(matched: Matched, key: str, text: str, place: Place) -> Deviation:
    return Deviation(
        kind="idempotency-unkept",
        operation=matched.operation.id,
        concern=Concern.IDEMPOTENCY,
        place=(key,),
        contract=text,
        implementation=MISSING,
        citations=matched.cited(place, matched.route.spot),
        withholds=frozenset({claim(matched.operation.id, Concern.IDEMPOTENCY)}),
    )
