"""The pages are plain English: short sentences, and the words of the glossary."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token

from tools.site.made import MADE

PROJECT = Path(__file__).resolve().parent.parent
DOCS = {path.name: path for path in sorted((PROJECT / "docs").glob("*.md"))}
PAGES = sorted({*DOCS, *MADE} - {"api.md"})
MOST = 24
"""Words of a sentence; code, however long, is one word, and so is a list of it."""
_END = re.compile(r"(?<=[.!?])[\"”)]*\s+(?=[A-Z`\"“(\[…*0-9])")
_LISTED = re.compile(r"X(, X)+( (and|or) X)?")
_MARKS = {"softbreak": " ", "hardbreak": " ", "code_inline": "`code`"}
LONG: dict[str, int] = {
    "authorization.md": 3,
    "benchmarks.md": 14,
    "bundle-format.md": 8,
    "code-facts.md": 2,
    "imports.md": 5,
    "redaction.md": 9,
    "reference.md": 19,
    "rules/asyncapi.md": 2,
    "rules/graphql.md": 3,
    "rules/openapi.md": 27,
    "rules/protobuf.md": 16,
    "rules/python.md": 4,
    "security-controls.md": 6,
    "security-leads.md": 15,
    "security-rating.md": 9,
    "test-results.md": 1,
}
"""Sentences that are longer, of pages that nobody has rewritten yet: these numbers only go down."""


class Synonym(NamedTuple):
    """Another word for something that the glossary has a word for, as a regular expression."""

    pattern: str
    term: str


def synonyms() -> tuple[Synonym, ...]:
    """The table of other words."""
    with (PROJECT / "tests/data/synonyms.csv").open(encoding="utf-8", newline="") as file:
        return tuple(Synonym(**row) for row in csv.DictReader(file))


@cache
def prose(name: str) -> tuple[tuple[int, str], ...]:
    """Each paragraph, heading and cell of a page with its line, without markup and with code as one word.

    A cell lists: what stands between two semicolons of it counts as a sentence.
    """
    text = DOCS[name].read_text(encoding="utf-8") if name in DOCS else MADE[name]()
    tokens = MarkdownIt().enable("table").parse(text)
    return tuple(
        ((token.map or [0])[0] + 1, _plain(token).replace("; ", ". X ") if before.type == "td_open" else _plain(token))
        for before, token in pairwise(tokens)
        if token.type == "inline"
    )


def _plain(token: Token) -> str:
    shown = (each.content if each.type == "text" else _MARKS.get(each.type, "") for each in token.children or ())
    return _LISTED.sub("X", "".join(shown).replace("`code`", "X"))


def sentences(text: str) -> Iterator[str]:
    """The sentences of a paragraph."""
    yield from _END.split(text)


def long_sentences(name: str) -> list[str]:
    """The sentences of a page that are too long, each with its line."""
    return [
        f"{name}:{line}: {len(sentence.split())} words: {sentence}"
        for line, text in prose(name)
        for sentence in sentences(text)
        if len(sentence.split()) > MOST
    ]


@pytest.mark.parametrize("name", PAGES)
def test_sentences_are_short(name: str) -> None:
    found = long_sentences(name)
    assert len(found) == LONG.get(name, 0), "\n".join(["write shorter ones, or lower the number in LONG:", *found])


def test_the_table_of_long_ones_names_pages() -> None:
    assert set(LONG) <= set(PAGES)


@pytest.mark.parametrize("name", PAGES)
def test_one_thing_has_one_word(name: str) -> None:
    found = [
        f"{name}:{line}: say {other.term!r}: {text}"
        for line, text in prose(name)
        for other in synonyms()
        if re.search(rf"\b(?:{other.pattern})\b", text, re.IGNORECASE)
    ]
    assert not found, "\n".join(found)


def test_each_word_of_the_table_stands_in_the_glossary() -> None:
    text = DOCS["glossary.md"].read_text(encoding="utf-8").lower()
    assert [other.term for other in synonyms() if other.term.lower() not in text] == []


def test_a_long_sentence_and_another_word_are_found() -> None:
    text = f"One. {'Word ' * 24}`end`. `X`, `Y` and `Z` again, as in 3.1 and in `a.b`."
    assert [len(each.split()) for each in sentences(_plain(MarkdownIt().parseInline(text)[0]))] == [1, 25, 8]
    assert [other.term for other in synonyms() if re.search(other.pattern, "the previous contract")] == [
        "released contract"
    ]
