"""Words of others in a security review: no claim beyond the evidence, and no check that would do harm."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from evreview.core.quoted_text import Text, UserText, plain
from evreview.evidence.records.destinations import elsewhere
from evreview.workflows.w3.model import Candidate, Lead, State
from evreview.workflows.w3.planned_actions import refused_purpose

CLAIMS: Final = re.compile(
    r"(?<![\w-])(?:exploit(?:s|ed|ing|able|ability|ation|ably)?|(?:re)?confirm(?:s|ed|ation)?|proven|proved|proves|"
    r"trivially|RCE|pwn(?:ed|able)?|weaponi[sz]\w*)(?![\w-])",
    re.IGNORECASE,
)
"""Words that claim more than a review shows, whoever writes them."""
LEFT_OUT: Final = "(claim word left out)"


def without_claims(value: Text) -> Text:
    """The text with claim words of the subject left out; words of ours are ours to choose."""
    return tuple(UserText(CLAIMS.sub(LEFT_OUT, part.value)) if isinstance(part, UserText) else part for part in value)


def plain_lead(lead: Lead) -> Lead:
    """The lead without claim words."""
    return replace(lead, says=without_claims(lead.says))


def plain_candidate(candidate: Candidate) -> Candidate:
    """The candidate without claim words, and without a verification that would leave the machine or do harm.

    What nothing can verify safely is no more than a hypothesis (W3-F3).
    """
    safe = () if harm_of(candidate) else without_claims(candidate.safe_verification)
    return replace(
        candidate,
        state=candidate.state if safe or candidate.state is State.REFUTED else State.HYPOTHESIS,
        title=without_claims(candidate.title),
        reach_why=without_claims(candidate.reach_why),
        preconditions=tuple(map(without_claims, candidate.preconditions)),
        impact_observed=without_claims(candidate.impact_observed),
        impact_inferred=without_claims(candidate.impact_inferred),
        missing=tuple(map(without_claims, candidate.missing)),
        challenges=tuple(replace(each, why=without_claims(each.why)) for each in candidate.challenges),
        safe_verification=safe,
    )


def harm_of(candidate: Candidate) -> Text:
    """Why the stated verification is no safe one, () when nothing speaks against it."""
    parts: list[str | UserText] = []
    for each in _harms(plain(candidate.safe_verification)):
        parts += ["; ", *each] if parts else each
    return tuple(parts)


def _harms(words: str) -> Iterator[Text]:
    offence = refused_purpose(words)
    if offence is not None:
        yield (f"it asks for {offence.asks_for} ({offence.id})",)
    beyond = tuple(dict.fromkeys(host for word in words.split() for host in elsewhere(word.strip(".,;()"))))
    if beyond:
        yield ("it would contact ", UserText(beyond[0]), ", which is not loopback")
