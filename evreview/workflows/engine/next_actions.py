"""What people do next, in order: one record per action, from which every surface prints."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from evreview.core.quoted_text import Text, UserText, bare, joined, plain, text
from evreview.evidence.item import Citation
from evreview.report.statement import Statement, next_action
from evreview.workflows.engine.gates import Gate, GateState, Seat


class ActionKind(StrEnum):
    """What an action is.

    SUPPLY: evidence, a plan or a contract is supplied or corrected; no answer to a gate stands for it. ANSWER: a seat
    answers a gate. CARRY_OUT: what is done besides, whatever is decided.
    """

    SUPPLY = "supply or correct"
    ANSWER = "answer a gate"
    CARRY_OUT = "carry out"


@dataclass(frozen=True, slots=True, kw_only=True)
class NextAction:
    """One thing that is left to do.

    Attributes:
        who: the role that does it, or that nobody is named for the office (see `acting`).
        what: what is done.
        kind: what it is.
        gate: the gate that is answered, "" for another action.
        about: the findings, differences, clients or gates that it is about, by id.
        citations: what it rests on.
        needs: what has to be there first, where the workflow tells it.
        closes: what ends it, where the workflow tells it.
        status: how it stands, in a word.
    """

    who: Text
    what: Text
    kind: ActionKind
    gate: str = ""
    about: tuple[str, ...] = ()
    citations: tuple[Citation, ...] = ()
    needs: Text = ()
    closes: Text = ()
    status: str = "open"

    @property
    def text(self) -> Text:
        """Who does what, as one sentence."""
        return text(*self.who, ": ", *bare(self.what), ".")

    @property
    def statement(self) -> Statement:
        """The labelled sentence."""
        return next_action(*self.text, on=self.citations)

    def __str__(self) -> str:
        return str(self.statement)


def acting(role: str | None, office: str) -> Text:
    """Who must act: the role that the evidence names, or that it names nobody for the office."""
    return (UserText(role),) if role else (f"nobody is named as {office}",)


def first_action(actions: Sequence[NextAction], section: str) -> Statement:
    """What a verdict says: the first action, and how many the section lists."""
    if not actions:
        return next_action("None is open.")
    count = len(actions)
    more = f"; first of {count} under {section}" if count > 1 else ""
    return next_action(*bare(actions[0].text), f"{more}.")


def numbered(actions: Iterable[NextAction]) -> Iterator[Statement]:
    """All of them, as a section lists them."""
    for number, each in enumerate(actions, start=1):
        yield next_action(f"{number}. ", *each.text, on=each.citations)


def capital(what: Text) -> Text:
    """The words with a capital, where they begin a cell."""
    first, *rest = what
    return (f"{first[:1].upper()}{first[1:]}", *rest) if isinstance(first, str) else what


def recovery(
    code: str, steps: Iterable[str], who: Text, on: tuple[Citation, ...] = (), about: Iterable[str] = ()
) -> NextAction:
    """What a failure code asks for, its steps together."""
    return NextAction(who=who, what=(f"{code}: {'; '.join(steps)}",), kind=ActionKind.SUPPLY, citations=on,
                      about=(code, *about))  # fmt: skip


# The answers that gates wait for, seat by seat, behind what no answer mends.


def unmet(gates: Iterable[Gate], preparing: Text) -> Iterator[NextAction]:
    """What keeps each gate open besides answers, and who mends it: `preparing` where nobody else is named for it."""
    for gate in _waiting(gates):
        for seat in gate.seats:
            if not seat.is_named:
                office = f"{seat.stands_for.replace('-', ' ')}{f' of {seat.client}' if seat.client else ''}"
                says = ("name the role that answers the gate ", *_quoted(gate))
                yield NextAction(who=acting(None, office), what=says, kind=ActionKind.SUPPLY, about=(gate.spec.id,))
        for each in gate.unmet:
            yield NextAction(
                who=(UserText(each.who),) if each.who else preparing,
                what=(f'settle what the gate "{gate.spec.title}" lacks: ', UserText(each.text.rstrip("."))),
                kind=ActionKind.SUPPLY,
                about=(gate.spec.id,),
            )


def answers(gates: Iterable[Gate]) -> Iterator[NextAction]:
    """The answers that gates wait for, in the order in which they are given."""
    for gate in _waiting(gates):
        seats = [seat for seat in gate.waiting if seat.is_named]
        together = [tuple(seats)] if gate.spec.any_one and seats else [(seat,) for seat in seats]
        for few in together:
            yield NextAction(
                who=joined([(UserText(str(seat)),) for seat in few], " or "),
                what=_answer(gate, few),
                kind=ActionKind.ANSWER,
                gate=gate.spec.id,
                about=tuple(filter(None, (*(seat.client for seat in few), *gate.spec.names))),
                needs=(", ".join(gate.spec.reviewed),),
                closes=("the approval is recorded",),
                status=str(gate.state),
            )


def _answer(gate: Gate, seats: Sequence[Seat]) -> Text:
    """What a seat does: it answers, answers anew since its answer does not count, or settles its own no."""
    faults = [fault for seat in seats for fault in gate.lacks_of(seat) if fault in gate.faults]
    if gate.state is GateState.REJECTED:
        return ("settle why the gate was rejected, then answer it anew: ", *_quoted(gate))
    again: Text = (" anew: ", UserText("; ".join(dict.fromkeys(faults)))) if faults else ()
    return ("answer the gate ", *_quoted(gate), *again)


def _waiting(gates: Iterable[Gate]) -> Iterator[Gate]:
    return (gate for gate in gates if gate.state in (GateState.OPEN, GateState.REJECTED))


def _quoted(gate: Gate) -> Text:
    return (f'"{gate.spec.title}"',)


def told(actions: Iterable[NextAction]) -> list[Mapping[str, object]]:
    """The actions as records, for whoever reads them with a program."""
    return [
        {
            "who": plain(each.who),
            "what": plain(bare(each.what)),
            "kind": str(each.kind),
            **({"gate": each.gate} if each.gate else {}),
            "about": list(each.about),
            "evidence": [str(citation) for citation in each.citations],
        }
        for each in actions
    ]
