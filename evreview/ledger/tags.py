"""What travels and tells the branches of a choice apart: members that they fix, and values of a discriminator."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from evreview.comparison.wire_forms import canonical
from evreview.ledger.node_pair import NodePair, Side
from evreview.schema.view import SchemaView, Sub

Marks = tuple[Sequence[bytes], Sequence[bytes]]
"""A mark per branch of the released choice and of the candidate's; empty for a branch without one."""
Named = Mapping[str, int]
_Fixed = Mapping[str, bytes]
_SEVERAL = 2


def tags_of(pair: NodePair, released: Sequence[Sub], candidate: Sequence[Sub]) -> list[Marks]:
    """The marks of the branches of a pair's choice, those that tell most first."""
    named = named_branches(pair.before, released), named_branches(pair.after, candidate)
    return tags_among(pair, released, candidate, named)


def tags_among(
    pair: NodePair, released: Sequence[Sub], candidate: Sequence[Sub], named: tuple[Named, Named]
) -> list[Marks]:
    """The same where the branches that a discriminator's values name are known already, by their positions."""
    before, after = pair.before.discriminator, pair.after.discriminator
    chosen = before.property if before is not None and after is not None and before.property == after.property else None
    sides = _fixed_of(pair.old, released), _fixed_of(pair.new, candidate)
    owed = Counter(name for side, subs in ((pair.old, released), (pair.new, candidate)) for name in _owed(side, subs))
    names = _telling(sides[0]) & _telling(sides[1])
    found = {
        name: ([each.get(name, b"") for each in sides[0]], [each.get(name, b"") for each in sides[1]])
        for name in sorted(names, key=lambda name: (-owed[name], name))
    }
    first = [found.pop(chosen)] if chosen in found else []
    mapped = [_mapped(named, len(released), len(candidate))] if chosen is not None else []
    return [*first, *mapped, *found.values()]


def named_branches(view: SchemaView, branches: Sequence[Sub]) -> dict[str, int]:
    """The branch of each value, where the discriminator names one of the branches that stand here."""
    tails = {tail(branch): at for at, branch in enumerate(branches)}
    values = view.discriminator.values if view.discriminator is not None else {}
    return {value: tails[ref.rsplit("/", 1)[-1]] for value, ref in values.items() if ref.rsplit("/", 1)[-1] in tails}


def tail(branch: Sub) -> str:
    """The last step of the reference that a branch is, "" for one that is written in place."""
    node = branch.parts[0].node
    ref = node.get("$ref") if isinstance(node, dict) else None
    return ref.rsplit("/", 1)[-1] if isinstance(ref, str) else ""


def _mapped(named: tuple[Named, Named], released: int, candidate: int) -> Marks:
    """Branches are marked by the values that both sides know: one more value is no other branch."""
    both = sorted(named[0].keys() & named[1].keys())

    def marks(branches: Named, count: int) -> list[bytes]:
        values: list[list[str]] = [[] for _ in range(count)]
        for value in both:
            values[branches[value]].append(value)
        return [canonical(list(each)) if each else b"" for each in values]

    return marks(named[0], released), marks(named[1], candidate)


def _fixed_of(side: Side, branches: Iterable[Sub]) -> list[_Fixed]:
    return [
        {name: value for name, sub in side.view(branch).properties.items() if (value := _only_value(side, sub))}
        for branch in branches
    ]


def _only_value(side: Side, sub: Sub) -> bytes:
    view = side.view(sub)
    return canonical(view.enum[0]) if view.enum is not None and len(view.enum) == 1 and not view.null else b""


def _owed(side: Side, branches: Iterable[Sub]) -> Iterable[str]:
    return (name for branch in branches for name in side.view(branch).required)


def _telling(branches: Sequence[_Fixed]) -> set[str]:
    """The members that several branches fix, each to a value of its own."""
    counts = Counter(name for branch in branches for name in branch)
    values = Counter(pair for branch in branches for pair in branch.items())
    repeated = {name for (name, _), count in values.items() if count > 1}
    return {name for name, count in counts.items() if count >= _SEVERAL} - repeated
