"""The sentences of the W2 artifact, section by section. Every one is labelled, and the material ones cite."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from evreview.core.quoted_text import Subject, counted
from evreview.evidence.item import Bundle
from evreview.report.statement import Statement, inferred, limited, next_action, observed
from evreview.workflow.w2.citing import contract_citation, read_items
from evreview.workflows.engine.conclusions import Decision
from evreview.workflows.engine.registers import closing
from evreview.workflows.engine.retained_runs import later_runs, violated
from evreview.workflows.engine.step import StepResult
from evreview.workflows.w2.facts import W2Facts
from evreview.workflows.w2.step1_inputs import uncompared, unread_parts
from evreview.workflows.w2.step1_scope import unlisted
from evreview.workflows.w2.step2_matrix import unread_code
from evreview.workflows.w2.step5_examples.client_examples import Held
from evreview.workflows.w2.step6_verification import doubts
from evreview.workflows.w2.step7_safety import conversions
from evreview.workflows.w2.view_blocks import executed_words


def verdict(bundle: Bundle, steps: Sequence[StepResult], facts: W2Facts, decision: Decision) -> Iterator[Statement]:
    """At most five lines: the decision, what it is valid for, the blockers, what is unverified, what was executed."""
    on = read_items(bundle, facts)
    yield inferred("Decision: ", decision.headline, ".", on=on)
    scope = facts.scope
    if scope is not None and scope.record.revision:
        version = Subject(scope.record.api_version or "unknown")
        says = (" of API version ", version, " at one immutable revision, ", Subject(scope.record.revision))
        yield observed(
            f"{counted(len(facts.operations), 'operation')}", *says, "; no claim is valid at another.", on=on
        )
    else:
        yield limited("No one immutable revision is known for contract, handlers, validators and tests.", on=on)
    if facts.reconciled:
        waiting = len(facts.open_discrepancies)
        total = len(facts.discrepancies)
        found = "1 discrepancy" if total == 1 else f"{total} discrepancies"
        open_points = f"; {counted(len(facts.points), 'comparison')} not decided" if facts.points else ""
        yield observed(f"{found}, {waiting} not disposed of{open_points}.", on=on)
    if facts.report:
        lacks = counted(len(facts.unverified), "documented response")
        yield observed(f"{executed_words(facts.report)}; {lacks} unverified.", on=on)
    if decision.reasons:
        count = len(decision.reasons)
        points = "1 open point keeps" if count == 1 else f"{count} open points keep"
        yield observed(f"{points} step {steps[-1].number} from advancing.", on=on)


def approval_state(bundle: Bundle, facts: W2Facts, decision: Decision) -> Iterator[Statement]:
    """The decision, the contract's approval, what blocks it, what people recorded, and the next actions."""
    on = read_items(bundle, facts)
    yield inferred("Decision: ", decision.headline, ".", on=on)
    approval = facts.approval
    if approval is None:
        yield limited("No approval of the contract is recorded.", on=on)
    else:
        stated = approval.record
        yield observed(f"The contract was {stated.decision} by ", Subject(stated.role), f" at {stated.at.isoformat()}.",
                       on=(approval.citation,))  # fmt: skip
    yield from decision.reasons
    if facts.reconciled:
        for position, entry in enumerate(bundle.decisions.dispositions):
            if entry.subject.startswith("X-") and position not in facts.uncounted:
                words = (Subject(entry.subject), " by ", Subject(entry.role), ": ", Subject(entry.decision))
                about = next((each.citations for each in facts.discrepancies if each.id == entry.subject), on)
                says = f", at {entry.at.isoformat()}, about what is cited here."
                yield observed("Recorded disposition of ", *words, says, on=about)
    yield from decision.next_actions
    if not decision.next_actions:
        yield next_action("None.", on=on)


def limitations(bundle: Bundle, facts: W2Facts) -> Iterator[Statement]:
    """What this reference can't say, then what it assumes because the supplier does."""
    on = read_items(bundle, facts)
    yield limited("Valid only at the one revision named; what is deployed is unknown.", on=on)
    yield limited(
        "Error behaviour that the contract does not define is not documented.", on=contract_citation(facts) or on
    )
    for warning in bundle.warnings:
        yield limited(Subject(warning))
    yield from facts.undecided
    yield from doubts(facts)
    yield from later_runs(bundle)
    yield from unread_parts(facts.runs)
    yield from violated(bundle)
    yield from uncompared(bundle)
    yield from unlisted(facts)
    yield from unread_code(facts)
    yield from conversions(facts)
    yield from _client_examples(facts)
    for each in facts.scope.record.exclusions or () if facts.scope else ():
        yield limited("Excluded from this reference: ", Subject(each.operation), ": ", Subject(each.why), ".")
    for exclusion in bundle.request.exclusions:
        yield limited("Excluded from this review: ", Subject(exclusion), ".")
    yield from closing(bundle, facts.guard)


def _client_examples(facts: W2Facts) -> Iterator[Statement]:
    """What the examples that clients supplied are worth: agreeing with the contract is no proof that anything ran."""
    if not facts.client_examples:
        return
    agreeing = [each for each in facts.client_examples if each.held is Held.ACCEPTED]
    yield inferred(
        f"Client examples that the contract describes in every field: {len(agreeing)} of {len(facts.client_examples)}; "
        "none of them was executed here, and none is printed.",
        on=tuple(each.citation for each in agreeing or facts.client_examples),
    )
    for each in facts.client_examples:
        if each.held is not Held.ACCEPTED:
            whose = (Subject(each.example), " of client ", Subject(each.client))
            yield limited("Example ", *whose, f" is {each.held}: ", *each.why, ".", on=(each.citation,))
