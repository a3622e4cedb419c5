"""`evreview approve`: a person's answer to a gate, recorded with the digest of what was shown."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from evreview.app.commands.shell import clean, refuse, say, tell, typed
from evreview.app.example_day import EXAMPLE_DAY, example_time, is_example
from evreview.core.vocabulary import ExitStatus

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from evreview.evidence.item import Bundle, EvidenceItem
    from evreview.workflows.engine.gates import Gate, Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class ApprovalRequest:
    """What a person answers.

    Attributes:
        bundle: the bundle's folder.
        gate: the gate's id, as `decisions.yaml` names it.
        role, client: whose answer it is; the client where a client's owner answers.
        reject: True for a no.
        note: free text.
        confirmed: True where the person has confirmed already, as a script has to.
        today: True moves the review's date to today where it lies before, so that the answer counts.
    """

    bundle: Path
    gate: str
    role: str
    client: str = ""
    reject: bool = False
    note: str = ""
    confirmed: bool = False
    today: bool = False


def approve(asked: ApprovalRequest) -> int:
    """Append the answer to `decisions.yaml` once it is confirmed; only a role that the gate asks can answer."""
    from evreview.app.api import open_bundle
    from evreview.evidence.bundle_folder import append_decision, set_review_date
    from evreview.workflows.engine.gates import answer_first
    from evreview.workflows.session import Run, with_answer
    from evreview.workflows.widgets.gate_form import Answer, approval, too_early

    waiting = _contract_record(asked)
    if waiting is not None:
        return _approve_contract(asked, *waiting)
    bundle = open_bundle(asked.bundle)
    _, gates = Run(bundle).survey()
    chosen = _chosen(gates, asked)
    if isinstance(chosen, str):
        return refuse(chosen)
    gate, seat = chosen
    word = "rejected" if asked.reject else "approved"
    first = () if asked.reject else answer_first(gate, seat)
    if first:
        return refuse(f"{too_early(seat, first)} Nothing was recorded")
    at = answer_time(bundle, told=True)
    day = _moves_to(asked, bundle, at)
    answer = approval(
        Answer(gate=gate.spec.id, seat=seat, decision=word, reviewed=gate.spec.reviewed, note=asked.note,
               about=gate.about), at)  # fmt: skip
    then = Run(with_answer(bundle, answer, day or bundle.request.as_of)).survey()[1]
    tell([*_shown(gate, seat, word), *_consequences(gates, then, gate.spec.id, seat)])
    if not (asked.confirmed or _confirmed(word)):
        return refuse("nothing was recorded; where nobody is asked, --yes confirms")
    append_decision(asked.bundle, answer)
    if day:
        set_review_date(asked.bundle, day)
    say(clean(f"recorded   decisions.yaml\nnext       {typed('run', asked.bundle)}"))
    return ExitStatus.DONE


def answer_time(bundle: Bundle, *, told: bool = False) -> datetime:
    """When an answer is given now: the clock's word; in the example its day, which is said where `told`."""
    from evreview.workflows.widgets.display_context import now

    if not is_example(bundle):
        return now()
    if told:
        say(clean(f"day        {EXAMPLE_DAY}"))
    return example_time(bundle)


def is_late(bundle: Bundle, at: datetime) -> bool:
    """True where an answer of that time counts only once the review's date is moved to its day."""
    from evreview.evidence.records.review import day_of

    return day_of(at) > bundle.request.as_of


def answer_words(folder: Path, gate: str, seat: Seat, *, late: bool) -> tuple[str | Path, ...]:
    """The words after `evreview` that record an answer now so that it counts."""
    client = ("--client", seat.client) if seat.client else ()
    return ("approve", folder, gate, "--role", seat.role, *client, *(("--today",) if late else ()))


def _moves_to(asked: ApprovalRequest, bundle: Bundle, at: datetime) -> str:
    """The day to which the review's date is moved, "" for none; says so, or by what an answer of today would count."""
    from evreview.evidence.records.review import day_of

    day, as_of = day_of(at), bundle.request.as_of
    if not is_late(bundle, at):
        return ""
    if not asked.today:
        say(clean(f"as of      {as_of}; an answer of {day} counts once the review is as of that day: add --today"))
        return ""
    say(clean(f"as of      {day} from now on; {as_of} until now"))
    return day


# The approval of a contract that a reference is written from: a record of its own, whose answer is still marked.


def _contract_record(asked: ApprovalRequest) -> tuple[Bundle, EvidenceItem] | None:
    """The review and the record that is answered; None where something else is."""
    from evreview.evidence.bundle_reader import examine_bundle
    from evreview.workflows.w2.scope import CONTRACT_APPROVAL, unanswered

    draft = examine_bundle(asked.bundle).draft if asked.gate == CONTRACT_APPROVAL else None
    item = unanswered(draft) if draft is not None else None
    return None if draft is None or item is None else (draft, item)


