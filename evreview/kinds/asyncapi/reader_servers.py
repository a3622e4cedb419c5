"""What stands around messages: languages of payloads, bindings of protocols, servers and security.

The same elements come out whether 2.x writes a URL and named demands or 3.x a host and references.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final, NamedTuple

from evreview.contract.json_reader import Node, described, unique
from evreview.contract.model import Element, ElementKind, Facet, Place, ValueSet
from evreview.core.frozen import frozen
from evreview.core.json_pointer import pointer
from evreview.core.vocabulary import Aspect, ClosedVocabulary, Json
from evreview.kinds.asyncapi.reader_channels import (
    DOCUMENT,
    MAX_DEPTH,
    REPLACING,
    VARIABLE,
    Destination,
    Merged,
    Named,
    Position,
    Scope,
    reference_name,
)
from evreview.messages.server_addresses import variable_facets

# The languages that payloads are described in, by `schemaFormat`, and OpenAPI's schemas in the words of draft 7.


class PayloadLanguage(ClosedVocabulary):
    """How a payload is described. The first is AsyncAPI's own, a superset of JSON Schema draft 7."""

    JSON = "json-schema"
    OPENAPI = "openapi-schema"
    AVRO = "avro"
    PROTOBUF = "protobuf"
    RAML = "raml"
    OTHER = "other"


def payload_facet(language: PayloadLanguage) -> str:
    """The facet that holds a payload described in another language than JSON Schema."""
    return f"{language.value} payload"


PAYLOADS: Final = tuple(
    payload_facet(each) for each in PayloadLanguage if each not in (PayloadLanguage.JSON, PayloadLanguage.OPENAPI)
)


class Format(NamedTuple):
    """A schema format: its language, and the version that is named after it."""

    language: PayloadLanguage
    version: str
    written: str

    @property
    def is_json(self) -> bool:
        """True when the values are JSON and described as such."""
        return self.language in (PayloadLanguage.JSON, PayloadLanguage.OPENAPI)


_LANGUAGES: Final = (
    ("application/vnd.aai.asyncapi", PayloadLanguage.JSON),
    ("application/schema", PayloadLanguage.JSON),
    ("application/vnd.oai.openapi", PayloadLanguage.OPENAPI),
    ("application/vnd.apache.avro", PayloadLanguage.AVRO),
    ("application/vnd.google.protobuf", PayloadLanguage.PROTOBUF),
    ("application/x-protobuf", PayloadLanguage.PROTOBUF),
    ("application/raml", PayloadLanguage.RAML),
)
OWN: Final = Format(PayloadLanguage.JSON, "", "")
"""What holds where no format is named."""


def format_of(written: Json, place: Place, scope: Scope) -> Format:
    """The schema format that a message names; JSON Schema where it names none."""
    if written is None:
        return OWN
    if not isinstance(written, str):
        scope.skip(place, "schemaFormat: not a string", "write it as a media type")
        return OWN
    kind, *rest = (part.strip() for part in written.split(";"))
    version = next((part.partition("=")[2] for part in rest if part.lower().startswith("version=")), "")
    language = next((found for prefix, found in _LANGUAGES if kind.lower().startswith(prefix)), PayloadLanguage.OTHER)
    if kind.lower().startswith("application/schema") and version not in ("", "draft-07"):
        scope.skip(place, f"schemaFormat {written}: read as draft 7", "describe the payload by draft 7")
    return Format(language, version, written)


_BOUNDS: Final = (("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum"))
_MAPS: Final = frozenset({"properties", "patternProperties", "definitions"})
_DATA: Final = frozenset({"enum", "default", "example", "examples", "const"})


def translate(node: Json, place: Place, scope: Scope) -> None:
    """Writes a schema of OpenAPI 3.0, and all that it refers to, anew in the words of draft 7."""
    waiting = [(node, place)]
    seen: set[Place] = set()
    while waiting:
        current, at = waiting.pop()
        if at in seen:
            continue
        seen.add(at)
        made = _translated(current, 0)
        if made != current:
            scope.edited(at, made)
        for ref in _references(current):
            found = scope.resolver.target(at, ref)
            waiting += [(found[1], found[0])] if found is not None else []


