"""What the notebook of a workshop calls: `check`, `hint`, `solution`, and changed copies of the evidence."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from evreview.app.notebook.notebook_content import Notebook, of_cells
from evreview.app.workbench import Workbench, refusal
from evreview.app.workshop import folder as files
from evreview.app.workshop import w1, w2, w3
from evreview.app.workshop.exercise import Exercise, TextChange, Words, is_empty
from evreview.core.assets import demo_bundle
from evreview.core.errors import BadInput, bad_input
from evreview.core.quoted_text import counted
from evreview.evidence.bundle_reader import open_bundle
from evreview.workflows.session import Review, review
from evreview.workflows.widgets.renderables import Listing, Markup, Renderable

EXERCISES: Final[Mapping[str, tuple[Exercise, ...]]] = {"w1": w1.EXERCISES, "w2": w2.EXERCISES, "w3": w3.EXERCISES}
TITLES: Final[Mapping[str, str]] = {"w1": w1.TITLE, "w2": w2.TITLE, "w3": w3.TITLE}
LAST_CHANGE: Final = "changed"


class Workshop(Renderable):
    """The exercises on the bundled review of a workflow; shows which are solved.

    Args:
        workflow: `w1`, `w2` or `w3`.
        folder: holds the copy of the evidence; what is solved is noted in it.
        headless: see `Renderable`.

    Attributes:
        review: the participant's own review, whose gates may be answered.
        last_change: the review of the copy that the participant changed last, None before.

    Raises:
        InputRefused: there is no such workshop, or the evidence in the folder can't be read.
    """

    def __init__(self, workflow: str, folder: str | Path = ".", *, headless: bool | None = None) -> None:
        self.headless = headless
        self.workflow = workflow
        try:
            self.exercises = exercises_of(workflow)
        except BadInput as error:
            raise refusal(error) from None
        self._folder = Path(folder)
        self.review = Workbench(files.evidence(self._folder, workflow), headless=headless, workflow=workflow)
        self.last_change: Review | None = None

    @cached_property
    def given(self) -> Review:
        """The review of the evidence as it was handed out: what the solutions are read from."""
        return review(open_bundle(demo_bundle(self.workflow)))

    @property
    def solved(self) -> frozenset[int]:
        """The numbers of the exercises that are solved."""
        return files.solved(self._folder) & frozenset(range(1, len(self.exercises) + 1))

    def check(self, number: int, answer: object = "") -> Renderable:
        """Whether the answer is right, or where to look."""
        exercise = self._exercise(number)
        if isinstance(exercise, Listing):
            return exercise
        if is_empty(answer):
            done = number in self.solved
            state = "solved before" if done else "no answer yet"
            told = () if done else (f"Write it between the quotes of answer_{number}, and run that cell.",)
            return self._told(f"Exercise {number}: {state}.", *told)
        try:
            judged = exercise.key(self).judge(answer)
            if judged.right:
                files.note_solved(self._folder, self.workflow, self.solved | {number})
        except BadInput as error:
            return self._refused(error)
        if judged.right:
            return self._told(f"Exercise {number}: right.", exercise.key(self).why, self.progress)
        where = f"Where to look: {exercise.where}"
        return self._told(f"Exercise {number}: not yet.", *judged.told, where)

    def hint(self, number: int) -> Renderable:
        """The next step towards the answer, not the answer."""
        exercise = self._exercise(number)
        return (
            exercise if isinstance(exercise, Listing) else self._told(f"A hint for exercise {number}:", exercise.hint)
        )

    def solution(self, number: int) -> Renderable:
        """An answer that is right, read from the run, and why."""
        exercise = self._exercise(number)
        if isinstance(exercise, Listing):
            return exercise
        try:
            key = exercise.key(self)
        except BadInput as error:
            return self._refused(error)
        first = (key.first,) if isinstance(key, Words) and key.first else ()
        return self._told(f"A solution of exercise {number}:", *first, f"answer_{number} = {key.solution!r}", key.why)

    def change(self, file: str, old: str, new: str) -> Workbench:
        """The review of a fresh copy of the evidence in which one text of one file is changed.

        Raises:
            InputRefused: there is no such file or text, or the copy is refused.
        """
        changed = self._opened(LAST_CHANGE, TextChange(str(file), str(old), str(new)))
        self.last_change = changed.review
        return changed

    def open_copy(self, name: str) -> Workbench:
        """The review of one of the copies that the exercises speak of.

        Raises:
            InputRefused: there is no such copy.
        """
        offered = {each: change for exercise in self.exercises for each, change in exercise.copies.items()}
        if name not in offered:
            advice = f"There are: {', '.join(offered) or 'none'}"
            raise refusal(bad_input("no-copy", "there is no such copy", advice=advice))
        return self._opened(name, offered[name])

    def tried(self, change: TextChange, name: str = "solution") -> Review:
        """The review of a copy with a change, for a solution.

        Raises:
            BadInput: the copy can't be made or reviewed.
        """
        return review(open_bundle(files.changed_copy(self._folder, self.workflow, name, change)))

    @property
    def progress(self) -> str:
        """One line: what is solved, and what comes next."""
        done = self.solved
        rest = [number for number in range(1, len(self.exercises) + 1) if number not in done]
        following = f"Next: {rest[0]}, {self.exercises[rest[0] - 1].title}." if rest else "All are solved."
        return f"Solved: {len(done)} of {counted(len(self.exercises), 'exercise')}. {following}"

    def to_text(self) -> str:
        return self._standing().to_text()

    def to_markdown(self) -> str:
        return self._standing().to_markdown()

    def to_html(self) -> Markup:
        return self._standing().to_html()

    def _standing(self) -> Listing:
        done = self.solved
        lines = (
            f"{number} {'solved' if number in done else 'open'}: {exercise.title}"
            for number, exercise in enumerate(self.exercises, 1)
        )
        return Listing(title=self.progress, lines=tuple(lines), headless=self.headless)

    def _exercise(self, number: Any) -> Exercise | Listing:
        last = len(self.exercises)
        if type(number) is int and 1 <= number <= last:
            return self.exercises[number - 1]
        return self._told("There is no such exercise.", f"They are numbered 1 to {last}.")

    def _opened(self, name: str, change: TextChange) -> Workbench:
        try:
            copy = files.changed_copy(self._folder, self.workflow, name, change)
        except BadInput as error:
            raise refusal(error) from None
        return Workbench(copy, headless=self.headless, workflow=self.workflow)

    def _refused(self, error: BadInput) -> Listing:
        return self._told("That can't be done.", *str(refusal(error)).splitlines())

    def _told(self, title: str, *lines: str) -> Listing:
        clean = self.review.review.redactor.clean
        return Listing(title=title, lines=tuple(clean(line) for line in lines), headless=self.headless)


def exercises_of(workflow: str) -> tuple[Exercise, ...]:
    """The exercises of a workflow.

    Raises:
        BadInput: there is no workshop of that name.
    """
    if workflow not in EXERCISES:
        raise bad_input("no-workshop", f"there is no workshop {workflow}", advice=f"Use {', '.join(EXERCISES)}")
    return EXERCISES[workflow]


def notebook_of(workflow: str) -> Notebook:
    """The notebook of a workshop: its first screen, then three cells for each exercise.

    Raises:
        BadInput: there is no workshop of that name.
    """
    exercises = exercises_of(workflow)
    minutes = sum(exercise.minutes for exercise in exercises)
    setup = "\n".join(
        [
            "from evreview.app.workshop import Workshop",
            "",
            f'workshop = Workshop("{workflow}")',
            "review, check, hint, solution = workshop.review, workshop.check, workshop.hint, workshop.solution",
            "change, open_copy = workshop.change, workshop.open_copy",
            "workshop",
        ]
    )
    cells = [
        ("markdown", "title", f"# {TITLES[workflow]}\n\n{_HOW.format(count=len(exercises), minutes=minutes)}"),
        ("code", "setup", setup),
        ("markdown", "review", "## The review\n\nThis is its first screen: the decision, why, and who has to act."),
        ("code", "first-screen", "review"),
    ]
    for number, exercise in enumerate(exercises, 1):
        cells += _cells(number, exercise)
    cells += [("markdown", "end", "## Where you stand"), ("code", "standing", "workshop")]
    return of_cells(cells)


def _cells(number: int, exercise: Exercise) -> list[tuple[str, str, str]]:
    head = f"## {number} {exercise.title}\n\nAim: {exercise.aim} About {exercise.minutes} minutes."
    answer = f"answer_{number} = {exercise.start}  # {exercise.form}\n{exercise.look}"
    check = f"check({number}, answer_{number})  # stuck? hint({number}), then solution({number})"
    return [
        ("markdown", f"exercise-{number}", f"{head}\n\n{exercise.task}"),
        ("code", f"answer-{number}", answer),
        ("code", f"check-{number}", check),
    ]


_HOW: Final = (
    "{count} exercises, about {minutes} minutes. The review is invented, and this is your own copy of it.\n\n"
    "**Begin with the menu Run, Run All Cells.** Do so each time you open the notebook.\n\n"
    "Each exercise has three cells: the task, a place for your answer, and a check. Write your answer between the\n"
    "quotes, run its cell, then run the check. Case and spaces do not matter. Of an id, a beginning is enough.\n\n"
    "Nothing can break. Solved exercises are kept in `progress.json` beside this notebook."
)
