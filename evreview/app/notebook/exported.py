"""The artifact of an executed notebook, as Markdown or as a page."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any, Final

from evreview.core.assets import folder
from evreview.report.pages.artifact_page import page

TEMPLATE: Final = "evreview_md"


def export_markdown(notebook: Mapping[str, Any]) -> str:
    """The Markdown that the cells tagged `artifact` show: exactly the artifact that the library renders."""
    skip_slow_import()
    nbconvert: Any = import_module("nbconvert")
    exporter = nbconvert.MarkdownExporter(template_name=TEMPLATE, extra_template_basedirs=[str(folder("templates"))])
    return str(exporter.from_notebook_node(_node(notebook))[0])


def export_html(notebook: Mapping[str, Any]) -> str:
    """The artifact that the notebook shows as one page: escaped, with nothing to load."""
    return page(export_markdown(notebook))


def skip_slow_import() -> None:
    """Import jsonschema before nbformat does: without the grammars that no notebook needs (1.5 s)."""
    import_module("evreview.schema.late_formats")


def _node(notebook: Mapping[str, Any]) -> Any:
    nbformat: Any = import_module("nbformat")
    return nbformat.from_dict(dict(notebook))
