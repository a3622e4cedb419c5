"""Changed lines by the function or class that they stand in: what one entry of a mapping may cover, and what not."""

from __future__ import annotations

from typing import Any

import pytest

from evreview.workflows.w1.reconcile.implementation_diff import names, parse_diff, symbols
from tests.workflows.w1.reconcile.sides import ORDER, run

BODY = [
    " LIMIT = 1",
    "-PAGE = 1",
    "+PAGE = 2",
    " @route",
    " def read(x):",
    "-    return 1",
    "+    return 2",
    " class Box:",
    "     def put(self):",
    "-        return 1",
    "+        return 2",
    "     def take(self):",
    "-        return 1",
    "+        return 2",
]
LENGTH = sum(not line.startswith("+") for line in BODY)
DIFF = f"--- a/src/a.py\n+++ b/src/a.py\n@@ -1,{LENGTH} +1,{LENGTH} @@\n" + "".join(f"{line}\n" for line in BODY)
LIMIT = f"{ORDER} > query:limit"


def entry(**given: Any) -> dict[str, Any]:
    return {"path": "src/a.py", "element": LIMIT, **given}


def faults(*entries: dict[str, Any], diff: str = DIFF) -> tuple[list[str], int]:
    found = run(*entries, diff=diff)
    return [fault.code for fault in found.faults], len(found.unmapped)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"lines": "1-10", "quote": "def read(x):"}, (["several-symbols"], 4)),
        ({"lines": "2-5", "quote": "return 2"}, (["several-symbols"], 4)),
        ({"lines": "-1-10", "quote": "return 1"}, (["several-symbols"], 4)),
        ({"lines": "6-10", "quote": "def put"}, (["several-symbols"], 4)),
        ({"lines": "4-5", "quote": "return 2"}, ([], 3)),
        ({"symbol": "read"}, ([], 3)),
        ({"symbol": "src.a.Box.put"}, ([], 3)),
        ({"symbol": "take"}, ([], 3)),
        ({"symbol": "PAGE"}, ([], 3)),
        ({"symbol": "reads"}, (["no-such-symbol"], 4)),
        ({"symbol": "LIMIT"}, (["no-such-symbol"], 4)),
        ({"symbol": "read", "reviewed": False}, (["not-reviewed"], 4)),
        ({"symbol": "read", "element": "no such element"}, (["no-such-element"], 4)),
        ({"lines": "1-10", "quote": "PAGE = 2", "element": "none", "why": "no effect"}, (["several-symbols"], 4)),
    ],
    ids=str,
)
def test_an_entry_covers_the_changes_of_one_symbol(given: dict[str, Any], expected: tuple[list[str], int]) -> None:
    assert faults(entry(**given)) == expected


def test_an_entry_for_each_symbol_is_enough() -> None:
    assert faults(*(entry(symbol=name) for name in ("PAGE", "read", "Box.put", "Box.take"))) == ([], 0)


def test_a_test_file_is_said_whole_to_concern_nothing() -> None:
    told = entry(path="tests/test_a.py", lines="1-10", quote="PAGE", element="none", why="tests")
    assert faults(told, diff=DIFF.replace("src/a.py", "tests/test_a.py")) == ([], 0)


@pytest.mark.parametrize(
    ("heading", "line", "symbol"),
    [
        ("def shown(order):", "    return 2", "shown"),
        ("func (s *Server) Shown(w http.ResponseWriter) {", "\treturn 2", "Shown"),
        ("export async function shown() {", "  return 2;", "shown"),
        ("", "    return 2", ""),
        ("def shown(order):", "TOTAL = 2", "=TOTAL"),
    ],
)
def test_the_heading_tells_what_the_first_lines_stand_in(heading: str, line: str, symbol: str) -> None:
    (file,) = parse_diff(f"--- a/a.x\n+++ b/a.x\n@@ -3,1 +3,1 @@ {heading}\n-    return 1\n+{line}\n", "a.diff")
    assert list(symbols(file.hunks[0]).values())[-1] == symbol


@pytest.mark.parametrize(
    ("symbol", "wanted", "same"),
    [
        ("read", "app.read", True),
        ("Box.put", "put", True),
        ("Box.put", "box.put", False),
        ("", "read", False),
        ("reader", "read", False),
    ],
)
def test_a_symbol_may_be_named_with_its_module(symbol: str, wanted: str, same: bool) -> None:
    assert names(symbol, wanted) is same


def top(*lines: str) -> str:
    """A diff of the top of a file: lines as they stand in it, with their marks."""
    old, new = (sum(not line.startswith(mark) for line in lines) for mark in "+-")
    return f"--- a/src/a.py\n+++ b/src/a.py\n@@ -1,{old} +1,{new} @@\n" + "".join(f"{line}\n" for line in lines)


CONSTANTS = top("-PAGE = 1", "-TYPE = 'json'", "-CODES = {", "-    'a': 1,", "-}",
                "+PAGE = 2", "+TYPE = 'problem'", "+CODES = {", "+    'a': 2,", "+}")  # fmt: skip


@pytest.mark.parametrize(
    ("entries", "expected"),
    [
        ([entry(lines="1-1", quote="PAGE = 2")], ([], 2)),
        ([entry(symbol="PAGE")], ([], 2)),
        ([entry(lines="1-5", quote="PAGE = 2")], (["several-symbols"], 3)),
        ([entry(symbol="PAGE"), entry(symbol="TYPE")], ([], 1)),
        ([entry(symbol="PAGE"), entry(symbol="TYPE"), entry(symbol="CODES")], ([], 0)),
    ],
)
def test_each_name_assigned_at_the_top_is_a_symbol(
    entries: list[dict[str, Any]], expected: tuple[list[str], int]
) -> None:
    assert faults(*entries, diff=CONSTANTS) == expected


def test_what_lists_other_names_goes_with_the_imports_that_bring_them() -> None:
    listing = top("-from .rates import old, kept", "+from .rates import kept", " ", "-__all__ = ['old', 'kept']",
                  "+__all__ = ['kept']")  # fmt: skip
    assert faults(entry(lines="1-3", quote="from .rates import kept"), diff=listing) == ([], 0)


def test_one_name_for_another_is_one_change() -> None:
    assert faults(entry(symbol="LIMIT"), diff=top("-BOUND = 1", "+LIMIT = 1")) == ([], 0)
