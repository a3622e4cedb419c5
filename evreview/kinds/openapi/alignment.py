"""Two OpenAPI contracts brought together: query parameters, base paths, components of parameters, templated paths.

OpenAPI 3.1.1, section 4.8.12.4: an object in the style `form`, exploded, is `R=100&G=200`, without its own name. Where
the other contract has parameters of its members' names, the object is read as these parameters.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple

from evreview.comparison import delta as fact
from evreview.comparison.component_identity import element_step, is_shared, is_the_paths
from evreview.comparison.delta import RawDifference
from evreview.comparison.delta_ids import ComponentAnchor
from evreview.comparison.drafts import asked
from evreview.comparison.elements import ElementDifference, Position
from evreview.comparison.node_pair import SchemaReaders
from evreview.comparison.noise import NoiseReason
from evreview.comparison.non_wire_facets import only_types
from evreview.comparison.pairing import fixed
from evreview.comparison.wire_forms import canonical
from evreview.contract.model import Contract, Element, ElementKind, Facet, Place, ValueSet
from evreview.contract.security_requirements import bare, issues_tokens
from evreview.core.json_pointer import follow
from evreview.core.vocabulary import Aspect, Change, Json, Role
from evreview.messages.encoding_defaults import EXPLODE, SINGLE, STYLE
from evreview.messages.routing import literal_segments
from evreview.schema.reader import is_annotation
from evreview.schema.view import SchemaView, value_sub

_QUERY: Final = "query:"
_PLAIN: Final = frozenset({"type", "properties", "required", "additionalProperties"})
_UNSENT: Final = ("readOnly", "writeOnly")
_CALLS: Final = frozenset({ElementKind.OPERATION, ElementKind.CALLBACK})
_Children = tuple[Sequence[Element], Sequence[Element]]


class _Call(NamedTuple):
    """One operation of both contracts: the operation of a path or webhook that it stands in, and the steps to it."""

    both: tuple[Element, Element]
    operation: str
    steps: tuple[str, ...]


@dataclass(slots=True)
class UnfoldedParameters:
    """Both contracts, objects that the other one writes as parameters read as such, and a row for each object."""

    contracts: tuple[Contract, Contract]
    rows: list[ElementDifference] = field(default_factory=list)


def unfolded(released: Contract, candidate: Contract, sides: tuple[SchemaReaders, SchemaReaders]) -> UnfoldedParameters:
    """Both contracts with the same query parameters, where one writes an object of them."""
    found = UnfoldedParameters((released, candidate))
    known: dict[int, tuple[Element, ...]] = {}
    made: tuple[dict[int, Element], dict[int, Element]] = ({}, {})
    for call in _called((released.root.children, candidate.root.children)):
        names = [_named(operation) for operation in call.both]
        if names[0].keys() == names[1].keys():
            continue
        stood_for = [_stood_for(names[at], names[1 - at], sides[at], known) for at in (0, 1)]
        for at, operation in enumerate(call.both):
            theirs_too = names[1 - at].keys() | {each.key for parts in stood_for[1 - at].values() for each in parts}
            children = _children(names[at], theirs_too, stood_for[at])
            if children:
                parts = (part for child in operation.children for part in children.get(child.key, (child,)))
                made[at][id(operation)] = replace(operation, children=tuple(parts))
                found.rows += [_row(call, names[at][key], at, parts) for key, parts in children.items()]
    found.contracts = _with(released, made[0]), _with(candidate, made[1])
    return found


def _called(below: _Children, operation: str = "", above: tuple[str, ...] = ()) -> Iterator[_Call]:
    """The operations that both contracts have: those of paths and webhooks, and those of their callbacks."""
    theirs = {(each.kind, each.key): each for each in below[1] if each.kind in _CALLS}
    for old in below[0]:
        new = theirs.get((old.kind, old.key))
        if new is None or new.role is not old.role:
            continue
        key, steps = operation or old.key, (*above, element_step(old))
        if old.kind is ElementKind.OPERATION:
            yield _Call((old, new), key, steps)
        yield from _called((old.children, new.children), key, steps)


def _named(operation: Element) -> dict[str, Element]:
    return {
        child.key: child
        for child in operation.children
        if child.kind is ElementKind.PARAMETER and child.key.startswith(_QUERY)
    }


def _stood_for(
    own: Mapping[str, Element],
    theirs: Mapping[str, Element],
    side: SchemaReaders,
    known: dict[int, tuple[Element, ...]],
) -> dict[str, tuple[Element, ...]]:
    """The parameters that each object which only one side has stands for, by its key."""
    for key, element in own.items():
        if key not in theirs and id(element) not in known:
            known[id(element)] = tuple(_members(element, side))
    return {key: known[id(element)] for key, element in own.items() if key not in theirs}


def _children(
    own: Mapping[str, Element], theirs: Set[str], stood_for: Mapping[str, tuple[Element, ...]]
) -> dict[str, tuple[Element, ...]]:
    """The objects of one side that the other one writes by themselves, or in an object of another name."""
    found = {}
    for key, parts in stood_for.items():
        names = {each.key for each in parts}
        if names & theirs - own.keys() and not names & own.keys():
            found[key] = parts
    return found


def _members(element: Element, side: SchemaReaders) -> Sequence[Element]:
    """The parameters that an exploded object stands for; none for anything else, or where they would say less."""
    if element.value is None or (element.facet(STYLE), element.facet(EXPLODE)) != ("form", True):
        return ()
    target = side.views.resolve(value_sub(element))
    view, node = side.views.view(target), target.parts[0].node
    said = {name for name in node if not is_annotation(name)} if isinstance(node, dict) else {""}
    closed = isinstance(node, dict) and node.get("additionalProperties", False) is False
    if len(target.parts) > 1 or not said <= _PLAIN or view.types != frozenset({"object"}) or view.null or not closed:
        return ()
    demands = element.facet("required") is True
    alone = len(view.properties) == 1
    # Parameters can't say that members come together or not at all, nor how an object without members is sent.
    if (demands and not view.required) or (view.required and not (demands or alone)):
        return ()
    if not view.required <= view.properties.keys() or not all(_is_text(view, name, side) for name in view.properties):
        return ()
    return [_member(element, view, name, demanded=demands and name in view.required) for name in view.properties]


def _is_text(view: SchemaView, name: str, side: SchemaReaders) -> bool:
    """True for a member that is written as one text, and by everybody."""
    sub = view.properties[name]
    target = side.views.resolve(sub)
    unsent = any(side.views.view(target).flag(mark) for mark in _UNSENT)
    return len(sub.parts) == 1 and not unsent and only_types(SINGLE, sub, side, {})


def _member(element: Element, view: SchemaView, name: str, *, demanded: bool) -> Element:
    part = view.properties[name].parts[0]
    dialect = element.value.dialect if element.value is not None else None
    required = Facet("required", Aspect.REQUIREDNESS, demanded, pointer="/schema/required" if demanded else "")
    facets = (required, *(facet for facet in element.facets if facet.on_wire and facet.name != "required"))
    value = ValueSet(part.place, part.node, dialect) if dialect is not None else None
    return replace(element, key=_QUERY + name, name=name, facets=facets, value=value)


def _with(contract: Contract, made: Mapping[int, Element]) -> Contract:
    return replace(contract, root=_rebuilt(contract.root, made)) if made else contract


def _rebuilt(element: Element, made: Mapping[int, Element]) -> Element:
    """The element with the operations that were made anew, those of its callbacks as well."""
    whole = made.get(id(element), element)
    children = tuple(_rebuilt(child, made) if child.kind in _CALLS else child for child in whole.children)
    same = all(old is new for old, new in zip(whole.children, children, strict=True))
    return whole if same else replace(whole, children=children)


def _row(call: _Call, element: Element, at: int, parts: Sequence[Element]) -> ElementDifference:
    """What a reader sees of it: the object on one side, its parameters on the other."""
    both = call.both
    forms = element.key, [part.key for part in parts]
    difference = RawDifference(
        aspect=Aspect.SERIALISATION,
        facet="parameters",
        released=forms[at],
        candidate=forms[1 - at],
        released_place=both[0].place if at else element.place,
        candidate_place=element.place if at else both[1].place,
        element=ElementKind.PARAMETER,
        change=Change.CHANGED,
        reason=NoiseReason.UNFOLDED,
    )
    return ElementDifference(
        Position(call.operation, call.steps, *both), (*call.steps, element_step(element)), element, difference
    )


# One URL in two spellings: a path that the servers share, or the same path in front of every path of the document.
#
# Where the base paths of two contracts differ and most operations have the same whole URL, the candidate is read as if
# it wrote the released base path: its operations and servers get the keys that they would have then.


_BASE = "basePath"


def aligned(released: Contract, candidate: Contract) -> tuple[Contract, RawDifference | None]:
    """The candidate under the released base path, and the noise that says so; itself and None where that is no match.

    Args:
        released: the contract whose spelling stays.
        candidate: the contract that may spell the same URLs in another way.
    """
    old, new = _base(released.root), _base(candidate.root)
    if old is None or new is None or old == new:
        return candidate, None
    known = {operation.key for operation in released.operations}
    moved = {operation.key: _moved(operation.key, old, new) for operation in candidate.operations}
    keys = list(moved.values())
    if len(set(keys)) < len(keys) or len(known & set(keys)) <= len(known & set(moved)):
        return candidate, None
    children = tuple(_child(child, moved, old, new) for child in candidate.root.children)
    difference = RawDifference(
        aspect=Aspect.SERVERS,
        facet="base path",
        released=old or "/",
        candidate=new or "/",
        released_place=_first_server(released.root.children),
        candidate_place=_first_server(candidate.root.children),
        element=ElementKind.SERVER,
        change=Change.CHANGED,
        reason=NoiseReason.SAME_URLS,
    )
    return replace(candidate, root=replace(candidate.root, children=children)), difference


def _base(root: Element) -> str | None:
    """The path that all servers share, "" for none; None when they differ, vary, or an operation has its own."""
    servers = [child for child in root.children if child.kind is ElementKind.SERVER]
    bases = {str(server.facet(_BASE) or "/").rstrip("/") for server in servers}
    own = any(
        child.kind is ElementKind.SERVER
        for operation in root.children
        if operation.kind is ElementKind.OPERATION
        for child in operation.children
    )
    if len(bases) != 1 or own:
        return None
    base = bases.pop()
    return None if "{" in base else base


def _moved(key: str, old: str, new: str) -> str:
    """An operation's key as the released base path makes it; itself for one that is outside, or no path at all."""
    method, sign, path = key.partition(" ")
    whole = new + path
    inside = path.startswith("/") and (not old or whole.startswith(old + "/"))
    return f"{method}{sign}{whole.removeprefix(old)}" if inside else key


