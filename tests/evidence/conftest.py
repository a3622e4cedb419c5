"""A small valid bundle as data, which tests change and write to disk."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

CONTRACT = "openapi: 3.1.0\ninfo: {title: Orders, version: '1'}\npaths: {}\n"
POLICY = "kind: policy\npolicy_version: '3'\nsurface: Orders\nseverities: [High]\n"
COMMIT = "0123456789abcdef0123456789abcdef01234567"


def sha256(content: str | bytes) -> str:
    data = content.encode() if isinstance(content, str) else content
    return f"sha256:{hashlib.sha256(data).hexdigest()}"


@dataclass
class Draft:
    """A bundle before it is written: `review.yaml` as data, and the other files."""

    review: dict[str, Any]
    files: dict[str, str | bytes] = field(default_factory=dict)

    def item(self, number: int) -> dict[str, Any]:
        """The entry `E<number>` of the evidence list."""
        entry: dict[str, Any] = self.review["evidence"][number - 1]
        return entry

    def add(self, content: str, /, **changes: Any) -> dict[str, Any]:
        """Append an inline item with a right digest."""
        number = len(self.review["evidence"]) + 1
        entry = {"id": f"E{number}", "type": "source excerpt", "integrity": sha256(content), "establishes": "Text."}
        self.review["evidence"].append(entry | {"content": content} | changes)
        return self.item(number)


def small() -> Draft:
    released = {
        "id": "E1",
        "type": "contract artifact",
        "integrity": sha256(CONTRACT),
        "establishes": "The wire contract.",
    }
    return Draft(
        {
            "workflow": "w1",
            "title": "Orders",
            "as_of": "2026-11-20",
            "contracts": {"released": "E1", "candidate": "E2"},
            "evidence": [
                released | {"content": CONTRACT},
                released | {"id": "E2", "file": "contracts/candidate.yaml"},
                {
                    "id": "E3",
                    "type": "policy",
                    "integrity": sha256(POLICY),
                    "establishes": "The rules in force.",
                    "content": POLICY,
                },
            ],
        },
        {"contracts/candidate.yaml": CONTRACT},
    )


@pytest.fixture
def draft() -> Draft:
    return small()


@pytest.fixture
def write(tmp_path: Path) -> Callable[[Draft], Path]:
    """Writes a draft as a folder; JSON is YAML."""

    def written(draft: Draft) -> Path:
        root = tmp_path / "bundle"
        texts: dict[str, str | bytes] = {"review.yaml": json.dumps(draft.review), **draft.files}
        for name, text in texts.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_bytes(text.encode() if isinstance(text, str) else text)
        return root

    return written
