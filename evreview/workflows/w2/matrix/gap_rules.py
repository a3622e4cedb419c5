"""What a contract may leave open about an operation. One rule is one value: its reason, an example, the opposite."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from evreview.codefacts.model import CodeNote, CodeResponse, Route, Spot
from evreview.contract.model import Element, ElementKind, Place, ValueSet
from evreview.core.quoted_text import Text, UserText, listed, text
from evreview.core.vocabulary import Concern, Direction, EvidenceId, Json
from evreview.evidence.item import Citation
from evreview.schema.validators import Validators
from evreview.workflows.w2.contract_entries import Entries, children
from evreview.workflows.w2.contract_rows import Body, Entry, ParameterRow, PropertyName, is_error
from evreview.workflows.w2.contract_words import Constraint, ConstraintKind, TypeKind, judged, rates, sentences
from evreview.workflows.w2.matrix.concerns import OK, SAFE, Sample, by_code, by_contract, route_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Looked:
    """What the rules look at. `route` is None unless all of the operation's code was read."""

    entry: Entry
    route: Route | None
    entries: Entries
    validators: Validators

    @property
    def here(self) -> tuple[Citation, ...]:
        """The operation itself, for what it does not say."""
        return (self.entries.places.at(self.entry.operation.element.place),)

    @property
    def refuses(self) -> bool:
        """True when the contract documents a response to requests that are wrong."""
        return bool({"400", "422", "4XX", "default"} & {row.status for row in self.entry.errors})


@dataclass(frozen=True, slots=True)
class GapFinding:
    """One thing that a rule found lacking: its place within the operation, what to say, what to cite.

    `concern` is told where it is not the rule's.
    """

    place: str
    says: Text
    citations: tuple[Citation, ...]
    concern: Concern | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class GapRule:
    """One way in which a contract says less than a reference needs.

    Attributes:
        why: why readers of the reference have to know.
        find: what is lacking of one operation.
        blocks: True when the operation can't be used by what is left.
        absence: True for what is stated absent, because neither contract nor implementation defines it.
    """

    id: str
    concern: Concern
    why: str
    find: Callable[[Looked], Iterable[GapFinding]]
    example: Sample
    counter_example: Sample
    blocks: bool = False
    absence: bool = False


# About requests: what a request needs and the contract leaves out, and inputs that it does not define.


_VARIABLE: Final = re.compile(r"\{([^{}]*)\}")
UNTYPED: Final = (TypeKind.NOT_STATED, TypeKind.ANY)
_UNDEFINED: Final = "the contract does not define what happens"
_UNTIED: Final = "the contract documents refusals, and does not define which one answers this"


def _what(looked: Looked) -> str:
    return _UNTIED if looked.refuses else _UNDEFINED


def _path_parameters(looked: Looked) -> Iterator[GapFinding]:
    known = {row.name for row in looked.entry.parameters if row.location == "path"}
    for name in dict.fromkeys(_VARIABLE.findall(looked.entry.operation.path)):
        if name not in known:
            yield GapFinding(f"path {name}", ("path parameter ", UserText(name), " is not defined"), looked.here)


def _parameter_schemas(looked: Looked) -> Iterator[GapFinding]:
    for row in looked.entry.parameters:
        if row.kind in UNTYPED:
            yield GapFinding(_at(row), (*_named(row), " has no type"), row.citations)


def _descriptions(looked: Looked) -> Iterator[GapFinding]:
    for row in looked.entry.parameters:
        if row.required and not row.description:
            yield GapFinding(_at(row), (*_named(row), " is required and has no description"), row.citations)


def _invalid_parameters(looked: Looked) -> Iterator[GapFinding]:
    for row in looked.entry.parameters:
        if row.validation or row.required or row.kind not in (TypeKind.ANY, TypeKind.STRING):
            fails = "missing or " if row.required and row.location != "path" else ""
            says: Text = (*_named(row), f" {fails}outside its type and constraints: ", _what(looked))
            yield GapFinding(_at(row), says, row.citations)


def _unlisted_query(looked: Looked) -> Iterator[GapFinding]:
    """An exploded object lists no names, so that every query parameter may be one of its members."""
    any_name = any(row.location == "query" and row.style == "" and _is_open(row) for row in looked.entry.parameters)
    says = "query parameters that the contract does not list: it does not define whether they are ignored or refused"
    if not any_name:
        yield GapFinding("query", (says,), looked.here)


