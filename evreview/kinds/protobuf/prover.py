"""Proofs of protobuf rows: what one side writes is read by the other, on both wires and in both directions."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Final

from evreview.comparison.delta import Delta
from evreview.comparison.kind_spec import Decision, WitnessJudgement
from evreview.comparison.ledger import Ledger
from evreview.comparison.proof.outcome import Proof, ProofReason, replay_command, unproven
from evreview.contract.model import Contract, Element, ElementKind
from evreview.core.vocabulary import Change, Direction, Json, Plane, ProofMethod, ProofStatus, Tristate, Verdict
from evreview.kinds.protobuf import SPEC
from evreview.kinds.protobuf.alignment import referred
from evreview.kinds.protobuf.codec import ContractMessages, DecodedMessage, same
from evreview.kinds.protobuf.prover_elements import (
    CHECKED,
    FIELDS,
    HTTP,
    NO_HOLDER,
    UNTRIED,
    EnumRows,
    TrialResult,
    call_witness,
    field_trials,
    is_limit,
    limit_answers,
    limit_witness,
    lost_field,
    moved_field,
    moved_planes,
    route_requests,
    told_of_call,
    told_of_limits,
    tried_message,
)
from evreview.kinds.protobuf.round_trips import PLANES, LossyMessage, RowElementFinder, RowElements, renamed, told_of

BOUNDED: Final = "no difference was found, but the messages have more kinds of values than were tried"
NOT_WRITTEN: Final = "nothing of it is written on a wire; the rule speaks"
NEW_ONLY: Final = "the other side has no such part: it reads everything that it knows as before"
USED: Final = "it travels only in what refers to it, whose own rows say what changes"
OPEN: Final = "what it does is not said by the contract"
NARROWER: Final = "what is written keeps the constraints of its reader"
ANY: Final = "google.protobuf.Any"
PACKED: Final = f"a {ANY} names the type that is in it; whether one of these is, the contract does not say"
ROUTED: Final = "every request of the released routes is taken and fills the same fields"
UNCHECKED: Final = "whether the side that does not check text writes bytes that are none is not said"
UTF8_CHECKED: Final = "what is checked when it is written is UTF-8 for its reader"


class ProtobufProver:
    """Decides the rows of one comparison.

    Args:
        ledger: the rows and both contracts.
        witnesses: False to leave out every proof that no verdict rests on.
    """

    def __init__(self, ledger: Ledger, *, witnesses: bool = True) -> None:
        self._contracts = ledger.released, ledger.candidate
        self._witnesses = witnesses
        self._spots = RowElementFinder(*self._contracts)
        self._enums = EnumRows(self._spots)

    def decision(self, delta: Delta) -> Decision | None:
        """What trials say of the row, None when its verdict rests on its rule."""
        spot = self._spots.of(delta)
        if delta.element is ElementKind.OPERATION and delta.facet == "path":
            return self._of_path(delta)
        if delta.element is ElementKind.TYPE and delta.facet == "" and delta.change is Change.REMOVED:
            return self._of_removed(spot)
        if delta.facet == HTTP:
            return self._of_routes(delta)
        if _names_types(delta) and self._packs:
            return _of_packed()
        to = moved_field(delta, spot)
        if to is not None:
            return self._of_moved(delta, spot, to)
        if is_limit(delta):
            return self._of_limits(delta, spot)
        if delta.facet == "utf8_validation":
            return _of_text_check(delta, spot)
        tried = self._tried(delta, spot)
        return None if tried is None else self._decided(delta, tried)

    def one_way(self, delta: Delta, writer: int) -> Proof | None:
        """The proof of what one side writes, 0 for the released one; None for a row that its rule judges."""
        tried = self._tried(delta, self._spots.of(delta))
        if tried is None:
            return None
        return self._shown(
            delta, replace(tried, losses=tuple(each for each in tried.losses if each.backward is (writer == 0)))
        )

    def _tried(self, delta: Delta, spot: RowElements) -> TrialResult | None:
        if delta.element is ElementKind.OPERATION:
            return self._of_call(delta)
        if delta.element in (ElementKind.TYPE, ElementKind.ENUM_VALUE):
            return self._enums.tried(delta, spot)
        return field_trials(delta, spot, self._spots) if delta.element in FIELDS and delta.facet else None

    def _decided(self, delta: Delta, tried: TrialResult) -> Decision:
        felt = {each.plane for each in tried.losses}
        kept = (Verdict.UNKNOWN, Tristate.UNKNOWN) if tried.untold else (Verdict.COMPATIBLE, Tristate.YES)
        on_wire = tuple((plane, Verdict.BREAKING if plane in felt else kept[0]) for plane in PLANES)
        in_code = tuple(each for each in SPEC.classify(delta).planes if each[0] is Plane.SOURCE)
        accepts, emits = (
            Tristate.NO if any((each.backward is way) is not tried.left for each in tried.losses) else kept[1]
            for way in (True, False)
        )
        return Decision(
            accepts_old_requests=Tristate.NOT_APPLICABLE if tried.direction is Direction.WRITTEN else accepts,
            emits_old_compatible=Tristate.NOT_APPLICABLE if tried.direction is Direction.READ else emits,
            proof=self._shown(delta, tried),
            planes=on_wire + in_code,
        )

    def _shown(self, delta: Delta, tried: TrialResult) -> Proof:
        if tried.losses:
            return self._lost(delta, tried.losses[0])
        open_ = tried.untold or (BOUNDED if tried.bounded else "")
        return unproven(open_) if open_ else _proved(tried.alike)

    def _of_path(self, delta: Delta) -> Decision:
        planes = tuple((plane, Verdict.BREAKING) for plane in (*PLANES, Plane.SOURCE))
        proof = self._call(delta)
        return Decision(accepts_old_requests=Tristate.NO, emits_old_compatible=Tristate.NO, proof=proof, planes=planes)

    def _of_routes(self, delta: Delta) -> Decision | None:
        """A request that only one side takes, or reads otherwise; None where a route's form is not known."""
        found = call_witness(delta, *self._contracts)
        if found is None and None in route_requests(delta, self._contracts[0]):
            return None
        felt = Verdict.COMPATIBLE if found is None else Verdict.BREAKING
        planes = (Plane.BINARY, Verdict.COMPATIBLE), (Plane.JSON, felt), (Plane.SOURCE, Verdict.COMPATIBLE)
        answer = Tristate.YES if found is None else Tristate.NO
        proof = _proved(ROUTED) if found is None else self._call(delta)
        return Decision(accepts_old_requests=answer, emits_old_compatible=answer, proof=proof, planes=planes)

    def _of_moved(self, delta: Delta, spot: RowElements, to: Element) -> Decision:
        """A field that left and came again under another number."""
        loss = lost_field(delta, spot, self._spots)
        return Decision(
            accepts_old_requests=Tristate.NO if 0 in spot.writers else Tristate.NOT_APPLICABLE,
            emits_old_compatible=Tristate.NO if 1 in spot.writers else Tristate.NOT_APPLICABLE,
            proof=self._lost(delta, loss) if loss is not None else unproven(OPEN),
            planes=moved_planes(spot, to, self._spots),
        )

    def _of_limits(self, delta: Delta, spot: RowElements) -> Decision:
        """What validators refuse, in the direction that the message travels."""
        accepts, emits = limit_answers(delta)
        answers = tuple(
            answer if way in spot.writers else Tristate.NOT_APPLICABLE for way, answer in enumerate((accepts, emits))
        )
        felt = Verdict.UNKNOWN if Tristate.UNKNOWN in answers else Verdict.COMPATIBLE
        felt = Verdict.BREAKING if Tristate.NO in answers else felt
        found = limit_witness(spot) if felt is Verdict.BREAKING else None
        proof = unproven(UNTRIED if felt is Verdict.BREAKING else OPEN)
        if found is not None:
            proof = self._witnessed(delta, found, (ProofMethod.VALIDATION, _reads(found)))
        elif felt is Verdict.COMPATIBLE:
            proof = _rule(NARROWER)
        planes = *((plane, felt) for plane in PLANES), (Plane.SOURCE, Verdict.COMPATIBLE)
        return Decision(accepts_old_requests=answers[0], emits_old_compatible=answers[1], proof=proof, planes=planes)

    def _of_call(self, delta: Delta) -> TrialResult | None:
        if delta.facet not in ("request", "response"):
            return None
        names = self._spots.aligned.names
        candidate = str(delta.candidate)
        direction = Direction.READ if delta.facet == "request" else Direction.WRITTEN
        return tried_message(self._spots, (str(delta.released), names.get(candidate, candidate)), direction)

    def _of_removed(self, spot: RowElements) -> Decision | None:
        """A type that fields or procedures refer to has nothing to break by itself."""
        if spot.released is None or spot.released.name not in self._referred:
            return None
        proof = _rule(USED)
        planes = (*((plane, Verdict.COMPATIBLE) for plane in PLANES), (Plane.SOURCE, Verdict.BREAKING))
        return Decision(
            accepts_old_requests=Tristate.YES, emits_old_compatible=Tristate.YES, proof=proof, planes=planes
        )

    @cached_property
    def _referred(self) -> frozenset[str]:
        """The released types that a field of another type, or a procedure, refers to."""
        found: set[str] = set()
        for element in self._contracts[0].root.children:
            found |= {str(element.facet(name)) for name in ("request", "response")}
            for child in (element, *element.children):
                found |= {name for _, name in referred(child.facet("type")) if name != element.key}
        return frozenset(found)

    @cached_property
    def _packs(self) -> bool:
        """True when a message of both sides holds a `google.protobuf.Any`, which names what is in it."""
        return all(_holds_any(contract) for contract in self._contracts)

    def proof(self, delta: Delta) -> Proof:
        """The proof of a row whose verdict rests on its rule: a witness, or why there is none."""
        if not self._witnesses:
            return unproven(ProofReason.NOT_ASKED)
        if delta.element in (ElementKind.OPERATION, ElementKind.SERVICE):
            return self._call(delta)
        spot = self._spots.of(delta)
        if delta.element in FIELDS and delta.facet == "":
            loss = lost_field(delta, spot, self._spots)
            if loss is not None:
                return self._lost(delta, loss)
        if delta.element is ElementKind.TYPE and delta.facet == "" and delta.change is Change.REMOVED:
            return self._gone(delta, spot)
        if delta.facet == "" and delta.change is Change.ADDED and SPEC.classify(delta).verdict is Verdict.COMPATIBLE:
            return _proved(NEW_ONLY)
        return self._without(delta)

    def _without(self, delta: Delta) -> Proof:
        verdict = SPEC.classify(delta).verdict
        if verdict is Verdict.UNKNOWN:
            return unproven(OPEN)
        enum = delta.element is ElementKind.ENUM_VALUE or delta.facet in ("enum_type", "default")
        if enum and delta.facet != "deprecated" and not delta.facet.startswith("option"):
            return unproven(NO_HOLDER)
        return unproven(OPEN) if verdict is Verdict.BREAKING else _rule(NOT_WRITTEN)

    def _call(self, delta: Delta) -> Proof:
        found = call_witness(delta, *self._contracts)
        if found is not None:
            return self._witnessed(delta, found, (ProofMethod.VALIDATION, _reads(found)))
        if delta.facet == "" and delta.change is Change.ADDED:
            return _proved(NEW_ONLY)
        return self._without(delta)

    def _gone(self, delta: Delta, spot: RowElements) -> Proof:
        """An empty message of a type that only the released contract has."""
        if spot.released is None or spot.released.facet("kind") != "message":
            return _rule(USED)
        name = spot.released.name
        witness: Json = {
            "message": {"type": name, "wire": "binary", "written_by": "released", "fields": [], "payload": ""},
            "accepted_by": "released",
            "refused_by": "candidate",
            "reads": {"released": name, "candidate": f"has no type {name}"},
        }
        said = f"an empty {name}, which the candidate has no type for"
        return self._witnessed(delta, witness, (ProofMethod.ENCODING, said))

    def _lost(self, delta: Delta, loss: LossyMessage) -> Proof:
        return self._witnessed(delta, loss.witness(), (ProofMethod.ENCODING, loss.told()))

    def _witnessed(self, delta: Delta, witness: Json, said: tuple[ProofMethod, str]) -> Proof:
        command = replay_command([contract.path for contract in self._contracts], delta.id)
        return Proof(status=ProofStatus.WITNESSED, method=said[0], witness=witness, command=command, reason=said[1])


