"""Headless Chromium for every test that needs a browser: how it starts, and a page of a file in it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.util import find_spec
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


def missing_browser() -> str:
    """Why no browser can be started here; empty when one can."""
    if find_spec("playwright") is None:
        return "playwright is not installed"
    return "" if CHROMIUM.exists() else "no browser: install Debian's chromium"


def need_browser() -> None:
    """Skips the test, with the reason, where there is no browser."""
    if reason := missing_browser():
        pytest.skip(reason)


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
