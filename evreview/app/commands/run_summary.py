"""What `evreview run` prints: the decision, who does what next, what breaks, what blocks, and the next commands."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from evreview.core.quoted_text import counted, plain
from evreview.core.vocabulary import StatementKind, Verdict
from evreview.report.difference_text import NextStep, RowText, said
from evreview.report.terminal_text import Screen, begin, columns, command_lines, flat, padded, wrapped

Record = Mapping[str, Any]
REASONS: Final = 10
BREAKS: Final = 5
ACTIONS: Final = 5
_INDENT: Final = 10
_UNRULED: Final = "the policy says nothing about it"


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """What a run ended with.

    Attributes:
        headline: the decision.
        about: what was reviewed, and as of which day.
        reasons: why a step ended it.
        actions: who does what next, in order, as `review.json` has it.
        registers: rows of the registers that the run reached, by name.
        artifact: the path of the artifact, as the user would type it.
        wrote: what stands beside it, in words.
        next_steps: what to run next.
    """

    headline: str
    about: str
    reasons: tuple[str, ...]
    registers: Mapping[str, Sequence[Record]]
    artifact: str
    wrote: tuple[str, ...]
    actions: tuple[Record, ...] = ()
    next_steps: tuple[NextStep, ...] = ()


def summary_lines(summary: Summary, screen: Screen) -> Iterator[str]:
    """The summary, a line each; nothing wider than the screen but a path or a word of a command."""
    about = begin(flat(summary.about), max(screen.width - _INDENT - columns(summary.headline) - 3, 0))
    head = f"{summary.headline}   {about}" if len(about) > 1 else summary.headline
    yield from _block("DECISION", wrapped(head, screen.width - _INDENT))
    more = f"and {len(summary.actions) - ACTIONS} more, in the artifact" if len(summary.actions) > ACTIONS else ""
    to_do = [f"{each['who']}: {each['what']}" for each in summary.actions[:ACTIONS]]
    yield from _block("TO DO", _numbered(to_do, more, screen))
    yield from _block("BREAKS", _breaks(summary.registers, screen))
    yield from _block("BLOCKED", _blocked(summary, screen))
    yield from _block("WROTE", wrapped(", ".join((summary.artifact, *summary.wrote)), screen.width - _INDENT))
    yield from _block(
        "next", (line for step in summary.next_steps for line in command_lines(step.words, step.shows, screen, _INDENT))
    )


def _block(label: str, lines: Iterator[str]) -> Iterator[str]:
    for line in lines:
        yield f"{padded(label, _INDENT)}{line}"
        label = ""


def _breaks(registers: Mapping[str, Sequence[Record]], screen: Screen) -> Iterator[str]:
    """Every proved break, by line or by id, whatever the policy says; then how many rows nobody could decide."""
    rows = registers.get("compatibility-matrix", ())
    broken = [row for row in rows if row["verdict"] == Verdict.BREAKING]
    open_ = [str(row["delta_id"]) for row in rows if row["verdict"] == Verdict.UNKNOWN]
    if broken:
        verb = "breaks" if len(broken) == 1 else "break"
        failed = sorted({str(each["client"]) for each in registers.get("impacts", ()) if each["executed"] == "failed"})
        ran = f"; {', '.join(failed)} failed in a retained run" if failed else ""
        line = f"{len(broken)} of {counted(len(rows), 'difference')} {verb} an old client{ran}"
        yield from wrapped(flat(line), screen.width - _INDENT)
    room = screen.width - _INDENT
    texts = [said(_row(row)) for row in broken[:BREAKS]]
    names = max((columns(flat(_named(text))) for text in texts), default=0)
    for text in texts:
        line = f"x {text.id}  {padded(flat(_named(text)), names)}  "
        policy = _policy(text.id, registers)
        # A part of the policy's words that has no room is left to the artifact: half a word tells nothing.
        while columns(line) + columns(policy) > room and re.search("[;,] ", policy):
            policy = re.split("[;,] (?!.*[;,] )", policy)[0]
        yield begin(f"{line}{policy}".rstrip(), room)
    yield from _ids("x", [str(row["delta_id"]) for row in broken[BREAKS:]], "more", room)
    yield from _ids("?", open_, "not decided", room)


def _named(text: RowText) -> str:
    """The title behind its status, where there is one."""
    first = plain(text.place).partition(" ")[0]
    title = plain(text.title)
    return f"{first}: {title}" if first.isdecimal() and first not in title.split() else title


def _policy(row: str, registers: Mapping[str, Sequence[Record]]) -> str:
    """What the policy makes of the row: its severity and what it blocks."""
    judged = next((each for each in registers.get("policy-judgements", ()) if each["delta_id"] == row), None)
    if judged is None:
        return ""
    if not judged.get("policy_rule"):
        return _UNRULED
    found = next((each for each in registers.get("findings", ()) if each["delta_id"] == row), None)
    parts = [str(judged["severity"]), str(found["disposition"]) if found else ""]
    return flat(", ".join(part for part in parts if part))


def _ids(mark: str, ids: Sequence[str], what: str, room: int) -> Iterator[str]:
    if ids:
        shown = ids[:BREAKS]
        more = f" and {len(ids) - len(shown)} more in the matrix" if len(ids) > len(shown) else ""
        yield from wrapped(f"{mark} {len(ids)} {what}: {' '.join(shown)}{more}", room)


def _row(record: Record) -> dict[str, Any]:
    """A row of the matrix register as the words of a row are made from."""
    plain_row = {**record, "id": record["delta_id"], "facet": record["facet"] or "", "facts": record["facts"] or {}}
    plain_row |= {"operations": record["operations"] or [], "address": record["address"] or ""}
    return {**plain_row, **{side: _form(record[side]) for side in ("released", "candidate")}}


def _form(text: Any) -> Any:
    """The form that a cell of the register holds; the cell's text where redaction left no JSON of it."""
    try:
        return json.loads(text) if isinstance(text, str) else text
    except ValueError:
        return text


def _blocked(summary: Summary, screen: Screen) -> Iterator[str]:
    every = summary.reasons or tuple(_holding(summary.registers))
    more = f"and {len(every) - REASONS} more, in the artifact" if len(every) > REASONS else ""
    yield from _numbered([_unlabelled(each) for each in every[:REASONS]], more, screen)


def _numbered(told: Sequence[str], more: str, screen: Screen) -> Iterator[str]:
    """Each text under its number, then how many more there are."""
    for number, each in enumerate(told, 1):
        for at, line in enumerate(wrapped(flat(each), screen.width - _INDENT - 3)):
            yield f"   {line}" if at else f"{padded(str(number), 2)} {line}"
    if more:
        yield more


def _holding(registers: Mapping[str, Sequence[Record]]) -> Iterator[str]:
    """The findings that hold what was asked, where no step gives a reason."""
    for each in registers.get("findings", ()):
        if each["blocks"]:
            name = each.get("finding_id") or each["finding"]
            yield f"{name} {each.get('title') or each['finding']} ({each['severity']})"


def _unlabelled(reason: str) -> str:
    """The reason without the label that its statement has in the artifact."""
    label, _, words = reason.partition(": ")
    return words if label in list(StatementKind) else reason
