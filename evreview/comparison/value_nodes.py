"""Compares what two schema nodes say about a value itself: types, null, enum, bounds and scalar keywords."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Final

from evreview.comparison import delta as fact
from evreview.comparison.delta import Delta
from evreview.comparison.node_pair import NodePair, PairDifferences, SchemaReaders
from evreview.comparison.noise import NoiseReason
from evreview.comparison.pairing import named_branches, pair_branches, tags_among, tags_of, tail
from evreview.comparison.wire_forms import canonical, discriminator_form, ordered, same
from evreview.contract.model import Place, SchemaDialect
from evreview.core.json_pointer import follow
from evreview.core.vocabulary import ABSENT, Aspect, Change, Form, Json
from evreview.schema.reader import BOUNDS, discriminator_of, json_type, marks_nullable, non_wire_nullable
from evreview.schema.view import Bound, Discriminator, Part, SchemaView, Sub, property_step
from evreview.schema.wire_text import BINARY_NAMES, is_binary

# Scalar schema keywords: the aspect of each, and the types of value it says anything about. Data only.


_STRING: Final = ("string",)
_NUMBER: Final = ("number", "integer")
_ARRAY: Final = ("array",)
_OBJECT: Final = ("object",)

ASPECTS: Final[Mapping[str, Aspect]] = {
    "multipleOf": Aspect.NUMERIC_RANGES,
    "minLength": Aspect.LENGTHS,
    "maxLength": Aspect.LENGTHS,
    "pattern": Aspect.PATTERNS,
    "format": Aspect.FORMATS,
    "minItems": Aspect.LENGTHS,
    "maxItems": Aspect.LENGTHS,
    "uniqueItems": Aspect.CONTENT_MODEL,
    "minContains": Aspect.LENGTHS,
    "maxContains": Aspect.LENGTHS,
    "minProperties": Aspect.LENGTHS,
    "maxProperties": Aspect.LENGTHS,
    "readOnly": Aspect.ACCESS,
    "writeOnly": Aspect.ACCESS,
    "deprecated": Aspect.DEPRECATION,
    "default": Aspect.DEFAULTS,
    "contentEncoding": Aspect.ENCODINGS,
    "contentMediaType": Aspect.ENCODINGS,
    "contentSchema": Aspect.ENCODINGS,
    "collectionFormat": Aspect.SERIALISATION,
    "xml": Aspect.SERIALISATION,
    "$dynamicRef": Aspect.COMPOSITION,
    "$recursiveRef": Aspect.COMPOSITION,
    "$ref": Aspect.COMPOSITION,
    "x-extensible-enum": Aspect.ENUMS,
}

RELEVANT: Final[Mapping[str, tuple[str, ...]]] = {
    "multipleOf": _NUMBER,
    "minLength": _STRING,
    "maxLength": _STRING,
    "pattern": _STRING,
    "format": (*_STRING, *_NUMBER),
    "contentEncoding": _STRING,
    "contentMediaType": _STRING,
    "contentSchema": _STRING,
    "minItems": _ARRAY,
    "maxItems": _ARRAY,
    "uniqueItems": _ARRAY,
    "minContains": _ARRAY,
    "maxContains": _ARRAY,
    "collectionFormat": _ARRAY,
    "minProperties": _OBJECT,
    "maxProperties": _OBJECT,
}


_BASE64_NAMES: Final = ("contentEncoding", "format")
_NUMBERS: Final = ("number", "integer")


def compare_types(pair: NodePair) -> bool:
    """Compares types and null; False when the types have nothing in common, so that the rest can't be compared."""
    before, after = pair.before, pair.after
    if _only_null(before) is not _only_null(after):
        pair.add(Aspect.TYPES, "type", *(_with_null(view) for view in (before, after)))
        return False
    overlap = before.types is None or after.types is None or before.may_be(*after.types) or after.may_be(*before.types)
    if before.types != after.types and not (overlap and _said_by_enum(before, after)):
        pair.add(Aspect.TYPES, "type", before.type_form, after.type_form)
    if (
        before.null != after.null
        and _says_null(before)
        and _says_null(after)
        and (overlap or before.types == after.types)
    ):
        pair.add(Aspect.NULLABILITY, "nullable", before.null, after.null)
    elif before.null == after.null:
        _non_wire_nullable(pair)
    return overlap


def _only_null(view: SchemaView) -> bool:
    return view.types is not None and not view.types


def _with_null(view: SchemaView) -> Form:
    """The types, null among them: beside a value that is always null it is no aside."""
    if not view.null or not view.types:
        return view.type_form
    return ordered([*view.types, "null"])


