"""Compares what two schema nodes say of the members and items that they do not name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from evreview.comparison.node_pair import written
from evreview.comparison.wire_forms import same
from evreview.core.vocabulary import MISSING, Aspect, Change, Json
from evreview.ledger.node_pair import NodePair, Side
from evreview.schema.view import Additional, Part, SchemaView, Sub

_ANYTHING: Final[Json] = {}
_COMPOSED: Final = frozenset({"allOf", "anyOf", "oneOf"})
_REFERRING: Final = ("$ref", "$dynamicRef", "$recursiveRef")


class _Rest(NamedTuple):
    """A keyword that judges what has no name or place of its own, its step in addresses, and what a view says by it."""

    keyword: str
    step: str
    of: Callable[[SchemaView], Additional]


# Of two keywords the second one judges what is left when all branches have had their say.
_MEMBERS: Final = (
    _Rest("additionalProperties", "{*}", lambda view: view.additional),
    _Rest("unevaluatedProperties", "{unevaluated}", lambda view: view.unevaluated_properties),
)
_ITEMS: Final = (
    _Rest("items", "[]", lambda view: view.items),
    _Rest("unevaluatedItems", "[unevaluated]", lambda view: view.unevaluated_items),
)


def compare_rest(pair: NodePair) -> None:
    """Compares what objects admit beyond their named members."""
    if pair.before.may_be("object") and pair.after.may_be("object") and not _otherwise(pair, _MEMBERS):
        for rest in _MEMBERS:
            _open_or_closed(pair, rest, rest.of(pair.before), rest.of(pair.after))


def _otherwise(pair: NodePair, rests: tuple[_Rest, _Rest]) -> bool:
    """Compares what one side says of all others and the other side of those left unevaluated; False elsewhere."""
    old, new = _judging(pair.before, rests), _judging(pair.after, rests)
    if old is None or new is None or old is new:
        return False
    before, after = old.of(pair.before), new.of(pair.after)
    if not any(_deciding(view, rests) for view in (pair.before, pair.after)):
        _open_or_closed(pair, rests[0], before, after)
        return True
    released, candidate = (
        {rest.keyword: side.forms.of(said) if isinstance(said, Sub) else said}
        for rest, said, side in ((old, before, pair.old), (new, after, pair.new))
    )
    pair.add(Aspect.CONTENT_MODEL, rests[0].keyword, released, candidate, change=Change.CHANGED)
    return True


def _judging(view: SchemaView, rests: tuple[_Rest, _Rest]) -> _Rest | None:
    """The one keyword that judges what has no name or place of its own; None for none or two of them."""
    said = [rest for rest in rests if rest.of(view) is not True]
    return said[0] if len(said) == 1 else None


def _deciding(view: SchemaView, rests: tuple[_Rest, _Rest]) -> bool:
    """True when other parts of a node say what is left unevaluated, or what they refer to is not known."""
    branches = (view.all_of, view.any_of, view.one_of, view.conditional, view.dependent_schemas)
    found = any(branches) or (rests is _ITEMS and view.contains is not None)
    return found or not view.keywords.keys().isdisjoint(_REFERRING)


def _open_or_closed(pair: NodePair, rest: _Rest, before: Additional, after: Additional) -> None:
    if isinstance(before, Sub) and isinstance(after, Sub):
        pair.go(rest.step, before, after)
    elif before is not after:
        released = pair.old.forms.of(before) if isinstance(before, Sub) else before
        candidate = pair.new.forms.of(after) if isinstance(after, Sub) else after
        if not same(_open(released), _open(candidate)):
            pair.add(Aspect.CONTENT_MODEL, rest.keyword, _open(released), _open(candidate), change=Change.CHANGED)


def _open(form: Json) -> Json:
    return True if form == {} else form


def other_expression(pair: NodePair) -> frozenset[str]:
    """Records that members of one schema are found by another expression now; the two expressions, none elsewhere."""
    before, after = pair.before.patterns, pair.after.patterns
    gone, come = before.keys() - after.keys(), after.keys() - before.keys()
    if len(gone) != 1 or len(come) != 1:
        return frozenset()
    (old,), (new,) = gone, come
    texts = [written(part.node) for sub in (before[old], after[new]) for part in sub.parts]
    if len(texts) != 2 or texts[0] is None or texts[0] != texts[1]:
        return frozenset()
    if any(f'"{name}"'.encode() in texts[0] for name in _REFERRING):
        # A component may differ where both refer to it by one name.
        return frozenset()
    released, candidate = {old: pair.old.forms.of(before[old])}, {new: pair.new.forms.of(after[new])}
    pair.add(Aspect.CONTENT_MODEL, "patternProperties", released, candidate, change=Change.CHANGED)
    return frozenset({old, new})


def compare_items(pair: NodePair) -> None:
    """Compares what arrays say of their items, and goes on below them."""
    before, after = pair.before, pair.after
    if not (before.may_be("array") and after.may_be("array")):
        return
    if not _otherwise(pair, _ITEMS):
        _judged_alike(pair)
    for at in range(max(len(before.prefix), len(after.prefix))):
        if at < min(len(before.prefix), len(after.prefix)):
            pair.go(f"[{at}]", before.prefix[at], after.prefix[at])
        else:
            released = pair.old.forms.of(before.prefix[at]) if at < len(before.prefix) else MISSING
            candidate = pair.new.forms.of(after.prefix[at]) if at < len(after.prefix) else MISSING
            pair.add(Aspect.CONTENT_MODEL, "prefixItems", released, candidate, steps=(f"[{at}]",))


def _judged_alike(pair: NodePair) -> None:
    before, after = pair.before.items, pair.after.items
    late = _ITEMS[1]
    _open_or_closed(pair, late, late.of(pair.before), late.of(pair.after))
    if before is False or after is False:
        _open_or_closed(pair, _ITEMS[0], before, after)
    elif not _nothing_said(pair, before, after):
        pair.go("[]", _anything(before, pair.released), _anything(after, pair.candidate))


def _nothing_said(pair: NodePair, before: Additional, after: Additional) -> bool:
    """True when one side says nothing of its items, and what the other one writes refuses none.

    Then no two nodes stand for them: what is written differently differs in the arrays.
    """
    if before is after:
        return True
    if isinstance(before, Sub) and isinstance(after, Sub):
        return False
    return _empty_choice(pair.old, before) if isinstance(before, Sub) else _empty_choice(pair.new, after)


def _empty_choice(side: Side, said: Additional) -> bool:
    """True for a composition, and nothing beside it, that refuses nothing."""
    if not isinstance(said, Sub):
        return False
    nodes = [part.node for part in side.views.resolve(said).parts]
    composed = all(isinstance(node, dict) and node and _COMPOSED.issuperset(node) for node in nodes)
    return composed and side.forms.of(said) == {}


def _anything(sub: Additional, near: Sub) -> Sub:
    return sub if isinstance(sub, Sub) else Sub((Part(_ANYTHING, near.place),))
