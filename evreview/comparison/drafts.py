"""Turns what was found into deltas: operations, addresses, aspects by name and position, and one row per edit."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field, replace
from itertools import groupby
from typing import Final, cast

from evreview.comparison import delta as fact
from evreview.comparison import noise
from evreview.comparison.component_identity import address
from evreview.comparison.delta import Delta, RawDifference
from evreview.comparison.delta_ids import ComponentAnchor, anchored, digest
from evreview.comparison.elements import ElementDifference
from evreview.comparison.reachability import Reach, SchemaPath, SchemaUse, agreed, somewhere
from evreview.comparison.schema_pairs import SchemaPair
from evreview.comparison.wire_forms import canonical
from evreview.contract.model import Element, ElementKind, Place
from evreview.core.frozen import frozen
from evreview.core.vocabulary import Absent, Address, Aspect, ContractKind, DeltaId, Direction, Form, Json, Role
from evreview.schema.view import Part

# Where a difference was written that several positions show: the nodes that alone say what a row compares.


Edited = tuple[Place | None, Place | None]


def edited_at(delta: Delta, pairs: Iterable[SchemaPair]) -> Edited | None:
    """The nodes of both sides that alone say what a row compares.

    Args:
        pairs: the schema pairs that show it.

    Returns:
        Their places, None beside one for the side that says nothing; None where several nodes say it together, or none.
    """
    if delta.facet == "":
        return _member(delta)
    both = list(pairs)
    old = _facet_places(delta.facet, delta.released, (pair.released.parts for pair in both))
    new = _facet_places(delta.facet, delta.candidate, (pair.candidate.parts for pair in both))
    if len(old) > 1 or len(new) > 1 or not (old or new):
        return None
    return next(iter(old), None), next(iter(new), None)


def _member(delta: Delta) -> Edited | None:
    """The place of a field that comes or goes."""
    if delta.element is not ElementKind.PROPERTY:
        return None
    gone = isinstance(delta.candidate, Absent)
    return (delta.released_place, None) if gone else (None, delta.candidate_place)


def _facet_places(facet: str, form: Form, subs: Iterable[Iterable[Part]]) -> set[Place]:
    if isinstance(form, Absent):
        return set()
    return {part.place for parts in subs for part in parts if isinstance(part.node, Mapping) and facet in part.node}


_NAMES: Final[Mapping[ElementKind, Mapping[Aspect, frozenset[str]]]] = {
    ElementKind.PARAMETER: noise.PARAMETERS,
    ElementKind.HEADER: noise.HEADERS,
    ElementKind.PROPERTY: noise.FIELDS,
}
_MARKS: Final = frozenset({"readOnly", "writeOnly"})


@frozen(kw_only=True)
class Draft:
    """A delta in the making, the reason when it is only noise, and what its id hangs on inside a component.

    `pairs`: the schema pairs that show it, none for a row about elements.
    `own`: of an edit in a schema that a header or parameter has of its own, what makes edits of others the same one.
    """

    delta: Delta
    reason: str = ""
    operations: frozenset[str] = field(default_factory=frozenset)
    anchor: ComponentAnchor | None = None
    pairs: tuple[SchemaPair, ...] = ()
    own: bytes = b""


def element_drafts(kind: ContractKind, rows: Iterable[ElementDifference], everything: frozenset[str]) -> list[Draft]:
    """One draft per edit: rows about one written element that several operations share are one draft.

    `everything`: all paired operations; a server of the document reaches them all.
    """
    groups: dict[tuple[object, ...], list[ElementDifference]] = {}
    for row in rows:
        groups.setdefault(_edit(row), []).append(row)
    found = []
    for group in groups.values():
        group.sort(key=lambda row: (row.position.operation, len(row.steps), row.steps))
        first = group[0]
        operations = frozenset(
            name for row in group for name in (row.position.operation, *row.about.operations) if name
        )
        if first.about.kind is ElementKind.SERVER and not first.position.operation:
            operations = everything
        where = Where(first.position.operation, address(first.steps), operations, first.about, _name_of(first.about))
        draft = draft_of(kind, first.difference, where, shared=len(group) > 1)
        found.append(replace(draft, anchor=first.position.anchor))
    return found


def _edit(row: ElementDifference) -> tuple[object, ...]:
    what, about = row.difference, row.about
    old, new = what.released_place, what.candidate_place
    if what.facet == "":
        old, new = _edited_in(about, old, row.position.released), _edited_in(about, new, row.position.candidate)
    # One definition may be public under several names, and then one edit of it shows under each.
    key = about.name if about.kind is ElementKind.OPERATION and about.place.line is not None else about.key
    return (
        about.kind, key, about.role, about.direction, about.in_error, what.aspect, what.direction, what.facet,
        canonical(what.released), canonical(what.candidate), old, new, what.reason,
        # Many parts may stand on one line of a text; only a pointer names the part that several operations share.
        _steps(row), canonical(asked(row)),
    )  # fmt: skip


_OWN: Final = frozenset(
    {fact.REQUIRED, fact.IN, fact.HAS_DEFAULT, fact.TYPE, fact.DEPRECATED, fact.SUNSET, fact.HOLDS, fact.ONLY_ONE}
)
"""What a parameter says by itself, and what no rule asks of one."""


def asked(row: ElementDifference) -> dict[str, Json]:
    """What rules ask of the operation that a row stands in: one that loses or gains a parameter, or proves more."""
    if row.about.kind is ElementKind.SECURITY:
        return {name: value for name, value in row.difference.facts.items() if name == fact.SENT_BEFORE}
    if row.about.kind is not ElementKind.PARAMETER or row.difference.facet:
        return {}
    return {name: value for name, value in row.difference.facts.items() if name not in _OWN}


def _steps(row: ElementDifference) -> tuple[str, ...]:
    """What tells parts of one line apart; a definition that is public under several names is one part."""
    if row.about.place.line is None:
        return ()
    return row.steps[1:] if row.about.role is Role.SIGNATURE else row.steps


def _edited_in(about: Element, place: Place | None, parent: Element) -> Place | None:
    """Where an addition or removal was written: the node around the parent when the element stands beside the parent.

    So a parameter that the operations of one path share is one edit, not one per operation.
    """
    around = parent.place.pointer.rpartition("/")[0]
    inside, beside = parent.place.pointer + "/", around + "/"
    if place != parent.place or about.place.file != parent.place.file or not around:
        return place
    if about.place.pointer.startswith(beside) and not about.place.pointer.startswith(inside):
        return Place(parent.place.file, around)
    return place


@frozen
class Where:
    """Where a draft stands: its operation, address and reach, the element around it, and the name for markers.

    `required`: whether the released property at the address is required, None when it is no property.
    """

    operation: str
    address: Address
    operations: frozenset[str]
    element: Element
    name: str
    direction: Direction | None = None
    reversed: bool = False
    outside: bool = False
    required: bool | None = None


def schema_drafts(kind: ContractKind, pairs: Sequence[SchemaPair], reached: Reach) -> list[Draft]:
    """One draft per difference and use of its pair; noise once per pair."""
    found = []
    for pair in pairs:
        if not pair.differences:
            continue
        for at, use in enumerate(reached.uses.get(id(pair), ())):
            for difference in pair.differences:
                if at == 0 or not difference.reason:
                    found.append(_schema_draft(kind, difference, pair, use, reached))
    return found


def _schema_draft(kind: ContractKind, what: RawDifference, pair: SchemaPair, use: SchemaUse, reached: Reach) -> Draft:
    usage_path = reached.usage_paths[id(pair), use]
    operations = reached.operations[id(pair), use]
    at_root = not any(usage_path.steps) and not what.steps
    where = Where(
        usage_path.position.operation,
        address(usage_path.position.steps, (*usage_path.steps, *what.steps)),
        frozenset(name for name in (*operations, usage_path.position.operation) if name),
        usage_path.position.released,
        what.name or (_name_of(usage_path.position.released) if at_root else ""),
        reversed=use.reversed,
        outside=use.outside and not (use.newly and what.facet in _MARKS and not what.steps),
        required=_is_owed(
            what, usage_path.position.released, at_root, reached.required.get((id(pair), use), frozenset())
        ),
    )
    draft = draft_of(kind, what, where, shared=len(operations) > 1)
    # Words and spellings are the node's own, whatever it wraps.
    anchor = usage_path.site if what.reason else usage_path.anchor
    if anchor is not None:
        return replace(draft, anchor=anchor.below(*what.steps), pairs=(pair,))
    return replace(draft, pairs=(pair,), own=b"" if what.reason else _own(draft.delta, usage_path))


def _own(delta: Delta, usage_path: SchemaPath) -> bytes:
    """What is said of which part of a header or parameter, both of whose schemas are told; b"" for other elements."""
    old, new = usage_path.position.released, usage_path.position.candidate
    if old.kind not in (ElementKind.HEADER, ElementKind.PARAMETER) or old.value is None or new.value is None:
        return b""
    told: list[Json] = [old.kind, old.key, old.role, str(delta.direction), old.in_error, old.value.node, new.value.node]
    told += [list(usage_path.steps), delta.aspect, delta.change, delta.facet, dict(delta.facts)]
    said = [[[facet.name, facet.value] for facet in side.facets if facet.on_wire] for side in (old, new)]
    return canonical([*told, *said]) + canonical(delta.released) + canonical(delta.candidate)


def _is_owed(what: RawDifference, element: Element, at_root: bool, field: frozenset[bool | None]) -> bool | None:
    """Whether the released contract demands the value that a difference is about, None where that does not matter."""
    if what.steps or what.reason:
        return None
    if at_root and what.facet == "default" and element.kind in (ElementKind.PARAMETER, ElementKind.HEADER):
        return element.facet("required") is True
    return somewhere(field) if what.facet in _MARKS else agreed(field)


def _name_of(element: Element) -> str:
    if element.kind is ElementKind.PARAMETER:
        place, _, name = element.key.partition(":")
        return "" if place == "path" else name
    return element.key if element.kind is ElementKind.HEADER else ""


def draft_of(kind: ContractKind, what: RawDifference, where: Where, *, shared: bool) -> Draft:
    """The draft of a difference that stands at `where`."""
    element = where.element
    aspect = _aspect(what, where)
    facts: dict[str, Json] = dict(what.facts)
    if aspect is not what.aspect:
        facts[fact.BASE_ASPECT] = what.aspect.value
    if where.required is not None:
        facts.setdefault(fact.REQUIRED, where.required)
    if where.reversed:
        facts[fact.UNDER_NOT] = True
    if where.outside:
        facts[fact.OUTSIDE_DIRECTION] = True
    if shared:
        facts[fact.SHARED] = True
    direction = element.direction.reversed if element.direction is not None and where.reversed else element.direction
    delta = Delta(
        id=DeltaId(""),
        kind=kind,
        operation=where.operation,
        operations=tuple(sorted(where.operations)),
        address=where.address,
        role=element.role,
        direction=direction,
        in_error=element.in_error,
        element=what.element,
        aspect=aspect,
        change=what.direction,
        facet=what.facet,
        released=what.released,
        candidate=what.candidate,
        released_place=what.released_place,
        candidate_place=what.candidate_place,
        facts=facts,
    )
    return Draft(delta=delta, reason=what.reason, operations=where.operations)


def _aspect(what: RawDifference, where: Where) -> Aspect:
    """The aspect after names and error positions: a marker's name tells more than the kind of change."""
    if what.reason:
        return what.aspect
    kind = ElementKind.PROPERTY if what.element is ElementKind.PROPERTY else where.element.kind
    if where.name and (named := noise.marker(where.name, _NAMES.get(kind, {}))) is not None:
        return named
    if where.element.in_error and what.aspect is Aspect.FIELDS:
        return Aspect.ERRORS
    return what.aspect


