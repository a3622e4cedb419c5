"""Bundles of a security review made by hand: items with content, records and one revision."""

from __future__ import annotations

import hashlib
from textwrap import dedent
from typing import Any

from evreview.codefacts.model import Part, SourceText
from evreview.core.vocabulary import EvidenceId, EvidenceType, Integrity, WorkflowId
from evreview.evidence.cited_records import Cited
from evreview.evidence.item import Bundle, Citation, EvidenceItem
from evreview.evidence.records.review import Decisions, Record, ReviewRequest

REVISION = "8d2f60c1b7a94e35f0c6d81a2b93e7450f6c1ad8"
OTHER = "1" * 40
SOURCE, CONFIGURATION = EvidenceType.SOURCE_EXCERPT, EvidenceType.CONFIGURATION_EXCERPT
DEPLOYED, TESTED, RAN = EvidenceType.ROLLOUT_RECORD, EvidenceType.TEST_INVENTORY, EvidenceType.TEST_RECORD


def item(number: int, kind: EvidenceType, content: str | Record, **given: Any) -> EvidenceItem:
    """An item at the reviewed revision; `revision=""` for one that names none, `path` for its path there."""
    revision, path = given.get("revision", REVISION), given.get("path", "")
    text = "" if isinstance(content, Record) else dedent(content)
    digest = hashlib.sha256(text.encode()).hexdigest()
    at = f", commit {revision}" + (f" path {path}" if path else "") if revision else ""
    return EvidenceItem(
        id=EvidenceId(f"E{number}"), type=kind, content=text, integrity=f"sha256:{digest}{at}",
        establishes=given.get("establishes", "What stands there."), file=given.get("file", path), sha256=digest,
        integrity_state=Integrity.VERIFIED, revision=revision or f"sha256:{digest}",
        record=content if isinstance(content, Record) else None,
    )  # fmt: skip


def bundle_of(*items: EvidenceItem, **request: Any) -> Bundle:
    """A bundle of these items, about `REVISION` unless the request says otherwise."""
    stated = {"workflow": "w3", "title": "t", "as_of": "2026-11-22", "implementation_revision": REVISION} | request
    return Bundle(
        workflow=WorkflowId.W3, title="t", request=ReviewRequest.model_validate(stated),
        items={one.id: one for one in items}, decisions=Decisions(), warnings=(), root="", digest="",
    )  # fmt: skip


def source_of(one: EvidenceItem, path: str, *parts: Part) -> SourceText:
    """The same item as an inspected file."""
    return SourceText(item=one.id, path=path, parts=parts or ("handler",), text=one.content)


def cited(record: Any, number: int = 2) -> Cited[Any]:
    """A record as the content of an item."""
    return Cited(record, Citation(EvidenceId(f"E{number}")))