def _translated(node: Json, depth: int) -> Json:
    if depth > MAX_DEPTH:
        return node
    if isinstance(node, list):
        return [_translated(item, depth + 1) for item in node]
    if not isinstance(node, dict):
        return node
    made: dict[str, Json] = {}
    for key, value in node.items():
        if key in _DATA:
            made[key] = value
        elif key in _MAPS and isinstance(value, dict):
            made[key] = {name: _translated(item, depth + 2) for name, item in value.items()}
        elif key != "nullable":
            made[key] = _translated(value, depth + 1)
    return _nullable(_bounded(made), node)


def _bounded(node: dict[str, Json]) -> dict[str, Json]:
    for exclusive, bound in _BOUNDS:
        if node.get(exclusive) is True and bound in node:
            node[exclusive] = node.pop(bound)
        elif isinstance(node.get(exclusive), bool):
            del node[exclusive]
    return node


def _nullable(made: dict[str, Json], node: dict[str, Json]) -> Json:
    if node.get("nullable") is True and isinstance(made.get("type"), str):
        made["type"] = [made["type"], "null"]
    return made


def _references(node: Json) -> list[str]:
    found, waiting = [], [node]
    while waiting:
        current = waiting.pop()
        if isinstance(current, list):
            waiting += current
        elif isinstance(current, dict):
            ref = current.get("$ref")
            found += [ref] if isinstance(ref, str) else []
            waiting += current.values()
    return found


# Bindings: what a protocol adds to a server, channel, operation or message. Leaves are facets, schemas value sets.


MAX_LEAVES: Final = 500
SERVER: Final = "server"
CHANNEL: Final = "channel"
OPERATION: Final = "operation"
MESSAGE: Final = "message"
_OBJECT: Final[Json] = {"type": "object"}
_SCHEMAS: Final[Mapping[tuple[str, str], Mapping[str, Json]]] = {
    ("kafka", MESSAGE): {"key": True},
    ("http", OPERATION): {"query": _OBJECT},
    ("http", MESSAGE): {"headers": _OBJECT},
    ("ws", CHANNEL): {"query": _OBJECT, "headers": _OBJECT},
    ("mqtt", MESSAGE): {"correlationData": True, "responseTopic": True},
    ("mqtt5", MESSAGE): {"correlationData": True, "responseTopic": True},
    ("jms", MESSAGE): {"headers": _OBJECT},
    ("anypointmq", MESSAGE): {"headers": _OBJECT},
}
"""Members that are schemas, by the binding specifications, with what holds where a contract does not describe them."""
AVRO_KEY: Final = "avro key"
"""The facet of a key that is described by Avro."""
_AVRO: Final = frozenset({"record", "fixed", "enum", "int", "long", "float", "double", "bytes", "map"})
"""Types that only Avro knows."""
_ORDERING: Final = frozenset(
    {
        "partitions",
        "key",
        "queue.fifoQueue",
        "fifoQueue",
        "queue.type",
        "ordering.type",
        "queue.deduplicationScope",
        "queue.fifoThroughputLimit",
        "schemaLookupStrategy",
    }
)
"""Members that say which messages stay in order, or what the order hangs on."""


def bindings(owner: Merged, scope: Scope, position: Position, level: str) -> tuple[Element, ...]:
    """One element per protocol below `bindings` of an object, and per protocol of a server that has schemas there.

    Args:
        position: whose direction it has.
        level: what the object is: `SERVER`, `CHANNEL`, `OPERATION` or `MESSAGE`.
    """
    item = owner.node.get("bindings")
    found = scope.resolve(item, owner.at("bindings"), "bindings") if item is not None else None
    node, place = found if found is not None else ({}, owner.place.child("bindings"))
    spoken = [each for each in sorted(scope.protocols) if each not in node and (each, level) in _SCHEMAS]
    every: Node = {**node, **{each: {} for each in spoken}}
    return unique(_bindings(every, place, scope, position, level), scope)


def channel_bindings(owner: Merged, scope: Scope, position: Position, wire: Destination) -> Iterator[Element]:
    """The bindings of a channel, with the destination that holds: a row of its own only where no address tells it."""
    for made in bindings(owner, scope, position, CHANNEL):
        member = REPLACING.get(made.key, "")
        if member and made.key == wire.bound:
            facets = tuple(each._replace(on_wire=each.on_wire and each.name != member) for each in made.facets)
            if made.children or any(each.on_wire for each in facets):
                yield replace(made, facets=facets)
        elif member and wire.several and made.facet(member) is None:
            bare = VARIABLE.sub("{}", wire.address)
            yield replace(made, facets=(*made.facets, Facet(member, Aspect.BINDINGS, bare)))
        else:
            yield made


