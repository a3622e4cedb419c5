"""How the named types of a GraphQL schema are used: for input, for output or both, and by which operations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from graphql.language import ast

from evreview.contracts.readers.graphql_syntax import EXECUTABLE, ROOTS, Definitions, bare
from evreview.vocab import Polarity


@dataclass(frozen=True, slots=True)
class Use:
    """The use of one type: `polarity` is None for one that is read and written; `operations` reach it."""

    polarity: Polarity | None
    operations: tuple[str, ...]


def uses_of(found: Definitions) -> Mapping[str, Use]:
    """The use of each type by name."""
    inputs = {bare(part.type) for node in found.types.values() for part in _inputs(node)}
    outputs = {bare(field.type) for node in found.types.values() for field in _outputs(node)}
    outputs |= {member.name.value for node in found.types.values() for member in getattr(node, "types", None) or ()}
    inputs |= {bare(part.type) for node in found.directives.values() for part in node.arguments or ()}
    reached = _reached(found)
    return {
        name: Use(_polarity(node, name in inputs, name in outputs), tuple(sorted(reached.get(name, ()))))
        for name, node in found.types.items()
    }


def _polarity(node: Any, read: bool, written: bool) -> Polarity | None:
    if isinstance(node, ast.InputObjectTypeDefinitionNode):
        return Polarity.READ
    if not isinstance(node, (ast.EnumTypeDefinitionNode, ast.ScalarTypeDefinitionNode)):
        return Polarity.WRITTEN
    if read == written:
        return None
    return Polarity.READ if read else Polarity.WRITTEN


def _inputs(node: Any) -> Iterator[Any]:
    if isinstance(node, ast.InputObjectTypeDefinitionNode):
        yield from node.fields or ()
    for field in _outputs(node):
        yield from field.arguments or ()


def _outputs(node: Any) -> Iterable[Any]:
    return () if isinstance(node, ast.InputObjectTypeDefinitionNode) else getattr(node, "fields", None) or ()


def _reached(found: Definitions) -> dict[str, set[str]]:
    """The operations that reach each type; a root type is reached by all its operations, and opens no others."""
    below = _below(found)
    roots = set(found.roots.values())
    reached: dict[str, set[str]] = {}
    for word in ROOTS:
        if word not in found.roots:
            continue
        for field in found.types[found.roots[word]].fields or ():
            waiting = [found.roots[word], *_of_field(field)]
            seen = set(waiting)
            while waiting:
                name = waiting.pop()
                reached.setdefault(name, set()).add(f"{word} {field.name.value}")
                fresh = set() if name in roots else below.get(name, set()) - seen
                seen |= fresh
                waiting.extend(fresh)
    every = set().union(*reached.values())
    for name in _in_documents(found, below):
        reached.setdefault(name, set()).update(every)
    return reached


def _in_documents(found: Definitions, below: Mapping[str, set[str]]) -> set[str]:
    """The types of what directives take in documents, which may stand beside any operation."""
    used = [node for node in found.directives.values() if EXECUTABLE & {place.value for place in node.locations}]
    waiting = [bare(part.type) for node in used for part in node.arguments or ()]
    seen: set[str] = set()
    while waiting:
        name = waiting.pop()
        if name not in seen:
            seen.add(name)
            waiting.extend(below.get(name, ()))
    return seen


def _below(found: Definitions) -> dict[str, set[str]]:
    """The types that each type leads to: of its fields and their arguments, its members, and who implements it."""
    below: dict[str, set[str]] = {}
    for name, node in found.types.items():
        below.setdefault(name, set()).update(bare(part.type) for part in _inputs(node))
        for field in _outputs(node):
            below[name].update(_of_field(field))
        below[name].update(member.name.value for member in getattr(node, "types", None) or ())
        for interface in getattr(node, "interfaces", None) or ():
            below[name].add(interface.name.value)
            below.setdefault(interface.name.value, set()).add(name)
    return below


def _of_field(field: Any) -> list[str]:
    return [bare(field.type), *(bare(part.type) for part in field.arguments or ())]
