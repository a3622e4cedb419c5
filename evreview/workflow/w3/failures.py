"""W3's failure modes with their recoveries. Spec, Errors, failure modes and recovery."""

from __future__ import annotations

from typing import Final

from evreview.workflows.engine.step import Failure

F1: Final = Failure(
    code="W3-F1",
    condition="Authorization cannot be confirmed",
    recovery=(
        "Stop sensitive inspection and all active work",
        "Request a written authorization record naming approving role, immutable revision, allowed paths and "
        "environment, techniques, review period, excluded targets and actions, active-test permission, disclosure "
        "recipients, stop conditions, cleanup and rollback requirements",
        "Verify provenance through the approved channel",
        "Retain its immutable identifier or digest",
        "Compare every planned action to the scope",
        "Restart at step 1 only when all fields and ownership are confirmed",
    ),
    restart=1,
)
F2: Final = Failure(
    code="W3-F2",
    condition="Inventory of security-relevant source or configuration incomplete",
    recovery=(
        "Request the exact missing route, middleware, deployment or test artifact",
        "Keep affected findings unconfirmed",
        "Resume at step 3 after provenance is verified",
    ),
    restart=3,
)
F3: Final = Failure(
    code="W3-F3",
    condition="Suspected issue cannot be validated safely",
    recovery=(
        "Keep it as an unconfirmed hypothesis",
        "Design a bounded local validation plan",
        "Resume at step 6 once approved, or stop without an exploitability claim",
    ),
    restart=6,
    stops=False,
)
F4: Final = Failure(
    code="W3-F4",
    condition="Sensitive evidence found in review material",
    recovery=(
        "Stop reading or copying the value",
        "Redact it",
        "Keep only location, type and, if approved, a non-reversible digest",
        "Notify the security owner",
        "Resume after handling instructions are recorded",
    ),
    restart=3,
)
F5: Final = Failure(
    code="W3-F5",
    condition="Approved local validation attempts unexpected network access or modifies unapproved state",
    recovery=(
        "Terminate validation",
        "Preserve sanitized logs",
        "Remove approved disposable state",
        "Notify the security owner",
        "Restart at step 6 only with a corrected, newly approved isolation plan",
    ),
    restart=6,
)

FAILURES: Final = {failure.code: failure for failure in (F1, F2, F3, F4, F5)}
