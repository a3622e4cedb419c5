"""Title, preamble and headings against the output contract."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator

from evreview.core.errors import Problem
from evreview.report.markdown import Document, Heading
from evreview.report.output_contract import OutputContract

_NEAR = 0.8


def violation(code: str, found: str, line: int, advice: str = "") -> Problem:
    """One violation with its line."""
    return Problem(code=code, found=found, place=f"line {line}", advice=advice)


def check_title(document: Document, contract: OutputContract) -> Iterator[Problem]:
    """Exactly one first-level heading, on the first line."""
    titles = [heading for heading in document.headings if heading.level == 1]
    if not titles:
        yield violation("title-missing", "there is no first-level heading", 1, "Write `# <title>` on the first line")
    elif titles[0].line != 1 or not re.match(r"# \S", titles[0].written):
        yield violation("title-not-first", "the title does not stand on the first line as `# <title>`", titles[0].line)
    for extra in titles[1:]:
        yield violation("title-repeated", f"a second first-level heading: {extra.text}", extra.line)


def check_preamble(document: Document, contract: OutputContract) -> Iterator[Problem]:
    """Audience and output contract, and nothing else, between the title and the first section."""
    first = next((heading.line for heading in document.headings if heading.level == 2), len(document.lines) + 1)
    written = {line.strip() for line in document.lines[1 : first - 1] if line.strip()}
    for code, line in (("audience-unstated", contract.audience_line), ("contract-unstated", contract.identity_line)):
        if line not in written:
            yield violation(code, f"the line `{line}` is missing below the title", 1)
    for number, line in enumerate(document.lines[1 : first - 1], 2):
        if line.strip() and line.strip() not in (contract.audience_line, contract.identity_line):
            yield violation(
                "preamble-unknown", "only the audience and the output contract stand below the title", number
            )


def check_headings(document: Document, contract: OutputContract) -> Iterator[Problem]:
    """Every required heading exactly as written, once, in order; other headings are deeper and differ in name."""
    yield from _each_once(document, contract)
    yield from _in_order(document, contract)
    exact = {required.line for required in contract.headings}
    for heading in document.headings:
        if heading.written not in exact and heading.level > 1:
            yield from _other(heading, contract)


def _each_once(document: Document, contract: OutputContract) -> Iterator[Problem]:
    for required in contract.headings:
        lines = [heading.line for heading in document.headings if heading.written == required.line]
        if not lines:
            advice = f"Write `{required.line}` as a whole line"
            yield violation("heading-missing", f"the heading {required.name!r} is missing", len(document.lines), advice)
        for line in lines[1:]:
            yield violation("heading-repeated", f"the heading {required.name!r} appears again", line)


def _in_order(document: Document, contract: OutputContract) -> Iterator[Problem]:
    wanted = [required.line for required in contract.headings]
    last, name = -1, ""
    for heading in document.headings:
        if heading.written in wanted:
            place = wanted.index(heading.written)
            if place < last:
                yield violation("heading-order", f"{heading.text!r} stands after {name!r}", heading.line)
            else:
                last, name = place, heading.text


def _other(heading: Heading, contract: OutputContract) -> Iterator[Problem]:
    for required in contract.headings:
        if heading.text == required.name:
            code = "heading-reused" if heading.level > required.level else "heading-level"
            yield violation(code, f"{heading.written!r} is not {required.line!r}", heading.line)
            return
    near = next((name for name in (required.name for required in contract.headings) if _near(heading.text, name)), "")
    if near:
        yield violation("heading-near-miss", f"{heading.text!r} is not {near!r}", heading.line, f"Write {near!r}")
    elif heading.level == 2:
        yield violation("heading-unknown", f"{heading.text!r} is no heading of this artifact", heading.line)


def _near(text: str, name: str) -> bool:
    one, two = (re.sub(r"[\W_]+", " ", value).strip().lower() for value in (text, name))
    return one == two or difflib.SequenceMatcher(None, one, two).ratio() > _NEAR


def sections(document: Document, contract: OutputContract) -> dict[int, str]:
    """For each 1-based line, the required heading that it stands under, "" before the first."""
    exact = {required.line: required.name for required in contract.headings}
    starts = {heading.line: exact[heading.written] for heading in document.headings if heading.written in exact}
    out: dict[int, str] = {}
    current = ""
    for number in range(1, len(document.lines) + 1):
        current = starts.get(number, current)
        out[number] = current
    return out
