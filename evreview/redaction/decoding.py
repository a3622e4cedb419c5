"""Texts with their encodings undone, and the way back to the places in the original.

`fold` undoes escapes of URLs, HTML, JSON, Markdown and quotes and hard line breaks, all at once, because they differ
from sink to sink and mix. `runs` finds what stands in a text as another text: base64, base32, hexadecimal, codes.
"""

from __future__ import annotations

import base64
import binascii
import html
import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import accumulate
from typing import Final, NamedTuple
from urllib.parse import unquote

from evreview.core.frozen import frozen
from evreview.redaction.detector import SecretMatch, compiled

_ESCAPE: Final = (
    r"(?<=%)(?:[89A-Fa-f][0-9A-Fa-f](?:%[89A-Fa-f][0-9A-Fa-f])*|[2-7][0-9A-Fa-f])"
    r"|(?<=&)(?:#\d{1,7}|#[xX][0-9A-Fa-f]{1,6}|[A-Za-z]{2,8}\d{0,2});"
    r"|(?<=\\)(?:u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|[01][0-7]{2}|[ -/:-@\[-`{-~])"
    r"|(?<==)[2-7][0-9A-Fa-f](?:=[2-7][0-9A-Fa-f])+"
    r"|(?<=[\uff01-\uff5e])"
)
_AFTER_BREAK: Final = r"[ \t]{0,80}(?:[>#*|][ \t]{1,8})?"
_BREAK: Final = (
    r"(?<=[\"'])[ \t]{0,40}(?:[+\\]?[ \t]{0,4}(?:[\n⏎]|\\n)|\+|\.|&|\|\|)[ \t]{0,80}[\"']"
    rf"|(?:(?<=[ \t])[ \t]{{0,39}}\\?(?:(?:\\r)?\\n|[\n⏎]|<br ?/?>)|(?<=[\n⏎])|(?<=<)br ?/?>"
    rf"|(?<=\\)(?:(?:\\r)?\\n|[\n⏎]|<br ?/?>|r\\n|n)){_AFTER_BREAK}"
    r"|(?<=<)/?[A-Za-z]{1,10}>|(?<=\*)\*"
)
_MARKS: Final = "%&\\"
_SELDOM: Final = (r"=[2-7][0-9A-Fa-f]=[2-7][0-9A-Fa-f]", r"[\uff01-\uff5e]")
"""What tells that quoted-printable escapes, or letters of double width, stand in a text."""
_RARE: Final = 100
_FIRST: Final = (r"%&\\", r"%&\\\"' \t\n⏎<*")
_FIRST_SELDOM: Final = r"=\uff01-\uff5e"
"""What escapes, and breaks and escapes, begin with: a search is fast for one set of characters in front."""


@frozen
class DecodedText:
    """A text without its escapes, and where each of its characters came from.

    Attributes:
        text: what a reader sees.
        places: where each undone escape stands in `text`; its end is the next one's start or earlier.
        sources: for each of them the (start, end) in what it was folded from, and its length in `text`.
        inner: what it was folded from, when that was folded too.
    """

    text: str
    places: tuple[int, ...]
    sources: tuple[tuple[int, int, int], ...]
    inner: DecodedText | None = None

    def origin(self, start: int, end: int) -> tuple[int, int]:
        """The span of the original that became `text[start:end]`; an escape is never cut."""
        index = bisect_right(self.places, start) - 1
        begin, finish, length = self.sources[index] if index >= 0 else (0, 0, 0)
        over = start - (self.places[index] + length if index >= 0 else 0)
        if over >= 0 and (index + 1 == len(self.places) or end <= self.places[index + 1]):
            span = finish + over, finish + over + end - start
        else:
            span = finish + over if over >= 0 else begin, self._after(end)
        return self.inner.origin(*span) if self.inner is not None else span

    def changed(self) -> tuple[tuple[int, int], ...]:
        """The spans of `text` that were escapes, sorted and disjoint."""
        own = [(place, place + max(1, source[2])) for place, source in zip(self.places, self.sources, strict=True)]
        if self.inner is not None:
            own += [(self._ahead(start), self._ahead(end - 1) + 1) for start, end in self.inner.changed()]
            own.sort()
        out: list[tuple[int, int]] = []
        last = -1
        for span in own:
            if span[0] > last:
                out.append(span)
                last = span[1]
            elif span[1] > last:
                last = span[1]
                out[-1] = (out[-1][0], last)
        return tuple(out)

    def _after(self, at: int) -> int:
        """Where the character before `at` ends in the source."""
        index = bisect_left(self.places, at) - 1
        if index < 0:
            return at
        _, finish, length = self.sources[index]
        return finish + max(0, at - self.places[index] - length)

    def _ahead(self, at: int) -> int:
        """Where a character of the source stands in `text`."""
        index = bisect_right(self.sources, at, key=lambda source: source[0]) - 1
        if index < 0:
            return at
        _, finish, length = self.sources[index]
        return self.places[index] + (max(0, length - 1) if at < finish else length + at - finish)


