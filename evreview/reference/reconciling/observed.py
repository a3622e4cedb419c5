"""What tests saw against what the contract says, and against the code.

Bodies of recorded exchanges are judged and never shown: what is shown is which rule of the schema they break.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from evreview.codefacts.model import CodeResponse
from evreview.contract.model import Element, ElementKind
from evreview.core.vocabulary import MISSING, Concern, Form, Json, Polarity
from evreview.reference.reconciling.failing import failed
from evreview.reference.reconciling.headers import ANYWAY
from evreview.reference.reconciling.responses import BODILESS
from evreview.reference.reconciling.rows import first_covering, media_base
from evreview.reference.reconciling.sightings import Sighting
from evreview.schema.validators import UNUSABLE, Validators
from evreview.workflows.w2.contract_rows import response_claim
from evreview.workflows.w2.step3_reconcile.deviation import Deviation, Matched, Steps
from evreview.workflows.w2.step3_reconcile.observed import asserted_name
from evreview.workflows.w2.step3_reconcile.responses import (
    ELSEWHERE,
    concern_of,
    contract_form,
    covering,
    silent,
    status_form,
)
from evreview.workflows.w2.step3_reconcile.value_sets import admits

_MOST: Final = 20


def observed(
    matched: Matched, seen: Sequence[Sighting], validators: Validators, *, routed: bool
) -> Iterator[Deviation]:
    """Every deviation that a test saw, one per sighting; alike ones are joined later.

    Args:
        routed: False when no route answers the operation, so that nothing can be said against the code.
    """
    for sighting in seen:
        status = sighting.status
        if sighting.failed:
            yield failed(matched, sighting)
        yield from asserted_name(matched, sighting) if not sighting.failed else ()
        if status is None or (sighting.failed and sighting.exchange is None):
            continue  # a failed assertion saw something else than it names
        element = covering(matched, status)
        if element is None:
            kind = "observed-status-undocumented"
            yield _row(kind, matched, (status,), (None, sighting), (MISSING, _code(matched, status), _seen(sighting)))
            continue
        if routed and silent(matched, status) and not _sends(matched, status):
            sent: list[Json] = [status_form(code) for code in matched.route.responses]
            forms = (contract_form(element), sent, _seen(sighting))
            yield _row("observed-not-in-code", matched, (status,), (element, sighting), forms)
        yield from _content(matched, element, sighting, validators)
        yield from _headers(matched, element, sighting)


def _content(matched: Matched, element: Element, sighting: Sighting, validators: Validators) -> Iterator[Deviation]:
    status, sent = int(sighting.status or 0), media_base(sighting.media_type)
    medias = {media.key: media for media in element.children if media.kind is ElementKind.MEDIA_TYPE}
    name = first_covering(medias, sent)
    bodiless = status in BODILESS or matched.operation.method == "HEAD"
    if name is None and sent and not bodiless and not _is_bare(sighting, medias):
        stated: list[Json] = [media.name for media in medias.values()]
        forms: tuple[Form, Form, Form] = (stated or MISSING, _code(matched, status), _seen(sighting))
        row = _row("observed-media-type-undocumented", matched, (status, sent), (element, sighting), forms)
        yield replace(row, by_code=_any(media_base(code.media_type) in ("", sent) for code in _sent(matched, status)))
    if name is None:
        return
    media, exchange = medias[name], sighting.exchange
    if exchange is not None and exchange.body_recorded and media.value is not None and not bodiless:
        broken = validators.violations(media.value, exchange.body, Polarity.WRITTEN)
        if broken and not any(UNUSABLE in each for each in broken):
            forms = (contract_form(element), _code(matched, status), list[Json](broken[:_MOST]))
            row = _row("observed-body-outside", matched, (status, media.name), (media, sighting), forms)
            yield replace(row, by_code=_any(_admits(matched, code, exchange.body) for code in _sent(matched, status)))


def _is_bare(sighting: Sighting, medias: dict[str, Element]) -> bool:
    """True for an answer without a body where the contract promises none."""
    exchange = sighting.exchange
    return not medias and exchange is not None and exchange.body_recorded and exchange.body in (None, "")


def _headers(matched: Matched, element: Element, sighting: Sighting) -> Iterator[Deviation]:
    exchange = sighting.exchange
    if exchange is None or not exchange.response_headers:
        return
    kept = {name.lower() for name in exchange.response_headers}
    promised = {child.key: child for child in element.children if child.kind is ElementKind.HEADER}
    for key, header in promised.items():
        if header.facet("required") is True and key not in kept:
            forms: tuple[Form, Form, Form] = ({"name": header.name, "required": True}, MISSING, MISSING)
            yield _row("observed-header-missing", matched, (element.key, header.name), (header, sighting), forms)
    for name in sorted(kept - promised.keys() - ANYWAY):
        place = (str(sighting.status), name)
        yield _row("observed-header-undocumented", matched, place, (element, sighting), (MISSING, MISSING, name))


def _sends(matched: Matched, status: int) -> bool:
    sent = {code.status for code in matched.route.responses}
    return status in sent or None in sent or not sent or status >= 500 or status in ELSEWHERE


def _sent(matched: Matched, status: int) -> list[CodeResponse]:
    return [code for code in matched.route.responses if code.status == status]


def _any(answers: Iterable[bool]) -> bool:
    """True when one is, or when there is none: nothing is known to differ."""
    known = list(answers)
    return any(known) or not known


def _admits(matched: Matched, code: CodeResponse, body: Json) -> bool:
    """False when the code is known to send other bodies."""
    if code.schema is None:
        return True
    position = matched.values.of_code(code.schema, Polarity.WRITTEN)
    return admits(position, position.schema, body) is not False


def _code(matched: Matched, status: int) -> Form:
    """What the code sends with a status."""
    sent = _sent(matched, status)
    return status_form(sent[0]) if sent else MISSING


def _seen(sighting: Sighting) -> Json:
    media: dict[str, Json] = {"media type": sighting.media_type} if sighting.media_type else {}
    return {"status": sighting.status, **media}


def _row(
    kind: str,
    matched: Matched,
    place: Steps,
    on: tuple[Element | None, Sighting],
    forms: tuple[Form, Form, Form],
) -> Deviation:
    element, sighting = on
    in_header = "header" in kind
    status = int(sighting.status or 0)
    covered = covering(matched, status)
    below = () if kind == "observed-media-type-undocumented" else place[1:]
    held = response_claim(matched.operation.id, covered.key if covered else str(status), *map(str, below))
    return Deviation(
        kind=kind,
        operation=matched.operation.id,
        concern=Concern.HEADERS if in_header else concern_of(status),
        place=place,
        contract=forms[0],
        implementation=forms[1],
        observed=forms[2],
        citations=(*matched.cited(element.place if element is not None else None), *sighting.citations),
        withholds=frozenset() if in_header else frozenset({held}),
    )
