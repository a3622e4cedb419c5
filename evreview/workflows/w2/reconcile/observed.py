"""What an assertion names: whether the contract has it there, and admits the value that is expected of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from evreview.codefacts.model import CodeResponse
from evreview.contract.model import Element, ElementKind
from evreview.core.vocabulary import ABSENT, Concern, Direction, Form, Json
from evreview.evidence.test_results.model import Assertion
from evreview.schema.validators import Validators
from evreview.workflows.w2.contract_rows import response_claim
from evreview.workflows.w2.facts import ClaimKey, Operation, claim
from evreview.workflows.w2.matrix.coverage import Against, against
from evreview.workflows.w2.matrix.test_results import documented_response
from evreview.workflows.w2.message_parts import ANYWAY, first_covering, media_base
from evreview.workflows.w2.reconcile.deviation import Deviation, Matched, Steps
from evreview.workflows.w2.reconcile.executed_tests import ObservedFact
from evreview.workflows.w2.reconcile.responses import (
    BODILESS,
    ELSEWHERE,
    concern_of,
    contract_form,
    covering,
    silent,
    status_form,
)
from evreview.workflows.w2.value_sets import admits


def asserted_name(matched: Matched, sighting: ObservedFact) -> Iterator[Deviation]:
    """A deviation when a passed assertion names what the contract surely lacks, or expects a value that it refuses."""
    assertion = sighting.assertion
    found = against(matched.values, matched.operation, assertion) if assertion is not None else None
    if assertion is None or found is None:
        return
    response = documented_response(matched.operation, assertion.status) if assertion.status is not None else None
    place, concern, held = _located(matched.operation, (assertion, response), found)
    on = found.media or response
    yield Deviation(
        kind=found.kind,
        operation=matched.operation.id,
        concern=concern,
        place=place,
        contract=found.contract,
        implementation=ABSENT,
        observed=assertion.expects if assertion.expects is not None else found.name,
        citations=(*matched.cited(on.place if on is not None else None), *sighting.citations),
        withholds=held,
    )


def _located(
    operation: Operation, on: tuple[Assertion, Element | None], found: Against
) -> tuple[Steps, Concern, frozenset[ClaimKey]]:
    """The place, the concern and the claims held back; none for the claim of the place itself."""
    assertion, response = on
    status = assertion.status or 0
    if response is None or found.kind == "observed-name-undocumented":
        return (found.name,), assertion.concern or Concern.PARAMETERS, frozenset()
    if found.kind == "observed-header-undocumented":
        return (str(status), found.name), Concern.HEADERS, frozenset()
    below = (*((found.media.name,) if found.media is not None else ()), found.name)
    return (status, *below), concern_of(status), frozenset({response_claim(operation.id, response.key, *below)})


# Checks that were executed and failed: what they are about is not what the contract says, or nobody knows.


_RESPONSE_CONCERNS = (Concern.SUCCESS, Concern.ERRORS)
_OF_REQUEST = (Concern.PARAMETERS, Concern.VALIDATION)


def failed(matched: Matched, sighting: ObservedFact) -> Deviation:
    """The deviation of one failed check; it holds back what the check is about, as far as that is told."""
    status, concern = sighting.status, _concern(sighting)
    element = covering(matched, status) if status is not None else None
    sent = [code for code in matched.route.responses if code.status == status] if status is not None else []
    implemented: Form = status_form(sent[0]) if sent else ABSENT
    told = (status, sighting.media_type, sighting.field)
    return Deviation(
        kind="observed-test-failed",
        operation=matched.operation.id,
        concern=concern,
        place=tuple(each for each in told if each not in (None, "")) or (sighting.case,),
        contract=contract_form(element) if element is not None else ABSENT,
        implementation=implemented,
        observed={"test": sighting.case, "outcome": "failed"},
        citations=(*matched.cited(element.place if element is not None else None), *sighting.citations),
        withholds=frozenset(_held(matched, (sighting, element), concern)),
    )


def _concern(sighting: ObservedFact) -> Concern:
    stated = sighting.assertion.concern if sighting.assertion is not None else None
    if stated is not None:
        return stated
    if sighting.status is not None:
        return concern_of(sighting.status)
    return Concern.PARAMETERS if sighting.field else Concern.SUCCESS


def _held(matched: Matched, on: tuple[ObservedFact, Element | None], concern: Concern) -> Iterator[ClaimKey]:
    (sighting, element), operation = on, matched.operation.id
    if concern in _RESPONSE_CONCERNS and sighting.status is not None:
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


# What tests saw against what the contract says, and against the code.
#
# Bodies of recorded exchanges are judged and never shown: what is shown is which rule of the schema they break.


_MOST: Final = 20


def observed_deviations(
    matched: Matched, seen: Sequence[ObservedFact], validators: Validators, *, routed: bool
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
            yield _row(kind, matched, (status,), (None, sighting), (ABSENT, _code(matched, status), _seen(sighting)))
            continue
        if routed and silent(matched, status) and not _sends(matched, status):
            sent: list[Json] = [status_form(code) for code in matched.route.responses]
            forms = (contract_form(element), sent, _seen(sighting))
            yield _row("observed-not-in-code", matched, (status,), (element, sighting), forms)
        yield from _content(matched, element, sighting, validators)
        yield from _header_deviations(matched, element, sighting)


def _content(matched: Matched, element: Element, sighting: ObservedFact, validators: Validators) -> Iterator[Deviation]:
    status, sent = int(sighting.status or 0), media_base(sighting.media_type)
    medias = {media.key: media for media in element.children if media.kind is ElementKind.MEDIA_TYPE}
    name = first_covering(medias, sent)
    bodiless = status in BODILESS or matched.operation.method == "HEAD"
    if name is None and sent and not bodiless and not _is_bare(sighting, medias):
        stated: list[Json] = [media.name for media in medias.values()]
        forms: tuple[Form, Form, Form] = (stated or ABSENT, _code(matched, status), _seen(sighting))
        row = _row("observed-media-type-undocumented", matched, (status, sent), (element, sighting), forms)
        yield replace(row, by_code=_any(media_base(code.media_type) in ("", sent) for code in _sent(matched, status)))
    if name is None:
        return
    media, exchange = medias[name], sighting.exchange
    if exchange is not None and exchange.body_recorded and media.value is not None and not bodiless:
        broken = validators.violations(media.value, exchange.body, Direction.WRITTEN)
        if broken:
            forms = (contract_form(element), _code(matched, status), list[Json](broken[:_MOST]))
            row = _row("observed-body-outside", matched, (status, media.name), (media, sighting), forms)
            yield replace(row, by_code=_any(_admits(matched, code, exchange.body) for code in _sent(matched, status)))


def _is_bare(sighting: ObservedFact, medias: dict[str, Element]) -> bool:
    """True for an answer without a body where the contract promises none."""
    exchange = sighting.exchange
    return not medias and exchange is not None and exchange.body_recorded and exchange.body in (None, "")


def _header_deviations(matched: Matched, element: Element, sighting: ObservedFact) -> Iterator[Deviation]:
    exchange = sighting.exchange
    if exchange is None or not exchange.response_headers:
        return
    kept = {name.lower() for name in exchange.response_headers}
    promised = {child.key: child for child in element.children if child.kind is ElementKind.HEADER}
    for key, header in promised.items():
        if header.facet("required") is True and key not in kept:
            forms: tuple[Form, Form, Form] = ({"name": header.name, "required": True}, ABSENT, ABSENT)
            yield _row("observed-header-missing", matched, (element.key, header.name), (header, sighting), forms)
    for name in sorted(kept - promised.keys() - ANYWAY):
        place = (str(sighting.status), name)
        yield _row("observed-header-undocumented", matched, place, (element, sighting), (ABSENT, ABSENT, name))


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
    position = matched.values.of_code(code.schema, Direction.WRITTEN)
    return admits(position, position.schema, body) is not False


def _code(matched: Matched, status: int) -> Form:
    """What the code sends with a status."""
    sent = _sent(matched, status)
    return status_form(sent[0]) if sent else ABSENT


def _seen(sighting: ObservedFact) -> Json:
    media: dict[str, Json] = {"media type": sighting.media_type} if sighting.media_type else {}
    return {"status": sighting.status, **media}


def _row(
    kind: str,
    matched: Matched,
    place: Steps,
    on: tuple[Element | None, ObservedFact],
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
