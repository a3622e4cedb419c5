"""What an accept file says about a row, in words and as a SARIF suppression. Without one, nothing is said anywhere."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

Document = Mapping[str, Any]
COLUMN: Final = "acceptance"


def is_asked(document: Document) -> bool:
    """True when the comparison was held against an accept file."""
    return COLUMN in document


def is_accepted(row: Document) -> bool:
    """True when the row is accepted today."""
    found = row.get(COLUMN)
    return found is not None and found["state"] == "accepted"


def told(row: Document) -> str:
    """Until when and by whom the row is accepted and why, or since when no longer; "" when no entry names it."""
    found = row.get(COLUMN)
    if found is None:
        return ""
    if is_accepted(row):
        return f"accepted until {found['expires']} by {found['owner']}: {found['reason']}"
    return f"acceptance by {found['owner']} expired on {found['expires']}: {found['reason']}"


def stale(document: Document) -> list[tuple[Document, str]]:
    """The entries that accept nothing any more, each with what to tell."""
    entries = document[COLUMN]["stale"] if is_asked(document) else []
    return [(entry, f"{entry['id']}, accepted by {entry['owner']}: {entry['found']}") for entry in entries]


def suppressions(row: Document) -> list[dict[str, Any]]:
    """The SARIF suppressions of a row: one while it is accepted. With an accept file every result has the list."""
    if not is_accepted(row):
        return []
    found = row[COLUMN]
    kept = {name: found[name] for name in ("owner", "expires", "source")}
    return [{"kind": "external", "status": "accepted", "justification": found["reason"], "properties": kept}]
