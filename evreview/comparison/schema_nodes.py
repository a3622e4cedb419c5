"""Compares two schema nodes, never what stands below them: differences of the pair, and the pairs to look at next.

Nothing here knows direction, operations or addresses; the same pair is compared once for all its uses.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from evreview.comparison import delta as fact
from evreview.comparison.node_pair import NodePair, PairDifferences, SchemaReaders, written
from evreview.comparison.noise import NoiseReason, annotation_noise
from evreview.comparison.pairing import pair_branches, tags_of
from evreview.comparison.value_nodes import (
    compare_bounds,
    compare_enum,
    compare_keywords,
    compare_types,
    differs,
    discriminator_forms,
    selects_alike,
)
from evreview.comparison.wire_forms import ordered, same
from evreview.contract.model import ElementKind
from evreview.core.vocabulary import ABSENT, Aspect, Change, Json
from evreview.schema.discriminators import are_disjoint
from evreview.schema.view import Additional, Part, SchemaView, Sub, dependent_step, property_step

# Compares what two schema nodes say of the members and items that they do not name.


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
            released = pair.old.forms.of(before.prefix[at]) if at < len(before.prefix) else ABSENT
            candidate = pair.new.forms.of(after.prefix[at]) if at < len(after.prefix) else ABSENT
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


def _empty_choice(side: SchemaReaders, said: Additional) -> bool:
    """True for a composition, and nothing beside it, that refuses nothing."""
    if not isinstance(said, Sub):
        return False
    nodes = [part.node for part in side.views.resolve(said).parts]
    composed = all(isinstance(node, dict) and node and _COMPOSED.issuperset(node) for node in nodes)
    return composed and side.forms.of(said) == {}


def _anything(sub: Additional, near: Sub) -> Sub:
    return sub if isinstance(sub, Sub) else Sub((Part(_ANYTHING, near.place),))


_COMPOSITIONS: Final = (("allOf", "all_of"), ("anyOf", "any_of"), ("oneOf", "one_of"))


def compare_nodes(old: SchemaReaders, new: SchemaReaders, released: Sub, candidate: Sub) -> PairDifferences:
    """Every difference of two resolved schema positions, and the pairs of their members.

    Where one side's `allOf` can be merged and the other's can't, both are read as written if that shows less, and if
    its members can be told apart: numbered ones are called otherwise where the sides change places.
    """
    found = _compared(NodePair(old, new, released, candidate, old.views.view(released), new.views.view(candidate)))
    if any(row.facet == "allOf" and not row.reason for row in found.differences):
        sides = old.views.written(released), new.views.written(candidate)
        if _has_twins(old, sides[0]) or _has_twins(new, sides[1]):
            return found
        written = _compared(NodePair(old, new, released, candidate, *sides))
        return written if _shown(written) < _shown(found) else found
    return found


def _has_twins(side: SchemaReaders, view: SchemaView) -> bool:
    return any("." in label for label in side.views.labels(view, view.all_of))


def _shown(found: PairDifferences) -> int:
    return sum(not row.reason for row in found.differences)


def _compared(pair: NodePair) -> PairDifferences:
    annotation_noise(pair.before, pair.after, pair.released, pair.candidate, pair.found.differences)
    if _admission(pair) and _composition(pair) and compare_types(pair):
        compare_enum(pair)
        compare_bounds(pair)
        _properties(pair)
        compare_rest(pair)
        _members_by_key(pair)
        compare_items(pair)
        _single(pair)
    compare_keywords(pair, told=_by_branches(pair.before, pair.after))
    _shared_members(pair)
    return pair.found


def _admission(pair: NodePair) -> bool:
    if pair.before.never == pair.after.never:
        return not pair.before.never
    pair.add(Aspect.TYPES, "schema", pair.old.forms.of(pair.released), pair.new.forms.of(pair.candidate))
    return False


def _composition(pair: NodePair) -> bool:
    """Compares branches; False when composition replaced everything else."""
    before, after = pair.before, pair.after
    if before.composed != after.composed and _bare(before if before.composed else after):
        keyword = _keywords_of(before if before.composed else after)[0]
        pair.add(
            Aspect.COMPOSITION,
            keyword,
            pair.old.forms.of(pair.released),
            pair.new.forms.of(pair.candidate),
            change=Change.CHANGED,
        )
        return False  # its forms hold all that either side says of values
    mine, theirs = set(_keywords_of(before)), set(_keywords_of(after))
    for keyword, attribute in _COMPOSITIONS:
        if keyword in mine and keyword in theirs:
            _branches(pair, keyword, getattr(before, attribute), getattr(after, attribute))
    gone, come = sorted(mine - theirs), sorted(theirs - mine)
    if _condition_for(pair, gone, come):
        _respell_condition(pair, gone, come)
    else:
        _rephrased(pair, gone, come)
    if (before.discriminator is not None or after.discriminator is not None) and not selects_alike(pair):
        differs(pair, Aspect.DISCRIMINATORS, "discriminator", *discriminator_forms(pair))
    return True


def _by_branches(before: SchemaView, after: SchemaView) -> frozenset[str]:
    """The keywords that a choice took over into its branches, or left to them: its row tells what they limit."""
    if before.composed == after.composed:
        return frozenset()
    composed, plain = (before, after) if before.composed else (after, before)
    moved = _bare(composed) and not composed.all_of
    return frozenset(plain.keywords.keys() - composed.keywords.keys()) if moved else frozenset()


def _bare(view: SchemaView) -> bool:
    """True for a view that says nothing beside its composition."""
    return view.types is None and not view.properties and view.enum is None


def _keywords_of(view: SchemaView) -> list[str]:
    return [keyword for keyword, attribute in _COMPOSITIONS if getattr(view, attribute)]


def _rephrased(pair: NodePair, gone: list[str], come: list[str]) -> None:
    """Compositions of one keyword that became those of another, or appeared, or went."""
    names = dict(_COMPOSITIONS)
    for at in range(max(len(gone), len(come))):
        old_key = gone[at] if at < len(gone) else ""
        new_key = come[at] if at < len(come) else ""
        released = getattr(pair.before, names[old_key]) if old_key else ()
        candidate = getattr(pair.after, names[new_key]) if new_key else ()
        old_forms = ordered(pair.old.forms.of(sub, 1) for sub in released)
        new_forms = ordered(pair.new.forms.of(sub, 1) for sub in candidate)
        both = bool(old_key and new_key)
        same_branches = {old_key, new_key} == {"anyOf", "oneOf"} and _go_on(pair, old_key, released, candidate)
        pair.add(
            Aspect.COMPOSITION,
            old_key or new_key,
            ({old_key: old_forms} if both else old_forms) if old_key else ABSENT,
            ({new_key: new_forms} if both else new_forms) if new_key else ABSENT,
            facts={fact.SAME_BRANCHES: True} if same_branches else {},
            reason=NoiseReason.EXCLUDING
            if same_branches and _exclude_each_other(pair, old_key, released, candidate)
            else "",
        )
        if both and {old_key, new_key} != {"anyOf", "oneOf"}:
            _equal_branches(pair, old_key, released, candidate)


def _condition_for(pair: NodePair, gone: Sequence[str], come: Sequence[str]) -> bool:
    """True when compositions stand where the other side has a condition: one edit, however much of it is new."""
    before, after = bool(pair.before.conditional), bool(pair.after.conditional)
    return before is not after and bool(come) is before and bool(gone) is after


def _respell_condition(pair: NodePair, gone: Sequence[str], come: Sequence[str]) -> None:
    """Records the one row of a condition that took the place of compositions, or the other way round."""
    names = dict(_COMPOSITIONS)

    def form(side: SchemaReaders, view: SchemaView, keywords: Sequence[str]) -> Json:
        branches: dict[str, Json] = {
            keyword: ordered(side.forms.of(sub, 1) for sub in getattr(view, names[keyword])) for keyword in keywords
        }
        return branches or {keyword: side.forms.of(sub, 1) for keyword, sub in view.conditional.items()}

    released, candidate = form(pair.old, pair.before, gone), form(pair.new, pair.after, come)
    pair.add(Aspect.COMPOSITION, (*gone, *come)[0], released, candidate)


def _go_on(pair: NodePair, keyword: str, released: tuple[Sub, ...], candidate: tuple[Sub, ...]) -> bool:
    """Goes on below the branches that have a counterpart; True when all have one."""
    labels = pair.old.views.labels(pair.before, released)
    tags = tags_of(pair, released, candidate)
    paired, gone, come = pair_branches(pair.old, pair.new, released, candidate, tags)
    for left, right in paired:
        pair.go(f"{keyword}({labels[left]})", released[left], candidate[right])
    return not gone and not come


def _exclude_each_other(pair: NodePair, old_key: str, released: tuple[Sub, ...], candidate: tuple[Sub, ...]) -> bool:
    """True when the side that asks for exactly one branch could as well ask for any."""
    side, branches = (pair.old, released) if old_key == "oneOf" else (pair.new, candidate)
    return are_disjoint([side.view(branch) for branch in branches], side.view)


def _equal_branches(pair: NodePair, keyword: str, released: tuple[Sub, ...], candidate: tuple[Sub, ...]) -> None:
    """Goes on below branches that refer to the same schema; the row already shows all others."""
    labels = pair.old.views.labels(pair.before, released)
    for left, sub in enumerate(released):
        target = pair.old.views.resolve(sub)
        for other in candidate:
            found = pair.new.views.resolve(other)
            if target.key != sub.key and found.key != other.key and _tail(target) == _tail(found):
                pair.go(f"{keyword}({labels[left]})", sub, other)


def _branches(pair: NodePair, keyword: str, released: tuple[Sub, ...], candidate: tuple[Sub, ...]) -> None:
    labels = pair.old.views.labels(pair.before, released)
    # What all branches of an `allOf` have in common tells none of them apart.
    tags = tags_of(pair, released, candidate) if keyword != "allOf" else ()
    paired, gone, come = pair_branches(pair.old, pair.new, released, candidate, tags)
    for left, right in paired:
        pair.go(f"{keyword}({labels[left]})", released[left], candidate[right])
    for at in gone:
        form = pair.old.forms.of(released[at])
        pair.found.lost.append((f"{keyword}({labels[at]})", released[at]))
        pair.add(Aspect.COMPOSITION, keyword, form, ABSENT, released_place=released[at].place)
    for at in come:
        form = pair.new.forms.of(candidate[at])
        pair.add(Aspect.COMPOSITION, keyword, ABSENT, form, candidate_place=candidate[at].place)


def _properties(pair: NodePair) -> None:
    before, after = pair.before, pair.after
    if not (before.may_be("object") and after.may_be("object")):
        return
    for name in sorted(before.properties.keys() & after.properties.keys()):
        old, new = before.properties[name], after.properties[name]
        pair.go_property(property_step(name), old, new, required=name in before.required)
    for name in sorted(before.properties.keys() - after.properties.keys()):
        _field(pair, name, pair.old, before, gone=True)
    for name in sorted(after.properties.keys() - before.properties.keys()):
        _field(pair, name, pair.new, after, gone=False)
    # A row about the whole member says what its own side demands; what the other side demands of it has its own row.
    told = {
        name
        for view, other in ((before, after), (after, before))
        for name in view.required & (view.properties.keys() - other.properties.keys())
    }
    for name in sorted((before.required ^ after.required) - told):
        _requiredness(pair, name)


def _field(pair: NodePair, name: str, side: SchemaReaders, view: SchemaView, *, gone: bool) -> None:
    sub = view.properties[name]
    form = side.forms.of(sub)
    if gone:
        pair.found.lost.append((property_step(name), sub))
    pair.add(
        Aspect.FIELDS,
        "",
        form if gone else ABSENT,
        ABSENT if gone else form,
        steps=(property_step(name),),
        name=name,
        element=ElementKind.PROPERTY,
        facts=_field_facts(pair, side.view(sub), name in view.required),
        **({"released_place": sub.place} if gone else {"candidate_place": sub.place}),
    )


def _field_facts(pair: NodePair, view: SchemaView, required: bool) -> dict[str, Json]:
    found: dict[str, Json] = {
        fact.REQUIRED: required,
        fact.HAS_DEFAULT: "default" in view.keywords,
        fact.READ_ONLY: view.flag("readOnly"),
        fact.WRITE_ONLY: view.flag("writeOnly"),
        fact.RELEASED_CLOSED: pair.before.closed,
        fact.CANDIDATE_CLOSED: pair.after.closed,
        fact.DEPRECATED: view.flag("deprecated"),
    }
    if view.types is not None:
        found[fact.TYPE] = sorted(view.types)
    if "x-sunset" in view.annotations:
        found[fact.SUNSET] = view.annotations["x-sunset"]
    return found


def _requiredness(pair: NodePair, name: str) -> None:
    before, after = pair.before, pair.after
    old_sub, new_sub = before.properties.get(name), after.properties.get(name)
    views = [side.view(sub) for side, sub in ((pair.new, new_sub), (pair.old, old_sub)) if sub is not None]
    facts: dict[str, Json] = {
        fact.REQUIRED: name in before.required,
        fact.HAS_DEFAULT: bool(views) and "default" in views[0].keywords,
        fact.READ_ONLY: bool(views) and all(view.flag("readOnly") for view in views),
        fact.WRITE_ONLY: bool(views) and all(view.flag("writeOnly") for view in views),
    }
    pair.add(
        Aspect.REQUIREDNESS,
        "required",
        name in before.required,
        name in after.required,
        steps=(property_step(name),),
        name=name,
        element=ElementKind.PROPERTY,
        facts=facts,
        released_place=old_sub.place if old_sub else pair.released.place,
        candidate_place=new_sub.place if new_sub else pair.candidate.place,
    )


def _members_by_key(pair: NodePair) -> None:
    """Pattern members, dependent schemas and conditions: members with a key that is no field."""
    before, after = pair.before, pair.after
    said = other_expression(pair)
    groups = (
        (Aspect.CONTENT_MODEL, "patternProperties", before.patterns, after.patterns),
        (Aspect.COMPOSITION, "dependentSchemas", before.dependent_schemas, after.dependent_schemas),
        *_conditions(pair),
    )
    for aspect, facet, mine, theirs in groups:
        for name in sorted((mine.keys() | theirs.keys()) - (said if facet == "patternProperties" else frozenset())):
            left, right = mine.get(name), theirs.get(name)
            step = {"patternProperties": "{~" + name + "}", "dependentSchemas": dependent_step(name)}.get(facet, name)
            if left is not None and right is not None:
                pair.go(step, left, right)
            else:
                _one_sided(pair, (aspect, facet, step), left, right)
    for name in sorted(before.dependent_required.keys() | after.dependent_required.keys()):
        listed = [sorted(view.dependent_required.get(name, ())) or ABSENT for view in (before, after)]
        if listed[0] != listed[1]:
            pair.add(Aspect.REQUIREDNESS, "dependentRequired", listed[0], listed[1], steps=(dependent_step(name),))


def _conditions(pair: NodePair) -> Iterator[tuple[Aspect, str, Mapping[str, Sub], Mapping[str, Sub]]]:
    """`if`, `then` and `else` one by one where both sides have a condition; one row where only one side has."""
    before, after = pair.before.conditional, pair.after.conditional
    if bool(before) is bool(after):
        yield Aspect.COMPOSITION, "if", before, after
        return
    mine, theirs = set(_keywords_of(pair.before)), set(_keywords_of(pair.after))
    if _condition_for(pair, sorted(mine - theirs), sorted(theirs - mine)):
        return
    released, candidate = (
        {keyword: side.forms.of(sub) for keyword, sub in conditional.items()} or ABSENT
        for side, conditional in ((pair.old, before), (pair.new, after))
    )
    pair.add(Aspect.COMPOSITION, "if", released, candidate)


def _one_sided(pair: NodePair, what: tuple[Aspect, str, str], left: Sub | None, right: Sub | None) -> None:
    aspect, facet, step = what
    released = pair.old.forms.of(left) if left is not None else ABSENT
    candidate = pair.new.forms.of(right) if right is not None else ABSENT
    pair.add(aspect, facet, released, candidate, steps=(step,) if step else ())


def _single(pair: NodePair) -> None:
    before, after = pair.before, pair.after
    for aspect, facet, step, left, right in (
        (Aspect.CONTENT_MODEL, "propertyNames", "{names}", before.property_names, after.property_names),
        (Aspect.CONTENT_MODEL, "contains", "[contains]", before.contains, after.contains),
        (Aspect.COMPOSITION, "not", "not", before.negated, after.negated),
    ):
        if left is not None and right is not None:
            pair.go(step, left, right, reverses=facet == "not")
        elif left is not right:
            _one_sided(pair, (aspect, facet, ""), left, right)


def _shared_members(pair: NodePair) -> None:
    """Shared schemas merged into both views: paired by name, then as branches are, then in order of writing."""
    before, after = list(pair.before.members), list(pair.after.members)
    if _wrapped(pair, before, after):
        return
    for member in pair.before.members:
        other = next((other for other in after if _tail(other) == _tail(member)), None)
        if other is not None:
            pair.go("", member, other)
            before.remove(member)
            after.remove(other)
    paired, gone, come = pair_branches(pair.old, pair.new, before, after)
    if len(gone) == len(come):
        paired += zip(gone, come, strict=True)
    for left, right in paired:
        pair.go("", before[left], after[right])


def _wrapped(pair: NodePair, before: list[Sub], after: list[Sub]) -> bool:
    """True when one side only wraps the component that the other side is: then that component is the shared one."""
    inside = next((member for member in after if _tail(member) == _tail(pair.released)), None)
    around = next((member for member in before if _tail(member) == _tail(pair.candidate)), None)
    if inside is not None and inside.key != pair.candidate.key:
        pair.go("", pair.released, inside)
    elif around is not None and around.key != pair.released.key:
        pair.go("", around, pair.candidate)
    else:
        return False
    return True


def _tail(sub: Sub) -> str:
    return sub.place.pointer.rsplit("/", 1)[-1]


def renamed(released: Sub, candidate: Sub) -> Iterator[tuple[str, str]]:
    """The references of both sides, where they name different components; "" for a side that is written in place."""
    for left, right in zip(released.parts, candidate.parts, strict=False):
        old, new = _reference(left), _reference(right)
        if old != new and old.rsplit("/", 1)[-1] != new.rsplit("/", 1)[-1]:
            yield old, new


def _reference(part: Part) -> str:
    ref = part.node.get("$ref") if isinstance(part.node, dict) else None
    return ref if isinstance(ref, str) else ""
