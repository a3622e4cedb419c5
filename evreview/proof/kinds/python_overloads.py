"""What a type checker makes of a function's overloads: it takes the first one that a call fits.

Source: Typing specification, "Overloads". Types are compared by `shapes/annotations.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Final

from evreview.contracts import signatures as sig
from evreview.contracts.model import Element, ElementKind
from evreview.contracts.readers.python_types import arguments, union_members
from evreview.proof.kinds.python_binding import declared_signature, refused_calls
from evreview.proof.kinds.python_library import Library
from evreview.shapes.annotations import Classes, is_within
from evreview.vocab import Answer, Form, Missing

_APART: Final = ("bool", "int", "str", "bytes", "float", "complex", "list", "dict", "set", "tuple", "None")
"""Builtins of which no value is one of another; `bool` is an `int`, and an `int` is taken for a `float`."""
_NEAR: Final = ({"bool", "int", "float", "complex"},)


def overloads_of(library: Library, name: str) -> Mapping[str, Element]:
    """The overloads of a name, by what they take and give, in order."""
    element = library.names.get(name)
    children = element.children if element is not None else ()
    return {child.key: child for child in children if child.kind is ElementKind.OVERLOAD}


def covers(wide: Element, narrow: Element, classes: Classes) -> Answer:
    """Whether one overload takes every call that another one takes, and gives nothing that it does not."""
    answers = {_takes(wide, narrow, classes)}
    answers.add(is_within(_type(wide.facet(sig.RETURNS)), _type(narrow.facet(sig.RETURNS)), classes))
    return next((answer for answer in (Answer.NO, Answer.UNKNOWN) if answer in answers), Answer.YES)


def _takes(wide: Element, narrow: Element, classes: Classes) -> Answer:
    """Whether one overload takes every call that another one takes."""
    if refused_calls(declared_signature(narrow), declared_signature(wide)):
        return Answer.NO
    theirs = {child.key: child for child in wide.children}
    by_place = [child for child in wide.children if child.facet(sig.KIND) in (sig.POSITIONAL_ONLY, sig.EITHER)]
    answers = set[Answer]()
    for at, child in enumerate(narrow.children):
        placed = child.facet(sig.KIND) == sig.POSITIONAL_ONLY and at < len(by_place)
        other = by_place[at] if placed else theirs.get(child.key)
        theirs_is = other.facet(sig.ANNOTATION) if other is not None else None
        answers.add(is_within(_type(child.facet(sig.ANNOTATION)), _type(theirs_is), classes))
    return next((answer for answer in (Answer.NO, Answer.UNKNOWN) if answer in answers), Answer.YES)


def jointly(several: Iterable[Element], narrow: Element, classes: Classes) -> bool:
    """True when overloads together may take what one took: a type checker tries each member of a union by itself."""
    wide = list(several)
    for at, child in enumerate(narrow.children):
        text = _type(child.facet(sig.ANNOTATION))
        parts = [part for member in union_members(text) for part in _values(member)]
        pieces = (_with_type(narrow, at, part) for part in parts)
        if len(parts) > 1 and all(
            any(covers(one, piece, classes) is not Answer.NO for one in wide) for piece in pieces
        ):
            return True
    return False


def _values(member: str) -> list[str]:
    return [f"Literal[{each}]" for each in arguments(member)] if member.startswith("Literal[") else [member]


def _with_type(overload: Element, at: int, text: str) -> Element:
    """The overload with another annotation of one argument."""
    child = overload.children[at]
    facets = tuple(one._replace(value=text) if one.name == sig.ANNOTATION else one for one in child.facets)
    children = (*overload.children[:at], replace(child, facets=facets), *overload.children[at + 1 :])
    return replace(overload, children=children)


def keeps(first: Element, second: Element, classes: Classes) -> Answer:
    """Whether calls that fit a second overload give what it says although another one comes before it now."""
    gives = is_within(_type(first.facet(sig.RETURNS)), _type(second.facet(sig.RETURNS)), classes)
    if gives is Answer.YES or _apart(first, second):
        return Answer.YES
    meet = Answer.YES in (_takes(first, second, classes), _takes(second, first, classes))
    return Answer.NO if meet and gives is Answer.NO else Answer.UNKNOWN


def reordered(released: Mapping[str, Element], candidate: Mapping[str, Element], classes: Classes) -> Answer:
    """Whether the overloads that both sides have give what they gave, in their new order."""
    old, new = [key for key in released if key in candidate], [key for key in candidate if key in released]
    swapped = [
        (first, second)
        for at, first in enumerate(new)
        for second in new[at + 1 :]
        if old.index(second) < old.index(first)
    ]
    return _all(keeps(candidate[first], released[second], classes) for first, second in swapped)


def inserted(key: str, sides: tuple[Mapping[str, Element], Mapping[str, Element]], classes: Classes) -> Answer:
    """Whether the overloads behind a new one give what they gave; `sides` are the released and the candidate ones."""
    released, candidate = sides
    order = list(candidate)
    behind = [each for each in order[order.index(key) + 1 :] if each in released] if key in candidate else []
    return _all(keeps(candidate[key], released[each], classes) for each in behind)


def _all(answers: Iterable[Answer]) -> Answer:
    found = set(answers)
    return next((answer for answer in (Answer.NO, Answer.UNKNOWN) if answer in found), Answer.YES)


def _apart(first: Element, second: Element) -> bool:
    """True when some argument that every call gives has types of which none is one of the other's."""
    theirs = {child.key: child for child in second.children}
    for child in first.children:
        other = theirs.get(child.key)
        if other is None or not (_is_given(child) and _is_given(other)):
            continue
        types = [set(union_members(_type(each.facet(sig.ANNOTATION)))) for each in (child, other)]
        near = any(types[0] & each and types[1] & each for each in _NEAR)
        if types[0] | types[1] <= set(_APART) and not near and not types[0] & types[1]:
            return True
    return False


def _is_given(argument: Element) -> bool:
    rest = argument.facet(sig.KIND) in (sig.REST, sig.KEYWORDS)
    return not rest and isinstance(argument.facet(sig.DEFAULT), Missing)


def _type(form: Form | None) -> str:
    return form if isinstance(form, str) else "Any"
