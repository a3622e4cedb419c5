"""Ids that survive moved lines: digests over what a thing is about, never over where its lines stand."""

from __future__ import annotations

import hashlib
import posixpath
from collections.abc import Mapping
from typing import Literal

from evreview.workflows.w3.model import Candidate, Lead

LENGTH = 12
"""Hexadecimal digits kept: a review has hundreds of leads, not millions."""


def digest_id(kind: Literal["L", "S", "A"], *parts: str) -> str:
    """`L-`, `S-` or `A-` and the begin of a sha256 over the parts, each with its length in front."""
    data = b"".join(b"%d:%s" % (len(raw), raw) for part in parts if (raw := part.encode("utf-8", "surrogatepass")) or 1)
    return f"{kind}-{hashlib.sha256(data).hexdigest()[:LENGTH]}"


def plain_path(path: str) -> str:
    """A path as the repository knows it: `/` between names, no `.` in front."""
    cleaned = posixpath.normpath(path.replace("\\", "/"))
    return "" if cleaned == "." else cleaned.removeprefix("/")


def names_of(candidate: Candidate, leads: Mapping[str, Lead]) -> frozenset[str]:
    """The names under which evidence may speak of a candidate before its id is known.

    Its own id, its leads', the reviewer's, and its kind with the route, the control or the file that it is about, such
    as `secret-in-source service/settings.py`.
    """
    behind = [leads[name] for name in candidate.leads if name in leads]
    stated = (each.rule for each in behind if each.tool == "reviewer")
    about = (*candidate.routes, candidate.control, *(each.path for each in behind))
    return frozenset((candidate.id, *candidate.leads, *stated, *(f"{candidate.kind} {name}" for name in about if name)))
