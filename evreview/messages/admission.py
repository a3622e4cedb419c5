"""Whether a contract admits a message: routed, decoded and held against every demand that the contract states.

What OpenAPI leaves open is not judged: parameters, headers and cookies that nobody declares, a body where none is
declared, a response without the body that is declared. Then the answer is unknown, unless a stated demand is broken.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from urllib.parse import unquote

from evreview.contract.model import Contract, Element, ElementKind, Place
from evreview.contract.security_requirements import TOKENS, SchemeKey, bare, is_key, named_key, one_header
from evreview.core.frozen import frozen
from evreview.core.json_pointer import pointer
from evreview.core.vocabulary import Json, Sentence, Tristate
from evreview.messages.bodies import decode
from evreview.messages.credentials import takes_any_text
from evreview.messages.media_types import admitted_by, declared_for
from evreview.messages.message import Body, Message, Pairs, Violation
from evreview.messages.parameter_styles import Style, claims, from_pairs, from_text, spreads, style_of
from evreview.messages.routing import RoutedOperation, Routes, children_of
from evreview.messages.validation import Judge, Notes
from evreview.messages.value_types import TypeOutline
from evreview.schema.validators import SchemaCheck

# The parameters of an operation, arranged so that a message asks only those that it may concern.


class Declared:
    """The parameters of one operation.

    Attributes:
        parameters: all, in document order.
        names: by location.
    """

    def __init__(self, operation: Element, judge: Judge) -> None:
        self.parameters = children_of(operation, ElementKind.PARAMETER)
        self.names: dict[str, frozenset[str]] = {}
        self._by_key = {element.key: element for element in self.parameters}
        self._always = [element for element in self.parameters if _spreads(element, judge)]
        by_location: dict[str, set[str]] = {}
        for element in self.parameters:
            by_location.setdefault(element.key.partition(":")[0], set()).add(element.name)
        self.names = {location: frozenset(names) for location, names in by_location.items()}

    def concerned(self, message: Message) -> Iterator[Element]:
        """The parameters that a message has to carry or may carry, each once."""
        keys = [f"query:{unquote(name)}" for name, _ in message.query]
        keys += [f"cookie:{unquote(name)}" for name, _ in message.cookies]
        keys += [f"header:{name}" for name, _ in message.headers]
        named = (self._by_key[key] for key in keys if key in self._by_key)
        yield from {id(element): element for element in (*self._always, *named)}.values()


def _spreads(element: Element, judge: Judge) -> bool:
    """True for a parameter that is asked for, or whose pairs need not bear its name."""
    location = element.key.partition(":")[0]
    if location == "path" or element.facet("required") is True:
        return True
    style = style_of(element, location, element.name)
    if location not in ("query", "cookie") or children_of(element, ElementKind.MEDIA_TYPE):
        return False
    return style.style == "deepObject" or (style.explode and "object" in judge.outline(element).types)


# What a message sends for each parameter, found by name: messages with many parameters are judged in one pass.


class Named:
    """The pairs of a query or of cookies by the names that they bear."""

    def __init__(self, pairs: Pairs) -> None:
        self._pairs = pairs
        self._by_name: dict[str, list[tuple[str, str]]] = {}
        self._by_start: dict[str, list[tuple[str, str]]] = {}
        for pair in pairs:
            plain = unquote(pair[0])
            self._by_name.setdefault(plain, []).append(pair)
            self._by_start.setdefault(plain.partition("[")[0], []).append(pair)

    def called(self, name: str) -> Pairs:
        """The pairs with just this name."""
        return tuple(self._by_name.get(name, ()))

    def of(self, style: Style, form: TypeOutline, others: frozenset[str]) -> Pairs:
        """The pairs that belong to a parameter, see `claims`."""
        if style.style != "deepObject" and not spreads(style, form):
            return self.called(style.name)
        # A name with brackets starts as the parameter does, up to the first of them.
        near = self._by_start.get(style.name.partition("[")[0], ()) if style.style == "deepObject" else self._pairs
        return tuple(pair for pair in near if claims(pair[0], style, form, others))


class Sent:
    """The parts of one message that parameters speak of.

    Attributes:
        headers: by name.
        query, cookies: the pairs by name.
    """

    def __init__(self, message: Message) -> None:
        self.headers = dict(message.headers)
        self.query, self.cookies = Named(message.query), Named(message.cookies)


# Whether the credentials that a caller presents meet what an operation demands. Only their shape is known.


Alternative = Mapping[str, tuple[str, ...]]


def demanded(operation: Element) -> tuple[Element | None, tuple[Alternative, ...]]:
    """The security element of an operation and its alternatives."""
    element = next((child for child in operation.children if child.kind is ElementKind.SECURITY), None)
    stated = element.facet("requirements") if element is not None else None
    return element, tuple(_alternative(each) for each in stated) if isinstance(stated, list) else ({},)


def _alternative(stated: Json) -> Alternative:
    members = stated.items() if isinstance(stated, Mapping) else ()
    return {name: tuple(str(scope) for scope in scopes) if isinstance(scopes, list) else () for name, scopes in members}


def carried(sent: Sent, alternatives: Sequence[Alternative]) -> Alternative:
    """The demanded keys whose place in a message holds some text, and whatever stands in `Authorization`."""
    found: dict[str, tuple[str, ...]] = {SchemeKey.AUTHORIZATION.value: ()} if "authorization" in sent.headers else {}
    for scheme in {scheme for each in alternatives for scheme in each if scheme.startswith("apiKey ")}:
        location, name = named_key(bare(scheme))
        if _is_written(location, name, sent):
            found[scheme] = ()
    return found


def is_presented(parameter: Element, presented: Alternative, sent: Sent) -> bool:
    """True for a parameter whose text is a key that a message presents, and does not write out."""
    if not any(is_key(bare(each), parameter.key) for each in presented):
        return False
    location, _, name = parameter.key.partition(":")
    return not _is_written(location, name, sent)


def _is_written(location: str, name: str, sent: Sent) -> bool:
    if location == "header":
        return name in sent.headers
    return bool((sent.query if location == "query" else sent.cookies).called(name))


def suffices(presented: Alternative, alternatives: Sequence[Alternative]) -> Tristate:
    """Whether one of the alternatives is met."""
    answers = {_meets(presented, each) for each in alternatives} or {Tristate.YES}
    return next(answer for answer in (Tristate.YES, Tristate.UNKNOWN, Tristate.NO) if answer in answers)


def _meets(presented: Alternative, demand: Alternative) -> Tristate:
    answers = {_holds(presented, scheme, scopes) for scheme, scopes in demand.items()}
    return next((answer for answer in (Tristate.NO, Tristate.UNKNOWN) if answer in answers), Tristate.YES)


def _holds(presented: Alternative, scheme: str, scopes: Sequence[str]) -> Tristate:
    if scheme in presented:
        return Tristate.YES if set(scopes) <= set(presented[scheme]) else Tristate.NO
    if scheme.startswith("undeclared ("):
        return Tristate.UNKNOWN
    kind = bare(scheme)
    alike = any(bare(other) == kind or {bare(other), kind} <= TOKENS for other in presented)
    alike = alike or one_header(bare(scheme), map(bare, presented))
    return Tristate.UNKNOWN if alike else Tristate.NO


class OpenQuestion(Sentence):
    """Why a contract may say nothing of a message."""

    NO_BODY = "the contract declares no body here, and does not say what becomes of one"
    BODY_LACKS = "the contract declares a body here, and does not say that it is always sent"
    NO_CODEC = "nothing here reads bodies of this media type"
    OTHER_PARAMETERS = "the media type is declared with other parameters only"
    OTHER_TOKEN = "another kind of bearer token is demanded, or another scheme of the same form"
    UNTOLD = "the parameter is a key of the message's credentials, which are named and never given"
    UNREAD = "a part of the operation could not be read"


@frozen(kw_only=True)
class AdmissionResult:
    """What a contract says of a message.

    Attributes:
        accepted: no with a violation, unknown with an open question only.
        violations: every demand that is not met.
        open: why the answer is unknown.
        read: the values as this contract reads them, by part.
        operation: key of the operation that the message was routed to, "" for none.
    """

    accepted: Tristate
    violations: tuple[Violation, ...]
    open: tuple[str, ...]
    read: Mapping[str, Json]
    operation: str = ""


def accepts(contract: Contract, message: Message, check: SchemaCheck) -> AdmissionResult:
    """What `contract` says of `message`, by one validator. For many messages keep an `MessageAdmission`."""
    return MessageAdmission(contract, check).accepts(message)


class MessageAdmission:
    """One contract as a judge of messages; everything is built when it is first needed."""

    def __init__(self, contract: Contract, check: SchemaCheck, *, whole: bool = False) -> None:
        """`whole`: hand every definition to the validator; slow, for a second look."""
        self.contract = contract
        self.routes = Routes(contract)
        self.judge = Judge(contract, check, whole=whole)
        self._by_operation: dict[int, Declared] = {}
        self._parameters: dict[tuple[int, str | Pairs | None], Notes] = {}

    def accepts(self, message: Message) -> AdmissionResult:
        """What the contract says of a message."""
        notes = Notes()
        found = self._route(message)
        if found.operation is None:
            self._not_found(found, notes)
        elif message.is_response:
            self._response(message, found.operation, notes)
        else:
            self._request(message, found, notes)
        answer = Tristate.NO if notes.violations else Tristate.UNKNOWN if notes.open else Tristate.YES
        return AdmissionResult(
            accepted=answer,
            violations=tuple(notes.violations),
            open=tuple(dict.fromkeys(notes.open)),
            read=notes.read,
            operation=found.operation.key if found.operation is not None else "",
        )

    def _route(self, message: Message) -> RoutedOperation:
        if message.route:
            return self.routes.named(message.route)
        return self.routes.match(message.method, message.path)

    def _not_found(self, found: RoutedOperation, notes: Notes) -> None:
        file = self.contract.root.place.file
        unread = [each for each in self.contract.unread if each.place.pointer.startswith(("/paths", "/webhooks"))]
        if any(each.place.pointer.count("/") <= 3 for each in unread):
            notes.open.append(OpenQuestion.UNREAD)
            return
        notes.violations.append(Violation("path", "", Place(file, "/paths"), found.lacking))

    def _declared(self, operation: Element) -> Declared:
        if id(operation) not in self._by_operation:
            self._by_operation[id(operation)] = Declared(operation, self.judge)
        return self._by_operation[id(operation)]

    def _concerned(self, elements: Sequence[Element | None], notes: Notes) -> None:
        """Notes when something below one of the elements could not be read."""
        places = [element.place for element in elements if element is not None]
        for each in self.contract.unread:
            if any(
                each.place.file == at.file and f"{each.place.pointer}/".startswith(f"{at.pointer}/") for at in places
            ):
                notes.open.append(OpenQuestion.UNREAD)

    def _request(self, message: Message, found: RoutedOperation, notes: Notes) -> None:
        operation = found.operation
        if operation is None:
            return
        declared = self._declared(operation)
        body = next(iter(children_of(operation, ElementKind.BODY)), None)
        if self.contract.unread:
            self._concerned([*declared.parameters, body], notes)
            self._concerned_by_operation(operation, notes)
        self._server(message, operation, notes)
        sent = Sent(message)
        for parameter in declared.concerned(message):
            if not is_presented(parameter, message.credentials, sent):
                notes.add(self._parameter(parameter, declared, sent, found.texts))
            elif not takes_any_text(parameter):
                notes.open.append(OpenQuestion.UNTOLD)
        self._credentials(message, sent, operation, notes)
        self._body(message, body, notes)

    def _concerned_by_operation(self, operation: Element, notes: Notes) -> None:
        for each in self.contract.unread:
            below = each.place.pointer.removeprefix(operation.place.pointer + "/")
            if below != each.place.pointer and not below.startswith(("responses", "callbacks")):
                notes.open.append(OpenQuestion.UNREAD)

    def _server(self, message: Message, operation: Element, notes: Notes) -> None:
        if message.server and not self.routes.serves(operation, message.server):
            notes.violations.append(Violation("server", "", self.routes.servers(operation)[0].place, "servers"))

    def _parameter(self, element: Element, declared: Declared, sent: Sent, texts: Sequence[str]) -> Notes:
        """What is said of a parameter; most messages of one operation send the same for most of them."""
        location, _, key = element.key.partition(":")
        own: str | Pairs | None
        match location:
            case "path":
                own = texts[int(key)] if key.isdecimal() and int(key) < len(texts) else None
            case "header":
                own = sent.headers.get(key)
            case _:
                own = self._own(element, sent.query if location == "query" else sent.cookies, declared.names[location])
        if (id(element), own) not in self._parameters:
            notes = Notes()
            if isinstance(own, tuple):
                self._pairs(element, own, notes)
            else:
                self._text(element, location, own, f"{location} {element.name}", notes)
            self._parameters[id(element), own] = notes
        return self._parameters[id(element), own]

    def _own(self, element: Element, sent: Named, names: frozenset[str]) -> Pairs:
        if children_of(element, ElementKind.MEDIA_TYPE):
            return sent.called(element.name)
        style = style_of(element, element.key.partition(":")[0], element.name)
        return sent.of(style, self.judge.outline(element), names)

    def _text(self, element: Element, location: str, text: str | None, part: str, notes: Notes) -> None:
        """A path parameter or header field, None when it is not sent."""
        if text is None:
            if element.facet("required") is True:
                notes.violations.append(Violation(part, "", element.place, "required"))
            return
        content = children_of(element, ElementKind.MEDIA_TYPE)
        if content:
            self._content(content[0], unquote(text) if location == "path" else text, part, notes)
            return
        style = style_of(element, location, element.name)
        readings = from_text(text, style, self.judge.outline(element))
        self._readings(element, readings, part, notes)

    def _pairs(self, element: Element, own: Pairs, notes: Notes) -> None:
        """A query or cookie parameter: the pairs that belong to it."""
        location = element.key.partition(":")[0]
        part = f"{location} {element.name}"
        content = children_of(element, ElementKind.MEDIA_TYPE)
        if not own:
            if element.facet("required") is True:
                notes.violations.append(Violation(part, "", element.place, "required"))
        elif content:
            self._content(content[0], unquote(own[0][1]), part, notes)
        elif not (element.facet("allowEmptyValue") is True and [text for _, text in own] == [""]):
            style = style_of(element, location, element.name)
            self._readings(element, from_pairs(own, style, self.judge.outline(element)), part, notes)

    def _readings(self, element: Element, readings: Sequence[Json], part: str, notes: Notes) -> None:
        if readings:
            self.judge.any_of(element, readings, part, notes)
        else:
            notes.violations.append(Violation(part, "", element.place, "style"))

    def _content(self, media: Element, text: str, part: str, notes: Notes) -> None:
        """A parameter with `content`: JSON only."""
        if "json" not in media.key:
            notes.open.append(OpenQuestion.NO_CODEC)
            return
        try:
            value: Json = json.loads(text)
        except ValueError:
            notes.violations.append(Violation(part, "", media.place, "media-type"))
            return
        self.judge.any_of(media, [value], part, notes)

    def _credentials(self, message: Message, sent: Sent, operation: Element, notes: Notes) -> None:
        element, alternatives = demanded(operation)
        answer = suffices({**carried(sent, alternatives), **message.credentials}, alternatives)
        if answer is Tristate.UNKNOWN:
            notes.open.append(OpenQuestion.OTHER_TOKEN)
        elif answer is Tristate.NO and element is not None:
            notes.violations.append(Violation("security", "", element.place, "security"))

    def _body(self, message: Message, body: Element | None, notes: Notes) -> None:
        if message.body is None:
            if body is not None and body.facet("required") is True:
                notes.violations.append(Violation("body", "", body.place, "required"))
        elif body is None:
            notes.open.append(OpenQuestion.NO_BODY)
        else:
            self._carried(message, body, notes)

    def _carried(self, message: Message, owner: Element, notes: Notes) -> None:
        """The body of a message against the media types of a request body or response."""
        declared = children_of(owner, ElementKind.MEDIA_TYPE)
        media, answer = declared_for(message.content_type, declared)
        if media is None or message.body is None:
            if answer is Tristate.UNKNOWN:
                notes.open.append(OpenQuestion.OTHER_PARAMETERS)
            else:
                notes.violations.append(Violation("content-type", "", owner.place, "media-type"))
            return
        if message.body.form == "multipart":
            self._parts(message.body, media, notes)
        if media.value is None:
            return
        form = self.judge.body_outline(media, message.content_type)
        values = decode(message.body, media, message.content_type, form)
        if values is None:
            notes.open.append(OpenQuestion.NO_CODEC)
        elif values:
            self.judge.any_of(media, values, "body", notes)
        else:
            notes.violations.append(Violation("body", "", media.place, "encoding"))

    def _parts(self, body: Body, media: Element, notes: Notes) -> None:
        """The media type and the headers of each part, as far as an encoding states them."""
        encodings = {each.key: each for each in children_of(media, ElementKind.ENCODING)}
        for part in body.content if isinstance(body.content, list) else ():
            encoding = encodings.get(str(part.get("name"))) if isinstance(part, Mapping) else None
            if encoding is None or not isinstance(part, Mapping):
                continue
            stated, headers = encoding.facet("contentType"), part.get("headers", {})
            if isinstance(stated, str) and not admitted_by(str(part.get("content_type", "text/plain")), stated):
                at = pointer((encoding.key,))
                notes.violations.append(Violation("body", at, encoding.place, "contentType"))
            sent = (
                {str(name).lower(): str(text) for name, text in headers.items()} if isinstance(headers, Mapping) else {}
            )
            for header in children_of(encoding, ElementKind.HEADER):
                self._text(header, "header", sent.get(header.key), f"header {header.name}", notes)

    def _response(self, message: Message, operation: Element, notes: Notes) -> None:
        response = response_for(operation, message.status or 0)
        if response is None:
            place = operation.place.child("responses")
            unread = any(each.place.pointer.startswith(place.pointer) for each in self.contract.unread)
            if unread:
                notes.open.append(OpenQuestion.UNREAD)
            else:
                notes.violations.append(Violation("status", "", place, "status"))
            return
        if self.contract.unread:
            self._concerned([response], notes)
        headers = dict(message.headers)
        for header in children_of(response, ElementKind.HEADER):
            self._text(header, "header", headers.get(header.key), f"header {header.name}", notes)
        declared = children_of(response, ElementKind.MEDIA_TYPE)
        if message.body is not None and declared:
            self._carried(message, response, notes)
        elif message.body is not None:
            notes.open.append(OpenQuestion.NO_BODY)
        elif declared and message.method != "HEAD":
            notes.open.append(OpenQuestion.BODY_LACKS)


def response_for(operation: Element, status: int) -> Element | None:
    """The response that describes a status: its own, its range, `default`."""
    by_key = {child.key: child for child in children_of(operation, ElementKind.RESPONSE)}
    return by_key.get(str(status)) or by_key.get(f"{status // 100}XX") or by_key.get("default")
