"""Amounts and names that the contract states about limits, rates, pages and keys, beside those of the code."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from evreview.codefacts.model import CodeNote
from evreview.contract.model import Element, ElementKind, Place
from evreview.core.vocabulary import Concern, Form, Json
from evreview.workflows.w2.contract_words import Rate, Size, pages, rate_of, rates, sentences, signals, sizes
from evreview.workflows.w2.facts import ClaimKey, claim
from evreview.workflows.w2.reconcile.deviation import Matched

IDEMPOTENCY_KEY: Final = re.compile(r"(x-)?idempoten(cy|t)-?key", re.IGNORECASE)
_PAGE_SIZE: Final = re.compile(r"page\[?[-_]?size\]?|per[-_]?page|\$?limit|\$?top|max[-_]?results", re.IGNORECASE)
_BYTES: Final = re.compile(r"content.?length|max_?size|body|bytes|file.?size", re.IGNORECASE)
_NO_RATE: Final = re.compile(
    r"\b(?:no|without(?: any)?|not(?: be)?|(?:isn|aren)[\u2019']t)\s+(?:request\s+|call\s+)?(?:rate[- ]?limit|throttl)",
    re.IGNORECASE,
)
_WORDED: Final = frozenset({Concern.LIMITS, Concern.RATE_LIMITS, Concern.PAGINATION})


@dataclass(frozen=True, slots=True, kw_only=True)
class StatedLimit:
    """One amount or name that the contract states.

    Attributes:
        amount: what is compared.
        form: as it is written.
        place: where.
        key: the claim of the reference that says it.
    """

    amount: object
    form: Json
    place: Place
    key: ClaimKey


@dataclass(frozen=True, slots=True)
class Compared:
    """The comparison of one note. `kind` is None for sides that agree."""

    kind: str | None
    stated: StatedLimit


def compared(matched: Matched, note: CodeNote) -> Compared | None:
    """What comes of comparing a note with what the contract states; None where that can't be compared."""
    way = _WAYS.get(note.concern)
    return None if way is None else way(matched, note)


def in_words(matched: Matched, concern: Concern, name: str = "") -> bool:
    """True when the contract's own words state something about a concern, and not that there is no such thing.

    Args:
        matched: the operation.
        concern: limits, rate limits or pagination; the names of parameters and answers speak for the others.
        name: what the code calls its limit; one of bytes is told by a size alone.
    """
    texts = [text for _, _, text in written(matched, concern)] if concern in _WORDED else []
    if concern is Concern.LIMITS and _BYTES.search(name):
        return any(list(sizes(text)) for text in texts)
    return any(not _denies(text) for text in texts)


def denied(matched: Matched, concern: Concern) -> StatedLimit | None:
    """The sentence by which the contract says that there is no rate limit."""
    found = written(matched, concern) if concern is Concern.RATE_LIMITS else ()
    return next((_as_stated(matched, concern, each) for each in found if _denies(each[2])), None)


def _denies(text: str) -> bool:
    return _NO_RATE.search(text) is not None and not list(rates(text))


def _as_stated(matched: Matched, concern: Concern, written: tuple[Place, str, str]) -> StatedLimit:
    place, name, text = written
    key = claim(matched.operation.id, concern, name)
    return StatedLimit(amount=None, form=text, place=place, key=key)


def _rate(matched: Matched, note: CodeNote) -> Compared | None:
    kept, stated = rate_of(note.value), _only(_texts(matched, note.concern, rates))
    if kept is None or stated is None or not isinstance(stated.amount, Rate):
        return None
    if kept == stated.amount:
        return Compared(None, stated)
    return Compared("rate-limit-lower" if kept.refuses(stated.amount) else "rate-limit-higher", stated)


def _size(matched: Matched, note: CodeNote) -> Compared | None:
    kept, stated = _number(note.value), _only(_texts(matched, note.concern, sizes))
    if kept is None or stated is None or not isinstance(stated.amount, Size) or not _BYTES.search(note.name):
        return None
    if stated.amount.least <= kept <= stated.amount.most:
        return Compared(None, stated)
    return Compared("limit-lower" if kept < stated.amount.least else "limit-higher", stated)


def _page(matched: Matched, note: CodeNote) -> Compared | None:
    kept = _number(note.value)
    stated = _only(_defaults(matched)) or _only(_texts(matched, note.concern, pages))
    if kept is None or stated is None:
        return None
    return Compared(None if stated.amount == kept else "page-size-differs", stated)


def _key(matched: Matched, note: CodeNote) -> Compared | None:
    stated = _only(
        StatedLimit(
            amount=element.name.lower(),
            form=element.name,
            place=element.place,
            key=claim(matched.operation.id, Concern.IDEMPOTENCY, element.name),
        )
        for element in matched.children(ElementKind.PARAMETER)
        if IDEMPOTENCY_KEY.fullmatch(element.name)
    )
    if stated is None or IDEMPOTENCY_KEY.fullmatch(note.name) is None:
        return None
    return Compared(None if stated.amount == note.name.lower() else "idempotency-key-differs", stated)


_WAYS: Final[dict[Concern, Callable[[Matched, CodeNote], Compared | None]]] = {
    Concern.RATE_LIMITS: _rate,
    Concern.LIMITS: _size,
    Concern.PAGINATION: _page,
    Concern.IDEMPOTENCY: _key,
}


def _only(found: Iterable[StatedLimit]) -> StatedLimit | None:
    """The one amount that is stated, however often; several say that they hold for different cases."""
    every = list(found)
    return every[0] if len({each.amount for each in every}) == 1 else None


def _texts(matched: Matched, concern: Concern, read: Callable[[str], Iterable[object]]) -> Iterator[StatedLimit]:
    """The amounts in sentences and extensions that the reference quotes."""
    for place, name, text in written(matched, concern):
        key = claim(matched.operation.id, concern, name)
        for amount in read(text):
            yield StatedLimit(amount=amount, form=text, place=place, key=key)


def written(matched: Matched, concern: Concern) -> Iterator[tuple[Place, str, str]]:
    """The sentences and extensions that state something about a concern: place, name, text."""
    element = matched.operation.element
    for owner in (element, *matched.children(ElementKind.RESPONSE)):
        yield from _sentences(owner, ("summary", "description"), concern)
    if concern is Concern.RATE_LIMITS:
        yield from _sentences(matched.evidence.contract.root, ("info.description",), concern)
    for facet in element.facets:
        told = any(signal.concern is concern for signal in signals("extension", facet.name))
        if told and isinstance(facet.value, str):
            yield element.place.child(facet.name), facet.name, facet.value


def _sentences(owner: Element, facets: tuple[str, ...], concern: Concern) -> Iterator[tuple[Place, str, str]]:
    for name in facets:
        written = owner.facet(name)
        for sentence in sentences(written) if isinstance(written, str) else ():
            if any(signal.concern is concern for signal in signals("sentence", sentence)):
                yield owner.place.child(*name.split(".")), "description", sentence


def _defaults(matched: Matched) -> Iterator[StatedLimit]:
    """How many items a page has when the caller does not say."""
    for element in matched.children(ElementKind.PARAMETER):
        node = element.value.node if element.value is not None else None
        default = _number(node.get("default")) if isinstance(node, dict) else None
        if default is not None and _PAGE_SIZE.fullmatch(element.name):
            key = claim(matched.operation.id, Concern.PAGINATION, element.name)
            form: Json = {"name": element.name, "default": default}
            yield StatedLimit(amount=default, form=form, place=element.place, key=key)


def _number(value: Form) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None
