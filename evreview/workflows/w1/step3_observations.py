"""Recorded responses and messages against both contracts: operation, status, content type, headers, body."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Final

import orjson

from evreview.comparison.delta import Delta
from evreview.contract.model import Contract, Element, ElementKind
from evreview.core.vocabulary import Basis, Change, Json, Polarity, Role
from evreview.evidence.element_mentions import field_path, operation_key
from evreview.evidence.item import Citation
from evreview.evidence.records.review import same_revision
from evreview.evidence.records.test_runs import Observation
from evreview.policy.row import Row
from evreview.reconcile.messages import fit_message, speaks_about
from evreview.schema.validators import UNUSABLE, Validators
from evreview.workflows.w1.element_lookup import answering, find_media_type, find_operation, find_response, media_types
from evreview.workflows.w1.facts import Claim, Fit, Sides, Source, match_of

_REFUSED: Final = 400
_JSON_TYPES: Final = ("application/json", "text/json")


class Reader:
    """Compares observations with both contracts; keeps the validators that it has built."""

    def __init__(self, sides: Sides) -> None:
        self._sides = sides
        self._released = Validators(sides.released)
        self._candidate = Validators(sides.candidate)

    def read(self, observation: Observation, citation: Citation, claims: Claim, rows: Iterable[Row] = ()) -> Source:
        """What one observation agrees with.

        Args:
            observation: the recorded response.
            citation: where it is recorded.
            claims: the side whose implementation answered.
            rows: the ledger, for the rows that the response speaks about.
        """
        released = _fit(observation, self._sides.released, self._released)
        candidate = _fit(observation, self._sides.candidate, self._candidate)
        found = find_operation(self._sides.candidate, observation.operation)
        found = found or find_operation(self._sides.released, observation.operation)
        operation = operation_key(found.key if found else observation.operation)
        answers = answering(self._sides, operation, observation.status)
        return Source(
            id=observation.id,
            kind="observation",
            operation=operation,
            basis=Basis.OBSERVED,
            match=match_of(released, candidate),
            claims=claims,
            released_reasons=released.reasons,
            candidate_reasons=candidate.reasons,
            delta_ids=tuple(row.delta.id for row in rows if _concerns(observation, operation, row.delta, answers)),
            by_revision=observation.revision is not None,
            citation=citation,
        )


def match_observation(observation: Observation, citation: Citation, sides: Sides, claims: Claim = "released") -> Source:
    """What one observation agrees with. For many observations keep a `Reader`."""
    return Reader(sides).read(observation, citation, claims)


def claim_of(
    observation: Observation, implementation_revision: str | None, released_revision: str | None = None
) -> Claim:
    """Which side answered, by its revision; a statement of the supplier counts only where no revision is named.

    Args:
        observation: the recorded response.
        implementation_revision: the revision under review, which is the candidate.
        released_revision: the revision of the released contract.
    """
    if observation.revision is None and observation.answers is not None:
        return observation.answers
    if same_revision(observation.revision, implementation_revision):
        return "candidate"
    if same_revision(observation.revision, released_revision):
        return "released"
    # What a client sent has the client's revision; called released it opens nothing.
    return "released" if observation.answers == "released" else "unknown"


def _fit(observation: Observation, contract: Contract, validators: Validators) -> Fit:
    operation = find_operation(contract, observation.operation)
    if operation is None:
        return Fit(False, ("the contract has no such operation",))
    if operation.role is Role.MESSAGE:
        return fit_message(observation, operation, validators)
    if observation.status is None:
        return Fit(None, ("no status is recorded",))
    response = find_response(operation, observation.status)
    if response is None:
        return Fit(False, (f"the contract has no response for status {observation.status}",))
    media, content_reasons = _media_type(observation, response)
    header_reasons, header_doubts = _headers(observation, response, validators)
    body_reasons, body_doubts = _body(observation, media, validators)
    reasons = (*content_reasons, *header_reasons, *body_reasons)
    doubts = (*header_doubts, *body_doubts)
    if reasons:
        return Fit(False, (*reasons, *doubts))
    return Fit(None, doubts) if doubts else Fit(True)


def _media_type(observation: Observation, response: Element) -> tuple[Element | None, tuple[str, ...]]:
    """The media type that the response answers with, or why there is none."""
    declared = media_types(response)
    if observation.content_type is None:
        only = next(iter(declared.values())) if len(declared) == 1 else None
        return only, ()
    found = find_media_type(response, observation.content_type)
    if found is not None:
        return found, ()
    if not declared:
        has_body = observation.body_recorded and observation.body not in (None, "")
        return None, ("the contract declares no content for this response",) if has_body else ()
    return None, (f"the contract declares {', '.join(declared)}, not the observed content type",)


_Findings = tuple[tuple[str, ...], tuple[str, ...]]


def _body(observation: Observation, media: Element | None, validators: Validators) -> _Findings:
    """What the body breaks, and what could not be validated."""
    if media is None or media.value is None or not observation.body_recorded:
        return (), ()
    body = _json_of(observation.body) if _is_json(media.key) else observation.body
    if not _is_json(media.key) and not isinstance(body, str):
        return (), ()
    return _sorted("body", validators.violations(media.value, body, Polarity.WRITTEN))


def _headers(observation: Observation, response: Element, validators: Validators) -> _Findings:
    """Headers count only when some were recorded; a value may be read as the JSON that it spells."""
    if not observation.headers:
        return (), ()
    recorded = {name.lower(): value for name, value in observation.headers.items()}
    broken: list[str] = []
    doubts: list[str] = []
    for header in response.children:
        if header.kind is not ElementKind.HEADER:
            continue
        value = recorded.get(header.key.lower())
        if value is None:
            broken.extend([f"header {header.key} is required and absent"] if header.facet("required") is True else [])
        elif header.value is not None:
            readings = [validators.violations(header.value, form, Polarity.WRITTEN) for form in _readings(value)]
            if all(readings):
                found, unclear = _sorted(f"header {header.key}", readings[0])
                broken.extend(found)
                doubts.extend(unclear)
    return tuple(broken), tuple(doubts)


def _sorted(what: str, violations: Sequence[str]) -> _Findings:
    """Violations apart from schemas that no validator can be built from."""
    broken = tuple(f"{what} {violation}" for violation in violations if UNUSABLE not in violation)
    doubts = tuple(f"{what} could not be validated" for violation in violations if UNUSABLE in violation)
    return broken, doubts


def _readings(value: str) -> tuple[Json, ...]:
    try:
        return value, orjson.loads(value)
    except orjson.JSONDecodeError:
        return (value,)


def _json_of(body: Json) -> Json:
    """A body kept as text is read when it is JSON; otherwise the text is the value."""
    if not isinstance(body, str):
        return body
    try:
        parsed: Json = orjson.loads(body)
    except orjson.JSONDecodeError:
        return body
    return parsed if isinstance(parsed, dict | list) else body


def _is_json(key: str) -> bool:
    bare = key.split(";")[0]
    return bare in _JSON_TYPES or bare.endswith("+json") or bare in ("*/*", "application/*")


def _concerns(observation: Observation, operation: str, delta: Delta, answers: Collection[str]) -> bool:
    """True for a row of the same response whose field the body holds; the absence of a removed field speaks too."""
    if operation not in map(operation_key, delta.operations):
        return False
    if delta.role is Role.MESSAGE:
        return speaks_about(observation, delta, _holds)
    if delta.role is Role.REQUEST and delta.element is ElementKind.PARAMETER:
        return _answers_parameter(observation, delta)
    if delta.role is not Role.RESPONSE or observation.status is None:
        return False
    if (observation.status >= 400) is not delta.in_error:
        return False
    steps, gone = field_path(delta.address), delta.change is Change.REMOVED
    if operation != operation_key(delta.operation):
        return not steps or gone or _holds_name(observation.body, steps[-1])
    status = delta.address.partition(" > response ")[2].split(" > ")[0].lower()
    return status in ("", *answers) and (not steps or gone or _holds(observation.body, steps))


def _answers_parameter(observation: Observation, delta: Delta) -> bool:
    """True for a request with that query parameter that was not refused."""
    location, _, name = delta.address.rpartition(" > ")[2].partition(" ")
    refused = observation.status is None or observation.status >= _REFUSED
    return location == "query" and name in observation.query and not refused


def _holds_name(body: Json, name: str) -> bool:
    if isinstance(body, list):
        return any(_holds_name(item, name) for item in body)
    return isinstance(body, dict) and (name in body or any(_holds_name(item, name) for item in body.values()))


def _holds(body: Json, steps: tuple[str, ...]) -> bool:
    if not steps:
        return True
    if steps[0] == "[]":
        return isinstance(body, list) and any(_holds(item, steps[1:]) for item in body)
    return isinstance(body, dict) and steps[0] in body and _holds(body[steps[0]], steps[1:])
