"""Values to remove wherever they stand: as they are, base64 in any alignment, hexadecimal. And which lines are new."""

from __future__ import annotations

import base64
import codecs
import re
from collections.abc import Iterable, Iterator
from functools import cached_property
from string import ascii_letters as LETTERS
from typing import Final, NamedTuple

from evreview.core.control_characters import lowered
from evreview.redaction.decoding import fold
from evreview.redaction.detector import Kind, SecretMatch, Words, compiled
from evreview.redaction.detectors.named_secrets import whole_of
from evreview.redaction.own_words import is_own
from evreview.redaction.placeholders import opaque

LEAST: Final = 6
_UNBOUNDED: Final = 12
_HEAD_LENGTH: Final = 12
_ODD: Final = r"[%&\\\n<+*=⏎\uff01-\uff5e.|]"
"""What a value holds that may read otherwise when it is unfolded."""
_ESCAPED: Final = r"(?:%[0-9a-f]{2}|\\(?:[0abefnrtv]|x[0-9a-f]{2}|u[0-9a-f]{4}))\Z"
"""What ends with a letter or digit and still stands for another character, in lower case."""
_PAIRS: Final = frozenset({"cookie-header", "authorization-header", "named-header"})
"""Detectors that find names with their values, several at once: each value counts alone too."""
_HELD: Final = frozenset({Kind.SECRET, Kind.CREDENTIAL, Kind.TOKEN})
"""Kinds whose values are worth hiding on purpose."""
_KEYS: Final = frozenset({"private-key", "key-block"})
_BY_NAME: Final = frozenset({Kind.SECRET, Kind.CREDENTIAL})
"""Kinds whose values a name or a place tells."""
_TURNED: Final = 8
_LONG: Final = 512
_MOVED: Final = str.maketrans(LETTERS, codecs.encode(LETTERS, "rot13"))
_BASE64_EDGE: Final = r"[A-Za-z0-9+/_-]*={0,2}"


class WrittenForm(NamedTuple):
    """One way of writing a value, lower-case. A base64 form takes the whole run with it."""

    text: str
    kind: Kind
    detector: str
    run: bool = False

    def __repr__(self) -> str:
        return f"Form(kind={self.kind!r}, detector={self.detector!r}, run={self.run})"


class LearnedValues:
    """The forms of values; searching passes once over a text, however many values."""

    def __init__(self, hits: Iterable[SecretMatch]) -> None:
        self._forms: dict[str, WrittenForm] = {}
        self._hits = {(hit.value, hit.kind, hit.detector): hit for hit in hits}
        for hit in sorted(self._hits.values(), key=lambda hit: (-len(hit.value), hit.value, hit.kind, hit.detector)):
            for form in forms_of(hit):
                self._forms.setdefault(form.text, form)

    def __bool__(self) -> bool:
        return bool(self._forms)

    @cached_property
    def spaced(self) -> LearnedValues:
        """The forms that hold a blank, where lines of prose are broken."""
        some = LearnedValues(())
        some._forms = {text: form for text, form in self._forms.items() if " " in text}
        return some

    def holds(self, hit: SecretMatch) -> bool:
        """True when it was made from such a hit too."""
        return (hit.value, hit.kind, hit.detector) in self._hits

    @cached_property
    def _lengths(self) -> dict[str, tuple[int, ...]]:
        """By how a form begins: how long the forms are that begin so, the longest first."""
        found: dict[str, tuple[int, ...]] = {}
        for text in self._forms:
            head, length = text[:_HEAD_LENGTH], len(text)
            known = found.get(head, ())
            if length not in known:
                found[head] = tuple(sorted((*known, length), reverse=True)) if known else (length,)
        return found

    @cached_property
    def _heads(self) -> Words:
        """How forms begin: a machine over whole forms would cost more than the search."""
        return Words(self._lengths)

    def search(self, text: str) -> Iterator[SecretMatch]:
        """Every place where a value stands, the longest first where several start; letter case does not matter."""
        if not self._forms:
            return
        lower, heads = lowered(text), self._heads
        found = ((at, -len(heads.words[number]), number) for number, at in heads.places(lower))
        end = 0
        for at, _, number in sorted(found):
            head = heads.words[number]
            form = self._form(lower, at, head) if at >= end else None
            if form is not None:
                end = at + len(form.text)
                span = _whole_run(text, at, end) if form.run else (at, end)
                yield SecretMatch(*span, form.kind, form.detector, text[span[0] : span[1]])

    def _form(self, lower: str, at: int, head: str) -> WrittenForm | None:
        """The longest form with that beginning that stands there apart from other words."""
        for length in self._lengths[head]:
            form = self._forms.get(lower[at : at + length])
            if form is not None and _apart(lower, at, at + length, form):
                return form
        return None


def forms_of(hit: SecretMatch) -> Iterator[WrittenForm]:
    """The forms of a found value; a short one has none, it would hit ordinary words."""
    for value in parts_of(hit):
        if is_word(hit.kind, value):
            continue
        folded = fold(value, breaks=True) if compiled(_ODD).search(value) else None
        for text in (value,) if folded is None or folded.text == value else (value, folded.text):
            if len(text) >= LEAST:
                yield WrittenForm(text.lower(), hit.kind, hit.detector)
                yield from _encoded(text, hit)


def is_word(kind: Kind, value: str) -> bool:
    """True for what is removed where it stands and not looked for elsewhere: a word that only its shape gave away.

    So are the words of evreview itself, under whatever name they stand: its ids and titles are no evidence.
    """
    return (value.isalpha() and kind not in _BY_NAME) or is_own(value)


