"""Every supplied item compared with the authorization: covered by an action, bound to the authorized revision.

Reads what `review.yaml` states of an item and its digest; of a sealed bundle nothing else is there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC
from typing import Final

from evreview.core.errors import Problem
from evreview.core.quoted_text import Part, UserText, plain, text
from evreview.core.vocabulary import EvidenceType, Technique
from evreview.evidence.bundle_folder import REVIEW
from evreview.evidence.cited_records import Cited, first_of, records_of
from evreview.evidence.contradictions import unwritten
from evreview.evidence.item import Bundle, Citation, EvidenceItem, parse_integrity
from evreview.evidence.records.reference import SourceMap
from evreview.evidence.records.review import ReviewRequest, same_revision, same_words
from evreview.evidence.records.security import Authorization
from evreview.workflows.w3.model import Authorized, Refusal
from evreview.workflows.w3.planned_actions import LEFT_OUT, covers, meets, patterns_in, refused_action, refused_path

# Whether the authorization itself holds: approved, by the right role, current, for one immutable revision.


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
    yield from _reviewed_revision_refusals(request, known)


def _authorization_refusal(known: Cited[Authorization], pointer: str, *why: Part) -> Refusal:
    return Refusal(about=ITSELF, why=text(*why), citations=(known.at(pointer),))


def _given(request: ReviewRequest, known: Cited[Authorization]) -> Iterator[Refusal]:
    record, owner = known.record, request.roles.security_owner
    if record.decision == "rejected":
        yield _authorization_refusal(known, "/decision", "the answer is no")
    if record.form not in (None, "written"):
        yield _authorization_refusal(known, "/form", f"it is {record.form}, not written")
    elif record.channel and (found := unwritten(record.channel)):
        yield _authorization_refusal(known, "/channel", "called written, while its channel says ", UserText(found))
    if record.approving_role and owner and same_words(record.approving_role, owner) is False:
        yield _authorization_refusal(
            known,
            "/approving_role",
            "given by ",
            UserText(record.approving_role),
            ", the review's security owner is ",
            UserText(owner),
        )
    if record.approving_role and not owner and not _OWNS.search(record.approving_role):
        found = "review.yaml names no `roles.security_owner`, so nobody can tell whether "
        yield _authorization_refusal(
            known, "/approving_role", found, UserText(record.approving_role), " is the security owner"
        )
    if record.at and record.at.astimezone(UTC).date().isoformat() > request.as_of:
        yield _authorization_refusal(known, "/at", "given after the review's date ", UserText(request.as_of))


def _current(request: ReviewRequest, known: Cited[Authorization]) -> Iterator[Refusal]:
    period = known.record.period
    if period is None:
        return
    if period.until < period.since:
        yield _authorization_refusal(known, "/period", "the period ends before it starts")
    elif request.as_of < period.since:
        yield _authorization_refusal(
            known, "/period/since", "not yet: ", UserText(request.as_of), " lies before the period"
        )
    elif request.as_of > period.until:
        yield _authorization_refusal(
            known, "/period/until", "no longer: ", UserText(request.as_of), " lies after the period"
        )


def _reviewed_revision_refusals(request: ReviewRequest, known: Cited[Authorization]) -> Iterator[Refusal]:
    stated, reviewed = known.record.revision, request.implementation_revision
    if stated is None:
        return
    if not immutable(stated):
        yield _authorization_refusal(
            known, "/revision", UserText(stated), " can move; a full commit or a digest is needed"
        )
    elif reviewed is None:
        yield _authorization_refusal(known, "/revision", "the review does not say which revision it looks at")
    elif not same_revision(immutable(stated), immutable(reviewed) or reviewed):
        yield _authorization_refusal(
            known, "/revision", "authorized is ", UserText(immutable(stated)), ", reviewed is ", UserText(reviewed)
        )


UNCOVERED: Final = frozenset({EvidenceType.AUTHORIZATION_RECORD, EvidenceType.POLICY})
"""Kinds that no action needs to cover: what allows the review, and the rules that it judges by."""
EXCERPTS: Final = frozenset({EvidenceType.SOURCE_EXCERPT, EvidenceType.CONFIGURATION_EXCERPT})
"""Kinds that come from paths of the repository."""
_UNBOUND: Final[Mapping[str, str]] = {
    "digest-mismatch": "its bytes are not those that its integrity names",
    "commit-mismatch": "its bytes are not those of the commit that its integrity names",
    "moving-reference": "its integrity names something that can move",
    "tag-without-digest": "its integrity names a tag without a digest",
    "abbreviated-commit": "its integrity names an abbreviated commit",
}
RETAINED: Final = "runs/"
"""Where `evreview execute` keeps what a run left: test records there are covered by the planned active validation."""
SCANNED: Final = "leads/"
"""Where `evreview leads` keeps what a scanner said: it is covered where the authorization allows to take in leads."""
_NOTHING_IMMUTABLE: Final = "its integrity names nothing immutable"
_COMMIT_DIGITS: Final = (40, 64)


def refused_items(request: ReviewRequest, known: Cited[Authorization], bundle: Bundle) -> Iterator[Refusal]:
    """Why supplied items are not covered, none when all are."""
    inspected = {name for action in request.actions for name in action.items}
    for item in bundle.items.values():
        if item.id in bundle.unbound:
            code = bundle.unbound[item.id]
            yield _item_refusal(item, known.at("/revision"), _UNBOUND.get(code, _NOTHING_IMMUTABLE))
        if item.type in UNCOVERED:
            continue
        if item.id not in inspected and not (_is_left_by_a_run(item, request) or _is_scanned(item, known)):
            yield _item_refusal(item, known.at("/techniques"), "no planned action covers it")
        yield from _item_revision_refusals(item, known)
        yield from _path(item, known)
        yield from _file_refusals(item, known)
        yield from _pathless(item, request, known)
    yield from _mapped(request, known, bundle)
    yield from _unmapped(request, known, bundle)


def _is_left_by_a_run(item: EvidenceItem, request: ReviewRequest) -> bool:
    planned = any(action.technique is Technique.ACTIVE_VALIDATION for action in request.actions)
    return planned and item.type == EvidenceType.TEST_RECORD and item.file.startswith(RETAINED)


def _is_scanned(item: EvidenceItem, known: Cited[Authorization]) -> bool:
    allowed = Technique.LEAD_INTAKE in (known.record.techniques or ())
    return allowed and item.type == EvidenceType.TEST_RECORD and item.file.startswith(SCANNED)


def _item_refusal(item: EvidenceItem, citation: Citation, *why: Part) -> Refusal:
    return Refusal(about=str(item.id), why=text(*why), citations=(citation, Citation(item.id)))


def _item_revision_refusals(item: EvidenceItem, known: Cited[Authorization]) -> Iterator[Refusal]:
    """A commit that the item's integrity names must be the authorized one; a digest alone says nothing of it."""
    own, authorized = item.revision, immutable(known.record.revision or "")
    both_commits = len(own) in _COMMIT_DIGITS and len(authorized) in _COMMIT_DIGITS
    if both_commits and not same_revision(own, authorized):
        yield _item_refusal(
            item, known.at("/revision"), "it is of ", UserText(own), ", authorized is ", UserText(authorized)
        )


