"""Query parameters that one side writes as one exploded object and the other by themselves: the same URLs.

OpenAPI 3.1.1, section 4.8.12.4: an object in the style `form`, exploded, is `R=100&G=200`, without its own name. Where
the other contract has parameters of its members' names, the object is read as these parameters.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple

from evreview.comparison.component_identity import element_step
from evreview.comparison.delta import Difference
from evreview.comparison.elements import ElementDifference, Position
from evreview.comparison.node_pair import Side
from evreview.comparison.noise import UNFOLDED
from evreview.comparison.non_wire_facets import only_types
from evreview.comparison.wire_forms import value_sub
from evreview.contract.model import Contract, Element, ElementKind, Facet, ValueSet
from evreview.core.vocabulary import Aspect, Change, ContractKind
from evreview.messages.encoding_defaults import EXPLODE, SINGLE, STYLE
from evreview.schema.reader import is_annotation
from evreview.schema.view import SchemaView

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
class Unfolded:
    """Both contracts, objects that the other one writes as parameters read as such, and a row for each object."""

    contracts: tuple[Contract, Contract]
    rows: list[ElementDifference] = field(default_factory=list)


def unfolded(released: Contract, candidate: Contract, sides: tuple[Side, Side]) -> Unfolded:
    """Both contracts with the same query parameters, where one writes an object of them."""
    found = Unfolded((released, candidate))
    if released.kind is not ContractKind.OPENAPI:
        return found
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
    own: Mapping[str, Element], theirs: Mapping[str, Element], side: Side, known: dict[int, tuple[Element, ...]]
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


def _members(element: Element, side: Side) -> Sequence[Element]:
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


def _is_text(view: SchemaView, name: str, side: Side) -> bool:
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
    difference = Difference(
        aspect=Aspect.SERIALISATION,
        facet="parameters",
        released=forms[at],
        candidate=forms[1 - at],
        released_place=both[0].place if at else element.place,
        candidate_place=element.place if at else both[1].place,
        element=ElementKind.PARAMETER,
        change=Change.CHANGED,
        reason=UNFOLDED,
    )
    return ElementDifference(
        Position(call.operation, call.steps, *both), (*call.steps, element_step(element)), element, difference
    )