def merged(drafts: Iterable[Draft]) -> list[Draft]:
    """Drafts with one identity as one draft that reaches all their operations, sorted by address.

    One identity: the same difference at the same address, or in the same released component, also where the candidate
    has several copies of it.
    """
    by_address = _united(drafts, lambda draft: draft.reason + digest(draft.delta))
    return _in_reading_order(_written_once(_united(_in_reading_order(by_address), _in_component)))


def _written_once(drafts: Sequence[Draft]) -> list[Draft]:
    """The drafts, where a node that stands with others (in an `allOf`) shows its difference once.

    It is the row of the node alone where there is one, else the first row that shows it.
    """
    joined = [draft for draft in drafts if _is_joined(draft)]
    if not joined:
        return list(drafts)
    with_others = {id(draft) for draft in joined}
    alone = [draft for draft in drafts if draft.pairs and id(draft) not in with_others]
    placed = {_where_written(draft): draft for draft in reversed(alone)}
    said = {_edit_key(draft): draft for draft in reversed([*alone, *joined])}
    gone: dict[int, Draft] = {}
    more: dict[int, Draft] = {}
    for draft in joined:
        one = placed.get(_where_written(draft)) or said[_edit_key(draft)]
        one = gone.get(id(one), one)
        if one is not draft:
            more[id(one)] = _both(more.get(id(one), one), draft)
            gone[id(draft)] = one
    return [more.get(id(draft), draft) for draft in drafts if id(draft) not in gone]


