"""Alternatives of credentials of which one has to be met, sorted by scheme: each asks few of a thousand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

Credentials = Mapping[str, Sequence[str]]
"""Scopes by the scheme that they belong to."""


KEY: Final = "apiKey header authorization"
"""Whatever stands in the header `Authorization`: how Swagger 2.0 has to write a bearer token."""


def as_scheme(parameter: str) -> str:
    """The scheme whose credentials are the text of a parameter, by its key: `header:x-key`."""
    location, _, name = parameter.partition(":")
    return f"apiKey {location} {name}"


def is_key(scheme: str, parameter: str) -> bool:
    """True when the text of a parameter proves a scheme, whatever the text is."""
    own = as_scheme(parameter)
    return scheme == own or (own == KEY and in_authorization(scheme))


def in_authorization(scheme: str) -> bool:
    """True for a scheme whose credentials travel in the header `Authorization`."""
    return scheme in ("oauth2", "openIdConnect", KEY) or scheme.startswith("http ")


def one_header(demanded: str, presented: Iterable[str]) -> bool:
    """True when `Authorization` is presented as one scheme and demanded as another, one of them being any key."""
    schemes = tuple(presented)
    if demanded == KEY:
        return any(map(in_authorization, schemes))
    return KEY in schemes and in_authorization(demanded)


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