def _holds_any(contract: Contract) -> bool:
    """True when a message of the contract holds a `google.protobuf.Any`."""
    types = (child for child in contract.root.children if child.kind is ElementKind.TYPE)
    return any(name == ANY for one in types for field in one.children for _, name in referred(field.facet("type")))


def _names_types(delta: Delta) -> bool:
    """True for a row that gives types other names."""
    return (delta.element, delta.facet) in ((ElementKind.MODULE, "package"), (ElementKind.TYPE, "name"))


def _of_packed() -> Decision:
    planes = *((plane, Verdict.UNKNOWN) for plane in PLANES), (Plane.SOURCE, Verdict.BREAKING)
    open_ = Tristate.UNKNOWN
    return Decision(accepts_old_requests=open_, emits_old_compatible=open_, proof=unproven(PACKED), planes=planes)


def _reads(witness: Mapping[str, Json]) -> str:
    """What each side says of a witness, in one line."""
    said = witness["reads"]
    return "; ".join(f"{side}: {says}" for side, says in said.items()) if isinstance(said, Mapping) else ""


def _of_text_check(delta: Delta, spot: RowElements) -> Decision:
    """What is written unchecked may not be read where it is checked; the other way nothing changes."""
    open_ = 1 if delta.candidate == "none" else 0
    answers = [
        Tristate.NOT_APPLICABLE if way not in spot.writers else Tristate.UNKNOWN if way == open_ else Tristate.YES
        for way in (0, 1)
    ]
    felt = Tristate.UNKNOWN in answers
    planes = ((Plane.BINARY, Verdict.UNKNOWN if felt else Verdict.COMPATIBLE), (Plane.JSON, Verdict.COMPATIBLE))
    return Decision(
        accepts_old_requests=answers[0],
        emits_old_compatible=answers[1],
        proof=unproven(UNCHECKED) if felt else _rule(UTF8_CHECKED),
        planes=(*planes, (Plane.SOURCE, Verdict.COMPATIBLE)),
    )


