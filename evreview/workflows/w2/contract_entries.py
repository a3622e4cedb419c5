"""What a contract says about each operation, as entries: every row with its claim and the places that say it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

from evreview.contract.model import Contract, Element, ElementKind, Place, ValueSet
from evreview.core.json_pointer import follow
from evreview.core.quoted_text import Part, Text, UserText, listed
from evreview.core.vocabulary import ABSENT, Concern, Direction, EvidenceId, Json
from evreview.evidence.item import Citation
from evreview.kinds.openapi.reader_content import DEFAULT_STYLE
from evreview.workflows.w2.contract_rows import (
    Authentication,
    Body,
    Entry,
    ErrorCode,
    Fields,
    HeaderRow,
    ParameterRow,
    Places,
    Property,
    PropertyName,
    RequestBody,
    Response,
    SchemeUse,
    Stated,
    is_error,
    own_claim,
    response_claim,
)
from evreview.workflows.w2.contract_words import (
    NOT_STATED,
    ConstraintKind,
    Signal,
    TypeKind,
    Where,
    rate_limit_header,
    sentences,
    signals,
    value_text,
)
from evreview.workflows.w2.facts import ClaimKey, Operation, claim


class Entries:
    """Makes the entries of one contract; what operations share is read once."""

    def __init__(self, contract: Contract, item: EvidenceId) -> None:
        self.contract = contract
        self.places = Places(contract, item)
        self.fields = Fields(self.places)
        self._made: dict[str, Entry] = {}

    def entry(self, operation: Operation) -> Entry:
        """Everything that the contract says about one operation, remembered."""
        if operation.id not in self._made:
            self._made[operation.id] = self._entry(operation)
        return self._made[operation.id]

    def _entry(self, operation: Operation) -> Entry:
        found = responses(MessageSide(operation, self.fields, Direction.WRITTEN))
        rows = parameters(operation, self.fields)
        body = request_body(operation, self.fields)
        return Entry(
            operation=operation,
            properties=tuple(self._properties(operation, body)),
            authentication=authentication(self.contract, operation, self.places),
            parameters=rows,
            body=body,
            success=tuple(each for each in found if not is_error(each.status)),
            errors=tuple(each for each in found if is_error(each.status)),
            stated=Statements(self.contract, operation, self.places).found(rows, body, found),
        )

    def _properties(self, operation: Operation, body: RequestBody | None) -> Iterator[Property]:
        """Operation id, method and path, API version, base URL shape, body presence, behaviour: as far as written."""
        here, root = operation.element.place, self.contract.root.place
        if operation.operation_id:
            at = self.places.at(here.child("operationId"))
            yield _property(operation, PropertyName.OPERATION_ID, (UserText(operation.operation_id),), at)
        yield _property(operation, PropertyName.PLACE, (UserText(operation.id),), self.places.at(here))
        if self.contract.release:
            at = self.places.at(root.child("info", "version"))
            yield _property(operation, PropertyName.VERSION, (UserText(self.contract.release),), at)
        yield from self._base_url(operation)
        yield self._presence(operation, body)
        if operation.element.facet("deprecated") is True:
            yield _property(operation, PropertyName.DEPRECATED, ("yes",), self.places.at(here.child("deprecated")))
        for key, name in (("summary", PropertyName.SUMMARY), ("description", PropertyName.DESCRIPTION)):
            words = operation.element.facet(key)
            if isinstance(words, str) and words.strip():
                yield _property(operation, name, (UserText(words),), self.places.at(here.child(key)))

    def _base_url(self, operation: Operation) -> Iterator[Property]:
        """The servers as the contract writes them, variables in braces; nothing where it names none."""
        own = list(children(operation.element, ElementKind.SERVER))
        servers = own or list(children(self.contract.root, ElementKind.SERVER))
        # The reader adds a server at `/` where none is written; Swagger 2.0 writes its parts at the document itself.
        root = self.contract.root.place
        keys = [key for key in ("schemes", "host", "basePath") if self.places.node(root.child(key)) is not None]
        written = [each for each in servers if each.place != root]
        if not written and not keys:
            return
        places = [each.place for each in written] or [root.child(key) for key in keys]
        value: Text = listed(dict.fromkeys(each.name for each in servers))
        key = own_claim(operation.id, PropertyName.BASE_URL)
        yield Property(name=PropertyName.BASE_URL, value=value, claim=key, citations=self.places.all(places))

    def _presence(self, operation: Operation, body: RequestBody | None) -> Property:
        says = "none" if body is None else "required" if body.required else "optional"
        return Property(
            name=PropertyName.REQUEST_BODY,
            value=(says,),
            claim=claim(operation.id, Concern.REQUEST_BODY),
            citations=body.citations if body else (self.places.at(operation.element.place),),
        )


def _property(operation: Operation, name: PropertyName, value: Text, on: Citation) -> Property:
    return Property(name=name, value=value, claim=own_claim(operation.id, name), citations=(on,))


# The request: parameters and body.


_UPPER: Final = (ConstraintKind.MOST, ConstraintKind.MOST_ITEMS)
UNSTATED: Final = "*/*"
"""The media type of a body whose contract names none."""


@dataclass(frozen=True, slots=True)
class MessageSide:
    """The request or the responses of one operation."""

    operation: Operation
    fields: Fields
    direction: Direction

    def media_type(self, element: Element) -> tuple[Place, ...]:
        """Where Swagger 2.0 states a media type; nothing where the element's own place says it."""
        places = self.fields.places
        if places.contract.root.facet("format") != "2.0":
            return (element.place,)
        key = "consumes" if self.direction is Direction.READ else "produces"
        for owner in (self.operation.element.place, places.contract.root.place):
            listed = places.node(owner.child(key))
            if isinstance(listed, list):
                return tuple(owner.child(key, at) for at, name in enumerate(listed) if name == element.name)
        return ()


