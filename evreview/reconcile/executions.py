"""Recorded responses of the candidate as executed checks, where what an execution needs is retained."""

from __future__ import annotations

from collections.abc import Iterable

from evreview.checks.check import Executed
from evreview.reconcile.sources import Source
from evreview.vocab import SourceMatch


def executions(sources: Iterable[Source]) -> tuple[Executed, ...]:
    """One producer check per recorded response of the candidate that tells a row's two forms apart.

    It needs command, revision and fixture, and rows that it speaks about. A response that both contracts admit shows
    nothing about what differs; one that the candidate contract refuses has failed.
    """
    return tuple(_executed(source) for source in sources if _counts(source))


def _counts(source: Source) -> bool:
    retained = all(text.strip() for text in (source.command, source.revision, source.fixture))
    placed = source.kind == "observation" and source.claims == "candidate"
    decided = source.contradicts or source.match is SourceMatch.CANDIDATE
    return retained and placed and decided and bool(source.delta_ids)


def _executed(source: Source) -> Executed:
    return Executed(
        id=source.id,
        what=f"The recorded response of {source.operation} agrees with the candidate contract",
        command=source.command,
        revision=source.revision,
        fixture=source.fixture,
        result="failed" if source.contradicts else "passed",
        citation=source.citation,
        deltas=source.delta_ids,
        direction="producer",
        parses="candidate",
    )
