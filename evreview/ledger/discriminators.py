"""What a discriminator says on both sides: its member, its values, and which of them came to name another branch."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence

from evreview.comparison.value_nodes import differs
from evreview.comparison.wire_forms import canonical, discriminator_form, same
from evreview.contract.model import Place
from evreview.core.json_pointer import follow
from evreview.core.vocabulary import Aspect, Change, Form, Json
from evreview.ledger.branches import pair_branches
from evreview.ledger.delta import Delta
from evreview.ledger.node_pair import Found, NodePair, Side
from evreview.ledger.tags import named_branches, tags_among, tags_of, tail
from evreview.schema.reader import discriminator_of
from evreview.schema.view import Discriminator, Part, SchemaView, Sub, property_step


def selects_alike(pair: NodePair) -> bool:
    """True when both discriminators select subtypes by the same values, some written and others implied by names."""
    before, after = pair.before.discriminator, pair.after.discriminator
    if before is None or after is None or before.written is None or after.written is None:
        return False
    if before.property != after.property or before.values.keys() == after.values.keys():
        return False
    return _all_values(pair.old, before) == _all_values(pair.new, after)


def compare_choices(old: Side, new: Side, released: Sub, candidate: Sub) -> Found:
    """What differs between the choices of two discriminators among subtypes, and the pairs of these subtypes."""
    pair = NodePair(old, new, released, candidate, old.views.view(released), new.views.view(candidate))
    before, after = pair.before.discriminator, pair.after.discriminator
    if before is None or after is None:
        return pair.found
    mine, theirs = old.views.selected(released), new.views.selected(candidate)
    turned = _retargeted(pair, mine, theirs)
    for value in sorted(mine.keys() & theirs.keys()):
        pair.go(_step(before, value), mine[value], turned.get(value, theirs[value]))
    for value in sorted(mine.keys() - theirs.keys()):
        pair.found.lost.append((_step(before, value), mine[value]))
    forms: list[dict[str, Json]] = [
        {"propertyName": said.property, "values": sorted(found)} for said, found in ((before, mine), (after, theirs))
    ]
    if turned:
        forms[0]["branches"] = {value: _mark(old, mine[value]) for value in sorted(turned)}
        forms[1]["branches"] = {value: _mark(new, theirs[value]) for value in sorted(turned)}
    if turned or same(discriminator_form(pair.before), discriminator_form(pair.after)):
        # Values that a mapping lists are a row of the schema itself already.
        differs(pair, Aspect.DISCRIMINATORS, "discriminator", *forms)
    return pair.found


def _all_values(side: Side, discriminator: Discriminator) -> set[str]:
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
    turned = _turned(pair)
    if not turned:
        return old, new
    before, after = (
        {value: _mark(side, branches[at]) for value, at in named.items()}
        for side, branches, named in (
            (pair.old, _branches(pair.before), {value: left for value, (left, _) in turned.items()}),
            (pair.new, _branches(pair.after), {value: right for value, (_, right) in turned.items()}),
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
    if (value.role, value.polarity, value.in_error) != (branch.role, branch.polarity, branch.in_error):
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


def _turned(pair: NodePair) -> dict[str, tuple[int, int]]:
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


def _mark(side: Side, branch: Sub) -> str:
    return hashlib.sha256(canonical(side.forms.of(branch))).hexdigest()[:8]