def fold(text: str, *, breaks: bool, joint: str = "") -> DecodedText | None:
    """The text with its escapes undone, twice encoded ones too; line breaks too if asked. None: nothing to undo.

    `joint` stands where a break stood: nothing inside a word, a blank between words.
    """
    folded = _once(text, breaks, None, joint)
    if folded is None:
        return None
    return _once(folded.text, False, folded) or folded


@lru_cache(maxsize=4)
def _pattern(breaks: bool, seldom: bool) -> re.Pattern[str]:
    first = f"[{_FIRST[breaks]}{_FIRST_SELDOM if seldom else ''}]"
    return re.compile(f"({first}(?:{_BREAK}|{_ESCAPE}))" if breaks else f"({first}(?:{_ESCAPE}))")


_SIGN: Final = r"(?:[+.&~]|\.\.|\|\|)?"
_BETWEEN: Final = rf"[ \t]{{0,8}}{_SIGN}[ \t]{{0,8}}\\?(?:\n[ \t]{{0,60}})?{_SIGN}[ \t]{{0,8}}[brfu]{{0,2}}"
_INSIDE: Final = "[^\\s=:(,\\[{\"'`\\\\]"
_JOINT: Final = (
    rf"([\"'\\](?:(?<={_INSIDE}\"){_BETWEEN}\"(?=[^\s\"',)\]}}])|(?<={_INSIDE}'){_BETWEEN}'(?=[^\s\"',)\]}}])"
    r"|(?<=[^\s\\]\\)\n[ \t]{0,60}(?=[^\s\\])))"
)
"""The end of one string and the beginning of the next one that belongs to it, or a line that goes on."""


def joined(text: str) -> DecodedText | None:
    """The text with strings that are one value put together: `"a" + "b"`, `'a' 'b'`. None: there are none."""
    parts = compiled(_JOINT).split(text)
    return _folded(parts, dict.fromkeys(parts[1::2], ""), None) if len(parts) > 1 else None


def _once(text: str, breaks: bool, inner: DecodedText | None, joint: str = "") -> DecodedText | None:
    """Plain parts and escapes in turn; where each begins and ends follows from their lengths."""
    marks = text.count("%") + text.count("&") + text.count("\\")
    seldom = compiled(_SELDOM[0]).search(text) is not None or (
        not text.isascii() and compiled(_SELDOM[1]).search(text) is not None
    )
    if not marks and not breaks and not seldom:
        return None
    often = breaks or seldom or marks * _RARE > len(text)
    parts = _pattern(breaks, seldom).split(text) if often else _parts(text)
    if len(parts) == 1:
        return None
    return _folded(parts, {unit: _decoded(unit) or joint for unit in set(parts[1::2])}, inner)


def _folded(parts: list[str], shown: Mapping[str, str], inner: DecodedText | None) -> DecodedText:
    """Plain parts and escapes in turn, with what each escape is shown as."""
    sources = list(accumulate(map(len, parts)))
    parts[1::2] = map(shown.__getitem__, parts[1::2])
    lengths = list(map(len, parts))
    places = list(accumulate(lengths))
    spans = zip(sources[::2], sources[1::2], lengths[1::2], strict=False)
    return DecodedText("".join(parts), tuple(places[:-1:2]), tuple(spans), inner)


