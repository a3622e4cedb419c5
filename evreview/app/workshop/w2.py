"""The exercises of the API reference, on the bundled Orders API."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from evreview.app.workshop.exercise import Exercise, TextChange, Trial, Words, stopping, themselves
from evreview.core.vocabulary import Concern, Json
from evreview.schema.validators import accepts
from evreview.workflows.w2.facts import Discrepancy, W2Facts

if TYPE_CHECKING:
    from evreview.app.workshop.workshop import Workshop

TITLE: Final = "Workshop: API reference"
MENDED: Final = TextChange("contract/orders.yaml", "maximum: 1000", "maximum: 100")
UNDESCRIBED: Final = "parameter-description-missing"


def _facts(workshop: Workshop) -> W2Facts:
    facts = workshop.given.facts
    assert isinstance(facts, W2Facts)
    return facts


def _about_the_body(workshop: Workshop) -> Discrepancy:
    return next(each for each in _facts(workshop).discrepancies if each.concern is Concern.REQUEST_BODY)


def withheld_field(workshop: Workshop) -> Words:
    """The field of a request body that a discrepancy withholds."""
    held = _about_the_body(workshop)
    among = themselves(each.id for each in _facts(workshop).discrepancies)
    among |= {held.place.rpartition(" ")[2]: str(held.id)}
    why = f"Discrepancy {held.id} withholds it: contract and code disagree, and nobody has disposed of it."
    return Words(right=frozenset({str(held.id)}), among=among, why=why)


def disputed_value(workshop: Workshop) -> Trial:
    """A value that the contract admits and the code refuses."""
    held = _about_the_body(workshop)

    def trial(value: Json) -> list[str]:
        said = [accepts(held.contract, value), accepts(held.implementation, value)]
        if said == [True, False]:
            return []
        words = {True: "accepts it", False: "refuses it", None: "can't say"}
        return [f"The contract {words[said[0]]}.", f"The code {words[said[1]]}."]

    return Trial(solution=held.witness, trial=trial, why="Clients that keep the contract meet a refusal with it.")


def owner(workshop: Workshop) -> Words:
    """Who disposes of the discrepancies."""
    facts = _facts(workshop)
    right = frozenset(each.owner_role for each in facts.discrepancies)
    roles = workshop.given.bundle.request.roles.model_dump().values()
    why = "A disposition of this role ends the withholding; a reviewer only records what differs."
    return Words(right=right, among=themselves([*right, *(role for role in roles if role)]), why=why)


def untested_answer(workshop: Workshop) -> Words:
    """The documented status that no retained test shows."""
    coverage = _facts(workshop).coverage
    assert coverage is not None
    among = themselves(each.status for each in coverage.responses)
    among |= {f"{each.operation} {each.status}": each.status for each in coverage.uncovered}
    among |= {str(test.id): each.status for each in coverage.uncovered for test in _facts(workshop).proposed_tests}
    why = "No retained test shows it, so the reference marks it as unverified and proposes a test."
    return Words(right=frozenset(each.status for each in coverage.uncovered), among=among, why=why)


def gap(workshop: Workshop) -> Words:
    """The gap about a parameter without description."""
    gaps = _facts(workshop).gaps
    right = frozenset(each.id for each in gaps if each.kind == UNDESCRIBED)
    why = "The contract lists it and says nothing of it. The reference does not invent a text."
    return Words(right=right, among=themselves(each.id for each in gaps), why=why)


def change_of_the_contract(workshop: Workshop) -> Words:
    """The step that stops after a change of the contract."""
    return stopping(workshop, MENDED)


EXERCISES: Final = (
    Exercise(
        title="The withheld field",
        aim="You can see what a reference leaves out, and why.",
        task="The reference shows no constraint where contract and code disagree.\n"
        "One field of a request body is withheld. Which one?",
        form="the name of a field, or the id of its discrepancy: X-...",
        look='review.section("Index")',
        where="the column Withheld; a field stands there in code font.",
        hint="Only one of the three operations has a request body.",
        mistakes=("“errors” or “rate limits” is named: these are concerns, not fields of a body.",),
        key=withheld_field,
    ),
    Exercise(
        title="A value for which both sides differ",
        aim="You can turn a discrepancy into one concrete value.",
        task="Take the discrepancy about the withheld field. Contract and code allow different values.\n"
        "Give one value that the contract accepts and the code refuses. It is tried against both.",
        form="a JSON value",
        look='review.section("Contract discrepancy register")',
        where="the first row of the register: the columns Contract and Implementation.",
        hint="Compare the two maxima, and choose a number between them.",
        mistakes=("A value is given that both refuse, such as 0 or 5000.", "A text is given; the field is a number."),
        key=disputed_value,
    ),
    Exercise(
        title="Who decides",
        aim="You can name who has to act before the reference is published.",
        task="Discrepancies are open. A reviewer may not choose the side that is right.\nWhich role disposes of them?",
        form="a role",
        look='review.section("Approval state")',
        where="the first screen: the line Next action starts with the role.",
        hint="It is the role that owns what the contract promises.",
        mistakes=("The reviewer is named, who only records the disagreement.",),
        key=owner,
    ),
    Exercise(
        title="The untested answer",
        aim="You can tell a documented answer from one that a test shows.",
        task="Every check passed, and still one documented answer is unverified. Which status is it?",
        form="a status, or the id of the proposed test: T-...",
        look='review.section("Example execution report")',
        where="the column Status: one check is neither executed nor unexecuted.",
        hint="The name of the proposed test holds the operation and the status.",
        mistakes=(
            "422 is named: the code answers so, but the contract does not document it.",
            "An unexecuted request example is taken for an untested answer.",
        ),
        key=untested_answer,
    ),
    Exercise(
        title="A gap in the contract",
        aim="You can find what a contract leaves open.",
        task="Contract gaps are things that the contract leaves open; nobody fills them in by guessing.\n"
        "One required parameter has no description. Which gap says so?",
        form="the id of a gap: G-...",
        look='review.section("Contract gaps")',
        where="the gaps of the operation that gets one order.",
        hint="It is about the path parameter. Two gaps are about that one; read both.",
        mistakes=("The gap about values outside the type is taken; it is another one.",),
        key=gap,
    ),
    Exercise(
        title="Mend the contract, and be stopped",
        aim="You know that an approval is about exact bytes.",
        task="Somebody lowers the maximum in the contract, so that it fits the code. In a new cell, call\n\n"
        "```\n"
        f"change({MENDED.file!r}, {MENDED.old!r}, {MENDED.new!r})\n"
        "```\n\n"
        "It makes a fresh copy, so your review stays as it is. Which step stops? Read its reasons, too.",
        form="the number of a step",
        look="review.steps()",
        where="the list of nine steps that change(...) shows; one of them says “stopped”.",
        hint="The contract's approval and the test run both name the digest of the old contract.",
        mistakes=("People expect a shorter list of discrepancies; nothing is compared before the scope is frozen.",),
        key=change_of_the_contract,
    ),
)
