"""An exercise as a record, and what judges an answer to it. No key is written down: each is read from a review."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, NamedTuple

from evreview.core.vocabulary import Json, StepState

if TYPE_CHECKING:
    from evreview.app.workshop.workshop import Workshop
    from evreview.workflows.engine.gates import Gate
    from evreview.workflows.session import Review

SHORTEST_BEGINNING: Final = 3
"""Fewer characters stand for nothing: they would fit by chance."""


class TextChange(NamedTuple):
    """One text of one file of the bundle, and what stands there instead."""

    file: str
    old: str
    new: str


class Judged(NamedTuple):
    """Whether an answer is right, and what is said of it besides; the answer itself is never said."""

    right: bool
    told: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """An answer in words of the review.

    Attributes:
        right: what has to be named, all of it and nothing else.
        among: what may be said -> what it stands for, of the whole review, so that a unique beginning is enough.
        why: one sentence for whoever has solved it.
        first: what has to be done before an answer counts; "" when it is done.
    """

    right: frozenset[str]
    among: Mapping[str, str]
    why: str
    first: str = ""

    @property
    def solution(self) -> object:
        """An answer that is right."""
        return sorted(self.right)[0] if len(self.right) == 1 else sorted(self.right)

    def judge(self, answer: object) -> Judged:
        """What is said of an answer of any type."""
        said = _listed(answer)
        if said is None:
            return Judged(False, ("An answer is a text, a number or a list of texts.",))
        if self.first:
            return Judged(False, (self.first,))
        found = [_meant(each, self.among) for each in said]
        unread = tuple(told for each in found if (told := each.told))
        named = frozenset(each.name for each in found if each.name)
        if unread or named == self.right:
            return Judged(not unread, unread)
        partly = named & self.right
        counted = f"{len(partly)} of your {len(named)} fit" if len(named) > 1 else "It fits, and more is asked for"
        return Judged(False, (f"{counted}.",) if partly else ())


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """An answer that is tried out.

    Attributes:
        solution: an answer that is right.
        trial: what speaks against an answer, as JSON; nothing when it is right.
        why: one sentence for whoever has solved it.
    """

    solution: object
    trial: Callable[[Json], Sequence[str]]
    why: str

    def judge(self, answer: object) -> Judged:
        """What is said of an answer of any type; a text is read as JSON."""
        try:
            value = json.loads(answer if isinstance(answer, str) else json.dumps(answer, allow_nan=False))
        except (TypeError, ValueError, RecursionError):
            return Judged(False, ("This is no JSON value.",))
        told = tuple(self.trial(value))
        return Judged(not told, told)


@dataclass(frozen=True, slots=True, kw_only=True)
class Exercise:
    """One exercise.

    Attributes:
        title: what one finds out.
        aim: what one can do afterwards.
        task: what to do, as Markdown.
        form: what an answer looks like; stands beside the place for it.
        look: the call that shows where to look.
        where: said after an answer that is not right.
        hint: the next step, for whoever asks.
        mistakes: what often goes wrong, for the trainer.
        key: what judges an answer; read from the run.
        start: what stands in the place for the answer, as Python.
        copies: changed copies of the bundle, by name.
        minutes: what it takes.
    """

    title: str
    aim: str
    task: str
    form: str
    look: str
    where: str
    hint: str
    mistakes: tuple[str, ...]
    key: Callable[[Workshop], Words | Trial]
    start: str = '""'
    copies: Mapping[str, TextChange] = field(default_factory=dict)
    minutes: int = 10


def is_empty(answer: object) -> bool:
    """True for a place that nobody has written into."""
    return answer is None or (isinstance(answer, str | list | tuple | set | frozenset) and _listed(answer) == [])


def themselves(names: Iterable[str]) -> dict[str, str]:
    """Each name as one that stands for itself."""
    return {str(name): str(name) for name in names}


def waiting(gates: Iterable[Gate], wanted: str, why: str) -> Words:
    """Whose answers a gate of this id still needs, among the roles of all gates."""
    gates = tuple(gates)
    seats = [seat for gate in gates for seat in gate.seats]
    among = {said: seat.role for seat in seats for said in (seat.role, str(seat))}
    missing = frozenset(seat.role for gate in gates if gate.spec.id == wanted for seat in gate.waiting)
    return Words(right=missing, among=among, why=why)


def stopping(workshop: Workshop, change: TextChange, first: str = "") -> Words:
    """The step that stops, by number, title or failure code, in the copy that was changed last.

    Args:
        workshop: the run.
        change: what is changed where nobody has changed anything.
        first: what has to be done besides; "" for nothing.
    """
    own = workshop.last_change
    review = own or workshop.tried(change)
    ran = [(step.number, step.title, step.code) for step in review.steps]
    every = [*ran, *((number, "", "") for number in range(len(ran) + 1, 10))]
    among = {said: str(step[0]) for step in every for said in (str(step[0]), f"step {step[0]}", *step[1:]) if said}
    call = f"change({change.file!r}, {change.old!r}, {change.new!r})"
    needed = first or ("" if own else f"No file is changed yet. Call {call}, or another change.")
    if own and not stopped(own):
        needed = "No step stops after this change. Try another one."
    why = " ".join(str(reason) for step in review.steps if step.state is StepState.STOP for reason in step.reasons[:1])
    return Words(right=frozenset(stopped(review)), among=among, why=why, first=needed)


def stopped(review: Review) -> list[str]:
    """The number of the step that stopped; none when every one went on or waits."""
    return [str(step.number) for step in review.steps if step.state is StepState.STOP]


class _Meant(NamedTuple):
    name: str = ""
    told: str = ""


def _listed(answer: object) -> list[str] | None:
    """The names in an answer; None for a type that holds none."""
    if isinstance(answer, str):
        parts: Iterable[object] = answer.replace(";", ",").replace("\n", ",").split(",")
    elif isinstance(answer, list | tuple | set | frozenset):
        parts = answer
    else:
        parts = [answer]
    if not all(isinstance(part, str | int) and not isinstance(part, bool) for part in parts):
        return None
    return [str(part) for part in parts if _plain(str(part))]


def _meant(said: str, among: Mapping[str, str]) -> _Meant:
    """What a name stands for: exactly, or by a beginning that fits only one."""
    known, plain = {_plain(name): stands_for for name, stands_for in among.items()}, _plain(said)
    if plain in known:
        return _Meant(name=known[plain])
    fitting = {stands_for for name, stands_for in known.items() if _begins(name, plain)}
    if len(plain) < SHORTEST_BEGINNING or not fitting:
        return _Meant(told=f"“{said[:60]}” is no name of what is asked for. Copy it from the review.")
    if len(fitting) > 1:
        return _Meant(told=f"“{said[:60]}” fits {len(fitting)} names. Write more of it.")
    return _Meant(name=fitting.pop())


def _begins(name: str, said: str) -> bool:
    """True for the beginning of a name, also where somebody left out what stands before the dash of an id."""
    return name.startswith(said) or name.partition("-")[2].startswith(said)


def _plain(text: str) -> str:
    """The text without what does not matter: case, spaces, quotes and a full stop at its end."""
    return " ".join(text.replace("\\", "").split()).strip("`'\"“”. ").casefold()
