"""Guards of the code against the security that the contract demands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from evreview.codefacts.model import Guard
from evreview.contract.model import ElementKind
from evreview.core.vocabulary import Concern, Form, Json
from evreview.reference.claims import claim
from evreview.workflows.w2.step3_reconcile.credential_schemes import (
    Alternative,
    Lacking,
    known,
    lacking,
    place,
    taken,
    wire,
)
from evreview.workflows.w2.step3_reconcile.deviation import Deviation, Found, Matched, on_code
from evreview.workflows.w2.step3_reconcile.requests import documented_keys
from evreview.workflows.w2.step3_reconcile.responses import MOST_SPOTS

NOT_WHOLE: Final = "no guard was found, but not every part of the code was read"
REFUSES: Final = "it answers 401, and whether that is to everybody without credentials is not shown"
UNTOLD_ERROR: Final = "it raises an error whose status can't be told, which may refuse who has no credentials"
UNCLEAR: Final = "a guard is there, and whether it finds out who calls is not shown"
PIERCED: Final = (
    "whether the guard refuses everybody who may not come in is left open by the lines named: a condition decides "
    "whether it checks, or what it looks at does not prove who calls"
)
OPTIONAL: Final = "the contract lets callers without credentials in, and whether the guard does is not shown"
UNKNOWN_SCHEME: Final = "which scheme the guard asks for is not shown"
NOT_LOOKED_FOR: Final = "no guard that was found looks for these credentials, and not every part of the code was read"
UNTOLD: Final = "whether a guard looks for these credentials is not shown"


def guards(matched: Matched) -> Found:
    """Every deviation in who may call."""
    demanded = _alternatives(matched)
    found = matched.route.guards
    asking = [guard for guard in found if guard.kind != "unknown" and not _documented(matched, guard)]
    checking = [guard for guard in asking if not guard.unless]
    asked = [each for each in matched.route.elsewhere if each.may_ask]
    if asking and not checking:
        on = (spot for guard in asking for spot in (guard.spot, *guard.unless))
        yield matched.undecided(Concern.AUTHENTICATION, (), PIERCED, *on)
    elif demanded and {} not in demanded and not checking:
        if matched.route.public is not None and not found:
            row = _guard_deviation("unguarded", matched, (), (demanded, []))
            yield replace(row, citations=(row.citations[0], *on_code(matched.route.public)))
        elif found or not matched.whole:
            spots = [guard.spot for guard in found] or [matched.route.spot]
            yield matched.undecided(Concern.AUTHENTICATION, (), UNCLEAR if found else NOT_WHOLE, *spots)
        elif refused := [each for each in matched.route.responses if each.status == 401 and each.how != "declared"]:
            yield matched.undecided(Concern.AUTHENTICATION, (), REFUSES, *(each.spot for each in refused[:MOST_SPOTS]))
        elif unclear := [each for each in matched.route.responses if each.status is None and each.how == "raised"]:
            spots = [each.spot for each in unclear[:MOST_SPOTS]]
            yield matched.undecided(Concern.AUTHENTICATION, (), UNTOLD_ERROR, *spots)
        elif asked:
            reason = f"no guard was found, and {asked[0].found}, may ask who calls"
            yield matched.undecided(Concern.AUTHENTICATION, (), reason, *(each.spot for each in asked[:MOST_SPOTS]))
        else:
            yield _guard_deviation("unguarded", matched, (), (demanded, []))
    elif demanded in ([], [{}]) and checking:
        yield _guard_deviation("guard-undocumented", matched, checking, ([], _forms(checking)))
    elif {} in demanded and checking:
        yield matched.undecided(Concern.AUTHENTICATION, (), OPTIONAL, *(guard.spot for guard in checking))
    elif checking:
        yield from _schemes(matched, demanded, checking)


def _documented(matched: Matched, guard: Guard) -> bool:
    """True for what looks at a documented parameter, which no security scheme names."""
    places = [place(wire(scheme)) for scheme in (guard.scheme, *guard.also)]
    return set(places) <= {(location, name.lower()) for location, name in documented_keys(matched)}


def _alternatives(matched: Matched) -> list[Alternative]:
    element = matched.child(ElementKind.SECURITY)
    listed = element.facet("requirements") if element is not None else None
    return [dict(each) for each in listed if isinstance(each, dict)] if isinstance(listed, list) else []


def _schemes(matched: Matched, demanded: list[Alternative], checking: Sequence[Guard]) -> Found:
    stated = {wire(scheme) for alternative in demanded for scheme in alternative}
    shown = [guard for guard in checking if guard.scheme]
    foreign = [guard for guard in shown if not any(known(scheme, stated) for scheme in (guard.scheme, *guard.also))]
    if foreign:
        yield _guard_deviation("scheme-differs", matched, foreign, (demanded, _forms(foreign)))
        return
    if not shown:
        if not matched.executed.asks_for(demanded):
            yield matched.undecided(Concern.AUTHENTICATION, ("scheme",), UNKNOWN_SCHEME, *(g.spot for g in checking))
        yield from _scopes(matched, demanded, checking)
        return
    left = list(demanded)
    for each in lacking(demanded, taken(shown)):
        doubt = _doubt(matched, each)
        if doubt:
            yield matched.undecided(Concern.AUTHENTICATION, each.schemes, doubt, *(g.spot for g in checking))
            continue
        left.remove(each.alternative)
        if each.partly:
            left.append({name: scopes for name, scopes in each.alternative.items() if wire(name) not in each.schemes})
        kind = "scheme-unchecked" if each.partly else "scheme-differs"
        yield _guard_deviation(kind, matched, checking, ([each.alternative], _forms(checking)), *each.schemes)
    yield from _scopes(matched, left, checking)


def _doubt(matched: Matched, found: Lacking) -> str:
    """Why nobody can say that the code does not look for these credentials, "" when it is shown."""
    if not matched.whole:
        return NOT_LOOKED_FOR
    if any(guard.kind != "authorization" and not guard.scheme for guard in matched.route.guards):
        return UNTOLD
    read = {(str(one.location), one.name.lower()) for one in matched.route.parameters}
    places = [place(scheme) for scheme in found.schemes]
    return UNTOLD if None in places or any(each in read for each in places) else ""


def _scopes(matched: Matched, demanded: list[Alternative], checking: Sequence[Guard]) -> Found:
    kept = {scope for guard in checking for scope in guard.scopes}
    allowed = [{scope for scopes in alternative.values() for scope in scopes} for alternative in demanded]
    if any(kept <= stated for stated in allowed):
        unchecked = min((stated - kept for stated in allowed), key=lambda each: (len(each), sorted(each)))
        if unchecked and kept:
            forms = sorted(unchecked | kept), sorted(kept)
            yield _guard_deviation("scope-unchecked", matched, checking, forms, *sorted(unchecked))
        elif unchecked:
            yield matched.undecided(Concern.AUTHENTICATION, ("scopes",), NO_SCOPES, *(g.spot for g in checking))
        return
    extra = sorted(kept - set().union(*allowed)) or sorted(kept)
    yield _guard_deviation("scope-undocumented", matched, checking, (demanded, sorted(kept)), *extra)


NO_SCOPES: Final = "the contract demands scopes, and no constant scope is shown in the code"


def _forms(found: Sequence[Guard]) -> list[Json]:
    return [
        {
            "guard": guard.name,
            "scheme": guard.scheme,
            "scopes": list(guard.scopes),
            "kind": f"{guard.kind}{guard.spot.mark}",
        }
        for guard in found
    ]


def _guard_deviation(
    kind: str, matched: Matched, found: Sequence[Guard], forms: tuple[object, object], *place: str
) -> Deviation:
    element = matched.child(ElementKind.SECURITY)
    spots = [guard.spot for guard in found] or [matched.route.spot]
    contract: Form = forms[0]  # type: ignore[assignment]
    implementation: Form = forms[1]  # type: ignore[assignment]
    return Deviation(
        kind=kind,
        operation=matched.operation.id,
        concern=Concern.AUTHENTICATION,
        place=place,
        contract=contract,
        implementation=implementation,
        citations=matched.cited(element.place if element is not None else None, *spots),
        withholds=frozenset({claim(matched.operation.id, Concern.AUTHENTICATION)}),
    )
