"""What a view of a finished review is made from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from evreview.evidence.records.review import Entry
from evreview.workflows.widgets.faces import Clean

if TYPE_CHECKING:
    from evreview.workflow.review import Review


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """A finished review and the means to show it.

    Attributes:
        review: what is shown.
        name: under which a reader's choices in its views are kept.
        append: writes an entry to the bundle's `decisions.yaml`.
        clean: redacts every text before it is shown.
        headless: see `Face`.
    """

    review: Review
    name: str
    append: Callable[[Entry], object]
    clean: Clean
    headless: bool | None = None
