"""Whether the credentials that a caller presents meet what an operation demands. Only their shape is known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from evreview.contract.model import Element, ElementKind
from evreview.contract.security_requirements import KEY, is_key, named_key, one_header
from evreview.core.vocabulary import Answer, Json
from evreview.proof.messages.sent import Sent

Alternative = Mapping[str, tuple[str, ...]]
_TOKENS: Final = frozenset({"http bearer", "oauth2", "openIdConnect"})
"""All three travel as a bearer token; whether one passes for another is not in the contract."""


def demanded(operation: Element) -> tuple[Element | None, tuple[Alternative, ...]]:
    """The security element of an operation and its alternatives."""
    element = next((child for child in operation.children if child.kind is ElementKind.SECURITY), None)
    stated = element.facet("requirements") if element is not None else None
    return element, tuple(_alternative(each) for each in stated) if isinstance(stated, list) else ({},)


def _alternative(stated: Json) -> Alternative:
    members = stated.items() if isinstance(stated, Mapping) else ()
    return {name: tuple(str(scope) for scope in scopes) if isinstance(scopes, list) else () for name, scopes in members}


def carried(sent: Sent, alternatives: Sequence[Alternative]) -> Alternative:
    """The demanded keys whose place in a message holds some text, and whatever stands in `Authorization`."""
    found: dict[str, tuple[str, ...]] = {KEY: ()} if "authorization" in sent.headers else {}
    for scheme in {scheme for each in alternatives for scheme in each if scheme.startswith("apiKey ")}:
        location, name = named_key(_kind(scheme))
        if _is_written(location, name, sent):
            found[scheme] = ()
    return found


def is_presented(parameter: Element, presented: Alternative, sent: Sent) -> bool:
    """True for a parameter whose text is a key that a message presents, and does not write out."""
    if not any(is_key(_kind(each), parameter.key) for each in presented):
        return False
    location, _, name = parameter.key.partition(":")
    return not _is_written(location, name, sent)


def _is_written(location: str, name: str, sent: Sent) -> bool:
    if location == "header":
        return name in sent.headers
    return bool((sent.query if location == "query" else sent.cookies).called(name))


def suffices(presented: Alternative, alternatives: Sequence[Alternative]) -> Answer:
    """Whether one of the alternatives is met."""
    answers = {_meets(presented, each) for each in alternatives} or {Answer.YES}
    return next(answer for answer in (Answer.YES, Answer.UNKNOWN, Answer.NO) if answer in answers)


def _meets(presented: Alternative, demand: Alternative) -> Answer:
    answers = {_holds(presented, scheme, scopes) for scheme, scopes in demand.items()}
    return next((answer for answer in (Answer.NO, Answer.UNKNOWN) if answer in answers), Answer.YES)


def _holds(presented: Alternative, scheme: str, scopes: Sequence[str]) -> Answer:
    if scheme in presented:
        return Answer.YES if set(scopes) <= set(presented[scheme]) else Answer.NO
    if scheme.startswith("undeclared ("):
        return Answer.UNKNOWN
    kind = _kind(scheme)
    alike = any(_kind(other) == kind or {_kind(other), kind} <= _TOKENS for other in presented)
    alike = alike or one_header(_kind(scheme), map(_kind, presented))
    return Answer.UNKNOWN if alike else Answer.NO


def _kind(scheme: str) -> str:
    """The scheme as it reaches the wire, without the name that tells two alike ones apart."""
    return scheme.partition(" (")[0]