def _parts(text: str) -> list[str]:
    """The same as splitting at every escape, for a text with few of their first characters."""
    match = _pattern(breaks=False, seldom=False).match
    parts: list[str] = []
    end = 0
    for start in sorted(at for mark in _MARKS for at in _places(mark, text)):
        found = match(text, start) if start >= end else None
        if found is not None:
            parts += (text[end:start], found[0])
            end = found.end()
    return [*parts, text[end:]]


def _places(mark: str, text: str) -> Iterator[int]:
    """Where a character stands in a text."""
    at = text.find(mark)
    while at >= 0:
        yield at
        at = text.find(mark, at + 1)


def _decoded(unit: str) -> str:
    match unit[0]:
        case "%":
            return unquote(unit, errors="replace")
        case "&":
            return html.unescape(unit)
        case "\\" if len(unit) in (4, 6) and unit[1] in "ux":
            char = chr(int(unit[2:], 16))
            return "\ufffd" if "\ud800" <= char <= "\udfff" else char
        case "\\" if len(unit) == 2 and not unit[1].isalnum() and unit[1] not in "\n⏎":
            return unit[1]
        case "\\" if len(unit) == 4 and unit[1:].isdigit():
            return chr(int(unit[1:], 8))
        case "=":
            return bytes.fromhex(unit.replace("=", "")).decode("ascii")
        case wide if "\uff01" <= wide <= "\uff5e":
            return chr(ord(wide) - 0xFEE0)
    return ""


# Runs of a text that are another text: base64, base32, hexadecimal pairs, codes of characters, letters apart.


BETWEEN: Final = "\n\0\n"
"""Stands between two texts. No match of a detector reaches over it: every pattern stops at a line end or at NUL."""
_HEAD: Final = 24
_DEPTH: Final = 2
_TEXT: Final = r"[\t\n\r -~\u00a1-\u024f]{6,}"
Decode = Callable[[str], str]


class EncodedRun(NamedTuple):
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
_SIGNS: Final = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/_-"
_MASK: Final = bytes.maketrans(_SIGNS, b"x" * len(_SIGNS))
"""Each sign of base64 as `x`, which is one of them, and every other sign as it is."""
_LONG: Final = b"x" * 24
_RUN: Final = re.compile(rb"x{24,400000}={0,6}")


def runs(text: str, depth: int = _DEPTH) -> Iterator[EncodedRun]:
    """Every run that decodes to a text of some length, twice encoded ones as what they stand for in the end too."""
    for start, end, decode in _encoded(text):
        try:
            plain = decode(text[start:end])
        except (ValueError, OverflowError):
            continue
        if len(plain) >= _FEW:
            yield EncodedRun(start, end, plain)
            if depth > 1:
                yield from (EncodedRun(start, end, inner.text) for inner in runs(plain, depth - 1))


def _encoded(text: str) -> Iterator[tuple[int, int, Decode]]:
    for start, end in base64_runs(text):
        yield start, end, _base64
    for probes, expression, decode in _RUNS:
        if any(compiled(probe).search(text) for probe in probes):
            yield from ((*match.span(), decode) for match in compiled(expression).finditer(text))


def base64_runs(text: str) -> Iterator[tuple[int, int]]:
    """What `[A-Za-z0-9+/_-]{24,400000}={0,6}` finds, as spans.

    An expression tries each place of a text, and contracts of megabytes hold a few such runs: every sign of
    base64 is made the same one, and a search for 24 alike leaps.
    """
    mask = text.encode("ascii", "replace").translate(_MASK)
    end = 0
    while (start := mask.find(_LONG, end)) >= 0:
        found = _RUN.match(mask, start)
        end = found.end() if found else len(mask)
        yield start, end


def hits_in(found: Iterable[EncodedRun], search: Callable[[str], Iterable[SecretMatch]]) -> Iterator[SecretMatch]:
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
            yield SecretMatch(run.start, run.end, hit.kind, hit.detector, hit.value)
