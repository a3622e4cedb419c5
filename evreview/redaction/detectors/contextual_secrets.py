"""Values that only the lines around them tell: a key behind any prefix, columns under a head, rows of a statement."""

# ruff: noqa: E501

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from evreview.guard.chosen import Admitted
from evreview.redaction.detector import Detector, Kind, compiled
from evreview.redaction.detectors.named_secrets import KEY, SUFFIX, is_value

Span = tuple[int, int]
_BEGIN: Final = r"-----BEGIN[^-\n]{0,40}PRIVATE KEY[^-\n]{0,10}-----|---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----"
_END: Final = r"-----END[^-\n]{0,60}-----|---- END[^-\n]{0,60}----"
_KEY: Final = 12_000
_CODED: Final = r"[A-Za-z0-9+/=]{16,}"
_NAME: Final = rf"(?i)[\w. -]{{0,40}}?(?:{KEY}){SUFFIX}\Z"
_HEADING: Final = r"[\w.@/ #()-]{1,40}"
_HEAD: Final = r"[\w \t.@/#()\"'`,;|-]+"
_WIDEST: Final = 4_000
_SEPARATORS: Final = ",;\t|"
_PIN: Final = r"(?i)pin(?:[ _-]?(?:code|number))?"
_PEOPLE: Final = r"(?i)(?:user|login|account|card|customer|member|employee|holder|person)(?:[ _-]?(?:name|id|number))?|name|e-?mail|phone"
"""Headings beside which a column of numbers called `pin` is what people type, and no leg of a part."""
_PINS: Final = (*(f"{sign}pin" for sign in ",;\t|"), "| pin", *(f"pin{sign}" for sign in ",;\t|"), "pin |")
_LEAST_PIN, _LONGEST_PIN = 4, 8
_ROWS: Final = 5_000
_RULE: Final = r"[\s|:+-]+\Z"
_COPY: Final = (
    r"(?i)copy\s{1,8}[\w.\"]{1,120}\s{0,8}\((?P<names>[^()\0]{1,2000})\)\s{1,8}from\s{1,8}stdin[^\n\0]{0,200}\n"
)
_TABLE: Final = r"(?i)(?:insert\s{1,8}(?:ignore\s{1,8})?|replace\s{1,8})into\s{1,8}[\w.`\"\[\]]{1,120}\s{0,8}\((?P<names>[^()\0]{1,2000})\)\s{0,20}values\s{0,20}(?=\()"
_TUPLE: Final = r"\s{0,20},?\s{0,20}\("
_CELL: Final = (
    r"\s{0,20}(?:[NnEe]?'((?:[^'\\\0]|''|\\.){0,4000})'|([^,()'\0]{0,200}(?:\([^()\0]{0,200}\))?))\s{0,20}([,)])"
)
_MANIFEST: Final = r"(?m)kind:[ \t]*[\"']?Secret[\"']?[ \t]*$"
_DATA: Final = r"(?m)^([ \t]*)(?:data|stringData):[ \t]*\n"
_ENTRY: Final = (
    r"([ \t]+)[\w.-]{1,200}:[ \t]*[\"']?(?:[|>][+-]?[ \t]*\n[ \t]+)?([^\s\"'\n]{4,20000})[\"']?[ \t]*(?:\n|\Z)"
)


def key_blocks(text: str, starts: Sequence[int]) -> Iterator[Span]:
    """Every private key from its first line to its last, whatever stands in front of its lines."""
    begins = [match.span() for at in starts if (match := compiled(_BEGIN).match(text, at))]
    for (start, end), following in pairwise([*begins, (len(text), len(text))]):
        limit = min(following[0], end + _KEY, _bound(text, end))
        last = compiled(_END).search(text, end, limit)
        if last is not None:
            yield start, last.end()
            continue
        yield start, _coded_until(text, end, limit)


def _bound(text: str, at: int) -> int:
    """Where the text of a batch ends that holds this place."""
    found = text.find("\0", at)
    return len(text) if found < 0 else found


