"""Which evidence may carry which kind of claim: one table of types, and what `establishes` takes back.

The table is the rule, `VOCABULARY` is how a denial in `establishes` names a kind of claim. A denial can only take away.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from evreview.core.vocabulary import EvidenceType
from evreview.evidence.item import EvidenceItem


class ClaimKind(StrEnum):
    """What a material claim is about."""

    DECLARED_CONTRACT = "declared wire contract"
    IMPLEMENTATION = "implementation-derived behaviour"
    OBSERVED = "observed behaviour"
    EXECUTED_CHECK = "executed check"
    DECLARED_PARSER = "declared client parser behaviour"
    EXECUTED_PARSER = "executed parser behaviour"
    OWNERSHIP = "ownership"
    POLICY_RULE = "policy rule or severity"
    ROLLOUT = "rollout capability"
    USAGE = "usage"
    APPROVAL = "approval"
    RUNTIME_DEFAULT = "runtime default"
    ERROR_BEHAVIOUR = "error behaviour"
    STATEMENT = "statement by the supplier"


_RUNS: Final = frozenset({EvidenceType.TEST_RECORD, EvidenceType.EXECUTION_AND_APPROVAL})
_CODE: Final = frozenset(
    {EvidenceType.IMPLEMENTATION_DIFF, EvidenceType.SOURCE_EXCERPT, EvidenceType.CONFIGURATION_EXCERPT}
)

SUPPORTS: Final[Mapping[ClaimKind, frozenset[EvidenceType]]] = {
    ClaimKind.DECLARED_CONTRACT: frozenset({EvidenceType.CONTRACT}),
    ClaimKind.IMPLEMENTATION: _CODE,
    ClaimKind.OBSERVED: _RUNS,
    ClaimKind.EXECUTED_CHECK: _RUNS,
    ClaimKind.DECLARED_PARSER: frozenset({EvidenceType.CLIENT_INVENTORY}),
    ClaimKind.EXECUTED_PARSER: _RUNS,
    ClaimKind.OWNERSHIP: frozenset(
        {EvidenceType.CLIENT_INVENTORY, EvidenceType.AUTHORIZATION_RECORD, EvidenceType.EXECUTION_AND_APPROVAL}
    ),
    ClaimKind.POLICY_RULE: frozenset({EvidenceType.POLICY}),
    ClaimKind.ROLLOUT: frozenset(
        {EvidenceType.ROLLOUT_RECORD, EvidenceType.CONFIGURATION_EXCERPT, EvidenceType.EXECUTION_AND_APPROVAL}
    ),
    ClaimKind.USAGE: frozenset(
        {EvidenceType.CLIENT_INVENTORY, EvidenceType.ROLLOUT_RECORD, EvidenceType.EXECUTION_AND_APPROVAL}
    ),
    ClaimKind.APPROVAL: frozenset({EvidenceType.EXECUTION_AND_APPROVAL, EvidenceType.AUTHORIZATION_RECORD}),
    ClaimKind.RUNTIME_DEFAULT: _CODE | _RUNS,
    ClaimKind.ERROR_BEHAVIOUR: _CODE | _RUNS,
    ClaimKind.STATEMENT: frozenset(EvidenceType),
}
"""The evidence types that may support a kind of claim. Other types, and kinds of evidence that nobody listed, may
support a statement by the supplier only. A contract artifact is never proof of runtime defaults or error behaviour."""

_RUN_CLAIMS: Final = frozenset(
    {
        ClaimKind.OBSERVED,
        ClaimKind.EXECUTED_CHECK,
        ClaimKind.EXECUTED_PARSER,
        ClaimKind.RUNTIME_DEFAULT,
        ClaimKind.ERROR_BEHAVIOUR,
    }
)

CARRIES: Final[Mapping[str, frozenset[ClaimKind]]] = {
    "policy": frozenset({ClaimKind.POLICY_RULE}),
    "client-inventory": frozenset({ClaimKind.DECLARED_PARSER, ClaimKind.OWNERSHIP, ClaimKind.USAGE}),
    "rollout-record": frozenset({ClaimKind.ROLLOUT}),
    "usage-metrics": frozenset({ClaimKind.USAGE}),
    "deprecation-notice": frozenset(),
    "adoption-record": frozenset(),
    "rollback-drill": frozenset(),
    "route-table": frozenset(),
    "client-examples": frozenset(),
    "test-record": _RUN_CLAIMS,
    "observations": _RUN_CLAIMS,
    "implementation-mapping": frozenset(
        {ClaimKind.IMPLEMENTATION, ClaimKind.RUNTIME_DEFAULT, ClaimKind.ERROR_BEHAVIOUR}
    ),
    "publication-scope": frozenset({ClaimKind.APPROVAL}),
    "contract-approval": frozenset({ClaimKind.APPROVAL}),
    "source-map": frozenset({ClaimKind.IMPLEMENTATION}),
    "code-facts": frozenset({ClaimKind.IMPLEMENTATION, ClaimKind.RUNTIME_DEFAULT, ClaimKind.ERROR_BEHAVIOUR}),
    "test-run": _RUN_CLAIMS,
    "execution-plan": frozenset({ClaimKind.APPROVAL}),
    "authorization": frozenset({ClaimKind.APPROVAL, ClaimKind.OWNERSHIP}),
    "trust-model": frozenset(),
    "deployment-record": frozenset({ClaimKind.ROLLOUT}),
    "security-inventory": frozenset({ClaimKind.IMPLEMENTATION}),
    "security-candidates": frozenset(),
    "severity-rubric": frozenset({ClaimKind.POLICY_RULE}),
    "remediation-plan": frozenset(),
    "risk-acceptance": frozenset({ClaimKind.APPROVAL, ClaimKind.OWNERSHIP}),
}
"""What a typed body of a kind is about; an item with such a body carries no other claims."""

SUBJECTS: Final[Mapping[str, ClaimKind]] = {
    "policy": ClaimKind.POLICY_RULE,
    "client-inventory": ClaimKind.DECLARED_PARSER,
    "rollout-record": ClaimKind.ROLLOUT,
    "usage-metrics": ClaimKind.USAGE,
    "test-record": ClaimKind.EXECUTED_CHECK,
    "observations": ClaimKind.OBSERVED,
    "test-run": ClaimKind.EXECUTED_CHECK,
    "contract-approval": ClaimKind.APPROVAL,
    "authorization": ClaimKind.APPROVAL,
    "severity-rubric": ClaimKind.POLICY_RULE,
    "deployment-record": ClaimKind.ROLLOUT,
    "risk-acceptance": ClaimKind.APPROVAL,
}
"""What a review takes a typed body for; an item that takes just this back supports nothing that is taken from it."""

VOCABULARY: Final[Mapping[ClaimKind, str]] = {
    ClaimKind.DECLARED_CONTRACT: r"(?:declared|wire|published) contracts?",
    ClaimKind.IMPLEMENTATION: r"implementations?|implementation behaviou?r|what the code does",
    ClaimKind.OBSERVED: r"observed|runtime|run time|deployed behaviou?r|production behaviou?r",
    ClaimKind.EXECUTED_CHECK: r"executed|execution|test results?|was run|were run",
    ClaimKind.DECLARED_PARSER: r"parser contracts?|declared parsers?|what (?:\w+ )*clients? accepts?",
    ClaimKind.EXECUTED_PARSER: r"executed|execution|parser (?:runs?|results?|failures?)",
    ClaimKind.OWNERSHIP: r"owners?|ownership",
    ClaimKind.POLICY_RULE: r"policy|policies|severity|severities",
    ClaimKind.ROLLOUT: r"rollouts?|rollback|traffic selectors?|cohorts?",
    ClaimKind.USAGE: r"usage|zero[ -]use|who uses",
    ClaimKind.APPROVAL: r"approvals?|approved",
    ClaimKind.RUNTIME_DEFAULT: r"(?:runtime |run time )?defaults?|runtime|run time",
    ClaimKind.ERROR_BEHAVIOUR: r"errors?|runtime|run time",
}
"""The words, as patterns, with which a denial names a kind of claim."""

_SENTENCE: Final = re.compile(r"(?<=[.;!?])\s+|\n\s*\n")
_DENIAL: Final = re.compile(
    r"\b(?:(?:does|do|did|can|could|may|will|would|is|are|was|were)\s*(?:not|n['’]t)|cannot|not|never|nothing|neither|no)\b"
    r"(?!\s+(?:only|just|merely)\b)",
    re.IGNORECASE,
)
_PASSIVE: Final = re.compile(
    r"\s*(?:proved|proven|established|shown|demonstrated|recorded|covered|included|verified|tested|executed|known)\b",
    re.IGNORECASE,
)
_TURN: Final = re.compile(r",?\s+\bbut\b\s+(?!not\b)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Permission:
    """Whether an item may carry a claim, and why not. True in a condition when it may."""

    allowed: bool
    reason: str = ""

    def __bool__(self) -> bool:
        return self.allowed


def permits(item: EvidenceItem, claim: ClaimKind) -> Permission:
    """Whether the item's type can carry the claim, and its `establishes` does not take it back."""
    if claim is ClaimKind.STATEMENT:
        return Permission(True)
    if item.type not in SUPPORTS[claim]:
        fitting = ", ".join(sorted(SUPPORTS[claim]))
        return Permission(False, f"{item.id} is a {item.type}; a claim about {claim} needs: {fitting}")
    body = getattr(item.record, "kind", None)
    if body is not None and claim not in CARRIES.get(body, frozenset()):
        return Permission(False, f"{item.id} holds a {body}, which is not about {claim}")
    denied = denial(item.establishes, claim)
    if denied:
        return Permission(False, f"{item.id} says that it does not establish it: {denied}")
    return Permission(True)


