"""The page of the Python interface: Sphinx reads signatures and docstrings of what this names."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import evreview

_HEAD: Final = """# Python

`import evreview as ev` offers what stands here, and no more. Other modules may move from one version to the next.
"""
_RESULTS: Final = {
    "What `open_bundle` gives": "evreview.evidence.item.Bundle",
    "What `diff` gives": "evreview.app.explorer.LedgerExplorer",
    "What `history` gives": "evreview.comparison.history.History",
    "What `portfolio` gives": "evreview.app.batch.portfolio_view.Portfolio",
    "What `begin` gives": "evreview.workflows.session.Run",
    "What `review` gives": "evreview.workflows.session.Review",
    "What `workbench` gives": "evreview.app.workbench.Workbench",
}


def api_page() -> str:
    """The page."""
    public = [name for name in evreview.__all__ if not name.startswith("_")]
    functions = [name for name in public if not isinstance(getattr(evreview, name), type)]
    return "\n".join([_HEAD, *_functions(functions), *_errors(set(public) - set(functions)), *_results()])


def _functions(names: list[str]) -> Iterator[str]:
    for name in names:
        yield from (f"## {name}", "", *_directive("function", f"evreview.app.api.{name}"))


def _errors(names: set[str]) -> Iterator[str]:
    yield from ("## Errors", "")
    for name in sorted(names):
        yield from _directive("class", f"evreview.core.errors.{name}", ":show-inheritance:")


def _results() -> Iterator[str]:
    for title, name in _RESULTS.items():
        yield from (f"## {title}", "", *_directive("class", name, ":members:", ":exclude-members: __init__, __new__"))


def _directive(kind: str, name: str, *options: str) -> Iterator[str]:
    yield from ("```{eval-rst}", f".. auto{kind}:: {name}", *(f"   {option}" for option in options), "```", "")