def children(element: Element, kind: ElementKind) -> Iterator[Element]:
    """The children of one kind, in document order."""
    return (child for child in element.children if child.kind is kind)


def written_description(element: Element) -> str:
    """The description that an element carries, "" for none."""
    found = element.facet("description")
    return found if isinstance(found, str) else ""


def parameters(operation: Operation, fields: Fields) -> tuple[ParameterRow, ...]:
    """One row per parameter outside the body, in document order."""
    return tuple(_parameter(operation, each, fields) for each in children(operation.element, ElementKind.PARAMETER))


def _parameter(operation: Operation, element: Element, fields: Fields) -> ParameterRow:
    location, name = element.key.partition(":")[0], element.name
    value = element.value or next((child.value for child in element.children if child.value is not None), None)
    root, *below = fields.rows(value, Direction.READ) if value is not None else (None,)
    return ParameterRow(
        name=name,
        location=location,
        type=root.type if root is not None else NOT_STATED,
        kind=root.kind if root is not None else TypeKind.NOT_STATED,
        required=element.facet("required") is True,
        validation=root.allowed if root is not None else (),
        claim=claim(operation.id, Concern.PARAMETERS, location, name),
        validation_claim=claim(operation.id, Concern.VALIDATION, location, name),
        citations=tuple(dict.fromkeys((fields.places.at(element.place), *(root.citations if root else ())))),
        default=root.default if root is not None else ABSENT,
        style=_style(element, location, value, fields),
        description=written_description(element) or (root.description if root is not None else ""),
        deprecated=element.facet("deprecated") is True,
        fields=tuple(row for row in below if row is not None),
    )


def _style(element: Element, location: str, value: ValueSet | None, fields: Fields) -> str:
    """How a list or an object is written, "" for single values and for the default of the position."""
    style, explode = element.facet("style"), element.facet("explode")
    if not isinstance(style, str) or value is None:
        return next((child.name for child in children(element, ElementKind.MEDIA_TYPE)), "")
    view = fields.view(value)
    several = bool((view.types or frozenset()) & {"array", "object"}) or bool(view.properties)
    if not several and style == DEFAULT_STYLE.get(location):
        return ""
    usual = style == "form"
    if style == DEFAULT_STYLE.get(location) and explode is usual:
        return ""
    return f"{style}, {'exploded' if explode is True else 'not exploded'}"


def request_body(operation: Operation, fields: Fields) -> RequestBody | None:
    """The request body, None when the contract defines none."""
    element = next(children(operation.element, ElementKind.BODY), None)
    if element is None:
        return None
    _locate_form(operation, element, fields.places)
    outer = claim(operation.id, Concern.REQUEST_BODY)
    return RequestBody(
        required=element.facet("required") is True,
        description=written_description(element),
        bodies=bodies(element, outer, MessageSide(operation, fields, Direction.READ)),
        claim=outer,
        citations=(fields.places.at(element.place),),
    )


