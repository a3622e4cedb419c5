"""Schemes of credentials as they reach the wire: which of the contract's demands the guards of the code look for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from evreview.codefacts.model import Guard
from evreview.contract.security_requirements import TOKENS, SchemeKey

Alternative = dict[str, list[str]]
_BEARERS: Final = frozenset(key.lower() for key in TOKENS)
_KEY: Final = SchemeKey.AUTHORIZATION.lower()


@dataclass(frozen=True, slots=True)
class UnmetAlternative:
    """An alternative of the contract with schemes that no guard looks for.

    Attributes:
        schemes: those, as they reach the wire.
        partly: True where the guards look for others of the same alternative.
    """

    alternative: Alternative
    schemes: tuple[str, ...]
    partly: bool


def wire(scheme: str) -> str:
    """A scheme as it reaches the wire; the contract's name behind an ambiguous one is left out."""
    bare = scheme.partition(" (")[0].strip().lower()
    return SchemeKey.BEARER.value if bare in _BEARERS else bare


def alike(one: str, other: str) -> bool:
    """True for one scheme on the wire; an API key in `Authorization` may be any HTTP scheme (Swagger 2.0)."""
    pair = {one, other}
    return one == other or (_KEY in pair and any(each.startswith("http ") for each in pair))


def taken(guards: Iterable[Guard]) -> frozenset[str]:
    """What the guards look for, as it reaches the wire."""
    return frozenset(wire(scheme) for guard in guards for scheme in (guard.scheme, *guard.also) if scheme)


def known(scheme: str, looked_for: Iterable[str]) -> bool:
    """True when a scheme of the contract is among those that are looked for."""
    return any(alike(wire(scheme), each) for each in looked_for)


def lacking(demanded: Sequence[Alternative], looked_for: frozenset[str]) -> Iterator[UnmetAlternative]:
    """The alternatives that the code does not honour as they stand.

    What is left of one may be an alternative of its own: then whoever brings more is served as the contract says.
    """
    whole = [set(each) for each in demanded if all(known(scheme, looked_for) for scheme in each)]
    for alternative in demanded:
        gone = sorted({wire(scheme) for scheme in alternative if not known(scheme, looked_for)})
        rest = {scheme for scheme in alternative if known(scheme, looked_for)}
        if gone and not any(each <= rest for each in whole):
            yield UnmetAlternative(alternative, tuple(gone), bool(rest))


def place(scheme: str) -> tuple[str, str] | None:
    """Where a request carries a scheme, as location and name in lower case; None where its text does not tell."""
    if scheme.startswith("http "):
        return "header", "authorization"
    kind, _, where = scheme.partition(" ")
    location, _, name = where.partition(" ")
    return (location, name) if kind == "apikey" and name else None
