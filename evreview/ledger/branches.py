"""Which branch of the released composition is which branch of the candidate's."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from evreview.ledger.forms import canonical
from evreview.ledger.node_pair import Side
from evreview.shapes.labels import fixed_value
from evreview.shapes.view import SchemaView, Sub
from evreview.vocab import Json

Pairs = list[tuple[int, int]]
_ENOUGH = 0.34


def pair_branches(
    old: Side, new: Side, released: Sequence[Sub], candidate: Sequence[Sub]
) -> tuple[Pairs, list[int], list[int]]:
    """Paired positions, released positions without partner, candidate positions without partner.

    Names of references decide first, then equal content, fixed values and titles, then the best likeness.
    """
    pairs: Pairs = []
    left, right = list(range(len(released))), list(range(len(candidate)))
    ways: tuple[Callable[[Side, Sub], bytes], ...] = (_name, _content, _fixed, _title)
    for way in ways:
        by_key: dict[bytes, list[int]] = {}
        for at in right:
            by_key.setdefault(way(new, candidate[at]), []).append(at)
        for at in list(left):
            key = way(old, released[at])
            if key and by_key.get(key):
                other = by_key[key].pop(0)
                pairs.append((at, other))
                left.remove(at)
                right.remove(other)
    _alike(pairs, left, right, [old.view(sub) for sub in released], [new.view(sub) for sub in candidate])
    return sorted(pairs), left, right


def _name(side: Side, sub: Sub) -> bytes:
    node = sub.parts[0].node
    ref = node.get("$ref") if isinstance(node, dict) else None
    return ref.rsplit("/", 1)[-1].encode("utf-8", "surrogatepass") if isinstance(ref, str) else b""


def _content(side: Side, sub: Sub) -> bytes:
    return canonical(side.forms.of(sub))


def _fixed(side: Side, sub: Sub) -> bytes:
    return fixed_value(side.view(sub)).encode("utf-8", "surrogatepass")


def _title(side: Side, sub: Sub) -> bytes:
    title: Json = side.view(sub).annotations.get("title")
    return title.encode("utf-8", "surrogatepass") if isinstance(title, str) else b""


def _alike(
    pairs: Pairs, left: list[int], right: list[int], before: Sequence[SchemaView], after: Sequence[SchemaView]
) -> None:
    scored = sorted((-_likeness(before[one], after[two]), one, two) for one in left for two in right)
    for score, one, two in scored:
        if -score >= _ENOUGH and one in left and two in right:
            pairs.append((one, two))
            left.remove(one)
            right.remove(two)


def _likeness(before: SchemaView, after: SchemaView) -> float:
    """0 for nothing in common, 1 for the same types and field names."""
    if before.types != after.types:
        return 0.0
    names, others = set(before.properties), set(after.properties)
    if not names and not others:
        return 1.0 if before.typed else 0.0
    return len(names & others) / len(names | others)
