"""Every supplied item compared with the authorization: covered by an action, bound to the authorized revision.

Reads what `review.yaml` states of an item and its digest; of a sealed bundle nothing else is there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final

from evreview.core.errors import Problem
from evreview.core.quoted_text import Part, Subject, text
from evreview.core.vocabulary import EvidenceType, Technique
from evreview.evidence.cited_records import Cited, records_of
from evreview.evidence.item import Bundle, Citation, EvidenceItem, parse_integrity
from evreview.evidence.records.reference import SourceMap
from evreview.evidence.records.review import ReviewRequest, same_revision
from evreview.evidence.records.security import Authorization
from evreview.security.authorizing.paths import covers, meets, patterns_in
from evreview.security.authorizing.planned import LEFT_OUT, refused_path
from evreview.security.authorizing.standing import immutable
from evreview.workflows.w3.model import Refusal

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
            item, known.at("/revision"), "it is of ", Subject(own), ", authorized is ", Subject(authorized)
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
                    item, known.at(f"/{field}/{index}"), "its file ", Subject(item.file), " is left out"
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
                why = text("no planned action on it names ", Subject(source.path))
                citations = (known.at("/paths"), cited.at(f"/sources/{index}/path"))
                yield Refusal(about=str(source.item), why=why, citations=citations)
