"""Rows about procedures: a call that one contract answers and the other one does not."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from evreview.contracts.model import Contract, Element
from evreview.ledger.delta import Delta
from evreview.proof.kinds.prover import Told
from evreview.vocab import Answer, Change, Form, Json

HTTP: Final = "google.api.http"
_STREAMS: Final = {"client_streaming": "request_messages", "server_streaming": "response_messages"}
_SIDES: Final = ("released", "candidate")


def call_witness(delta: Delta, released: Contract, candidate: Contract) -> Mapping[str, Json] | None:
    """A call that the two contracts answer differently, as both of them say; None when there is none."""
    for call in _calls(delta, released):
        told = [told_of_call(contract, call) for contract in (released, candidate)]
        answers = [each.accepted for each in told]
        if set(answers) == {Answer.YES, Answer.NO}:
            accepting = answers.index(Answer.YES)
            return {
                "message": call,
                "accepted_by": _SIDES[accepting],
                "refused_by": _SIDES[1 - accepting],
                "reads": {side: each.says for side, each in zip(_SIDES, told, strict=True)},
            }
    return None


def _calls(delta: Delta, released: Contract) -> Iterable[Mapping[str, Json]]:
    key = delta.operation or next(iter(delta.operations), "")
    own = next((each for each in released.operations if each.key == key), None)
    path = str(own.facet("path")) if own is not None else f"/{key}"
    if delta.facet in _STREAMS:
        yield {"call": path, _STREAMS[delta.facet]: 2}
    elif delta.facet == HTTP:
        yield from ({"call": path, "http": route} for route in _routes(delta.released))
    elif delta.facet == "idempotency_level":
        yield {"call": path, "method": "GET"}
    elif delta.facet == "path" or (delta.facet == "" and delta.change is Change.REMOVED):
        yield {"call": path}


def _routes(form: Form) -> Iterable[str]:
    for route in form if isinstance(form, (list, tuple)) else ():
        if isinstance(route, Mapping):
            yield f"{route.get('method')} {route.get('path')}"


def told_of_call(contract: Contract, call: Mapping[str, Json]) -> Told:
    """What a contract says of a call."""
    path = str(call.get("call"))
    own = next((each for each in contract.operations if each.facet("path") == path), None)
    if own is None:
        return Told(accepted=Answer.NO, says=f"has no procedure {path}: UNIMPLEMENTED")
    for facet, named in _STREAMS.items():
        if named in call and own.facet(facet) is not True:
            return Told(accepted=Answer.NO, says=f"{path} has one message there, and no stream")
    if "http" in call and str(call["http"]) not in list(_routes(own.facet(HTTP))):
        return Told(accepted=Answer.NO, says=f"{path} has no route {call['http']}")
    if "method" in call and own.facet("idempotency_level") != "NO_SIDE_EFFECTS":
        return Told(accepted=Answer.NO, says=f"{path} may have side effects, so no GET is answered")
    return Told(accepted=Answer.YES, says=_answers(own, call))


def _answers(own: Element, call: Mapping[str, Json]) -> str:
    how = f" by {call['http']}" if "http" in call else " by GET" if "method" in call else ""
    return f"{own.facet('path')} is answered{how}"
