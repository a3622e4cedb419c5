"""What contract, code and tests state about each concern of an operation, cited; and which concerns do not apply."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from evreview.codefacts.model import CodeBody, CodeNote, CodeParameter, CodeResponse, Route, Spot
from evreview.core.quoted_text import Part, Text, UserText, listed
from evreview.core.vocabulary import ABSENT, Concern, EvidenceId, Json
from evreview.evidence.item import Citation
from evreview.workflows.w2.contract_rows import Entry, FieldRow, Response
from evreview.workflows.w2.contract_words import Where, rate_limit_header, signals, value_text
from evreview.workflows.w2.matrix.test_results import Observed, Says

MOST_CITATIONS: Final = 12
"""Citations of one cell; the rows of the entry hold all of them."""


@dataclass(frozen=True, slots=True)
class Statement:
    """What one source states about one concern."""

    says: Text
    citations: tuple[Citation, ...]


def by_contract(entry: Entry, concern: Concern) -> list[Statement]:
    """What the contract states; empty when it states nothing."""
    match concern:
        case Concern.AUTHENTICATION:
            told = entry.authentication
            return [Statement(told.says, told.citations)] if told.stated else []
        case Concern.PARAMETERS:
            return [Statement((f"{row.location} ", UserText(row.name)), row.citations[:1]) for row in entry.parameters]
        case Concern.VALIDATION:
            return list(_validation(entry))
        case Concern.REQUEST_BODY:
            return _request_body(entry)
        case Concern.SUCCESS | Concern.ERRORS:
            return [_response(row) for row in (entry.success if concern is Concern.SUCCESS else entry.errors)]
        case Concern.HEADERS:
            rows = entry.headers
            return [Statement((UserText(f"{row.status} {row.name}"),), row.citations[:1]) for row in rows]
    return [Statement(row.says, row.citations) for row in entry.about(concern)]


def _validation(entry: Entry) -> Iterator[Statement]:
    for row in entry.parameters:
        said: list[Text] = [("required",)] if row.required else []
        said += [each.says for each in row.validation]
        if said:
            yield Statement((f"{row.location} ", UserText(row.name), ": ", *_joined(said)), row.citations)
    for body in entry.body.bodies if entry.body else ():
        for member in body.fields:
            if member.allowed or member.required:
                yield Statement(("body ", UserText(member.path), ": ", *_joined(_rules(member))), member.citations)


def _rules(field: FieldRow) -> list[Text]:
    return [*([("required",)] if field.required else []), *(each.says for each in field.allowed)]


def _joined(texts: Iterable[Text]) -> Text:
    parts: list[Part] = []
    for each in texts:
        parts += [", "] * bool(parts) + list(each)
    return tuple(parts)


def _request_body(entry: Entry) -> list[Statement]:
    if entry.body is None:
        return []
    need = "required: " if entry.body.required else "optional: "
    names = [body.media_type or "any media type" for body in entry.body.bodies]
    return [
        Statement((need, *listed(names)), (*entry.body.citations, *(c for b in entry.body.bodies for c in b.citations)))
    ]


def _response(row: Response) -> Statement:
    names = [body.media_type for body in row.bodies if body.media_type]
    says: Text = (UserText(row.status), " ", *listed(names)) if names else (UserText(row.status),)
    return Statement(says, row.citations)


def by_code(route: Route, concern: Concern, entry: Entry) -> list[Statement]:
    """What the code states; empty when it states nothing."""
    return [*_code(route, concern, entry), *(_note(note) for note in route.notes if note.concern is concern)]


def _code(route: Route, concern: Concern, entry: Entry) -> list[Statement]:
    match concern:
        case Concern.AUTHENTICATION:
            return [_at((UserText(guard.name), *_scheme(guard.scheme)), guard.spot) for guard in route.guards]
        case Concern.PARAMETERS:
            return [_at((f"{each.location} ", UserText(each.name)), each.spot) for each in route.parameters]
        case Concern.VALIDATION:
            return list(_code_validation(route))
        case Concern.REQUEST_BODY:
            body = route.body
            return [] if body is None else [_at(listed([body.media_type or "any media type"]), body.spot)]
        case Concern.SUCCESS | Concern.ERRORS:
            sent = (each for each in route.responses if each.how != "declared")
            return [_sent(each) for each in sent if _is_error(each) is (concern is Concern.ERRORS)]
        case Concern.HEADERS:
            return [_at(listed(each.headers), each.spot) for each in route.responses if each.headers]
    return _named(route, concern, entry)


def _scheme(scheme: str) -> Text:
    return (": ", UserText(scheme)) if scheme else ()


def _code_validation(route: Route) -> Iterator[Statement]:
    for each in route.parameters:
        if each.schema not in ({}, True) or each.required:
            yield _at((f"{each.location} ", UserText(each.name), ": ", UserText(_short(each.schema))), each.spot)
    if route.body is not None and route.body.schema not in ({}, True):
        more: Text = (", and values of other JSON types that convert",) if route.body.coerces else ()
        yield _at(("body: ", UserText(_short(route.body.schema)), *more), route.body.spot)


def _short(schema: Json) -> str:
    text = value_text(schema)
    return text if len(text) <= 120 else text[:119] + "…"


def _sent(response: CodeResponse) -> Statement:
    status = "a status that can't be told" if response.status is None else str(response.status)
    return _at((f"{response.how}: ", UserText(status)), response.spot)


def _is_error(response: CodeResponse) -> bool:
    return response.status is not None and response.status >= 400


def _named(route: Route, concern: Concern, entry: Entry) -> list[Statement]:
    """Parameters and responses of the code by which it does what the concern is about."""
    names = {row.name.lower() for row in entry.about(concern)}
    sizes = _sizes(route.body.schema) if route.body is not None and concern is Concern.LIMITS else ()
    lists = any(body.lists for response in entry.success for body in response.bodies)
    found = [
        _at((f"{each.location} ", UserText(each.name)), each.spot)
        for each in route.parameters
        if each.name.lower() in names or _signals(each, concern, lists=lists)
    ]
    for path, most in sizes:
        says: Text = (UserText(path) if path else "the body", ": at most ", UserText(value_text(most)), " items")
        found.append(_at(says, route.body.spot if route.body is not None else route.spot))
    for response in route.responses if concern is Concern.RATE_LIMITS else ():
        headers = [name for name in response.headers if rate_limit_header(name, str(response.status))]
        if response.status == 429 or headers:
            found.append(_at((UserText(" ".join([str(response.status), *headers])),), response.spot))
    return found


def _sizes(schema: Json) -> Iterator[tuple[str, Json]]:
    """The lists of a body that may hold so many items, by their path; a class within itself is looked at once."""
    definitions = schema.get("$defs") if isinstance(schema, dict) else None
    known = definitions if isinstance(definitions, dict) else {}
    waiting: list[tuple[str, Json]] = [("", schema)]
    seen: set[str] = set()
    while waiting:
        path, node = waiting.pop(0)
        ref = node.get("$ref") if isinstance(node, dict) else None
        if isinstance(ref, str) and ref not in seen:
            seen.add(ref)
            node = known.get(ref.rpartition("/")[2])
        if not isinstance(node, dict):
            continue
        if "maxItems" in node:
            yield path, node["maxItems"]
        if "items" in node:
            waiting.append((f"{path}[]", node["items"]))
        members = node.get("properties")
        for name, part in members.items() if isinstance(members, dict) else ():
            waiting.append((f"{path}.{name}" if path else name, part))


def _signals(parameter: CodeParameter, concern: Concern, *, lists: bool) -> bool:
    where = _WHERE.get(parameter.location)
    given = signals(where, parameter.name) if where is not None else ()
    return any(signal.concern is concern and (lists or not signal.weak) for signal in given)


_WHERE: Final[Mapping[str, Where]] = {"query": "query parameter", "header": "header parameter"}


def _note(note: CodeNote) -> Statement:
    value: Text = (": ", UserText(value_text(note.value))) if note.value is not ABSENT else ()
    lead: Text = () if note.certain else ("a lead: ",)
    return _at((*lead, UserText(note.name), *value), note.spot)


def _at(says: Text, spot: Spot) -> Statement:
    return Statement((*says, spot.mark) if spot.mark else says, spot.citations)


def by_tests(observed: Iterable[Observed], concern: Concern) -> list[Statement]:
    """What tests show, passed and failed ones; what is open shows nothing."""
    found = [each for each in observed if concern in each.concerns and each.says is not Says.OPEN]
    return [Statement((_VERB[each.says], UserText(each.case)), (each.citation,)) for each in found]


_VERB: Final = {Says.AGREES: "shown by ", Says.CONTRADICTS: "contradicted by "}


# When a concern does not apply to an operation. One rule is one value: its reason, an example, and the opposite.


SAFE: Final = frozenset({"GET", "HEAD", "OPTIONS", "TRACE"})


@dataclass(frozen=True, slots=True)
class Known:
    """What contract and code say of one operation. `route` is None unless all of its code was read."""

    entry: Entry
    route: Route | None

    def silent(self, concern: Concern) -> bool:
        """True when neither contract nor code states anything about a concern."""
        noted = self.route is not None and any(note.concern is concern for note in self.route.notes)
        return not self.entry.about(concern) and not noted

    @property
    def safe(self) -> bool:
        """True for a method that asks and changes nothing (RFC 9110, section 9.2.1)."""
        return self.entry.operation.method in SAFE

    @property
    def lists(self) -> bool:
        """True when a success response is a list or carries one."""
        return any(body.lists for response in self.entry.success for body in response.bodies)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """An operation as contract and code show it, for a rule's example: the OpenAPI operation and the route.

    Attributes:
        document: members of the document beside its paths.
    """

    operation: Mapping[str, Json]
    method: str = "GET"
    path: str = "/orders"
    route: Route | None = None
    document: Mapping[str, Json] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Inapplicable:
    """One reason why a concern does not apply.

    Attributes:
        applies: whether it holds for what is known of an operation.
        example, counter_example: one operation for which it holds, and one for which it does not.
    """

    id: str
    concern: Concern
    why: str
    applies: Callable[[Known], bool]
    example: Sample
    counter_example: Sample


_SPOT: Final = Spot(EvidenceId("E2"), 1, 9)
OK: Final[Json] = {"200": {"description": "ok"}}
_LIST: Final[Json] = {
    "200": {"description": "ok", "content": {"application/json": {"schema": {"type": "array", "items": {}}}}}
}
_BODY: Final = CodeBody(media_type="application/json", spot=_SPOT, required=True, schema={}, exact=True)
_LIMIT: Final = CodeParameter(name="limit", location="query", spot=_SPOT, required=False, schema={}, exact=True)


def route_of(
    method: str = "GET",
    *,
    body: CodeBody | None = None,
    parameters: tuple[CodeParameter, ...] = (),
    notes: tuple[CodeNote, ...] = (),
    responses: tuple[CodeResponse, ...] = (),
) -> Route:
    """A route of `/orders` that was read whole, for examples."""
    return Route(
        method=method,
        path="/orders",
        handler="orders",
        framework="fastapi",
        spot=_SPOT,
        body=body,
        parameters=parameters,
        notes=notes,
        responses=responses,
    )


def _example_note(concern: Concern) -> tuple[CodeNote, ...]:
    return (CodeNote(concern=concern, name="seen", spot=_SPOT),)


RULES: Final = (
    Inapplicable(
        id="no-request-body",
        concern=Concern.REQUEST_BODY,
        why="The contract defines no request body, and the code reads none.",
        applies=lambda known: known.entry.body is None and known.route is not None and known.route.body is None,
        example=Sample(operation={"responses": OK}, route=route_of()),
        counter_example=Sample(operation={"responses": OK}, method="POST", route=route_of("POST", body=_BODY)),
    ),
    Inapplicable(
        id="no-parameters",
        concern=Concern.PARAMETERS,
        why="The contract defines no parameter, and the code reads none.",
        applies=lambda known: not known.entry.parameters and known.route is not None and not known.route.parameters,
        example=Sample(operation={"responses": OK}, route=route_of()),
        counter_example=Sample(operation={"responses": OK}, route=route_of(parameters=(_LIMIT,))),
    ),
    Inapplicable(
        id="nothing-to-validate",
        concern=Concern.VALIDATION,
        why="Neither contract nor code takes a parameter or a body, so there is nothing to validate.",
        applies=lambda known: (
            not known.entry.parameters
            and known.entry.body is None
            and known.route is not None
            and not known.route.parameters
            and known.route.body is None
        ),
        example=Sample(operation={"responses": OK}, route=route_of()),
        counter_example=Sample(operation={"responses": OK}, route=route_of(parameters=(_LIMIT,))),
    ),
    Inapplicable(
        id="safe-method-repeats",
        concern=Concern.IDEMPOTENCY,
        why="The method is safe, so repeating a call asks again and changes nothing; nobody states otherwise.",
        applies=lambda known: known.safe and known.silent(Concern.IDEMPOTENCY),
        example=Sample(operation={"responses": OK}, route=route_of()),
        counter_example=Sample(operation={"responses": OK}, method="POST", route=route_of("POST")),
    ),
    Inapplicable(
        id="safe-method-changes-nothing",
        concern=Concern.SIDE_EFFECTS,
        why="The method is safe, the contract states no effect, and the code stores into nothing that outlives "
        "the call and calls nothing that is known for one; other calls are not judged.",
        applies=lambda known: known.safe and known.route is not None and known.silent(Concern.SIDE_EFFECTS),
        example=Sample(operation={"responses": OK}, route=route_of()),
        counter_example=Sample(operation={"responses": OK}, route=route_of(notes=_example_note(Concern.SIDE_EFFECTS))),
    ),
    Inapplicable(
        id="no-list-to-page",
        concern=Concern.PAGINATION,
        why="No success response is or carries a list, and neither contract nor code states pages.",
        applies=lambda known: known.route is not None and not known.lists and known.silent(Concern.PAGINATION),
        example=Sample(operation={"responses": OK}, route=route_of()),
        counter_example=Sample(operation={"responses": _LIST}, route=route_of()),
    ),
)
"""The rules, each about one concern; the first that holds gives the reason."""

NOTHING_TO_TEST: Final = "Neither contract nor implementation states anything that a test could show."


def inapplicable(concern: Concern, known: Known) -> Inapplicable | None:
    """The rule by which a concern does not apply, None when it does."""
    return next((rule for rule in RULES if rule.concern is concern and rule.applies(known)), None)
