"""Excerpts of the evidence: at most five lines around what is cited, redacted before they are cut."""

from __future__ import annotations

from dataclasses import replace

import pytest

from evreview.core.assets import demo_bundle
from evreview.core.vocabulary import EvidenceId
from evreview.evidence.bundle_reader import open_bundle
from evreview.evidence.item import Bundle, Citation
from evreview.redaction.redactor import Redactor
from evreview.report.pages.evidence_list import LINES, excerpts

SECRET = "ghp_" + "A1b2C3d4E5f6G7h8I9j0" + "K1l2M3n4O5p6Q7r8"
BODY = "TUlJQ1hRSUJBQUtCZ1FEbDBqcVZzbnl4Z3h5Y0ZKd2"
KEY = "\n".join(
    ["-----BEGIN RSA PRIVATE KEY-----", *(BODY + sign for sign in "abcdefgh"), "-----END RSA PRIVATE KEY-----"]
)


def bundle_with(content: str) -> Bundle:
    """The demo's bundle, its first item with another content."""
    bundle = open_bundle(demo_bundle())
    first = EvidenceId("E1")
    return replace(bundle, items={**bundle.items, first: replace(bundle.items[first], content=content)})


def shown(content: str, *locators: str) -> dict[str, tuple[int, tuple[str, ...], tuple[int, int]]]:
    """The excerpts of the first item by locator: first line, lines, cited lines."""
    bundle = bundle_with(content)
    redactor = Redactor.over((str(item.id), item.content) for item in bundle.items.values())
    found = excerpts(bundle, [Citation(EvidenceId("E1"), locator) for locator in locators], redactor)
    return {locator: (each.first, each.lines, each.cited) for (_, locator), each in found.items()}


TEN = "\n".join(f"a{number}: {number}" for number in range(1, 11))


@pytest.mark.parametrize(
    ("locator", "first", "count", "cited"),
    [(":L1", 1, 5, (1, 1)), (":L5", 3, 5, (5, 5)), (":L10", 8, 3, (10, 10)), (":L4-L6", 3, 5, (4, 6)),
     (":L2-L9", 2, 5, (2, 9)), ("#/a7", 5, 5, (7, 7))],
)  # fmt: skip
def test_at_most_five_lines_around_the_cited_one(locator: str, first: int, count: int, cited: tuple[int, int]) -> None:
    begins, lines, marked = shown(TEN, locator)[locator]
    assert (begins, len(lines), marked) == (first, count, cited) and count <= LINES
    assert lines[0] == f"a{first}: {first}"


def test_what_has_no_lines_has_no_excerpt() -> None:
    assert shown(TEN, "", ":L11", ":id=x", "#/nowhere") == {}
    assert shown('{"a": {"b": 1}}', "#/a/b") == {}


def test_a_secret_is_gone_also_where_it_is_known_from_another_line() -> None:
    begins, lines, _ = shown(f"token: {SECRET}\nb: 2\nc: 3\nd: 4\ne: 5\nf: {SECRET}", ":L6")[":L6"]
    assert begins == 4 and lines[-1].startswith("f: ") and SECRET not in "".join(lines)


def test_no_line_of_a_secret_of_many_lines_is_torn_out() -> None:
    found = shown(f"a: 1\n{KEY}\nz: 2", ":L5", ":L12")
    assert "TUlJ" not in str(found)
