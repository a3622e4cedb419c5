"""The inspected files of a bundle, by its source maps."""

from __future__ import annotations

from evreview.codefacts.model import Part, SourceText
from evreview.core.vocabulary import EvidenceId
from evreview.evidence.cited_records import Cited, records_of
from evreview.evidence.item import Bundle
from evreview.evidence.records.reference import SourceFile, SourceMap


def mapped_sources(bundle: Bundle) -> tuple[tuple[SourceFile, Cited[SourceMap], int], ...]:
    """Every entry of every source map, with its place."""
    return tuple(
        (entry, cited, place)
        for cited in records_of(bundle, SourceMap)
        for place, entry in enumerate(cited.record.sources)
    )


def sources_of(bundle: Bundle) -> tuple[SourceText, ...]:
    """The inspected files as text, each once with every part that it plays."""
    parts: dict[tuple[EvidenceId, str], list[Part]] = {}
    firsts: dict[tuple[EvidenceId, str], int] = {}
    for entry, _, _ in mapped_sources(bundle):
        parts.setdefault((entry.item, entry.path), []).append(entry.part)
        firsts.setdefault((entry.item, entry.path), entry.first_line)
    return tuple(
        SourceText(item=item, path=path, parts=tuple(played), text=bundle.items[item].content, first_line=first)
        for (item, path), played in parts.items()
        if (first := firsts[item, path])
    )
