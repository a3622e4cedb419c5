"""Citations: strict in form, found in citation positions only, resolved inside the item."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evreview.core.errors import BadInput
from evreview.core.vocabulary import EvidenceId
from evreview.evidence.bundle_reader import open_bundle
from evreview.evidence.citation import (
    at_file,
    at_id,
    at_lines,
    at_pointer,
    cell_citations,
    find_citations,
    on_record_line,
    parse_citation,
    record_on_line,
    resolve,
)
from evreview.evidence.item import Bundle, Citation

E1, E4 = EvidenceId("E1"), EvidenceId("E4")


@pytest.mark.req("C-004")
@pytest.mark.parametrize(
    "text",
    ["E1", "E10", "E3#", "E3#/a/b~1c/0", "E3#/paths/~1v1~1orders~1{id}/get", "E3:L10", "E3:L10-L20", "E3:id=C-1",
     "E3:file=parts/a.yaml#/x", "E3:file=a.yaml#"],
)  # fmt: skip
def test_a_citation_is_read_and_written_back(text: str) -> None:
    assert str(parse_citation(text)) == text


@pytest.mark.req("C-004")
@pytest.mark.parametrize(
    "text",
    ["", "E", "E0", "E01", "e1", "E-1", "E1a", "EE1", " E1", "E1 ", "E1\n", "E+1", "E1.0", "Ｅ1", "E١", "E3:", "E3:L0",
     "E3:L2-L1", "E3:L1-2", "E3#a", "E3#/a b", "E3:id=", "E3:test=x", "E3 #/a", "E3:file=a.yaml", "E1,E2"],
)  # fmt: skip
def test_what_is_no_citation(text: str) -> None:
    with pytest.raises(BadInput) as caught:
        parse_citation(text)
    assert [problem.code for problem in caught.value.problems] == ["bad-citation"]


@pytest.mark.req("C-004")
@given(st.integers(min_value=1))
def test_every_positive_number_is_an_id(number: int) -> None:
    assert parse_citation(f"E{number}") == Citation(EvidenceId(f"E{number}"))
    for wrong in (f"E0{number}", f"E-{number}", f"e{number}"):
        with pytest.raises(BadInput):
            parse_citation(wrong)


FOUND = {
    "It grows [E3].": ["E3"],
    "[E3#/a/b] and [E1, E2:L3]": ["E3#/a/b", "E1", "E2:L3"],
    "as seen (E1, E2:L3-L4).": ["E1", "E2:L3-L4"],
    "(E1; E2)": ["E1", "E2"],
    "[E3\\#/a\\_b]": ["E3#/a_b"],
    "[E1](https://example.com)": ["E1"],
    "| a | [E1] |": ["E1"],
    "E1 in prose is none": [],
    "an error E11000 too": [],
    "`[E1]` ``x ` [E2]`` [E3]": ["E3"],
    "```\n[E1]\n```\n[E2]": ["E2"],
    "~~~ text\n[E1]\n~~~\n[E2]": ["E2"],
    "```\n[E1] never closed": [],
    "[see E1]": [],
    "[x](E1)": ["E1"],
    "(example)": [],
    "[ ] [x] []": [],
}


@pytest.mark.parametrize("text", FOUND)
def test_citations_are_found_in_citation_positions(text: str) -> None:
    assert [str(mention.citation) for mention in find_citations(text)] == FOUND[text]


@pytest.mark.req("C-004")
@pytest.mark.parametrize("token", ["E0", "E01", "e1", "E-1", "E1a", "EE1", "E1#x"])
def test_a_malformed_citation_is_found_as_such(token: str) -> None:
    for text in (f"a [{token}] b", f"a [E1, {token}]", f"({token})"):
        wrong = [mention for mention in find_citations(text) if mention.citation is None]
        assert [mention.text for mention in wrong] == [token]
        assert text[wrong[0].start :].startswith(token)
    assert [mention.citation for mention in cell_citations(token)] == [None]


CELLS = {"E1": ["E1"], " E1#/a, E2:L1 ": ["E1#/a", "E2:L1"], "[E1, E2]": ["E1", "E2"], "none": [], "`E1`": []}


@pytest.mark.parametrize("cell", CELLS)
def test_a_cell_is_a_list_or_prose(cell: str) -> None:
    assert [str(mention.citation) for mention in cell_citations(cell)] == CELLS[cell]


TEXT = "first\nsecond\nthird"
CHECKS = """\
kind: test-record
checks:
  - {id: 'C 1', what: 'a, b] (c)', result: passed}
  - {id: C-2, what: other}
