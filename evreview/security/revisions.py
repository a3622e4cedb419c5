"""The one revision under review, and which revision each item belongs to."""

from __future__ import annotations

from evreview.core.vocabulary import EvidenceId
from evreview.evidence.cited_records import first_of, records_of
from evreview.evidence.item import Bundle, EvidenceItem
from evreview.evidence.records.reference import SourceMap
from evreview.evidence.records.review import same_revision
from evreview.evidence.records.security import Authorization


def reviewed(bundle: Bundle) -> str:
    """The commit under review: what the authorization names, or the request where that names a digest; "" for none."""
    authorization = first_of(bundle, Authorization)
    named = (authorization.record.revision if authorization else None) or ""
    return bundle.request.implementation_revision or named if is_digest(named) else named


def revision_of(bundle: Bundle, evidence_id: EvidenceId) -> str:
    """The commit that an item belongs to: by its source map, else by its integrity; "" when neither names one."""
    item = bundle.items.get(evidence_id)
    if item is None:
        return ""
    for cited in records_of(bundle, SourceMap):
        for entry in cited.record.sources:
            if entry.item == evidence_id and entry.revision and is_digest(item.revision):
                return entry.revision
    return own_revision(item)


def own_revision(item: EvidenceItem) -> str:
    """The commit that the item's integrity names, "" for a digest alone."""
    return "" if is_digest(item.revision) else item.revision


def belongs(bundle: Bundle, revision: str) -> bool:
    """True when a revision is the one under review."""
    return same_revision(revision, reviewed(bundle))


def is_digest(revision: str) -> bool:
    """True for nothing, for a digest, and for a blob id: none of them says which commit it belongs to."""
    return not revision or ":" in revision or revision.startswith("blob ")
