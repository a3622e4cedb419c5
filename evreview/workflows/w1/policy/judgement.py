"""What the supplied policy says about one row. Severity comes from here and from nowhere else."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal, Protocol

import pandas as pd

from evreview.comparison.comparison import Comparison, JudgedRow
from evreview.comparison.component_identity import STATUS
from evreview.comparison.delta import BASE_ASPECT, Delta
from evreview.contract.model import ElementKind
from evreview.core.vocabulary import Change, DeltaId, Direction, Form, Tristate, Unrated, Verdict, VersionPath
from evreview.evidence.cited_records import Cited
from evreview.evidence.item import Citation
from evreview.evidence.records.compatibility import Policy, PolicyRule, When
from evreview.evidence.records.review import ReviewRequest, same_words
from evreview.workflows.w1.facts import ClassifiedRow
from evreview.workflows.w1.route_words import is_separated

Blocked = Literal["in-place release", "release", "removal"]
Exit = Literal[
    "removed",
    "safely versioned",
    "compatibility window",
    "retained parser execution",
    "usage evidence",
    "migration evidence",
]
ClientEvidence = Literal["declared-incompatible", "executed-failure", "unknown-consumers"]


class ClientFacts(Protocol):
    """What a judgement asks about one client and one row; `clients.Impact` is one."""

    @property
    def delta_id(self) -> DeltaId: ...
    @property
    def released(self) -> bool: ...
    @property
    def contract_incompatible(self) -> Tristate: ...
    @property
    def executed(self) -> Literal["failed", "passed", "none"]: ...
    @property
    def adopted(self) -> bool: ...


class UnlistedConsumers(Protocol):
    """What a judgement asks about consumers that no inventory lists; `clients.UnknownConsumers` is one."""

    def open_for(self, delta_id: DeltaId) -> bool: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """Something that a policy rule blocks for one row, and what ends it (any one of `closes_by`)."""

    what: Blocked
    rule_id: str
    text: str
    closes_by: tuple[Exit, ...]
    evidence: ClientEvidence | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyJudgement:
    """What the policy says about one row.

    Attributes:
        delta_id: the row.
        severity: the policy's word, None when there is no policy or no rule with a severity matches.
        rule_id, quoted: the rule that gave the severity (else the classification, else the first match), with its text.
        blocks: every block of every matching rule, in the policy's order.
        classification: what the first matching rule with a classification calls the change.
        closes_by: what ends the quoted rule (`rule_id`), in the policy's order. Each block of another rule has its own.
        citation: the rule inside the policy item.
        matched: the ids of all matching rules, in the policy's order.
        disposition: the policy's release disposition for the severity, None when it states none.
        evidence: what the quoted rule asks of clients, None for nothing.
    """

    delta_id: DeltaId
    severity: str | None = None
    rule_id: str | None = None
    quoted: str = ""
    blocks: tuple[Block, ...] = ()
    classification: str | None = None
    closes_by: tuple[Exit, ...] = ()
    citation: Citation | None = None
    matched: tuple[str, ...] = ()
    disposition: str | None = None
    evidence: ClientEvidence | None = None

    @property
    def severity_text(self) -> str:
        """The severity, or that none is rated and why."""
        return self.severity or Unrated.NO_RUBRIC.value


def judge(
    row: ClassifiedRow, impacts: Iterable[ClientFacts], unknown: UnlistedConsumers, policy: Cited[Policy] | None
) -> PolicyJudgement:
    """What the policy says about `row`.

    A rule that asks for client evidence is tried for each client on its own, so that one client's executed failure
    never hides behind another's declaration. For each client (and for the unlisted consumers, and for the row alone)
    the first matching rule with a severity counts; of these the gravest, by the policy's own order, is the row's.

    Args:
        row: the row.
        impacts: client impacts; those of other rows are ignored.
        unknown: the unlisted consumers.
        policy: the supplied policy; without one nothing is rated.
    """
    delta_id = row.delta.id
    if policy is None:
        return PolicyJudgement(delta_id=delta_id)
    contexts = _contexts(delta_id, impacts, unknown)
    rules = policy.record.rules
    matched = [
        index for index, rule in enumerate(rules) if any(_applies(rule.when, row, context) for context in contexts)
    ]
    if not matched:
        return PolicyJudgement(delta_id=delta_id)
    rating = _rating(row, policy.record, contexts)
    calling = next((index for index in matched if rules[index].classification), None)
    lead = next(index for index in (rating, calling, matched[0]) if index is not None)
    severity = None if rating is None else rules[rating].severity
    return PolicyJudgement(
        delta_id=delta_id,
        severity=severity,
        evidence=rules[lead].when.client_evidence,
        rule_id=rules[lead].id,
        quoted=rules[lead].text,
        blocks=tuple(block for index in matched for block in _blocks(rules[index])),
        classification=None if calling is None else rules[calling].classification,
        closes_by=tuple(dict.fromkeys(rules[lead].closes_by)),
        citation=policy.at(f"/rules/{lead}"),
        matched=tuple(rules[index].id for index in matched),
        disposition=policy.record.disposition_per_severity.get(severity or ""),
    )


def exits(
    delta_id: DeltaId, impacts: Iterable[ClientFacts], unknown: UnlistedConsumers, path: VersionPath | None
) -> frozenset[Exit]:
    """The ways out of a block that the evidence and the chosen path already provide for one row.

    `removed` is never among them: a removed difference is no row any more. `path` counts only when its mechanisms
    exist; give None for a path with refusals.
    """
    own = [impact for impact in impacts if impact.delta_id == delta_id]
    rejecting = [
        impact for impact in own if impact.contract_incompatible is Tristate.YES or impact.executed == "failed"
    ]
    ways: set[Exit] = set()
    if path is VersionPath.EXPLICIT_VERSION:
        ways.add("safely versioned")
    if path in (VersionPath.DEPRECATION_WINDOW, VersionPath.ADDITIVE):
        ways.add("compatibility window")
    if rejecting and all(impact.executed == "passed" for impact in rejecting):
        ways.add("retained parser execution")
    if not unknown.open_for(delta_id):
        ways.add("usage evidence")
        if own and all(impact.adopted for impact in own):
            ways.add("migration evidence")
    return frozenset(ways)


def standing_blocks(judgement: PolicyJudgement, ways: frozenset[Exit]) -> tuple[Block, ...]:
    """The blocks that none of `ways` ends, in the policy's order."""
    return tuple(block for block in judgement.blocks if not ways & set(block.closes_by))


