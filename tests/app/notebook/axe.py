"""What axe-core faults on a page in the browser: every rule, every impact, whatever the page's policy on scripts."""

from __future__ import annotations

from importlib.resources import files
from typing import Any

import pytest

_RUN = """async inside => (await axe.run(inside || document, {resultTypes: ['violations']})).violations
  .flatMap(v => v.nodes.map(n => `${v.impact} ${v.id}: ${n.target.join(' ')}: ${n.html.slice(0, 160)}`))"""


def violations(page: Any, inside: str = "") -> list[str]:
    """One line for each element that axe faults: impact, rule, place and markup.

    Args:
        page: the browser's page, as it looks now: its scheme, its size, what stands open.
        inside: a CSS selector of the part to look at; empty means the whole page.

    Returns:
        The lines, in axe's order; none means no violation.
    """
    pytest.importorskip("axe_playwright_python", reason="axe-playwright-python is not installed")
    source = (files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8")
    page.evaluate(source)
    found: list[str] = page.evaluate(_RUN, inside)
    return found
