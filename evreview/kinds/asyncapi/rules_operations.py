"""AsyncAPI: operations, messages and replies, from the application's point of view; and the examples of its rules.

What it receives is read and what it sends is written, so one edit breaks one direction and leaves the other alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final

from evreview.comparison import delta as comparison_delta
from evreview.comparison.delta import Delta
from evreview.comparison.rules.rule import Example, FormChange, Match, Rule, Whole, covered
from evreview.comparison.rules.variance import Text, stated
from evreview.contract.model import ElementKind
from evreview.core.vocabulary import Change, Direction, Json, Verdict
from evreview.kinds.asyncapi.reader_servers import PAYLOADS

DOCUMENT: Final = Whole("AsyncAPI document", "events.json")

# The small contracts that show the rules.


ACTION: Final = {Direction.READ: "receive", Direction.WRITTEN: "send"}
ADDRESS: Final = "orders/{shop}"
_CHANNEL_REF: Final[Json] = {"$ref": "#/channels/orders"}
PLACED: Final[dict[str, Json]] = {
    "name": "placed",
    "contentType": "application/json",
    "payload": {"type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"]},
}
CANCELLED: Final[dict[str, Json]] = {
    "name": "cancelled",
    "contentType": "application/json",
    "payload": {"type": "object", "properties": {"why": {"type": "string"}}, "required": ["why"]},
}
Part = Mapping[str, Json]


def contract(
    direction: Direction | None,
    *messages: Part,
    channel: Part | None = None,
    operation: Part | None = None,
    document: Part | None = None,
) -> Json:
    """A contract with one channel and one operation on it; without a direction nobody sends or receives."""
    carried: dict[str, Json] = {f"m{at}": dict(each) for at, each in enumerate(messages or (PLACED,))}
    on: dict[str, Json] = {"address": ADDRESS, "messages": carried, **(channel or {})}
    made: dict[str, Json] = {
        "asyncapi": "3.0.0",
        "info": {"title": "Orders", "version": "1"},
        "channels": {"orders": on},
    }
    if direction is not None:
        made["operations"] = {"orders": {"action": ACTION[direction], "channel": _CHANNEL_REF, **(operation or {})}}
    return {**made, **(document or {})}


def edit(before: Json, after: Json) -> Example:
    """An edit of a whole contract."""
    return Example(DOCUMENT, before, after)


def beside(before: Json, after: Json, other: Json) -> tuple[Example, Example]:
    """An edit, and another one that starts at the same contract and must not fire the rule."""
    return Example(DOCUMENT, before, after), Example(DOCUMENT, before, other)


_OPERATION: Final = "AsyncAPI 3.0, Operation Object, `action`"
_CHANNEL: Final = "AsyncAPI 3.0, Channel Object"
_MESSAGE: Final = "AsyncAPI 3.0, Message Object"
_REPLY: Final = "AsyncAPI 3.0, Operation Reply Object"
_BREAKS, _FITS, _OPEN = Verdict.BREAKING, Verdict.COMPATIBLE, Verdict.UNKNOWN
_READ, _WRITTEN = Direction.READ, Direction.WRITTEN
NAMED: Final = {_READ: "received", _WRITTEN: "sent"}
_NOTHING: Final[Json] = {"asyncapi": "3.0.0", "info": {"title": "Orders", "version": "1"}, "channels": {}}


def one(name: str, verdict: Verdict, text: tuple[str, str, str], match: Match, *shown: Example) -> Rule:
    """One rule; `text` is title, why and reference."""
    return stated(f"asyncapi-{name}", verdict, Text(text[0], text[1], text[2]), match, *shown)


def breaks(name: str, text: tuple[str, str, str], match: Match, *shown: Example) -> Rule:
    """`one` about a change that breaks."""
    return one(name, _BREAKS, text, match, *shown)


def fits(name: str, text: tuple[str, str, str], match: Match, *shown: Example) -> Rule:
    """`one` about a change that breaks nobody."""
    return one(name, _FITS, text, match, *shown)


def leaves_open(name: str, text: tuple[str, str, str], match: Match, *shown: Example) -> Rule:
    """`one` about a change whose effect the contract does not tell."""
    return one(name, _OPEN, text, match, *shown)


def whole(element: ElementKind, change: Change, direction: Direction | None = None) -> Match:
    """An element that came or went."""
    return Match(elements=(element,), facets=("",), changes=(change,), direction=direction)


def _of_operations() -> Iterator[Rule]:
    yield from _unread(ElementKind.OPERATION, "operation")
    yield _held_by_template()
    whys = {
        (_READ, Change.REMOVED): "Messages of old senders still arrive at the address, where nobody receives them.",
        (_READ, Change.ADDED): "No old sender writes there because of this contract.",
        (_WRITTEN, Change.REMOVED): "Consumers wait at the address for messages that no longer come.",
        (_WRITTEN, Change.ADDED): "The messages reach only those who begin to listen there.",
    }
    said = {
        (_READ, Change.REMOVED): "receive-removed",
        (_READ, Change.ADDED): "receive-added",
        (_WRITTEN, Change.REMOVED): "send-removed",
        (_WRITTEN, Change.ADDED): "send-added",
    }
    for (direction, change), why in whys.items():
        gone = change is Change.REMOVED
        both = contract(direction), _NOTHING
        title = f"The application {'no longer' if gone else 'newly'} {said[direction, change].partition('-')[0]}s"
        text = (f"{title} on an address", why, _OPERATION)
        match = whole(ElementKind.OPERATION, change, direction)
        verdict = _BREAKS if gone else _FITS
        yield one(said[direction, change], verdict, text, match, edit(*(both if gone else both[::-1])))


def _unread(element: ElementKind, word: str) -> Iterator[Rule]:
    """The rules about an element that went from a contract in which one like it could not be read."""
    for direction, named in NAMED.items():
        text = (
            f"A {named} {word} may have gone",
            f"A part of the candidate that may hold the {word} could not be read, so nobody knows whether it went.",
            _OPERATION if element is ElementKind.OPERATION else _MESSAGE,
        )
        matched = replace(
            whole(element, Change.REMOVED, direction),
            when=lambda delta: delta.facts.get(comparison_delta.MAYBE_UNREAD) is True,
        )
        yield leaves_open(f"{named}-{word}-unread", text, matched, *beside(*_lost(element, direction)))


def _lost(element: ElementKind, direction: Direction) -> tuple[Json, Json, Json]:
    """A contract, the same one with a reference to an element that leads nowhere, and the one without it."""
    if element is ElementKind.OPERATION:
        return contract(direction), contract(direction, document={"channels": {}}), _NOTHING
    lost: dict[str, Json] = {"m0": dict(PLACED), "m1": {"$ref": "#/components/messages/nowhere"}}
    unread = contract(direction, channel={"messages": lost})
    return contract(direction, PLACED, CANCELLED), unread, contract(direction, PLACED)


def _held_by_template() -> Rule:
    """The rule about an address that an address with variables still holds; what differs below has rows of its own."""
    text = (
        "The application receives on a wider address",
        "Messages of old senders arrive at an address that is one of those of a template, which is still received on.",
        _CHANNEL,
    )
    matched = replace(whole(ElementKind.OPERATION, Change.REMOVED, _READ), when=covered)
    both = _received("orders/eu", "orders/{region}"), _received("orders/{region}")
    return fits("receive-covered-by-template", text, matched, edit(*both))


def _received(*addresses: str) -> Json:
    """A contract whose application receives one message on several addresses."""
    channels: dict[str, Json] = {
        f"c{at}": {
            "address": address,
            "messages": {"placed": dict(PLACED)},
            **({"parameters": {"region": {}}} if "{" in address else {}),
        }
        for at, address in enumerate(addresses)
    }
    operations: dict[str, Json] = {
        name: {"action": "receive", "channel": {"$ref": f"#/channels/{name}"}} for name in channels
    }
    return contract(None, document={"channels": channels, "operations": operations})


def _versioned(version: str) -> Json:
    return contract(_READ, channel={"address": f"shop/{version}/orders"})


_MOVED: Final = breaks(
    "address-version-changed",
    (
        "Operations moved to another version of their address",
        "Old senders and consumers keep to the released address, where the candidate no longer is.",
        _CHANNEL,
    ),
    Match(elements=(ElementKind.OPERATION,), facets=("path",)),
    *beside(_versioned("v1"), _versioned("v2"), contract(_READ, CANCELLED, channel={"address": "shop/v1/orders"})),
)


def _of_messages() -> Iterator[Rule]:
    element = ElementKind.MESSAGE
    yield from _unread(element, "message")
    one_message, two = (contract(_READ, PLACED), contract(_READ, PLACED, CANCELLED))
    yield breaks(
        "received-message-removed",
        ("A message is no longer received", "Old senders go on sending it, and nothing handles it.", _MESSAGE),
        whole(element, Change.REMOVED, _READ),
        edit(two, one_message),
    )
    yield fits(
        "received-message-added",
        ("A message is newly received", "Every message of old senders is received as before.", _MESSAGE),
        whole(element, Change.ADDED, _READ),
        edit(one_message, two),
    )
    one_message, two = (contract(_WRITTEN, PLACED), contract(_WRITTEN, PLACED, CANCELLED))
    yield breaks(
        "sent-message-removed",
        ("A message is no longer sent", "Consumers that act on it wait for it in vain.", _MESSAGE),
        whole(element, Change.REMOVED, _WRITTEN),
        edit(two, one_message),
    )
    yield breaks(
        "sent-message-added",
        (
            "A message is newly sent on a released address",
            "Old consumers of the address get a message that the released contract does not name.",
            _MESSAGE,
        ),
        whole(element, Change.ADDED, _WRITTEN),
        edit(one_message, two),
    )
    yield leaves_open(
        "message-without-direction-changed",
        (
            "A message that no operation of the contract sends or receives came or went",
            "Nothing says whether the application reads or writes it, so that nobody knows whom it concerns.",
            _CHANNEL,
        ),
        Match(elements=(element,), facets=("",), when=lambda delta: delta.direction is None),
        *beside(contract(None, PLACED), contract(None, PLACED, CANCELLED), contract(_READ, PLACED)),
    )
    yield leaves_open(
        "channel-without-direction-changed",
        (
            "A channel that no operation of the contract uses came or went",
            "Nothing says whether the application sends or receives there.",
            _CHANNEL,
        ),
        Match(elements=(ElementKind.CHANNEL,), facets=("",)),
        *beside(contract(None), _NOTHING, contract(None, PLACED, CANCELLED)),
    )


_CONSEQUENCE: Final = {
    _READ: "Messages of old senders keep to the released form.",
    _WRITTEN: "Old consumers expect the released form.",
}


def directed(
    name: str, verdict: Verdict, text: tuple[str, str, str], match: Match, edited: tuple[str, Part, Part]
) -> Iterator[Rule]:
    """The two rules of a change that means the same for what is received and what is sent.

    Args:
        name: after the direction.
        verdict: of both.
        text: title, why and reference.
        match: without a direction.
        edited: message, channel or operation, and the members that the example gives it before and after.
    """
    title, why, reference = text
    for direction, side in NAMED.items():
        at, *forms = edited
        before, after = (_with(direction, each, at) for each in forms)
        told = f"{why} {_CONSEQUENCE[direction]}" if verdict is _BREAKS else why
        yield one(
            f"{side}-{name}",
            verdict,
            (f"{side.capitalize()}: {title}", told, reference),
            replace(match, direction=direction),
            *beside(before, after, _with(direction, forms[0], at, CANCELLED)),
        )


def _with(direction: Direction, members: Part, at: str, *more: Part) -> Json:
    if at == "message":
        return contract(direction, {**PLACED, **members}, *more)
    if at == "channel":
        return contract(direction, PLACED, *more, channel=members)
    return contract(direction, PLACED, *more, operation=members)


_JSON: Final[Part] = {"contentType": "application/json"}
_XML: Final[Part] = {"contentType": "application/xml"}
_BY_HEADER: Final[Part] = {"correlationId": {"location": "$message.header#/id"}}
_BY_PAYLOAD: Final[Part] = {"correlationId": {"location": "$message.payload#/id"}}
_RAML: Final[Part] = {"payload": {"schemaFormat": "application/raml+yaml;version=1.0", "schema": {"type": "string"}}}
_RAML_2: Final[Part] = {"payload": {"schemaFormat": "application/raml+yaml;version=1.0", "schema": {"type": "integer"}}}
_ON_MESSAGE: Final = (ElementKind.MESSAGE,)
_CHANGED: Final = (FormChange.REPLACED,)
_STATED: Final = (FormChange.SET, FormChange.UNSET)
_PLAIN: Final[Part] = {"name": "placed"}


def _plain_json(delta: Delta) -> bool:
    """True where the payload has a value set, which it has when its values are JSON, and the type that came is JSON."""
    return comparison_delta.TYPE in delta.facts and "application/json" in (delta.released, delta.candidate)


def _of_contents() -> Iterator[Rule]:
    match = Match(elements=_ON_MESSAGE, facets=("contentType",), shift=_CHANGED)
    text = ("the content type of a message changed", "The bytes are to be read in another way.", _MESSAGE)
    yield from directed("content-type-changed", _BREAKS, text, match, ("message", _JSON, _XML))
    match = Match(elements=_ON_MESSAGE, facets=("contentType",), shift=_STATED, when=_plain_json)
    text = (
        "the contract begins or ceases to say that a payload of JSON Schema is JSON",
        "What JSON Schema describes is written as JSON where nothing else is said.",
        _MESSAGE,
    )
    open_: Part = {"contentType": None}
    yield from directed("content-type-told-as-json", _FITS, text, match, ("message", open_, _JSON))
    match = Match(elements=_ON_MESSAGE, facets=("contentType",), shift=_STATED)
    text = (
        "the content type of a message came or went",
        "One of the contracts does not say how the bytes are to be read, so that nothing can be compared.",
        _MESSAGE,
    )
    yield from directed("content-type-stated", _OPEN, text, match, ("message", open_, _XML))
    match = Match(elements=_ON_MESSAGE, facets=("correlationId",), shift=(FormChange.REPLACED, FormChange.UNSET))
    text = ("messages are correlated by another value", "Replies and requests no longer find each other.", _MESSAGE)
    yield from directed("correlation-changed", _BREAKS, text, match, ("message", _BY_HEADER, _BY_PAYLOAD))
    match = Match(elements=_ON_MESSAGE, facets=("correlationId",), shift=(FormChange.SET,))
    text = (
        "messages are newly correlated",
        "Nobody relied on a correlation before; members that it needs have rows of their own.",
        _MESSAGE,
    )
    yield from directed("correlation-added", _FITS, text, match, ("message", _PLAIN, _BY_HEADER))
    match = Match(elements=_ON_MESSAGE, facets=PAYLOADS, changes=(Change.CHANGED,))
    text = (
        "a payload changed in a language that is not read here",
        "Whether the released and the candidate payload read each other is not computed for this schema format.",
        "AsyncAPI 3.0, Multi Format Schema Object",
    )
    yield from directed("unread-payload-changed", _OPEN, text, match, ("message", _RAML, _RAML_2))
    match = Match(elements=_ON_MESSAGE, facets=("schemaFormat", "schema", *PAYLOADS))
    text = (
        "the language that describes the payload changed",
        "Descriptions in two languages are not compared, and neither says alone whether the bytes changed.",
        "AsyncAPI 3.0, Multi Format Schema Object",
    )
    yield from directed("payload-language-changed", _OPEN, text, match, ("message", _PLAIN, _RAML))


_TO_HEADER: Final[Part] = {"reply": {"address": {"location": "$message.header#/to"}}}
_TO_PAYLOAD: Final[Part] = {"reply": {"address": {"location": "$message.payload#/to"}}}


def _of_replies() -> Iterator[Rule]:
    """A reply runs against its operation: what answers a received message is written."""
    for direction, change, verdict, why in (
        (_WRITTEN, Change.REMOVED, _BREAKS, "Requesters wait for an answer that no longer comes."),
        (_WRITTEN, Change.ADDED, _FITS, "Requesters that expect no answer are answered where nobody waits."),
        (_READ, Change.REMOVED, _FITS, "Answers of old repliers are no longer waited for."),
        (_READ, Change.ADDED, _BREAKS, "Old repliers do not answer, and the application waits for it."),
    ):
        gone = change is Change.REMOVED
        plain, replying = contract(direction.reversed), contract(direction.reversed, operation=_TO_HEADER)
        title = (
            f"{NAMED[direction].capitalize()}: a reply {'is no longer' if gone else 'is newly'} part of an operation"
        )
        yield one(
            f"{NAMED[direction]}-reply-{change.value}",
            verdict,
            (title, why, _REPLY),
            whole(ElementKind.REPLY, change, direction),
            edit(replying, plain) if gone else edit(plain, replying),
        )
    for direction in NAMED:
        yield breaks(
            f"{NAMED[direction]}-reply-address-changed",
            (
                f"{NAMED[direction].capitalize()}: replies go to another place",
                "One side of the exchange answers at the released address, the other one waits at the candidate's.",
                _REPLY,
            ),
            Match(elements=(ElementKind.REPLY,), facets=("channel", "address"), direction=direction),
            *beside(
                contract(direction.reversed, operation=_TO_HEADER),
                contract(direction.reversed, operation=_TO_PAYLOAD),
                contract(direction.reversed),
            ),
        )


RULES: Final[tuple[Rule, ...]] = (*_of_operations(), _MOVED, *_of_messages(), *_of_contents(), *_of_replies())
