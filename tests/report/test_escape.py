"""No text of the evidence ends its place: read back by a Markdown parser, an HTML parser and a CSV reader."""

from __future__ import annotations

import csv
import io
import re
from html.parser import HTMLParser

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from evreview.core.control_characters import visible, without_commands
from evreview.core.quoted_text import UserText
from evreview.core.vocabulary import EvidenceId
from evreview.evidence.item import Citation
from evreview.report import escape
from evreview.report.markdown import citations_in, parse_document, plain_text, split_row, stray_ids
from evreview.report.statement import Statement, observed

PARSER = MarkdownIt("commonmark").enable(["table", "strikethrough"])
HOSTILE = (
    "| a | b |\n| --- | --- |\n| c | d |",
    "# Scope",
    "## Findings\n\ntext",
    "Scope\n=====",
    "Scope\n---",
    "[text](javascript:alert(1))",
    "![x](https://example.com/p.png)",
    "[E1]",
    "(E1, E2)",
    "E11000 duplicate",
    "e1 E0 E01",
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "</td></tr></table>",
    "<!-- comment",
    "&lt;b&gt; &amp; &#124; &#x7c;",
    "```\ncode\n```",
    "`` ` ``",
    "`",
    " ` ",
    "\\| \\\\| \\\\\\|",
    "a|b",
    "`a|b`",
    "*bold* __bold__ ~~gone~~ _x_",
    "**Observation:** [E1]",
    "- item\n- item",
    "1. one\n2) two",
    "> quote",
    "+ item",
    "    code",
    "[x]: https://example.com 'title'",
    "https://example.com and www.example.com and a@b.example",
    "<https://example.com>",
    "a  \nb\\\nc",
    "$x$ $$y$$",
    "=SUM(A1:A9)",
    "@cmd|' /C calc'!A0",
    "-1+1",
    "\x1b[31mred\x07",
    "\u202eabc\u200b",
    "a\r\nb\rc\u2028d\x85e",
    "\ud800",
    "---",
    "***",
    "\t tab",
    "",
    " ",
    "None recorded",
    "{{ 7 * 7 }} {% raw %}",
    "::error::x",
    "a\x00b",
    "&nbsp;&copy",
    "trailing \\",
    "#hash# ##",
    "E1#/a|b",
)
texts = st.one_of(
    st.sampled_from(HOSTILE),
    st.text(max_size=40),
    st.text(alphabet="|\\`<>&#*_[]()!~E1 -+=.\n\r\"':/@$", max_size=30),
    st.lists(st.sampled_from(HOSTILE), max_size=3).map("".join),
)


def flat(text: str) -> str:
    return re.sub(r"\s+", " ", visible(text)).strip()


def inline_types(tokens: list[Token]) -> set[str]:
    return {child.type for token in tokens for child in token.children or []}


def cells_of(markdown: str) -> list[list[Token]]:
    tokens = PARSER.parse(f"| one | two |\n| --- | --- |\n| {markdown} | end |\n")
    assert [token.type for token in tokens].count("tr_open") == 2
    assert tokens[0].type == "table_open" and tokens[-1].type == "table_close"
    found = [token.children or [] for token in tokens if token.type == "inline"]
    assert len(found) == 4
    assert plain_text(found[3]) == "end"
    return found


@given(texts)
@settings(max_examples=400, deadline=None)
@example("\\|")
def test_a_cell_stays_one_cell_and_shows_the_text(text: str) -> None:
    found = cells_of(escape.cell(text))[2]
    assert plain_text(found) == flat(text)
    assert {child.type for child in found} <= {"text", "text_special", "code_inline"}
    assert len(split_row(f"| {escape.cell(text)} | end |")) == 2


@given(texts)
@settings(max_examples=400, deadline=None)
def test_code_in_a_cell_stays_one_cell(text: str) -> None:
    found = cells_of(escape.cell_code(text))[2]
    assert {child.type for child in found} <= {"text", "text_special", "code_inline"}
    shown = plain_text(found)
    expected = re.sub(r"[\n\v\f\x1c-\x1e\x85\u2028\u2029]", "⏎", visible(text)).replace("\t", " ")
    assert re.sub(r"\s+", " ", shown).strip() == (re.sub(r"\s+", " ", expected).strip() or "(empty)")


@given(texts)
@settings(max_examples=400, deadline=None)
@pytest.mark.parametrize("before", ["", "* ", "**Observation:** "])
def test_prose_stays_one_paragraph(before: str, text: str) -> None:
    tokens = PARSER.parse(f"{before}{escape.prose(text)} [E1]\n\nnext")
    blocks = [token.type for token in tokens if token.nesting >= 0]
    wanted = ["bullet_list_open", "list_item_open"] if before == "* " else []
    assert blocks == [*wanted, "paragraph_open", "inline", "paragraph_open", "inline"]
    assert inline_types(tokens) <= {"text", "text_special", "code_inline", "strong_open", "strong_close"}
    inline = next(token for token in tokens if token.type == "inline")
    lead = before.strip("* ")
    assert plain_text(inline.children or []).split() == f"{lead} {flat(text)} [E1]".split()


@given(texts)
@settings(max_examples=300, deadline=None)
def test_prose_holds_no_citation_and_no_label(text: str) -> None:
    document = parse_document(f"x {escape.prose(text)} {escape.code(text)} y")
    (prose,) = document.prose
    assert citations_in(prose.text) == ()
    assert stray_ids(prose.text) == ()
    assert prose.labels == ()
    assert document.intrusions == () and document.tables == () and document.headings == ()


