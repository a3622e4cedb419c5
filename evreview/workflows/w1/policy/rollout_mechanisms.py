"""What traffic can be separated by, and how far back one can go: only what the rollout record shows."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal, NamedTuple

import pandas as pd

from evreview.core.vocabulary import EvidenceId, VersionPath
from evreview.evidence.cited_records import Cited
from evreview.evidence.contradictions import other_state, undone
from evreview.evidence.item import Citation, EvidenceItem
from evreview.evidence.records.compatibility import RollbackDrill, RolloutRecord
from evreview.evidence.records.review import Plan, PlannedMechanism, PlanStep, day_of, same_words
from evreview.evidence.records.test_runs import CheckResult, TestRecord

# Words of a plan that speak of selecting traffic, and the routes that it names. The vocabulary is data.
#
# Every entry carries examples that it must find and examples that it must leave alone; the tests run all of them.


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
class Wording:
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


WORDINGS: Final[tuple[Wording, ...]] = (
    Wording(
        kind="cohort",
        pattern=r"\bcohorts?\b",
        finds=("the pilot cohort", "Cohorts move first"),
        leaves=("storefront requests /v2",),
    ),
    Wording(
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
    Wording(
        kind="cohort",
        pattern=(
            rf"\b(?:sub-?sets?|groups?|segments?|samples?|batch(?:es)?) of (?:\w+ ){{0,3}}{_WHO}\b|"
            r"\bearly adopters\b"
        ),
        finds=("a subset of the users", "a group of storefront customers", "early adopters first"),
        leaves=("a group of fields", "the subset of values"),
    ),
    Wording(
        kind="percentage",
        pattern=(
            r"(?<![\w.])\d+(?:[.,]\d+)?\s?(?:%|per ?cent\b(?!age))"
            r"(?!\s*(?:points?|over|above|below|failures?|errors?|of (?:the )?(?:failures?|errors?)))"
        ),
        finds=("5 % canary", "10% of users", "10 percent of callers", "12.5% first"),
        leaves=("abort at 0.5 % above baseline", "exceeds by 0.5 % points"),
    ),
    Wording(
        kind="percentage",
        pattern=(
            r"\bpercentages?\b(?! points?)|\bper ?cent of\b|\bcanar(?:y|ies)\b|"
            r"\b(?:ten|twenty|fifty|five) per ?cent\b"
        ),
        finds=("a percentage of traffic", "a canary", "ten percent", "twenty per cent of it"),
        leaves=("0.5 percentage points over the baseline",),
    ),
    Wording(
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
    Wording(
        kind="percentage",
        pattern=rf"\b(?:every|each) (?:\w+th|second|third|other) {_WHO}\b",
        finds=("every tenth request goes to /v2", "every other call"),
        leaves=("every request to /v2", "each client"),
    ),
    Wording(
        kind="percentage",
        pattern=(
            rf"(?<!step )(?<!phase )(?<!stage )(?<!part )(?<!wave )\b{_NUMBER} (?:out )?(?:in|of)(?: every| each)? "
            rf"{_NUMBER}(?: \w+){{0,3}} {_WHO}\b|\b{_NUMBER} (?:in|out of) (?:every |each )?{_NUMBER}\b"
        ),
        finds=("one in ten requests", "1 of 10 callers", "3 out of 10", "two of every five storefront users"),
        leaves=("step 1 of 3", "one of the fields", "2 of 3 signals are green"),
    ),
    Wording(
        kind="percentage",
        pattern=rf"(?<![\w/])\d+/\d+ (?:of )?(?:\w+ ){{0,3}}{_WHO}\b",
        finds=("1/10 of the traffic", "1/2 users"),
        leaves=("/v1/orders of clients",),
    ),
    Wording(
        kind="percentage",
        pattern=(
            rf"\b(?:shares?|fractions?|portions?|proportions?|parts?) of (?:\w+ ){{0,3}}{_WHO}\b|"
            rf"\b(?:traffic|user|request) (?:shares?|splits?|weights?)\b|\bweighted\b|\bat random\b|\brandomly\b"
        ),
        finds=("a share of users", "a fraction of the storefront traffic", "part of the traffic", "weighted routing"),
        leaves=("this part of the contract", "shares of stock in the order"),
    ),
    Wording(
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
    Wording(
        kind="client-identity",
        pattern=r"\b(?:client|consumer|user|caller)[ -]identit(?:y|ies)\b",
        finds=("the client identity decides", "client-identity routing"),
        leaves=("the client decides when it moves",),
    ),
    Wording(
        kind="client-identity",
        pattern=(
            rf"\b(?:{_ATTRIBUTE}|tokens?|api[ -]?keys?|x-[\w-]+)\b(?: \S+){{0,2}} "
            r"(?:selects?|routes?|chooses|picks|directs|steers|switches)\b(?! off)"
        ),
        finds=("header X-Client selects", "the cookie routes to /v2", "X-Beta picks the version"),
        leaves=("the gateway selects by route prefix only", "accept application/problem+json"),
    ),
    Wording(
        kind="client-identity",
        pattern=(
            rf"\b{_WHO} (?:whose|with|carrying|bearing|that (?:send|carry|have)) (?:\w+ ){{0,2}}"
            r"(?:headers?|cookies?|ids?|identifiers?|tokens?|keys?|x-[\w-]+)\b"
        ),
        finds=("requests with header X-Beta go to /v2", "users whose id ends in 0", "clients that send a beta cookie"),
        leaves=("send the header Accept, then request /v2", "request /v2 with the new media type"),
    ),
    Wording(
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


MechanismKind = Literal["route-version", "percentage", "cohort", "client-identity", "feature-flag", "deployment"]
RefusalCode = Literal[
    "no-rollout-record",
    "no-such-mechanism",
    "no-such-route",
    "client-routing-needs-selector",
    "cohort-not-established",
    "no-rollback",
    "rollback-not-named",
    "rollback-not-evidenced",
]

CLIENT_KINDS: Final[frozenset[MechanismKind]] = frozenset({"cohort", "client-identity"})
_SHOWN_BY: Final[Mapping[Selection, frozenset[MechanismKind]]] = MappingProxyType(
    {
        "cohort": frozenset({"cohort"}),
        "percentage": frozenset({"percentage"}),
        "client-identity": CLIENT_KINDS,
        "feature-flag": frozenset({"feature-flag"}),
    }
)
"""Which selectors of the record allow a text to speak of a selection; a cohort may be chosen by a header or an id."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mechanism:
    """One mechanism that the rollout record shows.

    Attributes:
        kind, name: what it separates by, and its name in the record.
        detail: the routes it separates, how membership is decided, or what a rollback returns to.
        citation: where the record shows it.
    """

    kind: MechanismKind
    name: str
    detail: str
    citation: Citation


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """Why a part of a plan is refused (W1-F4): its kind, what of the plan it concerns, and the sentence."""

    code: RefusalCode
    subject: str
    text: str


