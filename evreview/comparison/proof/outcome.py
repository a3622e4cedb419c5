"""What is known of a row's verdict, and how: the finding of containment, and the proof that is shown."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Final

from evreview.comparison.elements import Root
from evreview.core.vocabulary import Json, Polarity, ProofMethod, ProofStatus, Realism

NOT_ASKED: Final = "no value was looked for"
BY_LETTER: Final = {
    Realism.LETTER: "the letter alone is broken: the witness rests on members that its sender's contract names nowhere "
    "or in another branch",
    Realism.FREE_FORM: "the witness gives a member of a free-form object another value than the other side describes: "
    "whether anybody sends it is not known",
}
BY_RULE: Final = "the row is about no set of values; the rule speaks"


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A value of a whole position that the side that sends it admits and the side that expects it refuses.

    Attributes:
        root: the position on both sides: its elements, operation and steps.
        value: the value of the position.
        alone: True when nothing but the row stands against the value.
        realism: whether a peer would send it.
    """

    root: Root
    value: Json
    alone: bool
    realism: Realism = Realism.DECLARED

    @property
    def rank(self) -> tuple[bool, bool]:
        """What peers would send sorts before all else, and what only the row stands against before the rest."""
        return self.realism is not Realism.DECLARED, not self.alone


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """How a verdict is known.

    Attributes:
        status: proved, witnessed, unproven, or n/a where values are not concerned.
        method: what decided.
        witness: `value`, who accepts it and who refuses it, as two validators found; {} without one.
        command: the command that repeats the check, "" while there is none.
        reason: what was found, or why nothing was.
        found: the value and the position that a witness is made from, None without one.
        realism: whether a peer would send the witness; None without one, and where that is not asked.
    """

    status: ProofStatus
    method: ProofMethod
    witness: Json
    command: str
    reason: str
    found: Found | None = field(default=None, repr=False, compare=False)
    realism: Realism | None = None


class Finding(StrEnum):
    """What computing the value sets says about a row."""

    NOT_VALUES = "not about values"
    EQUAL = "equal"
    SAFE = "contained in the safe direction"
    OPEN = "not contained, or not decided"


UNCOMPUTED: Final = Proof(
    status=ProofStatus.NOT_APPLICABLE, method=ProofMethod.RULE, witness={}, command="", reason=BY_RULE
)
UNRULED: Final = replace(UNCOMPUTED, reason="the row is about no set of values, and no rule speaks of it")
CONTAINED: Final = Proof(
    status=ProofStatus.PROVED,
    method=ProofMethod.CONTAINMENT,
    witness={},
    command="",
    reason="the side that is sent is contained in the side that is expected",
)
CONTAINED_DECLARED: Final = replace(CONTAINED, reason=f"{CONTAINED.reason}, for messages of declared members")
"""An open object was taken to carry no member of a name that only the other side declares."""

CONTAINED_AS_TEXT: Final = replace(
    CONTAINED, method=ProofMethod.ENCODING, reason=f"{CONTAINED.reason}, as text on the wire"
)
"""Values that travel as text without their type were compared by their texts."""


def unproven(reason: str) -> Proof:
    """The proof of a verdict that rests on its rule alone."""
    return Proof(status=ProofStatus.UNPROVEN, method=ProofMethod.RULE, witness={}, command="", reason=reason)


def proved(reason: str) -> Proof:
    """The proof of a row about no set of values that no message can show."""
    return Proof(status=ProofStatus.PROVED, method=ProofMethod.VALIDATION, witness={}, command="", reason=reason)


def witnessed(found: Found, polarity: Polarity | None) -> Proof:
    """The proof by a value that one side admits and the other refuses."""
    accepted, refused = ("released", "candidate") if polarity is Polarity.READ else ("candidate", "released")
    others = "" if found.alone else ", for more reasons than this row"
    return Proof(
        status=ProofStatus.WITNESSED,
        method=ProofMethod.VALIDATION,
        witness={"value": found.value, "accepted_by": accepted, "refused_by": refused},
        command="",
        reason=f"a value that the {accepted} contract admits and the {refused} contract refuses{others}",
        found=found,
        realism=found.realism,
    )


def by_letter(proof: Proof, realism: Realism) -> Proof:
    """The proof of a row that stays as its rule says: what stands against it, nobody is known to send."""
    return replace(proof, status=ProofStatus.UNPROVEN, method=ProofMethod.RULE, reason=BY_LETTER[realism])


def with_overruled_verdict(proof: Proof, overruled: str) -> Proof:
    """The same proof, saying which verdict of the rule it overruled."""
    return replace(proof, reason=f"{proof.reason}; the rule by itself says {overruled}")
