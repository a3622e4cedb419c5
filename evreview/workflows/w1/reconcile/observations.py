"""Recorded responses and messages against both contracts, those of HAR documents too."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Final, Literal
from urllib.parse import urlsplit

import orjson

from evreview.comparison.delta import Delta
from evreview.contract.model import Contract, Element, ElementKind
from evreview.core.errors import BadInput, Problem, bad_input
from evreview.core.json_text import mapping
from evreview.core.vocabulary import Basis, Change, Direction, Json, Role
from evreview.evidence.element_mentions import field_path, operation_key
from evreview.evidence.item import Citation
from evreview.evidence.records.review import same_revision
from evreview.evidence.records.test_runs import Observation, Observations
from evreview.evidence.test_results.http_archive import har_content, har_entries, har_headers
from evreview.schema.validators import Validators
from evreview.workflows.w1.element_lookup import answering, find_media_type, find_operation, find_response, media_types
from evreview.workflows.w1.facts import Claim, ClassifiedRow, ContractAgreement, ContractPair, Source, match_of

_REFUSED: Final = 400
_JSON_TYPES: Final = ("application/json", "text/json")


class Reader:
    """Compares observations with both contracts; keeps the validators that it has built."""

    def __init__(self, sides: ContractPair) -> None:
        self._sides = sides
        self._released = Validators(sides.released)
        self._candidate = Validators(sides.candidate)

    def read(
        self, observation: Observation, citation: Citation, claims: Claim, rows: Iterable[ClassifiedRow] = ()
    ) -> Source:
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


def match_observation(
    observation: Observation, citation: Citation, sides: ContractPair, claims: Claim = "released"
) -> Source:
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


def _fit(observation: Observation, contract: Contract, validators: Validators) -> ContractAgreement:
    operation = find_operation(contract, observation.operation)
    if operation is None:
        return ContractAgreement(False, ("the contract has no such operation",))
    if operation.role is Role.MESSAGE:
        return fit_message(observation, operation, validators)
    if observation.status is None:
        return ContractAgreement(None, ("no status is recorded",))
    response = find_response(operation, observation.status)
    if response is None:
        return ContractAgreement(False, (f"the contract has no response for status {observation.status}",))
    media, content_reasons = _media_type(observation, response)
    header_reasons, header_doubts = _headers(observation, response, validators)
    body_reasons, body_doubts = _body(observation, media, validators)
    reasons = (*content_reasons, *header_reasons, *body_reasons)
    doubts = (*header_doubts, *body_doubts)
    if reasons:
        return ContractAgreement(False, (*reasons, *doubts))
    return ContractAgreement(None, doubts) if doubts else ContractAgreement(True)


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
    return _sorted("body", validators.violations(media.value, body, Direction.WRITTEN))


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
            readings = [validators.violations(header.value, form, Direction.WRITTEN) for form in _readings(value)]
            if () not in readings:
                found, unclear = _sorted(f"header {header.key}", readings[0])
                broken.extend(found)
                doubts.extend(unclear)
    return tuple(broken), tuple(doubts)


def _sorted(what: str, violations: Sequence[str] | None) -> _Findings:
    """Violations; a doubt instead of them where no validator can be built."""
    if violations is None:
        return (), (f"{what} could not be validated",)
    return tuple(f"{what} {violation}" for violation in violations), ()


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


# Recorded messages of event contracts against one contract: content type, headers and payload.


OPAQUE = "the payload is described in a language that is not validated here"


def fit_message(observation: Observation, operation: Element, validators: Validators) -> ContractAgreement:
    """Whether a recorded message is one that an operation receives or sends; of several that fit, any will do."""
    known = [each for each in operation.children if each.kind is ElementKind.MESSAGE]
    named = [each for each in known if observation.message in (None, each.key, each.name)]
    if not named:
        return ContractAgreement(False, ("the contract names no such message there",))
    fits = [_message_fit(observation, each, validators) for each in named]
    holds = next((fit for fit in fits if fit.holds is True), None) or next(
        (fit for fit in fits if fit.holds is None), None
    )
    if holds is not None:
        return holds
    return (
        fits[0]
        if len(fits) == 1
        else ContractAgreement(False, ("it is none of the messages that the contract names there",))
    )


def _message_fit(observation: Observation, message: Element, validators: Validators) -> ContractAgreement:
    declared = message.facet("contentType")
    reasons = list(_content_type(observation.content_type, declared if isinstance(declared, str) else ""))
    doubts: list[str] = []
    for what, found in _broken(observation, message, validators):
        broken, unclear = _sorted(what, found)
        reasons += broken
        doubts += unclear
    if message.value is None and observation.body_recorded:
        doubts.append(OPAQUE)
    if reasons:
        return ContractAgreement(False, (*reasons, *doubts))
    return ContractAgreement(None, tuple(doubts)) if doubts else ContractAgreement(True)


def _content_type(observed: str | None, declared: str) -> Iterator[str]:
    bare = observed.partition(";")[0].strip().lower() if observed is not None else ""
    if bare and declared and bare != declared.partition(";")[0]:
        yield f"the contract declares {declared}, not the observed content type"


def _broken(
    observation: Observation, message: Element, validators: Validators
) -> Iterator[tuple[str, tuple[str, ...] | None]]:
    """What payload and headers break; headers count only when some were recorded."""
    if message.value is not None and observation.body_recorded:
        yield "payload", validators.violations(message.value, observation.body, message.direction)
    for headers in message.children:
        if headers.kind is ElementKind.HEADERS and headers.value is not None and observation.headers:
            readings: tuple[Json, Json] = (dict(observation.headers), _spelled(observation.headers))
            found = [validators.violations(headers.value, each, headers.direction) for each in readings]
            usable = [each for each in found if each is not None]
            yield "headers", min(usable, key=len) if usable else None


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


# Recorded responses in HAR form, sanitised while they are read.
#
# Kept: method, path, status, response headers without credentials, content type and response body. Request bodies,
# query strings, cookies, hosts, server addresses and timings are never taken over.


CUSTOM_FIELDS: Final = ("_side", "_revision", "_fixture", "_command", "_source")
"""What an entry may say of itself beside the standard fields."""


def is_har(text: str) -> bool:
    """True when the text is a JSON object with `log.entries`."""
    if not text.lstrip().startswith("{") or '"log"' not in text:
        return False
    try:
        data = orjson.loads(text)
    except orjson.JSONDecodeError:
        return False
    return "entries" in mapping(mapping(data).get("log"))


def har_observations(data: Json, file: str) -> Observations:
    """The responses of a HAR document, `entry-0` onwards.

    An entry may carry `_side` (released or candidate), `_revision`, `_fixture`, `_command` and `_source` beside the
    standard fields: which side and revision answered, where, and how it was obtained. The same names stand for all
    entries in `log.comment`, as `side: candidate; revision: 1f2e3d4; fixture: ...`; an entry's own field comes first.

    Raises:
        BadInput: `bad-har` for every entry without method, URL or status, or with another side.
    """
    entries = har_entries(data)
    if not isinstance(entries, list):
        raise bad_input("bad-har", "log.entries is no list", file=file, place="#/log/entries")
    shared = _commented(mapping(mapping(data).get("log")).get("comment"))
    observations: list[Observation] = []
    problems: list[Problem] = []
    for place, entry in enumerate(entries):
        try:
            observations.append(_observation(place, {**shared, **entry}))
        except (KeyError, TypeError, ValueError, AttributeError):
            found = (
                "the entry lacks a readable request method, request URL or response status, "
                "or its side is neither released nor candidate"
            )
            problems.append(Problem(code="bad-har", found=found, file=file, place=f"#/log/entries/{place}"))
    if problems:
        raise BadInput(problems)
    return Observations(observations=tuple(observations))


def _observation(place: int, entry: Mapping[str, Json]) -> Observation:
    request, response = _mapping(entry["request"]), _mapping(entry["response"])
    content_type, body, recorded = _recorded_body(response)
    return Observation(
        id=f"entry-{place}",
        operation=f"{str(request['method']).upper()} {urlsplit(str(request['url'])).path or '/'}",
        status=int(str(response["status"])),
        content_type=content_type or None,
        headers=dict(har_headers(response)),
        body=body,
        body_recorded=recorded,
        source=str(entry.get("_source") or "HAR recording"),
        command=_text(entry.get("_command")),
        revision=_text(entry.get("_revision")),
        fixture=_text(entry.get("_fixture")),
        answers=_side(entry.get("_side")),
    )


def _commented(comment: object) -> dict[str, Json]:
    """What the log's comment says of all its entries, under the names that an entry would use."""
    parts = (part.partition(":") for part in re.split(r"[;\n]", comment if isinstance(comment, str) else ""))
    found = {f"_{name.strip().lower()}": value.strip() for name, _, value in parts}
    return {name: found[name] for name in CUSTOM_FIELDS if found.get(name)}


def _side(value: object) -> Literal["released", "candidate"] | None:
    if value is None or value == "released" or value == "candidate":
        return value
    raise ValueError("a side is released or candidate")


def _recorded_body(response: Mapping[str, Json]) -> tuple[str, Json, bool]:
    """Content type and body, and whether the body was kept; encoded bodies are not decoded and count as not kept."""
    content_type, text = har_content(response)
    if not isinstance(text, str):
        return content_type, None, False
    if "json" not in content_type.lower():
        return content_type, text, True
    try:
        parsed: Json = orjson.loads(text)
    except orjson.JSONDecodeError:
        return content_type, text, True
    return content_type, parsed, True


def _mapping(value: Json) -> Mapping[str, Json]:
    if not isinstance(value, Mapping):
        raise TypeError("a mapping is needed")
    return value


def _text(value: object) -> str | None:
    return value if isinstance(value, str) and value else None
