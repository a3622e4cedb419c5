"""Which operation a request belongs to: method, path and base path; webhooks and callbacks by their names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Final

from evreview.contract.http import address, as_sent, respelled, with_port
from evreview.contract.model import Contract, Element, ElementKind, Place
from evreview.core.frozen import frozen
from evreview.core.vocabulary import Role

_VARIABLE: Final = re.compile(r"\{[^{}]*\}")
_ANY: Final = "[^/]+"


@frozen
class RoutedOperation:
    """An operation and the texts of its path parameters, by position; without an operation, why there is none."""

    operation: Element | None = None
    texts: tuple[str, ...] = ()
    lacking: str = ""


@frozen
class _Template:
    segments: tuple[str, ...]
    pattern: re.Pattern[str] | None
    operation: Element
    method: str
    has_own_servers: bool
    variable: tuple[bool, ...]
    at: int


class _Templates:
    """The templates with one number of segments: those without a mixed segment by where their variables stand."""

    def __init__(self) -> None:
        self._plain: dict[tuple[bool, ...], dict[tuple[str, ...], list[_Template]]] = {}
        self._mixed: list[_Template] = []

    def add(self, template: _Template) -> None:
        """Takes one more in."""
        if template.pattern is not None:
            self._mixed.append(template)
            return
        literal = literal_segments(template.segments, template.variable)
        self._plain.setdefault(template.variable, {}).setdefault(literal, []).append(template)

    def fitting(self, segments: tuple[str, ...]) -> list[_Template]:
        """Those that may fit, the most literal first, then in document order."""
        found = list(self._mixed)
        for variable, by_literal in self._plain.items():
            found += by_literal.get(literal_segments(segments, variable), ())
        return sorted(found, key=lambda template: (template.variable, template.at))


class Routes:
    """The operations of one contract by what calls them; tables are built when first asked for."""

    def __init__(self, contract: Contract) -> None:
        self._contract = contract
        self._by_length: dict[int, _Templates] = {}
        self._servers: dict[int, tuple[Element | None, tuple[Element, ...]]] = {}
        self._by_key: dict[str, Element] | None = None
        self._addresses: dict[int, dict[str, set[str]]] = {}
        self._bases: list[tuple[Element | None, tuple[re.Pattern[str], ...]]] | None = None

    def operation(self, key: str) -> Element | None:
        """The operation with this key, None when there is none."""
        if self._by_key is None:
            self._by_key = {operation.key: operation for operation in self._contract.operations}
        return self._by_key.get(key)

    def servers(self, operation: Element | None) -> tuple[Element, ...]:
        """The servers that hold for an operation: its own, else the document's."""
        key = id(operation)
        if key not in self._servers:
            own = children_of(operation, ElementKind.SERVER) if operation is not None else ()
            self._servers[key] = operation, own or children_of(self._contract.root, ElementKind.SERVER)
        return self._servers[key][1]

    def serves(self, operation: Element, sent: str) -> bool:
        """True when an origin is that of a server of an operation; a relative server is anywhere."""
        servers = self.servers(operation)
        if not servers:
            return True
        key = id(servers[0])
        if key not in self._addresses:
            found = {_address(server) for server in servers}
            by_host: dict[str, set[str]] = {}
            for scheme, host in found:
                by_host.setdefault(host, set()).add(scheme)
            self._addresses[key] = by_host
        known = self._addresses[key]
        scheme, _, host = sent.rpartition("//")
        literal = known.get(re.escape(host))
        if "" in known or (literal is not None and (scheme in literal or "" in literal or not scheme)):
            return True
        spelled = (host, with_port(scheme.removesuffix(":"), host))
        return any(
            (scheme in schemes or "" in schemes or not scheme) and any(re.fullmatch(pattern, each) for each in spelled)
            for pattern, schemes in known.items()
            if "(?:" in pattern
        )

    def named(self, route: str) -> RoutedOperation:
        """The webhook or callback operation of a route as `Step` names joined with ` > `."""
        first, *rest = route.split(" > ")
        found = self.operation(first)
        for at in range(0, len(rest), 2):
            callback = _child(found, ElementKind.CALLBACK, rest[at]) if found is not None else None
            found = _child(callback, ElementKind.OPERATION, rest[at + 1]) if callback and at + 1 < len(rest) else None
        return RoutedOperation(found) if found is not None else RoutedOperation(lacking="route")

    def match(self, method: str, path: str) -> RoutedOperation:
        """The operation for a request line; the most literal template wins."""
        lacking = "path"
        for operation, rest in self._below_bases(as_sent(path)):
            found = self._match(method, rest, operation)
            if found.operation is not None:
                return found
            lacking = found.lacking if lacking == "path" else lacking
        return RoutedOperation(lacking=lacking)

    def _below_bases(self, path: str) -> list[tuple[Element | None, str]]:
        """The path without each base path that it starts with; operations with their own servers come by themselves."""
        if self._bases is None:
            owners: list[Element | None] = [None, *self._owning_servers()]
            self._bases = [(owner, self._bases_of(owner)) for owner in owners]
        rests = ((owner, _without_base(path, base)) for owner, bases in self._bases for base in bases)
        return [(owner, rest) for owner, rest in rests if rest is not None]

    def _bases_of(self, owner: Element | None) -> tuple[re.Pattern[str], ...]:
        """The base paths that hold for an operation, the longest first; an empty one where it is `/`."""
        bases = {_filled(server, _base(server), origin(server).count("{}"), _ANY) for server in self.servers(owner)}
        ranked = sorted(bases, key=lambda text: (-len(text), text))
        return tuple(re.compile(f"{text}(?=/|$)") for text in ranked)

    def _owning_servers(self) -> list[Element]:
        return [
            each
            for each in self._contract.operations
            if each.role is Role.REQUEST and children_of(each, ElementKind.SERVER)
        ]

    def _match(self, method: str, path: str, only: Element | None) -> RoutedOperation:
        segments = tuple(path.split("/")[1:])
        lacking = "path"
        for template in self._templates(len(segments)).fitting(segments):
            if template.operation is not only and (only is not None or template.has_own_servers):
                continue
            texts = _texts(template, segments)
            if texts is None:
                continue
            if template.method == method:
                return RoutedOperation(template.operation, texts)
            lacking = "method"
        return RoutedOperation(lacking=lacking)

    def _templates(self, length: int) -> _Templates:
        if length not in self._by_length:
            made = self._by_length[length] = _Templates()
            for at, operation in self._called.get(length, ()):
                made.add(_template(operation, at))
        return self._by_length[length]

    @cached_property
    def _called(self) -> dict[int, list[tuple[int, Element]]]:
        """The operations with a path, by the number of its segments; each with its rank in the document."""
        found: dict[int, list[tuple[int, Element]]] = {}
        for at, operation in enumerate(self._contract.operations):
            path = operation.name.partition(" ")[2]
            if operation.role is Role.REQUEST and path.startswith("/"):
                found.setdefault(path.count("/"), []).append((at, operation))
        return found


