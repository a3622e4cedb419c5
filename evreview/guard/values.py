"""Values to remove wherever they stand: as they are, base64 in any alignment, hexadecimal."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

from evreview.guard.folding import fold
from evreview.guard.lower import lowered
from evreview.guard.model import Hit, Kind, compiled
from evreview.guard.words import Words

LEAST: Final = 6
_UNBOUNDED: Final = 12
_BASE64_EDGE: Final = r"[A-Za-z0-9+/_-]*={0,2}"


@dataclass(frozen=True, slots=True)
class Form:
    """One way of writing a value, lower-case. A base64 form takes the whole run with it."""

    text: str = field(repr=False)
    kind: Kind
    detector: str
    run: bool = False


class Values:
    """The forms of values; searching passes once over a text, however many values."""

    def __init__(self, hits: Iterable[Hit]) -> None:
        found: dict[str, Form] = {}
        once = {(hit.value, hit.kind, hit.detector): hit for hit in hits}.values()
        for hit in sorted(once, key=lambda hit: (-len(hit.value), hit.value, hit.kind, hit.detector)):
            for form in forms_of(hit):
                found.setdefault(form.text, form)
        self._forms = sorted(found.values(), key=lambda form: (-len(form.text), form.text))
        self._words = Words(form.text for form in self._forms) if found else None

    def __bool__(self) -> bool:
        return bool(self._forms)

    def search(self, text: str) -> Iterator[Hit]:
        """Every place where a value stands, the longest first where several start; letter case does not matter."""
        if self._words is None:
            return
        lower = lowered(text)
        end = 0
        for at, number in sorted((at, number) for number, places in self._words.found(lower).items() for at in places):
            form = self._forms[number]
            if at >= end and _apart(lower, at, at + len(form.text), form):
                end = at + len(form.text)
                span = _whole_run(text, at, end) if form.run else (at, end)
                yield Hit(*span, form.kind, form.detector, text[span[0] : span[1]])


def forms_of(hit: Hit) -> Iterator[Form]:
    """The forms of a found value; a short one has none, it would hit ordinary words."""
    for value in parts_of(hit):
        folded = fold(value, breaks=True)
        for text in dict.fromkeys((value, folded.text if folded else value)):
            if len(text) >= LEAST:
                yield Form(text.lower(), hit.kind, hit.detector)
                yield from _encoded(text, hit)


def parts_of(hit: Hit) -> tuple[str, ...]:
    """What to look for: the value, the password of a pair, the lines of a trace, the decoded basic header."""
    parts = [hit.value.strip()]
    if hit.detector in ("url-credentials", "curl-login"):
        parts.append(hit.value.partition(":")[2])
    if hit.detector == "basic-header":
        parts += _basic(hit.value)
    if hit.kind is Kind.STACK_DETAIL or hit.detector == "private-key":
        lines = [line.strip() for line in re.split(r"\n|\\n", hit.value)]
        parts += [line for line in lines if len(line) >= 20 and not line.startswith(("Traceback", "-----"))]
    return tuple(dict.fromkeys(parts))


def _basic(value: str) -> list[str]:
    try:
        plain = base64.b64decode(value, validate=True).decode("utf-8")
    except (ValueError, UnicodeDecodeError):
        return []
    return [plain, plain.partition(":")[2]]


def _encoded(text: str, hit: Hit) -> Iterator[Form]:
    data = text.encode("utf-8", "replace")
    yield Form(data.hex(), hit.kind, hit.detector)
    if len(data) < 8:
        yield Form(base64.b64encode(data).decode("ascii").rstrip("=").lower(), hit.kind, hit.detector, run=True)
        return
    for shift in range(3):
        whole = base64.b64encode(b"\0" * shift + data).decode("ascii").rstrip("=")
        first = (0, 2, 3)[shift]
        kept = whole[first : (shift + len(data)) * 8 // 6]
        yield Form(kept.lower(), hit.kind, hit.detector, run=True)
        if (safe := kept.translate(str.maketrans("+/", "-_"))) != kept:
            yield Form(safe.lower(), hit.kind, hit.detector, run=True)


def _apart(text: str, start: int, end: int, form: Form) -> bool:
    if len(form.text) >= _UNBOUNDED or form.run:
        return True
    before, after = text[start - 1 : start], text[end : end + 1]
    return not (before.isalnum() and form.text[0].isalnum()) and not (after.isalnum() and form.text[-1].isalnum())


def _whole_run(text: str, start: int, end: int) -> tuple[int, int]:
    match = compiled(_BASE64_EDGE).match(text, end)
    while start and (text[start - 1].isalnum() or text[start - 1] in "+/_-"):
        start -= 1
    return start, match.end() if match else end
