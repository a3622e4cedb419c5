"""Where the API is served: `servers` (3.x) and `schemes`, `host`, `basePath` (2.0) as the same elements."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product
from math import prod
from typing import Final
from urllib.parse import urlsplit

from evreview.contract.http import address
from evreview.contract.model import Element, ElementKind, Facet, Place
from evreview.core.vocabulary import Aspect, Json
from evreview.kinds.openapi.reader_content import DOCUMENT, Node, Scope, Version, described, unique

Found = tuple[Node, Place]

BASE_PATH: Final = "basePath"
_VARIABLE: Final = re.compile(r"\{[^{}]*\}")


def document_servers(scope: Scope) -> tuple[Element, ...]:
    """The servers of the whole document; one at `/` when none is given."""
    if scope.version is Version.V2:
        return unique(_once(_swagger_servers(scope.root, scope.place, scope)), scope)
    return server_elements((scope.root, scope.place), scope) or (_server("/", {}, scope.place),)


def server_elements(owner: Found | None, scope: Scope) -> tuple[Element, ...]:
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


def base_path(key: str) -> str:
    """The path that stands before every path of the document, `/` when there is none."""
    try:
        return "/" + urlsplit(key).path.strip("/")
    except ValueError:
        return "/"


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


def variable_facets(variable: Node, name: str, at: int) -> Iterator[Facet]:
    """What a server's variable says of its values; the order of a list is nothing that any address shows."""
    for key in ("default", "enum"):
        if key in variable:
            value = _distinct(variable[key]) if key == "enum" else variable[key]
            pointer = Place("", "").child("variables", name, key).pointer
            yield Facet(f"variables.{at}.{key}", Aspect.SERVERS, value, True, pointer)


def _distinct(values: Json) -> Json:
    if not isinstance(values, list):
        return values
    return [value for _, value in sorted({json.dumps(value): value for value in values}.items())]


# Servers as sets of addresses: a variable that lists its values stands for as many URLs as it has values.
#
# OpenAPI 3.1, section 4.8.6 Server Variable Object, `enum`: "An enumeration of string values to be used if the
# substitution options are from a limited set."


_FREE: Final = "{}"
_MOST: Final = 200
"""Addresses of one server; what stands for more is compared as it is written."""
Both = tuple[Sequence[Element], Sequence[Element]]


def spelled_out(before: Sequence[Element], after: Sequence[Element]) -> Both:
    """The elements of two parents, templates of servers by their addresses where the other side writes those out.

    A template that both sides write stays one, unless its addresses differ and another server took or gave some.
    """
    if not any(_is_template(element) for element in (*before, *after)):
        return before, after
    old, new = _by_server(before), _by_server(after)
    every = {url for urls in old.values() for url in urls}, {url for urls in new.values() for url in urls}
    stay = {key for key in old.keys() & new.keys() if _apart(old[key], new[key], every)}
    return _written_out(before, old, stay), _written_out(after, new, stay)


def _apart(old: Mapping[str, Element], new: Mapping[str, Element], every: tuple[set[str], set[str]]) -> bool:
    """True when what one side's template has more stands nowhere else on the other side."""
    return not ((old.keys() - new.keys()) & every[1] or (new.keys() - old.keys()) & every[0])


def _is_template(element: Element) -> bool:
    return element.kind is ElementKind.SERVER and _FREE in element.key


def _by_server(elements: Iterable[Element]) -> dict[str, dict[str, Element]]:
    """Each server with what stands for one address of it, by that address."""
    servers = (element for element in elements if element.kind is ElementKind.SERVER)
    return {server.key: {each.key: each for each in _addresses(server)} for server in servers}


def _written_out(
    elements: Sequence[Element], servers: Mapping[str, Mapping[str, Element]], stay: set[str]
) -> list[Element]:
    """The elements, each server that does not stay by its addresses; an address that stands twice once."""
    found: list[Element] = []
    seen: set[str] = set()
    for element in elements:
        if element.kind is not ElementKind.SERVER:
            found.append(element)
            continue
        listed = [element] if element.key in stay else [*servers[element.key].values()]
        found += [each for each in listed if each.key not in seen]
        seen.update(each.key for each in listed)
    return found


def _addresses(server: Element) -> Iterator[Element]:
    """What stands for each address; a variable that lists no values stays one."""
    parts = server.key.split(_FREE)
    values = [_listed(server, at) for at in range(len(parts) - 1)]
    if not any(values) or prod(len(each) or 1 for each in values) > _MOST:
        yield server
        return
    free = [at for at, each in enumerate(values) if not each]
    told = [facet for facet in server.facets if not facet.name.startswith("variables.") and facet.name != BASE_PATH]
    kept = [facet for at, old in enumerate(free) for facet in _of_variable(server, old, at)]
    for chosen in product(*(each or [_FREE] for each in values)):
        url = "".join(part + value for part, value in zip(parts, (*chosen, ""), strict=True))
        key = address(url).rstrip("/") or "/"
        base = [facet._replace(value=base_path(key)) for facet in server.facets if facet.name == BASE_PATH]
        yield replace(server, key=key, name=key, facets=(*base, *kept, *told))


def _listed(server: Element, at: int) -> list[str]:
    values = server.facet(f"variables.{at}.enum")
    return [str(value) for value in values] if isinstance(values, list) else []


def _of_variable(server: Element, old: int, new: int) -> Iterator[Facet]:
    """What is said of a variable, under the number that it has without those before it that are written out."""
    for facet in server.facets:
        if facet.name.startswith(f"variables.{old}."):
            yield facet._replace(name=f"variables.{new}.{facet.name.rpartition('.')[2]}")
