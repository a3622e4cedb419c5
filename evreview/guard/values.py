"""Values to remove wherever they stand: as they are, base64 in any alignment, hexadecimal."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from evreview.guard.folding import fold
from evreview.guard.lower import found_at, lowered, words_of
from evreview.guard.model import Hit, Kind

LEAST: Final = 6
_UNBOUNDED: Final = 12
_LEAD: Final = 4
_FEW: Final = 300
_BASE64_EDGE: Final = re.compile(r"[A-Za-z0-9+/_-]*={0,2}")


@dataclass(frozen=True, slots=True)
class Form:
    """One way of writing a value, lower-case. A base64 form takes the whole run with it."""

    text: str = field(repr=False)
    kind: Kind
    detector: str
    run: bool = False


class Values:
    """An index of forms by their first characters; searching costs one look-up per character, however many values."""

    def __init__(self, hits: Iterable[Hit]) -> None:
        found: dict[str, Form] = {}
        once = {(hit.value, hit.kind, hit.detector): hit for hit in hits}.values()
        for hit in sorted(once, key=lambda hit: (-len(hit.value), hit.value, hit.kind, hit.detector)):
            for form in forms_of(hit):
                found.setdefault(form.text, form)
        index: dict[str, list[Form]] = {}
        for form in sorted(found.values(), key=lambda form: (-len(form.text), form.text)):
            index.setdefault(form.text[:_LEAD], []).append(form)
        self._index: Mapping[str, list[Form]] = index
        self._few = tuple(found.values()) if len(found) <= _FEW else ()

    def __bool__(self) -> bool:
        return bool(self._index)

    def search(self, text: str) -> Iterator[Hit]:
        """Every place where a value stands, the longest first where several start; letter case does not matter."""
        lower = lowered(text)
        end = 0
        for at, forms in self._listed(lower) if self._few else self._walked(lower):
            for form in forms if at >= end else ():
                if lower.startswith(form.text, at) and _apart(lower, at, at + len(form.text), form):
                    end = at + len(form.text)
                    span = _whole_run(text, at, end) if form.run else (at, end)
                    yield Hit(*span, form.kind, form.detector, text[span[0] : span[1]])
                    break

    def _walked(self, lower: str) -> Iterator[tuple[int, list[Form]]]:
        """One look-up per character: the cost does not grow with the values."""
        index = self._index
        for at in range(len(lower) - _LEAD + 1):
            forms = index.get(lower[at : at + _LEAD])
            if forms:
                yield at, forms

    def _listed(self, lower: str) -> Iterator[tuple[int, list[Form]]]:
        """The same for a few values, without a step per character."""
        words = words_of(lower)
        places: set[tuple[int, str]] = set()
        for form in self._few:
            blank = any(map(str.isspace, form.text))
            if form.text in (lower if blank else words):
                places |= {(at, form.text[:_LEAD]) for at in found_at(lower, form.text)}
        for at, lead in sorted(places):
            yield at, self._index[lead]


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
    match = _BASE64_EDGE.match(text, end)
    while start and (text[start - 1].isalnum() or text[start - 1] in "+/_-"):
        start -= 1
    return start, match.end() if match else end
