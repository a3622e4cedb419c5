"""Guardrail: public API responses do not expose internal errors. Looks at the error bodies that a contract declares."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from evreview.contract.model import Contract, Element, Place, ValueSet
from evreview.contract.references import Resolver
from evreview.core.vocabulary import Json

INTERNAL_NAMES: Final = frozenset(
    {
        "stack", "stacktrace", "backtrace", "traceback", "exception", "exceptionclass", "exceptiontype",
        "innerexception", "sql", "sqlstate", "debug", "debuginfo", "internalmessage", "internalerror",
        "exceptionmessage",
    }
)  # fmt: skip
"""Property names, lower case without separators, that carry internals when they stand in a public error body."""

_NESTED: Final = ("items", "additionalProperties", "not")
_BRANCHES: Final = ("allOf", "anyOf", "oneOf", "prefixItems")


def is_internal(name: str) -> bool:
    """True for the name of a member that carries internals."""
    return name.lower().replace("_", "").replace("-", "") in INTERNAL_NAMES


def internal_error_fields(contract: Contract) -> tuple[tuple[str, Place], ...]:
    """The error-body properties with an internal name, each once, with the place where it is written."""
    resolver, seen = Resolver(contract.documents), set[Place]()
    found = {
        place: name
        for value in _error_values(contract.root)
        for name, place in _properties(resolver, value.place, value.node, seen)
        if is_internal(name)
    }
    return tuple((name, place) for place, name in sorted(found.items(), key=lambda pair: str(pair[0])))


def _error_values(element: Element) -> Iterator[ValueSet]:
    if element.in_error and element.value is not None:
        yield element.value
    for child in element.children:
        yield from _error_values(child)


def _properties(resolver: Resolver, place: Place, node: Json, seen: set[Place]) -> Iterable[tuple[str, Place]]:
    """Every property below a schema node; each place is visited once, so cycles end."""
    pending: list[tuple[Place, Json]] = [(place, node)]
    while pending:
        place, node = pending.pop()
        if place in seen or not isinstance(node, Mapping):
            continue
        seen.add(place)
        if isinstance(ref := node.get("$ref"), str) and (target := resolver.target(place, ref)):
            pending.append(target)
        properties = node.get("properties")
        for name, child in properties.items() if isinstance(properties, Mapping) else ():
            yield str(name), place.child("properties", name)
            pending.append((place.child("properties", name), child))
        pending += [(place.child(key), node[key]) for key in _NESTED if key in node]
        for key in _BRANCHES:
            branches = node.get(key)
            if isinstance(branches, Sequence) and not isinstance(branches, str):
                pending += [(place.child(key, index), branch) for index, branch in enumerate(branches)]
