"""Severity: what the supplied rubric says, with the rule quoted. Without a rule that applies there is none."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from evreview.core.quoted_text import Text, UserText
from evreview.core.vocabulary import ClosedVocabulary, Confidence, Unrated
from evreview.evidence.cited_records import Cited, first_of
from evreview.evidence.item import Bundle, Citation
from evreview.evidence.records.security import RubricRule, RubricWhen, SeverityRubric, TrustModel
from evreview.workflows.w3.model import Candidate, Reach, Standing, State

_MILD: Final = ("medium", "moderate", "low", "minor", "info", "informational")
"""Words that a hypothesis may have even where they are a rubric's gravest."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rated:
    """What the rubric makes of one candidate.

    Attributes:
        severity: a word of the rubric, or why there is none.
        why: the rule, quoted, or what is said instead.
        holds: an unresolved finding holds the deployment.
        blocks: the rule itself says that it blocks.
        asset: the classification of the protected asset, "" while it is unknown.
        rank: 0 for the gravest word; unrated ones come last.
        citations: of the rule.
    """

    severity: str | Unrated
    why: Text
    holds: bool = False
    blocks: bool = False
    asset: str = ""
    rank: int = 1_000
    citations: tuple[Citation, ...] = ()


def severity(candidate: Candidate, rubric: Cited[SeverityRubric] | None, bundle: Bundle, *, verified: bool) -> Rated:
    """The gravest rule of the rubric that applies, quoted; "not rated" and the plain impact without one.

    Of a hypothesis the gravest that holds no deployment: what is only suspected is verified first, whatever it says.

    Args:
        candidate: what is rated.
        rubric: as supplied, None for none.
        bundle: with the trust model that names asset and attacker.
        verified: a retained negative test verifies the control.
    """
    asset = _classification(candidate, bundle) or ""
    if rubric is None:
        return Rated(
            severity=Unrated.NO_RUBRIC,
            why=("no rubric is supplied, so the impact is described plainly",),
            asset=asset,
        )
    words = rubric.record.severities
    matching = [
        (words.index(rule.severity), place, rule)
        for place, rule in enumerate(rubric.record.rules)
        if rule.severity in words and _applies(rule.when, candidate, bundle, verified=verified)
    ]
    if not matching:
        why = ("no rule of the rubric applies, so the impact is described plainly",)
        return Rated(severity=Unrated.NO_RULE, why=why, asset=asset, citations=(rubric.citation,))
    shown = candidate.state is State.SUPPORTED
    matching = matching if shown else [one for one in matching if one[2].severity not in _grave(rubric.record)]
    if not matching:
        return Rated(severity=Unrated.UNVERIFIED, why=("the rules that apply are for what is supported",),
                     asset=asset, citations=(rubric.citation,))  # fmt: skip
    rank, place, rule = min(matching, key=lambda found: found[:2])
    return Rated(
        severity=rule.severity,
        why=_quoted(rule),
        holds=shown and (rule.blocks_deployment or rule.severity in rubric.record.holding),
        blocks=shown and rule.blocks_deployment,
        asset=asset,
        rank=rank,
        citations=(rubric.at(f"/rules/{place}"),),
    )


def _grave(rubric: SeverityRubric) -> frozenset[str]:
    """The severities that no hypothesis has: those that hold a deployment, and the gravest word of a scale."""
    first = [word for word in rubric.severities[:1] if word.casefold() not in _MILD]
    return frozenset((*rubric.holding, *first))


def _quoted(rule: RubricRule) -> Text:
    return (UserText(rule.text),)


def _applies(when: RubricWhen, candidate: Candidate, bundle: Bundle, *, verified: bool) -> bool:
    """True when everything that the rule asks for holds; an unknown asset or attacker meets no condition on it."""
    return all(_conditions(when, candidate, bundle, verified=verified))


def _conditions(when: RubricWhen, candidate: Candidate, bundle: Bundle, *, verified: bool) -> Iterator[bool]:
    yield not when.kinds or candidate.kind in when.kinds
    yield not when.areas or candidate.area in when.areas
    yield not when.classifications or _classification(candidate, bundle) in when.classifications
    yield not when.attackers or not _attacker(candidate, bundle).isdisjoint(when.attackers)
    state = "supported" if candidate.state is State.SUPPORTED else "hypothesis"
    yield not when.states or state in when.states
    yield when.verified is None or when.verified is verified


def _classification(candidate: Candidate, bundle: Bundle) -> str | None:
    model = first_of(bundle, TrustModel)
    assets = (model.record.assets or ()) if model else ()
    return next((each.classification for each in assets if each.id == candidate.asset), None)


def _attacker(candidate: Candidate, bundle: Bundle) -> frozenset[str]:
    """The attacker's id and position."""
    if not candidate.attacker:
        return frozenset()
    model = first_of(bundle, TrustModel)
    actors = (model.record.actors or ()) if model else ()
    positions = [each.position for each in actors if each.id == candidate.attacker and each.position]
    return frozenset((candidate.attacker, *positions))


# Confidence of a security finding: evidence completeness x validation state, by the table below and by nothing else.
#
# It says how well the finding is supported, never how grave it is; severity comes from the rubric alone.


class Completeness(ClosedVocabulary):
    """COMPLETE: nothing about the way there and the controls on it is unknown. PATTERN: all of it is."""

    COMPLETE = "lines, reachability, asset and every place of a compensating control are shown"
    PARTIAL = "lines, reachability, the asset or a place of a compensating control are unknown"
    PATTERN = "a matched pattern alone"


class Validation(ClosedVocabulary):
    """RETAINED: a local result with revision, isolated environment, command and result says so."""

    RETAINED = "a retained local result"
    NONE = "no retained local result"


CONFIDENCE: Final[Mapping[tuple[Completeness, Validation], Confidence]] = {
    (Completeness.COMPLETE, Validation.RETAINED): Confidence.HIGH,
    (Completeness.COMPLETE, Validation.NONE): Confidence.MEDIUM,
    (Completeness.PARTIAL, Validation.RETAINED): Confidence.MEDIUM,
    (Completeness.PARTIAL, Validation.NONE): Confidence.LOW,
    (Completeness.PATTERN, Validation.RETAINED): Confidence.LOW,
    (Completeness.PATTERN, Validation.NONE): Confidence.LOW,
}


def completeness(candidate: Candidate) -> Completeness:
    """How much of what decides the candidate the evidence shows."""
    decided = [each for each in candidate.challenges if each.standing is not Standing.UNKNOWN]
    known = candidate.reach is not Reach.UNKNOWN
    whole = bool(decided) and len(decided) == len(candidate.challenges)
    if known and whole and candidate.asset and not candidate.missing:
        return Completeness.COMPLETE
    return Completeness.PARTIAL if known or decided else Completeness.PATTERN


def confidence(candidate: Candidate) -> tuple[Confidence, str]:
    """The confidence and its reason in words."""
    evidence = completeness(candidate)
    state = Validation.RETAINED if candidate.validated else Validation.NONE
    return CONFIDENCE[evidence, state], f"{evidence}; {state}"
