"""Witnesses in every format: nested values of a subject, hostile ones too, are shown whole, redacted and in place."""

from __future__ import annotations

import csv
import io
import json
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from evreview.redaction.redactor import Redactor
from evreview.report.ledger_formats import FORMATS, PROOF_COLUMNS, render
from evreview.report.markdown import plain_text
from tests.pipeline import compared
from tests.report.fake_comparison import HOSTILE, INERT, MAIL, Fake, row, witnessed

COMMAND = (
    f"evreview replay {shlex.quote('old `x` | $(rm -rf) api.yaml')} {shlex.quote(chr(39) + HOSTILE)} D-000000000001"
)
VALUE = {
    "=1+1": [HOSTILE, None, {"password": "q7Rx2" + "Lv9tB"}],
    "</script><!--": 10**30,
    "by": MAIL,
    "\u202eesrever\x1b[31m": "\x00",
}
ONE = Fake((row(1, "breaking", proof=witnessed(VALUE, COMMAND)), row(2, "breaking", proof=witnessed(None, ""))))


def text_of(fmt: str, comparison: Fake = ONE) -> str:
    found = render(comparison, fmt)
    if isinstance(found, bytes):
        return pd.read_parquet(io.BytesIO(found)).to_csv()
    return str(found)


@pytest.mark.req("C-030")
@pytest.mark.parametrize("fmt", FORMATS)
def test_a_witness_is_redacted_and_acts_nowhere(fmt: str) -> None:
    text = text_of(fmt)
    assert MAIL not in text and "q7Rx2" not in text
    assert "\x1b" not in text and "\u202e" not in text and "\x00" not in text
    assert Redactor().leaks(text.replace("\r\n", "\n")) == ()


def test_csv_and_parquet_hold_the_proof_in_columns() -> None:
    (first, second) = csv.DictReader(io.StringIO(text_of("csv")))
    body = json.loads(first["witness"])["body"]["json"]
    assert body["=1+1"][:2] == [HOSTILE, None] and body["by"] == "[redacted: personal data]"
    assert (first["accepted_by"], first["refused_by"]) == ("released", "candidate")
    assert shlex.split(first["command"])[:2] == ["evreview", "replay"] and first["command"] == COMMAND
    assert first["proof_reason"] == "the candidate refuses it"
    assert json.loads(second["witness"])["body"] == {"json": None} and second["command"] == ""
    data = render(ONE, "parquet")
    assert isinstance(data, bytes)
    frame = pd.read_parquet(io.BytesIO(data))
    assert list(frame.columns)[-len(PROOF_COLUMNS) :] == list(PROOF_COLUMNS)
    assert list(frame["witness"]) == [first["witness"], second["witness"]]


def test_columns_of_an_accept_file_stay_the_last() -> None:
    class Accepting(Fake):
        @property
        def frame(self) -> pd.DataFrame:
            return super().frame.assign(acceptance="", acceptance_reason="")

    (found,) = csv.DictReader(io.StringIO(text_of("csv", Accepting((row(1, "breaking"),)))))
    assert list(found)[-2:] == ["acceptance", "acceptance_reason"]


def test_markdown_has_a_card_with_the_message_and_its_command() -> None:
    tokens = MarkdownIt("commonmark").enable("table").parse(text_of("markdown"))
    heads = [tokens[at + 1].content for at, token in enumerate(tokens) if token.type == "heading_open"]
    assert heads[:2] == ["Wire differences", "Rows in full"] and heads[2:4] == ["D-000000000001", "D-000000000002"]
    assert len([token for token in tokens if token.type == "tr_open"]) == 3 + 2
    children = [child for token in tokens for child in token.children or []]
    assert {child.content for child in children if child.type == "html_inline"} == {"<br>"}
    assert {child.type for child in children} <= INERT
    assert "$(rm -rf) api.yaml" in plain_text(children)
    (shown, *_) = [json.loads(token.content) for token in tokens if token.type == "fence" and "=1+1" in token.content]
    assert shown["=1+1"][1] is None and shown["by"] == "[redacted: personal data]"


@given(st.recursive(st.text(max_size=20) | st.integers(), lambda part: st.dictionaries(st.text(max_size=9), part)))
@settings(max_examples=50, deadline=None)
def test_any_witness_keeps_every_format_in_shape(value: Any) -> None:
    comparison = Fake((row(1, "breaking", proof=witnessed(value, shlex.join(["evreview", "replay", str(value)]))),))
    assert len(list(csv.reader(io.StringIO(text_of("csv", comparison))))) == 2
    assert text_of("github", comparison).count("\n") == 2
    tokens = MarkdownIt("commonmark").enable("table").parse(text_of("markdown", comparison))
    assert len([token for token in tokens if token.type == "tr_open"]) == 2 + 2
    assert len([token for token in tokens if token.type == "td_open"]) == 5 + 4
    heads = [tokens[at + 1].content for at, token in enumerate(tokens) if token.type == "heading_open"]
    assert len(heads) == 4 and heads[2] == "D-000000000001"
    assert json.loads(text_of("json", comparison))["rows"][0]["id"] == "D-000000000001"
    assert len(json.loads(text_of("sarif", comparison))["runs"][0]["results"]) == 1


def test_rendering_loads_no_table_library(project: Path) -> None:
    """Pandas and its like cost more than a small comparison: only CSV and Parquet may load them."""
    code = (
        "import sys\nfrom evreview.report.ledger_formats import render\n"
        "side = {'path': 'a', 'kind': 'openapi', 'version': '1', 'sha256': ''}\n"
        "from types import SimpleNamespace\n"
        "none = SimpleNamespace(operations=())\n"
        "class Empty:\n    rows = noise = ()\n    ledger = SimpleNamespace(released=none, candidate=none)\n"
        "    def to_dict(self):\n"
        "        told = dict(rows=0, verdicts=dict(breaking=0, unknown=0), unread=0, breaking=False)\n"
        "        return dict(schema='s', released=side, candidate=side, summary=told, rows=[], noise=[], unread=[])\n"
        "for fmt in ('json', 'table', 'markdown', 'sarif', 'github'): render(Empty(), fmt)\n"
        "print([name for name in ('pandas', 'numpy', 'rich', 'jinja2', 'pydantic') if name in sys.modules])"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=project, check=True)
    assert shown.stdout.strip() == "[]"


def edited_body(schema: Any, media_type: str = "application/json") -> Any:
    body = {"required": True, "content": {media_type: {"schema": schema}}}
    paths = {"/a": {"post": {"requestBody": body, "responses": {"204": {"description": ""}}}}}
    return {"openapi": "3.1.0", "info": {"title": "t", "version": "1"}, "paths": paths}


def test_lines_of_a_form_of_several_parts_leave_its_message_as_it_is() -> None:
    schema = {"type": "object", "required": ["a"], "properties": {"a": {"type": "string", "enum": ["p", "q"]}}}
    narrow = {**schema, "properties": {"a": {"type": "string", "enum": ["q"]}}}
    contracts = [edited_body(each, "multipart/form-data") for each in (schema, narrow)]
    (row,) = json.loads(str(render(compared(*contracts), "json", redactor=Redactor())))["rows"]
    assert row["proof"]["witness"]["message"]["body"]
    assert "[redacted" not in json.dumps(row["proof"]["witness"])
