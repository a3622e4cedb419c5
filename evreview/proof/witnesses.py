"""Rows about values that containment left open: a value that one side admits and the other refuses."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import Final

from evreview.comparison.proof.containment import Contained
from evreview.comparison.proof.enclosing_applicators import BESIDE, crowd, top_beside
from evreview.comparison.proof.outcome import NOT_ASKED, UNCOMPUTED, Found, Proof, unproven, witnessed
from evreview.comparison.proof.position import Way
from evreview.comparison.proof.witness_search import Question, found_along
from evreview.contract.model import ElementKind, Place
from evreview.core.vocabulary import Answer, Change, Json, Polarity, Realism
from evreview.ledger.delta import Delta
from evreview.proof.admission import Admission
from evreview.proof.as_text import travels_as_text
from evreview.proof.levels import Side, turns
from evreview.proof.position import direction
from evreview.proof.questions import Questions
from evreview.proof.unsent import refused_of
from evreview.schema.subsumption.relation import Inclusion

NOT_FOUND: Final = "neither containment nor a value that one side refuses was found"
BY_DISCRIMINATOR: Final = "the value of a discriminator selects the row's schema, and no validator follows that"
TOO_MUCH: Final = "the search for values took more steps than it may for one comparison"
NO_PLACE: Final = "no message of both contracts carries the schema that the row stands in"
CUT_SHORT: Final = "no value was looked for beyond a brief look, which found none"
_USES: Final = 8
_EACH_USE: Final = 3
_STEPS: Final = 25_000
"""How many schema nodes one row may hold against values on each side."""
_ALL_STEPS: Final = 2_000_000
"""How many all rows of one comparison may, so that no contract keeps the search busy for ever."""
_BRIEF: Final = 20_000
"""The same where nobody asked for values, and only verdicts rest on them; as much again in small looks."""
_LOOK: Final = 1_000
_COMPOSED: Final = frozenset({"allOf", "anyOf", "oneOf", "prefixItems", "patternProperties"})


class Witnesses:
    """Looks for values, one row at a time; only briefly where nobody asked for them."""

    def __init__(self, questions: Questions, contained: Contained, *, brief: bool = False) -> None:
        self._questions = questions
        self._contained = contained
        self._sides: dict[Polarity, tuple[Side, Side]] = {}
        self._admissions: dict[Polarity, tuple[Admission, Admission]] = {}
        self._left = _BRIEF if brief else _ALL_STEPS
        self._brief = brief

    def proof(self, delta: Delta) -> Proof:
        """Witnessed by a value, or unproven with the reason."""
        claim = self._questions.claims.get(delta.id)
        if claim is None:
            return UNCOMPUTED
        polarity = direction(delta)
        if polarity is None or not self._questions.ways.pairs(delta):
            return unproven(NO_PLACE)
        if self._left <= (-_BRIEF if self._brief else 0):
            return unproven(CUT_SHORT if self._brief else TOO_MUCH)
        allowed = self._allow(polarity)
        found = next(self.found(delta), None)
        left = [side.evaluator.left for side in self._pair(polarity)]
        self._left -= sum(max(0, allowed - each) for each in left)
        if found is not None:
            return witnessed(found, polarity)
        if (allowed < _STEPS and min(left) <= 0) or any(side.exhausted for side in self._pair(polarity)):
            return unproven(CUT_SHORT if self._brief else TOO_MUCH)
        missed = BY_DISCRIMINATOR if self._questions.ways.selected(delta) else NOT_FOUND
        return unproven(self._contained.doubt(delta) or claim.reason or missed)

    def unasked(self, delta: Delta) -> Proof:
        """What is said of a row when no value is looked for."""
        return unproven(self._contained.doubt(delta) or NOT_ASKED)

    def found(self, delta: Delta) -> Iterator[Found]:
        """Values that both validators agree on, along the simplest uses of the row; the best first in each use."""
        polarity = direction(delta)
        if polarity is None or delta.id not in self._questions.claims:
            return
        if not self._possible(delta, polarity):
            return
        others: list[Found] = []
        self._allow(polarity)
        values = self._question(delta, polarity)
        sent, expected = values.sent.as_text, values.expected.as_text
        texts = replace(values, sent=sent, expected=expected, texts=True, known={})
        for way in self._uses(delta):
            question = texts if travels_as_text(way.root) else values
            for found in islice(found_along(question, way), _EACH_USE):
                if self._agreed(found, polarity):
                    if any(found.rank):
                        others.append(found)
                    else:
                        yield found
        yield from sorted(others, key=lambda found: found.rank)

    def _allow(self, polarity: Polarity) -> int:
        """Gives both sides the steps that one row may take."""
        steps = min(_STEPS, max(self._left, _LOOK if self._brief else 0))
        for side in self._pair(polarity):
            side.evaluator.allow(steps)
        return steps

    def _uses(self, delta: Delta) -> list[Way]:
        """The simplest uses, those in the row's own operation before others, and first of all what a doubt is about."""
        ways = islice(self._questions.ways.to(delta), 3 * _USES)
        beside = direction(delta) if self._contained.doubt(delta) == BESIDE else None
        return sorted(
            ways,
            key=lambda way: (
                beside is not None and top_beside(way, delta, beside, self._contained.sets) is None,
                way.root.position.operation != delta.operation,
            ),
        )[:_USES]

    def _possible(self, delta: Delta, polarity: Polarity) -> bool:
        """False when every node that shows the row is contained as a whole, and nothing around it has a say."""
        ways = islice(self._questions.ways.to(delta), _USES)
        if self._contained.doubt(delta) == BESIDE or self._contained.closed(delta):
            return True
        if any(turns(link) for way in ways for _, link in way.legs):
            return True
        return any(found.answer is not Answer.YES for found in self._nodes(delta, polarity))

    def _nodes(self, delta: Delta, polarity: Polarity) -> Iterator[Inclusion]:
        """What containment says of each node that shows the row, and of what stands beside it where that matters."""
        sets, pairs = self._contained.sets, self._questions.ways.pairs(delta)
        if self._contained.doubt(delta) == BESIDE:
            pairs += crowd(delta, polarity, self._questions, self._contained.besides, sets).pairs
        for pair in pairs:
            yield sets.safe(sets.of_subs((pair.released, pair.candidate), polarity), polarity)

    def _question(self, delta: Delta, polarity: Polarity) -> Question:
        released, candidate = self._pair(polarity)
        candidate_sends = polarity is Polarity.WRITTEN
        places = (delta.released_place, delta.candidate_place)
        if candidate_sends:
            released, candidate, places = candidate, released, (places[1], places[0])
        sends_more = (delta.change is Change.ADDED) is candidate_sends and delta.change is not Change.CHANGED
        composed = delta.facet in ("anyOf", "oneOf") and _is_branch(places[0], delta.facet)
        branch = released.written(places[0]) if sends_more and composed and places[0] is not None else None
        joins = (delta.change is Change.ADDED) is not candidate_sends and delta.change is not Change.CHANGED
        joining = joins and delta.facet in ("anyOf", "oneOf") and _is_branch(places[1], delta.facet)
        joined = candidate.written(places[1]) if joining and places[1] is not None else None
        return Question(
            delta=delta,
            sent=released,
            expected=candidate,
            candidate_sends=candidate_sends,
            places=(_node_place(delta, places[0]), _node_place(delta, places[1])),
            branch=branch,
            joined=joined,
            strays=partial(self._contained.sets.strays, polarity),
            realism=partial(self._realism, polarity),
            hints=tuple(value for found in self._nodes(delta, polarity) for value in found.witness),
        )

    def _realism(self, polarity: Polarity, sent: Json, expected: Json, value: Json) -> Realism:
        """Whether a peer would send a value of one schema that the other one refuses."""
        if not self._contained.meant.writes(polarity, sent, value):
            return Realism.LETTER
        strays = self._contained.sets.strays(polarity, sent, expected, value, free=True)
        if not strays:
            return Realism.DECLARED
        reader = self._pair(polarity)[1 if polarity is Polarity.READ else 0]
        resting = refused_of(strays, reader.evaluator.violations(expected, value) or ())
        return Realism.FREE_FORM if resting else Realism.DECLARED

    def _pair(self, polarity: Polarity) -> tuple[Side, Side]:
        if polarity not in self._sides:
            sources = self._questions.positions.sides(polarity)
            (old, old_dialect), (new, new_dialect) = self._questions.positions.documents()
            self._sides[polarity] = (
                Side(sources.released, old, old_dialect),
                Side(sources.candidate, new, new_dialect),
            )
        return self._sides[polarity]

    def _agreed(self, found: Found, polarity: Polarity) -> bool:
        """True when the validator says of the whole value what the search says."""
        old, new = found.root.position.released.value, found.root.position.candidate.value
        if old is None or new is None:
            return False
        if polarity not in self._admissions:
            sources = self._questions.positions.sides(polarity)
            self._admissions[polarity] = Admission(sources.released), Admission(sources.candidate)
        released, candidate = self._admissions[polarity]
        answers = (released.admits(old, found.value), candidate.admits(new, found.value))
        return answers == ((True, False) if polarity is Polarity.READ else (False, True))


def _is_branch(place: Place | None, facet: str) -> bool:
    return place is not None and place.pointer.rpartition("/")[0].endswith("/" + facet)


def _node_place(delta: Delta, place: Place | None) -> Place | None:
    """The node that holds what the row is about, None when only the pair knows it."""
    if delta.element is ElementKind.PROPERTY or (delta.facet in _COMPOSED and delta.facet != "allOf"):
        return None
    return place
