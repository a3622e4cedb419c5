"""The seven formats of a comparison: parsed back by their own readers, redacted, stable, hostile text kept in place."""

from __future__ import annotations

import builtins
import csv
import io
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson
import pandas as pd
import pytest
from markdown_it import MarkdownIt

from evreview.app.commands.diff import Question, diff
from evreview.core.errors import BadInput
from evreview.redaction.redactor import Redactor
from evreview.report.ledger_formats import FORMATS, render
from evreview.report.markdown import plain_text
from tests.report.fake_comparison import HOSTILE, INERT, MAIL, Fake, row

ROWS = (
    row(1, "breaking"),
    row(2, "unknown", rule=None, locations={"released": "", "candidate": ""}),
    row(3, "compatible", released="(absent)"),
)
FAKE = Fake(ROWS)


def text_of(fmt: str, comparison: Fake = FAKE) -> str:
    found = render(comparison, fmt)
    assert isinstance(found, str)
    return found


@pytest.mark.req("C-030")
@pytest.mark.parametrize("fmt", [fmt for fmt in FORMATS if fmt != "parquet"])
def test_every_format_is_redacted_stable_and_ends_a_line(fmt: str) -> None:
    text = text_of(fmt)
    assert MAIL not in text and text.endswith("\n") and "\r" not in text
    assert text == text_of(fmt)
    assert Redactor().leaks(text) == ()
    if fmt in ("json", "csv", "sarif"):
        assert "[redacted: personal data]" in text


@pytest.mark.parametrize("fmt", FORMATS)
def test_a_ledger_without_rows_is_rendered_too(fmt: str) -> None:
    assert render(Fake(()), fmt)


def test_json_is_the_comparisons_own_object() -> None:
    found = orjson.loads(text_of("json"))
    assert list(found) == ["schema", "released", "candidate", "summary", "rows", "noise", "unread"]
    assert [part["id"] for part in found["rows"]] == [part["id"] for part in ROWS]
    assert found["rows"][0]["candidate"] == HOSTILE


def test_csv_reads_back_and_holds_no_formula() -> None:
    formula = Fake((row(1, "breaking", candidate="=1+1", released="-3"),))
    found = list(csv.DictReader(io.StringIO(text_of("csv", formula))))
    assert (found[0]["candidate"], found[0]["released"], found[0]["verdict"]) == ("'=1+1", "-3", "breaking")
    (first, *_) = list(csv.DictReader(io.StringIO(text_of("csv"))))
    assert first["candidate"] == HOSTILE
    assert json.loads(first["released"]) == {"nullable": False}


def test_parquet_reads_back_redacted() -> None:
    data = render(FAKE, "parquet")
    assert isinstance(data, bytes)
    found = pd.read_parquet(io.BytesIO(data))
    assert list(found["id"]) == [part["id"] for part in ROWS]
    assert MAIL not in found.to_string() and "[redacted: personal data]" in found["proof"][0]


def test_parquet_without_its_library_is_a_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def without(name: str, *rest: Any, **named: Any) -> Any:
        if name == "pyarrow":
            raise ImportError(name)
        return real(name, *rest, **named)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(BadInput) as fault:
        render(FAKE, "parquet")
    assert [problem.code for problem in fault.value.problems] == ["parquet-not-installed"]


def test_markdown_has_one_title_one_row_and_one_card_per_difference() -> None:
    tokens = MarkdownIt("commonmark").enable("table").parse(text_of("markdown"))
    assert [token.tag for token in tokens if token.type == "heading_open"] == ["h1", "h2", "h3", "h3", "h3", "h2"]
    rows = [index for index, token in enumerate(tokens) if token.type == "tr_open"]
    assert len(rows) == (1 + len(ROWS)) + (1 + 1)
    children = [child for token in tokens for child in token.children or []]
    assert {child.content for child in children if child.type == "html_inline"} == {"<br>"}
    assert {child.type for child in children} <= INERT
    assert all(plain_text(children).count(part["id"]) == 2 for part in ROWS)


def test_the_table_has_one_line_per_difference() -> None:
    lines = text_of("table").splitlines()
    assert [line.split()[0] for line in lines[1 : 1 + len(ROWS)]] == [part["id"] for part in ROWS]
    assert "\x1b" not in text_of("table")