def _is_joined(draft: Draft) -> bool:
    """True when every schema pair that shows the draft is one where several nodes have to hold on some side."""
    return bool(draft.pairs) and all(
        len(pair.released.parts) > 1 or len(pair.candidate.parts) > 1 for pair in draft.pairs
    )


def _where_written(draft: Draft) -> tuple[object, ...]:
    return (draft.delta.released_place, draft.delta.candidate_place, *_what(draft))


def _edit_key(draft: Draft) -> tuple[object, ...]:
    """What a draft shows, and the nodes that alone say it; the draft by itself where there are no such nodes."""
    places = edited_at(draft.delta, draft.pairs)
    return (id(draft),) if places is None else (places, *_what(draft))


def _what(draft: Draft) -> tuple[object, ...]:
    delta = draft.delta
    outside = delta.facts.get(fact.OUTSIDE_DIRECTION)
    return (
        draft.reason, delta.role, delta.direction, delta.in_error, outside,
        delta.element, delta.aspect, delta.change, delta.facet, canonical(delta.released), canonical(delta.candidate),
    )  # fmt: skip


def _in_component(draft: Draft) -> str:
    if draft.anchor is None:
        return draft.reason + digest(draft.delta)
    return draft.reason + anchored(draft.delta, draft.anchor.written, bool(draft.reason))


