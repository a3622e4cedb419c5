"""Sentences that say what kind they are and what they rest on. Every printed claim is one of these."""

from __future__ import annotations

from collections.abc import Iterable

from evreview.core.frozen import frozen
from evreview.core.quoted_text import Part, Text, plain, text
from evreview.core.vocabulary import EvidenceId, Remedy, StatementKind
from evreview.evidence.item import Citation


@frozen
class Statement:
    """One labelled sentence.

    Attributes:
        kind: one of the eight kinds.
        text: the sentence.
        citations: what it rests on; a material statement has at least one.
        remedy: what mends its cause, where more than the step tells; it is not printed.
    """

    kind: StatementKind
    text: Text
    citations: tuple[Citation, ...] = ()
    remedy: Remedy | None = None

    def __str__(self) -> str:
        cited = ", ".join(str(citation) for citation in self.citations)
        return f"{self.kind}: {plain(self.text)}" + (f" [{cited}]" if cited else "")


def cite(*ids: EvidenceId | Citation | None) -> tuple[Citation, ...]:
    """Citations of the given items, in order, each once; None is left out."""
    found: dict[Citation, None] = {}
    for value in ids:
        if value is not None:
            found[value if isinstance(value, Citation) else Citation(value)] = None
    return tuple(found)


class _Maker:
    """Builds statements of one kind."""

    def __init__(self, kind: StatementKind) -> None:
        self._kind = kind

    def __call__(self, *parts: Part, on: Iterable[Citation] = (), remedy: Remedy | None = None) -> Statement:
        return Statement(self._kind, text(*parts), tuple(dict.fromkeys(on)), remedy)


observed = _Maker(StatementKind.OBSERVATION)
inferred = _Maker(StatementKind.INFERENCE)
recommended = _Maker(StatementKind.RECOMMENDATION)
executed = _Maker(StatementKind.EXECUTED_CHECK)
proposed = _Maker(StatementKind.PROPOSED_CHECK)
assumed = _Maker(StatementKind.ASSUMPTION)
limited = _Maker(StatementKind.LIMITATION)
next_action = _Maker(StatementKind.NEXT_ACTION)
