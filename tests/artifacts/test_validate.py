"""The validator: a valid artifact passes, and each way of breaking it is seen, with its code and line."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from evreview.artifacts.contract import OutputContract, RequiredHeading
from evreview.artifacts.environment import output_contracts
from evreview.artifacts.validate import contract_of, validate_artifact
from evreview.errors import Problem

Build = Callable[..., str]
BY_WORKFLOW = {contract.workflow: contract for contract in output_contracts()}

HEADINGS = {
    "W1": range(1, 13),
    "W2": range(14, 26),
    "W3": range(27, 36),
}
LITERALS = {"W1": range(1, 5), "W2": range(5, 11), "W3": (11, 13)}


def codes(problems: tuple[Problem, ...]) -> set[str]:
    return {problem.code for problem in problems}


def line_of(text: str, line: str) -> str:
    return f"line {text.split(chr(10)).index(line) + 1}"


def each_heading() -> list[object]:
    """Every required second-level heading with its requirement's id; the ids follow the specification's order."""
    found = []
    for workflow, numbers in HEADINGS.items():
        second = [heading for heading in BY_WORKFLOW[workflow].headings if heading.level == 2]
        for number, heading in zip(numbers, second, strict=True):
            mark = pytest.mark.req(f"HD-{number:03}")
            found.append(pytest.param(BY_WORKFLOW[workflow], heading, marks=mark, id=f"{workflow}-{heading.name}"))
    third = BY_WORKFLOW["W3"].headings[4]
    found.append(
        pytest.param(BY_WORKFLOW["W3"], third, marks=pytest.mark.req("HD-037", "LT-012"), id="W3-### Proposed")
    )
    return found


def each_literal() -> list[object]:
    found = []
    for workflow, numbers in LITERALS.items():
        contract = BY_WORKFLOW[workflow]
        literal = [table.header for table in contract.tables if table.literal]
        for number, header in zip(numbers, literal, strict=True):
            found.append(
                pytest.param(contract, header, marks=pytest.mark.req(f"LT-{number:03}"), id=f"{workflow}-{header}")
            )
    return found


@pytest.mark.req("AR-003", "AR-004", "AR-007", "AR-008", "AR-011", "AR-012", "VR-001")
@pytest.mark.parametrize("empty", [False, True])
def test_a_valid_artifact_has_no_violation(contract: OutputContract, artifact: Build, empty: bool) -> None:
    text = artifact(contract, empty=empty)
    assert validate_artifact(text) == ()
    assert contract_of(text) is contract


@pytest.mark.parametrize(("contract", "heading"), each_heading())
def test_each_heading_is_required_exactly_as_written(
    contract: OutputContract, heading: RequiredHeading, artifact: Build
) -> None:
    text = artifact(contract)
    assert "heading-missing" in codes(validate_artifact(text.replace(f"{heading.line}\n", "\n", 1), contract=contract))
    near = [heading.name.upper(), heading.name + ".", f"{heading.name}s", heading.name.replace(" ", "  ", 1) + " "]
    for name in near:
        if name.strip() == heading.name:
            continue
        broken = text.replace(f"{heading.line}\n", f"{'#' * heading.level} {name}\n", 1)
        found = validate_artifact(broken, contract=contract)
        assert "heading-missing" in codes(found), name
        assert codes(found) & {"heading-near-miss", "heading-level"}, name
    again = validate_artifact(f"{text}\n{heading.line}\n", contract=contract)
    assert "heading-repeated" in codes(again)
    level = validate_artifact(text.replace(f"{heading.line}\n", f"#{heading.line}\n", 1), contract=contract)
    assert {"heading-missing", "heading-reused"} <= codes(level)
    fenced = text.replace(f"{heading.line}\n", f"```\n{heading.line}\n```\n", 1)
    assert "heading-missing" in codes(validate_artifact(fenced, contract=contract))


@pytest.mark.req("HD-013", "HD-026", "HD-036")
def test_headings_stand_in_the_listed_order(contract: OutputContract, artifact: Build) -> None:
    text = artifact(contract)
    for one, two in zip(contract.headings, contract.headings[1:], strict=False):
        swapped = text.replace(f"{one.line}\n", "\0", 1).replace(f"{two.line}\n", f"{one.line}\n", 1)
        swapped = swapped.replace("\0", f"{two.line}\n")
        assert "heading-order" in codes(validate_artifact(swapped, contract=contract)), one.name


@pytest.mark.parametrize(("contract", "header"), each_literal())
def test_each_literal_header_is_required_exactly_as_written(
    contract: OutputContract, header: str, artifact: Build
) -> None:
    for empty in (False, True):
        text = artifact(contract, empty=empty)
        assert validate_artifact(text) == ()
        delimiter = f"{header}\n|{' --- |' * (header.count('|') - 1)}\n"
        assert delimiter in text
        for broken in (
            text.replace(f"{header}\n", f"{header.lower()}\n"),
            text.replace(f"{header}\n", f"{header.replace(' | ', ' |  ', 1)}\n"),
            text.replace(f"{header}\n", f"{header.replace('Evidence', 'Sources').replace('Status', 'State')}\n"),
            text.replace(delimiter, ""),
        ):
            assert "literal-header-missing" in codes(validate_artifact(broken, contract=contract))
        narrow = text.replace(delimiter, f"{header}\n| --- |\n")
        assert {"literal-header-missing", "delimiter-row-missing"} <= codes(
            validate_artifact(narrow, contract=contract)
        )
        fenced = re.sub(rf"{re.escape(delimiter)}(\|.*\n)+", lambda match: f"```\n{match[0]}```\n", text)
        assert "literal-header-missing" in codes(validate_artifact(fenced, contract=contract))


def test_a_register_stands_under_its_own_heading(contract: OutputContract, artifact: Build) -> None:
    text = artifact(contract)
    for required in contract.tables:
        place = (
            text.index(f"## {required.under}\n", 0)
            if f"\n## {required.under}\n" in text
            else text.index(required.under)
        )
        moved = text[:place].replace(required.header, "") + text[place:].replace(f"{required.header}\n", "| x |\n", 1)
        code = "literal-header-missing" if required.literal else "register-missing"
        assert code in codes(validate_artifact(f"{moved}\n", contract=contract)), required.header


@pytest.mark.req("AR-003", "AR-007", "AR-011")
@pytest.mark.parametrize(
    ("edit", "code"),
    [
        (lambda text: "\n" + text, "title-not-first"),
        (lambda text: "---\nx: y\n---\n" + text, "title-not-first"),
        (lambda text: text[2:], "title-missing"),
        (lambda text: text + "\n# Another document\n", "title-repeated"),
        (lambda text: text + "\nAnother document\n================\n", "title-repeated"),
    ],
)
def test_exactly_one_title_on_the_first_line(
    contract: OutputContract, artifact: Build, edit: Callable[[str], str], code: str
) -> None:
    assert code in codes(validate_artifact(edit(artifact(contract)), contract=contract))


@pytest.mark.req("AR-002", "AR-006", "AR-010", "VR-002", "VR-003")
def test_audience_and_identity_are_stated(contract: OutputContract, artifact: Build) -> None:
    text = artifact(contract)
    assert "audience-unstated" in codes(
        validate_artifact(text.replace(contract.audience, "everyone"), contract=contract)
    )
    for part, other in (("{contracts_base}", "https://x.example"), ("1.0.0", "1.0.1"), (contract.identifier, "review")):
        broken = text.replace(contract.identity_line, contract.identity_line.replace(part, other))
        assert "contract-unstated" in codes(validate_artifact(broken, contract=contract))


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


@pytest.mark.req("C-002")
@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("| E1#/info, E2:L1 |\n", "| E1#/info, E2:L1 | more |\n", "row-width"),
        ("| E1#/info, E2:L1 |\n", "|\n", "row-width"),
        ("| `D-0123456789ab`: nullability changed |", "|  |", "empty-cell"),
        ("| `D-0123456789ab`: nullability changed |", "| nullability changed |", "identifier-missing"),
        ("Observation: declared parser refuses it<br>", "declared parser refuses it<br>", "fragment-unlabelled"),
        ("refuses it<br>Inference:", "refuses it Inference:", "fragment-mixed"),
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
    executed = text.replace("the missing for execution", "executed: passed")
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
        broken = text.replace(f"{required.header}\n", f"{required.header.replace('|', '/')}\n")
        code = "literal-header-missing" if required.literal else "register-missing"
        assert code in codes(validate_artifact(broken, contract=contract)), required.header


@pytest.mark.req("VR-006")
def test_the_reference_states_its_api_version(artifact: Build) -> None:
    contract = BY_WORKFLOW["W2"]
    text = artifact(contract)
    assert "row-missing" in codes(validate_artifact(text.replace("| API version |", "| Version |")))
    assert "empty-cell" in codes(validate_artifact(text.replace("| API version | the value |", "| API version |  |")))


def test_the_verdict_block_opens_the_scope_and_is_short(w1: OutputContract, artifact: Build) -> None:
    text = artifact(w1)
    line = "* **Limitation:** Whether the candidate is deployed is unknown.\n"
    assert line in text
    assert "verdict-too-long" in codes(validate_artifact(text.replace(line, line * 2, 1)))
    opened = text.replace("## Scope\n", "## Scope\n\n**Assumption:** First this.\n", 1)
    assert "verdict-missing" in codes(validate_artifact(opened))


@pytest.mark.parametrize(
    ("added", "code"),
    [
        ("**Assumption:** <b>bold</b>", "html-not-allowed"),
        ("**Assumption:** one<br>two", "html-not-allowed"),
        ("<div>\nblock\n</div>", "html-not-allowed"),
        ("<!-- hidden -->", "html-not-allowed"),
        ("**Assumption:** [text](https://example.com)", "link-not-allowed"),
        ("**Assumption:** <https://example.com>", "link-not-allowed"),
        ("**Assumption:** [x]\n\n[x]: https://example.com", "link-not-allowed"),
        ("**Assumption:** ![](pixel.png)", "image-not-allowed"),
        ("**Assumption:** <Table object at 0x7f00aa>", "object-repr"),
        ("**Assumption:** a T_37a46 row", "object-repr"),
        ("**Assumption:** one\r", "carriage-return"),
        ("**Assumption:** mail ines.moreau" + "@harbourline.fr", "leak"),
        ("**Assumption:** \x1b[31mred", "leak"),
    ],
)
def test_what_never_stands_in_an_artifact(w1: OutputContract, artifact: Build, added: str, code: str) -> None:
    text = artifact(w1).replace("## Limitations\n", f"## Limitations\n\n{added}\n", 1)
    assert code in codes(validate_artifact(text))


def test_problems_are_in_line_order_and_name_no_value(w1: OutputContract, artifact: Build) -> None:
    mail = "ines.moreau" + "@harbourline.fr"
    text = artifact(w1).replace("## Executed\n", f"## executed\n\n{mail}\n", 1).replace("[E1]", "")
    found = validate_artifact(text, contract=w1)
    lines = [int(problem.place.split()[1]) for problem in found]
    assert lines == sorted(lines) and len(found) > 5
    assert mail not in "".join(map(str, found))


def test_a_text_of_no_artifact_is_one_problem() -> None:
    assert codes(validate_artifact("# Shopping\n\n* bread\n")) == {"contract-undetected"}
    assert codes(validate_artifact("")) == {"contract-undetected"}
