"""What of a change has a date, and what waits: notices, counts and the day of the review, then the planned steps."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from typing import TYPE_CHECKING

from evreview.core.quoted_text import counted
from evreview.evidence.cited_records import records_of
from evreview.evidence.item import Bundle
from evreview.evidence.records.compatibility import UsageCount, UsageMetrics
from evreview.evidence.records.review import PlanStep
from evreview.workflows.w1.facts import W1Facts
from evreview.workflows.w1.policy.planned_steps import step_does
from evreview.workflows.w1.rollout_picture import drawn_steps, waits_of
from evreview.workflows.w1.usage_evidence import usable_metrics
from evreview.workflows.widgets.renderables import Clean
from evreview.workflows.widgets.timeline import Mark, Timeline

if TYPE_CHECKING:
    from evreview.workflows.session import Review

_SHOWS_NO_NOTICE = frozenset({"notice-evidence", "notice-date"})


def timeline(review: Review, clean: Clean) -> Timeline:
    """The timeline of a W1 review; every date in it is one that the evidence gives, or follows from one."""
    bundle, facts = review.bundle, review.facts
    if not isinstance(facts, W1Facts):
        return Timeline(marks=())
    today = Mark(what="this review", day=bundle.request.as_of, here=True)
    steps = [_planned(step) for step in drawn_steps(bundle, facts)]
    return Timeline(marks=(*_notices(bundle, facts), *_counts(bundle), today, *steps), clean=clean)


def _notices(bundle: Bundle, facts: W1Facts) -> Iterator[Mark]:
    """A notice, and the end of its days where evidence shows the notice."""
    judged = {each.address: each for each in facts.removals}
    for removal in bundle.request.removals:
        given, found = removal.notice_given, judged.get(removal.address)
        if not given or found is None:
            continue
        is_shown = not _SHOWS_NO_NOTICE & {each.code for each in found.missing}
        yield Mark(what=f"notice for {removal.address}{'' if is_shown else ', which nothing shows'}", day=given)
        if is_shown and found.required_days:
            end = date.fromisoformat(given) + timedelta(days=found.required_days)
            yield Mark(what=f"{counted(found.required_days, 'day')} of notice end", day=end.isoformat())


def _counts(bundle: Bundle) -> Iterator[Mark]:
    """The counts that a review uses, one mark per period."""
    periods: dict[tuple[date, date], list[UsageCount]] = {}
    for metrics in usable_metrics(records_of(bundle, UsageMetrics))[0]:
        for count in metrics.record.counts:
            if count.until.isoformat() <= bundle.request.as_of:
                periods.setdefault((count.since, count.until), []).append(count)
    for (since, until), counts in periods.items():
        uses = counted(sum(count.uses for count in counts), "use")
        by = "all consumers" if all(count.consumers == "all" for count in counts) else "known consumers"
        yield Mark(what=f"{uses} by {by} since {since}", day=until.isoformat())


def _planned(step: PlanStep) -> Mark:
    return Mark(what=step_does(step), day=step.when or "", waits=waits_of(step))
