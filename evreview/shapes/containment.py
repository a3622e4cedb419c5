"""Which of two value sets holds the other. The only file that touches the experimental canonical form of jsonschema-rs.

Both schemas are self-contained 2020-12 schemas as `json_schema.closed` makes them. A `yes` is a proof; a `no` is the
library's word that a value exists, and `witness` finds one; everything else is unknown, with the reason.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache

import jsonschema_rs
from jsonschema_rs import canonical

from evreview.shapes.expressions import contained
from evreview.shapes.keywords import ASSERTED_FORMATS
from evreview.vocab import Answer, Json

NOT_SUPPORTED = "the canonical form does not model this schema"
UNDECIDED = "the canonical form could not decide"
_DRAFT = jsonschema_rs.Draft202012
_ANSWERS = {"yes": Answer.YES, "no": Answer.NO, "unknown": Answer.UNKNOWN}


@dataclass(frozen=True, slots=True, kw_only=True)
class Containment:
    """How two value sets lie to each other.

    Attributes:
        released_in_candidate: whether every released value is a candidate value.
        candidate_in_released: whether every candidate value is a released value.
        reason: why one of them is unknown, "" when both are decided.
    """

    released_in_candidate: Answer
    candidate_in_released: Answer
    reason: str = ""

    @property
    def equal(self) -> Answer:
        """Whether both admit the same values."""
        both = (self.released_in_candidate, self.candidate_in_released)
        if Answer.NO in both:
            return Answer.NO
        return Answer.YES if both == (Answer.YES, Answer.YES) else Answer.UNKNOWN


def compare_sets(released: Json, candidate: Json) -> Containment:
    """How the value sets of two self-contained schemas lie to each other."""
    return _of_expressions(released, candidate) or _compare(_text(released), _text(candidate))


def _of_expressions(released: Json, candidate: Json) -> Containment | None:
    """The answer for two schemas that hold a pattern and nothing else, which the canonical form never decides."""
    old, new = _expression(released), _expression(candidate)
    if old is None or new is None:
        return None
    forth, back = contained(old, new), contained(new, old)
    if forth is None or back is None:
        return None
    return Containment(released_in_candidate=_answer(forth), candidate_in_released=_answer(back))


def _expression(schema: Json) -> str | None:
    pattern = schema.get("pattern") if isinstance(schema, dict) and len(schema) == 1 else None
    return pattern if isinstance(pattern, str) else None


def _answer(yes: bool) -> Answer:
    return Answer.YES if yes else Answer.NO


@lru_cache(maxsize=8192)
def _compare(released: str, candidate: str) -> Containment:
    if released == candidate:
        return Containment(released_in_candidate=Answer.YES, candidate_in_released=Answer.YES)
    try:
        left, right = _canonical(released), _canonical(candidate)
        forth, back = _covers(right, left), _covers(left, right)
    except (ValueError, RecursionError) as error:
        reason = f"{NOT_SUPPORTED} ({type(error).__name__})"
        return Containment(released_in_candidate=Answer.UNKNOWN, candidate_in_released=Answer.UNKNOWN, reason=reason)
    return Containment(
        released_in_candidate=forth,
        candidate_in_released=back,
        reason=UNDECIDED if Answer.UNKNOWN in (forth, back) else "",
    )


@lru_cache(maxsize=4096)
def _canonical(text: str) -> jsonschema_rs.CanonicalSchema:
    return jsonschema_rs.canonicalize(json.loads(text), draft=_DRAFT, validate_formats=True, offline=True)


def _covers(wide: jsonschema_rs.CanonicalSchema, narrow: jsonschema_rs.CanonicalSchema) -> Answer:
    try:
        return _ANSWERS.get(str(wide.covers(narrow).value), Answer.UNKNOWN)
    except canonical.CanonicalizationError:
        return Answer.UNKNOWN


def knows_format(name: Json) -> bool:
    """True when a string format is one whose values are known here."""
    return isinstance(name, str) and name in ASSERTED_FORMATS


def _text(schema: Json) -> str:
    return json.dumps(schema, sort_keys=True, separators=(",", ":"))