def _is_open(row: ParameterRow) -> bool:
    return row.kind is TypeKind.MAP or (row.kind is TypeKind.OBJECT and not _is_closed(row.validation))


def _is_closed(limits: Sequence[Constraint]) -> bool:
    """True for an object without further members."""
    return any(each.kind is ConstraintKind.CLOSED for each in limits)


def _additional_members(looked: Looked) -> Iterator[GapFinding]:
    for body in looked.entry.body.bodies if looked.entry.body else ():
        closed = body.root is None or _is_closed(body.root.allowed)
        if body.fields and body.root is not None and not closed and not body.root.listing:
            says: Text = (
                "members of the request body that the contract does not name: ",
                "it does not define whether they are ignored, kept or refused",
            )
            yield GapFinding(body.media_type, says, body.root.citations)


def _invalid_body(looked: Looked) -> Iterator[GapFinding]:
    body = looked.entry.body
    for each in body.bodies if body else ():
        if each.root is not None:
            says: Text = ("a request body outside its schema: ", _what(looked))
            yield GapFinding(each.media_type, says, each.citations)


def _request_schema(looked: Looked) -> Iterator[GapFinding]:
    body = looked.entry.body
    if body is None:
        return
    if not body.bodies:
        yield GapFinding("", ("the request body has no media type",), body.citations)
    for each in body.bodies:
        if each.root is None or (each.root.kind in UNTYPED and not each.fields):
            yield GapFinding(
                each.media_type, ("the request body ", UserText(each.media_type), " has no schema"), each.citations
            )


def _undeclared_schemes(looked: Looked) -> Iterator[GapFinding]:
    told = looked.entry.authentication
    for demand in told.alternatives:
        for use in demand:
            if not use.citations:
                says: Text = ("security scheme ", UserText(use.name), " is demanded and not declared")
                yield GapFinding(use.name, says, told.citations)


def _refused_callers(looked: Looked) -> Iterator[GapFinding]:
    told = looked.entry.authentication
    statuses = {row.status for row in looked.entry.errors}
    if told.stated and any(told.alternatives) and not {"401", "403", "4XX", "default"} & statuses:
        says = "a call without valid credentials: the contract does not define what happens"
        yield GapFinding("", (says,), told.citations)


def _base_url(looked: Looked) -> Iterator[GapFinding]:
    if not any(row.name is PropertyName.BASE_URL for row in looked.entry.properties):
        yield GapFinding("base URL", ("the contract names no server",), looked.here)


def _at(row: ParameterRow) -> str:
    return f"{row.location} {row.name}"


def _named(row: ParameterRow) -> Text:
    return (f"{row.location} parameter ", UserText(row.name))


_LIMIT: Final[dict[str, Json]] = {
    "name": "limit", "in": "query", "description": "How many", "schema": {"type": "integer", "maximum": 9},
}  # fmt: skip
_ID: Final[dict[str, Json]] = {"name": "id", "in": "path", "required": True, "schema": {"type": "string"}}
_FILTERS: Final[dict[str, Json]] = {
    "name": "filters", "in": "query", "schema": {"type": "object", "additionalProperties": {"type": "string"}},
}  # fmt: skip
_OBJECT: Final[dict[str, Json]] = {"type": "object", "properties": {"sku": {"type": "string"}}}
_OAUTH: Final[dict[str, Json]] = {"components": {"securitySchemes": {"oauth": {"type": "oauth2", "flows": {}}}}}
_SERVED: Final[dict[str, Json]] = {"servers": [{"url": "https://api.example.com"}]}


def _sent(schema: Json, **rest: Json) -> dict[str, Json]:
    return {"requestBody": {"content": {"application/json": {"schema": schema}}}, "responses": OK, **rest}


