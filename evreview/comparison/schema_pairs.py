"""The graph of schema pairs that may differ: each pair compared once, cycles cut by identity, nothing expanded."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from evreview.comparison.delta import RawDifference
from evreview.comparison.delta_ids import ComponentAnchor, entered
from evreview.comparison.node_pair import Equality, SchemaReaders, written
from evreview.comparison.noise import NoiseReason, beside_reference
from evreview.comparison.schema_nodes import compare_nodes, renamed
from evreview.comparison.value_nodes import compare_choices
from evreview.comparison.wire_forms import canonical
from evreview.core.vocabulary import Aspect, Direction, Json
from evreview.schema.reader import REF_ALONE
from evreview.schema.view import Key, SchemaView, Sub

PairKey = tuple[Key, Key]
_NULLABLE: Final = frozenset({"nullable"})
_NEVER: Final[frozenset[Direction]] = frozenset()
Signatures = Mapping[int, Mapping[tuple[object, ...], RawDifference]]


@dataclass(slots=True, eq=False)
class Link:
    """A step from a pair to a pair below it; `required`: of a released property, None for any other member.

    `unsent`: the directions in which whoever sends keeps the member back; `newly_unsent`: those of them in which
    whoever expects it does not know that.
    `anchor`: that of the released shared schema which the step leads into (see `anchors.entered`), None when it stays.
    """

    step: str
    reverses: bool
    target: SchemaPair
    unsent: frozenset[Direction] = _NEVER
    newly_unsent: frozenset[Direction] = _NEVER
    required: bool | None = None
    anchor: ComponentAnchor | None = None


@dataclass(slots=True, eq=False)
class SchemaPair:
    """One pair of schema positions: what differs in it, where it leads, and released members without counterpart.

    `selects`: True for the choice of a discriminator among subtypes, which no union lists.
    """

    released: Sub
    candidate: Sub
    differences: list[RawDifference] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)
    lost: list[tuple[str, Sub]] = field(default_factory=list)
    selects: bool = False


class SchemaGraph:
    """Grows by `pair`; `settle` decides which differences a pair and its shared members have in common."""

    def __init__(self, old: SchemaReaders, new: SchemaReaders, equality: Equality) -> None:
        self.old = old
        self.new = new
        self._equality = equality
        self._pairs: dict[PairKey, SchemaPair | None] = {}
        self._choices: dict[PairKey, SchemaPair | None] = {}
        self._todo: list[SchemaPair] = []
        self.renames: dict[tuple[str, str], tuple[Sub, Sub]] = {}
        self.reordered = 0
        self._explained: set[int] = set()

    def pair(self, released: Sub, candidate: Sub) -> SchemaPair | None:
        """The pair of two positions, everything below it compared; None when they can't differ."""
        found = self._enter(released, candidate)
        self._work_off()
        return found

    def choice(self, released: Sub, candidate: Sub) -> SchemaPair | None:
        """The choice among subtypes that a value of two positions stands before; None where both have the same."""
        found = self._choose(released, candidate)
        self._work_off()
        return found

    @property
    def choices(self) -> tuple[SchemaPair, ...]:
        """Every choice among subtypes that differs or leads on."""
        return tuple(pair for pair in self._choices.values() if pair is not None)

    def _work_off(self) -> None:
        while self._todo:
            self._compare(self._todo.pop())

    def _choose(self, released: Sub, candidate: Sub) -> SchemaPair | None:
        old = self.old.views.selecting(self.old.views.resolve(released))
        new = self.new.views.selecting(self.new.views.resolve(candidate))
        if old is None or new is None:
            return None
        key = (old.key, new.key)
        if key not in self._choices:
            found = compare_choices(self.old, self.new, old, new)
            made = SchemaPair(old, new, found.differences, [], found.lost, selects=True)
            for step in found.steps:
                target = self._enter(step.released, step.candidate)
                if target is not None:
                    anchor = entered(step.released, target.released, step.step, ())
                    made.links.append(Link(step.step, False, target, anchor=anchor))
            self._choices[key] = made if made.differences or made.links or made.lost else None
        return self._choices[key]

    def _enter(self, released: Sub, candidate: Sub) -> SchemaPair | None:
        if self._equality.plainly_equal(released, candidate):
            return None
        old, new = self.old.views.resolve(released), self.new.views.resolve(candidate)
        for names in renamed(released, candidate):
            self.renames.setdefault(names, (old, new))
        key = (old.key, new.key)
        if key not in self._pairs:
            if self._equality.surely_equal(old, new):
                self._pairs[key] = None
            else:
                made = SchemaPair(old, new)
                self._pairs[key] = made
                self._todo.append(made)
        return self._pairs[key]

    def _compare(self, pair: SchemaPair) -> None:
        found = compare_nodes(self.old, self.new, pair.released, pair.candidate)
        pair.differences, pair.lost = found.differences, found.lost
        for step in found.steps:
            if next(renamed(step.released, step.candidate), None) is not None:
                self._explained.add(id(pair))
            for row in self.beside(step.released, step.candidate):
                pair.differences.append(replace(row, steps=(step.step,) if step.step else ()))
            target = self._enter(step.released, step.candidate)
            chosen = self._choose(step.released, step.candidate) if target is not None and step.step else None
            for below in (target, chosen):
                if below is None:
                    continue
                before, after = self.old.view(step.released), self.new.view(step.candidate)
                # OpenAPI 3.0.3, section 4.7.24: both marks are relevant for definitions of properties only.
                unsent, newly = unsent_directions(before, after) if step.required is not None else (_NEVER, _NEVER)
                pair.links.append(
                    Link(
                        step.step,
                        step.reverses,
                        below,
                        unsent,
                        newly,
                        step.required,
                        entered(step.released, below.released, step.step, self.old.views.view(pair.released).members),
                    )
                )

    def beside(self, released: Sub, candidate: Sub) -> Iterator[RawDifference]:
        """What differs beside two references without an effect."""
        ignored = self.old.views.dialect in REF_ALONE and self.new.views.dialect in REF_ALONE
        aside = any(sub.writes(_NULLABLE) for sub in (released, candidate))
        refuses = aside and not (self.old.view(released).null or self.new.view(candidate).null)
        return beside_reference(released, candidate, ignored=ignored, refuses_null=refuses)

    def _respelled(self, pair: SchemaPair) -> None:
        """One noise row for a node that is written differently and admits the same."""
        nodes = [(old.node, new.node) for old, new in zip(pair.released.parts, pair.candidate.parts, strict=False)]
        if len(pair.released.parts) == len(pair.candidate.parts) and all(
            old is new or written(old) == written(new) for old, new in nodes
        ):
            return
        if all(_one_text(old, new) for old, new in nodes):
            self.reordered += 1
            return
        self._explained.add(id(pair))
        form = self.old.forms.of(pair.released)
        pair.differences.append(
            RawDifference(
                aspect=Aspect.IDENTIFIERS,
                facet="spelling",
                released=form,
                candidate=form,
                released_place=pair.released.place,
                candidate_place=pair.candidate.place,
                reason=NoiseReason.RESPELLED
                if len(nodes) == len(pair.released.parts) == len(pair.candidate.parts) == 1
                else NoiseReason.SPLIT,
            )
        )

    @property
    def pairs(self) -> tuple[SchemaPair, ...]:
        """Every pair that was compared, in the order of discovery."""
        return (*(pair for pair in self._pairs.values() if pair is not None), *self.choices)

    def settle(self) -> None:
        """Leaves each difference of a merged shared schema to that schema alone.

        A view that merged a shared schema shows its differences too. When all of them show, here and in the members
        below, the shared pair keeps them; when some cancel out here (a field that moved between the parts), this pair
        keeps what it shows and lets go of the shared pair.
        """
        pairs = self.pairs
        full = {id(pair): {_signature(row): row for row in pair.differences} for pair in pairs}
        live = leading_to_deltas(pairs)
        for pair in pairs:
            kept = full[id(pair)]
            for link in [link for link in pair.links if not link.step]:
                shared = full[id(link.target)]
                if _shows(pair, link.target, full, live):
                    kept = {name: row for name, row in kept.items() if name not in shared}
                else:
                    pair.links.remove(link)
            pair.differences = list(kept.values())
        self._explain()

    def _explain(self) -> None:
        """One noise row where texts differ and nothing below does: at the lowest pair whose text tells."""
        pairs = self.pairs
        live = leading_to_differences(pairs)
        for pair in reversed(pairs):
            if id(pair) not in live and id(pair) not in self._explained:
                if any(id(link.target) in self._explained for link in pair.links):
                    self._explained.add(id(pair))
                elif not pair.selects:
                    self._respelled(pair)


