"""The security-relevant inventory: per control its code, middleware, wiring and tests. Spec, W3 required inputs."""

from __future__ import annotations

from typing import Literal

from evreview.core.vocabulary import Area
from evreview.evidence.records.base import EvidenceIdText, Record, Text
from evreview.evidence.records.security import Excerpt


class ControlTest(Record):
    """A test of a control."""

    item: EvidenceIdText
    """The test source, test inventory or test record that holds it."""
    test: Text
    """Its id there (a function, a node id, a check's id)."""
    run: EvidenceIdText | None = None
    """The test record with its retained result; None when it was not executed."""


class Surrounding(Record):
    """A file that was searched for another control that does the same work."""

    path: Text
    """Its path in the repository."""
    item: EvidenceIdText | None = None
    """The item that holds it; None when it was not supplied, which leaves the question open."""
    control: Excerpt | None = None
    """The alternate control that stands there; None when there is none."""
    says: Text | None = None
    """What was found, in words."""


class Control(Record):
    """One control. A list that is missing is unknown (W3-F2); an empty one says that there is nothing of the kind."""

    id: Text
    """Usable as a locator."""
    area: Area
    """What kind of control it is."""
    name: Text
    """In words."""
    routes: tuple[Text, ...] = ("*",)
    """The routes that it shall protect, as method and path; `*` for all of them."""
    assets: tuple[Text, ...] = ()
    """Ids of the assets that it protects, in the trust model."""
    boundaries: tuple[Text, ...] = ()
    """Ids of the boundaries where it stands."""
    sensitive: bool = True
    """False for a control that protects nothing sensitive."""
    source: tuple[Excerpt, ...] | None = None
    """Where the control stands in the code."""
    middleware: tuple[Excerpt, ...] | None = None
    """The middleware that it depends on."""
    deployment: tuple[Excerpt, ...] | None = None
    """The deployment wiring that it depends on."""
    positive_tests: tuple[ControlTest, ...] | None = None
    """Tests that show that whoever may, can."""
    negative_tests: tuple[ControlTest, ...] | None = None
    """Tests that show that whoever may not, can't."""
    surrounding: tuple[Surrounding, ...] | None = None
    """Files that were searched for alternate controls."""


class OutOfScope(Record):
    """An area that the review leaves out."""

    area: Area
    """Which."""
    why: Text
    """The reason."""


class SecurityInventory(Record):
    """Content of a `test inventory`, `source excerpt` or `execution and approval record`: the controls under review."""

    kind: Literal["security-inventory"] = "security-inventory"
    revision: Text | None = None
    """The immutable revision of everything listed."""
    controls: tuple[Control, ...]
    """The controls."""
    not_in_scope: tuple[OutOfScope, ...] = ()
    """Areas without a control here, each with the reason; any other area without a control is a gap."""
