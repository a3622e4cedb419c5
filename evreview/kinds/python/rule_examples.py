"""How the rules about Python libraries are shown: one small module, one edit, and mostly the same edit backwards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from textwrap import dedent
from typing import Final

from evreview.comparison.delta import Delta
from evreview.comparison.rules.rule import Example, Match, Predicate, Rule, Whole
from evreview.comparison.rules.variance import Text, about_requests, about_responses
from evreview.contract.model import ElementKind
from evreview.core.frozen import frozen
from evreview.core.vocabulary import Change, Form, Json, Plane, Verdict
from evreview.kinds.python import signatures as sig

_MODULE: Final = Whole("Python module", "things.py")
_LIBRARY: Final = Whole("Python library, its files by name", "things.whl")

CALLS: Final = "The Python Language Reference, 6.3.4 Calls"
DEFINITIONS: Final = "The Python Language Reference, 8.7 Function definitions"
ATTRIBUTES: Final = "The Python Language Reference, 6.3.1 Attribute references"
IMPORTS: Final = "The Python Language Reference, 7.11 The import statement"
CLASSES: Final = "The Python Language Reference, 8.8 Class definitions"
DATA_MODEL: Final = "The Python Language Reference, 3 Data model"
TYPING: Final = "Typing specification"

NAMES: Final = (ElementKind.OPERATION, ElementKind.MODULE)
NAME: Final = (ElementKind.OPERATION,)
ARGUMENT: Final = (ElementKind.ARGUMENT,)

Planes = tuple[tuple[Plane, Verdict], ...]


@frozen
class Conclusion:
    """The verdict of a rule, and where the planes differ that of each."""

    verdict: Verdict
    planes: Planes = ()

    def by_plane(self, planes: Planes) -> Conclusion:
        """The same verdict, with that of each plane."""
        return replace(self, planes=planes)

    def calls(self, rule_id: str, text: Text, match: Match, *pair: Example) -> Rule:
        """A rule about what clients write: whether the candidate takes what the released library took."""
        return replace(about_requests(f"python-{rule_id}", self.verdict, text, match, *pair), planes=self.planes)

    def results(self, rule_id: str, text: Text, match: Match, *pair: Example) -> Rule:
        """A rule about what clients get: whether the candidate gives what the released library gave."""
        return replace(about_responses(f"python-{rule_id}", self.verdict, text, match, *pair), planes=self.planes)


BREAKS, FITS, OPEN = Conclusion(Verdict.BREAKING), Conclusion(Verdict.COMPATIBLE), Conclusion(Verdict.UNKNOWN)
TYPING_ONLY: Final = ((Plane.RUNTIME, Verdict.COMPATIBLE), (Plane.TYPING, Verdict.BREAKING))
"""What only a type checker refuses: the interpreter looks at none of it."""
TYPING_OPEN: Final = ((Plane.RUNTIME, Verdict.COMPATIBLE), (Plane.TYPING, Verdict.UNKNOWN))
"""The interpreter looks at none of it; what a type checker says is not computed."""
IN_NEITHER: Final = ((Plane.RUNTIME, Verdict.COMPATIBLE), (Plane.TYPING, Verdict.COMPATIBLE))
UNDECLARED: Final = ((Plane.RUNTIME, Verdict.COMPATIBLE), (Plane.TYPING, Verdict.UNKNOWN))
"""A type checker had nothing to go by before, and now has."""
TOLD_LATER: Final = ((Plane.RUNTIME, Verdict.UNKNOWN), (Plane.TYPING, Verdict.COMPATIBLE))
"""A type checker lets every old use pass; what the values were, nobody said."""
ANNOTATED: Final = ((Plane.RUNTIME, Verdict.UNKNOWN), (Plane.TYPING, Verdict.BREAKING))
"""A type checker refuses it; whether the values changed as well, an annotation alone does not tell."""


def edit(released: str, candidate: str) -> Example:
    """An edit of a module."""
    return Example(_MODULE, _text(released), _text(candidate))


def library(released: dict[str, str], candidate: dict[str, str]) -> Example:
    """An edit of a library of several files."""
    return Example(_LIBRARY, dict[str, Json](released), dict[str, Json](candidate))


def _text(code: str) -> str:
    return dedent(code).strip("\n") + "\n"


def facet(name: str, *, released: tuple[object, ...] = (), candidate: tuple[object, ...] = (), **more: object) -> Match:
    """The match of a facet that changed, by the exact forms expected."""
    return Match(facets=(name,), released=released, candidate=candidate, **more)  # type: ignore[arg-type]


def whole(change: Change, elements: tuple[ElementKind, ...], when: Predicate | None = None) -> Match:
    """The match of an element that came or went."""
    return Match(elements=elements, facets=("",), changes=(change,), when=when)


def form_of(form: object, name: str) -> object:
    """A facet of an element that came or went, None when its form does not show it."""
    return form.get(name) if isinstance(form, dict) else None


def is_variadic(form: object) -> bool:
    """True for `*args` and `**kwargs`."""
    return form_of(form, sig.KIND) in (sig.REST, sig.KEYWORDS)


def members(form: Form) -> set[str]:
    """The items of a list as texts, none of anything else."""
    return {str(each) for each in form} if isinstance(form, Sequence) and not isinstance(form, str) else set()


def loses(delta: Delta) -> bool:
    """True when the candidate lacks a member of the released list."""
    return bool(members(delta.released) - members(delta.candidate))
