"""A bundled review's notebook, run as `evreview lab` runs it and saved as HTML in either theme."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

import pytest

from evreview.app.notebook.run import run_in_place
from evreview.core.assets import notebook as notebook_of


@dataclass(frozen=True, slots=True)
class Saved:
    """The notebook's file and both pages."""

    workflow: str
    notebook: Path
    light: Path
    dark: Path


def saved(workflow: str, folder: Path) -> Saved:
    """The executed notebook of the bundled review, with its pages, in that folder."""
    notebook = folder / "notebook.ipynb"
    shutil.copy(notebook_of(workflow), notebook)
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("JUPYTER_DATA_DIR", str(folder / "data"))
        run_in_place(notebook)
    return Saved(workflow, notebook, *(_as_html(notebook, theme) for theme in ("light", "dark")))


def _as_html(notebook: Path, theme: str) -> Path:
    """The notebook as Jupyter itself saves it."""
    import nbformat
    from nbconvert import HTMLExporter

    body, _ = HTMLExporter(theme=theme).from_notebook_node(nbformat.read(notebook, 4))
    path = notebook.with_name(f"{theme}.html")
    path.write_text(body, encoding="utf-8")
    return path
