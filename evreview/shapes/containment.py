"""How two value sets lie to each other. The only file that touches the experimental canonical form of jsonschema-rs.

Both schemas are self-contained 2020-12 schemas as `json_schema.closed` makes them. The inclusion engine (`relation`)
answers first; the canonical form is asked about small schemas without references that the engine leaves open. A `yes`
is a proof, a `no` means that a value exists; everything else is unknown, with the reason.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import jsonschema_rs
from jsonschema_rs import canonical

from evreview.core.vocabulary import Answer, Json
from evreview.schema.subsumption.relation import Inclusion, Inclusions, own_definitions
from evreview.shapes.inclusion.formats import PLAIN
from evreview.shapes.inclusion.forms import text_of
from evreview.shapes.keywords import ASSERTED_FORMATS

UNDECIDED: Final = "neither inclusion by rules nor the canonical form could decide"
_DRAFT = jsonschema_rs.Draft202012
_ANSWERS: Final = {"yes": Answer.YES, "no": Answer.NO, "unknown": Answer.UNKNOWN}
_SMALL: Final = 2000


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
    """How the value sets of two self-contained schemas lie to each other, undeclared members counted in."""
    one, other = text_of(released), text_of(candidate)
    if one == other:
        return Containment(released_in_candidate=Answer.YES, candidate_in_released=Answer.YES)
    return _compare(one, other)


@lru_cache(maxsize=8192)
def _compare(released: bytes, candidate: bytes) -> Containment:
    old, new = json.loads(released), json.loads(candidate)
    forth = Inclusions(own_definitions(old), own_definitions(new), declared=False).decide(old, new)
    back = Inclusions(own_definitions(new), own_definitions(old), declared=False).decide(new, old)
    answers = [
        canonical_answer(*sides) if found.answer is Answer.UNKNOWN else found.answer
        for found, sides in ((forth, (old, new)), (back, (new, old)))
    ]
    reason = _reason(forth, back) if Answer.UNKNOWN in answers else ""
    return Containment(released_in_candidate=answers[0], candidate_in_released=answers[1], reason=reason)


def _reason(*found: Inclusion) -> str:
    return next((each.reason for each in found if each.reason), UNDECIDED)


def canonical_answer(narrow: Json, wide: Json) -> Answer:
    """What the canonical form says of two small schemas without references: whether the wide one holds the other.

    Schemas with formats whose values nobody knows are left open: it takes listed words for values of such a format.
    """
    texts = text_of(narrow), text_of(wide)
    if any(b'"format"' in text for text in texts) and not all(map(knows_format, _formats((narrow, wide)))):
        return Answer.UNKNOWN
    if any(len(text) > _SMALL or b'"$ref"' in text for text in texts):
        return Answer.UNKNOWN
    try:
        inner, outer = (_canonical(text) for text in texts)
        return _ANSWERS.get(str(outer.covers(inner).value), Answer.UNKNOWN)
    except (ValueError, RecursionError, canonical.CanonicalizationError):
        return Answer.UNKNOWN


@lru_cache(maxsize=4096)
def _canonical(text: bytes) -> jsonschema_rs.CanonicalSchema:
    return jsonschema_rs.canonicalize(json.loads(text), draft=_DRAFT, validate_formats=True, offline=True)


def _formats(schemas: tuple[Json, Json]) -> Iterator[Json]:
    """Every string that a keyword `format` may hold, those that only stand in listed values included."""
    waiting: list[Json] = [*schemas]
    while waiting:
        node = waiting.pop()
        if isinstance(node, dict):
            if isinstance(node.get("format"), str):
                yield node["format"]
            waiting += node.values()
        elif isinstance(node, list):
            waiting += node


def knows_format(name: Json) -> bool:
    """True when a string format is one whose values are known here."""
    return isinstance(name, str) and (name in ASSERTED_FORMATS or name in PLAIN)