def parts_of(hit: SecretMatch) -> tuple[str, ...]:
    """What to look for: the value, the password of a pair, the lines of a trace, the decoded basic header.

    A phone number is one without its plus too.
    """
    parts = [hit.value.strip()]
    if hit.kind is Kind.PERSONAL_DATA and parts[0].startswith("+"):
        parts.append(parts[0][1:])
    if hit.detector in ("url-credentials", "curl-login"):
        parts.append(hit.value.partition(":")[2])
    if hit.detector in _PAIRS:
        parts += [value for value in re.split(r"[=;,\s]+", hit.value) if opaque(value, least=12)]
    if hit.detector == "basic-header":
        parts += _basic(hit.value)
    if hit.detector == "parted-secret":
        parts.append(whole_of(hit.value))
    if hit.detector in _KEYS:
        parts += compiled(r"[A-Za-z0-9+/]{20,}={0,2}").findall(hit.value)
    if hit.kind is Kind.STACK_DETAIL or hit.detector in _KEYS:
        lines = [line.strip() for line in re.split(r"\n|\\n", hit.value)]
        parts += [line for line in lines if len(line) >= 20 and not line.startswith(("Traceback", "-----"))]
    return tuple(dict.fromkeys(parts))


def _basic(value: str) -> list[str]:
    try:
        plain = base64.b64decode(value, validate=True).decode("utf-8")
    except (ValueError, UnicodeDecodeError):
        return []
    return [plain, plain.partition(":")[2]]


def _encoded(text: str, hit: SecretMatch) -> Iterator[WrittenForm]:
    data = text.encode("utf-8", "replace")
    yield WrittenForm(data.hex(), hit.kind, hit.detector)
    if hit.kind in _HELD and _TURNED <= len(text) <= _LONG:
        yield from _turned(text, data, hit)
    if len(data) < 8:
        yield WrittenForm(base64.b64encode(data).decode("ascii").rstrip("=").lower(), hit.kind, hit.detector, run=True)
        return
    for shift in range(3):
        whole = base64.b64encode(b"\0" * shift + data).decode("ascii").rstrip("=")
        first = (0, 2, 3)[shift]
        kept = whole[first : (shift + len(data)) * 8 // 6]
        yield WrittenForm(kept.lower(), hit.kind, hit.detector, run=True)
        if "+" in kept or "/" in kept:
            yield WrittenForm(kept.replace("+", "-").replace("/", "_").lower(), hit.kind, hit.detector, run=True)


def _turned(text: str, data: bytes, hit: SecretMatch) -> Iterator[WrittenForm]:
    """A secret the other way round, with its letters moved by thirteen, and alone in both forms of base85."""
    yield WrittenForm(lowered(text[::-1]), hit.kind, hit.detector)
    yield WrittenForm(lowered(text.translate(_MOVED)), hit.kind, hit.detector)
    whole = data[: len(data) // 4 * 4]
    yield WrittenForm(lowered(base64.b85encode(whole).decode("ascii")), hit.kind, hit.detector, run=True)
    yield WrittenForm(lowered(base64.a85encode(whole).decode("ascii")), hit.kind, hit.detector, run=True)


def _apart(text: str, start: int, end: int, form: WrittenForm) -> bool:
    if len(form.text) >= _UNBOUNDED or form.run:
        return True
    if form.text[-1].isalnum() and text[end : end + 1].isalnum():
        return False
    before = text[max(0, start - 6) : start]
    return not (form.text[0].isalnum() and before[-1:].isalnum()) or compiled(_ESCAPED).search(before) is not None


def _whole_run(text: str, start: int, end: int) -> tuple[int, int]:
    match = compiled(_BASE64_EDGE).match(text, end)
    while start and (text[start - 1].isalnum() or text[start - 1] in "+/_-"):
        start -= 1
    return start, match.end() if match else end


# What of many large texts has to be read to learn from them: lines that were read before, once.


WHOLE: Final = 4_000_000
"""Characters that are read as they are; beyond, only lines that are new, with those around them."""
_AROUND: Final = 3
_HEAD_LINE: Final = r"(?i)\s*kind:\s*[\"']?secret|.*insert (?:ignore )?into|.*begin[^-]{0,40}private key|.*traceback \("
"""Lines that tell what lines far below them are."""


class Distinct:
    """The lines that were read so far."""

    def __init__(self) -> None:
        self._read: set[str] = set()
        self._size = 0

    def of(self, text: str) -> str:
        """The text; of one that comes after `WHOLE` characters the lines that are new, their surroundings and heads.

        What is left out between two lines stands as a line with NUL, which no value reaches over.
        """
        lines = text.split("\n")
        whole = self._size + len(text) <= WHOLE
        self._size += len(text)
        shown = text if whole else "\n".join(self._new(lines))
        self._read.update(lines)
        return shown

    def _new(self, lines: list[str]) -> list[str]:
        first = dict(zip(reversed(lines), range(len(lines) - 1, -1, -1), strict=True))
        heads = set(filter(compiled(_HEAD_LINE).match, first))
        keep = bytearray(line in heads for line in lines) if heads else bytearray(len(lines))
        for line in first.keys() - self._read:
            begin, end = max(0, first[line] - _AROUND), min(len(lines), first[line] + _AROUND + 1)
            keep[begin:end] = b"\1" * (end - begin)
        found: list[str] = []
        done = 0
        for run in re.finditer(b"\1+", keep):
            found += ["\0"] if run.start() > done else []
            done = run.end()
            found += lines[run.start() : done]
        return [*found, "\x00"] if done < len(lines) else found
