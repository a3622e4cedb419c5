"""What an expression demands of a whole text: expressions that have a match in it, and others that have none.

A look ahead right behind `^`, or a look behind right before `$`, asks something of the text by itself, beside the rest.
What no automaton reads (other looks, edges of words, references back) is left out where that only ever admits more.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from re import _constants as sre  # type: ignore[attr-defined]
from typing import Any, Final, NamedTuple

from evreview.schema.regular_languages import Automaton, Foreign, automaton, automaton_of, parsed

_BEGINNING: Final = (sre.AT, sre.AT_BEGINNING)
_ENDING: Final = (sre.AT, sre.AT_END)
_LOOKS: Final = frozenset({sre.ASSERT, sre.ASSERT_NOT})
_REPEATS: Final = frozenset({sre.MAX_REPEAT, sre.MIN_REPEAT})
_AHEAD: Final = 1
_BEHIND: Final = -1
Piece = tuple[Any, Any]
Tree = list[Piece]


class Demands(NamedTuple):
    """What a text with a match of an expression has to meet.

    Attributes:
        matched: each has a match in the text.
        refused: none has one.
        exact: False when a text may meet all of it and yet hold no match of the expression.
    """

    matched: tuple[Automaton, ...]
    refused: tuple[Automaton, ...] = ()
    exact: bool = True

    @property
    def misses(self) -> list[Demands]:
        """The ways in which a text without a match misses them; one that asks nothing where that is not known."""
        if not self.exact:
            return [Demands(())]
        return [*(Demands((), (one,)) for one in self.matched), *(Demands((one,)) for one in self.refused)]


@lru_cache(maxsize=512)
def demands(pattern: str) -> Demands:
    """The demands of an expression.

    Raises:
        Foreign: the expression holds something that is not understood, or is too large.
    """
    try:
        return Demands((automaton(pattern),))
    except Foreign:
        return _taken_apart(parsed(pattern))


def _taken_apart(tree: Any) -> Demands:
    groups = dict(_groups(tree))
    pieces = list(_inlined(tree, set(_references(tree))))
    looks = [*_taken(pieces, _BEGINNING, _AHEAD, 0), *_taken(pieces, _ENDING, _BEHIND, -1)]
    read = [part for positive, part in looks if not positive and not _odd(part)]
    asked = [part for positive, part in looks if positive]
    unread = [part for positive, part in looks if not positive and _odd(part)]
    return Demands(
        tuple(automaton_of(_widened(part, groups, set())) for part in (pieces, *asked)),
        tuple(automaton_of(part) for part in read),
        exact=not unread and not any(map(_odd, (pieces, *asked))),
    )


def _inlined(tree: Iterable[Any], kept: set[int]) -> Iterator[Piece]:
    """The pieces of a sequence, groups that merely hold a part of it dissolved; not those that are referred to."""
    for operation, argument in tree:
        if operation is sre.SUBPATTERN and not any(argument[1:3]) and argument[0] not in kept:
            yield from _inlined(argument[3], kept)
        else:
            yield operation, argument


def _references(tree: Iterable[Any]) -> Iterator[int]:
    for operation, argument in tree:
        if operation is sre.GROUPREF:
            yield argument
        for inner in _inside(operation, argument):
            yield from _references(inner)


def _groups(tree: Iterable[Any]) -> Iterator[tuple[int, Any]]:
    """The content of each numbered group."""
    for operation, argument in tree:
        if operation is sre.SUBPATTERN and argument[0] is not None:
            yield argument[0], argument[3]
        for inner in _inside(operation, argument):
            yield from _groups(inner)


def _inside(operation: Any, argument: Any) -> Iterator[Any]:
    """The trees that a piece holds."""
    if operation is sre.SUBPATTERN:
        yield argument[3]
    elif operation in _REPEATS:
        yield argument[2]
    elif operation is sre.BRANCH:
        yield from argument[1]
    elif operation in _LOOKS:
        yield argument[1]


def _taken(pieces: Tree, edge: Piece, way: int, end: int) -> list[tuple[bool, Tree]]:
    """Takes the looks beside an edge of the text out of the pieces: whether each has to match, and with its edge."""
    run: Tree = []
    while pieces and (pieces[end] == edge or (pieces[end][0] in _LOOKS and pieces[end][1][0] == way)):
        run.append(pieces.pop(end))
    if edge not in run:
        pieces[:] = [*run, *pieces] if way == _AHEAD else [*pieces, *reversed(run)]
        return []
    pieces.insert(0 if way == _AHEAD else len(pieces), edge)
    looks = [(kind is sre.ASSERT, list(argument[1])) for kind, argument in run if kind in _LOOKS]
    return [(positive, [edge, *part] if way == _AHEAD else [*part, edge]) for positive, part in looks]


def _odd(tree: Iterable[Any]) -> bool:
    """True for what holds a piece that no automaton reads."""
    return any(_left_out(one) or one[0] is sre.GROUPREF or any(map(_odd, _inside(*one))) for one in tree)


def _left_out(piece: Piece) -> bool:
    """True for a piece that takes no sign and that automata don't read."""
    return piece[0] in _LOOKS or (piece[0] is sre.AT and tuple(piece) not in (_BEGINNING, _ENDING))


def _widened(tree: Iterable[Any], groups: dict[int, Any], sure: set[int], *, floating: bool = False) -> Tree:
    """The tree without what automata don't read, matching all that it did and more.

    Args:
        tree: what an expression or a part of it is.
        groups: the content of each numbered group.
        sure: the groups that took part before; those of the tree that always do are added.
        floating: whether the tree stands anywhere in a text.
    """
    made: Tree = []
    for operation, argument in tree:
        if _left_out((operation, argument)) or (floating and operation is sre.AT):
            continue
        if operation is sre.GROUPREF:
            same = _widened(groups[argument], groups, set(sure), floating=True)
            operation, argument = sre.BRANCH, (None, [same] if argument in sure else [same, []])
        elif operation is sre.SUBPATTERN:
            argument = (*argument[:3], _widened(argument[3], groups, sure, floating=floating))
            sure.add(argument[0])
        elif operation in _REPEATS:
            often = sure if argument[0] else set(sure)
            argument = (*argument[:2], _widened(argument[2], groups, often, floating=floating))
        elif operation is sre.BRANCH:
            argument = (None, [_widened(branch, groups, set(sure), floating=floating) for branch in argument[1]])
        made.append((operation, argument))
    return made
