"""A sandbox for the tests of this package; where none can be built, they are skipped with the reason."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from evreview.sandbox.host import python_runtime
from evreview.sandbox.model import Limits, Ran, Sandbox
from evreview.sandbox.runner import available, run

Python = Callable[..., Ran]


@pytest.fixture(scope="session")
def python() -> Python:
    """Runs Python code in a sandbox."""
    if reason := available():
        pytest.skip(f"nothing can be isolated here: {reason}")
    program, shown = python_runtime()

    def go(code: str, *, seconds: float = 20, memory: int = 256, **more: Any) -> Ran:
        limits = Limits(seconds=seconds, memory=memory * 2**20)
        return run(Sandbox(argv=(program, "-I", "-S", "-c", code), runtime=shown, limits=limits, **more))

    return go
