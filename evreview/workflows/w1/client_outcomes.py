"""What a difference comes to for a known client, in one word of a closed list, and for whom it comes to what."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from evreview.core.quoted_text import Text, joined, listed, text
from evreview.core.vocabulary import ClientId, Tristate
from evreview.evidence.item import Citation
from evreview.workflows.w1.clients.impact import Impact


class ClientOutcome(StrEnum):
    """The word of a client, the gravest first."""

    FAILS = "fails"
    MAY_FAIL = "may fail"
    INFERRED = "may fail by inference"
    UNKNOWN = "unknown"
    PASSES = "passes"
    NO_CONFLICT = "no conflict declared"
    NOT_DECLARED = "not declared"


def outcome_of(impact: Impact) -> ClientOutcome:
    """The outcome of one difference: a retained run tells more than the client's declaration."""
    if impact.executed == "failed":
        return ClientOutcome.FAILS
    if impact.executed == "passed":
        return ClientOutcome.PASSES
    if impact.contract_incompatible is Tristate.YES:
        return ClientOutcome.MAY_FAIL
    if impact.contract_incompatible is Tristate.UNKNOWN and impact.touched is not Tristate.NO:
        return ClientOutcome.UNKNOWN
    return ClientOutcome.NO_CONFLICT if impact.touched is not Tristate.NO else ClientOutcome.NOT_DECLARED


def worst(found: Iterable[ClientOutcome]) -> ClientOutcome:
    """The gravest of several outcomes; `not declared` for none."""
    order = list(ClientOutcome)
    return min(found, key=order.index, default=ClientOutcome.NOT_DECLARED)


@dataclass(frozen=True, slots=True, kw_only=True)
class DeltaOutcomes:
    """One difference over all known clients: who declares that it excludes the new form, what ran, what follows.

    `known`: whether any client is known that it was held against.
    """

    known: bool
    declared: tuple[ClientId, ...]
    undeclared: tuple[ClientId, ...]
    failed: tuple[ClientId, ...]
    passed: tuple[ClientId, ...]
    expected: tuple[tuple[ClientOutcome, tuple[ClientId, ...]], ...]
    runs: tuple[Citation, ...]
    declarations: tuple[Citation, ...]


def delta_outcomes(impacts: Iterable[Impact]) -> DeltaOutcomes:
    """What the impacts of one difference come to."""
    every = tuple(impacts)

    def clients(holds: Iterable[bool]) -> tuple[ClientId, ...]:
        return tuple(impact.client for impact, told in zip(every, holds, strict=True) if told)

    outcomes = [outcome_of(impact) for impact in every]
    grave = (ClientOutcome.FAILS, ClientOutcome.MAY_FAIL, ClientOutcome.UNKNOWN)
    declaring = (impact for impact in every if impact.contract_incompatible is Tristate.YES)
    return DeltaOutcomes(
        known=bool(every),
        declared=clients(impact.contract_incompatible is Tristate.YES for impact in every),
        undeclared=clients(impact.contract_incompatible is Tristate.UNKNOWN for impact in every),
        failed=clients(impact.executed == "failed" for impact in every),
        passed=clients(impact.executed == "passed" for impact in every),
        expected=tuple((word, named) for word in grave if (named := clients(each is word for each in outcomes))),
        runs=tuple(dict.fromkeys(each for impact in every for each in impact.executed_checks)),
        declarations=tuple(dict.fromkeys(each for impact in declaring for each in impact.citations)),
    )


_ROOM: Final = 48
"""Characters that the names in a fragment take: three ids of differences."""


def named(names: Sequence[str], room: int = _ROOM) -> Text:
    """Names in a list, `none` without any; of many the first ones and how many more there are."""
    most = len(names)
    while most > 1 and len(", ".join(names[:most])) > (room if most == len(names) else room - len(" and 99 more")):
        most -= 1
    more = len(names) - most
    return text(*(listed(names[:most]) or ("none",)), *((f" and {more} more",) if more > 0 else ()))


def expected_words(found: DeltaOutcomes, told: tuple[ClientId, ...] = ()) -> Text:
    """What follows for known clients at run time, the gravest first.

    Args:
        found: the outcomes.
        told: the clients that the words before name, which need not be named again.
    """
    words = (
        text("unknown for ", *named(clients))
        if word is ClientOutcome.UNKNOWN
        else text(*_who(clients, told), f" {_verb(word, len(clients))}")
        for word, clients in found.expected
    )
    return joined(words) or (unconcerned(is_known=found.known),)


def unconcerned(*, is_known: bool) -> str:
    """What a cell says of clients where no known one is concerned."""
    return "known: none expected" if is_known else "no client is known"


def _who(clients: tuple[ClientId, ...], told: tuple[ClientId, ...]) -> Text:
    if clients != told:
        return named(clients)
    return ("it",) if len(clients) == 1 else ("they",)


def _verb(word: ClientOutcome, count: int) -> str:
    return "fail" if word is ClientOutcome.FAILS and count > 1 else word.value
