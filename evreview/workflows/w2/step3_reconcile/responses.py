"""Which statuses the code sends and which the contract promises."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final

from evreview.codefacts.model import CodeResponse, UnreadCode
from evreview.contract.model import Element, ElementKind
from evreview.core.vocabulary import MISSING, Concern, Form, Json
from evreview.reference.claims import claim
from evreview.workflows.w2.step3_reconcile.deviation import Deviation, Found, Matched, Undecided
from evreview.workflows.w2.step3_reconcile.requests import routed_away
from evreview.workflows.w2.step3_reconcile.stated_limits import in_words

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


def statuses(matched: Matched) -> Found:
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
        yield _status_deviation(kind, matched, status, (None, code), (MISSING, status_form(code)))
    for key, element in missing.items():
        if silent(matched, int(key)):
            kind = "success-unsent" if int(key) < 400 else "error-unsent"
            yield _status_deviation(kind, matched, int(key), (element, None), (contract_form(element), MISSING))
        elif not matched.executed.shows(key):
            yield _open(matched, int(key))


def silent(matched: Matched, status: int) -> bool:
    """True when the code's silence about a status is a fact: all of it was read, and nothing else may answer it."""
    return matched.whole and not (status >= 400 and _elsewhere(matched, status)) and not matched.route.rewritten


def _elsewhere(matched: Matched, status: int) -> list[UnreadCode]:
    """What is not followed and may answer a status."""
    found = [each for each in matched.route.elsewhere if not each.statuses or status in each.statuses]
    routed = routed_away(matched) if status == _NO_ROUTE and matched.route.framework in _ROUTERS else ()
    return [*found, *(UnreadCode(one.spot, ROUTER.format(one.name)) for one in routed)]


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
    stated: Form = MISSING if promised is None else contract_form(promised)
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
