"""A whole message around one part of it: everything else that the sender must give is filled in."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import field, replace
from itertools import chain, islice
from typing import Final, TypeVar
from urllib.parse import quote

from evreview.contract.http import as_sent, carries_content
from evreview.contract.model import Contract, Element, ElementKind
from evreview.contract.security_requirements import Demands
from evreview.core.frozen import frozen
from evreview.core.json_text import same
from evreview.core.vocabulary import Json, Role
from evreview.messages.admission import Alternative, MessageAdmission, demanded, response_for
from evreview.messages.bodies import encode
from evreview.messages.contract_examples import ContractExamples
from evreview.messages.media_types import declared_for, essence, is_json, stands_for
from evreview.messages.message import Body, Message, Pairs
from evreview.messages.parameter_styles import NoCodec, NotOnWire, style_of, to_pairs, to_text
from evreview.messages.routing import base_text, children_of, origin_text
from evreview.messages.validation import Judge
from evreview.messages.value_types import TypeOutline
from evreview.schema.boundary_values import BoundaryValues
from evreview.schema.evaluator import Evaluator
from evreview.schema.value_generator import ValueGenerator

# Small valid values for everything that a sender must give besides what a message is about; the plainest first.


_PLAIN: dict[str, tuple[Json, ...]] = {"string": ("a", "text"), "integer": (1,), "number": (1,), "boolean": (True,)}
_BUILT = 6
_FEW = 6
_MALFORMED = (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError)


class Fill:
    """Values of the elements of one contract, found once each."""

    def __init__(self, judge: Judge) -> None:
        self._judge = judge
        self._examples = ContractExamples(judge.contract.documents)
        self._known: dict[tuple[str, str, str], tuple[Json, ...]] = {}

    def values(self, element: Element) -> tuple[Json, ...]:
        """Up to a handful of values that the element admits: what the contract shows, then the plainest first."""
        value = element.value
        if value is None:
            return ("a",)
        key = (value.place.file, value.place.pointer, str(element.direction))
        if key not in self._known:
            self._known[key] = tuple(self._found(element))
        return self._known[key]

    def _found(self, element: Element) -> Iterator[Json]:
        value = element.value
        if value is None:
            return

        def holds(guess: Json) -> bool:
            return self._judge.errors(value, element.direction, guess) == ()

        made = (guess for guess in self._guesses(element) if holds(guess))
        first = next(made, None)
        if first is not None:
            dressed = self._examples.dressed(element, first, holds)
            yield from islice(chain(() if same(dressed, first) else (dressed,), (first,), made), _FEW)

    def _guesses(self, element: Element) -> Iterator[Json]:
        """What the contract shows, plain values, those at the borders, then those that are built to be admitted."""
        yield from self._examples.short(element)
        form = self._judge.outline(element)
        for name, plain in _PLAIN.items():
            if form.may_be(name):
                yield from plain
        source = self._judge.source(element.direction)
        schema = source.schema(element.value)  # type: ignore[arg-type]
        with suppress(*_MALFORMED):
            yield from BoundaryValues(source.definition).values(schema)
        builder = ValueGenerator(source.definition, Evaluator(source.definition))
        yield from (made for (made,) in islice(builder.values(schema), _BUILT))


def structured(judge: Judge, element: Element, member: str = "") -> Iterator[Json]:
    """Values of an element that have members or items, which is where a style shows; up to a dozen.

    Args:
        judge: of the contract that sends.
        element: with the value set.
        member: the member that has to be there, "" for none in particular.
    """
    value = element.value
    if value is None:
        return
    source = judge.source(element.direction)
    several: Json = {"minItems": 2, "minProperties": 2}
    hint: Json = {"properties": {member: several}} if member else several
    asked: Json = (
        {"allOf": [source.schema(value), {"type": "object", "required": [member]}]} if member else source.schema(value)
    )
    try:
        found = BoundaryValues(source.definition).values(asked, hint)
    except _MALFORMED:
        return
    form = judge.outline(element)

    def rank(each: Json) -> tuple[bool, int]:
        return invented(form, each), -_size(each.get(member) if member and isinstance(each, dict) else each)

    ranked = sorted(found, key=rank)
    kept = 0
    for each in ranked:
        if judge.errors(value, element.direction, each) == ():
            yield each
            kept += 1
        if kept == 12:
            return


def invented(form: TypeOutline, value: Json) -> bool:
    """True for a value with members that a schema names nowhere, though it names some and describes no others."""
    if isinstance(value, list):
        return form.items is not None and any(invented(form.items, item) for item in value)
    if not isinstance(value, dict):
        return False
    free = form.patterned or not form.members or form.rest not in (None, TypeOutline())
    return any(
        invented(form.members[name], member) if name in form.members else not free for name, member in value.items()
    )


def refused(judges: tuple[Judge, Judge], elements: tuple[Element, Element]) -> Iterator[Json]:
    """Values that one contract admits for its element and the other one refuses for its own, the smallest first.

    Args:
        judges: of the contract that sends, and of the one that expects.
        elements: with the value set of each.
    """
    values = elements[0].value, elements[1].value
    if values[0] is None or values[1] is None:
        return
    sent, expected = (judge.source(each.direction) for judge, each in zip(judges, elements, strict=True))
    try:
        found = BoundaryValues(sent.definition, expected.definition).values(
            sent.schema(values[0]), expected.schema(values[1])
        )
    except _MALFORMED:
        return
    for value in found:
        if judges[0].errors(values[0], elements[0].direction, value) == ():
            broken = judges[1].errors(values[1], elements[1].direction, value)
            if broken and not isinstance(broken, str):
                yield value


def _size(value: Json) -> int:
    return len(value) if isinstance(value, (list, dict)) else 0


_T = TypeVar("_T")
_STATUSES: Final = (500, 400, 404, 503, 418, 599, 200, 201, 299, 302, 100)
NO_VALUE: Final = "no small valid value was found for a part that the sender must give"


@frozen(kw_only=True)
class Wish:
    """What a message is about; the rest is filled in.

    Attributes:
        chain: from the operation at the top down to the element, callbacks between included.
        values: values of elements, by `id`; a response's header is sent for it even where it is optional.
        credentials: to present; the smallest alternative when None.
        other: the same operation in the other contract: where the contract leaves a choice, both should agree.
        response, media: the other contract's response and media type for the same part, as `other`.
        content_type: of the body, when it has to be a certain one.
        variables: values of the server's variables, by position; their defaults otherwise.
    """

    chain: tuple[Element, ...]
    values: Mapping[int, Json] = field(default_factory=dict)
    credentials: Alternative | None = None
    other: Element | None = None
    response: Element | None = None
    media: Element | None = None
    content_type: str = ""
    variables: Mapping[int, str] = field(default_factory=dict)

    @property
    def operation(self) -> Element:
        """The operation that the message belongs to: the innermost."""
        return next(element for element in reversed(self.chain) if element.kind is ElementKind.OPERATION)

    def part(self, kind: ElementKind) -> Element | None:
        """The element of a kind below the operation."""
        own = self.chain[self.chain.index(self.operation) + 1 :]
        return next((element for element in own if element.kind is kind), None)


class Composer:
    """Builds messages that one contract's sender may send."""

    def __init__(
        self, acceptor: MessageAdmission, servers: frozenset[str] = frozenset(), segments: frozenset[str] = frozenset()
    ) -> None:
        """What the other contract has: keys of `servers`, one of both is preferred, and `segments` of its paths."""
        self._acceptor = acceptor
        self._fill = Fill(acceptor.judge)
        self._servers = servers
        self._segments = segments | segments_of(acceptor.judge.contract)
        self._required: dict[int, tuple[Element, ...]] = {}

    def values(self, element: Element) -> tuple[Json, ...]:
        """A handful of values of an element, those that fill it in where nothing is asked for."""
        return self._fill.values(element)

    def compose(self, wish: Wish) -> Message:
        """The message.

        Raises:
            NotOnWire: a part cannot be written, with the reason.
        """
        base = self._request_line(wish)
        response = wish.part(ElementKind.RESPONSE)
        return self._request(wish, base) if response is None else self._response(wish, response, base)

    def _request_line(self, wish: Wish) -> Message:
        operation = wish.operation
        method, _, path = operation.name.partition(" ")
        if operation.role is not Role.REQUEST:
            keys = (element.key for element in wish.chain[: wish.chain.index(operation) + 1])
            return Message(
                method=operation.name.split(" ")[-1 if operation.role is Role.WEBHOOK else 0],
                path="",
                route=" > ".join(keys),
            )
        server = self._server(wish)
        filled = self._path(path, wish)
        if server is None:
            return Message(method=method, path=filled)
        base, called = base_text(server, wish.variables), origin_text(server, wish.variables)
        return Message(method=method, path=base + filled, server=called)

    def _server(self, wish: Wish) -> Element | None:
        known = self._acceptor.routes.servers(wish.operation)
        asked = next((element for element in wish.chain if element.kind is ElementKind.SERVER), None)
        shared = (server for server in known if server.key in self._servers)
        return asked or next(shared, known[0] if known else None)

    def _path(self, path: str, wish: Wish) -> str:
        declared = {element.key: element for element in self._sent(wish, "path")}
        made, at = "", 0
        rest = as_sent(path)
        while "{" in rest:
            head, _, tail = rest.partition("{")
            _, _, rest = tail.partition("}")
            parameter = declared.get(f"path:{at}")
            made += head + (self._path_text(parameter, wish) if parameter is not None else "a")
            at += 1
        return made + rest

    def _path_text(self, parameter: Element, wish: Wish) -> str:
        if children_of(parameter, ElementKind.MEDIA_TYPE):
            return self._content_text(parameter, wish, lambda text: quote(text, safe=""))
        style = style_of(parameter, "path", parameter.name)
        asked = id(parameter) in wish.values

        def write(value: Json) -> str:
            text = to_text(value, style)
            if text in self._segments and not asked:
                raise NotOnWire("the text leads to another path")
            return text

        return self._first(parameter, wish, write)

    def _sent(self, wish: Wish, location: str) -> Iterator[Element]:
        """The parameters of a location that the message carries: those that are owed, then what it is about."""
        owed = self._owed(wish.operation)
        yield from (element for element in owed if element.key.startswith(f"{location}:"))
        focus = wish.part(ElementKind.PARAMETER)
        if focus is not None and focus.key.startswith(f"{location}:") and all(focus is not element for element in owed):
            yield focus

    def _owed(self, operation: Element) -> tuple[Element, ...]:
        if id(operation) not in self._required:
            parameters = children_of(operation, ElementKind.PARAMETER)
            owed = tuple(element for element in parameters if element.facet("required") is True)
            self._required[id(operation)] = owed
        return self._required[id(operation)]

    def _request(self, wish: Wish, base: Message) -> Message:
        message = replace(
            base,
            query=self._pairs(wish, "query"),
            cookies=self._pairs(wish, "cookie"),
            headers=tuple(
                (element.key.partition(":")[2], self._header(element, wish)) for element in self._sent(wish, "header")
            ),
            credentials=self._credentials(wish),
        )
        body = next(iter(children_of(wish.operation, ElementKind.BODY)), None)
        asked = wish.part(ElementKind.BODY) is not None
        if body is None or not (asked or body.facet("required") is True):
            return message
        return self._carrying(message, body, wish)

    def _pairs(self, wish: Wish, location: str) -> Pairs:
        found: list[tuple[str, str]] = []
        for element in self._sent(wish, location):
            if children_of(element, ElementKind.MEDIA_TYPE):
                text = self._content_text(element, wish, lambda text: quote(text, safe=""))
                found.append((quote(element.name, safe="-._~[]"), text))
                continue
            style = style_of(element, location, element.name)
            found.extend(self._first(element, wish, lambda value, style=style: to_pairs(value, style)))  # type: ignore[misc]
        return tuple(found)

    def _header(self, element: Element, wish: Wish) -> str:
        if children_of(element, ElementKind.MEDIA_TYPE):
            return self._content_text(element, wish, lambda text: text)
        style = style_of(element, "header", element.name)
        return self._first(element, wish, lambda value: to_text(value, style))

    def _content_text(self, element: Element, wish: Wish, write: Callable[[str], str]) -> str:
        """The text of a parameter with `content`."""
        media = children_of(element, ElementKind.MEDIA_TYPE)[0]
        body = self._encoded(media, stands_for(media.key), wish)
        if body.form != "json":
            raise NoCodec("a parameter with content is written as JSON only")
        return write(json.dumps(body.content, separators=(",", ":")))

    def _credentials(self, wish: Wish) -> Alternative:
        if wish.credentials is not None:
            return wish.credentials
        _, known = demanded(wish.operation)
        expected = demanded(wish.other)[1] if wish.other is not None else ({},)
        demands = Demands(expected or ({},))
        return min(known, key=lambda each: (not demands.met(each), len(each)), default={})

    def _carrying(self, message: Message, owner: Element, wish: Wish) -> Message:
        """The message with the body of a request or response."""
        reason = NotOnWire(NO_VALUE)
        for media in self._media_types(owner, wish):
            content_type = self._content_type(media, wish)
            try:
                body = self._encoded(media, content_type, wish)
            except NotOnWire as error:
                reason = error
                continue
            return replace(message, content_type=content_type, body=body)
        raise reason

    def _media_types(self, owner: Element, wish: Wish) -> Sequence[Element]:
        """The asked one; else those that both contracts have first, JSON before others."""
        known = children_of(owner, ElementKind.MEDIA_TYPE)
        asked = wish.part(ElementKind.MEDIA_TYPE)
        if asked is not None and asked in known:
            return (asked,)
        return sorted(known, key=lambda element: (id(element) not in wish.values, not is_json(stands_for(element.key))))

    def _content_type(self, media: Element, wish: Wish) -> str:
        """The media type to send; of a range, the asked one, or the one that the other contract names."""
        if wish.content_type and media is wish.part(ElementKind.MEDIA_TYPE):
            return wish.content_type
        open_ = "*" in media.key or (wish.media is not None and essence(wish.media.key) == media.key)
        named = wish.media.key if wish.media is not None and open_ else "*"
        if "*" not in named and declared_for(named, (media,))[0] is media:
            return named
        return stands_for(media.key)

    def _encoded(self, media: Element, content_type: str, wish: Wish) -> Body:
        form = self._acceptor.judge.body_outline(media, content_type)
        return self._first(media, wish, lambda value: encode(value, media, content_type, form))

    def _response(self, wish: Wish, response: Element, base: Message) -> Message:
        focus = wish.part(ElementKind.HEADER)
        headers = tuple(
            (element.key, self._header(element, wish))
            for element in children_of(response, ElementKind.HEADER)
            if element is focus or id(element) in wish.values or element.facet("required") is True
        )
        message = replace(base, status=self._status(wish, response), headers=headers)
        declared = children_of(response, ElementKind.MEDIA_TYPE)
        return self._carrying(message, response, wish) if declared and base.method != "HEAD" else message

    def _status(self, wish: Wish, response: Element) -> int:
        """A status that the sender's contract describes by this response."""
        if response.key.isdecimal():
            return int(response.key)
        hint = _statuses(wish.response.key) if wish.response is not None else []
        usual = _statuses(response.key) or [*_STATUSES]
        filled = any(child.kind is ElementKind.MEDIA_TYPE for child in response.children)
        found = (
            status
            for status in (*hint, *usual)
            if response_for(wish.operation, status) is response and (carries_content(str(status)) or not filled)
        )
        status = next(found, None)
        if status is None:
            raise NotOnWire("every status of the range has a description of its own")
        return status

    def _first(self, element: Element, wish: Wish, write: Callable[[Json], _T]) -> _T:
        """The first value of an element that can be written: the wished one, or one that fills in."""
        if id(element) in wish.values:
            return write(wish.values[id(element)])
        reason = NotOnWire(NO_VALUE)
        for value in self._fill.values(element):
            try:
                return write(value)
            except NotOnWire as error:
                reason = error
        raise reason


def segments_of(contract: Contract) -> frozenset[str]:
    """The segments that the paths of a contract spell out: what fills in a variable must be none of them."""
    paths = (operation.name.partition(" ")[2] for operation in contract.operations)
    return frozenset(segment for path in paths for segment in as_sent(path).split("/") if "{" not in segment)


def _statuses(key: str) -> list[int]:
    """The statuses that a response's key names, none for `default`."""
    if key.isdecimal():
        return [int(key)]
    return [*range(int(key[0]) * 100, int(key[0]) * 100 + 100)] if key[:1].isdecimal() else []
