"""The short way of `evreview diff`: it understands a line as the command-line library does, or leaves it alone."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import typer
from hypothesis import given, settings
from hypothesis import strategies as st

from evreview.app.cli import app
from evreview.app.commands import diff
from evreview.app.commands.diff import FLAGS, VALUED, plain_question

WORDS = st.sampled_from(
    [
        *(
            "a.json",
            "b/c.yaml",
            "-o",
            "--output",
            "--output=o.json",
            "--format",
            "json",
            "--format=sarif",
            "--format=x",
        ),
        *(
            "json",
            "--fail-on",
            "never",
            "--fail-on=breaking",
            "--accept",
            "--accept=f.yaml",
            "--no-witnesses",
            *("--show", "D-0123456789ab", "--show=", "--all", "--noise", "--verdict", "unknown", "--verdict=x"),
            "--kind",
        ),
        *("openapi", "--kind=openapi", "--help", "--", "-", "--form", "-oo.json", "--no-witnesses=1", "", "--kind="),
    ]
)
LINES = st.lists(WORDS, max_size=5) | st.lists(WORDS, max_size=4).map(lambda words: ["a.json", *words, "b.json"])
LEFT = frozenset({"--history", "--level", "--include", "--against", "--repo"})
"""Options that are rare: a line with one of them is the library's."""
SMALL = {"openapi": "3.0.3", "info": {"title": "t", "version": "1"}, "paths": {}}


@settings(deadline=None)
@given(LINES)
def test_a_line_is_understood_as_the_library_understands_it(words: list[str]) -> None:
    asked = plain_question(["diff", *words])
    if asked is None:
        return
    seen: list[Any] = []
    original = diff.diff
    diff.diff = lambda *given: seen.append(given) or 0  # type: ignore[assignment,func-returns-value]
    try:
        app(["diff", *words], prog_name="evreview", standalone_mode=False)
    finally:
        diff.diff = original
    assert seen == [asked]


@pytest.mark.parametrize(
    "words", ["a b", "a b --format json", "--format=json a b", "a b -o x --no-witnesses --accept f --accept g"]
)
def test_ordinary_lines_are_taken(words: str) -> None:
    assert plain_question(["diff", *words.split()]) is not None


@pytest.mark.parametrize(
    "words", ["diff", "diff a", "diff a b c", "diff a b --help", "diff a b --form json", "diff --history a b", "rules"]
)
def test_anything_else_is_left_to_the_library(words: str) -> None:
    assert plain_question(words.split()) is None


def test_both_ways_know_the_same_options() -> None:
    command = typer.main.get_command(app).commands["diff"]  # type: ignore[attr-defined]
    options = [option for option in command.params if option.param_type_name == "option"]
    flags = {name for option in options if option.is_flag for name in option.opts}
    assert {name for option in options for name in option.opts} - flags - LEFT == VALUED
    assert flags - LEFT == FLAGS


def loaded(*words: str) -> set[str]:
    """The libraries that a command line leaves loaded."""
    told = "import sys, json, evreview.__main__ as m\ntry: m.main()\nexcept SystemExit: pass\n"
    told += "print(json.dumps(sorted({name.partition('.')[0] for name in sys.modules})), file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", told, *words], capture_output=True, text=True, check=True)
    return set(json.loads(done.stderr.splitlines()[-1]))


@pytest.mark.parametrize("form", ["json", "text", "table", "github"])
def test_a_diff_loads_only_what_it_uses(form: str, tmp_path: Path) -> None:
    file = tmp_path / "a.json"
    file.write_text(json.dumps(SMALL))
    heavy = {"pandas", "numpy", "jinja2", "nbconvert", "nbformat", "IPython", "ipywidgets", "pydantic", "typer"}
    heavy |= {"dask", "distributed", "fsspec", "multiprocessing", "concurrent"}
    assert not loaded("diff", str(file), str(file), "--format", form, "-o", str(tmp_path / "o")) & heavy