def _bindings(node: Node, place: Place, scope: Scope, position: Position, level: str) -> Iterator[Element]:
    for protocol, item in node.items():
        if protocol.startswith("x-"):
            continue
        found = scope.resolve(item, place.child(protocol), f"binding {protocol}")
        if found is not None:
            yield _Binding(protocol, *found, scope, position).element(_SCHEMAS.get((protocol, level), {}))


@frozen
class _Binding:
    """What one protocol adds to an object."""

    protocol: str
    node: Node
    place: Place
    scope: Scope
    position: Position

    def element(self, schemas: Mapping[str, Json]) -> Element:
        """The binding; `schemas` are its members that are schemas, with what holds where they are not described."""
        values = {key: self._value(key, schemas[key]) for key in schemas}
        avro = {key: found for key in schemas if (found := self._avro(key)) is not None}
        told = {*avro, *(key for key, value in values.items() if value is not None)}
        plain = {key: item for key, item in self.node.items() if key not in told}
        written = (Facet(AVRO_KEY, Aspect.ORDERING, found, True, pointer((key,))) for key, found in avro.items())
        return Element(
            kind=ElementKind.BINDING,
            key=self.protocol,
            name=self.protocol,
            aspect=Aspect.BINDINGS,
            place=self.place,
            **self.position._asdict(),
            facets=(*_binding_facets(plain, self.place, self.scope), *written),
            children=tuple(self._schema(key, value) for key, value in values.items() if value is not None),
        )

    def _value(self, key: str, undescribed: Json) -> ValueSet | None:
        """The values of a member; None for what is elsewhere, or in another language: it is compared as text."""
        place, scope = self.place.child(key), self.scope
        item = self.node.get(key)
        if item is None:
            return ValueSet(place, scope.edited(place, undescribed), scope.dialect)
        if not isinstance(item, dict | bool):
            return None
        found = scope.resolver.follow(self.place, item)
        if found is None:
            scope.skip(place, f"binding {self.protocol}: the schema of {key} is not here", "put a copy beside it")
            return None
        target = found[1]
        other = isinstance(target, dict) and (_is_avro(target) or "schemaFormat" in target)
        return None if other else ValueSet(place, item, scope.dialect)

    def _avro(self, key: str) -> Json | None:
        """The schema of a Kafka key that is described by Avro, None for any other one."""
        item = self.node.get(key)
        found = self.scope.resolver.follow(self.place, item) if isinstance(item, dict) and key == "key" else None
        target = found[1] if found is not None else None
        if not isinstance(target, dict):
            return None
        if "schemaFormat" in target:
            language = format_of(target["schemaFormat"], self.place.child(key), self.scope).language
            return target.get("schema") if language is PayloadLanguage.AVRO else None
        return target if _is_avro(target) else None

    def _schema(self, key: str, value: ValueSet) -> Element:
        return Element(
            kind=ElementKind.BINDING,
            key=key,
            name=key,
            aspect=Aspect.ORDERING if key in _ORDERING else Aspect.BINDINGS,
            place=value.place,
            **self.position._asdict(),
            value=value,
        )


def _is_avro(node: Node) -> bool:
    sort = node.get("type")
    return isinstance(sort, str) and sort in _AVRO


def has_constraints(schema: Element) -> bool:
    """True for a schema of a binding that says something."""
    return schema.value is not None and schema.value.node not in (True, _OBJECT)


def _binding_facets(node: Node, place: Place, scope: Scope) -> Iterator[Facet]:
    """One facet per leaf, named by the way to it; extensions and the binding's own version never reach the wire."""
    waiting: list[tuple[tuple[str, ...], Json]] = [((), node)]
    count = 0
    while waiting:
        steps, value = waiting.pop()
        if isinstance(value, dict) and "$ref" not in value and (value or not steps):
            waiting += reversed([((*steps, key), item) for key, item in value.items()])
            continue
        count += 1
        if count > MAX_LEAVES:
            scope.skip(place, "a binding with more members than are read", "shorten it")
            return
        name = ".".join(steps)
        extension = any(step.startswith("x-") for step in steps)
        noise = extension or name in ("bindingVersion", "description")
        aspect = Aspect.ORDERING if name in _ORDERING else Aspect.BINDINGS
        yield Facet(name, Aspect.ANNOTATIONS if noise else aspect, value, not noise, pointer(steps))


