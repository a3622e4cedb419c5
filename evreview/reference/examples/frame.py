"""Examples as a table, and the section about them on the documentation page."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Final

from evreview.core.quoted_text import plain
from evreview.reference.examples.model import Example, Omitted, Why
from evreview.workflows.w2.step5_examples.scalar_values import FORMATS, NUMBERS, TEXTS

if TYPE_CHECKING:
    from pandas import DataFrame

COLUMNS: Final[Mapping[str, str]] = {
    "example_id": "stable id, `EX-…`; empty for one that is omitted",
    "operation": "the contract's key of the operation",
    "part": "`request` or `response`",
    "status": "the response as the contract declares it: `200`, `4XX`, `default`; empty for a request",
    "media_type": "as declared; empty without a body",
    "label": "`proposed`, or `observed` where a recorded exchange has this shape; empty for one that is omitted",
    "body": "the body as text",
    "accepted_by": "the validators that accepted every value and the whole message",
    "remarks": "where a value stands in the contract, or why the contract's own example is not used",
    "why": "why it is omitted; empty for an example",
    "reason": "the same in words, with the part of the message that it fails on",
}
"""The columns of `examples_frame` with what they hold."""

WHYS: Final[Mapping[Why, str]] = {
    Why.UNSATISFIABLE: "it is proved that no value meets the schema",
    Why.NOT_FOUND: "none was found within the limits; whether there is one is not known",
    Why.TOO_LARGE: "the schema demands more than an example shows",
    Why.UNREAD: "a part of the schema or of the operation could not be read",
    Why.NO_FORMAT: "nothing here writes the media type, or it can't carry the value",
    Why.UNDESCRIBED: "the contract does not say what the body holds",
    Why.DISAGREED: "the two validators did not both accept a value without members that are never sent",
    Why.GUARDED: "every value found is one that the guard reports",
    Why.UNAPPROVED: "it comes from recorded traffic and nobody approved that",
    Why.OTHERWISE: "the recorded exchange is not one that the contract describes",
}
"""What the reasons mean."""


def examples_frame(found: Iterable[Example | Omitted]) -> DataFrame:
    """One row per example or omission with the columns of `COLUMNS` in that order, all of them text."""
    import pandas as pd

    rows = [_shown(each) if isinstance(each, Example) else _omitted(each) for each in found]
    return pd.DataFrame(rows, columns=list(COLUMNS)).astype("string")


def _shown(example: Example) -> tuple[str, ...]:
    about = example.about
    named = (example.id, about.operation, about.part.value, about.status, about.media_type, example.label.value)
    remarks = "; ".join(map(plain, example.remarks))
    return (*named, example.body, ", ".join(example.accepted_by), remarks, "", "")


def _omitted(omitted: Omitted) -> tuple[str, ...]:
    about = omitted.about
    reason = f"{omitted.part}: {omitted.reason}" if omitted.part else omitted.reason
    named = ("", about.operation, about.part.value, about.status, about.media_type)
    return (*named, "", "", "", "", omitted.why.value, reason)


def page_lines() -> tuple[str, ...]:
    """The columns, the reasons, and which value goes with which name, as Markdown."""
    return (
        *_table(("Column", "Meaning"), ((f"`{name}`", says) for name, says in COLUMNS.items())),
        *_table(("Omitted as", "Because"), ((why.value, says) for why, says in WHYS.items())),
        *_table(("Field", "Holds", "Values, the best first"), _preferences()),
        *_table(("Format", "Values"), ((f"`{name}`", _codes(values)) for name, values in FORMATS.items())),
    )


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> Iterator[str]:
    for row in (head, ("---",) * len(head), *rows):
        yield f"| {' | '.join(row)} |"
    yield ""


def _preferences() -> Iterator[tuple[str, ...]]:
    for rule in (*TEXTS, *NUMBERS):
        field = f"{rule.id}: `{rule.example}`, not `{rule.counter_example}`"
        yield field, rule.why, _codes(rule.values)


def _codes(values: Iterable[object]) -> str:
    return ", ".join(f"`{json.dumps(value)}`" for value in values)
