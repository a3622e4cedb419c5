"""Alternatives of credentials of which one has to be met, sorted by scheme: each asks few of a thousand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

Credentials = Mapping[str, Sequence[str]]
"""Scopes by the scheme that they belong to."""


class Demands:
    """What a caller has to prove in one of several ways; with no way at all, nothing is enough."""

    def __init__(self, alternatives: Iterable[Credentials]) -> None:
        listed = list(alternatives)
        uses = Counter(scheme for each in listed for scheme in each)
        self._free = not all(listed)
        self._by_scheme: dict[str, list[Credentials]] = {}
        for each in listed:
            rarest = min(each, key=lambda scheme: uses[scheme], default=None)
            if rarest is not None:
                self._by_scheme.setdefault(rarest, []).append(each)

    def met(self, presented: Credentials) -> bool:
        """True when the credentials meet one of the alternatives."""
        return self._free or any(
            meets(presented, each) for scheme in presented for each in self._by_scheme.get(scheme, ())
        )


def meets(presented: Credentials, demand: Credentials) -> bool:
    """True when a caller that presents these credentials proves all that is demanded."""
    return all(scheme in presented and set(scopes) <= set(presented[scheme]) for scheme, scopes in demand.items())
