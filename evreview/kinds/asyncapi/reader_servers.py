"""Servers and security: the same elements whether 2.x writes a URL and named demands or 3.x a host and references."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Final

from evreview.contract.json_reader import Node
from evreview.contract.model import Element, ElementKind, Facet, Place
from evreview.contracts.readers.asyncapi_bindings import SERVER, bindings
from evreview.contracts.readers.asyncapi_scope import DOCUMENT, VARIABLE, Named, Position, Scope, reference_name
from evreview.contracts.readers.asyncapi_traits import Merged
from evreview.core.vocabulary import Aspect, Json
from evreview.kinds.openapi.reader_content import described
from evreview.kinds.openapi.reader_servers import variable_facets

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
        role=position.role,
        polarity=position.polarity,
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
