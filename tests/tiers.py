"""Which tests `make quick` leaves out: those that cost more than they are likely to find while one works."""

from __future__ import annotations

SLOW = (
    "adversarial/",
    "bench/",
    "command_line/",
    "edit_space/",
    "golden/",
    "isolation/",
    "notebook/",
    "rewrites/",
    "test_corpus_openapi.py",
    "test_corpus_protobuf.py",
    "test_mutations.py",
    "test_packaging.py",
)
"""Beginnings of node ids below `tests/`: folders, files, tests. What bears the mark `slow` is slow anyway."""
QUICK = (
    "golden/test_expected.py::test_outputs_are_the_expected_ones[demo]",
    "golden/test_w2_expected.py::test_outputs_are_the_expected_ones[demo]",
    "golden/test_w3_expected.py::test_outputs_are_the_expected_ones[demo]",
)
"""Of those, what is quick all the same: one golden run for each workflow."""


def is_slow(node: str) -> bool:
    """True where a test, named by its node id from the project's root, is left out of `make quick`."""
    place = node.removeprefix("tests/")
    return place.startswith(SLOW) and not place.startswith(QUICK)
