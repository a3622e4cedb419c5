"""Which operations of a contract a scope names."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from evreview.contract.model import Contract, Element, ElementKind
from evreview.core.vocabulary import Role
from evreview.reference.model import Operation
from evreview.reference.templates import same_path, spelled

METHODS: Final = frozenset({"GET", "PUT", "POST", "DELETE", "OPTIONS", "HEAD", "PATCH", "TRACE"})


def operations_of(contract: Contract) -> tuple[Operation, ...]:
    """Every operation that callers send requests to, in document order; webhooks and callbacks are none of them."""
    return tuple(_operation(element) for element in contract.operations if element.role is Role.REQUEST)


def operations_in(
    contract: Contract, included: Sequence[str], excluded: Sequence[str]
) -> tuple[tuple[Operation, ...], tuple[str, ...]]:
    """The operations in scope, in document order, and the names that stand for none or for several.

    A name is method and path, up to the names of path parameters and with or without the base path of a server, or an
    operation id. What is excluded is out of scope even when it is included too.
    """
    every = operations_of(contract)
    found = {name: _named(name, every, contract) for name in (*included, *excluded)}
    left_out = {id(operation) for name in excluded for operation in found[name]}
    chosen = {id(operation) for name in included for operation in found[name] if len(found[name]) == 1} - left_out
    unresolved = tuple(name for name, meant in found.items() if len(meant) != 1)
    return tuple(operation for operation in every if id(operation) in chosen), unresolved


def operations_named(contract: Contract, name: str) -> tuple[Operation, ...]:
    """Every operation that a name may stand for."""
    return _named(name, operations_of(contract), contract)


def base_paths(contract: Contract, operation: Operation) -> tuple[str, ...]:
    """The base paths that stand before the operation's path, its own servers' or the document's; "" for none."""
    own = [child for child in operation.element.children if child.kind is ElementKind.SERVER]
    servers = own or [child for child in contract.root.children if child.kind is ElementKind.SERVER]
    bases = (str(server.facet("basePath") or "/") for server in servers)
    return tuple(dict.fromkeys("" if base == "/" else base for base in bases)) or ("",)


def whole_paths(contract: Contract, operation: Operation) -> tuple[str, ...]:
    """The operation's path as the contract writes it, and below each of its base paths."""
    return tuple(dict.fromkeys((operation.path, *(base + operation.path for base in base_paths(contract, operation)))))


def _operation(element: Element) -> Operation:
    method, _, path = element.name.partition(" ")
    named = element.facet("operationId")
    return Operation(
        id=element.name,
        method=method,
        path=path,
        operation_id=named if isinstance(named, str) else "",
        element=element,
    )


def _named(name: str, every: Iterable[Operation], contract: Contract) -> tuple[Operation, ...]:
    """Everything that a name may stand for; a spelling that is written out comes before all others."""
    wanted = " ".join(name.split())
    method, _, path = wanted.partition(" ")
    line = f"{method.upper()} {path}"
    exact = tuple(each for each in every if line == each.id or (wanted and wanted == each.operation_id))
    if exact or method.upper() not in METHODS or not path:
        return exact
    shape = spelled(path)
    alike = tuple(each for each in every if each.method == method.upper() and spelled(each.path) == shape)
    return alike or tuple(
        each
        for each in every
        if each.method == method.upper() and any(same_path(path, whole) for whole in whole_paths(contract, each))
    )