def _said_by_enum(before: SchemaView, after: SchemaView) -> bool:
    """True where values of other types came into or went from an enumeration: its rows say all that the types say."""
    if "x-extensible-enum" in before.keywords or before.enum is None or after.enum is None:
        return False
    return not same(ordered(before.enum), ordered(after.enum)) and all(
        view.may_be(json_type(value)) for view in (before, after) for value in view.enum or ()
    )


def _non_wire_nullable(pair: NodePair) -> None:
    """One row where `nullable` came or went in a place without effect: noise where null may come anyway."""
    old, new = pair.released.parts[0].node, pair.candidate.parts[0].node
    said = marks_nullable(old, pair.old.views.dialect), marks_nullable(new, pair.new.views.dialect)
    non_wire = non_wire_nullable(old, pair.old.views.dialect) or non_wire_nullable(new, pair.new.views.dialect)
    if said[0] != said[1] and non_wire and pair.before.null:
        pair.add(Aspect.NULLABILITY, "nullable", *said, reason=NoiseReason.NON_WIRE_NULLABLE)
    elif said[0] != said[1] and non_wire:
        pair.add(Aspect.NULLABILITY, "nullable", *said, facts={fact.WITHOUT_EFFECT: True})


def _says_null(view: SchemaView) -> bool:
    return view.typed or view.composed or view.enum is not None


def compare_enum(pair: NodePair) -> None:
    """Compares the admitted values: one row for what came, one for what went, one when the list itself did."""
    before, after = pair.before.enum, pair.after.enum
    if before is None and after is None:
        return
    released: Form = ABSENT if before is None else ordered(before)
    candidate: Form = ABSENT if after is None else ordered(after)
    extensible = {fact.EXTENSIBLE: True} if "x-extensible-enum" in pair.before.keywords else {}
    if before is None or after is None:
        pair.add(Aspect.ENUMS, "enum", released, candidate, facts={fact.ENUM_WHOLE: True, **extensible})
        return
    known_before, known_after = ({canonical(value) for value in values} for values in (before, after))
    gone = ordered(value for value in before if canonical(value) not in known_after)
    come = ordered(value for value in after if canonical(value) not in known_before)
    shared = {**extensible, fact.ADDED_VALUES: come, fact.REMOVED_VALUES: gone}
    if come:
        pair.add(Aspect.ENUMS, "enum", released, candidate, change=Change.ADDED, facts=shared)
    if gone:
        pair.add(Aspect.ENUMS, "enum", released, candidate, change=Change.REMOVED, facts=shared)


def compare_bounds(pair: NodePair) -> None:
    """Compares minimum and maximum, whatever keyword spells them."""
    concerned = pair.before.may_be("number", "integer") and pair.after.may_be("number", "integer")
    if not concerned and pair.before.types != pair.after.types:
        return
    for name, before, after in (
        ("minimum", pair.before.minimum, pair.after.minimum),
        ("maximum", pair.before.maximum, pair.after.maximum),
    ):
        if before != after:
            facet, released, candidate = _bound_forms(name, before, after)
            pair.add(
                Aspect.NUMERIC_RANGES, facet, released, candidate, reason="" if concerned else NoiseReason.NON_WIRE
            )


def _bound_forms(name: str, before: Bound | None, after: Bound | None) -> tuple[str, Form, Form]:
    """Plain numbers where both sides are of one kind, so that a rule can compare them."""
    exclusive = [bound.exclusive for bound in (before, after) if bound is not None]
    if all(exclusive):
        name = "exclusive" + name[0].upper() + name[1:]
    mixed = any(exclusive) and not all(exclusive)

    def form(bound: Bound | None) -> Form:
        if bound is None:
            return ABSENT
        return bound.form if mixed else bound.value

    return name, form(before), form(after)


def compare_keywords(pair: NodePair, *, told: frozenset[str] = frozenset()) -> None:
    """Compares the scalar keywords; one that says nothing about these types is noise.

    Args:
        told: keywords of which the row of a choice tells, as far as they limit values.
    """
    before, after = pair.before.keywords, pair.after.keywords
    alike = _two_spellings(pair)
    for name in sorted(before.keys() | after.keys()):
        if name in alike or (name in told and name in RELEVANT):
            continue
        if not _speaks(pair, name):
            if pair.before.types == pair.after.types and not same(before.get(name, ABSENT), after.get(name, ABSENT)):
                pair.add(
                    ASPECTS[name], name, before.get(name, ABSENT), after.get(name, ABSENT), reason=NoiseReason.NON_WIRE
                )
            continue
        differs(pair, ASPECTS[name], name, before.get(name, ABSENT), after.get(name, ABSENT))


