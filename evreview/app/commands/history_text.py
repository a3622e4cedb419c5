"""A history of releases as text and as JSON: the ledger of each pair, and one line for each compatibility level."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from evreview.comparison.history import History, LevelStatus, Pair, Reason
from evreview.core.vocabulary import Tristate
from evreview.redaction.detector import Clean
from evreview.redaction.redactor import Redactor
from evreview.report.ledger_formats import exact_json, render

FORMATS: Final = ("table", "json")
_SHOWN: Final = 6
"""Ids on one line; the rows stand above it."""


def render_history(history: History, fmt: str, *, width: int | None, redactor: Redactor) -> Clean:
    """The history in one of `FORMATS`.

    Args:
        history: the releases compared.
        fmt: the format.
        width: the terminal's width for coloured tables, None for plain ones.
        redactor: what has been learnt to redact.
    """
    if fmt == "json":
        document: Any = history.to_dict()
        for pair, entry in zip(history.pairs, document["pairs"], strict=True):
            entry["diff"] = _ledger(pair, redactor)
        return exact_json(document, redactor)
    return Clean("\n".join(_lines(history, width, redactor)) + "\n")


def _ledger(pair: Pair, redactor: Redactor) -> Any:
    """The pair as `evreview diff --format json` prints it."""
    import json

    return json.loads(str(render(pair.comparison, "json", redactor=redactor)))


def _lines(history: History, width: int | None, redactor: Redactor) -> Iterator[str]:
    for pair in history.pairs:
        yield f"== {redactor.clean_message(_named(history, pair))}"
        body = render(pair.comparison, "table", width=width, redactor=redactor)
        yield str(body) if pair.adjacent else str(body).rstrip("\n").rpartition("\n")[2] + "\n"
    yield "levels"
    longest = max(len(standing.level) for standing in history.standings)
    for standing in history.standings:
        yield f"  {standing.level:<{longest}}  {redactor.clean_message(_said(history, standing))}"


def _said(history: History, standing: LevelStatus) -> str:
    if standing.holds is Tristate.YES:
        return "holds"
    known = standing.holds is Tristate.NO
    reasons = standing.broken if known else standing.unknown
    told = "; ".join(f"{_named(history, reason)}: {_ids(reason)}" for reason in reasons)
    return f"{'broken by' if known else 'unknown:'} {told}"


def _ids(reason: Reason) -> str:
    if not reason.rows:
        return "a part that could not be read"
    more = len(reason.rows) - _SHOWN
    return ", ".join(reason.rows[:_SHOWN]) + (f" and {more} more" if more > 0 else "")


def _named(history: History, pair: Pair | Reason) -> str:
    return f"{history.releases[pair.earlier].path} -> {history.releases[pair.later].path}"
