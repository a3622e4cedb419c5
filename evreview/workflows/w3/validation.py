"""What retained local results say of a candidate, and the suspicions that only listed controls give rise to."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from evreview.core.errors import BadInput
from evreview.core.quoted_text import Text, UserText, listed
from evreview.core.vocabulary import Area, EvidenceId
from evreview.evidence.cited_records import Cited, first_of, records_of
from evreview.evidence.element_mentions import operation_key
from evreview.evidence.item import Bundle, Citation
from evreview.evidence.records.review import same_revision
from evreview.evidence.records.security import Authorization, Control, ControlTest, SecurityInventory, TrustModel
from evreview.evidence.records.test_runs import CheckResult, TestRecord, TestRun
from evreview.evidence.test_results.model import Case
from evreview.evidence.test_results.read import read_results
from evreview.workflows.w3.facts import W3Facts
from evreview.workflows.w3.leads.catalogue import RULES
from evreview.workflows.w3.model import (
    Candidate,
    ControlCell,
    Inventory,
    InventoryGapKind,
    Reach,
    ShownBy,
    Standing,
    State,
    TestRow,
)

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


def assumed_attacker(bundle: Bundle) -> str:
    """The first position that the trust model assumes an attacker in, "" without one."""
    model = first_of(bundle, TrustModel)
    return next(iter((model.record.attacker_positions or ()) if model else ()), "")


# Listed controls that the code lacks on routes which they shall protect: a suspicion, since it may stand elsewhere.


LISTED_CONTROL_ABSENT: Final = "listed-control-absent"


def absent_controls(inventory: Inventory, bundle: Bundle, known: Sequence[Candidate]) -> tuple[Candidate, ...]:
    """A hypothesis for each listed control that is absent on routes of which nothing is supported yet.

    Args:
        inventory: its gaps say which controls lack routes that they shall protect.
        bundle: with the inventory's record.
        known: the candidates so far; a route with a supported one needs no second suspicion.
    """
    return tuple(_absent_control_candidates(inventory, bundle, known))


def _absent_control_candidates(inventory: Inventory, bundle: Bundle, known: Sequence[Candidate]) -> Iterator[Candidate]:
    stated = first_of(bundle, SecurityInventory)
    controls = {each.id: each for each in stated.record.controls} if stated else {}
    told = {each.route for each in known if each.state is State.SUPPORTED}
    for name in dict.fromkeys(gap.control for gap in inventory.gaps if gap.lacks is InventoryGapKind.CONTROL):
        cells = [
            each
            for each in inventory.cells
            if each.control == name and each.standing is Standing.ABSENT and each.route not in told
        ]
        if cells and name in controls:
            yield _absent_control_candidate(controls[name], cells, bundle)


def _absent_control_candidate(control: Control, cells: Sequence[ControlCell], bundle: Bundle) -> Candidate:
    routes = tuple(cell.route for cell in cells)
    where = (UserText(control.id), " on ", *listed(routes))
    return Candidate(
        id=f"S-{digest(LISTED_CONTROL_ABSENT, control.id)[:12]}",
        kind=LISTED_CONTROL_ABSENT,
        area=control.area,
        title=("The listed control is not in the code: ", *where),
        leads=(),
        route=routes[0] if len(routes) == 1 else "*",
        control=control.id,
        asset=control.assets[0] if control.assets else "",
        attacker=assumed_attacker(bundle),
        reach=Reach.UNKNOWN,
        reach_why=("whether the routes are protected elsewhere is not shown",),
        challenges=(),
        state=State.HYPOTHESIS,
        missing=(("the code or wiring that holds ", *where),),
        preconditions=(("nothing that was not supplied does the control's work",),),
        impact_observed=("the code that was read does not hold ", *where),
        impact_inferred=("whoever the control shall keep out may get in",),
        safe_verification=("a negative test of each route in an isolated fixture with synthetic data",),
        slice=digest(control.model_dump_json(), *routes),
        citations=tuple(dict.fromkeys(citation for cell in cells for citation in cell.citations)),
    )


# Sensitive controls that no passed negative test covers: nothing shows that they fail, and nothing that they hold.


MISSING_NEGATIVE_TEST: Final = "missing-negative-test"
AREAS: Final = (Area.AUTHENTICATION, Area.AUTHORIZATION, Area.INPUT_HANDLING)
"""Controls that refuse somebody or something; of the others a negative test shows little."""


def unverified_controls(inventory: Inventory, bundle: Bundle) -> tuple[Candidate, ...]:
    """A hypothesis for each sensitive control that refuses and of which no retained negative test passed."""
    return tuple(_unverified_control_candidates(inventory, bundle))


def _unverified_control_candidates(inventory: Inventory, bundle: Bundle) -> Iterator[Candidate]:
    stated = first_of(bundle, SecurityInventory)
    controls = {each.id: each for each in stated.record.controls} if stated else {}
    passed = {test.control for test in inventory.tests if test.negative and test.outcome == "passed"}
    for control in controls.values():
        gaps = [
            gap for gap in inventory.gaps if gap.control == control.id and gap.lacks is InventoryGapKind.NEGATIVE_TESTS
        ]
        undecided = any(gap.decides for gap in gaps)
        if gaps and not undecided and control.sensitive and control.area in AREAS and control.id not in passed:
            on = tuple(dict.fromkeys(citation for gap in gaps for citation in gap.citations))
            yield _unverified_control_candidate(control, on, bundle)


def _unverified_control_candidate(control: Control, on: tuple[Citation, ...], bundle: Bundle) -> Candidate:
    route = control.routes[0] if len(control.routes) == 1 else "*"
    return Candidate(
        id=f"S-{digest(MISSING_NEGATIVE_TEST, control.id)[:12]}",
        kind=MISSING_NEGATIVE_TEST,
        area=control.area,
        title=("No negative test shows that the control ", UserText(control.id), " refuses whoever may not"),
        leads=(),
        route=route,
        control=control.id,
        asset=control.assets[0] if control.assets else "",
        attacker=assumed_attacker(bundle),
        reach=Reach.UNKNOWN,
        reach_why=("a missing test shows nothing about reachability",),
        challenges=(),
        state=State.HYPOTHESIS,
        missing=(("a negative test of ", UserText(control.id), " with its retained result"),),
        preconditions=(("the control fails without anybody noticing",),),
        impact_observed=("no passed negative test of ", UserText(control.id), " is retained"),
        impact_inferred=("a regression of the control would reach the release unnoticed",),
        safe_verification=("a negative test in an isolated fixture with synthetic data, its result retained",),
        slice=digest(control.model_dump_json()),
        citations=on,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class LocalResult:
    """One retained check or test case.

    Attributes:
        id, what: of the check or case.
        command, revision, environment, result: as retained, "" where they are not.
        lacks: which of the four are not identified; empty for an executed check.
        operations: the routes that it is about, as far as it says.
        about: ids of findings or candidates that it names.
        asserts: route and status of each assertion; None for a status that is not told.
        item: where it is retained; `run` the record of its run, the same item for a test record.
    """

    id: str
    what: Text
    command: str
    revision: str
    environment: str
    result: str
    lacks: tuple[str, ...]
    operations: tuple[str, ...]
    about: tuple[str, ...]
    item: EvidenceId
    run: EvidenceId
    citations: tuple[Citation, ...]
    asserts: tuple[tuple[str, int | None], ...] = ()


def local_results(bundle: Bundle, revision: str) -> tuple[LocalResult, ...]:
    """Every retained check and test case, in the order supplied.

    Args:
        bundle: the unsealed evidence.
        revision: the one under review; a result at another does not identify it.
    """
    checks = [found for cited in records_of(bundle, TestRecord) for found in _checks(cited, revision)]
    runs = [found for cited in records_of(bundle, TestRun) for found in _cases(cited, bundle, revision)]
    return (*checks, *runs)


def _checks(cited: Cited[TestRecord], revision: str) -> Iterator[LocalResult]:
    for place, check in enumerate(cited.record.checks):
        names = {"fixture": "isolated environment"}
        lacks = [names.get(name, name) for name in check.lacking]
        yield LocalResult(
            id=check.id,
            what=(UserText(check.what),),
            command=check.command or "",
            revision=check.revision or "",
            environment=check.fixture or "",
            result=_result(check),
            lacks=tuple(dict.fromkeys((*lacks, *_elsewhere(check.revision, revision)))),
            operations=(check.operation,) if check.operation else (),
            about=check.deltas,
            item=cited.citation.id,
            run=cited.citation.id,
            citations=(cited.at(f"/checks/{place}"),),
            asserts=((check.operation, None),) if check.operation else (),
        )


def _result(check: CheckResult) -> str:
    return check.result or "" if check.result != "skipped" else ""


def _elsewhere(found: str | None, revision: str) -> tuple[str, ...]:
    return ("revision",) if revision and not same_revision(found, revision) else ()


def _cases(cited: Cited[TestRun], bundle: Bundle, revision: str) -> Iterator[LocalResult]:
    run, item = cited.record, bundle.items[cited.record.output]
    try:
        found = read_results(item.content.encode(), run.format, item.file)
    except BadInput:
        return
    agrees = (*_agrees(run, found.cases), *_outside(found.day, bundle))
    for case in found.cases:
        says = [fact for fact in run.asserts if fact.test == case.id]
        told = [(fact.operation, fact.status) for fact in says]
        told += [(each.operation, each.status) for each in case.assertions]
        yield LocalResult(
            id=case.id,
            what=(UserText(case.what or case.id),),
            command=run.command or "",
            revision=run.revision or "",
            environment=run.environment or "",
            result=str(case.outcome) if case.outcome in ("passed", "failed", "error") else "",
            lacks=tuple(
                dict.fromkeys((*_unidentified(run, case, item.sha256), *agrees, *_elsewhere(run.revision, revision)))
            ),
            operations=tuple(dict.fromkeys(name for name, _ in told if name)),
            about=(),
            item=item.id,
            run=cited.citation.id,
            citations=(Citation(item.id, case.locator), cited.citation),
            asserts=tuple(dict.fromkeys((name, status) for name, status in told if name)),
        )


def _agrees(run: TestRun, cases: Sequence[Case]) -> tuple[str, ...]:
    """What is lacking when the exit status and the cases of an output contradict each other."""
    failed = any(case.outcome in ("failed", "error") for case in cases)
    contradicted = run.exit_status is not None and failed is (run.exit_status == 0)
    return ("an exit status that agrees with its cases",) if contradicted else ()


def _outside(day: str, bundle: Bundle) -> tuple[str, ...]:
    """What is lacking when a run is of a day that does not count: after the review's date, or after its authorization.

    An output that names no day says nothing about it.
    """
    known = first_of(bundle, Authorization)
    period = known.record.period if known else None
    ends = min(bundle.request.as_of, period.until) if period else bundle.request.as_of
    return (f"a day up to {ends}",) if day > ends else ()


def _unidentified(run: TestRun, case: Case, digest: str) -> Iterator[str]:
    """Which of the four a run does not identify for a case; one that left its sandbox identifies no result."""
    if not run.revision:
        yield "revision"
    if not run.environment or not run.is_isolated:
        yield "isolated environment"
    if not run.command:
        yield "command"
    kept = run.output_sha256 is None or run.output_sha256.removeprefix("sha256:") == digest
    judged = case.outcome in ("passed", "failed", "error") and run.exit_status is not None
    if not (kept and judged) or run.violations:
        yield "result"


def unread_outputs(bundle: Bundle) -> tuple[tuple[Citation, str], ...]:
    """The retained outputs that can't be read, with the reason."""
    unread: list[tuple[Citation, str]] = []
    for cited in records_of(bundle, TestRun):
        item = bundle.items[cited.record.output]
        try:
            read_results(item.content.encode(), cited.record.format, item.file)
        except BadInput as error:
            unread += [(Citation(item.id), str(problem)) for problem in error.problems]
    return tuple(unread)


