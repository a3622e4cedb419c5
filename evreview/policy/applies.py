"""Whether the supplied policy is one for what is reviewed: its own words about its surface are not interpreted."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from evreview.evidence.records.compatibility import Policy
from evreview.evidence.records.review import ReviewRequest, same_words
from evreview.policy.wording import is_separated

_ROUTE: Final = re.compile(r"(?<![\w/.:])/[\w{}./-]*\w")


def inapplicable(policy: Policy, request: ReviewRequest, operations: Iterable[str]) -> str:
    """Why the policy is not shown to apply, as a clause; "" when it is.

    It applies when it names the surface of the request, when every operation lies under a route that it names, or when
    the request confirms its version and its surface word by word. A policy whose routes hold no operation never does.

    Args:
        policy: as supplied.
        request: what is reviewed.
        operations: method and path of every operation; those without a path are under no route.
    """
    paths = [path for name in operations if (path := name.partition(" ")[2]).startswith("/")]
    routes = tuple(dict.fromkeys(route.rstrip("./-") for route in _ROUTE.findall(policy.surface)))
    inside = [path for path in paths if is_separated(path, routes)]
    if routes and paths and not inside:
        return f"it is for {', '.join(routes)}, where none of the operations lies"
    if routes and paths and len(inside) == len(paths):
        return ""
    if request.surface is not None and same_words(policy.surface, request.surface):
        return ""
    confirmed = request.policy
    if confirmed is None:
        return "nobody confirms that its surface holds what is reviewed"
    if confirmed.version != policy.policy_version:
        return f"confirmed is version {confirmed.version}, supplied is {policy.policy_version}"
    return "" if same_words(confirmed.surface, policy.surface) else "another surface is confirmed than it names"
