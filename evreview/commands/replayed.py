"""What a replay found, in words that are the same for every kind of contract."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from importlib.metadata import version as installed
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Final

from evreview.core.control_characters import escaped
from evreview.core.errors import bad_input
from evreview.core.vocabulary import Answer, ContractKind, Json, Role

if TYPE_CHECKING:
    from evreview.comparison.kind_spec import Replaying, Told
    from evreview.contract.model import Contract
    from evreview.kinds.replay import Replayed
    from evreview.messages.admission import Acceptance

Folders = Mapping[str, PurePosixPath]
"""For each side the folder that its places are below, as the user named it."""

_TOLD: Final = {Answer.YES: "accepts", Answer.NO: "refuses", Answer.UNKNOWN: "can't say"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What both contracts say of a witness.

    Attributes:
        message: the message, or the value where there is no whole message.
        whole: whether it is a whole message.
        said: for each side what its contract says.
        beside: further lines to print.
        claim: what the witness claims.
        confirmed: whether the contracts say what it claims.
        validator: who judged what decides, with the version, and who read the message where that is somebody else.
    """

    message: Json
    whole: bool
    said: Mapping[str, str]
    beside: tuple[str, ...]
    claim: str
    confirmed: bool
    validator: str

    @property
    def shown(self) -> str:
        """The message as JSON, in which nothing acts."""
        return escaped(json.dumps(self.message, indent=2, ensure_ascii=False))


def replayed(released: Contract, candidate: Contract, witness: Mapping[str, Json], folders: Folders) -> Outcome:
    """What both contracts say of a witness.

    Raises:
        BadInput: `witness-form`.
    """
    from evreview.kinds.asyncapi.prover import LANGUAGE
    from evreview.kinds.registry import replaying

    judge = replaying(released.kind)
    try:
        if LANGUAGE in witness:
            return _in_language((released, candidate), witness)
        if judge is not None:
            return _by_kind(judge, released, candidate, witness)
        return _as_json(released, candidate, witness, folders)
    except ValueError as error:
        raise bad_input("witness-form", str(error), advice="Leave --ledger out") from None


def _by_kind(judge: Replaying, released: Contract, candidate: Contract, witness: Mapping[str, Json]) -> Outcome:
    sides = dict(zip(("released", "candidate"), judge(released, candidate, witness), strict=True))
    accepting, refusing = str(witness.get("accepted_by")), str(witness.get("refused_by"))
    if {accepting, refusing} != set(sides):
        raise ValueError("the witness does not say which side accepts and which refuses")
    confirmed = sides[accepting].accepted is Answer.YES and sides[refusing].accepted is Answer.NO
    return Outcome(
        message=witness.get("message", witness.get("value")),
        whole=True,
        said={name: _line(told) for name, told in sides.items()},
        beside=(),
        claim=f"the {accepting} contract takes the message as it is meant, the {refusing} contract does not",
        confirmed=confirmed,
        validator=_judge_of(released.kind, witness),
    )


def _in_language(sides: tuple[Contract, Contract], witness: Mapping[str, Json]) -> Outcome:
    """The payload of a message judged in its own language."""
    from evreview.kinds.asyncapi.prover import part, payloads
    from evreview.kinds.registry import replaying

    released, candidate = payloads(sides, witness)
    judge, message = replaying(released.kind), witness["message"]
    if judge is None or not isinstance(message, Mapping):
        raise ValueError("nothing judges payloads of this language again")
    found = _by_kind(judge, released, candidate, {**witness, "message": part(witness)})
    return replace(found, message=message)


def _line(told: Told) -> str:
    return f"{_TOLD[told.accepted]}{f': {told.says}' if told.says else ''}"


def _judge_of(kind: ContractKind, witness: Mapping[str, Json]) -> str:
    from evreview.kinds.registry import judge_of

    name = judge_of(kind, witness)
    return f"{name} {installed(name)}" if name else "evreview's own rules of the language"


def _validator(found: Replayed) -> str:
    """Who judged: only values are put to the second validator; the rest of a message is read by the first rules."""
    second = f"jsonschema {installed('jsonschema')}"
    if found.message is None:
        return second
    if found.by_validator:
        return f"{second}, on the values that evreview's own rules read from the message"
    return f"evreview's own rules of messages ({second} judges only values, and none of them decides)"


def _as_json(released: Contract, candidate: Contract, witness: Mapping[str, Json], folders: Folders) -> Outcome:
    from evreview.kinds.replay import replay
    from evreview.schema.second_validator import SecondCheck

    found = replay(released, candidate, witness, SecondCheck())
    return Outcome(
        message=found.message.to_json() if found.message else found.value,
        # Of an event the value is all that travels.
        whole=found.message is not None or any(child.role is Role.MESSAGE for child in released.operations),
        said={name: _said(found.side(name), folder) for name, folder in folders.items()},
        beside=tuple(_read_twice(found)),
        claim=_claim(found),
        confirmed=found.confirmed,
        validator=_validator(found),
    )


def _claim(found: Replayed) -> str:
    if found.part:
        return f"both contracts admit the message, and read {found.part} as two different values"
    what = "message" if found.message else "value"
    return f"the {found.accepted_by} contract accepts the {what}, the {found.refused_by} contract refuses it"


def _read_twice(found: Replayed) -> list[str]:
    if not found.part:
        return []
    sides = [("released", found.released), ("candidate", found.candidate)]
    return [
        f"{name} contract reads {found.part} as {escaped(json.dumps(side.read[found.part], ensure_ascii=False))}"
        if found.part in side.read
        else f"{name} contract reads nothing of {found.part}"
        for name, side in sides
    ]


def _said(acceptance: Acceptance, folder: PurePosixPath) -> str:
    """What one contract says, each broken demand with its place."""
    broken = [
        f"{each.part}{f' at {each.at}' if each.at else ''} breaks {each.keyword} at {folder / str(each.place)}"
        for each in acceptance.violations
    ]
    why = [*broken, *acceptance.open]
    return f"{_TOLD[acceptance.accepted]}{': ' if why else ''}{'; '.join(why)}"
