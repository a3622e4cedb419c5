"""Conditions and functions of the code that may refuse or change values besides what was read as value sets."""

from __future__ import annotations

from typing import Final

from evreview.codefacts.model import CodeNote
from evreview.contract.model import ElementKind
from evreview.core.vocabulary import Concern
from evreview.workflows.w2.step3_reconcile.deviation import Found, Matched, Steps
from evreview.workflows.w2.step3_reconcile.requests import parameter_keys

CHECKED: Final = "a condition or function of the code may refuse or change values of it, and is not read as a value set"


def checked(matched: Matched) -> Found:
    """One open point per parameter or field of the body that such a check looks at."""
    for note in matched.route.notes:
        if note.concern is Concern.VALIDATION and not note.certain:
            concern, place = _where(matched, note)
            yield matched.undecided(concern, place, CHECKED, note.spot)


def _where(matched: Matched, note: CodeNote) -> tuple[Concern, Steps]:
    named = {_bare(key[1]): key for key in parameter_keys(matched)}
    if note.name and _bare(note.name) in named:
        return Concern.VALIDATION, named[_bare(note.name)]
    body = matched.child(ElementKind.BODY)
    name = (note.name,) if note.name else ()
    medias = [each.name for each in body.children if each.kind is ElementKind.MEDIA_TYPE] if body is not None else []
    return (Concern.REQUEST_BODY, (medias[0], *name)) if medias else (Concern.VALIDATION, name)


def _bare(name: str) -> str:
    return name.lower().replace("_", "-")
