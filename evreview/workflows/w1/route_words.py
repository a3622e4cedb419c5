"""Words of a plan that speak of selecting traffic, and the routes that it names. The vocabulary is data.

Every entry carries examples that it must find and examples that it must leave alone; the tests run all of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Literal

from evreview.evidence.cited_records import Cited
from evreview.evidence.records.compatibility import RolloutRecord

Selection = Literal["percentage", "cohort", "client-identity", "feature-flag"]
_WHO: Final = (
    r"(?:users?|clients?|callers?|consumers?|customers?|requests?|calls?|traffic|sessions?|accounts?|tenants?|"
    r"devices?|shoppers?|visitors?|subscribers?|integrators?|shops?)"
)
_PART: Final = r"(?:half|halves|thirds?|quarters?|fifths?|sixths?|sevenths?|eighths?|ninths?|tenths?|hundredths?)"
_NUMBER: Final = r"(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten|twenty|fifty|a hundred|hundred|thousand)"
_ATTRIBUTE: Final = (
    r"(?:headers?|cookies?|user[ -]agents?|ip(?: address(?:es)?)?|"
    r"(?:client|user|customer|account|tenant|device|session|consumer|caller)"
    r"(?:[ -]?(?:ids?|identit(?:y|ies)|identifiers?|names?|groups?))?)"
)
_NOT_A_ROLE: Final = r"(?![ -]?(?:owners?|teams?|roles?|adoption|version|by|at a time|once)\b)\b"


@dataclass(frozen=True, slots=True, kw_only=True)
class SelectorWording:
    """One way to speak of selecting traffic.

    Attributes:
        kind: the selector that the record must show.
        pattern: the words.
        finds, leaves: texts that it must find, and near ones that it must not.
    """

    kind: Selection
    pattern: str
    finds: tuple[str, ...]
    leaves: tuple[str, ...] = ()


WORDINGS: Final[tuple[SelectorWording, ...]] = (
    SelectorWording(
        kind="cohort",
        pattern=r"\bcohorts?\b",
        finds=("the pilot cohort", "Cohorts move first"),
        leaves=("storefront requests /v2",),
    ),
    SelectorWording(
        kind="cohort",
        pattern=(
            rf"\b(?:beta|pilot|internal|selected|chosen|early|opted[ -]in|opt[ -]in|allow-?listed|certain|some|few|"
            rf"many|most|random|premium) {_WHO}\b(?! owner)"
        ),
        finds=("beta users get /v2", "some clients go first", "open /v2 for selected customers", "most traffic moves"),
        leaves=(
            "each affected client moves",
            "every client requests /v2",
            "new client owner approves",
            "old requests stay valid",
        ),
    ),
    SelectorWording(
        kind="cohort",
        pattern=(
            rf"\b(?:sub-?sets?|groups?|segments?|samples?|batch(?:es)?) of (?:\w+ ){{0,3}}{_WHO}\b|"
            r"\bearly adopters\b"
        ),
        finds=("a subset of the users", "a group of storefront customers", "early adopters first"),
        leaves=("a group of fields", "the subset of values"),
    ),
    SelectorWording(
        kind="percentage",
        pattern=(
            r"(?<![\w.])\d+(?:[.,]\d+)?\s?(?:%|per ?cent\b(?!age))"
            r"(?!\s*(?:points?|over|above|below|failures?|errors?|of (?:the )?(?:failures?|errors?)))"
        ),
        finds=("5 % canary", "10% of users", "10 percent of callers", "12.5% first"),
        leaves=("abort at 0.5 % above baseline", "exceeds by 0.5 % points"),
    ),
    SelectorWording(
        kind="percentage",
        pattern=(
            r"\bpercentages?\b(?! points?)|\bper ?cent of\b|\bcanar(?:y|ies)\b|"
            r"\b(?:ten|twenty|fifty|five) per ?cent\b"
        ),
        finds=("a percentage of traffic", "a canary", "ten percent", "twenty per cent of it"),
        leaves=("0.5 percentage points over the baseline",),
    ),
    SelectorWording(
        kind="percentage",
        pattern=rf"\b{_PART}\b(?: of)?(?: \w+){{0,4}} {_WHO}\b",
        finds=(
            "half of the storefront users get /v3 first",
            "a third of requests",
            "half the traffic",
            "two thirds of all calls",
        ),
        leaves=("accept half-open ranges", "the third field of an order", "the second half of the window"),
    ),
    SelectorWording(
        kind="percentage",
        pattern=rf"\b(?:every|each) (?:\w+th|second|third|other) {_WHO}\b",
        finds=("every tenth request goes to /v2", "every other call"),
        leaves=("every request to /v2", "each client"),
    ),
    SelectorWording(
        kind="percentage",
        pattern=(
            rf"(?<!step )(?<!phase )(?<!stage )(?<!part )(?<!wave )\b{_NUMBER} (?:out )?(?:in|of)(?: every| each)? "
            rf"{_NUMBER}(?: \w+){{0,3}} {_WHO}\b|\b{_NUMBER} (?:in|out of) (?:every |each )?{_NUMBER}\b"
        ),
        finds=("one in ten requests", "1 of 10 callers", "3 out of 10", "two of every five storefront users"),
        leaves=("step 1 of 3", "one of the fields", "2 of 3 signals are green"),
    ),
    SelectorWording(
        kind="percentage",
        pattern=rf"(?<![\w/])\d+/\d+ (?:of )?(?:\w+ ){{0,3}}{_WHO}\b",
        finds=("1/10 of the traffic", "1/2 users"),
        leaves=("/v1/orders of clients",),
    ),
    SelectorWording(
        kind="percentage",
        pattern=(
            rf"\b(?:shares?|fractions?|portions?|proportions?|parts?) of (?:\w+ ){{0,3}}{_WHO}\b|"
            rf"\b(?:traffic|user|request) (?:shares?|splits?|weights?)\b|\bweighted\b|\bat random\b|\brandomly\b"
        ),
        finds=("a share of users", "a fraction of the storefront traffic", "part of the traffic", "weighted routing"),
        leaves=("this part of the contract", "shares of stock in the order"),
    ),
    SelectorWording(
        kind="client-identity",
        pattern=(
            rf"(?<!client )(?<!consumer )\b(?:per|by|based on|depending on|according to|keyed (?:by|on))"
            rf"[ -](?:the |its |their |each |a )?{_ATTRIBUTE}{_NOT_A_ROLE}"
        ),
        finds=(
            "route per client",
            "Route storefront users to /v2 by client id",
            "split by user",
            "based on the header",
        ),
        leaves=(
            "client by client, as each owner agrees",
            "observe 30 minutes per client-adoption step",
            "approved by the client owner",
            "approved by client teams",
            "authenticate using a token",
            "send it using the header Idempotency-Key",
        ),
    ),
    SelectorWording(
        kind="client-identity",
        pattern=r"\b(?:client|consumer|user|caller)[ -]identit(?:y|ies)\b",
        finds=("the client identity decides", "client-identity routing"),
        leaves=("the client decides when it moves",),
    ),
    SelectorWording(
        kind="client-identity",
        pattern=(
            rf"\b(?:{_ATTRIBUTE}|tokens?|api[ -]?keys?|x-[\w-]+)\b(?: \S+){{0,2}} "
            r"(?:selects?|routes?|chooses|picks|directs|steers|switches)\b(?! off)"
        ),
        finds=("header X-Client selects", "the cookie routes to /v2", "X-Beta picks the version"),
        leaves=("the gateway selects by route prefix only", "accept application/problem+json"),
    ),
    SelectorWording(
        kind="client-identity",
        pattern=(
            rf"\b{_WHO} (?:whose|with|carrying|bearing|that (?:send|carry|have)) (?:\w+ ){{0,2}}"
            r"(?:headers?|cookies?|ids?|identifiers?|tokens?|keys?|x-[\w-]+)\b"
        ),
        finds=("requests with header X-Beta go to /v2", "users whose id ends in 0", "clients that send a beta cookie"),
        leaves=("send the header Accept, then request /v2", "request /v2 with the new media type"),
    ),
    SelectorWording(
        kind="feature-flag",
        pattern=r"\bfeature[ -](?:flags?|toggles?|switch(?:es)?)\b|\bbehind a (?:flag|toggle)\b",
        finds=("behind a feature flag", "the feature toggle opens it", "kept behind a flag"),
        leaves=("the order's flag field",),
    ),
)
"""What a text may say only when the record shows such a selector."""
_COMPILED: Final = tuple((entry.kind, re.compile(entry.pattern, re.IGNORECASE)) for entry in WORDINGS)
_VERSIONED: Final = re.compile(r"(?<![\w/.+}-])/v\d+(?:[.\-_]?\w+)*", re.IGNORECASE)
_SPOKEN: Final = re.compile(
    r"\b(?:api|routes?|route prefix|prefix|version|path|opens?|opened|requests?|requesting) (v\d+(?:\.\d+)*)\b",
    re.IGNORECASE,
)
_OPENED: Final = re.compile(
    r"\b(?:routes?|prefix|opens?) (/[a-z][\w.-]*)|(?<![\w/.+}-])(/[a-z][\w.-]*) (?:is|are|gets?) opened", re.IGNORECASE
)
ROUTE_EXAMPLES: Final[tuple[tuple[str, tuple[str, ...]], ...]] = (
    ("/v3 is opened", ("/v3",)),
    ("open /v2 beside /v1", ("/v2", "/v1")),
    ("storefront requests /v2/orders", ("/v2",)),
    ("(/v2.1)", ("/v2.1",)),
    ("requests version v4", ("v4",)),
    ("route /beta", ("/beta",)),
    ("/beta is opened", ("/beta",)),
    ("accept application/problem+json, then request GET /orders/{id}", ()),
    ("storefront v5 moves", ()),
    ("application/vnd.x/v7", ()),
)
"""Texts with the routes that they name."""


def spoken_selections(text: str) -> tuple[Selection, ...]:
    """The kinds of selection that a text speaks of, in the vocabulary's order, each once."""
    words = " ".join(text.split())
    return tuple(dict.fromkeys(kind for kind, pattern in _COMPILED if pattern.search(words)))


