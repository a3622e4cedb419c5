"""[door] A contract file, or a pipe, as the name of its entry and a loader. Knows no bundle and no record."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from evreview.errors import BadInput, Problem
from evreview.evidence.files import memoised, read_inside, read_pipe


def contract_source(path: str | Path) -> tuple[str, Callable[[str], bytes]]:
    """Entry name and loader of a contract file or pipe; the loader reads files of its folder only, a pipe once.

    Raises:
        BadInput: the file is missing or unreadable.
    """
    target = Path(path)
    if target.is_fifo():
        data = read_pipe(target, str(path))
        return target.name, memoised(lambda name: data if name == target.name else read_inside(target.parent, name))
    if target.is_char_device() or target.is_block_device() or target.is_socket():
        found = "this is not a regular file"
        raise BadInput([Problem(code="file-not-regular", found=found, file=str(path), advice="Name a contract file")])
    if not target.is_file():
        folder = target.is_dir()
        code, found = ("file-is-folder", "this is a folder") if folder else ("file-missing", "there is no such file")
        raise BadInput([Problem(code=code, found=found, file=str(path), advice="Name a contract file")])
    if target.is_symlink():
        target = target.resolve()
    return target.name, memoised(partial(read_inside, target.parent))
