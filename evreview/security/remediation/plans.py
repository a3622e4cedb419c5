"""The supplied remediations, joined to findings by the ids under which evidence may name them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from evreview.core.quoted_text import Subject, Text
from evreview.evidence.cited_records import first_of, records_of
from evreview.evidence.item import Bundle, Citation
from evreview.evidence.records.security import Remediation, RemediationPlan, SecurityInventory
from evreview.security.remediation.designs import DESIGNS
from evreview.security.remediation.weakening import refusal
from evreview.workflows.w3.model import Candidate

Names = Callable[[Candidate], frozenset[str]]
"""The ids under which evidence may name a candidate."""


@dataclass(frozen=True, slots=True)
class Supplied:
    """One supplied remediation, where it stands, and why it is refused (() when it is not)."""

    record: Remediation
    citation: Citation
    refused: Text = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Plans:
    """Every supplied remediation.

    Attributes:
        all: in the order supplied, with their places.
        names: the ids under which evidence may name a candidate.
        controls: the ids of the inventory.
    """

    all: tuple[tuple[Remediation, Citation], ...]
    names: Names
    controls: frozenset[str]

    def of(self, candidate: Candidate) -> Supplied | None:
        """The last remediation that names the candidate, None for none."""
        own = self.names(candidate)
        found = [pair for pair in self.all if pair[0].finding in own]
        if not found:
            return None
        record, citation = found[-1]
        return Supplied(record, citation, refusal(record, candidate.control, self.controls))

    def change_for(self, candidate: Candidate) -> Text:
        """The control change that is proposed: the supplied one, ours where there is none or it is refused."""
        supplied = self.of(candidate)
        if supplied is None or supplied.refused:
            return (DESIGNS[candidate.area],)
        return (Subject(supplied.record.control_change),)

    def unjoined(self, candidates: Iterable[Candidate]) -> Iterator[tuple[Remediation, Citation]]:
        """The remediations that name no candidate."""
        known = {name for each in candidates for name in self.names(each)}
        return ((record, citation) for record, citation in self.all if record.finding not in known)


def plans_of(bundle: Bundle, names: Names) -> Plans:
    """The supplied remediations of an unsealed bundle."""
    found = tuple(
        (record, cited.at(f"/remediations/{place}"))
        for cited in records_of(bundle, RemediationPlan)
        for place, record in enumerate(cited.record.remediations)
    )
    stated = first_of(bundle, SecurityInventory)
    controls = frozenset(each.id for each in stated.record.controls) if stated else frozenset()
    return Plans(all=found, names=names, controls=controls)
