"""An executed notebook as Markdown or as a page. Pure; nothing is loaded from anywhere but this installation."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from importlib import import_module
from typing import Any, Final

from evreview.assets import folder

TEMPLATE: Final = "evreview_md"
_NOTHING_TO_LOAD: Final = ("require_js_url", "mathjax_url", "jquery_url")


def export_markdown(notebook: Mapping[str, Any]) -> str:
    """The Markdown that the cells tagged `artifact` show: exactly the artifact that the library renders."""
    skip_slow_import()
    nbconvert: Any = import_module("nbconvert")
    exporter = nbconvert.MarkdownExporter(template_name=TEMPLATE, extra_template_basedirs=[str(folder("templates"))])
    return str(exporter.from_notebook_node(_node(notebook))[0])


def export_html(notebook: Mapping[str, Any]) -> str:
    """The whole notebook as one page: sanitised, without scripts, and without anything to load from elsewhere."""
    skip_slow_import()
    from traitlets.config import Config

    nbconvert: Any = import_module("nbconvert")
    quiet = dict.fromkeys(_NOTHING_TO_LOAD, "")
    config = Config({"HTMLExporter": {"sanitize_html": True, "jupyter_widgets_base_url": "", **quiet}})
    prompts = {"exclude_input_prompt": True, "exclude_output_prompt": True}
    exporter = nbconvert.HTMLExporter(config=config, template_name="basic", **prompts)
    body = exporter.from_notebook_node(_node(notebook))[0]
    return _PAGE.replace("{body}", body)


def skip_slow_import() -> None:
    """Keep jsonschema from importing `rfc3987_syntax`, which compiles 35 grammars that no notebook needs (1.5 s)."""
    sys.modules.setdefault("rfc3987_syntax", None)  # type: ignore[arg-type]


def _node(notebook: Mapping[str, Any]) -> Any:
    nbformat: Any = import_module("nbformat")
    return nbformat.from_dict(dict(notebook))


_PAGE: Final = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<title>API contract review</title>
<style>
body{font:14px/1.5 sans-serif;max-width:1200px;margin:2em auto;padding:0 1em;color:#1f2328}
table{border-collapse:collapse}
td,th{border:1px solid #d8dee4;padding:4px 8px;text-align:left;vertical-align:top}
pre{white-space:pre-wrap;overflow-wrap:anywhere}
</style>
</head>
<body>
{body}
</body>
</html>
"""
