"""The validator on the frame of an artifact: headings, literal headers, title and identity, with code and line."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from evreview.report.output_contract import OutputContract, RequiredHeading
from evreview.report.template_environment import output_contracts
from evreview.report.validate import contract_of, validate_artifact
from tests.report.problem_codes import codes
from tests.requirements import checklist

Build = Callable[..., str]
BY_WORKFLOW = {contract.workflow: contract for contract in output_contracts()}

HEADINGS = {
    "W1": range(1, 13),
    "W2": range(14, 26),
    "W3": range(27, 36),
}
LITERALS = {"W1": range(1, 5), "W2": range(5, 11), "W3": (11, 13)}


def each_heading() -> list[object]:
    """Every required second-level heading as the checklist writes it; the ids follow the specification's order."""
    rows = checklist()
    found = []
    for workflow, numbers in HEADINGS.items():
        for number in numbers:
            (name,) = re.findall(r"^Heading named exactly '(.+)'$", rows[f"HD-{number:03}"]["requirement"])
            heading, mark = RequiredHeading(name=name), pytest.mark.req(f"HD-{number:03}")
            found.append(pytest.param(BY_WORKFLOW[workflow], heading, marks=mark, id=f"{workflow}-{name}"))
    third, marks = RequiredHeading(name="Proposed", level=3), pytest.mark.req("HD-037", "LT-012")
    found.append(pytest.param(BY_WORKFLOW["W3"], third, marks=marks, id="W3-### Proposed"))
    return found


def each_literal() -> list[object]:
    """Every literal header line as the checklist writes it."""
    rows = checklist()
    found = []
    for workflow, numbers in LITERALS.items():
        for number in numbers:
            header = rows[f"LT-{number:03}"]["requirement"].removeprefix("Literal appears exactly as written: ")
            mark = pytest.mark.req(f"LT-{number:03}")
            found.append(pytest.param(BY_WORKFLOW[workflow], header, marks=mark, id=f"{workflow}-{header}"))
    return found


def test_nothing_else_is_a_required_heading_or_a_literal_header() -> None:
    for workflow, contract in BY_WORKFLOW.items():
        literal = [table for table in contract.tables if table.literal]
        assert len(contract.headings) == len(HEADINGS[workflow]) + (workflow == "W3")
        assert len(literal) == len(LITERALS[workflow])


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
    line = f"{'#' * heading.level} {heading.name}"
    text = artifact(contract)
    assert "heading-missing" in codes(validate_artifact(text.replace(f"{line}\n", "\n", 1), contract=contract))
    near = [heading.name.upper(), heading.name + ".", f"{heading.name}s", heading.name.replace(" ", "  ", 1) + " "]
    for name in near:
        if name.strip() == heading.name:
            continue
        broken = text.replace(f"{line}\n", f"{'#' * heading.level} {name}\n", 1)
        found = validate_artifact(broken, contract=contract)
        assert "heading-missing" in codes(found), name
        assert codes(found) & {"heading-near-miss", "heading-level"}, name
    again = validate_artifact(f"{text}\n{line}\n", contract=contract)
    assert "heading-repeated" in codes(again)
    level = validate_artifact(text.replace(f"{line}\n", f"#{line}\n", 1), contract=contract)
    assert {"heading-missing", "heading-reused"} <= codes(level)
    fenced = text.replace(f"{line}\n", f"```\n{line}\n```\n", 1)
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
        if required.optional:
            continue
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


def test_the_verdict_block_opens_the_scope_and_is_short(w1: OutputContract, artifact: Build) -> None:
    text = artifact(w1)
    line = "* **Assumption:** The supplied inventory is current.\n"
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
