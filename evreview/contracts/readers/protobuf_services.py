"""Services and their procedures as elements, and which types their messages reach."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from evreview.contract.model import Element, ElementKind, Facet
from evreview.contracts.readers.protobuf_scope import SERVICES, Declared, Scope, reached
from evreview.core.vocabulary import Aspect, Polarity, Role
from evreview.kinds.protobuf.elements import Use
from evreview.kinds.protobuf.options import Options

MOST_USES: Final = 500_000
"""Pairs of a procedure and a type that are told; beyond them a type names fewer procedures than reach it."""


@dataclass(frozen=True, slots=True)
class Services:
    """The services of a contract's own files.

    Attributes:
        own: those files.
        types: every type of the set, by full name.
        options: reads options.
    """

    own: Sequence[Scope]
    types: Mapping[str, Declared]
    options: Options

    def operations(self) -> Iterator[Element]:
        """One element per procedure, named `package.Service/Method` as its path is on the wire."""
        for scope, service, at in self._services():
            name = scope.full(service.name)
            for number, method in enumerate(service.method):
                yield Element(
                    kind=ElementKind.OPERATION,
                    key=f"{name}/{method.name}",
                    name=method.name,
                    aspect=Aspect.METHODS,
                    place=scope.place((SERVICES, at, 2, number)),
                    role=Role.MESSAGE,
                    facets=tuple(self._procedure(name, method)),
                )

    def _procedure(self, service: str, method: Any) -> Iterator[Facet]:
        yield Facet("path", Aspect.NAMES, f"/{service}/{method.name}")
        yield Facet("request", Aspect.TYPES, method.input_type[1:])
        yield Facet("response", Aspect.TYPES, method.output_type[1:])
        yield Facet("client_streaming", Aspect.STREAMING, method.client_streaming)
        yield Facet("server_streaming", Aspect.STREAMING, method.server_streaming)
        level = method.options.DESCRIPTOR.fields_by_name["idempotency_level"].enum_type.values_by_number[
            method.options.idempotency_level
        ]
        yield Facet("idempotency_level", Aspect.IDEMPOTENCY, level.name)
        yield Facet("deprecated", Aspect.DEPRECATION, method.options.deprecated)
        yield from self.options.facets(method.options)

    def services(self) -> Iterator[Element]:
        """One element per service."""
        for scope, service, at in self._services():
            name = scope.full(service.name)
            yield Element(
                kind=ElementKind.SERVICE,
                key=name,
                name=name,
                aspect=Aspect.METHODS,
                place=scope.place((SERVICES, at)),
                role=Role.DOCUMENT,
                facets=(
                    Facet("deprecated", Aspect.DEPRECATION, service.options.deprecated),
                    *self.options.facets(service.options),
                ),
                operations=tuple(f"{name}/{method.name}" for method in service.method),
            )

    def uses(self) -> dict[str, Use]:
        """For each type that a procedure reaches, by which of them and in which of their messages."""
        sent: dict[Polarity, dict[str, list[str]]] = {Polarity.READ: {}, Polarity.WRITTEN: {}}
        for scope, service, _ in self._services():
            for method in service.method:
                key = f"{scope.full(service.name)}/{method.name}"
                sent[Polarity.READ].setdefault(method.input_type[1:], []).append(key)
                sent[Polarity.WRITTEN].setdefault(method.output_type[1:], []).append(key)
        held = {polarity: reached(names, self.types) for polarity, names in sent.items()}
        operations = self._operations(sent)
        return {
            name: _use(operations.get(name, {}), {polarity for polarity, names in held.items() if name in names})
            for name in held[Polarity.READ] | held[Polarity.WRITTEN]
        }

    def _operations(self, sent: Mapping[Polarity, Mapping[str, list[str]]]) -> dict[str, dict[str, None]]:
        """By type the procedures that reach it, in order, as far as `MOST_USES` goes."""
        found: dict[str, dict[str, None]] = {}
        told = 0
        for name, keys in (each for names in sent.values() for each in names.items()):
            if told > MOST_USES:
                break
            for held in reached([name], self.types):
                found.setdefault(held, {}).update(dict.fromkeys(keys))
                told += len(keys)
        return found

    def _services(self) -> Iterator[tuple[Scope, Any, int]]:
        for scope in self.own:
            for at, service in enumerate(scope.file.service):
                yield scope, service, at


def _use(operations: dict[str, None], polarities: set[Polarity]) -> Use:
    if len(polarities) != 1:
        return Use(tuple(operations))
    polarity = next(iter(polarities))
    return Use(tuple(operations), Role.REQUEST if polarity is Polarity.READ else Role.RESPONSE, polarity)
