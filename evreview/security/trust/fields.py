"""What a trust model has to state. One field is one value; without it step 2 remains and names it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from evreview.evidence.records.security import TrustModel


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelField:
    """One thing that the model states.

    Attributes:
        id: kebab-case.
        words: how it is asked for.
        why: what can't be judged without it.
        stated: whether a model states it.
    """

    id: str
    words: str
    why: str
    stated: Callable[[TrustModel], bool]


FIELDS: Final = (
    ModelField(
        id="actors",
        words="the actors",
        why="nobody can be followed to an asset",
        stated=lambda model: bool(model.actors),
    ),
    ModelField(
        id="entry-points",
        words="the entry points",
        why="a path starts nowhere",
        stated=lambda model: bool(model.entry_points),
    ),
    ModelField(
        id="identity-transitions",
        words="the identity transitions; an empty list says that identities do not change",
        why="whose rights hold behind a boundary is not known",
        stated=lambda model: model.identity_transitions is not None,
    ),
    ModelField(
        id="assets",
        words="the sensitive assets",
        why="nothing tells what is worth protecting",
        stated=lambda model: bool(model.assets),
    ),
    ModelField(
        id="classifications",
        words="the data classification of every asset",
        why="a rubric rates by classification",
        stated=lambda model: bool(model.assets) and all(asset.classification for asset in model.assets or ()),
    ),
    ModelField(
        id="boundaries",
        words="at least one trust boundary",
        why="abuse cases are taken from boundaries",
        stated=lambda model: bool(model.boundaries),
    ),
    ModelField(
        id="attacker-position",
        words="the allowed attacker position: ids of the actors whose position is assumed",
        why="reachability is a question about a position",
        stated=lambda model: bool(model.attacker_positions),
    ),
    ModelField(
        id="excluded-capabilities",
        words="the excluded capabilities; an empty list says that none is",
        why="abuse cases have no bound",
        stated=lambda model: model.excluded_capabilities is not None,
    ),
)
"""Spec, W3 required inputs, trust model; and the precondition that assets and a boundary are identified."""


def missing_fields(model: TrustModel | None) -> tuple[str, ...]:
    """Everything that a model does not state, in words; all of it when there is none."""
    return tuple(field.words for field in FIELDS if model is None or not field.stated(model))
