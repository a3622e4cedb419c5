"""What a reader chose in a view, kept for the life of the kernel, so that a rerun of the cell keeps it."""

from __future__ import annotations

from dataclasses import dataclass, field

from evreview.workflows.widgets.table import Query


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """The query and the opened row of one view."""

    query: Query = field(default_factory=Query)
    opened: str = ""


_KEPT: dict[str, Choice] = {}


def recall(name: str) -> Choice | None:
    """What the reader chose last in the view of that name; None for a view without a name or without a history."""
    return _KEPT.get(name) if name else None


def keep(name: str, choice: Choice) -> None:
    """Remember the choice under the view's name; a view without a name is not remembered."""
    if name:
        _KEPT[name] = choice


def forget() -> None:
    """Drop every remembered choice."""
    _KEPT.clear()
