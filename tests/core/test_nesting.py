"""Deep YAML is refused before the native parser recurses on it. Each in a process of its own: a crash is a failure."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable

import pytest

from evreview.core.document_text import parse_text
from evreview.core.errors import BadInput
from evreview.core.limits import MAX_DEPTH

READ = """
import sys
from evreview.core.document_text import parse_text
from evreview.core.errors import BadInput
try:
    parse_text(sys.stdin.buffer.read(), "f")
    print("read")
except BadInput as error:
    print(error.problems[0].code)
"""


def stairs(step: str, levels: int, line_end: str = "\n") -> str:
    """Every line one column further in."""
    return line_end.join(" " * level + step for level in range(levels))


def told(text: str) -> str:
    done = subprocess.run([sys.executable, "-c", READ], input=text.encode(), capture_output=True, check=False)
    assert done.returncode == 0, f"exit {done.returncode}: {done.stderr.decode()[-300:]}"
    return done.stdout.decode().strip()


N = 5_000
DEEP = {
    "lists": "- " * 20_000 + "a",
    "keys": "? " * 20_000 + "a",
    "lists-in-keys": "- ? " * 10_000 + "a",
    "values": ": " * 20_000 + "a",
    "keys-and-values": "? : " * 10_000 + "a",
    "spread": "-   - " * N + "a",
    "below-a-key": "a:\n  b:\n    " + "- " * N + "a",
    "staircase-of-lists": stairs("-", 8_000),
    "staircase-of-maps": stairs("a:", N),
    "staircase-of-keys": stairs("?", N),
    "staircase-of-anchors": stairs("- &a", N),
    "staircase-of-tags": stairs("- !!seq", N),
    "staircase-with-carriage-returns": stairs("-", N, "\r"),
    "staircase-with-both": stairs("a:", N, "\r\n"),
    "two-levels-per-column": "".join(f"{' ' * level}a:\n{' ' * level}-\n" for level in range(N)),
    "comments-between": "".join(f"{' ' * level}-\n# - - -\n\n" for level in range(N)),
    "a-few-too-many": "- " * (MAX_DEPTH + 1) + "a",
    "after-a-comment-that-looks-like-a-scalar": "a: # b: |\n  " + "- " * N + "a",
    "after-a-text-that-looks-like-a-scalar": '? "b: |\n   "\n: ' + "- " * N + "a",
    "below-a-text-that-looks-like-a-scalar": "- 'x |\n  '\n- 'y: |\n  '\n-\n  " + "- " * N + "a",
    "after-a-real-scalar": "a: |\n  " + "- " * N + "a\nb:\n  " + "- " * N + "a",
    "flow": "[" * 20_000,
    "flow-maps": "{a: " * 20_000,
    "flow-keys": "[? " * 20_000,
}


@pytest.mark.req("W1P-001")
@pytest.mark.parametrize("name", DEEP)
def test_deep_nesting_is_refused_not_a_crash(name: str) -> None:
    assert told(DEEP[name]) == "text-too-deep"


MALFORMED = {
    "tab": "-\t" * N + "a",
    "tagged": "!!seq - " * N + "a",
    "anchored": "&a - " * N + "a",
    "inner-anchors": "- &a " * N + "a",
    "key-chain": "a: " * N,
    "document-mark": "--- " + "- " * N,
    "lists-in-flow": "- [" * N,
}


@pytest.mark.parametrize("name", MALFORMED)
def test_what_only_a_broken_text_has_is_never_a_crash(name: str) -> None:
    assert told(MALFORMED[name]) in {"yaml-syntax", "text-too-deep"}


DEEP_TEXT = "  " + "- " * N + "a\n" + "".join(f"  {' ' * level}-\n" for level in range(400))
ONLY_LOOKS_DEEP = {
    "literal": ("a: |\n" + DEEP_TEXT + "b: 1\n", {"a", "b"}),
    "folded": ("a: >-  # why\n" + DEEP_TEXT + "b: 1\n", {"a", "b"}),
    "in-a-list": ("a:\n- |\n" + DEEP_TEXT + "b: 1\n", {"a", "b"}),
    "two": ("a: |+\n" + DEEP_TEXT + "b: |\n" + DEEP_TEXT, {"a", "b"}),
    "ruler": ("# x\na: |\n  " + "-" * N + "\n", {"a"}),
    "wide": ("a:\n" + " " * 300 + "b: 1\n", {"a"}),
}


@pytest.mark.parametrize("name", ONLY_LOOKS_DEEP)
def test_text_that_only_looks_deep_is_read(name: str) -> None:
    text, keys = ONLY_LOOKS_DEEP[name]
    value = parse_text(text.encode(), "f")
    assert isinstance(value, dict)
    assert set(value) == keys


@pytest.mark.parametrize("nested", [lambda depth: "- " * depth + "a", lambda depth: stairs("a:", depth)])
def test_the_limit_is_where_it_is_said_to_be(nested: Callable[[int], str]) -> None:
    assert parse_text(nested(MAX_DEPTH).encode(), "f")
    with pytest.raises(BadInput) as caught:
        parse_text(nested(MAX_DEPTH + 1).encode(), "f")
    assert caught.value.problems[0].code == "text-too-deep"


def test_the_line_of_an_error_is_kept_beside_a_scalar_that_looks_deep() -> None:
    text = "a: |\n" + DEEP_TEXT + "b: [\n"
    with pytest.raises(BadInput) as caught:
        parse_text(text.encode(), "f")
    line = int(caught.value.problems[0].place.split()[1].rstrip(","))
    assert line >= text.count("\n")
