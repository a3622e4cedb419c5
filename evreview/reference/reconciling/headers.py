"""Response headers: those that the code sets against those that the contract promises."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from evreview.codefacts.model import CodeNote, CodeResponse, Spot
from evreview.contract.model import Element, ElementKind
from evreview.core.vocabulary import MISSING, Concern, Form
from evreview.reference.claims import claim
from evreview.workflows.w2.step3_reconcile.deviation import Deviation, Found, Matched, Steps
from evreview.workflows.w2.step3_reconcile.requests import names
from evreview.workflows.w2.step3_reconcile.responses import covering

NOT_WHOLE: Final = "not every part of the code was read, so nobody knows whether the header is set"
ANYWAY: Final = frozenset({
    "accept-ranges", "access-control-allow-origin", "age", "allow", "connection", "content-encoding",
    "content-language", "content-length", "content-type", "date", "keep-alive", "server", "trailer",
    "transfer-encoding", "vary", "via", "www-authenticate",
})  # fmt: skip
"""Headers that servers and the HTTP standard bring along, documented or not."""
CHALLENGE: Final = "www-authenticate"
STANDARD: Final = "the code sets a header that the HTTP standard asks for, and the contract does not state it"
SOME: Final = "on some ways to the answer"
SOME_ANSWERS: Final = (
    "the code sets the required header in some answers of the status, and as far as is read not in all"
)
_On = tuple[Element | None, *tuple[Spot, ...]]
RATE_LIMITING: Final = re.compile(r"(x-)?rate-?limit.*|retry-after", re.IGNORECASE)


def headers(matched: Matched) -> Found:
    """Every deviation in an operation's response headers."""
    limited = any(note.concern is Concern.RATE_LIMITS and note.certain for note in matched.route.notes)
    everywhere = {note.name.lower(): note for note in _header_notes(matched)}
    seen: set[tuple[str, str]] = set()
    for code in matched.route.responses:
        element = covering(matched, code.status) if code.status is not None else None
        for name in sorted(set(code.headers), key=str.lower) if element is not None else ():
            known = (str(code.status), name.lower())
            if known in seen or name.lower() in _promised(element) | ANYWAY or (limited and is_rate_limiting(name)):
                continue
            seen.add(known)
            yield _row("header-undocumented", matched, (str(code.status), name), (element, code.spot), (MISSING, name))
    yield from _challenges(matched)
    yield from _noted(matched, limited)
    yield from _unset(matched, frozenset(everywhere))


def _challenges(matched: Matched) -> Found:
    """Challenges that the code itself sets beside a refusal; those of a framework come along undocumented."""
    for code in matched.route.responses:
        element = covering(matched, code.status) if code.status is not None else None
        if element is not None and code.how != "framework" and CHALLENGE not in _promised(element):
            for name in (each for each in code.headers if each.lower() == CHALLENGE):
                yield matched.undecided(Concern.HEADERS, (str(code.status), name), STANDARD, code.spot)


def is_rate_limiting(name: str) -> bool:
    """True for a header that tells about a rate limit."""
    return RATE_LIMITING.fullmatch(name) is not None


def _header_notes(matched: Matched) -> list[CodeNote]:
    """Notes that name a header; a known middleware is noted by its own name."""
    return [
        note for note in matched.route.notes
        if note.concern is Concern.HEADERS and note.certain and not note.name.endswith("Middleware")
    ]  # fmt: skip


def _promised(element: Element | None) -> frozenset[str]:
    children = element.children if element is not None else ()
    return frozenset(child.key for child in children if child.kind is ElementKind.HEADER)


def _noted(matched: Matched, limited: bool) -> Iterator[Deviation]:
    """Headers that the code deals with outside of a single response (a middleware, say)."""
    every = frozenset().union(*(_promised(each) for each in matched.children(ElementKind.RESPONSE)))
    known = every | names(matched) | ANYWAY
    set_by_response = {name.lower() for code in matched.route.responses for name in code.headers}
    for note in _header_notes(matched):
        name = note.name.lower()
        if name not in known | set_by_response and not (limited and is_rate_limiting(name)):
            yield _row("header-undocumented", matched, (note.name,), (None, note.spot), (MISSING, note.name))


def _unset(matched: Matched, everywhere: frozenset[str]) -> Found:
    """Promised headers that no response of their status sets."""
    for element in matched.children(ElementKind.RESPONSE):
        sent = [code for code in matched.route.responses if str(code.status) == element.key]
        kept = everywhere | {name.lower() for code in sent for name in code.headers}
        missing = [
            child for child in element.children if child.kind is ElementKind.HEADER and child.key not in kept | ANYWAY
        ]
        for header in missing if sent else ():
            place: Steps = (element.key, header.name)
            spots = [code.spot for code in sent]
            if matched.whole:
                forms: tuple[Form, Form] = (
                    {"name": header.name, "required": header.facet("required") is True},
                    MISSING,
                )
                yield _row("header-unset", matched, place, (header, *spots), forms)
            else:
                yield matched.undecided(Concern.HEADERS, place, NOT_WHOLE, *spots)
        if sent:
            yield from _sometimes(matched, element, sent, everywhere)


def _sometimes(matched: Matched, element: Element, sent: Sequence[CodeResponse], everywhere: frozenset[str]) -> Found:
    """Required headers that one answer of a status sets and another does not, or not on every way."""
    for header in element.children:
        if header.kind is not ElementKind.HEADER or header.facet("required") is not True:
            continue
        bare = [code for code in sent if header.key not in _lower(code.headers)]
        partly = [code for code in sent if header.key in _lower(code.sometimes)]
        if header.key in everywhere | ANYWAY or len(bare) == len(sent) or not (bare or partly):
            continue
        place: Steps = (element.key, header.name)
        spots = [code.spot for code in (*partly, *bare)]
        if partly and matched.whole:
            forms: tuple[Form, Form] = ({"name": header.name, "required": True}, {"name": header.name, "set": SOME})
            yield _row("header-sometimes-unset", matched, place, (header, *spots), forms)
        else:
            yield matched.undecided(Concern.HEADERS, place, SOME_ANSWERS, *spots)


def _lower(names: Iterable[str]) -> frozenset[str]:
    return frozenset(name.lower() for name in names)


def _row(kind: str, matched: Matched, place: Steps, on: _On, forms: tuple[Form, Form]) -> Deviation:
    element, *spots = on
    return Deviation(
        kind=kind,
        operation=matched.operation.id,
        concern=Concern.HEADERS,
        place=place,
        contract=forms[0],
        implementation=forms[1],
        citations=matched.cited(element.place if element is not None else None, *spots),
        withholds=frozenset({claim(matched.operation.id, Concern.HEADERS, *place)}),
    )