REQUEST_GAP_RULES: Final = (
    GapRule(
        id="path-parameter-undefined",
        concern=Concern.PARAMETERS,
        why="Nobody can write the path of a request when a part of it is not defined.",
        find=_path_parameters,
        blocks=True,
        example=Sample(operation={"responses": OK}, path="/orders/{id}"),
        counter_example=Sample(operation={"parameters": [_ID], "responses": OK}, path="/orders/{id}"),
    ),
    GapRule(
        id="parameter-type-missing",
        concern=Concern.PARAMETERS,
        why="A parameter without a type tells nobody what to send.",
        find=_parameter_schemas,
        example=Sample(operation={"parameters": [{"name": "q", "in": "query", "schema": {}}], "responses": OK}),
        counter_example=Sample(operation={"parameters": [_LIMIT], "responses": OK}),
    ),
    GapRule(
        id="parameter-description-missing",
        concern=Concern.PARAMETERS,
        why="What a caller has to send needs words that say what it means.",
        find=_descriptions,
        example=Sample(operation={"parameters": [_ID], "responses": OK}, path="/orders/{id}"),
        counter_example=Sample(operation={"parameters": [_LIMIT], "responses": OK}),
    ),
    GapRule(
        id="base-url-missing",
        concern=Concern.PARAMETERS,
        why="The contract does not say where its paths start.",
        find=_base_url,
        example=Sample(operation={"responses": OK}),
        counter_example=Sample(operation={"responses": OK}, document=_SERVED),
    ),
    GapRule(
        id="request-schema-missing",
        concern=Concern.REQUEST_BODY,
        why="A body that is to be sent and not described can't be written.",
        find=_request_schema,
        blocks=True,
        example=Sample(operation=_sent({}), method="POST"),
        counter_example=Sample(operation=_sent(_OBJECT), method="POST"),
    ),
    GapRule(
        id="security-scheme-undeclared",
        concern=Concern.AUTHENTICATION,
        why="Nobody can pass a check that is named and not described.",
        find=_undeclared_schemes,
        blocks=True,
        example=Sample(operation={"security": [{"oauth": []}], "responses": OK}),
        counter_example=Sample(operation={"security": [{"oauth": []}], "responses": OK}, document=_OAUTH),
    ),
    GapRule(
        id="undefined-without-credentials",
        concern=Concern.AUTHENTICATION,
        why="Callers whose credentials are missing or wrong want to know what they get.",
        find=_refused_callers,
        example=Sample(operation={"security": [{"oauth": []}], "responses": OK}, document=_OAUTH),
        counter_example=Sample(
            operation={"security": [{"oauth": []}], "responses": {"401": {"description": "who?"}}}, document=_OAUTH
        ),
    ),
    GapRule(
        id="undefined-parameter-value",
        concern=Concern.VALIDATION,
        why="Behaviour for a value that the contract excludes is undefined; it is never inferred.",
        find=_invalid_parameters,
        example=Sample(operation={"parameters": [_LIMIT], "responses": OK}),
        counter_example=Sample(operation={"responses": OK}),
    ),
    GapRule(
        id="undefined-query-parameter",
        concern=Concern.PARAMETERS,
        why="OpenAPI has no word for what happens to query parameters that nobody lists.",
        find=_unlisted_query,
        example=Sample(operation={"responses": OK}),
        counter_example=Sample(operation={"parameters": [_FILTERS], "responses": OK}),
    ),
    GapRule(
        id="undefined-body-member",
        concern=Concern.REQUEST_BODY,
        why="An open object admits further members and says nothing about what becomes of them.",
        find=_additional_members,
        example=Sample(operation=_sent(_OBJECT), method="POST"),
        counter_example=Sample(operation=_sent({**_OBJECT, "additionalProperties": False}), method="POST"),
    ),
    GapRule(
        id="undefined-body-value",
        concern=Concern.VALIDATION,
        why="Behaviour for a body that the contract excludes is undefined; it is never inferred.",
        find=_invalid_body,
        example=Sample(operation=_sent(_OBJECT), method="POST"),
        counter_example=Sample(operation={"responses": OK}, method="POST"),
    ),
)


# About answers: responses that are not defined, and what is stated absent.


_BODILESS: Final = frozenset({"204", "205", "304"})
_MOST_NAMES: Final = 20


def _success(looked: Looked) -> Iterator[GapFinding]:
    if not looked.entry.success and not any(row.status == "default" for row in looked.entry.errors):
        yield GapFinding("", ("the contract defines no success response",), looked.here)


def _success_body(looked: Looked) -> Iterator[GapFinding]:
    for row in looked.entry.success:
        if not row.bodies and row.status not in _BODILESS and looked.entry.operation.method != "HEAD":
            says: Text = ("status ", UserText(row.status), ": the contract does not define whether there is a body")
            yield GapFinding(row.status, says, row.citations)


def _errors(looked: Looked) -> Iterator[GapFinding]:
    if not looked.entry.errors:
        yield GapFinding(
            "", ("the contract defines no error response: what happens on errors is undefined",), looked.here
        )