def available(rollout: Cited[RolloutRecord] | None) -> tuple[Mechanism, ...]:
    """Every mechanism that the record shows, in its order: separations, selectors, then the deployment.

    A boundary that names fewer than two routes separates nothing and is no mechanism. The deployment is one when the
    record says what a rollback returns to.
    """
    if rollout is None:
        return ()
    record = rollout.record
    routes = [
        Mechanism(
            kind="route-version",
            name=boundary.name,
            detail=f"separates {', '.join(boundary.separates)}",
            citation=rollout.at(f"/separations/{place}"),
        )
        for place, boundary in enumerate(record.separations)
        if len(set(boundary.separates)) > 1
    ]
    selectors = [
        Mechanism(
            kind=selector.kind,
            name=selector.name,
            detail=f"selected by {selector.selected_by}",
            citation=rollout.at(f"/selectors/{place}"),
        )
        for place, selector in enumerate(record.selectors)
    ]
    back = record.rollback
    deployment = [] if back is None else [_deployment(rollout, back.boundary, back.atomic)]
    return (*routes, *selectors, *deployment)


def has(kind: MechanismKind, rollout: Cited[RolloutRecord] | None) -> bool:
    """True when the record shows a mechanism of this kind."""
    return any(mechanism.kind == kind for mechanism in available(rollout))


def unsupported_words(text: str, rollout: Cited[RolloutRecord] | None) -> tuple[MechanismKind, ...]:
    """The kinds of selection that `text` speaks of and that the record does not show (`canary`, `one in ten`)."""
    shown = {mechanism.kind for mechanism in available(rollout)}
    return tuple(kind for kind in spoken_selections(text) if not shown & _SHOWN_BY[kind])


def separated_routes(rollout: Cited[RolloutRecord] | None) -> tuple[str, ...]:
    """The routes and versions that the record separates, in its order."""
    boundaries = rollout.record.separations if rollout else ()
    return tuple(dict.fromkeys(route for boundary in boundaries for route in boundary.separates))


def unsupported_routes(text: str, rollout: Cited[RolloutRecord] | None) -> tuple[str, ...]:
    """The routes and versions that `text` names and that the record does not separate."""
    separated = separated_routes(rollout)
    return tuple(route for route in routes_named(text) if not is_separated(route, separated))


