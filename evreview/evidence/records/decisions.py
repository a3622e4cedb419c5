"""`decisions.yaml`: what people decided. Append-only; each entry has a role, a time and what was reviewed."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, Literal

from pydantic import AwareDatetime, Field

from evreview.evidence.records.base import Day, EvidenceIdText, Record, Text


class Approval(Record):
    """A gate's answer."""

    kind: Literal["approval"] = "approval"
    gate: Literal[
        "ship-breaking-change",
        "remove-deprecated",
        "publish-expanded-behaviour",
        "publish-observed-example",
        "execute-locally",
        "execute-mutating-example",
        "disclose-outside-team",
        "accept-reachable-vulnerability",
    ]
    """Which gate is answered."""
    role: Text
    """The approving role, e.g. `API owner`."""
    stands_for: Literal[
        "api-owner", "client-owner", "release-manager", "security-owner", "privacy-owner", "sandbox-owner"
    ]
    """In which capacity the role answers."""
    client: Text | None = None
    """For a client owner, the client's id in the inventory."""
    decision: Literal["approved", "rejected"]
    """The answer."""
    at: AwareDatetime
    """When it was given; a time zone is required."""
    reviewed: tuple[Text, ...] = ()
    """The items reviewed, by the gate's names for them (see the gate table), and in a security review what the answer
    is about, as the artifact lists it: the plan's id, the finding's with the digest of its acceptance, or the
    recipients and the report's digest."""
    of: Text | None = None
    """The digest of everything that the gate lists as reviewed, as the artifact prints it for the gate. An approval
    without it shows nothing; one about another digest has lapsed. A rejection stands without it."""
    evidence: tuple[EvidenceIdText, ...] = ()
    """Items that the approver looked at."""
    note: str = ""
    """Free text; printed escaped."""


class Disposition(Record):
    """What the responsible role decided about one finding or one mismatch."""

    kind: Literal["disposition"] = "disposition"
    subject: Text
    """The finding's id, the delta's id, the discrepancy's id, or an evidence id."""
    role: Text
    """The deciding role."""
    decision: Text
    """What was decided, e.g. `accepted until 2027-01-31`, `contract corrected`."""
    at: AwareDatetime
    """When; a time zone is required."""
    stance: Literal["consents", "objects"] | None = None
    """For the owner of a client whose field is removed: an objection is no consent, whichever of the client, the
    difference or the element is the `subject`, and stands until the same role consents. Words decide nothing."""
    publish: Literal["contract", "withhold"] | None = None
    """For a discrepancy of a reference, what to do with the claims that it holds back: publish what the contract says,
    with the discrepancy noted, or leave them out."""
    of: Text | None = None
    """For a discrepancy or a security finding, the digest of what was judged, as the register prints it."""
    state: Literal["blocking", "open", "accepted", "closed by evidence"] | None = None
    """For a security finding, which of the four states it is in."""
    until: Day | None = None
    """For an accepted finding, the last day of the acceptance."""
    evidence: tuple[EvidenceIdText, ...] = ()
    """For a finding closed by evidence, the items that close it."""
    reviewed: tuple[Text, ...] = ()
    """What was looked at."""
    note: str = ""
    """Free text; printed escaped."""


class Note(Record):
    """A remark that explains, without deciding anything (the reason of a generated-only difference, say)."""

    kind: Literal["note"] = "note"
    subject: Text
    """What the note is about."""
    role: Text
    """Who wrote it, as a role."""
    at: AwareDatetime
    """When; a time zone is required."""
    text: Text
    """The remark."""
    reviewed: tuple[Text, ...] = ()
    """What was looked at."""


class Handling(Record):
    """How the security owner wants sensitive values handled that stand in the evidence (W3-F4)."""

    kind: Literal["handling"] = "handling"
    subject: EvidenceIdText
    """The item in which they stand."""
    of: Text | None = None
    """`sha256:…` of the item's content: the entry is about the values that stood there. Without it nothing counts."""
    role: Text
    """The security owner's role."""
    at: AwareDatetime
    """When; a time zone is required."""
    instructions: Text
    """What is done with them."""


def day_of(at: datetime) -> str:
    """The day of a time, ISO, in UTC."""
    return at.astimezone(UTC).date().isoformat()


Entry = Approval | Disposition | Note | Handling


class Decisions(Record):
    """`decisions.yaml`."""

    decisions: tuple[Annotated[Entry, Field(discriminator="kind")], ...] = ()
    """In the order recorded; new ones are appended. Of two entries about one thing the later time counts."""

    def until(self, day: str) -> Decisions:
        """The entries of this day (ISO, UTC) and before; nothing recorded later counts."""
        return self.model_copy(
            update={"decisions": tuple(entry for entry in self.decisions if day_of(entry.at) <= day)}
        )

    def after(self, day: str) -> Decisions:
        """The entries of later days."""
        return self.model_copy(update={"decisions": tuple(entry for entry in self.decisions if day_of(entry.at) > day)})

    @property
    def approvals(self) -> tuple[Approval, ...]:
        """The answers to gates, by time; those of one time in the order recorded."""
        return tuple(entry for entry in self._in_time if isinstance(entry, Approval))

    @property
    def dispositions(self) -> tuple[Disposition, ...]:
        """The dispositions, by time; those of one time in the order recorded."""
        return tuple(entry for entry in self._in_time if isinstance(entry, Disposition))

    @property
    def handlings(self) -> tuple[Handling, ...]:
        """The handlings, by time; those of one time in the order recorded."""
        return tuple(entry for entry in self._in_time if isinstance(entry, Handling))

    @property
    def _in_time(self) -> list[Entry]:
        return sorted(self.decisions, key=lambda entry: entry.at)
