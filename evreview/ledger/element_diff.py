"""Walks two element trees in step: rows for elements and facets, and the schema pairs that stand in them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from evreview.contracts.model import Contract, Element, ElementKind, Facet, Place
from evreview.ledger import facts as fact
from evreview.ledger.addresses import element_step
from evreview.ledger.difference import Difference
from evreview.ledger.forms import element_form, same, value_sub
from evreview.ledger.noise import NOT_ON_WIRE
from evreview.ledger.pairing import covered, covering, pair_elements
from evreview.ledger.schema_diff import Side
from evreview.ledger.schema_graph import SchemaGraph, SchemaPair
from evreview.vocab import MISSING, Aspect, Change, Form, Json, Missing


@dataclass(frozen=True, slots=True)
class Position:
    """Where a pair of elements stands."""

    operation: str
    steps: tuple[str, ...]
    released: Element
    candidate: Element


@dataclass(frozen=True, slots=True)
class Root:
    """A schema pair at the top of a position."""

    position: Position
    pair: SchemaPair


@dataclass(frozen=True, slots=True)
class Row:
    """A difference of elements: where it stands, and the element that it is about."""

    position: Position
    steps: tuple[str, ...]
    about: Element
    difference: Difference


@dataclass(slots=True)
class ElementDiff:
    """What the walk finds: rows, schema roots, paired positions and the version segments that moved."""

    old: Side
    new: Side
    graph: SchemaGraph
    rows: list[Row] = field(default_factory=list)
    roots: list[Root] = field(default_factory=list)
    positions: list[Position] = field(default_factory=list)
    versions: dict[tuple[str, str], list[Position]] = field(default_factory=dict)
    lost: list[Position] = field(default_factory=list)

    def walk(self, released: Contract, candidate: Contract) -> None:
        """Compares both contracts from their document elements down."""
        todo = [Position("", (), released.root, candidate.root)]
        while todo:
            position = todo.pop()
            self.positions.append(position)
            self._facets(position)
            self._value(position)
            todo += reversed(self._children(position))

    def _children(self, position: Position) -> list[Position]:
        before, after = position.released.children, position.candidate.children
        paired = pair_elements(before, after)
        below = [_below(position, old, new) for old, new in paired.both]
        for old, new, left, right in paired.versions:
            moved = _below(position, old, new)
            self.versions.setdefault((left, right), []).append(moved)
            below.append(moved)
        for element in paired.gone:
            self._whole(position, element, before, after, gone=True)
        for element in paired.come:
            self._whole(position, element, after, before, gone=False)
        return below

    def _whole(
        self, position: Position, element: Element, own: Sequence[Element], other: Sequence[Element], *, gone: bool
    ) -> None:
        side = self.old if gone else self.new
        form = element_form(element, side.forms)
        facts = _element_facts(element, side)
        facts[fact.ONLY_ONE] = sum(sibling.kind is element.kind for sibling in own) == 1
        if gone and (general := covering(element, other)):
            facts[fact.COVERED_BY] = general
        if not gone and (special := covered(element, other)):
            facts[fact.COVERS] = list[Json](special)
        difference = Difference(
            aspect=element.aspect,
            facet="",
            released=form if gone else MISSING,
            candidate=MISSING if gone else form,
            released_place=element.place if gone else position.released.place,
            candidate_place=position.candidate.place if gone else element.place,
            element=element.kind,
            facts=facts,
        )
        below = _below(position, element, element)
        self.rows.append(Row(replace(position, operation=below.operation), below.steps, element, difference))
        if gone:
            self.lost.append(below)

    def _facets(self, position: Position) -> None:
        before, after = position.released.facets, position.candidate.facets
        if before == after:
            return
        theirs = {facet.name: facet for facet in after}
        for facet in before:
            self._facet(position, facet, theirs.pop(facet.name, None))
        for facet in theirs.values():
            self._facet(position, None, facet)

    def _facet(self, position: Position, before: Facet | None, after: Facet | None) -> None:
        facet = before or after
        released: Form = before.value if before else MISSING
        candidate: Form = after.value if after else MISSING
        if facet is None or same(released, candidate):
            return
        element = position.released
        difference = Difference(
            aspect=facet.aspect,
            facet=facet.name,
            released=released,
            candidate=candidate,
            released_place=_written(element.place, before),
            candidate_place=_written(position.candidate.place, after),
            element=element.kind,
            reason="" if facet.on_wire else NOT_ON_WIRE,
            facts=self._facet_facts(position, released, candidate),
        )
        self.rows.append(Row(position, position.steps, element, difference))

    def _facet_facts(self, position: Position, released: Form, candidate: Form) -> dict[str, Json]:
        facts = {**_element_facts(position.released, self.old), **_element_facts(position.candidate, self.new)}
        facts.pop(fact.REQUIRED, None)
        facts[fact.DEPRECATED] = position.released.facet("deprecated") is True
        if position.released.kind is ElementKind.SECURITY:
            facts[fact.ALTERNATIVES_ADDED] = _only(candidate, released)
            facts[fact.ALTERNATIVES_REMOVED] = _only(released, candidate)
        return facts

    def _value(self, position: Position) -> None:
        old, new = position.released, position.candidate
        if old.value is not None and new.value is not None:
            pair = self.graph.pair(value_sub(old), value_sub(new))
            if pair is not None:
                self.roots.append(Root(position, pair))
        elif old.value is not None or new.value is not None:
            self._one_value(position)

    def _one_value(self, position: Position) -> None:
        old, new = position.released, position.candidate
        difference = Difference(
            aspect=Aspect.CONTENT_MODEL if old.kind is not ElementKind.PARAMETER else Aspect.SERIALISATION,
            facet="schema",
            released=self.old.forms.of(value_sub(old)) if old.value is not None else MISSING,
            candidate=self.new.forms.of(value_sub(new)) if new.value is not None else MISSING,
            released_place=old.place,
            candidate_place=new.place,
            element=old.kind,
        )
        self.rows.append(Row(position, position.steps, old, difference))


def version_rows(found: ElementDiff) -> list[tuple[Difference, list[Position]]]:
    """One difference per pair of version segments, with every operation that moved with it."""
    return [
        (
            Difference(
                aspect=Aspect.VERSION_SELECTORS,
                facet="path",
                released=left or "/",
                candidate=right or "/",
                released_place=positions[0].released.place,
                candidate_place=positions[0].candidate.place,
                element=ElementKind.OPERATION,
                change=Change.CHANGED,
            ),
            positions,
        )
        for (left, right), positions in sorted(found.versions.items())
    ]


def _below(position: Position, released: Element, candidate: Element) -> Position:
    step = element_step(released)
    starts = released.kind is ElementKind.OPERATION and not position.operation
    operation = released.key if starts else position.operation
    return Position(operation, (*position.steps, step), released, candidate)


def _written(place: Place, facet: Facet | None) -> Place:
    return Place(place.file, place.pointer + facet.pointer) if facet is not None and facet.pointer else place


def _element_facts(element: Element, side: Side) -> dict[str, Json]:
    facts: dict[str, Json] = {}
    required = element.facet("required")
    if isinstance(required, bool):
        facts[fact.REQUIRED] = required
    if element.kind is ElementKind.PARAMETER:
        facts[fact.IN] = element.key.partition(":")[0]
    if element.value is not None:
        view = side.view(value_sub(element))
        facts[fact.HAS_DEFAULT] = "default" in view.keywords
        facts[fact.TYPE] = sorted(view.types or ())
    if element.facet("deprecated") is True:
        facts[fact.DEPRECATED] = True
    sunset = element.facet("x-sunset")
    if sunset is not None and not isinstance(sunset, Missing):
        facts[fact.SUNSET] = sunset
    return facts


def _only(form: Form, other: Form) -> list[Json]:
    mine = list(form) if isinstance(form, (list, tuple)) else []
    theirs = list(other) if isinstance(other, (list, tuple)) else []
    return [member for member in mine if not any(same(member, there) for there in theirs)]
