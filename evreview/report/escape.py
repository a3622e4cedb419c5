"""Text of the evidence made harmless, one function per place where it may stand.

Everything here returns `SafeMarkdown` (or plain HTML and CSV text for those two): the environment prints nothing else.
No template can print evidence unescaped. Newlines and controls become visible or a space; nothing ends its own place.
"""

from __future__ import annotations

import hashlib
import html as html_entities
import re
from collections.abc import Iterable
from typing import Final
from urllib.parse import quote

from markupsafe import Markup

from evreview.core.control_characters import visible, without_commands
from evreview.core.quoted_text import Text, UserText, begin_of
from evreview.evidence.item import Citation
from evreview.report.statement import Statement

RETURN: Final = "⏎"
NOTHING: Final = "None recorded"
"""What the first cell of a table without rows says."""
_MARKS: Final = re.compile(r"[\\`*_\[\]~$]")
_START: Final = re.compile(r"(?:[#>+=-]|\d{1,9}[.)](?=\s|\Z))")
_EVIDENCE: Final = re.compile(r"(?<![\w])[Ee]-?\d+\w*")
_OWN_ID: Final = re.compile(r"[A-Za-z]-[0-9a-f]{8,64}")
_BEGUN: Final = re.compile(r"^([^\S\n]*)::", re.MULTILINE)
_LOCATOR_SAFE: Final = "/~{}=:$#.!*+@?%-_"


class SafeMarkdown(Markup):
    """Markdown that is safe where it stands. Made by the functions of this module only."""

    __slots__ = ()

    @classmethod
    def escape(cls, s: object, /) -> SafeMarkdown:
        """What joining a plain text to an `SafeMarkdown` does: it becomes prose."""
        return cls(s) if isinstance(s, Markup) else prose(str(s))


def prose(text: str) -> SafeMarkdown:
    """Running text on one line: no markup, heading, list, link, HTML, mail address link, table or citation in it."""
    flat = re.sub(r"\s+", " ", visible(text)).strip()
    out: list[str] = []
    end = 0
    for match in _EVIDENCE.finditer(flat):
        out += [_inert(flat[end : match.start()], first=not end and not out), code(match[0])]
        end = match.end()
    out.append(_inert(flat[end:], first=not out))
    return SafeMarkdown("".join(out))


def cell(text: str) -> SafeMarkdown:
    """Prose in a table cell; pipes and backslashes are entities, so that no reader of Markdown splits the row."""
    return SafeMarkdown(str(prose(text)).replace(r"\\", "&#92;").replace("|", "&#124;"))


def _inert(text: str, *, first: bool) -> str:
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("|", "\0")
    text = _MARKS.sub(r"\\\g<0>", text).replace("\0", "&#124;")
    text = text.replace("://", "\\://").replace("www.", "www\\.").replace("@", "\\@")
    if first and (match := _START.match(text)):
        text = f"{text[: match.end() - 1]}\\{text[match.end() - 1 :]}"
    return text


def code(text: str) -> SafeMarkdown:
    """A code span outside tables. Line ends are shown as ⏎; an empty text as `(empty)`."""
    shown = _one_line(text)
    ticks = "`" * (_longest_run(shown) + 1)
    pad = " " if shown[0] in "` " or shown[-1] in "` " else ""
    return SafeMarkdown(f"{ticks}{pad}{shown}{pad}{ticks}")


def cell_code(text: str) -> SafeMarkdown:
    """Code spans inside a table cell; a pipe stands as an entity between two, where no reader splits the row."""
    if "|" not in text:
        return code(text)
    return SafeMarkdown("&#124;".join(_between_pipes(part) for part in _one_line(text).split("|")))


def _between_pipes(part: str) -> str:
    core = part.strip(" ")
    return part.replace(core, code(core), 1) if core else part


def _one_line(text: str) -> str:
    shown = re.sub(r"\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]", RETURN, visible(text)).replace("\t", " ")
    return shown if shown.strip() else "(empty)"


def _longest_run(text: str) -> int:
    return max((len(run) for run in re.findall(r"`+", text)), default=0)


def fence(text: str, language: str = "") -> SafeMarkdown:
    """A fenced block; the fence is longer than any run of backticks inside."""
    body = visible(text).replace("\r\n", "\n").replace("\r", "\n").rstrip("\n")
    ticks = "`" * max(3, _longest_run(body) + 1)
    info = re.sub(r"[^A-Za-z0-9_-]", "", language)
    return SafeMarkdown(f"{ticks}{info}\n{body}\n{ticks}")


def heading(text: str) -> SafeMarkdown:
    """The text of a heading."""
    return SafeMarkdown(re.sub(r"(?<=\s)#(?=#*\s*$)", r"\\#", prose(text)))


def html(text: str) -> str:
    """Text or attribute value for HTML, no line of which is a command to a build where the page is printed."""
    return _BEGUN.sub(r"\1&#58;:", html_entities.escape(visible(text), quote=True)).replace("##[", "#&#35;[")


