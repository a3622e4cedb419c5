"""What a call has to prove, and how credentials travel."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final

from evreview.comparison import delta as comparison_delta
from evreview.comparison.delta import Delta
from evreview.comparison.rules.rule import Example, FormChange, Match, Rule, Slot
from evreview.comparison.rules.variance import Shown, Text, ValueSetChange, about_requests, one_side
from evreview.contract.model import ElementKind
from evreview.contract.security_requirements import (
    Credentials,
    Demands,
    SchemeKey,
    bare,
    in_authorization,
    issues_tokens,
)
from evreview.core.json_text import texts_of
from evreview.core.vocabulary import ABSENT, Change, Direction, Form, Json, Verdict

_DEMAND: Final = "OpenAPI 3.1, section 4.8.30 Security Requirement Object; RFC 9110, section 11"
_SCHEME: Final = "OpenAPI 3.1, section 4.8.27 Security Scheme Object"
_FLOW: Final = "OpenAPI 3.1, section 4.8.29 OAuth Flow Object; RFC 6749"
_SCHEMES: Final = (ElementKind.SECURITY_SCHEME,)
_KEY: Final[Json] = {"key": []}
_LOGIN: Final[Json] = {"login": ["read"]}
_BEARER: Final[Json] = {"login": {"type": "http", "scheme": "bearer"}}
_BOTH_SLOTS: Final = (Slot.OPERATION_SECURITY, Slot.OPERATION_SECURITY)
_FLOWS: Final = ("authorizationCode", "clientCredentials", "implicit", "password")
_URLS: Final = ("authorizationUrl", "tokenUrl", "refreshUrl")


def _alternatives(form: Form) -> list[Credentials]:
    stated = [item for item in form if isinstance(item, Mapping)] if isinstance(form, list) else [{}]
    return [{scheme: texts_of(scopes) for scheme, scopes in each.items()} for each in stated]


def still_suffices(delta: Delta) -> bool:
    """True when every released alternative satisfies some alternative of the candidate."""
    return all(map(Demands(_alternatives(delta.candidate)).met, _presented(delta)))


def _presented(delta: Delta) -> list[Credentials]:
    """What released calls prove: an alternative, and what they send as required parameters."""
    sent = delta.facts.get(comparison_delta.SENT_BEFORE)
    keys: Credentials = {str(scheme): [] for scheme in sent} if isinstance(sent, list) else {}
    return [{**keys, **each} for each in _alternatives(delta.released)]


def _in_header(name: str) -> Json:
    return {"login": {"type": "apiKey", "in": "header", "name": name}}


def _may_suffice(delta: Delta) -> bool:
    """True when all suffice if whatever stands in `Authorization` passes for a key in this header, and the reverse."""
    demands = _alternatives(delta.candidate)
    sent = {scheme: scopes for each in demands for scheme, scopes in each.items() if in_authorization(scheme)}
    either = Demands(demands)

    def passes(released: Credentials) -> bool:
        key: Credentials = {SchemeKey.AUTHORIZATION: []} if any(map(in_authorization, released)) else {}
        return either.met({**(sent if SchemeKey.AUTHORIZATION in released else {}), **key, **released})

    return all(map(passes, _presented(delta)))


def _same_form_suffices(delta: Delta) -> bool:
    """True when all suffice if schemes of one form count as one, whatever tells them apart."""
    demands = Demands([_of_forms(each) for each in _alternatives(delta.candidate)])
    return all(demands.met(_of_forms(each)) for each in _presented(delta))


def _of_forms(credentials: Credentials) -> Credentials:
    """The credentials, each scheme by its form; one that says where its tokens come from has more than its key says."""
    return {scheme if issues_tokens(scheme) else bare(scheme): scopes for scheme, scopes in credentials.items()}


def _oauth(url: str = "https://auth.example.test/token", *scopes: str) -> Json:
    flow: Json = {"tokenUrl": url, "scopes": {scope: scope for scope in scopes}}
    return {"login": {"type": "oauth2", "flows": {"clientCredentials": flow}}}


def _refreshing(url: str) -> Json:
    flow: Json = {"tokenUrl": url, "refreshUrl": url, "scopes": {"read": "read"}}
    return {"login": {"type": "oauth2", "flows": {"clientCredentials": flow}}}


def _openid(url: str) -> Json:
    return {"login": {"type": "openIdConnect", "openIdConnectUrl": url}}


def _edit(before: Form, after: Form, slot: Slot = Slot.DEMANDED_SCHEMES) -> Example:
    return Example(slot, before, after)


_URL: Final = "https://auth.example.test/token"
_SCOPES: Final = tuple(f"flows.{flow}.scopes" for flow in _FLOWS)
_ADDRESSES: Final = (*(f"flows.{flow}.{url}" for flow in _FLOWS for url in _URLS), "openIdConnectUrl")

_TOKEN: Final = "An old client that asks for its token by the flow gets none."


def _flowing(*flows: str) -> Json:
    flow: Json = {"tokenUrl": _URL, "authorizationUrl": _URL, "scopes": {"read": "read"}}
    return {"login": {"type": "oauth2", "flows": dict.fromkeys(flows, flow)}}


def _of_flows() -> Iterator[Rule]:
    """Whole flows that came, went, or took the place of one another."""
    one, other, both = _flowing("clientCredentials"), _flowing("password"), _flowing("clientCredentials", "password")
    flows = tuple(f"flows.{flow}" for flow in _FLOWS)
    for verb, verdict, why, match, example in (
        ("withdrawn", Verdict.BREAKING, _TOKEN, Match(facets=flows, changes=(Change.REMOVED,)), (both, one)),
        ("offered", Verdict.COMPATIBLE, "No old client uses it.", Match(facets=flows), (one, both)),
        ("replaced", Verdict.BREAKING, _TOKEN, Match(facets=("flows",)), (one, other)),
    ):
        text = Text(f"An OAuth flow was {verb}", why, _FLOW)
        counter = (one, both) if verb == "replaced" else example[::-1]
        examples = Example(Slot.DEMANDED_SCHEMES, *example), Example(Slot.DEMANDED_SCHEMES, *counter)
        match = replace(match, elements=_SCHEMES)
        yield about_requests(f"security-flow-{verb}", verdict, text, match, *examples)


RULES: tuple[Rule, ...] = (
    one_side(
        "security-relaxed",
        (Direction.READ, ValueSetChange.WIDENS),
        Text(
            "every released way to authenticate still suffices",
            "Each released alternative satisfies one of the candidate's; a required parameter may be a key.",
            _DEMAND,
        ),
        Match(facets=("requirements",), when=still_suffices),
        Shown(released=[_KEY], candidate=[_KEY, _LOGIN], slots=_BOTH_SLOTS),
    ),
    about_requests(
        "security-other-scheme-of-one-form",
        Verdict.UNKNOWN,
        Text(
            "Another scheme of the same form is demanded",
            "The credentials travel in the same place, and both contracts demand either scheme somewhere: "
            "whether the text that proves the one passes for the other is said by no contract.",
            _DEMAND,
        ),
        Match(facets=("requirements",), direction=Direction.READ, when=_same_form_suffices),
        Example(Slot.TWIN_SECURITY, [{"user": []}], [{"robot": []}]),
        Example(Slot.TWIN_SECURITY, [{"user": []}], [{"user": []}, {"robot": []}]),
    ),
    about_requests(
        "security-key-in-authorization",
        Verdict.UNKNOWN,
        Text(
            "What travels in the header `Authorization` is demanded as another scheme",
            "A key in the header `Authorization` may be anything, also a bearer token: Swagger 2.0 writes one "
            "in no other way. The contract does not say whether the released credentials pass.",
            f"{_SCHEME}; RFC 9110, section 11.6.2",
        ),
        Match(facets=("requirements",), direction=Direction.READ, when=_may_suffice),
        Example(Slot.DEMANDED_SCHEMES, _BEARER, _in_header("Authorization")),
        Example(Slot.DEMANDED_SCHEMES, _BEARER, _in_header("X-Key")),
    ),
    one_side(
        "security-tightened",
        (Direction.READ, ValueSetChange.NARROWS),
        Text(
            "a released way to authenticate no longer suffices",
            "Some released alternative satisfies none of the candidate's: a scheme, a scope or a combination was "
            "added to what a call has to prove.",
            _DEMAND,
        ),
        Match(facets=("requirements",)),
        Shown(released=[_KEY, _LOGIN], candidate=[_KEY], slots=_BOTH_SLOTS),
    ),
    about_requests(
        "security-scheme-added",
        Verdict.COMPATIBLE,
        Text(
            "A security scheme was declared",
            "A scheme demands nothing until an operation requires it, and that is a row of its own.",
            _SCHEME,
        ),
        Match(elements=_SCHEMES, facets=("",), changes=(Change.ADDED,)),
        _edit(ABSENT, _oauth(_URL, "read"), Slot.SECURITY_SCHEMES),
    ),
    about_requests(
        "security-scheme-removed",
        Verdict.COMPATIBLE,
        Text(
            "A security scheme is no longer declared", "What operations require instead is a row of its own.", _SCHEME
        ),
        Match(elements=_SCHEMES, facets=("",), changes=(Change.REMOVED,)),
        _edit(_oauth(_URL, "read"), ABSENT, Slot.SECURITY_SCHEMES),
    ),
    about_requests(
        "undemanded-security-scheme-changed",
        Verdict.COMPATIBLE,
        Text(
            "A security scheme that no operation demands changed",
            "No call has to satisfy the scheme, before or after.",
            _SCHEME,
        ),
        Match(elements=_SCHEMES, facts=((comparison_delta.DEMANDED, False),)),
        Example(Slot.SECURITY_SCHEMES, _oauth(_URL, "read", "write"), _oauth(_URL, "read")),
        Example(Slot.DEMANDED_SCHEMES, _oauth(_URL, "read", "write"), _oauth(_URL, "read")),
    ),
    *_of_flows(),
    about_requests(
        "security-scope-withdrawn",
        Verdict.BREAKING,
        Text("A scope is no longer offered", "An old client that asks for the scope gets no token.", _FLOW),
        Match(elements=_SCHEMES, facets=_SCOPES, shift=(FormChange.SHRANK, FormChange.REPLACED, FormChange.UNSET)),
        _edit(_oauth(_URL, "read", "write"), _oauth(_URL, "read")),
    ),
    about_requests(
        "security-scope-offered",
        Verdict.COMPATIBLE,
        Text("A scope is newly offered", "No old client asks for it.", _FLOW),
        Match(elements=_SCHEMES, facets=_SCOPES),
        _edit(_oauth(_URL, "read"), _oauth(_URL, "read", "write")),
    ),
    about_requests(
        "security-address-added",
        Verdict.COMPATIBLE,
        Text("An address of the authorization server was added", "No old client uses it.", _FLOW),
        Match(elements=_SCHEMES, facets=_ADDRESSES, shift=(FormChange.SET,)),
        Example(Slot.DEMANDED_SCHEMES, _oauth(_URL, "read"), _refreshing(_URL)),
    ),
    about_requests(
        "security-address-changed",
        Verdict.BREAKING,
        Text("The authorization server moved", "An old client asks for its token at the released address.", _FLOW),
        Match(elements=_SCHEMES, facets=_ADDRESSES),
        Example(
            Slot.DEMANDED_SCHEMES,
            _openid("https://a.example.test/.well-known"),
            _openid("https://b.example.test/.well-known"),
        ),
        Example(Slot.DEMANDED_SCHEMES, _oauth(_URL, "read"), _oauth(_URL, "read", "write")),
    ),
)
