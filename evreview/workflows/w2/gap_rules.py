"""Gaps about answers: responses that are not defined, and what is stated absent."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Final

from evreview.codefacts.model import CodeNote, CodeResponse, Spot
from evreview.contract.model import Element, ElementKind, Place, ValueSet
from evreview.core.quoted_text import Subject, Text, listed, text
from evreview.core.vocabulary import Concern, EvidenceId, Json, Polarity
from evreview.reference.applicable import OK, SAFE, Sample, route_of
from evreview.reference.entry_request import children
from evreview.reference.gap_inputs import UNTYPED
from evreview.reference.gap_rules import GapRule, Lack, Looked
from evreview.reference.reconciling.amounts import rates
from evreview.schema.validators import UNUSABLE
from evreview.workflows.w2.contract_rows import Body, is_error
from evreview.workflows.w2.contract_words import judged, sentences
from evreview.workflows.w2.step2_concerns import by_code, by_contract

_BODILESS: Final = frozenset({"204", "205", "304"})
_MOST_NAMES: Final = 20


def _success(looked: Looked) -> Iterator[Lack]:
    if not looked.entry.success and not any(row.status == "default" for row in looked.entry.errors):
        yield Lack("", ("the contract defines no success response",), looked.here)


def _success_body(looked: Looked) -> Iterator[Lack]:
    for row in looked.entry.success:
        if not row.bodies and row.status not in _BODILESS and looked.entry.operation.method != "HEAD":
            says: Text = ("status ", Subject(row.status), ": the contract does not define whether there is a body")
            yield Lack(row.status, says, row.citations)


def _errors(looked: Looked) -> Iterator[Lack]:
    if not looked.entry.errors:
        yield Lack("", ("the contract defines no error response: what happens on errors is undefined",), looked.here)


def _error_bodies(looked: Looked) -> Iterator[Lack]:
    for row in looked.entry.errors:
        if not any(body.root is not None for body in row.bodies) and looked.entry.operation.method != "HEAD":
            says: Text = ("status ", Subject(row.status), ": the contract does not define the error body")
            yield Lack(row.status, says, row.citations)


def _error_codes(looked: Looked) -> Iterator[Lack]:
    for row in looked.entry.errors:
        if any(body.root is not None for body in row.bodies) and not row.codes:
            says: Text = ("status ", Subject(row.status), ": the contract defines no error code")
            yield Lack(row.status, says, row.citations)


def _bodies(looked: Looked) -> Iterator[tuple[str, Concern, Body]]:
    for body in looked.entry.body.bodies if looked.entry.body else ():
        yield f"request {body.media_type}", Concern.REQUEST_BODY, body
    for row in looked.entry.responses:
        concern = Concern.ERRORS if is_error(row.status) else Concern.SUCCESS
        for body in row.bodies:
            yield f"{row.status} {body.media_type}", concern, body


def _untyped_fields(looked: Looked) -> Iterator[Lack]:
    for place, concern, body in _bodies(looked):
        rows = [row for row in body.fields if row.type == UNTYPED]
        if rows:
            names = [row.path for row in rows[:_MOST_NAMES]]
            more = f" and {len(rows) - _MOST_NAMES} more" if len(rows) > _MOST_NAMES else ""
            says = text(Subject(place), ": no type is stated for ", *listed(names), more)
            cited = tuple(dict.fromkeys(row.citations[0] for row in rows[:_MOST_NAMES]))
            yield Lack(place, says, cited, concern)


def _examples(looked: Looked) -> Iterator[Lack]:
    """Examples of the contract that its own schemas refuse; what they hold is never printed."""
    for owner, value, concern in _owners(looked.entry.operation.element):
        polarity = Polarity.WRITTEN if concern in (Concern.SUCCESS, Concern.ERRORS) else Polarity.READ
        for place, example in _written(looked, owner):
            found = looked.validators.violations(value, example, polarity)
            if found and not any(UNUSABLE in each for each in found):
                says: Text = ("the contract's example breaks its own schema at ", Subject("; ".join(found[:5])))
                yield Lack(place.pointer, says, (looked.entries.places.at(place),), concern)


def _owners(element: Element) -> Iterator[tuple[Element, ValueSet, Concern]]:
    """Everything of an operation that has a schema and may have examples."""
    for child in element.children:
        if child.kind is ElementKind.PARAMETER and child.value is not None:
            yield child, child.value, Concern.PARAMETERS
        elif child.kind in (ElementKind.BODY, ElementKind.RESPONSE):
            answer = Concern.ERRORS if child.in_error else Concern.SUCCESS
            concern = Concern.REQUEST_BODY if child.kind is ElementKind.BODY else answer
            for media in children(child, ElementKind.MEDIA_TYPE):
                if media.value is not None:
                    yield media, media.value, concern


def _written(looked: Looked, owner: Element) -> Iterator[tuple[Place, Json]]:
    places = looked.entries.places
    node = places.node(owner.place)
    if not isinstance(node, Mapping):
        return
    if "example" in node:
        yield owner.place.child("example"), node["example"]
    several = node.get("examples")
    for name, item in several.items() if isinstance(several, Mapping) else ():
        found = places.resolver.follow(owner.place.child("examples", name), item)
        if found is not None and isinstance(found[1], Mapping) and "value" in found[1]:
            yield found[0].child("value"), found[1]["value"]


def _unjudged(looked: Looked) -> Iterator[Lack]:
    """Sentences that state a rate of something, and nothing tells whether of calls."""
    places, element = looked.entries.places, looked.entry.operation.element
    for key in ("summary", "description"):
        text = element.facet(key)
        for sentence in sentences(text) if isinstance(text, str) else ():
            if next(rates(sentence), None) is not None and not judged(sentence, Concern.RATE_LIMITS):
                says: Text = ("a sentence may or may not limit how often callers call: ", Subject(sentence))
                yield Lack(sentence, says, (places.at(element.place.child(key)),))


def _no_rates(says: str) -> Callable[[Looked], Iterable[Lack]]:
    """As `_nowhere`; a sentence that states a rate of something leaves it open."""
    absent = _nowhere(Concern.RATE_LIMITS, says)
    return lambda looked: () if next(_unjudged(looked), None) is not None else absent(looked)


def _nowhere(concern: Concern, says: str) -> Callable[[Looked], Iterable[Lack]]:
    """Found when neither the contract nor the code, read whole, states anything about a concern."""

    def find(looked: Looked) -> Iterator[Lack]:
        if looked.route is None or by_contract(looked.entry, concern) or by_code(looked.route, concern, looked.entry):
            return
        yield Lack("", (says,), looked.here)

    return find


def _unknown(concern: Concern, says: str) -> Callable[[Looked], Iterable[Lack]]:
    """Found when the contract states nothing, and the code could not be read whole to tell that it does not either."""

    def find(looked: Looked) -> Iterator[Lack]:
        if looked.route is None and not by_contract(looked.entry, concern):
            yield Lack("", (says,), looked.here)

    return find


def _unsafe(concern: Concern, says: str) -> Callable[[Looked], Iterable[Lack]]:
    """Found when the contract states nothing about a concern of a method that changes something."""

    def find(looked: Looked) -> Iterator[Lack]:
        if looked.entry.operation.method not in SAFE and not looked.entry.about(concern):
            yield Lack("", (says,), looked.here)

    return find


_SPOT: Final = Spot(EvidenceId("E2"), 1, 2)
_LIMITED: Final = route_of(notes=(CodeNote(concern=Concern.RATE_LIMITS, name="limiter", spot=_SPOT),))
_PAGED: Final = route_of(notes=(CodeNote(concern=Concern.PAGINATION, name="cursor", spot=_SPOT),))
_HEADED: Final = route_of(responses=(CodeResponse(status=200, how="returned", spot=_SPOT, headers=("X-Total",)),))


def _answers(status: str, schema: Json) -> dict[str, Json]:
    content: Json = {"application/json": {"schema": schema}}
    return {"responses": {status: {"description": "said", "content": content}}}


_CODED: Final[Json] = {"type": "object", "properties": {"code": {"const": "gone"}}}
_PLAIN: Final[Json] = {"type": "object", "properties": {"code": {"type": "string"}}}
_SHOWN: Final[dict[str, Json]] = {
    "responses": {
        "200": {
            "description": "ok",
            "content": {"application/json": {"schema": {"type": "integer"}, "example": "three"}},
        }
    }
}

RESPONSE_GAP_RULES: Final = (
    GapRule(
        id="success-response-undefined",
        concern=Concern.SUCCESS,
        why="Without a documented answer nobody can use the operation.",
        find=_success,
        blocks=True,
        example=Sample(operation={"responses": {"404": {"description": "none"}}}),
        counter_example=Sample(operation={"responses": OK}),
    ),
    GapRule(
        id="success-body-undefined",
        concern=Concern.SUCCESS,
        why="A success response that names no content leaves open whether something is in it.",
        find=_success_body,
        example=Sample(operation={"responses": OK}),
        counter_example=Sample(operation={"responses": {"204": {"description": "gone"}}}),
    ),
    GapRule(
        id="error-responses-undefined",
        concern=Concern.ERRORS,
        why="Errors that the contract does not define are not documented; that they are undefined is said.",
        find=_errors,
        example=Sample(operation={"responses": OK}),
        counter_example=Sample(operation={"responses": {"404": {"description": "none"}}}),
    ),
    GapRule(
        id="error-body-undefined",
        concern=Concern.ERRORS,
        why="A caller who has to react to an error needs its body.",
        find=_error_bodies,
        example=Sample(operation={"responses": {"404": {"description": "none"}}}),
        counter_example=Sample(operation=_answers("404", _CODED)),
    ),
    GapRule(
        id="error-code-undefined",
        concern=Concern.ERRORS,
        why="A code is printed only when the contract ties it to this status.",
        find=_error_codes,
        example=Sample(operation=_answers("404", _PLAIN)),
        counter_example=Sample(operation=_answers("404", _CODED)),
    ),
    GapRule(
        id="field-type-missing",
        concern=Concern.SUCCESS,
        why="A field without a type may be anything.",
        find=_untyped_fields,
        example=Sample(operation=_answers("200", {"type": "object", "properties": {"note": {}}})),
        counter_example=Sample(operation=_answers("200", _PLAIN)),
    ),
    GapRule(
        id="contract-example-invalid",
        concern=Concern.SUCCESS,
        why="An example that its own schema refuses is left out.",
        find=_examples,
        example=Sample(operation=_SHOWN),
        counter_example=Sample(operation=_answers("200", _PLAIN)),
    ),
    GapRule(
        id="idempotency-undefined",
        concern=Concern.IDEMPOTENCY,
        why="The contract does not say whether a call that changes something may be repeated.",
        find=_unsafe(Concern.IDEMPOTENCY, "the contract does not define whether a call may be repeated"),
        example=Sample(operation={"responses": OK}, method="POST"),
        counter_example=Sample(operation={"responses": OK}),
    ),
    GapRule(
        id="side-effects-undefined",
        concern=Concern.SIDE_EFFECTS,
        why="The contract does not say what else a call does that changes something.",
        find=_unsafe(Concern.SIDE_EFFECTS, "the contract states no side effect"),
        example=Sample(operation={"responses": OK}, method="POST"),
        counter_example=Sample(operation={"summary": "Sends a mail.", "responses": OK}, method="POST"),
    ),
    *(
        GapRule(
            id=f"{name}-absent",
            concern=concern,
            why="Neither contract nor implementation defines any, and all of the implementation was read.",
            find=absent(f"none defined: neither contract nor implementation defines {words}"),
            absence=True,
            example=Sample(operation={"responses": OK}, route=route_of()),
            counter_example=Sample(operation={"responses": OK}, route=route),
        )
        for name, concern, words, route, absent in (
            ("rate-limits", Concern.RATE_LIMITS, "rate limits", _LIMITED, _no_rates),
            ("pagination", Concern.PAGINATION, "pagination", _PAGED, partial(_nowhere, Concern.PAGINATION)),
            ("response-headers", Concern.HEADERS, "response headers", _HEADED, partial(_nowhere, Concern.HEADERS)),
        )
    ),
    GapRule(
        id="rate-limits-unjudged",
        concern=Concern.RATE_LIMITS,
        why="A sentence states a rate, and its words do not tell whether of calls: nobody can say that there is none.",
        find=_unjudged,
        example=Sample(operation={"description": "Parcels leave 3 items per day.", "responses": OK}),
        counter_example=Sample(operation={"description": "Clients may send 3 requests per day.", "responses": OK}),
    ),
    *(
        GapRule(
            id=f"{name}-unknown",
            concern=concern,
            why="The contract defines none, and without the whole implementation nobody can say that there is none.",
            find=_unknown(concern, f"the contract defines no {words}; the implementation could not be read whole"),
            example=Sample(operation={"responses": OK}),
            counter_example=Sample(operation={"responses": OK}, route=route_of()),
        )
        for name, concern, words in (
            ("rate-limits", Concern.RATE_LIMITS, "rate limits"),
            ("pagination", Concern.PAGINATION, "pagination"),
            ("response-headers", Concern.HEADERS, "response headers"),
        )
    ),
)
