"""Who may call: guards of the code against the contract's security. And operations and routes without each other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain, count, takewhile
from typing import Final

from evreview.codefacts.model import Guard, Route
from evreview.contract.model import ElementKind
from evreview.core.vocabulary import ABSENT, Concern, Form, Json
from evreview.evidence.item import Citation
from evreview.workflows.w2.contract_rows import Places
from evreview.workflows.w2.facts import ClaimKey, Operation, ReferenceEvidence, claim
from evreview.workflows.w2.matrix.routes import Matching
from evreview.workflows.w2.reconcile.credential_schemes import (
    Alternative,
    UnmetAlternative,
    known,
    lacking,
    place,
    taken,
    wire,
)
from evreview.workflows.w2.reconcile.deviation import Deviation, Deviations, Matched, Undecided, on_code
from evreview.workflows.w2.reconcile.requests import documented_keys
from evreview.workflows.w2.reconcile.responses import MOST_SPOTS
from evreview.workflows.w2.scope import spelled, whole_paths, without_slash

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


def guards(matched: Matched) -> Deviations:
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


def _schemes(matched: Matched, demanded: list[Alternative], checking: Sequence[Guard]) -> Deviations:
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


def _doubt(matched: Matched, found: UnmetAlternative) -> str:
    """Why nobody can say that the code does not look for these credentials, "" when it is shown."""
    if not matched.whole:
        return NOT_LOOKED_FOR
    if any(guard.kind != "authorization" and not guard.scheme for guard in matched.route.guards):
        return UNTOLD
    read = {(str(one.location), one.name.lower()) for one in matched.route.parameters}
    places = [place(scheme) for scheme in found.schemes]
    return UNTOLD if None in places or any(each in read for each in places) else ""


def _scopes(matched: Matched, demanded: list[Alternative], checking: Sequence[Guard]) -> Deviations:
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


# Operations without a route, and routes below an operation's path that the contract does not have.


NO_ROUTES: Final = "no supplied source shows a route, or not every source was read"

SLASH: Final = "whether the route answers with and without a slash at its end is set where it can't be told"


def unanswered(evidence: ReferenceEvidence, operations: Sequence[Operation], matching: Matching) -> Deviations:
    """Operations that no route answers, where every source was read; otherwise that is open."""
    places = Places(evidence.contract, evidence.item)
    shown = bool(evidence.code.routes) and not evidence.code.unread
    for operation in operations:
        if operation.id not in matching.unanswered:
            continue
        at = places.at(operation.element.place)
        if shown:
            near = _nearest(operation, matching)
            spots = on_code(*(route.spot for route in near or evidence.code.routes))
            whole = frozenset({ClaimKey(operation.id)})
            others: Json = [f"{route.method.upper()} {route.path}" for route in near]
            forms: tuple[Form, Form] = (operation.id, {"similar routes": others} if near else ABSENT)
            row = _route_deviation("operation-unanswered", operation, (), forms, (at, *spots[:3]))
            yield replace(row, withholds=whole)
        else:
            yield Undecided(
                operation=operation.id, concern=Concern.SUCCESS, place="", reason=NO_ROUTES, citations=(at,)
            )


def _nearest(operation: Operation, matching: Matching) -> list[Route]:
    """The routes without an operation whose path ends like this one's: `/v2/orders` for `/v1/orders`."""
    alike = [
        (_tail(operation.path, odd.route.path), odd.route)
        for odd in matching.odd
        if odd.why == "undocumented" and odd.route.method.upper() == operation.method
    ]
    longest = max((length for length, _ in alike), default=0)
    return [route for length, route in alike if length == longest > 0]


def _tail(one: str, other: str) -> int:
    """How many parts at the end two paths share, 0 when they are parameters only."""
    both = [without_slash(spelled(path)).split("/")[:0:-1] for path in (one, other)]
    shared = [part for part, _ in takewhile(lambda pair: pair[0] == pair[1], zip(*both, strict=False))]
    return len(shared) if set(shared) - {"{}", ""} else 0


def undocumented(
    evidence: ReferenceEvidence, operations: Sequence[Operation], matching: Matching
) -> Iterator[Deviation]:
    """Routes that the contract does not have and whose path is an operation's or lies below it."""
    places = Places(evidence.contract, evidence.item)
    taken: set[tuple[str, ...]] = set()
    for odd in matching.odd:
        above = _above(odd.route, operations, evidence) if odd.why == "undocumented" else None
        if above is not None:
            route = odd.route
            on = (places.at(above.element.place), *on_code(route.spot))
            form = f"{route.method.upper()} {route.path}"
            place = _own_place(above, route, taken)
            row = _route_deviation("route-undocumented", above, place, (ABSENT, form), on)
            # No claim about the operation itself is in dispute.
            yield replace(row, withholds=frozenset({ClaimKey(form)}))


def _own_place(above: Operation, route: Route, taken: set[tuple[str, ...]]) -> tuple[str, ...]:
    """Method and path of a route; with its handler, then a number, where another row has that place already."""
    plain = (route.method.upper(), spelled(route.path))
    named = (*plain, route.handler)
    numbered = ((*named, str(number)) for number in count(2))
    place = next(each for each in chain((plain, named), numbered) if (above.id, *each) not in taken)
    taken.add((above.id, *place))
    return place


def slashes(evidence: ReferenceEvidence, operations: Sequence[Operation], matching: Matching) -> Deviations:
    """Operations whose route has another spelling of the path."""
    places = Places(evidence.contract, evidence.item)
    for operation in operations:
        answer = matching.answers.get(operation.id)
        if answer is not None and answer.differs:
            on = (places.at(operation.element.place), *on_code(answer.route.spot))
            if answer.route.either_slash is None:
                yield Undecided(
                    operation=operation.id, concern=Concern.SUCCESS, place="path", reason=SLASH, citations=on
                )
                continue
            held = frozenset({ClaimKey(f"{operation.id} base URL shape")})
            row = _route_deviation("path-differs", operation, (), (operation.path, answer.route.path), on)
            yield replace(row, withholds=held)


def _above(route: Route, operations: Sequence[Operation], evidence: ReferenceEvidence) -> Operation | None:
    """The operation with the longest path that the route's path starts with."""
    shape = without_slash(spelled(route.path))
    best: tuple[int, Operation] | None = None
    for operation in operations:
        for path in whole_paths(evidence.contract, operation):
            own = without_slash(spelled(path))
            below = shape == own or shape.startswith(f"{own}/")
            if own != "/" and below and (best is None or len(own) > best[0]):
                best = (len(own), operation)
    return best[1] if best is not None else None


def _route_deviation(
    kind: str, operation: Operation, place: tuple[str, ...], forms: tuple[Form, Form], on: tuple[Citation, ...]
) -> Deviation:
    return Deviation(
        kind=kind,
        operation=operation.id,
        concern=Concern.SUCCESS,
        place=place,
        contract=forms[0],
        implementation=forms[1],
        citations=on,
    )
