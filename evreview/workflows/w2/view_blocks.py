"""What the parts of the reference share: short citations, joined texts, executed checks in words, runs by number."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace

from evreview.comparison.wire_forms import canonical
from evreview.core.quoted_text import Text, counted, joined, plain
from evreview.core.vocabulary import Form
from evreview.evidence.item import Bundle, Citation
from evreview.report.escape import SafeMarkdown, cell, cell_words, citations
from evreview.report.statement import Statement
from evreview.workflows.engine.internal_errors import is_internal
from evreview.workflows.engine.registers import near, printed
from evreview.workflows.w2.facts import Reported


def cites(bundle: Bundle, on: Iterable[Citation]) -> SafeMarkdown:
    """The citations of an Evidence cell, by their line, the first few."""
    return citations(near(bundle, on))


def told(bundle: Bundle, statements: Iterable[Statement]) -> tuple[SafeMarkdown, ...]:
    """Sentences as list items, each cited by line."""
    return printed(replace(each, citations=near(bundle, each.citations)) for each in statements)


def is_inner(path: str) -> bool:
    """True for a field that carries internals, by its name."""
    return any(map(is_internal, re.split(r"[.\[\]]+", path)))


def ended(words: Text) -> Text:
    """A sentence with its full stop, where what it quotes has none."""
    return words if str(words[-1:] and words[-1]).endswith((".", "!", "?")) else (*words, ".")


def words_or(texts: Iterable[Text], otherwise: str) -> SafeMarkdown:
    """The texts in one cell, or words for none."""
    found = joined(texts)
    return cell_words(found) if found else cell(otherwise)


def form_words(form: Form) -> str:
    """A form as JSON, a text as it is."""
    return form if isinstance(form, str) else canonical(form).decode("utf-8", "replace")


# Executed checks in words: the same test of two runs is one test and two executions.


CHECKED = frozenset({"passed", "failed", "error"})
"""How a check ends; an example that was sent is executed too, and checks nothing."""


def executed_words(report: Iterable[Reported]) -> str:
    """`12 retained checks executed`; after several runs how many of them are distinct."""
    done = [row for row in report if row.status == "executed"]
    distinct, runs = len({plain(row.check) for row in done}), len(by_run(done))
    if len(done) == distinct:
        return f"{counted(distinct, 'retained check')} executed"
    return f"{counted(distinct, 'retained check')} executed, in {runs} runs {len(done)} times in all"


def by_run(rows: Iterable[Reported]) -> dict[Citation, list[Reported]]:
    """The rows by the record of their run, which is the last that each cites."""
    found: dict[Citation, list[Reported]] = {}
    for row in rows:
        found.setdefault(row.citations[-1], []).append(row)
    return found


def numbered_runs(report: Iterable[Reported]) -> Mapping[Citation, int]:
    """The runs that the report tells, by the record of each, numbered as they are met."""
    ran = (row for row in report if row.environment)
    return {record: number for number, record in enumerate(by_run(ran), 1)}


def operation_words(done: list[Reported], runs: Mapping[Citation, int]) -> list[Text]:
    """What ran of one operation, run by run."""
    found: list[Text] = []
    checks = [row for row in done if row.result in CHECKED]
    for record, rows in by_run(checks).items():
        passed = sum(row.result == "passed" for row in rows)
        found.append((f"{passed} of {len(rows)} retained checks passed, run {runs[record]}",))
    distinct = len({plain(row.check) for row in checks})
    several = f"{distinct} distinct checks in {len(by_run(checks))} runs: " if distinct < len(checks) else ""
    return [(f"executed: {several}", *joined(found))] if found else []


def example_words(done: list[Reported], runs: Mapping[Citation, int]) -> list[Text]:
    """The request examples of one operation that were sent."""
    sent = [row for row in done if row.result not in CHECKED]
    return [(f"executed: sent in run {runs[row.citations[-1]]}: {row.result}",) for row in sent]
