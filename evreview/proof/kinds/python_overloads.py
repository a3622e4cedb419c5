"""What a type checker makes of a function's overloads: it takes the first one that a call fits.

Source: Typing specification, "Overloads". Types are compared by `shapes/annotations.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import count
from typing import Final

from evreview.contract.model import Element, ElementKind, Facet
from evreview.core.vocabulary import MISSING, Answer, Aspect, Form, Missing
from evreview.kinds.python import signatures as sig
from evreview.kinds.python.annotations import arguments, union_members
from evreview.kinds.python.call_binding import declared_signature, refused_calls
from evreview.proof.kinds.python_library import Library
from evreview.shapes.annotations import Classes, is_within

_APART: Final = ("bool", "int", "str", "bytes", "float", "complex", "list", "dict", "set", "tuple", "None")
"""Builtins of which no value is one of another; `bool` is an `int`, and an `int` is taken for a `float`."""
_PLACED: Final = (sig.POSITIONAL_ONLY, sig.REST)
MAX_PIECES: Final = 500
"""So many calls of one overload are told apart; what is left then is not known."""
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
    """True when overloads together may take what one took.

    A type checker tries each member of a union by itself, and a call that leaves an argument out is one of its own.
    """
    wide = list(several)
    tries = count(1)

    def taken(piece: Element, keys: list[str]) -> bool:
        if next(tries) > MAX_PIECES or any(covers(one, piece, classes) is not Answer.NO for one in wide):
            return True
        for at, key in enumerate(keys):
            pieces = _pieces(piece, key)
            if len(pieces) > 1:
                return all(taken(each, keys[at + 1 :]) for each in pieces)
        return False

    return taken(narrow, [child.key for child in narrow.children])


def _pieces(overload: Element, key: str) -> list[Element]:
    """The overload for each kind of value that an argument may have, and for calls that leave the argument out."""
    at = next((at for at, child in enumerate(overload.children) if child.key == key), None)
    if at is None or overload.children[at].facet(sig.KIND) in (sig.REST, sig.KEYWORDS):
        return [overload]
    child = overload.children[at]
    parts = [part for member in union_members(_type(child.facet(sig.ANNOTATION))) for part in _values(member)]
    given = [_with(overload, at, _given(child, part)) for part in parts]
    return given if _is_given(child) else [_without(overload, at), *given]


def _values(member: str) -> list[str]:
    if member == "bool":
        return ["Literal[False]", "Literal[True]"]
    return [f"Literal[{each}]" for each in arguments(member)] if member.startswith("Literal[") else [member]


def _given(argument: Element, text: str) -> Element:
    """The argument with another annotation, given by every call."""
    kept = [one for one in argument.facets if one.name not in (sig.ANNOTATION, sig.DEFAULT)]
    given = (Facet(sig.DEFAULT, Aspect.DEFAULTS, MISSING), Facet(sig.ANNOTATION, Aspect.TYPES, text))
    return replace(argument, facets=(*kept, *given))


def _with(overload: Element, at: int, child: Element) -> Element:
    return replace(overload, children=(*overload.children[:at], child, *overload.children[at + 1 :]))


def _without(overload: Element, at: int) -> Element:
    """The overload of calls that leave an argument out; those behind it can't be given by position then."""
    before, behind = overload.children[:at], overload.children[at + 1 :]
    if overload.children[at].facet(sig.KIND) in (sig.POSITIONAL_ONLY, sig.EITHER):
        behind = tuple(map(_by_name, (one for one in behind if one.facet(sig.KIND) not in _PLACED)))
    return replace(overload, children=(*before, *behind))


def _by_name(argument: Element) -> Element:
    if argument.facet(sig.KIND) != sig.EITHER:
        return argument
    return replace(
        argument,
        facets=tuple(one._replace(value=sig.KEYWORD_ONLY) if one.name == sig.KIND else one for one in argument.facets),
    )


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