"""
PART = "type: object\nx: {a/b: [1, null]}\n"


@pytest.fixture
def bundle(draft: Any, write: Callable[[Any], Path]) -> Bundle:
    draft.add(TEXT)
    draft.add(CHECKS, type="test record")
    split = "openapi: 3.1.0\npaths: {/a: {$ref: 'parts/my%20part.yaml#/x'}}\n"
    draft.add("", type="contract artifact", file="split.yaml", integrity="0" * 40)
    del draft.item(6)["content"]
    draft.files |= {"split.yaml": split, "parts/my part.yaml": PART, "parts/other.yaml": PART}
    return open_bundle(write(draft))


RESOLVED = {
    "E4": TEXT,
    "E4:L2": "second",
    "E4:L2-L3": "second\nthird",
    "E1#/openapi": "3.1.0",
    "E1#/info": '{"title":"Orders","version":"1"}',
    "E5#/checks/1/what": "other",
    "E5:id=C%201": '{"id":"C 1","what":"a, b] (c)","result":"passed"}',
    "E6:file=parts/my%20part.yaml#/x/a~1b/0": "1",
    "E6:file=parts/my%20part.yaml#/x/a~1b/1": "null",
    "E6:file=parts/my%20part.yaml#": PART,
}
UNRESOLVED = [
    "E9", "E4:L4", "E4:L3-L4", "E4#/a", "E1#/none", "E1#/openapi/0", "E5#/checks/2", "E5#/checks/-", "E5#/checks/01",
    "E5:id=C-3", "E4:id=C-2", "E6:file=parts/other.yaml#/type", "E6:file=../split.yaml#/paths", "E1:file=split.yaml#",
]  # fmt: skip


@pytest.mark.req("C-006", "C-007")
@pytest.mark.parametrize("text", RESOLVED)
def test_a_locator_resolves_inside_the_item(text: str, bundle: Bundle) -> None:
    assert resolve(bundle, parse_citation(text)) == RESOLVED[text]


@pytest.mark.req("C-006", "C-007")
@pytest.mark.parametrize("text", UNRESOLVED)
def test_a_locator_that_leads_nowhere(text: str, bundle: Bundle) -> None:
    assert resolve(bundle, parse_citation(text)) is None


ONE_LINE = """\
kind: test-record
checks: [{id: C-1, what: a, result: passed}, {id: C-2, what: b}]
"""
BY_LINE = {
    "E5#/checks/0": "E5:L3",
    "E5#/checks/1": "E5:L4",
    "E5#/checks/2": "E5#/checks/2",
    "E5#/checks/1/what": "E5#/checks/1/what",
    "E5": "E5",
    "E4:L2": "E4:L2",
    "E7#/checks/1": "E7#/checks/1",
    "E9#/checks/0": "E9#/checks/0",
}


@pytest.mark.req("C-007")
@pytest.mark.parametrize("text", BY_LINE)
def test_a_record_is_cited_by_the_line_that_leads_back_to_it(
    text: str, draft: Any, write: Callable[[Any], Path]
) -> None:
    draft.add(TEXT)
    draft.add(CHECKS, type="test record")
    draft.add("x\ny\n")
    draft.add(ONE_LINE, type="test record")
    bundle = open_bundle(write(draft))
    told = on_record_line(bundle, parse_citation(text))
    assert str(told) == BY_LINE[text]
    assert told == parse_citation(text) or record_on_line(bundle, told) == resolve(bundle, parse_citation(text))


def test_what_is_made_can_be_read_and_resolved(bundle: Bundle) -> None:
    made = {
        at_pointer(EvidenceId("E5"), "checks", 0, "what"): "a, b] (c)",
        at_lines(E4, 1, 2): "first\nsecond",
        at_lines(E4, 3): "third",
        at_file(EvidenceId("E6"), "parts/my part.yaml", "/type"): "object",
    }
    for citation, text in made.items():
        assert parse_citation(str(citation)) == citation
        assert resolve(bundle, citation) == text
    assert resolve(bundle, at_id(EvidenceId("E5"), "C 1")) is not None


@given(st.lists(st.text(max_size=8), max_size=4), st.text(min_size=1, max_size=8))
def test_made_citations_survive_prose(steps: list[str], name: str) -> None:
    for citation in (at_pointer(E1, *steps), at_id(E1, name)):
        assert parse_citation(str(citation)) == citation
        assert [mention.citation for mention in find_citations(f"x [E2, {citation}] y")] == [
            Citation(EvidenceId("E2")),
            citation,
        ]


def test_a_pointer_written_by_hand_without_encoding_resolves(bundle: Bundle) -> None:
    assert resolve(bundle, Citation(E1, "#/info/title")) == "Orders"
