"""Ids that survive moved lines: digests over what a thing is about, never over where its lines stand."""

from __future__ import annotations

import hashlib
import posixpath
from typing import Literal

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