def _child(child: Element, moved: dict[str, str], old: str, new: str) -> Element:
    if child.kind is ElementKind.OPERATION:
        return replace(child, key=moved[child.key])
    if child.kind is not ElementKind.SERVER:
        return child
    facets = tuple(facet._replace(value=old or "/") if facet.name == _BASE else facet for facet in child.facets)
    host = child.key.removesuffix(new) if child.key != "/" else ""
    return replace(child, key=host + old or "/", facets=facets)


def _first_server(children: Iterable[Element]) -> Place | None:
    return next((child.place for child in children if child.kind is ElementKind.SERVER), None)


# Parameters that went or came with their component: what its operations lose or gain is one edit, and one row.
#
# OpenAPI 3.1, section 4.8.12 Parameter Object: "A unique parameter is defined by a combination of a name and
# location." A component with another one is another parameter wherever it is referred to.


_IN_OPERATIONS: Final = ("/paths/", "/webhooks/")
_Use = tuple[object, ...]


def with_components(
    rows: Sequence[ElementDifference], positions: Iterable[Position], released: Contract, candidate: Contract
) -> list[ElementDifference]:
    """The rows, those of parameters that several operations lose or gain by one edit of a component at home there.

    Operations in which a rule would ask for something else have rows of their own, at paths that share one too.
    """
    listed = [row for row in rows if row.about.kind is ElementKind.PARAMETER and not row.difference.facet]
    if len(listed) < 2:
        return list(rows)
    edits = _Edits(positions, (released, candidate))
    groups: dict[_Use, dict[bytes, list[ElementDifference]]] = {}
    for row in listed:
        if row.position.anchor is not None or edits.is_of_component(row):
            groups.setdefault(_use(row), {}).setdefault(canonical(asked(row)), []).append(row)
    made: dict[int, ElementDifference] = {}
    for alike in groups.values():
        for group in alike.values():
            made |= _at_home(group, apart=len(alike) > 1)
    return [made.get(id(row), row) for row in rows]