_SCHEME: Final = re.compile(r"^[A-Za-z][A-Za-z0-9+.-]*://")
_URLS: Final = ("authorizationUrl", "tokenUrl", "refreshUrl")


def servers(scope: Scope) -> dict[str, Named]:
    """The declared servers, by name."""
    below = scope.place.child("servers")
    found = {}
    for name, item in scope.mapping(scope.root, "servers", scope.place).items():
        named = scope.named(item, below.child(name), f"server {name}", name)
        if named is not None and not name.startswith("x-"):
            found[name] = named
    return found


def server_keys(declared: Mapping[str, Named], scope: Scope) -> dict[str, str]:
    """The address of every server, by name: protocol, host and path; with its name only where two share one."""
    wire = {name: _key(_url(named, scope), named.node) for name, named in declared.items()}
    often = Counter(wire.values())
    return {name: f"{key} ({name})" if often[key] > 1 else key for name, key in wire.items()}


def _url(named: Named, scope: Scope) -> str:
    """Host and path of a server as written, without a scheme: the protocol says that."""
    if scope.third:
        host, path = named.node.get("host"), named.node.get("pathname", "")
        if not isinstance(host, str):
            scope.skip(named.place, f"server {named.name}: no host", "name the host")
        path = str(path or "")
        return f"{host or ''}{'/' if path and not path.startswith('/') else ''}{path}"
    url = named.node.get("url")
    if not isinstance(url, str):
        scope.skip(named.place, f"server {named.name}: no url", "name the url")
    return _SCHEME.sub("", str(url or ""))


def _key(url: str, node: Node) -> str:
    host, slash, path = VARIABLE.sub("{}", url).partition("/")
    return f"{str(node.get('protocol', '')).lower()}://{host.lower()}{slash}{path}".rstrip("/")


def server_elements(declared: Mapping[str, Named], scope: Scope) -> Iterator[Element]:
    """One element per server, with what its protocol and its security ask for."""
    keys = server_keys(declared, scope)
    for name, named in declared.items():
        owner = Merged(named.node, named.place, {})
        yield Element(
            kind=ElementKind.SERVER,
            key=keys[name],
            name=name,
            aspect=Aspect.SERVERS,
            place=named.place,
            role=DOCUMENT.role,
            facets=(*_server_facets(named, scope), *described(named.node)),
            children=(security(owner, scope, DOCUMENT), *bindings(owner, scope, DOCUMENT, SERVER)),
        )


def _server_facets(named: Named, scope: Scope) -> Iterator[Facet]:
    yield Facet("server name", Aspect.IDENTIFIERS, named.name, False)
    if "protocolVersion" in named.node:
        version = str(named.node["protocolVersion"])
        yield Facet("protocolVersion", Aspect.SERVERS, version, True, "/protocolVersion")
    variables = scope.mapping(named.node, "variables", named.place)
    for at, name in enumerate(VARIABLE.findall(_url(named, scope))):
        place = named.place.child("variables", name)
        found = scope.resolve(variables[name], place, f"variable {name}") if name in variables else None
        if found is not None:
            yield from variable_facets(found[0], name, at)


def security(owner: Merged, scope: Scope, position: Position) -> Element:
    """What a connection or a message has to prove: one alternative per entry, `{}` where nothing is asked."""
    found: dict[str, Json] = {}
    place = owner.at("security")
    for at, item in enumerate(scope.listing(owner.node, "security", owner.place)):
        for alternative in _alternative(item, place.child(at), scope):
            found[json.dumps(alternative, sort_keys=True)] = alternative
    alternatives = [found[key] for key in sorted(found)] or [{}]
    return Element(
        kind=ElementKind.SECURITY,
        key="security",
        name="security",
        aspect=Aspect.SECURITY,
        place=place if "security" in owner.node else owner.place,
        **position._asdict(),
        facets=(Facet("requirements", Aspect.SECURITY, list[Json](alternatives)),),
    )


def _alternative(item: Json, place: Place, scope: Scope) -> Iterator[dict[str, Json]]:
    if not isinstance(item, dict):
        scope.skip(place, "a security requirement that is not an object", "write it as an object")
        return
    if scope.third:
        named = scope.named(item, place, "security scheme")
        if named is not None:
            scopes = named.node.get("scopes")
            yield {_scheme_key(named.node): _sorted(scopes)}
        return
    demanded = {}
    schemes = _declared(scope)
    for name, scopes in item.items():
        if name not in schemes:
            scope.skip(place.child(name), f"security scheme {name}: not declared", "declare it, or correct the name")
        demanded[_scheme_key(schemes[name].node) if name in schemes else f"undeclared ({name})"] = _sorted(scopes)
    yield dict(sorted(demanded.items()))