def _approve_contract(asked: ApprovalRequest, bundle: Bundle, item: EvidenceItem) -> int:
    """Write the answer into the record and seal it, once it is confirmed; only the API owner can answer."""
    from evreview.evidence.bundle_folder import set_review_date
    from evreview.evidence.bundle_writer import with_answers
    from evreview.evidence.renewed_items import renew_items, renewed_integrity
    from evreview.workflows.w2.scope import contract_item, scope_of

    owner = bundle.request.roles.api_owner
    if asked.role != owner or not item.file:
        named = f"It asks --role {owner!r}" if owner else "review.yaml names no API owner"
        return refuse(f"the contract is not {asked.role!r}'s to approve. {named}")
    contract = contract_item(bundle, scope_of(bundle))
    word = "rejected" if asked.reject else "approved"
    about = f"{contract.file} ({contract.id}), sha256:{contract.sha256}" if contract else "no contract"
    tell([f"contract   {about}", f"answer     {word} by {asked.role}"])
    at = answer_time(bundle, told=True)
    day = _moves_to(asked, bundle, at)
    if not (asked.confirmed or _confirmed(word)):
        return refuse("nothing was recorded; where nobody is asked, --yes confirms")
    data = with_answers(
        bundle.load(item.file), {"/role": asked.role, "/decision": word, "/at": at.isoformat(timespec="seconds")}
    )
    index = list(bundle.items).index(item.id)
    renew_items(
        asked.bundle, {item.file: data}, {("evidence", index, "integrity"): renewed_integrity(item.integrity, data)}
    )
    if day:
        set_review_date(asked.bundle, day)
    say(clean(f"recorded   {item.file}\nnext       {typed('check', asked.bundle)}"))
    return ExitStatus.DONE


def _chosen(gates: tuple[Gate, ...], asked: ApprovalRequest) -> tuple[Gate, Seat] | str:
    """The gate and the seat that are answered, or why nobody can answer so."""
    from evreview.workflows.engine.gates import GateState

    open_ones = [gate for gate in gates if gate.state is not GateState.NOT_NEEDED]
    gate = next((each for each in open_ones if each.spec.id == asked.gate), None)
    if gate is None:
        there = ", ".join(each.spec.id for each in open_ones) or "none: the review reaches no gate that needs an answer"
        return f"no gate {asked.gate!r} waits for an answer here. There is {there}"
    seats = [seat for seat in gate.seats if seat.role == asked.role and seat.client == asked.client]
    if seats and not seats[0].is_named:
        return f"nobody holds the seat of {seats[0]}: name the role first, in review.yaml or in the client inventory"
    if seats:
        # One role may hold several seats; it answers for the one that waits.
        return gate, next((seat for seat in seats if seat in gate.waiting), seats[0])
    known = "; ".join(f"--role {seat.role!r}" + (f" --client {seat.client!r}" if seat.client else "")
                      for seat in gate.seats if seat.is_named)  # fmt: skip
    return f"the gate does not ask {asked.role!r} for an answer. It asks {known or 'nobody: review.yaml names no role'}"


def _shown(gate: Gate, seat: Seat, word: str) -> list[str]:
    """What the answer is about, before it is given."""
    return [
        f"gate       {gate.spec.title} ({gate.spec.id}): {gate.state}",
        f"answer     {word} by {seat}",
        f"reviewed   {'; '.join(gate.spec.reviewed)}",
        *([f"of         {gate.about}"] if gate.about else []),
    ]


def _consequences(before: tuple[Gate, ...], then: tuple[Gate, ...], answered: str, seat: Seat) -> Iterator[str]:
    """What the gate lacks once the answer stands, and what other gates lack then that they did not lack before."""
    from evreview.workflows.engine.gates import GateState

    known = {gate.spec.id: gate.missing for gate in before}
    for gate in then:
        if gate.spec.id == answered:
            own = gate.lacks_of(seat) if gate.state is GateState.REJECTED else ()
            yield from (f"missing    {each}" for each in gate.missing if each not in own)
        else:
            new = (each for each in gate.missing if each not in known.get(gate.spec.id, ()))
            yield from (f"then       {gate.spec.title}: {each}" for each in new)


def _confirmed(word: str) -> bool:
    """What the person at the terminal says; a script is no person and says it by --yes."""
    if not sys.stdin.isatty():
        return False
    return typer.confirm(f"Append the answer ({word}) to decisions.yaml?", default=False)
