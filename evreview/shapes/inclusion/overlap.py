"""Whether two sets have nothing in common, seen without a search; and how listed values of a member cut a set."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from evreview.schema.subsumption.constraint_set import Given, gather
from evreview.schema.subsumption.interned_schema import Literal
from evreview.shapes.inclusion.forms import Form, Pool

_MANY: Final = 60


def apart(one: Given, other: Given, pool: Pool, kind: str = "") -> bool:
    """True when no value (of a type) meets both, by type, listed values, or a member that one of them demands."""
    if one.impossible or other.impossible:
        return True
    common = [kind] if kind else [name for name in one.types if name in other.types]
    if not common or kind not in ("", *one.types) or kind not in ("", *other.types):
        return True
    mine, theirs = listed(one), listed(other)
    if mine is not None and theirs is not None:
        return not mine & theirs
    if common != ["object"]:
        return False
    named = {name for given in (one, other) for members in given.members for name in members.names}
    for name in sorted((one.required | other.required) & named):
        sides = gather(one.member(name, pool), pool), gather(other.member(name, pool), pool)
        if sides[0].impossible or sides[1].impossible or not set(sides[0].types) & set(sides[1].types):
            return True
        values = listed(sides[0]), listed(sides[1])
        if values[0] is not None and values[1] is not None and not values[0] & values[1]:
            return True
    return False


def listed(given: Given) -> frozenset[str] | None:
    """The tokens of the values that are left, None when they are not listed."""
    found: frozenset[str] | None = None
    for literal in given.of("enum"):
        found = frozenset(literal[1].by_token) if found is None else found & frozenset(literal[1].by_token)
    return found


def split_values(given: Given, goals: Sequence[Given], pool: Pool) -> list[Form]:
    """The left side cut along a member whose values are listed, and which the right side tells apart."""
    named = {name: None for goal in goals for members in goal.members for name in members.names}
    for name in named:
        if not any(name in members.names for members in given.members):
            continue
        member = gather(given.member(name, pool), pool)
        tokens = listed(member)
        if tokens is None or not 0 < len(tokens) <= _MANY:
            continue
        free = name not in given.required
        telling = any(listed(gather(goal.member(name, pool), pool)) is not None for goal in goals)
        if not telling or (len(tokens) == 1 and not free):
            continue
        known = {token: value for literal in member.of("enum") for token, value in literal[1].by_token.items()}
        fixed = [pool.among([known[token]]) for token in sorted(tokens)]
        parts = [pool.of(_only(name, form, pool), ("required", name)) for form in fixed]
        absent = pool.of(_only(name, pool.nothing, pool))
        return [*parts, absent] if free else parts
    return []


def _only(name: str, form: Form, pool: Pool) -> Literal:
    return "members", pool.only(name, form)
