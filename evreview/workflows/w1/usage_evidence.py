"""Privacy-safe usage counts: when they may be used at all, and what they show about one element."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

from evreview.evidence.cited_records import Cited
from evreview.evidence.contradictions import other_environment
from evreview.evidence.element_mentions import field_path, field_steps, is_suffix, names_element
from evreview.evidence.item import Citation
from evreview.evidence.records.compatibility import UsageCount, UsageMetrics
from evreview.policy.signals import lint_text

_NONE: Final = re.compile(
    r"(none|no|n/?a|unknown|tbd|todo|to be (done|decided|defined)|not (yet )?(known|documented|defined)( yet)?)"
    r"( (privacy )?controls?)?",
    re.IGNORECASE,
)
"""What says of a control that there is none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ZeroUse:
    """Whether evidence shows that nobody uses an element; `why` says what is lacking, or which period shows it."""

    shown: bool
    why: str
    citations: tuple[Citation, ...] = ()


def controls_lacking(metrics: UsageMetrics) -> tuple[str, ...]:
    """Which of aggregation, retention and privacy controls the metrics do not document."""
    named = (
        ("aggregation", metrics.aggregation),
        ("retention", metrics.retention),
        ("privacy controls", metrics.privacy_controls),
    )
    return tuple(name for name, value in named if not value or _NONE.fullmatch(value.strip().rstrip(".")))


def elsewhere(metrics: UsageMetrics) -> str:
    """Why the counts are not shown to be of production, "" when they are."""
    if metrics.environment is None:
        return "which environment was counted is not shown"
    if metrics.environment != "production":
        return "another environment than production was counted"
    found = other_environment(metrics.aggregation or "")
    return f"they are called counts of production, and their aggregation names `{found}`" if found else ""


def private_parts(metrics: UsageMetrics) -> tuple[str, ...]:
    """What the counts keep that counting needs not, by their own words about how they are aggregated."""
    return tuple(dict.fromkeys(fault.kind for fault in lint_text(metrics.aggregation or "")))


def usable_metrics(
    metrics: Iterable[Cited[UsageMetrics]],
) -> tuple[tuple[Cited[UsageMetrics], ...], tuple[str, ...]]:
    """The metrics of production that document all three controls and keep nothing private; a limitation for others."""
    usable, limitations = [], []
    for cited in metrics:
        lacking = controls_lacking(cited.record)
        if lacking:
            limitations.append(
                f"The usage metrics of {cited.citation} are not used: no {', no '.join(lacking)} stated."
            )
        elif where := elsewhere(cited.record):
            limitations.append(f"The usage metrics of {cited.citation} are not used: {where}.")
        elif kept := private_parts(cited.record):
            limitations.append(f"The usage metrics of {cited.citation} are not used: they keep {', '.join(kept)}.")
        else:
            usable.append(cited)
    return tuple(usable), tuple(limitations)


def zero_use(
    address: str,
    operations: Sequence[str],
    metrics: Sequence[Cited[UsageMetrics]],
    as_of: str | None = None,
    days: int | None = None,
) -> ZeroUse:
    """Whether `metrics` show that no consumer uses the element at `address`, at every operation that it reaches.

    Counts of zero over all consumers show it, for the element itself or for what encloses it, unless another count
    of the element itself in the same period or later is above zero. Counts that end after `as_of` are not used.

    With `days` the zero counts together must cover each of the last `days` days, because an old count says nothing
    about use since. The last of these days is `as_of`, or the day before it while the day of the review is not
    counted yet.

    Args:
        address, operations: the element, as the ledger addresses it.
        metrics: metrics with all controls documented (see `usable_metrics`).
        as_of: the ISO date of the review; None for no limit.
        days: how many days up to `as_of` must be counted; None asks for no particular days. At least the last day
            is asked for otherwise.
    """
    asked = None if as_of is None or days is None else (date.fromisoformat(as_of), max(days, 1))
    counts = [
        (count, cited.at(f"/counts/{place}"))
        for cited in metrics
        for place, count in enumerate(cited.record.counts)
        if _dated(count, as_of)
    ]
    found = []
    for operation in operations or (address.split(" > ")[0],):
        use = _zero_at(operation, address, counts, asked)
        if not use.shown:
            return use
        found.append(use)
    citations = dict.fromkeys(citation for use in found for citation in use.citations)
    return ZeroUse(shown=True, why="; ".join(dict.fromkeys(use.why for use in found)), citations=tuple(citations))


_Counts = Sequence[tuple[UsageCount, Citation]]


def _zero_at(operation: str, address: str, counts: _Counts, asked: tuple[date, int] | None) -> ZeroUse:
    own = [(count, at) for count, at in counts if names_element(count.element, address, operation)]
    zeros = [(count, at) for count, at in own if count.uses == 0 and count.consumers == "all"]
    if not zeros:
        known_only = any(count.uses == 0 for count, _ in own)
        lack = "the count of zero covers known consumers only" if known_only else "no count of zero over all consumers"
        return ZeroUse(shown=False, why=f"{lack} at {operation}")
    latest, at = max(zeros, key=lambda found: (found[0].until, found[0].since))
    needed = _needed(zeros, *asked) if asked else []
    since, until = (needed[0], needed[-1]) if needed else (latest.since, latest.until)
    for count, place in own:
        if count.uses > 0 and count.until >= since and _is_itself(count.element, address):
            why = f"{count.uses} uses were counted from {count.since} to {count.until}"
            return ZeroUse(shown=False, why=why, citations=(place,))
    uncounted = [day for day in needed if not any(_counts_day(count, day) for count, _ in zeros)]
    if uncounted:
        why = f"at {operation} these days are not counted: {_ranges(uncounted)}"
        return ZeroUse(shown=False, why=why, citations=(at,))
    used = [place for count, place in zeros if count.until >= since] if needed else [at]
    return ZeroUse(shown=True, why=f"no use from {since} to {until}, all consumers", citations=tuple(used))


def _needed(zeros: _Counts, as_of: date, days: int) -> list[date]:
    """The days that must be counted, in order; they end the day before `as_of` while nobody counted that day."""
    counted = any(_counts_day(count, as_of) for count, _ in zeros)
    last = as_of.toordinal() - (0 if counted else 1)
    return [date.fromordinal(day) for day in range(max(last - days, 0) + 1, last + 1)]


def _counts_day(count: UsageCount, day: date) -> bool:
    return count.since <= day <= count.until


def _ranges(days: Sequence[date]) -> str:
    """Days as ranges: `2026-11-01 to 2026-11-03, 2026-11-07`."""
    runs: list[list[date]] = []
    for day in days:
        if runs and day - runs[-1][-1] == timedelta(days=1):
            runs[-1].append(day)
        else:
            runs.append([day])
    return ", ".join(str(run[0]) if len(run) == 1 else f"{run[0]} to {run[-1]}" for run in runs)


def _dated(count: UsageCount, as_of: str | None) -> bool:
    limit = date.fromisoformat(as_of) if as_of else date.max
    return count.since <= count.until <= limit


def _is_itself(text: str, address: str) -> bool:
    """True when the text names the element itself, not what encloses it."""
    words = text.split(maxsplit=2)
    named = field_steps(words[2]) if len(words) == 3 else ()
    return is_suffix(text, address) or (bool(named) and named[-1:] == field_path(address)[-1:])