class _Edits:
    """Which components were edited: what both sides still have in some operation, and what both of them write."""

    def __init__(self, positions: Iterable[Position], contracts: tuple[Contract, Contract]) -> None:
        self._contracts = contracts
        self._kept = {
            (side, element.place, element.key)
            for position in positions
            if position.released.kind is ElementKind.PARAMETER
            for side, element in enumerate((position.released, position.candidate))
        }

    def is_of_component(self, row: ElementDifference) -> bool:
        """False where the component stays as it is, so that the operation was edited, and where messages judge it."""
        side = _side(row)
        if not _is_elsewhere(row) or fact.SENT_IN in row.difference.facts:
            return False
        if any(
            child.kind is ElementKind.PARAMETER and child.place == self._there(row) for child in _theirs(row).children
        ):
            return True
        kept = (side, row.about.place, row.about.key) in self._kept
        return not kept and not self._is_written(row)

    def _is_written(self, row: ElementDifference) -> bool:
        """True when the other side has the component, though no operation refers to it any more."""
        there = self._there(row)
        here = (self._contracts[_side(row)], row.about.place), (self._contracts[1 - _side(row)], there)
        own, other = (_identity(contract, place) for contract, place in here)
        return own == other

    def _there(self, row: ElementDifference) -> Place:
        """The place of the row's element in the files of the other side; those that both start at may differ."""
        place, side = row.about.place, _side(row)
        entries = [contract.root.place.file for contract in self._contracts]
        return Place(entries[1 - side], place.pointer) if place.file == entries[side] else place


