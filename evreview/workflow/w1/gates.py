"""The two W1 gates. Spec, approval gates."""

from __future__ import annotations

from typing import Final

from evreview.workflows.engine.gates import GateSpec

SHIP: Final = GateSpec(
    id="ship-breaking-change",
    title="Before shipping a breaking change",
    reviewed=(
        "wire-difference evidence",
        "migration instructions",
        "support window",
        "verification results",
        "rollout",
        "rollback",
    ),
    stages=(("api-owner", "client-owner"), ("release-manager",)),
)

REMOVE: Final = GateSpec(
    id="remove-deprecated",
    title="Before removing a deprecated field",
    reviewed=(
        "completed notice",
        "elapsed deprecation window",
        "privacy-safe zero-use evidence",
        "client-owner dispositions",
        "rollback boundary",
    ),
    stages=(("api-owner",),),
)

GATES: Final = (SHIP, REMOVE)
