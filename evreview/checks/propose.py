"""The check that a row asks for, with an assertion that a machine can decide."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from evreview.checks.check import Direction, Proposed
from evreview.comparison.delta import Delta
from evreview.contract.model import ElementKind
from evreview.core.vocabulary import Answer, ContractKind, Polarity, Role
from evreview.policy.row import Row

_VALIDATES: Final = "validates against the candidate schema; whether it validates against the released one is recorded."
_READ_BACK: Final = "is read with the released one; whether every value arrives as it was written is recorded."
_OWN: Final[Mapping[ContractKind, Mapping[Polarity | None, str]]] = {
    ContractKind.AVRO: {
        Polarity.READ: "Every record that was written with the released schema at {at} is read with the candidate, "
        "each value as it was written.",
        Polarity.WRITTEN: f"Every record that the candidate writes at {{at}} {_READ_BACK}",
    },
    ContractKind.PROTOBUF: {
        Polarity.READ: "Every message that was written with the released contract at {at} is read with the candidate, "
        "each value as it was written.",
        Polarity.WRITTEN: f"Every message that the candidate writes at {{at}} {_READ_BACK}",
    },
    ContractKind.GRAPHQL: {
        Polarity.READ: "The candidate takes every document that is valid under the released schema at {at}, and "
        "refuses none.",
        Polarity.WRITTEN: f"Every response of the candidate at {{at}} {_VALIDATES}",
    },
}
"""What is asserted in the words of a kind, by what the row is about."""


def propose(row: Row, direction: Direction) -> Proposed:
    """The proposed check of one direction of `row`; it names no result and no fixture, because none exists."""
    return Proposed(
        id=f"P-{row.delta.id.removeprefix('D-')}-{direction}",
        what=_assertion(row, direction),
        why=f"No executed check verifies the {direction} direction of {row.delta.id}.",
        deltas=(row.delta.id,),
        status="proposed",
        missing=("command", "revision", "fixture", "result"),
        direction=direction,
    )


def _assertion(row: Row, direction: Direction) -> str:
    delta = row.delta
    if direction == "consumer":
        return (
            f"Each known client's released parser reads the released and the candidate form of {delta.address} "
            "without an error, and both results are recorded."
        )
    if delta.role is Role.SIGNATURE:
        return (
            f"Code that uses {delta.address} as the released contract allows runs against the candidate without an "
            "error, and is checked by a type checker without a new complaint."
        )
    if delta.role is Role.MESSAGE and delta.polarity is not None:
        return _of_messages(delta)
    polarity = _asked_about(row)
    if delta.kind is ContractKind.PROTOBUF and delta.element is ElementKind.OPERATION:
        return f"The candidate answers every call of {delta.address} that the released contract allows, as it promised."
    own = _OWN.get(delta.kind, {}).get(polarity)
    if own is not None:
        return own.format(at=delta.address)
    if polarity is Polarity.READ:
        return (
            f"The candidate producer answers a request that is valid under the released contract at {delta.address} "
            "with a released success status, never with a client error."
        )
    if polarity is Polarity.WRITTEN:
        return (
            f"Every response of the candidate producer at {delta.address} validates against the candidate contract; "
            "whether it validates against the released contract is recorded."
        )
    return (
        f"The candidate producer's behaviour at {delta.address} is compared with the released and the candidate "
        "contract, and the one that it matches is recorded."
    )


def _asked_about(row: Row) -> Polarity | None:
    """The direction that a row's answers are about, where they tell: a field that documents select is read in them."""
    accepts, emits = row.judgement.accepts_old_requests, row.judgement.emits_old_compatible
    if row.delta.kind is ContractKind.OPENAPI or (accepts is Answer.NO and emits is Answer.NO):
        return row.delta.polarity
    if emits is Answer.NO:
        return Polarity.WRITTEN
    return Polarity.READ if accepts is Answer.NO else row.delta.polarity


def _of_messages(delta: Delta) -> str:
    """The assertion about the application that receives or sends messages."""
    if delta.polarity is Polarity.READ:
        return (
            "The candidate application handles every message that is valid under the released contract at "
            f"{delta.address}, and puts none aside."
        )
    return (
        f"Every message that the candidate application sends at {delta.address} validates against the candidate "
        "contract; whether it validates against the released contract is recorded."
    )
