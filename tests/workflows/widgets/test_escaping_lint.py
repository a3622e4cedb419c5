"""Nothing in the package can show evidence as markup: the ways to do so stand in one file, or nowhere."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[3]
SOURCES = sorted((PROJECT / "evreview").rglob("*.py"))
ONE_FILE = "evreview/workflows/widgets/renderables.py"
MAKERS = {"HTML", "HTMLMath", "Markdown", "Javascript", "Latex", "SVG", "IFrame"}


def dangers(source: str, *, frames: bool = True) -> Iterator[str]:
    """Calls that show text as markup, styled frames, and escaping switched off; rich's styles are the terminal's."""
    styled = frames and "from rich" not in source
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if name in MAKERS:
                yield f"line {node.lineno}: {name}()"
            for word in node.keywords:
                if word.arg in ("escape", "autoescape") and getattr(word.value, "value", None) is False:
                    yield f"line {node.lineno}: {word.arg}=False"
        if isinstance(node, ast.Attribute) and node.attr == "style" and styled:
            yield f"line {node.lineno}: .style"


@pytest.mark.parametrize(
    "source",
    ["w.HTML(x)", "HTML(value=x)", "Markdown(x)", "df.style.format(x)", "df.to_html(escape=False)", "w.HTMLMath(x)"],
)
def test_the_lint_sees_each_danger(source: str) -> None:
    assert list(dangers(source))


def test_only_one_file_makes_markup() -> None:
    sources = {path.relative_to(PROJECT).as_posix(): path.read_text(encoding="utf-8") for path in SOURCES}
    # Without pandas a style is a parameter's, as contracts say how one is written.
    found = {name: [*dangers(source, frames="pandas" in source)] for name, source in sources.items()}
    assert len(found.pop(ONE_FILE)) == 1
    elsewhere = [f"{name}: {place}" for name, places in found.items() for place in places]
    assert not elsewhere, "\n".join(elsewhere)
