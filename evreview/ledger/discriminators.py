"""What a discriminator says on both sides: its member, its values, and which of them came to name another branch."""

from __future__ import annotations

import hashlib

from evreview.ledger.branches import pair_branches
from evreview.ledger.forms import canonical, discriminator_form
from evreview.ledger.node_pair import NodePair, Side
from evreview.shapes.view import SchemaView, Sub
from evreview.vocab import Json


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


def _turned(pair: NodePair) -> dict[str, tuple[int, int]]:
    """The values that both sides know and that name branches which are not each other's counterpart."""
    released, candidate = _branches(pair.before), _branches(pair.after)
    before, after = _named(pair.before, released), _named(pair.after, candidate)
    both = sorted(before.keys() & after.keys())
    if not both:
        return {}
    paired = dict(pair_branches(pair.old, pair.new, released, candidate)[0])
    found = {value: (before[value], after[value]) for value in both}
    return {value: ends for value, ends in found.items() if paired.get(ends[0], ends[1]) != ends[1]}


def _branches(view: SchemaView) -> tuple[Sub, ...]:
    return view.one_of or view.any_of


def _named(view: SchemaView, branches: tuple[Sub, ...]) -> dict[str, int]:
    """The branch of each value, where the discriminator names one of the branches that stand here."""
    tails = {_tail(branch): at for at, branch in enumerate(branches)}
    values = view.discriminator.values if view.discriminator is not None else {}
    return {value: tails[ref.rsplit("/", 1)[-1]] for value, ref in values.items() if ref.rsplit("/", 1)[-1] in tails}


def _tail(branch: Sub) -> str:
    node = branch.parts[0].node
    ref = node.get("$ref") if isinstance(node, dict) else None
    return ref.rsplit("/", 1)[-1] if isinstance(ref, str) else ""


def _mark(side: Side, branch: Sub) -> str:
    return hashlib.sha256(canonical(side.forms.of(branch))).hexdigest()[:8]
