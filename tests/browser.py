"""Headless Chromium for every test that needs a browser: how it starts, and a page of a file in it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import pytest

CHROMIUM: Final = Path("/usr/bin/chromium")
ARGUMENTS: Final = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
)  # fmt: skip
SCREEN: Final = 800
"""Pixels of a screen's height, in which places are measured."""
PLACES: Final = """() => Object.fromEntries(['decision', 'next', 'matrix'].map(role => {
  const found = document.querySelector(`[data-role=${role}]`);
  return [role, found ? (found.getBoundingClientRect().top + scrollY) / innerHeight : 0]; }))"""
"""Where the three blocks of a page begin, in screens; 0 for one that it has not."""


@dataclass
class Shown:
    """A page in the browser, with what it said and what it asked for."""

    tab: Any
    said: list[str] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)


def need_browser() -> None:
    """Skips the test, with the reason, where there is no browser."""
    pytest.importorskip("playwright", reason="playwright is not installed")
    if not CHROMIUM.exists():
        pytest.skip("no browser: install Debian's chromium")


@contextmanager
def chromium() -> Iterator[Any]:
    """A running browser, ended with its pages."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=str(CHROMIUM), args=list(ARGUMENTS))
        yield started
        started.close()


@contextmanager
def opened(browser: Any, path: Path, width: int = 1280, **context: Any) -> Iterator[Shown]:
    """The page of a file in a context of its own, which reaches nothing but files."""
    around = browser.new_context(viewport={"width": width, "height": SCREEN}, **context)
    shown = Shown(tab=around.new_page())
    shown.tab.on("console", lambda message: shown.said.append(message.text))
    shown.tab.on("pageerror", lambda error: shown.said.append(str(error)))
    shown.tab.on("request", lambda asked: shown.asked.append(asked.url))
    shown.tab.route("**/*", lambda route: route.continue_() if route.request.url.startswith("file:") else route.abort())
    shown.tab.goto(path.as_uri(), wait_until="load")
    yield shown
    around.close()
