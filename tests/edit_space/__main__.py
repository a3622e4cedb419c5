"""`python -m tests.edit_space [SHARE]`: the tables, the cells still unknown, and what the oracle can't decide.

Every cell is tried, or one in SHARE; the test tries the share named in `test_edit_space`.
"""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable

from tests.edit_space.cells import cells, places
from tests.edit_space.compositions import compositions
from tests.edit_space.messages.table import every_edit
from tests.edit_space.outcome import Outcome, Result, edit_result, result

Counts = dict[str, Counter[Outcome]]


def counted(results: Iterable[Result], by: Callable[[Result], str]) -> Counts:
    """Results by class and outcome."""
    found: Counts = defaultdict(Counter)
    for each in results:
        found[by(each)][each.outcome] += 1
    return found


def table(title: str, rows: Counts) -> str:
    """Counts by class, as aligned text."""
    width = max(len(name) for name in (*rows, title)) + 2
    total: Counter[Outcome] = sum(rows.values(), Counter())
    lines = [title.ljust(width) + "".join(outcome.value.rjust(18) for outcome in Outcome)]
    for name, row in (*rows.items(), ("all", total)):
        lines.append(name.ljust(width) + "".join(str(row[each]).rjust(18) for each in Outcome))
    return "\n".join(lines) + "\n\n"


def main(share: int) -> None:
    """Print everything."""
    values = [result(cell) for place in places() for cell in cells(place, share)]
    composed = [result(each) for each in compositions(share)]
    messages = [edit_result(edit) for edit in every_edit()]
    for title, results, by in (
        ("keyword", values, lambda each: each.keyword),
        ("position", values, lambda each: each.place.partition(",")[0].partition(" ")[2]),
        ("nesting", values, lambda each: each.place.rpartition(", ")[2]),
        ("beside a component", composed, lambda each: each.keyword),
        ("of no value", messages, lambda each: each.keyword),
    ):
        sys.stdout.write(table(title, counted(results, by)))
    for outcome in (Outcome.WRONG, Outcome.OPEN, Outcome.UNDECIDED):
        listed = [each for each in (*values, *composed, *messages) if each.outcome is outcome]
        for each in listed:
            sys.stdout.write(f"{outcome.value}: {each.line}\n")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1)
