"""`docs/security-rating.md`: how findings are rated, disposed of and remedied, from the tables that do it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from evreview.workflows.w3.model import Disposition
from evreview.workflows.w3.rating import CONFIDENCE
from evreview.workflows.w3.supplied_remediation import DESIGNS, WEAKENINGS, Weakening

_RATING_HEAD: Final = """# Rating and remediation of security findings

Severity, confidence and disposition are independent of each other. This page is made from the code.

## Severity

Only the supplied rubric rates. Of the rules that apply the gravest counts, and its sentence is quoted; of a hypothesis
the gravest that holds no deployment, since what is only suspected is verified first, whatever a rule says. Without a
rubric, or where none of its rules applies, a finding is not rated and its impact is described plainly. A condition on
an asset's classification or on an attacker is not met while the asset or the attacker is unknown.

## Confidence

It says how well a finding is supported, never how grave it is. A retained result counts when revision, isolated
environment, command and result are all identified, the run stayed inside its sandbox, and it is about the finding: it
is a failed test that names it, or a failed negative test of its control on its route.
"""
_DISPOSITIONS: Final = """
## Dispositions

The last recorded disposition of a finding counts, if it counts at all; one that does not says why, and nothing else
moves a finding from one state to another. Without a recorded one a finding is blocking where the rubric's rule says so,
and open otherwise.

| Disposition | What it takes |
| --- | --- |
"""
_TAKES: Final = {
    Disposition.BLOCKING: "a recorded disposition, or a rule of the rubric that blocks the deployment",
    Disposition.OPEN: "nothing",
    Disposition.ACCEPTED: "the security owner's entry with a last day that has not passed, over what was judged; an "
    "acceptance record with compensating controls and what shows them, accountable owner, expiry and a revalidation "
    "date that has not passed; the gate "
    "`accept-reachable-vulnerability`, approved by the security owner and the release manager for this very acceptance",
    Disposition.CLOSED: "the security owner's entry over what was judged, naming at least one complete, passed "
    "result: of a test that names the finding, or of one that its remediation asks for and that asks its route; beside "
    "it code or configuration that the finding was not judged by. The reviewed code still shows what was found, so "
    "code alone closes nothing",
}
_AFTER: Final = """
The digest of what was judged is printed with each finding. A disposition of another digest has lapsed. An unresolved
finding (blocking or open) holds the deployment when its severity is called High or Critical or is one of the rubric's
`holds_deployment`, when its rule blocks, or when it is recorded as blocking; the release manager holds the deployment
then. The security owner is the role that review.yaml names, else the one that authorized the review.

Answers to the gate of accepted findings name the finding and the digest that the gate's row lists: it covers what was
judged, the severity with its rule, the asset's classification and the acceptance record.

Findings stand in the order of disposition, severity, confidence and id.

## Remediations that are refused

A remediation that its author says weakens something, that hides a symptom, that removes another control, or whose words
meet one of these rules, or take away a control that the inventory lists, is refused. In its place stands a design that
keeps every control. The table is closed: a change that passes is not shown to weaken nothing, and the artifact says so.

| Rule | Takes away | Refused | Not meant |
| --- | --- | --- | --- |
"""
_DESIGNS: Final = """
## Designs that keep every control

| Area | Proposed |
| --- | --- |
"""


def rating_page() -> str:
    """The page."""
    return "".join(
        [
            _RATING_HEAD,
            "\n| Evidence | Retained result | Confidence |\n| --- | --- | --- |\n",
            *(f"| {evidence} | {state} | {found} |\n" for (evidence, state), found in CONFIDENCE.items()),
            _DISPOSITIONS,
            *(f"| {each} | {_TAKES[each]} |\n" for each in Disposition),
            _AFTER,
            *_refused(),
            _DESIGNS,
            *(f"| {area} | {design} |\n" for area, design in DESIGNS.items()),
        ]
    )


def _refused(rules: tuple[Weakening, ...] = WEAKENINGS) -> Iterator[str]:
    for rule in rules:
        yield f"| `{rule.id}` | {rule.harm} | {rule.example} | {rule.counter_example} |\n"
