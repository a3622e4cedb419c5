"""The exercises of the security review, on the bundled ticket service."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from evreview.app.workshop.exercise import Exercise, TextChange, Words, themselves, waiting
from evreview.core.vocabulary import StepState
from evreview.workflows.engine.gates import ACTIVE
from evreview.workflows.w3.facts import W3Facts
from evreview.workflows.w3.model import InventoryGapKind, Standing, State

if TYPE_CHECKING:
    from evreview.app.workshop.workshop import Workshop
    from evreview.workflows.session import Review

TITLE: Final = "Workshop: security review"
CONTROL: Final = "staff-check"
SECRET: Final = "secret-in-source"
RECORD: Final = "records/authorization.yaml"
COPIES: Final = {
    "oak": TextChange(RECORD, "decision: approved", "decision: rejected"),
    "elm": TextChange(RECORD, "until: 2026-12-18", "until: 2026-11-20"),
    "ash": TextChange(RECORD, "signed request queue", "sealed request queue"),
}


def _facts(review: Review) -> W3Facts:
    assert isinstance(review.facts, W3Facts)
    return review.facts


def holding_finding(workshop: Workshop) -> Words:
    """The finding that holds the deployment."""
    findings = _facts(workshop.given).findings
    right = frozenset(each.candidate.id for each in findings if each.blocks)
    why = "It is supported: reachability is shown, and no compensating control was found. The rubric blocks it."
    return Words(right=right, among=themselves(each.candidate.id for each in findings), why=why)


def refuting_evidence(workshop: Workshop) -> Words:
    """The evidence item in which a control was found that refutes a candidate."""
    refuted = [each for each in _facts(workshop.given).challenged if each.state is State.REFUTED]
    found = [each for candidate in refuted for each in candidate.challenges if each.standing is Standing.PRESENT]
    among = {str(one): str(one.id) for each in found for one in each.citations}
    items = workshop.given.bundle.items
    among |= {said: str(name) for name, item in items.items() for said in _names(item.file)}
    right = frozenset(str(each.citations[0].id) for each in found)
    why = "A compensating control stands there, in front of the route; so the candidate is no finding."
    return Words(right=right, among=themselves(items) | among, why=why)


def _names(file: str | None) -> tuple[str, ...]:
    return (file, file.rpartition("/")[2]) if file else ()


def missing_for_hypothesis(workshop: Workshop) -> Words:
    """What the inventory lacks of the control that a hypothesis is about."""
    facts = _facts(workshop.given)
    assert facts.inventory is not None
    right = frozenset(str(each.lacks) for each in facts.inventory.gaps if each.control == CONTROL)
    why = "A retained result of such a test decides it: failed, it supports the finding; passed, it closes it."
    return Words(right=right, among=themselves(InventoryGapKind), why=why)


def place_of_the_secret(workshop: Workshop) -> Words:
    """Where the secret stands in the source."""
    facts = _facts(workshop.given)
    right = frozenset(str(each.citations[0]) for each in facts.challenged if each.kind == SECRET)
    cited = [one for each in facts.challenged for one in each.citations]
    cited += [one for each in facts.sensitive for one in each.citations]
    why = "A review says where a secret stands and of what kind it is. The value stays out of everything."
    return Words(right=right, among=themselves(map(str, cited)), why=why)


def expired_copy(workshop: Workshop) -> Words:
    """The copy whose authorization's period has ended by the day of the review."""
    ended = [name for name, change in COPIES.items() if _expired(workshop.tried(change))]
    why = "The period ended before the day of the review. Nothing else was read, so nothing leaked."
    return Words(right=frozenset(ended), among=themselves(COPIES), why=why)


def _expired(review: Review) -> bool:
    record = _facts(review).authorization
    period = record.record.period if record else None
    stopped = review.steps[0].state is StepState.STOP
    return stopped and period is not None and str(period.until) < str(review.bundle.request.as_of)


