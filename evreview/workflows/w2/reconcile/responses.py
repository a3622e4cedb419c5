"""Responses: which statuses are sent, with which media type, body, headers and error codes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from evreview.codefacts.model import CodeNote, CodeResponse, Spot, UnsupportedCode
from evreview.contract.model import Element, ElementKind
from evreview.core.vocabulary import ABSENT, Concern, Direction, Form, Json
from evreview.schema.view import Sub
from evreview.workflows.w2.contract_rows import response_claim
from evreview.workflows.w2.facts import claim
from evreview.workflows.w2.message_parts import ANYWAY, covers, first_covering, media_base
from evreview.workflows.w2.reconcile.deviation import At, Deviation, Deviations, Matched, Steps, Undecided
from evreview.workflows.w2.reconcile.fields import value_rows
from evreview.workflows.w2.reconcile.requests import names, routed_away
from evreview.workflows.w2.reconcile.stated_limits import in_words
from evreview.workflows.w2.value_sets import DeviationKind, Mode, Position, PositionDifference

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
_KINDS: Final[Mapping[DeviationKind, str]] = {
    DeviationKind.OUTSIDE: "response-outside",
    DeviationKind.UNDOCUMENTED: "response-field-undocumented",
    DeviationKind.MISSING: "response-field-missing",
    DeviationKind.UNOWED: "response-field-unowed",
}


def responses(matched: Matched) -> Deviations:
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


def _untold(matched: Matched, code: CodeResponse) -> Deviations:
    """An answer whose status can't be told; a framework's denial is one of the documented refusals, or none."""
    refusals = [each.key for each in matched.children(ElementKind.RESPONSE) if each.key in DENIALS]
    if code.how == "framework" and refusals:
        for key in refusals:
            yield matched.undecided(Concern.ERRORS, (key,), DENIES, code.spot)
    else:
        concern = Concern.SUCCESS if code.how == "returned" else Concern.ERRORS
        yield matched.undecided(concern, (), NO_STATUS, code.spot)


def _unsent(matched: Matched) -> Deviations:
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
                yield _response_deviation("response-media-type-unsent", at, media, (media.name, sorted(types)))
            else:
                yield matched.undecided(at.concern, at.place, NOT_SENT, *spots)


def _body(matched: Matched, element: Element, code: CodeResponse, status: int) -> Deviations:
    medias = {media.key: media for media in element.children if media.kind is ElementKind.MEDIA_TYPE}
    sent, place = media_base(code.media_type), (status, media_base(code.media_type))
    concern = concern_of(status)
    at = At(matched, concern, place, (code.spot,), response_claim(matched.operation.id, element.key))
    if not medias:
        if sent and status not in BODILESS and not _is_empty(code):
            yield _response_deviation("response-body-undocumented", at, element, (ABSENT, code_form(code)))
        return
    name = first_covering(medias, code.media_type)
    if name is None and sent:
        stated: list[Json] = [media.name for media in medias.values()]
        yield _response_deviation("response-media-type-differs", at, element, (stated, code.media_type))
    elif name is None:
        answers, decides = matched.route.responses, matched.executed.decides_body
        if not any(decides(code, answers, element.key, each) for each in medias.values()):
            yield matched.undecided(concern, (status,), NO_MEDIA, code.spot)
    else:
        media = medias[name]
        held = response_claim(matched.operation.id, element.key, media.name)
        yield from _values(At(matched, concern, (status, media.name), (code.spot, *code.models), held), media, code)


def _values(at: At, media: Element, code: CodeResponse) -> Deviations:
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
        at.matched.values.of_contract(media.value, Direction.WRITTEN),
        at.matched.values.of_code(code.schema, Direction.WRITTEN),
    )

    def kind(found: PositionDifference) -> str:
        codes = at.concern is Concern.ERRORS and found.way is DeviationKind.OUTSIDE and lists_codes(found)
        return "error-code-undocumented" if codes else _KINDS[found.way]

    yield from value_rows(at, sides, Mode(reads=False, exact=code.exact), kind)


def _is_empty(code: CodeResponse) -> bool:
    """True for a response whose body is known to be nothing at all."""
    return code.exact and code.schema in ({"const": None}, {"type": "null"}, False, {"const": ""})


def _response_deviation(kind: str, at: At, on: Element, forms: tuple[Form, Form]) -> Deviation:
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


# Which statuses the code sends and which the contract promises.


STATUSES_NOT_WHOLE: Final = "not every part of the code was read, so nobody knows whether it is sent"
REWRITTEN: Final = "a hook changes the status of what the code answers, so nobody knows which one is sent"
MOST_SPOTS: Final = 5
"""Lines cited for one comparison that calls or hooks leave open."""
ELSEWHERE: Final = frozenset({405, 406, 408, 413, 414, 415, 431})
"""Statuses that servers and frameworks send by themselves."""
REFUSALS: Final = frozenset({401, 403})
INVALID: Final = 422
LIMIT_STATUSES: Final[Mapping[int, Concern]] = {
    413: Concern.LIMITS,
    414: Concern.LIMITS,
    431: Concern.LIMITS,
    429: Concern.RATE_LIMITS,
}
ROUTER: Final = "the router, where the path does not take a value that the contract admits for `{}`"
_BAD: Final = "400"
_NO_ROUTE: Final = 404
_ROUTERS: Final = frozenset({"flask", "aiohttp", "django", "drf", "starlette", "tornado"})
"""Frameworks whose paths say what their parameters take, so that no other value finds a handler."""


def concern_of(status: int) -> Concern:
    """Success below 400, an error from there on."""
    return Concern.SUCCESS if status < 400 else Concern.ERRORS


def covering(matched: Matched, status: int) -> Element | None:
    """The response of the contract that stands for a status: itself, its range, or the default."""
    found = {element.key: element for element in matched.children(ElementKind.RESPONSE)}
    return found.get(str(status)) or found.get(f"{str(status)[0]}XX") or found.get("default")


def limit_statuses(matched: Matched) -> frozenset[int]:
    """Statuses that tell about a limit which the code shows."""
    certain = {note.concern for note in matched.route.notes if note.certain}
    return frozenset(status for status, concern in LIMIT_STATUSES.items() if concern in certain)


def statuses(matched: Matched) -> Deviations:
    """Every deviation in the statuses alone."""
    if matched.route.rewritten:
        spots = [each.spot for each in matched.route.rewritten]
        for concern in (Concern.SUCCESS, Concern.ERRORS):
            yield matched.undecided(concern, (), REWRITTEN, *spots[:MOST_SPOTS])
        return
    extra = _extra(matched)
    missing = _missing(matched)
    framework = next((code for code in extra.values() if _by_framework(code)), None)
    if framework is not None:
        promised = missing.pop(_BAD, None) if silent(matched, int(_BAD)) else None
        yield _framework(matched, framework, promised)
        del extra[INVALID]
    yield from _swapped(matched, extra, missing)
    for status, code in extra.items():
        kind = "success-undocumented" if status < 400 else "error-undocumented"
        yield _status_deviation(kind, matched, status, (None, code), (ABSENT, status_form(code)))
    for key, element in missing.items():
        if silent(matched, int(key)):
            kind = "success-unsent" if int(key) < 400 else "error-unsent"
            yield _status_deviation(kind, matched, int(key), (element, None), (contract_form(element), ABSENT))
        elif not matched.executed.shows(key):
            yield _open(matched, int(key))


def silent(matched: Matched, status: int) -> bool:
    """True when the code's silence about a status is a fact: all of it was read, and nothing else may answer it."""
    return matched.whole and not (status >= 400 and _elsewhere(matched, status)) and not matched.route.rewritten


