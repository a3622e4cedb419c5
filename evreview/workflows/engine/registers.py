"""Tables that every artifact has, as rows of ready cells and as frames. An empty register keeps a row that says so."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Final

import pandas as pd

from evreview.core.quoted_text import Text, UserText, plain
from evreview.evidence.citation import on_line, on_record_line
from evreview.evidence.item import Bundle, Citation
from evreview.redaction.redactor import Redactor
from evreview.redaction.sinks import redacted_frame
from evreview.report.escape import (
    NOTHING,
    SafeMarkdown,
    cell,
    cell_plain,
    cell_words,
    citations,
    fence,
    group,
    shorten,
    statement,
)
from evreview.report.statement import Statement, assumed, limited, observed
from evreview.workflows.engine.gates import Gate, GateState
from evreview.workflows.engine.step import StepResult

TableRow = tuple[SafeMarkdown, ...]


CITED: Final = 4
"""Citations of an Evidence cell and of a sentence; the registers have all."""


def near(bundle: Bundle, found: Iterable[Citation], last: Iterable[Citation] = ()) -> tuple[Citation, ...]:
    """The citations of a cell, by line: the first ones, and those in `last` whatever stands before them."""
    kept = tuple(dict.fromkeys(on_line(bundle, each) for each in last))[:CITED]
    head = [each for each in dict.fromkeys(on_line(bundle, one) for one in found) if each not in kept]
    return (*head[: CITED - len(kept)], *kept)


def by_line(bundle: Bundle, told: Iterable[Statement]) -> Iterator[Statement]:
    """The statements with the records that they cite by line, as cells cite."""
    return (replace(each, citations=tuple(on_record_line(bundle, one) for one in each.citations)) for each in told)


def rules_quoted(bundle: Bundle, rules: Mapping[Citation, tuple[str, Text]]) -> Iterator[Statement]:
    """Every rule of a policy or rubric that rates something, quoted once in its order; rows name it by its pointer.

    Args:
        bundle: the items.
        rules: the severity that each gives and its quote, by its citation.
    """
    for rule in sorted(rules, key=lambda one: _number(one.locator)):
        severity, quote = rules[rule]
        rates = (" rates ", UserText(severity))
        yield observed("Rule ", UserText(rule_name(rule)), *rates, ": ", *quote, on=(on_line(bundle, rule),))


def rule_name(rule: Citation) -> str:
    """The rule inside its policy, by its pointer: `rules/3`."""
    return rule.locator.removeprefix("#/")


def _number(locator: str) -> tuple[int, str]:
    found = re.search(r"(\d+)$", locator)
    return (int(found[1]) if found else 0, locator)


def common_scope(names: Iterable[str]) -> str:
    """What stands before `::` in every name of a test, with it; "" where they differ or have none."""
    scopes = {name.rpartition("::")[0] for name in names}
    scope = scopes.pop() if len(scopes) == 1 else ""
    return f"{scope}::" if scope else ""


def empty(columns: int, why: str, read: Iterable[Citation] = ()) -> tuple[TableRow, ...]:
    """One row that says that the register is empty, and why."""
    return ((cell(f"{NOTHING}: {why}"), *(cell("n/a"),) * (columns - 2), citations(read)),)


def boundary_rows(boundary: Iterable[BoundaryRow]) -> tuple[TableRow, ...]:
    """What the review is about."""
    stated = cell("review request")
    rows = (
        (cell(row.what), cell_words(row.value), group(row.citations) if row.citations else stated) for row in boundary
    )
    return tuple(rows) or empty(3, "step 1 did not run")


def step_rows(steps: Sequence[StepResult]) -> tuple[TableRow, ...]:
    """How far the run came."""
    return tuple(
        (
            cell(str(step.number)),
            cell(step.title),
            cell(f"{step.state} {step.code}".strip()),
            cell(step.advance_when),
        )
        for step in steps
    )


def gate_rows(gates: Iterable[Gate]) -> tuple[TableRow, ...]:
    """Approval gates with who answered and what is missing."""
    rows = (
        (
            cell(gate.spec.title),
            cell(str(gate.state)),
            cell_plain(_approvals(gate)),
            cell_plain((UserText("; ".join(gate.missing)),)) if gate.missing else cell("nothing"),
            cell_words(_reviewed(gate)),
        )
        for gate in gates
    )
    return tuple(rows) or ((cell(f"{NOTHING}: step 9 was not reached"), *(cell("n/a"),) * 4),)


def _reviewed(gate: Gate) -> tuple[str | UserText, ...]:
    parts: list[str | UserText] = []
    for item in gate.spec.reviewed:
        shown = _REVISION.sub(lambda found: short_revision(found[0]), item)
        parts += [*([", "] if parts else []), UserText(shown) if item in gate.spec.names else shown]
    return tuple(parts)


def _approvals(gate: Gate) -> tuple[str | UserText, ...]:
    if gate.state is GateState.NOT_NEEDED:
        return ("none asked for",)
    parts: list[str | UserText] = []
    for answer in gate.approvals:
        parts += [UserText(answer.role), f" {answer.decision} at {answer.at.isoformat()}", "; "]
    return tuple(parts[:-1]) or ("none recorded",)


def evidence_rows(bundle: Bundle, used: Container[str]) -> tuple[TableRow, ...]:
    """The supplied evidence: what each item establishes, how its integrity is known, and whether anything cites it."""
    return tuple(
        (
            cell_words((UserText(str(item.type)),)),
            cell(shorten(item.establishes, 400)),
            cell(item.standing if item.id in used else f"{item.standing}; cited by nothing"),
            citations((Citation(item.id),)),
        )
        for item in bundle.items.values()
    )


_COMMIT = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_REVISION = re.compile(r"(?<![0-9a-f])(?:[0-9a-f]{64}|[0-9a-f]{40})(?![0-9a-f])")


def short_revision(revision: str) -> str:
    """A revision or digest by its first twelve digits; what is no whole one stays as it is."""
    return revision[:12] if _COMMIT.fullmatch(revision) else revision


def checksums(bundle: Bundle, sealed: Container[str] = (), also: Iterable[tuple[str, str]] = ()) -> SafeMarkdown:
    """Full content digests and the commits that items name, one line an item, as a checksum list.

    Args:
        bundle: the items.
        sealed: those that nobody has read: of them nothing is told.
        also: names with digests of the review's own, which follow.
    """
    width = max((len(name) for name in bundle.items), default=0)
    lines = []
    for name, item in bundle.items.items():
        if name in sealed:
            lines.append(f"{name.ljust(width)}  not read")
            continue
        commits = [found for found in _REVISION.findall(item.integrity) if found != item.sha256]
        lines.append("  ".join([name.ljust(width), item.sha256, *dict.fromkeys(commits)]))
    lines += [f"{name}  {digest}" for name, digest in also]
    return fence("\n".join(lines), "text")


def cited_ids(view: Any) -> frozenset[str]:
    """The evidence ids that a view cites; words of the subject stand in code spans and do not count."""
    parts = (getattr(view, field.name) for field in fields(view))
    printed = " ".join(str(part) for part in _flat(parts))
    return frozenset(re.findall(r"\bE[1-9][0-9]*\b", re.sub(r"`+[^`]*`+", " ", printed)))


def _flat(parts: Iterable[object]) -> Iterable[SafeMarkdown]:
    for part in parts:
        if isinstance(part, SafeMarkdown):
            yield part
        elif isinstance(part, tuple):
            yield from _flat(part)


def printed(statements: Iterable[Statement]) -> tuple[SafeMarkdown, ...]:
    """Statements as list items."""
    return tuple(statement(value) for value in statements)


# What a review is about, frozen in its first step: one row per fact.


@dataclass(frozen=True, slots=True, kw_only=True)
class BoundaryRow:
    """One frozen fact of the comparison boundary."""

    what: str
    value: Text
    citations: tuple[Citation, ...]


def judged_for(as_of: str) -> BoundaryRow:
    """The day for which everything that lapses is judged: windows, authorizations, answers, acceptances."""
    return BoundaryRow(what="judged for the day", value=(as_of,), citations=())


def boundary_frame(rows: Iterable[BoundaryRow]) -> pd.DataFrame:
    """One row per fact. Columns: what, value, evidence."""
    return pd.DataFrame(
        [(row.what, plain(row.value), ", ".join(map(str, row.citations))) for row in rows],
        columns=["what", "value", "evidence"],
    )


# Steps and gates as frames; and how every register is redacted.


def steps_frame(steps: Sequence[StepResult]) -> pd.DataFrame:
    """One row per step run. Key: `step`. Columns: step, title, state, code, reasons, restart, digest."""
    rows = [
        (
            step.number,
            step.title,
            str(step.state),
            step.code,
            "\n".join(map(str, step.reasons)),
            step.restart,
            step.digest,
        )
        for step in steps
    ]
    return pd.DataFrame(rows, columns=["step", "title", "state", "code", "reasons", "restart", "digest"])


def gates_frame(gates: Iterable[Gate]) -> pd.DataFrame:
    """One row per gate. Key: `gate`.

    Columns: gate, title, state, seats, approvals, missing (texts, "; " between), about (the digest
    that an answer names, "" for none).
    """
    rows = [
        (
            gate.spec.id,
            gate.spec.title,
            str(gate.state),
            "; ".join(map(str, gate.seats)),
            "; ".join(f"{answer.role}: {answer.decision} at {answer.at.isoformat()}" for answer in gate.approvals),
            "; ".join(gate.missing),
            gate.about,
        )
        for gate in gates
    ]
    return pd.DataFrame(rows, columns=["gate", "title", "state", "seats", "approvals", "missing", "about"])


def redacted(frames: Mapping[str, pd.DataFrame], redactor: Redactor) -> dict[str, pd.DataFrame]:
    """The same frames without anything that may not leave; a frame without such a value stays the object it is."""
    return {name: redacted_frame(frame, redactor) for name, frame in frames.items()}


# What the limitations of every artifact end with: what was redacted, and what the supplier assumes.


def closing(bundle: Bundle, redactor: Redactor, also: str = "") -> Iterator[Statement]:
    """How many values of each kind were redacted, then the assumptions, or that there is none.

    Args:
        bundle: its request holds the assumptions.
        redactor: what was learnt to redact.
        also: what is said of the redacted values besides.
    """
    kinds = Counter(str(finding.kind) for finding in redactor.findings)
    if kinds:
        told = ", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items()))
        yield limited(f"Values were redacted from the evidence: {told}{also}.")
    for assumption in bundle.request.assumptions:
        yield assumed("The supplier assumes: ", UserText(assumption))
    if not bundle.request.assumptions:
        yield assumed("None was supplied, and none is made.")