def _coded_until(text: str, end: int, limit: int) -> int:
    """Where the lines of a key without its last line end."""
    for line in re.finditer(r"(?:\n|\\n)([^\n\\]*)", text[end:limit]):
        if compiled(_CODED).search(line[1]) is None:
            return end + line.start()
    return limit


def columns(text: str, starts: Sequence[int]) -> Iterator[Span]:
    """Every cell below a heading that says that the column is secret, of lines that one sign divides."""
    done = -1
    for place in starts:
        if place <= done:
            continue
        begin = text.rfind("\n", 0, place) + 1
        end = _line_end(text, place)
        done = end
        found = _secret_columns(text[begin:end]) if end - begin <= _WIDEST and end < len(text) else None
        if found is not None:
            yield from _below(text, end + 1, *found)


def _below(text: str, at: int, sign: str, places: tuple[int, ...], heads: Sequence[str]) -> Iterator[Span]:
    """The cells of these columns in the lines that follow, as long as they have as many cells."""
    count, pins = len(heads), {place for place in places if compiled(_PIN).fullmatch(heads[place])}
    for _ in range(_ROWS):
        end = _line_end(text, at)
        cells = _cells(text[at:end], sign) if end - at <= _WIDEST else ()
        if len(cells) != count:
            return
        for place in places:
            begin, cell = cells[place]
            pin = place in pins and _LEAST_PIN <= len(cell) <= _LONGEST_PIN and cell.isdigit()
            if pin or (place not in pins and is_value("password", cell, bare=False, words=Admitted.ALL)):
                yield at + begin, at + begin + len(cell)
        at = end + 1


def _line_end(text: str, at: int) -> int:
    end = text.find("\n", at)
    return end if end >= 0 else len(text)


def _secret_columns(head: str) -> tuple[str, tuple[int, ...], Sequence[str]] | None:
    """The sign that divides a line of headings, which of them say secret, and all of them."""
    if compiled(_HEAD).fullmatch(head) is None:
        return None
    for sign in _SEPARATORS:
        if sign not in head:
            continue
        cells = [cell for _, cell in _cells(head, sign)]
        inner = cells[1:-1] if sign == "|" and not cells[0] and not cells[-1] else cells
        if len(inner) < 2 or not all(compiled(_HEADING).fullmatch(cell) for cell in inner):
            continue
        places = _secret_places(cells)
        if places:
            return sign, places, cells
    return None


def _secret_places(heads: Sequence[str]) -> tuple[int, ...]:
    """Which columns hold secrets: by their names, and what people type where the other columns are about them."""
    people = any(compiled(_PEOPLE).fullmatch(head) for head in heads)
    return tuple(
        place for place, head in enumerate(heads) if _is_name(head) or (people and compiled(_PIN).fullmatch(head))
    )


def _is_name(heading: str) -> bool:
    """True for a heading that says that what stands below is secret: `api key` as `api_key`."""
    return compiled(_NAME).match(heading.replace(" ", "_")) is not None


def _cells(line: str, sign: str) -> Sequence[tuple[int, str]]:
    """The cells of a line without blanks and quotation marks, and where each begins."""
    found = []
    at = 0
    for part in compiled(rf"(?:[^{re.escape(sign)}\"]|\"[^\"]*\"?)*(?:{re.escape(sign)}|\Z)").findall(line):
        raw = part[:-1] if part.endswith(sign) else part
        bare = raw.strip().strip("\"'`")
        found.append((at + (raw.find(bare) if bare else 0), bare))
        at += len(part)
        if at >= len(line) and not part.endswith(sign):
            break
    return found


def inserted(text: str, starts: Sequence[int]) -> Iterator[Span]:
    """Every value that an `INSERT` puts into a column whose name says that it is secret."""
    for at in starts:
        head = compiled(_TABLE).match(text, at)
        if head is None:
            continue
        names = [name.strip(' \n\t`"[]') for name in head["names"].split(",")]
        places = {place for place, name in enumerate(names) if _is_name(name)}
        if places:
            yield from _tuples(text, head.end(), places)