def taken_back(item: EvidenceItem) -> str:
    """The sentence of an item's `establishes` that denies what its body is taken for, "" when none does."""
    subject = SUBJECTS.get(getattr(item.record, "kind", ""))
    if item.type == EvidenceType.CONTRACT:
        subject = ClaimKind.DECLARED_CONTRACT
    return denial(item.establishes, subject) if subject is not None else ""


def denial(establishes: str, claim: ClaimKind) -> str:
    """The sentence of an `establishes` text that takes the kind of claim back, "" when none does.

    Only words after the denial count, and with a passive (`owners are not recorded`) those right before it, so that
    `Shows the runtime default, not its reason` denies nothing.
    """
    words = VOCABULARY.get(claim)
    if words is None:
        return ""
    named = re.compile(rf"\b(?:{words})\b", re.IGNORECASE)
    for sentence in _SENTENCE.split(establishes):
        for clause in _TURN.split(sentence):
            found = _DENIAL.search(clause)
            if found and (named.search(clause, found.end()) or _denied_before(clause, found, named)):
                return sentence.strip()
    return ""


def _denied_before(clause: str, found: re.Match[str], named: re.Pattern[str]) -> bool:
    before = clause[: found.start()].rsplit(",", 1)[-1]
    return _PASSIVE.match(clause, found.end()) is not None and named.search(before) is not None
