"""Whether a deprecated element may be removed, with every condition that is not met named."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Final, Literal

import pandas as pd

from evreview.core.vocabulary import DeltaId, EvidenceId
from evreview.evidence.cited_records import Cited
from evreview.evidence.element_mentions import is_suffix
from evreview.evidence.item import Citation
from evreview.evidence.records.compatibility import DeprecationNotice, Policy, UsageMetrics
from evreview.evidence.records.review import Removal, same_words
from evreview.workflows.w1.facts import ClassifiedRow
from evreview.workflows.w1.usage_evidence import usable_metrics, zero_use

_HOLDS: Final = re.compile(r" (?:owner|manager|lead|reviewer|approver|maintainer)\Z")
_TEAM: Final = (
    r"(?:team|squad|group|crew|engineers|developers|maintainers|owners|leads|channel|mailing list|stand-?up)\b"
)
_INSIDE: Final = re.compile(
    r"\b(?:our|own|internal(?:ly)?|in-house|provider(?:'s)?|providing|ourselves|nobody|no one)\b"
)
_OUTSIDE: Final = re.compile(
    r"\b(?:clients?|consumers?|customers?|users?|callers?|every|all|public\w*|external|subscribers?|partners?|"
    r"integrators?|merchants?|notes|changelog|portal)\b"
)

ConditionCode = Literal[
    "policy-conditions",
    "element",
    "notice-date",
    "notice-evidence",
    "notice-window",
    "zero-use",
    "client-evidence",
    "client-owners",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class MissingCondition:
    """One condition of a removal that is not met."""

    code: ConditionCode
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RemovalEvidence:
    """What a removal is judged with.

    Attributes:
        policy: the supplied policy, None when there is none.
        metrics: usage metrics as supplied; those without all three controls are not used.
        waiting_clients: known clients that use the element and have not adopted another path, by name.
        owners_unknown: True while W1-F3 stands: somebody's ownership or use is not known.
        notices: the notices, by the item that holds one; an item without shows none.
        surface: the API under review, as the request names it.
        release: what the released contract calls its version, "" when it does not.
        provider: the roles that the request names: the provider's own, whom no notice has to reach.
        owners: the roles that own the known clients; one that is the provider's too is a client's all the same.
    """

    policy: Cited[Policy] | None
    metrics: tuple[Cited[UsageMetrics], ...] = ()
    waiting_clients: tuple[str, ...] = ()
    owners_unknown: bool = False
    notices: Mapping[EvidenceId, DeprecationNotice] = field(default_factory=dict)
    surface: str = ""
    release: str = ""
    provider: frozenset[str] = frozenset()
    owners: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class RemovalJudgement:
    """Whether one element may be removed.

    Attributes:
        address: the element as the request names it.
        delta_ids: the ledger's rows for it.
        permitted: True when no condition is missing; the approval gate stands apart from this.
        notice_days: whole days from notice to the review's date, None without a readable notice date.
        required_days: the policy's notice period, None without one.
        missing: every condition that is not met, in a fixed order.
        citations: the policy, the notice and the usage evidence.
    """

    address: str
    delta_ids: tuple[DeltaId, ...]
    permitted: bool
    notice_days: int | None
    required_days: int | None
    missing: tuple[MissingCondition, ...]
    citations: tuple[Citation, ...]


def judge_removal(
    removal: Removal, as_of: str, rows: Iterable[ClassifiedRow], evidence: RemovalEvidence
) -> RemovalJudgement:
    """Whether `removal` may happen on the date `as_of` (ISO).

    Notice of exactly the policy's number of days is enough, one day less is not. The zero-use evidence must count as
    many days as the notice period, up to the review (see `zero_use`): an older count says nothing about use since.
    The notice must be a typed record of one that was sent, on the date that the request gives, about this element,
    this API and its released version.
    """
    deltas = [row.delta for row in rows if is_suffix(removal.address, row.delta.address)]
    conditions = evidence.policy.record.removal if evidence.policy else None
    days = _days(removal.notice_given, as_of)
    addresses: list[str] = [delta.address for delta in deltas] or [removal.address]
    missing = [*_unconditioned(evidence, bool(deltas), removal), *_notice(removal, days, evidence, addresses)]
    citations = [evidence.policy.at("/removal")] if evidence.policy and conditions else []
    citations.extend(Citation(item) for item in [removal.notice_evidence] if item)
    if conditions and conditions.zero_use_evidence:
        usable, _ = usable_metrics(evidence.metrics)
        places = [(delta.address, delta.operations) for delta in deltas]
        uses = [zero_use(address, operations, usable, as_of, conditions.notice_days) for address, operations in places]
        citations.extend(citation for use in uses for citation in use.citations)
        if not uses or not all(use.shown for use in uses):
            why = next((use.why for use in uses if not use.shown), "the element is no row of the ledger")
            missing.append(MissingCondition(code="zero-use", text=f"Privacy-safe zero-use evidence is missing: {why}."))
    if evidence.waiting_clients:
        text = f"Known clients still rely on it: {', '.join(sorted(evidence.waiting_clients))}."
        missing.append(MissingCondition(code="client-evidence", text=text))
    if evidence.owners_unknown:
        text = "Who owns or uses a client is unknown (W1-F3)."
        missing.append(MissingCondition(code="client-owners", text=text))
    return RemovalJudgement(
        address=removal.address,
        delta_ids=tuple(delta.id for delta in deltas),
        permitted=not missing,
        notice_days=days,
        required_days=conditions.notice_days if conditions else None,
        missing=tuple(missing),
        citations=tuple(dict.fromkeys(citations)),
    )


def removals_frame(judgements: Sequence[RemovalJudgement]) -> pd.DataFrame:
    """One row per removal asked, key `element`.

    Columns: element, permitted (bool), notice_days, required_days (Int64, missing when unknown), missing (the codes,
    "; " between them, "" for none), why (the sentences), evidence (citations, ", " between them).
    """
    cells = [
        (
            item.address,
            item.permitted,
            item.notice_days,
            item.required_days,
            "; ".join(condition.code for condition in item.missing),
            " ".join(condition.text for condition in item.missing),
            ", ".join(str(citation) for citation in item.citations),
        )
        for item in judgements
    ]
    columns = ["element", "permitted", "notice_days", "required_days", "missing", "why", "evidence"]
    texts = dict.fromkeys(("element", "missing", "why", "evidence"), "string")
    numbers = dict.fromkeys(("notice_days", "required_days"), "Int64")
    return pd.DataFrame(cells, columns=columns).astype({**texts, **numbers, "permitted": "bool"})


def _unconditioned(evidence: RemovalEvidence, found: bool, removal: Removal) -> list[MissingCondition]:
    missing = []
    if evidence.policy is None or evidence.policy.record.removal is None:
        text = "No supplied policy states what must hold before a removal."
        missing.append(MissingCondition(code="policy-conditions", text=text))
    if not found:
        text = f"No row of the ledger is {removal.address}; what the removal means cannot be judged."
        missing.append(MissingCondition(code="element", text=text))
    return missing


def _notice(
    removal: Removal, days: int | None, evidence: RemovalEvidence, addresses: Sequence[str]
) -> list[MissingCondition]:
    conditions = evidence.policy.record.removal if evidence.policy else None
    missing = []
    if days is None:
        text = "No readable date says when notice was given."
        missing.append(MissingCondition(code="notice-date", text=text))
    missing += _shown_notice(removal, evidence, addresses)
    if conditions and days is not None and days < conditions.notice_days:
        passed = f"{days} of the policy's {conditions.notice_days} days of notice have passed"
        text = f"{passed}." if days >= 0 else "The notice is dated after this review: none of its days have passed."
        missing.append(MissingCondition(code="notice-window", text=text))
    return missing


def _shown_notice(removal: Removal, evidence: RemovalEvidence, addresses: Sequence[str]) -> Iterator[MissingCondition]:
    """Why the evidence does not show that this notice was given."""
    item = removal.notice_evidence
    if item is None:
        yield MissingCondition(code="notice-evidence", text="No evidence item shows that notice was given.")
        return
    notice = evidence.notices.get(item)
    if notice is None:
        text = f"{item} is no deprecation notice as a typed record: whether notice was given is not shown."
        yield MissingCondition(code="notice-evidence", text=text)
        return
    if notice.state != "sent":
        yield MissingCondition(code="notice-evidence", text=f"The notice of {item} is {notice.state}, not sent.")
    elif not notice.sent_to:
        yield MissingCondition(code="notice-evidence", text=f"The notice of {item} does not say to whom it was sent.")
    elif all(_is_own(name, evidence) for name in notice.sent_to):
        text = f"The notice of {item} was sent to the provider's own roles alone: {', '.join(notice.sent_to)}."
        yield MissingCondition(code="notice-evidence", text=text)
    if removal.notice_given is not None and notice.given != removal.notice_given:
        text = f"The notice of {item} is of {notice.given or 'no day'}; the request says {removal.notice_given}."
        yield MissingCondition(code="notice-date", text=text)
    if not same_words(notice.surface, evidence.surface):
        text = f"The notice of {item} is about another API: {notice.surface}."
        yield MissingCondition(code="notice-evidence", text=text)
    if evidence.release and notice.api_version != evidence.release:
        named = f"version {notice.api_version}" if notice.api_version else "a version that it does not name"
        text = f"The notice of {item} is about {named}, released is {evidence.release}."
        yield MissingCondition(code="notice-evidence", text=text)
    unnamed = [each for each in addresses if not any(_names(element, each) for element in notice.elements)]
    if unnamed:
        text = f"The notice of {item} does not name {', '.join(unnamed)}."
        yield MissingCondition(code="notice-evidence", text=text)


def _is_own(name: str, evidence: RemovalEvidence) -> bool:
    """True for a role of the provider, its team, or words that say that it went to nobody else."""
    if any(same_words(name, owner) for owner in evidence.owners):
        return False
    told = " ".join(name.split()).casefold().removeprefix("the ")
    stems = {_HOLDS.sub("", " ".join(role.split()).casefold()) for role in evidence.provider}
    teams = any(re.fullmatch(rf"{re.escape(stem)}(?:'s)?(?: {_TEAM})?", told) for stem in stems)
    return (
        any(same_words(told, role) for role in evidence.provider)
        or (teams and re.search(_TEAM, told) is not None)
        or (_INSIDE.search(told) is not None and _OUTSIDE.search(told) is None)
    )


def _names(element: str, address: str) -> bool:
    """True when a notice's element is the address, ends it, or encloses it."""
    return is_suffix(element, address) or address.startswith(f"{element} > ")


def _days(notice: str | None, as_of: str) -> int | None:
    try:
        return (date.fromisoformat(as_of) - date.fromisoformat(notice or "")).days
    except ValueError:
        return None