def bodies(owner: Element, outer: ClaimKey, side: MessageSide) -> tuple[Body, ...]:
    """One body per media type of a request or response."""
    return tuple(_body(element, outer, side) for element in children(owner, ElementKind.MEDIA_TYPE))


def _body(element: Element, outer: ClaimKey, side: MessageSide) -> Body:
    rows = side.fields.rows(element.value, side.direction) if element.value is not None else ()
    stated = side.media_type(element)
    name = "" if element.name == UNSTATED and not stated else element.name
    return Body(
        media_type=name,
        root=rows[0] if rows else None,
        fields=rows[1:],
        claim=ClaimKey(f"{outer} {name or UNSTATED}"),
        citations=side.fields.places.all((*stated, element.place)),
    )


def _locate_form(operation: Operation, body: Element, places: Places) -> None:
    """Tells where the fields of a Swagger 2.0 form are written, which the reader put into a schema of its own."""
    value = next((child.value for child in body.children if child.value is not None), None)
    if value is None or not isinstance(value.node, Mapping) or not isinstance(places.node(value.place), list):
        return
    item = Place(operation.element.place.file, operation.element.place.pointer.rpartition("/")[0])
    for owner in (item, operation.element.place):
        listed = owner.child("parameters")
        for at, node in enumerate(_list(places.node(listed))):
            found = places.resolver.follow(listed.child(at), node)
            if found is not None and isinstance(found[1], Mapping) and found[1].get("in") == "formData":
                name = str(found[1].get("name"))
                places.stands_for(value.place.child("properties", name), found[0])


def _list(node: Json) -> list[Json]:
    return node if isinstance(node, list) else []


# Limits, idempotency, side effects, pagination and rate limits.


_DEEPEST: Final = 2
_HEADERS: Final = ((Concern.RATE_LIMITS, "rate-limit-header"), (Concern.PAGINATION, "pagination-header"))


