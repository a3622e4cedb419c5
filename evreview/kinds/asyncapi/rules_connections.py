"""AsyncAPI: variables in addresses, servers, security and bindings: how both sides come together."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from evreview.comparison.delta import Delta
from evreview.comparison.rules.rule import FormChange, Match, Rule, covered
from evreview.comparison.rules.security import still_suffices
from evreview.contract.model import ElementKind
from evreview.core.vocabulary import Change, Direction, Json, Verdict
from evreview.kinds.asyncapi.alignment import FACET
from evreview.kinds.asyncapi.rules_operations import (
    ADDRESS,
    PLACED,
    Part,
    beside,
    breaks,
    contract,
    directed,
    edit,
    fits,
    leaves_open,
    whole,
)

# Variables in addresses, apart from the values that they stand for.


_PARAMETER: Final = "AsyncAPI 3.0, Parameter Object"


def of_parameters() -> Iterator[Rule]:
    """The rules of where a variable's value stands, and of what one generation can't say of it."""
    text = (
        "a parameter of the address is taken from elsewhere in the message",
        "Address and message disagree about the value.",
        _PARAMETER,
    )
    match = Match(elements=(ElementKind.PARAMETER,), facets=("location",), changes=(Change.CHANGED,))
    forms = tuple({"parameters": {"shop": {"location": f"$message.{part}#/shop"}}} for part in ("header", "payload"))
    yield from directed("parameter-location-changed", Verdict.BREAKING, text, match, ("channel", forms[0], forms[1]))
    text = (
        "the contract begins or ceases to say where a parameter's value stands in the message",
        "Whether messages carry the value there today is not said.",
        _PARAMETER,
    )
    match = Match(elements=(ElementKind.PARAMETER,), facets=("location",))
    yield from directed("parameter-location-stated", Verdict.UNKNOWN, text, match, ("channel", {}, forms[0]))
    yield leaves_open(
        "parameter-schema-untold",
        (
            "A parameter has a schema in 2.x, and none in 3.x",
            "Parameters of AsyncAPI 3 are texts, of which it can list some: a type, format or pattern is no longer, or "
            "not yet, told. Whether other addresses are used for that is not said.",
            _PARAMETER,
        ),
        Match(elements=(ElementKind.PARAMETER,), facets=(FACET,)),
        *beside(_older({"type": "integer"}), contract(Direction.READ), _older({"type": "string"})),
    )


def _older(schema: Json) -> Json:
    """The contract that shows the rules, as 2.6 writes it, with a schema for the variable of its address."""
    channel: Json = {"parameters": {"shop": {"schema": schema}}, "publish": {"message": PLACED}}
    info: Json = {"title": "Orders", "version": "1"}
    return {"asyncapi": "2.6.0", "info": info, "channels": {ADDRESS: channel}}


_SERVER: Final = "AsyncAPI 3.0, Server Object"
_VARIABLE: Final = "AsyncAPI 3.0, Server Variable Object"
_SECURITY: Final = "AsyncAPI 3.0, Security Scheme Object"
_BREAKS, _FITS, _OPEN = Verdict.BREAKING, Verdict.COMPATIBLE, Verdict.UNKNOWN
_SERVERS: Final = (ElementKind.SERVER,)
_ENUMS: Final = tuple(f"variables.{at}.enum" for at in range(10))
_DEFAULTS: Final = tuple(f"variables.{at}.default" for at in range(10))
_BROKER: Final[Part] = {"host": "broker.example.test:9092", "protocol": "kafka"}
_OTHER: Final[Part] = {"host": "other.example.test:9092", "protocol": "kafka"}


def _served(*servers: Part) -> Json:
    named: dict[str, Json] = {f"s{at}": dict(each) for at, each in enumerate(servers)}
    return contract(Direction.READ, document={"servers": named})


def _variable(default: str, *allowed: str) -> Part:
    variables: Json = {"region": {"default": default, "enum": list(allowed)}}
    return {"host": "{region}.example.test", "protocol": "mqtt", "variables": variables}


def _of_servers() -> Iterator[Rule]:
    yield fits(
        "server-covered-by-others",
        ("A server gave way to others that serve its addresses", "Every released address is still there.", _SERVER),
        Match(elements=_SERVERS, facets=("",), changes=(Change.REMOVED,), when=covered),
        *beside(
            _served(_variable("eu", "eu", "us"), {"host": "eu.example.test", "protocol": "mqtt"}),
            _served(_variable("eu", "eu", "us")),
            _served({"host": "eu.example.test", "protocol": "mqtt"}),
        ),
    )
    yield breaks(
        "server-removed",
        ("A server was removed", "Whoever connects to the released address meets nobody there by contract.", _SERVER),
        whole(ElementKind.SERVER, Change.REMOVED),
        edit(_served(_BROKER, _OTHER), _served(_BROKER)),
    )
    yield fits(
        "server-added",
        ("A server was added", "Whoever uses the released address goes on doing so.", _SERVER),
        whole(ElementKind.SERVER, Change.ADDED),
        edit(_served(_BROKER), _served(_BROKER, _OTHER)),
    )


def _of_variables() -> Iterator[Rule]:
    yield fits(
        "server-variable-value-added",
        ("A server variable admits more values", "Every released address is still one of the candidate's.", _VARIABLE),
        Match(elements=_SERVERS, facets=_ENUMS, shift=(FormChange.GREW, FormChange.UNSET)),
        edit(_served(_variable("eu", "eu")), _served(_variable("eu", "eu", "us"))),
    )
    yield breaks(
        "server-variable-value-removed",
        ("A server variable admits fewer values", "A released address is no longer one of the candidate's.", _VARIABLE),
        Match(elements=_SERVERS, facets=_ENUMS),
        edit(_served(_variable("eu", "eu", "us")), _served(_variable("eu", "eu"))),
    )
    yield fits(
        "server-variable-default-changed",
        (
            "The default of a server variable changed",
            "The address with the released default is still one of the variable's; a value that it no longer admits is "
            "a row of its own.",
            _VARIABLE,
        ),
        Match(elements=_SERVERS, facets=_DEFAULTS),
        *beside(
            _served(_variable("eu", "eu", "us")), _served(_variable("us", "eu", "us")), _served(_variable("eu", "eu"))
        ),
    )


def _of_protocols() -> Iterator[Rule]:
    yield leaves_open(
        "protocol-version-stated",
        (
            "The version of a server's protocol is stated now, or no longer",
            "The side that states none leaves it open which version its peers speak.",
            _SERVER,
        ),
        Match(elements=_SERVERS, facets=("protocolVersion",), shift=(FormChange.SET, FormChange.UNSET)),
        *beside(_served(_BROKER), _served({**_BROKER, "protocolVersion": "3.6"}), _served(_BROKER, _OTHER)),
    )
    yield breaks(
        "protocol-version-changed",
        (
            "A server speaks another version of its protocol",
            "Old peers speak the released version; whether the broker still understands it the contract does not say.",
            _SERVER,
        ),
        Match(elements=_SERVERS, facets=("protocolVersion",)),
        *beside(
            _served({**_BROKER, "protocolVersion": "3.4"}),
            _served({**_BROKER, "protocolVersion": "3.6"}),
            _served({**_BROKER, "protocolVersion": "3.4"}, _OTHER),
        ),
    )


_PASSWORD: Final[Json] = {"type": "userPassword"}
_CERTIFICATE: Final[Json] = {"type": "X509"}


def _oauth(url: str, *scopes: str) -> Json:
    flow: Json = {"tokenUrl": url, "availableScopes": {scope: scope for scope in scopes}}
    return {"type": "oauth2", "flows": {"clientCredentials": flow}}


def _unused(scheme: Json) -> Part:
    """A server that nobody is on, with what it demands."""
    return {"components": {"servers": {"spare": {**_BROKER, "security": [scheme]}}}}


def _demanding(*schemes: Json) -> Json:
    return _served({**_BROKER, "security": list(schemes)})


_URL: Final = "https://login.example.test/token"
_FLOWS: Final = ("authorizationCode", "clientCredentials", "implicit", "password")
_SCOPES: Final = ("flows", *(f"flows.{flow}{part}" for flow in _FLOWS for part in ("", ".scopes")))
_URLS: Final = (
    *(f"flows.{flow}.{url}" for flow in _FLOWS for url in ("authorizationUrl", "tokenUrl", "refreshUrl")),
    "openIdConnectUrl",
)


def _undirected(delta: Delta) -> bool:
    return delta.direction is None


def _of_security() -> Iterator[Rule]:
    less = (
        "every released way to prove oneself still suffices",
        "Each released alternative satisfies one of the candidate's.",
    )
    more = (
        "a released way to prove oneself no longer suffices",
        "Some released alternative satisfies none of the candidate's: a scheme or a scope was added to what is asked.",
    )
    either = edit(_demanding(_PASSWORD), _demanding(_PASSWORD, _CERTIFICATE))
    demand, facet = (ElementKind.SECURITY,), ("requirements",)
    match = Match(elements=demand, facets=facet, when=lambda delta: _undirected(delta) and still_suffices(delta))
    yield fits("server-security-relaxed", (f"Server: {less[0]}", less[1], _SECURITY), match, either)
    match = Match(elements=demand, facets=facet, when=_undirected)
    back = edit(_demanding(_PASSWORD, _CERTIFICATE), _demanding(_PASSWORD))
    yield breaks("server-security-tightened", (f"Server: {more[0]}", more[1], _SECURITY), match, back)
    both: tuple[Part, Part] = {"security": [_PASSWORD]}, {"security": [_PASSWORD, _CERTIFICATE]}
    match = Match(elements=demand, facets=facet, when=still_suffices)
    yield from directed("security-relaxed", _FITS, (*less, _SECURITY), match, ("operation", *both))
    match = Match(elements=demand, facets=facet)
    yield from directed("security-tightened", _BREAKS, (*more, _SECURITY), match, ("operation", *both[::-1]))


def _of_schemes() -> Iterator[Rule]:
    schemes = (ElementKind.SECURITY_SCHEME,)
    yield fits(
        "security-scheme-came-or-went",
        ("A security scheme came or went with what demands it", "What demands it has rows of its own.", _SECURITY),
        Match(elements=schemes, facets=("",)),
        *beside(
            contract(Direction.READ),
            contract(Direction.READ, document=_unused(_PASSWORD)),
            contract(Direction.READ, document={"servers": {"s0": dict(_BROKER)}}),
        ),
    )
    yield fits(
        "scope-or-authorization-address-added",
        ("A scope or an address of the authorization server was added", "Nobody asked for it before.", _SECURITY),
        Match(elements=schemes, facets=(*_SCOPES, *_URLS), shift=(FormChange.GREW, FormChange.SET)),
        edit(_demanding(_oauth(_URL, "a")), _demanding(_oauth(_URL, "a", "b"))),
    )
    yield breaks(
        "scope-or-authorization-address-changed",
        (
            "A scope is no longer offered, or the authorization server moved",
            "Whoever asks for the scope, or asks at the released address, gets no token.",
            _SECURITY,
        ),
        Match(elements=schemes, facets=(*_SCOPES, *_URLS)),
        edit(_demanding(_oauth(_URL, "a", "b")), _demanding(_oauth(_URL, "a"))),
    )


_PARTITIONED: Final = "AsyncAPI bindings, Kafka Channel Binding Object, `partitions`"
_BOUND: Final = "AsyncAPI bindings of the protocol"
_DESTINATIONS: Final = (
    "topic", "is", "exchange.name", "exchange.type", "exchange.vhost", "queue.name", "queue.vhost", "name",
    "destination", "destinationType", "method", "type", "queue.accessType", "responseTopic", "subject", "address",
    "destinations", "statusCode", "messageType", "contentEncoding", "contentType", "payloadFormatIndicator",
    "namespace", "persistence", "replyTo", "queue.objectName", "topic.string", "topic.objectName",
    "schemaIdLocation", "schemaIdPayloadEncoding", "schemaSettings.encoding", "schemaSettings.name",
)  # fmt: skip
_DELIVERY: Final = (
    "qos", "retain", "ack", "deliveryMode", "expiration", "messageExpiryInterval", "exchange.durable", "queue.durable",
    "queue.exclusive", "exchange.autoDelete", "queue.autoDelete", "cleanSession", "priority", "mandatory",
    "queue.fifoQueue", "fifoQueue", "ordering.type", "queue.deduplicationScope", "queue.fifoThroughputLimit",
    "queue.contentBasedDeduplication", "topicConfiguration.cleanup.policy", "topicConfiguration.retention.ms",
    "topicConfiguration.retention.bytes", "topicConfiguration.delete.retention.ms", "messageRetentionDuration", "ttl",
    "expiry", "retention.time", "retention.size", "qosPolicies.reliability", "qosPolicies.durability",
    "qosPolicies.history", "qosPolicies.lifespan", "qosPolicies.deadline",
)  # fmt: skip
_UNSEEN: Final = ("replicas",)
_ON_BINDING: Final = (ElementKind.BINDING,)


def _kafka(**members: Json) -> Part:
    return {"bindings": {"kafka": dict(members)}}


def _exchange(name: str) -> Part:
    return {"bindings": {"amqp": {"exchange": {"name": name}}}}


def _mqtt(qos: int) -> Part:
    return {"bindings": {"mqtt": {"qos": qos}}}


def _of_bindings() -> Iterator[Rule]:
    text = (
        "the number of partitions changed",
        "A key may lead to another partition than before: the order that holds per key breaks at the change.",
        _PARTITIONED,
    )
    match = Match(elements=_ON_BINDING, facets=("partitions",), changes=(Change.CHANGED,))
    forms = _kafka(partitions=3), _kafka(partitions=6)
    yield from directed("partitions-changed", _BREAKS, text, match, ("channel", *forms))
    text = (
        "the destination that the protocol knows changed",
        "The binding names where and as what messages travel.",
        _BOUND,
    )
    match = Match(elements=_ON_BINDING, facets=_DESTINATIONS, changes=(Change.CHANGED,))
    forms = _exchange("orders"), _exchange("orders-2")
    yield from directed("destination-changed", _BREAKS, text, match, ("channel", *forms))
    text = (
        "order, acknowledgement or keeping of messages changed",
        "The binding says what both sides may count on: how often, in which order and how long messages come.",
        _BOUND,
    )
    match = Match(elements=_ON_BINDING, facets=_DELIVERY, changes=(Change.CHANGED,))
    yield from directed("delivery-changed", _BREAKS, text, match, ("operation", _mqtt(2), _mqtt(0)))
    text = ("how often the broker copies a topic changed", "No sender and no consumer sees the copies.", _BOUND)
    match = Match(elements=_ON_BINDING, facets=_UNSEEN)
    forms = _kafka(replicas=3), _kafka(replicas=2)
    yield from directed("replicas-changed", _FITS, text, match, ("channel", *forms))


def _of_bindings_that_are_open() -> Iterator[Rule]:
    text = (
        "the application's own identity at the broker changed",
        "Peers do not see it, yet positions, permissions and quotas hang on it, of which the contract says nothing.",
        _BOUND,
    )
    match = Match(elements=_ON_BINDING, when=lambda delta: delta.facet.partition(".")[0] in ("groupId", "clientId"))
    forms = _kafka(clientId={"type": "string", "enum": ["a"]}), _kafka(clientId={"type": "string", "enum": ["b"]})
    yield from directed("client-identity-changed", _OPEN, text, match, ("operation", *forms))
    text = (
        "a binding came or went",
        "One of the contracts does not say what the protocol adds, so that nothing can be compared.",
        _BOUND,
    )
    match = Match(elements=_ON_BINDING, facets=("",))
    yield from directed("binding-stated", _OPEN, text, match, ("channel", {}, _kafka(partitions=3)))
    text = ("a member of a binding changed", "What the member means for the other side is not known here.", _BOUND)
    match = Match(elements=_ON_BINDING, when=lambda delta: delta.facet != "")
    forms = _kafka(linger=1), _kafka(linger=2)
    yield from directed("binding-changed", _OPEN, text, match, ("channel", *forms))
    yield leaves_open(
        "binding-without-direction-changed",
        (
            "A binding changed of a server, or of a channel that no operation uses",
            "What it means for those who connect is not known here.",
            _BOUND,
        ),
        Match(elements=_ON_BINDING, when=_undirected),
        *beside(
            _served({**_BROKER, **_kafka(schemaRegistryVendor="a")}),
            _served({**_BROKER, **_kafka(schemaRegistryVendor="b")}),
            _served({**_BROKER, **_kafka(schemaRegistryVendor="a")}, _OTHER),
        ),
    )


def _kept(delta: Delta) -> bool:
    """True when a channel is on every server that it was on."""
    old, new = delta.released, delta.candidate
    return isinstance(new, str) or (isinstance(old, list) and isinstance(new, list) and _texts(old) <= _texts(new))


def _texts(listed: list[Json]) -> set[str]:
    return {str(each) for each in listed}


def _on(*names: str) -> Json:
    listed: list[Json] = [{"$ref": f"#/servers/{name}"} for name in names]
    document: Part = {"servers": {"s0": dict(_BROKER), "s1": dict(_OTHER), "s2": dict(_variable("eu", "eu"))}}
    return contract(Direction.READ, channel={"servers": listed}, document=document)


def _of_channels() -> Iterator[Rule]:
    channel = (ElementKind.CHANNEL,)
    yield fits(
        "channel-on-more-servers",
        ("A channel is on more servers", "It is still on every released one.", "AsyncAPI 3.0, Channel Object"),
        Match(elements=channel, facets=("servers",), when=_kept),
        edit(_on("s0"), _on("s0", "s1")),
    )
    yield breaks(
        "channel-on-fewer-servers",
        (
            "A channel is no longer on a released server",
            "Whoever uses the channel there meets nobody by contract.",
            "AsyncAPI 3.0, Channel Object",
        ),
        Match(elements=channel, facets=("servers",)),
        edit(_on("s0", "s1"), _on("s0")),
    )


RULES: Final[tuple[Rule, ...]] = (
    *_of_servers(),
    *_of_variables(),
    *_of_protocols(),
    *_of_security(),
    *_of_schemes(),
    *_of_channels(),
    *of_parameters(),
    *_of_bindings(),
    *_of_bindings_that_are_open(),
)
