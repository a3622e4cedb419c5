"""Recorded messages of event contracts against one contract: content type, headers and payload."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import orjson

from evreview.comparison.delta import Delta
from evreview.contract.model import Element, ElementKind
from evreview.core.vocabulary import Change, Json
from evreview.evidence.element_mentions import field_path
from evreview.evidence.records.test_runs import Observation
from evreview.schema.validators import UNUSABLE, Validators
from evreview.workflows.w1.facts import Fit

OPAQUE = "the payload is described in a language that is not validated here"


def fit_message(observation: Observation, operation: Element, validators: Validators) -> Fit:
    """Whether a recorded message is one that an operation receives or sends; of several that fit, any will do."""
    known = [each for each in operation.children if each.kind is ElementKind.MESSAGE]
    named = [each for each in known if observation.message in (None, each.key, each.name)]
    if not named:
        return Fit(False, ("the contract names no such message there",))
    fits = [_fit(observation, each, validators) for each in named]
    holds = next((fit for fit in fits if fit.holds is True), None) or next(
        (fit for fit in fits if fit.holds is None), None
    )
    if holds is not None:
        return holds
    return fits[0] if len(fits) == 1 else Fit(False, ("it is none of the messages that the contract names there",))


def _fit(observation: Observation, message: Element, validators: Validators) -> Fit:
    declared = message.facet("contentType")
    reasons = list(_content_type(observation.content_type, declared if isinstance(declared, str) else ""))
    doubts: list[str] = []
    for what, found in _broken(observation, message, validators):
        unusable = [each for each in found if UNUSABLE in each]
        doubts += [f"{what} could not be validated"] * bool(unusable)
        reasons += [f"{what} {each}" for each in found if each not in unusable]
    if message.value is None and observation.body_recorded:
        doubts.append(OPAQUE)
    if reasons:
        return Fit(False, (*reasons, *doubts))
    return Fit(None, tuple(doubts)) if doubts else Fit(True)


def _content_type(observed: str | None, declared: str) -> Iterator[str]:
    bare = observed.partition(";")[0].strip().lower() if observed is not None else ""
    if bare and declared and bare != declared.partition(";")[0]:
        yield f"the contract declares {declared}, not the observed content type"


def _broken(
    observation: Observation, message: Element, validators: Validators
) -> Iterator[tuple[str, tuple[str, ...]]]:
    """What payload and headers break; headers count only when some were recorded."""
    if message.value is not None and observation.body_recorded:
        yield "payload", validators.violations(message.value, observation.body, message.polarity)
    for headers in message.children:
        if headers.kind is ElementKind.HEADERS and headers.value is not None and observation.headers:
            readings: tuple[Json, Json] = (dict(observation.headers), _spelled(observation.headers))
            found = [validators.violations(headers.value, each, headers.polarity) for each in readings]
            yield "headers", min(found, key=len)


def _spelled(headers: Mapping[str, str]) -> dict[str, Json]:
    """Headers as the JSON that their texts spell; a text that spells none is itself."""

    def read(text: str) -> Json:
        try:
            found: Json = orjson.loads(text)
        except orjson.JSONDecodeError:
            return text
        return found

    return {name: read(text) for name, text in headers.items()}


def speaks_about(observation: Observation, delta: Delta, holds: Callable[[Json, tuple[str, ...]], bool]) -> bool:
    """True for a row of the recorded message whose field it holds; a removed field is told by its absence, too."""
    message = delta.address.partition(" > message ")[2].split(" > ")[0]
    if not message or observation.message not in (None, message):
        return False
    steps = field_path(delta.address)
    if not steps or delta.change is Change.REMOVED:
        return True
    carried: Json = {"headers": dict(observation.headers)} if steps[0] == "headers" else observation.body
    return holds(carried, steps)
