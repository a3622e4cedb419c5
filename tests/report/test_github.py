"""GitHub annotations: one line each, nothing that starts another command, and every row on the log."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evreview.report.ledger_annotations import LEVELS, SHOWN
from evreview.report.ledger_formats import render
from tests.report.fake_comparison import Fake, row, witnessed

COMMAND = re.compile(r"::(error|warning|notice) (?:file=[^:,\n]*(?:,line=\d+)?,)?title=[^:,\n]*::[^\n]*")


def lines_of(comparison: Fake) -> list[str]:
    text = render(comparison, "github")
    assert isinstance(text, str) and text.endswith("\n")
    return text.split("\n")[:-1]


def test_messages_and_properties_are_escaped() -> None:
    lines = lines_of(Fake((row(3, "compatible"), row(2, "unknown", rule=None), row(1, "breaking"))))
    assert [line.split(" ")[0] for line in lines] == ["::error", "::warning", "::notice", "::notice"]
    assert lines[0].startswith("::error file=new.yaml,title=breaking%3A ") and "::D-000000000001 " in lines[0]
    assert "response-field-became-nullable" in lines[0] and "100%25" in lines[0] and "# Scope" in lines[0]
    (only, _) = lines_of(Fake((row(1, "breaking", locations={"released": "dir/a,b:1.yaml#/x", "candidate": ""}),)))
    assert "file=dir name/dir/a%2Cb%3A1.yaml," in only


def test_a_row_says_its_witness_and_how_to_check_it() -> None:
    (line, _) = lines_of(Fake((row(1, "breaking", proof=witnessed({"n": 4}, "evreview replay 'a b.yaml' c D-1")),)))
    assert '"body":{"json":{"n":4}}' in line and line.endswith("check with: evreview replay 'a b.yaml' c D-1")


@pytest.mark.parametrize(
    ("verdict", "level"), [("breaking", "error"), ("unknown", "warning"), ("compatible", "notice")]
)
def test_what_github_would_drop_stands_as_plain_text(verdict: str, level: str) -> None:
    rows = tuple(row(number, verdict) for number in range(1, 31))
    lines = lines_of(Fake(rows))
    commands = [line for line in lines if line.startswith(f"::{level} ")]
    assert len(commands) == SHOWN
    assert len(lines) == len(rows) + 1
    assert [part["id"] in line for part, line in zip(rows, lines, strict=False)] == [True] * len(rows)
    assert lines[-1].startswith("::notice title=evreview::")


@given(st.lists(st.tuples(st.sampled_from(["breaking", "unknown", "compatible"]), st.text(max_size=30)), max_size=25))
@settings(max_examples=60, deadline=None)
def test_any_text_stays_on_its_line(found: list[tuple[str, str]]) -> None:
    rows = tuple(
        row(at, verdict, address=f"##[error]{text}::error::x", locations={"released": "", "candidate": f"{text}#/x"})
        for at, (verdict, text) in enumerate(found, 1)
    )
    lines = lines_of(Fake(rows))
    assert len(lines) == len(rows) + 1
    assert not [line for line in lines if "##[" in line or (line.lstrip()[:2] == "::" and not COMMAND.fullmatch(line))]
    shown = [line.split(" ")[0][2:] for line in lines if line.startswith("::")]
    assert all(shown.count(level) <= SHOWN for level in LEVELS)
