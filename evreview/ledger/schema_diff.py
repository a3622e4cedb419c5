"""Compares two schema nodes, never what stands below them: differences of the pair, and the pairs to look at next.

Nothing here knows polarity, operations or addresses; the same pair is compared once for all its uses.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from evreview.contracts.model import ElementKind
from evreview.ledger import facts as fact
from evreview.ledger.branches import pair_branches
from evreview.ledger.difference import Difference
from evreview.ledger.forms import Forms, discriminator_form, ordered, same
from evreview.ledger.keywords import ASPECTS, RELEVANT
from evreview.ledger.noise import IDLE, annotation_noise
from evreview.shapes.view import Additional, Bound, Part, SchemaView, Sub, property_step
from evreview.shapes.views import Views
from evreview.vocab import MISSING, Aspect, Change, Form, Json

_ANYTHING: Final[Json] = {}
_COMPOSITIONS: Final = (("allOf", "all_of"), ("anyOf", "any_of"), ("oneOf", "one_of"))


class Step(NamedTuple):
    """A pair of members one step below a pair."""

    step: str
    flips: bool
    released: Sub
    candidate: Sub


@dataclass(slots=True)
class Found:
    """What one pair shows: its differences (noise among them), the pairs below it, and released members that went."""

    differences: list[Difference] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)
    lost: list[tuple[str, Sub]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Side:
    """One contract's readers of schemas."""

    views: Views
    forms: Forms

    def view(self, sub: Sub) -> SchemaView:
        return self.views.view(self.views.resolve(sub))


@dataclass(slots=True)
class NodePair:
    """Two resolved schema positions with their views, and what is found between them."""

    old: Side
    new: Side
    released: Sub
    candidate: Sub
    before: SchemaView
    after: SchemaView
    found: Found = field(default_factory=Found)

    def add(self, aspect: Aspect, facet: str, released: Form, candidate: Form, **more: object) -> None:
        """Records a difference of this pair."""
        fields = {"released_place": self.released.place, "candidate_place": self.candidate.place, **more}
        self.found.differences.append(
            Difference(aspect=aspect, facet=facet, released=released, candidate=candidate, **fields)  # type: ignore[arg-type]
        )

    def go(self, step: str, released: Sub, candidate: Sub, *, flips: bool = False) -> None:
        """Asks for a pair below this one."""
        self.found.steps.append(Step(step, flips, released, candidate))


def compare_nodes(old: Side, new: Side, released: Sub, candidate: Sub) -> Found:
    """Every difference of two resolved schema positions, and the pairs of their members."""
    pair = NodePair(old, new, released, candidate, old.views.view(released), new.views.view(candidate))
    annotation_noise(pair.before, pair.after, released, candidate, pair.found.differences)
    if _admission(pair) and _composition(pair) and _types(pair):
        _enum(pair)
        _bounds(pair)
        _properties(pair)
        _content_model(pair)
        _members_by_key(pair)
        _arrays(pair)
        _single(pair)
    _keywords(pair)
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
        return False
    mine, theirs = set(_keywords_of(before)), set(_keywords_of(after))
    for keyword, attribute in _COMPOSITIONS:
        if keyword in mine and keyword in theirs:
            _branches(pair, keyword, getattr(before, attribute), getattr(after, attribute))
    _rephrased(pair, sorted(mine - theirs), sorted(theirs - mine))
    if before.discriminator is not None or after.discriminator is not None:
        _differs(pair, Aspect.DISCRIMINATORS, "discriminator", discriminator_form(before), discriminator_form(after))
    return True


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
        pair.add(
            Aspect.COMPOSITION,
            old_key or new_key,
            ({old_key: old_forms} if both else old_forms) if old_key else MISSING,
            ({new_key: new_forms} if both else new_forms) if new_key else MISSING,
        )
        if both:
            _branches(pair, old_key, released, candidate)


def _branches(pair: NodePair, keyword: str, released: tuple[Sub, ...], candidate: tuple[Sub, ...]) -> None:
    labels = pair.old.views.labels(pair.before, released)
    paired, gone, come = pair_branches(pair.old, pair.new, released, candidate)
    for left, right in paired:
        pair.go(f"{keyword}({labels[left]})", released[left], candidate[right])
    for at in gone:
        form = pair.old.forms.of(released[at])
        pair.found.lost.append((f"{keyword}({labels[at]})", released[at]))
        pair.add(Aspect.COMPOSITION, keyword, form, MISSING, released_place=released[at].place)
    for at in come:
        form = pair.new.forms.of(candidate[at])
        pair.add(Aspect.COMPOSITION, keyword, MISSING, form, candidate_place=candidate[at].place)


