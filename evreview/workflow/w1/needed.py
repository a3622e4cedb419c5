"""What review.yaml has to name before the comparison boundary of W1 is frozen. Spec, W1 step 1."""

from __future__ import annotations

from collections.abc import Iterator

from evreview.evidence.records.review import ReviewRequest


def unnamed(request: ReviewRequest) -> Iterator[str]:
    """What the request leaves unnamed, in words."""
    needed = {
        "The transport protocol": request.protocol,
        "The API owner's role": request.roles.api_owner,
        "The release manager's role": request.roles.release_manager,
        "The implementation revision": request.implementation_revision,
        "The API surface under review": request.surface,
    }
    return (what for what, value in needed.items() if not value)
