"""Whole values that one contract admits and the other refuses because of one row."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import field, replace
from functools import partial
from itertools import chain, islice
from typing import Final

from evreview.comparison import delta as comparison_delta
from evreview.comparison.delta import Delta
from evreview.comparison.proof.claim import Questions, refused_of, without
from evreview.comparison.proof.containment import Contained
from evreview.comparison.proof.enclosing_applicators import RowViolations, enclosing_applicators, top_beside
from evreview.comparison.proof.outcome import UNCOMPUTED, Proof, ProofReason, RefusedValue, unproven, witnessed
from evreview.comparison.proof.position import (
    UsagePath,
    ValueLevel,
    ValueSide,
    addressed_name,
    conditions,
    direction_of,
    levels_of,
    parts_at,
    turns,
)
from evreview.comparison.proof.text_values import near_limits, read_alike, travels_as_text
from evreview.contract.model import Element, ElementKind, Place, ValueSet
from evreview.core.frozen import frozen
from evreview.core.json_text import names_in, same, sorted_text
from evreview.core.vocabulary import Change, Direction, Json, Realism, Tristate
from evreview.schema.boundary_values import BoundaryValues
from evreview.schema.evaluator import At, Violation
from evreview.schema.subsumption.relation import Subsumption
from evreview.schema.to_json_schema import Source, closed, gaps
from evreview.schema.validators import Unusable, accepts, validator
from evreview.schema.value_generator import MemberSlot
from evreview.schema.view import Key, Sub

# Values of a row's own node, aimed at what the row changed. Whether they hit is asked later.


_BUILT: Final = 24
_HELD: Final = 3
_SAMPLED: Final = 160
_MALFORMED: Final = (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError)
_ODD: Final[tuple[Json, ...]] = (0, "a", True, None, [], {}, 0.5)


def targeted_values(
    delta: Delta, level: ValueLevel, hint: Json, sides: tuple[ValueSide, ValueSide], branch: Json | None
) -> Iterator[Json]:
    """Values for the level of a row.

    Args:
        level: what the sent side demands of the value.
        hint: what the expected side demands of the row's node.
        sides: the sent side and the expected one.
        branch: the branch of the sent side that the row is about, None for any other row.
    """
    sent = sides[0]
    schemas = [sent.schema(sub) for sub in level.subs]
    schema: Json = {"allOf": [*reversed(schemas), *conditions(schemas)]}
    if branch is not None:
        schema = {"allOf": [branch, schema]}
    if delta.element is ElementKind.PROPERTY:
        yield from _members(delta, schema, hint, sides)
        return
    if delta.facet == "nullable":
        yield None
    for key in (comparison_delta.ADDED_VALUES, comparison_delta.REMOVED_VALUES):
        listed = delta.facts.get(key)
        yield from listed if isinstance(listed, list) else ()
    yield from (value for (value,) in islice(sent.builder.values(schema), _BUILT))
    yield from sampled(schema, hint, sides)
    for (value,) in islice(sent.builder.values(schema), 2):
        if isinstance(value, dict):
            yield from ({**value, name: odd} for name in ("x", "a" * 40) for odd in _ODD)


def _members(delta: Delta, schema: Json, hint: Json, sides: tuple[ValueSide, ValueSide]) -> Iterator[Json]:
    """Objects that have the member of a row, and objects that do without it."""
    sent, expected = sides
    name = addressed_name(delta)
    for (value,) in islice(sent.builder.values(schema), _BUILT):
        if isinstance(value, dict):
            yield {key: member for key, member in value.items() if key != name}
    declared, asked = sent.builder.member(schema, name), expected.builder.member(hint, name)
    values = [value for (value,) in islice(sent.builder.values(declared), _HELD)] if declared is not None else []
    if asked is not None:
        values += sampled(True if declared is None else declared, asked, sides)
    for held in (*values, *_ODD):
        yield from islice(sent.builder.around(schema, MemberSlot("properties", name), held), 2)


def sampled(schema: Json, hint: Json, sides: tuple[ValueSide, ValueSide]) -> list[Json]:
    """Values of the sent side's schema near the limits of the expected side's."""
    try:
        return BoundaryValues(sides[0].source.definition, sides[1].source.definition, _SAMPLED).values(schema, hint)
    except _MALFORMED:
        return []


_AIMED: Final = 48
_ENOUGH: Final = 4
"""Values that break nothing but the row, after which no others are tried."""
_LOCAL: Final = 8
_NAMES: Final = 24
_RAISED: Final = 2
_WHOLES: Final = 40
Pairs = tuple[Sequence[ValueLevel], Sequence[ValueLevel]]
"""The levels of a way on the side that sends and on the one that expects."""


@frozen
class Question:
    """A row in one direction: who sends, who expects, and where the row is written on both.

    Attributes:
        delta: the row.
        sent, expected: the sides.
        candidate_sends: True when the candidate is the side that sends.
        places: where the row's node is written on the sent side and on the expected one.
        strays: the ways to those members of a value that only the expected schema declares, so that nobody sends them.
        realism: whether a peer would send a value of the sent schema that the expected one refuses.
        branch: the branch of the sent side's schema that the row is about, None for any other row.
        joined: the same of the expected side's schema.
        hints: values that containment found for the row's node already.
        texts: True when values travel as text, so that some are read as others.
        known: the values found for the row's own place, by the nodes that meet there: most uses share them.
    """

    delta: Delta
    sent: ValueSide
    expected: ValueSide
    candidate_sends: bool
    places: tuple[Place | None, Place | None]
    branch: Json | None
    joined: Json | None
    strays: Callable[[Json, Json, Json], frozenset[At]]
    realism: Callable[[Json, Json, Json], Realism]
    hints: tuple[Json, ...] = ()
    texts: bool = False
    known: dict[tuple[Key, ...], list[Json]] = field(default_factory=dict, compare=False)


def found_along(question: Question, usage_path: UsagePath) -> Iterator[RefusedValue]:
    """The values found for one use of a row, those that peers would send first, then those that break nothing else.

    What the sender's contract shows as an example comes first; then each value with examples in it, and as it was made.
    """
    pairs = (
        levels_of(usage_path, candidate=question.candidate_sends),
        levels_of(usage_path, candidate=not question.candidate_sends),
    )
    question = _naming(question, pairs[0])
    position = usage_path.root.position
    element = position.candidate if question.candidate_sends else position.released
    others: list[RefusedValue] = []
    for example in question.sent.examples.short(element):
        alone = _judged(question, pairs, example)
        if alone is not None:
            # Whatever else it carries, whoever wrote the contract sends it.
            found = RefusedValue(root=usage_path.root, value=example, alone=alone, realism=Realism.DECLARED)
            if alone:
                yield found
            else:
                others.append(found)
    for value in islice(_wholes(question, *pairs), _WHOLES):
        said = _sendable(question, pairs, value)
        for shown in _as_shown(question, pairs, element, said) if said is not None else ():
            found = _found(question, pairs, usage_path, shown)
            if not any(found.rank):
                yield found
            else:
                others.append(found)
    yield from sorted(others, key=lambda found: found.rank)


def _found(question: Question, pairs: Pairs, usage_path: UsagePath, said: tuple[Json, bool]) -> RefusedValue:
    sent, expected = (side.schema(levels[0].subs[0]) for side, levels in zip(_sides(question), pairs, strict=True))
    realism = question.realism(sent, expected, said[0])
    return RefusedValue(root=usage_path.root, value=said[0], alone=said[1], realism=realism)


def _as_shown(
    question: Question, pairs: Pairs, element: Element, said: tuple[Json, bool]
) -> Iterator[tuple[Json, bool]]:
    """The value with the examples of its sender's contract in it where there are any, and as it was made."""
    value, alone = said

    def shows(other: Json) -> bool:
        judged = _judged(question, pairs, other)
        return judged is not None and judged >= alone

    dressed = question.sent.examples.dressed(element, value, shows)
    if not same(dressed, value):
        yield dressed, alone
    yield said