def _elsewhere(matched: Matched, status: int) -> list[UnsupportedCode]:
    """What is not followed and may answer a status."""
    found = [each for each in matched.route.elsewhere if not each.statuses or status in each.statuses]
    routed = routed_away(matched) if status == _NO_ROUTE and matched.route.framework in _ROUTERS else ()
    return [*found, *(UnsupportedCode(one.spot, ROUTER.format(one.name)) for one in routed)]


def _open(matched: Matched, status: int) -> Undecided:
    """A promised status that the code shown does not send, while something that is not shown may."""
    calls = _elsewhere(matched, status)
    if not matched.whole or not calls:
        return matched.undecided(concern_of(status), (str(status),), STATUSES_NOT_WHOLE, matched.route.spot)
    reason = f"{calls[0].found}, may answer it"
    return matched.undecided(concern_of(status), (str(status),), reason, *(each.spot for each in calls[:MOST_SPOTS]))


def _extra(matched: Matched) -> dict[int, CodeResponse]:
    """Statuses that the code sends and the contract does not have, each with the first place that sends it."""
    found: dict[int, CodeResponse] = {}
    limited = limit_statuses(matched) - _beside_words(matched)
    for code in sorted(matched.route.responses, key=lambda each: each.spot):
        if code.status is None or (code.how == "framework" and code.status in ELSEWHERE):
            continue
        if covering(matched, code.status) is None and code.status not in limited:
            found.setdefault(code.status, code)
    return dict(sorted(found.items()))


