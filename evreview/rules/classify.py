"""The judgement of one delta: the first rule of the catalogue that applies, or openly unknown."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache

from evreview.ledger import facts
from evreview.ledger.delta import Delta
from evreview.rules.direction import producer_answers
from evreview.rules.rule import Rule
from evreview.vocab import Answer, RuleId, Verdict

NO_RULE = "no rule of the catalogue speaks about this change, so nothing is claimed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """What a delta means for the two producer questions, and why.

    Attributes:
        rule: the rule that spoke, None when no rule matches (the verdict is then unknown).
        title: the rule's title, "" without a rule.
        verdict: breaking, compatible or unknown.
        accepts_old_requests, emits_old_compatible: n/a where the position can't concern that direction.
        why: the reason, in one or two sentences.
    """

    rule: RuleId | None
    title: str
    verdict: Verdict
    accepts_old_requests: Answer
    emits_old_compatible: Answer
    why: str


def classify(delta: Delta) -> Judgement:
    """The judgement of `delta` by the first rule, in catalogue order, that applies to it."""
    for rule in _candidates()(delta.facet):
        if rule.match.applies(delta):
            accepts, emits = _of_message(delta, (rule.accepts_old_requests, rule.emits_old_compatible))
            return Judgement(
                rule=rule.id,
                title=rule.title,
                verdict=rule.verdict,
                accepts_old_requests=accepts,
                emits_old_compatible=emits,
                why=rule.why,
            )
    accepts, emits = _of_message(delta, producer_answers(Verdict.UNKNOWN, delta.polarity))
    return Judgement(
        rule=None,
        title="",
        verdict=Verdict.UNKNOWN,
        accepts_old_requests=accepts,
        emits_old_compatible=emits,
        why=NO_RULE,
    )


def _of_message(delta: Delta, answers: tuple[Answer, Answer]) -> tuple[Answer, Answer]:
    """The answers for the message's own direction: below `not` the row's polarity is the opposite one."""
    return (answers[1], answers[0]) if delta.facts.get(facts.UNDER_NOT) is True else answers


def index(rules: Iterable[Rule]) -> Callable[[str], tuple[Rule, ...]]:
    """The rules that may speak about each facet, in the order given; a rule that names no facet is asked everywhere."""
    living = [rule for rule in rules if not rule.replaced_by]
    everywhere = tuple(rule for rule in living if not rule.match.facets)
    named = {facet for rule in living for facet in rule.match.facets}
    found = {
        facet: tuple(rule for rule in living if not rule.match.facets or facet in rule.match.facets) for facet in named
    }
    return lambda facet: found.get(facet, everywhere)


@cache
def _candidates() -> Callable[[str], tuple[Rule, ...]]:
    from evreview.rules.catalogue import CATALOGUE

    return index(CATALOGUE)
