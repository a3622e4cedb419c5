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
from evreview.workflows.widgets.table_markup import badge

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
        title: what changes.
        verdict: from the closed vocabulary; shown in words and colour.
        released, candidate: both forms, in words or as JSON text.
        places: where either stands, "" where it is not known.
        fields: further facts as label and text, the reason and the evidence among them.
        clients: client, what the delta comes to for it, and what that rests on.
        witness, message: who takes the message and who refuses it, and the message itself; "" for none.
        commands: what a command shows, and the command as it runs.
        acceptance: the accept file that would accept the row, to fill in; "" where nothing is to be accepted.
    """

    key: str
    title: str
    verdict: str
    released: str
    candidate: str
    places: tuple[str, ...] = ("", "")
    fields: tuple[tuple[str, str], ...] = ()
    clients: tuple[tuple[str, str, str], ...] = ()
    witness: str = ""
    message: str = ""
    commands: tuple[tuple[str, str], ...] = ()
    acceptance: str = ""
    headless: bool | None = None

    def to_text(self) -> str:
        facts = [f"{label}: {value}" for label, value in self._facts()]
        sides = [f"{name}: {form}" for name, form in self._sides()]
        touched = [f"client {client}: {outcome}; {why}" for client, outcome, why in self.clients]
        shown = [f"witness: {self.witness}", self.message] if self.witness or self.message else []
        return "\n".join([f"{self.key} {self.title}", *facts, *sides, *touched, *shown])

    def to_markdown(self) -> str:
        facts = "\n".join(f"- {escape.prose(label)}: {escape.prose(value)}" for label, value in self._facts())
        sides = "\n".join(f"| {escape.cell(name)} | {escape.cell(shortened(form))} |" for name, form in self._sides())
        touched = "".join(
            f"\n- {escape.prose(client)}: {escape.prose(outcome)}; {escape.prose(why)}"
            for client, outcome, why in self.clients
        )
        heading = f"**{escape.prose(self.key)}** {escape.prose(self.title)}"
        clients = f"\n\nClients:\n{touched}" if touched else ""
        shown = f"\n\nWitness: {escape.prose(self.witness)}" if self.witness else ""
        shown += f"\n\n{escape.fence(shortened(self.message), 'json')}" if self.message else ""
        return f"{heading}\n\n{facts}\n\n| Side | Form |\n|---|---|\n{sides}{clients}{shown}"

    def to_html(self) -> Markup:
        left, right = marked(self.released, self.candidate)
        (before, _), (after, _) = self._sides()
        sides = tag("div", side(before, left, "del"), side(after, right, "ins"), class_="evr-sides")
        facts = joined(joined([tag("dt", text(label)), tag("dd", text(value))]) for label, value in self._facts()[1:])
        head = [
            tag("span", text(self.key), class_="evr-code"),
            text(" "),
            text(self.title),
            text(" "),
            badge(self.verdict),
        ]
        parts = [tag("h3", *head), tag("dl", facts), sides, self._touched(), self._shown()]
        return tag("section", *parts, class_="evr-card", aria_label=f"Delta {self.key}")

    def _sides(self) -> tuple[tuple[str, str], ...]:
        places = (f", {place}" if place else "" for place in self.places)
        names = (f"{name}{place}" for name, place in zip(("Released", "Candidate"), places, strict=True))
        return tuple(zip(names, (self.released, self.candidate), strict=True))

    def _facts(self) -> tuple[tuple[str, str], ...]:
        return (("Verdict", self.verdict), *self.fields)

    def _touched(self) -> Markup:
        if not self.clients:
            return tag("p", text("Clients: none is known to be concerned."), class_="evr-muted")
        lines = joined(
            joined([tag("dt", text(name)), tag("dd", badge(outcome), text(f" {why}"))])
            for name, outcome, why in self.clients
        )
        return joined([tag("h4", text("Clients")), tag("dl", lines)])

    def _shown(self) -> Markup:
        parts = []
        if self.witness or self.message:
            words = f"Witness: {self.witness}".rstrip(": ")
            parts += (
                [tag("h4", text(words)), preformatted(self.message, words)]
                if self.message
                else [tag("h4", text(words))]
            )
        for shows, command in self.commands:
            parts.append(tag("p", tag("code", text(command)), text(f" {shows}"), class_="evr-command"))
        return joined(parts)


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
    form = tag("pre", body, class_="evr-form evr-code", tabindex="0", role="region", aria_label=name)
    return tag("div", tag("h4", text(name)), form)


def preformatted(value: str, name: str) -> Markup:
    """A text as it is written, in a place of its own that scrolls."""
    return tag("pre", text(value), class_="evr-form evr-code", tabindex="0", role="region", aria_label=name)