def csv_cell(value: str) -> str:
    """A CSV value that no spreadsheet takes for a formula, and no build for a command; a number stays a number."""
    value = without_commands(value)
    if re.fullmatch(r"[+-]?\d+(\.\d+)?", value):
        return value
    return f"'{value}" if value[:1] in tuple("=+-@\t\r\n|%") else value


def shorten(text: str, limit: int = 300) -> str:
    """The text's whole words up to the limit, then how long it was and its digest."""
    if len(text) <= limit:
        return text
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
    return f"{begin_of(text, limit)}… [cut: {len(text)} characters, sha256:{digest}]"


def citation(value: Citation) -> SafeMarkdown:
    """One citation as it stands in a citation position."""
    safe = quote(value.locator, safe=_LOCATOR_SAFE, errors="replace")
    return SafeMarkdown(
        f"{value.id}{_MARKS.sub(lambda mark: '%5C' if mark[0] == chr(92) else chr(92) + mark[0], safe)}"
    )


def citations(values: Iterable[Citation]) -> SafeMarkdown:
    """The citations of an Evidence cell, comma-separated, each once; `none recorded` when there are none."""
    return SafeMarkdown(", ".join(dict.fromkeys(citation(value) for value in values)) or "none recorded")


def group(values: Iterable[Citation]) -> SafeMarkdown:
    """A citation group in brackets, "" when there is nothing to cite."""
    inside = ", ".join(dict.fromkeys(citation(value) for value in values))
    return SafeMarkdown(f"[{inside}]" if inside else "")


def words(text: Text) -> SafeMarkdown:
    """A sentence of ours with words of the subject in code spans, outside tables."""
    return SafeMarkdown("".join(code(part.value) if isinstance(part, UserText) else _ours(part) for part in text))


def cell_words(text: Text) -> SafeMarkdown:
    """The same in a table cell."""
    return SafeMarkdown(
        "".join(cell_code(part.value) if isinstance(part, UserText) else _ours(part, in_cell=True) for part in text)
    )


def cell_plain(text: Text) -> SafeMarkdown:
    """The same without code font, so that names may wrap; words with a colon could pass for a label and stay code."""
    parts = (
        _ours(part, in_cell=True)
        if isinstance(part, str)
        else cell_code(part.value)
        if ":" in part.value
        else _ours(part.value, in_cell=True)
        for part in text
    )
    return SafeMarkdown("".join(parts))


def cell_quoted(text: Text) -> SafeMarkdown:
    """The same with the words of the subject in quotation marks, where code spans would not wrap."""
    parts = (quoted_cell(part.value) if isinstance(part, UserText) else _ours(part, in_cell=True) for part in text)
    return SafeMarkdown("".join(parts))


def _ours(part: str, *, in_cell: bool = False) -> str:
    lead, tail = part[: len(part) - len(part.lstrip())], part[len(part.rstrip()) :]
    inner = cell(part) if in_cell else prose(part)
    return f"{' ' if lead else ''}{inner}{' ' if tail and inner else ''}"


def own_id(name: str) -> SafeMarkdown:
    """An id that evreview made: letters, digits and a hyphen, which nothing reads as markup. Else prose."""
    return SafeMarkdown(name) if _OWN_ID.fullmatch(name) else cell(name)


def row_link(name: str, label: Text = ()) -> SafeMarkdown:
    """A link to the card of an id, which is a heading of the same document; the id itself is the label by default."""
    shown = cell_words(label) if label else own_id(name)
    return SafeMarkdown(f"[{shown}](#{re.sub(r'[^a-z0-9-]', '', name.lower())})")


def slug(text: str) -> str:
    """The anchor that renderers make of a heading: lower case, without punctuation, a hyphen for each blank."""
    return re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-")


def heading_link(text: str, label: Text = ()) -> SafeMarkdown:
    """A link to a heading of the same document; its text is the label by default."""
    return SafeMarkdown(f"[{cell_words(label) if label else cell(text)}](#{quote(slug(text))})")


def quoted_cell(text: str) -> SafeMarkdown:
    """Words of the subject as a quotation in a table cell, where a code span would not wrap."""
    return cell(f"“{text}”")


def statement(value: Statement) -> SafeMarkdown:
    """A labelled, cited paragraph or list item (without the list mark)."""
    return SafeMarkdown(f"**{value.kind}:** {words(value.text)} {group(value.citations)}".rstrip())


def fragment(value: Statement) -> SafeMarkdown:
    """A labelled, cited fragment of a table cell."""
    return SafeMarkdown(f"{value.kind}: {cell_words(value.text)} {group(value.citations)}".rstrip())


def fragments(values: Iterable[Statement]) -> SafeMarkdown:
    """Several labelled fragments in one cell."""
    return SafeMarkdown("<br>".join(fragment(value) for value in values))
