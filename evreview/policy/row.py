"""What the judgement stages ask of a ledger row: the fact, and what the rules said about it."""

from __future__ import annotations

from typing import Protocol

from evreview.comparison.delta import Delta
from evreview.core.vocabulary import Answer, RuleId, Verdict


class Judged(Protocol):
    """The rules' answer about one delta."""

    @property
    def rule(self) -> RuleId | None: ...
    @property
    def verdict(self) -> Verdict: ...
    @property
    def accepts_old_requests(self) -> Answer: ...
    @property
    def emits_old_compatible(self) -> Answer: ...
    @property
    def why(self) -> str: ...


class Row(Protocol):
    """One row of the comparison; `compare.Row` is one."""

    @property
    def delta(self) -> Delta: ...
    @property
    def judgement(self) -> Judged: ...


def material(row: Row) -> bool:
    """True unless the rules found the row compatible: unknown is material too."""
    return row.judgement.verdict is not Verdict.COMPATIBLE
