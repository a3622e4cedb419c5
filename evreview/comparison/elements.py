"""Walks two element trees in step: rows for elements and facets, and the schema pairs that stand in them."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Final, NamedTuple

from evreview.comparison import delta as fact
from evreview.comparison.component_identity import CONTENT, MEDIA_TYPE, STATUS, element_step
from evreview.comparison.delta import RawDifference
from evreview.comparison.delta_ids import ComponentAnchor, child_anchor
from evreview.comparison.node_pair import SchemaReaders
from evreview.comparison.noise import NoiseReason, without_version
from evreview.comparison.non_wire_facets import by_flow, by_style, non_wire_name_reason, non_wire_reason, sent_in
from evreview.comparison.pairing import (
    Paired,
    covered,
    covering,
    has_new_name,
    held_alike,
    pair_elements,
    pair_media_types,
    pair_replaced_statuses,
    pair_statuses,
    range_over,
    template_over,
    told_by_range,
    without_variables,
)
from evreview.comparison.schema_pairs import SchemaGraph, SchemaPair
from evreview.comparison.wire_forms import canonical, element_form, same
from evreview.contract.model import Contract, Element, ElementKind, Facet, Place
from evreview.core.frozen import frozen
from evreview.core.vocabulary import ABSENT, Absent, Aspect, Change, Form, Json, Role
from evreview.messages.credentials import sent_as, sent_before
from evreview.messages.encoding_defaults import EXPLODE, STYLE, demanded, encoded, follows_style, part_type
from evreview.messages.server_addresses import ServerAddresses, inherited, spelled_out
from evreview.schema.view import value_sub
from evreview.schema.wire_text import admits_binary_payload, is_binary_payload, refuses_nothing

# Values that only one side describes, or that one side describes by content types and the other one by a schema.


Elements = tuple[Element, Element]
Sides = tuple[SchemaReaders, SchemaReaders]
_DESCRIBED = (ElementKind.PARAMETER, ElementKind.HEADER)

_SIGNED = frozenset({"label", "matrix", "deepObject"})
"""Styles that write more than a single value, or none: OpenAPI 3.1, section 4.8.12.4 Style Examples."""
_AS_IT_IS = frozenset({"application/json", "text/json", "text/plain"})
_MARKUP = ("/xml", "+xml")


def content_of(element: Element) -> bool:
    """True for a parameter or header that describes its value by content types, not by a schema."""
    return element.kind in _DESCRIBED and any(child.kind is ElementKind.MEDIA_TYPE for child in element.children)


def without_content(elements: Sequence[Element]) -> tuple[Element, ...]:
    """The elements without content types."""
    return tuple(element for element in elements if element.kind is not ElementKind.MEDIA_TYPE)


def no_effect(elements: Elements, sides: Sides) -> str:
    """Why a schema that only one of two elements has refuses no value, "" when it may."""
    nodes = [
        (side.views.resolve(value_sub(element)).parts[0].node if element.value is not None else True)
        for element, side in zip(elements, sides, strict=True)
    ]
    if all(map(refuses_nothing, nodes)):
        return NoiseReason.ANYTHING
    octets = all(element.kind is ElementKind.MEDIA_TYPE and is_binary_payload(element.key) for element in elements)
    both = zip(nodes, sides, strict=True)
    return (
        NoiseReason.OCTETS
        if octets and all(admits_binary_payload(node, side.views.dialect) for node, side in both)
        else ""
    )


def schema_forms(elements: Elements, sides: Sides) -> tuple[Form, Form]:
    """The schemas of both sides, ABSENT for none."""
    old, new = (
        side.forms.of(value_sub(element)) if element.value is not None else ABSENT
        for element, side in zip(elements, sides, strict=True)
    )
    return old, new


def _writes_plainly(element: Element) -> bool | None:
    """True where a number is written as it is, False where signs or markup go with it, None for any other format."""
    kinds = [child.key.partition(";")[0] for child in element.children if child.kind is ElementKind.MEDIA_TYPE]
    if not kinds:
        return element.facet(STYLE) not in _SIGNED
    if any(kind.endswith(_MARKUP) for kind in kinds):
        return False
    return True if all(kind in _AS_IT_IS or kind.endswith("+json") for kind in kinds) else None


def content_forms(elements: Elements, sides: Sides) -> tuple[Form, Form]:
    """How both sides describe a value: `schema` or `content`, ABSENT for neither."""
    old, new = (_described(element, side) for element, side in zip(elements, sides, strict=True))
    if isinstance(old, Absent) and isinstance(new, Absent):
        old, new = (_named(element) for element in elements)
    return old, new


def _described(element: Element, side: SchemaReaders) -> Form:
    if element.value is not None:
        return {"schema": side.forms.of(value_sub(element))}
    content = {child.key: side.forms.of(value_sub(child)) for child in element.children if child.value is not None}
    return {"content": content} if content else ABSENT


def _named(element: Element) -> Form:
    names: dict[str, Json] = {child.key: {} for child in element.children if child.kind is ElementKind.MEDIA_TYPE}
    return {"content": names} if names else ABSENT


def text_facts(elements: Elements, sides: Sides) -> dict[str, Json]:
    """What rules ask of a value that was described by a content type, or is now."""
    both = [
        (side.view(value_sub(holder)).types, side.forms.of(value_sub(holder)))
        for element, side in zip(elements, sides, strict=True)
        for holder in (element, *element.children)
        if holder.value is not None
    ]
    facts: dict[str, Json] = {fact.SAME_VALUES: len(both) == 2 and same(both[0][1], both[1][1])}
    written = [_writes_plainly(element) for element in elements]
    if None not in written or False in written:
        facts[fact.SAME_TEXT] = all(written)
    return facts | {fact.TYPE: sorted(frozenset().union(*(types or () for types, _ in both)))}


# What an element says beside its forms: the facts that rules may ask of one that came, went or changed.


_HOLDING: Final = frozenset(
    {
        ElementKind.BODY,
        ElementKind.RESPONSE,
        ElementKind.PARAMETER,
        ElementKind.HEADER,
        ElementKind.MEDIA_TYPE,
        ElementKind.CALLBACK,
    }
)


def element_facts(element: Element, side: SchemaReaders) -> dict[str, Json]:
    """What a rule may ask about one element of a side: requiredness, place, default, types, deprecation, sunset."""
    facts: dict[str, Json] = {}
    stated = element.facet("required")
    required = stated if isinstance(stated, bool) else element.required
    if required is not None:
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
    if sunset is not None and not isinstance(sunset, Absent):
        facts[fact.SUNSET] = sunset
    return facts


def ranges(element: Element, own: Sequence[Element], other: Element, siblings: Sequence[Element]) -> dict[str, Json]:
    """What an element and the other side's ranges say about each other; `other` is its counterpart, or itself."""
    theirs = siblings if other is element else [other]
    found: dict[str, Json] = {}
    if general := covering(element, theirs):
        found[fact.COVERED_BY] = general
    if special := covered(element, own, theirs):
        found[fact.COVERS] = list[Json](special)
    return found