def _identity(contract: Contract, place: Place) -> tuple[Json, Json] | None:
    """What makes the parameter at a place a unique one, None for none."""
    node = follow(contract.documents.get(place.file), place.pointer)
    return (node.get("in"), node.get("name")) if isinstance(node, Mapping) else None


def _side(row: ElementDifference) -> int:
    """0 for a parameter of the released contract, 1 for one of the candidate."""
    return 1 if row.difference.direction is Change.ADDED else 0


def _theirs(row: ElementDifference) -> Element:
    """The operation that lacks the parameter."""
    return (row.position.candidate, row.position.released)[_side(row)]


def _is_elsewhere(row: ElementDifference) -> bool:
    """True for a parameter that is written outside the operations and what stands beside them."""
    about, owner = row.about, (row.position.released, row.position.candidate)[_side(row)]
    if about.place.line is not None or about.place.pointer.startswith(_IN_OPERATIONS):
        return False
    return is_shared(owner, about) and not is_the_paths(owner, about)


def _use(row: ElementDifference) -> _Use:
    about, anchor = row.about, row.position.anchor
    home = about.place if anchor is None else anchor.written
    return _side(row), home, about.key, about.role, about.direction, about.in_error


def _at_home(group: Sequence[ElementDifference], *, apart: bool) -> dict[int, ElementDifference]:
    """The rows, by their identity, anchored where they are written; none of a component that one operation alone uses.

    `apart`: rules ask for something else in other operations, so that what they ask for here tells the rows apart.
    """
    row = group[0]
    anchor = row.position.anchor
    if anchor is None and len({each.position.operation for each in group}) == 1:
        return {}
    home = ComponentAnchor(row.about, added=_side(row) == 1) if anchor is None else anchor
    if apart:
        home = home.below(*(f"{name} {value}" for name, value in sorted(asked(row).items())))
    alone = all(each.difference.facts.get(fact.ONLY_ONE) is True for each in group)
    return {
        id(each): replace(
            each,
            position=each.position._replace(anchor=home),
            difference=replace(each.difference, facts={**each.difference.facts, fact.ONLY_ONE: alone}),
        )
        for each in group
    }


