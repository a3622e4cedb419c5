"""W1's failure modes with their recoveries. Spec, Errors, failure modes and recovery."""

from __future__ import annotations

from typing import Final

from evreview.workflows.engine.step import Failure

F1: Final = Failure(
    code="W1-F1",
    condition="Previous contract unavailable",
    recovery=(
        "Recover the released schema, examples and version selector from immutable release artifacts or retained tests",
        "Verify the provenance of what was recovered",
        "Restart at step 1",
    ),
    restart=1,
)
F2: Final = Failure(
    code="W1-F2",
    condition="Candidate implementation or retained runtime behaviour contradicts the proposed schema",
    recovery=(
        "Halt approval",
        "Verify the provenance and the environment of the retained observation",
        "Decide with the API owner whether the contract, the implementation or the observation boundary is wrong",
        "Align the authoritative artifacts",
        "Restart at step 2 and rerun the producer and consumer contract tests",
    ),
    restart=2,
)
F3: Final = Failure(
    code="W1-F3",
    condition="Client ownership or usage unknown",
    recovery=(
        "Preserve the old behaviour",
        "Assign an owner-discovery action",
        "Collect approved privacy-safe version or field usage evidence",
        "Resume at step 5 with unknown consumers kept explicit",
    ),
    restart=5,
    stops=False,
)
F4: Final = Failure(
    code="W1-F4",
    condition="Selected rollout or rollback mechanism does not exist",
    recovery=(
        "Reject the strategy",
        "Inventory the actual version, gateway, deployment and feature-flag boundaries",
        "Restart at step 7 with a mechanism that has retained rollback evidence",
    ),
    restart=7,
)

FAILURES: Final = {failure.code: failure for failure in (F1, F2, F3, F4)}
