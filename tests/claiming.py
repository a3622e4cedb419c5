"""A pytest plugin: `-p tests.claiming --claiming ID` runs only the tests that claim that requirement."""

from __future__ import annotations

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """The option that names the requirement."""
    parser.addoption("--claiming", help="run only the tests with this requirement's mark")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keep the items that carry the mark."""
    asked = config.getoption("--claiming")
    kept = [item for item in items if any(asked in mark.args for mark in item.iter_markers("req"))]
    config.hook.pytest_deselected(items=[item for item in items if item not in kept])
    items[:] = kept