# Added operations with a more concrete path: which operation answered their requests until now.
#
# OpenAPI 3.1, section 4.8.8 Paths Object: "the concrete definition is matched first". Where two templates hold the
# same path and neither is the more concrete one, the standard leaves the choice open, and nothing is said here.


_FREE: Final = "{}"
_Mask = tuple[bool, ...]


def with_shadowed(rows: list[ElementDifference], released: Contract) -> list[ElementDifference]:
    """The rows, those of added operations with the released operation whose requests they answer."""
    templates = PathTemplates(released.root.children)
    return [_told(row, templates) if _is_added(row) else row for row in rows]


def _is_added(row: ElementDifference) -> bool:
    return row.about.kind is ElementKind.OPERATION and row.difference.direction is Change.ADDED


def _told(row: ElementDifference, templates: PathTemplates) -> ElementDifference:
    answering = templates.answering(row.about)
    if not answering:
        return row
    facts = {**row.difference.facts, fact.TAKES_OVER: answering}
    return replace(row, difference=replace(row.difference, facts=facts))


class PathTemplates:
    """The templated operations of one contract, by method, length and where their variables stand."""

    def __init__(self, elements: Iterable[Element]) -> None:
        self._plain: dict[tuple[str, int], dict[_Mask, dict[tuple[str, ...], str]]] = {}
        self._mixed: dict[tuple[str, int], list[tuple[_Mask, str]]] = {}
        for element in elements:
            if _is_called(element) and _FREE in element.key:
                self._add(element.key)

    def _add(self, key: str) -> None:
        where, segments = _split(key)
        mask = tuple(_FREE in segment for segment in segments)
        if any(_FREE in segment and segment != _FREE for segment in segments):
            self._mixed.setdefault(where, []).append((mask, key))
        else:
            by_literal = self._plain.setdefault(where, {}).setdefault(mask, {})
            by_literal.setdefault(literal_segments(segments, mask), key)

    def answering(self, operation: Element) -> str:
        """The key of the operation that a request to this one reaches as long as it is not there, "" for none."""
        if not _is_called(operation) or not (self._plain or self._mixed):
            return ""
        where, segments = _split(operation.key)
        found = [
            (mask, by_literal.get(literal_segments(segments, mask), ""))
            for mask, by_literal in self._plain.get(where, {}).items()
            if all(segment == _FREE or _FREE not in segment for segment in segments)
        ]
        found += [(mask, key) for mask, key in self._mixed.get(where, ()) if fixed(key, operation.key) is not None]
        return min(((mask, key) for mask, key in found if key), default=((), ""))[1]


def _is_called(element: Element) -> bool:
    return element.kind is ElementKind.OPERATION and element.role is Role.REQUEST and " /" in element.key


def _split(key: str) -> tuple[tuple[str, int], tuple[str, ...]]:
    method, _, path = key.partition(" ")
    segments = tuple(path.split("/"))
    return (method, len(segments)), segments


# Security schemes of two contracts paired by what travels: their names are names inside one document.

_DEMAND: Final = "requirements"


class _Scheme(NamedTuple):
    """A declared scheme: its key, name and form, and whether some operation demands it."""

    key: str
    name: str
    form: bytes
    demanded: bool


@dataclass(slots=True)
class _Names:
    """The names on both sides that stand for one scheme."""

    old: list[str] = field(default_factory=list)
    new: list[str] = field(default_factory=list)

    def label(self) -> str:
        """The name that tells it from others of its kind: one that stays, else a released one."""
        return min([*(set(self.old) & set(self.new))] or self.old or self.new)


