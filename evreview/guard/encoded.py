"""Runs of a text that are another text: base64, base32, hexadecimal pairs, codes of characters, letters apart."""

from __future__ import annotations

import base64
import binascii
import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from typing import Final, NamedTuple

from evreview.redaction.detector import Hit, compiled

BETWEEN: Final = "\n\0\n"
"""Stands between two texts. No match of a detector reaches over it: every pattern stops at a line end or at NUL."""
_HEAD: Final = 24
_DEPTH: Final = 2
_TEXT: Final = r"[\t\n\r -~\u00a1-\u024f]{6,}"
Decode = Callable[[str], str]


class Run(NamedTuple):
    """An encoded run, and the text that it stands for."""

    start: int
    end: int
    text: str

    def __repr__(self) -> str:
        return f"Run(start={self.start}, end={self.end})"


def _base64(run: str) -> str:
    bare = run.rstrip("=")
    if compiled(_BASE32).fullmatch(bare) and (plain := _base32(bare)):
        return plain
    bare = bare.translate(_STANDARD)
    if not _plain(binascii.a2b_base64(bare[:_HEAD])):
        return ""
    whole = bare[: len(bare) - 1] if len(bare) % 4 == 1 else bare
    return _plain(binascii.a2b_base64(whole + "=" * (-len(whole) % 4)))


def _base32(bare: str) -> str:
    try:
        return _plain(base64.b32decode(bare.upper() + "=" * (-len(bare) % 8)))
    except ValueError:
        return ""


def _pairs(run: str) -> str:
    return _plain(bytes.fromhex(re.sub(r"[^0-9A-Fa-f]", "", re.sub(r"0[xX]", "", run))))


def _codes(run: str) -> str:
    return "".join(map(chr, map(int, compiled(r"\d{2,3}").findall(run))))


def _apart(run: str) -> str:
    return run[::2]


def _plain(data: bytes) -> str:
    """The text that the bytes are, "" when they are none."""
    form = "utf-16-le" if data[1::2].count(0) * 2 > len(data) - 2 else "utf-8"
    try:
        text = data.decode(form)
    except UnicodeDecodeError:
        return ""
    return text if compiled(_TEXT).fullmatch(text) else ""


_STANDARD: Final = str.maketrans("-_", "+/")
_BASE32: Final = "[A-Z2-7]{24,}|[a-z2-7]{24,}"
_RUNS: Final[tuple[tuple[tuple[str, ...], str, Decode], ...]] = (
    ((), r"[A-Za-z0-9+/_-]{24,400000}={0,6}", _base64),
    (
        (
            r":[0-9A-Fa-f]{2}:[0-9A-Fa-f]{2}:[0-9A-Fa-f]{2}:",
            r" [0-9A-Fa-f]{2} [0-9A-Fa-f]{2} [0-9A-Fa-f]{2} ",
            ", ?0[xX]",
        ),
        r"(?<![0-9A-Za-z])(?:0[xX])?[0-9A-Fa-f]{2}(?:(?:[: ]|, ?)(?:0[xX])?[0-9A-Fa-f]{2}){7,4000}(?![0-9A-Za-z])",
        _pairs,
    ),
    (
        (r",[ ]?\d{2,3},[ ]?\d{2,3},", r"chr\(\d"),
        r"(?<![\w.])(?:chr\()?\d{2,3}\)?(?: ?[,+.] ?(?:chr\()?\d{2,3}\)?){7,4000}(?![\w.])",
        _codes,
    ),
    (
        (r" [!-~] [!-~] [!-~] [!-~] ", r"-[!-~]-[!-~]-[!-~]-[!-~]-"),
        r"(?<!\S)[!-~](?:([ -])[!-~])(?:\1[!-~]){10,400}(?!\S)",
        _apart,
    ),
)
"""What has to be found for the expression to be tried, the expression, and how its match is decoded."""
_FEW: Final = 8


def runs(text: str, depth: int = _DEPTH) -> Iterator[Run]:
    """Every run that decodes to a text of some length, twice encoded ones as what they stand for in the end too."""
    for probes, expression, decode in _RUNS:
        if probes and not any(compiled(probe).search(text) for probe in probes):
            continue
        for match in compiled(expression).finditer(text):
            try:
                plain = decode(match[0])
            except (ValueError, OverflowError):
                continue
            if len(plain) >= _FEW:
                yield Run(match.start(), match.end(), plain)
                if depth > 1:
                    yield from (Run(match.start(), match.end(), inner.text) for inner in runs(plain, depth - 1))


def hits_in(found: Iterable[Run], search: Callable[[str], Iterable[Hit]]) -> Iterator[Hit]:
    """The runs in which a search of their texts finds something, with the value that stands in the text."""
    listed = list(found)
    if not listed:
        return
    joined = BETWEEN.join(run.text for run in listed)
    at, starts = 0, []
    for run in listed:
        starts.append(at)
        at += len(run.text) + len(BETWEEN)
    for hit in search(joined):
        index = bisect_right(starts, hit.start) - 1
        run = listed[index]
        if hit.end <= starts[index] + len(run.text):
            yield Hit(run.start, run.end, hit.kind, hit.detector, hit.value)