def test_a_terminal_gets_colours_and_its_width() -> None:
    shown = render(FAKE, "table", width=100)
    assert isinstance(shown, str) and "\x1b[" in shown
    plain = re.sub(r"\x1b\[[0-9;]*m", "", shown)
    assert max(map(len, plain.splitlines())) <= 100
    assert MAIL not in plain


def test_an_unknown_format_is_a_problem() -> None:
    with pytest.raises(BadInput) as fault:
        render(FAKE, "xml")
    assert [problem.code for problem in fault.value.problems] == ["unknown-format"]


@pytest.fixture
def pair(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., str]:
    """Two contracts of one name in two folders, with a mail address in a path; `evreview diff` over them."""
    text = (
        "openapi: 3.0.3\ninfo: {title: Orders, version: '1'}\npaths:\n  /users/MAIL:\n    get:\n      parameters:\n"
        "        - {name: limit, in: query, schema: {type: integer, default: 'see users/MAIL', maximum: 9}}\n"
        "      responses:\n        '200': {description: ok}\n"
    ).replace("MAIL", MAIL)
    for folder, body in (("old", text), ("new", text.replace("maximum: 9", "maximum: 5"))):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "openapi.yaml").write_text(body)
    monkeypatch.chdir(tmp_path)

    def run(fmt: str) -> str:
        asked = Question(
            released=Path("old/openapi.yaml"), candidate=Path("new/openapi.yaml"), kind=None, form=fmt, fail_on="never"
        )
        assert diff(asked, tmp_path / f"out.{fmt}") == 0
        data = (tmp_path / f"out.{fmt}").read_bytes()
        return pd.read_parquet(io.BytesIO(data)).to_string() if fmt == "parquet" else data.decode()

    return run


@pytest.mark.req("C-030")
@pytest.mark.parametrize("fmt", FORMATS)
def test_a_mail_address_in_a_path_reaches_no_format(pair: Callable[..., str], fmt: str) -> None:
    assert MAIL not in pair(fmt) and MAIL.split("@")[1] not in pair(fmt)


def test_places_name_the_file_as_the_user_did_and_its_line(pair: Callable[..., str]) -> None:
    document = json.loads(pair("json"))
    assert [document[side]["path"] for side in ("released", "candidate")] == ["old/openapi.yaml", "new/openapi.yaml"]
    (found,) = document["rows"]
    assert found["locations"]["released"].startswith("old/openapi.yaml#/")
    assert found["locations"]["candidate"].startswith("new/openapi.yaml#/")
    (line, _) = pair("github").splitlines()
    assert line.startswith("::error file=new/openapi.yaml,line=7,title=")


OF_LIBRARY: dict[str, Any] = {"kind": "python", "operation": "Book.lend", "operations": ["Atlas.lend", "Book.lend"]}


@pytest.mark.parametrize(
    ("verdict", "about", "listed", "counted"),
    [
        ("compatible", OF_LIBRARY, ["Book.lend"], 1),
        ("compatible", {**OF_LIBRARY, "operations": ["A.lend", "B.lend", "Book.lend", "C.lend"]}, ["Book.lend"], 3),
        ("compatible", {**OF_LIBRARY, "operation": ""}, [], 2),
        ("compatible", {**OF_LIBRARY, "operations": ["Book.lend"]}, ["Book.lend"], None),
        ("compatible", {**OF_LIBRARY, "operations": []}, [], None),
        ("breaking", OF_LIBRARY, ["Atlas.lend", "Book.lend"], None),
        ("unknown", OF_LIBRARY, ["Atlas.lend", "Book.lend"], None),
        ("compatible", {**OF_LIBRARY, "kind": "openapi"}, ["Atlas.lend", "Book.lend"], None),
    ],
)
def test_what_compatible_rows_of_a_library_reach_is_counted(
    verdict: str, about: dict[str, Any], listed: list[str], counted: int | None
) -> None:
    fake = Fake((row(1, verdict, **about),))
    (shown,) = json.loads(text_of("json", fake))["rows"]
    assert (shown["operations"], shown.get("operations_left_out")) == (listed, counted)
    assert fake.to_dict()["rows"][0]["operations"] == about["operations"]