class Statements:
    """Collects the statements about one operation."""

    def __init__(self, contract: Contract, operation: Operation, places: Places) -> None:
        self._contract = contract
        self._operation = operation
        self._places = places

    def found(
        self, parameters: Iterable[ParameterRow], body: RequestBody | None, responses: tuple[Response, ...]
    ) -> tuple[Stated, ...]:
        """Every statement once, in the order of concerns."""
        rows = [
            *self._sentences(),
            *self._extensions(),
            *self._parameters(tuple(parameters), _lists(responses)),
            *self._sizes(body),
            *self._responses(responses),
            *self._callbacks(),
        ]
        unique: dict[tuple[str, Text], Stated] = {}
        for row in rows:
            unique.setdefault((row.claim, row.says), row)
        order = list(Concern)
        return tuple(sorted(unique.values(), key=lambda row: order.index(row.concern)))

    def _sentences(self) -> Iterator[Stated]:
        """Sentences of the operation's and its responses' descriptions; of the whole API's those on rate limits."""
        element = self._operation.element
        owners = [(element, element.facet(key), key) for key in ("summary", "description")]
        owners += [(each, written_description(each), "description") for each in children(element, ElementKind.RESPONSE)]
        for owner, text, key in owners:
            citation = self._places.at(owner.place.child(key))
            yield from self._quoted(text, citation, tuple(Concern))
        root = self._contract.root
        citation = self._places.at(root.place.child("info", "description"))
        yield from self._quoted(root.facet("info.description"), citation, (Concern.RATE_LIMITS,))

    def _quoted(self, text: object, citation: Citation, concerns: tuple[Concern, ...]) -> Iterator[Stated]:
        for sentence in sentences(text) if isinstance(text, str) else ():
            for signal in signals("sentence", sentence):
                if signal.concern in concerns:
                    yield self._row(signal.concern, "description", (UserText(sentence),), signal.id, (citation,))

    def _extensions(self) -> Iterator[Stated]:
        element = self._operation.element
        for facet in element.facets:
            for signal in signals("extension", facet.name) if facet.name.startswith("x-") else ():
                says: Text = (UserText(facet.name), ": ", UserText(value_text(_json(facet.value))))
                citation = self._places.at(element.place.child(facet.name))
                yield self._row(signal.concern, facet.name, says, signal.id, (citation,))

    def _parameters(self, rows: tuple[ParameterRow, ...], listing: bool) -> Iterator[Stated]:
        for row in rows:
            where: Where = "query parameter" if row.location == "query" else "header parameter"
            for signal in signals(where, row.name) if row.location in ("query", "header") else ():
                if not signal.weak or (listing and not _enumerated(row)):
                    yield from self._parameter(row, signal, where)

    def _parameter(self, row: ParameterRow, signal: Signal, where: Where) -> Iterator[Stated]:
        says: Text = (f"{where} ", UserText(row.name), ", required" if row.required else ", optional")
        yield replace(self._row(signal.concern, row.name, says, signal.id, row.citations), rests_on=(row.claim,))
        bound = next((each.says for each in row.validation if each.kind in _UPPER), None)
        if signal.concern is Concern.PAGINATION and bound is not None:
            limit: Text = (f"{where} ", UserText(row.name), ": ", *bound)
            bounded = self._row(Concern.LIMITS, row.name, limit, signal.id, row.citations)
            yield replace(bounded, rests_on=(row.claim, row.validation_claim))

    def _sizes(self, body: RequestBody | None) -> Iterator[Stated]:
        """The largest number of items that a request may carry."""
        owned = [(each, row) for each in (body.bodies if body else ()) for row in (each.root, *each.fields)]
        for each, row in ((each, row) for each, row in owned if row is not None):
            for limit in row.allowed:
                if limit.kind in (ConstraintKind.MOST_ITEMS, ConstraintKind.EXACT_ITEMS):
                    says: Text = (UserText(row.path) if row.path else "the body", ": ", *limit.says)
                    name = row.path or "request body"
                    sized = self._row(Concern.LIMITS, name, says, "limit-items", row.citations)
                    yield replace(sized, rests_on=(each.claim_of(row),))

    def _responses(self, responses: tuple[Response, ...]) -> Iterator[Stated]:
        yield from self._headers([header for response in responses for header in response.headers])
        for response in responses:
            if response.status == "429":
                told: Text = ("too many calls are answered with status ", UserText("429"))
                known = self._row(Concern.RATE_LIMITS, "429", told, "rate-limit-status", response.citations)
                yield replace(known, rests_on=(response.claim,))
            yield from self._fields(response)

    def _headers(self, headers: list[HeaderRow]) -> Iterator[Stated]:
        """Each header about rate limits or pagination once, with the statuses that carry it."""
        for name in dict.fromkeys(header.name for header in headers):
            for concern, signal in _HEADERS:
                rows = [row for row in headers if row.name == name and _about(row, concern)]
                if rows:
                    says: Text = (
                        "response header ",
                        UserText(name),
                        " of status ",
                        *listed(row.status for row in rows),
                    )
                    on = tuple(on for row in rows for on in row.citations)
                    yield replace(self._row(concern, name, says, signal, on), rests_on=tuple(row.claim for row in rows))

    def _fields(self, response: Response) -> Iterator[Stated]:
        for body in response.bodies if not is_error(response.status) else ():
            for row in body.fields:
                if row.path.count(".") < _DEEPEST and "[]" not in row.path:
                    for signal in signals("response field", row.path):
                        says: Text = ("response field ", UserText(row.path))
                        named = self._row(signal.concern, row.path, says, signal.id, row.citations)
                        yield replace(named, rests_on=(body.claim_of(row),))

    def _callbacks(self) -> Iterator[Stated]:
        for callback in children(self._operation.element, ElementKind.CALLBACK):
            says: Text = ("the callback ", UserText(callback.name), " may be sent")
            citation = self._places.at(callback.place)
            yield self._row(Concern.SIDE_EFFECTS, callback.name, says, "side-effect-callback", (citation,))

    def _row(self, concern: Concern, name: str, says: Text, signal: str, on: tuple[Citation, ...]) -> Stated:
        key = claim(self._operation.id, concern, name)
        return Stated(concern=concern, name=name, says=says, signal=signal, claim=key, citations=on)


def _about(row: HeaderRow, concern: Concern) -> bool:
    if concern is Concern.RATE_LIMITS:
        return rate_limit_header(row.name, row.status)
    paging = any(signal.concern is Concern.PAGINATION for signal in signals("response header", row.name))
    return paging and not is_error(row.status)


def _enumerated(row: ParameterRow) -> bool:
    """True for a choice among fixed values: that is a filter, no place in a list."""
    return any(each.kind is ConstraintKind.VALUES for each in row.validation)


def _lists(responses: tuple[Response, ...]) -> bool:
    """True when a success response is a list or carries one as a member."""
    return any(body.lists for response in responses if not is_error(response.status) for body in response.bodies)