def _beside_words(matched: Matched) -> frozenset[int]:
    """Statuses of limits that the contract states in words: a limit without them has a row that holds them."""
    notes = [note for note in matched.route.notes if note.certain]
    told = {note.concern for note in notes if in_words(matched, note.concern, note.name)}
    return frozenset(status for status, concern in LIMIT_STATUSES.items() if concern in told)


def _missing(matched: Matched) -> dict[str, Element]:
    """Promised statuses that the code never sends, as far as anybody but the code could not send them either."""
    sent = {code.status for code in matched.route.responses}
    open_ends = {code.how for code in matched.route.responses if code.status is None}
    refuses = "framework" in open_ends  # with one of the refusals, and nothing else
    if not sent or "returned" in open_ends:
        return {}
    return {
        element.key: element
        for element in matched.children(ElementKind.RESPONSE)
        if element.key.isdigit()
        and int(element.key) not in sent
        and _is_its_own(int(element.key), matched)
        and (int(element.key) < 400 or not open_ends - {"framework"})
        and not (refuses and int(element.key) in REFUSALS)
    }


def _is_its_own(status: int, matched: Matched) -> bool:
    guarded = bool(matched.route.guards) and status in REFUSALS
    return status < 500 and status not in ELSEWHERE | limit_statuses(matched) and not guarded


def _by_framework(code: CodeResponse) -> bool:
    return code.how == "framework" and code.status == INVALID


def _framework(matched: Matched, code: CodeResponse, promised: Element | None) -> Deviation:
    """The framework's own answer to invalid input; with the one that the contract promises instead, if it does."""
    stated: Form = ABSENT if promised is None else contract_form(promised)
    forms = (stated, status_form(code))
    row = _status_deviation("framework-validation-undocumented", matched, INVALID, (promised, code), forms)
    if promised is None:
        return row
    return replace(row, withholds=row.held | {claim(matched.operation.id, Concern.ERRORS, _BAD)})


def _swapped(matched: Matched, extra: dict[int, CodeResponse], missing: dict[str, Element]) -> Iterator[Deviation]:
    """One success status promised and another one sent: that is one deviation. Takes both out."""
    sent = [status for status in extra if status < 400]
    promised = [key for key in missing if int(key) < 400]
    if len(sent) == 1 and len(promised) == 1 and matched.whole:
        code, element = extra.pop(sent[0]), missing.pop(promised[0])
        forms = contract_form(element), status_form(code)
        row = _status_deviation("success-status-differs", matched, int(promised[0]), (element, code), forms)
        yield replace(row, withholds=row.held | {claim(matched.operation.id, Concern.SUCCESS, sent[0])})


def _status_deviation(
    kind: str, matched: Matched, status: int, on: tuple[Element | None, CodeResponse | None], forms: tuple[Form, Form]
) -> Deviation:
    element, code = on
    spot = code.spot if code is not None else matched.route.spot
    return Deviation(
        kind=kind,
        operation=matched.operation.id,
        concern=concern_of(status),
        place=(status,),
        contract=forms[0],
        implementation=forms[1],
        citations=matched.cited(element.place if element is not None else None, spot),
    )


def contract_form(element: Element) -> Json:
    """A response of the contract in short."""
    medias: list[Json] = [child.name for child in element.children if child.kind is ElementKind.MEDIA_TYPE]
    return {"status": element.key, **({"media types": medias} if medias else {})}


def how(code: CodeResponse) -> str:
    """How a response comes about; what a reviewer declares is marked."""
    return f"{code.how}{code.spot.mark}"


def status_form(code: CodeResponse) -> Json:
    """A status of the code in short."""
    form: dict[str, Json] = {"status": code.status, "how": how(code)}
    return form | ({"codes": list(code.codes)} if code.codes else {})


