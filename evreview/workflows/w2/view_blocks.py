"""Executed checks in words: the same test of two runs is one test and two executions."""

from __future__ import annotations

from collections.abc import Iterable

from evreview.core.quoted_text import Subject, Text, counted, plain
from evreview.evidence.item import Citation
from evreview.workflow.w2.blocks import joined
from evreview.workflows.w2.facts import Reported

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


def operation_words(done: list[Reported]) -> list[Text]:
    """What ran of one operation: run by run, each with its environment; then the examples that were sent."""
    told: list[Text] = []
    checks = [row for row in done if row.result in CHECKED]
    for rows in by_run(checks).values():
        passed = sum(row.result == "passed" for row in rows)
        told.append((f"{passed} of {len(rows)} retained checks passed, in ", Subject(rows[0].environment)))
    sent = [row for row in done if row.result not in CHECKED]
    told += [("request example sent, in ", Subject(row.environment), f": {row.result}") for row in sent]
    distinct = len({plain(row.check) for row in checks})
    several = f"{distinct} distinct checks in {len(by_run(checks))} runs: " if distinct < len(checks) else ""
    return [(f"executed: {several}", *joined(told))] if told else []