def _sorted(scopes: Json) -> Json:
    return list[Json](sorted({str(each) for each in scopes})) if isinstance(scopes, list) else []


def _declared(scope: Scope) -> dict[str, Named]:
    components = scope.mapping(scope.root, "components", scope.place)
    below = scope.place.child("components", "securitySchemes")
    items = scope.mapping(components, "securitySchemes", scope.place.child("components")).items()
    found = ((name, scope.named(item, below.child(name), f"security scheme {name}", name)) for name, item in items)
    return {name: named for name, named in found if named is not None}


def _scheme_key(node: Node) -> str:
    """What of a scheme reaches the wire."""
    kind = str(node.get("type", ""))
    match kind:
        case "httpApiKey":
            name = str(node.get("name", ""))
            return f"httpApiKey {node.get('in')} {name.lower() if node.get('in') == 'header' else name}"
        case "apiKey":
            return f"apiKey {node.get('in')}"
        case "http":
            return f"http {str(node.get('scheme', '')).lower()}"
        case _:
            return kind


def security_schemes(scope: Scope) -> Iterator[Element]:
    """One element per scheme that some server or operation demands; what nobody demands is on no wire."""
    seen: set[str] = set()
    for named in _demanded(scope):
        key = _scheme_key(named.node)
        if key in seen:
            continue
        seen.add(key)
        yield Element(
            kind=ElementKind.SECURITY_SCHEME,
            key=key,
            name=named.name or key,
            aspect=Aspect.SECURITY,
            place=named.place,
            role=DOCUMENT.role,
            facets=(*_scheme_facets(named.node), *described(named.node)),
        )


def _demanded(scope: Scope) -> Iterator[Named]:
    declared = {} if scope.third else _declared(scope)
    for item, place in _demands(scope):
        if scope.third:
            named = scope.named(item, place, "security scheme")
            if named is not None:
                yield named
        elif isinstance(item, dict):
            yield from (declared[name] for name in item if name in declared)


def _demands(scope: Scope) -> Iterator[tuple[Json, Place]]:
    """Every entry of every list `security` of the document."""
    waiting: list[tuple[Json, Place]] = [(scope.root, scope.place)]
    while waiting:
        node, place = waiting.pop()
        below: list[tuple[Json, Place]] = []
        if isinstance(node, dict):
            listed = node.get("security")
            if isinstance(listed, list):
                yield from ((item, place.child("security", at)) for at, item in enumerate(listed))
            below = [(item, place.child(key)) for key, item in node.items()]
        elif isinstance(node, list):
            below = [(item, place.child(at)) for at, item in enumerate(node)]
        waiting += reversed(below)


def _scheme_facets(node: Node) -> Iterator[Facet]:
    for key in ("bearerFormat",):
        if key in node:
            yield Facet(key, Aspect.ANNOTATIONS, node[key], False, f"/{key}")
    if "openIdConnectUrl" in node:
        yield Facet("openIdConnectUrl", Aspect.SECURITY, node["openIdConnectUrl"], True, "/openIdConnectUrl")
    flows = node.get("flows")
    for flow, parts in flows.items() if isinstance(flows, dict) else ():
        if not isinstance(parts, dict):
            continue
        for key in _URLS:
            if key in parts:
                yield Facet(f"flows.{flow}.{key}", Aspect.SECURITY, parts[key])
        scopes = parts.get("availableScopes", parts.get("scopes"))
        yield Facet(f"flows.{flow}.scopes", Aspect.SECURITY, sorted(scopes) if isinstance(scopes, dict) else [])


def used_servers(owner: Node, scope: Scope) -> Json:
    """The servers that a channel is on: their addresses, or that it is on every one."""
    keys, listed = scope.server_keys, owner.get("servers")
    if not isinstance(listed, list) or not listed:
        return "every server"
    names = [reference_name(item) if scope.third else str(item) for item in listed]
    found = sorted({keys.get(name, name) for name in names})
    return "every server" if set(found) == set(keys.values()) else list[Json](found)