# Error codes: constants that the code writes, against the codes that the contract lists.


_CODE: Final = re.compile(r"[A-Za-z0-9_.:\-]{1,80}")
_MOST: Final = 200


def lists_codes(found: PositionDifference) -> bool:
    """True when the contract lists texts where the code writes other constant texts."""
    return bool(_texts(found.contract)) and bool(_texts(found.implementation))


def error_codes(at: At, media: Element, code: CodeResponse) -> Iterator[Deviation]:
    """A deviation when the contract lists the codes of one field and the code writes only others.

    Used where nothing else is known of the body: constants with blanks are taken for messages.
    """
    if media.value is None:
        return
    listed = list(_listed(at.matched.values.of_contract(media.value, Direction.WRITTEN), "", set()))
    written = [constant for constant in code.codes if _CODE.fullmatch(constant)]
    if len(listed) != 1 or not written:
        return
    path, position, values = listed[0]
    below = at.below(path) if path else at
    if not set(written) & set(values):
        yield Deviation(
            kind="error-code-undocumented",
            operation=at.matched.operation.id,
            concern=at.concern,
            place=below.place,
            contract=position.form,
            implementation=list[Json](written),
            witness=written[0],
            citations=at.matched.cited(position.place, code.spot),
            withholds=below.withholds,
        )


def _listed(position: Position, path: str, seen: set[tuple[int, ...]]) -> Iterator[tuple[str, Position, list[str]]]:
    """The fields whose texts the contract lists; a shared schema is looked at once."""
    if position.key in seen or len(seen) > _MOST:
        return
    seen.add(position.key)
    view = position.view
    values = [value for value in view.enum or () if isinstance(value, str)]
    if values:
        yield path, position, values
    for name, sub in view.properties.items():
        yield from _listed(position.at(sub), f"{path}.{name}" if path else name, seen)
    if isinstance(view.items, Sub):
        yield from _listed(position.at(view.items), f"{path}[]", seen)


def _texts(form: Form) -> list[str]:
    if not isinstance(form, dict):
        return []
    listed = form.get("enum")
    values = listed if isinstance(listed, list) else [form["const"]] if "const" in form else []
    return [value for value in values if isinstance(value, str)]


# Headers: those that the code sets against those that the contract promises.


HEADERS_NOT_WHOLE: Final = "not every part of the code was read, so nobody knows whether the header is set"
CHALLENGE: Final = "www-authenticate"
STANDARD: Final = "the code sets a header that the HTTP standard asks for, and the contract does not state it"
SOME: Final = "on some ways to the answer"
SOME_ANSWERS: Final = (
    "the code sets the required header in some answers of the status, and as far as is read not in all"
)
_On = tuple[Element | None, *tuple[Spot, ...]]
RATE_LIMITING: Final = re.compile(r"(x-)?rate-?limit.*|retry-after", re.IGNORECASE)


def headers(matched: Matched) -> Deviations:
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
            yield _header_deviation(
                "header-undocumented", matched, (str(code.status), name), (element, code.spot), (ABSENT, name)
            )
    yield from _challenges(matched)
    yield from _noted(matched, limited)
    yield from _unset(matched, frozenset(everywhere))


def _challenges(matched: Matched) -> Deviations:
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
            yield _header_deviation(
                "header-undocumented", matched, (note.name,), (None, note.spot), (ABSENT, note.name)
            )


def _unset(matched: Matched, everywhere: frozenset[str]) -> Deviations:
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
                    ABSENT,
                )
                yield _header_deviation("header-unset", matched, place, (header, *spots), forms)
            else:
                yield matched.undecided(Concern.HEADERS, place, HEADERS_NOT_WHOLE, *spots)
        if sent:
            yield from _sometimes(matched, element, sent, everywhere)


def _sometimes(
    matched: Matched, element: Element, sent: Sequence[CodeResponse], everywhere: frozenset[str]
) -> Deviations:
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
            yield _header_deviation("header-sometimes-unset", matched, place, (header, *spots), forms)
        else:
            yield matched.undecided(Concern.HEADERS, place, SOME_ANSWERS, *spots)


def _lower(names: Iterable[str]) -> frozenset[str]:
    return frozenset(name.lower() for name in names)


def _header_deviation(kind: str, matched: Matched, place: Steps, on: _On, forms: tuple[Form, Form]) -> Deviation:
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
