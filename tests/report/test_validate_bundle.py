"""Citations against the supplied items: the id exists, the locator resolves, the item permits the claim."""

from __future__ import annotations

import json
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, cast

import pytest

from evreview.core.vocabulary import EvidenceId, EvidenceType, Integrity, WorkflowId
from evreview.evidence.item import Bundle, EvidenceItem
from evreview.report.output_contract import OutputContract
from evreview.report.template_environment import output_contracts
from evreview.report.validate import validate_artifact

Build = Callable[..., str]


def item(number: int, kind: EvidenceType, content: str, establishes: str = "What it says.") -> EvidenceItem:
    return EvidenceItem(
        id=EvidenceId(f"E{number}"),
        type=kind,
        content=content,
        integrity="sha256 of the file",
        establishes=establishes,
        file="",
        sha256="0" * 64,
        integrity_state=Integrity.VERIFIED,
        revision="",
    )


def bundle_of(*items: EvidenceItem) -> Bundle:
    nothing = cast(Any, SimpleNamespace(contracts=None))
    return Bundle(
        workflow=WorkflowId.W1,
        title="A review",
        request=nothing,
        items={found.id: found for found in items},
        decisions=nothing,
        warnings=(),
        root="",
        digest="",
    )


CONTRACT = item(1, EvidenceType.CONTRACT, '{"info": {"version": "1.4"}, "paths": {"/v1": {}}}')
RUN = item(2, EvidenceType.TEST_RECORD, "the command, the revision, the fixture or environment: passed\n1 passed\n")
DIFF = item(3, EvidenceType.IMPLEMENTATION_DIFF, "-a\n+b\n")
BUNDLE = bundle_of(CONTRACT, RUN, DIFF)


def problems(text: str, bundle: Bundle = BUNDLE) -> list[tuple[str, str]]:
    return [(problem.code, problem.place) for problem in validate_artifact(text, bundle=bundle)]


def codes(text: str, bundle: Bundle = BUNDLE) -> set[str]:
    return {code for code, _ in problems(text, bundle)}


@pytest.mark.req("C-006", "C-007")
def test_citations_that_resolve_are_no_violation(w1: OutputContract, artifact: Build) -> None:
    assert problems(artifact(w1)) == []


@pytest.mark.req("C-006")
@pytest.mark.parametrize("place", ["(E1, E2:L1)", "E1#/info, E2:L1 |"])
def test_an_id_that_nobody_supplied_is_an_error(w1: OutputContract, artifact: Build, place: str) -> None:
    text = artifact(w1)
    broken = text.replace(place, place.replace("E2:L1", "E999"), 1)
    line = next(n for n, (a, b) in enumerate(zip(text.split("\n"), broken.split("\n"), strict=True), 1) if a != b)
    assert ("citation-unknown", f"line {line}") in problems(broken)
    assert "citation-unknown" not in {problem.code for problem in validate_artifact(broken)}


@pytest.mark.req("C-007")
@pytest.mark.parametrize(
    "citation", ["E1#/info/title", "E1#/paths/~1v2", "E2:L9", "E2:id=t-1", "E2#/x", "E1:file=a#/b"]
)
def test_a_locator_that_leads_nowhere_is_an_error(w1: OutputContract, artifact: Build, citation: str) -> None:
    assert "locator-dangling" in codes(artifact(w1).replace("(E1, E2:L1)", f"(E1, {citation})"))


@pytest.mark.parametrize("citation", ["E1#/paths/~1v1", "E1", "E1#", "E2:L1-L2", "E1#/info/version"])
def test_a_locator_that_resolves_passes(w1: OutputContract, artifact: Build, citation: str) -> None:
    assert codes(artifact(w1).replace("(E1, E2:L1)", f"(E3, {citation})")) == set()