def _proved(reason: str) -> Proof:
    return Proof(status=ProofStatus.PROVED, method=ProofMethod.ENCODING, witness={}, command="", reason=reason)


def _rule(reason: str) -> Proof:
    return Proof(status=ProofStatus.NOT_APPLICABLE, method=ProofMethod.RULE, witness={}, command="", reason=reason)


# A witness judged once more: both contracts read its payload, or look for the procedure that it calls.


_NO_WITNESS = "the witness is no message of a protobuf contract"


def replay(released: Contract, candidate: Contract, witness: Json) -> tuple[WitnessJudgement, WitnessJudgement]:
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
    spots = RowElementFinder(released, candidate)
    writer = 0 if sent.get("written_by") == "released" else 1
    readings = [_reading(side, sent, _member(witness, side.name, writer)) for side in spots.sides]
    own, other = readings[writer], readings[1 - writer]
    if own[1] is None:
        raise ValueError(_NO_WITNESS)
    meant = WitnessJudgement(
        accepted=Tristate.NO if own[0].refused else Tristate.YES, says=_says(spots.sides[writer], own)
    )
    alike = not other[0].refused and other[1] is not None and _alike(spots, writer, own, other)
    seen = WitnessJudgement(accepted=Tristate.YES if alike else Tristate.NO, says=_says(spots.sides[1 - writer], other))
    return (meant, seen) if writer == 0 else (seen, meant)