def _speaks(pair: NodePair, name: str) -> bool:
    """False for a keyword that says nothing about the types of one side: what a format of texts is to numbers."""
    relevant = RELEVANT.get(name, ())
    if name == "format":
        said = [str(view.keywords[name]) for view in (pair.before, pair.after) if name in view.keywords]
        return any(_both_may_be(pair, _NUMBERS if form in BOUNDS else ("string",)) for form in said)
    return not relevant or _both_may_be(pair, relevant)


def _two_spellings(pair: NodePair) -> tuple[str, ...]:
    """The keywords that say one thing in two versions' spelling, with a noise row; none for what may be two."""
    for named, is_said, reason in (
        (_BASE64_NAMES, _is_base64, NoiseReason.BASE64),
        (BINARY_NAMES, is_binary, NoiseReason.BINARY),
    ):
        sides = (pair.before, pair.old), (pair.after, pair.new)
        said = [{name: view.keywords[name] for name in named if name in view.keywords} for view, _ in sides]
        meant = (is_said(each, side.views.dialect) for each, (_, side) in zip(said, sides, strict=True))
        if not same(*said) and all(meant):
            pair.add(Aspect.ENCODINGS, named[0], *said, reason=reason)
            return named
    return ()


def _is_base64(said: Mapping[str, Form], dialect: SchemaDialect) -> bool:
    if said.get("format", "byte") != "byte":
        return False
    return str(said.get("contentEncoding", "base64")).lower() == "base64" and bool(said)


def _both_may_be(pair: NodePair, types: tuple[str, ...]) -> bool:
    return pair.before.may_be(*types) and pair.after.may_be(*types)


def differs(pair: NodePair, aspect: Aspect, facet: str, released: Form | None, candidate: Form | None) -> None:
    """Records a keyword whose two values are not the same; None stands for an absent discriminator."""
    before: Form = ABSENT if released is None and facet == "discriminator" else released
    after: Form = ABSENT if candidate is None and facet == "discriminator" else candidate
    if not same(before, after):
        pair.add(aspect, facet, before, after)


# What a discriminator says on both sides: its member, its values, and which of them came to name another branch.


def selects_alike(pair: NodePair) -> bool:
    """True when both discriminators select subtypes by the same values, some written and others implied by names."""
    before, after = pair.before.discriminator, pair.after.discriminator
    if before is None or after is None or before.written is None or after.written is None:
        return False
    if before.property != after.property or before.values.keys() == after.values.keys():
        return False
    return _all_values(pair.old, before) == _all_values(pair.new, after)


def compare_choices(old: SchemaReaders, new: SchemaReaders, released: Sub, candidate: Sub) -> PairDifferences:
    """What differs between the choices of two discriminators among subtypes, and the pairs of these subtypes."""
    pair = NodePair(old, new, released, candidate, old.views.view(released), new.views.view(candidate))
    before, after = pair.before.discriminator, pair.after.discriminator
    if before is None or after is None:
        return pair.found
    mine, theirs = old.views.selected(released), new.views.selected(candidate)
    reversed = _retargeted(pair, mine, theirs)
    for value in sorted(mine.keys() & theirs.keys()):
        pair.go(_step(before, value), mine[value], reversed.get(value, theirs[value]))
    for value in sorted(mine.keys() - theirs.keys()):
        pair.found.lost.append((_step(before, value), mine[value]))
    forms: list[dict[str, Json]] = [
        {"propertyName": said.property, "values": sorted(found)} for said, found in ((before, mine), (after, theirs))
    ]
    if reversed:
        forms[0]["branches"] = {value: _mark(old, mine[value]) for value in sorted(reversed)}
        forms[1]["branches"] = {value: _mark(new, theirs[value]) for value in sorted(reversed)}
    if reversed or same(discriminator_form(pair.before), discriminator_form(pair.after)):
        # Values that a mapping lists are a row of the schema itself already.
        differs(pair, Aspect.DISCRIMINATORS, "discriminator", *forms)
    return pair.found


def _all_values(side: SchemaReaders, discriminator: Discriminator) -> set[str]:
    return {*discriminator.values, *side.views.hierarchy.selected(discriminator)}


def _step(discriminator: Discriminator, value: str) -> str:
    name = property_step(discriminator.property)
    return "{" + ("\\" if name.startswith("~") else "") + f"{name}={property_step(value)}" + "}"