def _path(item: EvidenceItem, known: Cited[Authorization]) -> Iterator[Refusal]:
    """A path that the item's integrity names must be allowed."""
    reference = parse_integrity(item.integrity, sha256="")
    if not isinstance(reference, Problem) and reference.path:
        for refusal in refused_path(str(item.id), reference.path, known):
            yield replace(refusal, citations=(*refusal.citations, Citation(item.id)))


def _file_refusals(item: EvidenceItem, known: Cited[Authorization]) -> Iterator[Refusal]:
    """The item's own file must not lie in what is left out; the allowed paths are those of the repository."""
    for field in LEFT_OUT:
        for index, words in enumerate(getattr(known.record, field) or ()):
            if item.file and any(meets(pattern, item.file) for pattern in patterns_in(words)):
                yield _item_refusal(
                    item, known.at(f"/{field}/{index}"), "its file ", UserText(item.file), " is left out"
                )


def _pathless(item: EvidenceItem, request: ReviewRequest, known: Cited[Authorization]) -> Iterator[Refusal]:
    """An excerpt comes from a path, so an action on it has to name one."""
    actions = [action for action in request.actions if item.id in action.items]
    if item.type in EXCERPTS and actions and not any(action.paths for action in actions):
        yield _item_refusal(item, known.at("/paths"), "no planned action on it names a path")


def _unmapped(request: ReviewRequest, known: Cited[Authorization], bundle: Bundle) -> Iterator[Refusal]:
    """Once the rest may be read: plain text of an excerpt has a path, by the source map or as its own file."""
    if bundle.sealed:
        return
    mapped = {source.item for cited in records_of(bundle, SourceMap) for source in cited.record.sources}
    for item in bundle.items.values():
        if item.type not in EXCERPTS or item.record is not None or item.id in mapped:
            continue
        planned = [path for action in request.actions if item.id in action.items for path in action.paths]
        if planned and not any(covers(path, item.file) for path in planned):
            yield _item_refusal(item, known.at("/paths"), "nothing says which planned path it comes from")


def _mapped(request: ReviewRequest, known: Cited[Authorization], bundle: Bundle) -> Iterator[Refusal]:
    """Once the source map may be read: every path in it must be allowed, and planned for the item that holds it."""
    for cited in records_of(bundle, SourceMap):
        for index, source in enumerate(cited.record.sources):
            refused = tuple(refused_path(str(source.item), source.path, known))
            yield from refused
            planned = (path for action in request.actions if source.item in action.items for path in action.paths)
            if not refused and not any(covers(path, source.path) for path in planned):
                why = text("no planned action on it names ", UserText(source.path))
                citations = (known.at("/paths"), cited.at(f"/sources/{index}/path"))
                yield Refusal(about=str(source.item), why=why, citations=citations)


