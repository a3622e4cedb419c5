"""Rows about procedures: a call that one contract answers and the other one does not."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from evreview.comparison.delta import Delta
from evreview.comparison.kind_spec import Told
from evreview.contract.model import Contract, Element
from evreview.core.vocabulary import Answer, Change, Json
from evreview.proof.kinds.protobuf_routes import HTTP, Routes

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
        yield from (asked for asked in route_requests(delta, released) if asked is not None)
    elif delta.facet == "idempotency_level":
        yield {"call": path, "method": "GET"}
    elif delta.facet == "path" or (delta.facet == "" and delta.change is Change.REMOVED):
        yield {"call": path}


def route_requests(delta: Delta, released: Contract) -> Iterator[Mapping[str, Json] | None]:
    """HTTP requests that the released routes of a row's procedure take; None for a route of no known form."""
    own = next((each for each in released.operations if each.key == delta.operation), None)
    yield from Routes(released).requests(own) if own is not None else ()


def _told_of_route(contract: Contract, procedures: Sequence[Element], call: Mapping[str, Json]) -> Told:
    """Whether a route of some procedures takes a request, and reads what was meant."""
    http, routes = str(call["http"]), Routes(contract)
    readings = [reads for own in procedures for reads in routes.readings(own, http)]
    if call.get("reads") in readings:
        return Told(accepted=Answer.YES, says=f"{call['call']} is answered by {http}")
    if not readings:
        return Told(accepted=Answer.NO, says=f"{call['call']} has no route for {http}")
    return Told(accepted=Answer.NO, says=f"{http} reads {json.dumps(readings[0])}, by numbers of fields")


def told_of_call(contract: Contract, call: Mapping[str, Json]) -> Told:
    """What a contract says of a call."""
    path = str(call.get("call"))
    own = next((each for each in contract.operations if each.facet("path") == path), None)
    if "http" in call:
        # The path of a procedure that moved to another package is no part of its HTTP requests.
        return _told_of_route(contract, contract.operations if own is None else (own,), call)
    if own is None:
        return Told(accepted=Answer.NO, says=f"has no procedure {path}: UNIMPLEMENTED")
    for facet, named in _STREAMS.items():
        if named in call and own.facet(facet) is not True:
            return Told(accepted=Answer.NO, says=f"{path} has one message there, and no stream")
    if "method" in call and own.facet("idempotency_level") != "NO_SIDE_EFFECTS":
        return Told(accepted=Answer.NO, says=f"{path} may have side effects, so no GET is answered")
    return Told(accepted=Answer.YES, says=f"{path} is answered{' by GET, over Connect' if 'method' in call else ''}")