def _sides(question: Question) -> tuple[ValueSide, ValueSide]:
    return question.sent, question.expected


def _naming(question: Question, levels: Sequence[ValueLevel]) -> Question:
    """The question; about names, with those that the object declares as values to try."""
    above = levels[-2] if len(levels) > 1 else None
    if above is None or above.slot is None or above.slot.keyword != "propertyNames":
        return question
    names = islice(question.sent.builder.declared(question.sent.schema(above.subs[0])), _NAMES)
    return replace(question, hints=(*names, *question.hints), known={})


def _wholes(question: Question, levels: Sequence[ValueLevel], theirs: Sequence[ValueLevel]) -> Iterator[Json]:
    for value in _remembered(question, levels[-1], theirs[-1]):
        yield from islice(_raised(question.sent, levels[:-1], levels[-1], value), _RAISED)
    reversing = next((at for at, level in enumerate(levels) if level.reversing), None)
    if reversing is not None:
        for value in _between(question, levels[reversing:], theirs[reversing:]):
            yield from islice(_raised(question.sent, levels[:reversing], levels[reversing], value), _RAISED)


def _remembered(question: Question, level: ValueLevel, other: ValueLevel) -> list[Json]:
    key = tuple(sub.key for sub in (*level.subs, *other.subs))
    if key not in question.known:
        question.known[key] = _locally(question, level, other)
    return question.known[key]