def _shows(pair: SchemaPair, shared: SchemaPair, full: Signatures, live: set[int]) -> bool:
    """True when a pair shows every difference of a shared schema that it merged, in itself and below the same steps.

    A member that both look at is one pair; elsewhere what else is said of the member may make up for a difference.
    """
    waiting = [(pair, shared)]
    seen = {(id(pair), id(shared))}
    for mine, other in waiting:
        if any(name not in full[id(mine)] for name, row in full[id(other)].items() if not row.reason):
            return False
        below = {(link.step, link.target.selects): link.target for link in mine.links if link.step}
        for link in other.links:
            target = below.get((link.step, link.target.selects)) if link.step else mine
            if link.target is target or id(link.target) not in live:
                continue
            if target is None:
                return False
            if (id(target), id(link.target)) not in seen:
                seen.add((id(target), id(link.target)))
                waiting.append((target, link.target))
    return True


def unsent_directions(released: SchemaView, candidate: SchemaView) -> tuple[frozenset[Direction], frozenset[Direction]]:
    """In which directions a member is not sent, and in which of them only its sender says so.

    Old clients send requests, and candidate servers send responses.
    """
    said = [
        (Direction.READ, released.flag("readOnly"), candidate.flag("readOnly")),
        (Direction.WRITTEN, candidate.flag("writeOnly"), released.flag("writeOnly")),
    ]
    unsent = frozenset(direction for direction, sender, _ in said if sender)
    return unsent, unsent - {direction for direction, _, other in said if other}