def _error_bodies(looked: Looked) -> Iterator[GapFinding]:
    for row in looked.entry.errors:
        if not any(body.root is not None for body in row.bodies) and looked.entry.operation.method != "HEAD":
            says: Text = ("status ", UserText(row.status), ": the contract does not define the error body")
            yield GapFinding(row.status, says, row.citations)


def _error_codes(looked: Looked) -> Iterator[GapFinding]:
    for row in looked.entry.errors:
        if any(body.root is not None for body in row.bodies) and not row.codes:
            says: Text = ("status ", UserText(row.status), ": the contract defines no error code")
            yield GapFinding(row.status, says, row.citations)


def _bodies(looked: Looked) -> Iterator[tuple[str, Concern, Body]]:
    for body in looked.entry.body.bodies if looked.entry.body else ():
        yield f"request {body.media_type}", Concern.REQUEST_BODY, body
    for row in looked.entry.responses:
        concern = Concern.ERRORS if is_error(row.status) else Concern.SUCCESS
        for body in row.bodies:
            yield f"{row.status} {body.media_type}", concern, body


def _untyped_fields(looked: Looked) -> Iterator[GapFinding]:
    for place, concern, body in _bodies(looked):
        rows = [row for row in body.fields if row.kind in UNTYPED]
        if rows:
            names = [row.path for row in rows[:_MOST_NAMES]]
            more = f" and {len(rows) - _MOST_NAMES} more" if len(rows) > _MOST_NAMES else ""
            says = text(UserText(place), ": no type is stated for ", *listed(names), more)
            cited = tuple(dict.fromkeys(row.citations[0] for row in rows[:_MOST_NAMES]))
            yield GapFinding(place, says, cited, concern)


def _examples(looked: Looked) -> Iterator[GapFinding]:
    """Examples of the contract that its own schemas refuse; what they hold is never printed."""
    for owner, value, concern in _owners(looked.entry.operation.element):
        direction = Direction.WRITTEN if concern in (Concern.SUCCESS, Concern.ERRORS) else Direction.READ
        for place, example in _written(looked, owner):
            found = looked.validators.violations(value, example, direction)
            if found:
                says: Text = ("the contract's example breaks its own schema at ", UserText("; ".join(found[:5])))
                yield GapFinding(place.pointer, says, (looked.entries.places.at(place),), concern)


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


def _unjudged(looked: Looked) -> Iterator[GapFinding]:
    """Sentences that state a rate of something, and nothing tells whether of calls."""
    places, element = looked.entries.places, looked.entry.operation.element
    for key in ("summary", "description"):
        text = element.facet(key)
        for sentence in sentences(text) if isinstance(text, str) else ():
            if next(rates(sentence), None) is not None and not judged(sentence, Concern.RATE_LIMITS):
                says: Text = ("a sentence may or may not limit how often callers call: ", UserText(sentence))
                yield GapFinding(sentence, says, (places.at(element.place.child(key)),))


def _no_rates(says: str) -> Callable[[Looked], Iterable[GapFinding]]:
    """As `_nowhere`; a sentence that states a rate of something leaves it open."""
    absent = _nowhere(Concern.RATE_LIMITS, says)
    return lambda looked: () if next(_unjudged(looked), None) is not None else absent(looked)


def _nowhere(concern: Concern, says: str) -> Callable[[Looked], Iterable[GapFinding]]:
    """Found when neither the contract nor the code, read whole, states anything about a concern."""

    def find(looked: Looked) -> Iterator[GapFinding]:
        if looked.route is None or by_contract(looked.entry, concern) or by_code(looked.route, concern, looked.entry):
            return
        yield GapFinding("", (says,), looked.here)

    return find


def _unknown(concern: Concern, says: str) -> Callable[[Looked], Iterable[GapFinding]]:
    """Found when the contract states nothing, and the code could not be read whole to tell that it does not either."""

    def find(looked: Looked) -> Iterator[GapFinding]:
        if looked.route is None and not by_contract(looked.entry, concern):
            yield GapFinding("", (says,), looked.here)

    return find


def _unsafe(concern: Concern, says: str) -> Callable[[Looked], Iterable[GapFinding]]:
    """Found when the contract states nothing about a concern of a method that changes something."""

    def find(looked: Looked) -> Iterator[GapFinding]:
        if looked.entry.operation.method not in SAFE and not looked.entry.about(concern):
            yield GapFinding("", (says,), looked.here)

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
