"""Citations: `E3`, and `E3` with a locator that says where in the item. Written, read, found in text and resolved.

Locators: `#/json/pointer` into content that is JSON or YAML, `:L10` and `:L10-L20` for lines, `:id=<id>` for an entry
of a typed body (a check, an observation, a client, a rule), `:file=<name>#/pointer` for a file of a split contract,
`:file=<name>#L10` for a line of one that is no JSON or YAML.
Signs that would end a citation in prose (blanks, commas, brackets, …) stand percent-encoded in a locator.

Citations count in citation positions only: `[E3]`, `(E1, E2:L3)` and whole cells. In code spans nothing is a citation.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from typing import Final
from urllib.parse import quote, unquote

from evreview.core.document_text import line_of, parse_text
from evreview.core.errors import BadInput, bad_input
from evreview.core.json_pointer import Step, follow, pointer
from evreview.core.vocabulary import ABSENT, EvidenceId, Form, Json
from evreview.evidence.item import Bundle, Citation, EvidenceItem
from evreview.evidence.records.review import Record

_STOP: Final = r"\s,;\[\]()|`<>\x00-\x20"
_CITATION: Final = re.compile(
    rf"(?P<id>E[1-9][0-9]*)"
    rf"(?P<locator>#(?:/[^{_STOP}]*)?|:L[1-9][0-9]*(?:-L[1-9][0-9]*)?|:id=[^{_STOP}]+"
    rf"|:file=[^{_STOP}#]+#(?:/[^{_STOP}]*|L[1-9][0-9]*)?)?"
)
_LIKE: Final = re.compile(r"[Ee]{1,2}[+-]?[0-9]+[A-Za-z]?(?:[#:.].*)?")
_GROUP: Final = re.compile(r"\[(?P<square>[^\[\]]*)\]|\((?P<round>[^()]*)\)")
_CODE: Final = re.compile(
    r"^(?P<fence>```+|~~~+)[^\n]*\n.*?(?:^(?P=fence)[`~]*[ \t]*$|\Z)|(?<!`)(?P<ticks>`+)(?!`).*?(?<!`)(?P=ticks)(?!`)",
    re.DOTALL | re.MULTILINE,
)
_ESCAPE: Final = re.compile(r"\\([!-/:-@\[-`{-~])")
_SAFE: Final = "/~._-{}$"


def parse_citation(text: str) -> Citation:
    """The citation that the whole text is.

    Raises:
        BadInput: it is none; `E0`, `E01`, `e1`, `E-1`, `E1a` and `EE1` are none.
    """
    found = _CITATION.fullmatch(text)
    if found is None or not _lines_in_order(found["locator"] or ""):
        advice = "Write E and a positive number, and a locator: E3#/pointer, E3:L10-L20, E3:id=<id>"
        raise bad_input("bad-citation", f"`{text}` is no citation", advice=advice)
    return Citation(EvidenceId(found["id"]), found["locator"] or "")


def _lines_in_order(locator: str) -> bool:
    numbers = [int(number) for number in re.findall(r"L([0-9]+)", locator)] if locator.startswith(":L") else []
    return numbers == sorted(numbers)


def at_pointer(evidence_id: EvidenceId, *steps: Step) -> Citation:
    """A citation of one place of a JSON or YAML item, by unescaped steps."""
    return Citation(evidence_id, "#" + quote(pointer(steps), safe=_SAFE))


def at_written(evidence_id: EvidenceId, where: str) -> Citation:
    """A citation of one place of a JSON or YAML item, by its pointer as documents write it."""
    return Citation(evidence_id, "#" + quote(where, safe=_SAFE + "+:@="))


def at_lines(evidence_id: EvidenceId, first: int, last: int | None = None) -> Citation:
    """A citation of a line or of a range of lines, counted from 1, both ends included."""
    return Citation(evidence_id, f":L{first}" if last is None or last == first else f":L{first}-L{last}")


def at_id(evidence_id: EvidenceId, name: str) -> Citation:
    """A citation of the entry with that id in a typed body."""
    return Citation(evidence_id, f":id={quote(name, safe=_SAFE)}")


def at_file(evidence_id: EvidenceId, file: str, where: str) -> Citation:
    """A citation of a JSON pointer, or of a line (`L10`), in another file of a split contract."""
    return Citation(evidence_id, f":file={quote(file, safe=_SAFE)}#{quote(where, safe=_SAFE)}")


@dataclass(frozen=True, slots=True)
class Mention:
    """A token in a citation position: its offset, its text, and the citation, None when it is malformed."""

    start: int
    text: str
    citation: Citation | None


def find_citations(text: str) -> tuple[Mention, ...]:
    """Every token in a citation position of a Markdown text, in order; malformed ones without a citation.

    A bracket is a citation position when each of its parts looks like a citation.
    """
    plain = _CODE.sub(lambda code: " " * len(code[0]), text)
    found: list[Mention] = []
    for group in _GROUP.finditer(plain):
        name = "square" if group["square"] is not None else "round"
        found.extend(_listed(group[name], group.start(name)))
    return tuple(found)


def cell_citations(cell: str) -> tuple[Mention, ...]:
    """The citations of an Evidence cell: a bare list of them, or prose with citations in brackets."""
    plain = _CODE.sub(lambda code: " " * len(code[0]), cell)
    return tuple(_listed(plain, 0)) or find_citations(cell)


def _listed(text: str, offset: int) -> Iterator[Mention]:
    """The parts of a list, when every part looks like a citation."""
    parts = [part for part in re.finditer(r"[^,;]+", text) if part[0].strip()]
    if not parts or not all(_LIKE.fullmatch(_bare(part[0])) for part in parts):
        return
    for part in parts:
        bare = _bare(part[0])
        lead = len(part[0]) - len(part[0].lstrip())
        try:
            citation: Citation | None = parse_citation(bare)
        except BadInput:
            citation = None
        yield Mention(offset + part.start() + lead, bare, citation)


def _bare(part: str) -> str:
    return _ESCAPE.sub(r"\1", part.strip())


def resolve(bundle: Bundle, citation: Citation) -> str | None:
    """The text that a citation stands for, None when the item or the place does not exist.

    Text is quoted as it stands; what is not text is quoted as compact JSON. Without a locator it is the whole content.
    """
    item = bundle.items.get(citation.id)
    if item is None:
        return None
    locator = citation.locator
    if locator.startswith(":L"):
        return _lines(item.content, locator)
    if locator.startswith(":id="):
        return _quoted(_entry(item.record, unquote(locator[len(":id=") :])))
    if locator.startswith(":file="):
        return _in_part(bundle, item, locator[len(":file=") :])
    if locator in ("", "#"):
        return item.content
    return _quoted(_at(item.content, locator[1:])) if locator.startswith("#/") else None


def that_stands(bundle: Bundle, citation: Citation) -> Citation:
    """The citation, or the nearest place around it that the item has: a part may come from elsewhere by merging."""
    item, where = bundle.items.get(citation.id), citation.locator.removeprefix("#")
    if item is None or not citation.locator.startswith("#/"):
        return citation
    while where and _at(item.content, where) is ABSENT:
        where = where.rpartition("/")[0]
    return Citation(citation.id, f"#{where}" if where else "")


def on_line(bundle: Bundle, citation: Citation) -> Citation:
    """The same place by its line, which is short: where the item's own text has several lines and tells it.

    A document of one line is cited bare; what is no pointer into the item's own text stays as it is.
    """
    item = bundle.items.get(citation.id)
    if item is None or not citation.locator.startswith("#/"):
        return citation
    if "\n" not in item.content.strip():
        return Citation(citation.id)
    line = _line_at(item.content, citation.locator[1:])
    return citation if line is None else at_lines(citation.id, line)


def on_record_line(bundle: Bundle, citation: Citation) -> Citation:
    """The same record by the line on which it starts, where that line leads back to it alone; else as it is."""
    told = on_line(bundle, citation)
    record = record_on_line(bundle, told)
    return citation if record is None or record != resolve(bundle, citation) else told


def record_on_line(bundle: Bundle, citation: Citation) -> str | None:
    """The record that starts on the one line cited: a member of a list of a typed body; None for none or several."""
    item = bundle.items.get(citation.id)
    if item is None or item.record is None or not re.fullmatch(":L[0-9]+", citation.locator):
        return None
    lists, line = _parsed(item.content), int(citation.locator.removeprefix(":L"))
    found = [
        value[at]
        for name, value in (lists.items() if isinstance(lists, dict) else ())
        for at in (_starting(item.content, name, value, line) if isinstance(value, list) else ())
    ]
    return _quoted(found[0]) if len(found) == 1 else None


def _starting(content: str, name: str, members: Sequence[Json], line: int) -> Sequence[int]:
    """Which members of a list of the document start on a line: their lines never go back."""

    def begins(at: int) -> int:
        return _line_at(content, quote(pointer((name, at)), safe=_SAFE)) or 0

    first = bisect_left(range(len(members)), line, key=begins)
    return range(first, bisect_right(range(len(members)), line, lo=first, key=begins))


@lru_cache(maxsize=4096)
def _line_at(content: str, where: str) -> int | None:
    return line_of(content.encode("utf-8", "replace"), unquote(where))


def _lines(content: str, locator: str) -> str | None:
    numbers = [int(number) for number in re.findall(r"L([0-9]+)", locator)]
    lines = content.splitlines()
    first, last = numbers[0], numbers[-1]
    return "\n".join(lines[first - 1 : last]) if 1 <= first <= last <= len(lines) else None


def _in_part(bundle: Bundle, item: EvidenceItem, rest: str) -> str | None:
    name, _, where = rest.partition("#")
    if unquote(name) not in item.parts:
        return None
    try:
        content = bundle.load(unquote(name)).decode("utf-8-sig")
    except (BadInput, UnicodeDecodeError):
        return None
    if where.startswith("L"):
        return _lines(content, where)
    return content if not where else _quoted(_at(content, where))


def _at(content: str, where: str) -> Form:
    parsed = _parsed(content)
    if parsed is ABSENT:
        return ABSENT
    found = follow(parsed, unquote(where))
    return follow(parsed, where) if found is ABSENT else found


@lru_cache(maxsize=16)
def _parsed(content: str) -> Form:
    try:
        return parse_text(content.encode("utf-8", "replace"), "")
    except BadInput:
        return ABSENT


def _quoted(value: Form) -> str | None:
    if value is ABSENT:
        return None
    if isinstance(value, str):
        return value
    try:
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    except ValueError:  # a number with more digits than Python writes
        return None


def _entry(record: Record | None, name: str) -> Form:
    """The entry of a typed body with that id, or that name where its kind has names."""
    for entry in _entries([record] if record is not None else []):
        if name in (getattr(entry, "id", None), getattr(entry, "name", None)):
            found: Json = entry.model_dump(mode="json", exclude_defaults=True)
            return found
    return ABSENT


def _entries(values: Iterable[object]) -> Iterator[Record]:
    for value in values:
        if isinstance(value, Record):
            yield value
            yield from _entries(getattr(value, name) for name in type(value).model_fields)
        elif isinstance(value, tuple):
            yield from _entries(value)


_LINES: Final = re.compile(r"([1-9][0-9]{0,8})(?:-([1-9][0-9]{0,8}))?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Quoted:
    """Lines of a text, and why the quote does not stand there.

    Attributes:
        first, last: the lines, counted from 1; 0 where the text has no such lines.
        fault: `lines`, `wordless`, `elsewhere`, `nowhere`, or "" for a quote that stands.
        found: for a quote that stands elsewhere, where, in words.
        windows: for a quote that stands, the lines that it itself takes up, each place of it.
    """

    first: int
    last: int
    fault: str = ""
    found: str = ""
    windows: tuple[tuple[int, int], ...] = ()


def check_quote(content: str, lines: str, quote: str) -> Quoted:
    """Where the quote stands: on these lines, elsewhere or nowhere.

    Args:
        content: the text.
        lines: `12` or `12-20`.
        quote: the words; one word at least.
    """
    written = content.splitlines()
    span = _span(lines, len(written))
    if span is None:
        return Quoted(0, 0, "lines")
    words = _plain(quote)
    if not re.search(r"\w", words):
        return Quoted(*span, "wordless")
    if words in _plain("\n".join(written[span[0] - 1 : span[1]])):
        return Quoted(*span, windows=_windows(words, written, span))
    elsewhere = _elsewhere(words, written)
    return Quoted(*span, "elsewhere" if elsewhere else "nowhere", elsewhere)


def _windows(words: str, lines: Sequence[str], span: tuple[int, int]) -> tuple[tuple[int, int], ...]:
    """The first and last line of each place within the span where the quote stands."""
    parts = [(number, _plain(lines[number - 1])) for number in range(span[0], span[1] + 1)]
    parts = [(number, part) for number, part in parts if part]
    begins = [0, *accumulate(len(part) + 1 for _, part in parts)]
    whole = " ".join(part for _, part in parts)
    found: list[tuple[int, int]] = []
    at = whole.find(words)
    while at >= 0:
        first, last = (parts[bisect_right(begins, place) - 1][0] for place in (at, at + len(words) - 1))
        found.append((first, last))
        at = whole.find(words, at + len(words))
    return tuple(dict.fromkeys(found))


def _span(lines: str, count: int) -> tuple[int, int] | None:
    found = _LINES.fullmatch(lines.strip())
    if found is None:
        return None
    first, last = int(found[1]), int(found[2] or found[1])
    return (first, last) if first <= last <= count else None


def _plain(text: str) -> str:
    return " ".join(text.split())


def _elsewhere(words: str, lines: Sequence[str]) -> str:
    """The first line on which the quote stands, "" when it stands nowhere."""
    for number, line in enumerate(lines, 1):
        if words in _plain(line):
            return f"line {number}"
    return "other lines of it" if words in _plain("\n".join(lines)) else ""