def _member(witness: Mapping[str, Json], side: str, writer: int) -> tuple[str, str] | None:
    names = witness.get("member")
    own = ("released", "candidate")[writer]
    if not isinstance(names, Mapping) or side == own:
        return None
    return str(names.get(own)), str(names.get(side))


_Read = tuple[DecodedMessage, object | None]


def _reading(side: ContractMessages, sent: Mapping[str, Json], member: tuple[str, str] | None) -> _Read:
    """What a side reads, with the descriptor of the message; no descriptor where it has no such type."""
    name = str(sent.get("type"))
    if side.name == "candidate":
        name = str(sent.get("candidate_type", name))
    message = side.type(name)
    if message is None:
        return DecodedMessage(refused=f"has no type {name}"), None
    try:
        plane = Plane(str(sent.get("wire")))
    except ValueError:
        raise ValueError(_NO_WITNESS) from None
    return side.read(message, plane, renamed(str(sent.get("payload")), member), _numbers(sent)), message


def _numbers(sent: Mapping[str, Json]) -> list[int]:
    listed = sent.get("fields")
    given = listed if isinstance(listed, Sequence) and not isinstance(listed, str) else ()
    return [number for number in given if isinstance(number, int)]


def _says(side: ContractMessages, read: _Read) -> str:
    reading, message = read
    return reading.refused or f"reads {json.dumps(told_of(side, message, reading.values), ensure_ascii=False)}"


def _alike(spots: RowElementFinder, writer: int, own: _Read, other: _Read) -> bool:
    sides = (spots.sides[writer], spots.sides[1 - writer])
    for number, values in own[0].values.items():
        mine, theirs = (side.field(read[1], number) for side, read in zip(sides, (own, other), strict=True))
        if mine is None or theirs is None:
            return False
        held = other[0].values.get(number, ())
        if not same(values, mine, held, theirs, lambda left, right: spots.partners(sides[0].name, left, right)):
            return False
    return True
