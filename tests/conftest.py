"""What the tests of all packages share: where the project, the demo bundle and the corpus of real contracts are."""

from __future__ import annotations

import gc
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from tests.browser import chromium, need_browser
from tests.tiers import is_left_out, is_slow

# Of a clock on the wall only a busy machine is found, or that the first text ever loads the table of characters: bounds
# of time are tests of their own, in processor seconds (tests/pace.py). CI tries the same examples for the same commit,
# so that a red run can be run again; elsewhere they vary.
settings.register_profile("any", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("ci", settings.get_profile("any"), derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "any")

# A worker holds every test that it collected: each search for cycles among them is dear, and finds next to nothing.
gc.set_threshold(200_000, 20, 20)

PROJECT = Path(__file__).resolve().parent.parent


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--update-golden` rewrites the golden files instead of comparing with them; `--every` tries every case."""
    parser.addoption("--update-golden", action="store_true", help="rewrite the golden files; read the difference")
    parser.addoption("--every", action="store_true", help="try every case of the generated spaces: see tests/tiers.py")


@pytest.fixture(scope="session")
def project() -> Path:
    """The checkout's root."""
    return PROJECT


@pytest.fixture(scope="session")
def demo_bundle() -> Path:
    """The bundled review; tests that write copy it first (`demo_copy`)."""
    return PROJECT / "examples" / "w1-orders"


@pytest.fixture
def demo_copy(demo_bundle: Path, tmp_path: Path) -> Path:
    """A copy of the bundled review that a test may change."""
    return Path(shutil.copytree(demo_bundle, tmp_path / "w1-orders"))


@pytest.fixture(scope="session")
def corpus() -> Path:
    """The folder of real contract pairs that stands beside some checkouts; its documents are never copied in here."""
    folder = PROJECT.parent / "shared" / "corpus"
    if not folder.is_dir():
        pytest.skip("the corpus of real contract pairs does not stand beside this checkout")
    return folder


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """One browser for all pages of a module; skips with the reason where there is none."""
    need_browser()
    with chromium() as started:
        yield started


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark what `make quick` leaves out, and take the share of each generated space unless a test or all was asked."""
    for item in items:
        if is_slow(item.nodeid):
            item.add_marker(pytest.mark.slow)
    if not config.getoption("every") and not any("::" in word for word in config.args):
        left_out = [item for item in items if is_left_out(item.nodeid)]
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if not is_left_out(item.nodeid)]


def pytest_itemcollected(item: pytest.Item) -> None:
    """Refuse a test that is named after a set: its order differs between processes, and workers must collect alike."""
    for name, value in getattr(getattr(item, "callspec", None), "params", {}).items():
        if isinstance(value, (set, frozenset)) and len(value) > 1 and str(value) in item.name:
            raise pytest.UsageError(f"{item.nodeid}: {name} is a set and names the test; give a sorted list")
