"""What a retained result raises, and confidence: only from the table, with the reason."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from evreview.core.quoted_text import plain
from evreview.core.vocabulary import Confidence, EvidenceType
from evreview.evidence.records.test_runs import TestRecord
from evreview.workflows.w3.model import Reach, ShownBy, State, TestRow
from evreview.workflows.w3.rating import CONFIDENCE, Completeness, Validation, confidence
from evreview.workflows.w3.validation import OF_ABSENCE, local_results, validate
from tests.workflows.w3.made import CANDIDATE, REVISION, bundle, candidate
from tests.workflows.w3.rated import BASE, INVENTORY, UNKNOWN, run


def validated(**changes: Any) -> bool:
    made = bundle([*BASE, (EvidenceType.TEST_INVENTORY, INVENTORY), *run(**({"result": "failed"} | changes))])
    results = local_results(made, REVISION)
    (found,) = validate((CANDIDATE,), (frozenset((CANDIDATE.id,)),), results, made)
    return found.validated


@pytest.mark.req("W3I-027")
@pytest.mark.parametrize(
    "changes",
    [
        {"revision": None}, {"revision": "0f" * 20}, {"environment": None}, {"isolated": None}, {"isolated": False},
        {"command": None}, {"exit_status": None}, {"exit_status": 0}, {"output_sha256": "ab" * 32},
        {"violations": ["connect"]},
    ],
    ids=str,
)  # fmt: skip
def test_a_result_that_does_not_identify_the_four_raises_nothing(changes: dict[str, Any]) -> None:
    assert validated() is True
    assert validated(**changes) is False


def test_a_negative_test_that_passed_does_not_confirm_the_weakness() -> None:
    assert validated(result="passed") is False


@pytest.mark.req("W3S-013", "W3D-003")
@pytest.mark.parametrize("kind", [*sorted(OF_ABSENCE), "C-7", "caller-controlled-decision"])
def test_a_passed_negative_test_on_the_route_contradicts_what_says_that_a_check_is_absent(kind: str) -> None:
    made = bundle([*BASE, (EvidenceType.TEST_INVENTORY, INVENTORY), *run("passed")])
    about = candidate(kind=kind)
    source = TestRow(
        control="C-ROLE", test="t::test_refused", negative=True, shown=ShownBy.SYNTAX,
        asserts=(("GET /tickets/{id}", 403),), outcome="passed", citations=(),
    )  # fmt: skip
    results = local_results(made, REVISION)
    (found,) = validate((about,), (frozenset((about.id,)),), results, made, (source,))
    assert (found.state is State.HYPOTHESIS) is (kind != "caller-controlled-decision")
    assert ("t::test_refused" in "".join(map(plain, found.missing))) is (found.state is State.HYPOTHESIS)


@pytest.mark.req("W3I-027")
@pytest.mark.parametrize("lost", ["command", "revision", "fixture", "result"])
def test_a_retained_check_that_names_the_candidate_raises_with_all_four(lost: str) -> None:
    check = {
        "id": "T1", "what": "a caller is refused", "command": "pytest", "revision": REVISION, "fixture": "in process",
        "result": "failed", "deltas": [CANDIDATE.id],
    }  # fmt: skip

    def shown(values: dict[str, Any]) -> bool:
        made = bundle([(EvidenceType.TEST_RECORD, TestRecord.model_validate({"checks": [values]}))])
        (found,) = validate((CANDIDATE,), (frozenset((CANDIDATE.id,)),), local_results(made, REVISION), made)
        return found.validated

    assert shown(check) and not shown(check | {"result": "passed"})
    assert not shown({name: value for name, value in check.items() if name != lost})


DEGREES = {
    Completeness.COMPLETE: candidate(),
    Completeness.PARTIAL: candidate(challenges=(*CANDIDATE.challenges, UNKNOWN)),
    Completeness.PATTERN: candidate(challenges=(UNKNOWN,), reach=Reach.UNKNOWN),
}


@pytest.mark.req("W3F-004", "W3F-017")
@pytest.mark.parametrize("degree", Completeness)
@pytest.mark.parametrize("state", Validation)
def test_confidence_is_the_table_and_says_why(degree: Completeness, state: Validation) -> None:
    about = replace(DEGREES[degree], validated=state is Validation.RETAINED)
    assert confidence(about) == (CONFIDENCE[degree, state], f"{degree}; {state}")
    assert set(CONFIDENCE) == {(one, other) for one in Completeness for other in Validation}


def test_a_match_without_lines_that_show_it_is_never_complete() -> None:
    about = candidate(missing=(("source lines that show it",),))
    assert confidence(about)[0] is Confidence.LOW


def test_more_evidence_never_lowers_confidence() -> None:
    order = list(Confidence)
    for degree in Completeness:
        found = [order.index(CONFIDENCE[degree, state]) for state in Validation]
        assert found == sorted(found)
    for state in Validation:
        assert [order.index(CONFIDENCE[degree, state]) for degree in Completeness] == sorted(
            order.index(CONFIDENCE[degree, state]) for degree in Completeness
        )
