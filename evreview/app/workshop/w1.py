"""The exercises of the API contract review, on the bundled Orders API."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from evreview.app.workshop.exercise import Exercise, TextChange, Trial, Words, stopping, themselves, waiting
from evreview.core.json_pointer import follow
from evreview.core.vocabulary import Change, Json, Role, Tristate, VersionPath
from evreview.kinds.replay import replay
from evreview.schema.cross_check_validator import CrossCheckValidator
from evreview.workflows.engine.gates import GateState
from evreview.workflows.w1.facts import REMOVE, W1Facts

if TYPE_CHECKING:
    from evreview.app.workshop.workshop import Workshop
    from evreview.comparison.comparison import JudgedRow
    from evreview.contract.model import Contract
    from evreview.messages.admission import AdmissionResult

TITLE: Final = "Workshop: API contract review"
CLIENT: Final = "ledger-export"
NO_ROUTE: Final = TextChange("rollout/gateway.yaml", "separates: [/v1, /v2]", "separates: [/v1]")


def _facts(workshop: Workshop) -> W1Facts:
    facts = workshop.given.facts
    assert isinstance(facts, W1Facts)
    return facts


def _failing(workshop: Workshop) -> frozenset[str]:
    impacts = _facts(workshop).impacts
    return frozenset(str(each.delta_id) for each in impacts if each.client == CLIENT and each.executed == "failed")


def failing_row(workshop: Workshop) -> Words:
    """The row that a retained run of the client failed on."""
    facts = _facts(workshop)
    among = themselves(row.delta.id for row in facts.rows)
    among |= {str(each.id): str(each.delta_id) for each in facts.findings if each.delta_id}
    why = "A retained run of its parser failed on this row; for the others there is only its declaration."
    return Words(right=_failing(workshop), among=among, why=why)


def rule_of_the_parameter(workshop: Workshop) -> Words:
    """The rule that judges the new request element."""
    rows = _facts(workshop).rows
    added = [row for row in rows if row.delta.role is Role.REQUEST and row.delta.change is Change.ADDED]
    right = frozenset(str(row.judgement.rule) for row in added)
    why = " ".join(str(row.judgement.why) for row in added)
    return Words(right=right, among=themselves(str(row.judgement.rule) for row in rows), why=why)


def message(workshop: Workshop) -> Trial:
    """A body that the candidate contract admits and the released one refuses, in the answer of a witness."""
    facts = _facts(workshop)
    witness = _witness(next(row for row in facts.rows if row.delta.id in _failing(workshop)))
    released, candidate = facts.released, facts.candidate
    assert released is not None and candidate is not None

    def trial(value: Json) -> list[str]:
        sent = {**witness, "body": {"json": value}}
        claim: dict[str, Json] = {"message": sent, "accepted_by": "candidate", "refused_by": "released"}
        found = replay(released, candidate, claim, CrossCheckValidator())
        if found.confirmed:
            return []
        sides = (("released", found.released, released), ("candidate", found.candidate, candidate))
        return [line for name, said, contract in sides for line in _told(f"The {name} contract", said, contract)]

    body = witness["body"]
    assert isinstance(body, dict)
    why = "The candidate contract admits it, the released one refuses it: the validator of every witness says so."
    return Trial(solution=body["json"], trial=trial, why=why)


def _told(name: str, said: AdmissionResult, contract: Contract) -> Iterator[str]:
    """What a contract says of a message, and for members that are missing all that it demands there."""
    if said.accepted is not Tristate.NO:
        yield f"{name} admits it." if said.accepted is Tristate.YES else f"{name} can't say."
    for each in dict.fromkeys((each.at, each.keyword, each.place) for each in said.violations):
        at, keyword, place = each
        node = follow(contract.documents.get(place.file), place.pointer)
        demanded = node.get(keyword) if keyword == "required" and isinstance(node, dict) else None
        names = f" {', '.join(map(str, demanded))}" if isinstance(demanded, list) else ""
        yield f"{name} refuses {at or 'the body'}: {keyword}{names}."


def _witness(row: JudgedRow) -> dict[str, Json]:
    proof = row.to_dict()["proof"]
    witness = proof.get("witness") if isinstance(proof, dict) else None
    message = witness.get("message") if isinstance(witness, dict) else None
    assert isinstance(message, dict)
    return message


def path(workshop: Workshop) -> Words:
    """The path that the review chose."""
    chosen = _facts(workshop).path
    assert chosen is not None
    right = frozenset({str(chosen.path)})
    why = f"{chosen.why} Mechanism: {', '.join(each.name for each in chosen.mechanisms)}."
    return Words(right=right, among=themselves(VersionPath), why=why)


def removal(workshop: Workshop) -> Words:
    """Whose answer the removal waits for."""
    why = "Notice and usage are shown by the evidence. Only the answer of this role is missing."
    return waiting(_facts(workshop).gates, REMOVE.id, why)


def gates_and_change(workshop: Workshop) -> Words:
    """The step that stops after a change, once the gates of the own review are answered."""
    waits = [gate.spec.title for gate in workshop.review.review.facts.gates if gate.state is GateState.OPEN]
    first = f"Still open: {'; '.join(waits)}. Answer them in the form, each role with everything reviewed."
    return stopping(workshop, NO_ROUTE, first if waits else "")


EXERCISES: Final = (
    Exercise(
        title="The row that makes a client fail",
        aim="You can tell a failed run from a declaration.",
        task=f"Two clients are known. One of them, `{CLIENT}`, fails on one difference. Which row is it?\n\n"
        "Look for the word `failed`: a retained run shows it. `may fail` is only an inference.",
        form="the id of a row: D-...",
        look='review.section("Compatibility matrix")',
        where="the column Consumer direction, and there “Observation: run”; a mere declaration says “run: none”.",
        hint="Several rows name the client as declared. Only one row has a retained run of its parser.",
        mistakes=(
            "The first row that names the client is taken, without a look at declared and run.",
            "The whole line is copied instead of the id.",
        ),
        key=failing_row,
    ),
    Exercise(
        title="Why a new optional parameter breaks nobody",
        aim="You can find the rule behind a verdict, and say its reason.",
        task="The candidate contract has a new query parameter. Its row is compatible. Which rule says so, and why?\n\n"
        'Each row has a card with its rule. Show one with `review.section("d-...")`, the row\'s id in lower case.',
        form="the id of a rule",
        look='review.section("Compatible differences")',
        where="the card of the row about the new query parameter; one line of it starts with “Rule”.",
        hint="Make a new cell, and call review.section with the id of the first compatible row.",
        mistakes=(
            "The id of the row is given; the question is for the rule.",
            "People think of the answer, not of the request: an old client still sends what it sent.",
        ),
        key=rule_of_the_parameter,
    ),
    Exercise(
        title="A message that shows a break",
        aim="You can write a witness, and read what a contract says of a message.",
        task="Write the body of an answer to `GET /v1/orders`. "
        "Version 1.5 has to admit it, and version 1.4 to refuse it.\n\n"
        "The check asks both contracts and tells what each refuses. So begin small, and run the check often.",
        form="a JSON value",
        look='review.section("Where it breaks")',
        where="the rows of exercise 1: each names a form that only the candidate contract admits.",
        hint='Try {"items": [{}]}. Add each field that is missing. Then use a value that only 1.5 admits.',
        mistakes=(
            "The body breaks both contracts, so it shows nothing. First make one that both admit.",
            "null of JSON is None in Python; the text 'null' is something else.",
        ),
        key=message,
        start='{"items": []}',
    ),
    Exercise(
        title="The path that the gateway allows",
        aim="You can say which mechanism a version path rests on.",
        task="Five version paths exist: in-place compatibility, additive transition, explicit version,\n"
        "deprecation window, rejection. Which one does the review choose? Which mechanism makes it possible?",
        form="the name of a version path",
        look='review.section("Recommendation")',
        where="the line that starts with Path, and the existing mechanism three lines below.",
        hint="The gateway separates two route prefixes, so two versions can stand side by side.",
        mistakes=(
            "The deprecation window is named: it belongs to the removal, which is another request.",
            "The gateway itself is named; it is the mechanism, not the path.",
        ),
        key=path,
    ),
    Exercise(
        title="What the removal still needs",
        aim="You can tell missing evidence from a missing answer.",
        task="A deprecated field is to be removed. The policy wants notice and evidence that nobody uses it.\n"
        "Both are there, and still the removal is blocked. Whose answer is missing?",
        form="a role",
        look='review.section("Decision record")',
        where="the table under Gates, in the row about removing a deprecated field.",
        hint="Two gates are open. One is about shipping, the other one about the removal.",
        mistakes=(
            "All three missing roles are named. Two of them belong to the other gate.",
            "More notice is asked for, although the table under Removals shows enough.",
        ),
        key=removal,
    ),
    Exercise(
        title="Answer the gates, then take a support away",
        aim="You can record an approval, and see what a decision rests on.",
        task="First answer both gates in the form below. "
        "Run its cell again to get the buttons. The decision changes with each answer.\n\n"
        "Then take away what the path rests on. In a new cell, call\n\n"
        "```\n"
        f"change({NO_ROUTE.file!r}, {NO_ROUTE.old!r}, {NO_ROUTE.new!r})\n"
        "```\n\n"
        "or change something else. It makes a fresh copy, so your review stays as it is. Which step stops?",
        form="the number of a step",
        look="review.gates()",
        where="the gates in the form, then the list of nine steps that change(...) shows.",
        hint="Take only roles that are missing. An approval counts when every box is ticked.",
        mistakes=(
            "A role is chosen that has answered already. What is missing stands above the form.",
            "A box is left out; then the gate stays open and says what is missing.",
            "The file is edited by hand: its digest no longer fits, and the bundle is refused. That is right, too.",
        ),
        key=gates_and_change,
    ),
)