def _locally(question: Question, level: ValueLevel, other: ValueLevel) -> list[Json]:
    """Values of the row's own place that the sent side admits and the expected node refuses because of it."""
    sent, expected = question.sent, question.expected
    outer, inner = (sent.schema(sub) for sub in (level.subs[0], level.subs[-1]))
    own = _own(question, other)
    node = expected.schema(other.subs[0 if own.closing else -1])
    held: list[tuple[bool, bool, int, str, Json]] = []
    near = near_limits(node) if question.texts else ()
    made = chain(question.hints, near, targeted_values(question.delta, level, node, (sent, expected), question.branch))
    for value in _completed(islice(made, _AIMED), own, node, expected):
        demands = [outer, inner, *([question.branch] if question.branch is not None else [])]
        if not all(sent.evaluator.admits(schema, value) for schema in demands):
            continue
        broken = expected.evaluator.violations(node, value)
        if broken and any(map(own.shows, broken)):
            alike = question.texts and read_alike(value, node, expected)
            held.append((alike, not own.explains_all(broken), *_size(value), value))
        if sum(not any(one[:2]) for one in held) >= _ENOUGH:
            break
    held.sort(key=lambda one: one[:4])
    return _distinct((one[4] for one in held), _LOCAL)


def _completed(values: Iterable[Json], own: RowViolations, node: Json, expected: ValueSide) -> Iterator[Json]:
    """The values, and for objects that lack more than the row's member also those that lack nothing else."""
    for value in values:
        yield value
        if not isinstance(value, dict):
            continue
        broken = expected.evaluator.violations(node, value) or ()
        lacking = [one.name for one in broken if one.keyword == "required" and not one.at and not own.explains(one)]
        more = {name: _least(node, name, expected) for name in lacking}
        if more and None not in more.values():
            yield {**value, **{name: found[0] for name, found in more.items() if found is not None}}


def _least(node: Json, name: str, side: ValueSide) -> tuple[Json] | None:
    said = side.builder.member(node, name)
    return side.builder.smallest(True if said is None else said)


def _between(question: Question, levels: Sequence[ValueLevel], theirs: Sequence[ValueLevel]) -> list[Json]:
    """Values that the sent side admits and the expected one refuses where something turns the row round."""
    sent, expected = question.sent, question.expected
    schema, outer = sent.schema(levels[0].subs[0]), expected.schema(theirs[0].subs[0])
    top = replace(levels[0], subs=levels[0].subs[:1])
    made = targeted_values(question.delta, top, outer, (sent, expected), None)
    held = []
    reversed = list(islice(_inverse(question, levels[-1], theirs), _LOCAL))
    both = _joined(reversed, [value for (value,) in islice(sent.builder.values(schema), _LOCAL)])
    for value in chain(reversed, both, islice(made, _AIMED)):
        if sent.evaluator.admits(schema, value) and expected.evaluator.admits(outer, value) is False:
            held.append((*_size(value), value))
    held.sort(key=lambda one: one[:2])
    return _distinct((one[2] for one in held), _LOCAL)


def _joined(values: Iterable[Json], others: Iterable[Json]) -> Iterator[Json]:
    """Objects with the members of one and of the other: where one branch takes a value, a second one may as well."""
    kept = [other for other in others if isinstance(other, dict)]
    return ({**other, **value} for value in values if isinstance(value, dict) for other in kept)


def _inverse(question: Question, level: ValueLevel, theirs: Sequence[ValueLevel]) -> Iterator[Json]:
    """Values of the part that is turned round, which the expected side takes there and the sent side does not."""
    back = replace(
        question,
        sent=question.expected,
        expected=question.sent,
        candidate_sends=not question.candidate_sends,
        places=question.places[::-1],
        branch=None,
        joined=None,
    )
    inner = [replace(theirs[0], subs=theirs[0].subs[1:] or theirs[0].subs), *theirs[1:]]
    for value in _locally(back, replace(inner[-1], subs=inner[-1].subs[-1:]), level):
        yield from islice(_raised(question.expected, inner[:-1], inner[-1], value), _RAISED)


