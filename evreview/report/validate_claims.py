"""Statements, citations and links: labels, what cites, where it leads; what several places tell of one thing alike."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final
from urllib.parse import unquote

from evreview.core.errors import Problem
from evreview.core.frozen import frozen
from evreview.core.vocabulary import StatementKind
from evreview.evidence.citation import resolve
from evreview.evidence.claim_types import ClaimKind, permits
from evreview.evidence.item import Bundle, Citation
from evreview.report.agreement_rules import Keyed, Telling
from evreview.report.escape import RETURN, slug
from evreview.report.markdown import Cell, Document, Mention, Prose, citations_in, cited, stray_ids
from evreview.report.output_contract import (
    EVIDENCE,
    OutputContract,
    Verdict,
    is_empty_row,
    required_tables,
    sections,
    violation,
)

_UNCITED = ("none recorded", "n/a")


@frozen
class Cited:
    """The citations of one statement, fragment or row, and its line."""

    mentions: tuple[Mention, ...]
    line: int
    claim: ClaimKind | None = None

    @property
    def citations(self) -> tuple[Citation, ...]:
        """The well-formed ones."""
        return tuple(mention.citation for mention in self.mentions if mention.citation is not None)


def check_statements(document: Document, contract: OutputContract) -> Iterator[Problem]:
    """Every paragraph and list item has exactly one label, at its start; the material kinds cite."""
    under = sections(document, contract)
    for prose in document.prose:
        if under[prose.line]:
            yield from _statement(prose, contract, under[prose.line])


def _statement(prose: Prose, contract: OutputContract, heading: str) -> Iterator[Problem]:
    if not prose.label:
        yield violation("statement-unlabelled", "the statement does not start with one of the eight labels", prose.line)
    elif len(prose.labels) > 1:
        yield violation("statement-mixed", "the statement has more than one label", prose.line)
    if prose.label in contract.statements.cite and not citations_in(prose.text):
        yield violation("citation-missing", f"the {prose.label.lower()} cites no evidence", prose.line)
    other = {"Executed": StatementKind.PROPOSED_CHECK, "Proposed": StatementKind.EXECUTED_CHECK}.get(heading)
    if other is not None and prose.label == other:
        yield violation(f"not-{heading.lower()}", f"a {other.lower()} stands under {heading!r}", prose.line)


def check_verdict(document: Document, contract: OutputContract) -> Iterator[Problem]:
    """The first section opens with a list of a few statements."""
    if contract.verdict is None:
        return
    under = sections(document, contract)
    inside = [prose for prose in document.prose if under[prose.line] == contract.verdict.under]
    block = [prose for prose in inside if prose.block == inside[0].block]
    start = next((line for line, name in under.items() if name == contract.verdict.under), 1)
    if not block or not block[0].listed or any(table.line < block[0].line for table in document.tables):
        yield violation("verdict-missing", f"{contract.verdict.under!r} does not open with a verdict list", start)
    elif len(block) > contract.verdict.lines:
        found = f"the verdict has {len(block)} lines, more than {contract.verdict.lines}"
        yield violation("verdict-too-long", found, block[0].line)


def check_first_action(document: Document, contract: OutputContract) -> Iterator[Problem]:
    """The verdict tells the first of the next actions, in its words."""
    if contract.verdict is None:
        return
    under = sections(document, contract)
    told = [part for part in document.prose if part.label == StatementKind.NEXT_ACTION]
    own = next((part for part in told if under[part.line] == contract.verdict.under), None)
    first = _first_action(document, contract.verdict, [part for part in told if part is not own], under)
    if first is None:
        return
    line = own.line if own else next((at for at, name in under.items() if name == contract.verdict.under), 1)
    said = _plain(document.lines[own.line - 1].partition(":** ")[2]) if own else ""
    said = re.sub(r"; first of \d+ under [^;]+\Z", "", said).strip(" .;")
    if said != first and not any(mark in said + first for mark in _NOT_WHOLE):
        yield violation("next-action-differs", f"the first one is {first[:120]!r}", line)


def _first_action(document: Document, verdict: Verdict, told: Sequence[Prose], under: Mapping[int, str]) -> str | None:
    """The words of the first action of the list, None without one."""
    for table in document.tables:
        for row in table.rows[:1] if table.header == verdict.table else ():
            cells = dict(zip(table.columns, row, strict=False))
            if not is_empty_row(row) and len(cells) == len(row):
                return _plain(f"{cells[verdict.who].full}: {cells[verdict.what].full}")
    listed = (document.lines[part.line - 1] for part in told if under[part.line] == verdict.actions)
    found = next((each for line in listed if (each := re.search(r":\*\* 1\\?\. (?P<says>.+)", line))), None)
    return _plain(re.sub(r" \[E[^\[\]]*\]\Z", "", found["says"])) if found else None


def check_requirements(document: Document, contract: OutputContract) -> Iterator[Problem]:
    """What a section must say beyond its registers."""
    under = sections(document, contract)
    for need in contract.requires:
        prose = [part for part in document.prose if under[part.line] == need.under]
        said = need.label is None or any(part.label == need.label for part in prose)
        if need.says:
            texts = [part.text for part in prose]
            for table in document.tables:
                if under[table.line] == need.under:
                    texts += [" ".join(cell.full for cell in row) for row in table.rows]
            said = said and any(re.search(need.says, text) for text in texts)
        if not said:
            start = next((line for line, name in under.items() if name == need.under), len(document.lines))
            yield violation(need.code, f"not stated under {need.under!r}: {need.why}", start)


def check_forbidden(document: Document, contract: OutputContract) -> Iterator[Problem]:
    """What a section must not say, in sentences and cells; code spans hold words of the subject."""
    under = sections(document, contract)
    for rule in contract.forbids:
        said = [(part.text, part.line) for part in document.prose if under[part.line] == rule.under]
        for table in document.tables:
            if under[table.line] == rule.under:
                rows = enumerate(table.rows)
                said += [(cell.text, table.row_line(index)) for index, row in rows for cell in row]
        for text, line in said:
            if found := re.search(rule.says, text):
                yield violation(rule.code, f"{found[0]!r} under {rule.under!r}: {rule.why}", line)


def check_citations(document: Document, contract: OutputContract) -> Iterator[Problem]:
    """Citations are well formed, stand in citation positions, and name enough distinct items."""
    ids = set()
    for part in every_citation(document, contract):
        for mention in part.mentions:
            if mention.citation is None:
                yield violation("citation-malformed", f"{mention.text!r} is no citation", part.line)
        ids |= {citation.id for citation in part.citations}
    if len(ids) < contract.least_citations:
        found = f"{len(ids)} distinct evidence ids are cited, at least {contract.least_citations} are needed"
        yield violation("too-few-citations", found, len(document.lines))
    yield from _stray(document)


def _stray(document: Document) -> Iterator[Problem]:
    for prose in document.prose:
        for token in stray_ids(prose.text):
            yield violation("stray-evidence-id", f"{token!r} stands outside citations and code", prose.line)
    for table in document.tables:
        for index, row in enumerate(table.rows):
            for column, cell in zip(table.columns, row, strict=False):
                for token in () if column == EVIDENCE else stray_ids(cell.text):
                    yield violation(
                        "stray-evidence-id", f"{token!r} stands outside citations and code", table.row_line(index)
                    )


def check_evidence_cells(document: Document, contract: OutputContract) -> Iterator[Problem]:
    """Every row of a register with an Evidence column cites; only a register without rows may cite nothing."""
    for table in document.tables:
        if EVIDENCE not in table.columns:
            continue
        at = table.columns.index(EVIDENCE)
        for index, row in enumerate(table.rows):
            if len(row) <= at or (is_empty_row(row) and row[at].full.strip().lower() in _UNCITED):
                continue
            if not row[at].full.strip() or not any(mention.citation for mention in cited(row[at].text)):
                yield violation("citation-missing", "the Evidence cell cites no evidence", table.row_line(index))


def every_citation(document: Document, contract: OutputContract) -> Iterator[Cited]:
    """Every citation position with the kind of claim that stands there, where the contract knows it."""
    for prose in document.prose:
        claim = ClaimKind.EXECUTED_CHECK if prose.label == StatementKind.EXECUTED_CHECK else None
        yield Cited(citations_in(prose.text), prose.line, claim)
    claims = {table.line: required.claim for required, table in required_tables(document, contract)}
    for table in document.tables:
        for index, row in enumerate(table.rows):
            line = table.row_line(index)
            for column, cell in zip(table.columns, row, strict=False):
                if column != EVIDENCE:
                    for part in cell.fragments:
                        executed = part.startswith(f"{StatementKind.EXECUTED_CHECK}:")
                        claim = ClaimKind.EXECUTED_CHECK if executed else None
                        yield Cited(citations_in(part), line, claim)
                elif cell.full.strip().lower() not in _UNCITED and cell.text.strip():
                    claim = None if is_empty_row(row) else claims.get(table.line)
                    yield Cited(cited(cell.text), line, claim)


def check_against(document: Document, contract: OutputContract, bundle: Bundle) -> Iterator[Problem]:
    """Every citation names a supplied item, its locator resolves there, and one of them permits the claim."""
    for part in every_citation(document, contract):
        for citation in part.citations:
            if citation.id not in bundle.items:
                yield violation("citation-unknown", f"no item {citation.id} was supplied", part.line)
            elif resolve(bundle, citation) is None:
                yield violation("locator-dangling", f"the locator of {citation} does not resolve", part.line)
        if part.claim is not None and (reason := _refused(part.citations, part.claim, bundle)):
            yield violation("claim-not-permitted", reason, part.line)
    yield from _basis(document, bundle)


def _refused(citations: Iterable[Citation], claim: ClaimKind, bundle: Bundle) -> str:
    items = [bundle.items[citation.id] for citation in citations if citation.id in bundle.items]
    permissions = [permits(item, claim) for item in items]
    if not permissions or any(permissions):
        return ""
    return permissions[0].reason


def _basis(document: Document, bundle: Bundle) -> Iterator[Problem]:
    """A statement that says `implementation-derived` cites code, one that says `observed behaviour` cites a run."""
    words = (
        ("implementation-derived", ClaimKind.IMPLEMENTATION),
        ("observed behaviour", ClaimKind.OBSERVED),
    )
    for prose in document.prose:
        citations = [mention.citation for mention in citations_in(prose.text) if mention.citation is not None]
        for word, claim in words:
            if word in prose.text and (reason := _refused(citations, claim, bundle)):
                yield violation("claim-not-permitted", reason, prose.line)


# Links lead where their words say, and places that tell of one key tell the same.


_ID: Final = re.compile(r"(?<![\w-])[A-Za-z]-([0-9a-f]{8,64})(?![\w-])")
_NOT_WHOLE: Final = ("[cut: ", "[redacted: ", "…")
"""What stands where a value is not printed whole: it contradicts nothing."""


def check_links(document: Document, contract: OutputContract) -> Iterator[Problem]:
    """Every link that leads elsewhere than its words say, or than the id of its row."""
    anchors = {slug(heading.text) for heading in document.headings}
    for target, line, words in document.links:
        leads, own = unquote(target), slug(words)
        if own in anchors and own != slug(leads) and not re.fullmatch(rf"{re.escape(own)}-\d+", leads):
            yield violation("link-elsewhere", f"{words[:60]!r} leads to {leads[:60]!r}", line)
    for table in document.tables:
        for index, row in enumerate(table.rows):
            for cell in row:
                first = _ID.match(cell.full)
                others = [each for each in cell.ids if first and each[2:] != first[1]]
                if others and len(cell.ids) == len(others) + 1:
                    told = f"{first[0] if first else ''} leads to {others[0]}"
                    yield violation("link-elsewhere", told, table.row_line(index))


@frozen
class _Heard:
    """What one place tells of one key, and in which line first."""

    values: frozenset[str]
    line: int


def check_told(document: Document, contract: OutputContract) -> Iterator[Problem]:
    """Every place that tells something else of a key than another one."""
    for rule in contract.told:
        heard = [_heard(telling, document) for telling in rule.tells]
        yield from _within(rule, heard, document) if rule.within else _alike(rule, heard)


def _alike(rule: Keyed, heard: Sequence[Mapping[str, _Heard]]) -> Iterator[Problem]:
    first: dict[str, _Heard] = {}
    for each in heard:
        for key, told in each.items():
            known = first.setdefault(key, told)
            if known.values != told.values:
                yield _differs(rule, key, known, told.line)


def _within(rule: Keyed, heard: Sequence[Mapping[str, _Heard]], document: Document) -> Iterator[Problem]:
    *others, whole = heard
    known = {key for key, _, _ in _texts(rule.tells[-1], document)}
    for each in others:
        for key, told in each.items():
            if known and key not in known:
                yield violation("reference-dangling", f"no row is {key[:60]!r}", told.line)
            parts = [rf"(?:^|[:;] ){re.escape(value)}[ .;]" for value in told.values]
            texts = whole[key].values if key in whole else frozenset[str]()
            if texts and not all(any(re.search(part, text) for text in texts) for part in parts):
                yield _differs(rule, key, whole[key], told.line)


def _differs(rule: Keyed, key: str, known: _Heard, line: int) -> Problem:
    values = ", ".join(sorted(known.values))[:120]
    return violation("said-differently", f"{rule.what} of {key[:60]!r} is {values!r} in line {known.line}", line)


def _heard(telling: Telling, document: Document) -> dict[str, _Heard]:
    """By key what a place tells; a value that is not whole makes its key tell nothing."""
    found: dict[str, tuple[list[str], int]] = {}
    for key, text, line in _texts(telling, document):
        values = [each["value"] for each in re.finditer(telling.says, text) if each["value"]]
        for each in values:
            found.setdefault(key, ([], line))[0].append(each)
    whole = {
        key: told for key, told in found.items() if not any(mark in each for each in told[0] for mark in _NOT_WHOLE)
    }
    return {
        key: _Heard(frozenset({str(len(values))} if telling.counted else map(_plain, values)), line)
        for key, (values, line) in whole.items()
    }


def _texts(telling: Telling, document: Document) -> Iterator[tuple[str, str, int]]:
    """The keys with the text that tells of each, and its line."""
    for table in document.tables if telling.header else ():
        for index, row in enumerate(table.rows if table.header == telling.header else ()):
            cells = dict(zip(table.columns, row, strict=False))
            if not is_empty_row(row) and telling.key in cells and telling.column in cells:
                yield _key_of(cells[telling.key]), cells[telling.column].full, table.row_line(index)
    for part in document.prose if not telling.header else ():
        line = document.lines[part.line - 1]
        for clause in re.split(telling.parts, line) if telling.parts else (line,):
            text = f"{part.heading}\n{clause}"
            found = re.search(telling.key, text)
            for key in _keys(found["key"]) if found else ():
                yield key, text, part.line


def _key_of(cell: Cell) -> str:
    named = (*cell.ids, *cell.spans[:1], cell.full.strip())[0]
    return _keys(named)[0]


def _keys(text: str) -> list[str]:
    """The ids in a text, by their digits; without one the text itself."""
    return [found[1] for found in _ID.finditer(text)] or [_plain(text)]


def _plain(text: str) -> str:
    """The words without marks of code and escapes, on one line."""
    bare = re.sub(r"\\([^A-Za-z0-9\s])", r"\1", html.unescape(text)).replace("`", "").replace(RETURN, " ")
    return " ".join(bare.split()).strip(" .;").casefold()