def has_default(elements: Sequence[Element]) -> bool:
    """Whether a `default` stands among responses."""
    return any(one.kind is ElementKind.RESPONSE and one.key == "default" for one in elements)


def held(element: Element, side: SchemaReaders) -> dict[str, Json]:
    """What tells an element from one with the same marks that holds something else; nothing where it holds nothing."""
    if element.kind not in _HOLDING or not element.children:
        return {}
    return {fact.HOLDS: hashlib.sha256(canonical(_children_form(element, side))).hexdigest()[:16]}


def _children_form(element: Element, side: SchemaReaders) -> Json:
    """What stands below an element, whatever the order in which it is written."""
    found = [(child.kind.value, child.key, child) for child in element.children]
    return [
        [element_form(child, side.forms), _children_form(child, side)]
        for *_, child in sorted(found, key=lambda item: item[:2])
    ]


_MESSAGES: Final = (ElementKind.BODY, ElementKind.RESPONSE)


class Position(NamedTuple):
    """Where a pair of elements stands.

    `derived`: one of the two is a range that holds the other (`4XX` and `404`), so that only what is below compares.
    `anchor`: the shared component that it stands in, None when it is written where it is used.
    """

    operation: str
    steps: tuple[str, ...]
    released: Element
    candidate: Element
    derived: bool = False
    anchor: ComponentAnchor | None = None


@frozen
class Root:
    """A schema pair at the top of a position."""

    position: Position
    pair: SchemaPair


@frozen
class ElementDifference:
    """A difference of elements: where it stands, and the element that it is about."""

    position: Position
    steps: tuple[str, ...]
    about: Element
    difference: RawDifference


class KindPairing:
    """How one kind of contract pairs the members of two elements, beside what all kinds do, and calls other names."""

    def pair(self, paired: Paired, position: Position, members: tuple[Sequence[Element], Sequence[Element]]) -> None:
        """Moves members that went and came, and are one in this kind, to `both`."""

    def renamed(self, released: Element, candidate: Element) -> tuple[str, str]:
        """What the name of a pair is called, and why another one changes no message, "" when it may."""
        return STATUS if released.kind is ElementKind.RESPONSE else MEDIA_TYPE, non_wire_name_reason(
            released, candidate
        )


