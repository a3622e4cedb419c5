"""The three W2 gates. Spec, approval gates."""

from __future__ import annotations

from typing import Final

from evreview.workflows.engine.gates import MUTATE, GateSpec

EXPAND: Final = GateSpec(
    id="publish-expanded-behaviour",
    title="Before publishing new or expanded public behaviour",
    reviewed=(
        "contract diff",
        "operation evidence matrix",
        "contract-test results",
        "compatibility impact",
        "discrepancy disposition",
    ),
    stages=(("api-owner",),),
)
TRAFFIC: Final = GateSpec(
    id="publish-observed-example",
    title="Before publishing an example derived from logs or observed traffic",
    reviewed=("provenance", "sanitization record", "synthetic substitutions", "intended audience"),
    stages=(("security-owner", "privacy-owner"),),
    any_one=True,
)

GATES: Final = (EXPAND, TRAFFIC, MUTATE)