def _one_text(old: Json, new: Json) -> bool:
    """True when nothing but the order of keys differs; 1 and 1.0 are two texts."""
    return old == new and json.dumps(old, sort_keys=True) == json.dumps(new, sort_keys=True)


def _signature(row: RawDifference) -> tuple[object, ...]:
    return (row.steps, row.aspect, row.direction, row.facet, canonical(row.released), canonical(row.candidate))


def leading_to_differences(pairs: Sequence[SchemaPair]) -> set[int]:
    """The ids of all pairs that have a difference or reach one."""
    return reaching(pairs, (pair for pair in pairs if pair.differences))


def leading_to_deltas(pairs: Sequence[SchemaPair]) -> set[int]:
    """The ids of all pairs that have a difference on the wire or reach one."""
    return reaching(pairs, (pair for pair in pairs if any(not row.reason for row in pair.differences)))


def reaching(pairs: Sequence[SchemaPair], ends: Iterable[SchemaPair]) -> set[int]:
    """The ids of `ends`, and of all pairs that lead to one of them."""
    users: dict[int, list[SchemaPair]] = {}
    for pair in pairs:
        for link in pair.links:
            users.setdefault(id(link.target), []).append(pair)
    stack = list(ends)
    reached = {id(pair) for pair in stack}
    while stack:
        for user in users.get(id(stack.pop()), ()):
            if id(user) not in reached:
                reached.add(id(user))
                stack.append(user)
    return reached