@pytest.mark.req("C-007", "C-016")
def test_an_executed_row_needs_an_item_that_holds_results(w1: OutputContract, artifact: Build) -> None:
    text = artifact(w1)
    row = next(line for line in text.split("\n") if "| executed: passed |" in line)
    for cited, expected in (
        ("E2:L1", set()),
        ("E1", {"claim-not-permitted"}),
        ("E1, E2", set()),
        ("E3", {"claim-not-permitted"}),
    ):
        assert codes(text.replace(row, row.replace("E1#/info, E2:L1", cited))) == expected, cited
    broken = text.replace("## Executed\n", "## Executed\n\n**Executed check:** It passed. [E1]\n", 1)
    assert codes(broken) == {"claim-not-permitted"}


@pytest.mark.req("C-007")
def test_what_an_item_does_not_establish_carries_no_claim(w1: OutputContract, artifact: Build) -> None:
    denying = item(2, EvidenceType.TEST_RECORD, RUN.content, "Names the tests. Does not show that they were executed.")
    assert "claim-not-permitted" in codes(artifact(w1), bundle_of(CONTRACT, denying, DIFF))


@pytest.mark.req("C-023", "C-024", "C-025", "C-026")
@pytest.mark.parametrize(
    ("words", "good"),
    [
        ("implementation-derived", {"E3"}),
        ("observed behaviour", {"E2"}),
    ],
)
def test_how_a_behaviour_is_known_fits_its_evidence(
    w1: OutputContract, artifact: Build, words: str, good: set[str]
) -> None:
    for cited in ("E1", "E2", "E3"):
        line = f"**Observation:** The default is 50 ({words}). [{cited}]"
        text = artifact(w1).replace("## Limitations\n", f"## Limitations\n\n{line}\n", 1)
        assert codes(text) == (set() if cited in good else {"claim-not-permitted"}), cited


@pytest.mark.req("C-006")
def test_a_row_of_the_matrix_cites_a_contract(w1: OutputContract, artifact: Build) -> None:
    text = artifact(w1)
    row = next(line for line in text.split("\n") if line.startswith("| `D-"))
    assert codes(text.replace(row, row.replace("E1#/info, E2:L1", "E2, E3"))) == {"claim-not-permitted"}


def check(**changed: object) -> str:
    """A retained check that the artifact's executed row prints."""
    facts = {"command": "the command", "revision": "the revision", "fixture": "the fixture or environment"}
    return json.dumps({"checks": [{**facts, "result": "passed", **changed}]})


@pytest.mark.req("C-016", "C-017", "C-018", "C-019", "C-020")
@pytest.mark.parametrize("workflow", ["W1", "W3"])
@pytest.mark.parametrize(
    ("changed", "printed", "expected"),
    [
        ({}, "passed", set()),
        ({"result": None, "status": 200}, "200", set()),
        ({"result": "failed"}, "passed", {"executed-record-differs"}),
        ({"result": "skipped"}, "skipped", {"executed-record-differs", "value-not-allowed"}),
        ({"command": "the other command"}, "passed", {"executed-record-differs"}),
        ({"revision": None}, "passed", {"executed-record-differs"}),
        ({"fixture": ""}, "passed", {"executed-record-differs"}),
        ({"command": None, "revision": None, "fixture": None, "result": None}, "passed", {"executed-record-missing"}),
    ],
)
def test_an_executed_row_prints_its_record(
    artifact: Build, workflow: str, changed: dict[str, object], printed: str, expected: set[str]
) -> None:
    contract = next(found for found in output_contracts() if found.workflow == workflow)
    text = artifact(contract).replace("executed: passed", f"executed: {printed}")
    row = next(line for line in text.split("\n") if f"| executed: {printed} |" in line)
    text = text.replace(row, row.replace("E1#/info, E2:L1", "E4#/checks/0"))
    ran = item(4, EvidenceType.TEST_RECORD, check(**changed))
    assert codes(text, bundle_of(CONTRACT, RUN, DIFF, ran)) == expected
