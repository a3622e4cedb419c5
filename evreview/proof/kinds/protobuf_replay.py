"""A protobuf witness judged once more: both contracts read its payload, or look for the procedure that it calls."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from evreview.comparison.kind_spec import Told
from evreview.contract.model import Contract
from evreview.core.vocabulary import Answer, Json, Plane
from evreview.kinds.protobuf.codec import same
from evreview.kinds.protobuf.round_trips import renamed, told_of
from evreview.proof.kinds.protobuf_calls import told_of_call
from evreview.proof.kinds.protobuf_limits import CHECKED, told_of_limits
from evreview.proof.kinds.protobuf_sides import Reading, Side
from evreview.proof.kinds.protobuf_spots import Spots

_NO_WITNESS = "the witness is no message of a protobuf contract"


def replay(released: Contract, candidate: Contract, witness: Json) -> tuple[Told, Told]:
    """What the released and the candidate contract say of a witness.

    Raises:
        ValueError: it is no witness of this kind.
    """
    sent = witness.get("message") if isinstance(witness, Mapping) else None
    if not isinstance(witness, Mapping) or not isinstance(sent, Mapping):
        raise ValueError(_NO_WITNESS)
    if "call" in sent:
        return told_of_call(released, sent), told_of_call(candidate, sent)
    if sent.get("checked") == CHECKED:
        return told_of_limits(released, sent, "released"), told_of_limits(candidate, sent, "candidate")
    spots = Spots(released, candidate)
    writer = 0 if sent.get("written_by") == "released" else 1
    readings = [_reading(side, sent, _member(witness, side.name, writer)) for side in spots.sides]
    own, other = readings[writer], readings[1 - writer]
    if own[1] is None:
        raise ValueError(_NO_WITNESS)
    meant = Told(accepted=Answer.NO if own[0].refused else Answer.YES, says=_says(spots.sides[writer], own))
    alike = not other[0].refused and other[1] is not None and _alike(spots, writer, own, other)
    seen = Told(accepted=Answer.YES if alike else Answer.NO, says=_says(spots.sides[1 - writer], other))
    return (meant, seen) if writer == 0 else (seen, meant)


def _member(witness: Mapping[str, Json], side: str, writer: int) -> tuple[str, str] | None:
    names = witness.get("member")
    own = ("released", "candidate")[writer]
    if not isinstance(names, Mapping) or side == own:
        return None
    return str(names.get(own)), str(names.get(side))


_Read = tuple[Reading, object | None]


def _reading(side: Side, sent: Mapping[str, Json], member: tuple[str, str] | None) -> _Read:
    """What a side reads, with the descriptor of the message; no descriptor where it has no such type."""
    name = str(sent.get("type"))
    if side.name == "candidate":
        name = str(sent.get("candidate_type", name))
    message = side.type(name)
    if message is None:
        return Reading(refused=f"has no type {name}"), None
    try:
        plane = Plane(str(sent.get("wire")))
    except ValueError:
        raise ValueError(_NO_WITNESS) from None
    return side.read(message, plane, renamed(str(sent.get("payload")), member), _numbers(sent)), message


def _numbers(sent: Mapping[str, Json]) -> list[int]:
    listed = sent.get("fields")
    given = listed if isinstance(listed, Sequence) and not isinstance(listed, str) else ()
    return [number for number in given if isinstance(number, int)]


def _says(side: Side, read: _Read) -> str:
    reading, message = read
    return reading.refused or f"reads {json.dumps(told_of(side, message, reading.values), ensure_ascii=False)}"


def _alike(spots: Spots, writer: int, own: _Read, other: _Read) -> bool:
    sides = (spots.sides[writer], spots.sides[1 - writer])
    for number, values in own[0].values.items():
        mine, theirs = (side.field(read[1], number) for side, read in zip(sides, (own, other), strict=True))
        if mine is None or theirs is None:
            return False
        held = other[0].values.get(number, ())
        if not same(values, mine, held, theirs, lambda left, right: spots.partners(sides[0].name, left, right)):
            return False
    return True
