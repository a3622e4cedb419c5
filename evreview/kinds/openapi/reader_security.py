"""Security schemes, and what each operation effectively demands."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Final

from evreview.contract.json_reader import described
from evreview.contract.model import Element, ElementKind, Facet, Place
from evreview.contract.security_requirements import api_key
from evreview.core.vocabulary import Aspect, Direction, Json
from evreview.kinds.openapi.reader_content import DOCUMENT, Node, Position, Scope, Version

FoundNode = tuple[Node, Place]

_SWAGGER_FLOWS: Final[Mapping[str, str]] = {"accessCode": "authorizationCode", "application": "clientCredentials"}
_URLS: Final = ("authorizationUrl", "tokenUrl", "refreshUrl")
_TYPES: Final = ("apiKey", "http", "oauth2", "openIdConnect", "mutualTLS")


def security_schemes(scope: Scope) -> tuple[Element, ...]:
    """One element per declared scheme; its key is what reaches the wire, with its name only where that is ambiguous.

    A scheme that nobody demands makes no other one ambiguous: it takes the name upon itself.
    """
    read = [(name, *found) for name, found in _declared(scope)]
    keys = scheme_keys(scope)
    return tuple(_scheme(name, keys[name], node, place) for name, node, place in read)


def scheme_keys(scope: Scope) -> Mapping[str, str]:
    """The key of every readable scheme, by its name in the document."""
    if scope.scheme_keys is None:
        wire = {name: _wire_key(node) for name, (node, _) in _declared(scope)}
        counts = Counter(wire.values())
        twins = [name for name, key in wire.items() if counts[key] > 1]
        demanded = _demanded(scope.root) if twins else set()
        rivals = Counter(wire[name] for name in twins if name in demanded)
        named = {name for name in twins if rivals[wire[name]] != 1 or name not in demanded}
        scope.scheme_keys = {name: f"{key} ({name})" if name in named else key for name, key in wire.items()}
    return scope.scheme_keys


def _demanded(root: Node) -> set[str]:
    """The names that stand in any list `security` of a document."""
    found: set[str] = set()
    waiting: list[Json] = [dict(root)]
    seen: set[int] = set()
    while waiting:
        node = waiting.pop()
        if id(node) in seen:
            continue
        seen.add(id(node))
        if isinstance(node, dict):
            waiting += node.values()
            listed = node.get("security")
            for item in listed if isinstance(listed, list) else []:
                found.update(item if isinstance(item, dict) else ())
        elif isinstance(node, list):
            waiting += node
    return found


def _declared(scope: Scope) -> Iterator[tuple[str, FoundNode]]:
    if scope.version is Version.V2:
        owner, key, place = scope.root, "securityDefinitions", scope.place
    else:
        owner, key = scope.mapping(scope.root, "components", scope.place), "securitySchemes"
        place = scope.place.child("components")
    for name, item in scope.mapping(owner, key, place).items():
        at = place.child(key, name)
        found = scope.resolve(item, at, f"security scheme {name}")
        if found is None:
            continue
        if scope.version is Version.V2:
            found = _modern(found[0]), found[1]
        if found[0].get("type") == "apiKey" and not isinstance(found[0].get("name"), str):
            scope.skip(found[1].child("name"), f"security scheme {name}: a key without a name", "name what carries it")
        elif found[0].get("type") in _TYPES:
            yield name, found
        else:
            scope.skip(found[1].child("type"), f"security scheme {name}: unknown type", f"use {', '.join(_TYPES)}")


def _modern(node: Node) -> Node:
    """A Swagger 2.0 scheme as 3.x writes it."""
    if node.get("type") == "basic":
        return {**node, "type": "http", "scheme": "basic"}
    if node.get("type") == "oauth2":
        flow = str(node.get("flow", ""))
        parts: dict[str, Json] = {key: node[key] for key in (*_URLS, "scopes") if key in node}
        return {**node, "flows": {_SWAGGER_FLOWS.get(flow, flow): parts}}
    return node


def _wire_key(node: Node) -> str:
    match node.get("type"):
        case "apiKey":
            name = str(node.get("name", ""))
            return api_key(str(node.get("in")), name.lower() if node.get("in") == "header" else name)
        case "http":
            return f"http {str(node.get('scheme', '')).lower()}"
        case kind:
            return str(kind)


def _scheme(name: str, key: str, node: Node, place: Place) -> Element:
    return Element(
        kind=ElementKind.SECURITY_SCHEME,
        key=key,
        name=name,
        aspect=Aspect.SECURITY,
        place=place,
        role=DOCUMENT.role,
        direction=Direction.READ,
        facets=(*_facets(name, node), *described(node)),
    )


def _facets(name: str, node: Node) -> Iterator[Facet]:
    yield Facet("schemeName", Aspect.IDENTIFIERS, name, False)
    for key in ("type", "scheme", "in", "name", "openIdConnectUrl"):
        if key in node:
            any_case = key == "scheme" or (key == "name" and node.get("in") == "header")
            value = str(node[key]).lower() if any_case else node[key]
            yield Facet(key, Aspect.SECURITY, value, True, f"/{key}")
    if "bearerFormat" in node:
        yield Facet("bearerFormat", Aspect.ANNOTATIONS, node["bearerFormat"], False, "/bearerFormat")
    flows = node.get("flows")
    for flow, parts in flows.items() if isinstance(flows, dict) else ():
        if isinstance(parts, dict):
            yield from _flow(flow, parts)


def _flow(flow: str, parts: Node) -> Iterator[Facet]:
    for key in _URLS:
        if key in parts:
            yield Facet(f"flows.{flow}.{key}", Aspect.SECURITY, parts[key])
    scopes = parts.get("scopes")
    yield Facet(f"flows.{flow}.scopes", Aspect.SECURITY, sorted(scopes) if isinstance(scopes, dict) else [])


def operation_security(operation: FoundNode, scope: Scope, position: Position) -> Element:
    """The element with an operation's effective demand: its own `security`, else the document's.

    The facet `requirements` lists the alternatives, each a mapping from scheme key to sorted scopes; `{}` is a call
    without credentials. Order and repetition don't count, no requirement at all is the one alternative `{}`. The demand
    of the document is made of those who call the API: what it sends to a callback or webhook is under its own one only.
    """
    document = scope.root if position.direction is Direction.READ else {}
    node, place = operation if "security" in operation[0] else (document, scope.place)
    key = ("security", place, position)
    if key not in scope.shared:
        at = place.child("security") if "security" in node else place
        scope.shared[key] = Element(
            kind=ElementKind.SECURITY,
            key="security",
            name="security",
            aspect=Aspect.SECURITY,
            place=at,
            role=position.role,
            direction=position.direction,
            facets=(Facet("requirements", Aspect.SECURITY, _alternatives(node, scope, place)),),
        )
    return scope.shared[key]


def _alternatives(node: Node, scope: Scope, place: Place) -> list[Json]:
    found: dict[str, Json] = {}
    for at, item in enumerate(scope.listing(node, "security", place)):
        below = place.child("security", at)
        if not isinstance(item, dict):
            scope.skip(below, "a security requirement that is not an object", "write it as an object")
            continue
        alternative = _requirement(item, scope, below)
        found[json.dumps(alternative, sort_keys=True)] = alternative
    return [found[key] for key in sorted(found)] or [{}]


def _requirement(item: Node, scope: Scope, place: Place) -> dict[str, Json]:
    keys = scheme_keys(scope)
    demanded: dict[str, Json] = {}
    for name, scopes in item.items():
        if name not in keys:
            scope.skip(place.child(name), f"security scheme {name}: not declared", "declare it, or correct the name")
        named = sorted({str(each) for each in scopes}) if isinstance(scopes, list) else []
        demanded[keys.get(name, f"undeclared ({name})")] = list[Json](named)
    return dict(sorted(demanded.items()))
