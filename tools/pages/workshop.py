"""`docs/workshop.md`: the trainer's page, made from the exercises."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from evreview.app.workshop.exercise import Exercise
from evreview.app.workshop.workshop import EXERCISES, TITLES

_HEAD: Final = """# Workshops

Three workshops teach how to read a review, one for each workflow. This page is for the trainer, and made from the
exercises. Participants need a laptop with `pip install "evreview[lab]"`; no network, and no evidence of their own.

```sh
evreview lab --workshop w1           # API contract review; w2: API reference, w3: security review
```

The folder `evreview-lab/workshop-w1` holds a notebook, a copy of the bundled review, and `progress.json` with what is
solved. The same command opens it again; then all cells are run once more. To begin anew, remove the folder.

Each exercise is a task, a place for an answer and a check. `check(3, answer_3)` says that an answer is right, or where
to look. `hint(3)` gives the next step, `solution(3)` an answer and why. Solutions are read from the run.

## Plan for one workshop

| Minutes | What | Who |
| --- | --- | --- |
"""
_BEFORE: Final = ((10, "Open the notebook. Read the first screen: may it ship, who has to act, what breaks", "all"),)
_BREAK: Final = (5, "Break", "all")
_AFTER: Final = (15, "Compare answers to the last exercise. Name one review of your own that this would help", "all")
_ADVICE: Final = """
Work in pairs: one reads, one writes. Ask for a hint after three minutes, for the solution after eight. Let each pair
say where an answer stands, not only what it is. Who is early changes another file with `change(file, old, new)`, and
tells the others which step stops.
"""


def workshop_page() -> str:
    """The page."""
    rows = (f"| {minutes} | {what} | {who} |\n" for minutes, what, who in plan(EXERCISES["w1"]))
    return "".join([_HEAD, *rows, _ADVICE, *(part for name in EXERCISES for part in _workshop(name))])


def plan(exercises: Sequence[Exercise]) -> tuple[tuple[int, str, str], ...]:
    """The parts of one workshop: minutes, what is done, by whom."""
    half = len(exercises) // 2
    halves = (exercises[:half], exercises[half:])
    first, second = (sum(each.minutes for each in part) for part in halves)
    return (
        *_BEFORE,
        (first, f"Exercises 1 to {half}", "pairs"),
        _BREAK,
        (second, f"Exercises {half + 1} to {len(exercises)}", "pairs"),
        _AFTER,
    )


def _workshop(name: str) -> Iterator[str]:
    yield f"\n## {name.upper()}: {TITLES[name].partition(': ')[2]}\n\n"
    yield "| Exercise | Minutes | Aim | Usual mistakes |\n| --- | --- | --- | --- |\n"
    for number, each in enumerate(EXERCISES[name], 1):
        yield f"| {number} {each.title} | {each.minutes} | {each.aim} | {' '.join(each.mistakes)} |\n"
