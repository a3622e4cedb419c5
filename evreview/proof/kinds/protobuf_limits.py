"""Constraints of validators, tried: a value of one field that the released side lets pass and the candidate refuses."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

from evreview.comparison.delta import Delta
from evreview.comparison.kind_spec import Told
from evreview.comparison.rules.direction import Effect
from evreview.contract.model import Contract, Element, ElementKind
from evreview.core.vocabulary import Answer, Change, Form, Json, Plane
from evreview.proof.kinds.protobuf_spots import Spot
from evreview.rules.protobuf_limits import BEHAVIOR, LIMITS, demanded, effect, leaves, refusal, unjudged

CHECKED: Final = "constraints"
UNTRIED: Final = "no value was found that tells the constraints apart here"
KEEPS: Final = "keeps what the field's options ask for"
_LONGEST: Final = 300


def is_limit(delta: Delta) -> bool:
    """True for a row about what a field's options ask of its values, as far as that is known."""
    if delta.element is not ElementKind.FIELD:
        return False
    if delta.facet in LIMITS:
        return effect(delta.released, delta.candidate) is not None
    if delta.facet == BEHAVIOR:
        return "REQUIRED" in _words(delta.candidate) and "REQUIRED" not in _words(delta.released)
    form = delta.candidate
    return delta.facet == "" and delta.change is Change.ADDED and isinstance(form, Mapping) and demanded(form)


def limit_answers(delta: Delta) -> tuple[Answer, Answer]:
    """Whether the candidate takes what was written before, and whether readers of before take what it writes."""
    found = effect(delta.released, delta.candidate) if delta.facet in LIMITS else Effect.NARROWS
    accepts = Answer.YES if found is Effect.WIDENS else Answer.NO
    return accepts, Answer.YES if found is Effect.NARROWS else Answer.UNKNOWN


def limit_witness(spot: Spot) -> Mapping[str, Json] | None:
    """A message with one field, or none, that only the candidate refuses; None where none is known."""
    old, new = spot.around
    if old is None or new is None or spot.candidate is None:
        return None
    if any(unjudged(spot.released.facet(name)) for name in LIMITS if spot.released is not None):
        return None
    name = str((spot.released or spot.candidate).facet("json_name"))
    for value in _values(spot):
        told = [_told(side, value) for side in (spot.released, spot.candidate)]
        if [each.accepted for each in told] == [Answer.YES, Answer.NO]:
            sent: dict[str, Json] = {"type": old.name, "wire": Plane.JSON.value, "written_by": "released"}
            if new.name != old.name:
                sent["candidate_type"] = new.name
            payload = json.dumps({} if value is None else {name: value}, ensure_ascii=False)
            return {
                "message": {**sent, "checked": CHECKED, "fields": [spot.number], "payload": payload},
                "accepted_by": "released",
                "refused_by": "candidate",
                "reads": {"released": told[0].says, "candidate": told[1].says},
            }
    return None


def told_of_limits(contract: Contract, sent: Mapping[str, Json], side: str) -> Told:
    """What a contract's constraints say of a message, as far as they are about one field."""
    name = sent.get("candidate_type", sent.get("type")) if side == "candidate" else sent.get("type")
    fields = sent.get("fields")
    number = str(fields[0]) if isinstance(fields, list) and fields else ""
    held = next((each for each in contract.root.children if (each.kind, each.key) == (ElementKind.TYPE, name)), None)
    if held is None:
        return Told(accepted=Answer.NO, says=f"has no type {name}")
    try:
        payload = json.loads(str(sent.get("payload")))
    except ValueError:
        payload = None
    if not isinstance(payload, dict) or len(payload) > 1:
        raise ValueError("the witness is no message of a protobuf contract")
    own = next((each for each in held.children if each.key == number), None)
    return _told(own, next(iter(payload.values()), None))


def _told(field: Element | None, value: Json) -> Told:
    if field is None:
        return Told(accepted=Answer.YES, says="has no such field")
    if value is None and "REQUIRED" in _words(field.facet(BEHAVIOR)):
        return Told(accepted=Answer.NO, says=f"refuses a message without {field.name}: REQUIRED")
    for name in LIMITS:
        refused = refusal(field.facet(name), value, str(field.facet("cardinality")))
        if refused:
            return Told(accepted=Answer.NO, says=f"refuses {json.dumps(value)[:80]} in {field.name}: {refused}")
    return Told(accepted=Answer.YES, says=KEEPS)


def _words(form: Form | None) -> list[str]:
    return [str(each) for each in form] if isinstance(form, list) else []


def _values(spot: Spot) -> Iterator[Json]:
    """Values at the edges of what either side lets pass; none first."""
    yield None
    for side in (spot.candidate, spot.released):
        for name in LIMITS if side is not None else ():
            for path, limit in leaves(side.facet(name) if side is not None else None).items():
                yield from _edges(path, limit)
    yield from ("", "abc", 0, 1, -1)


def _edges(path: tuple[str, ...], limit: Any) -> Iterator[Json]:
    kind, name = path[0], path[-1]
    if name in ("from", "to") and isinstance(limit, list):
        yield from (limit[0], limit[0] - 1, limit[0] + 1)
    elif name == "const":
        yield limit
    elif name in ("in", "not_in") and isinstance(limit, list):
        yield from limit
    elif isinstance(limit, int) and limit <= _LONGEST:
        for size in (limit, limit - 1, limit + 1):
            yield from ["a" * size] if kind == "string" and size >= 0 else []
            yield from [list(range(size))] if kind == "repeated" and size >= 0 else []
            yield from [{str(at): at for at in range(size)}] if kind == "map" and size >= 0 else []
    elif kind == "string" and isinstance(limit, str) and len(limit) <= _LONGEST:
        yield from (limit, f"{limit}a", f"a{limit}")