@given(texts)
@settings(max_examples=300, deadline=None)
def test_code_is_one_code_span(text: str) -> None:
    tokens = PARSER.parse(f"a {escape.code(text)} b")
    (inline,) = [token for token in tokens if token.type == "inline"]
    assert [child.type for child in inline.children or []] == ["text", "code_inline", "text"]


@given(texts)
@settings(max_examples=300, deadline=None)
def test_a_fence_holds_everything(text: str) -> None:
    tokens = PARSER.parse(f"{escape.fence(text, 'json')}\n\nafter")
    assert [token.type for token in tokens] == ["fence", "paragraph_open", "inline", "paragraph_close"]
    assert tokens[0].content.rstrip("\n") == visible(text).rstrip("\n")


@given(texts)
@settings(max_examples=300, deadline=None)
def test_a_heading_is_one_heading(text: str) -> None:
    tokens = PARSER.parse(f"### {escape.heading(text)}\n\nafter")
    assert tokens[0].type == "heading_open" and tokens[0].tag == "h3"
    assert plain_text(tokens[1].children or []) == flat(text)
    assert inline_types(tokens) <= {"text", "text_special", "code_inline"}


class Reader(HTMLParser):
    """Collects tags and texts."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text += data


@given(texts)
@settings(max_examples=300, deadline=None)
def test_html_is_text_and_attribute_only(text: str) -> None:
    reader = Reader()
    reader.feed(f"<p title=\"{escape.html(text)}\" lang='{escape.html(text)}'>{escape.html(text)}</p>")
    reader.close()
    assert reader.tags == [("p", {"title": visible(text), "lang": visible(text)})]
    assert reader.text == visible(text)


@given(texts)
@settings(max_examples=300, deadline=None)
def test_rendered_prose_has_no_element_of_its_own(text: str) -> None:
    reader = Reader()
    reader.feed(PARSER.render(f"{escape.prose(text)} x {escape.code(text)}\n"))
    assert {tag for tag, _ in reader.tags} <= {"p", "code"}


@given(texts)
def test_a_csv_cell_is_no_formula_and_reads_back(text: str) -> None:
    safe = escape.csv_cell(text)
    kept = without_commands(text)
    assert safe in (kept, f"'{kept}")
    assert re.fullmatch(r"[+-]?\d+(\.\d+)?", safe) or not safe.startswith(("=", "+", "-", "@", "\t", "\r"))
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerow([safe, "end"])
    if "\0" not in text and "\r" not in text:
        assert next(csv.reader(io.StringIO(out.getvalue()), strict=True)) == [safe, "end"]


def test_a_long_text_is_cut_with_length_and_digest() -> None:
    text = "word " * 200
    short = escape.shorten(text, 52)
    assert short.startswith("word word") and "1000 characters" in short
    assert re.search(r"sha256:[0-9a-f]{16}", short)
    assert escape.shorten("x" * 50, 50) == "x" * 50


@pytest.mark.parametrize("form", ["write to {} now", '{{"detail":"{}","more":1}}', '["a","{}","b"]'])
def test_nothing_is_cut_in_the_middle_of_a_word(form: str) -> None:
    """Half of a mail address passes every detector: a cut before redaction keeps all of it or nothing."""
    whole = "a.person@somewhere-else.example"
    text = form.format(whole) + " and more" * 9
    for limit in range(len(text)):
        short = escape.shorten(text, limit)
        assert whole in short or "a.per" not in short


LOCATORS = (
    "",
    "#/paths/~1v1~1orders~1%7Bid%7D/get",
    "#/a_b/*c*/_d_",
    ":L3-L9",
    ":id=t_1_x",
    ":file=a.yaml#/x~0y",
    "#/~1~1~1",
)


@pytest.mark.req("C-004", "C-003")
@pytest.mark.parametrize("locator", LOCATORS)
def test_citations_read_back_from_every_position(locator: str) -> None:
    one, two = Citation(EvidenceId("E1"), locator), Citation(EvidenceId("E22"), ":L1")
    sentence = observed("It is ", UserText("E11000 [E9] | x"), ".", on=(one, two))
    row_text = f"| {escape.fragment(sentence)} | {escape.citations((one, two))} |"
    text = f"{escape.statement(sentence)}\n\n| a | Evidence |\n| --- | --- |\n{row_text}\n"
    document = parse_document(text)
    (prose,), (table,) = document.prose, document.tables
    assert prose.label == "Observation"
    assert [mention.citation for mention in citations_in(prose.text)] == [one, two]
    (row,) = table.rows
    assert [mention.citation for mention in citations_in(row[0].text)] == [one, two]
    assert row[1].text == f"{one}, {two}"


@given(texts)
@settings(max_examples=200, deadline=None)
def test_a_statement_keeps_one_label_and_its_citations(text: str) -> None:
    cited = Citation(EvidenceId("E3"), ":L1")
    document = parse_document(escape.statement(observed("We read ", UserText(text), " there.", on=(cited,))))
    (prose,) = document.prose
    assert prose.labels == ("Observation",)
    assert [mention.citation for mention in citations_in(prose.text)] == [cited]


@given(st.lists(texts, min_size=1, max_size=3))
@settings(max_examples=200, deadline=None)
def test_fragments_stay_apart(values: list[str]) -> None:
    statements: list[Statement] = [observed("Read ", UserText(value)) for value in values]
    found = parse_document(f"| a | b |\n| --- | --- |\n| {escape.fragments(statements)} | x |\n")
    (row,) = found.tables[0].rows
    assert len(row[0].fragments) == len(values)
    assert all(part.startswith("Observation:") for part in row[0].fragments)
