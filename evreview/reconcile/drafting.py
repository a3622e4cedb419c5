"""Drafts of mapping entries: one for each changed symbol of a diff, with the difference that its lines name, if any."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from evreview.reconcile.symbols import parts, symbols
from evreview.workflows.w1.step3_implementation_diff import DiffLine, FileDiff, Hunk


@dataclass(frozen=True, slots=True)
class Draft:
    """One entry that nobody has reviewed.

    Attributes:
        path, symbol: the file, and the function, class or assigned name; "" where the diff shows none.
        lines, quote: what stands there, for an entry without a symbol.
        element, why: the address whose last name stands in the lines, and that name; `none` and "" where none does.
    """

    path: str
    symbol: str
    lines: str
    quote: str
    element: str
    why: str


def drafts(files: Iterable[FileDiff], addresses: Sequence[str]) -> tuple[Draft, ...]:
    """One draft per file and changed symbol, in the order of the diff."""
    found: dict[tuple[str, str], Draft] = {}
    for file in files:
        for hunk in file.hunks:
            for draft in _of_hunk(file, hunk, addresses):
                known = found.get((draft.path, draft.symbol or draft.lines))
                if known is None or known.element == "none":
                    found[draft.path, draft.symbol or draft.lines] = draft
    return tuple(found.values())


def _of_hunk(file: FileDiff, hunk: Hunk, addresses: Sequence[str]) -> Iterator[Draft]:
    of = symbols(hunk)
    for run in hunk.branches:
        for part in parts(run, of):
            said = [line for line in part if line.text.strip()] or list(part)
            first = of[said[0].at]
            element, why = _named(said, addresses)
            symbol = first.removeprefix("=")
            yield Draft(file.path, symbol, _lines(part), said[0].text.strip(), element, why)


def _lines(part: Sequence[DiffLine]) -> str:
    new = [line.new for line in part if line.new is not None]
    old = [line.old for line in part if line.old is not None]
    return f"{new[0]}-{new[-1]}" if new else f"-{old[0]}-{old[-1]}"


def _named(said: Sequence[DiffLine], addresses: Sequence[str]) -> tuple[str, str]:
    """The first address whose last name is a word of the changed lines."""
    words = set(re.findall(r"[A-Za-z_$][\w$-]*", " ".join(line.text for line in said)))
    for address in addresses:
        leaf = re.split(r"[ .:>\[\]{}]+", address.rstrip("[]{} "))[-1]
        if leaf in words:
            return address, f"the name {leaf} stands in the changed lines"
    return "none", ""
