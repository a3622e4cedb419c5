"""The NDJSON event stream of schemathesis 4: one case per generated request."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from evreview.core.errors import BadInput, bad_input
from evreview.core.json_text import read_json
from evreview.core.vocabulary import Json
from evreview.evidence.test_results.http_archive import decoded
from evreview.evidence.test_results.model import Case, Outcome, Results, Unreadable
from evreview.results.exchanges import Recorded, exchange
from evreview.results.parts import (
    MAX_CASES,
    lines_at,
    listed,
    mapping,
    message_of,
    numbered,
    separate,
    status_of,
    word,
    worst,
)
from evreview.results.schemathesis_checks import check_assertions, check_messages, outcome_of

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