def judgements_frame(judgements: Sequence[PolicyJudgement]) -> pd.DataFrame:
    """One row per ledger row, key `delta_id`.

    Columns: delta_id, severity (the policy's word or "not rated (no rubric)"), classification ("consumer-breaking",
    "producer-breaking" or ""), blocks, closes_by, disposition (texts, "; " between several, "" for none),
    policy_rule (id or ""), quoted (the policy's sentence), evidence (a citation or "").
    """
    columns = ["delta_id", "severity", "classification", "blocks", "closes_by", "disposition"]
    columns += ["policy_rule", "quoted", "evidence"]
    cells = [
        (
            item.delta_id,
            item.severity_text,
            item.classification or "",
            "; ".join(dict.fromkeys(block.what for block in item.blocks)),
            "; ".join(item.closes_by),
            item.disposition or "",
            item.rule_id or "",
            item.quoted,
            str(item.citation or ""),
        )
        for item in judgements
    ]
    return pd.DataFrame(cells, columns=columns, dtype="string")


_Context = ClientEvidence | None


def _contexts(delta_id: DeltaId, impacts: Iterable[ClientFacts], unknown: UnlistedConsumers) -> tuple[_Context, ...]:
    found: list[_Context] = [None]
    for impact in impacts:
        if impact.delta_id == delta_id:
            found.extend(evidence for evidence in [_client_evidence(impact)] if evidence)
    if unknown.open_for(delta_id):
        found.append("unknown-consumers")
    return tuple(dict.fromkeys(found))


