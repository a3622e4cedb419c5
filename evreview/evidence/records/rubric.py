"""The supplied severity rubric of a security review. evreview has none of its own."""

from __future__ import annotations

from typing import Final, Literal

from evreview.core.vocabulary import Area
from evreview.evidence.records.base import Record, Text

GRAVE: Final = ("high", "critical")
"""What the specification calls the severities that hold a deployment, folded."""


class RubricWhen(Record):
    """Conditions on one finding; all that are given must hold, an empty list does not restrict."""

    kinds: tuple[Text, ...] = ()
    """Any of these kinds of weakness (lead rule ids, scanner rule ids, or candidate ids of the reviewer)."""
    areas: tuple[Area, ...] = ()
    """Any of these areas."""
    classifications: tuple[Text, ...] = ()
    """Any of these data classifications of the protected asset."""
    attackers: tuple[Text, ...] = ()
    """Any of these actors, by id or position."""
    states: tuple[Literal["supported", "hypothesis"], ...] = ()
    """Supported by reachability and control evidence, or still a hypothesis."""
    verified: bool | None = None
    """True: only where a retained negative test verifies the control; false: only where none does."""


class RubricRule(Record):
    """One rule. Its `text` is what an artifact quotes."""

    id: Text
    """The rubric's own name for the rule."""
    text: Text
    """The sentence of the rubric, quoted where the rule applies."""
    when: RubricWhen = RubricWhen()
    """Which findings it applies to."""
    severity: Text
    """One of `severities`."""
    blocks_deployment: bool = False
    """True when an unresolved finding under this rule blocks the deployment."""


class SeverityRubric(Record):
    """Content of an evidence item of type `policy`: the rubric that rates findings."""

    kind: Literal["severity-rubric"] = "severity-rubric"
    policy_version: Text
    """The rubric's version."""
    severities: tuple[Text, ...]
    """The severity words, gravest first."""
    rules: tuple[RubricRule, ...]
    """Rules; of those that match, the gravest counts."""
    holds_deployment: tuple[Text, ...] = ()
    """Severities of which an unresolved finding holds the deployment, beside those called High and Critical, which
    always do. A rubric with other words has to name them. Spec, W3 decision rule 7."""

    @property
    def holding(self) -> tuple[str, ...]:
        """The severities of which an unresolved finding holds the deployment."""
        return tuple(word for word in self.severities if word in self.holds_deployment or word.casefold() in GRAVE)
