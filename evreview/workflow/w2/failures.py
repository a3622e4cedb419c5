"""W2's failure modes with their recoveries. Spec, Errors, failure modes and recovery."""

from __future__ import annotations

from typing import Final

from evreview.workflows.engine.step import Failure

F1: Final = Failure(
    code="W2-F1",
    condition="Contract, implementation, validator or test evidence resolves to different revisions",
    recovery=(
        "Obtain matching immutable revisions",
        "Verify every source path",
        "Discard the mixed evidence matrix",
        "Restart from scope freezing, step 1",
    ),
    restart=1,
)
F2: Final = Failure(
    code="W2-F2",
    condition="Authentication or a mutating example cannot be exercised safely",
    recovery=(
        "Substitute a validated mock or a synthetic unexecuted request",
        "Record the missing prerequisite",
        "Continue without claiming live execution",
    ),
    restart=6,
    stops=False,
)
F3: Final = Failure(
    code="W2-F3",
    condition="Approved contract and implementation disagree on public behaviour",
    recovery=(
        "Record the exact mismatch and its compatibility impact",
        "Obtain the API owner's disposition",
        "Resume drafting only approved claims",
    ),
    restart=3,
    stops=False,
)
F4: Final = Failure(
    code="W2-F4",
    condition="Tests do not cover a material documented response or error",
    recovery=(
        "Mark the response unverified",
        "Request a named contract test with objective assertions",
        "Rerun verification before changing its status",
    ),
    restart=6,
    stops=False,
)
F5: Final = Failure(
    code="W2-F5",
    condition="Contract omits information needed for a usable example or operation description",
    recovery=(
        "Record the contract gap",
        "Omit the unsupported detail",
        "Request clarification from the API owner",
        "Resume only after the approved contract changes",
    ),
    restart=4,
)

FAILURES: Final = {failure.code: failure for failure in (F1, F2, F3, F4, F5)}
