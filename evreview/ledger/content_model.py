"""Compares what two schema nodes say of the members and items that they do not name."""

from __future__ import annotations

from typing import Final

from evreview.ledger.equality import written
from evreview.ledger.forms import same
from evreview.ledger.node_pair import NodePair
from evreview.shapes.view import Additional, Part, SchemaView, Sub
from evreview.vocab import MISSING, Aspect, Change, Json

_ANYTHING: Final[Json] = {}
_REFERRING: Final = ("$ref", "$dynamicRef", "$recursiveRef")


def compare_rest(pair: NodePair) -> None:
    """Compares what objects and arrays admit beyond their named members."""
    before, after = pair.before, pair.after
    if before.may_be("object") and after.may_be("object") and not _otherwise(pair):
        _open_or_closed(pair, "additionalProperties", "{*}", before.additional, after.additional)
        _open_or_closed(
            pair, "unevaluatedProperties", "{unevaluated}", before.unevaluated_properties, after.unevaluated_properties
        )
    if before.may_be("array") and after.may_be("array"):
        _open_or_closed(pair, "unevaluatedItems", "[unevaluated]", before.unevaluated_items, after.unevaluated_items)


def _otherwise(pair: NodePair) -> bool:
    """Compares what one side says of additional members and the other of unevaluated ones; False elsewhere."""
    old, new = _judging(pair.before), _judging(pair.after)
    if old is None or new is None or old[0] == new[0]:
        return False
    if not any(map(_deciding, (pair.before, pair.after))):
        _open_or_closed(pair, "additionalProperties", "{*}", old[1], new[1])
        return True
    released, candidate = (
        {name: side.forms.of(rest) if isinstance(rest, Sub) else rest}
        for (name, rest), side in ((old, pair.old), (new, pair.new))
    )
    pair.add(Aspect.CONTENT_MODEL, "additionalProperties", released, candidate, change=Change.CHANGED)
    return True


def _judging(view: SchemaView) -> tuple[str, Additional] | None:
    """The one keyword that judges members without a name, with what it says; None for none or two of them."""
    rests = (("additionalProperties", view.additional), ("unevaluatedProperties", view.unevaluated_properties))
    said = [(name, rest) for name, rest in rests if rest is not True]
    return said[0] if len(said) == 1 else None


def _deciding(view: SchemaView) -> bool:
    """True when branches of a node say which members are evaluated, or what they refer to is not known."""
    branches = (view.all_of, view.any_of, view.one_of, view.conditional, view.dependent_schemas)
    return any(branches) or not view.keywords.keys().isdisjoint(_REFERRING)


def _open_or_closed(pair: NodePair, facet: str, step: str, before: Additional, after: Additional) -> None:
    if isinstance(before, Sub) and isinstance(after, Sub):
        pair.go(step, before, after)
    elif before is not after:
        released = pair.old.forms.of(before) if isinstance(before, Sub) else before
        candidate = pair.new.forms.of(after) if isinstance(after, Sub) else after
        if not same(_open(released), _open(candidate)):
            pair.add(Aspect.CONTENT_MODEL, facet, _open(released), _open(candidate), change=Change.CHANGED)


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
    if before.items is False or after.items is False:
        _open_or_closed(pair, "items", "[]", before.items, after.items)
    elif before.items is not True or after.items is not True:
        pair.go("[]", _anything(before.items, pair.released), _anything(after.items, pair.candidate))
    for at in range(max(len(before.prefix), len(after.prefix))):
        if at < min(len(before.prefix), len(after.prefix)):
            pair.go(f"[{at}]", before.prefix[at], after.prefix[at])
        else:
            released = pair.old.forms.of(before.prefix[at]) if at < len(before.prefix) else MISSING
            candidate = pair.new.forms.of(after.prefix[at]) if at < len(after.prefix) else MISSING
            pair.add(Aspect.CONTENT_MODEL, "prefixItems", released, candidate, steps=(f"[{at}]",))


def _anything(sub: Additional, near: Sub) -> Sub:
    return sub if isinstance(sub, Sub) else Sub((Part(_ANYTHING, near.place),))
