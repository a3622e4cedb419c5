"""What a review writes, redacted; and what it says when redaction is incomplete. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

import pandas as pd

from evreview.core.vocabulary import EvidenceId
from evreview.evidence.citation import at_lines
from evreview.evidence.item import Bundle, Citation
from evreview.redaction.detector import Clean, RedactionFinding
from evreview.redaction.redactor import Redactor
from evreview.report.statement import Statement, limited
from evreview.workflows.engine.conclusions import Decision
from evreview.workflows.engine.next_actions import ActionKind, NextAction, acting
from evreview.workflows.engine.registers import redacted

CODE: Final = "redaction-incomplete"
"""The failure code of a run whose outputs could not be redacted in place. It is none of the specification's."""
_LINES: Final = 5


@dataclass(frozen=True, slots=True)
class Sealed:
    """The artifact and the registers as they may leave, and what had to be withheld from them; empty when nothing."""

    artifact: Clean
    registers: Mapping[str, pd.DataFrame]
    withheld: tuple[RedactionFinding, ...]


def sealed(draft: str, frames: Mapping[str, pd.DataFrame], redactor: Redactor) -> Sealed:
    """The draft of the artifact and the registers, redacted; `redactor` is the one that the draft was made with."""
    return Sealed(redactor.clean(draft), redacted(frames, redactor), redactor.noticed)


def places_of(found: RedactionFinding, bundle: Bundle, redactor: Redactor) -> tuple[Citation, ...]:
    """Where values of the same kind stand in the evidence, by the same detector; () when they come from elsewhere."""
    return tuple(
        at_lines(EvidenceId(seen.location), line)
        for seen in redactor.findings
        if (seen.kind, seen.detector) == (found.kind, found.detector) and seen.location in bundle.items
        for line in seen.lines[:_LINES]
    )


def incomplete(bundle: Bundle, redactor: Redactor) -> Iterator[Statement]:
    """By kind and place what could not be taken out; never the value."""
    for found in redactor.withheld:
        where = places_of(found, bundle, redactor)
        source = "" if where else "; it stands in no evidence item but in the request, an answer or both put together"
        says = f"Redaction is incomplete: a value of the kind {found.kind} ({found.detector}) could not be taken out"
        yield limited(f"{says}, so its whole lines are withheld{source}.", on=where)


def as_incomplete(decision: Decision, bundle: Bundle, redactor: Redactor) -> Decision:
    """The decision of a run that fails because of what had to be withheld."""
    where = dict.fromkeys(place for found in redactor.withheld for place in places_of(found, bundle, redactor))
    roles = bundle.request.roles
    who = acting(roles.reviewer or roles.api_owner or roles.security_owner, "reviewer")
    says = f"{CODE}: Write placeholders for these values into the input, or hold it back, and run the review again"
    first = NextAction(who=who, what=(says,), kind=ActionKind.SUPPLY, about=(CODE,), citations=tuple(where))
    return replace(
        decision,
        reasons=tuple(dict.fromkeys((*decision.reasons, *incomplete(bundle, redactor)))),
        next_actions=(first, *decision.next_actions),
        codes=(*decision.codes, CODE),
        unredacted=True,
    )