def _json(value: object) -> Json:
    return value if isinstance(value, (str, int, float, bool, list, dict)) else None


# What the contract demands of a caller, with invented credentials in the place of real ones.


TOKEN: Final = "<access-token>"
KEY: Final = "<api-key>"


def authentication(contract: Contract, operation: Operation, places: Places) -> Authentication:
    """The operation's effective demand: alternatives joined by or, schemes of one alternative joined by and."""
    element = next((child for child in operation.element.children if child.kind is ElementKind.SECURITY), None)
    written = element is not None and element.place.pointer.endswith("/security")
    stated = element is not None and written
    declared = {child.key: child for child in contract.root.children if child.kind is ElementKind.SECURITY_SCHEME}
    demands = element.facet("requirements") if element is not None and stated else []
    alternatives = tuple(
        tuple(_use(key, scopes, declared.get(key), places) for key, scopes in demand.items())
        for demand in (demands if isinstance(demands, list) else [])
        if isinstance(demand, Mapping)
    )
    return Authentication(
        stated=stated,
        alternatives=alternatives,
        says=_says(stated, alternatives),
        claim=claim(operation.id, Concern.AUTHENTICATION),
        citations=(places.at(element.place),)
        if element is not None and stated
        else (places.at(operation.element.place),),
    )


def _says(stated: bool, alternatives: tuple[tuple[SchemeUse, ...], ...]) -> Text:
    if not stated:
        return ("the contract states no security requirement",)
    if not any(alternatives):
        return ("no credentials are needed",)
    parts: list[Part] = []
    for demand in sorted(alternatives, key=lambda each: not each):
        parts += ["; or "] if parts else []
        parts += _demand(demand) if demand else ["no credentials"]
    return tuple(parts)


def _demand(demand: tuple[SchemeUse, ...]) -> list[Part]:
    parts: list[Part] = []
    for use in demand:
        parts += [" and "] if parts else []
        parts += [UserText(use.name), ": ", *use.says]
        if use.scopes:
            parts += [" with scopes ", *listed(use.scopes)]
    return parts


def _use(key: str, scopes: Json, scheme: Element | None, places: Places) -> SchemeUse:
    named = tuple(str(each) for each in scopes) if isinstance(scopes, list) else ()
    if scheme is None:
        name = key.removeprefix("undeclared (").removesuffix(")")
        says: Text = ("a scheme that the contract does not declare",)
        return SchemeUse(key=key, name=name, says=says, scopes=named, placeholder="", citations=())
    return SchemeUse(
        key=key,
        name=scheme.name,
        says=_kind(scheme),
        scopes=named,
        placeholder=placeholder(scheme),
        citations=(places.at(scheme.place),),
    )


def _kind(scheme: Element) -> Text:
    match scheme.facet("type"):
        case "http":
            return ("HTTP authentication, scheme ", UserText(str(scheme.facet("scheme") or "")))
        case "apiKey":
            where = scheme.facet("in")
            place = str(where) if where in ("header", "query", "cookie") else "unknown place"
            return (f"API key in the {place} ", UserText(_written_name(scheme)))
        case "oauth2":
            flows = [each.name.split(".")[1] for each in scheme.facets if each.name.endswith(".scopes")]
            return ("OAuth 2.0, flows ", *listed(sorted(flows))) if flows else ("OAuth 2.0",)
        case "openIdConnect":
            return ("OpenID Connect",)
        case "mutualTLS":
            return ("mutual TLS",)
    return ("a scheme of an unknown type",)


def _written_name(scheme: Element) -> str:
    return str(scheme.facet("name") or "")


def placeholder(scheme: Element) -> str:
    """How a request carries a scheme, with an invented value: `Authorization: Bearer <access-token>`."""
    match scheme.facet("type"):
        case "http" if scheme.facet("scheme") == "basic":
            return "Authorization: Basic <credentials>"
        case "http" if scheme.facet("scheme") == "bearer":
            return f"Authorization: Bearer {TOKEN}"
        case "http":
            return "Authorization: <scheme> <credentials>"
        case "apiKey":
            name = _written_name(scheme)
            lead = {"query": f"?{name}=", "cookie": f"Cookie: {name}="}.get(str(scheme.facet("in")), f"{name}: ")
            return f"{lead}{KEY}"
        case "oauth2" | "openIdConnect":
            return f"Authorization: Bearer {TOKEN}"
        case "mutualTLS":
            return "a synthetic client certificate"
    return ""


