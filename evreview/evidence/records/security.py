"""The trust model of a security review: who comes in where, as whom, and what lies behind. Spec, W3 required inputs."""

from __future__ import annotations

from typing import Literal

from evreview.evidence.records.base import EvidenceIdText, Record, Text


class Excerpt(Record):
    """Text of an item that shows something. The quote is checked against the lines."""

    item: EvidenceIdText
    """The item that shows it."""
    lines: Text
    """Lines of that item, `12` or `12-20`."""
    quote: Text
    """Text that stands there."""


class Actor(Record):
    """Who acts."""

    id: Text
    """Usable as a locator."""
    name: Text
    """In words."""
    position: Text | None = None
    """Where the actor stands, e.g. `any network`, `allowed network`, `operator`."""


class Asset(Record):
    """What is worth protecting."""

    id: Text
    """Usable as a locator."""
    name: Text
    """In words."""
    classification: Text | None = None
    """The data classification, as the owner names it."""


class EntryPoint(Record):
    """Where something comes in."""

    id: Text
    """Usable as a locator."""
    route: Text | None = None
    """Method and path as the code registers it, `GET /orders/{id}`; None for one that is no route. Any other text is
    taken for the name of a function."""
    function: Text | None = None
    """For one that is no route, the function where it comes in: `desk/files.py::read`, `desk.files.read`, or
    `python -m desk.tool` for a module's `main`. Whoever comes in chooses its arguments."""
    describes: Text | None = None
    """In words, for one that is no route."""
    actors: tuple[Text, ...] = ()
    """Ids of the actors that reach it."""
    boundaries: tuple[Text, ...] = ()
    """Ids of the boundaries that are crossed, in order."""
    assets: tuple[Text, ...] = ()
    """Ids of the assets behind it."""


class IdentityTransition(Record):
    """Where one identity becomes another: a token becomes a principal, a principal becomes a service account."""

    id: Text
    """Usable as a locator."""
    before: Text
    """The identity before it."""
    after: Text
    """The identity after it."""
    at: Text | None = None
    """The id of the entry point or boundary where it happens."""
    shown_by: Excerpt | None = None
    """What shows it; without it the transition is an assumption."""


class Boundary(Record):
    """A trust boundary, and what it is validated against."""

    id: Text
    """Usable as a locator."""
    name: Text
    """In words."""
    outside: Text
    """The zone before it."""
    inside: Text
    """The zone behind it."""
    backed_by: Literal["route", "configuration", "deployment record", "assumption"] | None = None
    """What it is validated against; None is unknown."""
    shown_by: Excerpt | None = None
    """The configuration or deployment record that shows it."""
    route: Text | None = None
    """The route that shows it, as method and path."""
    assumption: Text | None = None
    """The assumption, in words."""


class TrustModel(Record):
    """Content of an evidence item of type `data-flow description`. What is missing keeps step 2 from advancing."""

    kind: Literal["trust-model"] = "trust-model"
    revision: Text | None = None
    """The revision that the model describes."""
    actors: tuple[Actor, ...] | None = None
    """Who acts."""
    entry_points: tuple[EntryPoint, ...] | None = None
    """Where something comes in."""
    identity_transitions: tuple[IdentityTransition, ...] | None = None
    """Where identities change; an empty list says that they do not."""
    assets: tuple[Asset, ...] | None = None
    """What is worth protecting."""
    boundaries: tuple[Boundary, ...] | None = None
    """The trust boundaries; at least one."""
    attacker_positions: tuple[Text, ...] | None = None
    """Ids of the actors whose position an attacker may be assumed in."""
    excluded_capabilities: tuple[Text, ...] | None = None
    """What the assumed attacker can't do; abuse cases that need it are left out."""


class DeploymentRecord(Record):
    """Content of a `rollout record` or `configuration excerpt`: what runs, and from which revision."""

    kind: Literal["deployment-record"] = "deployment-record"
    id: Text
    """Usable as a locator."""
    environment: Text
    """Where it runs, in words; never an address."""
    revision: Text | None = None
    """The immutable revision that runs there."""
    wiring: tuple[Text, ...] = ()
    """What stands before and around the service there (proxies, network policies), in words."""