def check_plan(plan: Plan, rollout: Cited[RolloutRecord] | None) -> tuple[Refusal, ...]:
    """Every part of the plan that relies on something that the record does not show; empty when all of it exists.

    Traffic steps, migration instructions and the rollback are read for what they select by and which routes they name.
    """
    if rollout is None and (plan.mechanisms or plan.rollback or plan.path is VersionPath.EXPLICIT_VERSION):
        text = "No rollout record was supplied: no mechanism and no rollback boundary is shown to exist."
        return (Refusal(code="no-rollout-record", subject=plan.path.value, text=text),)
    mechanisms = [refusal for planned in plan.mechanisms for refusal in _check_mechanism(planned, rollout)]
    typed = [step for step in plan.traffic_steps if isinstance(step, PlanStep)]
    texts = [("traffic step", step) for step in plan.traffic_steps if isinstance(step, str)]
    texts += [("traffic step", step.note) for step in typed if step.note]
    texts += [(f"migration of {step.client}", step.instruction) for step in plan.migrations]
    texts += [("rollback", plan.rollback)] if plan.rollback else []
    spoken = [refusal for what, text in texts for refusal in _check_text(what, text, rollout)]
    routes = [refusal for step in typed for refusal in _check_step(step, rollout)]
    return (*_check_path(plan, rollout), *mechanisms, *spoken, *routes, *_check_rollback(plan, rollout))


def mechanisms_frame(rollout: Cited[RolloutRecord] | None) -> pd.DataFrame:
    """One row per mechanism that the record shows. Columns, all text: kind, name, detail, evidence."""
    cells = [(item.kind, item.name, item.detail, str(item.citation)) for item in available(rollout)]
    return pd.DataFrame(cells, columns=["kind", "name", "detail", "evidence"], dtype="string")


def _deployment(rollout: Cited[RolloutRecord], boundary: str, atomic: bool) -> Mechanism:
    how = "in one step" if atomic else "not in one step"
    detail = f"rolls back to {boundary}, {how}"
    return Mechanism(kind="deployment", name=boundary, detail=detail, citation=rollout.at("/rollback"))


def _check_path(plan: Plan, rollout: Cited[RolloutRecord] | None) -> list[Refusal]:
    if plan.path is not VersionPath.EXPLICIT_VERSION or has("route-version", rollout):
        return []
    text = "The plan needs two versions side by side, and the record shows no boundary that separates versions."
    return [Refusal(code="no-such-mechanism", subject=plan.path.value, text=text)]


def _check_mechanism(planned: PlannedMechanism, rollout: Cited[RolloutRecord] | None) -> list[Refusal]:
    subject = f"{planned.kind} {planned.name}"
    existing = [mechanism for mechanism in available(rollout) if mechanism.kind == planned.kind]
    if any(_same(mechanism.name, planned.name) for mechanism in existing):
        return []
    if planned.kind in CLIENT_KINDS and not existing and has("route-version", rollout):
        text = f"The record shows routing by version only; nothing selects traffic by {planned.kind}."
        return [Refusal(code="client-routing-needs-selector", subject=subject, text=text)]
    names = ", ".join(mechanism.name for mechanism in existing) or "none"
    text = f"The record shows no {planned.kind} called {planned.name}; of this kind it shows: {names}."
    return [Refusal(code="no-such-mechanism", subject=subject, text=text)]


def _check_text(what: str, text: str, rollout: Cited[RolloutRecord] | None) -> list[Refusal]:
    selections = [
        Refusal(
            code="cohort-not-established" if kind in CLIENT_KINDS else "no-such-mechanism",
            subject=text,
            text=f"The {what} speaks of {kind} selection, which the record does not show.",
        )
        for kind in unsupported_words(text, rollout)
    ]
    routes = [
        Refusal(
            code="no-such-route",
            subject=text,
            text=f"The {what} names {route}, which the record does not separate.",
        )
        for route in unsupported_routes(text, rollout)
    ]
    return [*selections, *routes]


def _check_step(step: PlanStep, rollout: Cited[RolloutRecord] | None) -> list[Refusal]:
    """Why the path of a typed step is none; where the record separates nothing, the path of the plan is refused."""
    separated = separated_routes(rollout)
    if step.path is None or not separated or is_separated(step.path, separated):
        return []
    text = f"The traffic step {step.id} names {step.path}, which the record does not separate."
    return [Refusal(code="no-such-route", subject=step.id, text=text)]


