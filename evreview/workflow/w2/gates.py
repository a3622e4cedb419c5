"""The three W2 gates. Spec, approval gates."""

from __future__ import annotations

from typing import Final

from evreview.workflow.gate import GateSpec

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
MUTATE: Final = GateSpec(
    id="execute-mutating-example",
    title="Before executing a mutating example",
    reviewed=("isolated target", "test data", "rollback or cleanup", "acceptable side effects"),
    stages=(("sandbox-owner",),),
)

GATES: Final = (EXPAND, TRAFFIC, MUTATE)
