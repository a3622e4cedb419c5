"""What retained results say of a candidate: that whoever may not, could, or that whoever may not, could not."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from evreview.core.quoted_text import UserText
from evreview.core.vocabulary import Area
from evreview.evidence.cited_records import first_of
from evreview.evidence.element_mentions import operation_key
from evreview.evidence.item import Bundle
from evreview.evidence.records.security import Control, SecurityInventory
from evreview.workflows.w3.leads.catalogue import RULES
from evreview.workflows.w3.model import Candidate, ShownBy, State, TestRow
from evreview.workflows.w3.validation.local_results import LocalResult, is_one_of, negative_tests

_ACCESS: Final = frozenset({Area.AUTHENTICATION, Area.AUTHORIZATION})
_BESIDE: Final = "unguarded-sibling"
OF_ABSENCE: Final = {_BESIDE: _ACCESS, "object-without-owner-check": frozenset({Area.AUTHORIZATION})}
"""Own kinds that say that a check is not there, and of which controls a passed negative test says that it is."""
_OWN: Final = frozenset(rule.id for rule in RULES)
_REFUSED: Final = 400
_WHO_CALLS: Final = 401
_NOT_LET_IN: Final = (401, 403)


@dataclass(frozen=True, slots=True)
class Retained:
    """What results are judged with: the bundle's inventory, and its tests as step 3 resolved them."""

    bundle: Bundle
    rows: tuple[TestRow, ...] = ()

    def asserted(self, each: LocalResult, route: str) -> tuple[int | None, ...]:
        """The statuses that a result asserts of a route; what the test's source says counts where it is supplied."""
        told = [*each.asserts]
        told += [one for row in self.rows if set(each.citations[:1]) & set(row.citations) for one in row.asserts]
        return tuple(status for name, status in told if operation_key(name) == operation_key(route))

    def shown(self, each: LocalResult, route: str) -> tuple[int | None, ...]:
        """The same, as far as the test's source shows it: what a record declares of a test speaks against no code."""
        told = [
            one
            for row in self.rows
            if row.shown is ShownBy.SYNTAX and (set(each.citations[:1]) & set(row.citations) or _names(row, each))
            for one in row.asserts
        ]
        return tuple(status for name, status in told if operation_key(name) == operation_key(route))

    def controls(self) -> tuple[Control, ...]:
        """The controls of the inventory."""
        stated = first_of(self.bundle, SecurityInventory)
        return stated.record.controls if stated else ()


def validate(
    candidates: Iterable[Candidate],
    names: Iterable[frozenset[str]],
    results: Sequence[LocalResult],
    bundle: Bundle,
    rows: tuple[TestRow, ...] = (),
) -> tuple[Candidate, ...]:
    """The candidates with what complete retained results make of them.

    A failed one validates a candidate. A passed one whose source asserts a refusal on the route contradicts what says
    that a check is absent: that is a hypothesis then, and names the test. It takes nothing from other kinds, and a
    result that only says of itself what it asked takes nothing at all; a disposition closes those.

    Args:
        candidates: of step 5.
        names: for each, the ids under which evidence may name it.
        results: the retained results.
        bundle: with the inventory that says which tests are negative.
        rows: its tests, as step 3 resolved them.
    """
    complete = [each for each in results if not each.lacks]
    by = Retained(bundle, rows)
    return tuple(_judged(one, own, complete, by) for one, own in zip(candidates, names, strict=True))


def _judged(one: Candidate, names: frozenset[str], results: Sequence[LocalResult], by: Retained) -> Candidate:
    named = [each for each in results if {*names, one.id}.intersection(each.about)]
    failed = [each for each in results if each.result == "failed" and (each in named or _tests(one, each, by))]
    passed = [
        each for each in results if each.result == "passed" and _is_of_absence(one) and _contradicts(one, each, by)
    ]
    if passed and one.state is not State.REFUTED:
        missing = tuple(("why the negative test ", UserText(each.id), " passed") for each in passed)
        return _citing(replace(one, state=State.HYPOTHESIS, missing=(*one.missing, *missing)), passed)
    return _citing(replace(one, validated=bool(failed)), failed)


def _citing(one: Candidate, results: Sequence[LocalResult]) -> Candidate:
    on = (*one.citations, *(each for result in results for each in result.citations))
    return replace(one, citations=tuple(dict.fromkeys(on)))


def _tests(one: Candidate, each: LocalResult, by: Retained) -> bool:
    """True for a negative test of the candidate's control on its route."""
    return bool(by.asserted(each, one.route)) and is_one_of(each, negative_tests(one.control, by.bundle))


def _contradicts(one: Candidate, each: LocalResult, by: Retained) -> bool:
    """True for a passed test by which the route refuses whom the candidate says that it lets in."""
    told = by.shown(each, one.route)
    refused = [status for status in told if status is None or status >= _REFUSED]
    if one.kind == _BESIDE and any(status in _NOT_LET_IN for status in told):
        return True
    if one.kind in OF_ABSENCE and one.kind != _BESIDE:
        refused = [status for status in refused if status != _WHO_CALLS]
    return bool(refused) and any(is_one_of(each, control.negative_tests or ()) for control in _controls(one, by))


def _names(row: TestRow, each: LocalResult) -> bool:
    """True when a result is one of the test that the row is about, by the last part of their names."""
    return row.test.rsplit("::", 1)[-1] == each.id.rsplit("::", 1)[-1]


def _controls(one: Candidate, by: Retained) -> Iterator[Control]:
    areas = OF_ABSENCE.get(one.kind)
    for control in by.controls():
        if control.area in areas if areas is not None else control.id == one.control:
            yield control


def _is_of_absence(one: Candidate) -> bool:
    return one.kind in OF_ABSENCE or (one.kind not in _OWN and one.area in _ACCESS)