def routes_named(text: str) -> tuple[str, ...]:
    """The routes and versions that a text names, as written, each once: `/v3`, `version v3`, `route /beta`."""
    found = [match.group(0) for match in _VERSIONED.finditer(text)]
    found += [match.group(1) for match in _SPOKEN.finditer(text)]
    found += [match.group(1) or match.group(2) for match in _OPENED.finditer(text)]
    return tuple(dict.fromkeys(found))


def is_separated(route: str, separated: Iterable[str]) -> bool:
    """True when a named route is one that the record separates, or lies below one; case and slashes do not matter."""
    wanted = _parts(route)
    return any(
        wanted[: len(own)] == own or wanted in _names(text) for text in separated for own in [_parts(text)] if own
    )


def _names(text: str) -> tuple[tuple[str, ...], ...]:
    """The routes inside a longer description such as `route prefix /v1`."""
    return tuple(_parts(word) for word in re.split(r"[\s,;()]+", text) if word.strip("/"))


def _parts(route: str) -> tuple[str, ...]:
    return tuple(part.casefold() for part in route.strip().strip("/*").split("/") if part)


def separated_routes(rollout: Cited[RolloutRecord] | None) -> tuple[str, ...]:
    """The routes and versions that the record separates, in its order."""
    boundaries = rollout.record.separations if rollout else ()
    return tuple(dict.fromkeys(route for boundary in boundaries for route in boundary.separates))
