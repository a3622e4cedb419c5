"""W3-F4: secrets and personal data in the review material, by place and kind only, and what the owner laid down."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC
from typing import Final

import pandas as pd

from evreview.core.quoted_text import Text, UserText, plain
from evreview.core.vocabulary import EvidenceId
from evreview.evidence.citation import at_lines
from evreview.evidence.item import Bundle, Citation
from evreview.evidence.records.review import Handling
from evreview.redaction.detector import Kind
from evreview.report.statement import Statement, next_action, observed
from evreview.workflows.w3.facts import SensitiveValue, W3Facts

SENSITIVE: Final = frozenset({Kind.SECRET, Kind.CREDENTIAL, Kind.TOKEN, Kind.PERSONAL_DATA, Kind.CUSTOMER_IDENTIFIER})
"""What may not be read on without the security owner's word. Other kinds are redacted, and nothing stops for them."""


def sensitive_values(bundle: Bundle, facts: W3Facts) -> tuple[SensitiveValue, ...]:
    """Every value that the redactor found in an item, with the handling that is recorded for the item."""
    return tuple(
        SensitiveValue(
            hit=hit, handling=_handling(bundle, facts, hit.location), citations=_places(hit.location, hit.lines)
        )
        for hit in facts.redactor.findings
        if hit.kind in SENSITIVE and hit.location in bundle.items
    )


def _places(item: str, lines: tuple[int, ...]) -> tuple[Citation, ...]:
    return tuple(at_lines(EvidenceId(item), line) for line in lines[:5]) or (Citation(EvidenceId(item)),)


def _handling(bundle: Bundle, facts: W3Facts, item: str) -> Text:
    named = (entry for entry in bundle.decisions.handlings if entry.subject == item)
    found = [entry for entry in named if _counts(entry, bundle, facts)]
    return ("laid down by ", UserText(found[-1].role), ": ", UserText(found[-1].instructions)) if found else ()


def _counts(entry: Handling, bundle: Bundle, facts: W3Facts) -> bool:
    """True for the security owner's word on this very content, given by the review's date."""
    approving = facts.authorization.record.approving_role if facts.authorization else None
    owner = bundle.request.roles.security_owner or approving
    seen = entry.of == f"sha256:{bundle.items[entry.subject].sha256}"
    return seen and entry.role == owner and entry.at.astimezone(UTC).date().isoformat() <= bundle.request.as_of


def unhandled(facts: W3Facts) -> Iterator[Statement]:
    """What stops the review: values for which no handling is recorded."""
    for each in facts.sensitive:
        if not each.handling:
            says = f"A value of the kind {each.hit.kind} stands in the review material; no handling is recorded "
            says += "for this content of the item."
            yield observed(says, on=each.citations)


def notifications(facts: W3Facts) -> Iterator[Statement]:
    """Decision rule 5: whom to tell, through which channel, by place and kind."""
    channel = facts.authorization.record.channel if facts.authorization else None
    through: Text = (UserText(channel),) if channel else ("the approved channel",)
    for each in facts.sensitive:
        if not each.handling:
            says = f"Notify the security owner of a {each.hit.kind} in the review material through "
            yield next_action(says, *through, ".", on=each.citations)


def sensitive_frame(values: tuple[SensitiveValue, ...]) -> pd.DataFrame:
    """Sensitive values by place. Columns: item, kind, lines, count, handling; a value is in none of them."""
    rows = [
        (
            each.hit.location,
            str(each.hit.kind),
            ", ".join(map(str, each.hit.lines)),
            each.hit.count,
            plain(each.handling),
        )
        for each in values
    ]
    return pd.DataFrame(rows, columns=["item", "kind", "lines", "count", "handling"])
