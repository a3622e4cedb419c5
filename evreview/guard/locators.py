"""Citations stay citations: a locator with a value in it ends at the last step before the value."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from evreview.redaction.detector import Hit, compiled

_STOP: Final = r"\s,;\[\]()|`<>\"\x00-\x20"
_WHERE: Final = rf"(?P<file>:file=[^{_STOP}#]+)?#(?P<pointer>/[^{_STOP}]*)|:id=[^{_STOP}]+"
_LOCATOR: Final = rf"(?<![\w/#.%~-])E[1-9][0-9]{{0,8}}(?P<locator>{_WHERE})"


@dataclass(frozen=True, slots=True)
class _Cited:
    start: int
    end: int
    pointer: int


def cut_locators(text: str, hits: Iterable[Hit]) -> tuple[str, tuple[Hit, ...]]:
    """The text with locators cut before the values in them, and the hits that are left, where they now stand.

    A pointer ends at the parent of the step that holds a value, an entry's name or a file's name goes as a whole: what
    is left resolves, only less exactly.
    """
    found = tuple(hits)
    cited = [
        _Cited(match.start("locator"), match.end(), match.start("pointer"))
        for match in compiled(_LOCATOR).finditer(text)
    ]
    if not cited:
        return text, found
    cuts: dict[int, int] = {}
    for one, hit in _inside(cited, found):
        cut = text.rfind("/", one.pointer, hit.start + 1) if 0 <= one.pointer <= hit.start else one.start
        cuts[one.end] = min(cut, cuts.get(one.end, cut))
    if not cuts:
        return text, found
    spans = sorted((start, end) for end, start in cuts.items())
    kept = "".join(
        text[before:start] for (_, before), (start, _) in zip([(0, 0), *spans], [*spans, (len(text), 0)], strict=True)
    )
    return kept, tuple(_moved(spans, found))


def _inside(cited: list[_Cited], hits: Iterable[Hit]) -> Iterator[tuple[_Cited, Hit]]:
    """Every hit that begins or ends in a locator, with the locator."""
    starts = [one.start for one in cited]
    for hit in hits:
        for index in {bisect_right(starts, hit.start) - 1, bisect_right(starts, hit.end - 1) - 1}:
            if index >= 0 and cited[index].start < hit.end and hit.start < cited[index].end:
                yield cited[index], hit


def _moved(spans: list[tuple[int, int]], hits: Iterable[Hit]) -> Iterator[Hit]:
    """The hits in the text without the spans; one that lies in a span is gone."""
    removed = [0]
    for start, end in spans:
        removed.append(removed[-1] + end - start)

    def moved(at: int) -> int:
        index = bisect_right(spans, (at, -1))
        over = spans[index - 1][1] - at if index else 0
        return at - removed[index] + max(0, over)

    for hit in hits:
        start, end = moved(hit.start), moved(hit.end)
        if end > start:
            yield Hit(start, end, hit.kind, hit.detector, hit.value)
