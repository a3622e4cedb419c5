"""Diffs become hunks and branches; what is no diff is refused with one problem."""

from __future__ import annotations

import pytest

from evreview.core.errors import BadInput
from evreview.workflows.w1.reconcile.implementation_diff import is_diff, parse_diff

MODIFIED = """diff --git a/src/a.py b/src/a.py
--- a/src/a.py
+++ b/src/a.py
@@ -1,5 +1,6 @@
 one
-two
+TWO
+more
 three
 four
-five
\\ No newline at end of file
+five
\\ No newline at end of file
"""
RENAMED = """diff --git a/old.py b/new.py
similarity index 90%
rename from old.py
rename to new.py
--- a/old.py
+++ b/new.py
@@ -1 +1 @@
-x
+y
"""
BINARY = """diff --git a/logo.png b/logo.png
index 1111111..2222222 100644
Binary files a/logo.png and b/logo.png differ
"""
ADDED = "--- /dev/null\n+++ b/n.py\n@@ -0,0 +1,2 @@\n+a\n+b\n"
REMOVED = "--- a/n.py\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-a\n-b\n"


def test_hunk_lines_and_branches() -> None:
    (file,) = parse_diff(MODIFIED, "x.diff")
    (hunk,) = file.hunks
    assert (file.path, file.change) == ("src/a.py", "modified")
    assert (hunk.old_start, hunk.old_length, hunk.new_start, hunk.new_length) == (1, 5, 1, 6)
    assert [[(line.mark, line.old, line.new, line.text) for line in run] for run in hunk.branches] == [
        [("-", 2, None, "two"), ("+", None, 2, "TWO"), ("+", None, 3, "more")],
        [("-", 5, None, "five"), ("+", None, 6, "five")],
    ]


@pytest.mark.parametrize(
    ("text", "change", "path", "old_path", "hunks"),
    [
        pytest.param(RENAMED, "renamed", "new.py", "old.py", 1, id="renamed"),
        pytest.param(BINARY, "binary", "logo.png", "logo.png", 0, id="binary"),
        pytest.param(ADDED, "added", "n.py", "n.py", 1, id="added"),
        pytest.param(REMOVED, "removed", "n.py", "n.py", 1, id="removed"),
        pytest.param(MODIFIED.replace("\n", "\r\n"), "modified", "src/a.py", "src/a.py", 1, id="crlf"),
    ],
)
def test_files(text: str, change: str, path: str, old_path: str, hunks: int) -> None:
    (file,) = parse_diff(text, "x.diff")
    assert (file.change, file.path, file.old_path, len(file.hunks)) == (change, path, old_path, hunks)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "some words",
        "--- a/x\n+++ b/x\n@@ -1,9 +1,9 @@\n one\n",
        "--- a/x\n+++ b/x\n@@ -1 +1 @@\nnonsense\n",
        "@@ -1 +1 @@\n-a\n+b\n",
    ],
)
def test_bad_diffs(text: str) -> None:
    with pytest.raises(BadInput) as caught:
        parse_diff(text, "x.diff")
    assert [(problem.code, problem.file) for problem in caught.value.problems] == [("bad-diff", "x.diff")]


@pytest.mark.parametrize(("text", "found"), [(MODIFIED, True), (BINARY, True), ("The handler changed.", False)])
def test_prose_is_no_diff(text: str, found: bool) -> None:
    assert is_diff(text) is found
