"""Operations of the contract, the names that stand for them, and the paths below which they answer."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Final

from evreview.contract.model import Contract, Element, ElementKind
from evreview.core.quoted_text import listed
from evreview.core.vocabulary import Role
from evreview.evidence.item import Citation
from evreview.report.statement import Statement, cite, limited
from evreview.workflows.w2.facts import Operation, W2Facts

_COLON = re.compile(r"(?<=/):[A-Za-z_]\w*")
_ANGLES = re.compile(r"<[^<>/]*(?:/[^<>]*)?>")


@lru_cache(maxsize=8192)
def spelled(path: str) -> str:
    """The template with `{}` for each parameter: `{id}`, `{id:int}`, `{id:[0-9]{3}}`, `<int:id>` and `:id` alike."""
    braced = "".join(_without_names(_ANGLES.sub("{}", path)))
    return _COLON.sub("{}", braced)


def _without_names(path: str) -> Iterator[str]:
    """The parts of a path, whatever stands in balanced braces left out; braces that never close are literal."""
    depth, start = 0, 0
    for at, sign in enumerate(path):
        if sign == "{":
            if depth == 0:
                yield path[start:at]
                start = at
            depth += 1
        elif sign == "}" and depth:
            depth -= 1
            if depth == 0:
                yield "{}"
                start = at + 1
    yield path[start:]


def same_path(one: str, other: str) -> bool:
    """True when two templates match the same paths, as far as their spelling tells."""
    return spelled(one) == spelled(other)


def without_slash(path: str) -> str:
    """The path without a slash at its end."""
    return path.rstrip("/") or "/"


# Which operations of a contract a scope names.


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


MOST_NAMED: Final = 12
"""Operations that one sentence names."""


def scope_and_contract(facts: W2Facts) -> tuple[Citation, ...]:
    """The items that name the scope and the operations."""
    return cite(facts.scope.citation if facts.scope else None, facts.item.id if facts.item else None)


def unlisted(facts: W2Facts) -> Iterator[Statement]:
    """The operations of the contract that the scope neither includes nor excludes."""
    if facts.scope is None or facts.contract is None or not facts.operations:
        return
    excluded = tuple(each.operation for each in facts.scope.record.exclusions or ())
    listed_ids = {each.id for each in facts.operations} | {
        each.id for name in excluded for each in operations_named(facts.contract, name)
    }
    left = [each.id for each in operations_of(facts.contract) if each.id not in listed_ids]
    if left:
        more = f" and {len(left) - MOST_NAMED} more" if len(left) > MOST_NAMED else ""
        yield limited("The scope neither includes nor excludes: ", *listed(left[:MOST_NAMED]), f"{more}.",
                      on=scope_and_contract(facts))  # fmt: skip