def verified(control: str, results: Sequence[LocalResult], bundle: Bundle) -> bool:
    """True when a complete, passed result of a negative test verifies the control."""
    tests = negative_tests(control, bundle)
    return any(is_one_of(each, tests) and not each.lacks and each.result == "passed" for each in results)


def is_one_of(each: LocalResult, tests: Iterable[ControlTest]) -> bool:
    """True for a result of one of the tests, in the record that the inventory names for it.

    An output names a test by class or file too, so the last part of the names is compared.
    """
    return any(test.run in (each.item, each.run) and _tail(test.test) == _tail(each.id) for test in tests)


def _tail(name: str) -> str:
    return name.rsplit("::", 1)[-1]


def negative_tests(control: str, bundle: Bundle) -> tuple[ControlTest, ...]:
    """The negative tests that the inventory names for a control."""
    found = control_of(control, bundle)
    return (found.negative_tests or ()) if found else ()


def control_of(name: str, bundle: Bundle) -> Control | None:
    """The control with that id in the supplied inventory, None for none."""
    stated = first_of(bundle, SecurityInventory)
    return next((each for each in stated.record.controls if each.id == name), None) if stated and name else None


def digest(*parts: str) -> str:
    """The sha256 over the parts, one per line."""
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def executed(facts: W3Facts) -> tuple[LocalResult, ...]:
    """The retained results that identify revision, isolated environment, command and result."""
    return tuple(each for each in facts.results if not each.lacks)