def _check_rollback(plan: Plan, rollout: Cited[RolloutRecord] | None) -> list[Refusal]:
    back = rollout.record.rollback if rollout else None
    if plan.rollback is None:
        return []
    if back is None:
        text = "The plan relies on a rollback, and the record shows none."
        return [Refusal(code="no-rollback", subject=plan.rollback, text=text)]
    refusals = []
    if not _same(back.boundary, plan.rollback):
        text = f"The record's rollback boundary is {back.boundary}, not {plan.rollback}."
        refusals.append(Refusal(code="rollback-not-named", subject=plan.rollback, text=text))
    if back.evidence is None:
        text = f"No evidence item shows that the rollback to {back.boundary} was exercised."
        refusals.append(Refusal(code="rollback-not-evidenced", subject=plan.rollback, text=text))
    return refusals


def _same(left: str, right: str) -> bool:
    return " ".join(left.split()).casefold() == " ".join(right.split()).casefold()


# Whether the evidence of a rollback shows that this rollback was exercised, and succeeded when it last was.


class DrillFault(NamedTuple):
    """Why no success of a rollback is shown, as a clause, and the item that says so."""

    clause: str
    item: EvidenceId


def drill_faults(record: RolloutRecord, items: Mapping[EvidenceId, EvidenceItem], as_of: str) -> tuple[DrillFault, ...]:
    """Why the evidence shows no success of the rollback; none when it does, or when none is named.

    Args:
        record: the rollout record.
        items: the evidence items by id; of all drills that went back to the boundary, those of the last day count.
        as_of: the review's date; a later drill does not count.
    """
    back = record.rollback
    if back is None or back.evidence is None:
        return ()
    item = items.get(back.evidence)
    shown = item.record if item else None
    if isinstance(shown, RollbackDrill):
        fault = _of_drill(shown, back.boundary, back.evidence, as_of)
    elif isinstance(shown, TestRecord):
        fault = _of_checks(shown, back.boundary, back.evidence)
    else:
        fault = f"{back.evidence} is neither a rollback drill nor a test record, so no success is shown"
    if fault:
        return (DrillFault(fault, back.evidence),)
    drills = [(id_, drill) for id_, drill in _drills(items) if same_words(drill.boundary, back.boundary)]
    days = [drill.on for _, drill in drills if drill.on <= as_of]
    last = [(id_, drill) for id_, drill in drills if days and drill.on == max(days)]
    # Of one day nobody can tell which came last, so every drill of it has to have succeeded.
    return tuple(DrillFault(f"{said}, on {drill.on}", id_) for id_, drill in last if (said := _failure(drill, id_)))


def _drills(items: Mapping[EvidenceId, EvidenceItem]) -> Iterator[tuple[EvidenceId, RollbackDrill]]:
    for id_, item in items.items():
        if isinstance(item.record, RollbackDrill):
            yield id_, item.record


def _of_drill(drill: RollbackDrill, boundary: str, item: EvidenceId, as_of: str) -> str:
    if not same_words(drill.boundary, boundary):
        return f"the drill of {item} went back to {drill.boundary}"
    if drill.on > as_of:
        return f"the drill of {item} is of {drill.on}, after the review's date"
    return _failure(drill, item)


def _failure(drill: RollbackDrill, item: EvidenceId) -> str:
    """How a drill says that it did not succeed, "" when it succeeded."""
    if drill.result != "succeeded":
        return f"the drill of {item} {drill.result}"
    said = undone(drill.text or "")
    return f"the drill of {item} is called succeeded, and its own text says `{said}`" if said else ""


def _of_checks(record: TestRecord, boundary: str, item: EvidenceId) -> str:
    own = [check for check in record.checks if _is_of(check, boundary)]
    failed = [check for check in record.checks if not check.lacking and check.result != "passed"]
    if failed:
        return f"the check {failed[0].id} of {item} {failed[0].result}"
    if not any(not check.lacking for check in own):
        return f"{item} holds no executed check of the rollback to {boundary}"
    return ""


def _is_of(check: CheckResult, boundary: str) -> bool:
    """True for a check of this boundary: by its field, else by the boundary's own name in what it checks."""
    if check.boundary is not None:
        return same_words(check.boundary, boundary)
    return " ".join(boundary.split()).casefold() in " ".join(check.what.split()).casefold()


def approval_fault(record: RolloutRecord, manager: str, as_of: str) -> str:
    """Why the rollout record is not shown to be approved, "" when it is."""
    given = record.approval
    if given is None:
        return "its approval is not shown"
    if given.state != "approved":
        return f"its approval is {given.state}"
    if given.role != manager:
        return f"{given.role} approved it, who is not the release manager"
    if day_of(given.at) > as_of:
        return "it was approved after the review's date"
    found = other_state(record.approval_state)
    return f"it is called approved, and its own state is `{found}`" if found else ""