def _types(pair: NodePair) -> bool:
    """Compares types and null; False when the types have nothing in common, so that the rest can't be compared."""
    before, after = pair.before, pair.after
    overlap = before.types is None or after.types is None or before.may_be(*after.types) or after.may_be(*before.types)
    if before.types != after.types:
        pair.add(Aspect.TYPES, "type", before.type_form, after.type_form)
    if (
        before.null != after.null
        and _says_null(before)
        and _says_null(after)
        and (overlap or before.types == after.types)
    ):
        pair.add(Aspect.NULLABILITY, "nullable", before.null, after.null)
    return overlap


def _says_null(view: SchemaView) -> bool:
    return view.typed or view.composed or view.enum is not None


def _enum(pair: NodePair) -> None:
    before, after = pair.before.enum, pair.after.enum
    if before is None and after is None:
        return
    released: Form = MISSING if before is None else ordered(before)
    candidate: Form = MISSING if after is None else ordered(after)
    extensible = {fact.EXTENSIBLE: True} if "x-extensible-enum" in pair.before.keywords else {}
    if before is None or after is None:
        pair.add(Aspect.ENUMS, "enum", released, candidate, facts={fact.ENUM_WHOLE: True, **extensible})
        return
    gone = ordered(value for value in before if not any(same(value, other) for other in after))
    come = ordered(value for value in after if not any(same(value, other) for other in before))
    shared = {**extensible, fact.ADDED_VALUES: come, fact.REMOVED_VALUES: gone}
    if come:
        pair.add(Aspect.ENUMS, "enum", released, candidate, change=Change.ADDED, facts=shared)
    if gone:
        pair.add(Aspect.ENUMS, "enum", released, candidate, change=Change.REMOVED, facts=shared)


def _bounds(pair: NodePair) -> None:
    concerned = pair.before.may_be("number", "integer") and pair.after.may_be("number", "integer")
    if not concerned and pair.before.types != pair.after.types:
        return
    for name, before, after in (
        ("minimum", pair.before.minimum, pair.after.minimum),
        ("maximum", pair.before.maximum, pair.after.maximum),
    ):
        if before != after:
            facet, released, candidate = _bound_forms(name, before, after)
            pair.add(Aspect.NUMERIC_RANGES, facet, released, candidate, reason="" if concerned else IDLE)


def _bound_forms(name: str, before: Bound | None, after: Bound | None) -> tuple[str, Form, Form]:
    """Plain numbers where both sides are of one kind, so that a rule can compare them."""
    exclusive = [bound.exclusive for bound in (before, after) if bound is not None]
    if all(exclusive):
        name = "exclusive" + name[0].upper() + name[1:]
    mixed = any(exclusive) and not all(exclusive)

    def form(bound: Bound | None) -> Form:
        if bound is None:
            return MISSING
        return bound.form if mixed else bound.value

    return name, form(before), form(after)


def _keywords(pair: NodePair) -> None:
    before, after = pair.before.keywords, pair.after.keywords
    for name in sorted(before.keys() | after.keys()):
        relevant = RELEVANT.get(name, ())
        if relevant and not (_concerns(pair.before, relevant) and _concerns(pair.after, relevant)):
            if pair.before.types == pair.after.types and not same(before.get(name, MISSING), after.get(name, MISSING)):
                pair.add(ASPECTS[name], name, before.get(name, MISSING), after.get(name, MISSING), reason=IDLE)
            continue
        _differs(pair, ASPECTS[name], name, before.get(name, MISSING), after.get(name, MISSING))


def _concerns(view: SchemaView, types: tuple[str, ...]) -> bool:
    return view.may_be(*types)


def _differs(pair: NodePair, aspect: Aspect, facet: str, released: Form | None, candidate: Form | None) -> None:
    before: Form = MISSING if released is None and facet == "discriminator" else released
    after: Form = MISSING if candidate is None and facet == "discriminator" else candidate
    if not same(before, after):
        pair.add(aspect, facet, before, after)


def _properties(pair: NodePair) -> None:
    before, after = pair.before, pair.after
    if not (before.may_be("object") and after.may_be("object")):
        return
    for name in sorted(before.properties.keys() & after.properties.keys()):
        pair.go(property_step(name), before.properties[name], after.properties[name])
    for name in sorted(before.properties.keys() - after.properties.keys()):
        _field(pair, name, pair.old, before, gone=True)
    for name in sorted(after.properties.keys() - before.properties.keys()):
        _field(pair, name, pair.new, after, gone=False)
    whole = before.properties.keys() ^ after.properties.keys()
    for name in sorted((before.required ^ after.required) - whole):
        _requiredness(pair, name)


