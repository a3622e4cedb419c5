"""The validator on registers and sections: rows, cells, checks and what a section must say, with code and line."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from evreview.report.output_contract import OutputContract
from evreview.report.template_environment import output_contracts
from evreview.report.validate import validate_artifact
from tests.report.problem_codes import codes

Build = Callable[..., str]
BY_WORKFLOW = {contract.workflow: contract for contract in output_contracts()}


@pytest.mark.req("C-002")
@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("| E1#/info, E2:L1 |\n", "| E1#/info, E2:L1 | more |\n", "row-width"),
        ("| E1#/info, E2:L1 |\n", "|\n", "row-width"),
        ("| `D-0123456789ab`: nullability changed |", "|  |", "empty-cell"),
        ("| `D-0123456789ab`: nullability changed |", "| nullability changed |", "identifier-missing"),
        ("Observation: declared: none; run: none<br>", "declared: none; run: none<br>", "fragment-unlabelled"),
        ("none<br>Limitation: unlisted", "none Limitation: unlisted", "fragment-mixed"),
        ("Recommendation: keep", "keep", "fragment-unlabelled"),
    ],
)
def test_rows_and_cells(w1: OutputContract, artifact: Build, old: str, new: str, code: str) -> None:
    text = artifact(w1)
    assert old in text
    assert code in codes(validate_artifact(text.replace(old, new, 1)))


@pytest.mark.req("C-002")
def test_a_register_without_any_row_is_seen(contract: OutputContract, artifact: Build) -> None:
    text = re.sub(r"(\|(?: --- \|)+\n)(?:\|.*\n)+", r"\1", artifact(contract))
    found = [
        problem for problem in validate_artifact(text, contract=contract) if problem.code == "register-without-row"
    ]
    assert len(found) == len(contract.tables)


@pytest.mark.parametrize(
    ("column", "number"),
    [
        pytest.param("Command", 1, marks=pytest.mark.req("C-017")),
        pytest.param("Revision", 2, marks=pytest.mark.req("C-018")),
        pytest.param("Fixture or environment", 3, marks=pytest.mark.req("C-019")),
        pytest.param("Result", 4, marks=pytest.mark.req("C-020")),
    ],
)
@pytest.mark.parametrize("workflow", ["W1", "W3"])
def test_an_executed_check_names(artifact: Build, workflow: str, column: str, number: int) -> None:
    contract = BY_WORKFLOW[workflow]
    lines = artifact(contract).split("\n")
    at = next(index for index, line in enumerate(lines) if line.startswith("| Check | Command |")) + 2
    cells = lines[at].strip("| ").split(" | ")
    for said in ("", "n/a", "unknown", "none"):
        broken = [*lines[:at], f"| {' | '.join([*cells[:number], said, *cells[number + 1 :]])} |", *lines[at + 1 :]]
        found = validate_artifact("\n".join(broken), contract=contract)
        assert ("executed-incomplete", f"line {at + 1}") in {(problem.code, problem.place) for problem in found}, column


@pytest.mark.req("C-016", "C-021")
@pytest.mark.parametrize("workflow", ["W1", "W3"])
def test_executed_and_proposed_never_mix(artifact: Build, workflow: str) -> None:
    contract = BY_WORKFLOW[workflow]
    text = artifact(contract)
    proposed = text.replace("executed: passed", "proposed")
    assert "not-executed" in codes(validate_artifact(proposed, contract=contract))
    executed = text.replace("unexecuted: command, revision", "executed: passed")
    assert "not-proposed" in codes(validate_artifact(executed, contract=contract))
    for heading, label in (("Executed", "Proposed check"), ("Proposed", "Executed check")):
        line = next(found.line for found in contract.headings if found.name == heading)
        broken = text.replace(f"{line}\n", f"{line}\n\n**{label}:** It is so. [E1]\n", 1)
        assert f"not-{heading.lower()}" in codes(validate_artifact(broken, contract=contract))


@pytest.mark.req("C-021")
def test_an_example_report_says_executed_or_not(artifact: Build) -> None:
    contract = BY_WORKFLOW["W2"]
    text = artifact(contract)
    for status, expected in (
        ("unexecuted: no sandbox", False),
        ("proposed", False),
        ("executed", False),
        ("done", True),
    ):
        found = validate_artifact(text.replace("| the check | executed |", f"| the check | {status} |"))
        assert ("value-not-allowed" in codes(found)) is expected


@pytest.mark.parametrize(
    ("workflow", "code"),
    [
        pytest.param(contract.workflow, need.code, marks=pytest.mark.req(*marks), id=f"{contract.workflow}-{need.code}")
        for contract in output_contracts()
        for need in contract.requires
        for marks in [
            {
                ("W1", "recommendation-missing"): ("PU-001",),
                ("W1", "decision-missing"): ("PU-001",),
                ("W1", "unknown-consumers-unstated"): ("C-045",),
                ("W2", "revision-unstated"): ("PU-004",),
                ("W3", "assessment-missing"): ("PU-005",),
                ("W3", "residual-risk-missing"): ("PU-005",),
            }.get((contract.workflow, need.code), ("C-044",) if need.code == "limitations-missing" else ("C-002",))
        ]
    ],
)
def test_what_a_section_must_say(artifact: Build, workflow: str, code: str) -> None:
    contract = BY_WORKFLOW[workflow]
    need = next(need for need in contract.requires if need.code == code)
    text = artifact(contract)
    head, tail = text.split(f"{next(h.line for h in contract.headings if h.name == need.under)}\n", 1)
    section, mark, rest = tail.partition("\n## ")
    if need.label:
        section = section.replace(f"**{need.label}:**", "**Assumption:**")
    else:
        section = re.sub(need.says, "nothing", section)
    line = next(h.line for h in contract.headings if h.name == need.under)
    found = validate_artifact(f"{head}{line}\n{section}{mark}{rest}", contract=contract)
    assert code in codes(found)


@pytest.mark.req("PU-001", "PU-003", "PU-005")
def test_every_register_of_the_purpose_is_required(contract: OutputContract, artifact: Build) -> None:
    text = artifact(contract)
    for required in contract.tables:
        if required.optional:
            continue
        broken = text.replace(f"{required.header}\n", f"{required.header.replace('|', '/')}\n")
        code = "literal-header-missing" if required.literal else "register-missing"
        assert code in codes(validate_artifact(broken, contract=contract)), required.header


@pytest.mark.req("VR-006")
def test_the_reference_states_its_api_version(artifact: Build) -> None:
    contract = BY_WORKFLOW["W2"]
    text = artifact(contract)
    assert "row-missing" in codes(validate_artifact(text.replace("| API version |", "| Version |")))
    assert "empty-cell" in codes(validate_artifact(text.replace("| API version | the value |", "| API version |  |")))
