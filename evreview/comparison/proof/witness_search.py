"""Whole values that one contract admits and the other refuses because of one row."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, islice
from typing import Final

from evreview.comparison.proof.outcome import Found
from evreview.comparison.proof.position import Way
from evreview.contract.model import Element, Place
from evreview.core.json_values import same, sorted_text
from evreview.core.vocabulary import Json, Realism
from evreview.ledger.delta import Delta
from evreview.proof.aim import aimed
from evreview.proof.as_text import near_limits, read_alike
from evreview.proof.levels import Level, Side, conditions, levels_of, parts_at
from evreview.proof.own import Own
from evreview.proof.unsent import refused_of, without
from evreview.schema.evaluator import At, Violation
from evreview.schema.view import Key, Sub

_AIMED: Final = 48
_ENOUGH: Final = 4
"""Values that break nothing but the row, after which no others are tried."""
_LOCAL: Final = 8
_NAMES: Final = 24
_RAISED: Final = 2
_WHOLES: Final = 40
Pairs = tuple[Sequence[Level], Sequence[Level]]
"""The levels of a way on the side that sends and on the one that expects."""


@dataclass(frozen=True, slots=True)
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
    sent: Side
    expected: Side
    candidate_sends: bool
    places: tuple[Place | None, Place | None]
    branch: Json | None
    joined: Json | None
    strays: Callable[[Json, Json, Json], frozenset[At]]
    realism: Callable[[Json, Json, Json], Realism]
    hints: tuple[Json, ...] = ()
    texts: bool = False
    known: dict[tuple[Key, ...], list[Json]] = field(default_factory=dict, compare=False)


def found_along(question: Question, way: Way) -> Iterator[Found]:
    """The values found for one use of a row, those that peers would send first, then those that break nothing else.

    What the sender's contract shows as an example comes first; then each value with examples in it, and as it was made.
    """
    pairs = (
        levels_of(way, candidate=question.candidate_sends),
        levels_of(way, candidate=not question.candidate_sends),
    )
    question = _naming(question, pairs[0])
    position = way.root.position
    element = position.candidate if question.candidate_sends else position.released
    others: list[Found] = []
    for example in question.sent.examples.short(element):
        alone = _judged(question, pairs, example)
        if alone is not None:
            # Whatever else it carries, whoever wrote the contract sends it.
            found = Found(root=way.root, value=example, alone=alone, realism=Realism.DECLARED)
            if alone:
                yield found
            else:
                others.append(found)
    for value in islice(_wholes(question, *pairs), _WHOLES):
        said = _sendable(question, pairs, value)
        for shown in _as_shown(question, pairs, element, said) if said is not None else ():
            found = _found(question, pairs, way, shown)
            if not any(found.rank):
                yield found
            else:
                others.append(found)
    yield from sorted(others, key=lambda found: found.rank)


def _found(question: Question, pairs: Pairs, way: Way, said: tuple[Json, bool]) -> Found:
    sent, expected = (side.schema(levels[0].subs[0]) for side, levels in zip(_sides(question), pairs, strict=True))
    realism = question.realism(sent, expected, said[0])
    return Found(root=way.root, value=said[0], alone=said[1], realism=realism)


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


def _sides(question: Question) -> tuple[Side, Side]:
    return question.sent, question.expected


def _naming(question: Question, levels: Sequence[Level]) -> Question:
    """The question; about names, with those that the object declares as values to try."""
    above = levels[-2] if len(levels) > 1 else None
    if above is None or above.hole is None or above.hole.keyword != "propertyNames":
        return question
    names = islice(question.sent.builder.declared(question.sent.schema(above.subs[0])), _NAMES)
    return replace(question, hints=(*names, *question.hints), known={})


def _wholes(question: Question, levels: Sequence[Level], theirs: Sequence[Level]) -> Iterator[Json]:
    for value in _remembered(question, levels[-1], theirs[-1]):
        yield from islice(_raised(question.sent, levels[:-1], levels[-1], value), _RAISED)
    turning = next((at for at, level in enumerate(levels) if level.turning), None)
    if turning is not None:
        for value in _between(question, levels[turning:], theirs[turning:]):
            yield from islice(_raised(question.sent, levels[:turning], levels[turning], value), _RAISED)


def _remembered(question: Question, level: Level, other: Level) -> list[Json]:
    key = tuple(sub.key for sub in (*level.subs, *other.subs))
    if key not in question.known:
        question.known[key] = _locally(question, level, other)
    return question.known[key]


def _locally(question: Question, level: Level, other: Level) -> list[Json]:
    """Values of the row's own place that the sent side admits and the expected node refuses because of it."""
    sent, expected = question.sent, question.expected
    outer, inner = (sent.schema(sub) for sub in (level.subs[0], level.subs[-1]))
    own = _own(question, other)
    node = expected.schema(other.subs[0 if own.closing else -1])
    held: list[tuple[bool, bool, int, str, Json]] = []
    near = near_limits(node) if question.texts else ()
    made = chain(question.hints, near, aimed(question.delta, level, node, (sent, expected), question.branch))
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


