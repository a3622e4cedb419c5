"""Servers as sets of addresses: a variable that lists its values stands for as many URLs as it has values.

OpenAPI 3.1, section 4.8.6 Server Variable Object, `enum`: "An enumeration of string values to be used if the
substitution options are from a limited set."
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product
from math import prod
from typing import Final

from evreview.contract.http import address
from evreview.contract.model import Element, ElementKind, Facet
from evreview.kinds.openapi.reader_servers import BASE_PATH, base_path

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
