"""The text of a ledger: ids by what was asked, lines within the screen, counts that add up, at any size."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from evreview.comparison.comparison import Comparison, JudgedRow
from evreview.comparison.rules.rule import Slot
from evreview.contract.model import ElementKind
from evreview.core.errors import BadInput
from evreview.core.vocabulary import ABSENT, Change, ContractKind, DeltaId, Verdict
from evreview.kinds.rule_catalogue import BY_KIND
from evreview.redaction.redactor import Redactor
from evreview.report.ledger_text import MANY, Printing, View, ledger_text
from evreview.report.terminal_text import Screen, columns
from tests.pipeline import compared, edited, shown

ID = re.compile(r"D-[0-9a-f]{12}")
WIDE = "\u8a02\u55ae" * 20
HOSTILE = ["\x1b[31mred", "a\u202egnp", "::error::x", "##[error]x", "a\nb", "x" * 300, WIDE, "e\u0301" * 90]


def text(comparison: Comparison, *, width: int = 120, colour: bool = False, **view: Any) -> str:
    printing = Printing(screen=Screen(width, colour), redactor=Redactor(), contracts=("old a.yaml", "new.yaml"))
    return str(ledger_text(comparison, View(**view), printing))


def told(body: str) -> list[str]:
    """The ids of rows and of noise, in order."""
    return ID.findall(body.partition("\nnext: ")[0])


def ids(comparison: Comparison, *verdicts: Verdict) -> set[str]:
    return {row.delta.id for row in comparison.rows if row.judgement.verdict in verdicts}


def orders() -> Comparison:
    field = {"type": "string", "enum": ["a", "b"]}
    released = {"type": "object", "required": ["x"], "properties": {"x": field, "y": field, "z": {"type": "integer"}}}
    candidate = {"type": "object", "properties": {"x": {"type": "string", "enum": ["a", "b", "c"]}, "y": field}}
    return edited(Slot.RESPONSE_BODY, released, candidate)


ASKED: dict[str, tuple[dict[str, Any], Callable[[Comparison], set[str]]]] = {
    "nothing": ({}, lambda c: ids(c, Verdict.BREAKING, Verdict.UNKNOWN)),
    "all": ({"everything": True}, lambda c: ids(c, *Verdict)),
    "breaking": ({"verdict": Verdict.BREAKING}, lambda c: ids(c, Verdict.BREAKING)),
    "compatible": ({"verdict": Verdict.COMPATIBLE}, lambda c: ids(c, Verdict.COMPATIBLE)),
    "noise": ({"noise": True}, lambda c: ids(c, Verdict.BREAKING, Verdict.UNKNOWN) | {n.delta.id for n in c.noise}),
}


@pytest.mark.parametrize("name", ASKED)
@pytest.mark.parametrize("kind", ContractKind)
def test_the_rows_that_are_asked_for_are_told_once_each(kind: ContractKind, name: str) -> None:
    view, expected = ASKED[name]
    for rule in BY_KIND[kind][::9]:
        if not rule.replaced_by:
            found = shown(rule.example)
            got = told(text(found, **view))
            assert (set(got), len(got)) == (expected(found), len(expected(found))), rule.id


def test_the_worst_row_comes_first_in_its_group() -> None:
    found = orders()
    verdicts = [found.row(name).judgement.verdict for name in told(text(found, everything=True))]
    assert verdicts == sorted(verdicts, key=[Verdict.BREAKING, Verdict.UNKNOWN, Verdict.COMPATIBLE].index)
    assert Verdict.BREAKING in verdicts and Verdict.COMPATIBLE in verdicts


def test_the_first_line_has_the_verdict_and_the_counts_add_up() -> None:
    found = orders()
    body = text(found)
    summary: Any = found.summary["verdicts"]
    assert str(summary["breaking"]) in body.splitlines()[0]
    (line,) = [line for line in body.splitlines() if line.startswith(f"{len(found.rows)} difference")]
    numbers = [int(each) for each in re.findall(r"\d+", line)]
    assert numbers[0] == sum(numbers[1:4]) == len(found.rows)


@pytest.mark.parametrize("width", [60, 80, 120, 200])
@pytest.mark.parametrize("name", HOSTILE)
def test_no_line_is_wider_than_the_screen_and_nothing_acts(name: str, width: int) -> None:
    field = {"type": "object", "properties": {name: {"type": "string"}}}
    other = {"type": "object", "required": [name], "properties": {name: {"type": "string", "enum": [name, "b"]}}}
    found = edited(Slot.REQUEST_BODY, field, other)
    (first, *_) = found.rows
    for view in ({"everything": True, "noise": True}, {"show": first.delta.id}):
        body = text(found, width=width, **view)
        assert max(columns(line) for line in body.splitlines()) <= max(width, 60) - 2
        assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]", body)


@pytest.mark.parametrize("rule", [rule for kind in ContractKind for rule in BY_KIND[kind][::17]], ids=lambda r: r.id)
def test_every_kind_fits_the_screen(rule: Any) -> None:
    found = shown(rule.example) if not rule.replaced_by else orders()
    for view in ({"everything": True, "noise": True}, {"show": found.rows[0].delta.id}):
        assert max(columns(line) for line in text(found, **view).splitlines()) <= 118


def test_colour_only_when_asked() -> None:
    assert "\x1b[" in text(orders(), colour=True) and "\x1b" not in text(orders())
    plain = re.sub(r"\x1b\[\d+m", "", text(orders(), colour=True))
    assert plain == text(orders())


def test_no_difference_is_told_in_one_line() -> None:
    document = {"openapi": "3.0.3", "info": {"title": "T", "version": "1"}, "paths": {}}
    body = text(compared(document, document))
    assert told(body) == [] and "next:" not in body and len(body.splitlines()) == 3


def many(count: int) -> Comparison:
    """One comparison with as many rows, the same edits in many operations."""
    small = orders()
    rows: list[JudgedRow] = []
    for number in range(count):
        row = small.rows[number % len(small.rows)]
        operation = f"GET /things/{number // len(small.rows)}"
        address = operation + row.delta.address[len(row.delta.operation) :]
        delta = replace(
            row.delta,
            id=DeltaId(f"D-{number:012x}"),
            operation=operation,
            operations=(operation,),
            address=address,
        )
        rows.append(replace(row, delta=delta))
    return replace(small, rows=tuple(rows))


def test_repeated_edits_that_begin_alike_are_told_apart() -> None:
    """Each form is listed by its first members and a count of the others, which stands behind the cut."""
    found = many(MANY * 4)
    rows = []
    for at, row in enumerate(found.rows):
        members = {f"a_rather_long_name_of_the_member_{number}": {} for number in range(5 + at % 3)}
        delta = replace(
            row.delta, facet="", change=Change.ADDED, element=ElementKind.PROPERTY, released=ABSENT,
            candidate={"type": "object", "properties": members},
        )  # fmt: skip
        rows.append(replace(row, delta=delta))
    body = text(replace(found, rows=tuple(rows)))
    lines = re.findall(r"^ +\d+ (\S  .*) first D-", body, re.MULTILINE)
    assert len(lines) > 1 and len(set(lines)) == len(lines)


def test_many_rows_are_told_by_operation_and_by_repeated_edit() -> None:
    found = many(MANY * 4)
    body = text(found)
    assert len(told(body)) < MANY and set(told(body)) <= ids(found, *Verdict)
    repeated = [int(count) for count in re.findall(r"^ +(\d+) \S  .* first D-", body, re.MULTILINE)]
    assert sum(repeated) == len(ids(found, Verdict.BREAKING, Verdict.UNKNOWN))
    assert len(told(text(found, everything=True))) == len(found.rows)


def test_twenty_thousand_rows_are_told_in_seconds() -> None:
    found = many(20_000)
    started = time.process_time()
    body = text(found)
    assert len(body.splitlines()) < 60 and time.process_time() - started < 30


def test_a_row_that_is_not_there_is_a_problem_with_near_ids() -> None:
    found = orders()
    known = found.rows[0].delta.id
    wrong = f"{known[:-1]}{'0' if known[-1] != '0' else '1'}"
    with pytest.raises(BadInput) as caught:
        text(found, show=wrong)
    (problem,) = caught.value.problems
    assert problem.code == "row-unknown" and known in problem.advice


def test_a_secret_is_told_nowhere() -> None:
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    found = edited(Slot.REQUEST_FIELD, {"const": "x"}, {"const": secret})
    for view in ({}, {"everything": True}, *({"show": row.delta.id} for row in found.rows)):
        assert secret not in text(found, **view)


def test_what_is_accepted_is_told_as_accepted() -> None:
    found = orders()
    (name, *_) = sorted(ids(found, Verdict.BREAKING))
    entry = {"state": "accepted", "expires": "2027-01-31", "owner": "API owner", "reason": "known"}
    printing = Printing(screen=Screen(), redactor=Redactor(), contracts=("a", "b"), accepted={name: entry})
    body = str(ledger_text(found, View(), printing))
    (line,) = [line for line in body.splitlines() if line.endswith(name)]
    assert "accepted" in line and "1 accepted" in body.splitlines()[0]
    card = str(ledger_text(found, View(show=name), printing))
    assert "2027-01-31" in card