def _field(pair: NodePair, name: str, side: Side, view: SchemaView, *, gone: bool) -> None:
    sub = view.properties[name]
    form = side.forms.of(sub)
    if gone:
        pair.found.lost.append((property_step(name), sub))
    pair.add(
        Aspect.FIELDS,
        "",
        form if gone else MISSING,
        MISSING if gone else form,
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


def _content_model(pair: NodePair) -> None:
    """What objects and arrays admit beyond their named members."""
    before, after = pair.before, pair.after
    if before.may_be("object") and after.may_be("object"):
        _open_or_closed(pair, "additionalProperties", "{*}", before.additional, after.additional)
        _open_or_closed(
            pair, "unevaluatedProperties", "{unevaluated}", before.unevaluated_properties, after.unevaluated_properties
        )
    if before.may_be("array") and after.may_be("array"):
        _open_or_closed(pair, "unevaluatedItems", "[unevaluated]", before.unevaluated_items, after.unevaluated_items)


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


def _arrays(pair: NodePair) -> None:
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


def _members_by_key(pair: NodePair) -> None:
    """Pattern members, dependent schemas and conditions: members with a key that is no field."""
    before, after = pair.before, pair.after
    groups = (
        (Aspect.CONTENT_MODEL, "patternProperties", before.patterns, after.patterns),
        (Aspect.COMPOSITION, "dependentSchemas", before.dependent_schemas, after.dependent_schemas),
        (Aspect.COMPOSITION, "if", before.conditional, after.conditional),
    )
    for aspect, facet, mine, theirs in groups:
        for name in sorted(mine.keys() | theirs.keys()):
            left, right = mine.get(name), theirs.get(name)
            step = {"patternProperties": "{~" + name + "}", "dependentSchemas": f"if has {property_step(name)}"}.get(
                facet, name
            )
            if left is not None and right is not None:
                pair.go(step, left, right)
            else:
                _one_sided(pair, (aspect, facet, step), left, right)
    for name in sorted(before.dependent_required.keys() | after.dependent_required.keys()):
        listed = [sorted(view.dependent_required.get(name, ())) or MISSING for view in (before, after)]
        if listed[0] != listed[1]:
            pair.add(
                Aspect.REQUIREDNESS, "dependentRequired", listed[0], listed[1], steps=(f"if has {property_step(name)}",)
            )


def _one_sided(pair: NodePair, what: tuple[Aspect, str, str], left: Sub | None, right: Sub | None) -> None:
    aspect, facet, step = what
    released = pair.old.forms.of(left) if left is not None else MISSING
    candidate = pair.new.forms.of(right) if right is not None else MISSING
    pair.add(aspect, facet, released, candidate, steps=(step,) if step else ())


def _single(pair: NodePair) -> None:
    before, after = pair.before, pair.after
    for aspect, facet, step, left, right in (
        (Aspect.CONTENT_MODEL, "propertyNames", "{names}", before.property_names, after.property_names),
        (Aspect.CONTENT_MODEL, "contains", "[contains]", before.contains, after.contains),
        (Aspect.COMPOSITION, "not", "not", before.negated, after.negated),
    ):
        if left is not None and right is not None:
            pair.go(step, left, right, flips=facet == "not")
        elif left is not right:
            _one_sided(pair, (aspect, facet, ""), left, right)


def _shared_members(pair: NodePair) -> None:
    """Shared schemas merged into both views, paired by the name they are referred to with."""
    theirs = {_tail(member): member for member in pair.after.members}
    for member in pair.before.members:
        if (other := theirs.get(_tail(member))) is not None:
            pair.go("", member, other)


def _tail(sub: Sub) -> str:
    return sub.place.pointer.rsplit("/", 1)[-1]


def renamed(released: Sub, candidate: Sub) -> Iterator[tuple[str, str]]:
    """The references of both sides, where they name different components."""
    for left, right in zip(released.parts, candidate.parts, strict=False):
        old = left.node.get("$ref") if isinstance(left.node, dict) else None
        new = right.node.get("$ref") if isinstance(right.node, dict) else None
        if isinstance(old, str) and isinstance(new, str) and old.rsplit("/", 1)[-1] != new.rsplit("/", 1)[-1]:
            yield old, new
