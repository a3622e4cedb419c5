"""The columns of a table that is shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Column:
    """How a column is shown.

    Attributes:
        name: its name in the frame.
        label: what the reader sees.
        share: its part of the table's width, relative to the others.
        look: `plain`, `code` for ids and addresses, `badge` for a closed vocabulary's words.
    """

    name: str
    label: str
    share: int = 10
    look: str = "plain"


def columns_of(names: Sequence[str]) -> tuple[Column, ...]:
    """Plain columns of equal width, labelled by their names."""
    return tuple(Column(name, name.replace("_", " ").capitalize()) for name in names)