def same_schemes(released: Contract, candidate: Contract) -> tuple[Contract, Contract]:
    """Both contracts, schemes that are one under one key, and the demands with it."""
    old, new = _by_kind(released), _by_kind(candidate)
    crowded = [kind for kind in {**old, **new} if len(old.get(kind, ())) > 1 or len(new.get(kind, ())) > 1]
    keys: tuple[dict[str, str], dict[str, str]] = ({}, {})
    for kind in crowded:
        _settle(kind, (old.get(kind, []), new.get(kind, [])), keys)
    return _renamed(released, keys[0]), _renamed(candidate, keys[1])


def _by_kind(contract: Contract) -> dict[str, list[_Scheme]]:
    found: dict[str, list[_Scheme]] = {}
    declared = [child for child in contract.root.children if child.kind is ElementKind.SECURITY_SCHEME]
    demanded = set(_demanded(contract.root)) if len(declared) > 1 else set()
    for child in declared:
        form = canonical([[facet.name, facet.value] for facet in sorted(child.facets) if facet.on_wire])
        found.setdefault(bare(child.key), []).append(_Scheme(child.key, child.name, form, child.key in demanded))
    return found


def _demanded(element: Element) -> Iterator[str]:
    for child in element.children:
        if child.kind is ElementKind.SECURITY:
            listed = child.facet(_DEMAND)
            for alternative in listed if isinstance(listed, list) else ():
                yield from alternative if isinstance(alternative, dict) else ()
        elif child.kind in (ElementKind.OPERATION, ElementKind.CALLBACK):
            yield from _demanded(child)


def _settle(
    kind: str, sides: tuple[Sequence[_Scheme], Sequence[_Scheme]], keys: tuple[dict[str, str], dict[str, str]]
) -> None:
    """Adds the new key of every scheme of one kind; "" for one that another one stands for."""
    classes = _classes(kind, sides)
    alike = _unused_twins(classes, sides)
    for side, of_side in enumerate(sides):
        taken: set[str] = set()
        for names in classes:
            key = kind if len(classes) == 1 else f"{kind} ({names.label()})"
            own = names.new if side else names.old
            first = min(own, key=lambda name: (name not in (names.old, names.new)[1 - side], name), default="")
            for scheme in of_side:
                if scheme.name in own:
                    keys[side][scheme.key] = key if scheme.name == first else f"={key}"
            taken.add(key)
        for scheme in of_side:
            if scheme.key not in keys[side]:
                name = alike.get(scheme.name, scheme.name) if side else scheme.name
                keys[side][scheme.key] = _free(f"{kind} ({name})", taken)


def _unused_twins(classes: Sequence[_Names], sides: tuple[Sequence[_Scheme], Sequence[_Scheme]]) -> dict[str, str]:
    """The released name of each candidate's scheme that nobody demands and that only got another name."""
    old, new = (
        {scheme.name: scheme.form for scheme in of_side if not any(scheme.name in names for names in known)}
        for of_side, known in zip(
            sides, ([names.old for names in classes], [names.new for names in classes]), strict=True
        )
    )
    gone = [name for name in old if name not in new]
    found: dict[str, str] = {}
    for name in (name for name in new if name not in old):
        other = next((each for each in gone if old[each] == new[name]), None)
        if other is not None:
            found[name] = other
            gone.remove(other)
    return found


def _free(key: str, taken: set[str]) -> str:
    while key in taken:
        key += " undemanded"
    taken.add(key)
    return key


def _classes(kind: str, sides: tuple[Sequence[_Scheme], Sequence[_Scheme]]) -> list[_Names]:
    """The demanded schemes of both sides, those that are one together; a declared one joins what it is on the other."""
    old, new = ([scheme for scheme in side if scheme.demanded] for side in sides)
    found: list[_Names] = []
    for form in dict.fromkeys(scheme.form for scheme in (*old, *new)):
        ours, theirs = ([scheme.name for scheme in side if scheme.form == form] for side in (old, new))
        ours = ours or _non_wire(sides[0], form, theirs)
        theirs = theirs or _non_wire(sides[1], form, ours)
        found += _told_apart(ours, theirs) if not issues_tokens(kind) else [_Names(ours, theirs)]
    return _reformed(found)


