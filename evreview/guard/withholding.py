"""What cleaning can't take out goes with its whole lines: better a gap that is said than a value that is out."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from itertools import accumulate
from typing import Final, NamedTuple

from evreview.redaction.detector import Clean, Hit, Kind, compiled

WITHHELD: Final = "[withheld: redaction incomplete]"
_LEAD: Final = r"[ \t]{0,40}(?:#{1,6} |[*-] (?:\*\*[A-Z][a-z ]{3,20}:\*\* )?|\d{1,4}\. |> ?)?"
_BAR: Final = r"(?<!\\)\|"
_ITEM: Final = r"(?:\A|(?<=, ))E[1-9]\d{0,4}(?=[:#,]|\Z)"
_CITED: Final = r"E[1-9]\d{0,4}(?:[:#]\S{1,400})?(?:, E[1-9]\d{0,4}(?:[:#]\S{1,400})?){0,400}"


class Cleaned(NamedTuple):
    """A text that may leave, and what it could not be rid of in place.

    Attributes:
        text: without any such value.
        withheld: kind and detector of what went with its lines; empty when redaction is complete.
    """

    text: Clean
    withheld: frozenset[tuple[Kind, str]] = frozenset()


def without_lines(text: str, hits: Iterable[Hit]) -> str:
    """The text with every line that a hit touches withheld; as many lines as before."""
    lines = text.split("\n")
    ends = list(accumulate(len(line) + 1 for line in lines))
    for hit in hits:
        for number in range(bisect_right(ends, hit.start), bisect_right(ends, max(hit.start, hit.end - 1)) + 1):
            lines[number] = _frame(lines[number])
    return "\n".join(lines)


def _frame(line: str) -> str:
    """The line's frame around the notice: mark and label of a list, cells of a row, ids of the evidence cited last."""
    if line.startswith("| "):
        last = line.removesuffix(" |").rpartition(" | ")[2]
        cells = [WITHHELD] * max(1, len(compiled(_BAR).findall(line)) - 1)
        cells[-1] = _items(last) or WITHHELD
        return f"| {' | '.join(cells)} |"
    lead = compiled(_LEAD).match(line)
    items = _items(line.removesuffix("]").rpartition(" [")[2]) if line.endswith("]") else ""
    return f"{lead[0] if lead else ''}{WITHHELD}" + (f" [{items}]" if items else "")


def _items(cited: str) -> str:
    """The ids of cited items without their locators, "" for anything but citations."""
    if compiled(_CITED).fullmatch(cited) is None:
        return ""
    return ", ".join(dict.fromkeys(compiled(_ITEM).findall(cited)))
