"""All families of edits that are about no set of values."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from tests.edit_space.messages import (
    encodings,
    media,
    neutral,
    operations,
    parameters,
    security,
    serialisation,
    servers,
    statuses,
)
from tests.edit_space.messages.edit import Edit

FAMILIES: Final = {
    "security": security.edits,
    "servers": servers.edits,
    "media types": media.edits,
    "statuses": statuses.edits,
    "operations": operations.edits,
    "parameters": parameters.edits,
    "serialisation": serialisation.edits,
    "encodings": encodings.edits,
    "neutral": neutral.edits,
}


def every_edit() -> Iterator[Edit]:
    """The edits of every family."""
    for family in FAMILIES.values():
        yield from family()
