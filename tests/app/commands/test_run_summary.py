"""What `run` prints: the decision, every break by id, what blocks, what was written; nothing wider than the screen."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import pytest

from evreview.app.commands.run_summary import Summary, summary_lines
from evreview.app.workbench import outputs
from evreview.core.vocabulary import Verdict
from evreview.report.difference_text import NextStep
from evreview.report.terminal_text import Screen, columns
from tests.golden.editing import Set
from tests.golden.runs import varied

ID = re.compile(r"D-[0-9a-f]{12}")
TOLD = ("compatibility-matrix", "policy-judgements", "findings", "impacts", "gates")


@cache
def files(*, silent: bool = False) -> Mapping[str, str]:
    edits = (Set("policy/compatibility-policy.yaml", "/rules", []),) if silent else ()
    return outputs(varied(edits), [], 1)


def registers(*, silent: bool = False) -> dict[str, Any]:
    return {name: json.loads(files(silent=silent)[f"registers/{name}.json"]) for name in TOLD}


def lines(found: Mapping[str, Sequence[Mapping[str, Any]]], reasons: Sequence[str] = (), width: int = 120) -> list[str]:
    told = Summary(
        headline="shipment blocked",
        about="Orders API 1.4 to 1.5, as of 2026-11-20",
        reasons=tuple(reasons),
        registers=found,
        artifact="out/api-contract-review.md",
        wrote=("journal.json", "26 files in registers/"),
        next_steps=(NextStep(("evreview", "lab", "my review"), "to answer a gate"),),
    )
    return list(summary_lines(told, Screen(width)))


def block(printed: list[str], label: str) -> list[str]:
    """The lines of one block."""
    start = next((at for at, line in enumerate(printed) if line.startswith(label)), len(printed))
    rest = printed[start + 1 :]
    return printed[start : start + 1] + rest[: next((at for at, line in enumerate(rest) if line[0] != " "), len(rest))]


def breaking(found: dict[str, Any]) -> set[str]:
    return {row["delta_id"] for row in found["compatibility-matrix"] if row["verdict"] == Verdict.BREAKING}


@pytest.mark.parametrize("silent", [False, True])
def test_every_break_is_named(silent: bool) -> None:
    found = registers(silent=silent)
    printed = block(lines(found), "BREAKS")
    assert set(ID.findall("\n".join(printed))) == breaking(found) and len(breaking(found)) == 5


def test_a_break_that_the_policy_says_nothing_about_is_marked() -> None:
    ruled, silent = ("\n".join(lines(registers(silent=each))) for each in (False, True))
    assert ruled.count("policy says nothing") == 0 and silent.count("policy says nothing") == 5


def test_what_the_policy_makes_of_a_break_is_told_in_whole_parts() -> None:
    found = registers()
    told = {each["delta_id"]: f"{each['severity']}, {each['disposition']}" for each in found["findings"]}
    for line in block(lines(found), "BREAKS")[1:]:
        row = ID.findall(line)[0]
        shown = line.rpartition("  ")[2]
        assert re.match(rf"{re.escape(shown)}([;,] |$)", told[row]), line
    assert any(not line.endswith(tuple(told.values())) for line in block(lines(found), "BREAKS")[1:])


def test_many_breaks_and_what_nobody_decided_are_counted() -> None:
    row = registers()["compatibility-matrix"][1]
    verdicts = ["breaking"] * 30 + ["unknown"] * 7
    rows = [row | {"delta_id": f"D-{at:012x}", "verdict": verdict} for at, verdict in enumerate(verdicts)]
    printed = block(lines({"compatibility-matrix": rows}), "BREAKS")
    assert len(printed) <= 10 and "30" in printed[0] and "37" in printed[0]
    assert any("7 not decided" in line for line in printed)


def test_reasons_are_numbered_without_their_label() -> None:
    printed = block(lines({}, ["Limitation: a gate is open.", *["Observation: x."] * 30]), "BLOCKED")
    assert printed[0].split()[:3] == ["BLOCKED", "1", "a"] and len(printed) == 11


@pytest.mark.parametrize("width", [60, 80, 120])
def test_nothing_is_wider_than_the_screen(width: int) -> None:
    found = registers()
    found["compatibility-matrix"] = [
        row | {"address": row["address"] + "x" * 300} for row in found["compatibility-matrix"]
    ]
    printed = lines(found, ["Limitation: " + "word " * 60], width)
    assert max(map(columns, printed)) <= width - 2


def test_a_run_without_a_ledger_names_decision_and_files_alone() -> None:
    assert [line.split()[0] for line in lines({})] == ["DECISION", "WROTE", "next"]


def test_a_form_that_redaction_left_no_json_is_shown_as_text() -> None:
    (row, *_) = registers()["compatibility-matrix"]
    broken = row | {"verdict": "breaking", "candidate": '{"a": [redacted'}
    assert row["delta_id"] in "\n".join(lines({"compatibility-matrix": [broken]}))
