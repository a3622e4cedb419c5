"""Places that are lines: written, read back and cited."""

from __future__ import annotations

from evreview.contract.citations import cited_place
from evreview.contract.model import Place
from evreview.core.document_text import line_of
from evreview.core.vocabulary import EvidenceId
from evreview.evidence.citation import parse_citation


def test_a_line_is_no_pointer() -> None:
    place = Place.at_line("things.proto", 12)
    assert (str(place), place.line, Place("api.yaml", "/L12").line) == ("things.proto#L12", 12, None)
    assert line_of(b"any text", place.pointer) == 12


def test_a_line_is_cited_in_the_entry_and_in_a_part() -> None:
    own, part = (
        cited_place(EvidenceId("E1"), "a.proto", Place.at_line(name, 3)) for name in ("a.proto", "deep/b.proto")
    )
    assert (str(own), str(part)) == ("E1:L3", "E1:file=deep/b.proto#L3")
    assert parse_citation(str(part)) == part
