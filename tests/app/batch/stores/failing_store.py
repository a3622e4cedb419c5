"""A store for tests, `failing:///folder`: every so many writes fail, or all that do not fit, half of them written."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import Any

from fsspec.implementations.local import LocalFileSystem


class FailingStore(LocalFileSystem):  # type: ignore[misc]  # fsspec has no types
    """Files of a folder. The environment says how often a write fails, and how many bytes there is room for."""

    protocol = "failing"

    @classmethod
    def _strip_protocol(cls, path: str) -> str:
        return str(LocalFileSystem._strip_protocol(path.removeprefix("failing://")))

    def pipe_file(self, path: str, value: bytes, mode: str = "overwrite", **options: Any) -> None:
        """Write a file, or fail in the middle of it."""
        room, every = int(os.environ.get("STORE_ROOM", "0")), int(os.environ.get("STORE_FAILS_EVERY", "0"))
        root = Path(os.environ["STORE_ROOT"])
        held = sum(each.stat().st_size for each in root.rglob("*") if each.is_file() and each.name != "writes")
        fails = every and self._number(root / "writes") % every == 0
        full = room and held + len(value) > room
        if fails or full:
            Path(path).write_bytes(value[: len(value) // 2])
            raise OSError(errno.ENOSPC if full else errno.EIO, os.strerror(errno.ENOSPC if full else errno.EIO))
        Path(path).write_bytes(value)

    @staticmethod
    def _number(counter: Path) -> int:
        """How many writes there were, over all processes."""
        with counter.open("ab") as file:
            file.write(b".")
            file.flush()
            return file.tell()
