"""Request bodies: whether there is one, its media type, its fields and what they admit."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final

from evreview.codefacts.model import CodeBody
from evreview.contract.model import Element, ElementKind
from evreview.core.vocabulary import MISSING, Concern, Form, Json, Polarity
from evreview.reference.claims import claim
from evreview.reference.reconciling.difference import Difference, Mode, Way
from evreview.reference.reconciling.rows import covers, first_covering, media_base, value_rows
from evreview.workflows.w2.step3_reconcile.deviation import At, Deviation, Found, Matched, Steps, Undecided
from evreview.workflows.w2.step3_reconcile.requests import NOT_WHOLE, UNTOLD

UNSTATED: Final = "the contract gives no schema for this media type"
NO_MEDIA: Final = "the code does not show which of the contract's media types it reads"
_FORMS: Final = ("application/x-www-form-urlencoded", "multipart/form-data")
_WHOLE: Final = frozenset(
    {"body-required", "body-optional", "body-unread", "body-undocumented", "body-media-type-differs"}
)
"""What is about the body as a whole, whatever place it names."""
_KINDS: Final[Mapping[Way, str]] = {
    Way.NARROWER: "body-narrower",
    Way.WIDER: "body-wider",
    Way.CLOSED: "body-closed",
    Way.REQUIRED: "body-field-required",
    Way.OPTIONAL: "body-field-optional",
    Way.UNREAD: "body-field-unread",
    Way.UNDOCUMENTED: "body-field-undocumented",
    Way.DEFAULT: "body-field-default-differs",
}


def bodies(matched: Matched) -> Found:
    """Every deviation in an operation's request body."""
    element, code = matched.child(ElementKind.BODY), matched.route.body
    if element is None and code is not None:
        yield _row("body-undocumented", matched, (media_base(code.media_type) or "body",), None, (MISSING, _form(code)))
    elif element is not None and code is None:
        taken = [one for one in matched.route.open_inputs if one.location == "body"]
        if matched.whole and taken:
            yield matched.undecided(Concern.REQUEST_BODY, (), taken[0].found, *(one.spot for one in taken))
        elif matched.whole:
            yield from _unread(matched, element)
        else:
            yield matched.undecided(Concern.REQUEST_BODY, (), NOT_WHOLE, matched.route.spot)
    elif element is not None and code is not None:
        yield from _need(matched, element, code)
        yield from _media(matched, element, code)


def _unread(matched: Matched, element: Element) -> Iterator[Deviation]:
    names: list[Json] = [media.name for media in element.children]
    yield _row("body-unread", matched, (), element, (names, MISSING))


def _need(matched: Matched, element: Element, code: CodeBody) -> Found:
    required = element.facet("required") is True
    if code.required is None:
        yield matched.undecided(Concern.REQUEST_BODY, ("required",), UNTOLD, code.spot)
    elif code.required != required:
        kind = "body-required" if code.required else "body-optional"
        yield _row(kind, matched, ("required",), element, (required, code.required))


def _media(matched: Matched, element: Element, code: CodeBody) -> Found:
    medias = {media.key: media for media in element.children if media.kind is ElementKind.MEDIA_TYPE}
    name = first_covering(medias, code.media_type)
    read = media_base(code.media_type)
    stated: list[Json] = [media.name for media in medias.values()]
    if name is None and read:
        yield _row("body-media-type-differs", matched, (read,), element, (stated, code.media_type))
        return
    if name is None:
        yield matched.undecided(Concern.REQUEST_BODY, (), NO_MEDIA, code.spot)
        return
    for key, media in medias.items():
        if read and matched.whole and not covers(key, read):
            yield _row("body-media-type-unread", matched, (media.name,), media, (media.name, code.media_type))
    yield from _values(matched, medias[name], code)


def _values(matched: Matched, media: Element, code: CodeBody) -> Found:
    at = At(matched, Concern.REQUEST_BODY, (media.name,), (code.spot, *code.models))
    if media.value is None:
        yield matched.undecided(Concern.REQUEST_BODY, at.place, UNSTATED, code.spot)
        return
    sides = (
        matched.values.of_contract(media.value, Polarity.READ),
        matched.values.of_code(code.schema, Polarity.READ),
    )
    mode = Mode(reads=True, exact=code.exact, text=media_base(code.media_type) in _FORMS)
    for row in value_rows(at, sides, mode, _kind):
        yield row if isinstance(row, Undecided) else _validated(row)


def _validated(row: Deviation) -> Deviation:
    """What a body's values disagree in is in doubt as validation too, at the same place."""
    return replace(row, withholds=row.held | {claim(row.operation, Concern.VALIDATION, *row.place)})


def _kind(found: Difference) -> str:
    return _KINDS[found.way]


def _row(kind: str, matched: Matched, place: Steps, on: Element | None, forms: tuple[Form, Form]) -> Deviation:
    spot = matched.route.body.spot if matched.route.body is not None else matched.route.spot
    return Deviation(
        kind=kind,
        operation=matched.operation.id,
        concern=Concern.REQUEST_BODY,
        place=place,
        contract=forms[0],
        implementation=forms[1],
        citations=matched.cited(on.place if on is not None else None, spot),
        withholds=frozenset({claim(matched.operation.id, Concern.REQUEST_BODY)}) if kind in _WHOLE else frozenset(),
    )


def _form(code: CodeBody) -> Json:
    return {"media type": code.media_type, "required": code.required, "schema": code.schema}
