"""Decision rule 6: what makes a remediation refused: what its author states, and what its words say."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Final

from evreview.core.quoted_text import Subject, Text, listed
from evreview.evidence.records.security import Remediation
from evreview.workflows.w3.step1_planned_actions import refused_purpose
from evreview.workflows.w3.supplied_remediation import WEAKENINGS, Harm, Weakening

_AWAY: Final = (
    r"\b(?:remov|delet|drop|disabl|skip|bypass|replac|omit|exempt|suspend|lift)\w*|\btaken? (?:out|away|off)\b"
    r"|\bno longer\b|\b(?:switch|turn)\w* off\b|\bwithout\b|\boptional\b"
)
_CLAUSE: Final = re.compile(r"[.;]|,? (?:and|but) ")


@cache
def _pattern(expression: str) -> re.Pattern[str]:
    return re.compile(expression, re.IGNORECASE)


def named_away(change: str, controls: Iterable[str]) -> tuple[str, ...]:
    """The controls that a clause of a change names beside a word that takes something away."""
    clauses = [clause for clause in _CLAUSE.split(change) if _pattern(_AWAY).search(clause)]
    spelled = {name: _pattern(rf"(?<![\w-]){re.escape(name)}(?![\w-])") for name in controls}
    return tuple(name for name, found in spelled.items() if any(found.search(clause) for clause in clauses))


def found_in(change: str) -> Iterator[Weakening]:
    """The rules that a control change meets."""
    return (rule for rule in WEAKENINGS if _pattern(rule.expression).search(change))


def refusal(remediation: Remediation, own: str, controls: frozenset[str]) -> Text:
    """Why a remediation is refused, () when it is not.

    Args:
        remediation: as supplied.
        own: the finding's own control, which a change may replace.
        controls: the controls of the inventory.
    """
    parts: list[str | Subject] = []
    for each in _reasons(remediation, own, controls):
        parts += ["; ", *each] if parts else each
    return tuple(parts)


def _reasons(remediation: Remediation, own: str, controls: frozenset[str]) -> Iterator[Text]:
    if remediation.weakens:
        yield (f"its author states that it weakens {', '.join(remediation.weakens)} elsewhere",)
    gone = [name for name in remediation.removes if name != own]
    listed_ones = [name for name in gone if name in controls]
    if listed_ones:
        yield ("it removes the control ", *listed(listed_ones))
    if unknown := [name for name in gone if name not in controls]:
        yield ("it removes what the inventory does not list: ", *listed(unknown))
    if told := named_away(remediation.control_change, sorted(controls - {own})):
        yield ("its words take away the control ", *listed(told))
    if remediation.hides_symptom:
        yield ("its author states that it hides the symptom and leaves the cause",)
    attack = refused_purpose(remediation.control_change)
    if attack is not None:
        yield (f"its words ask for what no review may do ({attack.id})",)
    for rule in found_in(remediation.control_change):
        said = f"it weakens {rule.harm} ({rule.id})" if rule.harm is not Harm.SYMPTOM else f"{rule.harm} ({rule.id})"
        yield (said,)
