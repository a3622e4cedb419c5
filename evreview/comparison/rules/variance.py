"""One change of a value set, judged from both sides: what is read may widen, what is written may narrow."""

from __future__ import annotations

import re
from dataclasses import replace
from enum import StrEnum
from typing import Final

from evreview.comparison.rules.rule import Example, Match, Rule, Slot
from evreview.core.frozen import frozen
from evreview.core.vocabulary import Direction, Form, RuleId, Tristate, Verdict


class ValueSetChange(StrEnum):
    """What a change does to the set of admitted values."""

    WIDENS = "widens"
    NARROWS = "narrows"
    REPLACES = "replaces"


@frozen
class Text:
    """The words of a rule; for a mirrored pair `title` and `why` come without their subject and their consequence."""

    title: str
    why: str
    reference: str


@frozen(kw_only=True)
class Shown:
    """The edit that both rules of a pair show, on one slot of each side.

    `counter` is the near edit that must not fire them; None: the same edit backwards.
    """

    released: Form
    candidate: Form
    counter: tuple[Form, Form] | None = None
    slots: tuple[Slot, Slot] = (Slot.REQUEST_FIELD, Slot.RESPONSE_FIELD)


Edit = tuple[str, str, Match]
"""A change of a value set: the stem of its rules' ids, its title, and what they match."""


_VERDICTS: Final = {
    (Direction.READ, ValueSetChange.WIDENS): Verdict.COMPATIBLE,
    (Direction.READ, ValueSetChange.NARROWS): Verdict.BREAKING,
    (Direction.READ, ValueSetChange.REPLACES): Verdict.BREAKING,
    (Direction.WRITTEN, ValueSetChange.WIDENS): Verdict.BREAKING,
    (Direction.WRITTEN, ValueSetChange.NARROWS): Verdict.COMPATIBLE,
    (Direction.WRITTEN, ValueSetChange.REPLACES): Verdict.BREAKING,
}
_CONSEQUENCE: Final = {
    (Direction.READ, ValueSetChange.WIDENS): "Every old request stays acceptable.",
    (Direction.READ, ValueSetChange.NARROWS): "An old request may carry a value that the candidate refuses.",
    (
        Direction.READ,
        ValueSetChange.REPLACES,
    ): "An old request may carry a value that the candidate refuses or reads otherwise.",
    (
        Direction.WRITTEN,
        ValueSetChange.WIDENS,
    ): "An old client may receive a value that the released contract excluded.",
    (
        Direction.WRITTEN,
        ValueSetChange.NARROWS,
    ): "An old client still receives only values that the released contract allowed.",
    (
        Direction.WRITTEN,
        ValueSetChange.REPLACES,
    ): "An old client may receive a value that the released contract excluded.",
}
SIDE: Final = {Direction.READ: "request", Direction.WRITTEN: "response"}
_VERB: Final = {Direction.READ: "Read value", Direction.WRITTEN: "Written value"}


def kebab(keyword: str) -> str:
    """A keyword as it stands in an id of a rule: `minItems` as `min-items`."""
    return re.sub(r"([A-Z])", r"-\1", keyword).lower()


def mirrored(stem: str, effect: ValueSetChange, text: Text, match: Match, shown: Shown) -> tuple[Rule, Rule]:
    """The two rules of one change: `request-<stem>` for what is read, `response-<stem>` for what is written."""
    return (
        one_side(stem, (Direction.READ, effect), text, match, shown),
        one_side(stem, (Direction.WRITTEN, effect), text, match, shown),
    )


def both_ways(
    effect: ValueSetChange, edit: Edit, reversal: Edit, ground: tuple[str, str], shown: Shown
) -> tuple[Rule, ...]:
    """The rules of a change that widens or narrows, and of the same edit backwards; `ground` is why and reference."""
    opposite = {ValueSetChange.NARROWS: ValueSetChange.WIDENS, ValueSetChange.WIDENS: ValueSetChange.NARROWS}[effect]
    back = replace(shown, released=shown.candidate, candidate=shown.released)
    stem, title, match = edit
    back_stem, back_title, back_match = reversal
    return (
        *mirrored(stem, effect, Text(title, *ground), match, shown),
        *mirrored(back_stem, opposite, Text(back_title, *ground), back_match, back),
    )


