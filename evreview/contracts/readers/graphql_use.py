"""How the named types of a GraphQL schema are used: for input, for output or both, and by which operations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from graphql.language import ast

from evreview.core.vocabulary import Polarity
from evreview.kinds.graphql.syntax import EXECUTABLE, ROOTS, Definitions, bare


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
        name: Use(_polarity(node, name in inputs, name in outputs), reached.get(name, ()))
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


def _reached(found: Definitions) -> dict[str, tuple[str, ...]]:
    """The operations that reach each type; a root type is reached by all its operations, and opens no others.

    Types that lead to each other are reached by the same operations, so that each group is looked at once.
    """
    below = _below(found)
    for root in found.roots.values():
        below[root] = set()
    names: list[str] = []
    starts: dict[str, int] = {}
    for word in (word for word in ROOTS if word in found.roots):
        for field in found.types[found.roots[word]].fields or ():
            for name in (found.roots[word], *_of_field(field)):
                starts[name] = starts.get(name, 0) | 1 << len(names)
            names.append(f"{word} {field.name.value}")
    for name in _in_documents(found, below):
        starts[name] = (1 << len(names)) - 1
    masks = _spread(starts, below)
    told = {mask: tuple(sorted(names[at] for at in _bits(mask))) for mask in set(masks.values())}
    return {name: told[mask] for name, mask in masks.items()}


def _spread(starts: Mapping[str, int], below: Mapping[str, set[str]]) -> dict[str, int]:
    """The marks of each type: its own, and those of all types that lead to it."""
    groups = list(reversed(list(_groups(below))))
    home = {name: at for at, group in enumerate(groups) for name in group}
    marks = [0] * len(groups)
    for name, mark in starts.items():
        if name in home:
            marks[home[name]] |= mark
    for at, group in enumerate(groups):
        for other in {home[target] for name in group for target in below[name] if target in home}:
            marks[other] |= marks[at]
    return {name: marks[at] for name, at in home.items()}


def _bits(mask: int) -> Iterator[int]:
    return (at for at, bit in enumerate(reversed(f"{mask:b}")) if bit == "1")


def _groups(below: Mapping[str, set[str]]) -> Iterator[list[str]]:
    """The types that lead to each other, together; each group after those that it leads to (Tarjan's algorithm)."""
    number: dict[str, int] = {}
    low: dict[str, int] = {}
    open_: list[str] = []
    waiting: set[str] = set()
    for start in below:
        if start in number:
            continue
        number[start] = low[start] = len(number)
        open_.append(start)
        waiting.add(start)
        path = [(start, iter(sorted(below[start] & below.keys())))]
        while path:
            name, targets = path[-1]
            target = next(targets, None)
            if target is None:
                path.pop()
                if path:
                    low[path[-1][0]] = min(low[path[-1][0]], low[name])
                if low[name] == number[name]:
                    group = _closed(open_, name)
                    waiting -= set(group)
                    yield group
            elif target not in number:
                number[target] = low[target] = len(number)
                open_.append(target)
                waiting.add(target)
                path.append((target, iter(sorted(below[target] & below.keys()))))
            elif target in waiting:
                low[name] = min(low[name], number[target])


def _closed(open_: list[str], name: str) -> list[str]:
    """The names from the end of a list down to `name`, taken out of it."""
    group = [open_.pop()]
    while group[-1] != name:
        group.append(open_.pop())
    return group


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