def copied(text: str, starts: Sequence[int]) -> Iterator[Span]:
    """Every value that a `COPY … FROM stdin` puts into a column whose name says that it is secret."""
    for at in starts:
        head = compiled(_COPY).match(text, at)
        if head is not None:
            names = [name.strip(' \n\t"') for name in head["names"].split(",")]
            yield from _below(text, head.end(), "\t", _secret_places(names), names)


def _tuples(text: str, at: int, places: set[int]) -> Iterator[Span]:
    for _ in range(_ROWS):
        opened = compiled(_TUPLE).match(text, at)
        if opened is None:
            return
        at, place = opened.end(), 0
        while (cell := compiled(_CELL).match(text, at)) is not None:
            if place in places and cell[1] and is_value("password", cell[1], bare=False, words=Admitted.ALL):
                yield cell.span(1)
            at, place = cell.end(), place + 1
            if cell[3] == ")":
                break
        else:
            return


def manifests(text: str, starts: Sequence[int]) -> Iterator[Span]:
    """Every value of a Kubernetes manifest whose kind is Secret."""
    for at in starts:
        if compiled(_MANIFEST).match(text, at) is None:
            continue
        begin = text.rfind("\n---", 0, at) + 1
        end = text.find("\n---", at)
        for block in compiled(_DATA).finditer(text, begin, end if end >= 0 else len(text)):
            at = block.end()
            while (entry := compiled(_ENTRY).match(text, at)) is not None and len(entry[1]) > len(block[1]):
                if entry[2][:1] not in "<${":
                    yield entry.span(2)
                at = entry.end()


BLOCKS: Final[tuple[Detector, ...]] = (
    Detector(
        id="key-block",
        kind=Kind.SECRET,
        why="The lines of a private key are secret also where a comment, a quote or a log stands in front of them.",
        keywords=("private key",),
        starts=("-----begin", "---- begin"),
        find=key_blocks,
        example=("# -----BEGIN ", "PRIVATE KEY-----\n# ", "MIIEpAIBAAKCAQEA7q2k\n# ", "-----END ", "PRIVATE KEY-----"),
        counter_example=("# -----BEGIN PUBLIC", " KEY-----\n# MIIBIjANBg\n# -----END PUBLIC KEY-----"),
    ),
    Detector(
        id="secret-column",
        kind=Kind.SECRET,
        why="The head of the column says that its cells are secret.",
        keywords=("pass", "pwd", "secret", "token", "key", "credential", "kennwort", *_PINS),
        starts=("pass", "pwd", "secret", "token", "key", "credential", "kennwort", *_PINS),
        find=columns,
        example=("host,user,pass", "word\ndb,orders,", "q7Rx2Lv9!tB\n"),
        counter_example=("host,user,password\ndb,orders,string\n",),
    ),
    Detector(
        id="inserted-secret",
        kind=Kind.SECRET,
        why="The name of the column says that what is inserted is secret.",
        keywords=("insert", "replace into"),
        starts=("insert into", "insert ignore into", "replace into"),
        find=inserted,
        example=("INSERT INTO users (name, pass", "word) VALUES ('orders', '", "q7Rx2Lv9!tB')"),
        counter_example=("INSERT INTO users (name, password) VALUES (?, ?)",),
    ),
    Detector(
        id="copied-secret",
        kind=Kind.SECRET,
        why="The name of the column says that what is copied into it is secret.",
        keywords=("stdin",),
        starts=("copy ",),
        find=copied,
        example=("COPY users (name, pass", "word) FROM stdin;\norders\t", "q7Rx2Lv9!tB\n\\.\n"),
        counter_example=("COPY users (name, password) FROM stdin;\n\\.\n",),
    ),
    Detector(
        id="manifest-secret",
        kind=Kind.SECRET,
        why="Every value of a manifest of this kind is secret.",
        keywords=("secret",),
        starts=("kind: secret", 'kind: "secret', "kind: 'secret"),
        find=manifests,
        example=("\nkind: Secret\ndata:\n  login: ", "b3JkZXJz", "\n"),
        counter_example=("kind: ConfigMap\ndata:\n  login: orders\n",),
    ),
)