def _completed(values: Iterable[Json], own: Own, node: Json, expected: Side) -> Iterator[Json]:
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


def _least(node: Json, name: str, side: Side) -> tuple[Json] | None:
    said = side.builder.member(node, name)
    return side.builder.smallest(True if said is None else said)


def _between(question: Question, levels: Sequence[Level], theirs: Sequence[Level]) -> list[Json]:
    """Values that the sent side admits and the expected one refuses where something turns the row round."""
    sent, expected = question.sent, question.expected
    schema, outer = sent.schema(levels[0].subs[0]), expected.schema(theirs[0].subs[0])
    top = replace(levels[0], subs=levels[0].subs[:1])
    made = aimed(question.delta, top, outer, (sent, expected), None)
    held = []
    turned = list(islice(_inverse(question, levels[-1], theirs), _LOCAL))
    both = _joined(turned, [value for (value,) in islice(sent.builder.values(schema), _LOCAL)])
    for value in chain(turned, both, islice(made, _AIMED)):
        if sent.evaluator.admits(schema, value) and expected.evaluator.admits(outer, value) is False:
            held.append((*_size(value), value))
    held.sort(key=lambda one: one[:2])
    return _distinct((one[2] for one in held), _LOCAL)


def _joined(values: Iterable[Json], others: Iterable[Json]) -> Iterator[Json]:
    """Objects with the members of one and of the other: where one branch takes a value, a second one may as well."""
    kept = [other for other in others if isinstance(other, dict)]
    return ({**other, **value} for value in values if isinstance(value, dict) for other in kept)


def _inverse(question: Question, level: Level, theirs: Sequence[Level]) -> Iterator[Json]:
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


def _raised(sent: Side, above: Sequence[Level], level: Level, value: Json) -> Iterator[Json]:
    """The value as part of values of the whole position."""
    if not all(sent.evaluator.admits(sent.schema(sub), value) for sub in level.subs[:1]):
        return
    if not above:
        yield value
        return
    upper = above[-1]
    if upper.hole is not None:
        schemas = [sent.schema(sub) for sub in upper.subs]
        branch: Json = {"allOf": [*reversed(schemas[1:]), *conditions(schemas)]}
        outer, builder = schemas[0], sent.builder
        wholes = list(islice(builder.around(outer, upper.hole, value, branch), _RAISED)) if upper.subs[1:] else []
        for made in wholes or islice(builder.around(outer, upper.hole, value), _RAISED):
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
    return len(broken) == 1 if _turned(question, levels, value) else None


def _joins(question: Question, theirs: Sequence[Level], value: Json) -> bool:
    """False for a value that is refused without a branch that joins: another row's doing."""
    if question.joined is None:
        return True
    parts = parts_at(value, [level.hole for level in theirs if level.hole is not None])
    return any(question.expected.evaluator.admits(question.joined, part) for part in parts)


def _holds_null(question: Question, theirs: Sequence[Level], value: Json) -> bool:
    """False for a row about null and a value without null in its place: whatever refuses that is another edit."""
    holes = [level.hole for level in theirs if level.hole is not None]
    return question.delta.facet != "nullable" or any(part is None for part in parts_at(value, holes))


def _own(question: Question, level: Level) -> Own:
    """What recognises the row's violations on the side that expects the value."""
    return Own(question.delta, level.subs[-1], question.expected, question.places[1], level.subs[:-1])


def _turned(question: Question, levels: Pairs, value: Json) -> bool:
    """True when the row's node, and only by its own change, judges a part of the value differently on both sides."""
    mine, theirs = levels
    if not any(level.turning for level in mine):
        return False
    holes = [level.hole for level in mine if level.hole is not None]
    pairs = (
        (question.sent, mine[-1].subs[-1], question.places[0]),
        (question.expected, theirs[-1].subs[-1], question.places[1]),
    )
    for part in parts_at(value, holes):
        told = [(Own(question.delta, sub, side, place), _broken(side, sub, part)) for side, sub, place in pairs]
        if bool(told[0][1]) is not bool(told[1][1]) and all(own.explains_all(broken) for own, broken in told):
            return True
    return False


def _broken(side: Side, sub: Sub, value: Json) -> tuple[Violation, ...]:
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
