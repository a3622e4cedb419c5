"""Step 1 of a security review: is it authorized? Until this says yes, nothing but the authorization is read.

Spec, W3 steps 1, W3-F1 and its recovery; interpretation: the step reads the record and compares digests.
"""

from __future__ import annotations

from collections.abc import Iterator

from evreview.core.quoted_text import text
from evreview.evidence.cited_records import Cited, first_of, records_of
from evreview.evidence.item import Bundle
from evreview.evidence.records.review import ReviewRequest
from evreview.evidence.records.security import Authorization
from evreview.security.authorizing.fields import missing_from
from evreview.security.authorizing.planned import refused_action
from evreview.security.authorizing.standing import ITSELF, standing
from evreview.workflows.w3.authorization import EXCERPTS, refused_items
from evreview.workflows.w3.model import Authorized, Refusal


def authorize(request: ReviewRequest, known: Cited[Authorization] | None, bundle: Bundle) -> Authorized:
    """What the authorization lacks, and what of the review it does not cover; it passes when there is neither.

    Args:
        request: with the planned actions and the review's date, the only clock.
        known: the authorization, None when no typed one was supplied.
        bundle: sealed or not; of a sealed one only the items' statements and digests are looked at.
    """
    missing = missing_from(known.record if known else None)
    refusals = tuple(_refusals(request, known, bundle)) if known else ()
    return Authorized(missing=missing, refusals=refusals)


def authorization_of(bundle: Bundle) -> Cited[Authorization] | None:
    """The bundle's authorization, None when it holds no typed one."""
    return first_of(bundle, Authorization)


def _refusals(request: ReviewRequest, known: Cited[Authorization], bundle: Bundle) -> Iterator[Refusal]:
    every = records_of(bundle, Authorization)
    if len(every) > 1:
        why = text("there are several authorizations, and nothing says which one holds")
        yield Refusal(about=ITSELF, why=why, citations=tuple(each.citation for each in every))
    yield from standing(request, known)
    if not request.actions:
        yield Refusal(about=ITSELF, why=text("no action is planned"), citations=(known.at("/techniques"),))
    excerpts = any(item.type in EXCERPTS for item in bundle.items.values())
    if excerpts and not any(action.paths for action in request.actions):
        yield Refusal(about=ITSELF, why=text("no planned action names a path"), citations=(known.at("/paths"),))
    for action in request.actions:
        yield from refused_action(action, known)
    yield from refused_items(request, known, bundle)
