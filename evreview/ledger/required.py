"""Whether the properties that a schema pair stands in are required in the released contract, per use of the pair."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from evreview.comparison.elements import Root
from evreview.comparison.schema_pairs import SchemaPair
from evreview.ledger.uses import Use, following, use_of

UseKey = tuple[int, Use]


def required_uses(roots: Sequence[Root], live: set[int]) -> dict[UseKey, frozenset[bool | None]]:
    """The answers for each pair and use, one for each kind of position: None for one that is no property."""
    answers: dict[UseKey, set[bool | None]] = {}
    parts: list[tuple[UseKey, UseKey]] = []
    stack: list[tuple[SchemaPair, Use]] = []
    for root in roots:
        if id(root.pair) in live:
            stack.append((root.pair, use_of(root)))
            answers.setdefault((id(root.pair), use_of(root)), set()).add(None)
    seen: set[UseKey] = set()
    while stack:
        pair, use = stack.pop()
        if (id(pair), use) in seen:
            continue
        seen.add((id(pair), use))
        parts += [((id(pair), use), (id(part), use)) for part in _merged_into(pair) if id(part) in live]
        for link in pair.links:
            # The view of `pair` shows the properties of its merged parts too, with what the whole requires.
            if link.step and id(link.target) in live:
                below = following(use, link)
                answers.setdefault((id(link.target), below), set()).add(link.required)
                stack.append((link.target, below))
    _inherit(answers, parts)
    return {key: frozenset(found) for key, found in answers.items()}


def agreed(answers: frozenset[bool | None]) -> bool | None:
    """The answer in which all positions agree, None where they don't.

    A schema that is also a whole body, an item or a branch somewhere, or a property required here and optional
    there, has no answer: its difference belongs to the shared schema, not to one property.
    """
    return next(iter(answers)) if len(answers) == 1 else None


def somewhere(answers: frozenset[bool | None]) -> bool | None:
    """True where one position at least demands the property: what is withheld or owed there decides for all."""
    return True if True in answers else agreed(answers)


def _merged_into(pair: SchemaPair) -> Iterator[SchemaPair]:
    """The shared schemas that the views of a pair merged, and those merged into them."""
    seen = {id(pair)}
    stack = [pair]
    while stack:
        for link in stack.pop().links:
            if not link.step and id(link.target) not in seen:
                seen.add(id(link.target))
                stack.append(link.target)
                yield link.target


def _inherit(answers: dict[UseKey, set[bool | None]], parts: Sequence[tuple[UseKey, UseKey]]) -> None:
    """A part stands where each whole stands."""
    known = {key: frozenset(found) for key, found in answers.items()}
    for whole, part in parts:
        answers.setdefault(part, set()).update(known[whole])
