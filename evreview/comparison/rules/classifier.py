"""The judgement of one delta: the first rule of the catalogue that applies, or openly unknown."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Final

from evreview.comparison import delta as comparison_delta
from evreview.comparison.delta import Delta
from evreview.comparison.rules.rule import Rule
from evreview.comparison.rules.variance import producer_answers, reversed_why
from evreview.core.frozen import frozen
from evreview.core.vocabulary import Plane, Role, RuleId, Tristate, Verdict

# The words of the rules about schemas, for messages: those rules were written for requests, responses and clients.


_WORDS: Final = {
    "old request": "old message",
    "old client": "old consumer",
    "a request": "a message",
    "the request": "the message",
    "a response": "a message",
    "the response": "the message",
    "A request": "A message",
    "A response": "A message",
    "Old requests": "Old messages",
    "that request": "that message",
    "the clients": "the senders",
    "A client": "A consumer",
    "told clients": "told consumers",
}
_ANY: Final = re.compile("|".join(rf"\b{re.escape(words)}" for words in _WORDS))


def of_messages(text: str) -> str:
    """A rule's text as it reads about a message of an event contract."""
    return _ANY.sub(lambda found: _WORDS[found.group()], text)


NO_RULE = "no rule of the catalogue speaks about this change, so nothing is claimed"


@frozen(kw_only=True)
class Classification:
    """What a delta means for the two producer questions, and why.

    Attributes:
        rule: the rule that spoke, None when no rule matches (the verdict is then unknown).
        title: the rule's title, "" without a rule.
        verdict: breaking, compatible or unknown.
        accepts_old_requests, emits_old_compatible: n/a where the position can't concern that direction.
        why: the reason, in one or two sentences.
        planes: the verdict in each plane, for kinds where they differ.
    """

    rule: RuleId | None
    title: str
    verdict: Verdict
    accepts_old_requests: Tristate
    emits_old_compatible: Tristate
    why: str
    planes: tuple[tuple[Plane, Verdict], ...] = ()


class Classifier:
    """Judges differences by the rules of one kind of contract, in their order."""

    def __init__(self, rules: Iterable[Rule]) -> None:
        every = tuple(rules)
        self._candidates = index(every)
        self._by_id = {str(rule.id): rule for rule in every}

    def judgement(self, delta: Delta) -> Classification:
        """The judgement of `delta` by the first rule that applies to it; unknown where none does."""
        rule = next((rule for rule in self._candidates(delta.facet) if rule.match.applies(delta)), None)
        below_not = delta.facts.get(comparison_delta.UNDER_NOT) is True
        mirror = self._by_id.get(rule.mirror) if rule is not None and below_not else None
        if rule is None or (below_not and mirror is None):
            return _open(delta, below_not)
        judgement = _reversed(rule, mirror) if mirror is not None else _stated(rule)
        if delta.role is Role.MESSAGE:
            return replace(judgement, title=of_messages(judgement.title), why=of_messages(judgement.why))
        return judgement


def _stated(rule: Rule) -> Classification:
    """The judgement in the words of a rule."""
    return Classification(
        rule=rule.id,
        title=rule.title,
        verdict=rule.verdict,
        accepts_old_requests=rule.accepts_old_requests,
        emits_old_compatible=rule.emits_old_compatible,
        why=rule.why,
        planes=rule.planes,
    )


def _open(delta: Delta, below_not: bool) -> Classification:
    """The judgement where no rule speaks."""
    direction = delta.direction.reversed if below_not and delta.direction is not None else delta.direction
    accepts, emits = producer_answers(Verdict.UNKNOWN, direction)
    return Classification(
        rule=None,
        title="",
        verdict=Verdict.UNKNOWN,
        accepts_old_requests=accepts,
        emits_old_compatible=emits,
        why=NO_RULE,
    )


def _reversed(rule: Rule, mirror: Rule) -> Classification:
    """The judgement below `not`: the rule of the message's own direction speaks, with the sense turned round.

    Args:
        rule: the rule that applies to the set below `not`, whose direction is the opposite of the message's.
        mirror: the rule of the message's direction about the same edit.
    """
    accepts, emits = producer_answers(rule.verdict, mirror.direction)
    return Classification(
        rule=mirror.id,
        title=f"{mirror.title}, below `not`",
        verdict=rule.verdict,
        accepts_old_requests=accepts,
        emits_old_compatible=emits,
        why=f"Below `not` a schema says what is refused, which turns the rule round. {reversed_why(rule, mirror)}",
    )


def index(rules: Iterable[Rule]) -> Callable[[str], tuple[Rule, ...]]:
    """The rules that may speak about each facet, in the order given; a rule that names no facet is asked everywhere."""
    living = [rule for rule in rules if not rule.replaced_by]
    everywhere = tuple(rule for rule in living if not rule.match.facets)
    named = {facet for rule in living for facet in rule.match.facets}
    found = {
        facet: tuple(rule for rule in living if not rule.match.facets or facet in rule.match.facets) for facet in named
    }
    return lambda facet: found.get(facet, everywhere)
