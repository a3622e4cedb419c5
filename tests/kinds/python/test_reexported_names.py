"""A name that a package takes over from a module below it: its card names each place once, in every form."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

import evreview as ev
from evreview.comparison.comparison import Comparison
from evreview.redaction.redactor import Redactor
from evreview.report.difference_card import PartLabel, card_of
from evreview.report.difference_text import stated
from evreview.report.ledger_formats import render
from evreview.report.ledger_text import Printing
from evreview.report.pages.ledger_page import ledger_page
from evreview.report.terminal_text import Screen

RELEASED = {
    "__init__.py": 'from pkg.core import Helper, run\n\n__all__ = ["Helper", "run"]\n',
    "core.py": "def run(name: str) -> str:\n    return name\n\n"
    "class Helper:\n    def go(self) -> int:\n        return 1\n",
}
CANDIDATE = {
    "__init__.py": 'from pkg.core import Helper\nfrom pkg.moved import run\n\n__all__ = ["Helper", "run"]\n',
    "core.py": "class Helper:\n    def go(self) -> str:\n        return ''\n",
    "moved.py": "def run(name: str) -> bytes:\n    return name.encode()\n",
}
_PLACES = (PartLabel.WHERE, PartLabel.REACHES, PartLabel.ALSO_REACHES)
GOLDEN = Path(__file__).resolve().parents[2] / "golden"


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Comparison:
    sides = []
    for name, files in (("released", RELEASED), ("candidate", CANDIDATE)):
        folder = tmp_path_factory.mktemp(name) / "pkg"
        folder.mkdir()
        for file, text in files.items():
            (folder / file).write_text(text, encoding="utf-8")
        sides.append(folder)
    return ev.diff(*sides)


def test_a_card_names_each_place_once(found: Comparison) -> None:
    cards = [card_of(stated(row)) for row in found.rows]
    told = [[str(part) for each in card.parts if each.label in _PLACES for line in each.lines for part in line]
            for card in cards]  # fmt: skip
    assert [names for names in told if max(Counter(names).values()) > 1] == []
    assert any(len(names) > 1 for names in told)


def test_the_forms_print_what_else_a_row_reaches(found: Comparison) -> None:
    page = str(ledger_page(found, Printing(screen=Screen(), redactor=Redactor(), contracts=("a", "b"))))
    rest = re.findall(r"<dt>also reaches</dt><dd>(.*?)</dd>", page)
    assert rest and re.findall(r"^\* also reaches: (.*)$", str(render(found, "markdown")), re.MULTILINE)


@pytest.mark.parametrize(
    "path", sorted(GOLDEN.glob("expected*/api-contract-review.md")), ids=lambda each: each.parent.name
)
def test_a_card_of_a_review_names_each_place_once(path: Path) -> None:
    lines = re.findall(r"(?m)^#### d-.*\n\n(.*)$", path.read_text(encoding="utf-8"))
    places = [re.findall(r"`([^`]+)`", line.partition(", at ")[2].partition(". Released: ")[0]) for line in lines]
    assert lines and [each for each in places if len(set(each)) < len(each)] == []
