"""What is common to every form: a person's answer is validated, appended and told. Nothing is decided here."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from pydantic import ValidationError

from evreview.core.errors import EvreviewError
from evreview.evidence.records.review import Entry, day_of
from evreview.widgets.markup import Markup, joined, tag, text
from evreview.workflows.widgets.faces import Clean

Told = tuple[bool, tuple[str, ...]]
"""Whether something was recorded, and the lines that say what, or why not."""


def recorded(make: Callable[[], Entry], append: Callable[[Any], object], clean: Clean, as_of: str) -> Told:
    """Make the entry and append it: whether that was done, and the lines to show, redacted.

    A last line tells when the entry is of a later day than the review, `as_of`, and so does not count for it.
    """
    try:
        entry = make()
        append(entry)
    except ValidationError as error:
        return False, tuple(f"{_place(problem)}: {problem['msg']}" for problem in error.errors())
    except EvreviewError as error:
        return False, tuple(map(clean, str(error).splitlines()))
    shown = entry.model_dump(mode="json", exclude_defaults=True)
    lines = [f"{name}: {_plain(value)}" for name, value in shown.items()]
    day = day_of(entry.at)
    if as_of and day > as_of:
        lines.append(f"It counts once as_of in review.yaml, {as_of} now, is {day} or later.")
    return True, tuple(map(clean, lines))


def told(title: str, lines: Sequence[str] = ()) -> Markup:
    """The outcome, where a screen reader announces it."""
    items = tag("ul", joined(tag("li", text(line)) for line in lines), class_="evr-list")
    return tag("div", tag("b", text(title)), items, class_="evr", role="status", aria_live="polite")


def _place(problem: Any) -> str:
    return ".".join(str(part) for part in problem["loc"]) or "entry"


def _plain(value: object) -> str:
    return ", ".join(str(part) for part in value) if isinstance(value, list) else str(value)