def _united(drafts: Iterable[Draft], name: Callable[[Draft], str]) -> list[Draft]:
    found: dict[str, Draft] = {}
    for draft in drafts:
        key = name(draft)
        known = found.get(key)
        found[key] = draft if known is None else _both(known, draft)
    return list(found.values())


def _both(known: Draft, other: Draft) -> Draft:
    names = known.operations | other.operations
    facts = dict(known.delta.facts)
    owed = frozenset(cast("bool | None", each.delta.facts.get(fact.REQUIRED)) for each in (known, other))
    told = somewhere(owed) if known.delta.facet in _MARKS else agreed(owed)
    facts.pop(fact.REQUIRED, None)
    if told is not None:
        facts[fact.REQUIRED] = told
    if len(names) > 1:
        facts[fact.SHARED] = True
    delta = replace(known.delta, operations=tuple(sorted(names)), facts=facts)
    # The component of a node that stands alone is the one that was edited.
    first, second = (other, known) if _is_joined(known) and not _is_joined(other) else (known, other)
    anchor = first.anchor or second.anchor
    return replace(known, delta=delta, operations=names, anchor=anchor, pairs=(*known.pairs, *other.pairs))


def _in_reading_order(drafts: Iterable[Draft]) -> list[Draft]:
    """Sorted by address and kind of difference; the forms, which may be long, are looked at where those are equal."""
    ordered = sorted(drafts, key=_heading)
    found: list[Draft] = []
    for _, group in groupby(ordered, key=_heading):
        alike = list(group)
        found += sorted(alike, key=_shown_forms) if len(alike) > 1 else alike
    return found


def _heading(draft: Draft) -> tuple[str, ...]:
    delta = draft.delta
    return (delta.address, delta.facet, delta.change, delta.aspect, delta.role, delta.element)


def _shown_forms(draft: Draft) -> tuple[str, str]:
    return (repr(canonical(draft.delta.released)), repr(canonical(draft.delta.candidate)))
