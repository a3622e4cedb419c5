"""One deviation recognised several ways is one row."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from evreview.core.vocabulary import MISSING, Form, Json
from evreview.workflows.w2.step3_reconcile.deviation import Deviation

Key = tuple[object, ...]
_SAME_AS: Final = {
    "observed-status-undocumented": (
        "success-undocumented", "error-undocumented", "framework-validation-undocumented", "success-status-differs",
    ),
    "observed-media-type-undocumented": ("response-media-type-differs", "response-body-undocumented"),
    "observed-header-undocumented": ("header-undocumented",),
    "observed-header-missing": ("header-unset",),
    "observed-field-undocumented": ("response-field-undocumented",),
    "observed-value-outside": ("response-outside", "error-code-undocumented"),
    "observed-body-outside": (
        "response-outside", "response-field-undocumented", "response-field-missing", "response-field-unowed",
        "error-code-undocumented",
    ),
}  # fmt: skip
"""Kinds of which a test's sighting is another view."""
_LIMITS: Final = {
    **dict.fromkeys(("rate-limit-undocumented", "rate-limit-lower", "rate-limit-higher"), (429,)),
    **dict.fromkeys(("limit-undocumented", "limit-lower", "limit-higher"), (413, 414, 431)),
}
"""Kinds whose row stands for these statuses too."""
DIFFERING: Final = "sources-all-differ"


def joined(found: Iterable[Deviation]) -> list[Deviation]:
    """Deviations of one operation, concern, kind and place as one, in the order of the first."""
    rows: dict[Key, Deviation] = {}
    for each in found:
        key = (each.operation, each.concern, each.kind, each.place)
        rows[key] = _both(rows[key], each) if key in rows else each
    return list(rows.values())


def with_sightings(rows: Sequence[Deviation], seen: Sequence[Deviation]) -> list[Deviation]:
    """The rows with what tests saw of the same; sightings of nothing that stands there are rows of their own.

    Args:
        rows: what contract and code deviate in.
        seen: what contract and tests deviate in.
    """
    made, alone = list(rows), []
    for sighting in seen:
        at = [index for index, row in enumerate(made) if _is_same(row, sighting)]
        if not at:
            alone.append(sighting)
        elif not sighting.by_code:
            alone.append(replace(sighting, kind=DIFFERING, implementation=made[at[0]].implementation))
        for index in at if at and sighting.by_code else ():
            citations = tuple(dict.fromkeys((*made[index].citations, *sighting.citations)))
            both = _either(made[index].observed, sighting.observed)
            made[index] = replace(made[index], observed=both, citations=citations)
    return [*made, *joined(alone)]


def _is_same(row: Deviation, sighting: Deviation) -> bool:
    if row.kind in _LIMITS:
        return sighting.kind == "observed-status-undocumented" and sighting.place[0] in _LIMITS[row.kind]
    if row.kind not in _SAME_AS.get(sighting.kind, ()) or row.operation != sighting.operation:
        return False
    mine, theirs = tuple(map(_plain, row.place)), tuple(map(_plain, sighting.place))
    return mine[: len(theirs)] == theirs or (row.kind == "success-status-differs" and _status(row) == theirs[0])


def _plain(step: str | int) -> str:
    return str(step).lower()


def _status(row: Deviation) -> str:
    form = row.implementation
    return str(form.get("status")) if isinstance(form, dict) else ""


def _both(one: Deviation, other: Deviation) -> Deviation:
    return replace(
        one,
        contract=_either(one.contract, other.contract),
        implementation=_either(one.implementation, other.implementation),
        observed=_either(one.observed, other.observed),
        witness=other.witness if one.witness is MISSING else one.witness,
        citations=tuple(dict.fromkeys((*one.citations, *other.citations))),
        withholds=one.withholds | other.withholds,
    )


def _either(one: Form, other: Form) -> Form:
    """Both forms: one of them where they are alike or one is missing, else a list of both."""
    if other is MISSING or one == other:
        return one
    if one is MISSING:
        return other
    several: list[Json] = list(one["any of"]) if isinstance(one, dict) and set(one) == {"any of"} else [one]
    return {"any of": several if other in several else [*several, other]}