# Responses: statuses, media types, fields, headers, and error codes per status.


CODE_FIELDS: Final = (
    "code",
    "error_code",
    "errorCode",
    "error.code",
    "error.type",
    "errors[].code",
    "errors[].type",
    "type",
    "error",
)
"""Where error bodies carry their code, the likeliest first."""


def responses(side: MessageSide) -> tuple[Response, ...]:
    """One row per documented response, in document order."""
    return tuple(_response(each, side) for each in children(side.operation.element, ElementKind.RESPONSE))


def _response(element: Element, side: MessageSide) -> Response:
    status = element.key
    outer = response_claim(side.operation.id, status)
    found = bodies(element, outer, side)
    codes = tuple((body.media_type, _codes(element, body, side)) for body in found) if is_error(status) else ()
    place = _written_status(side, status) or element.place
    return Response(
        status=status,
        description=written_description(element) or _description(side.fields.places.node(element.place)),
        bodies=found,
        headers=tuple(_header(element, each, side) for each in children(element, ElementKind.HEADER)),
        claim=outer,
        citations=side.fields.places.all((place, element.place)),
        codes=tuple((name, each) for name, each in codes if each),
    )


def _written_status(side: MessageSide, status: str) -> Place | None:
    """Where the operation names the status; `4xx` is read as `4XX`."""
    below = side.operation.element.place.child("responses")
    listed = side.fields.places.node(below)
    names = listed if isinstance(listed, Mapping) else {}
    return next((below.child(name) for name in names if name.upper() == status.upper()), None)


def _description(node: Json) -> str:
    found = node.get("description") if isinstance(node, Mapping) else ""
    return found if isinstance(found, str) else ""


def _header(response: Element, element: Element, side: MessageSide) -> HeaderRow:
    value = element.value or next((child.value for child in element.children if child.value is not None), None)
    root = side.fields.rows(value, side.direction)[0] if value is not None else None
    return HeaderRow(
        status=response.key,
        name=element.name,
        type=root.type if root else NOT_STATED,
        required=element.facet("required") is True,
        allowed=root.allowed if root else (),
        claim=claim(side.operation.id, Concern.HEADERS, response.key, element.name),
        citations=tuple(dict.fromkeys((side.fields.places.at(element.place), *(root.citations if root else ())))),
        description=written_description(element),
        rate_limit=rate_limit_header(element.name, response.key),
    )


def _codes(response: Element, body: Body, side: MessageSide) -> tuple[ErrorCode, ...]:
    """The codes that this status defines: constants and lists of its schema, else those of its own examples."""
    for path in CODE_FIELDS:
        rows = [row for row in body.fields if row.path == path and row.codes]
        if rows:
            found = {code: ErrorCode(code, row.citations) for row in rows for code in row.codes}
            return tuple(found.values())
    shown = {each.value: each for each in _example_codes(response, body, side)}
    return tuple(shown.values())


def _example_codes(response: Element, body: Body, side: MessageSide) -> Iterator[ErrorCode]:
    for place, example in _examples(response, body, side):
        for path in CODE_FIELDS:
            where = path.replace("[]", ".0").replace(".", "/")
            found = follow(example, f"/{where}")
            if found is not ABSENT and type(found) in (str, int):
                citation = side.fields.places.at(Place(place.file, f"{place.pointer}/{where}"))
                yield ErrorCode(value_text(found), (citation,), example=True)
                break


def _examples(response: Element, body: Body, side: MessageSide) -> Iterator[tuple[Place, Json]]:
    """The examples that stand at one media type of one response, with their places."""
    places = side.fields.places
    named = response.facet("examples")
    if isinstance(named, Mapping) and body.media_type in named:  # Swagger 2.0
        yield response.place.child("examples", body.media_type), named[body.media_type]
    media = next((each for each in children(response, ElementKind.MEDIA_TYPE) if each.name == body.media_type), None)
    if media is None:
        return
    node = places.node(media.place)
    if not isinstance(node, Mapping):
        return
    if "example" in node:
        yield media.place.child("example"), node["example"]
    several = node.get("examples")
    for name, item in several.items() if isinstance(several, Mapping) else ():
        found = places.resolver.follow(media.place.child("examples", name), item)
        if found is not None and isinstance(found[1], Mapping) and "value" in found[1]:
            yield found[0].child("value"), found[1]["value"]
