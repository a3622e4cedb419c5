"""The three W3 gates. Spec, approval gates."""

from __future__ import annotations

from typing import Final

from evreview.workflows.engine.gates import ACTIVE, GateSpec

DISCLOSE: Final = GateSpec(
    id="disclose-outside-team",
    title="Before disclosure outside the authorized team",
    reviewed=("redacted report", "severity rationale", "recipients", "channel", "timing"),
    stages=(("security-owner",),),
)
ACCEPT: Final = GateSpec(
    id="accept-reachable-vulnerability",
    title="Before deployment with a temporarily accepted reachable vulnerability",
    reviewed=("compensating controls", "accountable owner", "expiry", "revalidation date"),
    stages=(("security-owner", "release-manager"),),
)

GATES: Final = (ACTIVE, DISCLOSE, ACCEPT)
