"""What retained results say of a candidate: that whoever may not, could, or that whoever may not, could not."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from evreview.evidence.item import Bundle
from evreview.prose import Subject
from evreview.security.leads.catalogue import RULES
from evreview.security.model import Candidate, State
from evreview.security.rating.results import LocalResult, is_one_of, negative_tests
from evreview.vocab import Area

OF_ABSENCE: Final = frozenset({"unguarded-sibling", "object-without-owner-check"})
"""Own kinds that say that a check is not there; a passed negative test on the route says that something refuses."""
_OWN: Final = frozenset(rule.id for rule in RULES)
_ACCESS: Final = (Area.AUTHENTICATION, Area.AUTHORIZATION)


def validate(
    candidates: Iterable[Candidate],
    names: Iterable[frozenset[str]],
    results: Sequence[LocalResult],
    bundle: Bundle,
) -> tuple[Candidate, ...]:
    """The candidates with what complete retained results make of them.

    A failed one validates a candidate. A passed one contradicts what says that a check is absent: that is a hypothesis
    then, and names the test. It takes nothing from other kinds; those are closed by a disposition.

    Args:
        candidates: of step 5.
        names: for each, the ids under which evidence may name it.
        results: the retained results.
        bundle: with the inventory that says which tests are negative.
    """
    complete = [each for each in results if not each.lacks]
    return tuple(_judged(one, own, complete, bundle) for one, own in zip(candidates, names, strict=True))


def _judged(one: Candidate, names: frozenset[str], results: Sequence[LocalResult], bundle: Bundle) -> Candidate:
    about = [each for each in results if _names(one, names, each) or _tests(one, each, bundle)]
    failed = [each for each in about if each.result == "failed"]
    passed = [each for each in about if each.result == "passed" and _is_of_absence(one)]
    if passed and one.state is not State.REFUTED:
        missing = tuple(("why the negative test ", Subject(each.id), " passed") for each in passed)
        return _citing(replace(one, state=State.HYPOTHESIS, missing=(*one.missing, *missing)), passed)
    return _citing(replace(one, validated=bool(failed)), failed)


def _citing(one: Candidate, results: Sequence[LocalResult]) -> Candidate:
    on = (*one.citations, *(each for result in results for each in result.citations))
    return replace(one, citations=tuple(dict.fromkeys(on)))


def _names(one: Candidate, names: frozenset[str], each: LocalResult) -> bool:
    return bool({*names, one.id}.intersection(each.about))


def _tests(one: Candidate, each: LocalResult, bundle: Bundle) -> bool:
    """True for a negative test of the candidate's control on its route."""
    return one.route in each.operations and is_one_of(each, negative_tests(one.control, bundle))


def _is_of_absence(one: Candidate) -> bool:
    return one.kind in OF_ABSENCE or (one.kind not in _OWN and one.area in _ACCESS)