def _template(operation: Element, at: int) -> _Template:
    method, _, path = operation.name.partition(" ")
    # The names of variables count for nothing here, whatever happens to them.
    segments = tuple(as_sent(path).split("/")[1:])
    mixed = any("{" in part and not _VARIABLE.fullmatch(part) for part in segments)
    pattern = _pattern(segments) if mixed else None
    own = bool(children_of(operation, ElementKind.SERVER))
    return _Template(segments, pattern, operation, method, own, tuple("{" in part for part in segments), at)


def literal_segments(segments: tuple[str, ...], variable: tuple[bool, ...]) -> tuple[str, ...]:
    """The segments that are no variables."""
    return tuple(segment for segment, free in zip(segments, variable, strict=True) if not free)


def _pattern(segments: Sequence[str]) -> re.Pattern[str]:
    literal = (re.escape(part) for part in _VARIABLE.split("/".join(segments)))
    return re.compile("([^/]+?)".join(literal))


def _texts(template: _Template, segments: tuple[str, ...]) -> tuple[str, ...] | None:
    """The texts where the template has variables, None when it does not fit."""
    if template.pattern is not None:
        found = template.pattern.fullmatch("/".join(segments))
        return tuple(found.groups()) if found else None
    texts = []
    for part, text in zip(template.segments, segments, strict=True):
        if part[:1] == "{":
            if not text:
                return None
            texts.append(text)
        elif part != text:
            return None
    return tuple(texts)


def _without_base(path: str, base: re.Pattern[str]) -> str | None:
    """The path below a base path, None when it does not start with it."""
    found = base.match(path)
    return path[found.end() :] or "/" if found else None


def _base(server: Element) -> str:
    base = respelled(str(server.facet("basePath") or "/"))
    return "" if base == "/" else base


