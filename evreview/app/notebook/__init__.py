"""Runs a workflow's notebook headless and exports it.

Takes a bundle.
Gives the executed notebook, HTML and Markdown.
"""

from __future__ import annotations

from evreview.app.notebook.exported import export_html, export_markdown
from evreview.app.notebook.notebook_content import NotebookFailed
from evreview.app.notebook.run import Execution, RunOutcome, execute, run

__all__ = ["Execution", "NotebookFailed", "RunOutcome", "execute", "export_html", "export_markdown", "run"]
