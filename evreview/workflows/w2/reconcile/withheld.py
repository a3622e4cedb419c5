"""What a discrepancy withholds from the reference: that something is left out, never what."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from evreview.core.quoted_text import UserText, listed
from evreview.core.vocabulary import Concern
from evreview.report.statement import Statement, limited, observed
from evreview.workflows.w2.contract_rows import Body, Entry, response_claim
from evreview.workflows.w2.facts import Discrepancy, Disposal, Example, Part, W2Facts, contract_citation


def waits(discrepancies: Iterable[Discrepancy]) -> Iterator[Statement]:
    """One statement per discrepancy that keeps its claims from being published."""
    for each in discrepancies:
        words = (UserText(each.id), " about ", UserText(each.operation))
        owner = UserText(each.owner_role)
        yield observed("Discrepancy ", *words, " blocks publication until it is disposed of by ", owner, ".",
                       on=each.citations)  # fmt: skip


WITHHELD = "withheld until a discrepancy is disposed of"
BY_OWNER = "withheld by the owner's disposition"
REQUEST: tuple[Concern, ...] = (
    Concern.REQUEST_BODY,
    Concern.PARAMETERS,
    Concern.VALIDATION,
    Concern.AUTHENTICATION,
)
"""Concerns that a request example shows."""


def withholding(facts: W2Facts, entry: Entry) -> Iterator[Statement]:
    """That something is left out, without saying what: the register alone names the mismatch."""
    name = entry.operation.id
    held = [each for each in facts.discrepancies if each.operation == name and is_held(each) and holds_of(each, name)]
    if held:
        says = "Claims about this operation are withheld; see the contract discrepancy register: "
        yield limited(says, *listed(each.id for each in held), ".", on=contract_citation(facts))
    yield from disputed(facts, entry.operation.id)


def is_partly_held(facts: W2Facts, claim: str) -> bool:
    """True when a discrepancy withholds the claim, a part of it, or what it is a part of."""
    return any(_touches(key, claim) for key in facts.withheld)


def _touches(key: str, claim: str) -> bool:
    return key == claim or key.startswith(f"{claim} ") or claim.startswith(f"{key} ")


def held_words(facts: W2Facts, claim: str) -> str:
    """Why a withheld claim is left out: it waits for the owner, or the owner's word withholds it."""
    about = [each for each in facts.discrepancies if any(_touches(key, claim) for key in each.withholds)]
    settled = not any(each.disposal is Disposal.OPEN for each in about)
    return BY_OWNER if settled and any(each.disposal is Disposal.WITHHOLD for each in about) else WITHHELD


def disputed(facts: W2Facts, claim: str) -> Iterator[Statement]:
    """That a claim is published by the owner's word although sources disagree about it or a part of it."""
    for each in facts.discrepancies:
        if each.disposal is Disposal.PUBLISH_CONTRACT and any(_touches(key, claim) for key in each.withholds):
            says = (" (", UserText(f"{each.concern} {each.place}".strip()), "), by the owner's disposition.")
            yield limited("Published as the contract says, though sources disagree: ", UserText(each.id), *says,
                          on=each.citations)  # fmt: skip


def disputed_about(facts: W2Facts, entry: Entry, *concerns: Concern) -> Iterator[Statement]:
    """That claims of some concerns are published by the owner's word although sources disagree about them."""
    told = (each for concern in concerns for each in disputed(facts, f"{entry.operation.id} {concern}"))
    yield from dict.fromkeys(told)


def incomplete(facts: W2Facts, body: Body) -> Iterator[Statement]:
    """That fields of a body are left out."""
    if is_partly_held(facts, body.claim):
        why = held_words(facts, body.claim)
        yield limited(f"Fields of this body are left out: {why}.", on=contract_citation(facts))


def holds_request(facts: W2Facts, operation: str) -> bool:
    """True when a request example of the operation would show what is withheld."""
    lead = tuple(f"{operation} {concern}" for concern in REQUEST)
    return any(key.startswith(lead) or key == operation for key in facts.withheld)


def holds_example(facts: W2Facts, example: Example) -> bool:
    """True when an example is left out because it would show what is withheld."""
    operation = next((each.id for each in facts.operations if each.element.key == example.about.operation), "")
    if example.about.part is Part.REQUEST:
        return holds_request(facts, operation)
    return is_partly_held(facts, response_claim(operation, example.about.status))


def holds_of(each: Discrepancy, operation: str) -> bool:
    """True when a discrepancy holds back a claim about the operation, and not only one about another route."""
    return any(key == operation or key.startswith(f"{operation} ") for key in each.withholds)


def is_held(each: Discrepancy) -> bool:
    """True while a discrepancy keeps its claims from being published."""
    return each.disposal is not Disposal.PUBLISH_CONTRACT
