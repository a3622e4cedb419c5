"""How one form turned into another: what a rule may ask without knowing the keyword."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from enum import StrEnum

from evreview.core.vocabulary import Form, Json, Missing


class Shift(StrEnum):
    """The direction of a change of form."""

    RAISED = "raised"
    LOWERED = "lowered"
    GREW = "grew"
    SHRANK = "shrank"
    REPLACED = "replaced"
    SET = "set"
    UNSET = "unset"


def shift_of(released: Form, candidate: Form) -> Shift:
    """The shift between two different forms: numbers move, lists and objects grow or shrink, others are replaced."""
    if isinstance(released, Missing):
        return Shift.SET
    if isinstance(candidate, Missing):
        return Shift.UNSET
    if _is_number(released) and _is_number(candidate):
        return Shift.RAISED if candidate > released else Shift.LOWERED  # type: ignore[operator]
    before, after = members(released), members(candidate)
    if before is None or after is None:
        return Shift.REPLACED
    if before < after:
        return Shift.GREW
    return Shift.SHRANK if after < before else Shift.REPLACED


def members(form: Form) -> frozenset[str] | None:
    """The members of a list (or the entries of an object) as comparable texts, None for anything else."""
    if isinstance(form, Mapping):
        return frozenset(stable(key) + stable(value) for key, value in form.items())
    if isinstance(form, Sequence) and not isinstance(form, str):
        return frozenset(stable(item) for item in form)
    return None


def stable(value: Json) -> str:
    """One text per JSON value, whatever the order of its keys."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))


def _is_number(form: Form) -> bool:
    return isinstance(form, (int, float)) and not isinstance(form, bool)
