"""Differences between value sets as deviations of an operation."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from evreview.reference.reconciling.difference import Difference, Mode, Open, Way
from evreview.workflows.w2.step3_reconcile.deviation import At, Deviation, Found
from evreview.workflows.w2.step3_reconcile.fields import differences
from evreview.workflows.w2.step3_reconcile.value_sets import Position

KindOf = Callable[[Difference], str]
UNSENT: Final = "the contract lets the field be absent, and the code shown never sends it"


def value_rows(at: At, sides: tuple[Position, Position], mode: Mode, kind_of: KindOf) -> Found:
    """The differences below a place, each as a deviation of the kind that `kind_of` names."""
    for found in differences(*sides, mode, at.matched.values.pair(*sides)):
        below = at.below(found.path) if found.path else at
        if isinstance(found, Open):
            yield at.matched.undecided(at.concern, below.place, found.reason, *at.spots)
        elif found.way is Way.UNSENT:
            yield at.matched.undecided(at.concern, below.place, UNSENT, *at.spots)
        else:
            yield _row(below, found, sides[0], kind_of(found))


def _row(at: At, found: Difference, contract: Position, kind: str) -> Deviation:
    return Deviation(
        kind=kind,
        operation=at.matched.operation.id,
        concern=at.concern,
        place=at.place,
        contract=found.contract,
        implementation=found.implementation,
        witness=found.witness,
        citations=at.matched.cited(found.place or contract.place, *at.spots),
        withholds=at.withholds,
    )


def media_base(media_type: str) -> str:
    """A media type without its parameters, in lower case."""
    return media_type.partition(";")[0].strip().lower()


def covers(stated: str, media_type: str) -> bool:
    """True when a media type or range of the contract stands for a media type."""
    stated, media_type = media_base(stated), media_base(media_type)
    kind = media_type.partition("/")[0]
    return stated in (media_type, "*/*", f"{kind}/*")


def is_json(media_type: str) -> bool:
    """True for JSON and its kin."""
    base = media_base(media_type)
    return base == "application/json" or base.endswith("+json")


def first_covering(stated: Iterable[str], media_type: str) -> str | None:
    """The most exact of the stated media types that stands for one; for "" the only JSON one."""
    every = list(stated)
    if not media_type:
        known = [each for each in every if is_json(each)]
        return known[0] if len(known) == 1 else None
    fitting = [each for each in every if covers(each, media_type)]
    return min(fitting, key=lambda each: each.count("*"), default=None)