@dataclass(slots=True)
class ElementDiff:
    """What the walk finds: rows, schema roots, paired positions and the version segments that moved.

    `non_wire_servers`: True where no operation takes the document's servers on both sides.
    """

    old: SchemaReaders
    new: SchemaReaders
    graph: SchemaGraph
    kind: KindPairing
    rows: list[ElementDifference] = field(default_factory=list)
    roots: list[Root] = field(default_factory=list)
    positions: list[Position] = field(default_factory=list)
    versions: dict[tuple[str, str], list[Position]] = field(default_factory=dict)
    lost: list[Position] = field(default_factory=list)
    non_wire_servers: bool = False
    _met: dict[tuple[int, int], tuple[tuple[RawDifference, ...], list[SchemaPair]]] = field(default_factory=dict)
    _roots: tuple[Element, Element] = field(init=False)
    _demanded: frozenset[Json] | None = None
    _form: tuple[Element, Element] | None = None
    _called: Element | None = None
    _serving: tuple[Sequence[Element], ServerAddresses] | None = None

    def walk(self, released: Contract, candidate: Contract) -> None:
        """Compares both contracts from their document elements down."""
        self._roots = (released.root, candidate.root)
        todo = [Position("", (), released.root, candidate.root)]
        while todo:
            position = todo.pop()
            if not position.derived:
                self.positions.append(position)
                self._facets(position)
            self._value(position)
            todo += reversed(self._children(position))

    def _children(self, position: Position) -> list[Position]:
        before, after = self._implied(position)
        if not before and not after:
            return []
        if content_of(position.released) != content_of(position.candidate):
            before, after = without_content(before), without_content(after)
        paired = pair_elements(before, after)
        if position.released.kind in _MESSAGES:
            pair_media_types(paired, before, after)
        elif position.released.kind is ElementKind.OPERATION:
            pair_statuses(paired, before, after)
            pair_replaced_statuses(paired, before, after, partial(held_alike, (self.old, self.new)))
        self.kind.pair(paired, position, (before, after))
        below = [_child_position(position, old, new) for old, new in paired.both]
        self.rows += [
            self._renamed(place, before, after) for place in below if has_new_name(place.released, place.candidate)
        ]
        for old, new, left, right in paired.versions:
            moved = _child_position(position, old, new)
            self.versions.setdefault((left, right), []).append(moved)
            below.append(moved)
        for element in paired.gone:
            self._whole(position, element, before, after, gone=True)
            held = range_over(element, after)
            below += [_child_position(position, element, held, derived=True)] if held is not None else []
            template = template_over(element, after)
            if template is not None:
                below.append(_child_position(position, without_variables(element), without_variables(template)))
        for element in paired.come:
            self._whole(position, element, after, before, gone=False)
            held = range_over(element, before)
            below += [_child_position(position, held, element, derived=True, gone=False)] if held is not None else []
        return below

    def _renamed(
        self, position: Position, siblings: Sequence[Element], candidate: Sequence[Element]
    ) -> ElementDifference:
        """The row of a media type, status or argument that got another name."""
        old, new = position.released, position.candidate
        facet, reason = self.kind.renamed(old, new)
        difference = RawDifference(
            aspect=old.aspect,
            facet=facet,
            reason=reason,
            released=old.key,
            candidate=new.key,
            released_place=old.place,
            candidate_place=new.place,
            element=old.kind,
            facts={
                fact.ONLY_ONE: sum(sibling.kind is old.kind for sibling in siblings) == 1,
                **ranges(old, siblings, new, candidate),
                **({fact.LEFT_TO_DEFAULT: has_default(siblings)} if old.kind is ElementKind.RESPONSE else {}),
            },
        )
        return ElementDifference(position, position.steps, old, difference)

    def _implied(self, position: Position) -> tuple[Sequence[Element], Sequence[Element]]:
        """The children of both sides, with what one of them leaves unsaid."""
        old, new = position.released, position.candidate
        children = old.children, new.children
        if old.kind is ElementKind.OPERATION:
            self._called = old
        if old.kind is ElementKind.OPERATION and old.role is Role.REQUEST:
            return spelled_out(*inherited(*children, self._roots))
        if old.kind is ElementKind.DOCUMENT:
            return spelled_out(*children)
        if old.kind is ElementKind.MEDIA_TYPE and any(children):
            self._form = old, new
            return encoded((old, new), children, (self.old.views, self.new.views))
        return children

    def _whole(
        self, position: Position, element: Element, own: Sequence[Element], theirs: Sequence[Element], *, gone: bool
    ) -> None:
        side = self.old if gone else self.new
        form = element_form(element, side.forms)
        facts = element_facts(element, side)
        facts[fact.ONLY_ONE] = not any(other.kind is element.kind for other in own if other is not element)
        facts |= ranges(element, own, element, theirs) | ({} if gone else held(element, side))
        if element.kind is ElementKind.PARAMETER:
            proved = sent_as(element, theirs, gone=gone)
            facts |= {fact.SENT_AS: proved} if proved else {}
            facts |= sent_in(element, theirs, (self.old, self.new), gone=gone)
        if gone and element.kind is ElementKind.SERVER and (served := self._served(theirs).by(element)):
            facts[fact.COVERED_BY] = served
        template = template_over(element, theirs) if gone else None
        if template is not None:
            facts[fact.COVERED_BY] = template.key
        if gone and element.key == "default" and element.kind is ElementKind.RESPONSE and not facts[fact.ONLY_ONE]:
            # Whatever stays was one of the statuses that a default leaves open.
            facts |= {fact.COVERS: [one.key for one in theirs if one.kind is element.kind]}
        if element.kind is ElementKind.RESPONSE and (element.key.endswith("XX") or not gone):
            facts[fact.LEFT_TO_DEFAULT] = has_default(theirs)
        difference = RawDifference(
            aspect=element.aspect,
            facet="",
            released=form if gone else ABSENT,
            candidate=ABSENT if gone else form,
            released_place=element.place if gone else position.released.place,
            candidate_place=position.candidate.place if gone else element.place,
            element=element.kind,
            reason=NoiseReason.TOLD_BY_RANGE if told_by_range(element, own, theirs) else "",
            facts=facts,
        )
        below = _child_position(position, element, element)
        anchor = position.anchor.below(below.steps[-1]) if position.anchor is not None else None
        if below.anchor is not None and isinstance(below.anchor.base, str):
            anchor = below.anchor
        at = position._replace(operation=below.operation, anchor=anchor)
        self.rows.append(ElementDifference(at, below.steps, element, difference))
        if gone and template is None:
            self.lost.append(below)

    def _served(self, elements: Sequence[Element]) -> ServerAddresses:
        """What the servers among some elements serve; one operation's removed servers ask one after the other."""
        if self._serving is None or self._serving[0] is not elements:
            self._serving = elements, ServerAddresses(elements)
        return self._serving[1]

    def _facets(self, position: Position) -> None:
        both = position.released, position.candidate
        before, after = by_style(by_flow(*both), both, self._form, (self.old, self.new))
        if before == after:
            return
        theirs = {facet.name: facet for facet in after}
        switched = content_of(position.released) != content_of(position.candidate)
        implied = follows_style(before, after)
        for facet in before:
            other = theirs.pop(facet.name, None)
            if implied and facet.name == EXPLODE:
                continue
            if other is not None or not (switched and facet.aspect is Aspect.SERIALISATION):
                self._facet(position, facet, other)
        for facet in theirs.values():
            if not (switched and facet.aspect is Aspect.SERIALISATION):
                self._facet(position, None, facet)

    def _facet(self, position: Position, before: Facet | None, after: Facet | None) -> None:
        facet = before or after
        released: Form = before.value if before else ABSENT
        candidate: Form = after.value if after else ABSENT
        element = position.released
        if facet is None or _moved_version(element, released, candidate):
            return
        told = (
            facet.on_wire and before is not None and after is not None and bool(before.pointer) != bool(after.pointer)
        )
        alike = same(released, candidate)
        if alike and not told:
            return
        difference = RawDifference(
            aspect=facet.aspect,
            facet=facet.name,
            released=released,
            candidate=candidate,
            released_place=_written(element.place, before),
            candidate_place=_written(position.candidate.place, after),
            element=element.kind,
            reason=NoiseReason.WRITTEN_OUT
            if alike
            else non_wire_reason((before, after), (element, position.candidate), self._form, (self.old, self.new)),
            facts=self._facet_facts(position, released, candidate),
        )
        proved = difference.facts.get(fact.SENT_BEFORE)
        if proved and position.anchor is not None:
            # The demand is the document's, what calls prove already is the operation's: a row apart.
            position = position._replace(anchor=position.anchor.below(f"{fact.SENT_BEFORE} {proved}"))
        self.rows.append(ElementDifference(position, position.steps, element, difference))

    def _facet_facts(self, position: Position, released: Form, candidate: Form) -> dict[str, Json]:
        facts = {**element_facts(position.released, self.old), **element_facts(position.candidate, self.new)}
        facts.pop(fact.REQUIRED, None)
        facts[fact.DEPRECATED] = position.released.facet("deprecated") is True
        if position.released.kind is ElementKind.ENCODING and self._form is not None:
            facts[fact.PART_TYPE] = part_type(self._form, position.released.key, (self.old.views, self.new.views))
        if position.released.kind is ElementKind.SECURITY_SCHEME:
            facts[fact.DEMANDED] = position.released.key in self._demands()
        if position.released.kind is ElementKind.SECURITY:
            facts[fact.ALTERNATIVES_ADDED] = _only(candidate, released)
            facts[fact.ALTERNATIVES_REMOVED] = _only(released, candidate)
            proved = sent_before(self._called, candidate)
            facts |= {fact.SENT_BEFORE: proved} if proved else {}
        return facts

    def _demands(self) -> frozenset[Json]:
        if self._demanded is None:
            self._demanded = frozenset(key for root in self._roots for key in demanded(root.children))
        return self._demanded

    def _value(self, position: Position) -> None:
        old, new = position.released, position.candidate
        if old.value is not None and new.value is not None:
            beside, pairs = self._met_values(old, new)
            self.rows += [ElementDifference(position, position.steps, old, row) for row in beside]
            self.roots += [Root(position, pair) for pair in pairs]
        elif old.value is not None or new.value is not None or content_of(old) != content_of(new):
            self._one_value(position)

    def _met_values(self, old: Element, new: Element) -> tuple[tuple[RawDifference, ...], list[SchemaPair]]:
        """What two value sets show; an element that many operations share holds one, asked about once."""
        key = (id(old.value), id(new.value))
        if key not in self._met:
            both = value_sub(old), value_sub(new)
            pair = self.graph.pair(*both)
            chosen = self.graph.choice(*both) if pair is not None else None
            pairs = [found for found in (pair, chosen) if found is not None]
            self._met[key] = (tuple(self.graph.beside(*both)), pairs)
        return self._met[key]

    def _one_value(self, position: Position) -> None:
        """A value set on one side only; a parameter that went from `schema` to `content` or back is one row."""
        old, new = position.released, position.candidate
        switched = content_of(old) != content_of(new)
        sides = self.old, self.new
        released, candidate = (content_forms if switched else schema_forms)((old, new), sides)
        difference = RawDifference(
            aspect=Aspect.SERIALISATION if switched else Aspect.CONTENT_MODEL,
            facet=CONTENT if switched else "schema",
            released=released,
            candidate=candidate,
            released_place=old.place,
            candidate_place=new.place,
            element=old.kind,
            reason="" if switched else no_effect((old, new), sides),
            facts=text_facts((old, new), sides) if switched else {},
        )
        self.rows.append(ElementDifference(position, position.steps, old, difference))