def _retargeted(pair: NodePair, mine: Mapping[str, Sub], theirs: Mapping[str, Sub]) -> dict[str, Sub]:
    """The values that name a subtype which is not the counterpart of the one before, with that counterpart."""
    both = sorted(mine.keys() & theirs.keys())
    if all(tail(mine[value]) == tail(theirs[value]) for value in both):
        return {}
    left = list({tail(mine[value]): mine[value] for value in both}.values())
    right = list({tail(theirs[value]): theirs[value] for value in both}.values())
    named = _positions(mine, left), _positions(theirs, right)
    tags = tags_among(pair, left, right, named)
    paired = {tail(left[one]): right[two] for one, two in pair_branches(pair.old, pair.new, left, right, tags)[0]}
    found = {value: paired.get(tail(mine[value]), theirs[value]) for value in both}
    return {value: sub for value, sub in found.items() if tail(sub) != tail(theirs[value])}


def _positions(chosen: Mapping[str, Sub], subs: Sequence[Sub]) -> dict[str, int]:
    places = {tail(sub): at for at, sub in enumerate(subs)}
    return {value: places[tail(sub)] for value, sub in chosen.items() if tail(sub) in places}


def discriminator_forms(pair: NodePair) -> tuple[Json, Json]:
    """Both forms; values that name another branch than before come with a mark of the branch that they name."""
    old, new = discriminator_form(pair.before), discriminator_form(pair.after)
    if not isinstance(old, dict) or not isinstance(new, dict):
        return old, new
    reversed = _reversed(pair)
    if not reversed:
        return old, new
    before, after = (
        {value: _mark(side, branches[at]) for value, at in named.items()}
        for side, branches, named in (
            (pair.old, _branches(pair.before), {value: left for value, (left, _) in reversed.items()}),
            (pair.new, _branches(pair.after), {value: right for value, (_, right) in reversed.items()}),
        )
    )
    return {**old, "branches": dict(before)}, {**new, "branches": dict(after)}


def names_branch(documents: tuple[Mapping[str, Json], Mapping[str, Json]], value: Delta, branch: Delta) -> bool:
    """True when a row about a discriminator's values says of one of them what the other row says of its branch.

    Args:
        documents: of the released contract and of the candidate.
        value: a row about a discriminator.
        branch: a row about an alternative that came or went.
    """
    added = branch.change is Change.ADDED
    if branch.facet not in ("anyOf", "oneOf") or branch.change is Change.CHANGED or value.address != branch.address:
        return False
    if (value.role, value.direction, value.in_error) != (branch.role, branch.direction, branch.in_error):
        return False
    place = branch.candidate_place if added else branch.released_place
    union = value.candidate_place if added else value.released_place
    if place is None or union is None or place.pointer.rpartition("/")[0] != f"{union.pointer}/{branch.facet}":
        return False
    said = discriminator_of(_node(documents[added], union), union)
    name = tail(Sub((Part(_node(documents[added], place), place),)))
    named = {one for one, ref in said.values.items() if ref.rsplit("/", 1)[-1] == name} if said is not None else set()
    before, after = _told(value.released), _told(value.candidate)
    return bool(name and named) and named <= ((after - before) if added else (before - after))


def _node(documents: Mapping[str, Json], place: Place) -> Mapping[str, Json]:
    node = follow(documents.get(place.file), place.pointer)
    return node if isinstance(node, dict) else {}


def _told(form: Form) -> set[Json]:
    values = form.get("values") if isinstance(form, dict) else None
    return set(values) if isinstance(values, list) else set()


def _reversed(pair: NodePair) -> dict[str, tuple[int, int]]:
    """The values that both sides know and that name branches which are not each other's counterpart."""
    released, candidate = _branches(pair.before), _branches(pair.after)
    before, after = named_branches(pair.before, released), named_branches(pair.after, candidate)
    both = sorted(before.keys() & after.keys())
    if not both:
        return {}
    tags = tags_of(pair, released, candidate)
    paired = dict(pair_branches(pair.old, pair.new, released, candidate, tags)[0])
    found = {value: (before[value], after[value]) for value in both}
    return {value: ends for value, ends in found.items() if paired.get(ends[0], ends[1]) != ends[1]}


def _branches(view: SchemaView) -> tuple[Sub, ...]:
    return view.one_of or view.any_of


def _mark(side: SchemaReaders, branch: Sub) -> str:
    return hashlib.sha256(canonical(side.forms.of(branch))).hexdigest()[:8]
