"""Limits, rate limits, idempotency, side effects and pagination: what the code shows beside what the contract states.

Leads, which only suggest something, never make a deviation.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final

from evreview.codefacts.model import CodeNote, CodeResponse
from evreview.contract.model import Element, ElementKind, Place
from evreview.core.vocabulary import ABSENT, Concern, Form, Json
from evreview.workflows.w2.facts import claim
from evreview.workflows.w2.reconcile.deviation import Deviation, Deviations, Matched, Steps, Undecided
from evreview.workflows.w2.reconcile.requests import documented_keys, names
from evreview.workflows.w2.reconcile.responses import LIMIT_STATUSES, is_rate_limiting
from evreview.workflows.w2.reconcile.stated_limits import (
    IDEMPOTENCY_KEY,
    StatedLimit,
    compared,
    denied,
    in_words,
    written,
)

BOTH: Final = "both sides state something about it, in terms that can't be compared"
SUGGESTED: Final = "HTTP calls the method safe, and the code suggests an effect that nothing here shows to happen"
SAFE_METHODS: Final = frozenset({"GET", "HEAD", "OPTIONS", "TRACE"})
_KINDS: Final[Mapping[Concern, str]] = {
    Concern.LIMITS: "limit-undocumented",
    Concern.RATE_LIMITS: "rate-limit-undocumented",
    Concern.IDEMPOTENCY: "idempotency-undocumented",
    Concern.SIDE_EFFECTS: "side-effect-undocumented",
    Concern.PAGINATION: "pagination-undocumented",
}
_UNNAMED: Final[Mapping[Concern, str]] = {Concern.LIMITS: "size of requests", Concern.RATE_LIMITS: "rate of calls"}
_PAGING: Final = re.compile(
    r"page|page[-_]?(size|token|number)|per[-_]?page|limit|offset|cursor|after|before|skip|take"
)
_IDEMPOTENT: Final = re.compile(r"(x-)?idempotency-?key|if-match|if-none-match")


def notes(matched: Matched) -> Deviations:
    """Every deviation in what the code does beside reading and answering."""
    known = names(matched)
    yield from _suggested(matched)
    for note, place in _placed(matched.route.notes):
        if note.concern is Concern.SIDE_EFFECTS and matched.operation.method in SAFE_METHODS:
            yield _note_deviation("side-effect-on-safe-method", matched, note, place)
        elif note.name.lower() in known and not _renamed(matched, note):
            continue  # a parameter: what differs has its row there
        else:
            yield from _beside(matched, note, place)


def _suggested(matched: Matched) -> Iterator[Undecided]:
    """Leads for an effect of a method that HTTP calls safe: they show nothing, and nobody should overlook them."""
    for note in matched.route.notes if matched.operation.method in SAFE_METHODS else ():
        if note.concern is Concern.SIDE_EFFECTS and not note.certain:
            yield matched.undecided(note.concern, (note.name,), SUGGESTED, note.spot)


def _beside(matched: Matched, note: CodeNote, place: Steps) -> Deviations:
    both = compared(matched, note)
    if both is not None and both.kind is not None:
        yield _note_deviation(both.kind, matched, note, place, both.stated)
    elif both is not None:
        return  # both say the same
    elif _STATED[note.concern](matched) or in_words(matched, note.concern, note.name):
        yield matched.undecided(note.concern, place, BOTH, note.spot)
    else:
        yield _note_deviation(_KINDS[note.concern], matched, note, place, denied(matched, note.concern))


def _renamed(matched: Matched, note: CodeNote) -> bool:
    """True for a key that the contract calls otherwise: that says more than that a parameter is not documented."""
    both = compared(matched, note) if note.concern is Concern.IDEMPOTENCY else None
    return both is not None and both.kind is not None


def _placed(found: Iterable[CodeNote]) -> Iterator[tuple[CodeNote, Steps]]:
    """The notes that count, each with its place. A limit has no name but an expression of the code, and is numbered."""
    numbers: dict[Concern, dict[tuple[str, str], int]] = {}
    for note in found:
        if not note.certain or note.concern not in _KINDS:
            continue
        if note.concern not in _UNNAMED:
            yield note, (note.name,)
            continue
        known = numbers.setdefault(note.concern, {})
        number = known.setdefault((note.name, repr(note.value)), len(known) + 1)
        yield note, (_UNNAMED[note.concern], *((number,) if number > 1 else ()))


def _note_deviation(
    kind: str, matched: Matched, note: CodeNote, place: Steps, stated: StatedLimit | None = None
) -> Deviation:
    said: dict[str, Json] = {"name": note.name}
    sent = _sent(matched, note)
    form: Form = note.name if note.value is ABSENT else said | {"value": note.value}
    held = {claim(matched.operation.id, Concern.ERRORS, code.status or 0) for code in sent}
    if stated is not None:
        held = {stated.key} | (held if kind in _KINDS.values() else set())
    return Deviation(
        kind=kind,
        operation=matched.operation.id,
        concern=note.concern,
        place=place,
        contract=ABSENT if stated is None else stated.form,
        implementation=form,
        citations=matched.cited(None if stated is None else stated.place, note.spot, *(code.spot for code in sent)),
        withholds=frozenset({claim(matched.operation.id, note.concern, *place), *held}),
    )


def _sent(matched: Matched, note: CodeNote) -> list[CodeResponse]:
    """The answers that tell about a limit."""
    return [code for code in matched.route.responses if LIMIT_STATUSES.get(code.status or 0) is note.concern]


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


# Repetitions that the contract's words promise to be safe, beside code in which nothing recognises a repetition.


NOT_JUDGED: Final = "the words promise that a call may be repeated, and whether the code keeps that is not shown"
NOT_WHOLE: Final = "not every part of the code was read, so nobody knows whether it reads the key that the words name"
_NAMED: Final = re.compile(r"\b(?:x-)?idempoten(?:cy|t)-key\b", re.IGNORECASE)
_DENIED: Final = re.compile(
    r"\bnon-?\s?idempoten|\b(?:not|no|never|without|isn.t|aren.t)\b(?:\s+\w+){0,3}\s+(?:idempoten|safe)", re.IGNORECASE
)


def promised(matched: Matched) -> Deviations:
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
            yield _idempotency_deviation(matched, sorted(keys)[0], text, place)


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


def _idempotency_deviation(matched: Matched, key: str, text: str, place: Place) -> Deviation:
    return Deviation(
        kind="idempotency-unkept",
        operation=matched.operation.id,
        concern=Concern.IDEMPOTENCY,
        place=(key,),
        contract=text,
        implementation=ABSENT,
        citations=matched.cited(place, matched.route.spot),
        withholds=frozenset({claim(matched.operation.id, Concern.IDEMPOTENCY)}),
    )
