"""Uses that only a type checker judges: values of a type that are given, taken, or built."""

from __future__ import annotations

from typing import TYPE_CHECKING

from evreview.comparison.kind_spec import Told
from evreview.contract.model import Element, ElementKind
from evreview.core.vocabulary import Answer
from evreview.kinds.python import signatures as sig
from evreview.proof.kinds.python_installed import no, open_, yes
from evreview.proof.kinds.python_library import Library
from evreview.shapes.annotations import Classes, is_within

if TYPE_CHECKING:
    from evreview.kinds.python.client_uses import Use


def passed(library: Library, use: Use, element: Element, classes: Classes) -> Told:
    """A type checker's word on a value of a type that is given to an argument."""
    child = next((one for one in element.children if one.name == use.words[0]), None)
    annotation = child.facet(sig.ANNOTATION) if child is not None else None
    return _typed(use.word, str(annotation or "Any"), classes)


def taken(library: Library, use: Use, element: Element, classes: Classes) -> Told:
    """A type checker's word on using what a name gives as a value of a type."""
    facet = sig.RETURNS if element.facet(sig.IS) in (sig.FUNCTION, sig.METHOD) else sig.TYPE
    return _typed(str(element.facet(facet) or "Any"), use.word, classes)


def _typed(narrow: str, wide: str, classes: Classes) -> Told:
    answer = is_within(narrow, wide, classes)
    if answer is Answer.NO:
        return no(f"a type checker: {narrow} is not {wide}")
    return Told(accepted=answer, says=f"a type checker: {narrow} {'is' if answer is Answer.YES else 'may be'} {wide}")


def built(library: Library, use: Use, element: Element, classes: Classes) -> Told:
    """Whether a dict with some keys is one of the typed dict."""
    inside = f"{use.name}."
    keys = {key: one for key, one in library.names.items() if key.startswith(inside) and one.facet(sig.IS) == sig.KEY}
    lacking = [
        key.removeprefix(inside)
        for key, one in keys.items()
        if one.facet(sig.REQUIRED_KEY) is True and key.removeprefix(inside) not in use.words
    ]
    if lacking:
        return no(f"a type checker: the key {', '.join(map(repr, lacking))} is missing")
    return yes("every required key is there")


def read_key(library: Library, use: Use, element: Element, classes: Classes) -> Told:
    """Whether a key of a typed dict is there."""
    if element.facet(sig.REQUIRED_KEY) is False:
        return no("a type checker: the key may be missing")
    return yes("the key is there")


def overloaded(library: Library, use: Use, element: Element, classes: Classes) -> Told:
    """Whether an overload is declared."""
    listed = [child for child in element.children if child.kind is ElementKind.OVERLOAD]
    if not listed:
        return open_("there are no overloads; the signature itself speaks")
    if any(child.key == use.word for child in listed):
        return yes(f"matches {use.word}")
    return no(f"a type checker: no overload takes and gives all that {use.word} does")