def is_of_document(position: Position, element: Element) -> bool:
    """True for a server that no operation holds."""
    return element.kind is ElementKind.SERVER and not position.operation


def version_rows(found: ElementDiff) -> list[tuple[RawDifference, list[Position]]]:
    """One difference per pair of version segments, with every operation that moved with it."""
    return [
        (
            RawDifference(
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


def _child_position(
    position: Position, released: Element, candidate: Element, *, derived: bool = False, gone: bool = True
) -> Position:
    # What a status newly says for itself stands there, and not where the range says it that held the status before.
    step = element_step(candidate if derived and released.kind is ElementKind.RESPONSE and not gone else released)
    starts = released.kind is ElementKind.OPERATION and not position.operation
    operation = released.key if starts else position.operation
    anchor = child_anchor(position.released, position.anchor, released, step) if position.operation else None
    return Position(operation, (*position.steps, step), released, candidate, position.derived or derived, anchor)


def _written(place: Place, facet: Facet | None) -> Place:
    if facet is None or not facet.pointer:
        return place
    return Place(place.file, facet.pointer if facet.pointer.startswith("L") else place.pointer + facet.pointer)


def _moved_version(element: Element, released: Form, candidate: Form) -> bool:
    """True for a server's text that differs in its version segment only: the version row says it."""
    texts = (released, candidate)
    if element.kind is not ElementKind.SERVER or not all(isinstance(text, str) for text in texts):
        return False
    return without_version(str(released))[0] == without_version(str(candidate))[0]


def _listed(value: object) -> list[Json]:
    return list(value) if isinstance(value, (list, tuple)) else []


def _only(form: Form, other: Form) -> list[Json]:
    theirs = {canonical(member) for member in _listed(other)}
    return [member for member in _listed(form) if canonical(member) not in theirs]