def _client_evidence(impact: ClientFacts) -> ClientEvidence | None:
    if impact.executed == "failed":
        return "executed-failure" if impact.released else None
    if impact.contract_incompatible is Tristate.YES and impact.executed == "none":
        return "declared-incompatible"
    return None


def _applies(when: When, row: ClassifiedRow, context: _Context) -> bool:
    """True when every condition given holds; a rule without client evidence is about the row alone.

    A row inside an error answers to its own aspect and to the one that it would have elsewhere.
    """
    delta, judged = row.delta, row.judgement
    return bool(
        (not when.aspects or {delta.aspect, delta.facts.get(BASE_ASPECT)} & set(when.aspects))
        and (not when.changes or delta.change in when.changes)
        and (not when.roles or delta.role in when.roles)
        and (not when.rules or judged.rule in when.rules)
        and (not when.verdicts or judged.verdict in when.verdicts)
        and when.in_error in (None, delta.in_error)
        and when.required in (None, delta.facts.get("required"))
        and when.emits_old_compatible in (None, judged.emits_old_compatible)
        and when.accepts_old_requests in (None, judged.accepts_old_requests)
        and when.client_evidence == context
    )


def _rating(row: ClassifiedRow, policy: Policy, contexts: Sequence[_Context]) -> int | None:
    """Index of the rule that rates the row."""
    firsts = [
        next((i for i, rule in enumerate(policy.rules) if rule.severity and _applies(rule.when, row, context)), None)
        for context in contexts
    ]
    rated = sorted({index for index in firsts if index is not None})
    order = {word: place for place, word in enumerate(policy.severities)}
    return min(rated, key=lambda index: order.get(policy.rules[index].severity or "", len(order)), default=None)


def _blocks(rule: PolicyRule) -> tuple[Block, ...]:
    return tuple(
        Block(what=what, rule_id=rule.id, text=rule.text, closes_by=rule.closes_by, evidence=rule.when.client_evidence)
        for what in rule.blocks
    )


# What a supplied policy leaves out that a conclusion would need.