def _raised(sent: ValueSide, above: Sequence[ValueLevel], level: ValueLevel, value: Json) -> Iterator[Json]:
    """The value as part of values of the whole position."""
    if not all(sent.evaluator.admits(sent.schema(sub), value) for sub in level.subs[:1]):
        return
    if not above:
        yield value
        return
    upper = above[-1]
    if upper.slot is not None:
        schemas = [sent.schema(sub) for sub in upper.subs]
        branch: Json = {"allOf": [*reversed(schemas[1:]), *conditions(schemas)]}
        outer, builder = schemas[0], sent.builder
        wholes = list(islice(builder.around(outer, upper.slot, value, branch), _RAISED)) if upper.subs[1:] else []
        for made in wholes or islice(builder.around(outer, upper.slot, value), _RAISED):
            yield from _raised(sent, above[:-1], upper, made)


def _sendable(question: Question, levels: Pairs, value: Json) -> tuple[Json, bool] | None:
    """The value without refused members that nobody sends, and what `_judged` says of it; None when that is nothing."""
    alone = _judged(question, levels, value)
    if alone is None:
        return None
    sent, expected = (side.schema(level[0].subs[0]) for side, level in zip(_sides(question), levels, strict=True))
    found = question.strays(sent, expected, value)
    resting = refused_of(found, question.expected.evaluator.violations(expected, value) or ()) if found else ()
    if not resting:
        return value, alone
    value = without(value, resting)
    alone = _judged(question, levels, value)
    return None if alone is None else (value, alone)


def _judged(question: Question, levels: Pairs, value: Json) -> bool | None:
    """Whether nothing but the row stands against a whole value; None when the value shows nothing of the row."""
    mine, theirs = levels
    sent, expected = question.sent, question.expected
    top, other = mine[0].subs[0], theirs[0].subs[0]
    if sent.evaluator.admits(sent.schema(top), value) is not True:
        return None
    broken = expected.evaluator.violations(expected.schema(other), value)
    if not broken:
        return None
    own = _own(question, theirs[-1])
    if not _joins(question, theirs, value) or not _holds_null(question, theirs, value):
        return None
    if any(map(own.shows, broken)):
        return own.explains_all(broken)
    return len(broken) == 1 if _reversed(question, levels, value) else None


def _joins(question: Question, theirs: Sequence[ValueLevel], value: Json) -> bool:
    """False for a value that is refused without a branch that joins: another row's doing."""
    if question.joined is None:
        return True
    parts = parts_at(value, [level.slot for level in theirs if level.slot is not None])
    return any(question.expected.evaluator.admits(question.joined, part) for part in parts)


def _holds_null(question: Question, theirs: Sequence[ValueLevel], value: Json) -> bool:
    """False for a row about null and a value without null in its place: whatever refuses that is another edit."""
    slots = [level.slot for level in theirs if level.slot is not None]
    return question.delta.facet != "nullable" or any(part is None for part in parts_at(value, slots))


def _own(question: Question, level: ValueLevel) -> RowViolations:
    """What recognises the row's violations on the side that expects the value."""
    return RowViolations(question.delta, level.subs[-1], question.expected, question.places[1], level.subs[:-1])


def _reversed(question: Question, levels: Pairs, value: Json) -> bool:
    """True when the row's node, and only by its own change, judges a part of the value differently on both sides."""
    mine, theirs = levels
    if not any(level.reversing for level in mine):
        return False
    slots = [level.slot for level in mine if level.slot is not None]
    pairs = (
        (question.sent, mine[-1].subs[-1], question.places[0]),
        (question.expected, theirs[-1].subs[-1], question.places[1]),
    )
    for part in parts_at(value, slots):
        told = [
            (RowViolations(question.delta, sub, side, place), _broken(side, sub, part)) for side, sub, place in pairs
        ]
        if bool(told[0][1]) is not bool(told[1][1]) and all(own.explains_all(broken) for own, broken in told):
            return True
    return False


def _broken(side: ValueSide, sub: Sub, value: Json) -> tuple[Violation, ...]:
    return side.evaluator.violations(side.schema(sub), value) or ()


def _size(value: Json) -> tuple[int, str]:
    text = sorted_text(value)
    return len(text), text


