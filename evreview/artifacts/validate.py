"""An artifact against its output contract. The grammar stands in `markdown.py`, the contracts in `templates/`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from evreview.artifacts.validate_headings import check_headings, check_preamble, check_title, violation
from evreview.artifacts.validate_rows import check_rows
from evreview.artifacts.validate_runs import check_runs
from evreview.artifacts.validate_tables import check_tables
from evreview.core.errors import Problem
from evreview.evidence.item import Bundle
from evreview.redaction.redactor import Guard
from evreview.report.markdown import Document, parse_document
from evreview.report.output_contract import OutputContract
from evreview.report.template_environment import output_contracts
from evreview.report.validate import check_decision, check_references
from evreview.report.validate_agreement import check_agreement
from evreview.report.validate_claims import (
    check_against,
    check_citations,
    check_evidence_cells,
    check_forbidden,
    check_requirements,
    check_statements,
    check_verdict,
)
from evreview.report.validate_records import check_records

_REPR = re.compile(r"<[\w.]+ object at 0x|\bat 0x[0-9a-fA-F]{6,}|\bT_[0-9a-f]{5}\b")
_NUMBER = re.compile(r"\d+")

Check = Callable[[Document, OutputContract], Iterator[Problem]]
CHECKS: tuple[Check, ...] = (
    check_title,
    check_preamble,
    check_headings,
    check_tables,
    check_statements,
    check_verdict,
    check_requirements,
    check_forbidden,
    check_citations,
    check_evidence_cells,
    check_decision,
    check_references,
    check_agreement,
    check_rows,
)


def contract_of(text: str) -> OutputContract | None:
    """The output contract that the text names, or whose headings it has most of; None when it has none of any."""
    contracts = output_contracts()
    named = next((contract for contract in contracts if contract.identity_line in text.split("\n")), None)
    if named is not None:
        return named
    lines = {line.lstrip("#").strip() for line in text.split("\n") if line.startswith("#")}
    best = max(contracts, key=lambda contract: len(contract.names & lines) / len(contract.names))
    return best if best.names & lines else None


def validate_artifact(
    text: str, *, bundle: Bundle | None = None, contract: OutputContract | None = None, guard: Guard | None = None
) -> tuple[Problem, ...]:
    """Every violation with its line, in line order; empty for an artifact that keeps its contract.

    Args:
        text: the Markdown.
        bundle: with it, every citation must resolve, its item must permit the claim, and rows print what it holds.
        contract: the output contract; found from the text when it is not given.
        guard: what has been learnt to redact; the detectors alone when it is not given.
    """
    found = contract or contract_of(text)
    if found is None:
        return (violation("contract-undetected", "no heading of a known artifact was found", 1),)
    document = parse_document(text.replace("\r\n", "\n").replace("\r", "\n"))
    problems = [problem for check in CHECKS for problem in check(document, found)]
    problems += _text(text, document, guard or Guard())
    if bundle is not None:
        problems += check_against(document, found, bundle)
        problems += check_records(document, found, bundle)
        problems += check_runs(document, found, bundle)
    return tuple(sorted(dict.fromkeys(problems), key=_place))


def _text(text: str, document: Document, guard: Guard) -> Iterator[Problem]:
    if "\r" in text:
        line = text[: text.index("\r")].count("\n") + 1
        yield violation("carriage-return", "a line ends with a carriage return", line)
    for kind, content, line in document.intrusions:
        yield violation(f"{kind}-not-allowed", f"raw {kind}: {content!r}", line)
    for number, line_text in enumerate(document.lines, 1):
        if _REPR.search(line_text):
            yield violation("object-repr", "the repr of an object stands in the text", number)
    for leak in guard.leaks(text):
        for number in leak.lines or (1,):
            yield violation("leak", f"{leak.kind} ({leak.detector}) is not redacted", number)


def _place(problem: Problem) -> tuple[int, str, str]:
    number = _NUMBER.search(problem.place)
    return int(number[0]) if number else 0, problem.code, problem.found
