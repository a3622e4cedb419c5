"""What tests of several commands start from."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.app.commands.test_branch import STATES
from tests.repositories import git, repository


@pytest.fixture
def clone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A clone that one stands in, whose branch changed contracts since `trunk`."""
    root = repository(tmp_path / "r", STATES)
    git(root, "branch", "trunk", "v1.0")
    monkeypatch.chdir(root)
    return root
