"""Where the API is served: `servers` (3.x) and `schemes`, `host`, `basePath` (2.0) as the same elements."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from evreview.contract.http import address
from evreview.contract.json_reader import described, unique
from evreview.contract.model import Element, ElementKind, Facet, Place
from evreview.core.vocabulary import Aspect, Json
from evreview.kinds.openapi.reader_content import DOCUMENT, Node, Scope, Version
from evreview.messages.server_addresses import BASE_PATH, base_path, variable_facets

FoundNode = tuple[Node, Place]

_VARIABLE: Final = re.compile(r"\{[^{}]*\}")


def document_servers(scope: Scope) -> tuple[Element, ...]:
    """The servers of the whole document; one at `/` when none is given."""
    if scope.version is Version.V2:
        return unique(_once(_swagger_servers(scope.root, scope.place, scope)), scope)
    return server_elements((scope.root, scope.place), scope) or (_server("/", {}, scope.place),)


def server_elements(owner: FoundNode | None, scope: Scope) -> tuple[Element, ...]:
    """One element per entry of the owner's `servers`; none without an owner."""
    if owner is None:
        return ()
    return unique(_once((_swagger_servers if scope.version is Version.V2 else _servers)(*owner, scope)), scope)


def _once(servers: Iterable[Element]) -> Iterator[Element]:
    """The servers without those that say what one before them says, in whatever spelling."""
    told: set[tuple[str, str]] = set()
    for server in servers:
        said = server.key, repr([(facet.name, facet.value) for facet in server.facets if facet.on_wire])
        if said not in told:
            told.add(said)
            yield server


def _servers(node: Node, place: Place, scope: Scope) -> Iterator[Element]:
    for at, item in enumerate(scope.listing(node, "servers", place)):
        below = place.child("servers", at)
        url = item.get("url") if isinstance(item, dict) else None
        if isinstance(item, dict) and isinstance(url, str):
            yield _server(url, item, below)
        else:
            scope.skip(below, "a server without a url", "give it a url")


def _swagger_servers(owner: Node, place: Place, scope: Scope) -> Iterator[Element]:
    """The servers of the document, or of an operation with schemes of its own; an unsaid host is a variable."""
    node = scope.root
    host, base = node.get("host"), node.get("basePath", "/")
    for key, value in (("host", host), ("basePath", base)):
        if owner is node and value is not None and not isinstance(value, str):
            scope.skip(scope.place.child(key), f"{key}: not a string", "write it as a string")
    base = "/" + (base if isinstance(base, str) else "").lstrip("/")
    schemes = [str(scheme) for scheme in scope.listing(owner, "schemes", place)]
    if not isinstance(host, str) and not schemes:
        yield _server(base, {}, place)
        return
    host = host if isinstance(host, str) else "{host}"
    for scheme in schemes or [""]:
        yield _server(f"{scheme}:" * bool(scheme) + f"//{host}{base}", {}, place)


def server_key(url: str) -> str:
    """The URL in one spelling, see `address`; its variables nameless, no slash at the end."""
    return address(_VARIABLE.sub("{}", url.strip())).rstrip("/") or "/"


def _server(url: str, node: Node, place: Place) -> Element:
    key = server_key(url)
    facets = [
        Facet(BASE_PATH, Aspect.SERVERS, base_path(key), True, "/url" if "url" in node else ""),
        *_variables(url, node.get("variables")),
        *described(node),
    ]
    return Element(
        kind=ElementKind.SERVER,
        key=key,
        name=url,
        aspect=Aspect.SERVERS,
        place=place,
        role=DOCUMENT.role,
        facets=tuple(facets),
    )


def _variables(url: str, variables: Json) -> Iterator[Facet]:
    """Default and allowed values of each variable, by its position in the URL."""
    if not isinstance(variables, dict):
        return
    for at, found in enumerate(_VARIABLE.findall(url)):
        name = found[1:-1]
        if isinstance(variables.get(name), dict):
            yield from variable_facets(variables[name], name, at)
