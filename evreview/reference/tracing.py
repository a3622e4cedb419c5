"""Which operation a test speaks of: an operation id, a method with a template, or a method with a concrete path."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import unquote

from evreview.contract.model import Contract
from evreview.reference.model import Operation
from evreview.reference.operations import operations_of, whole_paths
from evreview.reference.templates import spelled

NONE = "the contract has no such operation"
SEVERAL = "its path fits several operations of the contract alike"


@dataclass(frozen=True, slots=True)
class Traced:
    """The operation, or why there is none."""

    operation: Operation | None = None
    reason: str = ""


class Tracing:
    """The operations of a contract by everything that tests call them."""

    def __init__(self, contract: Contract) -> None:
        self._by_name: dict[str, list[Operation]] = {}
        self._by_shape: dict[tuple[str, str], Operation] = {}
        self._templates: dict[tuple[str, int], list[tuple[tuple[str, ...], Operation]]] = {}
        for operation in operations_of(contract):
            self._by_name.setdefault(operation.id, []).append(operation)
            if operation.operation_id:
                self._by_name.setdefault(operation.operation_id, []).append(operation)
            for path in whole_paths(contract, operation):
                shape = spelled(path)
                self._by_shape.setdefault((operation.method, shape), operation)
                parts = tuple(shape.split("/"))
                self._templates.setdefault((operation.method, len(parts)), []).append((parts, operation))

    def named(self, name: str) -> Traced:
        """The operation of an assertion: `getOrder`, `GET /orders/{id}` or `GET /orders/ord_1`."""
        found = self._by_name.get(name, [])
        if found:
            return Traced(found[0]) if len(found) == 1 else Traced(reason="several operations have this operation id")
        method, _, path = " ".join(name.split()).partition(" ")
        if not path.startswith("/"):
            return Traced(reason=NONE)
        alike = self._by_shape.get((method.upper(), spelled(path)))
        return Traced(alike) if alike is not None else self.sent(method, path)

    def sent(self, method: str, path: str) -> Traced:
        """The operation of a request; the template wins that is literal wherever another one is."""
        path = path.partition("?")[0]
        for text in dict.fromkeys((path, path.rstrip("/") or "/")):
            parts = tuple(unquote(part) for part in text.split("/"))
            fitting = [each for each in self._templates.get((method.upper(), len(parts)), ()) if _fits(each[0], parts)]
            if fitting:
                return _most_literal(fitting)
        return Traced(reason=NONE)


def _fits(template: tuple[str, ...], parts: tuple[str, ...]) -> bool:
    return all(_segment(one, other) for one, other in zip(template, parts, strict=True))


def _segment(template: str, text: str) -> bool:
    """True when a segment fits; one with text beside its variable fits when that text stands around something."""
    if "{}" not in template:
        return template == text
    first, *rest = template.split("{}")
    if not text.startswith(first) or len(text) <= len(template.replace("{}", "")):
        return False
    at = len(first)
    for literal in rest[:-1]:
        at = text.find(literal, at + 1)
        if at < 0:
            return False
        at += len(literal)
    return text.endswith(rest[-1]) and len(text) - len(rest[-1]) > at


def _most_literal(fitting: Iterable[tuple[tuple[str, ...], Operation]]) -> Traced:
    ranked = [(tuple("{}" in part for part in parts), operation) for parts, operation in fitting]
    for variables, operation in ranked:
        others = [other for other, there in ranked if there is not operation]
        if variables not in others and all(_at_least_as_literal(variables, other) for other in others):
            return Traced(operation)
    return Traced(reason=SEVERAL)


def _at_least_as_literal(one: tuple[bool, ...], other: tuple[bool, ...]) -> bool:
    return all(mine <= theirs for mine, theirs in zip(one, other, strict=True))
