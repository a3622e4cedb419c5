"""Alternatives of credentials of which one has to be met, sorted by scheme: each asks few of a thousand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from evreview.core.vocabulary import ClosedVocabulary

Credentials = Mapping[str, Sequence[str]]
"""Scopes by the scheme that they belong to."""


_BRACKET: Final = "%28"


class SchemeKey(ClosedVocabulary):
    """Keys of schemes that something is decided by.

    AUTHORIZATION: whatever stands in the header `Authorization`, which is how Swagger 2.0 has to write a bearer token.
    """

    AUTHORIZATION = "apiKey header authorization"
    BEARER = "http bearer"
    BASIC = "http basic"
    OAUTH2 = "oauth2"
    OPEN_ID = "openIdConnect"


TOKENS: Final = frozenset({SchemeKey.BEARER, SchemeKey.OAUTH2, SchemeKey.OPEN_ID})
"""All three travel as a bearer token; whether one passes for another is not in the contract."""


def as_scheme(parameter: str) -> str:
    """The scheme whose credentials are the text of a parameter, by its key: `header:x-key`."""
    location, _, name = parameter.partition(":")
    return api_key(location, name)


def api_key(location: str, name: str) -> str:
    """The scheme of a key that travels as text under a name: `apiKey header x-key`.

    Behind ` (` stands what tells two alike schemes apart, so that a name which holds that is written with escapes.
    """
    told = f" {location} {name}"
    if " (" in told or _BRACKET in told:
        told = told.replace("%", "%25").replace("(", _BRACKET)
    return f"apiKey{told}"


def named_key(scheme: str) -> tuple[str, str]:
    """Where the text of a key travels, and under which name: the way back from `api_key`."""
    _, location, name = scheme.split(" ", 2)
    return location, name.replace(_BRACKET, "(").replace("%25", "%") if _BRACKET in scheme else name


def is_key(scheme: str, parameter: str) -> bool:
    """True when the text of a parameter proves a scheme, whatever the text is."""
    own = as_scheme(parameter)
    return bare(scheme) == own or (own == SchemeKey.AUTHORIZATION and in_authorization(scheme))


def bare(scheme: str) -> str:
    """The scheme without the name that tells it from others of its kind."""
    return scheme.partition(" (")[0]


def issues_tokens(scheme: str) -> bool:
    """True for a scheme that says where its tokens come from: two of one form issue the same ones."""
    return bare(scheme) in (SchemeKey.OAUTH2, SchemeKey.OPEN_ID)


def in_authorization(scheme: str) -> bool:
    """True for a scheme whose credentials travel in the header `Authorization`."""
    return issues_tokens(scheme) or bare(scheme) == SchemeKey.AUTHORIZATION or scheme.startswith("http ")


def one_header(demanded: str, presented: Iterable[str]) -> bool:
    """True when `Authorization` is presented as one scheme and demanded as another, one of them being any key."""
    schemes = tuple(presented)
    if bare(demanded) == SchemeKey.AUTHORIZATION:
        return any(map(in_authorization, schemes))
    return SchemeKey.AUTHORIZATION in map(bare, schemes) and in_authorization(demanded)


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
