"""What the rule families of Avro share: their answers in both directions, and how their examples are written."""

from __future__ import annotations

from typing import Final, NamedTuple

from evreview.comparison.rules.rule import Example, Match, Rule, Slot
from evreview.core.vocabulary import Answer, Json, RuleId, Verdict

SPEC: Final = "Avro 1.12 specification"
RESOLUTION: Final = f"{SPEC}, Schema Resolution"


class Answers(NamedTuple):
    """Whether the candidate reads older data, and whether the released schema reads newer data."""

    back: Answer
    forth: Answer


YES: Final = Answers(Answer.YES, Answer.YES)
NO: Final = Answers(Answer.NO, Answer.NO)
BACKWARD: Final = Answers(Answer.YES, Answer.NO)
FORWARD: Final = Answers(Answer.NO, Answer.YES)
OPEN: Final = Answers(Answer.UNKNOWN, Answer.UNKNOWN)
READ: Final = Answers(Answer.NO, Answer.NOT_APPLICABLE)
TAKEN: Final = Answers(Answer.YES, Answer.NOT_APPLICABLE)
WRITTEN: Final = Answers(Answer.NOT_APPLICABLE, Answer.NO)


class Told(NamedTuple):
    """What a rule says: id after `avro-`, title, why, the section that decides."""

    id: str
    title: str
    why: str
    reference: str = RESOLUTION


def rule(told: Told, match: Match, answers: Answers, examples: tuple[Example, Example]) -> Rule:
    """The rule; it breaks when one answer is no, and is unknown when one is.

    Args:
        told: what it says.
        match: what it speaks about.
        answers: in both directions.
        examples: an edit that fires it, and a near one that does not.
    """
    verdict = Verdict.COMPATIBLE
    if Answer.UNKNOWN in answers:
        verdict = Verdict.UNKNOWN
    if Answer.NO in answers:
        verdict = Verdict.BREAKING
    return Rule(
        id=RuleId(f"avro-{told.id}"),
        title=told.title,
        why=told.why,
        match=match,
        verdict=verdict,
        accepts_old_requests=answers.back,
        emits_old_compatible=answers.forth,
        reference=told.reference,
        example=examples[0],
        counter_example=examples[1],
    )


def record(**fields: Json) -> Json:
    """A record whose fields are given as their type, or as an object with `type`."""
    made = [
        {"name": name, **(said if isinstance(said, dict) and "name" not in said else {"type": said})}
        for name, said in fields.items()
    ]
    return {"type": "record", "name": "Order", "fields": [{"name": "id", "type": "string"}, *made]}


def one(said: Json) -> Json:
    """A record whose field `total` is as said."""
    return record(total=said)


def shown(released: Json, candidate: Json) -> Example:
    """One edit of a whole schema."""
    return Example(Slot.AVRO, released, candidate)