def _distinct(values: Iterable[Json], limit: int) -> list[Json]:
    found: dict[str, Json] = {}
    for value in values:
        if len(found) == limit:
            break
        found.setdefault(sorted_text(value), value)
    return list(found.values())


# Whether a value set holds a whole value, by the validator.


_OFTEN: Final = 12
_FAR: Final = 60
"""Definitions that a schema may reach to be compiled as a whole; smaller parts are cheaper for few values."""
_Key = tuple[str, str]
_Ask = Callable[[Json], bool]


class ValueAdmission:
    """Asks the validator about value sets of one source. Only what a value has a member for is looked at."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._asked: Counter[_Key] = Counter()
        self._wholes: dict[_Key, _Ask | None] = {}

    def admits(self, value: ValueSet, instance: Json) -> bool | None:
        """Whether a value set holds an instance; None when that can't be said, or an unread part has a say."""
        whole = self._whole(value)
        if whole is not None:
            return whole(instance)
        names = frozenset(names_in(instance))
        schema = closed(self._source.schema(value), self._source.definition, names.__contains__)
        return None if gaps(schema) else accepts(schema, instance)

    def _whole(self, value: ValueSet) -> _Ask | None:
        """All of a schema, compiled once it was asked about often; None where parts of it serve better."""
        key = (value.place.file, value.place.pointer)
        self._asked[key] += 1
        if self._asked[key] <= _OFTEN:
            return None
        if key not in self._wholes:
            self._wholes[key] = self._compiled(closed(self._source.schema(value), self._source.definition))
        return self._wholes[key]

    def _compiled(self, schema: Json) -> _Ask | None:
        reached = len(schema.get("$defs", ())) if isinstance(schema, dict) else 0
        if reached > _FAR or gaps(schema):
            return None
        try:
            return validator(schema).is_valid
        except Unusable:
            return None


# Rows about values that containment left open: a value that one side admits and the other refuses.


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


