"""Several releases of one contract compared: each with every later one, and which compatibility levels hold.

BACKWARD asks whether a release reads what the one before it wrote, FORWARD whether that one reads what the release
writes, FULL both; the transitive levels ask it of every earlier release. For HTTP contracts reading is accepting old
requests, and writing is sending responses that old clients read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Final

from evreview.comparison.comparison import Comparison, JudgedRow, contract_json
from evreview.comparison.ledger import HISTORY, columns_of
from evreview.contract.model import Contract
from evreview.core.errors import bad_input
from evreview.core.frozen import frozen
from evreview.core.vocabulary import CompatibilityLevel, DeltaId, Json, ProofStatus, Tristate
from evreview.redaction.redactor import Redactor

if TYPE_CHECKING:
    from pandas import DataFrame

    from evreview.comparison.kind_spec import Specs

SCHEMA: Final = "evreview.history/1"
MOST: Final = 40
"""Releases of one history; each is compared with all later ones."""


def answers(level: CompatibilityLevel, row: JudgedRow) -> tuple[Tristate, ...]:
    """The answers of a row that the level asks for."""
    asked = level.value.partition("-")[0]
    told = row.judgement
    back = (told.accepts_old_requests,) if asked in ("backward", "full") else ()
    return (*back, told.emits_old_compatible) if asked in ("forward", "full") else back


def level_named(name: str) -> CompatibilityLevel:
    """The level of a name.

    Raises:
        BadInput: `level-unknown`.
    """
    try:
        return CompatibilityLevel(name)
    except ValueError:
        advice = f"choose one of {', '.join(CompatibilityLevel)}"
        raise bad_input("level-unknown", f"there is no level {name}", advice=advice) from None


@frozen(kw_only=True)
class Pair:
    """Two releases of a history by their numbers from 0, and their comparison."""

    earlier: int
    later: int
    comparison: Comparison = field(repr=False)

    @property
    def adjacent(self) -> bool:
        """True when no release lies between."""
        return self.later - self.earlier == 1

    def rows(self, level: CompatibilityLevel, answer: Tristate) -> tuple[JudgedRow, ...]:
        """The rows with this answer to a question of the level."""
        return tuple(row for row in self.comparison.rows if answer in answers(level, row))

    @property
    def doubted(self) -> bool:
        """True when a part that nobody could read may differ."""
        return self.comparison.doubted


@frozen(kw_only=True)
class Reason:
    """The rows of one pair that stand against a level, or leave it open."""

    earlier: int
    later: int
    rows: tuple[DeltaId, ...]


@frozen(kw_only=True)
class LevelStatus:
    """What is known of one level.

    Attributes:
        level: the level.
        holds: yes, no, or unknown when nothing is known to break it and something is not known.
        broken: for each pair that breaks it the rows.
        unknown: for each pair that leaves it open the rows; none where something unread leaves it open.
    """

    level: CompatibilityLevel
    holds: Tristate
    broken: tuple[Reason, ...]
    unknown: tuple[Reason, ...]


@dataclass(frozen=True, kw_only=True)
class History:
    """Releases in their order, and each compared with every later one, neighbours first.

    Attributes:
        releases: the contracts, the oldest first.
        pairs: their comparisons.
        level: the level that is asked for.
        learn: makes the redactor that redacts `frame`, when first asked for; without it the detectors judge alone.
    """

    releases: tuple[Contract, ...]
    pairs: tuple[Pair, ...]
    level: CompatibilityLevel = CompatibilityLevel.FULL
    learn: Callable[[], Redactor] = field(default=Redactor, repr=False, compare=False)

    def __repr__(self) -> str:
        """Nothing of the contracts: a notebook that shows it saves it."""
        return f"History({len(self.releases)} releases, {self.level}: {self.holds})"

    @property
    def holds(self) -> Tristate:
        """Whether the level asked for holds: yes, no or unknown, as `evreview diff --history` says it."""
        return self.standing(self.level).holds

    def redacting(self, learn: Callable[[], Redactor]) -> History:
        """The same history, its frames redacted by what the redactor knows that `learn` makes."""
        return replace(self._each(lambda comparison: comparison.redacting(learn)), learn=learn)

    def read_with(self, options: Sequence[str]) -> History:
        """The same history, its commands naming the options that the contracts were read with."""
        return self._each(lambda comparison: comparison.read_with(options))

    def _each(self, change: Callable[[Comparison], Comparison]) -> History:
        return replace(self, pairs=tuple(replace(pair, comparison=change(pair.comparison)) for pair in self.pairs))

    @cached_property
    def frame(self) -> DataFrame:
        """`raw_frame`, redacted: what a notebook may show and keep."""
        from evreview.redaction.sinks import redacted_frame

        return redacted_frame(self.raw_frame, self.learn())

    @cached_property
    def raw_frame(self) -> DataFrame:
        """One row per difference of a pair, key `earlier`, `later`, `delta_id`; neighbours first.

        The columns of `ledger/columns.py`, first those that a history owns. Not redacted.
        """
        import pandas as pd

        counted = {(pair.earlier, pair.later) for pair in self.counted(self.level)}
        frames = [_framed(pair, self.level, counts=(pair.earlier, pair.later) in counted) for pair in self.pairs]
        return pd.concat(frames, ignore_index=True)

    def counted(self, level: CompatibilityLevel) -> Iterator[Pair]:
        """The pairs that a level asks about."""
        if level is not CompatibilityLevel.NONE:
            yield from (pair for pair in self.pairs if pair.adjacent or level.transitive)

    def standing(self, level: CompatibilityLevel) -> LevelStatus:
        """Whether a level holds, and what stands against it."""
        pairs = tuple(self.counted(level))
        broken = tuple(_reasons(pairs, level, Tristate.NO))
        unknown = tuple(_reasons(pairs, level, Tristate.UNKNOWN))
        holds = Tristate.NO if broken else Tristate.UNKNOWN if unknown else Tristate.YES
        return LevelStatus(level=level, holds=holds, broken=broken, unknown=unknown)

    @property
    def standings(self) -> tuple[LevelStatus, ...]:
        """Every level that asks for something."""
        return tuple(self.standing(level) for level in CompatibilityLevel if level is not CompatibilityLevel.NONE)

    def unproven(self, level: CompatibilityLevel) -> bool:
        """True when a row that a level asks about is not proved."""
        rows = (row for pair in self.counted(level) for row in pair.comparison.rows)
        return any(row.proof.status is ProofStatus.UNPROVEN for row in rows if _asked(row, level))

    def to_dict(self) -> dict[str, Json]:
        """The JSON object of `evreview diff --history --format json`."""
        return {
            "schema": SCHEMA,
            "releases": [contract_json(contract) for contract in self.releases],
            "levels": [_standing(standing) for standing in self.standings],
            "pairs": [
                {"earlier": pair.earlier, "later": pair.later, "diff": pair.comparison.to_dict()} for pair in self.pairs
            ],
        }


def compare_history(
    releases: Sequence[Contract],
    specs: Specs,
    *,
    witnesses: bool = True,
    level: CompatibilityLevel = CompatibilityLevel.FULL,
) -> History:
    """Each release compared with every later one.

    Args:
        releases: contracts of one kind, the oldest first.
        witnesses: see `compare`.
        level: the level that is asked for.

    Raises:
        BadInput: `history-too-short`, `history-too-long`, `contract-kinds-differ`.
    """
    from evreview.comparison.compare import compare

    if len(releases) < 2:
        raise bad_input("history-too-short", "a history has two releases at least", advice="name the releases in order")
    if len(releases) > MOST:
        advice = "compare the last ones, or the two that matter"
        raise bad_input("history-too-long", f"{len(releases)} releases, more than {MOST}", advice=advice)
    order = sorted(
        ((earlier, later) for later in range(len(releases)) for earlier in range(later)),
        key=lambda pair: (pair[1] - pair[0] > 1, pair),
    )
    pairs = tuple(
        Pair(
            earlier=earlier,
            later=later,
            comparison=compare(releases[earlier], releases[later], specs, witnesses=witnesses),
        )
        for earlier, later in order
    )
    return History(releases=tuple(releases), pairs=pairs, level=level)


def _reasons(pairs: Sequence[Pair], level: CompatibilityLevel, answer: Tristate) -> Iterator[Reason]:
    for pair in pairs:
        found = tuple(row.delta.id for row in pair.rows(level, answer))
        if found or (answer is Tristate.UNKNOWN and pair.doubted):
            yield Reason(earlier=pair.earlier, later=pair.later, rows=found)


def _framed(pair: Pair, level: CompatibilityLevel, *, counts: bool) -> DataFrame:
    """The frame of a pair behind the columns that a history owns."""
    frame, owned = pair.comparison.raw_frame, columns_of(HISTORY)
    said = [", ".join(answers(level, row)) if counts else "" for row in pair.comparison.rows]
    told = frame.assign(earlier=pair.earlier, later=pair.later, answers=said)
    typed = told.astype({column.name: column.dtype.value for column in owned})
    return typed[[*(column.name for column in owned), *frame.columns]]


def _asked(row: JudgedRow, level: CompatibilityLevel) -> bool:
    return any(answer is not Tristate.NOT_APPLICABLE for answer in answers(level, row))


def _standing(standing: LevelStatus) -> Json:
    return {
        "level": standing.level.value,
        "holds": standing.holds.value,
        "broken": [_reason(reason) for reason in standing.broken],
        "unknown": [_reason(reason) for reason in standing.unknown],
    }


def _reason(reason: Reason) -> Json:
    return {"earlier": reason.earlier, "later": reason.later, "rows": list[Json](reason.rows)}
