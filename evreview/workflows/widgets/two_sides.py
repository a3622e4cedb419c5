"""One delta, opened: both forms side by side with the difference marked, the verdict and why, evidence and clients."""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from evreview.core.vocabulary import Absent, Form
from evreview.report import escape
from evreview.workflows.widgets.renderables import Markup, Renderable, joined, shortened, tag, text
from evreview.workflows.widgets.table import badge

_WORDS: Final = re.compile(r"\s+|\w+|[^\w\s]")
_LINES: Final = 400
_LINE: Final = 2000

Marked = tuple[tuple[str, bool], ...]
"""Pieces of one side in order, each with whether the other side lacks it."""


@dataclass(frozen=True, kw_only=True)
class DetailView(Renderable):
    """One row of the matrix in full.

    Attributes:
        key: the delta's id.
        title: where the difference is.
        verdict: from the closed vocabulary; shown in words and colour.
        why: the reason for the verdict.
        released, candidate: both forms; ABSENT on the side that has none.
        fields: further facts as label and text, evidence among them.
        clients: client and what the delta means for it.
    """

    key: str
    title: str
    verdict: str
    why: str
    released: Form
    candidate: Form
    fields: tuple[tuple[str, str], ...] = ()
    clients: tuple[tuple[str, str], ...] = ()
    headless: bool | None = None

    def to_text(self) -> str:
        left, right = written(self.released), written(self.candidate)
        facts = [f"{label}: {value}" for label, value in self._facts()]
        touched = [f"client {client}: {impact}" for client, impact in self.clients]
        return "\n".join([f"{self.key} {self.title}", *facts, f"released: {left}", f"candidate: {right}", *touched])

    def to_markdown(self) -> str:
        facts = "\n".join(f"- {escape.prose(label)}: {escape.prose(value)}" for label, value in self._facts())
        sides = "\n".join(
            f"| {name} | {escape.cell(shortened(written(form)))} |"
            for name, form in (("Released", self.released), ("Candidate", self.candidate))
        )
        touched = "".join(f"\n- {escape.prose(client)}: {escape.prose(impact)}" for client, impact in self.clients)
        heading = f"**{escape.prose(self.key)}** {escape.prose(self.title)}"
        clients = f"\n\nClients touched:\n{touched}" if touched else ""
        return f"{heading}\n\n{facts}\n\n| Side | Form |\n|---|---|\n{sides}{clients}"

    def to_html(self) -> Markup:
        left, right = marked(written(self.released), written(self.candidate))
        sides = tag("div", side("Released", left, "del"), side("Candidate", right, "ins"), class_="evr-sides")
        facts = joined(
            joined([tag("dt", text(label)), tag("dd", badge(value) if label == "Verdict" else text(value))])
            for label, value in self._facts()
        )
        title = tag("h4", tag("span", text(self.key), class_="evr-code"), text(" "), text(self.title))
        parts = [title, tag("dl", facts), sides, self._touched()]
        return tag("section", *parts, class_="evr-card", aria_label=f"Delta {self.key}")

    def _facts(self) -> tuple[tuple[str, str], ...]:
        return (("Verdict", self.verdict), ("Why", self.why), *self.fields)

    def _touched(self) -> Markup:
        if not self.clients:
            return tag("h5", text("Clients touched: none is known to be"))
        lines = joined(joined([tag("dt", text(name)), tag("dd", text(impact))]) for name, impact in self.clients)
        return joined([tag("h5", text("Clients touched")), tag("dl", lines)])


def written(form: Form) -> str:
    """The form as people read it: words as they are, anything else as indented JSON."""
    if isinstance(form, Absent | str):
        return str(form)
    return json.dumps(form, ensure_ascii=False, indent=2, sort_keys=True, default=str)


def marked(left: str, right: str) -> tuple[Marked, Marked]:
    """Both texts in pieces, each piece with whether only its side has it.

    Whole lines are matched first, then the words of lines that changed.
    """
    a, b = _lines(left), _lines(right)
    before: list[tuple[str, bool]] = []
    after: list[tuple[str, bool]] = []
    for kind, i1, i2, j1, j2 in difflib.SequenceMatcher(None, a, b, autojunk=False).get_opcodes():
        if kind == "equal":
            before += [(line, False) for line in a[i1:i2]]
            after += [(line, False) for line in b[j1:j2]]
        elif i2 - i1 == j2 - j1:
            for one, other in zip(a[i1:i2], b[j1:j2], strict=True):
                before += _words(one, other)
                after += _words(other, one)
        else:
            before += [(line, True) for line in a[i1:i2]]
            after += [(line, True) for line in b[j1:j2]]
    return tuple(before), tuple(after)


def _lines(value: str) -> list[str]:
    lines = value.splitlines(keepends=True)
    kept = [shortened(line, _LINE) for line in lines[:_LINES]]
    return [*kept, f"… ({len(lines) - _LINES} more lines)\n"] if len(lines) > _LINES else kept


def _words(own: str, other: str) -> Iterator[tuple[str, bool]]:
    mine, theirs = _WORDS.findall(own), _WORDS.findall(other)
    matcher = difflib.SequenceMatcher(None, mine, theirs, autojunk=False)
    for kind, start, end, _, _ in matcher.get_opcodes():
        if start < end:
            yield "".join(mine[start:end]), kind != "equal"


def side(name: str, pieces: Sequence[tuple[str, bool]], mark: str = "ins") -> Markup:
    """One side under its name; what only it has is marked."""
    body = joined(tag(mark, text(piece)) if differs else text(piece) for piece, differs in pieces)
    form = tag("pre", body, class_="evr-form evr-code", tabindex="0", aria_label=name)
    return tag("div", tag("h5", text(name)), form)
