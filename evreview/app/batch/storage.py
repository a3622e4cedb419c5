"""[I/O] Where a batch keeps its results: a folder, or a store behind a URL. A file is there whole or not at all."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final, Protocol, TypeVar

from evreview.core.errors import BadInput, EvreviewError, bad_input
from evreview.evidence.files import MAX_BYTES, replace_whole

T = TypeVar("T")
WHOLE: Final = frozenset({"s3", "s3a", "gs", "gcs", "abfs", "abfss", "az", "memory"})
"""Stores that show an object when all of it has come; elsewhere it is written under another name and moved."""
TRIES: Final = 3
SECONDS_BETWEEN_TRIES: Final = 0.1
LEFT_SECONDS: Final = 3_600
"""After this time a file that was never moved to its place is a leftover of a run that was ended."""


class StorageFailed(EvreviewError):
    """The store refused, more than once; `found` says why, without any content."""

    def __init__(self, found: str) -> None:
        self.found = found
        super().__init__(found)


class Storage(Protocol):
    """Files by names such as `parts/KEY.json`. Every method raises `StorageFailed` when the store refuses."""

    def read(self, name: str) -> bytes | None:
        """The bytes of a file, None where there is none."""

    def read_all(self, names: Iterable[str]) -> dict[str, bytes]:
        """The bytes of each of these files that is there."""

    def write(self, name: str, data: bytes) -> None:
        """Put a file in its place, whole, instead of the one that may be there."""

    def names(self, folder: str) -> tuple[str, ...]:
        """The names of all files of a folder, sorted."""

    def clear(self) -> None:
        """Remove what an earlier run was ended in the middle of."""


def is_url(place: str) -> bool:
    """True for a place that is no path of this machine."""
    return "://" in place


def storage_at(place: str) -> Storage:
    """The store at a path or URL.

    Raises:
        BadInput: a library for it is missing, or there is no such protocol.
    """
    if place.startswith("file://"):
        return FolderStorage(Path(place.removeprefix("file://")))
    return UrlStorage(place, *file_system(place)) if is_url(place) else FolderStorage(Path(place))


@cache
def file_system(url: str) -> tuple[Any, str]:
    """The file system of a URL, which lists anew each time it is asked, and the path in it.

    Raises:
        BadInput: a library for it is missing, or there is no such protocol.
    """
    if find_spec("fsspec") is None:
        advice = "Install it: pip install 'evreview[batch]'"
        raise bad_input("batch-not-installed", "a URL needs fsspec", file=url, advice=advice)
    from fsspec.core import url_to_fs

    try:
        system, path = url_to_fs(url, use_listings_cache=False)
    except ImportError as error:
        advice = "Install the library that fsspec names for it, such as s3fs, gcsfs or adlfs"
        found = f"the URL needs {error.name or 'a library'}"
        raise bad_input("batch-not-installed", found, file=url, advice=advice) from None
    except (ValueError, OSError) as error:
        raise bad_input("url-unknown", f"fsspec can't use it: {type(error).__name__}", file=url) from None
    return system, str(path)


@dataclass(frozen=True, slots=True)
class FolderStorage:
    """A folder of this machine, or one that several machines share."""

    root: Path

    def read(self, name: str) -> bytes | None:
        return _tried(lambda: _bytes(self.root / name))

    def read_all(self, names: Iterable[str]) -> dict[str, bytes]:
        found = ((name, self.read(name)) for name in names)
        return {name: data for name, data in found if data is not None}

    def write(self, name: str, data: bytes) -> None:
        _tried(lambda: self._replace(self.root / name, data))

    def _replace(self, path: Path, data: bytes) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        replace_whole(path, data)

    def names(self, folder: str) -> tuple[str, ...]:
        return _tried(lambda: tuple(sorted(f"{folder}/{name}" for name in _listed(self.root / folder))))

    def clear(self) -> None:
        before = time.time() - LEFT_SECONDS
        folders = ("ledgers", "parts", "pairs", "reviews")
        for path in [found for folder in folders for found in (self.root / folder).rglob(".*")]:
            if path.stat().st_mtime < before:
                path.unlink(missing_ok=True)


def _bytes(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None


def _listed(folder: Path) -> Iterator[str]:
    if folder.is_dir():
        # What begins with a dot is not yet in its place.
        yield from (path.name for path in folder.iterdir() if not path.name.startswith("."))


@dataclass(frozen=True, slots=True)
class UrlStorage:
    """A store that fsspec knows."""

    url: str
    system: Any = field(repr=False)
    root: str

    def read(self, name: str) -> bytes | None:
        def asked() -> bytes | None:
            try:
                return bytes(self.system.cat_file(self._at(name)))
            except FileNotFoundError:
                return None

        return _tried(asked)

    def read_all(self, names: Iterable[str]) -> dict[str, bytes]:
        places = {self._at(name): name for name in names}
        found: Mapping[str, bytes] = _tried(lambda: self.system.cat(list(places), on_error="omit")) if places else {}
        return {places[place]: bytes(data) for place, data in found.items()}

    def write(self, name: str, data: bytes) -> None:
        _tried(lambda: self._put(self._at(name), data))

    def _put(self, place: str, data: bytes) -> None:
        protocol = self.system.protocol
        if (protocol if isinstance(protocol, str) else protocol[0]) in WHOLE:
            self.system.pipe_file(place, data)
            return
        folder, _, name = place.rpartition("/")
        self.system.makedirs(folder, exist_ok=True)
        beside = f"{folder}/.{name}.{os.urandom(8).hex()}"
        self.system.pipe_file(beside, data)
        self.system.mv(beside, place)

    def names(self, folder: str) -> tuple[str, ...]:
        def asked() -> tuple[str, ...]:
            try:
                found = (str(path).rpartition("/")[2] for path in self.system.ls(self._at(folder), detail=False))
                return tuple(sorted(f"{folder}/{name}" for name in found if name and not name.startswith(".")))
            except FileNotFoundError:
                return ()

        return _tried(asked)

    def clear(self) -> None:
        """Nothing: no store says when something was begun."""

    def _at(self, name: str) -> str:
        return f"{self.root.rstrip('/')}/{name}"


def _tried(ask: Callable[[], T]) -> T:
    """What the store says, asked as often as may be.

    Raises:
        StorageFailed: it refused each time.
    """
    why = ""
    for attempt in range(TRIES):
        if attempt:
            time.sleep(SECONDS_BETWEEN_TRIES * 2**attempt)
        try:
            return ask()
        except BadInput as error:
            why = error.problems[0].found
        except Exception as error:
            # Each store raises what its own library raises. Names of places stay out: they may hold anything.
            why = (error.strerror if isinstance(error, OSError) else "") or type(error).__name__
    raise StorageFailed(why)


def read_url(url: str) -> bytes:
    """The bytes of a file that stands at a URL.

    Raises:
        BadInput: it is missing or too large, or the store refuses.
    """
    system, path = file_system(url)
    try:
        size = system.info(path).get("size")
        if size is not None and int(size) > MAX_BYTES:
            raise bad_input("text-too-large", f"the file has more than {MAX_BYTES:,} bytes", file=url)
        return bytes(system.cat_file(path))
    except (FileNotFoundError, IsADirectoryError, NotADirectoryError):
        raise bad_input("file-missing", "there is no such file", file=url) from None


def is_folder(url: str) -> bool:
    """True when a URL names a folder."""
    system, path = file_system(url)
    return bool(system.isdir(path))


def files_at(url: str) -> tuple[str, ...]:
    """The names of all files below a folder that stands at a URL, sorted; hidden ones left out."""
    system, path = file_system(url)
    root = f"{path.rstrip('/')}/"
    below = (str(found).removeprefix(root) for found in system.find(path))
    return tuple(sorted(name for name in below if not any(part.startswith(".") for part in name.split("/"))))
