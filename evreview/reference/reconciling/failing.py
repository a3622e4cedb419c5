"""Checks that were executed and failed: what they are about is not what the contract says, or nobody knows."""

from __future__ import annotations

from collections.abc import Iterator

from evreview.contract.model import Element, ElementKind
from evreview.core.vocabulary import MISSING, Concern, Form
from evreview.reference.claims import claim
from evreview.reference.model import ClaimKey
from evreview.reference.reconciling.rows import first_covering, media_base
from evreview.reference.reconciling.sightings import Sighting
from evreview.workflows.w2.contract_rows import response_claim
from evreview.workflows.w2.step3_reconcile.deviation import Deviation, Matched
from evreview.workflows.w2.step3_reconcile.responses import concern_of, contract_form, covering, status_form

_OF_BODY = (Concern.SUCCESS, Concern.ERRORS)
_OF_REQUEST = (Concern.PARAMETERS, Concern.VALIDATION)


def failed(matched: Matched, sighting: Sighting) -> Deviation:
    """The deviation of one failed check; it holds back what the check is about, as far as that is told."""
    status, concern = sighting.status, _concern(sighting)
    element = covering(matched, status) if status is not None else None
    sent = [code for code in matched.route.responses if code.status == status] if status is not None else []
    implemented: Form = status_form(sent[0]) if sent else MISSING
    told = (status, sighting.media_type, sighting.field)
    return Deviation(
        kind="observed-test-failed",
        operation=matched.operation.id,
        concern=concern,
        place=tuple(each for each in told if each not in (None, "")) or (sighting.case,),
        contract=contract_form(element) if element is not None else MISSING,
        implementation=implemented,
        observed={"test": sighting.case, "outcome": "failed"},
        citations=(*matched.cited(element.place if element is not None else None), *sighting.citations),
        withholds=frozenset(_held(matched, (sighting, element), concern)),
    )


def _concern(sighting: Sighting) -> Concern:
    stated = sighting.assertion.concern if sighting.assertion is not None else None
    if stated is not None:
        return stated
    if sighting.status is not None:
        return concern_of(sighting.status)
    return Concern.PARAMETERS if sighting.field else Concern.SUCCESS


def _held(matched: Matched, on: tuple[Sighting, Element | None], concern: Concern) -> Iterator[ClaimKey]:
    (sighting, element), operation = on, matched.operation.id
    if concern in _OF_BODY and sighting.status is not None:
        key = element.key if element is not None else str(sighting.status)
        yield response_claim(operation, key, *_media(element, sighting.media_type))
    elif concern is Concern.HEADERS and element is not None and sighting.field:
        yield claim(operation, concern, element.key, _header(element, sighting.field))
    elif concern in _OF_REQUEST and sighting.field:
        named = [each for each in matched.children(ElementKind.PARAMETER) if each.name == sighting.field]
        for each in named:
            yield claim(operation, concern, each.key.partition(":")[0], each.name)
        if not named:
            yield claim(operation, concern)
    else:
        yield claim(operation, concern)


def _media(element: Element | None, media_type: str) -> tuple[str, ...]:
    medias = [each for each in (element.children if element else ()) if each.kind is ElementKind.MEDIA_TYPE]
    by_key = {each.key: each.name for each in medias}
    name = first_covering(by_key, media_base(media_type))
    return () if name is None else (by_key[name],)


def _header(element: Element, name: str) -> str:
    named = (each.name for each in element.children if each.kind is ElementKind.HEADER)
    return next((each for each in named if each.lower() == name.lower()), name)