def answer_before_tests(workshop: Workshop) -> Words:
    """Whose answer the gate before active testing waits for."""
    why = "The authorization permits active tests; the plan still needs this answer, about its exact bytes."
    facts = _facts(workshop.given)
    words = waiting(facts.gates, ACTIVE.id, why)
    roles = [role for role in workshop.given.bundle.request.roles.model_dump().values() if role]
    return Words(right=words.right, among=themselves(roles) | dict(words.among), why=why)


EXERCISES: Final = (
    Exercise(
        title="The finding that holds the deployment",
        aim="You can tell a supported finding from a hypothesis.",
        task="Four rows stand in the finding register. One of them holds the deployment. Which one?",
        form="the id of a finding: S-...",
        look='review.section("Findings")',
        where="the columns Confidence and Disposition: one row differs from all others.",
        hint="A hypothesis blocks nothing here. Look for the finding that is supported.",
        mistakes=("The secret in the source is taken, since it looks worst. It is a hypothesis so far.",),
        key=holding_finding,
    ),
    Exercise(
        title="Refute a candidate",
        aim="You can say which control makes a suspicion go away.",
        task="The route `GET /internal/figures` has no guard in the code. Still that is no finding.\n"
        "Another control does the work, before a request gets there. Which file shows it?",
        form="the name of a file, or its evidence item: E...",
        look='review.section("Refuted candidates")',
        where="the column What refutes it: a file is named there.",
        hint="It is no Python file. It is the configuration of what stands before the service.",
        mistakes=(
            "The file with the route itself is named; it shows the suspicion, not the control.",
            "The control inventory is named. It claims the control, and the configuration shows it.",
        ),
        key=refuting_evidence,
    ),
    Exercise(
        title="From hypothesis to finding",
        aim="You can say which evidence would decide a hypothesis.",
        task=f"One hypothesis is about the control `{CONTROL}`. What is missing to decide it?\n"
        "Use the words of the control inventory: for example `positive tests` or `deployment wiring`.",
        form="what is missing, in two words",
        look='review.section("Proposed")',
        where=f"the proposed check about the hypothesis on {CONTROL}, in the column Missing for execution.",
        hint="A test of staff who may do it is there. Think of a test of the others.",
        mistakes=("More severity is asked for. Severity decides nothing about evidence.",),
        key=missing_for_hypothesis,
    ),
    Exercise(
        title="The place of a secret",
        aim="You can report a secret without repeating it.",
        task="A secret stands in the source. Name its place as a citation: the item and the line.\n"
        "Never write the value; evreview shows it nowhere.",
        form="a citation: E...:L...",
        look='review.section("Redaction")',
        where="the columns Lines and Evidence: two items hold the value.",
        hint="One item is the source itself, the other one a scanner that repeats it. Name the source.",
        mistakes=("The scanner's result is named. It is a lead, and the source is the place.",),
        key=place_of_the_secret,
    ),
    Exercise(
        title="The expired authorization",
        aim="You know that nothing is read without a valid authorization.",
        task="Three copies of the bundle were changed: `oak`, `elm` and `ash`. In one the authorization has expired.\n"
        'Open step 1 of each in a new cell: `open_copy("oak").step(1)`, then the others. Which one is it?',
        form="oak, elm or ash",
        look='review.section("Authorization")',
        where="the reasons that step 1 shows, for each copy.",
        hint="Two of the copies stop at step 1. One was never approved. Of the other one the period has ended.",
        mistakes=("The first copy that stops is taken, without its reason.",),
        key=expired_copy,
        copies=COPIES,
    ),
    Exercise(
        title="Before anything is executed",
        aim="You can say who permits a test run, and what the permission is about.",
        task="The authorization permits active tests in an isolated copy. The plan is written, and still nothing ran.\n"
        "Whose answer is missing?",
        form="a role",
        look="review.gates()",
        where="the gate before any active testing: what is missing stands beside it.",
        hint="It is the role that approved the authorization. The gate asks about the plan's exact bytes.",
        mistakes=("The release manager is named, who holds the deployment but permits no tests.",),
        key=answer_before_tests,
    ),
)