GapCode = Literal[
    "no-policy",
    "no-compatibility-rules",
    "no-window",
    "no-removal-conditions",
    "no-dispositions",
    "severity-without-disposition",
    "unknown-severity",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyGap:
    """One thing that the policy does not say, and what follows from that."""

    code: GapCode
    text: str
    citation: Citation | None = None


def policy_gaps(policy: Cited[Policy] | None, *, removal_asked: bool = False) -> tuple[PolicyGap, ...]:
    """What the policy leaves out, in a fixed order; empty for a complete one.

    `no-removal-conditions` is reported only when a removal is asked, the others always.
    """
    if policy is None:
        return (PolicyGap(code="no-policy", text="No policy was supplied: nothing is rated and no window is known."),)
    record = policy.record
    checks: tuple[tuple[GapCode, bool, str], ...] = (
        (
            "no-compatibility-rules",
            not (record.producer_rules or record.consumer_rules or record.rules),
            "The policy states no producer or consumer compatibility rule.",
        ),
        (
            "no-window",
            record.support_window_days is None and record.removal is None,
            "The policy states neither a notice period nor a support window.",
        ),
        (
            "no-removal-conditions",
            removal_asked and record.removal is None,
            "A removal is asked and the policy states no removal conditions: the removal is blocked.",
        ),
        (
            "no-dispositions",
            not record.disposition_per_severity and not any(rule.blocks for rule in record.rules),
            "The policy states no release disposition: none is derived from a severity.",
        ),
        ("severity-without-disposition", bool(_undisposed(record)), _without_disposition(record)),
        ("unknown-severity", bool(_unlisted(record)), _not_listed(record)),
    )
    return tuple(PolicyGap(code=code, text=text, citation=policy.citation) for code, holds, text in checks if holds)


def _undisposed(record: Policy) -> list[str]:
    stated = record.disposition_per_severity
    return [word for word in record.severities if stated and word not in stated]


def _without_disposition(record: Policy) -> str:
    return f"The policy states no release disposition for: {', '.join(_undisposed(record))}."


def _unlisted(record: Policy) -> list[str]:
    used = {rule.severity for rule in record.rules if rule.severity}
    return sorted(word for word in used if word not in record.severities)


def _not_listed(record: Policy) -> str:
    return f"Rules of the policy use severities that its own list does not hold: {', '.join(_unlisted(record))}."


# Statuses that may come now and could not before: whether the supplied policy says that clients take them.


CLASSES: Final = ("2XX", "3XX", "4XX", "5XX")
_ERRORS: Final = frozenset({"4XX", "5XX"})


def taken(comparison: Comparison, policy: Cited[Policy] | None) -> tuple[Comparison, Mapping[DeltaId, Citation]]:
    """The comparison, rows about new statuses compatible where the policy says that clients take any of their class.

    The citations are of the policy's sentence, by the ids of the rows that it decided.
    """
    said = policy.record.client_statuses if policy is not None else None
    if policy is None or said is None:
        return comparison, {}
    known = frozenset[str](said.any_of)
    found = {row.delta.id: _compatible(row, said.text) for row in comparison.rows if _is_taken(row, known)}
    if not found:
        return comparison, {}
    rows = tuple(found.get(row.delta.id, row) for row in comparison.rows)
    return replace(comparison, rows=rows), dict.fromkeys(found, policy.at("/client_statuses"))


def _is_taken(row: JudgedRow, known: frozenset[str]) -> bool:
    classes = _classes(row.delta)
    return bool(classes) and classes <= known and row.judgement.verdict is not Verdict.COMPATIBLE


def _classes(delta: Delta) -> frozenset[str]:
    """The classes of the statuses that a row adds to what the producer may send, none for any other row."""
    added = delta.change is Change.ADDED and delta.facet == ""
    if delta.element is not ElementKind.RESPONSE or delta.direction is not Direction.WRITTEN:
        return frozenset()
    if not added and delta.facet != STATUS:
        return frozenset()
    status = _status(delta.candidate)
    if status == "default":
        return _ERRORS if delta.in_error else frozenset(CLASSES)
    return frozenset({f"{status[:1]}XX"})


def _status(form: Form) -> str:
    """The status of a response's form, which is its key, or holds it."""
    return str(form.get(ElementKind.RESPONSE.value, "") if isinstance(form, Mapping) else form)


def _compatible(row: JudgedRow, text: str) -> JudgedRow:
    said = f"{row.judgement.why} The policy says that clients take any status of the class: \u201c{text}\u201d"
    judged = replace(row.judgement, verdict=Verdict.COMPATIBLE, emits_old_compatible=Tristate.YES, why=said)
    return replace(row, judgement=judged)


# Whether the supplied policy is one for what is reviewed: its own words about its surface are not interpreted.


_ROUTE: Final = re.compile(r"(?<![\w/.:])/[\w{}./-]*\w")


def inapplicable(policy: Policy, request: ReviewRequest, operations: Iterable[str]) -> str:
    """Why the policy is not shown to apply, as a clause; "" when it is.

    It applies when it names the surface of the request, when every operation lies under a route that it names, or when
    the request confirms its version and its surface word by word. A policy whose routes hold no operation never does.

    Args:
        policy: as supplied.
        request: what is reviewed.
        operations: method and path of every operation; those without a path are under no route.
    """
    paths = [path for name in operations if (path := name.partition(" ")[2]).startswith("/")]
    routes = tuple(dict.fromkeys(route.rstrip("./-") for route in _ROUTE.findall(policy.surface)))
    inside = [path for path in paths if is_separated(path, routes)]
    if routes and paths and not inside:
        return f"it is for {', '.join(routes)}, where none of the operations lies"
    if routes and paths and len(inside) == len(paths):
        return ""
    if request.surface is not None and same_words(policy.surface, request.surface):
        return ""
    confirmed = request.policy
    if confirmed is None:
        return "nobody confirms that its surface holds what is reviewed"
    if confirmed.version != policy.policy_version:
        return f"confirmed is version {confirmed.version}, supplied is {policy.policy_version}"
    return "" if same_words(confirmed.surface, policy.surface) else "another surface is confirmed than it names"
