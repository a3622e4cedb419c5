"""The notebooks as functions: run one headless, export what it shows."""

from __future__ import annotations

from evreview.app.notebook.run import Execution, Outcome, execute, run
from evreview.notebook.export import export_html, export_markdown
from evreview.notebook.failures import NotebookFailed

__all__ = ["Execution", "NotebookFailed", "Outcome", "execute", "export_html", "export_markdown", "run"]
