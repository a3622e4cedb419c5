"""What the id of a row inside a shared component hangs on: the component itself, never who uses it.

A use that comes or goes, and another name for the component, leave the anchor as it is.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from evreview.comparison import delta as fact
from evreview.comparison.component_identity import ComponentIdentities, address, is_shared, is_the_paths
from evreview.comparison.delta import Delta
from evreview.comparison.wire_forms import canonical
from evreview.contract.model import Element
from evreview.core.frozen import frozen
from evreview.core.vocabulary import DeltaId, Json
from evreview.schema.reader import is_annotation
from evreview.schema.view import Part, Sub
from evreview.schema.views import Views

Base = Sub | Element | str


@frozen
class ComponentAnchor:
    """A released component (or the path whose operations share a parameter), and the way from there.

    `added`: a component of the candidate alone, which the released contract can't tell from others of its kind.
    """

    base: Base
    inner: tuple[str, ...] = ()
    added: bool = False

    def below(self, *steps: str) -> ComponentAnchor:
        """The same component, further down."""
        return ComponentAnchor(self.base, (*self.inner, *(step for step in steps if step)), self.added)

    def fields(self, marks: ComponentIdentities) -> tuple[bytes, ...]:
        """The anchor as bytes for a digest."""
        if isinstance(self.base, str):
            base: Json = ["path", self.base]
        elif isinstance(self.base, Element) and self.added:
            base = ["added", self.base.kind.value, self.base.key]
        elif isinstance(self.base, Element):
            base = ["element", marks.component(self.base)]
        else:
            base = marks.schema(self.base)
        return (canonical(base), self._usage_path)

    @property
    def written(self) -> tuple[bytes, ...]:
        """Where the component is written, and the way from there."""
        base = self.base if isinstance(self.base, str) else str(self.base.place)
        return (base.encode("utf-8", "surrogatepass"), self._usage_path)

    @property
    def _usage_path(self) -> bytes:
        return address((), self.inner).encode("utf-8", "surrogatepass")


def entered(sub: Sub, target: Sub, step: str, members: Iterable[Sub]) -> ComponentAnchor | None:
    """The anchor of the component that a step leads into, None where it stays in the one that it starts in.

    It leads into one by reference, as merged member, or as a member of one that was merged.

    Args:
        sub: the member as written.
        target: the same, references followed.
        step: the step to it; empty for a merged component itself.
        members: the components merged into the node that the step starts at.
    """
    if not step or target.place != sub.place:
        return ComponentAnchor(target)
    member = next((member for member in members if member.key == sub.owner), None) if sub.owner is not None else None
    return None if member is None else ComponentAnchor(member).below(step)


def wrapped(views: Views, target: Sub) -> Sub:
    """The component that a node only wraps, in an `allOf` of one reference with words beside it; else the node."""
    passed = {target.key}
    while (member := _only_member(target)) is not None:
        end = views.resolve(member)
        if end.key == member.key or end.key in passed:
            return target
        passed.add(end.key)
        target = end
    return target


def _only_member(sub: Sub) -> Sub | None:
    node, place = sub.parts[0]
    listed = node.get("allOf") if isinstance(node, dict) and len(sub.parts) == 1 else None
    if not isinstance(node, dict) or not isinstance(listed, list) or len(listed) != 1:
        return None
    alone = all(name == "allOf" or is_annotation(name) for name in node)
    return Sub((Part(listed[0], place.child("allOf", 0)),)) if alone else None


def child_anchor(
    parent: Element, anchor: ComponentAnchor | None, element: Element, step: str
) -> ComponentAnchor | None:
    """The anchor of an element below `parent`; None when it is written where it is used."""
    if element.place.line is not None:
        return anchor
    if not is_shared(parent, element):
        return None if anchor is None else anchor.below(step)
    return (
        ComponentAnchor(parent.key.partition(" ")[2], (step,))
        if is_the_paths(parent, element)
        else ComponentAnchor(element)
    )


# Stable ids: a digest over what a row is about, so that rewording, reordering and other edits never move it.


_PREFIX: Final = "D-"
_DIGITS: Final = 12


def digest(delta: Delta) -> str:
    """The digest of a delta's identity by its address."""
    return _digest(
        delta.kind.encode(), delta.role.encode(), delta.address.encode("utf-8", "surrogatepass"), *_difference(delta)
    )


def anchored(delta: Delta, anchor: tuple[bytes, ...], noise: bool) -> str:
    """The digest of a delta inside a shared component; noise has it once, whatever messages carry the component."""
    direction = str(delta.direction or "")
    outside = delta.facts.get(fact.OUTSIDE_DIRECTION) is True
    message = () if noise else (delta.role, direction, f"{delta.in_error}", f"{outside}")
    return _digest(
        b"component", delta.kind.encode(), *(text.encode() for text in message), *anchor, *_difference(delta)
    )


def _difference(delta: Delta) -> tuple[bytes, ...]:
    below = delta.facts.get(fact.HOLDS)
    return (
        delta.element.encode(),
        delta.aspect.encode(),
        delta.change.encode(),
        delta.facet.encode("utf-8", "surrogatepass"),
        canonical(delta.released),
        canonical(delta.candidate),
        *((str(below).encode(),) if below else ()),
    )


def _digest(*fields: bytes) -> str:
    """Every field carries its length, so that none can run into another."""
    return hashlib.sha256(b"".join(b"%d:%s" % (len(part), part) for part in fields)).hexdigest()


def delta_ids(deltas: Iterable[tuple[Delta, tuple[bytes, ...], str]]) -> tuple[DeltaId, ...]:
    """One id per delta, in order: 12 digits, more where two would share them.

    Two components of one shape with one edit fall back to their addresses; noise that says the same as a row, or as
    other noise, adds its reason. Deltas with the same address, difference and reason have to be merged before;
    `unique` refuses what is left.

    Args:
        deltas: each with the fields of its anchor (none: it is written where it is used), and why it is noise, or "".
    """
    rows = list(deltas)
    found = [anchored(delta, anchor, bool(reason)) if anchor else digest(delta) for delta, anchor, reason in rows]
    counts = Counter(found)
    found = [name if counts[name] == 1 else digest(delta) for name, (delta, _, _) in zip(found, rows, strict=True)]
    counts = Counter(found)
    return unique(
        [
            _digest(name.encode(), reason.encode()) if reason and counts[name] > 1 else name
            for name, (_, _, reason) in zip(found, rows, strict=True)
        ]
    )


def unique(digests: Sequence[str]) -> tuple[DeltaId, ...]:
    """The shortest prefixes of at least 12 digits that tell the digests apart."""
    if len(set(digests)) != len(digests):
        raise ValueError("two rows with one identity")
    groups: dict[str, list[str]] = {}
    for full in digests:
        groups.setdefault(full[:_DIGITS], []).append(full)
    return tuple(DeltaId(_PREFIX + full[: _length(groups[full[:_DIGITS]])]) for full in digests)


def _length(group: Sequence[str]) -> int:
    length = _DIGITS
    while len({full[:length] for full in group}) < len(group):
        length += 4
    return length