def _non_wire(side: Sequence[_Scheme], form: bytes, others: Sequence[str]) -> list[str]:
    """The undemanded scheme of a form that stands for the other side's demanded ones, preferably under their name."""
    alike = sorted(scheme.name for scheme in side if scheme.form == form and not scheme.demanded)
    return sorted(alike, key=lambda name: name not in others)[:1]


def _told_apart(old: list[str], new: list[str]) -> list[_Names]:
    """One scheme, unless several names stay: whose text travels may be another question than where it does."""
    stay = [name for name in old if name in new]
    rest = _Names([name for name in old if name not in stay], [name for name in new if name not in stay])
    if len(stay) < 2 or bool(rest.old) is not bool(rest.new):
        return [_Names(old, new)]
    return [*(_Names([name], [name]) for name in stay), *([rest] if rest.old else [])]


def _reformed(found: list[_Names]) -> list[_Names]:
    """The classes, those of one side alone paired by a name of theirs, then the two that are left."""
    kept = [names for names in found if names.old and names.new]
    gone, come = [names for names in found if not names.new], [names for names in found if not names.old]
    for names in list(gone):
        other = next((each for each in come if set(each.new) & set(names.old)), None)
        if other is not None:
            kept.append(_Names(names.old, other.new))
            gone.remove(names)
            come.remove(other)
    if len(gone) == len(come) == 1:
        return [*kept, _Names(gone[0].old, come[0].new)]
    return [*kept, *gone, *come]


def _renamed(contract: Contract, keys: Mapping[str, str]) -> Contract:
    if all(old == new for old, new in keys.items()):
        return contract
    return replace(contract, root=_Renaming(keys).of(contract.root))


class _Renaming:
    """One contract's elements under other keys of schemes; an element that operations share stays one."""

    def __init__(self, keys: Mapping[str, str]) -> None:
        self._keys = keys
        self._made: dict[int, Element] = {}

    def of(self, element: Element) -> Element:
        if element.kind is ElementKind.SECURITY:
            return self._made.setdefault(id(element), self._demand(element))
        children = tuple(self._child(child) for child in self._kept(element.children))
        return replace(element, children=children)

    def _child(self, child: Element) -> Element:
        if child.kind is ElementKind.SECURITY_SCHEME:
            return replace(child, key=self._keys.get(child.key, child.key))
        holds = child.kind in (ElementKind.SECURITY, ElementKind.OPERATION, ElementKind.CALLBACK)
        return self.of(child) if holds else child

    def _kept(self, children: Iterable[Element]) -> Iterator[Element]:
        """The children without the schemes that another one stands for."""
        for child in children:
            if child.kind is not ElementKind.SECURITY_SCHEME or not self._keys.get(child.key, "").startswith("="):
                yield child

    def _demand(self, element: Element) -> Element:
        return replace(element, facets=tuple(self._facet(facet) for facet in element.facets))

    def _facet(self, facet: Facet) -> Facet:
        if facet.name != _DEMAND or not isinstance(facet.value, list):
            return facet
        told = [self._alternative(each) if isinstance(each, dict) else each for each in facet.value]
        distinct = {json.dumps(each, sort_keys=True): each for each in told}
        return facet._replace(value=[distinct[key] for key in sorted(distinct)])

    def _alternative(self, demanded: Mapping[str, Json]) -> Json:
        scopes: dict[str, set[str]] = {}
        for key, listed in demanded.items():
            names = scopes.setdefault(self._keys.get(key, key).removeprefix("="), set())
            names.update(str(scope) for scope in (listed if isinstance(listed, list) else ()))
        return {key: list[Json](sorted(names)) for key, names in sorted(scopes.items())}
