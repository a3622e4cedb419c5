"""Whether the authorization itself holds: approved, by the right role, current, for one immutable revision."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC
from typing import Final

from evreview.core.errors import Problem
from evreview.core.quoted_text import Part, Subject, text
from evreview.evidence.cited_records import Cited
from evreview.evidence.contradictions import unwritten
from evreview.evidence.item import parse_integrity
from evreview.evidence.records.review import ReviewRequest, same_revision
from evreview.evidence.records.security import Authorization
from evreview.workflows.w3.model import Refusal

ITSELF = "authorization"
_OWNS: Final = re.compile(r"\bsecurity\b.*\bowner\b|\bowner\b.*\bsecurity\b|\bciso\b", re.IGNORECASE)
"""A role that says of itself that it is the security owner, where the review does not say who is."""


def immutable(stated: str) -> str:
    """The commit or digest that a text names, "" when what it names can move."""
    found = parse_integrity(stated, sha256="")
    return "" if isinstance(found, Problem) else found.revision


def standing(request: ReviewRequest, known: Cited[Authorization]) -> Iterator[Refusal]:
    """Why the record does not authorize this review at its date."""
    yield from _given(request, known)
    yield from _current(request, known)
    yield from _revision(request, known)


def _refusal(known: Cited[Authorization], pointer: str, *why: Part) -> Refusal:
    return Refusal(about=ITSELF, why=text(*why), citations=(known.at(pointer),))


def _given(request: ReviewRequest, known: Cited[Authorization]) -> Iterator[Refusal]:
    record, owner = known.record, request.roles.security_owner
    if record.decision == "rejected":
        yield _refusal(known, "/decision", "the answer is no")
    if record.form not in (None, "written"):
        yield _refusal(known, "/form", f"it is {record.form}, not written")
    elif record.channel and (found := unwritten(record.channel)):
        yield _refusal(known, "/channel", "called written, while its channel says ", Subject(found))
    if record.approving_role and owner and _same(record.approving_role, owner) is False:
        yield _refusal(
            known,
            "/approving_role",
            "given by ",
            Subject(record.approving_role),
            ", the review's security owner is ",
            Subject(owner),
        )
    if record.approving_role and not owner and not _OWNS.search(record.approving_role):
        found = "review.yaml names no `roles.security_owner`, so nobody can tell whether "
        yield _refusal(known, "/approving_role", found, Subject(record.approving_role), " is the security owner")
    if record.at and record.at.astimezone(UTC).date().isoformat() > request.as_of:
        yield _refusal(known, "/at", "given after the review's date ", Subject(request.as_of))


def _same(left: str, right: str) -> bool:
    return " ".join(left.split()).casefold() == " ".join(right.split()).casefold()


def _current(request: ReviewRequest, known: Cited[Authorization]) -> Iterator[Refusal]:
    period = known.record.period
    if period is None:
        return
    if period.until < period.since:
        yield _refusal(known, "/period", "the period ends before it starts")
    elif request.as_of < period.since:
        yield _refusal(known, "/period/since", "not yet: ", Subject(request.as_of), " lies before the period")
    elif request.as_of > period.until:
        yield _refusal(known, "/period/until", "no longer: ", Subject(request.as_of), " lies after the period")


def _revision(request: ReviewRequest, known: Cited[Authorization]) -> Iterator[Refusal]:
    stated, reviewed = known.record.revision, request.implementation_revision
    if stated is None:
        return
    if not immutable(stated):
        yield _refusal(known, "/revision", Subject(stated), " can move; a full commit or a digest is needed")
    elif reviewed is None:
        yield _refusal(known, "/revision", "the review does not say which revision it looks at")
    elif not same_revision(immutable(stated), immutable(reviewed) or reviewed):
        yield _refusal(
            known, "/revision", "authorized is ", Subject(immutable(stated)), ", reviewed is ", Subject(reviewed)
        )
