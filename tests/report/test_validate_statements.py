"""The validator on statements: their labels, citations and the ids in them, with code and line."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from evreview.report.output_contract import OutputContract
from evreview.report.template_environment import output_contracts
from evreview.report.validate import validate_artifact
from tests.report.problem_codes import codes, line_of

Build = Callable[..., str]
BY_WORKFLOW = {contract.workflow: contract for contract in output_contracts()}

LABELS = {
    "C-008": "Observation",
    "C-009": "Inference",
    "C-010": "Recommendation",
    "C-011": "Executed check",
    "C-012": "Proposed check",
    "C-013": "Assumption",
    "C-014": "Limitation",
    "C-015": "Next action",
}


@pytest.mark.parametrize(
    "label", [pytest.param(label, marks=pytest.mark.req(number)) for number, label in LABELS.items()]
)
def test_each_kind_of_statement_has_its_own_label(w1: OutputContract, artifact: Build, label: str) -> None:
    def problems(statement: str) -> set[str]:
        text = artifact(w1).replace("## Limitations\n", f"## Limitations\n\n{statement}\n", 1)
        return codes(validate_artifact(text))

    other = "Inference" if label == "Observation" else "Observation"
    assert problems(f"**{label}:** It is so. [E1]") == set()
    assert problems(f"* **{label}:** It is so. [E1]") == set()
    assert problems("It is so. [E1]") == {"statement-unlabelled"}
    assert problems(f"**{label}s:** It is so. [E1]") == {"statement-unlabelled"}
    assert problems(f"**{label.upper()}:** It is so. [E1]") == {"statement-unlabelled"}
    assert problems(f"{label}: It is so. [E1]") == {"statement-unlabelled"}
    assert problems(f"It is so. **{label}:** [E1]") == {"statement-unlabelled"}
    assert problems(f"**{label}:** It is so. **{other}:** It is not. [E1]") == {"statement-mixed"}


@pytest.mark.req("C-003", "PU-002", "PU-004")
@pytest.mark.parametrize("label", ["Observation", "Inference", "Recommendation", "Executed check", "Proposed check"])
def test_a_material_statement_cites(w1: OutputContract, artifact: Build, label: str) -> None:
    line = f"**{label}:** It is so."
    text = artifact(w1).replace("## Limitations\n", f"## Limitations\n\n{line}\n", 1)
    found = validate_artifact(text)
    assert [(problem.code, problem.place) for problem in found] == [("citation-missing", line_of(text, line))]


@pytest.mark.req("C-003", "PU-002", "PU-004")
def test_every_row_with_an_evidence_cell_cites(contract: OutputContract, artifact: Build) -> None:
    text = artifact(contract)
    for bad in ("", "none recorded", "the contract", "`E1`"):
        broken = re.sub(r"(\| )E1#/info, E2:L1 \|", rf"\g<1>{bad} |", text)
        found = [
            problem for problem in validate_artifact(broken, contract=contract) if problem.code == "citation-missing"
        ]
        assert len(found) == len(re.findall(r"\| E1#/info, E2:L1 \|", text))


@pytest.mark.req("C-004")
@pytest.mark.parametrize("token", ["E0", "E01", "e1", "E-1", "E1a", "EE1", "E1#pointer", "E1:L0", "E1:L9-L2", "E1 E2"])
def test_malformed_ids_in_a_citation_position_are_errors(w1: OutputContract, artifact: Build, token: str) -> None:
    text = artifact(w1)
    group = text.replace("current.", f"current. [E1, {token}]", 1)
    assert "citation-malformed" in codes(validate_artifact(group))
    cell = text.replace("| E1#/info, E2:L1 |", f"| E1, {token} |", 1)
    assert "citation-malformed" in codes(validate_artifact(cell))


@pytest.mark.req("C-004")
@pytest.mark.parametrize("token", ["E1", "E10", "E123", "E1#/a/b~1c", "E1:L3", "E1:L3-L9", "E1:id=t-1"])
def test_well_formed_ids_pass(w1: OutputContract, artifact: Build, token: str) -> None:
    assert validate_artifact(artifact(w1).replace("(E1, E2:L1)", f"(E2, {token})")) == ()


@pytest.mark.req("C-004")
def test_look_alikes_of_the_subject_stand_in_code(w1: OutputContract, artifact: Build) -> None:
    text = artifact(w1)
    assert validate_artifact(text.replace("is current.", "is current, `E11000` too.")) == ()
    assert codes(validate_artifact(text.replace("is current.", "is current, E11000 too."))) == {"stray-evidence-id"}
    assert codes(validate_artifact(text.replace("| the retained parser contract |", "| E11000 |"))) == {
        "stray-evidence-id"
    }


@pytest.mark.req("C-005", "AR-004", "AR-008", "AR-012")
def test_two_distinct_items_are_cited(contract: OutputContract, artifact: Build) -> None:
    text = artifact(contract)
    one = text.replace("E2:L1", "E1:L1").replace("E2", "E1")
    assert "too-few-citations" in codes(validate_artifact(one, contract=contract))
    assert "too-few-citations" not in codes(validate_artifact(text, contract=contract))
