"""The written authorization of a security review. A field that is missing is named by W3-F1, so all are optional."""

from __future__ import annotations

from typing import Literal

from pydantic import AwareDatetime

from evreview.core.vocabulary import Technique
from evreview.evidence.records.base import Day, Record, Text


class Period(Record):
    """First and last day on which the review may take place, both included."""

    since: Day
    """The first day."""
    until: Day
    """The last day."""


class ActivePermission(Record):
    """Whether anything may be executed. Permission here does not replace the gate before execution."""

    permitted: bool
    """False: nothing may be executed, not even a local fixture."""
    environment: Text | None = None
    """The isolated environment, when permitted."""


class Authorization(Record):
    """Content of an evidence item of type `authorization record`. Spec, W3 required inputs and F1's recovery."""

    kind: Literal["authorization"] = "authorization"
    approving_role: Text | None = None
    """The security-owner role that approves, never a person."""
    decision: Literal["approved", "rejected"] | None = None
    """The explicit answer; consent is never implied."""
    at: AwareDatetime | None = None
    """When it was given; a time zone is required."""
    form: Literal["written", "spoken", "implied"] | None = None
    """In which form it was given; a spoken or implied one authorizes nothing, one that does not say no active test."""
    channel: Text | None = None
    """The approved channel through which it was received and its provenance verified."""
    revision: Text | None = None
    """The immutable commit, or `sha256:…` of the archive, under review."""
    owns: Text | None = None
    """The system that the approving role owns, in words."""
    environment: Text | None = None
    """The environment under review, in words."""
    paths: tuple[Text, ...] | None = None
    """Allowed paths of the repository; `src/**` stands for everything below `src`."""
    techniques: tuple[Technique, ...] | None = None
    """Allowed techniques."""
    prohibited_targets: tuple[Text, ...] | None = None
    """Hosts, systems and paths that nothing may touch; an empty list does not count as written."""
    prohibited_actions: tuple[Text, ...] | None = None
    """Actions that are excluded whatever the target."""
    period: Period | None = None
    """When the review may take place."""
    exclusions: tuple[Text, ...] | None = None
    """What is left out; an empty list says that there is nothing."""
    active_testing: ActivePermission | None = None
    """Whether anything may be executed."""
    recipients: tuple[Text, ...] | None = None
    """The roles that may receive the review; anybody else needs the disclosure gate."""
    stop_conditions: tuple[Text, ...] | None = None
    """When the review stops."""
    cleanup: Text | None = None
    """What is cleaned up afterwards, and how."""
    rollback: Text | None = None
    """What is rolled back, and how."""
    secret_digests: bool = False
    """True when a keyed digest of a found secret may be kept."""
