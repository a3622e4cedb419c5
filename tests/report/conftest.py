"""A valid artifact per workflow, built from its output contract, and a bundle that its citations resolve in."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from evreview.report.output_contract import OutputContract, RequiredTable
from evreview.report.template_environment import output_contracts

STATEMENTS = (
    "**Observation:** The candidate makes the field `total` nullable. [E1#/info]",
    "**Inference:** Readers that refuse null are affected. (E1, E2:L1)",
    "**Recommendation:** Publish the change under an explicit version. [E1]",
    "**Assumption:** The supplied inventory is current.",
    "**Limitation:** Whether the candidate is deployed is unknown.",
    "**Next action:** The API owner answers the open gate.",
)
FIRST = "**Next action:** `the owner role`: the action."
"""What the verdict says of the list of actions."""
HEADLINES = {
    "W1": "shipment blocked",
    "W2": "publication blocked; withheld claims wait for the API owner",
    "W3": "not approved for disclosure outside the authorized team",
}
SAID = {
    "unknown-consumers-unstated": "**Limitation:** Unlisted consumers are unknown; nothing is assumed about them.",
    "revision-unstated": "**Observation:** Every claim is valid at one immutable revision. [E1, E2]",
    "approval-state-missing": "**Observation:** The API owner approved the contract. [E2]",
    "redaction-unstated": "**Observation:** Redaction is complete: no place of the evidence holds such a value. [E1]",
    "disclosure-unstated": "**Observation:** Disclosure stays inside the authorized team. [E2]",
}
COUNTED = {
    "W1": ("Verification plan", "**Observation:** Checks with a retained result: 1. [E1#/info]"),
    "W2": (
        "Operation",
        "**Observation:** 1 discrepancy, 1 not disposed of; 1 retained check executed; "
        "0 documented responses unverified; 0 failed. [E1#/info]",
    ),
    "W3": (
        "Scope and threat summary",
        "**Observation:** 1 supported finding, 0 hypotheses; 0 unresolved findings holding the deployment. [E1#/info]",
    ),
}
"""What an artifact with rows says of their number, and where."""
CELLS = {
    "Evidence": "E1#/info, E2:L1",
    "Producer direction": "Limitation: Not classified: step 4 was not reached.",
    "Consumer direction": "Observation: declared: none; run: none<br>Limitation: unlisted: unknown",
    "Impact": "Observation: the declared parser refuses null<br>Inference: the reader fails",
    "Recommendation": "Recommendation: keep the released form",
    "Verification": "Proposed check: run the parser on the candidate form",
    "Severity": "not rated (no rubric) (no policy was supplied)",
    "Confidence": "Low (contracts alone, no validation)",
    "Client": "unlisted consumers",
    "Owner and migration status": "unknown",
    "Missing for execution": "unexecuted: command, revision",
    "Difference": "`D-0123456789ab`: nullability changed",
    "Status": "executed",
    "Discrepancy": "`X-0123456789ab`: body narrower",
    "Basis": "contract-declared",
    "Support": "validated",
    "In": "query",
    "Required": "yes",
    "Concern": "limits",
    "Met": "yes",
    "In reach": "yes",
    "Area": "secrets",
    "Standing": "present",
    "Effect": "the control stays unverified",
    "Holds deployment": "no",
    "Control evidence": "no control is listed for it; reachability unknown",
    "State": "redacted",
    "Finding": "`S-0123456789ab`: a header decides",
    "Disposition": "open: no disposition is recorded",
}
OF = {
    ("Change", "Status"): "covered and approved",
    ("Action", "Status"): "open",
    ("Check", "Result"): "passed",
    ("Severity", "Finding"): "S-0123456789ab a header decides; supported",
    ("Finding", "Confidence"): "Low",
    ("Finding", "Safe verification"): "run the parser on the candidate form",
    ("State, boundaries and routes", "State, boundaries and routes"): "supported; over a route",
    ("Boundary", "State"): "hypothesis",
    ("Route", "Secrets"): "present",
    **{("Route", name): "not listed" for name in ("Authentication", "Authorization", "Input", "Logging", "Errors")},
    ("Claim group", "Disposition"): "published from the contract",
    ("Example", "State"): "left out",
    ("Operation", "Checks"): "none",
    ("Operation", "Contract"): "stated",
    ("Operation", "Implementation"): "stated",
    ("Operation", "Test"): "stated",
}
"""Cells of one register alone, by its first column."""
STEPS = tuple(f"| {n} | the title | {'advance' if n < 9 else 'remain'} | the condition |" for n in range(1, 10))
CONCLUSIONS = ("Material conclusion", "Claim group")


def decided(contract: OutputContract) -> str:
    """The statement of the decision."""
    return f"**Inference:** Decision: {HEADLINES[contract.workflow]}. [E1, E2]"


def table(required: RequiredTable, headline: str, *, empty: bool = False) -> list[str]:
    """The register with one valid row, or with the row that says that it has none."""
    lines = [required.header, "|" + " --- |" * len(required.columns)]
    if required.columns[0] == "Step":
        return [*lines, *STEPS]
    if empty and required.columns[0] not in CONCLUSIONS:
        cells = ["None recorded", *("n/a" for _ in required.columns[1:])]
        if "Evidence" in required.columns:
            cells[required.columns.index("Evidence")] = "none recorded"
        return [*lines, f"| {' | '.join(cells)} |"]
    for first in required.rows or ("",):
        head = required.columns[0]
        cells = [OF.get((head, name)) or CELLS.get(name, f"the {name.lower()}") for name in required.columns]
        if required.columns[0] == "Gate":
            cells[1:4] = ["open", "none recorded", "API owner has not answered"]
        if first:
            cells[0] = first
        elif required.columns[0] in CONCLUSIONS:
            cells[0] = f"Inference: the change is breaking for one client<br>Inference: Decision: {headline}"
        if required.status == "executed":
            cells[list(required.columns).index("Result")] = "executed: passed"
        lines.append(f"| {' | '.join(cells)} |")
    return lines


def build(contract: OutputContract, *, empty: bool = False) -> str:
    """A whole artifact that keeps `contract`."""
    under, counted = COUNTED[contract.workflow]
    lines = ["# A review of the orders API", "", contract.audience_line, "", contract.identity_line, ""]
    for heading in contract.headings:
        lines += [heading.line, ""]
        if contract.verdict and heading.name == contract.verdict.under:
            said = (decided(contract),) if contract.decision else ()
            first = counted if heading.name == under and not empty else STATEMENTS[0]
            lines += [f"* {text}" for text in (*said, first, *STATEMENTS[1 + len(said) : 4], FIRST)]
        else:
            lines += [part for text in STATEMENTS for part in (text, "")]
            lines += [counted, ""] if heading.name == under and not empty else []
        for need in contract.requires:
            if need.under == heading.name and need.code in SAID:
                lines += ["", SAID[need.code]]
            if need.under == heading.name and need.code == "decision-missing":
                lines += ["", decided(contract)]
        for required in contract.tables:
            if required.under == heading.name:
                lines += ["", *table(required, HEADLINES[contract.workflow], empty=empty)]
        lines.append("")
    return "\n".join(lines)


CONTRACTS = {contract.workflow: contract for contract in output_contracts()}


@pytest.fixture(params=sorted(CONTRACTS))
def contract(request: pytest.FixtureRequest) -> OutputContract:
    """Each output contract in turn."""
    return CONTRACTS[request.param]


@pytest.fixture
def w1() -> OutputContract:
    """The contract of the API contract review."""
    return next(found for found in output_contracts() if found.workflow == "W1")


@pytest.fixture
def artifact() -> Callable[..., str]:
    """Builds a valid artifact from a contract."""
    return build
