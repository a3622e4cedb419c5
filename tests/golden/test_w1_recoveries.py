"""What a failure code asks for, and where a repaired run resumes. Spec, Errors, failure modes and recovery."""

from __future__ import annotations

import re

import pytest

from tests.golden.runs import actions, finished

ASKED = [
    pytest.param(
        "f1-no-contracts-named", r"immutable release artifacts or retained tests", marks=pytest.mark.req("W1E-002")
    ),
    pytest.param("f1-no-contracts-named", r"[Vv]erify (its |the )?provenance", marks=pytest.mark.req("W1E-003")),
    pytest.param("f1-no-contracts-named", r"[Rr]estart at step 1", marks=pytest.mark.req("W1E-004")),
    pytest.param("f2-observation-contradicts-candidate", r"[Hh]alt approval", marks=pytest.mark.req("W1E-006")),
    pytest.param(
        "f2-observation-contradicts-candidate", r"provenance and the environment", marks=pytest.mark.req("W1E-007")
    ),
    pytest.param(
        "f2-observation-contradicts-candidate",
        r"API owner whether the contract, the implementation or the observation",
        marks=pytest.mark.req("W1E-008"),
    ),
    pytest.param(
        "f2-observation-contradicts-candidate", r"[Aa]lign the authoritative", marks=pytest.mark.req("W1E-009")
    ),
    pytest.param(
        "f2-observation-contradicts-candidate",
        r"[Rr]estart at step 2 and rerun the producer and consumer",
        marks=pytest.mark.req("W1E-010"),
    ),
    pytest.param("f3-owner-unknown", r"[Pp]reserve the old behaviour", marks=pytest.mark.req("W1E-012")),
    pytest.param("f3-owner-unknown", r"owner-discovery action", marks=pytest.mark.req("W1E-013")),
    pytest.param("f3-owner-unknown", r"privacy-safe version or field usage", marks=pytest.mark.req("W1E-014")),
    pytest.param("f3-owner-unknown", r"[Rr]esume at step 5", marks=pytest.mark.req("W1E-015")),
    pytest.param("f4-cohort-does-not-exist", r"[Rr]eject the strategy", marks=pytest.mark.req("W1E-017")),
    pytest.param(
        "f4-cohort-does-not-exist",
        r"version, gateway, deployment and feature-flag boundaries",
        marks=pytest.mark.req("W1E-018"),
    ),
    pytest.param("f4-cohort-does-not-exist", r"[Rr]estart at step 7", marks=pytest.mark.req("W1E-019")),
]


@pytest.mark.parametrize(("name", "asked"), ASKED)
def test_the_recovery_is_a_next_action(name: str, asked: str) -> None:
    assert re.search(asked, actions(finished(name)))


@pytest.mark.req("W1E-004", "W1E-010", "W1E-015", "W1E-019")
@pytest.mark.parametrize(
    ("name", "step"),
    [
        ("f1-no-contracts-named", 1),
        ("f2-observation-contradicts-candidate", 2),
        ("f3-owner-unknown", 5),
        ("f4-cohort-does-not-exist", 7),
    ],
)
def test_a_repaired_run_resumes_where_the_recovery_says(name: str, step: int) -> None:
    (failed,) = [one for one in finished(name).steps if one.code]
    assert failed.restart == step
