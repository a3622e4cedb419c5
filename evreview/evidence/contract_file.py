"""[door] A contract file, folder or pipe, as the name of its entry, a loader and a listing. Knows no bundle."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from evreview.core.errors import BadInput, Problem
from evreview.evidence.files import files_below, memoised, read_bytes, read_inside, read_pipe


def contract_source(path: str | Path) -> tuple[str, Callable[[str], bytes], tuple[str, ...]]:
    """Entry name, loader and listing of a contract; the loader reads files of its folder only, a pipe once.

    Returns:
        The entry is "" for a folder, and then the listing holds its files; of a file or pipe the listing is empty.

    Raises:
        BadInput: the file is missing or unreadable.
    """
    target = Path(path)
    if target.is_fifo():
        data = read_pipe(target, str(path))
        return target.name, memoised(lambda name: data if name == target.name else read_inside(target.parent, name)), ()
    if target.is_char_device() or target.is_block_device() or target.is_socket():
        found = "this is not a regular file"
        raise BadInput([Problem(code="file-not-regular", found=found, file=str(path), advice="Name a contract file")])
    if target.is_dir():
        listing = files_below(target, str(path))
        return "", memoised(_named(target, listing)), listing
    if not target.is_file():
        found = "there is no such file"
        raise BadInput([Problem(code="file-missing", found=found, file=str(path), advice="Name a contract file")])
    if target.is_symlink():
        target = target.resolve()
    return target.name, memoised(_named(target.parent, (target.name,))), ()


def _named(root: Path, names: Sequence[str]) -> Callable[[str], bytes]:
    """A loader of files of a folder that takes names which the file system gave as they are, whatever is in them."""
    known = frozenset(names)
    return lambda name: read_bytes(root / name, name) if name in known else read_inside(root, name)


def missing_folders(folders: Sequence[Path]) -> Iterator[Problem]:
    """The folders of imports that are none."""
    for folder in folders:
        if not folder.is_dir():
            found = "this is a file and no folder" if folder.exists() else "there is no such folder"
            advice = "Name the folder below which imported files stand"
            yield Problem(code="include-missing", found=found, file=str(folder), advice=advice)


def with_folders(load: Callable[[str], bytes], folders: Sequence[Path]) -> Callable[[str], bytes]:
    """A loader that looks into further folders for a file that the contract's own folder has not."""

    def found(name: str) -> bytes:
        try:
            return load(name)
        except (BadInput, OSError):
            for folder in folders:
                if (folder / name).is_file():
                    return read_inside(folder, name)
            raise

    return memoised(found) if folders else load
