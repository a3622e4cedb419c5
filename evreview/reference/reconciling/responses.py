"""Responses: which statuses are sent, with which media type and body."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from evreview.codefacts.model import CodeResponse
from evreview.contract.model import Element, ElementKind
from evreview.core.vocabulary import MISSING, Concern, Form, Json, Polarity
from evreview.reference.reconciling.difference import Difference, Mode, Way
from evreview.reference.reconciling.error_codes import error_codes, lists_codes
from evreview.reference.reconciling.rows import covers, first_covering, media_base, value_rows
from evreview.workflows.w2.contract_rows import response_claim
from evreview.workflows.w2.step3_reconcile.deviation import At, Deviation, Found, Matched, Steps
from evreview.workflows.w2.step3_reconcile.responses import concern_of, covering, how, statuses

UNKNOWN_BODY: Final = "nothing is known about the body that the code sends"
UNSTATED: Final = "the contract gives no schema for this body"
NO_MEDIA: Final = "the code does not show which of the contract's media types it sends"
NO_STATUS: Final = "a response whose status can't be told from the code"
NOT_SENT: Final = "the code shown answers with other media types of the contract, and may send this one elsewhere"
NEGOTIATING: Final = frozenset({"django", "drf"})
"""Frameworks whose settings may add media types to what a view sends."""
DENIALS: Final = frozenset({"401", "403"})
DENIES: Final = "the framework itself refuses callers too, with a status that differs by version and a body of its own"
BODILESS: Final = frozenset({204, 205, 304})
_KINDS: Final[Mapping[Way, str]] = {
    Way.OUTSIDE: "response-outside",
    Way.UNDOCUMENTED: "response-field-undocumented",
    Way.MISSING: "response-field-missing",
    Way.UNOWED: "response-field-unowed",
}


def responses(matched: Matched) -> Found:
    """Every deviation in what an operation answers."""
    yield from statuses(matched)
    for code in matched.route.responses:
        if code.status is None:
            yield from _untold(matched, code)
            continue
        element = covering(matched, code.status)
        if element is not None and matched.operation.method != "HEAD":
            yield from _body(matched, element, code, code.status)
    yield from _unsent(matched)


def _untold(matched: Matched, code: CodeResponse) -> Found:
    """An answer whose status can't be told; a framework's denial is one of the documented refusals, or none."""
    refusals = [each.key for each in matched.children(ElementKind.RESPONSE) if each.key in DENIALS]
    if code.how == "framework" and refusals:
        for key in refusals:
            yield matched.undecided(Concern.ERRORS, (key,), DENIES, code.spot)
    else:
        concern = Concern.SUCCESS if code.how == "returned" else Concern.ERRORS
        yield matched.undecided(concern, (), NO_STATUS, code.spot)


def _unsent(matched: Matched) -> Found:
    """Media types of a success status that no answer has, where other ones of the same status are sent."""
    answers = matched.route.responses
    if matched.operation.method == "HEAD" or any(code.status is None for code in answers):
        return
    for element in matched.children(ElementKind.RESPONSE):
        sent = [code for code in answers if str(code.status) == element.key and int(element.key) < 400]
        types = {media_base(code.media_type) for code in sent}
        medias = [media for media in element.children if media.kind is ElementKind.MEDIA_TYPE]
        if "" in types or not any(covers(media.key, each) for media in medias for each in types):
            continue
        for media in medias:
            if any(covers(media.key, each) for each in types) or "*" in media.key:
                continue
            held = response_claim(matched.operation.id, element.key, media.name)
            spots = tuple(code.spot for code in sent)
            at = At(matched, Concern.SUCCESS, (int(element.key), media.name), spots, held)
            if matched.whole and matched.route.framework not in NEGOTIATING:
                yield _row("response-media-type-unsent", at, media, (media.name, sorted(types)))
            else:
                yield matched.undecided(at.concern, at.place, NOT_SENT, *spots)


def _body(matched: Matched, element: Element, code: CodeResponse, status: int) -> Found:
    medias = {media.key: media for media in element.children if media.kind is ElementKind.MEDIA_TYPE}
    sent, place = media_base(code.media_type), (status, media_base(code.media_type))
    concern = concern_of(status)
    at = At(matched, concern, place, (code.spot,), response_claim(matched.operation.id, element.key))
    if not medias:
        if sent and status not in BODILESS and not _is_empty(code):
            yield _row("response-body-undocumented", at, element, (MISSING, code_form(code)))
        return
    name = first_covering(medias, code.media_type)
    if name is None and sent:
        stated: list[Json] = [media.name for media in medias.values()]
        yield _row("response-media-type-differs", at, element, (stated, code.media_type))
    elif name is None:
        answers, decides = matched.route.responses, matched.executed.decides_body
        if not any(decides(code, answers, element.key, each) for each in medias.values()):
            yield matched.undecided(concern, (status,), NO_MEDIA, code.spot)
    else:
        media = medias[name]
        held = response_claim(matched.operation.id, element.key, media.name)
        yield from _values(At(matched, concern, (status, media.name), (code.spot, *code.models), held), media, code)


def _values(at: At, media: Element, code: CodeResponse) -> Found:
    if media.value is None or code.schema is None:
        if media.value is not None and code.codes:
            yield from error_codes(at, media, code)
        status = covering(at.matched, code.status or 0)
        if status is not None and at.matched.executed.decides_body(code, at.matched.route.responses, status.key, media):
            return
        reason = UNSTATED if media.value is None else UNKNOWN_BODY
        yield at.matched.undecided(at.concern, at.place, reason, code.spot)
        return
    sides = (
        at.matched.values.of_contract(media.value, Polarity.WRITTEN),
        at.matched.values.of_code(code.schema, Polarity.WRITTEN),
    )

    def kind(found: Difference) -> str:
        codes = at.concern is Concern.ERRORS and found.way is Way.OUTSIDE and lists_codes(found)
        return "error-code-undocumented" if codes else _KINDS[found.way]

    yield from value_rows(at, sides, Mode(reads=False, exact=code.exact), kind)


def _is_empty(code: CodeResponse) -> bool:
    """True for a response whose body is known to be nothing at all."""
    return code.exact and code.schema in ({"const": None}, {"type": "null"}, False, {"const": ""})


def _row(kind: str, at: At, on: Element, forms: tuple[Form, Form]) -> Deviation:
    place: Steps = tuple(step for step in at.place if step != "")
    return Deviation(
        kind=kind,
        operation=at.matched.operation.id,
        concern=at.concern,
        place=place,
        contract=forms[0],
        implementation=forms[1],
        citations=at.matched.cited(on.place, *at.spots),
        withholds=at.withholds,
    )


def code_form(code: CodeResponse) -> Json:
    """A response of the code in short."""
    said: dict[str, Json] = {"status": code.status, "how": how(code)}
    if code.media_type:
        said["media type"] = code.media_type
    if code.schema is not None:
        said["schema"] = code.schema
    return said | ({"codes": list(code.codes)} if code.codes else {})
