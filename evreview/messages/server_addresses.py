"""Servers as sets of addresses: what a variable stands for, what servers serve, which ones operations inherit."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice, product
from math import prod
from typing import Final
from urllib.parse import urlsplit

from evreview.contract import http
from evreview.contract.model import Element, ElementKind, Facet, Place
from evreview.core.vocabulary import Aspect, Json

BASE_PATH: Final = "basePath"
_MOST: Final = 1000
_PAIRS: Final = 20
_ANY: Final = "{}"
Both = tuple[Sequence[Element], Sequence[Element]]


def base_path(key: str) -> str:
    """The path that stands before every path of the document, `/` when there is none."""
    try:
        return "/" + urlsplit(key).path.strip("/")
    except ValueError:
        return "/"


def variable_facets(variable: Mapping[str, Json], name: str, at: int) -> Iterator[Facet]:
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


def inherited(before: Sequence[Element], after: Sequence[Element], roots: tuple[Element, Element]) -> Both:
    """The children of an operation, with the document's servers on the side that names none while the other does."""
    named = _servers(before), _servers(after)
    if bool(named[0]) is bool(named[1]):
        return before, after
    if named[0]:
        return before, [*_servers(roots[1].children), *after]
    return [*_servers(roots[0].children), *before], after


def _servers(elements: Iterable[Element]) -> list[Element]:
    return [element for element in elements if element.kind is ElementKind.SERVER]


class ServerAddresses:
    """The addresses of one side's servers: those without variables by a look-up, the others by their patterns."""

    def __init__(self, elements: Iterable[Element]) -> None:
        every = ((other.key, address) for other in _servers(elements) for address in _addresses(other))
        self._full: dict[str, tuple[int, str]] = {}
        self._patterns: list[tuple[int, str, re.Pattern[str]]] = []
        listed = list(islice(every, _MOST))
        self._beyond = len(listed) == _MOST
        for at, (key, address) in enumerate(() if self._beyond else listed):
            if _ANY in address:
                self._patterns.append((at, key, _addressed(address)))
            else:
                self._full.setdefault(address, (at, key))

    def by(self, server: Element) -> str:
        """The keys of the servers that serve every address of another one, "" when some address is left."""
        addresses = list(_addresses(server))
        if self._beyond or len(addresses) >= _MOST or len(addresses) * len(self._patterns) > _MOST * _PAIRS:
            return ""
        holders = set()
        for address in addresses:
            found = [self._full[address]] if address in self._full else []
            found += [next(((at, key) for at, key, one in self._patterns if one.fullmatch(address)), (_MOST, ""))]
            at, held = min(found)
            if at == _MOST:
                return ""
            holders.add(held)
        return ", ".join(sorted(holders))


def _addressed(address: str) -> re.Pattern[str]:
    """What an address holds: a variable without a list of values stands for any text of one segment."""
    first, *between, last = address.split(_ANY)
    # The first place of a part leaves the most to those behind it: no other one has to be tried.
    parts = "".join(f"(?>[^/]*?{re.escape(part)})" for part in between if part)
    return re.compile(f"{re.escape(first)}{parts}[^/]*{re.escape(last)}")


def _addresses(server: Element) -> Iterator[str]:
    """The addresses of a server; a variable that lists no values stays as it is."""
    parts = server.key.split(_ANY)
    values: list[list[str]] = []
    for at in range(len(parts) - 1):
        listed = server.facet(f"variables.{at}.enum")
        values.append([str(value) for value in listed] if isinstance(listed, list) and listed else [_ANY])
    for chosen in islice(product(*values), _MOST):
        yield http.address("".join(part + value for part, value in zip(parts, (*chosen, ""), strict=True)))


# A variable that lists its values stands for as many URLs as it has values.
#
# OpenAPI 3.1, section 4.8.6 Server Variable Object, `enum`: "An enumeration of string values to be used if the
# substitution options are from a limited set."


_MOST_WRITTEN: Final = 200
"""Addresses of one server; what stands for more is compared as it is written."""


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
    return element.kind is ElementKind.SERVER and _ANY in element.key


def _by_server(elements: Iterable[Element]) -> dict[str, dict[str, Element]]:
    """Each server with what stands for one address of it, by that address."""
    servers = (element for element in elements if element.kind is ElementKind.SERVER)
    return {server.key: {each.key: each for each in _written_addresses(server)} for server in servers}


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


def _written_addresses(server: Element) -> Iterator[Element]:
    """What stands for each address; a variable that lists no values stays one."""
    parts = server.key.split(_ANY)
    values = [_listed(server, at) for at in range(len(parts) - 1)]
    if not any(values) or prod(len(each) or 1 for each in values) > _MOST_WRITTEN:
        yield server
        return
    free = [at for at, each in enumerate(values) if not each]
    told = [facet for facet in server.facets if not facet.name.startswith("variables.") and facet.name != BASE_PATH]
    kept = [facet for at, old in enumerate(free) for facet in _of_variable(server, old, at)]
    for chosen in product(*(each or [_ANY] for each in values)):
        url = "".join(part + value for part, value in zip(parts, (*chosen, ""), strict=True))
        key = http.address(url).rstrip("/") or "/"
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
