"""Which assumed attackers get past the guards that stand before the suspected lines."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from evreview.codefacts.model import Guard
from evreview.evidence.records.security import Actor
from evreview.security.challenging.asking import kinds_of
from evreview.security.challenging.material import Material
from evreview.workflows.w3.access_control.access_words import CREDENTIALS, words
from evreview.workflows.w3.model import TrustPath

NAMELESS: Final = frozenset(
    {"anyone", "anybody", "anonymous", "everyone", "everybody", "outsider", "outsiders", "unauthenticated", "public",
     "stranger", "visitor", "passerby", "unknown", "nobody"}
)  # fmt: skip
"""Words by which a trust model calls somebody who has no credentials of the service."""


@dataclass(frozen=True, slots=True)
class Passing:
    """The ways to a route, told apart by the guards in front of it.

    Attributes:
        through: those whose actor gets past.
        open: those of which the evidence does not tell.
        kept_out: ids of the actors that a guard refuses.
        guard: the guard that decides, None without one.
    """

    through: tuple[TrustPath, ...]
    open: tuple[TrustPath, ...] = ()
    kept_out: tuple[str, ...] = ()
    guard: Guard | None = None


def passing(material: Material, ways: Sequence[TrustPath], guards: Iterable[Guard]) -> Passing:
    """Whoever has no credentials passes no guard that asks for some; whether others have a right is not known."""
    told = tuple(guards)
    asking = [guard for guard in told if kinds_of(guard) & {"authentication", "authorization"}]
    nameless = {path.actor for path in ways if is_nameless(material, path.actor)} if asking else set()
    kept_out = tuple(dict.fromkeys(path.actor for path in ways if path.actor in nameless))
    if all(guard.unless for guard in asking):
        kept_out = ()  # a condition may let them past
    left = tuple(path for path in ways if path.actor not in kept_out)
    beyond = next((guard for guard in told if kinds_of(guard) != {"authentication"}), None)
    if beyond is not None:
        return Passing(through=(), open=left, kept_out=kept_out, guard=beyond)
    through = tuple(path for path in left if path.actor not in nameless)
    maybe = tuple(path for path in left if path.actor in nameless)
    return Passing(through=through, open=maybe, kept_out=kept_out, guard=asking[0] if asking else None)


def is_nameless(material: Material, actor: str) -> bool:
    """True for an actor whom the trust model's words call somebody without credentials."""
    stated = (material.model.record.actors or ()) if material.model is not None else ()
    one = next((each for each in stated if each.id == actor), None) or Actor(id=actor, name=actor)
    said = frozenset(words(f"{one.id} {one.name}"))
    holds = "with" in said and said & (CREDENTIALS | {"account", "login"})
    return bool(said & NAMELESS) and not holds
