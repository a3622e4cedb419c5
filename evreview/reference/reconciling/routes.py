"""Operations without a route, and routes below an operation's path that the contract does not have."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain, count, takewhile
from typing import Final

from evreview.codefacts.model import Route
from evreview.core.vocabulary import MISSING, Concern, Form, Json
from evreview.evidence.item import Citation
from evreview.reference.evidence import ReferenceEvidence
from evreview.reference.model import ClaimKey, Operation
from evreview.reference.operations import whole_paths
from evreview.reference.places import Places
from evreview.reference.templates import spelled, without_slash
from evreview.workflows.w2.step2_routes import Matching
from evreview.workflows.w2.step3_reconcile.deviation import Deviation, Found, Undecided, on_code

NO_ROUTES: Final = "no supplied source shows a route, or not every source was read"

SLASH: Final = "whether the route answers with and without a slash at its end is set where it can't be told"


def unanswered(evidence: ReferenceEvidence, operations: Sequence[Operation], matching: Matching) -> Found:
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
            forms: tuple[Form, Form] = (operation.id, {"similar routes": others} if near else MISSING)
            row = _row("operation-unanswered", operation, (), forms, (at, *spots[:3]))
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
            row = _row("route-undocumented", above, place, (MISSING, form), on)
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


def slashes(evidence: ReferenceEvidence, operations: Sequence[Operation], matching: Matching) -> Found:
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
            row = _row("path-differs", operation, (), (operation.path, answer.route.path), on)
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


def _row(
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
