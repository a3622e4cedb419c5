"""How much of the labelled set the redactor finds, and how often what is none: `python -m tests.redaction.recall`.

`--misses` names every text that it gets wrong, `--seed N` draws other values, `--share` prints the sum alone.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from evreview.core.control_characters import visible
from evreview.redaction.redactor import Redactor
from tests.redaction.labelled import Case, negatives, positives

SEED: Final = 20261122


@dataclass(frozen=True, slots=True)
class Score:
    """One group: how many texts, and those that came out wrong."""

    group: str
    texts: int
    wrong: tuple[Case, ...]

    @property
    def share(self) -> float:
        """Of the texts, how many came out wrong."""
        return len(self.wrong) / self.texts


def removed(case: Case) -> bool:
    """True when the value is gone from the text."""
    return case.value not in Redactor().clean(case.text)


def untouched(case: Case) -> bool:
    """True when nothing in the text changed."""
    return Redactor().clean(case.text) == visible(case.text)


def missed(seed: int = SEED) -> tuple[Score, ...]:
    """The texts with a value, by group; wrong is one that keeps it."""
    cases = tuple(positives(seed))
    return _scores(cases, [case for case in cases if not removed(case)])


def false(seed: int = SEED) -> tuple[Score, ...]:
    """The harmless texts, by group; wrong is one that changed."""
    cases = tuple(negatives(seed))
    return _scores(cases, [case for case in cases if not untouched(case)])


def total(scores: Iterable[Score]) -> float:
    """Of all the texts, how many came out wrong."""
    found = tuple(scores)
    return sum(len(score.wrong) for score in found) / sum(score.texts for score in found)


def _scores(cases: tuple[Case, ...], wrong: list[Case]) -> tuple[Score, ...]:
    groups = dict.fromkeys(case.group for case in cases)
    return tuple(
        Score(
            group,
            sum(case.group == group for case in cases),
            tuple(case for case in wrong if case.group == group),
        )
        for group in groups
    )


def table(lost: tuple[Score, ...], harmed: tuple[Score, ...]) -> list[str]:
    """Both, as the lines of a Markdown table."""
    rows = ["| Texts | Number | Found |", "| --- | --- | --- |"]
    rows += [f"| {score.group} | {score.texts:,} | {1 - score.share:.1%} |" for score in lost]
    rows.append(f"| **with a value** | {sum(score.texts for score in lost):,} | **{1 - total(lost):.1%}** |")
    rows += [f"| {score.group} | {score.texts:,} | {score.share:.1%} |" for score in harmed]
    rows.append(f"| **harmless** | {sum(score.texts for score in harmed):,} | **{total(harmed):.1%}** |")
    return rows


def main() -> None:
    """Print the table, and the misses when they are asked for."""
    asked = argparse.ArgumentParser(prog="recall", description=__doc__)
    asked.add_argument("--seed", type=int, default=SEED, help="draws other values")
    asked.add_argument("--misses", action="store_true", help="names every text that comes out wrong")
    given = asked.parse_args()
    lost, harmed = missed(given.seed), false(given.seed)
    print("\n".join(table(lost, harmed)))
    for score in (*lost, *harmed) if given.misses else ():
        for case in score.wrong:
            print(
                f"{case.group}: {case.name}: {Redactor().clean(case.text)!r}"
                if not case.value
                else f"{case.group}: {case.name}"
            )


if __name__ == "__main__":
    main()
