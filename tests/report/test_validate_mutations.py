"""The review of the bundled example, changed in one place: the validator sees each change, on its line."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evreview.evidence.bundle_reader import open_bundle
from evreview.evidence.item import Bundle
from evreview.report.validate import validate_artifact
from evreview.report.validate_records import same
from evreview.workflows.session import review

DEMO = Path(__file__).resolve().parents[2] / "examples" / "w1-orders"
Edit = Callable[[str], str]

BLOCKED = "Decision: shipment and removal blocked"
PERMITTED = "Decision: shipment and removal permitted on the path: explicit version"
TOLD_ELSEWHERE = (
    *("count-differs", "executed-result-differs", "reference-dangling", "said-differently"),
    *("severity-differs", "severity-unquoted"),
)
"""Codes of problems that stand where the other place is."""
EXECUTED, FINDINGS, CLIENTS, MATRIX = "Executed", "Findings", "Client-impact register", "Compatibility matrix"


@cache
def demo() -> tuple[str, Bundle]:
    """The artifact of the bundled example, and its bundle."""
    bundle = open_bundle(DEMO)
    return str(review(bundle).artifact), bundle


def within(heading: str, old: str, new: str) -> Edit:
    """Replaces the first match of a pattern below a second-level heading."""

    def edit(text: str) -> str:
        start = text.index(f"\n## {heading}\n")
        end = text.find("\n## ", start + 1) if "\n## " in text[start + 1 :] else len(text)
        return text[:start] + re.sub(old, new, text[start:end], count=1, flags=re.M) + text[end:]

    return edit


def everywhere(old: str, new: str) -> Edit:
    """Replaces a text wherever it stands."""
    return lambda text: text.replace(old, new)


def both(*edits: Edit) -> Edit:
    """One edit after the other."""

    def edit(text: str) -> str:
        for one in edits:
            text = one(text)
        return text

    return edit


STEP_9 = within("Decision record", r"^(\| 9 \|.*\|) remain \|", r"\1 advance |")
GATES = within("Decision record", r"(deprecated field|breaking change) \| open \|", r"\1 | approved |")
PERMIT = everywhere(BLOCKED, PERMITTED)

CASES: dict[str, tuple[tuple[str, ...], Edit, set[str]]] = {
    "executed check cites a rollout record": (
        ("C-016",),
        within(EXECUTED, r"E7:L3 \|", "E9#/separations/0 |"),
        {"claim-not-permitted"},
    ),
    "executed check cites the whole record": (
        ("C-016",),
        within(EXECUTED, r"E7:L3 \|", "E7 |"),
        {"executed-record-missing"},
    ),
    "executed check cites one member": (
        ("C-016",),
        within(EXECUTED, r"E7:L3 \|", "E7#/checks/0/command |"),
        {"executed-record-missing"},
    ),
    "executed check cites a line inside": (
        ("C-016",),
        within(EXECUTED, r"E7:L3 \|", "E7:L4 |"),
        {"executed-record-missing"},
    ),
    "executed check cites another check": (
        ("C-016",),
        within(EXECUTED, r"E7:L3 \|", "E7:L27 |"),
        {"executed-record-differs"},
    ),
    "executed check cites one without a result": (
        ("C-016", "C-021"),
        within(EXECUTED, r"E7:L3 \|", "E7:L45 |"),
        {"executed-record-missing"},
    ),
    "another command": (("C-017",), within(EXECUTED, "-k released", "-k other"), {"executed-record-differs"}),
    "another revision": (("C-018",), within(EXECUTED, "`a19937bb", "`b19937bb"), {"executed-record-differs"}),
    "another fixture": (("C-019",), within(EXECUTED, "without network", "online"), {"executed-record-differs"}),
    "another result": (
        ("C-020",),
        within(EXECUTED, "executed: failed", "executed: passed"),
        {"executed-record-differs", "executed-result-differs", "count-differs"},
    ),
    "result left out as if secret": (
        ("C-020",),
        within(EXECUTED, "executed: failed", "executed: [redacted: token]"),
        {"executed-record-differs", "executed-result-differs", "value-not-allowed", "count-differs"},
    ),
    "finding tells another result": (
        ("C-020",),
        within(FINDINGS, "Executed check: failed", "Executed check: passed"),
        {"executed-result-differs"},
    ),
    "finding's executed check cites a rollout record": (
        ("C-016",),
        within(FINDINGS, r"(Executed check: [^\[]*)\[E7:L14\]", r"\1[E9#/separations/0]"),
        {"claim-not-permitted"},
    ),
    "matrix tells another parser result": (
        ("C-020",),
        within(MATRIX, r"(Observation: run: `ledger-export`) failed", r"\1 passed"),
        {"executed-result-differs", "said-differently", "cells-contradict"},
    ),
    "parser result cites the inventory": (
        ("W1C-011",),
        within(CLIENTS, r"(Observation: run: [^\[]*)\[E7:L14\]", r"\1[E6:L5]"),
        {"executed-record-missing"},
    ),
    "severity that the policy lacks": (
        ("W1F-013", "W1F-015"),
        within(FINDINGS, r"^\| High \(", "| Critical ("),
        {"severity-unknown", "severity-differs"},
    ),
    "severity of another rule": (("W1F-013",), within(FINDINGS, r"^\| High \(", "| Medium ("), {"severity-differs"}),
    "severity with a sentence of nobody": (
        ("W1F-013",),
        within(FINDINGS, "A known released-client failure is High", "Every failure is High"),
        {"severity-unquoted"},
    ),
    "severity without a sentence": (
        ("W1F-012",),
        within(FINDINGS, r"^\| High \([^)]*\)", "| High"),
        {"severity-unquoted", "cells-contradict"},
    ),
    "severity without the policy cited": (
        ("W1F-013",),
        within(FINDINGS, r", E5:L38 \|", " |"),
        {"severity-uncited"},
    ),
    "severity citing another rule": (
        ("W1F-013",),
        within(FINDINGS, r"^\| High \(rules/3\)", "| High (rules/4)"),
        {"severity-differs"},
    ),
    "confidence of another scale": (
        (),
        within(FINDINGS, r"\| High \(executed", "| Certain (executed"),
        {"value-not-allowed"},
    ),
    "client that no inventory lists": (
        ("W1C-001", "W1C-005"),
        within(CLIENTS, r"^\| `storefront` \|(.*)$", r"| `storefront` |\1\n| `warehouse` |\1"),
        {"client-unknown", "count-differs", "said-differently"},
    ),
    "known client without a row": (
        ("W1C-001",),
        within(CLIENTS, r"^\| `storefront` \|.*\n", ""),
        {"client-missing", "count-differs", "reference-dangling", "said-differently"},
    ),
    "register emptied": (
        ("W1C-001", "W1C-010"),
        within(
            CLIENTS,
            r"(\| --- \|\n)(?:\|.*\n)+",
            r"\1| None recorded: nobody | n/a | n/a | n/a | E1 |\n",
        ),
        {"count-differs", "client-missing", "unlisted-row-missing", "said-differently"},
    ),
    "client row citing another client": (
        ("W1C-005",),
        within(CLIENTS, r"\| E6:L22 \|$", "| E6:L5 |"),
        {"client-uncited", "said-differently"},
    ),
    "client row citing the inventory as a whole": (
        ("W1C-005",),
        within(CLIENTS, r"\| E6:L22 \|$", "| E6 |"),
        {"client-uncited", "said-differently"},
    ),
    "unlisted consumers without a row": (
        ("W1C-010",),
        within(CLIENTS, r"^\| unlisted consumers \|.*\n", ""),
        {"unlisted-row-missing"},
    ),
    "permitted in the verdict alone": (
        ("PU-001", "W1U-007"),
        within("Scope", BLOCKED, PERMITTED),
        {"decision-differs", "decision-step-open", "decision-gate-open"},
    ),
    "another decision in the record": (
        ("PU-001",),
        within("Decision record", BLOCKED, "Decision: shipment blocked"),
        {"decision-differs"},
    ),
    "another decision in the trace": (
        ("PU-001",),
        within("Traceability", BLOCKED, "Decision: removal blocked"),
        {"decision-differs"},
    ),
    "no decision in the verdict": (("PU-001",), within("Scope", BLOCKED, "Outcome: blocked"), {"decision-missing"}),
    "no decision in the trace": (("PU-001",), within("Traceability", BLOCKED, "Outcome: none"), {"decision-missing"}),
    "permitted while a gate is open": (
        ("W1U-007",),
        both(PERMIT, STEP_9, GATES),
        {"decision-gate-open", "cells-contradict"},
    ),
    "permitted without a gate": (
        ("W1U-007",),
        both(
            PERMIT,
            STEP_9,
            within("Decision record", r"(?:^\| Before .*\n)+", "| None recorded | n/a | n/a | n/a | n/a |\n"),
        ),
        {"decision-gate-open"},
    ),
    "permitted while a step remains": (
        ("W1U-007",),
        both(PERMIT, GATES, GATES),
        {"decision-step-open", "cells-contradict"},
    ),
    "permitted before the last step": (
        ("W1U-007",),
        both(PERMIT, GATES, GATES, within("Decision record", r"^\| 9 \|.*\n", "")),
        {"decision-step-differs", "cells-contradict"},
    ),
    "blocked although every step advanced": (("W1U-007",), STEP_9, {"decision-step-differs"}),
    "incomplete at a step that advanced": (
        ("W1U-007",),
        everywhere(BLOCKED, "Decision: no permission; incomplete at step 8"),
        {"decision-step-differs", "reason-missing"},
    ),
    "decision in words of nobody": (
        ("W1U-007",),
        everywhere(BLOCKED, "Decision: shipment may go ahead"),
        {"decision-unworded"},
    ),
    "stopped with a code that no step shows": (
        ("PU-001",),
        both(
            everywhere(BLOCKED, "Decision: no permission; stopped at step 9, W1-F4"),
            within("Decision record", r"^(\| 9 \|.*\|) remain \|", r"\1 stop W1-F1 |"),
        ),
        {"decision-code-unknown", "reason-missing"},
    ),
    "finding of no row": (
        ("W1F-009", "PU-002"),
        within(FINDINGS, r"\(#d-[0-9a-f]+\)", "(#d-000000000000)"),
        {"link-dangling", "link-elsewhere"},
    ),
    "proposed check of no row": (
        ("C-021",),
        within("Proposed", "`D-[0-9a-f]+`", "`D-000000000000`"),
        {"reference-dangling"},
    ),
    "control of no row": (
        ("PU-002",),
        within("Monitoring and rollback", r"^\| D-[0-9a-f]+", "| D-000000000000"),
        {"reference-dangling"},
    ),
    "conclusion of no finding": (
        ("PU-002",),
        within("Traceability", "`F-[0-9a-f]+`", "`F-000000000000`"),
        {"reference-dangling"},
    ),
    "row without the candidate contract": (
        ("W1L-025", "PU-002"),
        within(MATRIX, r", E2:L28, E3", ", E3"),
        {"contract-uncited"},
    ),
    "row without the released contract": (
        ("W1L-025", "PU-002"),
        within(MATRIX, r"\| E1:L15, E2", "| E2"),
        {"contract-uncited"},
    ),
}


@pytest.mark.req("C-016", "PU-001", "PU-002")
def test_the_unchanged_review_has_no_violation() -> None:
    text, bundle = demo()
    assert validate_artifact(text, bundle=bundle) == ()


@pytest.mark.parametrize(
    ("edit", "expected"),
    [
        pytest.param(edit, codes, id=name, marks=[pytest.mark.req(*marks)] if marks else [])
        for name, (marks, edit, codes) in CASES.items()
    ],
)
def test_one_change_is_seen(edit: Edit, expected: set[str]) -> None:
    text, bundle = demo()
    broken = edit(text)
    assert broken != text
    found = validate_artifact(broken, bundle=bundle)
    assert {problem.code for problem in found} == expected, found
    before, lines = set(text.split("\n")), broken.split("\n")
    for problem in found:
        line = int(problem.place.removeprefix("line "))
        shows_change = lines[line - 1] not in before
        tells_of_absence = problem.code.endswith("-missing") or problem.code.startswith("decision-")
        says_it_twice = problem.code in TOLD_ELSEWHERE
        assert shows_change or tells_of_absence or says_it_twice, problem


@pytest.mark.parametrize(
    ("printed", "retained", "expected"),
    [
        ("pytest -k a", "pytest  -k\na", True),
        ("pytest⏎-k a", "pytest\n-k a", True),
        ("login [redacted: token] now", "login 123 now", True),
        ("[redacted: token]", "anything", True),
        ("[redacted: token] x [redacted: secret]", "1 y 2", False),
        ("login [redacted: token] now", "login 123 then", False),
        ("ab[redacted: token]ba", "aba", False),
        ("abc… [cut: 400 characters, sha256:0123abcd]", "abcdef", True),
        ("[redacted: ]", "anything", False),
        ("passed", "passed twice", False),
        ("", "passed", False),
    ],
)
@pytest.mark.req("C-016")
def test_what_was_left_out_stands_for_anything(printed: str, retained: str, expected: bool) -> None:
    assert same(printed, retained) is expected


@given(
    st.lists(st.text("ab c", max_size=6), min_size=1, max_size=5),
    st.lists(st.text("abxy ", max_size=6), min_size=4, max_size=4),
)
def test_redacting_never_makes_a_difference(kept: list[str], secrets: list[str]) -> None:
    """Whatever is redacted from a text, the rest still compares equal to it."""
    retained = printed = kept[0]
    for part, secret in zip(kept[1:], secrets, strict=False):
        retained += f"<{secret}>{part}"
        printed += f"<[redacted: token]>{part}"
    assert same(printed, retained)