def one_side(stem: str, side: tuple[Direction, ValueSetChange], text: Text, match: Match, shown: Shown) -> Rule:
    """One rule of a pair whose sides differ in more than the verdict; the id of the other one is its mirror."""
    direction, _effect = side
    other = SIDE[direction.reversed]
    verdict = _VERDICTS[side]
    accepts, emits = producer_answers(verdict, direction)
    slot = shown.slots[0 if direction is Direction.READ else 1]
    counter = shown.counter or (shown.candidate, shown.released)
    return Rule(
        id=RuleId(f"{SIDE[direction]}-{stem}"),
        title=f"{_VERB[direction]}: {text.title}",
        why=f"{text.why} {_CONSEQUENCE[side]}",
        match=replace(match, direction=direction),
        verdict=verdict,
        accepts_old_requests=accepts,
        emits_old_compatible=emits,
        reference=text.reference,
        example=Example(slot, shown.released, shown.candidate),
        counter_example=Example(slot, *counter),
        mirror=f"{other}-{stem}",
    )


def reversed_why(rule: Rule, mirror: Rule) -> str:
    """Why `rule` holds below `not` in the direction of its mirror: the same ground, that message's consequence."""
    ground = rule.why
    for consequence in _CONSEQUENCE.values():
        ground = ground.removesuffix(consequence)
    effects = {Verdict.COMPATIBLE: ValueSetChange.NARROWS, Verdict.BREAKING: ValueSetChange.WIDENS}
    if mirror.direction is Direction.READ:
        effects = {Verdict.COMPATIBLE: ValueSetChange.WIDENS, Verdict.BREAKING: ValueSetChange.NARROWS}
    if mirror.direction is None or rule.verdict not in effects:
        return ground.strip()
    return f"{ground}{_CONSEQUENCE[mirror.direction, effects[rule.verdict]]}"


def producer_answers(verdict: Verdict, direction: Direction | None) -> tuple[Tristate, Tristate]:
    """Whether old requests are accepted and old-compatible messages emitted; n/a for the other direction."""
    answer = {Verdict.BREAKING: Tristate.NO, Verdict.COMPATIBLE: Tristate.YES, Verdict.UNKNOWN: Tristate.UNKNOWN}[
        verdict
    ]
    return (
        Tristate.NOT_APPLICABLE if direction is Direction.WRITTEN else answer,
        Tristate.NOT_APPLICABLE if direction is Direction.READ else answer,
    )


def stated(rule_id: str, verdict: Verdict, text: Text, match: Match, *shown: Example) -> Rule:
    """A rule whose verdict stands by itself; the answers follow the direction that the match asks for.

    `shown`: the edit that fires it, and a near one that must not; without one, the same edit backwards.
    """
    example, counter = shown if len(shown) > 1 else (*shown, shown[0].backwards)
    accepts, emits = producer_answers(verdict, match.direction)
    return Rule(
        id=RuleId(rule_id),
        title=text.title,
        why=text.why,
        match=match,
        verdict=verdict,
        accepts_old_requests=accepts,
        emits_old_compatible=emits,
        reference=text.reference,
        example=example,
        counter_example=counter,
    )


def breaking(rule_id: str, text: Text, match: Match, *shown: Example) -> Rule:
    """`stated` of a change that breaks."""
    return stated(rule_id, Verdict.BREAKING, text, match, *shown)


def compatible(rule_id: str, text: Text, match: Match, *shown: Example) -> Rule:
    """`stated` of a change that breaks nobody."""
    return stated(rule_id, Verdict.COMPATIBLE, text, match, *shown)


def unknown(rule_id: str, text: Text, match: Match, *shown: Example) -> Rule:
    """`stated` of a change whose effect the contract does not tell."""
    return stated(rule_id, Verdict.UNKNOWN, text, match, *shown)


def about_requests(rule_id: str, verdict: Verdict, text: Text, match: Match, *shown: Example) -> Rule:
    """A rule whose match asks for no direction, and that answers for old requests alone."""
    return _concerning(Direction.READ, stated(rule_id, verdict, text, match, *shown))


def about_responses(rule_id: str, verdict: Verdict, text: Text, match: Match, *shown: Example) -> Rule:
    """A rule whose match asks for no direction, and that answers for what old clients receive alone."""
    return _concerning(Direction.WRITTEN, stated(rule_id, verdict, text, match, *shown))


def _concerning(direction: Direction, rule: Rule) -> Rule:
    accepts, emits = producer_answers(rule.verdict, direction)
    return replace(rule, accepts_old_requests=accepts, emits_old_compatible=emits)