class WitnessSearch:
    """Looks for values, one row at a time; only briefly where nobody asked for them."""

    def __init__(self, questions: Questions, contained: Contained, *, brief: bool = False) -> None:
        self._questions = questions
        self._contained = contained
        self._sides: dict[Direction, tuple[ValueSide, ValueSide]] = {}
        self._admissions: dict[Direction, tuple[ValueAdmission, ValueAdmission]] = {}
        self._left = _BRIEF if brief else _ALL_STEPS
        self._brief = brief

    def proof(self, delta: Delta) -> Proof:
        """Witnessed by a value, or unproven with the reason."""
        claim = self._questions.claims.get(delta.id)
        if claim is None:
            return UNCOMPUTED
        direction = direction_of(delta)
        if direction is None or not self._questions.usage_paths.pairs(delta):
            return unproven(ProofReason.NO_PLACE)
        if self._left <= (-_BRIEF if self._brief else 0):
            return unproven(ProofReason.CUT_SHORT if self._brief else ProofReason.TOO_MUCH)
        allowed = self._allow(direction)
        found = next(self.found(delta), None)
        left = [side.evaluator.left for side in self._pair(direction)]
        self._left -= sum(max(0, allowed - each) for each in left)
        if found is not None:
            return witnessed(found, direction)
        if (allowed < _STEPS and min(left) <= 0) or any(side.exhausted for side in self._pair(direction)):
            return unproven(ProofReason.CUT_SHORT if self._brief else ProofReason.TOO_MUCH)
        missed = ProofReason.BY_DISCRIMINATOR if self._questions.usage_paths.selected(delta) else ProofReason.NOT_FOUND
        return unproven(self._contained.doubt(delta) or claim.reason or missed)

    def unasked(self, delta: Delta) -> Proof:
        """What is said of a row when no value is looked for."""
        return unproven(self._contained.doubt(delta) or ProofReason.NOT_ASKED)

    def found(self, delta: Delta) -> Iterator[RefusedValue]:
        """Values that both validators agree on, along the simplest uses of the row; the best first in each use."""
        direction = direction_of(delta)
        if direction is None or delta.id not in self._questions.claims:
            return
        if not self._possible(delta, direction):
            return
        others: list[RefusedValue] = []
        self._allow(direction)
        values = self._question(delta, direction)
        sent, expected = values.sent.as_text, values.expected.as_text
        texts = replace(values, sent=sent, expected=expected, texts=True, known={})
        for usage_path in self._uses(delta):
            question = texts if travels_as_text(usage_path.root) else values
            for found in islice(found_along(question, usage_path), _EACH_USE):
                if self._agreed(found, direction):
                    if any(found.rank):
                        others.append(found)
                    else:
                        yield found
        yield from sorted(others, key=lambda found: found.rank)

    def _allow(self, direction: Direction) -> int:
        """Gives both sides the steps that one row may take."""
        steps = min(_STEPS, max(self._left, _LOOK if self._brief else 0))
        for side in self._pair(direction):
            side.evaluator.allow(steps)
        return steps

    def _uses(self, delta: Delta) -> list[UsagePath]:
        """The simplest uses, those in the row's own operation before others, and first of all what a doubt is about."""
        usage_paths = islice(self._questions.usage_paths.to(delta), 3 * _USES)
        beside = direction_of(delta) if self._contained.doubt(delta) is ProofReason.BESIDE else None
        return sorted(
            usage_paths,
            key=lambda usage_path: (
                beside is not None and top_beside(usage_path, delta, beside, self._contained.sets) is None,
                usage_path.root.position.operation != delta.operation,
            ),
        )[:_USES]

    def _possible(self, delta: Delta, direction: Direction) -> bool:
        """False when every node that shows the row is contained as a whole, and nothing around it has a say."""
        usage_paths = islice(self._questions.usage_paths.to(delta), _USES)
        if self._contained.doubt(delta) is ProofReason.BESIDE or self._contained.closed(delta):
            return True
        if any(turns(link) for usage_path in usage_paths for _, link in usage_path.legs):
            return True
        return any(found.answer is not Tristate.YES for found in self._nodes(delta, direction))

    def _nodes(self, delta: Delta, direction: Direction) -> Iterator[Subsumption]:
        """What containment says of each node that shows the row, and of what stands beside it where that matters."""
        sets, pairs = self._contained.sets, self._questions.usage_paths.pairs(delta)
        if self._contained.doubt(delta) is ProofReason.BESIDE:
            pairs += enclosing_applicators(
                delta, direction, self._questions, self._contained.carried_declarations, sets
            ).pairs
        for pair in pairs:
            yield sets.safe(sets.of_subs((pair.released, pair.candidate), direction), direction)

    def _question(self, delta: Delta, direction: Direction) -> Question:
        released, candidate = self._pair(direction)
        candidate_sends = direction is Direction.WRITTEN
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
            strays=partial(self._contained.sets.strays, direction),
            realism=partial(self._realism, direction),
            hints=tuple(value for found in self._nodes(delta, direction) for value in found.witness),
        )

    def _realism(self, direction: Direction, sent: Json, expected: Json, value: Json) -> Realism:
        """Whether a peer would send a value of one schema that the other one refuses."""
        if not self._contained.meant.writes(direction, sent, value):
            return Realism.LETTER
        strays = self._contained.sets.strays(direction, sent, expected, value, free=True)
        if not strays:
            return Realism.DECLARED
        reader = self._pair(direction)[1 if direction is Direction.READ else 0]
        resting = refused_of(strays, reader.evaluator.violations(expected, value) or ())
        return Realism.FREE_FORM if resting else Realism.DECLARED

    def _pair(self, direction: Direction) -> tuple[ValueSide, ValueSide]:
        if direction not in self._sides:
            sources = self._questions.positions.sides(direction)
            (old, old_dialect), (new, new_dialect) = self._questions.positions.documents()
            self._sides[direction] = (
                ValueSide(sources.released, old, old_dialect),
                ValueSide(sources.candidate, new, new_dialect),
            )
        return self._sides[direction]

    def _agreed(self, found: RefusedValue, direction: Direction) -> bool:
        """True when the validator says of the whole value what the search says."""
        old, new = found.root.position.released.value, found.root.position.candidate.value
        if old is None or new is None:
            return False
        if direction not in self._admissions:
            sources = self._questions.positions.sides(direction)
            self._admissions[direction] = ValueAdmission(sources.released), ValueAdmission(sources.candidate)
        released, candidate = self._admissions[direction]
        answers = (released.admits(old, found.value), candidate.admits(new, found.value))
        return answers == ((True, False) if direction is Direction.READ else (False, True))


def _is_branch(place: Place | None, facet: str) -> bool:
    return place is not None and place.pointer.rpartition("/")[0].endswith("/" + facet)


def _node_place(delta: Delta, place: Place | None) -> Place | None:
    """The node that holds what the row is about, None when only the pair knows it."""
    if delta.element is ElementKind.PROPERTY or (delta.facet in _COMPOSED and delta.facet != "allOf"):
        return None
    return place
