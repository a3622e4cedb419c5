"""What schemathesis 4 writes, one case per generated request: its NDJSON event stream, and VCR tapes, others' too."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from evreview.core.errors import BadInput, bad_input
from evreview.core.json_text import listed, mapping, read_json, word
from evreview.core.vocabulary import Concern, Json
from evreview.evidence.test_results.http_archive import Recorded, decoded, exchange
from evreview.evidence.test_results.model import (
    MAX_CASES,
    Assertion,
    Case,
    Exchange,
    Outcome,
    Results,
    Unreadable,
    lines_at,
    message_of,
    numbered,
    separate,
    status_of,
    where,
    worst,
)

_ADVICE: Final = "retain the file as schemathesis wrote it"
FIRST_EVENTS: Final = ("Initialize", "LoadingStarted", "LoadingFinished", "EngineStarted")


def read_ndjson(text: str, file: str) -> Results:
    """Every case of every finished scenario; lines that can't be read, and a run that did not finish, are unread.

    Raises:
        BadInput: `results-ndjson` without one readable event.
    """
    stream = _Stream()
    for first, last, line in numbered(text):
        if line.strip():
            stream.take(line, lines_at(first, last))
    if not stream.events:
        raise bad_input("results-ndjson", "no line holds an event", file=file, advice=_ADVICE)
    if not stream.finished:
        stream.unread.append(
            Unreadable(stream.last, "the run did not finish, or the file was cut", "run it again", lost=True)
        )
    return Results(
        format="schemathesis-ndjson",
        cases=separate(stream.cases),
        command=word(stream.start.get("command")),
        tool=" ".join(part for part in ("schemathesis", word(stream.start.get("schemathesis_version"))) if part),
        seed=str(stream.start["seed"]) if isinstance(stream.start.get("seed"), int | str) else "",
        unread=tuple(stream.unread),
    )


class _Stream:
    """What the events said so far."""

    def __init__(self) -> None:
        self.cases: list[Case] = []
        self.unread: list[Unreadable] = []
        self.start: Mapping[str, Json] = {}
        self.events = 0
        self.finished = False
        self.last = ""

    def take(self, line: str, locator: str) -> None:
        """Reads one line."""
        self.last = locator
        try:
            event = mapping(read_json(line.encode("utf-8", "replace"), ""))
        except BadInput:
            event = {}
        if len(event) != 1:
            self.unread.append(Unreadable(locator, "no event", _ADVICE, lost=True))
            return
        self.events += 1
        ((name, told),) = event.items()
        self._event(name, mapping(told), locator)

    def _event(self, name: str, told: Mapping[str, Json], locator: str) -> None:
        if name == "Initialize":
            self.start = told
        elif name == "ScenarioFinished":
            self._scenario(told, locator)
        elif name == "NonFatalError":
            label = word(told.get("label")) or "error"
            message = message_of(told.get("value"), mapping(told.get("value")).get("message"))
            self.cases.append(Case(id=label, what=label, outcome="error", locator=locator, message=message))
        elif name in ("FatalError", "Interrupted"):
            self.unread.append(Unreadable(locator, "the run was broken off", "run it again", lost=True))
        elif name == "EngineFinished":
            self.finished = True
            if told.get("stop_reason") != "completed":
                self.unread.append(Unreadable(locator, "the run stopped before all operations were tried"))

    def _scenario(self, told: Mapping[str, Json], locator: str) -> None:
        recorder = mapping(told.get("recorder"))
        label = word(recorder.get("label"))
        cases = mapping(recorder.get("cases"))
        if not cases and label:
            outcome = outcome_of(told.get("status")) or "error"
            self.cases.append(Case(id=label, what=label, outcome=outcome, locator=locator))
        for name in cases:
            if len(self.cases) >= MAX_CASES:
                self.unread.append(Unreadable(locator, f"only {MAX_CASES} cases were read", lost=True))
                return
            self._case(name, recorder, locator)

    def _case(self, name: str, recorder: Mapping[str, Json], locator: str) -> None:
        value = mapping(mapping(mapping(recorder.get("cases")).get(name)).get("value"))
        interaction = mapping(mapping(recorder.get("interactions")).get(name))
        checks = listed(mapping(recorder.get("checks")).get(name))
        seen, unread = exchange(_recorded_interaction(interaction), locator) if interaction else (None, ())
        self.unread.extend(unread)
        mode = word(mapping(mapping(value.get("meta")).get("generation")).get("mode"))
        operation = " ".join(part for part in (word(value.get("method")).upper(), word(value.get("path"))) if part)
        self.cases.append(
            Case(
                id=name,
                what=word(recorder.get("label")) or operation,
                outcome=_checks_outcome(checks, seen is not None and seen.status is not None),
                locator=locator,
                message=check_messages(checks),
                assertions=check_assertions(checks, operation, mode, seen) if " /" in operation else (),
                exchanges=(seen,) if seen is not None else (),
            )
        )


def _checks_outcome(checks: tuple[Json, ...] | object, answered: bool) -> Outcome:
    found = [outcome_of(mapping(check).get("status")) for check in listed(checks)]
    known = [outcome for outcome in found if outcome is not None]
    if not known:
        return "recorded" if answered else "error"
    return worst(known)


def _recorded_interaction(interaction: Mapping[str, Json]) -> Recorded:
    request, response = mapping(interaction.get("request")), mapping(interaction.get("response"))
    headers = mapping(response.get("headers"))
    content = word(mapping(response.get("content")).get("$base64"))
    return Recorded(
        method=word(request.get("method")),
        url=word(request.get("uri")),
        request_headers=tuple(mapping(request.get("headers"))),
        status=status_of(response.get("status_code")),
        content_type=header_value(headers, "content-type"),
        response_headers=tuple(headers),
        # A response that was cut states its whole size; the beginning of a body is none.
        body=decoded(content) if content and "content_size" not in response else None,
    )


def header_value(headers: Mapping[str, Json], name: str) -> str:
    """The first value of a header whose values stand as a list or as a text."""
    for key, value in headers.items():
        if key.lower() == name:
            return word(value) or next((word(one) for one in listed(value)), "")
    return ""


# VCR tapes: those of schemathesis, with checks, and those of vcrpy and its relatives, which hold exchanges only.


LISTS = ("http_interactions", "interactions")


def read_vcr(data: Json) -> Results:
    """Every interaction as a case; without checks its outcome is `recorded`."""
    tape = mapping(data)
    name = next((name for name in LISTS if name in tape), LISTS[0])
    entries = listed(tape.get(name))
    cases: list[Case] = []
    unread: list[Unreadable] = []
    for number, entry in enumerate(entries[:MAX_CASES]):
        locator = where(name, number)
        found, faults = exchange(_recorded_entry(mapping(entry)), locator)
        unread.extend(faults)
        if found is not None:
            cases.append(_case(mapping(entry), number, found))
    if len(entries) > MAX_CASES:
        unread.append(Unreadable(where(name), f"only the first {MAX_CASES} interactions were read", lost=True))
    seed = tape.get("seed")
    return Results(
        format="vcr",
        cases=separate(cases),
        command=word(tape.get("command")),
        tool=word(tape.get("recorded_with")),
        seed=str(seed) if isinstance(seed, int | str) else "",
        unread=tuple(unread),
    )


def _case(entry: Mapping[str, Json], number: int, seen: Exchange) -> Case:
    checks = listed(entry.get("checks"))
    operation = f"{seen.method} {seen.path}"
    return Case(
        id=word(entry.get("id")) or f"interaction-{number}",
        what=operation,
        outcome=_entry_outcome(entry, checks),
        locator=seen.locator,
        message=check_messages(checks),
        assertions=check_assertions(checks, operation, word(mapping(entry.get("generation")).get("mode")), seen),
        exchanges=(seen,),
    )


def _entry_outcome(entry: Mapping[str, Json], checks: Sequence[Json]) -> Outcome:
    stated = (outcome_of(one) for one in (entry.get("status"), *(mapping(check).get("status") for check in checks)))
    known = [outcome for outcome in stated if outcome is not None]
    return worst(known) if known else "recorded"


def _recorded_entry(entry: Mapping[str, Json]) -> Recorded:
    request, response = mapping(entry.get("request")), mapping(entry.get("response"))
    headers, status = mapping(response.get("headers")), response.get("status")
    return Recorded(
        method=word(request.get("method")),
        url=word(request.get("uri")) or word(request.get("url")),
        request_headers=tuple(mapping(request.get("headers"))),
        status=status_of(mapping(status).get("code") if isinstance(status, Mapping) else status),
        content_type=header_value(headers, "content-type"),
        response_headers=tuple(headers),
        body=_body(response.get("body"), header_value(headers, "content-encoding")),
    )


def _body(body: Json, encoding: str) -> str | bytes | None:
    """The body as recorded; a compressed one is not unpacked."""
    if encoding.lower() not in ("", "identity"):
        return None
    if isinstance(body, str):
        return body
    part = mapping(body)
    return decoded(word(part.get("base64_string"))) or word(part.get("string")) or None


# What a passed or failed check of schemathesis says about an operation.
#
# Schemathesis writes every check as passed for every response, also those that had nothing to check. Such a pass says
# nothing, so each check states when its pass counts. A failure always counts.


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckRule:
    """One check. `passes`: when its pass says something. `example` fails it, `counter` does not."""

    id: str
    why: str
    passes: Literal["always", "positive", "negative", "never"]
    concern: Concern | None
    example: str
    counter: str


CHECKS: Final = (
    CheckRule(
        id="not_a_server_error",
        why="the response's status is below 500",
        passes="always",
        concern=None,
        example="500",
        counter="404",
    ),
    CheckRule(
        id="status_code_conformance",
        why="the contract declares the response's status",
        passes="always",
        concern=None,
        example="an undeclared 409",
        counter="a declared 409",
    ),
    CheckRule(
        id="content_type_conformance",
        why="the contract declares the media type for this status",
        passes="always",
        concern=None,
        example="text/html where JSON is declared",
        counter="application/json where it is declared",
    ),
    CheckRule(
        id="response_schema_conformance",
        why="the body is valid against the schema declared for this status; without a schema the pass is empty",
        passes="always",
        concern=None,
        example="a required member is missing",
        counter="all required members are there",
    ),
    CheckRule(
        id="response_headers_conformance",
        why="declared response headers are there; most responses declare none, so a pass says nothing",
        passes="never",
        concern=Concern.HEADERS,
        example="a declared X-Total is missing",
        counter="no header is declared",
    ),
    CheckRule(
        id="negative_data_rejection",
        why="a request that breaks the contract is refused",
        passes="negative",
        concern=Concern.VALIDATION,
        example="201 for a body without a required member",
        counter="422 for it",
    ),
    CheckRule(
        id="positive_data_acceptance",
        why="a request that keeps the contract is not refused as invalid",
        passes="positive",
        concern=Concern.VALIDATION,
        example="422 for a valid body",
        counter="201 for it",
    ),
    CheckRule(
        id="missing_required_header",
        why="a request without a required header is refused; sent in few cases only, and a pass does not say in which",
        passes="never",
        concern=Concern.PARAMETERS,
        example="200 without the required header",
        counter="401 without it",
    ),
    CheckRule(
        id="unsupported_method",
        why="a method that the contract lacks is refused; sent in few cases only",
        passes="never",
        concern=None,
        example="200 for TRACE",
        counter="405 for it",
    ),
    CheckRule(
        id="ignored_auth",
        why="a request without credentials is refused; not tried where the contract demands none",
        passes="never",
        concern=Concern.AUTHENTICATION,
        example="200 without a token",
        counter="401 without it",
    ),
    CheckRule(
        id="use_after_free",
        why="a deleted resource is gone; tried in sequences only",
        passes="never",
        concern=Concern.SIDE_EFFECTS,
        example="200 after DELETE",
        counter="404 after it",
    ),
    CheckRule(
        id="ensure_resource_availability",
        why="a created resource can be read; tried in sequences only",
        passes="never",
        concern=Concern.SIDE_EFFECTS,
        example="404 after POST",
        counter="200 after it",
    ),
)
_BY_ID: Final = {rule.id: rule for rule in CHECKS}
_OUTCOMES: Final[Mapping[str, Outcome]] = {
    "success": "passed",
    "failure": "failed",
    "error": "error",
    "skip": "skipped",
}


def outcome_of(status: object) -> Outcome | None:
    """How a check, a case or a scenario ended, None for an unknown word."""
    return _OUTCOMES.get(word(status).lower())


def check_assertions(checks: Iterable[Json], operation: str, mode: str, seen: Exchange | None) -> tuple[Assertion, ...]:
    """The checks that say something, as assertions about the operation and the response that was seen."""
    found: list[Assertion] = []
    for check in map(mapping, checks):
        name, outcome = word(check.get("name")), outcome_of(check.get("status"))
        rule = _BY_ID.get(name)
        if outcome is None or not name:
            continue
        if outcome == "passed" and not (rule and rule.passes in ("always", mode)):
            continue
        found.append(
            Assertion(
                operation=operation,
                outcome=outcome,
                what=name,
                status=seen.status if seen is not None else None,
                media_type=seen.media_type if seen is not None else "",
                concern=rule.concern if rule is not None else None,
            )
        )
    return tuple(found)


def check_messages(checks: Iterable[Json]) -> str:
    """What the failed checks report: name and message, without the schema and the value that follow."""
    found: list[str] = []
    for check in map(mapping, checks):
        if outcome_of(check.get("status")) in ("passed", None):
            continue
        failure = mapping(mapping(check.get("failure_info")).get("failure"))
        detail = word(failure.get("message")) or word(check.get("message"))
        found.append(f"{word(check.get('name'))}: {detail.partition(chr(10) * 2)[0]}")
    return message_of(*found)
