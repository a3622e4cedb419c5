"""What applications run around their handlers, as rows with the area that each is about."""

from __future__ import annotations

from evreview.codefacts.middleware import Around
from evreview.core.vocabulary import Area
from evreview.security.mapped import MiddlewareRow
from evreview.workflows.w3.excerpts import cited
from evreview.workflows.w3.step3_inventory.routes import Sights


def middleware_rows(sights: Sights) -> tuple[MiddlewareRow, ...]:
    """One row per middleware, dependency, function before requests and error handler, in the order of running."""
    return tuple(_row(sights, one) for one in sights.around)


def _row(sights: Sights, one: Around) -> MiddlewareRow:
    defined = one.definition.scope.spot(one.definition.statement).citations if one.definition else ()
    return MiddlewareRow(
        application=one.application,
        kind=one.kind,
        place=one.place,
        name=one.name,
        area=_area(sights, one),
        citations=cited(one.spot.citations, defined),
    )


def _area(sights: Sights, one: Around) -> Area | None:
    """By the guard that it is on some route, by what kind of thing it is, by what it calls."""
    if one.kind == "error handler":
        return Area.ERROR_DISCLOSURE
    for seen in sights.all:
        for guard in seen.route.guards:
            if guard.name.rpartition(".")[2] == one.name.rpartition(".")[2] or guard.spot == one.spot:
                found = {"authentication": Area.AUTHENTICATION, "authorization": Area.AUTHORIZATION}
                return found.get(guard.kind)
    return Area.LOGGING if sights.logs_in(one) else None
