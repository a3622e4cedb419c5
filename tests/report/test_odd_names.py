"""Names with signs that Markdown, addresses and links use are read as the contract writes them, whatever prints them.

An address escapes some signs, a locator others, Markdown has marks of its own; none of that is for people.
"""

from __future__ import annotations

import html
import re
from typing import Any

import pytest
from markdown_it import MarkdownIt

from evreview.app.explorer import explored
from evreview.core.vocabulary import EvidenceId
from evreview.evidence.citation import at_pointer
from evreview.redaction.redactor import Redactor
from evreview.report.escape import group, heading_link
from evreview.report.ledger_formats import render
from evreview.report.ledger_text import Printing, View, ledger_text
from evreview.report.pages.artifact_page import page
from evreview.report.pages.evidence_list import Shown
from evreview.report.pages.ledger_page import ledger_page
from evreview.report.terminal_text import Screen
from tests.pipeline import compared

NAMES = (
    "a[0]",
    "x|y",
    "<T>",
    "`q`",
    "snake_case_[id]",
    "p > q",
    "{v}",
    "[x]",
    "~n",
    "b\\c",
    "50%25",
    "*s*",
)


def document(longest: int) -> dict[str, Any]:
    text = {"type": "string", "maxLength": longest}
    names = dict.fromkeys(NAMES, text) | {"deep": {"type": "object", "properties": dict.fromkeys(NAMES, text)}}
    asked = [{"name": name, "in": "query", "required": longest < 10, "schema": {"type": "string"}} for name in NAMES]
    body = {"content": {"application/json": {"schema": {"type": "object", "properties": names}}}}
    answers = {"200": {"description": "ok", **body}}
    post = {"parameters": asked, "requestBody": body, "responses": answers}
    return {"openapi": "3.1.0", "info": {"title": "odd", "version": "1"}, "paths": {"/x": {"post": post}}}


@pytest.fixture(scope="module")
def forms() -> dict[str, str]:
    """What each form shows, without its own markup."""
    found = compared(document(20), document(9))
    shown = explored(found)
    made = [shown._repr_mimebundle_(), *(shown.row(row.delta.id)._repr_mimebundle_() for row in found.rows)]
    printing = Printing(screen=Screen(), redactor=Redactor(), contracts=("a", "b"))
    return {
        "text": str(ledger_text(found, View(everything=True), printing)),
        "markdown": of_markdown(str(render(found, "markdown"))),
        "html": of_html(str(ledger_page(found, printing))),
        "notebook, Markdown": "\n".join(of_markdown(each["text/markdown"]) for each in made),
        "notebook, HTML": "\n".join(of_html(each["text/html"]) for each in made),
        "notebook, text": "\n".join(each["text/plain"] for each in made),
    }


def of_markdown(source: str) -> str:
    tokens = MarkdownIt("commonmark").enable("table").parse(source)
    return "\n".join("".join(child.content for child in token.children or ()) for token in tokens)


def of_html(source: str) -> str:
    body = re.sub(r"(?s)<(script|style).*?</\1>", "", source)
    return html.unescape(re.sub(r"<(?!wbr)[^>]*>", "\n", body).replace("<wbr>", ""))


FORMS = ("text", "markdown", "html", "notebook, Markdown", "notebook, HTML", "notebook, text")
BEFORE = ("deep.", "deep > ", "query ")
"""What stands before a name in a place; forms and messages are JSON, which has escapes of its own."""


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", NAMES)
def test_a_name_is_read_as_the_contract_writes_it(forms: dict[str, str], form: str, name: str) -> None:
    told = forms[form]
    assert f"deep.{name}" in told and f"query {name}" in told
    escaped = {re.sub(signs, r"\\\g<0>", name) for signs in (r"[\\>\[\]{}]", r"[\\>]", r"[\\`*_\[\]~$]")} - {name}
    assert not [before + each for before in BEFORE for each in escaped if before + each in told]


@pytest.mark.parametrize("name", NAMES)
def test_a_citation_of_a_place_with_an_odd_name_is_read_without_its_escapes(name: str) -> None:
    cited = at_pointer(EvidenceId("E1"), "properties", name.replace("/", ""))
    source = f"# T\n\n## Findings\n\n* **Observation:** Told. {group((cited,))}\n\n### Evidence items\n\n"
    made = page(f"{source}| Type | Evidence |\n| --- | --- |\n| `policy` | E1 |\n",
                {("E1", cited.locator): Shown(1, ("one",), (1, 1))})  # fmt: skip
    assert of_html(made).count(f"E1#/properties/{name.replace('~', '~0')}") == 2
    assert re.findall(r'data-cite="([^"]*)"', made)[0] == html.escape(str(cited))


def test_a_link_to_a_heading_of_any_length_is_a_link() -> None:
    name = "\u8ba2\u5355" * 40
    made = page(f"# T\n\n## Findings\n\n| A |\n| --- |\n| {heading_link(name)} |\n\n### {name}\n")
    assert f">{name}</a>" in made.replace("<wbr>", "") and "](#" not in made
