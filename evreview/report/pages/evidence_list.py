"""The evidence of a page: each item with type and digest, and the redacted lines that citations lead to."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final
from urllib.parse import unquote

from evreview.core.frozen import frozen
from evreview.core.quoted_text import begin_of, counted
from evreview.evidence.citation import on_line, resolve
from evreview.evidence.item import Bundle, Citation
from evreview.redaction.redactor import Redactor
from evreview.report.escape import html

LINES: Final = 5
"""The most lines of an excerpt."""
_SIGNS: Final = 200
"""The most characters of a line."""
_CITED_LINES: Final = re.compile(r":L([1-9][0-9]*)(?:-L([1-9][0-9]*))?")


@frozen
class Shown:
    """An excerpt, redacted.

    Attributes:
        first: the number of its first line.
        lines: at most `LINES`.
        cited: the first and the last line that the citation names.
    """

    first: int
    lines: tuple[str, ...]
    cited: tuple[int, int]


def excerpts(bundle: Bundle, cited: Iterable[Citation], redactor: Redactor) -> dict[tuple[str, str], Shown]:
    """The lines around each place that is cited, by evidence id and locator; what has no lines of its own is left out.

    An item is redacted whole and cut afterwards, so that no secret is torn out of what makes it known. Where that
    changes the number of its lines, none is shown.

    Args:
        bundle: the evidence.
        cited: the citations of the page.
        redactor: what has learnt from the whole bundle.
    """
    clean: dict[str, tuple[str, ...]] = {}
    found: dict[tuple[str, str], Shown] = {}
    for citation in cited:
        item = bundle.items.get(citation.id)
        numbers = _CITED_LINES.fullmatch(on_line(bundle, citation).locator) if item else None
        if item is None or numbers is None or resolve(bundle, citation) is None:
            continue
        if citation.id not in clean:
            clean[citation.id] = _lines_of(item.content, redactor)
        lines = clean[citation.id]
        first, last = int(numbers[1]), int(numbers[2] or numbers[1])
        if not 1 <= first <= last <= len(lines):
            continue
        start = max(1, first - max(0, LINES - (last - first + 1)) // 2)
        part = tuple(begin_of(line, _SIGNS) for line in lines[start - 1 : start - 1 + LINES])
        found[str(citation.id), citation.locator] = Shown(start, part, (first, last))
    return found


def _lines_of(content: str, redactor: Redactor) -> tuple[str, ...]:
    lines = tuple(str(redactor.clean(content)).splitlines())
    return lines if len(lines) == len(content.splitlines()) else ()


def anchor_of(item: str, locator: str) -> str:
    """The id of an excerpt in the page."""
    return re.sub(r"[^A-Za-z0-9~._-]", lambda sign: f"_{ord(sign[0]):x}_", f"{item}{locator}")


def evidence_list(types: Mapping[str, str], shown: Mapping[tuple[str, str], Shown], digests: Mapping[str, str]) -> str:
    """The items as HTML, each folded: type, digest, and its excerpts.

    Args:
        types: what each item is, by its id.
        shown: its excerpts, by id and locator.
        digests: the SHA-256 of each item, as far as it is known.
    """
    if not shown:
        return ""
    return "".join(_item(name, kind, digests.get(name, ""), shown) for name, kind in types.items())


def _item(name: str, kind: str, digest: str, shown: Mapping[tuple[str, str], Shown]) -> str:
    own = {locator: excerpt for (item, locator), excerpt in shown.items() if item == name}
    told = f", sha256 <code>{html(digest[:12])}</code>" if digest else ""
    data = f' data-digest="{html(digest)}"' if digest else ""
    summary = f"<summary><b>{html(name)}</b> {html(kind)}{told}; {counted(len(own), 'excerpt')}</summary>"
    inner = "".join(_excerpt(name, locator, excerpt) for locator, excerpt in own.items())
    return f'<details class="item" data-evidence="{html(name)}"{data}>{summary}\n{inner}</details>\n'


def _excerpt(name: str, locator: str, excerpt: Shown) -> str:
    body = "\n".join(_numbered(excerpt))
    return (
        f'<div class="lines" id="{html(anchor_of(name, locator))}"><b>{html(name + unquote(locator))}</b>\n'
        f"<pre><code>{body}</code></pre></div>\n"
    )


def _numbered(excerpt: Shown) -> Iterator[str]:
    first, last = excerpt.cited
    for number, line in enumerate(excerpt.lines, excerpt.first):
        text = f"{number:>5}  {html(line)}"
        yield f"<mark>{text}</mark>" if first <= number <= last else text