def _filled(server: Element, text: str, first: int, other: str) -> str:
    """The text as a pattern, with each variable as its listed values or as `other`."""
    parts = [re.escape(part) for part in text.split("{}")]
    made = parts[0]
    for at, part in enumerate(parts[1:], first):
        listed = server.facet(f"variables.{at}.enum")
        values = [re.escape(str(value)) for value in listed] if isinstance(listed, list) and listed else [other]
        made += f"(?:{'|'.join(values)})" + part
    return made


def base_text(server: Element, chosen: Mapping[int, str]) -> str:
    """The base path of a server with its variables as chosen, or at their defaults."""
    return _with_values(server, _base(server), origin(server).count("{}"), chosen)


def origin_text(server: Element, chosen: Mapping[int, str]) -> str:
    """Scheme and host of a server with its variables as chosen, or at their defaults; "" for a relative one."""
    text = _with_values(server, origin(server), 0, chosen)
    return address(text) if text else ""


def _with_values(server: Element, text: str, first: int, chosen: Mapping[int, str]) -> str:
    for at in range(first, first + text.count("{}")):
        default = server.facet(f"variables.{at}.default")
        text = text.replace("{}", chosen.get(at) or (default if isinstance(default, str) and default else "x"), 1)
    return text


def _address(server: Element) -> tuple[str, str]:
    """Scheme and the host as a pattern; both empty for a relative server."""
    scheme, _, host = origin(server).rpartition("//")
    return scheme, _filled(server, host, 0, "[^/]*")


def origin(server: Element) -> str:
    """Scheme and host of a server, variables as `{}`; "" for a relative one."""
    head, separator, rest = server.key.partition("//")
    return f"{head}//{rest.partition('/')[0]}" if separator and (not head or head.endswith(":")) else ""


def children_of(element: Element, kind: ElementKind) -> tuple[Element, ...]:
    """The children of one kind, in document order."""
    return tuple(child for child in element.children if child.kind is kind)


def _child(element: Element | None, kind: ElementKind, key: str) -> Element | None:
    return (
        next((child for child in element.children if child.kind is kind and child.key == key), None)
        if element
        else None
    )


# The way from an operation down to one of its elements.


Chain = tuple[Element, ...]


def chains(top: Element) -> Iterator[Chain]:
    """Every element of an operation with the elements above it, the operation itself first, in document order."""
    waiting: list[Chain] = [(top,)]
    while waiting:
        chain = waiting.pop()
        yield chain
        waiting.extend((*chain, child) for child in reversed(chain[-1].children))


class Chains:
    """The ways to the elements of one contract, gathered once per operation."""

    def __init__(self, contract: Contract) -> None:
        self._contract = contract
        self._below: dict[int, dict[int, Chain]] = {}

    def to(self, operation: Element | None, target: Element) -> Chain | None:
        """The way to an element, below `operation` if it stands there; operations share elements."""
        found = self._of(operation).get(id(target)) if operation is not None else None
        ways = (self._of(top).get(id(target)) for top in self._contract.operations) if found is None else ()
        return found or next((chain for chain in ways if chain is not None), None)

    def _of(self, top: Element) -> dict[int, Chain]:
        """By identity of the last element; the first way counts."""
        if id(top) not in self._below:
            found: dict[int, Chain] = {}
            for chain in chains(top):
                found.setdefault(id(chain[-1]), chain)
            self._below[id(top)] = found
        return self._below[id(top)]


def chain_at(top: Element, kind: ElementKind, place: Place | None) -> Chain | None:
    """The way to the element of a kind that is written at a place or holds it; the deepest one."""
    if place is None:
        return None
    found = [
        chain
        for chain in chains(top)
        if chain[-1].kind is kind
        and chain[-1].place.file == place.file
        and _holds(chain[-1].place.pointer, place.pointer)
    ]
    return max(found, key=lambda chain: len(chain[-1].place.pointer), default=None)


def part_of(chain: Chain) -> str:
    """What an acceptance calls the part of the message that a chain ends in."""
    for element in chain:
        match element.kind:
            case ElementKind.PARAMETER:
                return f"{element.key.partition(':')[0]} {element.name}"
            case ElementKind.HEADER if not any(each.kind is ElementKind.ENCODING for each in chain):
                return f"header {element.name}"
            case _:
                pass
    return "body"


def _holds(pointer: str, other: str) -> bool:
    return other == pointer or other.startswith(f"{pointer}/")
