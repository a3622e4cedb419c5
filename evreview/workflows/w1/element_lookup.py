"""From what people write about an element to the element itself, in one contract."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from evreview.comparison.component_identity import element_step
from evreview.contract.model import Contract, Element, ElementKind, Place, ValueSet
from evreview.contract.references import Resolver
from evreview.core.vocabulary import Json
from evreview.evidence.element_mentions import METHODS, field_steps, is_branch, operation_key

if TYPE_CHECKING:
    from evreview.workflows.w1.facts import Sides

_BRANCHES: Final = ("allOf", "oneOf", "anyOf")
_ACTIONS: Final = ("send", "receive")
_TEMPLATE: Final = re.compile(r"\{[^{}]*\}")


def find_operation(contract: Contract, text: str) -> Element | None:
    """The operation that `text` names: its key, or a method with a concrete path or address.

    A concrete path is matched with the templates, literal segments first, as it stands and without the path of each
    server.
    """
    wanted = operation_key(text)
    exact = next((one for one in contract.operations if operation_key(one.key) == wanted), None)
    if exact is not None:
        return exact
    method, _, path = wanted.partition(" ")
    if method in _ACTIONS:
        varied = (one for one in contract.operations if "{}" in one.key and _travels(one.key, wanted))
        return min(varied, key=lambda one: one.key.count("{}"), default=None)
    if method not in METHODS or not path:
        return None
    paths = (path, *_without_server(contract, path))
    fitting = [one for each in paths for one in contract.operations if _fits(one.key, method, each)]
    return min(fitting, key=lambda one: one.key.count("{}"), default=None)


def find_response(operation: Element, status: int | str) -> Element | None:
    """The response that answers with `status`: the exact one, else its range, else the default."""
    responses = {child.key.lower(): child for child in operation.children if child.kind is ElementKind.RESPONSE}
    code = str(status).lower()
    return responses.get(code) or responses.get(f"{code[:1]}xx") or responses.get("default")


def media_types(parent: Element) -> Mapping[str, Element]:
    """The media types below an element, by key."""
    return {child.key: child for child in parent.children if child.kind is ElementKind.MEDIA_TYPE}


def find_media_type(parent: Element, content_type: str) -> Element | None:
    """The media type that covers `content_type`: without its parameters, then as a range."""
    bare = content_type.split(";")[0].strip().lower()
    known = {key.split(";")[0].strip(): child for key, child in media_types(parent).items()}
    return known.get(bare) or known.get(f"{bare.split('/')[0]}/*") or known.get("*/*")


def find_element(contract: Contract, text: str) -> tuple[Element, tuple[str, ...]] | None:
    """The element at a ledger address, with the steps that lead on inside its value set; None when there is none.

    The text may leave out the operation; then the first operation that has the rest is meant.
    """
    segments = [" ".join(part.split()) for part in text.split(" > ")]
    for operation in contract.operations:
        rest = segments[1:] if operation_key(segments[0]) == operation_key(operation.key) else None
        if rest is None and segments[0].split()[0].upper() in METHODS:
            continue
        found = _descend(operation, segments if rest is None else rest)
        if found is not None and (found[0] is not operation or not found[1]) and _leads_on(contract, *found):
            return found
    found = _descend(contract.root, segments)
    return found if found is not None and found[0] is not contract.root and not found[1] else None


def named_part(contract: Contract, steps: Sequence[str]) -> Element | None:
    """The named type, or the part of one, that the steps spell: `Order.total`; None when there is none."""
    for child in contract.root.children:
        name = field_steps(child.key)
        if child.kind is ElementKind.TYPE and tuple(steps[: len(name)]) == name:
            found = _spelled(child, steps[len(name) :])
            if found is not None:
                return found
    return None


def _spelled(element: Element, steps: Sequence[str]) -> Element | None:
    for step in steps:
        below = next((child for child in element.children if step in (child.key, child.name)), None)
        if below is None:
            return None
        element = below
    return element


def find_value(contract: Contract, start: ValueSet, steps: Sequence[str]) -> ValueSet | None:
    """The value set that `steps` lead to, through references and compositions; None when there is none."""
    resolver = Resolver(contract.documents)
    found = next(_walk(resolver, (start.place, start.node), tuple(steps), set()), None)
    return ValueSet(found[0], found[1], start.dialect) if found else None


def required_in(contract: Contract, start: ValueSet, steps: Sequence[str]) -> bool:
    """True when the last step is a required member of what holds it."""
    resolver = Resolver(contract.documents)
    *outer, name = steps
    for place, node in _walk(resolver, (start.place, start.node), tuple(outer), set()):
        for _, part in _parts(resolver, (place, node), set()):
            listed = part.get("required")
            if isinstance(listed, list) and name in listed:
                return True
    return False


_Found = tuple[Place, Json]


def _descend(element: Element, segments: Sequence[str]) -> tuple[Element, tuple[str, ...]] | None:
    """As deep as the segments name child elements; what remains are steps inside the value set."""
    if not segments:
        return element, ()
    for child in element.children:
        if segments[0].casefold() in _labels(child):
            return _descend(child, segments[1:])
    for child in element.children:
        if child.kind is ElementKind.BODY and (found := _descend(child, segments)) and found[0] is not child:
            return found
    if element.value is None:
        return None
    return element, tuple(step for segment in segments if not is_branch(segment) for step in field_steps(segment))


def _labels(element: Element) -> frozenset[str]:
    """The ways to write one element as a segment."""
    kind = element.kind.value
    named = {element.key, element.name, f"{kind} {element.key}", f"{kind} {element.name}", element_step(element)}
    if element.kind is ElementKind.BODY:
        named |= {"body", "request body", "request"}
    if element.kind is ElementKind.PARAMETER:
        named |= {element.key.replace(":", " ", 1)}
    return frozenset(name.casefold() for name in named)


def _leads_on(contract: Contract, element: Element, steps: tuple[str, ...]) -> bool:
    if not steps:
        return True
    return element.value is not None and find_value(contract, element.value, steps) is not None


def _walk(resolver: Resolver, at: _Found, steps: tuple[str, ...], seen: set[tuple[Place, int]]) -> Iterator[_Found]:
    """Every place that the steps lead to."""
    if (at[0], len(steps)) in seen:
        return
    seen.add((at[0], len(steps)))
    if not steps:
        yield at
        return
    for place, node in _parts(resolver, at, set()):
        for inner in _inside(place, node, steps[0]):
            yield from _walk(resolver, inner, steps[1:], seen)


def _parts(resolver: Resolver, at: _Found, seen: set[Place]) -> Iterator[tuple[Place, Mapping[str, Json]]]:
    """The node behind its references, then the branches of its compositions."""
    target = resolver.follow(*at)
    if target is None:
        return
    place, node = target
    if place in seen or not isinstance(node, Mapping):
        return
    seen.add(place)
    yield place, node
    for keyword in _BRANCHES:
        branches = node.get(keyword)
        for index, branch in enumerate(branches if isinstance(branches, list) else ()):
            yield from _parts(resolver, (place.child(keyword, index), branch), seen)


def _inside(place: Place, node: Mapping[str, Json], step: str) -> Iterator[_Found]:
    if step == "[]":
        if "items" in node:
            yield place.child("items"), node["items"]
        return
    properties = node.get("properties")
    if isinstance(properties, Mapping) and step in properties:
        yield place.child("properties", step), properties[step]
    elif step in ("{*}", "{}", "*") and isinstance(node.get("additionalProperties"), Mapping):
        yield place.child("additionalProperties"), node["additionalProperties"]


def _travels(key: str, wanted: str) -> bool:
    """True for an action on an address that the template of an event contract has, variables filled in."""
    pattern = "[^{}]+".join(re.escape(part) for part in _TEMPLATE.split(key))
    return re.fullmatch(pattern, wanted) is not None


def _fits(key: str, method: str, path: str) -> bool:
    own_method, _, template = key.partition(" ")
    if own_method != method:
        return False
    pattern = "[^/]+".join(re.escape(part) for part in _TEMPLATE.split(template))
    return re.fullmatch(pattern, path) is not None


def _without_server(contract: Contract, path: str) -> Iterable[str]:
    """The path as the document writes it, for each server whose own path it starts with."""
    for child in contract.root.children:
        if child.kind is ElementKind.SERVER:
            prefix = re.sub(r"^[a-z][a-z0-9+.-]*://[^/]*", "", child.name).rstrip("/")
            if prefix and path.startswith(f"{prefix}/"):
                yield path[len(prefix) :]


def answering(sides: Sides, operation: str, status: int | str | None) -> frozenset[str]:
    """The names, in small letters, of the responses that answer with `status` on either side; and `status` itself."""
    if status is None:
        return frozenset()
    found = {str(status).lower()}
    for contract in (sides.released, sides.candidate):
        held = find_operation(contract, operation)
        response = find_response(held, status) if held else None
        found |= {response.key.lower()} if response else set()
    return frozenset(found)