# What a written authorization must say, in the words of W3-F1's recovery.


@dataclass(frozen=True, slots=True)
class Needed:
    """One thing that must be written.

    Attributes:
        field: of the record.
        words: how it is named when it is missing.
        empty_says: True where an empty list is an answer of its own.
    """

    field: str
    words: str
    empty_says: bool = False

    def is_written(self, record: Authorization) -> bool:
        """True when the record says it."""
        value = getattr(record, self.field)
        return value is not None and (self.empty_says or value != ())


NEEDED: Final = (
    Needed("approving_role", "approving role"),
    Needed("decision", "explicit decision"),
    Needed("at", "time of the decision"),
    Needed("channel", "approved channel"),
    Needed("revision", "immutable revision"),
    Needed("owns", "ownership"),
    Needed("environment", "environment"),
    Needed("paths", "allowed paths"),
    Needed("techniques", "techniques"),
    Needed("period", "review period"),
    Needed("prohibited_targets", "excluded targets"),
    Needed("prohibited_actions", "excluded actions"),
    Needed("exclusions", "exclusions", empty_says=True),
    Needed("active_testing", "active-test permission"),
    Needed("recipients", "disclosure recipients"),
    Needed("stop_conditions", "stop conditions"),
    Needed("cleanup", "cleanup requirements"),
    Needed("rollback", "rollback requirements"),
)
ISOLATED: Final = "isolated environment of active tests"
WRITTEN: Final = "written form, which active tests need"


def missing_from(record: Authorization | None) -> tuple[str, ...]:
    """What is not written, in the order of the table; all of it without a record."""
    if record is None:
        return tuple(needed.words for needed in NEEDED)
    missing = [needed.words for needed in NEEDED if not needed.is_written(record)]
    active = record.active_testing
    if active is not None and active.permitted:
        missing += [ISOLATED] if active.environment is None else []
        missing += [WRITTEN] if record.form is None else []
    return tuple(missing)


# Step 1 of a security review: is it authorized? Until this says yes, nothing but the authorization is read.
#
# Spec, W3 steps 1, W3-F1 and its recovery; interpretation: the step reads the record and compares digests.


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


# How far a bundle may be read: a security review no further than its request and authorization, until that passes.


MISSING: Final = "authorization-missing"
REFUSED: Final = "not-authorized"


def as_authorized(bundle: Bundle) -> Bundle:
    """The bundle, read whole when it was sealed and its authorization passes.

    Raises:
        BadInput: with every problem of what had not been read before.
    """
    if bundle.sealed and authorize(bundle.request, authorization_of(bundle), bundle).passed:
        return bundle.unsealed()
    return bundle


def authorization_problems(bundle: Bundle, as_of: str = "") -> Iterator[Problem]:
    """Why a security review is not authorized, as problems of the authorization; none when it is.

    Args:
        bundle: sealed or not.
        as_of: the day for which it is asked, ISO; "" is the review's date.
    """
    request = bundle.request.model_copy(update={"as_of": as_of}) if as_of else bundle.request
    known = authorization_of(bundle)
    answer = authorize(request, known, bundle)
    fields = {needed.words: f"#/{needed.field}" for needed in NEEDED}
    fields |= {ISOLATED: "#/active_testing/environment", WRITTEN: "#/form"}
    file = _file_of(bundle, known.citation) if known else REVIEW
    for words in answer.missing:
        where = fields[words] if known else "#/evidence"
        yield Problem(code=MISSING, found=f"the authorization does not state: {words}", file=file, place=where)
    for refusal in answer.refusals:
        cited = refusal.citations[0]
        found = f"{refusal.about}: {plain(refusal.why)}"
        yield Problem(code=REFUSED, found=found, file=_file_of(bundle, cited), place=cited.locator)


def _file_of(bundle: Bundle, cited: Citation) -> str:
    return bundle.items[cited.id].file or f"{REVIEW} ({cited.id})"


def authorized_lines(bundle: Bundle) -> Iterator[str]:
    """The authorization, and its answer when every item and action of today is compared with it.

    The answer stands here and not what it was compared with: an added item that is covered leaves step 1 as it was, so
    that a review resumes where the specification says; one that is not covered changes the answer.
    """
    for item in bundle.of_type(EvidenceType.AUTHORIZATION_RECORD):
        yield f"{item.id} {item.sha256} {item.integrity!r} {item.integrity_state}"
    answer = authorize(bundle.request, authorization_of(bundle), bundle)
    yield from answer.missing
    for each in answer.refusals:
        yield f"{each.about!r} {plain(each.why)!r} {' '.join(map(str, each.citations))}"
